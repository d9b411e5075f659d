"""Finding the files of a build and giving each article its id."""

from __future__ import annotations

import os
import sys
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hayami.errors import SourceError
from hayami.evalset.records import Reason
from hayami.extract.files import Found, find_files

POSIX = pytest.mark.skipif(os.name != "posix", reason="names of bytes, links and pipes are POSIX's")
BYTES = pytest.mark.skipif(
    sys.platform != "linux", reason="other systems refuse names that are not UTF-8"
)


def write(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<p>文", encoding="utf-8")
    return folder


def ids(found: Found) -> dict[str, str]:
    """Path -> id of every file to read."""
    return {file.path: file.id for file in found.files}


# --- ids ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "article"),
    [
        ("t128.html", "t128"),
        ("guide/t128.htm", "guide/t128"),
        ("guide/t128.xhtml", "guide/t128"),
        ("T128.HTML", "T128"),
        ("索引の作り方.html", "索引の作り方"),
        ("색인/만들기.html", "색인/만들기"),
        ("v1.2.html", "v1.2"),
        (".hidden.html", ".hidden"),
        ("index.html", "index"),
        ("x/index.html", "x"),
        ("x/y/index.htm", "x/y"),
        ("x/INDEX.HTML", "x"),
        ("x/index.ja.html", "x/index.ja"),
        ("x/indexes.html", "x/indexes"),
        ("a b.html", "a%20b"),
        ("全角　空白.html", "全角%E3%80%80空白"),
        ("tab\there.html", "tab%09here"),
        ("line\nend.html", "line%0Aend"),
        ("q#1.html", "q%231"),
        ("100%.html", "100%25"),
        ('say "x".html', "say%20%22x%22"),
        ("zero\u200bwidth.html", "zero%E2%80%8Bwidth"),
        ("sep\u2028arator.html", "sep%E2%80%A8arator"),
        ("x y/index.html", "x%20y"),
    ],
)
def test_the_id_of_an_article_is_its_path_without_suffix_and_white_space(
    tmp_path: Path, path: str, article: str
) -> None:
    found = find_files([write(tmp_path, path)])
    assert ids(found) == {path: article}
    assert found.rejected == ()


@pytest.mark.parametrize(
    "name", ["a.txt", "a.html.bak", "html", "a.rst", "a.shtml", "a.mhtml", "ahtml"]
)
def test_other_files_are_not_looked_at(tmp_path: Path, name: str) -> None:
    assert ids(find_files([write(tmp_path, name, "b.html")])) == {"b.html": "b"}


def test_a_folder_with_the_name_of_a_file_is_a_folder(tmp_path: Path) -> None:
    assert ids(find_files([write(tmp_path, "old.html/a.html")])) == {
        "old.html/a.html": "old.html/a"
    }


@BYTES
def test_a_name_that_is_not_utf_8_gets_a_path_and_an_id_that_are(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.html")
    (found,) = find_files([write(tmp_path, name)]).files
    assert (found.path, found.id) == ("caf\\udce9.html", "caf%E9")
    assert Path(found.file).read_text(encoding="utf-8") == "<p>文"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a.html", "a.htm"], {"a.htm": "a", "a.html": "a.html"}),
        (["a.html", "a.htm", "a.xhtml"], {"a.htm": "a", "a.html": "a.html", "a.xhtml": "a.xhtml"}),
        (["x.html", "x/index.html"], {"x.html": "x", "x/index.html": "x/index.html"}),
        (["x/index.html", "x/index.htm"], {"x/index.htm": "x", "x/index.html": "x/index.html"}),
        (
            ["a.htm", "a.html", "a.html.html"],
            {"a.htm": "a", "a.html": "a.html", "a.html.html": "a.html.html"},
        ),
        (["a b.html", "a%20b.html"], {"a b.html": "a%20b", "a%20b.html": "a%2520b"}),
    ],
)
def test_two_files_never_share_an_id(
    tmp_path: Path, names: list[str], expected: dict[str, str]
) -> None:
    assert ids(find_files([write(tmp_path, *names)])) == expected


def test_files_come_in_the_order_of_their_ids(tmp_path: Path) -> None:
    found = find_files(
        [write(tmp_path, "b.html", "a/z.html", "a.html", "あ.html", "B.html", "a-1.html")]
    )
    assert [file.id for file in found.files] == ["B", "a", "a-1", "a/z", "b", "あ"]


NAMES = st.lists(
    st.tuples(
        st.sampled_from(["", "x/", "x/y/", "a.html/", "index/"]),
        st.sampled_from(["a", "b", "index", "Index", "a.html", "x", "a b", "a%20b", "索引"]),
        st.sampled_from([".html", ".htm", ".xhtml", ".HTM"]),
    ).map("".join),
    min_size=1,
    max_size=8,
    unique_by=str.casefold,
)


@settings(
    deadline=None,
    max_examples=60,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(names=NAMES)
def test_every_file_is_found_once_under_an_id_of_its_own(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    kept = [name for name in names if not any(other.startswith(f"{name}/") for other in names)]
    found = find_files([write(tmp_path_factory.mktemp("source"), *kept)])
    assert sorted(file.path for file in found.files) == sorted(kept)
    assert len({file.id for file in found.files}) == len(kept)
    assert not any(char.isspace() for file in found.files for char in file.id)


# --- several sources ------------------------------------------------------------------------------


def test_with_several_folders_ids_and_paths_begin_with_the_folders_name(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.html", "docs/index.html", "ヘルプ/a.html")
    found = find_files([tmp_path / "docs", tmp_path / "ヘルプ"])
    assert ids(found) == {
        "docs/a.html": "docs/a",
        "docs/index.html": "docs",
        "ヘルプ/a.html": "ヘルプ/a",
    }
    assert found.sources == ("docs", "ヘルプ")


def test_one_folder_and_files_keep_short_ids(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.html", "b.html")
    assert ids(find_files([tmp_path / "docs", tmp_path / "b.html"])) == {
        "a.html": "a",
        "b.html": "b",
    }


def test_the_order_of_the_sources_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.html", "docs/sub/b.html", "help/a.html", "c.html", "d.htm")
    sources = [tmp_path / "docs", tmp_path / "help", tmp_path / "c.html", tmp_path / "d.htm"]
    first = find_files(sources)
    assert len(first.files) == 5
    assert all(find_files(order) == first for order in permutations(sources))


def test_a_source_inside_another_or_given_twice_adds_nothing(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.html", "docs/sub/b.html")
    docs = tmp_path / "docs"
    alone = find_files([docs])
    for more in (
        [docs, docs],
        [docs, docs / "sub"],
        [docs / "sub", docs],
        [docs, docs / "a.html"],
        [docs / "." / "sub", docs],
    ):
        assert (find_files(more).files, find_files(more).rejected) == (alone.files, ())


def test_files_of_one_name_from_different_places_are_all_kept(tmp_path: Path) -> None:
    write(tmp_path, "x/a.html", "y/a.html", "z/a.html")
    found = find_files([tmp_path / "x/a.html", tmp_path / "y/a.html", tmp_path / "z/a.html"])
    assert len({file.id for file in found.files}) == 3
    assert len({file.file for file in found.files}) == 3


def test_a_file_that_is_named_is_taken_whatever_its_suffix(tmp_path: Path) -> None:
    assert ids(find_files([write(tmp_path, "page.txt") / "page.txt"])) == {"page.txt": "page"}


def test_relative_sources_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "docs/a.html")
    monkeypatch.chdir(tmp_path / "docs")
    for source in (".", "a.html", "../docs", "../docs/./a.html"):
        assert ids(find_files([Path(source)])) == {"a.html": "a"}
    assert find_files([Path()]).sources == ("docs",)


# --- links and what is not a file -----------------------------------------------------------------


@POSIX
def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.html", "other/b.html")
    (tmp_path / "docs/linked").symlink_to(tmp_path / "other", target_is_directory=True)
    (tmp_path / "docs/loop").symlink_to(tmp_path / "docs", target_is_directory=True)
    assert ids(find_files([tmp_path / "docs"])) == {"a.html": "a"}


@POSIX
def test_a_folder_that_is_named_by_a_link_is_read(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.html")
    (tmp_path / "latest").symlink_to(tmp_path / "docs", target_is_directory=True)
    assert ids(find_files([tmp_path / "latest"])) == {"a.html": "a"}


@POSIX
def test_a_link_to_a_file_of_the_build_is_rejected_and_the_file_is_kept(tmp_path: Path) -> None:
    write(tmp_path, "b.html")
    (tmp_path / "a.html").symlink_to("b.html")
    (tmp_path / "c.html").symlink_to(tmp_path / "b.html")
    found = find_files([tmp_path])
    assert ids(found) == {"b.html": "b"}
    assert [(r.path, r.id, r.reason) for r in found.rejected] == [
        ("a.html", "a", Reason.DUPLICATE_FILE),
        ("c.html", "c", Reason.DUPLICATE_FILE),
    ]
    assert all("b.html" in rejected.detail for rejected in found.rejected)


@POSIX
def test_a_link_to_a_file_outside_is_an_article(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.html", "other/b.html")
    (tmp_path / "docs/c.html").symlink_to(tmp_path / "other/b.html")
    found = find_files([tmp_path / "docs"])
    assert ids(found) == {"a.html": "a", "c.html": "c"}
    assert found.rejected == ()


@POSIX
@pytest.mark.parametrize("target", ["nowhere.html", "loop.html", "../gone/x.html"])
def test_a_link_that_leads_nowhere_is_rejected_as_unreadable(tmp_path: Path, target: str) -> None:
    write(tmp_path, "a.html")
    (tmp_path / "loop.html").symlink_to(target)
    found = find_files([tmp_path])
    assert ids(found) == {"a.html": "a"}
    assert [(r.path, r.id, r.reason) for r in found.rejected] == [
        ("loop.html", "loop", Reason.UNREADABLE)
    ]
    assert target in found.rejected[0].detail


@POSIX
def test_a_pipe_is_never_opened_as_an_article(tmp_path: Path) -> None:
    write(tmp_path, "a.html")
    os.mkfifo(tmp_path / "pipe.html")
    assert ids(find_files([tmp_path])) == {"a.html": "a"}


# --- errors ---------------------------------------------------------------------------------------


def test_a_source_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    write(tmp_path, "a.html")
    with pytest.raises(SourceError) as caught:
        find_files([tmp_path, tmp_path / "no" / "such"])
    assert caught.value.where == str(tmp_path / "no" / "such")
    assert caught.value.hint


@pytest.mark.parametrize("names", [[], ["a.txt", "b/c.rst"]])
def test_sources_without_any_html_are_an_error_that_says_what_is_read(
    tmp_path: Path, names: list[str]
) -> None:
    with pytest.raises(SourceError) as caught:
        find_files([write(tmp_path, *names)])
    assert caught.value.where == str(tmp_path)
    assert ".html" in caught.value.hint


def test_no_source_at_all_is_an_error() -> None:
    with pytest.raises(SourceError):
        find_files([])


def test_two_folders_of_one_name_are_an_error(tmp_path: Path) -> None:
    write(tmp_path, "x/docs/a.html", "y/docs/b.html")
    with pytest.raises(SourceError, match="docs"):
        find_files([tmp_path / "x/docs", tmp_path / "y/docs"])


@POSIX
def test_a_folder_that_cannot_be_listed_is_rejected_for_all_that_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>a", encoding="utf-8")
    handle = os.open(tmp_path, os.O_RDONLY)
    for _ in range(
        25
    ):  # a path longer than the system takes: even the superuser cannot list its folder
        os.mkdir("d" * 200, dir_fd=handle)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    os.close(handle)
    found = find_files([tmp_path])
    assert [file.path for file in found.files] == ["a.html"]
    assert [one.reason for one in found.rejected] == [Reason.UNREADABLE]
    assert found.rejected[0].path.endswith(f"{'d' * 200}/")
    assert found.rejected[0].detail.startswith("a folder that cannot be listed: ")
