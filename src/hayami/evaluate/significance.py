"""Whether the difference of two runs is more than chance.

Paired by query, and by article, whose questions hang together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

DRAWS: Final = 10_000
"""Random sign patterns of a test that is not exact: the p-value is then known to 0.01 (95%, at p =
0.5)."""
EXACT: Final = 16
"""Differences up to which all sign patterns are tried: 65,536 of them."""
_BLOCK: Final = 1_024
"""Sign patterns held at a time."""
_CLOSE: Final = 1e-10
"""Share of the observed sum by which sums that are equal on paper may differ: they are added in
another order."""
ALPHA: Final = 0.05
"""The error of the first kind that a detectable difference is stated for: 5%, two-sided."""
POWER: Final = 0.8
"""How often a difference of that size would be found."""
_Z: Final = 1.959963984540054 + 0.8416212335729143
"""Normal quantiles of 1 - ALPHA / 2 and of POWER, added."""


@dataclass(frozen=True, slots=True)
class SignFlip:
    """The outcome of a sign-flip test."""

    p: float
    """Two-sided p-value, above 0 and at most 1."""
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


def sign_flip_test(differences: Values, *, draws: int = DRAWS, seed: int = 0) -> SignFlip:
    """How often chance alone gives a mean difference as far from 0 as the observed one.

    If neither run is better, each difference may as well have the other sign. Differences of 0
    change nothing and are left out; with up to EXACT others all patterns are tried and p is their
    share. Otherwise ``draws`` patterns are drawn and p is (hits + 1) / (draws + 1), which is never
    0. No difference at all has p = 1.

    Args:
        differences: of the two runs, one a query (or one a cluster: the sum over its queries).
        draws: patterns to draw.
        seed: of the drawing.

    Source: Smucker, Allan and Carterette, A Comparison of Statistical Significance Tests for
    Information Retrieval Evaluation (CIKM 2007); the + 1: Phipson and Smyth, Permutation P-values
    Should Never Be Zero (2010).
    """
    moved = np.asarray(differences, dtype=np.float64)
    moved = moved[moved != 0]
    bar = abs(math.fsum(moved)) - _CLOSE * float(np.abs(moved).sum())
    if len(moved) <= EXACT:
        patterns = 1 << len(moved)
        return SignFlip(_hits_of_all(moved, bar) / patterns, patterns, exact=True)
    hits = _hits_of_drawn(moved, bar, draws, seed)
    return SignFlip((hits + 1) / (draws + 1), draws, exact=False)


def _hits_of_all(moved: Values, bar: float) -> int:
    """How many of all sign patterns give a sum as far from 0 as ``bar``."""
    patterns = np.arange(1 << len(moved))[:, None]
    signs = (patterns >> np.arange(len(moved))) & 1
    return int(np.count_nonzero(np.abs((2.0 * signs - 1.0) @ moved) >= bar))


def _hits_of_drawn(moved: Values, bar: float, draws: int, seed: int) -> int:
    """How many of ``draws`` random sign patterns give a sum as far from 0 as ``bar``."""
    generator = np.random.default_rng(seed)
    width = -(-len(moved) // 8)
    hits = 0
    for begin in range(0, draws, _BLOCK):
        rows = min(_BLOCK, draws - begin)
        drawn = generator.integers(0, 256, (rows, width), dtype=np.uint8)
        kept = np.unpackbits(drawn, axis=1)[:, : len(moved)].astype(np.float64)
        # Twice the sum of the differences that keep their sign, less the sum of all, is the sum
        # with the signs drawn.
        sums = 2.0 * (kept @ moved) - moved.sum()
        hits += int(np.count_nonzero(np.abs(sums) >= bar))
    return hits


def cluster_sums(values: Values, clusters: Sequence[str]) -> Values:
    """The sum over each cluster, in the order in which the clusters first appear."""
    places: dict[str, int] = {}
    at = [places.setdefault(cluster, len(places)) for cluster in clusters]
    return np.bincount(at, weights=values, minlength=len(places)).astype(np.float64)


def holm(ps: Sequence[float]) -> list[float]:
    """P-values adjusted for being several, in the same order.

    The chance of even one false finding stays below each.

    Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure (1979).
    """
    adjusted = [0.0] * len(ps)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = highest
    return adjusted


def count_outcomes(differences: Values) -> Outcomes:
    """Wins, ties and losses of the second run; equal on paper counts as a tie."""
    wins = int(np.count_nonzero(differences > _CLOSE))
    losses = int(np.count_nonzero(differences < -_CLOSE))
    return Outcomes(wins, len(differences) - wins - losses, losses)


def standard_error(values: Values, clusters: Sequence[str] | None = None) -> float | None:
    """The standard error of the mean, by query or, with ``clusters``, by cluster.

    None for fewer than two of them.

    By cluster it is that of a ratio estimate, with the correction m / (m - 1) for m clusters.
    Source: Cochran, Sampling Techniques, 3rd edition (1977), sections 6.3 and 9A.
    """
    residuals = (
        np.asarray(values, dtype=np.float64) - np.mean(values) if len(values) else np.empty(0)
    )
    if clusters is not None:
        residuals = cluster_sums(residuals, clusters)
    groups = len(residuals)
    if groups < 2:  # noqa: PLR2004 - one value says nothing about the spread
        return None
    return float(math.sqrt(groups / (groups - 1) * float(residuals @ residuals)) / len(values))


def detectable_difference(error: float) -> float:
    """The least true difference that a test finds in POWER of all cases, by its standard error.

    Source: the usual normal approximation, (z(1 - alpha / 2) + z(power)) * standard error; for sets
    of topics see Sakai, Topic Set Size Design (2016).
    """
    return _Z * error


def queries_needed(error: float, queries: int, difference: float) -> int:
    """How many queries of the same kind find ``difference``, if ``queries`` have that error."""
    return max(2, math.ceil(queries * (_Z * error / difference) ** 2))
