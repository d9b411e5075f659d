"""From a cell to the sections that it means: which rule is asked about what, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hayami.evalset.records import Match, Reason, best_targets
from hayami.label.cell import Cited, Reference, Sought, read_cell
from hayami.label.headings import HeadingIndex
from hayami.label.library import Library
from hayami.label.lists import listed_names
from hayami.label.meaning import Meaning, Missing, combine
from hayami.label.position import match_place
from hayami.label.rules import RULES, Role, Rule
from hayami.label.scope import Scope
from hayami.parts import Label, NoLabel, Row
from hayami.text.fold import compact, has_word

_MOST: Final = 0.5
"""Share of the parts of a cell that must be names before it is read as a list."""
_ALL: Final = 1.0
"""The same where it is cut in a less certain way."""


def match_row(row: Row, index: HeadingIndex, library: Library | None) -> Label | NoLabel:
    """The label of a row, or the reason why it has none.

    Raises:
        ElsewhereError: ``library`` is None and the row refers to another article.
    """
    if not has_word(row.question):
        return NoLabel(row, Reason.NO_QUESTION, ())
    if row.fault:
        return NoLabel(row, Reason.NO_NEED, (), row.fault)
    if row.target is not None or row.whole:
        return match_place(row, index.outline)
    scope = Scope(index, library, row.host, declared=row.declared)
    return outcome(row, meaning_of(read_cell(row.reference, index.settings), scope))


def outcome(row: Row, meaning: Meaning) -> Label | NoLabel:
    """What a meaning makes of a row."""
    if meaning.targets:
        targets = tuple(best_targets(meaning.targets).values())
        return Label(row, targets, incomplete=meaning.partial)
    detail = meaning.details[0] if meaning.details else ""
    return NoLabel(row, meaning.reason or Reason.UNMATCHED, meaning.candidates, detail)


def meaning_of(cited: Cited, scope: Scope) -> Meaning:
    """What a cell means: where its links lead, else what its text names, else what its parts do.

    Never undecided: without a target there is a reason.

    Raises:
        ElsewhereError: the other articles are not known yet, and the cell refers to one.
    """
    if cited.links:
        return _linked(cited, scope)
    if cited.placeholder:
        return Meaning(reason=Reason.NO_REFERENCE)
    whole = ask(cited.whole, Role.WHOLE, scope)
    if whole.targets or whole.reason not in {None, Reason.AMBIGUOUS}:
        return whole
    several = _listed(cited, scope)
    if several:
        return combine(several)
    if not whole.decided:
        whole = ask(cited.whole, Role.REST, scope)
    if whole.decided:
        return whole
    return Meaning(reason=Reason.UNMATCHED, candidates=scope.index.nearest(cited.whole.written))


def ask(reference: Reference, role: Role, scope: Scope, rules: Sequence[Rule] = RULES) -> Meaning:
    """What the first rule that has an answer says about a reference; undecided if none has."""
    if role is not Role.LINK and compact(reference.text) in scope.index.generic:
        role = Role.WEAK
    for rule in rules:
        if role in rule.applies_to:
            meaning = rule.asks(scope, reference)
            if meaning.decided:
                return meaning
    return Meaning()


def _linked(cited: Cited, scope: Scope) -> Meaning:
    """What the links of a cell mean, and the exact names beside them: the rest is talk."""
    found = [_follow(link, scope) for link in cited.links]
    beside: list[Meaning] = []
    if any(one.targets for one in found):
        beside = [ask(name, Role.WEAK, scope) for name in cited.beside]
    return combine(found, beside)


def _follow(link: Reference, scope: Scope) -> Meaning:
    """Where a link leads; if to no place of a file that is there, what its text says."""
    found = ask(link, Role.LINK, scope)
    if found.missing is not Missing.PLACE:
        return found
    by_text = ask(link, Role.PART, scope)
    return by_text if by_text.targets else found


def _listed(cited: Cited, scope: Scope) -> list[Meaning]:
    """What the parts of a cell mean, if enough are names; empty if it is no list of them."""
    for parts, least in ((cited.parts, _MOST), (cited.quoted, _ALL), (cited.joined, _ALL)):
        found = [ask(part, Role.PART, scope) for part in parts]
        resolved = sum(one.names_something for one in found)
        if resolved and resolved >= least * len(parts):
            return found
    meant: list[Meaning] = []
    for name in listed_names(cited.whole.written, scope.index.named):
        headings = scope.index.named[name]
        meant.append(scope.one_of(headings, Sought(headings[0].text), Match.EXACT))
    return meant
