from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hayami.errors import OutputError
from hayami.export import Exported, Labels, export_set
from hayami.export.destination import ExportFolder

Export = Callable[..., Exported]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def refused(source: Path, out: Path, name: str = "trec") -> OutputError:
    with pytest.raises(OutputError) as caught:
        export_set(source, name, out)
    assert caught.value.hint
    return caught.value


def test_an_earlier_export_in_the_format_is_replaced_whole(
    bakery_set: Path, export: Export
) -> None:
    folder = export(bakery_set, "trec").folder
    assert (folder / "qrels.strict.txt").is_file()
    again = export(bakery_set, "trec", labels=Labels.STRICT)
    assert not (folder / "qrels.strict.txt").exists()
    assert set(contents(folder)) == {*again.manifest.files, "export.json"}


@pytest.mark.parametrize("name", ["beir", "ranx"])
def test_an_export_in_another_format_is_not_replaced(
    bakery_set: Path, export: Export, name: str
) -> None:
    folder = export(bakery_set, name).folder
    before = contents(folder)
    assert refused(bakery_set, folder).what == f"holds an export in another format, {name}"
    assert contents(folder) == before


def test_a_file_that_is_not_the_exports_own_is_kept_and_named(
    bakery_set: Path, export: Export
) -> None:
    folder = export(bakery_set, "beir").folder
    (folder / "qrels" / "手書き.tsv").write_text("x", encoding="utf-8")
    before = contents(folder)
    assert "qrels/手書き.tsv" in refused(bakery_set, folder, "beir").what
    assert contents(folder) == before


def test_an_empty_folder_inside_of_an_export_is_somebodys_too(
    bakery_set: Path, export: Export
) -> None:
    folder = export(bakery_set, "trec").folder
    (folder / "runs").mkdir()
    assert "runs" in refused(bakery_set, folder).what


def test_what_ir_datasets_puts_beside_a_file_goes_with_it(bakery_set: Path, export: Export) -> None:
    folder = export(bakery_set, "trec").folder
    store = folder / "docs.tsv.pklz4"
    store.mkdir()
    (store / "bin").write_bytes(b"old")
    export(bakery_set, "trec")
    assert not store.exists()


def test_the_set_itself_is_never_written_over(bakery_set: Path) -> None:
    before = contents(bakery_set)
    assert "holds something other than an export" in refused(bakery_set, bakery_set).what
    assert contents(bakery_set) == before


def test_a_file_and_a_link_are_no_place_for_an_export(bakery_set: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    assert refused(bakery_set, file).what == "is not a folder"
    link = tmp_path / "link"
    (tmp_path / "empty").mkdir()
    link.symlink_to(tmp_path / "empty")
    assert refused(bakery_set, link).what == "is not a folder"


def test_an_empty_folder_is_taken(bakery_set: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert export_set(bakery_set, "trec", tmp_path / "empty").manifest.queries


def test_a_full_disk_leaves_the_older_export_as_it_was(
    bakery_set: Path,
    export: Export,
    limit_file_size: Callable[[int], contextlib.AbstractContextManager[None]],
) -> None:
    folder = export(bakery_set, "beir").folder
    before = contents(folder)
    with limit_file_size(200), pytest.raises(OutputError) as caught:
        export(bakery_set, "beir")
    assert "cannot write" in caught.value.what
    assert contents(folder) == before
    assert [path.name for path in folder.parent.iterdir() if path.name.startswith(".")] == []


def test_a_format_that_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    def lines() -> Iterator[str]:
        yield "x"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), ExportFolder(tmp_path / "out", "trec") as folder:
        folder.write_lines("a/b.txt", lines())
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_export_left_is_removed(bakery_set: Path, tmp_path: Path) -> None:
    left = tmp_path / ".out.building-0123456789abcdef"
    left.mkdir()
    export_set(bakery_set, "trec", tmp_path / "out")
    assert not left.exists()


def test_files_have_line_feeds_alone(bakery_set: Path, export: Export) -> None:
    for name in ("trec", "beir", "queries-json"):
        for data in contents(
            export(bakery_set, name).folder.rename(bakery_set.parent / name)
        ).values():
            assert b"\r" not in data
            assert data.endswith(b"\n")
