"""What humans said about labels: kept apart from any build, under names that survive editing and renumbering.

A verdict is kept under the rows it is about (article, folded question, folded reference) and names sections by their
article and heading, never by an ordinal alone. Files are logs: one line a verdict, appended and put on the disk at
once; a later line of the same judge about the same row replaces an earlier one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import Field

from hayami.errors import VerdictError
from hayami.jsonl import read_records, record_line
from hayami.records import Record, Ruling, Section
from hayami.text import fold

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]

PATTERN: Final = "verdicts*.jsonl"
"""The files of a folder that hold verdicts."""
_CONFIRMING: Final = frozenset({Ruling.RIGHT, Ruling.ALSO, Ruling.CONTEXT})
"""Rulings that hold the row to the sections that were judged."""
_HINT: Final = "Mend the line, or take it out: nothing else was changed."


class RowKey(Record):
    """A row, whatever table it stands in: what verdicts are kept under."""

    article: str
    """Id of the article."""
    question: str
    """The question of the table, folded."""
    reference: str
    """The reference cell, folded."""


def row_key(article: str, question: str, reference: str) -> RowKey:
    """The key of a row, from its texts as written."""
    return RowKey(article=article, question=fold(question), reference=fold(reference))


class SectionName(Record):
    """A section as a verdict names it: found again by its heading when the sections were renumbered."""

    section: str
    """Its id when it was judged."""
    article: str
    """Id of the article."""
    heading: str
    """Its heading as written."""
    nth: int = Field(default=0, ge=0)
    """Which of the article's sections with this heading, from 0."""
    of: int = Field(default=1, ge=1)
    """How many sections of the article had this heading."""

    @property
    def key(self) -> tuple[str, str, int]:
        """What makes two names the same section."""
        return self.article, fold(self.heading), self.nth


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
    """The sections that the judge named: with ``also`` those to add, with ``other`` those that answer instead."""
    pooled: SectionName | None = None
    """Set if one section that a run ranked high was judged, and not the label: ``right`` adds it to the label."""
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
    def slot(self) -> tuple[str, str, int] | None:
        """What about a row was judged: None for its label, else the pooled section."""
        return self.pooled.key if self.pooled else None

    @property
    def effect(self) -> tuple[Ruling | None, frozenset[tuple[str, str, int]], str]:
        """What it would do: verdicts of equal effect do not disagree.

        A ruling that confirms a label stands for the sections that it was about: "right" of two labels is no agreement.
        """
        confirmed = self.judged if self.ruling in _CONFIRMING else ()
        rejected = not self.judged and self.pooled is None  # of a rejected row "nothing" is another word for "right"
        ruling = Ruling.RIGHT if rejected and self.ruling is Ruling.NOTHING else self.ruling
        return ruling, frozenset(name.key for name in (*confirmed, *self.sections)), fold(self.rewrite)


def now() -> str:
    """The time for a verdict: UTC, ISO 8601, to the microsecond so that verdicts of one second keep their order."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


# --- sections by name -------------------------------------------------------------------------------------------------


class Known(NamedTuple):
    """A section of the corpus: its id and its heading as written."""

    id: str
    heading: str


def name_sections(sections: Iterable[Known], article: str) -> list[SectionName]:
    """The names of the sections of one article, in their order."""
    known = list(sections)
    folded = [fold(section.heading) for section in known]
    return [
        SectionName(
            section=section.id,
            article=article,
            heading=section.heading,
            nth=folded[:place].count(folded[place]),
            of=folded.count(folded[place]),
        )
        for place, section in enumerate(known)
    ]


def known_sections(corpus: Iterable[Section]) -> dict[str, list[Known]]:
    """The sections of a corpus by article, in their order; the corpus is read once and its texts are not kept."""
    by_article: dict[str, list[Known]] = {}
    for section in corpus:
        by_article.setdefault(section.article, []).append(Known(section.id, section.heading))
    return by_article


def name_corpus(corpus: Iterable[Section]) -> dict[str, SectionName]:
    """The name of every section of a corpus by its id."""
    by_article = known_sections(corpus)
    return {name.section: name for article, known in by_article.items() for name in name_sections(known, article)}


def find_section(name: SectionName, sections: Sequence[Known]) -> str | None:
    """The id that a named section has among its article's ``sections`` today.

    None if no section has its heading, or if there are now more or fewer sections of that heading: then which one was
    meant would be a guess.
    """
    same = [section.id for section in sections if fold(section.heading) == fold(name.heading)]
    return same[name.nth] if len(same) == name.of and name.nth < name.of else None


# --- reading and settling ---------------------------------------------------------------------------------------------


def verdict_files(labels: Path) -> list[Path]:
    """The verdict files of ``labels``: a folder's, sorted by name, or the one file that it is.

    Raises:
        VerdictError: there is no such file or folder.
    """
    if labels.is_dir():
        return sorted(labels.glob(PATTERN))
    if labels.is_file():
        return [labels]
    raise VerdictError("no such file or folder", where=str(labels), hint="'hayami audit review' writes verdicts there.")


def verdict_hashes(labels: Path) -> dict[str, str]:
    """The sha256 of every verdict file of ``labels`` by name: what a manifest says it was given."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in verdict_files(labels)}


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
class _Row:
    main: Verdict | None = None
    judges: tuple[str, ...] = ()
    additions: list[Verdict] = field(default_factory=list)


def settle(verdicts: Iterable[Verdict]) -> Settlement:
    """What holds after all verdicts, given in the order of time.

    The last word of each judge counts. Where judges disagree nothing is decided, until a verdict that adjudicates
    counts alone. ``unsure`` disagrees with nobody.
    """
    latest: dict[tuple[RowKey, tuple[str, str, int] | None], dict[tuple[str, bool], Verdict]] = {}
    for verdict in verdicts:
        for row in verdict.rows:
            said = latest.setdefault((row, verdict.slot), {})
            said.pop((verdict.judge, verdict.adjudicates), None)  # the last word is also the latest in order
            said[verdict.judge, verdict.adjudicates] = verdict
    rows: dict[RowKey, _Row] = {}
    conflicts: list[Conflict] = []
    for (row, slot), said in latest.items():
        standing = _standing(said)
        if len({verdict.effect for verdict in standing}) > 1:
            conflicts.append(Conflict(row, tuple(standing)))
        elif standing:
            decided = rows.setdefault(row, _Row())
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


# --- writing ----------------------------------------------------------------------------------------------------------


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
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        try:
            _lock(handle)
            end = _end_of_whole_lines(handle)
            if end < os.lseek(handle, 0, os.SEEK_END):
                os.ftruncate(handle, end)
            while line:
                line = line[os.write(handle, line) :]
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise VerdictError(
            f"cannot record the verdict: {error.strerror or error}",
            where=str(path),
            hint="Free some space, or see who may write there.",
        ) from error


def _lock(handle: int) -> None:
    """Keeps other threads and programs from writing until the file is closed, where the system can."""
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX)


def _end_of_whole_lines(handle: int) -> int:
    """Where the next line goes: the end of the file, or the begin of a torn last line."""
    size = os.lseek(handle, 0, os.SEEK_END)
    tail, place = b"", size
    while place > 0 and b"\n" not in tail:
        step = min(place, 1 << 16)
        place -= step
        os.lseek(handle, place, os.SEEK_SET)
        tail = os.read(handle, step) + tail
    torn = tail.rpartition(b"\n")[2]
    if torn and _is_json(torn):  # whole, but its line end was lost, or an editor took it away
        os.lseek(handle, size, os.SEEK_SET)
        os.write(handle, b"\n")
        return size + 1
    return size - len(torn)
