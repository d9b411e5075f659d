"""What the verdicts on a row come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hayami.evalset.names import RowKey
from hayami.evalset.records import Ruling
from hayami.verdicts.log import Slot, Verdict


@dataclass(frozen=True, slots=True)
class Decision:
    """What holds for one row: its own verdict, and the pooled sections that were accepted."""

    main: Verdict | None
    judges: tuple[str, ...]
    additions: tuple[Verdict, ...]

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """All verdicts that it rests on, the row's own first."""
        own = () if self.main is None else (self.main,)
        return (*own, *self.additions)

    @property
    def ruling(self) -> Ruling:
        """What it says of the row: ``also`` where it only adds sections."""
        if self.main is None or self.main.ruling is None:
            return Ruling.ALSO
        return self.main.ruling

    @property
    def rewrite(self) -> str:
        """The question in words that stand alone, or an empty text."""
        return "" if self.main is None else self.main.rewrite


@dataclass(frozen=True, slots=True)
class Conflict:
    """A row, or one pooled section of it, about which judges disagree: the last word of each."""

    row: RowKey
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Settlement:
    """All verdicts, settled: what holds for each row, and where judges disagree."""

    decisions: Mapping[RowKey, Decision]
    conflicts: tuple[Conflict, ...]

    @property
    def articles(self) -> frozenset[str]:
        """The articles in which the verdicts name sections: their texts are asked for."""
        found: set[str] = set()
        for decision in self.decisions.values():
            for verdict in decision.verdicts:
                found.update(name.article for name in verdict.names)
        return frozenset(found)


@dataclass
class _Settling:
    """What is decided about one row so far."""

    main: Verdict | None = None
    judges: tuple[str, ...] = ()
    additions: list[Verdict] = field(default_factory=list)

    def take(self, slot: Slot | None, agreed: Sequence[Verdict]) -> None:
        """Takes in what judges agree on, about the label or about one pooled section."""
        last = agreed[-1]
        if slot is None:
            judges = {verdict.judge for verdict in agreed}
            self.main, self.judges = last, tuple(sorted(judges))
        elif last.ruling in {Ruling.RIGHT, Ruling.ALSO}:
            self.additions.append(last)

    def decision(self) -> Decision:
        return Decision(self.main, self.judges, tuple(self.additions))


_LastWords = dict[tuple[str, bool], Verdict]
"""The last verdict of each judge, by name and whether it adjudicates, in the order of time."""


def settle(verdicts: Iterable[Verdict]) -> Settlement:
    """What holds after all verdicts, given in the order of time.

    The last word of each judge counts. Where judges disagree nothing is decided, until a verdict
    that adjudicates counts alone. ``unsure`` disagrees with nobody.
    """
    rows: dict[RowKey, _Settling] = {}
    conflicts: list[Conflict] = []
    for (row, slot), said in _last_words(verdicts).items():
        standing = _standing(said)
        effects = {verdict.effect for verdict in standing}
        if len(effects) > 1:
            conflicts.append(Conflict(row, tuple(standing)))
        elif standing:
            rows.setdefault(row, _Settling()).take(slot, standing)
    decisions = {row: settling.decision() for row, settling in rows.items()}
    return Settlement(decisions, tuple(conflicts))


def _last_words(verdicts: Iterable[Verdict]) -> dict[tuple[RowKey, Slot | None], _LastWords]:
    """What each judge said last about each row, and about each pooled section of it."""
    latest: dict[tuple[RowKey, Slot | None], _LastWords] = {}
    for verdict in verdicts:
        whose = (verdict.judge, verdict.adjudicates)
        for row in verdict.rows:
            said = latest.setdefault((row, verdict.slot), {})
            said.pop(whose, None)  # the last word is also the latest in order
            said[whose] = verdict
    return latest


def _standing(said: Mapping[tuple[str, bool], Verdict]) -> list[Verdict]:
    """The verdicts that count, in the order of time.

    The last adjudication counts alone; else each judge's verdict that is neither taken back nor
    unsure.
    """
    last = [verdict for verdict in said.values() if verdict.ruling is not None]
    settled = [verdict for verdict in last if verdict.adjudicates]
    if settled:
        return settled[-1:]
    sure = [verdict for verdict in last if verdict.ruling is not Ruling.UNSURE]
    return sure or last
