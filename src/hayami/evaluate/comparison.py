"""Two runs over the same queries.

The difference, how sure it is, and the queries that it comes from.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from hayami.evalset.runs import Run
from hayami.evaluate.bootstrap import Interval, intervals
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.measures import Measure, score_run
from hayami.evaluate.significance import (
    ALPHA,
    DRAWS,
    Outcomes,
    SignFlip,
    Values,
    cluster_sums,
    count_outcomes,
    detectable_difference,
    holm,
    sign_flip_test,
    standard_error,
)

BOOTSTRAPS: Final = 2_000
"""Draws of a bootstrap interval, as in the seed."""
SHOWN: Final = 5
"""Results of a changed query that are set beside each other."""


@dataclass(frozen=True, slots=True)
class Side:
    """What a comparison needs to know about a run; a stored baseline has it too."""

    name: str
    values: Mapping[str, Mapping[str, float]]
    """Per measure the value of every query."""
    top: Mapping[str, tuple[str, ...]]
    """Per query its first results; a query that is missing from the run is missing here."""


@dataclass(frozen=True, slots=True)
class RunDifference:
    """One run against another by one measure: always ``other`` less ``base``."""

    measure: str
    base: str
    other: str
    base_mean: float
    other_mean: float
    by_query: Interval
    """95% bootstrap interval of the mean difference, queries drawn."""
    by_article: Interval
    """Idem, articles drawn with all their queries: the questions of one article are not
    independent."""
    test: SignFlip
    """Sign-flip test over the queries."""
    test_by_article: SignFlip
    """Sign-flip test over the articles: the queries of one article change sign together."""
    p_holm: float
    """``test.p`` adjusted for all differences of this comparison."""
    outcomes: Outcomes
    """Queries on which ``other`` wins, ties and loses."""
    detectable: float | None
    """Least true difference that the set finds in 80% of cases at 5%, for runs that differ as these
    do: by query or by article, whichever is larger. None if the runs are equal on every query, or
    there is but one query or article."""
    values: tuple[float, ...]
    """The difference of every query, in the order of the qrels."""

    @property
    def difference(self) -> float:
        """The mean difference, -1 to 1."""
        return self.other_mean - self.base_mean

    @property
    def clear(self) -> bool:
        """Whether both intervals leave out 0 and the adjusted p-value is below 5%.

        More than chance explains.
        """
        apart = all(one.low > 0 or one.high < 0 for one in (self.by_query, self.by_article))
        return apart and self.p_holm < ALPHA

    @property
    def verdict(self) -> str:
        """``better``, ``worse``, ``not clear``, or ``equal`` where no query differs."""
        if not self.outcomes.wins and not self.outcomes.losses:
            return "equal"
        if not self.clear:
            return "not clear"
        return "better" if self.difference > 0 else "worse"

    @property
    def crossed(self) -> bool:
        """Whether the mean says one thing and the count of wins and losses another.

        A few queries changed a lot.
        """
        return self.difference * (self.outcomes.wins - self.outcomes.losses) < 0


@dataclass(frozen=True, slots=True)
class QueryChange:
    """A query on which two runs differ."""

    qid: str
    base: str
    other: str
    base_value: float
    other_value: float
    base_top: tuple[str, ...]
    other_top: tuple[str, ...]


def side_of(judgements: Judgements, run: Run, measures: Sequence[Measure]) -> Side:
    """A run as one side of a comparison."""
    scores = score_run(judgements, run, measures)
    values = {one.measure: one.values for one in scores}
    qids = next(iter(values.values()), {})
    return Side(
        run.name,
        values,
        {qid: tuple(run.ranking(qid)[:SHOWN]) for qid in qids if qid in run.scores},
    )


@dataclass(frozen=True, slots=True)
class Resampling:
    """What a comparison draws at random."""

    patterns: int = DRAWS
    """Sign patterns of a test that cannot be exact."""
    bootstraps: int = BOOTSTRAPS
    """Draws of an interval."""
    seed: int = 0
    """Of all drawing: the same seed gives the same figures."""


def compare(
    base: Side,
    others: Sequence[Side],
    articles: Mapping[str, str],
    drawing: Resampling | None = None,
) -> tuple[RunDifference, ...]:
    """Every other run against the base by every measure of the base; p is adjusted for them all.

    The measures of one run stand together.

    Args:
        base: what is compared with.
        others: what is compared, over the same queries and with the same measures.
        articles: article by query id.
        drawing: how much is drawn.
    """
    drawn = drawing or Resampling()
    each = [_differences(base, other, articles, drawn) for other in others]
    found = list(itertools.chain.from_iterable(each))
    adjusted = holm([one.test.p for one in found])
    return tuple(replace(one, p_holm=p) for one, p in zip(found, adjusted, strict=True))


def _differences(
    base: Side, other: Side, articles: Mapping[str, str], drawing: Resampling
) -> Iterator[RunDifference]:
    """One run against the base by every measure.

    Those over the same queries share the draws of their intervals.
    """
    tables: dict[tuple[str, ...], list[str]] = {}
    for measure, values in base.values.items():
        tables.setdefault(tuple(values), []).append(measure)
    found: dict[str, RunDifference] = {}
    for table in tables.items():
        found |= {one.measure: one for one in _table(base, other, articles, drawing, table)}
    yield from (found[measure] for measure in base.values)


def _table(
    base: Side,
    other: Side,
    articles: Mapping[str, str],
    drawing: Resampling,
    table: tuple[Sequence[str], Sequence[str]],
) -> Iterator[RunDifference]:
    qids, names = table
    before, after = _values_of(base, qids, names), _values_of(other, qids, names)
    gaps = after - before
    clusters = [articles[qid] for qid in qids]
    by_query = intervals(gaps, None, drawing.bootstraps, drawing.seed)
    by_article = intervals(gaps, clusters, drawing.bootstraps, drawing.seed)
    for row, name in enumerate(names):
        differences = gaps[row]
        sums = cluster_sums(differences, clusters)
        test = sign_flip_test(differences, draws=drawing.patterns, seed=drawing.seed)
        yield RunDifference(
            measure=name,
            base=base.name,
            other=other.name,
            base_mean=_mean(before[row]),
            other_mean=_mean(after[row]),
            by_query=by_query[row],
            by_article=by_article[row],
            test=test,
            test_by_article=sign_flip_test(sums, draws=drawing.patterns, seed=drawing.seed),
            p_holm=test.p,
            outcomes=count_outcomes(differences),
            detectable=least_detectable(differences, clusters),
            values=tuple(differences.tolist()),
        )


def _values_of(side: Side, qids: Sequence[str], names: Sequence[str]) -> Values:
    """Values by measure and query."""
    rows = []
    for name in names:
        values = side.values[name]
        rows.append([values[qid] for qid in qids])
    return np.array(rows, dtype=np.float64).reshape(len(names), -1)


def _mean(values: Values) -> float:
    return float(values.mean()) if len(values) else 0.0


def least_detectable(differences: Values, articles: Sequence[str]) -> float | None:
    """The least difference that can be seen, by query or by article, whichever is larger.

    None if it cannot be told.
    """
    errors = [standard_error(differences), standard_error(differences, articles)]
    known = [error for error in errors if error is not None]
    worst = max(known, default=0.0)
    return detectable_difference(worst) if len(known) == len(errors) and worst > 0 else None


def biggest_changes(base: Side, other: Side, measure: str, number: int) -> tuple[QueryChange, ...]:
    """The queries whose value changed most, at most ``number``.

    Losses before gains of the same size.
    """
    before, after = base.values[measure], other.values[measure]
    gaps = {qid: after[qid] - before[qid] for qid in before}
    moved = [qid for qid in gaps if gaps[qid]]
    moved.sort(key=lambda qid: (-abs(gaps[qid]), gaps[qid]))
    return tuple(
        QueryChange(
            qid=qid,
            base=base.name,
            other=other.name,
            base_value=before[qid],
            other_value=after[qid],
            base_top=base.top.get(qid, ()),
            other_top=other.top.get(qid, ()),
        )
        for qid in moved[:number]
    )


@dataclass(frozen=True, slots=True)
class ReturnedSection:
    """A section that a run returned, as a person reads it."""

    section: str
    heading: str
    """Empty for a section that the corpus does not hold."""
    grade: int
    """Its grade for the query; 0 is not judged."""


@dataclass(frozen=True, slots=True)
class ChangedQuery:
    """A change with all that a person needs to judge it."""

    change: QueryChange
    query: str
    """The question; empty for foreign judgements."""
    base_results: tuple[ReturnedSection, ...]
    other_results: tuple[ReturnedSection, ...]


def describe_changes(
    changes: Sequence[QueryChange], judgements: Judgements, headings: Mapping[str, str]
) -> tuple[ChangedQuery, ...]:
    """The changes with the questions, the headings of what was returned, and the grades."""

    def results(qid: str, top: Sequence[str]) -> tuple[ReturnedSection, ...]:
        grades = judgements.qrels.get(qid, {})
        return tuple(
            ReturnedSection(section, headings.get(section, ""), grades.get(section, 0))
            for section in top
        )

    return tuple(
        ChangedQuery(
            one,
            judgements.topic(one.qid).text,
            results(one.qid, one.base_top),
            results(one.qid, one.other_top),
        )
        for one in changes
    )
