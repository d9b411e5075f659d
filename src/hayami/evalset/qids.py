"""Query ids that stay: a question that an earlier set asked too keeps the id it had there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hayami.evalset.names import RowKey, row_key
from hayami.evalset.records import Query
from hayami.text.fold import compact

_NUMBERED: Final = re.compile(r"q([1-9][0-9]{0,17})")


def number_of(qid: str) -> int:
    """The number in an id that hayami gave; 0 for any other id."""
    found = _NUMBERED.fullmatch(qid)
    return int(found[1]) if found else 0


def rows_of(query: Query) -> tuple[RowKey, ...]:
    """The keys of the rows that ask a query, as verdicts name them, each once, in their order."""
    return tuple(
        dict.fromkeys(
            row_key(origin.article, origin.question, origin.reference) for origin in query.origins
        )
    )


@dataclass(frozen=True, slots=True)
class Claimant:
    """A question that wants an id: its rows and its words."""

    rows: tuple[RowKey, ...]
    question: str


@dataclass
class QueryIds:
    """The ids of an earlier set by what asked them, and the numbers that are free."""

    by_row: Mapping[RowKey, str] = field(default_factory=dict)
    by_question: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Ids by the question without blanks, in order."""
    last: int = 0
    """The highest number ever given; see the manifest's ``last_qid``."""

    @classmethod
    def of(cls, queries: Iterable[Query], last: int) -> QueryIds:
        """The ids of an earlier set with its queries and its manifest's ``last_qid``."""
        by_row: dict[RowKey, str] = {}
        by_question: dict[str, tuple[str, ...]] = {}
        for query in queries:
            for row in rows_of(query):
                by_row.setdefault(row, query.qid)
            key = compact(query.query)
            by_question[key] = (*by_question.get(key, ()), query.qid)
            last = max(last, number_of(query.qid))
        return cls(by_row, by_question, last)

    def assign(self, questions: Sequence[Claimant], taken: Collection[str] = ()) -> list[str]:
        """An id for each question, no id twice: that of its row, of its words, or a new number.

        A row keeps its id though its answer, its table or its place changes. New numbers begin
        behind the last that was ever given, so that the id of a question that went is not given to
        another one. ``taken`` are ids that are in use already.
        """
        given: list[str | None] = [None] * len(questions)
        used = set(taken)
        for claims in (self._by_row, self._by_question):
            for place, asked in enumerate(questions):
                if given[place] is None:
                    free = next((qid for qid in claims(asked) if qid not in used), None)
                    given[place] = free
                    used |= {free} if free is not None else set()
        return [qid if qid is not None else self.new() for qid in given]

    def _by_row(self, asked: Claimant) -> Iterable[str]:
        return (self.by_row[row] for row in asked.rows if row in self.by_row)

    def _by_question(self, asked: Claimant) -> Iterable[str]:
        return self.by_question.get(compact(asked.question), ())

    def new(self) -> str:
        """A new id."""
        self.last += 1
        return f"q{self.last}"
