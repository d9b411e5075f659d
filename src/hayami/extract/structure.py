"""The columns of a table that is a quick reference by what its cells do.

One column leads into sections.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hayami.extract.cells import cell_pieces, cell_text
from hayami.extract.grid import Grid
from hayami.extract.headers import HEADER_CELL
from hayami.extract.roles import MAX_WIDTH, Columns, ColumnSet
from hayami.extract.sections import Cut
from hayami.parts import Piece, text_of
from hayami.text.fold import fold, has_word
from hayami.text.numbering import STRONG_UNITS, reference_numbers

_NARROWEST: Final = 2
"""Columns of the narrowest quick-reference table: a question and a place."""
_SHARE: Final = 0.5
"""Share of a column's cells that must name or link to a section."""
_FILLED: Final = 0.3
"""Share of a column's cells that must not be empty: a column of group names has only a few."""
_LEAST: Final = 2
"""Cells that must do so."""
_MOST_HEADERS: Final = 4
"""Rows of header cells above the first others; more are no header."""
_TEXTS: Final = 0.7
"""Share of a column's cells that must be filled, and different, for them to be questions."""
_ADDRESS: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.\-]*:|//")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True, slots=True)
class Names:
    """What cells could name: folded headings and the ids that lead into a section."""

    headings: frozenset[str]
    anchors: frozenset[str]

    @classmethod
    def of(cls, cut: Cut) -> Names:
        """The names of a page's sections."""
        named = [h.text for h in cut.headings if h.section is not None and has_word(h.text)]
        ids = (name for name, (section, _) in cut.anchors.items() if section is not None)
        return cls(frozenset(map(fold, named)), frozenset(ids))

    def evidence(self, pieces: Sequence[Piece]) -> tuple[bool, bool]:
        """Whether a cell leads to a section, and whether it leads to another page."""
        section = page = False
        for piece in pieces:
            if not piece.href or _ADDRESS.match(piece.href):
                continue
            path, _, fragment = piece.href.partition("#")
            section |= bool(fragment) and (bool(path) or fragment in self.anchors)
            page |= bool(path)
        return section or self._names_section(text_of(pieces)), page

    def _names_section(self, text: str) -> bool:
        if fold(text) in self.headings:
            return True
        if len(text) > HEADER_CELL or text[:1] in {"(", "\uff08"}:
            return False
        return any(number.unit in STRONG_UNITS for number in reference_numbers(text).items)


def by_structure(grid: Grid, names: Names, detector: str) -> Columns | None:
    """The columns of a table of which one column links to sections or names them."""
    if not _NARROWEST <= grid.width <= MAX_WIDTH or len(grid.rows) < _LEAST:
        return None
    body = _header_end(grid)
    best = next((column for column in range(grid.width) if _leads(grid, column, body, names)), None)
    if best is None or (body == 0 and _is_property_list(grid, best)):
        return None
    if body == 0 and len(grid.rows) > _LEAST and not any(names.evidence(_pieces(grid, 0, best))):
        body = 1  # a first row of plain cells that names nothing, where all others do
    question = next((c for c in range(best) if _is_text(grid, c, body)), best)
    header = grid.at(body - 1, best) if body else None
    siblings = {best}
    if header is not None:
        siblings |= set(range(header.column, min(header.column + header.colspan, grid.width)))
    answer = next((c for c in range(grid.width) if c != question and c not in siblings), None)
    columns = ColumnSet(question, answer, tuple(sorted(siblings)))
    return Columns((columns,), body, detector)


def _is_property_list(grid: Grid, column: int) -> bool:
    """Whether the cells of a column are row headers.

    "Syntax:", "Default:" with links that explain these words.
    """
    cells = [grid.at(row, column) for row in range(len(grid.rows))]
    return all(cell.header for cell in cells if cell is not None)


def _header_end(grid: Grid) -> int:
    """Rows at the top that are header cells only."""
    for number, row in enumerate(grid.rows):
        own = [cell for cell in row if cell.row == number]
        if not own or not all(cell.header for cell in own) or number > _MOST_HEADERS:
            return number
    return 0


def _pieces(grid: Grid, row: int, column: int) -> tuple[Piece, ...]:
    cell = grid.at(row, column)
    return () if cell is None else cell_pieces(cell.element)


def _leads(grid: Grid, column: int, body: int, names: Names) -> bool:
    """Whether enough of a column's cells lead to sections.

    Or, beside at least some that do, to other pages.
    """
    filled = [p for row in range(body, len(grid.rows)) if (p := _pieces(grid, row, column))]
    if len(filled) < _FILLED * (len(grid.rows) - body):
        return False
    evidence = [names.evidence(pieces) for pieces in filled]
    sections = sum(section for section, _ in evidence)
    return sections >= _LEAST and sum(map(any, evidence)) >= _SHARE * len(filled)


def _is_text(grid: Grid, column: int, body: int) -> bool:
    """Whether a column's cells could be questions: words, and mostly different ones."""
    texts = [cell_text(grid.at(row, column)) for row in range(body, len(grid.rows))]
    filled = [text for text in texts if text]
    if not filled or len(filled) < _TEXTS * len(texts):
        return False
    words = [text for text in filled if _LETTERS.search(text)]
    return len(words) > len(filled) / 2 and len(set(filled)) > len(filled) * _TEXTS
