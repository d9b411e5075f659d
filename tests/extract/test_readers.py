"""Readers are found without being named; what they make of a file is read as HTML is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

import hayami
from hayami.errors import SourceError
from hayami.evalset.records import Reason
from hayami.extract import readers
from hayami.extract.files import SourcePage, find_files
from hayami.extract.readers import Leaf, Reader
from hayami.extract.readers.html import READER as HTML
from hayami.parts import Unreadable

PAGE = """<title>Tea</title><h2>FAQ table</h2><table><tr><th>Question<th>See section</tr>
<tr><td>How hot?<td>{target}</tr></table><h2 id="heat">Heat</h2><p>80 degrees.</p>"""


def to_notes(file: BinaryIO) -> Iterator[Leaf]:
    data = file.read()
    yield Leaf(PAGE.format(target=data.decode().strip()).encode(), source=data)


def to_pages(file: BinaryIO) -> Iterator[Leaf]:
    for line in file.read().decode().splitlines():
        if line == "damaged":
            raise SourceError("a line is damaged")
        path, target = line.split(" ", 1)
        yield Leaf(PAGE.format(target=target).encode(), inside=path)


NOTES = Reader("notes", (".note",), to_notes)
BOX = Reader("box", (".box.txt",), to_pages, many=True)


@pytest.fixture(autouse=True)
def brought(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two more readers, as if they were modules of the package."""
    monkeypatch.setattr(readers, "readers", lambda: (HTML, NOTES, BOX))
    for cached in (readers.suffixes, readers.other_suffixes):
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in (readers.suffixes, readers.other_suffixes):
        cached.cache_clear()


def test_the_longest_suffix_tells_the_reader_and_a_bare_suffix_none() -> None:
    assert readers.reader_of("a/b.box.txt") == (BOX, ".box.txt")
    assert readers.reader_of("A.HTML") is not None
    assert readers.reader_of("a/.html") is None
    assert readers.reader_of("a.txt") is None
    assert readers.other_suffixes() == (".note",)


def test_a_file_made_into_html_keeps_the_hash_of_what_was_written(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/tea.note").write_bytes(b"Heat\n")
    built = hayami.build([tmp_path / "docs"], tmp_path / "set")
    (article,) = hayami.load(built.folder).articles()
    assert (article.id, article.path) == ("tea", "tea.note")
    assert article.sha256 == hashlib.sha256(b"Heat\n").hexdigest()
    assert built.manifest.counts.queries == 1


@pytest.mark.parametrize("link", ["tea.note", "tea", "tea.html", "./tea/"])
def test_a_link_to_a_page_leads_to_the_file_that_it_is_made_of(tmp_path: Path, link: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/tea.note").write_bytes(b"Heat")
    (tmp_path / "docs/a.note").write_text(f'<a href="{link}#heat">here</a>')
    hayami.build([tmp_path / "docs"], tmp_path / "set")
    (query,) = hayami.load(tmp_path / "set").queries()
    assert set(query.relevant) == {"tea#1"}


def test_a_file_of_many_articles_is_a_folder_of_them(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "all.box.txt").write_text('z.html <a href="b/y.html#heat">x</a>\nb/y.html Heat\n')
    (docs / "all.box-2.html").write_text(PAGE.format(target="Heat"))
    built = hayami.build(
        [docs], tmp_path / "set", hayami.Settings(duplicates=hayami.Duplicates.KEEP)
    )
    evalset = hayami.load(built.folder)
    ids = [article.id for article in evalset.articles()]
    assert ids == ["all.box-2", "all.box.txt/b/y", "all.box.txt/z"]
    assert [set(query.relevant) for query in evalset.queries()][-1] == {"all.box.txt/b/y#1"}
    assert (built.manifest.accounting.files, built.manifest.accounting.files_read) == (3, 3)
    assert hayami.check(built.folder) == []


def test_a_damaged_file_gives_what_came_before_the_damage_and_a_rejection(tmp_path: Path) -> None:
    (tmp_path / "a.box.txt").write_text("x.html Heat\ndamaged\n")
    found = find_files([tmp_path])
    page, rest = found.files[0].read(10_000)
    assert isinstance(page, SourcePage)
    assert isinstance(rest, Unreadable)
    assert (rest.reason, rest.detail) == (Reason.UNREADABLE, "a line is damaged")


def test_two_articles_of_one_id_in_a_file_are_both_kept(tmp_path: Path) -> None:
    (tmp_path / "a.box.txt").write_text("x.html Heat\nx.htm Heat\n")
    pages = list(find_files([tmp_path]).files[0].read(10_000))
    assert [page.id for page in pages] == ["a.box.txt/x", "a.box.txt/x.htm"]
