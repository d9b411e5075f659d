"""Any search program as a retriever.

It reads queries on its stdin and writes results on its stdout.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import ConfigDict, ValidationError

from hayami.errors import RunError
from hayami.evalset.folder import CORPUS
from hayami.evalset.jsonl import first_fault
from hayami.evalset.records import Record
from hayami.evaluate.retrieval import AskedQuery, Rankings

TIMEOUT: Final = 600.0
"""Seconds that a program has for all queries, unless set."""
_RUN_FIELDS: Final = 6
_LAST: Final = 200
"""Characters of a program's last message that are shown."""
_HINT: Final = (
    'It must write lines of a TREC run (qid Q0 docid rank score tag) or JSON lines: {"qid", '
    '"docid", "score"} '
    'for each result, or {"qid", "docids": [best, ...]} for each query.'
)


class _ProgramLine(Record):
    """A line of JSON that a program wrote: one result, or all results of a query."""

    model_config = ConfigDict(extra="ignore")

    qid: str
    """The query."""
    docid: str | None = None
    """A section that was found."""
    score: float | None = None
    """Its score; higher is better."""
    docids: tuple[str, ...] | None = None
    """All sections that were found, best first."""


def run_program(
    command: str, asked: Sequence[AskedQuery], folder: Path, *, top: int, timeout: float = TIMEOUT
) -> Rankings:
    """The rankings that a program gives, cut to ``top`` results a query.

    A query it says nothing about has none.

    The program is started once, without a shell, in the folder that hayami was started in. It reads
    one JSON object a line, ``{"qid": ..., "query": ...}``, and finds the corpus in the environment:
    ``HAYAMI_CORPUS`` is the path of ``corpus.jsonl``, ``HAYAMI_TOP`` the number of results wanted.
    What it writes on stderr is shown only if it fails.

    Args:
        command: the program and its arguments, as a shell would split them.
        asked: the queries.
        folder: of the eval set.
        top: results a query; ties are ordered by section id, descending.
        timeout: seconds for everything.

    Raises:
        RunError: no such program, it fails, takes too long, or writes something else than results.
    """
    lines = "".join(
        json.dumps({"qid": q.qid, "query": q.query}, ensure_ascii=True) + "\n" for q in asked
    )
    told = _converse(command, lines.encode(), folder, top, timeout)
    try:
        text = told.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RunError(
            f"wrote something that is not UTF-8: {error.reason}", where=command, hint=_HINT
        ) from error
    return _read_results(command, text, [question.qid for question in asked], top)


def _converse(command: str, lines: bytes, folder: Path, top: int, timeout: float) -> bytes:
    """What the program writes on stdout when it is given ``lines``."""
    environment = {
        "HAYAMI_CORPUS": str((folder / CORPUS).resolve()),
        "HAYAMI_TOP": str(top),
    }
    process = _start(command, os.environ | environment)
    try:
        # A program that closes its stdin early is not at fault: it may know the queries from
        # elsewhere.
        told, complained = process.communicate(lines, timeout=timeout)
    except BaseException as error:  # whatever stops the waiting stops the program
        _stop(process)
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
        what, hint = f"has not finished after {timeout:g} seconds", "Give it longer with --timeout."
        raise RunError(what, where=command, hint=hint) from error
    if process.returncode:
        last = complained.decode("utf-8", "replace").strip().rpartition("\n")[2][:_LAST]
        said = f": {last}" if last else ", and said nothing on stderr"
        what = f"failed with exit code {process.returncode}{said}"
        hint = "Run it by hand on a line of JSON with qid and query."
        raise RunError(what, where=command, hint=hint)
    return told


def _start(command: str, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    try:
        words = shlex.split(command, posix=sys.platform != "win32")
    except ValueError as error:
        what = f"not a command: {error}"
        raise RunError(what, where=command, hint="Close the quotes.") from error
    if not words:
        raise RunError("not a command: it is empty", where="--command", hint="Name a program.")
    try:
        return subprocess.Popen(  # noqa: S603 - running the user's program is what was asked for
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        what = f"cannot be started: {error.strerror or error}"
        raise RunError(what, where=command, hint="Give the program with its path.") from error


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a program with everything that it started itself, and takes its pipes back."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _read_results(command: str, text: str, qids: Sequence[str], top: int) -> Rankings:
    found: dict[str, dict[str, float]] = {qid: {} for qid in qids}
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            _add_line(line, found, f"{command}: stdout:{number}")
    if not any(found.values()):
        raise RunError("found nothing for any query", where=command, hint=_HINT)
    return {
        qid: dict(sorted(ranked.items(), key=_best_first, reverse=True)[:top])
        for qid, ranked in found.items()
    }


def _add_line(line: str, found: dict[str, dict[str, float]], where: str) -> None:
    qid, results = _read_line(line, where)
    if qid not in found:
        raise RunError(f"{qid!r} is no query of the set", where=where, hint=_HINT)
    for section, score in results:
        _check_result(qid, section, score, found[qid], where)
        found[qid][section] = score


def _check_result(
    qid: str, section: str, score: float, before: Mapping[str, float], where: str
) -> None:
    if section in before:
        hint = "Write each section once a query."
        raise RunError(f"{section} stands twice for {qid}", where=where, hint=hint)
    if not math.isfinite(score):
        raise RunError(f"score {score} is no number", where=where, hint=_HINT)
    if section.split() != [section]:
        what = f"section id {section!r} is empty or holds white space"
        raise RunError(what, where=where, hint=_HINT)


def _best_first(result: tuple[str, float]) -> tuple[float, str]:
    return result[1], result[0]


def _read_line(line: str, where: str) -> tuple[str, list[tuple[str, float]]]:
    """The query of a line and its results with their scores."""
    if line.lstrip().startswith("{"):
        return _read_json(line, where)
    fields = line.split()
    if len(fields) != _RUN_FIELDS:
        raise RunError(f"no result: {line.strip()[:60]!r}", where=where, hint=_HINT)
    try:
        return fields[0], [(fields[2], float(fields[4]))]
    except ValueError as error:
        raise RunError(f"score {fields[4]!r} is no number", where=where, hint=_HINT) from error


def _read_json(line: str, where: str) -> tuple[str, list[tuple[str, float]]]:
    try:
        result = _ProgramLine.model_validate_json(line)
    except ValidationError as error:
        raise RunError(first_fault(error), where=where, hint=_HINT) from error
    if result.docids is not None and result.docid is None:
        return result.qid, [(section, 1.0 / rank) for rank, section in enumerate(result.docids, 1)]
    if result.docid is None or result.score is None or result.docids is not None:
        raise RunError("neither docid and score nor docids", where=where, hint=_HINT)
    return result.qid, [(result.docid, result.score)]
