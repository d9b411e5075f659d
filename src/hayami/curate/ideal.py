"""How much of the best possible DCG comes from sections that do not answer the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from hayami.evalset.gains import GAINS, split_ideal_dcg
from hayami.evalset.records import Grade


@dataclass(frozen=True, slots=True)
class SiblingShare:
    """What the targets' siblings weigh in nDCG at one depth, as means over queries."""

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

    Without queries both figures are 0.
    """
    worth = GAINS[gain]
    total, share, reached = 0, 0.0, 0.0
    for (targets, siblings), many in Counter(queries).items():
        others = [Grade.SAME_ARTICLE] * siblings
        best = split_ideal_dcg([Grade.TARGET] * targets + others, worth, k)
        if best.whole:
            total += many
            share += many * best.siblings_share
            reached += many * split_ideal_dcg(others, worth, k).siblings / best.whole
    return SiblingShare(k, gain, share / max(1, total), reached / max(1, total))
