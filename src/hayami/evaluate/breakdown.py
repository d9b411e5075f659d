"""Queries in groups: where a search system is good and where it is not."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hayami.evalset.folder import EvalSet
from hayami.evaluate.judgements import Judgements
from hayami.text.fold import compact

OVERLAP_BANDS: Final = (
    (0.25, "below 25%"),
    (0.5, "25 to 50%"),
    (0.75, "50 to 75%"),
    (1.01, "75% and more"),
)
"""Bands of lexical overlap: (below this, name).

Fixed, so that figures of several sets can be set side by side.
"""
DIMENSIONS: Final = (
    "match",
    "flag",
    "category",
    "difficulty",
    "language",
    "folder",
    "overlap",
)
"""What parts queries, in the order in which it is shown."""
NO_FLAG: Final = "no flag"


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """Queries that have something in common."""

    dimension: str
    """What they are parted by: one of DIMENSIONS."""
    name: str
    qids: tuple[str, ...]
    """In the order of the judgements."""


def overlap(query: str, text: str) -> float:
    """The share of the query's character bigrams that the text has, 0 to 1.

    Spaces, width and case do not count.

    A query of a single character is its own gram. Containment as in Broder, SEQUENCES 1997, over
    bigrams.
    """
    asked = _grams(query)
    return len(asked & _grams(text)) / len(asked) if asked else 0.0


def _grams(text: str) -> set[str]:
    folded = compact(text)
    return {a + b for a, b in itertools.pairwise(folded)} or ({folded} if folded else set())


def overlaps_of(evalset: EvalSet) -> dict[str, float]:
    """How much of each query's wording its target has, by query id.

    Heading and text, of several targets the best.
    """
    asked: dict[str, list[tuple[str, str]]] = {}
    for query in evalset.queries():
        for target in query.relevant:
            asked.setdefault(target, []).append((query.qid, query.query))
    found: dict[str, float] = {}
    for section in evalset.sections():
        words = f"{section.heading}\n{section.text}"
        for qid, text in asked.get(section.id, ()):
            found[qid] = max(found.get(qid, 0.0), overlap(text, words))
    return found


def groups_of(
    judgements: Judgements, overlaps: Mapping[str, float] | None = None
) -> list[QueryGroup]:
    """The groups of every dimension that parts the queries at all, in the order of dimensions.

    Args:
        judgements: with what is known about their queries; a query with several flags is in several
            groups.
        overlaps: lexical overlap by query id; without it there is no such dimension.
    """
    found: list[QueryGroup] = []
    for dimension in DIMENSIONS:
        parts = parts_of(judgements, dimension, overlaps)
        if len(parts) > 1 and not (dimension == "folder" and _same(parts, found)):
            ordered = _ordered(dimension, parts)
            found += [QueryGroup(dimension, name, tuple(parts[name])) for name in ordered]
    return found


def parts_of(
    judgements: Judgements, dimension: str, overlaps: Mapping[str, float] | None = None
) -> dict[str, list[str]]:
    """The query ids of each group of one dimension, by its name."""
    parts: dict[str, list[str]] = {}
    for qid in judgements.qrels:
        for name in _names(judgements, qid, dimension, overlaps or {}):
            parts.setdefault(name, []).append(qid)
    return parts


def _same(parts: Mapping[str, list[str]], found: Iterable[QueryGroup]) -> bool:
    """Whether folders part the queries as languages do: many sites keep a folder for each."""
    return {tuple(qids) for qids in parts.values()} == {
        g.qids for g in found if g.dimension == "language"
    }


def _names(
    judgements: Judgements, qid: str, dimension: str, overlaps: Mapping[str, float]
) -> Iterator[str]:
    """The groups of one dimension that a query is in."""
    topic = judgements.topic(qid)
    if dimension == "flag":
        yield from topic.flags or ([NO_FLAG] if topic.text else [])
    elif dimension == "overlap":
        yield from [band(overlaps[qid])] if qid in overlaps else []
    elif dimension == "folder":
        yield from [topic.article.split("/", 1)[0]] if "/" in topic.article else []
    else:
        known = {
            "match": topic.match,
            "category": topic.category,
            "difficulty": topic.difficulty,
            "language": topic.language,
        }
        yield from [known[dimension]] if known[dimension] else []


def band(share: float) -> str:
    """The name of the band that an overlap is in."""
    return next(name for below, name in OVERLAP_BANDS if share < below)


def _ordered(dimension: str, names: Iterable[str]) -> list[str]:
    """Bands from low to high, the rest by name, no flag last."""
    bands = [name for _, name in OVERLAP_BANDS]
    return sorted(
        names,
        key=lambda name: (bands.index(name) if dimension == "overlap" else name == NO_FLAG, name),
    )
