"""Verdicts as they are kept: one line each, appended and never changed."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pydantic import Field

from hayami.errors import VerdictError
from hayami.evalset.disk import sync_folder
from hayami.evalset.jsonl import read_records, record_line
from hayami.evalset.names import RowKey, SectionName
from hayami.evalset.records import Record, Ruling
from hayami.text.fold import fold

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]
PATTERN: Final = "verdicts*.jsonl"
"""The files of a folder that hold verdicts."""
_CONFIRMING: Final = frozenset({Ruling.RIGHT, Ruling.ALSO, Ruling.CONTEXT})
"""Rulings that hold the row to the sections that were judged."""
_APPENDING: Final = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
_STEP: Final = 1 << 16
"""Bytes read at a time on the way back to the last line end."""
_HINT: Final = "Mend the line, or take it out: nothing else was changed."


Slot = tuple[str, str, int]
"""A pooled section of a row, as :attr:`hayami.evalset.names.SectionName.key` names it."""


class Verdict(Record):
    """One line of a verdict file: what one judge said about one label."""

    rows: tuple[RowKey, ...] = Field(min_length=1)
    """The rows that ask the question; several if a query was merged out of several."""
    question: str
    """The question as the judge saw it."""
    ruling: Ruling | None
    """What the judge said; null takes the judge's earlier verdict back."""
    judged: tuple[SectionName, ...] = ()
    """The sections that the label named when it was judged; empty for a rejected row."""
    sections: tuple[SectionName, ...] = ()
    """The sections that the judge named.

    With ``also`` those to add, with ``other`` those that answer instead.
    """
    pooled: SectionName | None = None
    """Set if one section that a run ranked high was judged, and not the label.

    ``right`` adds it to the label.
    """
    rewrite: str = ""
    """The question in words that stand alone, or an empty text."""
    note: str = ""
    """What the judge wanted to say, or an empty text."""
    judge: str = Field(min_length=1)
    """Who judged."""
    at: str
    """When, UTC, ISO 8601."""
    adjudicates: bool = False
    """Whether it settles a disagreement between judges: it then counts alone."""

    @property
    def slot(self) -> Slot | None:
        """What about a row was judged: None for its label, else the pooled section."""
        return self.pooled.key if self.pooled else None

    @property
    def names(self) -> tuple[SectionName, ...]:
        """Every section that it says something about."""
        pooled = () if self.pooled is None else (self.pooled,)
        return (*self.judged, *self.sections, *pooled)

    @property
    def effect(self) -> tuple[Ruling | None, frozenset[Slot], str]:
        """What it would do: verdicts of equal effect do not disagree.

        A ruling that confirms a label stands for the sections that it was about: "right" of two
        labels is no agreement.
        """
        ruling, named = self.ruling, self.sections
        if ruling in _CONFIRMING:
            named = (*self.judged, *named)
        of_rejected = not self.judged and self.pooled is None
        if of_rejected and ruling is Ruling.NOTHING:  # there it is another word for "right"
            ruling = Ruling.RIGHT
        return ruling, frozenset(name.key for name in named), fold(self.rewrite)


def now() -> str:
    """The time for a verdict: UTC, ISO 8601.

    To the microsecond, so that verdicts of one second keep their order.
    """
    return datetime.now(UTC).isoformat(timespec="microseconds")


def verdict_files(labels: Path) -> list[Path]:
    """The verdict files of ``labels``: a folder's, sorted by name, or the one file that it is.

    Raises:
        VerdictError: there is no such file or folder.
    """
    if labels.is_dir():
        return sorted(labels.glob(PATTERN))
    if labels.is_file():
        return [labels]
    raise VerdictError(
        "no such file or folder",
        where=str(labels),
        hint="'hayami audit review' writes verdicts there.",
    )


def verdict_hashes(labels: Path) -> dict[str, str]:
    """The sha256 of every verdict file of ``labels`` by name: what a manifest says it was given."""
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in verdict_files(labels)
    }


def read_verdicts(labels: Path) -> list[Verdict]:
    """Every verdict of a folder or file, in the order in which they were given.

    A last line that a killed program left half written is passed over: it was never acknowledged.

    Raises:
        VerdictError: no such file, or a line that is no verdict; ``where`` names file and line.
    """
    verdicts = [verdict for path in verdict_files(labels) for verdict in _whole_lines(path)]
    return sorted(verdicts, key=lambda verdict: verdict.at)


def _whole_lines(path: Path) -> Iterator[Verdict]:
    lines = read_records(path, Verdict, error=VerdictError, hint=_HINT)
    try:
        yield from lines
    except VerdictError as error:
        if error.where != f"{path}:{_torn_line(path)}":
            raise


def _torn_line(path: Path) -> int | None:
    """The number of a file's last line if it has no line end and is no JSON; else None."""
    try:
        whole, end, torn = path.read_bytes().rpartition(b"\n")
    except OSError:  # what cannot be read is not torn: the error stands
        return None
    return (whole + end).count(b"\n") + 1 if torn and not _is_json(torn) else None


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def verdict_file(labels: Path, judge: str) -> Path:
    """The file in the folder ``labels`` to which a judge's verdicts go: ``verdicts-NAME.jsonl``."""
    name = re.sub(r"[^\w.\-]+", "_", judge).strip("._") or "judge"
    return labels / f"verdicts-{name}.jsonl"


def append_verdict(path: Path, verdict: Verdict) -> None:
    """Adds a verdict to a file; it is on the disk when this returns.

    What a killed program left half written at the end of the file is cut off first.

    Raises:
        VerdictError: the system refuses; nothing was recorded.
    """
    line = (record_line(verdict) + "\n").encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = not path.exists()
        handle = os.open(path, _APPENDING, 0o644)
        try:
            _append_line(handle, line)
        finally:
            os.close(handle)
        if new:
            sync_folder(path.parent)
    except OSError as error:
        raise VerdictError(
            f"cannot record the verdict: {error.strerror or error}",
            where=str(path),
            hint="Free some space, or see who may write there.",
        ) from error


def _append_line(handle: int, line: bytes) -> None:
    _lock(handle)
    end = _end_of_whole_lines(handle)
    if end < os.lseek(handle, 0, os.SEEK_END):
        os.ftruncate(handle, end)
    try:
        while line:
            line = line[os.write(handle, line) :]
        os.fsync(handle)
    except OSError:
        os.ftruncate(handle, end)  # what was not acknowledged must not count later
        raise


def _lock(handle: int) -> None:
    """Keeps others from writing until the file is closed, threads and programs, where it can."""
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX)


def _end_of_whole_lines(handle: int) -> int:
    """Where the next line goes: the end of the file, or the begin of a torn last line."""
    size = os.lseek(handle, 0, os.SEEK_END)
    torn = _after_last_line_end(handle, size)
    if torn and _is_json(torn):  # whole, but its line end was lost, or an editor took it away
        os.lseek(handle, size, os.SEEK_SET)
        os.write(handle, b"\n")
        return size + 1
    return size - len(torn)


def _after_last_line_end(handle: int, size: int) -> bytes:
    """What a file of ``size`` bytes holds behind its last line end, read from the end."""
    tail, place = b"", size
    while place > 0 and b"\n" not in tail:
        step = min(place, _STEP)
        place -= step
        os.lseek(handle, place, os.SEEK_SET)
        tail = os.read(handle, step) + tail
    return tail.rpartition(b"\n")[2]
