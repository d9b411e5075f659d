"""Tables without header words, judged by what they do and how they read.

One column leads into sections, another reads as what somebody wants to know: that is a quick
reference. A list of parameters leads into sections too, but by names, and no column reads so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from selectolax.lexbor import LexborNode

from hayami.extract.cells import cell_text
from hayami.extract.grid import Grid
from hayami.extract.needs import reads_as_need
from hayami.extract.roles import Columns, ColumnSet
from hayami.extract.sections import Cut
from hayami.extract.structure import Names, by_structure
from hayami.text.fold import squeeze

_NEEDS: Final = 0.6
"""Share of a column's cells that must read as needs."""
_DISTINCT: Final = 0.7
"""Share of them that must differ."""
_THINGS: Final = 0.5
"""Share of the cells that lead into sections from which they are names of things."""
_LEAST: Final = 2
"""Cells that must lead into sections."""
_A_THING: Final = re.compile(r"[!-~]+|[^\u3041-\uffff]*[(<=*_][^\u3041-\uffff]*")
"""A word without a blank, or what holds a sign of code."""


@dataclass(frozen=True)
class TableJudge:
    """Judges the tables of one page."""

    cut: Cut

    @cached_property
    def _names(self) -> Names:
        return Names.of(self.cut)

    @cached_property
    def _headings(self) -> frozenset[str]:
        return frozenset(heading.text for heading in self.cut.headings)

    def may_lead(self, table: LexborNode) -> bool:
        """A quick look: whether enough cells link to a place, or are the text of a heading."""
        links = [link.attributes.get("href") or "" for link in table.css("a[href]")]
        if sum("#" in href for href in links) >= _LEAST:
            return True
        cells = table.css("td") if self._headings else []
        return sum(squeeze(cell.text()) in self._headings for cell in cells) >= _LEAST

    def columns(self, grid: Grid, detector: str) -> tuple[Columns | None, bool]:
        """The columns of a quick reference, None if it is none.

        And whether a column leads into sections.
        """
        found = by_structure(grid, self._names, detector)
        if found is None:
            return None, False
        references = found.sets[0].references
        if _name_things(grid, references, found.body):
            return None, True
        others = [column for column in range(grid.width) if column not in references]
        shares = {column: _share_of_needs(grid, column, found.body) for column in others}
        asked = max(others, key=lambda column: shares[column], default=None)
        if asked is None or shares[asked] < _NEEDS:
            return None, True
        answer = next((column for column in others if column != asked), None)
        return replace(found, sets=(ColumnSet(asked, answer, references),)), True


def _share_of_needs(grid: Grid, column: int, body: int) -> float:
    """The share of a column's rows that read as needs; none if too many are the same."""
    texts = _texts(grid, column, body)
    if len(set(texts)) < _DISTINCT * len(texts):
        return 0.0
    return sum(map(reads_as_need, texts)) / max(1, len(texts))


def _name_things(grid: Grid, columns: Iterable[int], body: int) -> bool:
    """Whether cells are mostly single words or code: what parameter lists lead into sections by."""
    texts: list[str] = []
    for column in columns:
        texts += filter(None, _texts(grid, column, body))
    names = [text for text in texts if _A_THING.fullmatch(text)]
    return len(names) > _THINGS * len(texts)


def _texts(grid: Grid, column: int, body: int) -> list[str]:
    return [cell_text(grid.at(row, column)) for row in range(body, len(grid.rows))]
