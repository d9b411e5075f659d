"""Runs measured: every figure with its level, its gain, its queries and its uncertainty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from hayami.evalset.gains import DcgParts, split_ideal_dcg
from hayami.evalset.runs import Run, distinct_names
from hayami.evaluate.breakdown import QueryGroup, groups_of
from hayami.evaluate.confidence import Interval, mean_interval
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.measures import Family, Measure, Scores, mean, score_run
from hayami.evaluate.policies import RunFacts, judged_shares, study_run, warnings_of

CURVE: Final = (1, 2, 3, 5, 10, 20, 50, 100)
"""The k of the curve, as far as the run goes."""
BUCKETS: Final = (
    (1, "1"),
    (2, "2"),
    (3, "3"),
    (5, "4-5"),
    (10, "6-10"),
    (20, "11-20"),
    (50, "21-50"),
    (100, "51-100"),
)
"""Ranks that are counted together: (the last of them, name)."""
BEYOND: Final = "over 100"
NOT_FOUND: Final = "not found"
MIN_UNITS: Final = 5
"""Fewer queries, or articles, than this bear no interval: it would say next to nothing."""
BREAKDOWN_MEASURES: Final = 3
"""Measures shown for every group."""
_NOUGHT_OR_ONE: Final = frozenset({0.0, 1.0})


class Block(StrEnum):
    """What a measure counts as relevant: the order in which figures are read."""

    TARGET = "target"
    GRADED = "graded"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Figure:
    """What a measure says of a run."""

    run: str
    measure: str
    family: Family
    block: Block
    level: int | None
    """The least grade that counts as relevant; None for nDCG, which takes every grade by its
    gain."""
    gain: str
    """How nDCG turns grades into gains; empty for the others."""
    queries: int
    """Queries that the mean is over."""
    excluded: int
    """Queries left out because they have no relevant document for this measure."""
    mean: float | None
    """0 to 1; None if there is no query."""
    by_query: Interval | None
    """95% interval by query; None with fewer than MIN_UNITS of them."""
    by_article: Interval | None
    """95% interval by article, since its questions are not independent; None where no articles, or
    fewer than MIN_UNITS, are known."""
    siblings_share: float | None
    """nDCG only: mean share of the ideal DCG that documents below the highest grade hold."""
    unjudged: float | None
    """Share of the results that the measure looks at that nobody judged; None where there is
    none."""
    pooled: float | None
    """R only: relevant documents found over relevant documents, all queries together."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the k-curve, at the highest grade."""

    k: int
    success: float
    recall: float


@dataclass(frozen=True, slots=True)
class GroupFigure:
    """What one measure says of one group of queries."""

    dimension: str
    group: str
    queries: int
    articles: int
    """Articles that they come from; 0 where none are known."""
    measure: str
    mean: float | None
    interval: Interval | None
    """95%: by article where articles are known, else by query."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """All that is said about one run."""

    run: str
    path: str
    stale: str
    """What to say first of a run that was made for another set; else empty."""
    facts: RunFacts
    warnings: tuple[str, ...]
    figures: tuple[Figure, ...]
    curve: tuple[Point, ...]
    ranks: Mapping[str, int]
    """Queries by the rank of the first document of the highest grade; see BUCKETS."""
    breakdown: tuple[GroupFigure, ...]
    scores: tuple[Scores, ...]
    """The values of every query, in the order of ``figures``."""
    first_ranks: Mapping[str, int | None]
    """Rank of the first document of the highest grade by query id; None if it is not found."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One or more runs measured by the same judgements."""

    judgements: Judgements
    levels: tuple[int, ...]
    """Grades above 0 that occur, highest first."""
    articles: int
    """Articles that the queries come from; 0 where none are known."""
    runs: tuple[RunReport, ...]


def evaluate_runs(
    judgements: Judgements,
    runs: Sequence[Run],
    measures: Sequence[Measure],
    *,
    overlaps: Mapping[str, float] | None = None,
    stale: Mapping[str, str] | None = None,
) -> Evaluation:
    """Every run measured by every measure.

    Args:
        judgements: what is relevant.
        runs: in the order in which they are shown; runs of one tag are told apart by their files'
            names.
        measures: in their order.
        overlaps: lexical overlap by query id, for the breakdown.
        stale: a sentence on each run that was made for another set, by its name.

    Raises:
        MeasureError: a gain is too large to be counted with.
    """
    measurer = _Measurer(judgements, tuple(measures), groups_of(judgements, overlaps), stale or {})
    reports = tuple(measurer.report(run) for run in distinct_names(runs))
    articles = (
        len({judgements.article_of(qid) for qid in judgements.qrels})
        if judgements.has_articles
        else 0
    )
    return Evaluation(judgements, judgements.levels, articles, reports)


class _Measurer:
    """Measures runs, and keeps what is the same for all of them."""

    def __init__(
        self,
        judgements: Judgements,
        measures: tuple[Measure, ...],
        groups: list[QueryGroup],
        stale: Mapping[str, str],
    ) -> None:
        self.judgements = judgements
        self.measures = measures
        self.groups = groups
        self.stale = stale
        self.top = judgements.levels[0] if judgements.levels else 1
        self.cutoff = max((m.cutoff for m in measures if m.cutoff is not None), default=CURVE[-1])
        self.shares = {
            m: siblings_share(judgements.qrels, m, self.top)
            for m in measures
            if m.family is Family.NDCG
        }

    def report(self, run: Run) -> RunReport:
        """All that is said about a run."""
        facts = study_run(self.judgements, run, self.cutoff)
        scores = score_run(self.judgements, run, self.measures)
        ranks = first_ranks(self.judgements, run, self.top)
        stale = self.stale.get(run.name, "")
        return RunReport(
            run=run.name,
            path=str(run.path),
            stale=stale,
            facts=facts,
            warnings=(*[stale] * bool(stale), *warnings_of(facts)),
            figures=self._figures(run, scores),
            curve=self._curve(run, ranks, facts.depth),
            ranks=count_ranks(ranks.values()),
            breakdown=tuple(self._breakdown(scores)),
            scores=scores,
            first_ranks=ranks,
        )

    def _figures(self, run: Run, scores: Sequence[Scores]) -> tuple[Figure, ...]:
        cutoffs = {measure.cutoff for measure in self.measures}
        judged = judged_shares(self.judgements.qrels, run, cutoffs)
        pairs = zip(self.measures, scores, strict=True)
        return tuple(self._figure(run, *pair, judged[pair[0].cutoff]) for pair in pairs)

    def _figure(
        self,
        run: Run,
        measure: Measure,
        scores: Scores,
        judged: float | None,
    ) -> Figure:
        values = list(scores.values.values())
        clustered = self.judgements.has_articles
        return Figure(
            run=run.name,
            measure=measure.name,
            family=measure.family,
            block=block_of(measure, self.judgements.levels),
            level=None if measure.family is Family.NDCG else measure.level,
            gain=measure.gain_words,
            queries=len(scores.values),
            excluded=len(scores.excluded),
            mean=mean(scores),
            by_query=self._interval(values, None),
            by_article=self._interval(values, list(scores.values)) if clustered else None,
            siblings_share=self.shares.get(measure),
            unjudged=None if judged is None else 1 - judged,
            pooled=pooled_recall(self.judgements, measure, scores)
            if measure.family is Family.RECALL
            else None,
        )

    def _interval(self, values: Sequence[float], qids: Sequence[str] | None) -> Interval | None:
        """The interval of a mean by query, or by the articles of ``qids``; None over too few."""
        clusters = None
        if qids is not None:
            clusters = [self.judgements.article_of(qid) for qid in qids]
        found = mean_interval(np.array(values, dtype=np.float64), clusters)
        return found if found.units >= MIN_UNITS else None

    def _curve(self, run: Run, ranks: Mapping[str, int | None], depth: int) -> tuple[Point, ...]:
        ks = [k for k in CURVE if k == 1 or k <= depth]
        if not ranks:
            return ()
        recalls = score_run(self.judgements, run, [Measure(Family.RECALL, k, self.top) for k in ks])
        return tuple(
            Point(
                k,
                sum(rank is not None and rank <= k for rank in ranks.values()) / len(ranks),
                mean(recall) or 0.0,
            )
            for k, recall in zip(ks, recalls, strict=True)
        )

    def _breakdown(self, scores: Sequence[Scores]) -> Iterable[GroupFigure]:
        """The chosen measures for every group that has a query."""
        chosen = _chosen(scores, self.measures, self.judgements.levels)
        for group in self.groups:
            for one in chosen:
                yield self._part(group, one)

    def _part(self, group: QueryGroup, scores: Scores) -> GroupFigure:
        qids = [qid for qid in group.qids if qid in scores.values]
        values = [scores.values[qid] for qid in qids]
        clustered = self.judgements.has_articles
        articles = {self.judgements.article_of(qid) for qid in qids} if clustered else set()
        return GroupFigure(
            dimension=group.dimension,
            group=group.name,
            queries=len(qids),
            articles=len(articles),
            measure=scores.measure,
            mean=sum(values) / len(values) if values else None,
            interval=self._interval(values, qids if clustered else None),
        )


def _chosen(
    scores: Sequence[Scores], measures: Sequence[Measure], levels: Sequence[int]
) -> list[Scores]:
    """The measures of a breakdown.

    RR, R and the largest Success of the target if they are there, else the first.
    """
    strict = [
        (measure.family, one)
        for measure, one in zip(measures, scores, strict=True)
        if block_of(measure, levels) is Block.TARGET
    ]
    last = dict(strict)
    wanted = [
        last[family] for family in (Family.RR, Family.SUCCESS, Family.RECALL) if family in last
    ]
    return (wanted or list(scores))[:BREAKDOWN_MEASURES]


def block_of(measure: Measure, levels: Sequence[int]) -> Block:
    """What a measure counts as relevant, given the grades that occur.

    The highest only, each by its gain, or any.
    """
    top = max(levels, default=1)
    lower = [grade for grade in levels if grade < top]
    if not any(measure.gain(grade) for grade in lower):
        return Block.TARGET
    return Block.GRADED if measure.family is Family.NDCG else Block.ANY


def first_ranks(judgements: Judgements, run: Run, level: int) -> dict[str, int | None]:
    """The rank from 1 of the first document of at least ``level``, by query id.

    None if the run lacks it.

    Queries without such a document are left out.
    """
    (scores,) = score_run(judgements, run, [Measure(Family.RR, None, level)])
    return {qid: round(1 / value) if value else None for qid, value in scores.values.items()}


def count_ranks(ranks: Iterable[int | None]) -> dict[str, int]:
    """How many queries have their rank in each of BUCKETS, beyond them, or none.

    All buckets, in their order.
    """
    counts = dict.fromkeys([*(name for _, name in BUCKETS), BEYOND, NOT_FOUND], 0)
    for rank in ranks:
        if rank is None:
            counts[NOT_FOUND] += 1
        else:
            counts[next((name for last, name in BUCKETS if rank <= last), BEYOND)] += 1
    return counts


def pooled_recall(judgements: Judgements, measure: Measure, scores: Scores) -> float | None:
    """Relevant documents among the first k over all relevant documents, all queries together.

    Each relevant document has the same weight, where the mean of R gives each query the same. None
    without a query.
    """
    gold = {
        qid: sum(grade >= measure.level for grade in judgements.qrels[qid].values())
        for qid in scores.values
    }
    found = sum(round(value * gold[qid]) for qid, value in scores.values.items())
    return found / sum(gold.values()) if gold else None


def siblings_share(
    qrels: Mapping[str, Mapping[str, int]], measure: Measure, top: int
) -> float | None:
    """The mean share of a measure's ideal DCG that documents below grade ``top`` hold.

    The mean is over queries with any gain. 1 means that a run can reach nDCG 1 without returning a
    target, 0 that nothing but targets counts. None without a query.
    """
    known: dict[tuple[int, ...], DcgParts] = {}  # most queries have the grades of another
    shares = []
    for named in qrels.values():
        grades = tuple(sorted(named.values()))
        if grades not in known:
            known[grades] = split_ideal_dcg(grades, measure.gain, measure.cutoff, top)
        if known[grades].whole:
            shares.append(known[grades].siblings_share)
    return sum(shares) / len(shares) if shares else None
