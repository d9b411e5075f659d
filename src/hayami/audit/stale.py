"""Verdicts that an eval set can no longer follow: their row is gone, or the section they name."""

from __future__ import annotations

from collections.abc import Iterator

from hayami.audit.sheets import rejection_rows
from hayami.evalset.folder import EvalSet
from hayami.evalset.names import RowKey, known_sections
from hayami.evalset.qids import rows_of
from hayami.evalset.records import ARTICLE_REASONS, Query, Reason, Rejection
from hayami.verdicts.effect import Stale, effect_of, rows_gone, unique_stale
from hayami.verdicts.settle import Settlement


def stale_verdicts(evalset: EvalSet, settlement: Settlement) -> tuple[Stale, ...]:
    """The verdicts that a build of this set's articles could not apply, in the order of time.

    The set may have been built with these verdicts or without: what the rules found is in the
    evidence either way.
    """
    known = known_sections(evalset.sections(), settlement.articles)
    stale: list[Stale] = []
    seen: set[RowKey] = set()
    for row, found in _rows(evalset):
        seen.add(row)
        decision = settlement.decisions.get(row)
        if decision is not None:
            stale += effect_of(decision, found, lambda article: known.get(article, ())).stale
    return unique_stale([*stale, *rows_gone(settlement, seen)])


def _rows(evalset: EvalSet) -> Iterator[tuple[RowKey, tuple[str, ...]]]:
    """Every row of a set with the sections that the rules found for it."""
    for query in evalset.queries():
        for row in rows_of(query):
            yield row, _found(query)
    for rejection in evalset.rejections():
        if rejection.reason not in ARTICLE_REASONS:
            yield rejection_rows(rejection)[0], _rejected(rejection)


def _found(query: Query) -> tuple[str, ...]:
    before = dict.fromkeys(section for applied in query.verdicts for section in applied.found)
    return tuple(before) if query.verdicts else tuple(query.relevant)


def _rejected(rejection: Rejection) -> tuple[str, ...]:
    if rejection.reason is not Reason.DROPPED_BY_VERDICT:
        return ()
    return tuple(
        candidate.section for candidate in rejection.candidates if candidate.section is not None
    )
