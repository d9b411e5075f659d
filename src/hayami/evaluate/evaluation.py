"""Runs measured: every figure with its level, its gain, its queries and its uncertainty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from hayami.evalset.gains import split_ideal_dcg
from hayami.evalset.runs import Run, distinct_names
from hayami.evaluate.bootstrap import DRAWS, SEED, Interval, intervals
from hayami.evaluate.breakdown import QueryGroup, groups_of
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.measures import Family, Measure, Scores, mean, score_run
from hayami.evaluate.policies import RunFacts, study_run, warnings_of

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
"""Fewer queries, or articles, than this bear no interval: a bootstrap of so few is far too
narrow."""
FEW_ARTICLES: Final = 20
"""With fewer articles an interval by article tends to be too narrow (Cameron and others, REStat
90(3), 2008)."""
BREAKDOWN_MEASURES: Final = 3
"""Measures shown for every group."""
_NOUGHT_OR_ONE: Final = frozenset({0.0, 1.0})


class Block(StrEnum):
    """What a measure counts as relevant: the order in which figures are read."""

    TARGET = "target"
    GRADED = "graded"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How intervals are drawn."""

    draws: int = DRAWS
    seed: int = SEED


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
    """95% interval when queries are drawn; None with fewer than MIN_UNITS of them."""
    by_article: Interval | None
    """95% interval when articles are drawn with all their queries; None where no articles, or fewer
    than MIN_UNITS, are known."""
    siblings_share: float | None
    """nDCG only: mean share of the ideal DCG that documents below the highest grade hold."""
    pooled: float | None
    """R only: relevant documents found over relevant documents, all queries together."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the k-curve, at the highest grade."""

    k: int
    success: float
    recall: float


@dataclass(frozen=True, slots=True)
class Part:
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
    facts: RunFacts
    warnings: tuple[str, ...]
    figures: tuple[Figure, ...]
    curve: tuple[Point, ...]
    ranks: Mapping[str, int]
    """Queries by the rank of the first document of the highest grade; see BUCKETS."""
    breakdown: tuple[Part, ...]
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
    drawing: Bootstrap
    runs: tuple[RunReport, ...]


def evaluate_runs(
    judgements: Judgements,
    runs: Sequence[Run],
    measures: Sequence[Measure],
    *,
    overlaps: Mapping[str, float] | None = None,
    drawing: Bootstrap = Bootstrap(),
) -> Evaluation:
    """Every run measured by every measure.

    Args:
        judgements: what is relevant.
        runs: in the order in which they are shown; runs of one tag are told apart by their files'
            names.
        measures: in their order.
        overlaps: lexical overlap by query id, for the breakdown.
        drawing: how intervals are drawn.

    Raises:
        MeasureError: a gain is too large to be counted with.
    """
    measurer = _Measurer(judgements, tuple(measures), groups_of(judgements, overlaps), drawing)
    reports = tuple(measurer.report(run) for run in distinct_names(runs))
    articles = (
        len({judgements.article_of(qid) for qid in judgements.qrels})
        if judgements.has_articles
        else 0
    )
    return Evaluation(judgements, judgements.levels, articles, drawing, reports)


class _Measurer:
    """Measures runs, and keeps what is the same for all of them."""

    def __init__(
        self,
        judgements: Judgements,
        measures: tuple[Measure, ...],
        groups: list[QueryGroup],
        drawing: Bootstrap,
    ) -> None:
        self.judgements = judgements
        self.measures = measures
        self.groups = groups
        self.drawing = drawing
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
        drawn = self._intervals(scores)
        figures = tuple(
            self._figure(run, m, s, i) for m, s, i in zip(self.measures, scores, drawn, strict=True)
        )
        ranks = first_ranks(self.judgements, run, self.top)
        return RunReport(
            run=run.name,
            path=str(run.path),
            facts=facts,
            warnings=(*warnings_of(facts), *_no_doubt(figures), *_few_articles(figures)),
            figures=figures,
            curve=self._curve(run, ranks, facts.depth),
            ranks=count_ranks(ranks.values()),
            breakdown=tuple(self._breakdown(scores)),
            scores=scores,
            first_ranks=ranks,
        )

    def _figure(
        self,
        run: Run,
        measure: Measure,
        scores: Scores,
        drawn: tuple[Interval | None, Interval | None],
    ) -> Figure:
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
            by_query=drawn[0],
            by_article=drawn[1],
            siblings_share=self.shares.get(measure),
            pooled=pooled_recall(self.judgements, measure, scores)
            if measure.family is Family.RECALL
            else None,
        )

    def _intervals(self, scores: Sequence[Scores]) -> list[tuple[Interval | None, Interval | None]]:
        """Intervals by query and by article; measures over the same queries share their draws."""
        found: dict[int, tuple[Interval | None, Interval | None]] = {}
        same: dict[tuple[str, ...], list[int]] = {}
        for place, one in enumerate(scores):
            same.setdefault(tuple(one.values), []).append(place)
        for qids, places in same.items():
            columns = np.array([list(scores[place].values.values()) for place in places])
            by_query = self._drawn(columns, None)
            articles = [self.judgements.article_of(qid) for qid in qids]
            by_article = (
                self._drawn(columns, articles)
                if self.judgements.has_articles
                else [None] * len(places)
            )
            found |= dict(zip(places, zip(by_query, by_article, strict=True), strict=True))
        return [found[place] for place in range(len(scores))]

    def _drawn(
        self, columns: np.ndarray[tuple[int, ...], np.dtype[np.float64]], clusters: list[str] | None
    ) -> list[Interval | None]:
        drawn = intervals(columns, clusters, self.drawing.draws, self.drawing.seed)
        return [one if one.units >= MIN_UNITS else None for one in drawn]

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

    def _breakdown(self, scores: Sequence[Scores]) -> Iterable[Part]:
        """The chosen measures for every group that has a query."""
        clustered = self.judgements.has_articles
        for group in self.groups:
            for one in _chosen(scores, self.measures, self.judgements.levels):
                qids = [qid for qid in group.qids if qid in one.values]
                values = [one.values[qid] for qid in qids]
                articles = [self.judgements.article_of(qid) for qid in qids] if clustered else None
                drawn = self._drawn(np.array([values]), articles)[0] if values else None
                average = sum(values) / len(values) if values else None
                known = len(set(articles or ()))
                yield Part(
                    group.dimension, group.name, len(qids), known, one.measure, average, drawn
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
    ideals = [
        split_ideal_dcg(grades.values(), measure.gain, measure.cutoff, top)
        for grades in qrels.values()
    ]
    shares = [ideal.siblings_share for ideal in ideals if ideal.whole]
    return sum(shares) / len(shares) if shares else None


def _no_doubt(figures: Iterable[Figure]) -> Iterable[str]:
    """A word on measures that are 0 or 1 for every query.

    There a bootstrap has no width, however few queries.

    Source: Hanley and Lippman-Hand, JAMA 249(13), 1983 (the rule of three).
    """
    for figure in figures:
        certain = figure.by_query is not None and figure.by_query.low == figure.by_query.high
        if certain and figure.mean in _NOUGHT_OR_ONE:
            yield (
                f"{figure.measure} is {figure.mean:.0f} for each of {figure.queries:,} "
                "queries, so its interval has no "
                f"width; up to {min(1.0, 3 / figure.queries):.1%} of such queries may be "
                "otherwise (rule of three)"
            )


def _few_articles(figures: Iterable[Figure]) -> Iterable[str]:
    """A word on intervals by article that rest on few articles, once."""
    few = {
        f.by_article.units
        for f in figures
        if f.by_article is not None and f.by_article.units < FEW_ARTICLES
    }
    if few:
        yield (
            f"only {max(few)} articles: intervals by article tend to be too narrow with fewer "
            f"than {FEW_ARTICLES}"
        )
