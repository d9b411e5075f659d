"""The gate of a continuous integration: what must hold of a difference, and how far it decides.

A point rule (the difference itself is at or above the limit) lets half of all true drops of its own
size pass. The rule unless another is named asks that the lower bound of the difference is above the
limit: of true drops of that size, 5% pass.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np
from scipy.special import ndtr, ndtri

from hayami.evaluate.breakdown import DIMENSIONS
from hayami.evaluate.comparison import Side
from hayami.evaluate.confidence import LEVEL, Spread, Values, lower_bound, spread
from hayami.evaluate.significance import POWER

_GATE: Final = re.compile(
    r"\s*(?:(?P<rule>lower|point)\s+)?(?P<measure>[^\[\]]+?)\s*"
    r"(?:\[\s*(?P<dimension>[^=\[\]]+?)\s*=\s*(?P<group>[^\[\]]+?)\s*\]\s*)?"
    r"(?:>=|≥)\s*(?P<least>[-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*",
    re.IGNORECASE,
)
_ROUNDING: Final = 1e-12
"""What adding in floating point may cost a difference that is the limit on paper."""


class GateRule(StrEnum):
    """What must be at or above the limit."""

    LOWER = "lower"
    """The lower bound of the difference: what it is truly above in 95% of cases
    (non-inferiority)."""
    POINT = "point"
    """The difference itself."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A condition on the mean difference of a measure."""

    measure: str
    """Its name, as the user wrote it or as ir_measures does."""
    least: float
    """The least difference that passes; a negative one allows a drop."""
    rule: GateRule = GateRule.LOWER
    dimension: str = ""
    """What parts the queries (category, language, …) if only a group of them counts; else empty."""
    group: str = ""
    """The group's name."""

    @property
    def label(self) -> str:
        """The measure, with the group that it is over."""
        return f"{self.measure}[{self.dimension}={self.group}]" if self.dimension else self.measure


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """What a gate made of a comparison."""

    gate: Gate
    other: str
    """Name of the run."""
    queries: int
    """Queries that it decides over."""
    units: int
    """Their articles, or the queries where clusters are unknown."""
    difference: float
    lower: float
    """What the true difference is above in 95% of cases."""
    passed: bool
    lets_drop: float
    """Share of true differences as low as the limit that the rule lets pass on this set."""
    lets_equal: float | None
    """Share of runs without any difference that it lets pass; None if it cannot be told."""
    needed: int | None
    """Queries of this kind with which 80% of those pass; None if it cannot be told, or if the limit
    asks for a gain."""
    alike: bool = False
    """Whether it is passed because the runs return the same on every query."""

    @property
    def sentence(self) -> str:
        """What the gate says, and how far it can be trusted, without a full stop."""
        asked = f"{self.gate.least:+.4f} is asked"
        if self.alike:
            return f"{self.gate.label}: the runs return the same on every query; at least {asked}"
        return f"{self.gate.label} {self._found}, at least {asked}; {self._trust}"

    @property
    def _found(self) -> str:
        if self.gate.rule is GateRule.POINT:
            return f"{self.difference:+.4f} (point rule)"
        return f"{self.difference:+.4f}, in 95% of cases above {self.lower:+.4f}"

    @property
    def _trust(self) -> str:
        size = f"{abs(self.gate.least):.4f}"
        what = f"true drops of {size}" if self.gate.least < 0 else f"true gains of only {size}"
        if not self.gate.least:
            what = "runs that are as good"
        other = "the lower rule 5%" if self.gate.rule is GateRule.POINT else "the point rule 50%"
        said = f"of {what} this rule lets {_percent(self.lets_drop)} pass ({other})"
        if self.lets_equal is None or self.gate.least >= 0:
            return said
        said += f"; of runs without a drop {_percent(self.lets_equal)}"
        if self.needed is None or self.needed <= self.queries:
            return said
        return f"{said}, it takes {self.needed:,} queries for 80%"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"


def parse_gate(text: str) -> Gate:
    """The gate that a text such as ``RR(rel=2)@10 >= -0.02`` states.

    A rule may stand before it (``point RR(rel=2)@10 >= -0.02``), a group of queries after the
    measure (``RR(rel=2)@10[category=billing] >= -0.05``).

    Raises:
        ValueError: it states none.
    """
    found = _GATE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not 'MEASURE >= DIFFERENCE', as in 'RR(rel=2)@10 >= -0.02'")
    try:
        least = float(found["least"])
    except ValueError:
        raise ValueError(f"{found['least']!r} is no number") from None
    if not -1 <= least <= 1:
        raise ValueError(f"{least:g} is no difference of a measure, which lies between -1 and 1")
    dimension = (found["dimension"] or "").lower()
    if dimension and dimension not in DIMENSIONS:
        raise ValueError(f"{dimension!r} parts no queries; known: {', '.join(DIMENSIONS)}")
    rule = GateRule((found["rule"] or GateRule.LOWER).lower())
    return Gate(found["measure"], least, rule, dimension, found["group"] or "")


def pass_gates(
    gates: Sequence[Gate],
    base: Side,
    others: Sequence[Side],
    articles: Mapping[str, str] | None,
    groups: Mapping[tuple[str, str], Sequence[str]] | None = None,
) -> tuple[GateOutcome, ...]:
    """What every gate makes of each run.

    Several gates are one family: a run passes only if all of them do, so a run with a drop beyond
    any one limit passes in at most 5% of cases, however many gates there are.

    Args:
        gates: their measures are named as in ``base``.
        base: what is compared with.
        others: the runs.
        articles: article by query id; None where clusters are unknown.
        groups: query ids by dimension and name, for gates over groups.

    Raises:
        ValueError: a gate is over a group that has no query.

    Source: Berger, Multiparameter hypothesis testing and acceptance sampling, Technometrics 24(4),
    1982 (the intersection-union test, for several gates).
    """
    found = []
    for other in others:
        alike = ranks_alike(base, other)
        for gate in gates:
            qids = _queries_of(gate, base, groups or {})
            before, after = base.values[gate.measure], other.values[gate.measure]
            gaps = np.array([after[qid] - before[qid] for qid in qids], dtype=np.float64)
            clusters = None if articles is None else [articles[qid] for qid in qids]
            outcome = _decide(gate, other.name, gaps, clusters)
            found.append(_waved_through(outcome) if alike else outcome)
    return tuple(found)


def _waved_through(outcome: GateOutcome) -> GateOutcome:
    """A gate if the runs return the same: it is passed, unless it asks for a gain."""
    if outcome.passed or outcome.gate.least > 0:
        return outcome
    return replace(outcome, passed=True, alike=True)


def ranks_alike(base: Side, other: Side) -> bool:
    """Whether two runs return the same first results and get the same values on every query."""
    return base.values == other.values and base.top == other.top


def _queries_of(
    gate: Gate, base: Side, groups: Mapping[tuple[str, str], Sequence[str]]
) -> list[str]:
    measured = base.values[gate.measure]
    if not gate.dimension:
        return list(measured)
    qids = [qid for qid in groups.get((gate.dimension, gate.group), ()) if qid in measured]
    if not qids:
        known = [name for dimension, name in groups if dimension == gate.dimension]
        some = f"there are {', '.join(known)}" if known else "there are none"
        raise ValueError(f"no query of {gate.dimension} {gate.group!r} for {gate.measure}: {some}")
    return qids


def _decide(gate: Gate, other: str, gaps: Values, clusters: Sequence[str] | None) -> GateOutcome:
    found = spread(gaps, clusters)
    lower = lower_bound(gaps, clusters)
    figure = found.mean if gate.rule is GateRule.POINT else lower
    return GateOutcome(
        gate=gate,
        other=other,
        queries=found.queries,
        units=found.units,
        difference=found.mean,
        lower=lower,
        passed=figure >= gate.least - _ROUNDING,
        lets_drop=0.5 if gate.rule is GateRule.POINT else 1 - LEVEL,
        lets_equal=_lets_equal(gate, found),
        needed=_needed(gate, found),
    )


def _lets_equal(gate: Gate, found: Spread) -> float | None:
    """The share of runs without a difference that pass, by the normal approximation."""
    if not found.error:
        return None
    margin = 0.0 if gate.rule is GateRule.POINT else found.t(LEVEL)
    return float(ndtr(-gate.least / found.error - margin))


def _needed(gate: Gate, found: Spread) -> int | None:
    """Queries with which POWER of the runs without a difference pass."""
    if not found.error or gate.least >= 0:
        return None
    margin = 0.0 if gate.rule is GateRule.POINT else float(ndtri(LEVEL))
    asked = margin + float(ndtri(POWER))
    return math.ceil(found.queries * (asked * found.error / gate.least) ** 2)
