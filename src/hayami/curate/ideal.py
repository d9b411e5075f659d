"""How much of the best possible DCG comes from sections that do not answer the question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

GAINS: Final[dict[str, tuple[float, float]]] = {
    "linear": (2.0, 1.0),
    "exponential": (3.0, 1.0),
    "7:1": (7.0, 1.0),
}
"""The gains of grades 2 and 1 by name: linear (Järvelin and Kekäläinen 2002), 2^grade - 1 (Burges et al. 2005), 7:1."""


@dataclass(frozen=True, slots=True)
class SiblingShare:
    """What the other sections of the targets' articles weigh in nDCG at one depth, as means over queries."""

    k: int
    """Depth."""
    gain: str
    """One of GAINS."""
    share: float
    """The siblings' share of the ideal DCG, 0 to 1."""
    without_target: float
    """The nDCG, 0 to 1, of a run that returns the siblings and never a target."""


def sibling_share(k: int, gain: str, queries: Iterable[tuple[int, int]]) -> SiblingShare:
    """The siblings' share of the ideal DCG at ``k``, over queries given as (targets, siblings).

    DCG@k is the sum over ranks i of gain / log2(i + 1); the ideal ranking has the targets first.
    Without queries both figures are 0.

    Source: Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques, TOIS 20(4),
        2002.
    """
    target, sibling = GAINS[gain]
    total, share, reached = 0, 0.0, 0.0
    for (targets, siblings), many in Counter(queries).items():
        best = _dcg([target] * targets + [sibling] * siblings, k)
        if best:
            total += many
            share += many * (1 - _dcg([target] * targets, k) / best)
            reached += many * _dcg([sibling] * siblings, k) / best
    return SiblingShare(k, gain, share / max(1, total), reached / max(1, total))


def _dcg(gains: list[float], k: int) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], 1))
