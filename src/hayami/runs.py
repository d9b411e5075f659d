"""Runs: the ranked output of search systems, as TREC run files."""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hayami.errors import RunError

_FIELDS: Final = 6
_HINT: Final = "A run line is: qid Q0 docid rank score tag."


@dataclass(frozen=True, slots=True)
class Run:
    """What one search system returned."""

    name: str
    """The tag of the file's first line, or the file's name."""
    path: Path
    scores: dict[str, dict[str, float]]
    """Scores by query id and section id, in the order of the file."""

    def ranking(self, qid: str) -> list[str]:
        """The sections of a query, best first: by score, ties by id descending, as trec_eval breaks them."""
        return [doc for doc, _ in sorted(self.scores.get(qid, {}).items(), key=lambda d: (d[1], d[0]), reverse=True)]


def read_run(path: Path) -> Run:
    """The run in a file in TREC format.

    Raises:
        RunError: no such file, or a line that is none of a run's; ``where`` names file and line.
    """
    scores: dict[str, dict[str, float]] = {}
    tag = ""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(str(error), where=str(path), hint=_HINT) from error
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != _FIELDS:
            raise RunError(f"{len(fields)} fields instead of 6", where=f"{path}:{number}", hint=_HINT)
        qid, _, section, _, score, tag = fields
        try:
            value = float(score)
        except ValueError as error:
            raise RunError(f"score {score!r} is no number", where=f"{path}:{number}", hint=_HINT) from error
        if section in scores.setdefault(qid, {}):
            raise RunError(f"{section} stands twice for {qid}", where=f"{path}:{number}", hint="Take one of them out.")
        scores[qid][section] = value
    return Run(tag or path.name, path, scores)


def write_run(path: Path, name: str, rankings: Mapping[str, Mapping[str, float]]) -> None:
    """Writes a run in TREC format, whole or not at all; what is there is replaced.

    The scores written fall strictly within a query, also for a reader that keeps 32 bits of them as trec_eval does: a
    score that is not below the one before it is lowered by the least that such a reader can see. So every tool reads
    the same order, which for equal scores is by section id, descending.

    Args:
        path: the file.
        name: the tag of the run; white space becomes ``_``.
        rankings: scores by query id and section id, in the order in which the queries are to stand.

    Raises:
        RunError: the system refuses.
    """
    tag = "_".join(name.split()) or "run"
    lines = [
        f"{qid} Q0 {section} {rank} {score:.9g} {tag}\n"
        for qid, scores in rankings.items()
        for rank, (section, score) in enumerate(_falling(scores), 1)
    ]
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes("".join(lines).encode())
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise RunError(
            f"cannot write: {error.strerror or error}", where=str(path), hint="Choose another place."
        ) from error


_STEP: Final = 2.0**-22
"""More than the distance of two neighbouring numbers of 32 bits, as a share of them (2^-23)."""
_LEAST_STEP: Final = 1e-30


def _falling(scores: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """Sections best first, with scores that fall strictly in 32 bits."""
    before = math.inf
    for section, score in sorted(scores.items(), key=lambda one: (one[1], one[0]), reverse=True):
        value = _single(score)
        if value >= before:
            value = _single(before - max(abs(before) * _STEP, _LEAST_STEP))
        yield section, value
        before = value


def _single(value: float) -> float:
    """The number of 32 bits that is nearest; the largest one for what is beyond it."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(3.0e38, value)
