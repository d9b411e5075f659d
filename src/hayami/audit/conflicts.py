"""Rows on which judges disagree, as items for one who decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hayami.audit.draft import Drafter, read_drafter
from hayami.audit.items import Item, rejection_rows
from hayami.evalset.folder import EvalSet
from hayami.evalset.names import Known, RowKey, find_section
from hayami.evalset.qids import rows_of
from hayami.evalset.records import ARTICLE_REASONS, Query, Rejection
from hayami.verdicts.log import Verdict
from hayami.verdicts.settle import Conflict

STRATUM: Final = "conflict"
"""The stratum of items that were not drawn but disagreed on."""


@dataclass(frozen=True, slots=True)
class Disputed:
    """An item that judges do not agree on, and the last word of each."""

    item: Item
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Disputes:
    """What there is to decide."""

    found: tuple[Disputed, ...]
    """In the order of the set: queries first, then rejected rows."""
    lost: tuple[Conflict, ...]
    """Conflicts about rows or pooled sections that the set does not have any more."""


def find_disagreements(evalset: EvalSet, conflicts: Sequence[Conflict], sheet: Path) -> Disputes:
    """The queries and rejected rows of a set that the conflicts are about.

    Rows of one query are one item; a pooled section of it is an item of its own.

    Args:
        evalset: the set as it is now.
        conflicts: as :func:`hayami.verdicts.settle.settle` finds them.
        sheet: the file to which the items' ``set`` is relative.
    """
    waiting: dict[RowKey, list[Conflict]] = {}
    for conflict in conflicts:
        waiting.setdefault(conflict.row, []).append(conflict)
    if not waiting:
        return Disputes((), ())
    drafter = read_drafter(evalset, sheet)
    found: list[Disputed] = []
    lost: list[Conflict] = []
    sources = [(query, rows_of(query)) for query in evalset.queries()] + [
        (rejection, rejection_rows(rejection))
        for rejection in evalset.rejections()
        if rejection.reason not in ARTICLE_REASONS
    ]
    for source, rows in sources:
        for about in _by_slot(conflict for row in rows for conflict in waiting.pop(row, ())):
            item = _draft(drafter, source, about[0])
            if item is None:
                lost += about
            else:
                said = tuple(
                    dict.fromkeys(verdict for conflict in about for verdict in conflict.verdicts)
                )
                found.append(Disputed(item.model_copy(update={"stratum": STRATUM}), said))
    return Disputes(
        tuple(found), (*lost, *(conflict for left in waiting.values() for conflict in left))
    )


def _by_slot(conflicts: Iterable[Conflict]) -> list[list[Conflict]]:
    """The conflicts about the label together, and those about each pooled section."""
    slots: dict[tuple[str, str, int] | None, list[Conflict]] = {}
    for conflict in conflicts:
        slots.setdefault(conflict.verdicts[0].slot, []).append(conflict)
    return list(slots.values())


def _draft(drafter: Drafter, source: Query | Rejection, conflict: Conflict) -> Item | None:
    """The item to decide on; None if a pooled section is no longer there, or its query is now a rejected row."""
    pooled = conflict.verdicts[0].pooled
    if pooled is None:
        return drafter.label(source) if isinstance(source, Query) else drafter.rejected(source)
    known = [
        Known(name.section, name.heading) for name in drafter.by_article.get(pooled.article, ())
    ]
    section = find_section(pooled, known)
    return (
        drafter.pooled(source, section)
        if section is not None and isinstance(source, Query)
        else None
    )
