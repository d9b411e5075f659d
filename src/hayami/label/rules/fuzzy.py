"""Rule ``fuzzy``: the most similar heading, if it is clearly that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from hayami.evalset.records import Candidate, Match, Reason
from hayami.label.cell import Reference
from hayami.label.headings import candidate
from hayami.label.meaning import Meaning
from hayami.label.rules.contains import may_be_part
from hayami.label.rules.rule import Role, Rule
from hayami.label.scope import Scope
from hayami.label.similarity import MARGIN, conflict
from hayami.parts import Heading
from hayami.text.fold import fold


class _Scored(NamedTuple):
    """A heading of the article with its similarity to the reference."""

    score: float
    number: int
    heading: Heading


def most_similar(scope: Scope, reference: Reference) -> Meaning:
    """The most similar heading, if similar enough, clearly the best, and nothing is against it."""
    if reference.numbers.only or not may_be_part(fold(reference.text)):
        return Meaning()
    ranked = _ranked(scope, reference.text)
    if not ranked or ranked[0].score < scope.index.settings.threshold:
        return Meaning()
    first = [one for one in ranked if one.score == ranked[0].score]
    # Equal scores must not depend on the order of the headings: any of them may be the one.
    fitting = [one for one in first if not conflict(reference.text, one.heading.text)]
    if not fitting:
        return Meaning()
    return _clearly_best(scope, reference, fitting + ranked[len(first) :])


def _clearly_best(scope: Scope, reference: Reference, ranked: Sequence[_Scored]) -> Meaning:
    """The first of some scored headings if the next one is far enough behind; else ambiguous."""
    best, *others = ranked
    close = [one for one in others if best.score - one.score < MARGIN]
    if close:
        candidates = tuple(_candidate(scope, one) for one in (best, *close))
        return Meaning(reason=Reason.AMBIGUOUS, candidates=candidates)
    found = scope.target(scope.outline, best.heading, reference.sought, Match.FUZZY, best.score)
    runner_up = _candidate(scope, others[0]) if others else None
    told = tuple(target.model_copy(update={"runner_up": runner_up}) for target in found.targets)
    return replace(found, targets=told)


def _ranked(scope: Scope, text: str) -> list[_Scored]:
    """The best heading of each section that is like a text at all, best first."""
    if not scope.index.headings:
        return []
    best: dict[int | None, _Scored] = {}
    scores = scope.index.similarity.scores(text)
    for number, (heading, score) in enumerate(zip(scope.index.headings, scores, strict=True)):
        before = best.get(heading.section)
        if score > (before.score if before is not None else 0) and not scope.is_host(heading):
            best[heading.section] = _Scored(score, number, heading)
    return sorted(best.values(), key=lambda one: (-one.score, one.number))


def _candidate(scope: Scope, one: _Scored) -> Candidate:
    return candidate(scope.outline, one.heading, one.score)


FUZZY: Final = Rule("fuzzy", most_similar, frozenset({Role.PART, Role.REST}))
