"""What lives between two stages of a build: plain frozen values that a process pool can carry.

Those that are packed for the pool, or between the two steps of a build, have no slots: packing
takes half the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from hayami.evalset.records import (
    Applied,
    Article,
    Candidate,
    Place,
    Reason,
    Section,
    Target,
)
from hayami.text.fold import squeeze


@dataclass(frozen=True)
class Piece:
    """A run of a cell's text.

    Plain, a link's text, or a line break (empty text, ``breaks`` true).
    """

    text: str
    href: str | None = None
    breaks: bool = False


def text_of(pieces: Iterable[Piece]) -> str:
    """The text of a cell on one line; a line break is one blank."""
    return squeeze("".join(" " if piece.breaks else piece.text for piece in pieces))


@dataclass(frozen=True)
class Row:
    """What a miner found: a question, and what its writer said about where it is answered."""

    question: str
    answer: str
    """The short answer, or an empty text."""
    reference: tuple[Piece, ...]
    """What names the section; empty if nothing does, or if the place itself tells it."""
    place: Place
    detector: str
    """The name of the signal: :class:`~hayami.evalset.records.Detector`, or that of another
    miner."""
    host: int | None
    """Ordinal of the section that the row stands in; None in the lead."""
    declared: bool = True
    """Whether the writer said that the reference names a section, as a header word over its column
    does."""
    target: int | None = None
    """Ordinal of the section that answers the question by where it stands, as under its own heading (LEAD: before the
    first section); None if something else tells it."""  # noqa: E501
    whole: bool = False
    """Whether the article as a whole answers the question, and no section of it before others."""
    evidence: str = ""
    """The words that tie the question to its answer, if they are neither its reference nor its
    answer."""
    fault: str = ""
    """Why the question is none that anybody would ask; empty if it may be."""


class Heading(NamedTuple):
    """One heading of an article, as a name that a reference may use."""

    text: str
    level: int
    section: int | None
    """Ordinal of the section it belongs to; None before the first one and for the title."""
    unit: bool
    """Whether it opens that section (a deeper heading does not)."""


Landing = tuple[int | None, int | None]
"""Where an id leads: the section, and the index of the heading under which it stands (a page has
thousands of ids)."""


@dataclass(frozen=True)
class Outline:
    """All names of an article: what its references are compared with."""

    id: str
    path: str
    title: str
    base: str
    headings: tuple[Heading, ...]
    anchors: dict[str, Landing]
    sections: int
    """Sections cut from the page, those left out of the corpus counted too."""
    excluded: frozenset[int]
    """Ordinals of the sections that are not in the corpus."""
    sites: tuple[str, ...] = ()
    """The absolute addresses at which the page says that it is published."""
    served: str = ""
    """Where the page stands on the site that is built of its file; its links may be written for there. Empty if the
    file is the page."""  # noqa: E501


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that reading one article yields."""

    article: Article
    outline: Outline
    sections: tuple[Section, ...]
    """The sections that go into the corpus."""
    rows: tuple[Row, ...]
    tables: tuple[TableView, ...]
    """Every table of the page, for a person to look at; only filled when asked for."""


@dataclass(frozen=True, slots=True)
class TableView:
    """How one table was understood."""

    index: int
    columns: tuple[str, ...]
    """``question``, ``answer``, ``reference`` or an empty text for each column."""
    header: tuple[str, ...]
    """The header cells, or the first row where there is no header."""
    detector: str | None
    why: str
    """Why it is not a quick-reference table; empty if it is one."""
    rows: int


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that gave no article."""

    path: str
    id: str
    reason: Reason
    detail: str


@dataclass(frozen=True)
class Label:
    """A row whose section was found."""

    row: Row
    targets: tuple[Target, ...]
    incomplete: bool
    question: str = ""
    """The question as a human rewrote it; empty if none did."""
    verdict: Applied | None = None
    """What a human's verdict did to it; None without one."""

    @property
    def asked(self) -> str:
        """The question of the query."""
        return self.question or self.row.question


@dataclass(frozen=True)
class NoLabel:
    """A row that gave no label."""

    row: Row
    reason: Reason
    candidates: tuple[Candidate, ...]
    detail: str = ""
