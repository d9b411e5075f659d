"""A table's HTML -> a grid of cells by the table model of the HTML standard.

And the text of a cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from bs4 import BeautifulSoup, Tag

MAX_COLSPAN: Final = 1000
MAX_ROWSPAN: Final = 65534
"""Limits of the HTML standard ("forming a table")."""
MAX_SLOTS: Final = 100_000
"""Cells and continuations of cells in all rows: what a table may cost.

A real one has a few hundred.
"""

_HEADER_ROLES: Final = frozenset(("columnheader", "rowheader"))
_ROW_GROUPS: Final = frozenset(("thead", "tbody", "tfoot"))


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One cell and where it begins: row and column from 0, spans after clamping.

    Two are equal if they are one.
    """

    element: Tag
    row: int
    column: int
    rowspan: int
    colspan: int
    header: bool
    """Whether it is a ``th``, or in ``thead``."""

    def turned(self) -> Cell:
        """The cell in a table whose rows are this one's columns."""
        span = max(self.rowspan, 1)
        return Cell(self.element, self.column, self.row, self.colspan, span, self.header)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as rows of cells; a cell stands in every row and column that it covers."""

    rows: tuple[tuple[Cell, ...], ...]
    """The cells that cover each row, from left to right."""
    groups: tuple[int, ...]
    """The row group of each row, from 0."""
    numbers: tuple[int, ...]
    """The place of each row among the table's own ``tr`` in document order: a head may be written
    after the body."""
    width: int
    of_columns: tuple[int, ...] = ()
    """Of a table that was turned: the number of the row that each column was."""

    def turned(self) -> Grid:
        """The table with its rows as columns."""
        turned = {cell: cell.turned() for cells in self.rows for cell in cells}
        rows: list[dict[Cell, None]] = [{} for _ in range(self.width)]
        for cell, other in turned.items():
            for column in range(cell.column, cell.column + cell.colspan):
                rows[column][other] = None
        made = tuple(tuple(cells) for cells in rows)
        numbers = tuple(range(self.width))
        return Grid(made, (0,) * self.width, numbers, len(self.rows), self.numbers)

    def at(self, row: int, column: int) -> Cell | None:
        """The cell that covers a slot; where several overlap, the first one."""
        covering = [c for c in self.rows[row] if c.column <= column < c.column + c.colspan]
        return min(covering, key=lambda c: (c.row, c.column), default=None)


def read_table(html: str) -> Tag | None:
    """The outermost table (or element with the role of one) in ``html``."""
    soup = BeautifulSoup(html, "html.parser")
    return next((child for child in soup.children if isinstance(child, Tag)), None)


def form_grid(table: Tag, *, heads_first: bool = False) -> Grid | None:
    """The grid of a table.

    None if its spans are beyond MAX_SLOTS. ``heads_first``: as shown, not as written.

    Raises nothing on malformed tables: rows of unequal length leave slots empty, overlapping cells
    keep the first.

    Source: WHATWG HTML, 4.9.12.1 "Forming a table".
    """
    rows: list[tuple[Cell, ...]] = []
    numbers: list[int] = []
    groups: list[int] = []
    slots = 0
    shown = sorted(_row_groups(table), key=lambda group: group.order if heads_first else 0)
    for place, group in enumerate(shown):
        growing: list[_Growing] = []  # cells end with their row group
        for number, element in enumerate(group.rows, group.first):
            cells, growing = _form_row(element, len(rows), growing, headed=group.order == 0)
            rows.append(cells)
            groups.append(place)
            numbers.append(number)
            slots += len(cells)
            if slots > MAX_SLOTS:
                return None
    width = max((cell.column + cell.colspan for cells in rows for cell in cells), default=0)
    return Grid(tuple(rows), tuple(groups), tuple(numbers), width)


class _Growing(NamedTuple):
    """A cell that goes on in the next row, and for how many rows.

    Below 0 to the end of the group.
    """

    cell: Cell
    left: int


def _form_row(
    element: Tag, row: int, growing: list[_Growing], *, headed: bool
) -> tuple[tuple[Cell, ...], list[_Growing]]:
    """The cells that cover a row, and those that grow into the next one."""
    own = list(_own_cells(element, row, growing, headed=headed))
    continued = [cell for cell, _ in growing]
    cells = sorted([*continued, *own], key=lambda cell: cell.column)
    following = [_Growing(cell, left - 1) for cell, left in growing if left != 1]
    following += [_Growing(cell, cell.rowspan - 1) for cell in own if cell.rowspan != 1]
    return tuple(cells), sorted(following, key=lambda one: one.cell.column)


def _own_cells(element: Tag, row: int, growing: list[_Growing], *, headed: bool) -> Iterator[Cell]:
    """The cells that begin in a row, in the columns that growing ones leave free."""
    covered = [(cell.column, cell.column + cell.colspan) for cell, _ in growing]
    column = position = 0
    for cell in _cells(element):
        while position < len(covered) and covered[position][0] <= column:
            column = max(column, covered[position][1])
            position += 1
        colspan = min(max(_span(cell, "colspan", "aria-colspan"), 1), MAX_COLSPAN)
        rowspan = min(_span(cell, "rowspan", "aria-rowspan"), MAX_ROWSPAN)
        header = headed or cell.name == "th" or _role(cell) in _HEADER_ROLES
        yield Cell(cell, row, column, rowspan, colspan, header)
        column += colspan


@dataclass(frozen=True, slots=True)
class _Group:
    """The rows of a row group, the number of the first, and where it is shown.

    Heads first, feet last.
    """

    rows: list[Tag]
    first: int
    order: int


_ORDER: Final = {"thead": 0, "tfoot": 2}


def _row_groups(table: Tag) -> Iterator[_Group]:
    """Each row group in document order; rows outside of any group form groups of their own."""
    counted = 0
    loose: list[Tag] = []
    for child in _children(table, ("row", "rowgroup"), ("tr", *_ROW_GROUPS)):
        if child.name == "tr" or _role(child) == "row":
            loose.append(child)
            continue
        if loose:
            yield _Group(loose, counted, 1)
            counted, loose = counted + len(loose), []
        rows = _children(child, ("row",), ("tr",))
        yield _Group(rows, counted, _ORDER.get(child.name, 1))
        counted += len(rows)
    if loose:
        yield _Group(loose, counted, 1)


def _cells(row: Tag) -> list[Tag]:
    return _children(row, ("cell", "gridcell", "columnheader", "rowheader"), ("td", "th"))


def _children(element: Tag, roles: tuple[str, ...], names: tuple[str, ...]) -> list[Tag]:
    """The children with one of the names or roles.

    Plain wrappers around them, as in tables by role, do not count.
    """
    found: list[Tag] = []
    pending = list(reversed(element.contents))
    while pending:
        child = pending.pop()
        if not isinstance(child, Tag):
            continue
        if child.name in names or _role(child) in roles:
            found.append(child)
        elif child.name in {"div", "span"} and _role(child) in {"", "presentation", "none"}:
            pending += reversed(child.contents)
    return found


def attribute(element: Tag, name: str) -> str:
    """The value of an attribute as text; empty if it is not there."""
    value = element.get(name)
    return value if isinstance(value, str) else " ".join(value or ())


def _role(element: Tag) -> str:
    return attribute(element, "role")


def _span(element: Tag, name: str, aria: str) -> int:
    """A span by the rules for parsing non-negative integers; 1 if there is none."""
    text = (attribute(element, name) or attribute(element, aria)).strip().removeprefix("+")
    digits = text[: len(text) - len(text.lstrip("0123456789"))]
    return int(digits[:9]) if digits.isascii() and digits else 1
