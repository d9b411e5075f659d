"""Random samples of a set: stratified, the same for the same seed, growing without losing a row."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Final

from hayami.audit.draft import ALL, Drafter, distinct, read_drafter, with_contents
from hayami.audit.items import Item
from hayami.errors import AllocationError, SheetError
from hayami.evalset.folder import EvalSet
from hayami.evalset.records import ARTICLE_REASONS, TRUST, Match, Reason

NO_MISSES: Final = ARTICLE_REASONS | {
    Reason.NO_QUESTION,
    Reason.DUPLICATE_QUESTION,
    Reason.DROPPED_BY_VERDICT,
}
"""Rejections that cannot be missed labels.

Files, rows without a question, rows asked elsewhere or judged already.
"""
REJECTED: Final = "rejected"
"""The stratum of rejected rows."""
SCORE_BANDS: Final = (0.5, 0.6, 0.75, 0.9, 1.0)
"""Where bands of the score begin: the threshold's default, then coarser and coarser; 1 is alone."""


class By(StrEnum):
    """What strata are made of."""

    MATCH = "match"
    DETECTOR = "detector"
    SCORE = "score"
    LANGUAGE = "language"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Draw:
    """How to draw: how many rows, with which seed, from which strata."""

    n: int = 40
    """Rows in all."""
    seed: int = 0
    by: tuple[By, ...] = (By.MATCH,)
    """Several cross each other; none is a simple random sample."""
    floor: int = 3
    """Rows of each stratum at the least, or all that it has."""
    rejected: bool = False
    """Whether rejected rows are a stratum of their own."""


@dataclass(frozen=True, slots=True)
class DrawnStratum:
    """What a stratum has in the set, and what of it the sheet has."""

    name: str
    population: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Sample:
    """A sheet's items, shuffled so that strata are mixed, and its strata."""

    items: tuple[Item, ...]
    strata: tuple[DrawnStratum, ...]

    @property
    def population(self) -> int:
        """How many rows there were to draw from."""
        return sum(stratum.population for stratum in self.strata)


def draw_sample(evalset: EvalSet, sheet: Path, draw: Draw) -> Sample:
    """A random sample of the labels of a set, and of its rejected rows if asked for.

    Within a stratum every row has the same chance. A row's place in the draw depends on the seed
    and its own texts alone, so the same seed draws the same rows in whatever order the set has
    them, and a larger ``n`` only adds rows. If ``n`` is more than there are, all are drawn.

    Args:
        evalset: the set.
        sheet: the file to be, which names the set relative to itself.
        draw: how to draw.

    Raises:
        AllocationError: the floors of the strata are more than ``n``.
        SheetError: the set has nothing to draw.
        EvalSetError: the set is damaged.
    """
    strata = _strata(evalset, read_drafter(evalset, sheet), draw)
    populations = {name: len(items) for name, items in strata.items()}
    if not populations:
        hint = "See 'hayami check', and rejected.jsonl for the rows that gave none."
        raise SheetError("has no labels to draw from", where=str(evalset.folder), hint=hint)
    numbers = allocate(populations, draw.n, draw.floor)
    drawn = [DrawnStratum(name, populations[name], numbers[name]) for name in strata]
    found: list[Item] = []
    for stratum in drawn:
        found += _draw_stratum(strata[stratum.name], stratum, draw.seed)
    found.sort(key=lambda item: _chance(draw.seed, "order", item.item))
    return Sample(with_contents(found, evalset), tuple(drawn))


def _draw_stratum(items: Iterable[Item], stratum: DrawnStratum, seed: int) -> list[Item]:
    """The rows that are drawn of a stratum, each with how it was drawn."""
    how = {
        "stratum": stratum.name,
        "population": stratum.population,
        "drawn": stratum.drawn,
        "seed": seed,
    }
    return [item.model_copy(update=how) for item in draw_within(items, stratum.drawn, seed)]


def _strata(evalset: EvalSet, drafter: Drafter, draw: Draw) -> dict[str, list[Item]]:
    """The items of the set by stratum: most trusted match first, then by name, rejected last."""
    strata: dict[str, list[Item]] = {}
    for item in distinct(map(drafter.label, evalset.queries())):
        strata.setdefault(stratum_of(item, draw.by), []).append(item)
    ordered = {name: strata[name] for name in sorted(strata, key=_order)}
    if draw.rejected:
        missable = (row for row in evalset.rejections() if row.reason not in NO_MISSES)
        rejected = distinct(map(drafter.rejected, missable))
        if rejected:
            ordered[REJECTED] = rejected
    return ordered


def _order(stratum: str) -> tuple[int, str]:
    for part in stratum.split(","):
        variable, _, value = part.partition("=")
        if variable == By.MATCH:
            return TRUST.index(Match(value)), stratum
    return 0, stratum


def stratum_of(item: Item, by: Sequence[By]) -> str:
    """The name of the stratum of a label: ``match=fuzzy``, ``match=fuzzy,language=ja``.

    ``all`` without strata.
    """
    traits = [one for one in dict.fromkeys(by) if one is not By.NONE]
    return ",".join(f"{one}={_TRAITS[one](item)}" for one in traits) or ALL


def score_band(score: float) -> str:
    """The band of SCORE_BANDS that a score (0 to 1) is in, such as ``0.60-0.75``.

    The upper end is not included.
    """
    edges = (0.0, *SCORE_BANDS)
    place = bisect_right(edges, score)
    if place == len(edges):
        return f"{edges[-1]:.2f}"
    return f"{edges[place - 1]:.2f}-{edges[place]:.2f}"


_TRAITS: Final[Mapping[By, Callable[[Item], str]]] = {
    By.MATCH: lambda item: str(item.match),
    By.DETECTOR: lambda item: str(item.detector),
    By.SCORE: lambda item: score_band(min((target.score for target in item.targets), default=0.0)),
    By.LANGUAGE: lambda item: item.language or "unknown",
}


def allocate(populations: Mapping[str, int], n: int, floor: int) -> dict[str, int]:
    """How many rows to draw of each stratum: ``n`` in all, or everything if there is less.

    Each stratum begins with its floor (or all that it has); the rest goes one by one to the stratum
    that is furthest behind its share, by the divisors of Sainte-Laguë (Balinski and Young, Fair
    Representation, 1982). Largest remainders would do the same but for one thing: with them a
    larger ``n`` can take a row from a stratum (the Alabama paradox), and a sheet that is drawn on
    would lose a row that somebody has judged.

    Args:
        populations: rows by stratum.
        n: rows to draw in all.
        floor: rows of each stratum at the least.

    Raises:
        AllocationError: the floors are more than ``n``.
    """
    if n >= sum(populations.values()):
        return dict(populations)
    drawn = {name: min(floor, population) for name, population in populations.items()}
    least = sum(drawn.values())
    if least > n:
        floors = f"{len(populations)} strata with at least {floor} rows each (or all they have)"
        what = f"{floors} are {least} rows, not {n}"
        hint = f"Draw {least} rows or more, take a lower floor (down to 0), or fewer strata."
        raise AllocationError(what, hint=hint)
    names = sorted(populations)  # ties go by name: not by the order of the set
    for _ in range(n - least):
        # a stratum that is used up stands below 1/2, one that is not above it: none gives more than
        # it has
        drawn[max(names, key=lambda name: Fraction(populations[name], 2 * drawn[name] + 1))] += 1
    return drawn


def draw_within(items: Iterable[Item], number: int, seed: int) -> list[Item]:
    """The rows that a seed draws from one stratum.

    Those with the smallest hashes, so each has the same chance.
    """
    return sorted(items, key=lambda item: _chance(seed, "draw", item.item))[:number]


def _chance(seed: int, purpose: str, item: str) -> bytes:
    """What decides by chance: a hash, so that no row's luck hangs on another row.

    The order has another purpose than the draw: drawn rows of large strata have the smallest
    hashes, and would all come first.
    """
    return hashlib.sha256(f"{purpose}\0{seed}\0{item}".encode()).digest()
