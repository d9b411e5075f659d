"""Labelled rows -> graded queries: equal questions united, their grades, and what is doubtful."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hayami.evalset.records import (
    TRUST,
    Article,
    Flag,
    Grade,
    Match,
    Origin,
    Query,
    Rejection,
    Ruling,
    Target,
    best_targets,
    grade_sections,
)
from hayami.parts import Label, NoLabel, text_of
from hayami.text.fold import compact, fold, has_word
from hayami.text.overlap import words
from hayami.words.languages import every

SOURCE_PREFIX: Final = "早見表"
_NO_NAMES: Final = "|".join(every(lambda language: language.stop.names))
_NAME: Final = re.compile(rf"(?<![a-z0-9])(?!(?:{_NO_NAMES})\b)[a-z][a-z0-9+#.\-_]{{2,}}")
"""A Latin word of some length names a thing wherever it stands: GROUP, nginx, VLOOKUP."""


@dataclass(frozen=True)
class Labelled:
    """A label with the article that its row stands in."""

    label: Label
    article: Article

    @property
    def question_key(self) -> str:
        """What makes two questions the same question."""
        return compact(self.label.asked)


def make_query(  # noqa: PLR0913 - what is optional is named
    qid: str,
    labelled: Sequence[Labelled],
    sections: Mapping[str, Sequence[str]],
    short: int,
    *,
    repeated: bool,
    seen: Collection[Flag] = (),
) -> Query:
    """One query out of all rows that ask one question.

    Args:
        qid: the id of the query; ``labelled`` are its rows in order, at least one.
        labelled: the rows with their articles.
        sections: the ids of the corpus sections of each target's article.
        short: letters below which the question is flagged as short.
        repeated: whether the question stands in several rows, merged or not.
        seen: what comparing the question with the set's other questions and with the texts of its
            targets showed.
    """
    first = labelled[0]
    targets = _best_evidence(labelled)
    relevant = dict.fromkeys(sorted(targets), int(Grade.TARGET))
    return Query(
        qid=qid,
        query=first.label.asked,
        relevant=relevant,
        same_article=len(grade_sections(relevant, sections)) - len(relevant),
        source=_source(first.label),
        match=max((t.match for t in targets.values()), key=TRUST.index),
        answer=first.label.row.answer,
        article=first.article.id,
        topic=first.article.topic,
        targets=tuple(targets.values()),
        origins=tuple(_origin(one) for one in labelled),
        flags=tuple(_flags(labelled, targets, short, seen=[*seen, *[Flag.DUPLICATE] * repeated])),
        verdicts=tuple(
            dict.fromkeys(one.label.verdict for one in labelled if one.label.verdict is not None)
        ),
    )


def make_rejection(rejected: NoLabel, article: str, path: str) -> Rejection:
    """The record of a row that gave no label, of the article ``article`` in the file ``path``."""
    row = rejected.row
    return Rejection(
        reason=rejected.reason,
        question=row.question,
        answer=row.answer,
        reference=text_of(row.reference),
        href=next((piece.href for piece in row.reference if piece.href), None),
        article=article,
        path=path,
        table=row.place.table,
        row=row.place.row,
        detector=row.detector,
        candidates=rejected.candidates,
        detail=rejected.detail,
        place=row.place.recorded,
    )


def _source(label: Label) -> str:
    """What the question rests on: the kind of signal, and the words that named the section."""
    row = label.row
    signal = row.detector if row.place.table is None else SOURCE_PREFIX
    return f"{signal}:{text_of(row.reference) or label.targets[0].heading}"


def _best_evidence(labelled: Sequence[Labelled]) -> dict[str, Target]:
    """The best target of each section; one that a rule found tells more than one a human named."""
    everything = [target for one in labelled for target in one.label.targets]
    by_rule = {target.section for target in everything if target.match is not Match.MANUAL}
    return best_targets(
        t for t in everything if t.match is not Match.MANUAL or t.section not in by_rule
    )


def _origin(one: Labelled) -> Origin:
    row = one.label.row
    return Origin(
        article=one.article.id,
        path=one.article.path,
        sha256=one.article.sha256,
        table=row.place.table,
        row=row.place.row,
        detector=row.detector,
        question=row.question,
        reference=text_of(row.reference),
        evidence=row.evidence,
        place=row.place.recorded,
    )


def _flags(
    labelled: Sequence[Labelled],
    targets: Mapping[str, Target],
    short: int,
    *,
    seen: Collection[Flag],
) -> list[Flag]:
    question = labelled[0].label.asked
    letters = sum(has_word(c) for c in question)
    found = {
        Flag.CONTEXT_DEPENDENT: _needs_context(question, labelled),
        Flag.EQUALS_HEADING: any(compact(t.heading) == compact(question) for t in targets.values()),
        Flag.SHORT: letters < short,
        Flag.INCOMPLETE: any(one.label.incomplete for one in labelled),
    }
    if found[Flag.EQUALS_HEADING]:  # then the words are the target's, without saying
        seen = set(seen) - {Flag.VERBATIM, Flag.LEXICAL}
    return [flag for flag in Flag if found.get(flag, flag in seen)]


def _needs_context(question: str, labelled: Sequence[Labelled]) -> bool:
    """Whether a human said that the question does not stand alone; else, whether its words do."""
    verdicts = [one.label.verdict for one in labelled if one.label.verdict is not None]
    if any(v.ruling is Ruling.CONTEXT and not v.question for v in verdicts):
        return True
    if any(v.ruling in {Ruling.RIGHT, Ruling.CONTEXT} or v.question for v in verdicts):
        return False
    return _NAME.search(fold(question)) is None and not any(
        shares_word(question, one.article.topic) for one in labelled
    )


def shares_word(question: str, topic: str) -> bool:
    """Whether a question has a word of a topic, as :func:`~hayami.text.overlap.words` counts."""
    here, there = words(question), words(topic)
    return not there or bool(here & there)
