"""Which tables of a page are quick-reference tables, and the rows in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from hayami.evalset.records import TABLE, Detector, Place
from hayami.extract.cells import cell_pieces, cell_text
from hayami.extract.grid import Cell, Grid, form_grid, read_table
from hayami.extract.headers import (
    ANSWER,
    QUESTION,
    REFERENCE,
    HeaderWords,
    header_words,
    may_have_header,
)
from hayami.extract.judging import TableJudge
from hayami.extract.miners import Mined, Miner, Need, ReadPage, Spot
from hayami.extract.roles import (
    MAX_WIDTH,
    Columns,
    ColumnSet,
    by_header,
    by_header_column,
)
from hayami.extract.structure import Names, by_structure
from hayami.extract.tidy import table_html
from hayami.extract.walk import PageTable
from hayami.parts import Piece, TableView, text_of
from hayami.settings import Detect
from hayami.text.fold import fold

MAX_LENGTH: Final = 500_000
"""Characters of HTML beyond which a table is not read: one of 500 rows has about 100,000."""
MAX_PAGE_LENGTH: Final = 1_500_000
"""The same for all tables of a page that are read: nested ones are read again with those around
them."""
MAX_NESTED: Final = 10
"""Tables inside a table, itself counted, beyond which it is a layout and not read."""
_PASSED: Final = (
    "like a quick-reference table, but in what is not the article (nav, aside): not read"
)
_TOO_LARGE: Final = "larger than any real quick-reference table, and not read"
_LEADS: Final = "leads into sections, but no column reads as what somebody wants to know: not taken"
_ALONE: Final = "the header of a quick-reference table, and no rows under it or in a table after it"


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table as it is read.

    Its grid unless it is too large, and its columns if it is a quick reference.
    """

    table: PageTable
    grid: Grid | None
    columns: Columns | None
    head: PageTable | None = None
    """The table before it that holds its header, if it has none of its own."""

    def body(self) -> range:
        """The rows under the header."""
        if self.grid is None or self.columns is None:
            return range(0)
        return range(self.columns.body, len(self.grid.rows))

    def is_header_alone(self) -> bool:
        """Whether it has a header and nothing under it."""
        if self.grid is None or self.columns is None:
            return False
        return not any(cell_text(cell) for row in self.body() for cell in self.grid.rows[row])

    def segments(self) -> range:
        """The segments of the page that it takes, with those of its header."""
        first = self.table if self.head is None else self.head
        return range(first.first, self.table.last)


@dataclass
class TableReader:
    """Reads the tables of one page, as long as there is room."""

    read: ReadPage
    words: HeaderWords
    names: Names | None
    """What cells could name; None if tables are known by their headers, or judged."""
    judge: TableJudge
    warnings: list[str] = field(default_factory=list)
    _room: int = MAX_PAGE_LENGTH

    def tables(self) -> Iterator[ReadTable]:
        """The tables that may be quick references, in document order.

        All of them if the page is to be shown.
        """
        header: ReadTable | None = None
        for table in sorted(self.read.page.tables, key=lambda table: table.index):
            expected = may_have_header(table.node, self.words)
            leading = self.names is None and self.judge.may_lead(table.node)
            if not (expected or header or self.names or leading or self.read.views):
                continue
            found = self._understood(table, expected=expected)
            if header is not None:
                found = self._under(header, found)
                if found.head is None:
                    self._warn(header.table, _ALONE)
                yield header
            if leading and found.columns is None:
                found = self._judged(found)
            header = found if found.is_header_alone() else None
            if header is None:
                yield found
        if header is not None:
            self._warn(header.table, _ALONE)
            yield header

    def warn_of_passed(self) -> None:
        """Names the tables that may be quick references, and stand where the article does not."""
        for table in self.read.page.passed:
            if may_have_header(table.node, self.words):
                self._warn(table, _PASSED)

    def _warn(self, table: PageTable, what: str) -> None:
        self.warnings.append(f"table {table.index}: {what}")

    def _understood(self, table: PageTable, *, expected: bool) -> ReadTable:
        """A table with its columns."""
        grid = self._grid(table)
        if grid is None:
            if expected:
                self._warn(table, _TOO_LARGE)
            return ReadTable(table, None, None)
        columns = by_header(grid, self.words, Detector.HEADER)
        if columns is None and expected:
            turned = grid.turned()
            records = by_header_column(turned, self.words, Detector.HEADER)
            if records is not None:
                return ReadTable(table, turned, records)
        if columns is None and self.names is not None:
            columns = by_structure(grid, self.names, Detector.STRUCTURE)
        return ReadTable(table, grid, columns)

    def _judged(self, found: ReadTable) -> ReadTable:
        """A table by what it does and how it reads; one that only leads into sections is named."""
        if found.grid is None:
            return found
        columns, leads = self.judge.columns(found.grid, Detector.STRUCTURE)
        if columns is None and leads:
            self._warn(found.table, _LEADS)
        return replace(found, columns=columns)

    def _grid(self, table: PageTable) -> Grid | None:
        """The table as a grid.

        None if it is a layout, or longer than any table that people fill or than is left.
        """
        if len(table.node.css("table")) > MAX_NESTED:
            return None
        html = table_html(table.node, self.read.page.marks)
        if len(html) > min(MAX_LENGTH, self._room):
            return None
        self._room -= len(html)
        element = read_table(html)
        return None if element is None else form_grid(element, heads_first=True)

    def _under(self, header: ReadTable, found: ReadTable) -> ReadTable:
        """A table with the columns of the header just before it.

        If it has none and nothing stands between.
        """
        if header.grid is None or header.columns is None or found.grid is None:
            return found
        if found.columns is not None or abs(found.grid.width - header.grid.width) > 1:
            return found
        between = range(header.table.last, found.table.first)
        page = self.read.page
        texts = any(page.segments[segment] for segment in between)
        if not between or texts or any(h.segment in between for h in page.headings):
            return found
        return replace(found, columns=replace(header.columns, body=0), head=header.table)


def mine_tables(read: ReadPage) -> Mined:
    """The rows of every quick-reference table of the page, in document order.

    All tables as views if asked for.
    """
    words = header_words(read.settings)
    names = Names.of(read.cut) if read.settings.detect is Detect.BOTH else None
    reader = TableReader(read, words, names, TableJudge(read.cut))
    reader.warn_of_passed()
    tables = list(reader.tables())
    heads = {table.head.index for table in tables if table.head is not None}
    found = [one for one in tables if one.columns is not None and one.table.index not in heads]
    needs: list[Need] = []
    segments: set[int] = set()
    for one in found:
        needs += _needs(one)
        segments.update(one.segments())
    views = tuple(_view(table, words) for table in tables) if read.views else ()
    warnings = tuple(reader.warnings)
    return Mined(tuple(needs), frozenset(segments), len(found), views, warnings)


# --- rows -----------------------------------------------------------------------------------------


def _needs(found: ReadTable) -> Iterator[Need]:
    """What the body rows ask.

    Notes over the whole width, repeated headers and rows without a cell of their own nothing.
    """
    grid, columns = found.grid, found.columns
    if grid is None or columns is None:
        return
    headers = [_header_texts(grid, columns, one) for one in columns.sets]
    first = found.segments().start
    at = Spot(first - 1, 0) if first else None
    for row in found.body():
        if not any(cell.row == row for cell in grid.rows[row]):
            continue
        for number, one in enumerate(columns.sets):
            asked = _asked(grid, row, one)
            if (
                asked is None
                or (asked.question_key, fold(text_of(asked.reference))) == headers[number]
            ):
                continue
            place = _place(found.table.index, grid, row, one, number)
            yield Need(
                question=asked.question,
                answer=asked.answer,
                reference=asked.reference,
                place=place,
                detector=columns.detector,
                declared=columns.detector == Detector.HEADER,
                at=at,
            )


@dataclass(frozen=True, slots=True)
class _Cells:
    """What the cells of one question say."""

    question: str
    answer: str
    reference: tuple[Piece, ...]

    @property
    def question_key(self) -> str:
        """The question as headers are compared."""
        return fold(self.question)


def _asked(grid: Grid, row: int, columns: ColumnSet) -> _Cells | None:
    """What the cells of a row say.

    None for a note over several columns, and where nothing is said.
    """
    question = grid.at(row, columns.question)
    if question is not None and _is_note(grid, row, question):
        return None
    answer = "" if columns.answer is None else cell_text(grid.at(row, columns.answer))
    reference = _reference(grid, row, columns)
    text = cell_text(question)
    return _Cells(text, answer, reference) if text or answer or reference else None


def _is_note(grid: Grid, row: int, cell: Cell) -> bool:
    return len(grid.rows[row]) == 1 and grid.width > 1 and cell.colspan > 1


def _reference(grid: Grid, row: int, columns: ColumnSet) -> tuple[Piece, ...]:
    """The text of the reference cells, each on lines of its own."""
    cells = dict.fromkeys(grid.at(row, column) for column in columns.references)
    pieces: list[Piece] = []
    for cell in cells:
        if cell is None:
            continue
        if pieces:
            pieces.append(Piece("", breaks=True))
        pieces += cell_pieces(cell.element)
    return tuple(pieces)


def _place(table: int, grid: Grid, row: int, columns: ColumnSet, number: int) -> Place:
    """Where a question stands: in a turned table the questions of a row are its records."""
    if grid.of_columns:
        tr = grid.of_columns[columns.question]
        return Place(kind=TABLE, ordinal=table, row=tr, column=row - 1)
    return Place(kind=TABLE, ordinal=table, row=grid.numbers[row], column=number)


def _header_texts(grid: Grid, columns: Columns, one: ColumnSet) -> tuple[str, str] | None:
    """The header of a set's question and of its first reference, folded; None without a header."""
    if not columns.body:
        return None
    above = columns.body - 1
    question, reference = grid.at(above, one.question), grid.at(above, one.references[0])
    return fold(cell_text(question)), fold(cell_text(reference))


# --- what a person is shown -----------------------------------------------------------------------


def _view(found: ReadTable, words: HeaderWords) -> TableView:
    grid, columns, index = found.grid, found.columns, found.table.index
    if grid is None:
        why = "a layout, or larger than any real one"
        return TableView(index, (), (), None, why, 0)
    if not grid.rows:
        return TableView(index, (), (), None, "no rows", 0)
    width = min(grid.width, MAX_WIDTH)
    head = max(0, columns.body - 1) if columns is not None else 0
    header = tuple(cell_text(grid.at(head, column)) for column in range(width))
    if columns is None:
        roles = tuple(words.role(text) for text in header)
        return TableView(index, roles, header, None, _why_not(roles), len(grid.rows))
    roles = _roles_shown(columns, width)
    return TableView(index, roles, header, columns.detector, "", len(found.body()))


def _why_not(roles: tuple[str, ...]) -> str:
    """Why a table is no quick reference by its header."""
    missing = [role for role in (QUESTION, REFERENCE) if role not in roles]
    if not missing:
        return "no body"
    return f"no header word for the column of the {' and the '.join(missing)}"


def _roles_shown(columns: Columns, width: int) -> tuple[str, ...]:
    """What each column is taken for."""
    named: dict[int, str] = {}
    for one in columns.sets:
        if one.answer is not None:
            named[one.answer] = ANSWER
        named |= dict.fromkeys(one.references, REFERENCE)
        both = one.question in one.references
        named[one.question] = f"{QUESTION} and {REFERENCE}" if both else QUESTION
    return tuple(named.get(column, "") for column in range(width))


MINER: Final = Miner("table", mine_tables, "quick-reference tables", rank=0)
