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
"""Chance agreement this near to 1, and variances this near to 0, differ from it by rounding alone."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of agreement: 1 is full agreement, 0 what chance gives."""

    value: float | None
    """None where it is undefined."""
    interval: Bounds | None
    """95%, from the standard error and the normal distribution; None where that has no width or no value."""
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
    table = [[counts[first, second] for second in categories] for first in categories]
    raw = plain(sum(table[i][i] for i in range(len(table))), len(pairs))
    return Agreement(raw, cohens_kappa(table), gwets_ac1(table))


def cohens_kappa(table: Sequence[Sequence[int]]) -> Coefficient:
    """Cohen's kappa of a square table of counts, the first judge in rows.

    Source: Cohen 1960; the standard error of Fleiss, Cohen and Everitt 1969, both as statsmodels
        computes them.
    """
    used = [i for i, row in enumerate(table) if sum(row) or sum(line[i] for line in table)]
    n = sum(map(sum, table))
    if n == 0:
        return Coefficient(None, None, "no row was judged by both")
    if len(used) == 1:
        return Coefficient(None, None, "undefined: both judges said the same about every row")
    np = load_module(REVIEW, "numpy")
    with np.errstate(
        all="ignore"
    ):  # it divides by the standard error to test a hypothesis that is not asked for here
        found = load_module(REVIEW, "statsmodels.stats.inter_rater").cohens_kappa(
            np.array([[table[i][j] for j in used] for i in used])
        )
    return _coefficient(float(found.kappa), float(found.var_kappa))


def gwets_ac1(table: Sequence[Sequence[int]]) -> Coefficient:
    """Gwet's AC1 of a square table of counts, the first judge in rows; every category counts, used or not.

    Source: Gwet 2008, equations for two raters, without the correction for a finite population.
    """
    n = sum(map(sum, table))
    if n == 0:
        return Coefficient(None, None, "no row was judged by both")
    size = len(table)
    shares = [[cell / n for cell in row] for row in table]
    used = [(sum(shares[k]) + sum(row[k] for row in shares)) / 2 for k in range(size)]
    agreed = sum(shares[k][k] for k in range(size))
    chance = sum(p * (1 - p) for p in used) / (size - 1)
    value = (agreed - chance) / (1 - chance)
    on_diagonal = (
        sum(shares[k][k] * (1 - used[k]) for k in range(size)) / (size - 1) - agreed * chance
    )
    cells = [(shares[k][m], 1 - (used[k] + used[m]) / 2) for k in range(size) for m in range(size)]
    everywhere = sum(share * apart**2 for share, apart in cells) / (size - 1) ** 2 - chance**2
    spread = (
        agreed * (1 - agreed) - 4 * (1 - value) * on_diagonal + 4 * (1 - value) ** 2 * everywhere
    )
    return _coefficient(value, spread / (n * (1 - chance) ** 2))


def _coefficient(value: float, variance: float) -> Coefficient:
    if not variance > _CERTAIN:
        return Coefficient(value, None, "no interval: the standard error of the sample is 0")
    reach = _Z * math.sqrt(variance)
    return Coefficient(value, Bounds(max(-1.0, value - reach), min(1.0, value + reach)), "")
