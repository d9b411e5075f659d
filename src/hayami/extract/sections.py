"""Cuts a page into sections.

From each heading of the unit level to the next of the same or a higher level.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from hayami.evalset.records import LEAD, Section, section_id
from hayami.extract.masking import Masked
from hayami.extract.page import Page
from hayami.extract.walk import PageHeading
from hayami.parts import Heading, Landing
from hayami.settings import Settings
from hayami.text.fold import compact
from hayami.text.openings import read_opening
from hayami.words.languages import every

_BULLETS: Final = " #*■●◆▼"
_TWICE: Final = re.compile(r"(.+?)\((.+)\)")  # よくある質問（FAQ）
_EXCLUDED_IF_FLAT: Final = every(lambda language: language.headings.excluded_if_flat)


@dataclass(frozen=True, slots=True)
class Cut:
    """A page in sections: each segment and heading knows its section."""

    level: int | None
    headings: tuple[Heading, ...]
    anchors: dict[str, Landing]
    owners: tuple[int | None, ...]
    """The section that each segment of the page belongs to; None for the lead."""
    openings: tuple[int, ...]
    """For each section the index of its heading; empty for a page without headings of a unit
    level."""

    @property
    def count(self) -> int:
        """Sections of the page: a page without headings of a unit level is one."""
        return 1 if self.level is None else len(self.openings)

    def opening(self, page: Page, ordinal: int) -> PageHeading | None:
        """The heading of a section; None for a page that is one section."""
        return None if self.level is None else page.headings[self.openings[ordinal]]


def unit_level(page: Page, wanted: int) -> int | None:
    """The level that cuts this page: ``wanted``, or the next deeper one that it has.

    None if it has none.

    A page that has none, but questions above it, is cut at these.
    """
    opening = (h.level for h in page.headings if h.opens)
    deeper = (h.level for h in page.headings if h.level >= wanted)
    return min(deeper, default=min(opening, default=None))


def free_sections(page: Page, wanted: int, words: tuple[str, ...]) -> Page:
    """The page in which headings under one that is left out open sections of their own.

    A heading such as FAQ says what its own text is, and nothing about what stands under deeper
    headings with names of their own.
    """
    level = unit_level(page, wanted)
    free: set[int] = set()
    for number, heading in enumerate(page.headings):
        if heading.level != level or not is_excluded(heading.text, words, flat=False):
            continue
        free.update(_named_inside(page.headings, number, words))
    if not free:
        return page
    headings = [
        replace(heading, opens=heading.opens or number in free)
        for number, heading in enumerate(page.headings)
    ]
    return replace(page, headings=tuple(headings))


def _named_inside(
    headings: Sequence[PageHeading], number: int, words: tuple[str, ...]
) -> Iterator[int]:
    """The headings of the next level under a heading, without those that are left out too."""
    inner: list[int] = []
    for following in range(number + 1, len(headings)):
        if headings[following].level <= headings[number].level:
            break
        inner.append(following)
    top = min((headings[one].level for one in inner), default=0)
    for one in inner:
        if headings[one].level == top and not is_excluded(headings[one].text, words):
            yield one


def without_headings(page: Page, segments: frozenset[int]) -> Page:
    """The page without the headings that open some of its segments."""
    return replace(page, headings=tuple(h for h in page.headings if h.segment not in segments))


def cut_page(page: Page, wanted: int, words: tuple[str, ...] = ()) -> Cut:
    """Gives each segment, heading and id of the page its section.

    A page on which all headings that could open one are among ``words``, which are left out, is one
    section as a page without any is.
    """
    level = unit_level(page, wanted)
    openings = [n for n, h in enumerate(page.headings) if h.level == level or h.opens]
    if all(is_excluded(page.headings[n].text, words, flat=_is_flat(page, n)) for n in openings):
        level = None
    headings, opened = _cut_headings(page, level)
    starts = [heading.segment for heading in page.headings]
    last = [bisect_right(starts, segment) - 1 for segment in range(len(page.segments))]
    before = None if level is not None else 0
    owners = tuple(headings[n].section if n >= 0 else before for n in last)
    anchors: dict[str, Landing] = {}
    for name, segment in page.anchors.items():
        anchors[name] = (owners[segment], last[segment] if last[segment] >= 0 else None)
    return Cut(level, tuple(headings), anchors, owners, tuple(opened))


def _is_flat(page: Page, number: int) -> bool:
    """Whether no deeper heading stands in the section of a heading."""
    after = page.headings[number + 1 : number + 2]
    return not any(h.level > page.headings[number].level and not h.opens for h in after)


def _cut_headings(page: Page, level: int | None) -> tuple[list[Heading], list[int]]:
    """The headings with their sections, and for each section the index of its own."""
    headings: list[Heading] = []
    openings: list[int] = []
    current: int | None = None if level is not None else 0
    deepest = 0
    for number, heading in enumerate(page.headings):
        unit = level is not None and _is_unit(heading, level, deepest)
        if unit:
            current, deepest = len(openings), heading.level
            openings.append(number)
        elif level is not None and heading.level <= level:
            current, deepest = None, 0
        headings.append(Heading(heading.text, heading.level, current, unit=unit))
    return headings, openings


def _is_unit(heading: PageHeading, level: int, deepest: int) -> bool:
    """Whether a heading opens a section.

    ``deepest`` is the level of the one that opened the section before it.

    A heading after a need of its own level, which is none itself, is no part of that need's answer.
    """
    return heading.opens or heading.level == level or level < heading.level <= deepest


@dataclass(frozen=True, slots=True)
class ArticleName:
    """What the sections of an article are called by."""

    id: str
    path: str


def read_sections(
    page: Page, cut: Cut, article: ArticleName, settings: Settings, masked: Masked
) -> tuple[tuple[Section, ...], frozenset[int]]:
    """The sections for the corpus, and the ordinals of those left out of it.

    Left out are sections whose heading is in the settings' list, and those that were nothing but
    what rows were read from, or that such sections were cut out of.
    """
    texts = _texts(page, cut, masked)
    deeper = _deeper_headings(page, cut, masked)
    emptied = _mined_sections(page, cut, masked)
    sections: list[Section] = []
    excluded: set[int] = set()
    for ordinal in range(cut.count):
        opening = cut.opening(page, ordinal)
        text, inner = texts.get(ordinal, ""), deeper.get(ordinal, [])
        nothing = ordinal in emptied and not text and not inner
        if nothing or (opening is not None and _is_left_out(opening, inner, settings)):
            excluded.add(ordinal)
            continue
        sections.append(_section(page, article, ordinal, opening, inner, text, masked))
    if settings.lead and texts.get(None):
        sections.append(_section(page, article, LEAD, None, [], texts[None], Masked()))
    return tuple(sections), frozenset(excluded)


def _is_left_out(opening: PageHeading, inner: Sequence[str], settings: Settings) -> bool:
    return is_excluded(opening.text, settings.excluded_headings, flat=not inner)


def _section(  # noqa: PLR0913, PLR0917 - what a section is made of
    page: Page,
    article: ArticleName,
    ordinal: int,
    opening: PageHeading | None,
    inner: Sequence[str],
    text: str,
    masked: Masked,
) -> Section:
    return Section(
        id=section_id(article.id, ordinal),
        article=article.id,
        ordinal=ordinal,
        title=page.title,
        heading=page.title if opening is None else opening.text,
        headings=tuple(inner),
        level=0 if opening is None else opening.level,
        anchor="" if opening is None else opening.anchor,
        path=article.path,
        text=text,
        masked=masked.hides(opening),
    )


def _deeper_headings(page: Page, cut: Cut, masked: Masked) -> dict[int, list[str]]:
    """The deeper headings of each section that the corpus keeps."""
    deeper: dict[int, list[str]] = {}
    for inner, heading in zip(cut.headings, page.headings, strict=True):
        if inner.section is None or inner.unit or heading.segment in masked.headings:
            continue
        deeper.setdefault(inner.section, []).append(inner.text)
    return deeper


def _mined_sections(page: Page, cut: Cut, masked: Masked) -> set[int | None]:
    """The sections that rows were read from, and those just before one that a miner opened."""
    mined = {cut.owners[segment] for segment in (*masked.segments, *masked.lines)}
    for number, heading in enumerate(page.headings):
        if heading.opens and number:
            mined.add(cut.headings[number - 1].section)
    return mined


def _texts(page: Page, cut: Cut, masked: Masked) -> dict[int | None, str]:
    """The text of each section: its segments in order, deeper headings on lines of their own."""
    lines: dict[int | None, list[str]] = {}
    deeper: dict[int, str] = {}
    for heading, own in zip(page.headings, cut.headings, strict=True):
        if not own.unit and heading.segment not in masked.headings:
            deeper[heading.segment] = heading.text
    for segment, text in enumerate(page.segments):
        owner = cut.owners[segment]
        if segment in deeper and owner is not None:
            lines.setdefault(owner, []).append(deeper[segment])
        if kept := masked.text(segment, text):
            lines.setdefault(owner, []).append(kept)
    return {owner: "\n".join(parts) for owner, parts in lines.items()}


@lru_cache(maxsize=8)
def _excluded_set(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(compact, words))


def is_excluded(heading: str, words: tuple[str, ...], *, flat: bool = True) -> bool:
    """Whether the whole heading, number and end mark aside, is one of ``words``.

    "7. まとめ" is, "まとめ方" not.

    ``flat`` says that no deeper heading follows it in its section; a few words are then no such heading.
    """  # noqa: E501
    known = _excluded_set(words)
    folded = compact(heading)
    stripped = compact(read_opening(heading.lstrip(_BULLETS)).rest).rstrip(" :。.!…")
    if not flat and stripped in _EXCLUDED_IF_FLAT:
        return False
    twice = _TWICE.fullmatch(stripped)
    return (
        folded in known
        or stripped in known
        or (twice is not None and {twice[1], twice[2]} <= known)
    )
