"""Pages and sections about one problem.

What is wrong, and exactly one place that says what to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from hayami.extract.miners import Mined, Miner, Need, ReadPage
from hayami.extract.needs import SHORTEST_NAMED, is_news, why_no_need, without_label
from hayami.extract.spots import HEADING, TITLE, Mask, Spot
from hayami.extract.walk import PageHeading
from hayami.text.fold import clean, compact, topic_of
from hayami.words.languages import Language, every

NAME: Final = "problem"
LEAST_ANSWER: Final = 20
"""Letters of the shortest solution."""
_TICKET: Final = re.compile(r"\A\[?[A-Z]{2,}[A-Z\d]*-?\d+\]?\s*[:：\-–—]\s*")
_LINE_LEVEL: Final = 7
"""The level of a line of bold text: below any heading."""


@cache
def _words(pick: Callable[[Language], tuple[str, ...]]) -> frozenset[str]:
    return frozenset(map(compact, every(pick)))


def _problems(language: Language) -> tuple[str, ...]:
    return language.troubles.problem


def _solutions(language: Language) -> tuple[str, ...]:
    return language.troubles.solution


def _is_one_of(text: str, words: frozenset[str]) -> bool:
    """Whether a heading is one of ``words``, with or without a name of its own behind a colon."""
    before = re.split(r"[:：]", without_label(text), maxsplit=1)[0]
    return compact(before) in words


@dataclass(frozen=True, slots=True)
class _Titled:
    """A heading, or a line of bold text, over a part of what is told of a problem."""

    spot: Spot
    level: int
    text: str


def _marks(read: ReadPage) -> list[_Titled]:
    """The headings of a page and its lines of bold text, in order."""
    marks = [_Titled(Spot(h.segment, HEADING), h.level, h.text) for h in read.page.headings]
    for block in read.page.blocks:
        if block.strong:
            text = clean("".join(piece.text for piece in block.pieces))
            marks.append(_Titled(Spot(block.segment, block.line), _LINE_LEVEL, text))
    return sorted(marks, key=lambda mark: mark.spot)


def _groups(marks: list[_Titled]) -> Iterator[tuple[_Titled | None, list[_Titled]]]:
    """Each heading with the marks right below it, and what stands on no other heading (None)."""
    below: dict[int | None, list[_Titled]] = {}
    path: list[int] = []
    for number, mark in enumerate(marks):
        while path and marks[path[-1]].level >= mark.level:
            path.pop()
        below.setdefault(path[-1] if path else None, []).append(mark)
        path.append(number)
    for over, inner in below.items():
        yield (marks[over] if over is not None else None), inner


def mine_problems(read: ReadPage) -> Mined:
    """The problems of a page in its order, each with its one solution."""
    if is_news(read.page.title):
        return Mined()
    found: list[tuple[_Titled | None, _Titled]] = []
    for over, inner in _groups(_marks(read)):
        solutions = [mark for mark in inner if _is_one_of(mark.text, _words(_solutions))]
        told = any(_is_one_of(mark.text, _words(_problems)) for mark in inner)
        if told and len(solutions) == 1 and _is_answered(read, solutions[0]):
            found.append((over, solutions[0]))
    found.sort(key=lambda pair: pair[1].spot)
    return Mined(tuple(_need(read, *pair, n) for n, pair in enumerate(found)))


def _is_answered(read: ReadPage, solution: _Titled) -> bool:
    if solution.level == _LINE_LEVEL:
        lines = read.page.segments[solution.spot.segment].split("\n")
        return sum(map(len, lines[solution.spot.line + 1 :])) >= LEAST_ANSWER
    return len(read.text_under(_heading(read, solution))) >= LEAST_ANSWER


def _heading(read: ReadPage, mark: _Titled) -> PageHeading:
    return next(h for h in read.page.headings if h.segment == mark.spot.segment)


def _need(read: ReadPage, over: _Titled | None, solution: _Titled, ordinal: int) -> Need:
    level = over.level if over is not None else 0
    text = over.text if over is not None else topic_of(read.page.title)
    spots = [over.spot] if over is not None else []
    titled = level <= 1
    if titled:
        spots.insert(0, TITLE)
    at = spots[0]
    question = _TICKET.sub("", without_label(text))
    fault = why_no_need(question, least=SHORTEST_NAMED)
    target = solution.spot
    if solution.level == _LINE_LEVEL and not titled:
        target = at
    return Need(
        question,
        detector=NAME,
        place=read.place(NAME, ordinal, solution.spot),
        at=at,
        target=None if fault else target,
        masks=() if fault else tuple(map(Mask, spots)),
        opens=not fault and not titled and level != read.cut.level,
        fault=fault,
    )


MINER: Final = Miner(
    NAME,
    mine_problems,
    "problems with exactly one solution",
    rank=20,
    blocks=True,
    default=False,
)
