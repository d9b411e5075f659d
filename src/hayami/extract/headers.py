"""Header words of tables.

The role that a header cell gives its column, and a quick look for them.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborNode

from hayami.settings import Settings
from hayami.text.fold import fold
from hayami.words.languages import every

QUESTION, ANSWER, REFERENCE = "question", "answer", "reference"
SITUATION: Final = "situation"
_SITUATIONS: Final = every(lambda language: language.headers.situation)
FIRST_ROWS: Final = 8
"""Rows of a table among which its header is looked for."""
HEADER_CELL: Final = 60
"""Characters of the longest text that is still a header."""
_LONGEST_RAW: Final = 200
"""The same before white space is collapsed."""
_REMEMBERED: Final = 10_000
"""Cell texts whose role is remembered: pages of one site repeat theirs."""
_MARKS: Final = " :。.?!*↑↓↕⇅▲▼△▽◆◇■□●○★☆"
"""What may stand around a header word: end marks, signs of sorting, bullets."""
_BRACKETS: Final = {"(": ")", "[": "]", "<": ">", "{": "}", "【": "】", "「": "」", "〈": "〉"}
_UNCLEAR: Final = (
    "br, rt, script, style, template, noscript, svg, sup, del, s, strike, [hidden], "
    "[style*=none i], .sr-only, .visually-hidden"
)
"""What in a header cell makes its text differ from what a reader sees: only reading the table tells
its role."""


class HeaderWords:
    """The role that a header cell's text gives its column."""

    def __init__(self, settings: Settings) -> None:
        lists = (
            (REFERENCE, settings.reference_headers),
            (QUESTION, settings.question_headers),
            (ANSWER, settings.answer_headers),
        )
        self._tests = tuple((role, _pattern(words).match) for role, words in lists)
        self._situation = _pattern(_SITUATIONS).match
        self._known: dict[str, str] = {}

    def role(self, text: str) -> str:
        """``reference``, ``question`` or ``answer``, the first that fits; empty if none does."""
        if len(text) > _LONGEST_RAW:
            return ""
        if text not in self._known:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            self._known[text] = self._first_role(bare_header(text))
        return self._known[text]

    def _first_role(self, header: str) -> str:
        if not header or len(header) > HEADER_CELL:
            return ""
        return next((role for role, matches in self._tests if matches(header)), "")

    def kind(self, text: str) -> str:
        """:meth:`role`.

        But ``situation`` for a header that only says what the question is about.
        """
        role = self.role(text)
        return SITUATION if role == QUESTION and self._situation(bare_header(text)) else role


def bare_header(text: str) -> str:
    """A header folded, without end marks and without brackets around all of it.

    >>> bare_header("[Section]"), bare_header("Question(s)"), bare_header("Where? ▲")
    ('section', 'question(s)', 'where')
    """
    bare = fold(text).strip(_MARKS)
    while len(bare) > 1 and _BRACKETS.get(bare[0]) == bare[-1]:
        bare = bare[1:-1].strip(_MARKS)
    return bare


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(fnmatch.translate(fold(word)) for word in words))


@lru_cache(maxsize=4)
def header_words(settings: Settings) -> HeaderWords:
    """The header words of some settings, made once."""
    return HeaderWords(settings)


def header_role(text: str, settings: Settings) -> str:
    """The role that a header cell's text gives its column; empty if none."""
    return header_words(settings).role(text)


def may_have_header(table: LexborNode, words: HeaderWords) -> bool:
    """A quick look at a table's first rows.

    Whether words for question and reference are there at all.

    Rows of no or few texts may stand above the header; it may run down the first column instead.
    """
    found: set[str] = set()
    aside: set[str] = set()
    unclear = 0
    looked = False
    for row in islice(first_rows(table), FIRST_ROWS):
        cells = list(row.iter())
        if not cells:
            continue
        aside |= _roles(cells[0], words)
        if {QUESTION, REFERENCE} <= aside:
            return True
        if looked:
            continue
        for cell in cells:
            found |= _roles(cell, words)
        unclear += _unclear_cells(row, cells)
        if len({QUESTION, REFERENCE} - found) <= unclear:
            return True
        looked = not any(_spans(cell.attributes) for cell in cells) and not _is_sparse(cells)
    return False


def _roles(cell: LexborNode, words: HeaderWords) -> set[str]:
    return {words.role(text) for text in _readings(cell)}


def _readings(cell: LexborNode) -> tuple[str, ...]:
    """The text of a cell, with and without a blank where elements meet.

    Only one if it holds nothing but a text.
    """
    child = cell.first_child
    plain = child is None or (child.is_text_node and child.next is None)
    return (cell.text(),) if plain else (cell.text(), cell.text(separator=" "))


def _unclear_cells(row: LexborNode, cells: Sequence[LexborNode]) -> int:
    if row.css_first(_UNCLEAR) is None:
        return 0
    return sum(cell.css_first(_UNCLEAR) is not None for cell in cells)


def _is_sparse(cells: Sequence[LexborNode]) -> bool:
    """Whether at most half of the cells of a row hold a text: a title or spacing above a header."""
    filled = sum(bool(cell.text(strip=True)) for cell in cells)
    return filled <= 1 or 2 * filled <= len(cells)


def _spans(attributes: Mapping[str, str | None]) -> bool:
    return "colspan" in attributes or "rowspan" in attributes or "aria-colspan" in attributes


def first_rows(table: LexborNode) -> Iterator[LexborNode]:
    """The table's own rows as they are shown, those of nested tables aside."""
    if table.tag != "table":
        yield from table.css("[role=row]")[:FIRST_ROWS]
        return
    # a head may be written after the body
    for child in sorted(table.iter(), key=lambda child: child.tag != "thead"):
        if child.tag == "tr":
            yield child
        elif child.tag in {"thead", "tbody", "tfoot"}:
            yield from (row for row in child.iter() if row.tag == "tr")
