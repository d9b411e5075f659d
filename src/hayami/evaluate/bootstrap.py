"""Bootstrap intervals of means.

How far a mean would move if other queries, or other articles, had been asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

DRAWS: Final = 2_000
SEED: Final = 0
LEVEL: Final = 0.95
"""Share of the draws that an interval holds."""
_CHUNK: Final = 4_000_000
"""Numbers that are drawn at a time: 32 MB."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95% bootstrap interval of a mean, by percentiles."""

    low: float
    high: float
    units: int
    """How many queries, or articles, were drawn from; with fewer than 2 the interval says
    nothing."""
    design_effect: float | None
    """Variance of the mean when whole articles are drawn, over that when queries are; None if
    nothing varies."""


def interval(
    values: ArrayLike, clusters: ArrayLike | None = None, draws: int = DRAWS, seed: int = SEED
) -> Interval:
    """The interval of the mean of ``values``; see :func:`intervals`."""
    return intervals(np.asarray(values, dtype=float).reshape(1, -1), clusters, draws, seed)[0]


def intervals(
    columns: ArrayLike, clusters: ArrayLike | None = None, draws: int = DRAWS, seed: int = SEED
) -> list[Interval]:
    """The 95% intervals of the means of several measures over the same queries, from one drawing.

    Queries are drawn with replacement, as many as there are; with ``clusters`` whole clusters are
    drawn, as many as there are, and the mean is over the queries that came with them.

    Args:
        columns: values by measure and query, shape (measures, queries).
        clusters: what each query belongs to, such as its article; None draws queries.
        draws: how often.
        seed: of numpy's PCG64; the same seed gives the same intervals.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13 (percentiles);
    Field and Welsh, JRSS B 69(3), 2007 (clusters); Kish, Survey Sampling, 1965, section 8.2 (design
    effect, by the linearised variance of a ratio of sums).
    """
    table = np.asarray(columns, dtype=float)
    measures, queries = table.shape
    if queries == 0:
        return [Interval(0.0, 0.0, 0, None)] * measures
    groups = np.arange(queries) if clusters is None else _numbered(clusters)
    units = int(groups.max()) + 1
    sizes = np.bincount(groups, minlength=units).astype(float)
    sums = np.stack([np.bincount(groups, weights=row, minlength=units) for row in table])
    drawn = [
        (weights @ sums.T) / (weights @ sizes)[:, None] for weights in _weights(units, draws, seed)
    ]
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(np.concatenate(drawn), [tail, 100 - tail], axis=0)
    effects = [_design_effect(row, own, sizes) for row, own in zip(table, sums, strict=True)]
    return [
        Interval(float(low[place]), float(high[place]), units, effect)
        for place, effect in enumerate(effects)
    ]


def _numbered(clusters: ArrayLike) -> NDArray[np.intp]:
    """Each query's cluster as a number from 0."""
    return np.unique(np.asarray(clusters), return_inverse=True)[1]


def _weights(units: int, draws: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """How often each unit comes in each draw, shape (draws, units), in chunks."""
    rng = np.random.default_rng(seed)
    step = max(1, _CHUNK // units)
    for begin in range(0, draws, step):
        many = min(step, draws - begin)
        drawn = rng.integers(0, units, (many, units)) + np.arange(many)[:, None] * units
        yield np.bincount(drawn.ravel(), minlength=many * units).reshape(many, units).astype(float)


def _design_effect(
    values: NDArray[np.float64], sums: NDArray[np.float64], sizes: NDArray[np.float64]
) -> float | None:
    mean = values.mean()
    single = float(((values - mean) ** 2).sum())
    whole = float(((sums - mean * sizes) ** 2).sum())
    return whole / single if single > 0 else None
