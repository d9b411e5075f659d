"""Sentences that say where a need is met: "For X, see L", with L a link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from hayami.extract.blocks import PageBlock
from hayami.extract.miners import Mined, Miner, Need, ReadPage
from hayami.extract.needs import SHORTEST_NAMED, is_news, why_no_need
from hayami.extract.spots import Mask, Spot
from hayami.parts import Piece
from hayami.text.fold import has_word, squeeze
from hayami.words.languages import Language, every, languages

NAME: Final = "sentence"
MOST_LINKS: Final = 3
"""Links of one sentence beyond which it lists places and says of none what is there."""
LONGEST: Final = 500
"""Characters of the longest sentence that is read."""
_LINK: Final = "\x01"
"""Stands for a link in a sentence."""
_QUOTES: Final = "[\"“‘'「『《〈（(【\\s]*"
_REST: Final = f"[^{_LINK}]{{0,15}}?"
_END: Final = re.compile(
    r"(?<=[.!?])[\"”')]*\s+(?=[A-Z\"“(（「\x01\u3041-\u9fff\uac00-\ud7a3])|(?<=[。！？])|(?<=[다요오]\.)\s+"
)
_BRACKETED: Final = re.compile(r"\(([^()]*\x01[^()]*)\)|（([^（）]*\x01[^（）]*)）")
_OPENING: Final = re.compile(
    r"(?:[\s\-–—•*(（※■]+|(?:note that|note|please|also|tip|hint|but|and|however|otherwise)\b[:,]?\s+)*",  # noqa: E501
    re.IGNORECASE,
)
_CLOSING: Final = " .。!！:：;；)）"


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    return tuple(pattern for one in languages().values() for pattern in _forms_of(one))


def _forms_of(language: Language) -> Iterator[re.Pattern[str]]:
    link = f"(?P<link>{language.referring.before}{_QUOTES}{_LINK})"
    for form in language.referring.forms:
        pattern = form.replace("{need}", "(?P<need>.+?)").replace("{link}", link)
        yield re.compile(pattern.replace("{rest}", _REST), re.IGNORECASE)


@cache
def _strips() -> re.Pattern[str]:
    return re.compile("|".join(every(lambda language: language.referring.strip)), re.IGNORECASE)


@cache
def _vague() -> re.Pattern[str]:
    return re.compile("|".join(every(lambda language: language.referring.vague)), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence of a line: its text with each link as one character, and the links."""

    marked: str
    links: tuple[Piece, ...]

    def filled(self, text: str, first: int = 0) -> str:
        """A part of the marked text with the texts of its links.

        The first of which has this number.
        """
        texts = iter(self.links[first:])
        return "".join(next(texts).text if c == _LINK else c for c in text)


def _sentences(block: PageBlock) -> Iterator[_Sentence]:
    """The sentences of a line that hold a link, and what stands in brackets in them."""
    links = [piece for piece in block.pieces if piece.href]
    if not links:
        return
    marked = "".join(_LINK if piece.href else piece.text for piece in block.pieces)
    start = 0
    for text in _END.split(marked):
        number = text.count(_LINK)
        sentence = _Sentence(text, tuple(links[start : start + number]))
        start += number
        if not number > 0 or len(text) > LONGEST:
            continue
        yield sentence
        for found in _BRACKETED.finditer(text):
            inner = found[1] or found[2]
            before = text[: found.start()].count(_LINK)
            yield _Sentence(inner, sentence.links[before : before + inner.count(_LINK)])


@dataclass(frozen=True, slots=True)
class _Statement:
    """What a sentence says: the need, and the links that lead to where it is met."""

    need: str
    links: tuple[Piece, ...]
    sentence: str


def _read(sentence: _Sentence) -> _Statement | None:
    """What a sentence says, if it has one of the forms and few enough links."""
    opening = _OPENING.match(sentence.marked)
    start = opening.end() if opening is not None else 0
    text = sentence.marked[start:].rstrip(_CLOSING)
    skipped = sentence.marked[:start].count(_LINK)
    for form in _forms():
        found = form.fullmatch(text)
        if found is None:
            continue
        first = skipped + text[: found.start("need")].count(_LINK)
        need = squeeze(sentence.filled(found["need"], first))
        inside = range(first, first + found["need"].count(_LINK))
        since = skipped + text[: found.start("link")].count(_LINK)
        links = [
            link
            for number, link in enumerate(sentence.links)
            if number >= since and number not in inside
        ]
        if 0 < len(links) <= MOST_LINKS:
            whole = squeeze(sentence.filled(sentence.marked))
            return _Statement(_stripped(need), tuple(links), whole)
    return None


def _stripped(need: str) -> str:
    """A need without what belongs to the form of its sentence."""
    while True:
        shorter = _strips().sub("", need).strip(" ,、，:：;")
        if shorter == need or not has_word(shorter):
            return need
        need = shorter


def _reference(links: tuple[Piece, ...]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for link in links:
        pieces += [Piece("", breaks=True)] if pieces else []
        pieces.append(link)
    return tuple(pieces)


def mine_sentences(read: ReadPage) -> Mined:
    """The sentences of a page that say where a need is met; none of a list of changes."""
    if is_news(read.page.title):
        return Mined()
    needs: list[Need] = []
    taken: set[tuple[Spot, str]] = set()
    for block in read.page.blocks:
        spot = Spot(block.segment, block.line)
        for sentence in _sentences(block):
            said = _read(sentence)
            if said is None or (spot, said.need) in taken or _names_nothing(said.need):
                continue
            taken.add((spot, said.need))
            needs.append(_need(read, said, spot, len(needs)))
    return Mined(tuple(needs))


def _need(read: ReadPage, said: _Statement, spot: Spot, ordinal: int) -> Need:
    fault = _why_not(said)
    return Need(
        said.need,
        detector=NAME,
        place=read.place(NAME, ordinal, spot),
        at=spot,
        reference=_reference(said.links),
        evidence=said.sentence,
        masks=() if fault else (Mask(spot, said.sentence),),
        fault=fault,
    )


def _why_not(said: _Statement) -> str:
    if said.need in {link.text.strip() for link in said.links}:
        return "it is the name of what the link leads to"
    return why_no_need(said.need, least=SHORTEST_NAMED, alone=True)


def _names_nothing(need: str) -> bool:
    """Whether what the sentence is about is not said: "For more information, see L"."""
    return _vague().fullmatch(need.rstrip("?？.。")) is not None


MINER: Final = Miner(
    NAME,
    mine_sentences,
    'sentences such as "For X, see L"',
    rank=30,
    blocks=True,
    default=False,
)
