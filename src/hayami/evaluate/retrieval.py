"""Searching an eval set's corpus with its own queries.

A baseline, or a program of the user's, gives a ranking each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from hayami.errors import EvalSetError
from hayami.evalset.folder import EvalSet
from hayami.evalset.records import Section
from hayami.evaluate.baselines import SearchIndex, SetUp
from hayami.evaluate.bm25 import Scores

TOP: Final = 100
"""Results a query, unless set: what the seed takes, and what TREC runs of passages usually hold."""
FIELDS: Final[tuple[str, ...]] = ("title", "heading", "text")
"""Fields of a section that can be searched, in the order in which they are joined."""
SEARCHED: Final[tuple[str, ...]] = ("heading", "text")
"""Fields that are searched unless set."""

Rankings = Mapping[str, Mapping[str, float]]
"""Scores by query id and section id, best first."""


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """What a search system is asked."""

    qid: str
    query: str
    """The text to search for, with the topic before it if that was asked for."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a search is done, whatever the retriever."""

    top: int = TOP
    """Most results a query, 1 or more."""
    prefix_topic: bool = False
    """Whether the article's topic goes before each query."""
    fields: tuple[str, ...] = SEARCHED
    """What of a section a baseline searches, names of FIELDS."""
    seed: int = 0
    """Seed of the baselines that draw at random (LSA)."""


def questions(evalset: EvalSet, *, prefix_topic: bool = False) -> list[AskedQuery]:
    """What is asked.

    Every query of the set in its order, as it is or with its article's topic before it.

    Raises:
        EvalSetError: the set has no query.
    """
    asked = [
        AskedQuery(query.qid, f"{query.topic} {query.query}" if prefix_topic else query.query)
        for query in evalset.queries()
    ]
    if not asked:
        raise EvalSetError(
            "holds no query", where=str(evalset.folder), hint="Build a set with at least one label."
        )
    return asked


@dataclass(frozen=True, slots=True)
class Searched:
    """What a baseline found."""

    rankings: Rankings
    remark: str
    """What is to be known of its index; empty if it is as asked for."""


def search(evalset: EvalSet, set_up: SetUp, terms: Terms) -> Searched:
    """The best sections of each query by a baseline, at most ``terms.top`` of them.

    Equal scores are ordered by section id, descending, as trec_eval orders them, so that the cut is
    the same everywhere. A query to which nothing is found has an empty ranking.

    Raises:
        EvalSetError: the set has no query, or no text to search.
    """
    asked = questions(evalset, prefix_topic=terms.prefix_topic)
    ids: list[str] = []
    index = _build(evalset, set_up, terms, ids)
    tie = _order_of_ties(ids)
    scored = index.scores([question.query for question in asked])
    rankings = {}
    for question, scores in zip(asked, scored, strict=True):
        found = best(scores, tie, terms.top, set_up.least)
        rankings[question.qid] = {ids[place]: float(scores[place]) for place in found}
    return Searched(rankings, index.remark)


def _order_of_ties(ids: list[str]) -> np.typing.NDArray[np.intp]:
    """The rank of each section among all of equal score: by id, descending."""
    order = np.empty(len(ids), dtype=np.intp)
    order[sorted(range(len(ids)), key=ids.__getitem__, reverse=True)] = np.arange(len(ids))
    return order


def _build(evalset: EvalSet, set_up: SetUp, terms: Terms, ids: list[str]) -> SearchIndex:
    """The index of the corpus; notes the ids of its sections in ``ids``."""
    try:
        return set_up.build(_texts(evalset, terms.fields, ids), terms.seed)
    except ValueError as error:
        # What scikit-learn says of a corpus without a single n-gram; a damaged corpus is an
        # EvalSetError already.
        if isinstance(error, EvalSetError) or "vocabulary" not in str(error):
            raise
        raise EvalSetError(
            "the corpus holds no text to search",
            where=str(evalset.folder),
            hint="Build the set from articles with text.",
        ) from error


def _texts(evalset: EvalSet, fields: tuple[str, ...], ids: list[str]) -> Iterator[str]:
    """The text of each section.

    Notes its id in ``ids``, so that the corpus passes through memory once.
    """
    for section in evalset.sections():
        ids.append(section.id)
        yield text_of(section, fields)


def text_of(section: Section, fields: tuple[str, ...] = SEARCHED) -> str:
    """The text of a section that is searched: its fields, one a line."""
    parts = {"title": section.title, "heading": section.heading, "text": section.text}
    return "\n".join(parts[name] for name in FIELDS if name in fields and parts[name])


def best(scores: Scores, tie: np.typing.NDArray[np.intp], top: int, least: float) -> list[int]:
    """The places of the ``top`` highest scores above ``least``, best first.

    Equal scores by ``tie``, ascending.
    """
    found = np.flatnonzero(scores > least)
    if len(found) > top:
        bar = np.partition(scores[found], len(found) - top)[len(found) - top]
        found = found[scores[found] >= bar]
    order = np.lexsort((tie[found], -scores[found]))[:top]
    chosen: list[int] = found[order].tolist()
    return chosen
