"""The scoring of an audit: shares with intervals, faults by kind, the agreement of judges."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
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
    Pair,
    Quality,
    Recall,
    Requirement,
    RowSaid,
    RowsNeeded,
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
    pooled = [row for row in judged if row.item.kind is Kind.POOL]
    others = [row for row in judged if row.item.kind is not Kind.POOL]
    labels = [row for row in others if row.item.kind is Kind.LABEL and row.by_chance]
    rejected = [row for row in others if row.item.kind is Kind.REJECTION and row.by_chance]
    precision = _quality(labels, ("match", "language", "detector"))
    rejections = _quality(rejected, ("reason", "language"))
    pool = _tally(pooled)
    return Score(
        set_sha256=judged[0].item.set_sha256 if judged else "",
        level=LEVEL,
        labels=precision,
        completeness=weighted(_cells(labels, _right, lambda row: row.complete)),
        missing_sections=sum(map(_added, labels)),
        rejections=rejections,
        recall=_recall(labels, rejected, precision, rejections),
        pool=pool,
        accepted=plain(pool.right, pool.right + pool.wrong),
        picked=_tally([row for row in others if not row.by_chance]),
        faults=_all_faults(judged),
        judges=_judges(judged, labels),
        pairs=_pairs(judged),
        disagreements=tuple(_disagreement(row) for row in judged if row.differs),
        need=_need(claim, precision.estimate),
    )


def require(found: Score, required: float) -> Requirement:
    """Whether the exact lower bound of the precision, over all strata, reaches ``required``."""
    estimate = found.labels.estimate
    if estimate is None:
        why = "no label that was drawn by chance is judged"
        return Requirement(required, met=False, why=why, more=None)
    if found.labels.not_covered:
        why = f"nothing is judged of {', '.join(found.labels.not_covered)}"
        return Requirement(required, met=False, why=why, more=None)
    more = more_rows(required, estimate)
    if more == 0:
        return Requirement(required, met=True, why="", more=0)
    bound = f"the lower bound of the precision is {estimate.exact.low:.3f}"
    takes = "no number of rows can show it"
    if more is not None:
        takes = f"it would take {more:,} more rows without an error"
    return Requirement(
        required, met=False, why=f"{bound}, {required:g} is required: {takes}", more=more
    )


# --- the parts ------------------------------------------------------------------------------------

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
    """The strata as the estimator takes them.

    Rows that are ``judged`` stand for their stratum, ``share`` is what is estimated.
    """
    cells = []
    for members in _strata(rows).values():
        counted = [row for row in members if judged(row) is not None]
        answers = _answers(counted, share)
        cells.append(
            StratumCounts(members[0].item.population, len(counted), len(answers), sum(answers))
        )
    return cells


def _answers(rows: Iterable[Judged], asked: _Answer) -> list[bool]:
    """What the rows say that say something."""
    return [answer for answer in map(asked, rows) if answer is not None]


def _share(rows: Iterable[Judged]) -> Proportion | None:
    answers = _answers(rows, _right)
    return plain(sum(answers), len(answers))


def _added(row: Judged) -> int:
    """How many sections judges add to a right label."""
    if row.state is not State.RIGHT:
        return 0
    return len(frozenset[str]().union(*(said.chosen for said in row.standing)))


def _quality(rows: Sequence[Judged], properties: Sequence[str]) -> Quality:
    strata = tuple(_stratum(name, members) for name, members in _strata(rows).items())
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


def _stratum(name: str, members: Sequence[Judged]) -> JudgedStratum:
    return JudgedStratum(
        name,
        population=members[0].item.population,
        drawn=max(row.item.drawn for row in members),
        rows=len(members),
        share=_share(members),
    )


def _breakdown(rows: Sequence[Judged], by: str) -> Breakdown:
    groups: dict[str, list[Judged]] = {}
    for row in rows:
        groups.setdefault(str(getattr(row.item, by) or "none"), []).append(row)
    parts = []
    for value in sorted(groups, key=_order):
        share = _share(groups[value])
        if share is not None:
            parts.append(GroupShare(value, share))
    return Breakdown(by, tuple(parts))


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

    right_labels = right.value * precision.population
    missed = (1 - rightly.value) * rejections.population
    if right_labels + missed == 0:
        return None
    lowest = recall(right.exact.low, rightly.exact.low)
    highest = recall(right.exact.high, rightly.exact.high)
    value = recall(right.value, rightly.value)
    return Recall(value, Bounds(lowest, highest), right_labels, missed)


def _need(claim: float, estimate: Proportion | None) -> RowsNeeded:
    if estimate is None:
        return RowsNeeded(claim, flawless_rows(claim), None, None, None)
    at_rate = rows_at_rate(claim, estimate.value)
    return RowsNeeded(
        claim, flawless_rows(claim), at_rate, more_rows(claim, estimate), estimate.exact.low
    )


# --- rows to look at ------------------------------------------------------------------------------


def _row(judged: Judged, said: Sequence[Item]) -> RowSaid:
    item = judged.item
    told = [
        JudgeSaid(one.judge, one.verdict, one.chosen, one.rewrite, one.note)
        for one in said
        if one.verdict is not None
    ]
    return RowSaid(
        item=item.item,
        kind=item.kind,
        qid=item.qid,
        question=item.question,
        article=item.article,
        language=item.language,
        reference=item.reference,
        sections=item.sections,
        said=tuple(told),
    )


def _kinds(said: Item) -> set[FaultKind]:
    """What a ruling finds wrong with its row."""
    if said.kind is Kind.POOL:
        return set()
    found: set[FaultKind] = set()
    if said.verdict is Ruling.CONTEXT or said.rewrite.strip():
        found.add(FaultKind.NOT_ALONE)
    if outcome_of(said) is False:
        found.add(_wrong(said))
    elif said.verdict is Ruling.ALSO:
        found.add(FaultKind.MISSING_SECTION)
    return found


def _wrong(said: Item) -> FaultKind:
    """What is wrong with a row that a judge found wrong."""
    if said.kind is Kind.REJECTION:
        return FaultKind.MISSED_ROW
    if said.verdict is Ruling.NOTHING:
        return FaultKind.NOTHING_ANSWERS
    return FaultKind.WRONG_SECTION


def _all_faults(judged: Sequence[Judged]) -> tuple[FaultyRow, ...]:
    """The faults of all rows, by kind, and in the order of the rows."""
    found: list[FaultyRow] = []
    for kind in FaultKind:
        for row in judged:
            said = [one for one in row.standing if kind in _kinds(one)]
            if said and row.state is not State.DISPUTED:
                found.append(FaultyRow(kind, _row(row, said)))
    return tuple(found)


def _disagreement(row: Judged) -> Disagreement:
    outcomes = {outcome_of(said) for said in row.said} - {None}
    settled = None if row.adjudicated is None else row.adjudicated.verdict
    return Disagreement(_row(row, row.said), len(outcomes) > 1, settled)


# --- several judges -------------------------------------------------------------------------------


def _by(row: Judged, judge: str) -> Item | None:
    return next((said for said in row.said if said.judge == judge), None)


def _names(judged: Sequence[Judged]) -> list[str]:
    names: set[str] = set()
    for row in judged:
        names.update(said.judge for said in row.said)
    return sorted(names)


def _judges(judged: Sequence[Judged], labels: Sequence[Judged]) -> tuple[Judge, ...]:
    names = _names(judged)
    if len(names) < 2:  # noqa: PLR2004 - one judge's figures are those of all
        return ()
    return tuple(_judge(name, judged, labels) for name in names)


def _judge(name: str, judged: Sequence[Judged], labels: Sequence[Judged]) -> Judge:
    def answer(row: Judged) -> bool | None:
        said = _by(row, name)
        return None if said is None else outcome_of(said)

    rows = sum(_by(row, name) is not None for row in judged)
    return Judge(name, rows, weighted(_cells(labels, answer, answer)))


def _pairs(judged: Sequence[Judged]) -> tuple[Pair, ...]:
    found = []
    for first, second in combinations(_names(judged), 2):
        said = [(_by(row, first), _by(row, second)) for row in judged]
        both = [(a, b) for a, b in said if a is not None and b is not None]
        if both:
            found.append(_pair(first, second, both))
    return tuple(found)


def _pair(first: str, second: str, both: Sequence[tuple[Item, Item]]) -> Pair:
    """How two judges agree, by what they said about the rows that both judged."""
    outcomes = [(outcome_of(a), outcome_of(b)) for a, b in both]
    sure = [pair for pair in outcomes if None not in pair]
    rulings = [(_ruling(a), _ruling(b)) for a, b in both]
    return Pair(first, second, agree(sure, (True, False)), agree(rulings, tuple(Ruling)))


def _ruling(said: Item) -> Ruling | None:
    """The ruling; of a rejected row ``nothing`` is another word for ``right``."""
    if said.kind is Kind.REJECTION and said.verdict is Ruling.NOTHING:
        return Ruling.RIGHT
    return said.verdict
