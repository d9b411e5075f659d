"""How many queries are enough.

What this set, and smaller ones drawn from it, can and cannot tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hayami.evaluate.comparison import MIN_ARTICLES
from hayami.evaluate.confidence import Spread, Values, cluster_sums, mean_interval, spread
from hayami.evaluate.significance import flip_test, least_seen, queries_needed

SIZES: Final = (20, 30, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
"""Numbers of queries that are looked at, as far as the set has that many; its own number is the
last."""
SUBSETS: Final = 1_000
"""Random subsets of each size: a share of them is known to 0.03 (95%)."""
DIFFERENCES: Final = (0.1, 0.05, 0.02, 0.01, 0.005)
"""Differences of two runs for which the queries needed are worked out."""
_INTERVALS: Final = 20
"""Subsets whose interval is computed; their median width is shown."""
_DIGITS: Final = 12
"""What is left of a mean, so that adding in another order makes no difference: equal runs are
equal."""


@dataclass(frozen=True, slots=True)
class Size:
    """What sets of one size tell.

    Random subsets without replacement, all of the set's queries in the last.
    """

    queries: int
    width: float
    """Median width of the 95% interval of the first run's mean, by query."""
    low: float
    """The mean of the first run over the subset is below this in 2.5% of the subsets."""
    high: float
    """The mean of the first run over the subset is above this in 2.5% of the subsets."""
    wrong: float | None
    """Share of the subsets in which the run that loses on the whole set wins; None without a second
    run or a winner."""
    even: float | None
    """Share of the subsets in which the two runs are equal; None as ``wrong``."""
    overlapping: bool
    """Whether a subset holds more than half of the set, so that subsets share queries and differ
    too little."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a set can tell about one measure."""

    measure: str
    runs: tuple[str, ...]
    """One or two names."""
    means: tuple[float, ...]
    """Mean of the measure for each run."""
    queries: int
    articles: int | None
    """None where clusters are unknown."""
    sizes: tuple[Size, ...]
    subsets: int
    """Random subsets a size."""
    seed: int
    detectable: float | None
    """Least difference of two runs that a verdict by article finds in 80% of cases, as in a
    comparison by this measure alone; None if it can find none."""
    needed: tuple[tuple[float, int], ...]
    """(difference, queries of this kind needed to find it in 80% of cases)."""


def plan(
    measure: str,
    runs: Sequence[tuple[str, Values]],
    articles: Sequence[str] | None,
    *,
    subsets: int = SUBSETS,
    seed: int = 0,
) -> Plan:
    """What the set can tell about the runs, and how much of it smaller sets could.

    With one run, the difference to a run whose values are unrelated to it is taken (twice the
    variance). That is a guess and no bound: runs over the same queries are mostly related and
    differ less, but they may also be good where the other is bad.

    Args:
        measure: its name.
        runs: one or two, each with its name and its value for each query; the same queries in the
            same order.
        articles: the article of each query; None where clusters are unknown.
        subsets: random subsets to draw.
        seed: of the drawing.

    Source: the seed of this project (subsets of its 1,856 queries); Voorhees and Buckley, The
    Effect of Topic Set Size on Retrieval Experiment Error (SIGIR 2002).
    """
    first = runs[0][1]
    differences = runs[1][1] - first if len(runs) > 1 else None
    gaps = (first - first.mean()) * 2**0.5 if differences is None else differences
    found = spread(gaps, articles)
    seen = _seen(found, gaps, articles, seed)
    needed = [(wanted, _needed(found, seen, wanted)) for wanted in DIFFERENCES]
    return Plan(
        measure=measure,
        runs=tuple(name for name, _ in runs),
        means=tuple(float(values.mean()) for _, values in runs),
        queries=len(first),
        articles=None if articles is None else found.units,
        sizes=tuple(_sizes(first, differences, subsets, seed)),
        subsets=subsets,
        seed=seed,
        detectable=seen,
        needed=tuple((wanted, many) for wanted, many in needed if many is not None),
    )


def _seen(found: Spread, gaps: Values, articles: Sequence[str] | None, seed: int) -> float | None:
    """What a verdict by this measure alone sees."""
    if found.units < MIN_ARTICLES:
        return None
    sums = gaps if articles is None else cluster_sums(gaps, articles)
    return least_seen(found, flip_test(sums.reshape(1, -1), seed=seed))


def _needed(found: Spread, seen: float | None, wanted: float) -> int | None:
    """Queries of this kind that it takes to find a difference, going by what this set sees."""
    if seen is None:
        return queries_needed(found, wanted)
    return max(2, math.ceil(found.queries * (seen / wanted) ** 2))


def _sizes(values: Values, differences: Values | None, subsets: int, seed: int) -> Iterator[Size]:
    whole = len(values)
    sizes = [size for size in SIZES if size < whole] + [whole]
    generator = np.random.default_rng(seed)
    orders = [generator.permutation(whole) for _ in range(_INTERVALS)]
    means, gaps = _subset_means(values, differences, sizes, subsets, generator)
    winner = 0.0 if differences is None else float(np.sign(np.round(differences.mean(), _DIGITS)))
    for place, size in enumerate(sizes):
        low, high = np.percentile(means[:, place], [2.5, 97.5])
        wrong, even = _losers(gaps[:, place], winner)
        yield Size(
            queries=size,
            width=_width(values, orders, size),
            low=float(low),
            high=float(high),
            wrong=wrong,
            even=even,
            overlapping=whole / 2 < size < whole,
        )


def _losers(gaps: Values, winner: float) -> tuple[float | None, float | None]:
    """Shares of the subsets in which the other run wins, and none does; None without a winner."""
    if not winner:
        return None, None
    sides = np.sign(gaps)
    return float(np.mean(sides == -winner)), float(np.mean(sides == 0))


def _subset_means(
    values: Values,
    differences: Values | None,
    sizes: Sequence[int],
    subsets: int,
    generator: np.random.Generator,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means of the values, and of the differences, over subsets (rows) of each size (columns).

    One random order of the queries gives a subset of every size: its first so many.
    """
    means = np.zeros((subsets, len(sizes)))
    gaps = np.zeros((subsets, len(sizes)))
    last = np.array(sizes) - 1
    for row in range(subsets):
        order = generator.permutation(len(values))
        means[row] = np.cumsum(values[order])[last] / sizes
        if differences is not None:
            gaps[row] = np.cumsum(differences[order])[last] / sizes
    return np.round(means, _DIGITS), np.round(gaps, _DIGITS)


def _width(values: Values, orders: Sequence[NDArray[np.intp]], size: int) -> float:
    """Median width of the interval over the first ``size`` of some orders.

    The set's own if that is all.
    """
    tries = 1 if size == len(values) else len(orders)
    found = [mean_interval(values[order[:size]]) for order in orders[:tries]]
    return float(np.median([one.high - one.low for one in found]))
