"""What a grade is worth in a discounted cumulated gain, and how much of it siblings hold.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4),
2002; the exponential gain: Burges and others, Learning to rank using gradient descent, ICML 2005.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hayami.evalset.records import Grade

Gain = Callable[[int], int]
"""The gain of a grade, 0 or more."""


def linear_gain(grade: int) -> int:
    """The grade itself; 0 for one below 0, which says that nobody judged."""
    return max(0, grade)


def exponential_gain(grade: int) -> int:
    """2^grade - 1; 0 for a grade below 0."""
    return int(2 ** max(0, grade) - 1)


def steep_gain(grade: int) -> int:
    """7 for a target, 1 for its siblings: ten results deep they cannot outweigh it."""
    return _STEEP.get(grade, linear_gain(grade))


_STEEP: Final[dict[int, int]] = {Grade.SAME_ARTICLE: 1, Grade.TARGET: 7}
GAINS: Final[dict[str, Gain]] = {
    "linear": linear_gain,
    "exponential": exponential_gain,
    "7:1": steep_gain,
}
"""The gains that figures are stated for, by name."""


def discount(rank: int) -> float:
    """What the gain at a rank, from 1, is divided by."""
    return math.log2(rank + 1)


def dcg(gains: Iterable[float], discount: Callable[[int], float] = discount) -> float:
    """The discounted cumulated gain of a ranking that has these gains, best first."""
    return math.fsum(gain / discount(rank) for rank, gain in enumerate(gains, 1))


@dataclass(frozen=True, slots=True)
class DcgParts:
    """A DCG in two parts."""

    targets: float
    """What documents of the highest grade give."""
    siblings: float
    """What documents below it give."""

    @property
    def whole(self) -> float:
        """Both."""
        return self.targets + self.siblings

    @property
    def siblings_share(self) -> float:
        """The siblings' share of the whole, 0 to 1; 0 of nothing."""
        return self.siblings / self.whole if self.whole else 0.0


def split_dcg(grades: Sequence[int], gain: Gain, top: int = Grade.TARGET) -> DcgParts:
    """The DCG of a ranking, given as its grades in order, from grade ``top`` on and below."""
    targets = dcg(gain(grade) if grade >= top else 0 for grade in grades)
    siblings = dcg(gain(grade) if grade < top else 0 for grade in grades)
    return DcgParts(targets, siblings)


def split_ideal_dcg(
    grades: Iterable[int], gain: Gain, k: int | None, top: int = Grade.TARGET
) -> DcgParts:
    """The DCG at ``k`` of the best order of documents with these grades, in the same two parts.

    Of equal gains the higher grade comes first.
    """
    best = sorted(grades, key=lambda grade: (gain(grade), grade), reverse=True)
    return split_dcg(best[:k], gain, top)
