"""Whether differences of runs are more than chance, where questions of an article hang together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hayami.evaluate.confidence import Spread, Values

Table = NDArray[np.float64]
"""A row for each line of a comparison, a column for each cluster of queries."""

DRAWS: Final = 10_000
"""Random sign patterns of a test that is not exact: p is then known to 0.01 (95%, at p = 0.5)."""
EXACT: Final = 16
"""Clusters up to which all sign patterns are tried: 65,536 of them."""
_BLOCK: Final = 4_000_000
"""Signs held at a time: 32 MB."""
_CLOSE: Final = 1e-10
"""By how much figures that are equal on paper may differ: they are added in another order."""
ALPHA: Final = 0.05
"""How often a comparison may call any line of equal runs different."""
POWER: Final = 0.8
"""How often a difference that a set sees is found."""
_Z: Final = 1.959963984540054 + 0.8416212335729143
"""Normal quantiles of 1 - ALPHA / 2 and of POWER, added."""


@dataclass(frozen=True, slots=True)
class FlipTest:
    """The outcome of a sign-flip test of several lines over the same clusters."""

    p: tuple[float, ...]
    """Two-sided p-value of each line by itself, above 0 and at most 1."""
    adjusted: tuple[float, ...]
    """P-values adjusted for being several, step by step: 5% is the chance of even one false
    finding."""
    critical: float | None
    """What a line's statistic, the sum of its clusters over the root of their squares, must exceed
    to be found among all lines; None where so few clusters differ that none can be."""
    clusters: int
    """Clusters in which any line differs."""
    patterns: int
    """Sign patterns that were tried."""
    exact: bool
    """Whether those are all there are; otherwise they were drawn."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """On how many queries the second run is better, the same and worse."""

    wins: int
    ties: int
    losses: int


def flip_test(sums: Table, *, draws: int = DRAWS, seed: int = 0) -> FlipTest:
    """How often chance alone gives differences as far from 0 as the observed ones.

    If neither run is better, all that is found in a cluster may as well have the other sign: the
    clusters' sums change sign, on all lines together, so that what hangs together stays so. A
    line's statistic is |sum| / √(sum of squares); its adjusted p counts the patterns in which the
    largest statistic, of this line and those with smaller ones, reaches it. With up to EXACT
    clusters that differ all patterns are tried; otherwise ``draws`` are drawn and p is
    (hits + 1) / (draws + 1), which is never 0. A line without a difference has p = 1.

    Args:
        sums: of the differences, a row for each line, a column for each cluster.
        draws: patterns to draw.
        seed: of the drawing.

    Source: Smucker, Allan and Carterette, A comparison of statistical significance tests for
    information retrieval evaluation, CIKM 2007; Westfall and Young, Resampling-Based Multiple
    Testing, 1993 (max-T, step-down); Cameron, Gelbach and Miller, Bootstrap-based improvements for
    inference with clustered errors, REStat 90(3), 2008 (signs by cluster); the + 1: Phipson and
    Smyth, Permutation p-values should never be zero, 2010.
    """
    table = sums[:, sums.any(axis=0)]
    observed = _statistics(table, np.ones((1, table.shape[1])))[0]
    order = np.argsort(-observed, kind="stable")
    counted = _count(table, observed, order, _patterns(table.shape[1], draws, seed))
    exact = table.shape[1] <= EXACT
    # Of drawn patterns the observed one is counted too.
    more = 0 if exact else 1
    tried = counted.patterns + more
    adjusted = np.empty(len(table))
    adjusted[order] = np.maximum.accumulate((counted.stepped + more) / tried)
    return FlipTest(
        p=tuple(((counted.alone + more) / tried).tolist()),
        adjusted=tuple(adjusted.tolist()),
        critical=_critical(counted.highest, exact=exact),
        clusters=table.shape[1],
        patterns=counted.patterns,
        exact=exact,
    )


@dataclass(frozen=True, slots=True)
class _PatternCounts:
    """What sign patterns came to."""

    alone: Values
    """Patterns in which each line reaches its observed statistic."""
    stepped: Values
    """Patterns in which the largest statistic of a line and of all after it reaches the line's, in
    the order of falling statistics."""
    highest: Values
    """The largest statistic of each pattern."""
    patterns: int


def _count(
    table: Table, observed: Values, order: NDArray[np.intp], patterns: Iterator[Table]
) -> _PatternCounts:
    alone, stepped = np.zeros(len(table)), np.zeros(len(table))
    highest = []
    for signs in patterns:
        drawn = _statistics(table, signs)
        falling = np.maximum.accumulate(drawn[:, order[::-1]], axis=1)[:, ::-1]
        alone += (drawn >= observed - _CLOSE).sum(axis=0)
        stepped += (falling >= observed[order] - _CLOSE).sum(axis=0)
        highest.append(falling[:, 0] if len(table) else np.zeros(len(signs)))
    every = np.concatenate(highest)
    return _PatternCounts(alone, stepped, every, len(every))


def _statistics(table: Table, signs: Table) -> Table:
    """The statistic of each line (columns) under each sign pattern (rows); 0 of no difference."""
    scale = np.sqrt((table * table).sum(axis=1))
    scale[scale == 0] = 1.0
    found: Table = np.abs(signs @ table.T) / scale
    return found


def _patterns(clusters: int, draws: int, seed: int) -> Iterator[Table]:
    """Sign patterns, a row each, in blocks: all of them for few clusters, else ``draws``."""
    if clusters <= EXACT:
        numbers = np.arange(1 << clusters)[:, None]
        yield (((numbers >> np.arange(clusters)) & 1) * 2 - 1).astype(np.float64)
        return
    generator = np.random.default_rng(seed)
    width = -(-clusters // 8)
    step = max(1, _BLOCK // clusters)
    for begin in range(0, draws, step):
        rows = min(step, draws - begin)
        drawn = generator.integers(0, 256, (rows, width), dtype=np.uint8)
        yield np.unpackbits(drawn, axis=1)[:, :clusters].astype(np.float64) * 2 - 1


def _critical(highest: Values, *, exact: bool) -> float | None:
    """What the largest statistic exceeds in fewer than ALPHA of the patterns."""
    falling = np.sort(highest)[::-1]
    if exact:
        allowed = math.ceil(ALPHA * len(falling)) - 1
        least = 2  # the observed signs, and all of them turned, always reach it
    else:
        allowed = math.ceil(ALPHA * (len(falling) + 1)) - 2
        least = 0
    return float(falling[allowed]) if allowed >= least and falling[allowed] > 0 else None


def least_seen(found: Spread, test: FlipTest) -> float | None:
    """The least true difference that this very test finds in POWER of all cases.

    None if none can be.

    The test's critical statistic is put as a t-value, t² = T² (m - 1) / (m - T²) for m clusters.
    """
    if found.error is None or not found.error or test.critical is None:
        return None
    room = test.clusters - test.critical**2
    if room <= 0:
        return None
    needed = test.critical * math.sqrt((test.clusters - 1) / room)
    seen = (needed + found.t(POWER)) * found.error
    return seen if seen <= 1 else None


def units_needed(found: Spread, difference: float) -> int | None:
    """How many clusters of the same kind it takes to find ``difference``.

    By the normal approximation; None where it cannot be told.
    """
    if not found.error or not difference:
        return None
    return math.ceil(found.units * (_Z * found.error / difference) ** 2)


def queries_needed(found: Spread, difference: float) -> int | None:
    """How many queries of the same kind, in clusters as large, it takes to find ``difference``."""
    if not found.error or not difference:
        return None
    return max(2, math.ceil(found.queries * (_Z * found.error / difference) ** 2))


def count_outcomes(differences: Values) -> Outcomes:
    """Wins, ties and losses of the second run; equal on paper counts as a tie."""
    wins = int(np.count_nonzero(differences > _CLOSE))
    losses = int(np.count_nonzero(differences < -_CLOSE))
    return Outcomes(wins, len(differences) - wins - losses, losses)
