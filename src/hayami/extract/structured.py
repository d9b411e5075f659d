"""Questions and answers that a page declares for machines: FAQPage as JSON-LD or microdata.

Source: schema.org (FAQPage, QAPage, Question, Answer), JSON-LD 1.1: ``@graph``, lists and single
values are forms of the same data, and an answer's text may be HTML.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bs4 import BeautifulSoup
from selectolax.lexbor import LexborHTMLParser, LexborNode

from hayami.extract.cells import cell_pieces
from hayami.parts import Piece
from hayami.text.fold import clean

MOST_NESTED: Final = 50
"""Levels of nested data beyond which it is no declaration that people make."""
_JSON: Final = "script[type='application/ld+json' i]"
_ITEM: Final = "[itemtype$='schema.org/Question']"
_ANSWERS: Final = ("acceptedAnswer", "suggestedAnswer")


@dataclass(frozen=True, slots=True)
class Declared:
    """A question with its answer, as declared."""

    question: str
    answer: tuple[Piece, ...]


def declared_questions(tree: LexborHTMLParser) -> Iterator[Declared]:
    """The declared questions of a page in document order, JSON-LD first.

    Data that is no JSON has none.
    """
    for script in tree.css(_JSON):
        try:
            data = json.loads(script.text())
        except (ValueError, RecursionError):
            continue
        yield from _in_data(data, 0)
    for item in tree.css(_ITEM):
        if (found := _in_item(item)) is not None:
            yield found


def _in_data(data: object, depth: int) -> Iterator[Declared]:
    if depth > MOST_NESTED:
        return
    if isinstance(data, list):
        for one in data:
            yield from _in_data(one, depth + 1)
    if not isinstance(data, dict):
        return
    if "Question" in _listed(data.get("@type")):
        name = data.get("name")
        answers = [one for key in _ANSWERS for one in _listed(data.get(key))]
        texts = [one.get("text") for one in answers if isinstance(one, dict)]
        told = next((text for text in texts if isinstance(text, str) and text.strip()), "")
        if isinstance(name, str) and told:
            yield Declared(_plain(name), _pieces(told))
        return
    for value in data.values():
        yield from _in_data(value, depth + 1)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _in_item(item: LexborNode) -> Declared | None:
    name = item.css_first("[itemprop~='name']")
    text = item.css_first("[itemprop~='acceptedAnswer'] [itemprop~='text']")
    if name is None or text is None:
        return None
    return Declared(clean(name.text(separator=" ")), _pieces(text.html or ""))


def _pieces(html: str) -> tuple[Piece, ...]:
    return tuple(cell_pieces(BeautifulSoup(html, "html.parser")))


def _plain(html: str) -> str:
    return clean("".join(piece.text for piece in _pieces(html)))
