"""Cuts a page into sections: from each heading of the unit level to the next of the same or a higher level."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from hayami.evalset.records import LEAD, Section, section_id
from hayami.extract.page import HEADING, TITLE, Mask, Page, PageHeading
from hayami.parts import Heading, Landing
from hayami.settings import Settings
from hayami.text.fold import compact, has_word, squeeze
from hayami.words.languages import every

_NUMBERING: Final = re.compile(
    r"^(?:(?:第|제)?[\d.一二三四五六七八九十]+(?:[章節节部回編篇장절부편]|(?=[.:)、，,\]])|(?<=\d))|[ivx]+(?=[.)])|[a-z](?=[.)])"
    r"|[(\[]\d+[)\]])?[\s.:)、，,\-#*■●◆▼]*"
)
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
    """For each section the index of its heading; empty for a page without headings of a unit level."""


def unit_level(page: Page, wanted: int) -> int | None:
    """The level that cuts this page: ``wanted``, or the next deeper one that it has; None if it has none."""
    return min((h.level for h in page.headings if h.level >= wanted), default=None)


def without_headings(page: Page, segments: frozenset[int]) -> Page:
    """The page without the headings that open some of its segments."""
    return replace(page, headings=tuple(h for h in page.headings if h.segment not in segments))


def cut_page(page: Page, wanted: int) -> Cut:
    """Gives each segment, heading and id of the page its section."""
    level = unit_level(page, wanted)
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
    starts = [heading.segment for heading in page.headings]
    before = None if level is not None else 0
    last = [bisect_right(starts, segment) - 1 for segment in range(len(page.segments))]
    owners = tuple(headings[n].section if n >= 0 else before for n in last)
    anchors = {
        name: (owners[segment], last[segment] if last[segment] >= 0 else None)
        for name, segment in page.anchors.items()
    }
    return Cut(level, tuple(headings), anchors, owners, tuple(openings))


def _is_unit(heading: PageHeading, level: int, deepest: int) -> bool:
    """Whether a heading opens a section; ``deepest`` is the level of the one that opened the section before it.

    A heading after a need of its own level, which is none itself, is no part of that need's answer.
    """
    return heading.opens or heading.level == level or level < heading.level <= deepest


@dataclass(frozen=True, slots=True)
class Masked:
    """What of a page is not in the corpus, because rows were read from it."""

    segments: frozenset[int] = frozenset()
    """Segments that are left out whole: quick-reference tables."""
    headings: frozenset[int] = frozenset()
    """The segments whose heading is a question."""
    lines: Mapping[int, Sequence[Mask]] = field(default_factory=dict)
    """What leaves single lines, by segment."""
    questions: frozenset[str] = frozenset()
    """Questions, compact: a line that is one of them is left out wherever it stands."""
    title: bool = False
    """Whether the title is a question."""

    @classmethod
    def of(
        cls, segments: frozenset[int], masks: Iterable[Mask], questions: Iterable[str]
    ) -> Masked:
        """What some masks hide, and the lines that are one of ``questions``."""
        lines: dict[int, list[Mask]] = {}
        headings: set[int] = set()
        title = False
        for mask in masks:
            if mask.spot == TITLE:
                title = True
            elif mask.spot.line == HEADING:
                headings.add(mask.spot.segment)
            else:
                lines.setdefault(mask.spot.segment, []).append(mask)
        hidden = frozenset(map(compact, questions))
        return cls(segments, frozenset(headings), lines, hidden, title)

    def text(self, segment: int, text: str) -> str:
        """The text of a segment that stays."""
        if segment in self.segments:
            return ""
        masks = self.lines.get(segment, ())
        if not masks and not self.questions:
            return text
        lines = [_without(line, n, masks) for n, line in enumerate(text.split("\n"))]
        kept = [line for line in lines if line and compact(line) not in self.questions]
        return "\n".join(kept)


def _without(line: str, number: int, masks: Sequence[Mask]) -> str:
    """What masks leave of a line; nothing if no word is left."""
    own = [mask for mask in masks if mask.spot.line == number]
    if any(not mask.text for mask in own):
        return ""
    for mask in own:
        line = squeeze(line.replace(mask.text, " ", 1))
    return line if not own or has_word(line) else ""


def read_sections(
    page: Page, cut: Cut, place: tuple[str, str], settings: Settings, masked: Masked
) -> tuple[tuple[Section, ...], frozenset[int]]:
    """The sections for the corpus, and the ordinals of those left out of it.

    Left out are sections whose heading is in the settings' list, and those that were nothing but
    what rows were read from, or that such sections were cut out of. ``place`` is the article's id
    and path.
    """
    article, path = place
    texts = _texts(page, cut, masked)
    deeper: dict[int, list[str]] = {}
    for inner, of_page in zip(cut.headings, page.headings, strict=True):
        hidden = of_page.segment in masked.headings
        if inner.section is not None and not inner.unit and not hidden:
            deeper.setdefault(inner.section, []).append(inner.text)
    hosts = {cut.owners[segment] for segment in (*masked.segments, *masked.lines)}
    hosts |= _cut_out_of(page, cut)
    sections, excluded = [], set()
    for ordinal in range(len(cut.openings) if cut.level is not None else 1):
        opening = page.headings[cut.openings[ordinal]] if cut.level is not None else None
        heading = opening.text if opening is not None else page.title
        text = texts.get(ordinal, "")
        flat = not deeper.get(ordinal)
        emptied = ordinal in hosts and not text and flat
        if emptied or (
            opening is not None and is_excluded(heading, settings.excluded_headings, flat=flat)
        ):
            excluded.add(ordinal)
            continue
        sections.append(
            Section(
                id=section_id(article, ordinal),
                article=article,
                ordinal=ordinal,
                title=page.title,
                heading=heading,
                headings=tuple(deeper.get(ordinal, ())),
                level=opening.level if opening is not None else 0,
                anchor=opening.anchor if opening is not None else "",
                path=path,
                text=text,
                masked=masked.title or (opening is not None and opening.segment in masked.headings),
            )
        )
    if settings.lead and texts.get(None):
        sections.append(_lead(page, article, path, texts[None]))
    return tuple(sections), frozenset(excluded)


def _lead(page: Page, article: str, path: str, text: str) -> Section:
    return Section(
        id=section_id(article, LEAD),
        article=article,
        ordinal=LEAD,
        title=page.title,
        heading=page.title,
        headings=(),
        level=0,
        anchor="",
        path=path,
        text=text,
    )


def _cut_out_of(page: Page, cut: Cut) -> set[int | None]:
    """The sections just before one that a miner opened."""
    opened = [n for n, heading in enumerate(page.headings) if heading.opens and n]
    return {cut.headings[n - 1].section for n in opened}


def _texts(page: Page, cut: Cut, masked: Masked) -> dict[int | None, str]:
    """The text of each section: its segments in order, deeper headings on lines of their own."""
    lines: dict[int | None, list[str]] = {}
    deeper = {
        h.segment: h.text
        for h, own in zip(page.headings, cut.headings, strict=True)
        if not own.unit and h.segment not in masked.headings
    }
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
    """Whether the whole heading, number and end mark aside, is one of ``words``: "7. まとめ" is, "まとめ方" not.

    ``flat`` says that no deeper heading follows it in its section; a few words are then no such heading.
    """
    known = _excluded_set(words)
    folded = compact(heading)
    stripped = _NUMBERING.sub("", folded, count=1).rstrip(" :。.!…")
    if not flat and stripped in _EXCLUDED_IF_FLAT:
        return False
    twice = _TWICE.fullmatch(stripped)
    return (
        folded in known
        or stripped in known
        or (twice is not None and {twice[1], twice[2]} <= known)
    )
