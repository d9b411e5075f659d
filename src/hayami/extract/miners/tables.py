"""Which tables of a page are quick-reference tables, and the rows in them."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from selectolax.lexbor import LexborNode

from hayami.evalset.records import TABLE, Detector, Place
from hayami.extract.grid import Grid, cell_pieces, form_grid, read_table
from hayami.extract.miners import Mined, Miner, Need, ReadPage, Spot
from hayami.extract.page import Page
from hayami.extract.sections import Cut
from hayami.extract.tidy import table_html
from hayami.extract.walk import PageTable
from hayami.parts import Piece, TableView, text_of
from hayami.settings import Detect, Settings
from hayami.text.fold import fold, has_word
from hayami.text.numbering import STRONG_UNITS, reference_numbers
from hayami.words.languages import every

QUESTION, ANSWER, REFERENCE = "question", "answer", "reference"
_SITUATION: Final = "situation"
HEADER_ROWS: Final = 2
"""Rows that a header may have."""
TITLE_ROWS: Final = 2
"""Rows of a single cell that may stand above it."""
MAX_WIDTH: Final = 60
"""Columns beyond which a table is data, not a quick reference.

(A note over all columns may claim 1000.)
"""
MAX_LENGTH: Final = 500_000
"""Characters of HTML beyond which a table is not read: one of 500 rows has about 100,000."""
MAX_PAGE_LENGTH: Final = 1_500_000
"""The same for all tables of a page that are read: nested ones are read again with those around them."""
MAX_NESTED: Final = 10
"""Tables inside a table, itself counted, beyond which it is a layout and not read."""
_NARROWEST: Final = 2
"""Columns of the narrowest quick-reference table: a question and a place."""
_HEADER_CELL: Final = 60
"""Characters of the longest text that is still a header."""
_LONGEST_RAW: Final = 200
"""The same before white space is collapsed."""
_REMEMBERED: Final = 10_000
"""Cell texts whose role is remembered: pages of one site repeat theirs."""
_SHARE: Final = 0.5
"""Share of a column's cells that must name or link to a section for the detector `structure`."""
_FILLED: Final = 0.3
"""Share of a column's cells that must not be empty: a column of group names has only a few."""
_LEAST: Final = 2
"""Cells that must do so."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a quick-reference table and the row after its header."""

    question: int
    answer: int | None
    references: tuple[int, ...]
    body: int
    detector: Detector


def mine_tables(read: ReadPage) -> Mined:
    """The rows of every quick-reference table of the page, in document order; all tables as views if asked for."""
    page, settings, views = read.page, read.settings, read.views
    rows: list[Need] = []
    segments: set[int] = set()
    seen: list[TableView] = []
    names = _Names.of(read.cut) if settings.detect is Detect.BOTH else None
    tables = sorted(page.tables, key=lambda table: table.index)
    words = _header_words(settings)
    found = 0
    warnings = [
        f"table {table.index}: like a quick-reference table, but in what is not the article (nav, aside): not read"
        for table in page.passed
        if _may_have_header(table.node, words)
    ]
    room = MAX_PAGE_LENGTH
    for table in tables:
        expected = _may_have_header(table.node, words)
        if not views and settings.detect is Detect.HEADER and not expected:
            continue
        html = _html(table, page, room)
        room -= len(html)
        grid = _grid(html)
        if grid is None and expected:
            warnings.append(
                f"table {table.index}: larger than any real quick-reference table, and not read"
            )
        columns = _columns(grid, words, names) if grid is not None else None
        if columns is not None and grid is not None:
            found += 1
            at = Spot(table.first - 1, 0) if table.first else None
            rows += _rows(grid, columns, table.index, at)
            segments |= set(range(table.first, table.last))
        if views:
            seen.append(_view(grid, columns, table.index, words))
    return Mined(tuple(rows), frozenset(segments), found, tuple(seen), tuple(warnings))


def _html(table: PageTable, page: Page, room: int) -> str:
    """The table's HTML; empty if it is a layout, or longer than any table that people fill or than ``room``."""
    if len(table.node.css("table")) > MAX_NESTED:
        return ""
    html = table_html(table.node, page.marks)
    return html if len(html) <= min(MAX_LENGTH, room) else ""


def _grid(html: str) -> Grid | None:
    element = read_table(html) if html else None
    return form_grid(element, heads_first=True) if element is not None else None


# --- by header words ------------------------------------------------------------------------------


class HeaderWords:
    """The role that a header cell's text gives its column."""

    def __init__(self, settings: Settings) -> None:
        lists = (
            (REFERENCE, settings.reference_headers),
            (QUESTION, settings.question_headers),
            (ANSWER, settings.answer_headers),
        )
        self._tests = tuple((role, _pattern(words).match) for role, words in lists)
        self._situation = _pattern(every(lambda language: language.headers.situation)).match
        self._known: dict[str, str] = {}

    def role(self, text: str) -> str:
        """``reference``, ``question`` or ``answer``, the first that fits; empty if none does."""
        if len(text) > _LONGEST_RAW:
            return ""
        if text not in self._known:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            folded = _header(text)
            fits = folded and len(folded) <= _HEADER_CELL
            self._known[text] = (
                next((r for r, matches in self._tests if matches(folded)), "") if fits else ""
            )
        return self._known[text]

    def kind(self, text: str) -> str:
        """:meth:`role`, but ``situation`` for a header that only says what the question is about."""
        role = self.role(text)
        return _SITUATION if role == QUESTION and self._situation(_header(text)) else role


def _header(text: str) -> str:
    return fold(text).strip(" :。.?!")


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(fnmatch.translate(fold(word)) for word in words))


@lru_cache(maxsize=4)
def _header_words(settings: Settings) -> HeaderWords:
    return HeaderWords(settings)


def header_role(text: str, settings: Settings) -> str:
    """The role that a header cell's text gives its column; empty if none."""
    return _header_words(settings).role(text)


def _may_have_header(table: LexborNode, words: HeaderWords) -> bool:
    """A quick look at a table's first rows: whether words for question and reference are there at all."""
    roles: set[str] = set()
    depth = 0
    for number, row in enumerate(_first_rows(table)):
        cells = list(row.iter())
        if len(cells) == 1 and not depth and number < TITLE_ROWS:
            continue
        depth += 1
        roles |= {words.role(text) for cell in cells for text in _readings(cell)}
        if {QUESTION, REFERENCE} <= roles:
            return True
        unclear = (
            sum(cell.css_first(_UNCLEAR) is not None for cell in cells)
            if row.css_first(_UNCLEAR)
            else 0
        )
        if len({QUESTION, REFERENCE} - roles) <= unclear:
            return True
        if depth == HEADER_ROWS or not any(_spans(cell.attributes) for cell in cells):
            return False
    return False


def _readings(cell: LexborNode) -> tuple[str, ...]:
    """The text of a cell, with and without a blank where elements meet; only one if it holds nothing but a text."""
    child = cell.first_child
    plain = child is None or (child.is_text_node and child.next is None)
    return (cell.text(),) if plain else (cell.text(), cell.text(separator=" "))


_UNCLEAR: Final = "br, rt, script, style, template, noscript, svg, sup, [hidden], [style*=none i], .sr-only, .visually-hidden"
"""What in a header cell makes its text differ from what a reader sees: only reading the table tells its role."""


def _spans(attributes: Mapping[str, str | None]) -> bool:
    return "colspan" in attributes or "rowspan" in attributes or "aria-colspan" in attributes


def _first_rows(table: LexborNode) -> Iterator[LexborNode]:
    """The table's own first rows, those of nested tables aside."""
    if table.tag != "table":
        yield from table.css("[role=row]")[: HEADER_ROWS + TITLE_ROWS]
        return
    groups = sorted(
        table.iter(), key=lambda child: child.tag != "thead"
    )  # a head may be written after the body
    for child in groups:
        if child.tag == "tr":
            yield child
        elif child.tag in {"thead", "tbody", "tfoot"}:
            yield from (row for row in child.iter() if row.tag == "tr")


def _columns(grid: Grid, words: HeaderWords, names: _Names | None) -> Columns | None:
    by_header = _by_header(grid, words)
    return _by_structure(grid, names) if by_header is None and names is not None else by_header


def _by_header(grid: Grid, words: HeaderWords) -> Columns | None:
    """The columns by the words of a header of one or two rows, under title rows at most."""
    first = 0
    if not grid.rows:
        return None
    while first < TITLE_ROWS and first + 1 < len(grid.rows) and len(grid.rows[first]) == 1:
        first += 1
    depths = range(1, min(HEADER_ROWS, len(grid.rows) - first) + 1)
    goes_on = any(cell.rowspan > 1 for cell in grid.rows[first] if cell.row == first)
    for last in (first + depth for depth in (reversed(depths) if goes_on else depths)):
        roles = [
            _role_of(grid, column, first, last, words)
            for column in range(min(grid.width, MAX_WIDTH))
        ]
        roles = _questions(roles)
        if QUESTION in roles and REFERENCE in roles:
            spans = [
                c.row + max(c.rowspan, 1) for c in grid.rows[first] if c.header and c.row == first
            ]
            return Columns(
                question=roles.index(QUESTION),
                answer=roles.index(ANSWER) if ANSWER in roles else _between(roles),
                references=tuple(n for n, role in enumerate(roles) if role == REFERENCE),
                body=max([last, *(end for end in spans if end <= last + 1)]),
                detector=Detector.HEADER,
            )
        if not goes_on and not any(cell.colspan > 1 for cell in grid.rows[first]):
            return None  # a second header row only stands under cells that span
    return None


def _role_of(grid: Grid, column: int, first: int, last: int, words: HeaderWords) -> str:
    """The role of a column by its header cells, the lowest first."""
    for row in range(last - 1, first - 1, -1):
        cell = grid.at(row, column)
        if cell is None or cell.colspan >= max(2, grid.width):
            continue
        if role := words.kind(text_of(cell_pieces(cell.element))):
            return role
    return ""


def _questions(roles: list[str]) -> list[str]:
    """The roles with the first situation as the question, if there is none in words; other situations have no role."""
    if QUESTION not in roles and _SITUATION in roles:
        roles[roles.index(_SITUATION)] = QUESTION
    return ["" if role == _SITUATION else role for role in roles]


def _between(roles: list[str]) -> int | None:
    """The answer's column where its header is no known word: the one beside the question that has no role."""
    question = roles.index(QUESTION)
    return next((n for n, role in enumerate(roles) if not role and n > question), None)


# --- by structure ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Names:
    """What cells could name: folded headings and the ids that lead into a section."""

    headings: frozenset[str]
    anchors: frozenset[str]

    @classmethod
    def of(cls, cut: Cut) -> _Names:
        names = frozenset(
            fold(h.text) for h in cut.headings if h.section is not None and has_word(h.text)
        )
        return cls(
            names,
            frozenset(name for name, (section, _) in cut.anchors.items() if section is not None),
        )

    def evidence(self, pieces: tuple[Piece, ...]) -> tuple[bool, bool]:
        """Whether a cell leads to a section, and whether it leads to another page."""
        section = page = False
        for href in (piece.href for piece in pieces if piece.href):
            path, _, fragment = href.partition("#")
            local = re.match(r"[a-zA-Z][a-zA-Z0-9+.\-]*:|//", href) is None
            section |= local and bool(fragment) and (bool(path) or fragment in self.anchors)
            page |= local and bool(path)
        text = text_of(pieces)
        if not section and fold(text) in self.headings:
            section = True
        if not section and len(text) <= _HEADER_CELL:
            numbers = reference_numbers(text)
            section = (
                any(number.unit in STRONG_UNITS for number in numbers.items)
                and text[:1] not in "(（"
            )
        return section, page


def _by_structure(grid: Grid, names: _Names) -> Columns | None:
    """The columns of a table of which one column links to sections or names them."""
    if not _NARROWEST <= grid.width <= MAX_WIDTH or len(grid.rows) < _LEAST:
        return None
    body = _header_end(grid)
    best = next((column for column in range(grid.width) if _leads(grid, column, body, names)), None)
    if best is None or (body == 0 and _is_property_list(grid, best)):
        return None
    while (
        body == 0 and not any(names.evidence(_pieces_at(grid, 0, best))) and len(grid.rows) > _LEAST
    ):
        body = 1  # a first row of plain cells that names nothing, where all others do
    question = next((c for c in range(best) if _is_text(grid, c, body)), best)
    header = grid.at(body - 1, best) if body else None
    siblings = {best}
    if header is not None:
        siblings |= set(range(header.column, min(header.column + header.colspan, grid.width)))
    answer = next((c for c in range(grid.width) if c != question and c not in siblings), None)
    return Columns(question, answer, tuple(sorted(siblings)), body, Detector.STRUCTURE)


def _is_property_list(grid: Grid, column: int) -> bool:
    """Whether the cells of a column are row headers: "Syntax:", "Default:" with links that explain these words."""
    cells = [cell for row in range(len(grid.rows)) if (cell := grid.at(row, column)) is not None]
    return all(cell.header for cell in cells)


def _header_end(grid: Grid) -> int:
    """Rows at the top that are header cells only."""
    for number, row in enumerate(grid.rows):
        own = [cell for cell in row if cell.row == number]
        if not own or not all(cell.header for cell in own) or number > HEADER_ROWS + TITLE_ROWS:
            return number
    return 0


def _pieces_at(grid: Grid, row: int, column: int) -> tuple[Piece, ...]:
    cell = grid.at(row, column)
    return cell_pieces(cell.element) if cell is not None else ()


def _leads(grid: Grid, column: int, body: int, names: _Names) -> bool:
    """Whether enough of a column's cells lead to sections (or, beside at least some that do, to other pages)."""
    cells = [p for row in range(body, len(grid.rows)) if (p := _pieces_at(grid, row, column))]
    if len(cells) < _FILLED * (len(grid.rows) - body):
        return False
    evidence = [names.evidence(pieces) for pieces in cells]
    sections = sum(section for section, _ in evidence)
    return sections >= _LEAST and sum(map(any, evidence)) >= _SHARE * len(cells)


def _is_text(grid: Grid, column: int, body: int) -> bool:
    """Whether a column's cells could be questions: words, and mostly different ones."""
    texts = [text_of(_pieces_at(grid, row, column)) for row in range(body, len(grid.rows))]
    filled = [text for text in texts if text]
    if len(filled) < 0.7 * len(texts):
        return False
    texts = filled
    words = [text for text in texts if re.search(r"[^\W\d_]{2}", text)]
    return bool(texts) and len(words) > len(texts) / 2 and len(set(texts)) > len(texts) * 0.7


# --- rows -----------------------------------------------------------------------------------------


def _rows(grid: Grid, columns: Columns, table: int, at: Spot | None) -> Iterator[Need]:
    """The body rows; notes over the whole width, repeated headers and rows without a cell of their own are none."""
    header = _header_texts(grid, columns)
    for number in range(columns.body, len(grid.rows)):
        cells = [grid.at(number, c) for c in (columns.question, *columns.references)]
        if not any(cell is not None and cell.row == number for cell in grid.rows[number]):
            continue
        question = cells[0]
        if (
            question is not None
            and len(grid.rows[number]) == 1
            and grid.width > 1
            and question.colspan > 1
        ):
            continue
        pieces: list[Piece] = []
        for cell in dict.fromkeys(c for c in cells[1:] if c is not None):
            pieces += [Piece("", breaks=True)] if pieces else []
            pieces += cell_pieces(cell.element)
        text = text_of(cell_pieces(question.element)) if question is not None else ""
        answer = grid.at(number, columns.answer) if columns.answer is not None else None
        reference = tuple(pieces)
        if header and (fold(text), fold(text_of(reference))) == header:
            continue
        if not text and not reference and answer is None:
            continue
        yield Need(
            question=text,
            answer=text_of(cell_pieces(answer.element)) if answer is not None else "",
            reference=reference,
            place=Place(kind=TABLE, ordinal=table, row=grid.numbers[number]),
            detector=columns.detector,
            declared=columns.detector is Detector.HEADER,
            at=at,
        )


def _header_texts(grid: Grid, columns: Columns) -> tuple[str, str] | None:
    if not columns.body:
        return None
    question, reference = (
        _pieces_at(grid, columns.body - 1, c) for c in (columns.question, columns.references[0])
    )
    return fold(text_of(question)), fold(text_of(reference))


def _view(grid: Grid | None, columns: Columns | None, index: int, words: HeaderWords) -> TableView:
    if grid is None or not grid.rows:
        return TableView(
            index,
            (),
            (),
            None,
            "no rows" if grid is not None else "a layout, or larger than any real one",
            0,
        )
    width = min(grid.width, MAX_WIDTH)
    head = max(0, columns.body - 1) if columns is not None else 0
    header = tuple(text_of(_pieces_at(grid, head, c)) for c in range(width))
    if columns is None:
        roles = tuple(words.role(text) for text in header)
        missing = [role for role in (QUESTION, REFERENCE) if role not in roles]
        why = (
            f"no header word for the column of the {' and the '.join(missing)}"
            if missing
            else "no body"
        )
        return TableView(index, roles, header, None, why, len(grid.rows))
    named = {columns.question: QUESTION} | dict.fromkeys(columns.references, REFERENCE)
    if columns.question in columns.references:
        named[columns.question] = f"{QUESTION} and {REFERENCE}"
    if columns.answer is not None:
        named.setdefault(columns.answer, ANSWER)
    roles = tuple(named.get(c, "") for c in range(width))
    return TableView(index, roles, header, columns.detector, "", len(grid.rows) - columns.body)


MINER: Final = Miner("table", mine_tables, "quick-reference tables", rank=0)
