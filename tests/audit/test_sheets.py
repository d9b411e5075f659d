"""Sheets on the disk.

Every format is read back as it was written, and what is no sheet is refused.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.audit.draft import texts_of
from hayami.audit.items import Item
from hayami.audit.sample import Draw, draw_sample
from hayami.audit.sheets import (
    FORMATS,
    guard_judgements,
    read_located,
    read_sheet,
    set_folder,
    set_hash,
    set_reference,
    write_sheet,
)
from hayami.errors import SheetError
from hayami.evalset.records import Ruling

every_format = pytest.mark.parametrize("suffix", FORMATS)


@pytest.fixture(scope="session")
def drawn(sample: hayami.Built) -> tuple[Item, ...]:
    plan = Draw(n=30, rejected=True)
    return draw_sample(hayami.load(sample.folder), sample.folder.parent / "sheet.jsonl", plan).items


@every_format
def test_a_sheet_is_read_back_as_it_was_written(
    sample: hayami.Built, drawn: tuple[Item, ...], tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"表{suffix}"
    write_sheet(path, drawn, texts=texts_of(hayami.load(sample.folder), drawn))
    assert read_sheet(path) == list(drawn)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_judgements_are_read_back(drawn: tuple[Item, ...], tmp_path: Path, suffix: str) -> None:
    label = next(item for item in drawn if item.sections and len(item.outline) > 1)
    other = next(name.section for name in label.outline if name.section not in label.sections)
    said = {
        "verdict": Ruling.ALSO,
        "chosen": (other,),
        "rewrite": "=何ですか",
        "note": "-1\n'二行'",
        "judge": "@花",
    }
    filled = [label.model_copy(update=said)]
    write_sheet(tmp_path / f"s{suffix}", filled)
    assert read_sheet(tmp_path / f"s{suffix}") == filled


@every_format
def test_the_same_items_give_the_same_bytes(
    drawn: tuple[Item, ...], tmp_path: Path, suffix: str
) -> None:
    for name in ("a", "b"):
        write_sheet(tmp_path / f"{name}{suffix}", drawn)
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


@every_format
def test_a_sheet_replaces_what_was_there_and_leaves_nothing_beside(
    drawn: tuple[Item, ...], tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / "new" / f"s{suffix}"
    for items in (drawn, drawn[:2]):
        write_sheet(path, items)
    beside = ["s.json", "s.xml"] if suffix == ".json" else [f"s{suffix}"]
    assert sorted(file.name for file in path.parent.iterdir()) == beside
    assert len(read_sheet(path)) == 2


def test_a_place_that_cannot_be_written_is_refused(drawn: tuple[Item, ...], tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(SheetError, match="cannot write") as caught:
        write_sheet(tmp_path / "file" / "s.csv", drawn)
    assert "--out" in caught.value.hint
    assert (tmp_path / "file").read_bytes() == b"x"


def test_a_full_disk_leaves_the_old_sheet(
    drawn: tuple[Item, ...], tmp_path: Path, limit_file_size: Callable[[int], object]
) -> None:
    path = tmp_path / "s.jsonl"
    write_sheet(path, drawn[:1])
    before = path.read_bytes()
    with limit_file_size(10_000), pytest.raises(SheetError, match="cannot write"):  # type: ignore[attr-defined]
        write_sheet(path, drawn)
    assert [file.name for file in tmp_path.iterdir()] == ["s.jsonl"]
    assert path.read_bytes() == before


def test_a_sheet_names_its_set_relative_to_itself(
    sample: hayami.Built, drawn: tuple[Item, ...], tmp_path: Path
) -> None:
    evalset = hayami.load(sample.folder)
    assert set_reference(evalset, sample.folder.parent / "sheets" / "s.csv") == "../set"
    assert set_folder(drawn[0], sample.folder.parent / "s.csv") == sample.folder
    assert set_hash(evalset) == drawn[0].set_sha256
    assert len(set_hash(evalset)) == 64
    assert Path(set_reference(evalset, tmp_path / "s.csv")).name == "set"


# --- what is refused ------------------------------------------------------------------------------


@pytest.fixture
def lines(drawn: tuple[Item, ...], tmp_path: Path) -> list[bytes]:
    write_sheet(tmp_path / "good.jsonl", drawn)
    return (tmp_path / "good.jsonl").read_bytes().splitlines()


def broken(line: bytes, **fields: object) -> bytes:
    return json.dumps(json.loads(line) | fields, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"verdict": "rigth"}, "verdict: Input should be"),
        ({"verdict": "RIGHT"}, "verdict: Input should be"),
        ({"verdict": "also"}, "needs section ids"),
        ({"chosen": ["x#1"]}, "verdict is empty"),
        ({"item": "i000000000000"}, "unknown row"),
        ({"rows": []}, "rows: "),
        ({"colour": "red"}, "colour: Extra inputs"),
        ({"population": -1}, "population: "),
    ],
)
def test_a_line_of_nonsense_is_refused_with_its_number(
    lines: list[bytes], tmp_path: Path, fields: dict[str, object], what: str
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"\n".join([lines[0], b"", broken(lines[1], **fields), lines[2]]) + b"\n")
    with pytest.raises(SheetError, match=what) as caught:
        read_sheet(path)
    assert caught.value.where == f"{path}:3"
    assert caught.value.hint


@pytest.mark.parametrize(
    "line", [b"{", b"[]", b"null", b"\xff\xfe", b'{"item": NaN}', b"[" * 100_000]
)
def test_a_line_that_is_no_record_is_refused(
    lines: list[bytes], tmp_path: Path, line: bytes
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(lines[0] + b"\n" + line + b"\n")
    with pytest.raises(SheetError) as caught:
        read_sheet(path)
    assert caught.value.where == f"{path}:2"


def test_a_missing_field_is_refused(lines: list[bytes], tmp_path: Path) -> None:
    content = json.loads(lines[0])
    del content["stratum"]
    (tmp_path / "s.jsonl").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(SheetError, match="stratum: Field required"):
        read_sheet(tmp_path / "s.jsonl")


def test_a_row_must_not_stand_twice_for_one_judge(lines: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(lines[0] + b"\n" + broken(lines[0], verdict="unsure") + b"\n")
    with pytest.raises(SheetError, match=r"stands twice: also at .*s\.jsonl:1"):
        read_sheet(path)
    path.write_bytes(broken(lines[0], judge="a") + b"\n" + broken(lines[0], judge="b") + b"\n")
    assert len(read_sheet(path)) == 2


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_empty_sheet_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "s.jsonl").write_bytes(content)
    with pytest.raises(SheetError, match="holds no row"):
        read_sheet(tmp_path / "s.jsonl")


@every_format
def test_a_sheet_that_is_not_there_is_refused(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(SheetError, match="No such file") as caught:
        read_sheet(tmp_path / f"none{suffix}")
    assert "hayami audit sample" in caught.value.hint


@pytest.mark.parametrize("suffix", [".xlsx", ".XLS", ".ods"])
def test_a_workbook_is_refused_with_what_to_do(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"s{suffix}").write_bytes(b"PK\x03\x04")
    with pytest.raises(SheetError, match="is a workbook") as caught:
        read_sheet(tmp_path / f"s{suffix}")
    assert "CSV UTF-8" in caught.value.hint


@pytest.mark.parametrize("suffix", [".tsv", ".txt"])
def test_text_with_tabs_is_read_as_a_spreadsheet_saves_it(
    drawn: tuple[Item, ...], tmp_path: Path, suffix: str
) -> None:
    write_sheet(tmp_path / "s.csv", drawn)
    table = csv.reader(
        io.StringIO((tmp_path / "s.csv").read_bytes().decode("utf-8-sig"), newline="")
    )
    out = io.StringIO()
    csv.writer(out, delimiter="\t", lineterminator="\r\n").writerows(table)
    (tmp_path / f"s{suffix}").write_bytes(out.getvalue().encode("utf-16"))
    assert read_sheet(tmp_path / f"s{suffix}") == list(drawn)


def test_marks_and_line_ends_of_editors_are_let_pass(lines: list[bytes], tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines) + b"\r\n\r\n")
    assert [where.rsplit(":", 1)[1] for where, _ in read_located(tmp_path / "s.jsonl")][:2] == [
        "1",
        "2",
    ]


# --- judgements are not overwritten ---------------------------------------------------------------


def test_a_free_place_and_a_blank_sheet_may_be_written(
    drawn: tuple[Item, ...], tmp_path: Path
) -> None:
    guard_judgements(tmp_path / "s.csv")
    write_sheet(tmp_path / "s.csv", drawn)
    guard_judgements(tmp_path / "s.csv")


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_a_sheet_with_judgements_is_guarded(
    drawn: tuple[Item, ...], tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"s{suffix}"
    write_sheet(path, [drawn[0].model_copy(update={"verdict": Ruling.UNSURE}), *drawn[1:]])
    with pytest.raises(SheetError, match="judgements of 1 row") as caught:
        guard_judgements(path)
    assert "--out" in caught.value.hint


def test_another_file_is_guarded(tmp_path: Path) -> None:
    (tmp_path / "diary.csv").write_text("day,what\n1,rain\n", encoding="utf-8")
    with pytest.raises(SheetError, match="something other than a blank sheet"):
        guard_judgements(tmp_path / "diary.csv")
