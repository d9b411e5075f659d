"""How far two judges agree, beyond what chance explains."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from hayami.audit.intervals import LEVEL, Bounds, Proportion, plain
from hayami.extras import REVIEW, load_module

_Z: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)
_CERTAIN: Final = 1e-12
"""Variances this near to 0 differ from it by rounding alone."""
_NOTHING_SHARED: Final = "no row was judged by both"


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of agreement: 1 is full agreement, 0 what chance gives."""

    value: float | None
    """None where it is undefined."""
    interval: Bounds | None
    """95%, from the standard error and the normal distribution.

    None where that has no width, or there is no value.
    """
    why: str
    """Why there is no value or no interval; empty if there are both."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two judges agree on the rows that both judged."""

    raw: Proportion | None
    """The share of rows on which they agree; None if they share no row."""
    kappa: Coefficient
    """Cohen's kappa: chance as each judge's own habits make it.

    Low where nearly all rows are alike.
    """
    ac1: Coefficient
    """Gwet's AC1: stays near the raw agreement where nearly all rows are alike."""


def agree(pairs: Sequence[tuple[Hashable, Hashable]], categories: Sequence[Hashable]) -> Agreement:
    """The agreement of two judges.

    Args:
        pairs: what the first and the second judge said about each row that both judged.
        categories: all that can be said; AC1 counts those too that nobody used.
    """
    counts = Counter(pairs)
    table = [_line(counts, first, categories) for first in categories]
    alike = sum(counts[one, one] for one in categories)
    return Agreement(plain(alike, len(pairs)), cohens_kappa(table), gwets_ac1(table))


def _line(
    counts: Counter[tuple[Hashable, Hashable]], first: Hashable, categories: Sequence[Hashable]
) -> list[int]:
    return [counts[first, second] for second in categories]


def cohens_kappa(table: Sequence[Sequence[int]]) -> Coefficient:
    """Cohen's kappa of a square table of counts, the first judge in rows.

    Source: Cohen 1960; the standard error of Fleiss, Cohen and Everitt 1969, both as statsmodels
        computes them.
    """
    by_first, by_second = _margins(table)
    if sum(by_first) == 0:
        return Coefficient(None, None, _NOTHING_SHARED)
    used = [place for place, said in enumerate(zip(by_first, by_second, strict=True)) if any(said)]
    if len(used) == 1:
        return Coefficient(None, None, "undefined: both judges said the same about every row")
    np = load_module(REVIEW, "numpy")
    statistics = load_module(REVIEW, "statsmodels.stats.inter_rater")
    counts = np.array(table)[np.ix_(used, used)]
    with np.errstate(all="ignore"):  # it tests a hypothesis that is not asked for, and divides by 0
        found = statistics.cohens_kappa(counts)
    return _coefficient(float(found.kappa), float(found.var_kappa))


def _margins(table: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """The sums of a square table by row, and by column."""
    return list(map(sum, table)), [sum(column) for column in zip(*table, strict=True)]


def gwets_ac1(table: Sequence[Sequence[int]]) -> Coefficient:
    """Gwet's AC1 of a square table of counts, the first judge in rows.

    Every category counts, used or not.

    Source: Gwet 2008, equations for two raters, without the correction for a finite population.
    """
    n = sum(map(sum, table))
    if n == 0:
        return Coefficient(None, None, _NOTHING_SHARED)
    shares = [_divided(row, n) for row in table]
    margins = zip(*_margins(shares), strict=True)
    used = [(first + second) / 2 for first, second in margins]
    agreed = sum(shares[k][k] for k in range(len(table)))
    chance = sum(p * (1 - p) for p in used) / (len(table) - 1)
    value = (agreed - chance) / (1 - chance)
    spread = _spread_of_ac1(shares, used, chance)
    return _coefficient(value, spread / (n * (1 - chance) ** 2))


def _divided(row: Sequence[int], n: int) -> list[float]:
    return [count / n for count in row]


def _spread_of_ac1(
    shares: Sequence[Sequence[float]], used: Sequence[float], chance: float
) -> float:
    """What the variance of AC1 is made of, before it is divided by rows and by what chance leaves.

    Args:
        shares: the table as shares of all rows.
        used: how much of all that was said is each category.
        chance: the agreement that chance gives.
    """
    others = len(used) - 1
    agreed = diagonal = everywhere = 0.0
    for k, row in enumerate(shares):
        agreed += row[k]
        diagonal += row[k] * (1 - used[k])
        for m, share in enumerate(row):
            everywhere += share * (1 - (used[k] + used[m]) / 2) ** 2
    beyond = 1 - (agreed - chance) / (1 - chance)
    first = agreed * (1 - agreed)
    second = 4 * beyond * (diagonal / others - agreed * chance)
    third = 4 * beyond**2 * (everywhere / others**2 - chance**2)
    return first - second + third


def _coefficient(value: float, variance: float) -> Coefficient:
    if not variance > _CERTAIN:
        return Coefficient(value, None, "no interval: the standard error of the sample is 0")
    reach = _Z * math.sqrt(variance)
    return Coefficient(value, Bounds(max(-1.0, value - reach), min(1.0, value + reach)), "")
