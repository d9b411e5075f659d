"""Runs: the ranked output of search systems, as TREC run files."""

from __future__ import annotations

import gzip
import math
import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hayami.errors import HayamiError, RunError
from hayami.evalset.outputs import replace_file

_FIELDS: Final = 6
_HINT: Final = "A run line is: qid Q0 docid rank score tag."
_BOM: Final = b"\xef\xbb\xbf"
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_GZIP: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Run:
    """What one search system returned."""

    name: str
    """The tag of the file's first line, or the file's name."""
    path: Path
    scores: dict[str, dict[str, float]]
    """Scores by query id and section id, in the order of the file."""
    repeated: int = 0
    """Results left out because the same document stood there already; 0 unless that was asked
    for."""
    misranked: int = 0
    """Queries in which the column of ranks says otherwise than the scores, which decide."""

    def ranking(self, qid: str) -> list[str]:
        """The sections of a query, best first.

        By score, ties by id descending, as trec_eval breaks them.

        Scores that are equal in 32 bits are a tie, because trec_eval (and so pytrec_eval) keeps no
        more of them.
        """
        found = self.scores.get(qid, {})
        return sorted(found, key=lambda doc: (single(found[doc]), doc), reverse=True)


def read_run(path: Path, *, dedupe: bool = False) -> Run:
    """The run in a file in TREC format, plain or compressed with gzip.

    Ids are texts without interpretation: 0001 and 1 are two queries. Ranks are not used, scores
    decide.

    Args:
        path: the file.
        dedupe: of a document that stands several times for a query, keep the one that ranks first.

    Raises:
        RunError: no such file, or a line that is none of a run's, or a document that stands twice
            for a query; ``where`` names file and line.
    """
    reader = _RunReader(path, dedupe=dedupe)
    for number, fields in read_fields(path, RunError, _HINT):
        reader.add(number, fields)
    if not reader.scores:
        raise RunError("holds no result", where=str(path), hint=_HINT)
    return Run(reader.tag or path.name, path, reader.scores, reader.repeated, len(reader.misranked))


def distinct_names(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs in their order; those that share a tag by their files' names, or by their paths."""
    by_tag = Counter(run.name for run in runs)
    by_file = Counter(run.path.stem for run in runs if by_tag[run.name] > 1)
    named = []
    for run in runs:
        if by_tag[run.name] == 1:
            named.append(run)
        elif by_file[run.path.stem] == 1:
            named.append(replace(run, name=run.path.stem))
        else:
            named.append(replace(run, name=str(run.path)))
    return tuple(named)


def read_fields(
    path: Path, error: type[HayamiError], hint: str
) -> Iterator[tuple[int, list[bytes]]]:
    """The lines of a file with their numbers from 1, cut at white space; blank lines are left out.

    White space is that of ASCII, as for trec_eval: an ideographic space is part of an id. A
    byte-order mark of UTF-8 is no data, a line may end in CRLF, and a file may be compressed with
    gzip.

    Raises:
        HayamiError: of the kind ``error``, with ``hint``: the file cannot be read, or is not UTF-8.
    """
    number = 0
    try:
        with path.open("rb") as plain:
            begin = plain.read(len(_BOM))
            plain.seek(0)
            with gzip.open(plain) if begin.startswith(_GZIP) else plain as lines:
                for number, line in enumerate(lines, 1):
                    text = line.removeprefix(_BOM) if number == 1 else line
                    if number == 1 and text.startswith(_UTF16):
                        raise error(
                            "is UTF-16",
                            where=str(path),
                            hint="Save it as UTF-8 without a byte-order mark.",
                        )
                    if b"\0" in text:
                        raise error("holds a NUL byte", where=f"{path}:{number}", hint=hint)
                    if fields := text.split():
                        yield number, fields
    except UnicodeDecodeError as fault:
        raise error(
            f"not UTF-8: {fault.reason}", where=f"{path}:{number}", hint="Save it as UTF-8."
        ) from fault
    except (OSError, EOFError, zlib.error) as fault:
        what = getattr(fault, "strerror", None) or str(fault)
        raise error(what, where=f"{path}:{number}" if number else str(path), hint=hint) from fault


class _RunReader:
    """What has been read of a run."""

    def __init__(self, path: Path, *, dedupe: bool) -> None:
        self.path = path
        self.dedupe = dedupe
        self.tag = ""
        self.scores: dict[str, dict[str, float]] = {}
        self.repeated = 0
        self.misranked: set[str] = set()
        self._ids: dict[
            bytes, str
        ] = {}  # one text for each id, however often it comes: a third of the memory
        self._before: tuple[str, bytes, float] = ("", b"", 0.0)

    def add(self, number: int, fields: list[bytes]) -> None:
        """Takes in one line."""
        if len(fields) != _FIELDS:
            raise RunError(
                f"{len(fields)} fields instead of 6", where=f"{self.path}:{number}", hint=_HINT
            )
        raw_qid, _, raw_section, rank, raw_score, tag = fields
        qid, section = self._text(raw_qid, number), self._text(raw_section, number)
        score = self._score(raw_score, number)
        found = self.scores.setdefault(qid, {})
        if section in found:
            if not self.dedupe:
                what = f"{section} stands twice for {qid}"
                hint = "Take one of them out, or keep the first of them with --dedupe."
                raise RunError(what, where=f"{self.path}:{number}", hint=hint)
            self.repeated += 1
            score = max(score, found[section])
        found[section] = score
        self._compare_rank(qid, rank, score)
        self.tag = self.tag or self._text(tag, number)

    def _text(self, raw: bytes, number: int) -> str:
        text = self._ids.get(raw)
        if text is None:
            try:
                text = self._ids[raw] = raw.decode()
            except UnicodeDecodeError as error:
                raise RunError(
                    f"not UTF-8: {error.reason}",
                    where=f"{self.path}:{number}",
                    hint="Save it as UTF-8.",
                ) from error
        return text

    def _score(self, raw: bytes, number: int) -> float:
        try:
            score = (
                float(raw) if b"_" not in raw else math.nan
            )  # Python reads 1_000, no other tool does
        except ValueError:
            score = math.nan
        if not math.isfinite(score):
            what = f"score {raw.decode(errors='replace')!r} is no finite number"
            raise RunError(what, where=f"{self.path}:{number}", hint=_HINT)
        return score

    def _compare_rank(self, qid: str, rank: bytes, score: float) -> None:
        """Notes a query in which a later rank has a higher score.

        Most often such scores are distances instead of similarities.
        """
        before_qid, before_rank, before_score = self._before
        self._before = (qid, rank, score)
        rising = qid == before_qid and score > before_score
        if rising and rank.isdigit() and before_rank.isdigit() and int(rank) > int(before_rank):
            self.misranked.add(qid)


def write_run(path: Path, name: str, rankings: Mapping[str, Mapping[str, float]]) -> None:
    """Writes a run in TREC format, whole or not at all; what is there is replaced.

    The scores written fall strictly within a query, also for a reader that keeps 32 bits of them as
    trec_eval does: a score that is not below the one before it is lowered by the least that such a
    reader can see. So every tool reads the same order, which for equal scores is by section id,
    descending.

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
    replace_file(path, "".join(lines).encode(), error=RunError)


_STEP: Final = 2.0**-22
"""More than the distance of two neighbouring numbers of 32 bits, as a share of them (2^-23)."""
_LEAST_STEP: Final = 1e-30
_LARGEST: Final = 3.0e38
_SINGLE: Final = struct.Struct("f")


def _falling(scores: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """Sections best first, with scores that fall strictly in 32 bits."""
    before = math.inf
    for section, score in sorted(scores.items(), key=lambda one: (one[1], one[0]), reverse=True):
        value = max(-_LARGEST, min(_LARGEST, single(score)))
        if value >= before:
            value = single(before - max(abs(before) * _STEP, _LEAST_STEP))
        yield section, value
        before = value


def single(score: float) -> float:
    """The number of 32 bits (IEEE 754) that is nearest to a score.

    Infinity beyond the largest one.
    """
    try:
        return float(_SINGLE.unpack(_SINGLE.pack(score))[0])
    except OverflowError:
        return math.copysign(math.inf, score)
