"""Sets whose truth is known: runs over questions that cluster by article, many at a time.

Every query has a difficulty of its own, its article has one, and each run is better or worse at
some articles than at others. What a run makes of a query is the rank of its target; the measures
follow from the rank. Runs are equal where neither is shifted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MEASURES = ("RR@10", "Success@1", "Success@5", "Success@10", "nDCG@10")
_STEEP = 1.3
"""How fast ranks grow as a query gets harder."""
_OWN = 0.8
"""How much a query's own difficulty, and what a run makes of it, vary."""


@dataclass(frozen=True)
class Design:
    """A kind of set."""

    name: str
    sizes: tuple[int, ...]
    """Queries of each article."""
    hang: float = 0.0
    """Share of what a run makes of a query that it makes of the whole article, 0 to 1."""
    ease: float = 0.2
    """How easy the queries are: at 0.2 a run finds RR 0.7, at 1.2 RR 0.9."""
    common: float = 0.3
    """How much articles differ in difficulty, for all runs alike."""

    @property
    def queries(self) -> int:
        return sum(self.sizes)

    @property
    def articles(self) -> list[str]:
        return [f"a{place}" for place, size in enumerate(self.sizes) for _ in range(size)]


def values_of(ranks: NDArray[np.int64]) -> Floats:
    """What each measure says of the ranks, shape (measures, …)."""
    near = ranks <= 10
    found = [
        np.where(near, 1 / ranks, 0.0),
        ranks <= 1,
        ranks <= 5,
        near,
        np.where(near, 1 / np.log2(ranks + 1), 0.0),
    ]
    return np.stack(found).astype(np.float64)


def simulate(
    design: Design, times: int, shifts: Sequence[float], rng: np.random.Generator
) -> list[Floats]:
    """The values of runs over ``times`` sets of a design, each of shape (measures, times, queries).

    Args:
        design: the kind of set.
        times: how many sets.
        shifts: for each run, how much better it is; the first is usually 0.
        rng: what decides by chance.
    """
    at = np.repeat(np.arange(len(design.sizes)), design.sizes)
    shape, wide = (times, len(design.sizes)), (times, len(at))
    hard = np.sqrt(design.common) * rng.normal(size=shape)[:, at] + _OWN * rng.normal(size=wide)
    found = []
    for shift in shifts:
        whole = np.sqrt(design.hang) * rng.normal(size=shape)[:, at]
        own = np.sqrt(1 - design.hang) * rng.normal(size=wide)
        good = design.ease + hard + _OWN * (whole + own) + shift
        ranks = np.ceil(np.exp(_STEEP * np.maximum(-good, 0.0))).astype(np.int64)
        found.append(values_of(ranks))
    return found


@cache
def truth(design: Design, shift: float = 0.0) -> tuple[float, ...]:
    """The true mean of each measure of a run, over very many articles of the design."""
    alone = Design("", (1,) * 400_000, design.hang, design.ease, design.common)
    (found,) = simulate(alone, 1, [shift], np.random.default_rng(9))
    return tuple(found.mean(axis=(1, 2)).tolist())


def true_gap(design: Design, shift: float) -> Floats:
    """The true difference of a shifted run from one that is not, for each measure."""
    shifted, plain = np.array(truth(design, shift)), np.array(truth(design))
    gaps: Floats = shifted - plain
    return gaps


def hanging(effect: float, size: int) -> float:
    """What share of a run must hang on the article for a difference of that design effect."""
    low, high = 0.0, 1.0
    for _ in range(12):
        middle = (low + high) / 2
        even = Design("", (size,) * 3_000, middle)
        one, other = simulate(even, 1, [0.0, 0.0], np.random.default_rng(1))
        gaps = (other - one)[0, 0]
        found = (gaps.reshape(-1, size).sum(axis=1) ** 2).sum() / (gaps**2).sum()
        low, high = (middle, high) if found < effect else (low, middle)
    return low if effect > 1 else 0.0


def article_sums(gaps: Floats, design: Design) -> Floats:
    """Sums over the articles, the last axis."""
    begins = np.concatenate([[0], np.cumsum(design.sizes)[:-1]])
    found: Floats = np.add.reduceat(gaps, begins, axis=-1)
    return found
