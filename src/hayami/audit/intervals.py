"""Proportions with their intervals: of plain counts, and of rows drawn stratum by stratum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hayami.extras import REVIEW, load_module

LEVEL: Final = 0.95
"""Confidence of every interval unless one says otherwise."""
_MOST: Final = 10_000_000
"""Rows beyond which nobody judges: a claim that needs more counts as out of reach."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A confidence interval, ends included."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Proportion:
    """How many of some rows have a property, as a share with its intervals."""

    n: int
    """Rows."""
    hits: int
    """Those that have the property."""
    value: float
    """The share, 0 to 1; of weighted rows the estimate for the whole set, not ``hits / n``."""
    effective: float
    """How many rows drawn alike would say as much: ``n`` if all rows weigh the same, else fewer."""
    exact: Bounds
    """Clopper-Pearson: holds its level whatever the true share is."""
    wilson: Bounds
    """Wilson's score interval: narrower, right on average."""


@dataclass(frozen=True, slots=True)
class StratumCounts:
    """One stratum of a draw, as :func:`weighted` needs it."""

    population: int
    """Rows that the stratum has in the set."""
    judged: int
    """Rows of it that were drawn and judged; at least 1."""
    within: int
    """Those of them that the share is about: all judged ones, or only the right labels."""
    hits: int
    """Those of ``within`` that have the property."""

    @property
    def weight(self) -> float:
        """How many rows of the set each judged row stands for."""
        return self.population / self.judged


def clopper_pearson(hits: float, n: float, level: float = LEVEL) -> Bounds:
    """The exact interval of a share; ``hits`` and ``n`` may be fractions.

    Source: Clopper and Pearson 1934, as statsmodels computes it (``proportion_confint``, method
        ``beta``).
    """
    return _interval(hits, n, level, "beta")


def wilson(hits: float, n: float, level: float = LEVEL) -> Bounds:
    """The score interval of a share; ``hits`` and ``n`` may be fractions.

    Source: Wilson 1927, as statsmodels computes it; recommended by Brown, Cai and DasGupta 2001.
    """
    return _interval(hits, n, level, "wilson")


def _interval(hits: float, n: float, level: float, method: str) -> Bounds:
    proportions = load_module(REVIEW, "statsmodels.stats.proportion")
    low, high = proportions.proportion_confint(hits, n, 1 - level, method)
    return Bounds(max(0.0, float(low)), min(1.0, float(high)))


def plain(hits: int, n: int, level: float = LEVEL) -> Proportion | None:
    """The share of plain counts; None if there are no rows."""
    if n == 0:
        return None
    return Proportion(
        n, hits, hits / n, float(n), clopper_pearson(hits, n, level), wilson(hits, n, level)
    )


def weighted(cells: Sequence[StratumCounts], level: float = LEVEL) -> Proportion | None:
    """The share in the whole set, from rows drawn stratum by stratum; None if no row counts.

    Each judged row stands for ``population / judged`` rows. The intervals are those of as many rows
    drawn alike as say the same: the effective number of rows, at most the number that counts. It is
    the smaller of what the variance of the estimate gives and of what the weights give, because a
    small stratum in which all rows happen to agree would else seem to be known for certain. If all
    rows weigh the same it is the number itself, and the interval that of the plain counts. Sampling
    a large part of a small set earns no credit: the interval is on the safe side there.

    Source: the stratified ratio estimator and its linearised variance, Cochran 1977, chapters 5 and
    6; the effective number in the exact interval, Korn and Graubard 1998; the effect of weights,
    Kish 1965.
    """
    cells = [cell for cell in cells if cell.judged]
    n = sum(cell.within for cell in cells)
    hits = sum(cell.hits for cell in cells)
    if n == 0:
        return None
    weights = {cell.weight for cell in cells if cell.within}
    if len(weights) == 1:
        return plain(hits, n, level)  # what follows would give the same, but for rounding
    total = sum(cell.weight * cell.within for cell in cells)
    value = min(1.0, sum(cell.weight * cell.hits for cell in cells) / total)
    effective = _effective(cells, value, total)
    counted = value * effective
    return Proportion(
        n,
        hits,
        value,
        effective,
        clopper_pearson(counted, effective, level),
        wilson(counted, effective, level),
    )


def _effective(cells: Sequence[StratumCounts], value: float, total: float) -> float:
    n = sum(cell.within for cell in cells)
    by_weights = total**2 / sum(cell.weight**2 * cell.within for cell in cells)
    variance = sum(_variance(cell, value) for cell in cells) / total**2
    if variance <= 0:
        return min(float(n), by_weights)
    return min(float(n), by_weights, value * (1 - value) / variance)


def _variance(cell: StratumCounts, value: float) -> float:
    """What a stratum adds to the variance of the estimated total of the residuals."""
    mean = (cell.hits - value * cell.within) / cell.judged
    square = (cell.hits * (1 - value) ** 2 + (cell.within - cell.hits) * value**2) / cell.judged
    return cell.population**2 * (square - mean**2) / cell.judged


# --- how many rows a claim needs ------------------------------------------------------------------


def flawless_rows(claim: float) -> int | None:
    """The rows without an error that put the lower bound at ``claim``; None if no number does.

    72 for 0.95: the exact two-sided interval of n of n begins at 0.025 to the power of 1/n.
    """
    return _smallest(lambda n: clopper_pearson(n, n).low >= claim)


def rows_at_rate(claim: float, value: float) -> int | None:
    """About how many rows it takes in all if errors keep coming at the rate ``1 - value``.

    None if no number does.
    """
    if value <= claim:
        return None
    return _smallest(lambda n: clopper_pearson(value * n, n).low >= claim)


def more_rows(claim: float, share: Proportion) -> int | None:
    """How many more rows without an error lift the lower bound of ``share`` to ``claim``.

    0 if it is there. Exact for plain counts; about right for weighted ones, if the rows to come are
    drawn in the same way.
    """
    if share.exact.low >= claim:
        return 0
    hits = share.value * share.effective
    return _smallest(lambda n: clopper_pearson(hits + n, share.effective + n).low >= claim)


def _smallest(enough: Callable[[int], bool]) -> int | None:
    """The smallest number from 1 that is enough, where every larger one is; None beyond _MOST."""
    high = 1
    while not enough(high):
        high *= 2
        if high > _MOST:
            return None
    low = high // 2  # not enough, or 0
    while high - low > 1:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle
    return high
