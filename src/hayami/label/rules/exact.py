"""Rules ``exact`` and ``undecorated``: a heading is called just what the reference says."""

from __future__ import annotations

from typing import Final

from hayami.evalset.records import Match, Reason
from hayami.label.cell import Reference, Sought
from hayami.label.headings import whole
from hayami.label.meaning import Meaning
from hayami.label.phrases import without_phrases
from hayami.label.rules.rule import Role, Rule
from hayami.label.scope import Scope
from hayami.text.fold import compact, has_word


def called_exactly(scope: Scope, reference: Reference) -> Meaning:
    """The heading as written, then folded; the article's own title means the whole article."""
    for text in reference.wordings:
        meaning = _named(scope, Sought(text, reference.href))
        if meaning.decided:
            return meaning
    return Meaning()


def _named(scope: Scope, sought: Sought) -> Meaning:
    folded = compact(sought.text)
    for headings in (scope.index.written.get(sought.text), scope.index.folded.get(folded)):
        if headings:
            return scope.one_of(headings, sought, Match.EXACT)
    if folded in scope.index.titles and has_word(sought.text):
        return Meaning(reason=Reason.WHOLE_ARTICLE, candidates=(whole(scope.outline),))
    return Meaning()


def called_without_phrases(scope: Scope, reference: Reference) -> Meaning:
    """The heading that is the reference but for phrases around it, which a name can also have."""
    for text in reference.wordings:
        shorter = without_phrases(text)
        if shorter == text or compact(shorter) in scope.index.generic:
            continue
        meaning = _named(scope, Sought(shorter, reference.href))
        if meaning.decided:
            return meaning
        called = scope.called(shorter)
        if called:
            return scope.one_of(called, Sought(text, reference.href), Match.CONTAINS)
    return Meaning()


EXACT: Final = Rule("exact", called_exactly, frozenset({Role.WHOLE, Role.PART, Role.WEAK}))
UNDECORATED: Final = Rule("undecorated", called_without_phrases, frozenset({Role.WHOLE, Role.PART}))
