"""Rule ``number``: numbers of chapters and the like against those of headings and titles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hayami.evalset.records import Match, Reason, Target
from hayami.label.cell import Reference, Sought
from hayami.label.meaning import Meaning, listed, worst
from hayami.label.rules.rule import Role, Rule
from hayami.label.scope import Scope
from hayami.parts import Heading, Outline
from hayami.text.numbering import STRONG_UNITS, Number
from hayami.text.openings import heading_numbers
from hayami.words.languages import every

_FOREIGN: Final = re.compile(
    "|".join(every(lambda language: language.phrases.foreign)), re.IGNORECASE
)
"""Numbers of a standard or a law, which are none of this book."""
_LOOSE_UNITS: Final = frozenset(("chapter", "section", "item", "step"))
"""Units that a heading may leave out before its number."""


def numbered(scope: Scope, reference: Reference) -> Meaning:
    """The sections and articles that carry the numbers, if half of these are carried by any."""
    numbers = reference.numbers.items
    if not numbers or _FOREIGN.search(reference.text):
        return Meaning()
    found = [_carrying(scope, number, reference.sought) for number in numbers]
    known = [one for one in found if one.decided]
    if not known or len(known) < len(found) / 2:
        return Meaning()
    return _together(found, known)


def numbers_alone(scope: Scope, reference: Reference) -> Meaning:
    """The same for a reference that says nothing else."""
    return numbered(scope, reference) if reference.numbers.pure else Meaning()


def _together(found: Sequence[Meaning], known: Sequence[Meaning]) -> Meaning:
    """What several numbers mean: ``found`` is the meaning of each, ``known`` the decided ones."""
    candidates = listed(known)
    targets: dict[str, Target] = {}
    for one in known:
        targets.update((target.section, target) for target in one.targets)
    reasons = [one.reason for one in known]
    articles = Reason.WHOLE_ARTICLE in reasons and all(one.whole for one in known)
    if targets and not articles:
        partial = not all(one.targets for one in found)
        return Meaning(tuple(targets.values()), candidates=candidates, partial=partial)
    return Meaning(reason=worst(reasons), candidates=candidates)


def _carrying(scope: Scope, number: Number, sought: Sought) -> Meaning:
    """What carries a number: a heading with its unit, an article, a heading with it alone."""
    exact = scope.away(scope.index.numbered.get(number, ()))
    if exact and (number.unit or len(number.parts) > 1 or scope.declared):
        return scope.one_of(exact, sought, Match.NUMBER)
    if number.unit in STRONG_UNITS:
        elsewhere = _elsewhere(scope, number)
        if elsewhere is not None:
            return elsewhere
    if number.unit in _LOOSE_UNITS:
        bare = scope.index.numbered.get(Number("", number.parts), ())
        return scope.one_of(scope.away(bare), sought, Match.NUMBER)
    return Meaning()


def _elsewhere(scope: Scope, number: Number) -> Meaning | None:
    """The article of this folder, or the section of one, that carries a number; None if none."""
    path = scope.outline.path
    sought = Sought(f"{number.unit} {'.'.join(map(str, number.parts))}".strip())
    articles = scope.others().titled(path, number)
    if articles:
        return scope.article(articles[0], sought, Match.NUMBER)
    for outline in _chapters(scope, number):
        heading = next((h for h in outline.headings if _carries(h, number)), None)
        if heading is not None:
            return scope.target(outline, heading, sought, Match.NUMBER)
    return None


def _chapters(scope: Scope, number: Number) -> Iterator[Outline]:
    """The articles that a number such as 3.2 may be in: with 3 of its unit, or chapter 3."""
    if len(number.parts) > 1:
        for unit in dict.fromkeys((number.unit, "chapter")):
            yield from scope.others().titled(scope.outline.path, Number(unit, number.parts[:1]))


def _carries(heading: Heading, number: Number) -> bool:
    if heading.section is None:
        return False
    carried = heading_numbers(heading.text)
    return any(one.parts == number.parts and one.unit in {"", number.unit} for one in carried)


NUMBERS_ALONE: Final = Rule("numbers_alone", numbers_alone, frozenset({Role.WHOLE}))
NUMBER: Final = Rule("number", numbered, frozenset({Role.PART, Role.REST}))
