"""The gate of a continuous integration.

A drop beyond a limit fails, and a set too small to see it says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import FiniteFloat, ValidationError

from hayami.errors import RunError
from hayami.evalset.jsonl import first_fault
from hayami.evalset.outputs import replace_file
from hayami.evalset.records import FORMAT_VERSION, Record
from hayami.evaluate.comparison import RunDifference, Side
from hayami.text.fold import escape_line_separators

_GATE: Final = re.compile(
    r"\s*(?P<measure>.+?)\s*(?:>=|≥)\s*(?P<least>[-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Gate:
    """A condition on the mean difference of a measure."""

    measure: str
    """Its name as the user wrote it."""
    least: float
    """The least difference that passes; a negative one allows a drop."""


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """What a gate made of a comparison."""

    gate: Gate
    other: str
    """Name of the run."""
    difference: float
    passed: bool
    clear: bool
    """Whether the difference is more than chance explains, as in the difference."""
    detectable: float | None
    """As in the difference."""
    visible: bool | None
    """Whether the set sees a difference as large as the limit in 80% of cases; None if it cannot be
    told."""

    @property
    def sentence(self) -> str:
        """What the gate says, and how far the set can be trusted with it, without a full stop."""
        said = (
            f"{self.gate.measure} {self.difference:+.4f}, at least {self.gate.least:+.4f} is asked"
        )
        if self.detectable is None:
            return (
                f"{said}; the runs are equal on every query, or too few queries or articles "
                "are there to say more"
            )
        sees = f"this set sees differences of {self.detectable:.4f} and more (80% of the time)"
        if not self.passed:
            return (
                f"{said}; {sees}; the drop is "
                f"{'more than chance explains' if self.clear else 'within chance'}"
            )
        if self.visible or not self.gate.least:
            return f"{said}; {sees}"
        return f"{said}; but {sees}: one of {abs(self.gate.least):.4f} could have passed unseen"


def parse_gate(text: str) -> Gate:
    """The gate that a text such as ``RR(rel=2)@10 >= -0.02`` states.

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
    return Gate(found["measure"], least)


_ROUNDING: Final = 1e-12
"""What adding in floating point may cost a difference that is the limit on paper."""


def pass_gates(
    gates: Sequence[Gate], differences: Sequence[RunDifference]
) -> tuple[GateOutcome, ...]:
    """Every gate against the difference of its measure, for each run that was compared.

    Args:
        gates: their measures are named as in ``differences``.
        differences: of the comparison.
    """
    return tuple(
        _pass(gate, one) for one in differences for gate in gates if gate.measure == one.measure
    )


def _pass(gate: Gate, one: RunDifference) -> GateOutcome:
    visible = None if one.detectable is None else one.detectable <= abs(gate.least)
    passed = one.difference >= gate.least - _ROUNDING
    return GateOutcome(gate, one.other, one.difference, passed, one.clear, one.detectable, visible)


# --- the baseline ---------------------------------------------------------------------------------


_AGAIN: Final = "Make it again with --save-baseline."


class Baseline(Record):
    """A file with what one run got, to compare later runs with.

    The run itself is no longer needed.
    """

    format: int = FORMAT_VERSION
    """Version of the file formats."""
    hayami: str
    """Version of hayami."""
    run: str
    """Name of the run."""
    set_sha256: str
    """Hash of the eval set, or of the foreign qrels, that the values were measured with."""
    measures: dict[str, dict[str, FiniteFloat]]
    """Value by measure and query id."""
    top: dict[str, tuple[str, ...]]
    """First results by query id."""


def write_baseline(path: Path, side: Side, set_sha256: str, version: str) -> None:
    """Writes a baseline, whole or not at all; what is there is replaced.

    Raises:
        RunError: the system refuses.
    """
    record = Baseline(
        hayami=version,
        run=side.name,
        set_sha256=set_sha256,
        measures={measure: dict(values) for measure, values in side.values.items()},
        top=dict(side.top),
    )
    text = escape_line_separators(record.model_dump_json(indent=1)) + "\n"
    replace_file(path, text.encode(), error=RunError, hint="Choose another --save-baseline.")


def read_baseline(path: Path, set_sha256: str, expected: Mapping[str, Sequence[str]]) -> Side:
    """A stored baseline as one side of a comparison.

    Args:
        path: the file.
        set_sha256: hash of the set at hand; a baseline of another set is refused.
        expected: per measure that is compared, the queries that it is defined for, in order.

    Raises:
        RunError: no such file, damaged, of another set, or without one of the measures.
    """
    stored = _read_stored(path)
    if stored.set_sha256 != set_sha256:
        what = (
            f"was made with another set ({stored.set_sha256[:12]}…, this one is {set_sha256[:12]}…)"
        )
        raise RunError(
            what, where=str(path), hint=f"Figures of two sets cannot be compared. {_AGAIN}"
        )
    for measure, qids in expected.items():
        values = stored.measures.get(measure)
        if values is None:
            raise RunError(
                f"has no {measure}, only {', '.join(stored.measures)}", where=str(path), hint=_AGAIN
            )
        if values.keys() != set(qids):
            raise RunError(f"{measure}: not the queries of the set", where=str(path), hint=_AGAIN)
    return Side(
        f"{stored.run} (baseline)",
        {
            measure: {qid: stored.measures[measure][qid] for qid in qids}
            for measure, qids in expected.items()
        },
        stored.top,
    )


def _read_stored(path: Path) -> Baseline:
    try:
        stored = Baseline.model_validate_json(path.read_bytes())
    except OSError as error:
        raise RunError(error.strerror or str(error), where=str(path), hint=_AGAIN) from error
    except ValidationError as error:
        raise RunError(
            f"not a baseline: {first_fault(error)}", where=str(path), hint=_AGAIN
        ) from error
    if stored.format != FORMAT_VERSION:
        what = f"format {stored.format}; this hayami reads format {FORMAT_VERSION}"
        raise RunError(what, where=str(path), hint=_AGAIN)
    return stored
