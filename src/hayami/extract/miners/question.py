"""Questions with their answers under them: headings, lines and terms of lists, and FAQPage data."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hayami.evalset.records import Place
from hayami.extract.blocks import PageBlock
from hayami.extract.miners import Mined, Miner, Need, ReadPage
from hayami.extract.needs import (
    SHORTEST_ASKED,
    SHORTEST_UNMARKED,
    is_asked,
    is_faq,
    is_label,
    is_labelled,
    is_news,
    is_number,
    is_question,
    why_no_need,
    without_label,
)
from hayami.extract.spots import HEADING, Mask, Spot
from hayami.extract.structured import Declared, declared_questions
from hayami.extract.walk import PageHeading
from hayami.parts import Piece, text_of
from hayami.text.fold import clean, compact, has_word

NAME: Final = "question"
LEAST_LINES: Final = 3
"""Questions in lines that a page needs if no heading says that they are some."""
LEAST_ANSWER: Final = 20
"""Letters of the shortest answer."""
_SHARE: Final = 0.6
"""Share of the headings of one level that must be questions for the others to be taken as asked
too."""
_LINES: Final = frozenset({"dt", "summary"})
"""Elements that hold a line with its answer under it."""


@dataclass(frozen=True, slots=True)
class _Posed:
    """A heading or line that may be a question."""

    spot: Spot
    text: str
    """Without its number and label."""
    level: int
    """Of a heading; of a line, one deeper than any."""
    also: tuple[Spot, ...] = ()
    """Lines that belong to it: the ``Q:`` in a cell of its own."""


_LINE_LEVEL: Final = 7


@dataclass(frozen=True)
class _QuestionPage:
    """A page as this miner reads it."""

    read: ReadPage

    @cached_property
    def tops(self) -> int:
        """Headings of the first level."""
        return sum(heading.level == 1 for heading in self.read.page.headings)

    @cached_property
    def about_questions(self) -> bool:
        """Whether the title or the only H1 says that the page is a list of questions."""
        page = self.read.page
        tops = [heading.text for heading in page.headings if heading.level == 1]
        return is_faq(page.title) or any(map(is_faq, tops))

    def is_listed(self, segment: int) -> bool:
        """Whether a segment stands under a heading of a list of questions, at any depth."""
        if self.about_questions:
            return True
        level = _LINE_LEVEL
        for heading in reversed(self.read.page.headings):
            if heading.segment <= segment and heading.level < level:
                level = heading.level
                if is_faq(heading.text):
                    return True
        return False

    def headings(self) -> Iterator[_Posed]:
        """Headings that are questions, and on pages of questions those beside them."""
        page = self.read.page
        asked: dict[int, list[bool]] = {}
        for heading in page.headings:
            asked.setdefault(heading.level, []).append(is_asked(without_label(heading.text)))
        for heading in page.headings:
            if heading.level == 1 and (self.tops == 1 or self.read.cut.level == 1):
                continue
            text = without_label(heading.text)
            beside = asked[heading.level]
            mostly = len(beside) >= LEAST_LINES and sum(beside) >= _SHARE * len(beside)
            listed = mostly and self.is_listed(heading.segment) and _is_statement(text)
            if is_question(text) or is_labelled(heading.text) or listed:
                yield _Posed(Spot(heading.segment, HEADING), text, heading.level)

    def lines(self) -> list[_Posed]:
        """Lines that are questions, if there are enough or a heading says that they are."""
        found = list(_asked_lines(self.read.page.blocks))
        if len(found) >= LEAST_LINES:
            return found
        return [one for one in found if self.is_listed(one.spot.segment)]


def _is_statement(text: str) -> bool:
    """Whether a heading among questions is put as a sentence: a problem told."""
    return text.endswith((".", "。", "…")) or len(text.split()) > LEAST_LINES + 2


def _asked_lines(blocks: Sequence[PageBlock]) -> Iterator[_Posed]:
    before: PageBlock | None = None
    for block in blocks:
        text = clean("".join(piece.text for piece in block.pieces))
        own = without_label(text)
        label = _label_of(before, block, own)
        marked = label is not None or is_labelled(text)
        if not _is_contents(block) and _is_line_of_question(block, own, marked=marked):
            also = (Spot(label.segment, label.line),) if label is not None else ()
            yield _Posed(Spot(block.segment, block.line), own, _LINE_LEVEL, also)
        before = block


def _label_of(before: PageBlock | None, block: PageBlock, text: str) -> PageBlock | None:
    """The line before, if it is the mark of a question, or its number, in a cell of its own."""
    if before is None or before.segment != block.segment:
        return None
    label = "".join(piece.text for piece in before.pieces)
    return before if is_label(label) or (is_number(label) and is_asked(text)) else None


def _is_line_of_question(block: PageBlock, text: str, *, marked: bool) -> bool:
    if marked:
        return not is_label(text) and (is_question(text) or block.strong or _is_statement(text))
    return (block.strong or block.tag in _LINES) and has_word(text) and is_asked(text)


def _is_contents(block: PageBlock) -> bool:
    """Whether a line is nothing but links: it leads to the question."""
    told = [p for p in block.pieces if has_word(p.text) and not is_label(p.text)]
    return bool(told) and all(piece.href for piece in told)


def mine_questions(read: ReadPage) -> Mined:
    """The questions of a page in its order, each with its answer under it.

    None of a list of changes.
    """
    if is_news(read.page.title):
        return Mined()
    reader = _QuestionPage(read)
    asked = sorted((*reader.headings(), *reader.lines()), key=lambda one: one.spot)
    ends = _Ends(read, asked)
    found = [one for one in asked if ends.is_answered(one)]
    declared = _Declarations(read, {compact(one.text) for one in found})
    found = sorted((*found, *declared.visible()), key=lambda one: one.spot)
    needs = [_need(read, one, number) for number, one in enumerate(found)]
    needs += [declared.need(one, len(needs) + n) for n, one in enumerate(declared.hidden())]
    return Mined(tuple(needs))


@dataclass(frozen=True)
class _Declarations:
    """What the page declares as questions for machines, beside what is mined from its text."""

    read: ReadPage
    known: set[str]
    """Questions that are mined from the text, compact."""

    @cached_property
    def _found(self) -> dict[str, Declared]:
        found: dict[str, Declared] = {}
        for one in declared_questions(self.read.page.tree):
            key = compact(one.question)
            if key not in self.known and has_word(one.question):
                found.setdefault(key, one)
        return found

    @cached_property
    def _lines(self) -> dict[str, Spot]:
        """The first line that is each of the questions."""
        lines: dict[str, Spot] = {}
        for block in self.read.page.blocks if self._found else ():
            key = compact(without_label("".join(piece.text for piece in block.pieces)))
            if key in self._found:
                lines.setdefault(key, Spot(block.segment, block.line))
        return lines

    def visible(self) -> Iterator[_Posed]:
        """Declared questions that a line of the page is."""
        for key, spot in self._lines.items():
            yield _Posed(spot, self._found[key].question, _LINE_LEVEL)

    def hidden(self) -> Iterator[Declared]:
        """The others."""
        return (one for key, one in self._found.items() if key not in self._lines)

    def need(self, one: Declared, ordinal: int) -> Need:
        """The need of a hidden one.

        Its answer's links tell the section, else where the answer stands.
        """
        links = [piece for piece in one.answer if piece.href]
        answer = text_of(one.answer)
        return Need(
            one.question,
            detector=NAME,
            place=Place(kind=NAME, ordinal=ordinal, row=0),
            at=None,
            answer=answer,
            reference=tuple(links),
            target=None if links else self._answered_at(answer),
            fault=why_no_need(one.question),
        )

    def _answered_at(self, answer: str) -> Spot | None:
        key = compact(answer)
        for segment, text in enumerate(self.read.page.segments):
            if len(key) >= LEAST_ANSWER and key in compact(text):
                return Spot(segment, 0)
        return None


@dataclass(frozen=True)
class _Ends:
    """Where answers end."""

    read: ReadPage
    asked: Sequence[_Posed]

    @cached_property
    def _spots(self) -> list[Spot]:
        return [one.spot for one in self.asked]

    @cached_property
    def _headings(self) -> list[PageHeading]:
        return list(self.read.page.headings)

    def end(self, one: _Posed) -> Spot:
        """The first spot that is no part of an answer any more.

        The next question or heading not below it.
        """
        number = bisect_right(self._spots, one.spot)
        following = self._spots[number : number + 1]
        start = bisect_right([h.segment for h in self._headings], one.spot.segment)
        for heading in self._headings[start:]:
            if heading.level <= one.level:
                following.append(Spot(heading.segment, HEADING))
                break
        return min(following, default=Spot(len(self.read.page.segments), HEADING))

    def is_answered(self, one: _Posed) -> bool:
        """Whether an answer stands under a question, and not only a link to it."""
        return self.answer_letters(one) >= LEAST_ANSWER and not self._is_pointer(one)

    def _is_pointer(self, one: _Posed) -> bool:
        """Whether the line under a question is little more than a link."""
        line = Spot(one.spot.segment, one.spot.line + 1)
        pieces = self._links.get(line, ())
        outside = sum(len(piece.text) for piece in pieces if not piece.href)
        return bool(pieces) and outside < LEAST_ANSWER

    @cached_property
    def _links(self) -> dict[Spot, tuple[Piece, ...]]:
        """The lines that hold a link."""
        lines: dict[Spot, tuple[Piece, ...]] = {}
        for block in self.read.page.blocks:
            if any(piece.href for piece in block.pieces):
                lines[Spot(block.segment, block.line)] = block.pieces
        return lines

    def answer_letters(self, one: _Posed) -> int:
        """Letters of an answer."""
        end = self.end(one)
        letters = 0
        for segment in range(one.spot.segment, min(end.segment + 1, len(self.read.page.segments))):
            lines = self.read.page.segments[segment].split("\n")
            first = one.spot.line + 1 if segment == one.spot.segment else 0
            last = max(end.line, 0) if segment == end.segment else len(lines)
            letters += sum(map(len, lines[first:last]))
        return letters


def _need(read: ReadPage, one: _Posed, ordinal: int) -> Need:
    least = SHORTEST_ASKED if is_asked(one.text) else SHORTEST_UNMARKED
    fault = why_no_need(one.text, least=least)
    place = read.place(NAME, ordinal, one.spot)
    if fault:
        return Need(one.text, NAME, place, one.spot, fault=fault)
    return Need(
        one.text,
        detector=NAME,
        place=place,
        at=one.spot,
        target=one.spot,
        masks=tuple(map(Mask, (one.spot, *one.also))),
        opens=one.level != read.cut.level,
    )


MINER: Final = Miner(
    NAME,
    mine_questions,
    "questions with their answers under them",
    rank=10,
    blocks=True,
    default=False,
)
