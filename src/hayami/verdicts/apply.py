"""Rows that a human has judged: the verdict's sections in the place of what the rules found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from hayami.evalset.names import RowKey, row_key
from hayami.evalset.records import Applied, Candidate, Match, Reason, SectionId, Target, article_of
from hayami.parts import Label, NoLabel, text_of
from hayami.verdicts.effect import Effect, Lookup, Stale, effect_of, rows_gone, unique_stale
from hayami.verdicts.log import Verdict
from hayami.verdicts.settle import Decision, Settlement


@dataclass
class VerdictBook:
    """What humans said, applied row by row; keeps the books on what became of every verdict."""

    settlement: Settlement
    lookup: Lookup
    applied: Counter[str] = field(default_factory=Counter)
    """Rows to which a verdict was applied, by ruling."""
    _seen: set[RowKey] = field(default_factory=set)
    _stale: list[Stale] = field(default_factory=list)

    def apply(self, outcome: Label | NoLabel, article: str) -> Label | NoLabel:
        """The outcome of a row of ``article`` after what humans said about it."""
        row = row_key(article, outcome.row.question, text_of(outcome.row.reference))
        decision = self.settlement.decisions.get(row)
        if decision is None:
            return outcome
        self._seen.add(row)
        effect = effect_of(decision, found_sections(outcome), self.lookup)
        self._stale += effect.stale
        if effect.applied:
            self.applied[str(decision.ruling)] += 1
        return apply_effect(outcome, decision, effect, self.lookup)

    def unapplied(self) -> tuple[Stale, ...]:
        """The verdicts on rows seen so far that could not be applied, each once."""
        return unique_stale(self._stale)

    def stale(self) -> tuple[Stale, ...]:
        """The verdicts that could not be applied, each once, after all rows were seen."""
        return unique_stale([*self._stale, *rows_gone(self.settlement, self._seen)])


def found_sections(outcome: Label | NoLabel) -> tuple[str, ...]:
    """The sections that the rules found for a row, without repeats; none for a rejected one."""
    if not isinstance(outcome, Label):
        return ()
    return tuple(dict.fromkeys(target.section for target in outcome.targets))


def apply_effect(
    outcome: Label | NoLabel, decision: Decision, effect: Effect, lookup: Lookup
) -> Label | NoLabel:
    """The outcome of a row after a human's decision.

    Its ``effect`` was found with the same ``lookup``. A section that the rules had found keeps its
    evidence; one that only the human named is matched as ``manual``.
    """
    if effect.dropped:
        return _dropped(outcome, decision, effect.dropped)
    if not effect.applied:
        return outcome
    if not effect.targets or not (outcome.row.question or decision.rewrite):
        return outcome
    return Label(
        outcome.row,
        _targets(outcome, effect.targets, lookup),
        isinstance(outcome, Label) and outcome.incomplete and decision.main is None,
        question=decision.rewrite,
        verdict=_applied(outcome, decision),
    )


def _targets(outcome: Label | NoLabel, wanted: Iterable[str], lookup: Lookup) -> tuple[Target, ...]:
    """The sections that a row means now, those that the rules found too with their evidence."""
    found: dict[str, Target] = {}
    if isinstance(outcome, Label):
        found.update((target.section, target) for target in outcome.targets)
    return tuple(found.get(one) or _manual(outcome, one, lookup) for one in wanted)


def _manual(outcome: Label | NoLabel, section: str, lookup: Lookup) -> Target:
    heading = next(known.heading for known in lookup(article_of(section)) if known.id == section)
    reference = outcome.row.reference
    return Target(
        section=SectionId(section),
        heading=heading,
        reference=text_of(reference),
        href=next((piece.href for piece in reference if piece.href), None),
        match=Match.MANUAL,
        score=1.0,
        runner_up=None,
    )


def _applied(outcome: Label | NoLabel, decision: Decision) -> Applied:
    adding = {verdict.judge for verdict in decision.additions}
    return Applied(
        ruling=decision.ruling,
        judges=tuple(sorted(adding.union(decision.judges))),
        note=_notes(decision.verdicts),
        question=outcome.row.question if decision.rewrite else "",
        found=found_sections(outcome),
    )


def _dropped(outcome: Label | NoLabel, decision: Decision, why: str) -> NoLabel:
    if isinstance(outcome, NoLabel):
        candidates = outcome.candidates
    else:
        candidates = tuple(map(_candidate, outcome.targets))
    detail = f"{why}, said {', '.join(decision.judges)}"
    if decision.main is not None and decision.main.note.strip():
        detail += f": {decision.main.note.strip()}"
    return NoLabel(outcome.row, Reason.DROPPED_BY_VERDICT, candidates, detail)


def _candidate(target: Target) -> Candidate:
    return Candidate(
        article=article_of(target.section),
        section=target.section,
        heading=target.heading,
        score=target.score,
    )


def _notes(verdicts: Iterable[Verdict]) -> str:
    """What judges noted, each text once."""
    notes = (verdict.note.strip() for verdict in verdicts)
    return " / ".join(dict.fromkeys(filter(None, notes)))
