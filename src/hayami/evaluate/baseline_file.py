"""A file with what one run got, to compare later runs with; the run itself is no longer needed.

It is bound to what can change a figure: the texts of the queries, their judgements and the ids of
the corpus. Flags, verdicts and all else that a set says may change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import FiniteFloat, ValidationError

from hayami.errors import RunError
from hayami.evalset.jsonl import first_fault
from hayami.evalset.outputs import replace_file
from hayami.evalset.records import Record
from hayami.evaluate.comparison import Side
from hayami.evaluate.judgements import Judgements
from hayami.text.fold import escape_line_separators

FORMAT: Final = 2
"""Version of the format of baselines."""
LEAST_COMMON: Final = 0.9
"""Share of the queries of a baseline and of a set together that both must have, unless set."""
_AGAIN: Final = "Make it again with --save-baseline."
_DIGITS: Final = 16
"""Hex digits of a query's hash that are kept."""


class Baseline(Record):
    """A file with what one run got."""

    format: int = FORMAT
    """Version of this format."""
    hayami: str
    """Version of hayami."""
    run: str
    """Name of the run."""
    corpus_sha256: str
    """Hash of the ids of the corpus; empty where the corpus was not at hand."""
    queries: dict[str, str]
    """Hash of the text and the judgements of every query, by its id."""
    measures: dict[str, dict[str, FiniteFloat]]
    """Value by measure and query id."""
    top: dict[str, tuple[str, ...]]
    """First results by query id."""


@dataclass(frozen=True, slots=True)
class Common:
    """What a baseline and a set have in common."""

    base: Side
    """The baseline, over the common queries."""
    added: tuple[str, ...]
    """Queries of the set that the baseline lacks, or has with another text or other judgements."""
    removed: tuple[str, ...]
    """Queries of the baseline that the set lacks, or has otherwise."""

    @property
    def sentence(self) -> str:
        """What is left out, in words; empty if nothing is."""
        if not self.added and not self.removed:
            return ""
        many = len(next(iter(self.base.values.values()), {}))
        return (
            f"compared on {many:,} common queries: {len(self.added):,} of the set are new or "
            f"changed, {len(self.removed):,} of the baseline are gone or changed"
        )


def corpus_sha256(judgements: Judgements) -> str:
    """The hash of the ids of the corpus as hex digits; an empty text where it is not at hand."""
    if judgements.sections is None:
        return ""
    return hashlib.sha256("\n".join(sorted(judgements.sections)).encode()).hexdigest()


def query_hashes(judgements: Judgements) -> dict[str, str]:
    """The hash of the text and the judgements of every query, by its id."""
    return {
        qid: _hash(judgements.topic(qid).text, judgements.qrels[qid]) for qid in judgements.qrels
    }


def _hash(text: str, grades: Mapping[str, int]) -> str:
    said = json.dumps([text, sorted(grades.items())], ensure_ascii=True)
    return hashlib.sha256(said.encode()).hexdigest()[:_DIGITS]


def write_baseline(
    path: Path, side: Side, judgements: Judgements, version: str, *, force: bool = False
) -> None:
    """Writes a baseline, whole or not at all; what is there is replaced.

    Raises:
        RunError: the system refuses.
    """
    record = Baseline(
        hayami=version,
        run=side.name,
        corpus_sha256=corpus_sha256(judgements),
        queries=query_hashes(judgements),
        measures={measure: dict(values) for measure, values in side.values.items()},
        top=dict(side.top),
    )
    text = escape_line_separators(record.model_dump_json(indent=1)) + "\n"
    hint = "Choose another --save-baseline."
    replace_file(path, text.encode(), error=RunError, hint=hint, force=force)


def read_baseline(
    path: Path, judgements: Judgements, wanted: Side, least: float = LEAST_COMMON
) -> Common:
    """The baseline in a file, as far as it can be compared with a run over these judgements.

    Args:
        path: the file.
        judgements: what the run is measured by.
        wanted: a run, for the measures and the queries that each is defined for, in order.
        least: the share of all queries, of set and baseline, that must be common.

    Raises:
        RunError: no such file, damaged, of another corpus, with too few common queries, or without
            one of the measures.
    """
    stored = _read_stored(path)
    _check_corpus(path, stored, judgements)
    now = query_hashes(judgements)
    common = {qid for qid, digest in now.items() if stored.queries.get(qid) == digest}
    _check_common(path, len(common), len(now.keys() | stored.queries.keys()), least)
    values = {}
    for measure, named in wanted.values.items():
        qids = [qid for qid in named if qid in common]
        values[measure] = _values(path, stored, measure, qids)
    return Common(
        Side(f"{stored.run} (baseline)", values, stored.top),
        added=tuple(qid for qid in now if qid not in common),
        removed=tuple(qid for qid in stored.queries if qid not in common),
    )


def _check_common(path: Path, common: int, every: int, least: float) -> None:
    if common < least * every:
        what = (
            f"was made with other queries: {common:,} of {every:,} are the same, "
            f"{least:.0%} must be"
        )
        hint = f"{_AGAIN} Or compare on the common ones with --least-common."
        raise RunError(what, where=str(path), hint=hint)


def _values(path: Path, stored: Baseline, measure: str, qids: list[str]) -> dict[str, float]:
    values = stored.measures.get(measure)
    if values is None:
        known = ", ".join(stored.measures)
        raise RunError(f"has no {measure}, only {known}", where=str(path), hint=_AGAIN)
    if missing := [qid for qid in qids if qid not in values]:
        raise RunError(f"{measure}: lacks {missing[0]}", where=str(path), hint=_AGAIN)
    return {qid: values[qid] for qid in qids}


def _check_corpus(path: Path, stored: Baseline, judgements: Judgements) -> None:
    now = corpus_sha256(judgements)
    if stored.corpus_sha256 != now:
        was, present = stored.corpus_sha256[:12] or "none", now[:12] or "none"
        what = f"was made with another corpus ({was}, this one is {present})"
        hint = f"Figures over two corpora cannot be compared. {_AGAIN}"
        raise RunError(what, where=str(path), hint=hint)


def restrict(side: Side, base: Side) -> Side:
    """A run over the queries that a baseline has."""
    values = {
        measure: {qid: side.values[measure][qid] for qid in named}
        for measure, named in base.values.items()
    }
    return Side(side.name, values, side.top)


def _read_stored(path: Path) -> Baseline:
    try:
        data = path.read_bytes()
        version = json.loads(data).get("format")
    except OSError as error:
        raise RunError(error.strerror or str(error), where=str(path), hint=_AGAIN) from error
    except (ValueError, AttributeError, RecursionError) as error:
        raise RunError("not a baseline: no JSON object", where=str(path), hint=_AGAIN) from error
    if version != FORMAT:
        what = f"baseline of format {version}; this hayami reads format {FORMAT}"
        raise RunError(what, where=str(path), hint=_AGAIN)
    try:
        return Baseline.model_validate_json(data)
    except ValidationError as error:
        what = f"not a baseline: {first_fault(error)}"
        raise RunError(what, where=str(path), hint=_AGAIN) from error
