"""A table's HTML -> a grid of cells by the table model of the HTML standard, and the text of a cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement, PreformattedString

from hayami.extract.elements import BLOCKS
from hayami.parts import Piece
from hayami.text.fold import squeeze, visible

MAX_COLSPAN: Final = 1000
MAX_ROWSPAN: Final = 65534
"""Limits of the HTML standard ("forming a table")."""
MAX_SLOTS: Final = 100_000
"""Cells and continuations of cells in all rows: what a table may cost.

A real one has a few hundred.
"""

_ROW_GROUPS: Final = frozenset(("thead", "tbody", "tfoot"))
_SEPARATING: Final = frozenset((*BLOCKS, "td", "th", "br"))
"""Elements that end a line in a cell."""


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


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as rows of cells; a cell stands in every row and column that it covers."""

    rows: tuple[tuple[Cell, ...], ...]
    """The cells that cover each row, from left to right."""
    groups: tuple[int, ...]
    """The row group of each row, from 0."""
    numbers: tuple[int, ...]
    """The place of each row among the table's own ``tr`` in document order: a head may be written after the body."""
    width: int

    def at(self, row: int, column: int) -> Cell | None:
        """The cell that covers a slot; where several overlap, the first one."""
        covering = [c for c in self.rows[row] if c.column <= column < c.column + c.colspan]
        return min(covering, key=lambda c: (c.row, c.column), default=None)


def read_table(html: str) -> Tag | None:
    """The outermost table (or element with the role of one) in ``html``."""
    soup = BeautifulSoup(html, "html.parser")
    return next((child for child in soup.children if isinstance(child, Tag)), None)


def form_grid(table: Tag, *, heads_first: bool = False) -> Grid | None:
    """The grid of a table; None if its spans are beyond MAX_SLOTS. ``heads_first``: as shown, not as written.

    Raises nothing on malformed tables: rows of unequal length leave slots empty, overlapping cells
    keep the first.

    Source: WHATWG HTML, 4.9.12.1 "Forming a table".
    """
    rows: list[tuple[Cell, ...]] = []
    groups: list[int] = []
    numbers: list[int] = []
    slots = width = 0
    for place, group in enumerate(
        sorted(_row_groups(table), key=lambda group: group.order if heads_first else 0)
    ):
        growing: list[tuple[Cell, int]] = []  # cells end with their row group
        for number, element in enumerate(group.rows, group.first):
            cells, growing = _form_row(element, len(rows), growing, headed=group.order == 0)
            rows.append(cells)
            groups.append(place)
            numbers.append(number)
            slots += len(cells)
            width = max([width, *(cell.column + cell.colspan for cell in cells)])
            if slots > MAX_SLOTS:
                return None
    return Grid(tuple(rows), tuple(groups), tuple(numbers), width)


def _form_row(
    element: Tag, row: int, growing: list[tuple[Cell, int]], *, headed: bool
) -> tuple[tuple[Cell, ...], list[tuple[Cell, int]]]:
    """The cells that cover a row, and those that grow into the next one with the rows they have left."""
    covered = [(cell.column, cell.column + cell.colspan) for cell, _ in growing]
    own: list[Cell] = []
    column = position = 0
    for cell in _cells(element):
        while position < len(covered) and covered[position][0] <= column:
            column = max(column, covered[position][1])
            position += 1
        colspan = min(max(_span(cell, "colspan", "aria-colspan"), 1), MAX_COLSPAN)
        rowspan = min(_span(cell, "rowspan", "aria-rowspan"), MAX_ROWSPAN)
        header = headed or cell.name == "th" or _role(cell) in {"columnheader", "rowheader"}
        own.append(Cell(cell, row, column, rowspan, colspan, header))
        column += colspan
    continued = [(cell, left - 1 if left else 0) for cell, left in growing]
    started = [(cell, cell.rowspan) for cell in own]
    cells = sorted([cell for cell, _ in continued] + own, key=lambda cell: cell.column)
    following = [
        (c, left) for c, left in continued + [(c, n - 1 if n else -1) for c, n in started] if left
    ]
    return tuple(cells), sorted(following, key=lambda pair: pair[0].column)


@dataclass(frozen=True, slots=True)
class _Group:
    """The rows of a row group, the number of the first, and where it is shown: heads first, feet last."""

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
    """The children with one of the names or roles; plain wrappers around them, as in tables by role, do not count."""
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


def cell_pieces(element: Tag) -> tuple[Piece, ...]:
    """The text of a cell in runs, white space collapsed; links, and line breaks where a block begins or ends."""
    pieces: list[Piece] = []
    text = ""
    last: tuple[Tag | None, str | None] = (element, None)
    for node in element.descendants:
        if isinstance(node, Tag):
            here = (_block_of(node, element), _link_of(node, element))
            breaks = node.name in _SEPARATING
        elif isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
            here = (_block_of(node, element), _link_of(node, element))
            breaks = False
        else:
            continue
        if here[0] is not last[0] or here[1] != last[1] or breaks:
            _push(pieces, text, last[1])
            if here[0] is not last[0] or breaks:
                pieces.append(Piece("", breaks=True))
            text, last = "", here
        if isinstance(node, NavigableString):
            text += visible(str(node))
        elif node.name == "img" and here[1] is not None:  # a picture as a link says where it leads
            text += attribute(node, "alt")
    _push(pieces, text, last[1])
    return _trimmed(pieces)


def _push(pieces: list[Piece], text: str, href: str | None) -> None:
    if text.strip():
        lead, tail = " " * text[:1].isspace(), " " * text[-1:].isspace()
        pieces.append(Piece(f"{lead}{squeeze(text)}{tail}", href))
    elif text and pieces and not pieces[-1].breaks:
        pieces.append(Piece(" ", None))


def _trimmed(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Pieces without breaks at the ends or next to each other."""
    kept: list[Piece] = []
    for piece in pieces:
        if piece.breaks and (not kept or kept[-1].breaks):
            continue
        kept.append(piece)
    while kept and (kept[-1].breaks or not kept[-1].text.strip()):
        kept.pop()
    return tuple(kept)


def _block_of(node: PageElement, cell: Tag) -> Tag | None:
    parent = node.parent
    while parent is not None and parent is not cell and parent.name not in _SEPARATING:
        parent = parent.parent
    return parent


def _link_of(node: PageElement, cell: Tag) -> str | None:
    parent = node.parent
    while parent is not None and parent is not cell:
        if parent.name == "a" and parent.has_attr("href"):
            return attribute(parent, "href").strip()
        parent = parent.parent
    return None
