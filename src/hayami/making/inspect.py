"""One article as hayami reads it.

With its rows labelled as a build of its folder would label them.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

from hayami.errors import SourceError
from hayami.extract.files import SourceFile, SourcePage, article_id, find_files
from hayami.extract.readers import other_suffixes, reader_of
from hayami.label.headings import HeadingIndex
from hayami.label.library import Library, article_numbers, bare_address
from hayami.label.match import match_row
from hayami.making.reading import read_page
from hayami.parts import Label, NoLabel, Outline, Reading, Unreadable, text_of
from hayami.settings import Settings
from hayami.text.numbering import Number


@dataclass(frozen=True, slots=True)
class Inspection:
    """What reading one file gave.

    A reading and the outcome of each row, or why it is unreadable.
    """

    reading: Reading | None
    outcomes: tuple[Label | NoLabel, ...]
    unreadable: Unreadable | None

    def as_json(self) -> dict[str, object]:
        """Everything as plain values, for a program to read."""
        if self.reading is None:
            return {}
        return {
            "article": self.reading.article.model_dump(mode="json"),
            "headings": [heading._asdict() for heading in self.reading.outline.headings],
            "sections": [section.model_dump(mode="json") for section in self.reading.sections],
            "tables": [asdict(view) for view in self.reading.tables],
            "rows": [_row_json(outcome) for outcome in self.outcomes],
        }


def _row_json(outcome: Label | NoLabel) -> dict[str, object]:
    row = outcome.row
    told: dict[str, object] = {
        "table": row.place.table,
        "row": row.place.row,
        "question": row.question,
        "answer": row.answer,
        "reference": text_of(row.reference),
        "links": [piece.href for piece in row.reference if piece.href],
    }
    if row.place.recorded is not None:
        told["place"] = row.place.model_dump(mode="json")
    if isinstance(outcome, Label):
        return told | {
            "targets": [t.model_dump(mode="json") for t in outcome.targets],
            "incomplete": outcome.incomplete,
        }
    candidates = [c.model_dump(mode="json") for c in outcome.candidates]
    return told | {
        "reason": str(outcome.reason),
        "candidates": candidates,
        "detail": outcome.detail,
    }


def inspect_file(file: Path, source: Path | None, settings: Settings) -> Inspection:
    """Reads one file as a build of ``source`` (its own folder if None) would.

    Other files only where it leads to them.

    Raises:
        SourceError: there is no such file, it cannot be read, or it is not in ``source``.
    """
    root = Path(os.path.abspath(source or file.parent))  # noqa: PTH100 - links are not to be followed
    path = Path(os.path.abspath(file))  # noqa: PTH100 - links are not to be followed
    if not path.is_relative_to(root):
        raise SourceError(
            "the file is not in the source folder", where=str(file), hint=f"--source is {root}."
        )
    library = FolderLibrary(root, settings)
    try:
        path.open("rb").close()
        reading = library.read(path.relative_to(root).as_posix(), views=True)
    except OSError as error:
        raise SourceError(
            error.strerror or str(error), where=str(file), hint="Name an HTML file."
        ) from error
    if isinstance(reading, Unreadable):
        return Inspection(None, (), reading)
    return Inspection(reading, label_rows(reading, settings, library), None)


def label_rows(
    reading: Reading, settings: Settings, library: Library
) -> tuple[Label | NoLabel, ...]:
    """The outcome of each row of one article.

    As a build labels it with ``library`` for the other articles.
    """
    index = HeadingIndex(reading.outline, settings)
    return tuple(match_row(row, index, library) for row in reading.rows)


@dataclass
class FolderLibrary(Library):
    """The articles of a folder, read when a row leads to them."""

    root: Path
    settings: Settings
    _outlines: dict[str, Outline | None] = field(default_factory=dict)

    @property
    def suffixes(self) -> Sequence[str]:
        """What files of articles end in, beside ``.html`` and ``.htm``."""
        return other_suffixes()

    def read(self, path: str, *, views: bool = False) -> Reading | Unreadable:
        """The file ``path`` of the folder, read."""
        page = self._page(path)
        return page if isinstance(page, Unreadable) else read_page(page, self.settings, views=views)

    def _page(self, path: str) -> SourcePage | Unreadable:
        file = SourceFile(str(self.root / path), path, article_id(path))
        return next(file.read(self.settings.max_page_bytes))

    def at_address(self, address: str) -> Outline | None:
        """The outline of the article that is published at an address.

        All files that pages are made of tell theirs.
        """
        file = self._addresses.get(address)
        return None if file is None else self.in_file(file)

    @cached_property
    def _addresses(self) -> dict[str, str]:
        """Files by the addresses of the pages that are made of them."""
        found: dict[str, str] = {}
        files = find_files([self.root]).files
        for file in files:
            page = self._page(file.path) if file.path.endswith(tuple(self.suffixes)) else None
            if isinstance(page, SourcePage):
                for served in page.served:
                    found.setdefault(bare_address(served), file.path)
        return found

    def in_file(self, file: str) -> Outline | None:
        """The outline of the article in exactly this file, read when first asked for.

        None without one.
        """
        if file not in self._outlines:
            reading = self.read(file) if self._holds(file) else None
            self._outlines[file] = reading.outline if isinstance(reading, Reading) else None
        return self._outlines[file]

    def _holds(self, name: str) -> bool:
        """Whether a build of the folder would read ``name``: a file in it, and an HTML file."""
        if posixpath.normpath(name).startswith("..") or reader_of(name) is None:
            return False
        try:
            return (self.root / name).is_file()
        except (OSError, ValueError):  # a name that no file can have
            return False

    def titled(self, path: str, number: Number) -> Sequence[Outline]:
        """The articles in the folder of ``path`` whose titles carry ``number``."""
        folder = posixpath.dirname(path)
        names = sorted(p.name for p in (self.root / folder).iterdir() if reader_of(p.name))
        outlines = (self.outline(posixpath.join(folder, name)) for name in names)
        return [o for o in outlines if o is not None and number in article_numbers(o)]
