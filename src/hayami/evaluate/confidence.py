"""Intervals of means that hold their promise where sets are small and questions cluster.

A percentile bootstrap covers 0.77 to 0.87 instead of 0.95 with 5 to 15 articles; these cover 0.93
and more. ``tests/benchmark_evaluate.py verdicts`` measures both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, stdtrit

Values = NDArray[np.float64]
"""One value a query, or one a cluster of queries."""

LEVEL: Final = 0.95
"""How often an interval holds the true mean."""
_TAIL: Final = (1 - LEVEL) / 2
_CLOSE: Final = 1e-9
"""An error below this is none: values that are equal on paper differ by rounding."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95% interval of a mean."""

    low: float
    high: float
    units: int
    """How many queries, or articles, it rests on."""
    design_effect: float | None
    """Variance of the mean if articles are drawn, over that if queries are; None if nothing
    varies."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How far a mean would move if other queries, or other clusters of them, had been asked."""

    mean: float
    error: float | None
    """The standard error of the mean; None for fewer than two units."""
    queries: int
    units: int
    """Clusters, or queries where each stands for itself."""
    freedom: float
    """Degrees of freedom of the error, 1 or more: what units of uneven sizes are worth, less
    one."""
    design_effect: float | None
    """As in the interval."""

    def t(self, share: float) -> float:
        """The quantile of Student's distribution that has ``share`` of it below."""
        return float(stdtrit(self.freedom, share))


def number_clusters(clusters: Sequence[str]) -> NDArray[np.intp]:
    """Each query's cluster as a number from 0, in the order in which they first appear."""
    places: dict[str, int] = {}
    return np.array([places.setdefault(one, len(places)) for one in clusters], dtype=np.intp)


def cluster_sums(values: Values, clusters: Sequence[str]) -> Values:
    """The sum over each cluster, in the order in which the clusters first appear."""
    numbers = number_clusters(clusters)
    return np.bincount(numbers, weights=values, minlength=len(set(clusters))).astype(np.float64)


def spread(values: Values, clusters: Sequence[str] | None = None) -> Spread:
    """The spread of the mean of ``values``, by query or, with ``clusters``, by cluster.

    By cluster the error is that of a ratio estimate, with the correction m / (m - 1) for m
    clusters. Its degrees of freedom are those of n² / Σ nᵢ² clusters, less one: m - 1 where all
    have the same size, fewer where one of them holds half of the queries.

    Source: Cochran, Sampling Techniques, 3rd edition, 1977, sections 6.3 and 9A; Kish, Survey
    Sampling, 1965, section 8.2 (design effect).
    """
    if not len(values):
        return Spread(0.0, None, 0, 0, 1.0, None)
    mean = float(values.mean())
    alone = values - mean
    together, sizes = alone, np.ones(len(values))
    if clusters is not None:
        numbers = number_clusters(clusters)
        together = np.bincount(numbers, weights=alone).astype(np.float64)
        sizes = np.bincount(numbers).astype(np.float64)
    worth = len(values) ** 2 / float(sizes @ sizes)
    return Spread(
        mean=mean,
        error=_error(together, len(values)),
        queries=len(values),
        units=len(sizes),
        freedom=max(1.0, worth - 1),
        design_effect=_design_effect(alone, together),
    )


def _error(residuals: Values, queries: int) -> float | None:
    """The standard error of a mean over queries, by the residuals of its units."""
    units = len(residuals)
    if units < 2:  # noqa: PLR2004 - one unit says nothing about the spread
        return None
    error = math.sqrt(units / (units - 1) * float(residuals @ residuals)) / queries
    return error if error >= _CLOSE else 0.0


def _design_effect(alone: Values, together: Values) -> float | None:
    variance = float(alone @ alone)
    return float(together @ together) / variance if variance > len(alone) * _CLOSE**2 else None


def mean_interval(values: Values, clusters: Sequence[str] | None = None) -> Interval:
    """The interval of the mean of values from 0 to 1, by query or by cluster.

    Clopper and Pearson's interval of a share, for the number of independent 0/1 trials that would
    have the error found: it never leaves 0 to 1, and has a width where all values are equal. Of 0/1
    values by query it is Clopper and Pearson's own.

    Source: Korn and Graubard, Confidence intervals for proportions with small expected number of
    positive counts, Survey Methodology 24(2), 1998.
    """
    found = spread(values, clusters)
    if found.error is None:
        return Interval(0.0, 1.0, found.units, found.design_effect)
    mean = min(1.0, max(0.0, found.mean))
    trials = _trials(found, mean)
    hits = mean * trials
    low = float(betaincinv(hits, trials - hits + 1, _TAIL)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, trials - hits, 1 - _TAIL)) if hits < trials else 1.0
    return Interval(low, high, found.units, found.design_effect)


def _trials(found: Spread, mean: float) -> float:
    """How many independent 0/1 trials would have the error found, for an interval to go by.

    Fewer where the error itself is known but roughly: by the squared ratio of Student's quantiles.
    """
    trials = float(found.units)
    if found.error:
        trials = mean * (1 - mean) / found.error**2
    trials *= (float(stdtrit(max(1, found.queries - 1), _TAIL)) / found.t(_TAIL)) ** 2
    if found.units == found.queries and found.error:
        trials += 1  # the error divides by n - 1, the variance of a share by n
    return trials


def gap_interval(gaps: Values, clusters: Sequence[str] | None = None) -> Interval:
    """The interval of the mean of differences from -1 to 1, by query or by cluster.

    Student's interval, with one query more that gains 1 and one that loses 1: without them, runs
    that differ on a single query would seem to be known to differ by no more.

    Source: Bonett and Price, Adjusted Wald confidence interval for a difference of binomial
    proportions based on paired data, Journal of Educational and Behavioral Statistics 37(4), 2012.
    """
    found = spread(gaps, clusters)
    if found.error is None:
        return Interval(-1.0, 1.0, found.units, found.design_effect)
    mean, error = _guarded(found)
    reach = found.t(1 - _TAIL) * error
    return Interval(
        max(-1.0, mean - reach), min(1.0, mean + reach), found.units, found.design_effect
    )


def lower_bound(gaps: Values, clusters: Sequence[str] | None = None) -> float:
    """What the true mean difference is above in 95% of cases; -1 where there is but one unit.

    One-sided, by the interval of :func:`gap_interval`.
    """
    found = spread(gaps, clusters)
    if found.error is None:
        return -1.0
    mean, error = _guarded(found)
    return max(-1.0, mean - found.t(LEVEL) * error)


def _guarded(found: Spread) -> tuple[float, float]:
    """Mean and error of differences with a gain and a loss of 1 added."""
    many = found.queries + 2
    error = math.sqrt(((found.error or 0.0) * found.queries) ** 2 + 2) / many
    return found.mean * found.queries / many, error
