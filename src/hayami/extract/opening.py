"""Sections that miners open.

A question that is no heading of the unit level begins one, and its answer is all of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain

from hayami.extract.miners import Mined, Need
from hayami.extract.page import Page
from hayami.extract.sections import unit_level
from hayami.extract.spots import HEADING, Mask, Spot
from hayami.extract.walk import PageHeading, PageTable

_DEEPEST = 6
"""The level of the deepest heading there is."""


def open_sections(page: Page, mined: Mined, wanted: int) -> tuple[Page, Mined]:
    """The page with a heading for every need that opens a section.

    And what was mined as it stands on that page.

    Lines that become headings end the segments that they stood in; ``wanted`` is the level that
    sections are cut at.
    """
    spots = {need.at for need in mined.needs if need.opens and need.at is not None}
    if not spots:
        return page, mined
    lines: dict[int, list[int]] = {}
    for spot in sorted(spots):
        if spot.line != HEADING:
            lines.setdefault(spot.segment, []).append(spot.line)
    moved = _Renumbering.by(len(page.segments), lines)
    level = unit_level(page, wanted) or wanted
    opened = _moved_page(page, moved, spots)
    new = [_heading(page, Spot(s, line), level, moved) for s in lines for line in lines[s]]
    headings = sorted([*opened.headings, *new], key=lambda heading: heading.segment)
    needs = tuple(_moved_need(need, moved) for need in mined.needs)
    segments = chain.from_iterable(moved.parts(segment) for segment in mined.segments)
    return (
        replace(opened, headings=tuple(headings)),
        replace(mined, needs=needs, segments=frozenset(segments)),
    )


def _moved_page(page: Page, moved: _Renumbering, opened: Collection[Spot]) -> Page:
    """The page with its segments cut; headings among ``opened`` open sections."""
    headings = [
        replace(h, segment=moved.first(h.segment), opens=Spot(h.segment, HEADING) in opened)
        for h in page.headings
    ]
    anchors: dict[str, int] = {}
    for name, segment in page.anchors.items():
        line = page.anchor_lines.get(name, 0)
        anchors[name] = moved.of(Spot(segment, line)).segment
    return replace(
        page,
        segments=tuple(moved.cut(page.segments)),
        headings=tuple(headings),
        anchors=anchors,
        tables=tuple(_moved_table(table, moved) for table in page.tables),
        blocks=(),
        anchor_lines={},
    )


def _heading(page: Page, spot: Spot, level: int, moved: _Renumbering) -> PageHeading:
    """The heading that a line becomes: one level below the heading that it stands under."""
    above = next((h.level for h in reversed(page.headings) if h.segment <= spot.segment), 0)
    text = page.segments[spot.segment].split("\n")[spot.line]
    names = (n for n, s in page.anchors.items() if Spot(s, page.anchor_lines.get(n, 0)) == spot)
    return PageHeading(
        text=text,
        level=min(max(above + 1, level), _DEEPEST),
        segment=moved.of(spot).segment,
        anchor=next(names, ""),
        opens=True,
    )


def _moved_table(table: PageTable, moved: _Renumbering) -> PageTable:
    return replace(table, first=moved.first(table.first), last=moved.first(table.last))


def _moved_need(need: Need, moved: _Renumbering) -> Need:
    masks = tuple(Mask(moved.of(mask.spot), mask.text) for mask in need.masks)
    at = moved.of(need.at) if need.at is not None else None
    target = moved.of(need.target) if need.target is not None else None
    return replace(need, at=at, target=target, masks=masks)


@dataclass(frozen=True, slots=True)
class _Renumbering:
    """Where everything is after some lines have become headings."""

    lines: dict[int, list[int]]
    """The lines that become headings, by segment, in order."""
    firsts: list[int]
    """The new number of every segment, and of the one after the last."""

    @classmethod
    def by(cls, segments: int, lines: dict[int, list[int]]) -> _Renumbering:
        more = [1 + len(lines.get(segment, ())) for segment in range(segments)]
        return cls(lines, [0, *accumulate(more)])

    def first(self, segment: int) -> int:
        """The new number of the first part of a segment."""
        return self.firsts[segment]

    def parts(self, segment: int) -> range:
        """The new numbers of all parts of a segment."""
        return range(self.firsts[segment], self.firsts[segment + 1])

    def of(self, spot: Spot) -> Spot:
        """The new spot of a line or heading; that of the title is as it was."""
        if spot.segment < 0 or spot.line == HEADING:
            return spot if spot.segment < 0 else Spot(self.firsts[spot.segment], HEADING)
        cuts = self.lines.get(spot.segment, [])
        part = bisect_left(cuts, spot.line)
        first = self.firsts[spot.segment]
        if part < len(cuts) and cuts[part] == spot.line:
            return Spot(first + part + 1, HEADING)
        return Spot(first + part, spot.line - (cuts[part - 1] + 1 if part else 0))

    def cut(self, segments: Sequence[str]) -> Iterator[str]:
        """The texts of the new segments, in order."""
        for number, text in enumerate(segments):
            start = 0
            lines = text.split("\n")
            for line in self.lines.get(number, ()):
                yield "\n".join(lines[start:line])
                start = line + 1
            yield "\n".join(lines[start:])
