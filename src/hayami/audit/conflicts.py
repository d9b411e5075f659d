"""Rows on which judges disagree, as items for one who decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from hayami.audit.draft import Drafter, read_drafter
from hayami.audit.items import Item, rejection_rows
from hayami.evalset.folder import EvalSet
from hayami.evalset.names import Known, RowKey, known_sections
from hayami.evalset.qids import rows_of
from hayami.evalset.records import ARTICLE_REASONS, Query, Rejection
from hayami.verdicts.follow import Lost, follow
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


def find_disputes(evalset: EvalSet, conflicts: Sequence[Conflict], sheet: Path) -> Disputes:
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
    known = known_sections(evalset.sections(), _articles_of_pooled(conflicts))
    found: list[Disputed] = []
    lost: list[Conflict] = []
    for source, rows in _sources(evalset):
        of_source = [conflict for row in rows for conflict in waiting.pop(row, ())]
        for about in _by_slot(of_source):
            item = _draft(drafter, source, about[0], known)
            if item is None:
                lost += about
            else:
                found.append(_disputed(item, about))
    lost += chain.from_iterable(waiting.values())
    return Disputes(tuple(found), tuple(lost))


def _articles_of_pooled(conflicts: Iterable[Conflict]) -> set[str]:
    pooled = (conflict.verdicts[0].pooled for conflict in conflicts)
    return {name.article for name in pooled if name is not None}


def _sources(evalset: EvalSet) -> Iterator[tuple[Query | Rejection, Sequence[RowKey]]]:
    """The queries of a set, then its rejected rows, with their keys."""
    for query in evalset.queries():
        yield query, rows_of(query)
    for rejection in evalset.rejections():
        if rejection.reason not in ARTICLE_REASONS:
            yield rejection, rejection_rows(rejection)


def _disputed(item: Item, about: Sequence[Conflict]) -> Disputed:
    verdicts = chain.from_iterable(conflict.verdicts for conflict in about)
    said = tuple(dict.fromkeys(verdicts))  # rows of one query can share a verdict
    return Disputed(item.model_copy(update={"stratum": STRATUM}), said)


def _by_slot(conflicts: Iterable[Conflict]) -> list[list[Conflict]]:
    """The conflicts about the label together, and those about each pooled section."""
    slots: dict[tuple[str, str, int] | None, list[Conflict]] = {}
    for conflict in conflicts:
        slots.setdefault(conflict.verdicts[0].slot, []).append(conflict)
    return list(slots.values())


def _draft(
    drafter: Drafter,
    source: Query | Rejection,
    conflict: Conflict,
    known: Mapping[str, Sequence[Known]],
) -> Item | None:
    """The item to decide on.

    None if a pooled section is no longer there, or its query is now a rejected row.
    """
    pooled = conflict.verdicts[0].pooled
    if pooled is None:
        return drafter.label(source) if isinstance(source, Query) else drafter.rejected(source)
    section = follow(pooled, known.get(pooled.article, ()))
    if isinstance(section, Lost) or not isinstance(source, Query):
        return None
    return drafter.pooled(source, section)
