"""The labelled rows of a build by the question that they ask.

What becomes one query, and its id.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hayami.evalset.names import row_key
from hayami.evalset.qids import Claimant
from hayami.label.grades import Labelled
from hayami.making.catalogue import Spool
from hayami.parts import text_of
from hayami.settings import Duplicates
from hayami.text.fold import compact
from hayami.text.repeats import near_duplicates


@dataclass(frozen=True, slots=True)
class QueryRows:
    """The rows of one query, by where they are packed."""

    places: list[int]
    repeated: bool
    """Whether the question stands in several rows, merged or not."""


@dataclass
class Questions:
    """Labelled rows in their order, packed in a temporary file, and which of them ask the same."""

    spool: Spool
    _places: list[int] = field(default_factory=list)
    _asked: list[str] = field(default_factory=list)
    _first: dict[bytes, int] = field(default_factory=dict)
    """Where the first row of each question is."""
    _repeated: dict[bytes, list[int]] = field(default_factory=dict)
    """Where all rows of each question are that has several."""

    def asks_again(self, labelled: Labelled) -> bool:
        """Whether an earlier row asks the same."""
        return _digest(labelled) in self._first

    def add(self, labelled: Labelled) -> None:
        """Keeps a row."""
        place = self.spool.append(pickle.dumps(labelled, protocol=pickle.HIGHEST_PROTOCOL))
        self._places.append(place)
        self._asked.append(labelled.label.asked)
        key = _digest(labelled)
        if key in self._first:
            self._repeated.setdefault(key, [self._first[key]]).append(place)
        else:
            self._first[key] = place

    def queries(self, duplicates: Duplicates) -> Iterator[QueryRows]:
        """The rows of each query, by its first one.

        All that ask its question, or one if they are kept apart.
        """
        merged = {places[0]: places for places in self._repeated.values()}
        later: set[int] = set()
        for places in merged.values():
            later.update(places[1:])
        for place in self._places:
            if duplicates is not Duplicates.MERGE:
                yield QueryRows([place], repeated=place in merged or place in later)
            elif place not in later:
                yield QueryRows(merged.get(place, [place]), repeated=place in merged)

    def rows(self, query: QueryRows) -> list[Labelled]:
        """The rows of a query."""
        return [self._row(place) for place in query.places]

    def asked(self, queries: Sequence[QueryRows]) -> Iterator[Claimant]:
        """What each query is known by from one build to the next."""
        for query in queries:
            rows = self.rows(query)
            keys = [
                row_key(one.article.id, one.label.row.question, text_of(one.label.row.reference))
                for one in rows
            ]
            yield Claimant(tuple(keys), rows[0].label.asked)

    def nearly_repeated(self) -> frozenset[str]:
        """The questions, compact, that are nearly another one."""
        found: set[str] = set()
        for pair in near_duplicates(self._asked):
            found |= {compact(self._asked[pair.one]), compact(self._asked[pair.other])}
        return frozenset(found)

    def _row(self, place: int) -> Labelled:
        labelled: Labelled = pickle.loads(self.spool.read(place))  # noqa: S301 - our own temporary file
        return labelled


def _digest(labelled: Labelled) -> bytes:
    """What makes two questions the same, short: a build keeps one for every question."""
    return hashlib.blake2b(labelled.question_key.encode(), digest_size=16).digest()
