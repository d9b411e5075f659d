"""Two runs over the same queries.

The difference, how sure it is, and the queries that it comes from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hayami.evalset.runs import Run
from hayami.evaluate.confidence import (
    Interval,
    Spread,
    Values,
    gap_interval,
    spread,
)
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.measures import Measure, score_run
from hayami.evaluate.significance import (
    ALPHA,
    DRAWS,
    FlipTest,
    Outcomes,
    count_outcomes,
    flip_test,
    least_seen,
    units_needed,
)

MIN_ARTICLES: Final = 10
"""Fewer articles bear no verdict: a sign-flip test of five cannot find anything at 5%."""
FEW_ARTICLES: Final = 20
"""With fewer articles a verdict rests on little, and is told so."""
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
    """95% interval of the mean difference, by query."""
    by_article: Interval | None
    """Idem by article, since the questions of one article are not independent; None where the
    clusters of the queries are unknown."""
    p: float
    """Two-sided p-value of a sign-flip test over the articles: the queries of one change sign
    together. Over the queries where clusters are unknown."""
    p_adjusted: float
    """``p`` adjusted for all lines of this comparison."""
    outcomes: Outcomes
    """Queries on which ``other`` wins, ties and loses."""
    detectable: float | None
    """Least true difference that this very verdict finds in 80% of cases, for runs that differ as
    these do; None if it can find none."""
    needed: int | None
    """Units (articles, or queries where clusters are unknown) of this kind that it takes to find a
    difference as large as this one in 80% of cases; None if there is no difference."""
    values: tuple[float, ...]
    """The difference of every query, in the order of the qrels."""

    @property
    def units(self) -> int:
        """Articles that the verdict rests on, or queries where clusters are unknown."""
        return (self.by_article or self.by_query).units

    @property
    def difference(self) -> float:
        """The mean difference, -1 to 1."""
        return self.other_mean - self.base_mean

    @property
    def clear(self) -> bool:
        """Whether there is more than chance explains, with enough articles to tell."""
        return self.units >= MIN_ARTICLES and self.p_adjusted < ALPHA

    @property
    def verdict(self) -> str:
        """``better``, ``worse``, ``not clear``, ``equal`` where no query differs, ``too few …``."""
        if not self.outcomes.wins and not self.outcomes.losses:
            return "equal"
        if self.units < MIN_ARTICLES:
            return "too few articles" if self.by_article is not None else "too few queries"
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
    seed: int = 0
    """Of all drawing: the same seed gives the same figures."""


@dataclass(frozen=True, slots=True)
class _PairedLine:
    """One run against the base by one measure, before it is tested."""

    measure: str
    other: str
    base_mean: float
    other_mean: float
    gaps: Values
    """The difference of every query that the measure is defined for."""
    clusters: tuple[str, ...] | None
    """The article of each; None where clusters are unknown."""
    qids: tuple[str, ...]

    @property
    def spread(self) -> Spread:
        """The spread of the mean difference, by article where they are known."""
        return spread(self.gaps, self.clusters)


def compare(
    base: Side,
    others: Sequence[Side],
    articles: Mapping[str, str] | None,
    drawing: Resampling | None = None,
) -> tuple[RunDifference, ...]:
    """Every other run against the base by every measure of the base; p is adjusted for them all.

    The measures of one run stand together. Verdicts are by article: all lines' articles change sign
    together, and the largest statistic decides (max-T). Simulated, that calls equal runs different
    in at most 5% of comparisons whatever hangs together within articles, and finds more than Holm's
    adjustment, since measures of one run are related.

    Args:
        base: what is compared with.
        others: what is compared, over the same queries and with the same measures.
        articles: article by query id; None where it is not known which queries hang together.
        drawing: how much is drawn.
    """
    drawn = drawing or Resampling()
    lines: list[_PairedLine] = []
    for other in others:
        lines += [_line(base, other, measure, articles) for measure in base.values]
    test = flip_test(_sums(lines), draws=drawn.patterns, seed=drawn.seed)
    return tuple(_tested(base.name, line, test, place) for place, line in enumerate(lines))


def _line(base: Side, other: Side, measure: str, articles: Mapping[str, str] | None) -> _PairedLine:
    qids = tuple(base.values[measure])
    before = np.array([base.values[measure][qid] for qid in qids], dtype=np.float64)
    after = np.array([other.values[measure][qid] for qid in qids], dtype=np.float64)
    return _PairedLine(
        measure=measure,
        other=other.name,
        base_mean=_mean(before),
        other_mean=_mean(after),
        gaps=after - before,
        clusters=None if articles is None else tuple(articles[qid] for qid in qids),
        qids=qids,
    )


def _sums(lines: Sequence[_PairedLine]) -> Values:
    """The sum of the differences of each line (rows) in each cluster of all lines (columns)."""
    places: dict[str, int] = {}
    rows = []
    for line in lines:
        clusters = line.clusters or line.qids
        rows.append([places.setdefault(cluster, len(places)) for cluster in clusters])
    table = np.zeros((len(lines), len(places)))
    for row, line in enumerate(lines):
        np.add.at(table[row], rows[row], line.gaps)
    return table


def _tested(base: str, line: _PairedLine, test: FlipTest, place: int) -> RunDifference:
    found = line.spread
    return RunDifference(
        measure=line.measure,
        base=base,
        other=line.other,
        base_mean=line.base_mean,
        other_mean=line.other_mean,
        by_query=gap_interval(line.gaps),
        by_article=None if line.clusters is None else gap_interval(line.gaps, line.clusters),
        p=test.p[place],
        p_adjusted=test.adjusted[place],
        outcomes=count_outcomes(line.gaps),
        detectable=None if found.units < MIN_ARTICLES else least_seen(found, test),
        needed=_needed(found),
        values=tuple(line.gaps.tolist()),
    )


def _needed(found: Spread) -> int | None:
    needed = units_needed(found, found.mean)
    return None if needed is None else max(MIN_ARTICLES, needed)


def _mean(values: Values) -> float:
    return float(values.mean()) if len(values) else 0.0


def biggest_changes(base: Side, other: Side, measure: str, number: int) -> tuple[QueryChange, ...]:
    """The queries whose value changed most, at most ``number``.

    Losses before gains of the same size.
    """
    before, after = base.values[measure], other.values[measure]
    gaps = {qid: after[qid] - before[qid] for qid in before}
    moved = [qid for qid in gaps if gaps[qid]]
    moved.sort(key=lambda qid: (-abs(gaps[qid]), gaps[qid]))
    return tuple(_change(base, other, measure, qid) for qid in moved[:number])


def _change(base: Side, other: Side, measure: str, qid: str) -> QueryChange:
    return QueryChange(
        qid=qid,
        base=base.name,
        other=other.name,
        base_value=base.values[measure][qid],
        other_value=other.values[measure][qid],
        base_top=base.top.get(qid, ()),
        other_top=other.top.get(qid, ()),
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
