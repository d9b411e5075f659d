"""Imported questions -> queries: those that ask the same are one, also with a query of the set."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hayami.evalset.names import row_key
from hayami.evalset.qids import Claimant
from hayami.evalset.records import (
    TRUST,
    Flag,
    Grade,
    ImportedFile,
    Query,
    article_of,
    best_targets,
    grade_sections,
)
from hayami.importing.questions import Question
from hayami.importing.shelf import Shelf
from hayami.label.flags import wording_flags
from hayami.label.grades import Labelled, make_query
from hayami.parts import Label, text_of
from hayami.text.fold import compact
from hayami.text.overlap import Wording

SOURCE: Final = "import:"
"""What stands before the reference in ``source`` where a question does not say who wrote it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question of the file whose sections were found."""

    question: Question
    label: Label
    article: str
    """Id of the article that it is about."""

    @property
    def key(self) -> str:
        """The words that make two questions one, after what a judge made of them."""
        return compact(self.label.asked)

    @property
    def claimant(self) -> Claimant:
        """The question as one that wants an id."""
        row = self.label.row
        key = row_key(self.article, row.question, text_of(row.reference))
        return Claimant((key,), self.label.asked)


@dataclass(frozen=True, slots=True)
class QueryMaker:
    """Makes queries of the questions of one file."""

    shelf: Shelf
    short: int
    """Letters below which a question is flagged as short."""
    record: ImportedFile
    wordings: Mapping[str, Wording]
    """The wordings of the targets, by section."""

    def make(self, qid: str, group: Sequence[Answered], *, repeated: bool) -> Query:
        """The query of questions that are one; ``repeated`` if set or file asks it twice."""
        labelled = [Labelled(one.label, self.shelf.articles[one.article]) for one in group]
        targets: set[str] = set()
        for one in labelled:
            targets.update(target.section for target in one.label.targets)
        sections = self.shelf.of_sections(map(article_of, targets))
        wordings = [self.wordings[target] for target in sorted(targets)]
        seen = wording_flags(labelled[0].label.asked, wordings)
        made = make_query(qid, labelled, sections, self.short, repeated=repeated, seen=seen)
        return made.model_copy(update=self._told(made, group))

    def _told(self, made: Query, group: Sequence[Answered]) -> dict[str, object]:
        """What the file says beside the questions; of several the first that says it."""
        questions = [one.question for one in group]
        stood = {"path": self.record.path, "sha256": self.record.sha256}
        keywords: dict[str, None] = {}
        for question in questions:
            keywords.update(dict.fromkeys(question.expected_keywords))
        return {
            "source": questions[0].source or SOURCE + text_of(group[0].label.row.reference),
            "origins": tuple(origin.model_copy(update=stood) for origin in made.origins),
            "category": _first(question.category for question in questions),
            "difficulty": _first(question.difficulty for question in questions),
            "expected_keywords": tuple(keywords),
        }


def _first(texts: Iterable[str]) -> str:
    """The first text that is not empty, or an empty one."""
    return next(filter(None, texts), "")


def with_flags(query: Query, flags: Collection[Flag]) -> Query:
    """A query with these flags, in their order."""
    return query.model_copy(update={"flags": tuple(flag for flag in Flag if flag in flags)})


def merge_queries(query: Query, other: Query, shelf: Shelf) -> Query:
    """A query with the targets and origins of another one that asks the same.

    It keeps its id, its words and its article; the match is the least trusted of all.
    """
    targets = best_targets([*query.targets, *other.targets])
    relevant = dict.fromkeys(sorted(targets), int(Grade.TARGET))
    grades = grade_sections(relevant, shelf.of_sections(map(article_of, targets)))
    keywords = dict.fromkeys((*query.expected_keywords, *other.expected_keywords))
    merged = query.model_copy(
        update={
            "relevant": relevant,
            "same_article": len(grades) - len(relevant),
            "match": max((target.match for target in targets.values()), key=TRUST.index),
            "answer": query.answer or other.answer,
            "targets": tuple(targets.values()),
            "origins": (*query.origins, *other.origins),
            "verdicts": tuple(dict.fromkeys((*query.verdicts, *other.verdicts))),
            "category": query.category or other.category,
            "difficulty": query.difficulty or other.difficulty,
            "expected_keywords": tuple(keywords),
        }
    )
    return with_flags(merged, _flags(query, other))


def _flags(query: Query, other: Query) -> set[Flag]:
    """The flags of both; the merged one depends on its context only if both do."""
    flags = {*query.flags, *other.flags, Flag.DUPLICATE}
    if not (Flag.CONTEXT_DEPENDENT in query.flags and Flag.CONTEXT_DEPENDENT in other.flags):
        flags.discard(Flag.CONTEXT_DEPENDENT)
    return flags
