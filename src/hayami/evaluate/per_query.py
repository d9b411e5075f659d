"""The value of every query, as a table for those who want to look for themselves: CSV or JSONL."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hayami.errors import OutputError
from hayami.evalset.outputs import replace_file
from hayami.evaluate.evaluation import Evaluation
from hayami.text.fold import escape_line_separators

SUFFIXES: Final = (".csv", ".jsonl")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet may take for a formula (OWASP, CSV injection)."""


@dataclass(frozen=True, slots=True)
class _QueryLine:
    run: str
    qid: str
    query: str
    article: str
    language: str
    match: str
    category: str
    difficulty: str
    flags: tuple[str, ...]
    overlap: float | None
    first_rank: int | None
    values: dict[str, float | None]


def write_per_query(
    path: Path, evaluation: Evaluation, overlaps: Mapping[str, float], *, force: bool = False
) -> None:
    """Writes one line for each run and query.

    What is known about the query, the first rank, every measure.

    A value that is empty (CSV) or null (JSONL) means that the query has no relevant document for
    that measure; an empty ``first_rank`` that no document of the highest grade was found. CSV is
    UTF-8 with a byte-order mark.

    Raises:
        OutputError: the name ends in neither .csv nor .jsonl, or the system refuses.
    """
    rows = list(_rows(evaluation, overlaps))
    if path.suffix.lower() not in SUFFIXES:
        raise OutputError(
            "ends in neither .csv nor .jsonl", where=str(path), hint="Choose one of the two."
        )
    data = _csv(rows) if path.suffix.lower() == ".csv" else _jsonl(rows)
    replace_file(path, data, force=force)


def _rows(evaluation: Evaluation, overlaps: Mapping[str, float]) -> Iterator[_QueryLine]:
    judgements = evaluation.judgements
    for report in evaluation.runs:
        for qid in judgements.qrels:
            topic = judgements.topic(qid)
            yield _QueryLine(
                run=report.run,
                qid=qid,
                query=topic.text,
                article=topic.article,
                language=topic.language,
                match=topic.match,
                category=topic.category,
                difficulty=topic.difficulty,
                flags=topic.flags,
                overlap=overlaps.get(qid),
                first_rank=report.first_ranks.get(qid),
                values={one.measure: one.values.get(qid) for one in report.scores},
            )


def _jsonl(rows: list[_QueryLine]) -> bytes:
    lines = [
        json.dumps(_fields(row) | {"values": row.values}, ensure_ascii=False, allow_nan=False)
        for row in rows
    ]
    return "".join(escape_line_separators(line) + "\n" for line in lines).encode()


def _fields(row: _QueryLine) -> dict[str, object]:
    return {name: getattr(row, name) for name in _QueryLine.__slots__ if name != "values"}


def _csv(rows: list[_QueryLine]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    columns = [name for name in _QueryLine.__slots__ if name != "values"]
    measures = list(rows[0].values) if rows else []
    writer.writerow([*columns, *measures])
    for row in rows:
        fields = _fields(row) | {"flags": " ".join(row.flags)}
        writer.writerow(
            [_cell(fields[name]) for name in columns] + [row.values[name] for name in measures]
        )
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def _cell(value: object) -> object:
    return "'" + value if isinstance(value, str) and value.startswith(_FORMULA) else value
