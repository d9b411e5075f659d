"""The other articles as matching asks for them: by their files, and by the numbers of titles."""

from __future__ import annotations

import posixpath
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from hayami.parts import Outline
from hayami.text.numbering import STRONG_UNITS, Number
from hayami.text.openings import heading_numbers


class Library(ABC):
    """The articles of a build, of an eval set or of a folder."""

    @abstractmethod
    def in_file(self, file: str) -> Outline | None:
        """The outline of the article in exactly this file; None if there is none."""

    @abstractmethod
    def titled(self, path: str, number: Number) -> Sequence[Outline]:
        """The articles in the folder of ``path`` whose titles carry ``number``."""

    @property
    def suffixes(self) -> Sequence[str]:
        """What files of articles end in, beside ``.html`` and ``.htm``."""
        return ()

    def outline(self, path: str) -> Outline | None:
        """The outline of the article that a link to ``path`` leads to; None if there is none."""
        for file in linked_files(path, self.suffixes):
            outline = self.in_file(file)
            if outline is not None:
                return outline
        return self.at_address(bare_address(path))

    def at_address(self, address: str) -> Outline | None:  # noqa: ARG002 - for those that know addresses
        """The outline of the article that is published at an address (:func:`bare_address`).

        None if there is none.
        """
        return None


@dataclass(kw_only=True)
class Register(Library):
    """A library whose articles are entered one by one; a subclass has their outlines."""

    files: dict[str, str] = field(default_factory=dict)
    """Article ids by path."""
    numbers: dict[tuple[str, Number], list[str]] = field(default_factory=dict)
    """Article ids by folder and a number that their title carries."""
    addresses: dict[str, str] = field(default_factory=dict)
    """Article ids by the address of the page that is made of the file, where that is not the file
    itself."""

    @abstractmethod
    def outline_of(self, article: str) -> Outline:
        """The outline of an article that was entered."""

    def enter(
        self, article: str, path: str, numbers: Iterable[Number], served: Iterable[str] = ()
    ) -> None:
        """Notes an article by its file.

        The numbers of its title (:func:`article_numbers`) and its addresses.

        The first article of an address is found there.
        """
        for address in served:
            self.addresses.setdefault(bare_address(address), article)
        self.files[path] = article
        folder = posixpath.dirname(path)
        for number in numbers:
            self.numbers.setdefault((folder, number), []).append(article)

    def in_file(self, file: str) -> Outline | None:
        """The outline of the article in exactly this file; None if there is none."""
        article = self.files.get(file)
        return None if article is None else self.outline_of(article)

    def at_address(self, address: str) -> Outline | None:
        """The outline of the article that is published at an address; None if there is none."""
        article = self.addresses.get(address)
        return None if article is None else self.outline_of(article)

    def titled(self, path: str, number: Number) -> Sequence[Outline]:
        """The articles in the folder of ``path`` whose titles carry ``number``, in their order."""
        articles = self.numbers.get((posixpath.dirname(path), number), ())
        return [self.outline_of(article) for article in articles]


_PAGE: Final = re.compile(r"\.html?\Z", re.IGNORECASE)


def linked_files(path: str, others: Sequence[str] = ()) -> tuple[str, ...]:
    """The files that a link to ``path`` may mean: itself, a folder's index, one without suffix.

    A page may have been made of a file that ends otherwise; ``others`` are such suffixes.
    """
    stem = path.rstrip("/")
    if stem in {"", "."}:  # the source folder itself
        return ("index.html", "index.htm", *(f"index{suffix}" for suffix in others))
    made_of = _PAGE.sub("", stem)
    named = [f"{made_of}{suffix}" for suffix in others]
    indexes = [f"{made_of}/index{suffix}" for suffix in others]
    return (path, f"{stem}/index.html", f"{stem}/index.htm", f"{stem}.html", *named, *indexes)


def bare_address(path: str) -> str:
    """An address as all spellings of it are compared.

    Without suffix of a page, ``index`` and ``/`` at the ends.
    """
    folder, _, last = _PAGE.sub("", path.strip("/")).rpartition("/")
    return folder if last == "index" else f"{folder}/{last}".lstrip("/")


def article_numbers(outline: Outline) -> tuple[Number, ...]:
    """The numbers of chapters and the like that an article carries in its title or its H1."""
    titles = [outline.title, *(h.text for h in outline.headings if h.level == 1)]
    found: dict[Number, None] = {}
    for title in titles:
        for number in heading_numbers(title):
            if number.unit in STRONG_UNITS:
                found[number] = None
    return tuple(found)
