"""What the verdicts on a row come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hayami.evalset.names import RowKey
from hayami.evalset.records import Ruling
from hayami.verdicts.log import Verdict


@dataclass(frozen=True, slots=True)
class Decision:
    """What holds for one row: its own verdict, and the pooled sections that were accepted."""

    main: Verdict | None
    judges: tuple[str, ...]
    additions: tuple[Verdict, ...]


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


@dataclass
class _Settling:
    main: Verdict | None = None
    judges: tuple[str, ...] = ()
    additions: list[Verdict] = field(default_factory=list)


def settle(verdicts: Iterable[Verdict]) -> Settlement:
    """What holds after all verdicts, given in the order of time.

    The last word of each judge counts. Where judges disagree nothing is decided, until a verdict
    that adjudicates counts alone. ``unsure`` disagrees with nobody.
    """
    latest: dict[tuple[RowKey, tuple[str, str, int] | None], dict[tuple[str, bool], Verdict]] = {}
    for verdict in verdicts:
        for row in verdict.rows:
            said = latest.setdefault((row, verdict.slot), {})
            said.pop(
                (verdict.judge, verdict.adjudicates), None
            )  # the last word is also the latest in order
            said[verdict.judge, verdict.adjudicates] = verdict
    rows: dict[RowKey, _Settling] = {}
    conflicts: list[Conflict] = []
    for (row, slot), said in latest.items():
        standing = _standing(said)
        if len({verdict.effect for verdict in standing}) > 1:
            conflicts.append(Conflict(row, tuple(standing)))
        elif standing:
            decided = rows.setdefault(row, _Settling())
            if slot is None:
                decided.main = standing[-1]
                decided.judges = tuple(sorted({verdict.judge for verdict in standing}))
            elif standing[-1].ruling in {Ruling.RIGHT, Ruling.ALSO}:
                decided.additions.append(standing[-1])
    decisions = {row: Decision(d.main, d.judges, tuple(d.additions)) for row, d in rows.items()}
    return Settlement(decisions, tuple(conflicts))


def _standing(said: Mapping[tuple[str, bool], Verdict]) -> list[Verdict]:
    """The verdicts that count: the last adjudication alone, else each judge's that is neither taken back nor unsure."""
    last = [verdict for verdict in said.values() if verdict.ruling is not None]
    settled = [verdict for verdict in last if verdict.adjudicates]
    if settled:
        return settled[-1:]
    return [v for v in last if v.ruling is not Ruling.UNSURE] or last
