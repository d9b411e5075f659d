"""Rules ``contains`` and ``contained``: a heading holds the reference, or it holds a heading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hayami.evalset.records import Match
from hayami.label.cell import Reference
from hayami.label.meaning import Meaning
from hayami.label.opposites import turned
from hayami.label.rules.rule import Role, Rule
from hayami.label.scope import Scope
from hayami.label.similarity import conflict
from hayami.parts import Heading
from hayami.text.fold import compact, fold

_COVER: Final = 0.5
"""Share of the reference that a heading inside it must make up: sentences mention headings."""
_MENTION: Final = 0.25
"""Share from which a heading inside the reference is named there too."""
_SHORTEST: Final = 2
"""Letters of the shortest reference that a heading may hold."""
_SHORTEST_HIRAGANA: Final = 4
"""The same for one in hiragana alone: なし is also a part of はなしの会."""
_NO_LETTER: Final = re.compile(r"[\W_]")
_HIRAGANA: Final = re.compile(r"[ぁ-ん]+")
_CLASSES: Final = (re.compile(r"[a-z_]"), re.compile(r"[0-9]"), re.compile(r"[ァ-ヺー]"))


def held_by_heading(scope: Scope, reference: Reference) -> Meaning:
    """The heading that is the reference but for number and brackets; else the one that holds it."""
    if reference.numbers.only:
        return Meaning()
    same = scope.called(reference.text)
    if same:
        return scope.one_of(same, reference.sought, Match.CONTAINS)
    if not may_be_part(fold(reference.text)):
        return Meaning()
    holding = [h for h in _holding(scope, reference.text) if not turned(reference.text, h.text)]
    return scope.one_of(holding, reference.sought, Match.CONTAINS)


def _holding(scope: Scope, text: str) -> list[Heading]:
    """The headings that hold a text, with or without the blanks of both."""
    folded, squeezed = fold(text), compact(text)

    def matches(heading: Heading) -> bool:
        return holds(fold(heading.text), folded) or holds(compact(heading.text), squeezed)

    return list(filter(matches, scope.away(scope.index.headings)))


def holds_heading(scope: Scope, reference: Reference) -> Meaning:
    """The heading that the reference contains, if it makes up most of it."""
    if reference.numbers.only:
        return Meaning()
    named = [h for h in _inside(scope, reference.text) if not conflict(reference.text, h.text)]
    named = _outermost(named)
    length = len(fold(reference.text))
    most = [h for h in named if len(fold(h.text)) >= _COVER * length]
    found = scope.one_of(most, reference.sought, Match.CONTAINS)
    several = len({h.section for h in named}) > 1
    return replace(found, partial=True) if found.targets and several else found


def _inside(scope: Scope, text: str) -> list[Heading]:
    """The headings that a text holds and that are no mere word of it."""
    folded = fold(text)
    least = _MENTION * len(folded)
    found: list[Heading] = []
    for heading in scope.away(scope.index.headings):
        name = fold(heading.text)
        if len(name) >= least and holds(folded, name):
            found.append(heading)
    return found


def _outermost(headings: Sequence[Heading]) -> list[Heading]:
    """Some headings without those that another one of them holds."""
    names = {h.text: fold(h.text) for h in headings}
    inner: set[str] = set()
    for text, name in names.items():
        if any(text != other and holds(names[other], name) for other in names):
            inner.add(text)
    return [h for h in headings if h.text not in inner]


def may_be_part(folded: str) -> bool:
    """Whether a folded text is long enough to mean the name that it is a part of."""
    letters = _NO_LETTER.sub("", folded)
    least = _SHORTEST_HIRAGANA if _HIRAGANA.fullmatch(letters) else _SHORTEST
    return len(letters) >= least and not letters.isdigit()


def holds(text: str, part: str) -> bool:
    """Whether ``text`` holds ``part`` as words: not inside a longer Latin word, number or katakana.

    >>> holds("サポートの窓口", "ポート"), holds("ポートの確認", "ポート")
    (False, True)
    >>> holds("section 12", "section 1")
    False
    """
    start = text.find(part) if part else -1
    while start >= 0:
        end = start + len(part)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not _one_word(before, part[:1]) and not _one_word(part[-1:], after):
            return True
        start = text.find(part, start + 1)
    return False


def _one_word(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong to one word."""
    if not left or not right:
        return False
    return any(kind.match(left) and kind.match(right) for kind in _CLASSES)


CONTAINS: Final = Rule("contains", held_by_heading, frozenset({Role.WHOLE, Role.PART}))
CONTAINED: Final = Rule("contained", holds_heading, frozenset({Role.PART, Role.REST}))
