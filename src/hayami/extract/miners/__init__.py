"""Miners: each reads one signal by which a writer says where a question is answered.

A miner is one module of this package that ends in ``MINER = Miner(...)``; it is found here without
being named anywhere else. A package of somebody else brings one by the entry point group
``hayami.miners``, whose value is a :class:`Miner`.

A miner is given a :class:`ReadPage`: the page's segments of text, its headings, blocks, tables and
sections. It gives :class:`Mined`: needs in the order of the page. Places on the page are spots: a
segment and a line of it, or ``HEADING`` for the heading that opens the segment. A need says where
it stands, and either *names* its section (``reference``, matched as the cell of a table is), or
*has it by its place* (``target``, a spot of the answer), or is answered by the page as a whole
(``whole``). What it ``masks`` leaves the text of the corpus, wherever else on the page the same
line stands too; what it ``opens`` becomes a section of its own, whatever its level.

A whole miner, for headings that are questions::

    def mine(read: ReadPage) -> Mined:
        needs = []
        for heading in read.page.headings:
            at = Spot(heading.segment, HEADING)
            if heading.text.endswith("?") and read.text_under(heading):
                needs.append(
                    Need(
                        heading.text,
                        detector="question",
                        place=read.place("question", len(needs), at),
                        at=at,
                        target=at,
                        masks=(Mask(at),),
                        opens=heading.level > 1,
                    )
                )
        return Mined(tuple(needs))


    MINER = Miner("question", mine, "headings that are questions", rank=10)

An answer of one need: for a sentence "For X, see L", ``reference`` is the pieces of L with its
link, ``evidence`` the sentence, ``masks`` the sentence in its block (:attr:`Mask.text`). For a
problem page, ``at`` is ``TITLE`` and ``target`` the heading of its resolution.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from typing import Final

from hayami.errors import SettingsError
from hayami.evalset.records import Place
from hayami.extract.page import Page
from hayami.extract.sections import Cut
from hayami.extract.spots import HEADING, TITLE, Mask, Spot
from hayami.extract.walk import PageHeading
from hayami.parts import Piece, TableView
from hayami.settings import Settings

__all__ = [
    "GROUP",
    "HEADING",
    "TITLE",
    "Mask",
    "Mined",
    "Miner",
    "Need",
    "ReadPage",
    "Spot",
    "chosen",
    "miners",
]

GROUP: Final = "hayami.miners"
"""The entry points of miners that other packages bring."""


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that a reader may want to know.

    And what the writer said about where it is answered.
    """

    question: str
    detector: str
    """The name of the signal, as every origin has it."""
    place: Place
    at: Spot | None
    """Where it stands; None for a place before all text."""
    answer: str = ""
    reference: tuple[Piece, ...] = ()
    declared: bool = True
    """Whether the writer said that the reference names a section."""
    target: Spot | None = None
    """Where the answer stands, if its place tells it."""
    whole: bool = False
    """Whether the page as a whole is the answer."""
    evidence: str = ""
    """The words that tie question and answer, if they are neither its reference nor its answer."""
    masks: tuple[Mask, ...] = ()
    opens: bool = False
    """Whether a section begins at :attr:`at`, which is then its heading."""
    fault: str = ""
    """Why this is no need after all: it is counted, and gives no query."""


@dataclass(frozen=True, slots=True)
class Mined:
    """What one miner found on a page."""

    needs: tuple[Need, ...] = ()
    """In the order of the page."""
    segments: frozenset[int] = frozenset()
    """Segments that leave the corpus whole, with the headings that open them: quick-reference
    tables."""
    tables: int = 0
    """Quick-reference tables."""
    views: tuple[TableView, ...] = ()
    """Every table of the page, for a person to look at; only filled when asked for."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page as miners see it: read, and cut into sections."""

    page: Page
    cut: Cut
    settings: Settings
    views: bool = False
    """Whether every table is to be described, for a person to look at."""

    def owner(self, spot: Spot | None) -> int | None:
        """The ordinal of the section that a spot is in; None in the lead and for the title."""
        return None if spot is None or spot.segment < 0 else self.cut.owners[spot.segment]

    def above(self, spot: Spot) -> PageHeading | None:
        """The heading that a spot stands under; of a heading's own spot, that heading."""
        before = (h for h in reversed(self.page.headings) if h.segment <= spot.segment)
        return next(before, None)

    def text_under(self, heading: PageHeading) -> str:
        """The text from a heading to the next one of the same or a higher level.

        Without headings.
        """
        later = [h for h in self.page.headings if h.segment > heading.segment]
        end = next((h.segment for h in later if h.level <= heading.level), None)
        return "\n".join(filter(None, self.page.segments[heading.segment : end]))

    def place(self, kind: str, ordinal: int, spot: Spot, row: int = 0) -> Place:
        """The place of a need for its record."""
        heading = self.above(spot)
        under = (heading.anchor or heading.text) if heading is not None else ""
        return Place(kind=kind, ordinal=ordinal, row=row, under=under)


@dataclass(frozen=True, slots=True)
class Miner:
    """One signal: its name, how it is read, and what it takes."""

    name: str
    mine: Callable[[ReadPage], Mined]
    meaning: str
    """What it reads, in a few words."""
    rank: int = 100
    """Its place among the miners: an article's rows come in this order."""
    blocks: bool = False
    """Whether it reads :attr:`~hayami.extract.page.Page.blocks`, which are made only if a miner
    asks."""
    default: bool = True
    """Whether it is used unless settings say otherwise."""
    words: tuple[str, ...] = field(default=())
    """The names of the settings that it reads."""


@cache
def miners() -> tuple[Miner, ...]:
    """All miners that there are, by rank.

    Those of this package, then those that other packages bring.

    Raises:
        SettingsError: two miners have the same name, or an entry point gives no miner.
    """
    found: dict[str, Miner] = {}
    for where, miner in (*_own(), *_brought()):
        if not isinstance(miner, Miner):
            raise SettingsError("not a miner", where=where, hint="Its value must be a Miner.")
        if miner.name in found:
            raise SettingsError(
                f"two miners are called {miner.name}",
                where=where,
                hint="Uninstall the package that brings one of them.",
            )
        found[miner.name] = miner
    return tuple(sorted(found.values(), key=lambda miner: (miner.rank, miner.name)))


def _own() -> Iterator[tuple[str, object]]:
    for module in pkgutil.iter_modules(__path__):
        name = f"{__name__}.{module.name}"
        yield name, importlib.import_module(name).MINER


def _brought() -> Iterator[tuple[str, object]]:
    for point in sorted(entry_points(group=GROUP)):
        yield f"{point.name} = {point.value}", point.load()


def chosen(settings: Settings) -> tuple[Miner, ...]:
    """The miners that a build with these settings uses.

    Those that it names, else those on by default.

    Raises:
        SettingsError: it names one that there is not.
    """
    known = miners()
    if not settings.mine:
        return tuple(miner for miner in known if miner.default)
    names = [miner.name for miner in known]
    for name in settings.mine:
        if name not in names:
            raise SettingsError(
                f"no miner is called {name}", where="mine", hint=f"There are: {', '.join(names)}."
            )
    return tuple(miner for miner in known if miner.name in settings.mine)
