"""The scoring of an audit: precision, completeness and recall with intervals, faults by kind, agreement of judges."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

from hayami.audit.agreement import agree
from hayami.audit.figures import (
    Breakdown,
    Disagreement,
    FaultKind,
    FaultyRow,
    GroupShare,
    Judge,
    JudgedStratum,
    JudgeSaid,
    Need,
    Pair,
    Quality,
    Recall,
    Requirement,
    RowSaid,
    Score,
    StateCounts,
)
from hayami.audit.intervals import (
    LEVEL,
    Bounds,
    Proportion,
    StratumCounts,
    flawless_rows,
    more_rows,
    plain,
    rows_at_rate,
    weighted,
)
from hayami.audit.items import Item, Kind
from hayami.audit.judged import Judged, State, outcome_of
from hayami.evalset.records import TRUST, Match, Ruling

CLAIM: Final = 0.95
"""The precision that is to be claimed unless the user says otherwise."""


def score(judged: Sequence[Judged], *, claim: float = CLAIM) -> Score:
    """The figures of an audit.

    Args:
        judged: the rows of the sheets, as :func:`hayami.audit.judged.gather` gives them.
        claim: the precision of which is said how many rows it takes, above 0 and below 1.

    Source: the audit of 40 labels in the seed article, whose interval is Clopper and Pearson's.
    """
    labels = [row for row in judged if row.item.kind is Kind.LABEL and row.by_chance]
    rejected = [row for row in judged if row.item.kind is Kind.REJECTION and row.by_chance]
    pooled = [row for row in judged if row.item.kind is Kind.POOL]
    precision = _quality(labels, ("match", "language", "detector"))
    rejections = _quality(rejected, ("reason", "language"))
    pool = _tally(pooled)
    right = [row for row in labels if row.state is State.RIGHT]
    return Score(
        set_sha256=judged[0].item.set_sha256 if judged else "",
        level=LEVEL,
        labels=precision,
        completeness=weighted(_cells(labels, _right, lambda row: row.complete)),
        missing_sections=sum(
            len({name for said in row.standing for name in said.chosen}) for row in right
        ),
        rejections=rejections,
        recall=_recall(labels, rejected, precision, rejections),
        pool=pool,
        accepted=plain(pool.right, pool.right + pool.wrong),
        picked=_tally(
            [row for row in judged if row.item.kind is not Kind.POOL and not row.by_chance]
        ),
        faults=tuple(
            sorted(
                (f for r in judged for f in _faults(r)), key=lambda f: list(FaultKind).index(f.kind)
            )
        ),
        judges=_judges(judged, labels),
        pairs=_pairs(judged),
        disagreements=tuple(_disagreement(row) for row in judged if row.differs),
        need=_need(claim, precision.estimate),
    )


def require(found: Score, required: float) -> Requirement:
    """Whether the exact lower bound of the precision, over all strata, is at or above ``required``."""
    estimate = found.labels.estimate
    if estimate is None:
        return Requirement(
            required, met=False, why="no label that was drawn by chance is judged", more=None
        )
    if found.labels.not_covered:
        names = ", ".join(found.labels.not_covered)
        return Requirement(required, met=False, why=f"nothing is judged of {names}", more=None)
    more = more_rows(required, estimate)
    bound = (
        f"the lower bound of the precision is {estimate.exact.low:.3f}, {required:g} is required"
    )
    takes = (
        "no number of rows can show it"
        if more is None
        else f"it would take {more:,} more rows without an error"
    )
    return Requirement(
        required, met=more == 0, why="" if more == 0 else f"{bound}: {takes}", more=more
    )


# --- the parts --------------------------------------------------------------------------------------------------------

_Answer = Callable[[Judged], bool | None]
"""What a row says to a yes-or-no question; None if nothing."""


def _right(row: Judged) -> bool | None:
    return {State.RIGHT: True, State.WRONG: False}.get(row.state)


def _right_for_certain(row: Judged) -> bool | None:
    return None if row.state is State.UNJUDGED else row.state is State.RIGHT


def _tally(rows: Sequence[Judged]) -> StateCounts:
    states = Counter(row.state for row in rows)
    return StateCounts(len(rows), *(states[state] for state in State))


def _order(name: str) -> tuple[list[int], str]:
    """By trust where a match is named, then by name."""
    words = re.split(r"\W+", name)
    return [TRUST.index(Match(word)) for word in words if word in set(Match)], name


def _strata(rows: Sequence[Judged]) -> dict[str, list[Judged]]:
    found: dict[str, list[Judged]] = {}
    for row in sorted(rows, key=lambda row: _order(row.item.stratum)):
        found.setdefault(row.item.stratum, []).append(row)
    return found


def _cells(rows: Sequence[Judged], judged: _Answer, share: _Answer) -> list[StratumCounts]:
    """The strata as the estimator takes them: ``judged`` rows stand for the stratum, ``share`` is what is estimated."""
    cells = []
    for members in _strata(rows).values():
        counted = [row for row in members if judged(row) is not None]
        answers = [answer for row in counted if (answer := share(row)) is not None]
        cells.append(
            StratumCounts(members[0].item.population, len(counted), len(answers), sum(answers))
        )
    return cells


def _share(rows: Sequence[Judged]) -> Proportion | None:
    answers = [answer for row in rows if (answer := _right(row)) is not None]
    return plain(sum(answers), len(answers))


def _quality(rows: Sequence[Judged], properties: Sequence[str]) -> Quality:
    strata = tuple(
        JudgedStratum(
            name,
            population=members[0].item.population,
            drawn=max(row.item.drawn for row in members),
            rows=len(members),
            share=_share(members),
        )
        for name, members in _strata(rows).items()
    )
    return Quality(
        tally=_tally(rows),
        estimate=weighted(_cells(rows, _right, _right)),
        unweighted=_share(rows),
        if_all_wrong=weighted(_cells(rows, _right_for_certain, _right_for_certain)),
        strata=strata,
        not_covered=tuple(stratum.name for stratum in strata if stratum.share is None),
        population=sum(stratum.population for stratum in strata),
        breakdowns=tuple(_breakdown(rows, by) for by in properties),
    )


def _breakdown(rows: Sequence[Judged], by: str) -> Breakdown:
    groups: dict[str, list[Judged]] = {}
    for row in rows:
        groups.setdefault(str(getattr(row.item, by) or "none"), []).append(row)
    shares = ((value, _share(groups[value])) for value in sorted(groups, key=_order))
    return Breakdown(
        by, tuple(GroupShare(value, share) for value, share in shares if share is not None)
    )


def _recall(
    labels: Sequence[Judged], rejected: Sequence[Judged], precision: Quality, rejections: Quality
) -> Recall | None:
    half = (1 + LEVEL) / 2  # Bonferroni: each of the two parts may fail half as often
    right = weighted(_cells(labels, _right, _right), half)
    rightly = weighted(_cells(rejected, _right, _right), half)
    if right is None or rightly is None:
        return None

    def recall(right_share: float, rightly_share: float) -> float:
        found = right_share * precision.population
        return found / (found + (1 - rightly_share) * rejections.population)

    right_labels, missed = (
        right.value * precision.population,
        (1 - rightly.value) * rejections.population,
    )
    if right_labels + missed == 0:
        return None
    interval = Bounds(
        recall(right.exact.low, rightly.exact.low), recall(right.exact.high, rightly.exact.high)
    )
    return Recall(recall(right.value, rightly.value), interval, right_labels, missed)


def _need(claim: float, estimate: Proportion | None) -> Need:
    if estimate is None:
        return Need(claim, flawless_rows(claim), None, None, None)
    at_rate = rows_at_rate(claim, estimate.value)
    return Need(
        claim, flawless_rows(claim), at_rate, more_rows(claim, estimate), estimate.exact.low
    )


# --- rows to look at --------------------------------------------------------------------------------------------------


def _row(judged: Judged, said: Sequence[Item]) -> RowSaid:
    item = judged.item
    return RowSaid(
        item=item.item,
        kind=item.kind,
        qid=item.qid,
        question=item.question,
        article=item.article,
        language=item.language,
        reference=item.reference,
        sections=item.sections,
        said=tuple(
            JudgeSaid(s.judge, s.verdict, s.chosen, s.rewrite, s.note)
            for s in said
            if s.verdict is not None
        ),
    )


def _kinds(said: Item) -> set[FaultKind]:
    """What a ruling finds wrong with its row."""
    if said.kind is Kind.POOL:
        return set()
    found: set[FaultKind] = set()
    if said.kind is Kind.REJECTION:
        found |= {FaultKind.MISSED_ROW} if outcome_of(said) is False else set()
    elif said.verdict is Ruling.NOTHING:
        found.add(FaultKind.NOTHING_ANSWERS)
    elif outcome_of(said) is False:
        found.add(FaultKind.WRONG_SECTION)
    elif said.verdict is Ruling.ALSO:
        found.add(FaultKind.MISSING_SECTION)
    if said.verdict is Ruling.CONTEXT or said.rewrite.strip():
        found.add(FaultKind.NOT_ALONE)
    return found


def _faults(row: Judged) -> list[FaultyRow]:
    if row.state is State.DISPUTED:
        return []
    by_kind = {kind: [said for said in row.standing if kind in _kinds(said)] for kind in FaultKind}
    return [FaultyRow(kind, _row(row, said)) for kind, said in by_kind.items() if said]


def _disagreement(row: Judged) -> Disagreement:
    outcomes = {outcome for said in row.said if (outcome := outcome_of(said)) is not None}
    settled = row.adjudicated.verdict if row.adjudicated is not None else None
    return Disagreement(_row(row, row.said), len(outcomes) > 1, settled)


# --- several judges ---------------------------------------------------------------------------------------------------


def _by(row: Judged, judge: str) -> Item | None:
    return next((said for said in row.said if said.judge == judge), None)


def _names(judged: Sequence[Judged]) -> list[str]:
    return sorted({said.judge for row in judged for said in row.said})


def _judges(judged: Sequence[Judged], labels: Sequence[Judged]) -> tuple[Judge, ...]:
    def answer(judge: str) -> _Answer:
        return lambda row: outcome_of(said) if (said := _by(row, judge)) is not None else None

    names = _names(judged)
    return tuple(
        Judge(
            name,
            sum(_by(row, name) is not None for row in judged),
            weighted(_cells(labels, answer(name), answer(name))),
        )
        for name in names
        if len(names) > 1
    )


def _pairs(judged: Sequence[Judged]) -> tuple[Pair, ...]:
    found = []
    for first, second in combinations(_names(judged), 2):
        both = [(a, b) for row in judged if (a := _by(row, first)) and (b := _by(row, second))]
        sure = [
            (x, y)
            for a, b in both
            if (x := outcome_of(a)) is not None and (y := outcome_of(b)) is not None
        ]
        if both:
            rulings = agree([(_ruling(a), _ruling(b)) for a, b in both], tuple(Ruling))
            found.append(Pair(first, second, agree(sure, (True, False)), rulings))
    return tuple(found)


def _ruling(said: Item) -> Ruling | None:
    """The ruling; of a rejected row ``nothing`` is another word for ``right``."""
    same = said.kind is Kind.REJECTION and said.verdict is Ruling.NOTHING
    return Ruling.RIGHT if same else said.verdict
