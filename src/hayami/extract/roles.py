"""The columns of a table that is a quick reference by the words of its header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hayami.extract.cells import cell_text
from hayami.extract.grid import Grid
from hayami.extract.headers import (
    ANSWER,
    FIRST_ROWS,
    QUESTION,
    REFERENCE,
    SITUATION,
    HeaderWords,
)

HEADER_ROWS: Final = 2
"""Rows that a header may have."""
MAX_WIDTH: Final = 60
"""Columns beyond which a table is data, not a quick reference.

(A note over all columns may claim 1000.)
"""
_RECORDS: Final = 2
"""Columns of the narrowest table whose header runs down its first one: that, and a question."""


@dataclass(frozen=True, slots=True)
class ColumnSet:
    """The columns of one question with its answer and references."""

    question: int
    answer: int | None
    references: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a quick-reference table and the row after its header."""

    sets: tuple[ColumnSet, ...]
    """One, or several side by side."""
    body: int
    detector: str


def find_header(grid: Grid, words: HeaderWords) -> tuple[int, int, list[str]] | None:
    """The header's first row, the row after it, and the role of each column; None if there is none.

    The header is one row or two, and stands first, or under rows that have fewer texts than it:
    titles, spacing, notes.
    """
    most = 0
    for first in range(min(FIRST_ROWS, len(grid.rows))):
        filled = _filled(grid, first)
        found = _header_at(grid, first, words) if filled > most else None
        if found is not None:
            return first, *found
        if not _may_stand_above(grid, first, filled):
            return None
        most = max(most, filled)
    return None


def _filled(grid: Grid, row: int) -> int:
    """How many columns of a row have a text."""
    own = [cell for cell in grid.rows[row] if cell.row == row]
    return sum(bool(cell_text(cell)) for cell in own)


def _may_stand_above(grid: Grid, row: int, filled: int) -> bool:
    """Whether a row can stand above a header.

    A title, spacing, or a note of few words in a wide table.
    """
    return filled <= 1 or len(grid.rows[row]) == 1 or 2 * filled <= grid.width


def _header_at(grid: Grid, first: int, words: HeaderWords) -> tuple[int, list[str]] | None:
    """The row after a header that begins at a row, and the roles of the columns.

    None if none begins there.
    """
    own = [cell for cell in grid.rows[first] if cell.row == first]
    goes_on = any(cell.rowspan > 1 for cell in own)
    spans = any(cell.colspan > 1 for cell in own)
    depths = range(1, min(HEADER_ROWS, len(grid.rows) - first) + 1)
    for depth in reversed(depths) if goes_on else depths:
        if depth > 1 and not goes_on and not spans:
            return None  # a second header row only stands under cells that span
        roles = _roles(grid, first, first + depth, words)
        if QUESTION in roles and REFERENCE in roles:
            ends = [cell.row + max(cell.rowspan, 1) for cell in own if cell.header]
            body = max([first + depth, *(end for end in ends if end <= first + depth + 1)])
            return body, roles
    return None


def _roles(grid: Grid, first: int, last: int, words: HeaderWords) -> list[str]:
    """The role of each column by its header cells; other situations than the question have none."""
    width = min(grid.width, MAX_WIDTH)
    roles = [_role_of(grid, column, first, last, words) for column in range(width)]
    if QUESTION not in roles and SITUATION in roles:
        roles[roles.index(SITUATION)] = QUESTION
    return ["" if role == SITUATION else role for role in roles]


def _role_of(grid: Grid, column: int, first: int, last: int, words: HeaderWords) -> str:
    """The role of a column by its header cells, the lowest first."""
    for row in range(last - 1, first - 1, -1):
        cell = grid.at(row, column)
        if cell is None or cell.colspan >= max(2, grid.width):
            continue
        if role := words.kind(cell_text(cell)):
            return role
    return ""


def by_header(grid: Grid, words: HeaderWords, detector: str) -> Columns | None:
    """The columns by the words of a header; None if it has none for question and reference."""
    found = find_header(grid, words)
    if found is None:
        return None
    _, body, roles = found
    return Columns(tuple(column_sets(roles)), body, detector)


def column_sets(roles: Sequence[str]) -> list[ColumnSet]:
    """The sets of columns that a header's roles tell: several if they stand side by side.

    >>> [s.references for s in column_sets(["question", "reference", "question", "reference"])]
    [(1,), (3,)]
    """
    starts = _starts(roles)
    ends = [*starts[1:], len(roles)]
    return [_column_set(roles, start, end) for start, end in zip(starts, ends, strict=True)]


def _starts(roles: Sequence[str]) -> list[int]:
    """Where each set of columns begins.

    At a role that opened the first set, if that has all it needs.
    """
    lead = next(column for column, role in enumerate(roles) if role)
    starts = [0]
    for column, role in enumerate(roles):
        if role != roles[lead]:
            continue
        numbered = not any(roles[column - lead : column])  # a column of numbers before each set
        start = column - lead if numbered else column
        if _is_whole(roles[starts[-1] : start]) and _is_whole(roles[start:]):
            starts.append(start)
    return starts


def _is_whole(roles: Sequence[str]) -> bool:
    return QUESTION in roles and REFERENCE in roles


def _column_set(roles: Sequence[str], start: int, end: int) -> ColumnSet:
    own = range(start, end)
    question = next(column for column in own if roles[column] == QUESTION)
    answer = next((column for column in own if roles[column] == ANSWER), None)
    if answer is None:  # the one beside the question whose header is no known word
        answer = next((column for column in own if column > question and not roles[column]), None)
    references = tuple(column for column in own if roles[column] == REFERENCE)
    return ColumnSet(question, answer, references)


def by_header_column(turned: Grid, words: HeaderWords, detector: str) -> Columns | None:
    """The columns of a turned table whose header ran down its first column.

    Each row is then a question.

    None if not all cells of that column are headers, or words for one.
    """
    if len(turned.rows) < _RECORDS or not _RECORDS <= turned.width <= FIRST_ROWS:
        return None
    cells = [turned.at(0, column) for column in range(turned.width)]
    named = [cell for cell in cells if cell_text(cell)]
    roles = _roles(turned, 0, 1, words)
    if not _is_whole(roles) or roles.count(QUESTION) > 1:
        return None
    headed = all(cell is not None and cell.header for cell in named)
    if not headed and sum(map(bool, roles)) < len(named):
        return None
    return Columns(tuple(column_sets(roles)), 1, detector)
