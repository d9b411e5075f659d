"""What a settled verdict does to a row today: apply it, or report it as stale; never guess."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from hayami.evalset.names import Known, RowKey, SectionName
from hayami.evalset.records import Ruling
from hayami.verdicts.follow import Lost, follow
from hayami.verdicts.log import Verdict
from hayami.verdicts.settle import Decision, Settlement

Lookup = Callable[[str], Sequence[Known]]
"""The corpus sections of an article by its id, in their order; none if there is no such article."""


@dataclass(frozen=True, slots=True)
class Stale:
    """A verdict that cannot be applied as it was meant."""

    verdict: Verdict
    why: str
    """A sentence for a person."""
    lost: tuple[Lost, ...] = ()
    """The sections that are not there, or no longer to be told from others."""

    @property
    def missing(self) -> tuple[SectionName, ...]:
        """The names of the sections that are lost."""
        return tuple(one.name for one in self.lost)

    @property
    def instead(self) -> tuple[Known, ...]:
        """The sections that may hold now what was judged, each once."""
        known = (one.instead for one in self.lost if one.instead is not None)
        return tuple(dict.fromkeys(known))


@dataclass(frozen=True, slots=True)
class Effect:
    """What a decision does to one row."""

    targets: tuple[str, ...] | None
    """The sections that the row means after it, without order; None leaves what the rules found."""
    dropped: str
    """Why the row gives no label; empty if it may."""
    stale: tuple[Stale, ...]
    """What could not be applied."""

    @property
    def applied(self) -> bool:
        """Whether the decision holds for the row, even if it only confirms what the rules found."""
        return bool(self.targets is not None or self.dropped)


ROW_GONE: Final = "its row is no longer in the articles"
_OTHER_LABEL: Final = "the row names other sections now than when it was judged"
_UNCHANGED: Final = Effect(None, "", ())


def effect_of(decision: Decision, found: Collection[str], lookup: Lookup) -> Effect:
    """What a decision does to a row for which the rules found the sections ``found``.

    Without any, the row was rejected.

    ``right``, ``context`` and ``also`` hold the row to the sections that were judged, whatever the
    rules find today; ``other`` to those that the judge named; ``wrong`` and ``nothing`` drop a
    label that is still the one that was judged. Accepted sections of a pool are added. A verdict is
    applied whole or not at all.
    """
    main = _UNCHANGED
    if decision.main is not None:
        main = _rule(decision.main, frozenset(found), lookup)
    added, gone = _added(decision.additions, lookup)
    stale = (*main.stale, *gone)
    if main.dropped or not added:
        return Effect(main.targets, main.dropped, stale)
    base = tuple(found) if main.targets is None else main.targets
    return Effect(_once([*base, *added]), "", stale)


def _added(additions: Iterable[Verdict], lookup: Lookup) -> tuple[list[str], list[Stale]]:
    """The pooled sections that were accepted, and the verdicts whose section is gone."""
    added: list[str] = []
    stale: list[Stale] = []
    for verdict in additions:
        sections, missing = _resolve([verdict.pooled] if verdict.pooled else [], lookup)
        added += sections
        if missing:
            stale.append(Stale(verdict, missing[0].why, missing))
    return added, stale


def _once(sections: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sections))


@dataclass(frozen=True, slots=True)
class _Today:
    """A verdict with its sections as far as they are there today."""

    verdict: Verdict
    found: frozenset[str]
    judged: tuple[str, ...]
    named: tuple[str, ...]
    missing_judged: tuple[Lost, ...]
    missing_named: tuple[Lost, ...]

    @property
    def same_label(self) -> bool:
        """Whether the rules still find nothing but what was judged."""
        return bool(self.found) and self.found <= set(self.judged)

    def stale(self, why: str, lost: tuple[Lost, ...] = ()) -> tuple[Stale, ...]:
        return (Stale(self.verdict, why, lost),)


def _rule(verdict: Verdict, found: frozenset[str], lookup: Lookup) -> Effect:
    if verdict.ruling is None:
        return _UNCHANGED
    judged, missing_judged = _resolve(verdict.judged, lookup)
    named, missing_named = _resolve(verdict.sections, lookup)
    today = _Today(verdict, found, tuple(judged), tuple(named), missing_judged, missing_named)
    return _EFFECTS[verdict.ruling](today)


def _confirm(today: _Today) -> Effect:
    missing = today.missing_judged + today.missing_named
    if missing:
        return Effect(None, "", today.stale(missing[0].why, missing))
    if not today.judged and today.found:  # a rejection was found right, and is none any more
        return Effect(None, "", today.stale(_OTHER_LABEL))
    return Effect(_once(today.judged + today.named), "", ())


def _replace(today: _Today) -> Effect:
    if not today.missing_named:
        return Effect(today.named, "", ())
    dropped = "wrong, and the section named instead is no longer there" if today.same_label else ""
    why = today.missing_named[0].why
    return Effect(None, dropped, today.stale(why, today.missing_named))


def _drop(today: _Today) -> Effect:
    if not today.found:
        return Effect((), "", ())
    if not today.same_label:
        return Effect(None, "", today.stale(_OTHER_LABEL))
    return Effect(None, _DROPS[today.verdict.ruling], ())


_DROPS: Final[dict[Ruling | None, str]] = {
    Ruling.WRONG: "wrong",
    Ruling.NOTHING: "no section answers it",
}
"""Why a ruling drops a label, in words."""


_EFFECTS: Final[dict[Ruling, Callable[[_Today], Effect]]] = {
    Ruling.RIGHT: _confirm,
    Ruling.CONTEXT: _confirm,
    Ruling.ALSO: _confirm,
    Ruling.OTHER: _replace,
    Ruling.WRONG: _drop,
    Ruling.NOTHING: _drop,
    Ruling.UNSURE: lambda _: _UNCHANGED,
}


def _resolve(names: Iterable[SectionName], lookup: Lookup) -> tuple[list[str], tuple[Lost, ...]]:
    """The ids of named sections today, and the names that lead nowhere."""
    found: list[str] = []
    missing: list[Lost] = []
    for name in names:
        section = follow(name, lookup(name.article))
        if isinstance(section, Lost):
            missing.append(section)
        else:
            found.append(section)
    return found, tuple(missing)


def rows_gone(settlement: Settlement, seen: Iterable[RowKey]) -> list[Stale]:
    """The verdicts none of whose rows was ``seen``."""
    known = set(seen)
    of_each = (decision.verdicts for decision in settlement.decisions.values())
    verdicts = chain.from_iterable(of_each)
    return [Stale(one, ROW_GONE) for one in verdicts if known.isdisjoint(one.rows)]


def unique_stale(stale: Sequence[Stale]) -> tuple[Stale, ...]:
    """Each stale verdict once, in the order of time."""
    first: dict[Verdict, Stale] = {}
    for one in stale:
        first.setdefault(one.verdict, one)
    return tuple(sorted(first.values(), key=lambda one: one.verdict.at))
