"""What a team says of its queries in a file of two columns: their categories or clusters."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from hayami.errors import QrelsError
from hayami.evaluate.judgements import Judgements

_HINT: Final = (
    "A line is: qid,category or qid,cluster (or parted by a tab). A header is left out if it "
    "begins with qid or query."
)


def read_pairs(path: Path, what: str = "category") -> dict[str, str]:
    """What each query id has in a file of two columns, CSV or TSV: a category, or a cluster.

    Args:
        path: the file.
        what: the second column, for messages.

    Raises:
        QrelsError: no such file, a line without two columns, or a query with two of them; ``where``
            names the line.
    """
    found: dict[str, str] = {}
    for where, fields in _rows(path):
        qid, named = _pair(fields, what, where)
        if found.setdefault(qid, named) != named:
            told = f"{qid} has the {what} {found[qid]!r} already"
            raise QrelsError(told, where=where, hint="Take one out.")
    return found


def _rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The rows of a file, each with where it stands; the header and empty ones are left out."""
    text = _read_text(path)
    separator = "\t" if "\t" in text.split("\n", 1)[0] else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    first = True
    for fields in reader:
        if any(fields):
            header = first and fields[0].lower().startswith(("qid", "query"))
            first = False
            if not header:
                yield f"{path}:{reader.line_num}", fields


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise QrelsError("not UTF-8", where=str(path), hint="Save it as UTF-8.") from error
    except OSError as error:
        raise QrelsError(error.strerror or str(error), where=str(path), hint=_HINT) from error


def _pair(fields: list[str], what: str, where: str) -> tuple[str, str]:
    cells = [cell.strip() for cell in fields]
    if len(cells) != 2 or not all(cells):  # noqa: PLR2004
        told = f"{len(cells)} columns instead of qid and {what}"
        raise QrelsError(told, where=where, hint=_HINT)
    return cells[0], cells[1]


def with_categories(judgements: Judgements, categories: Mapping[str, str]) -> Judgements:
    """The judgements with these categories; queries that are not named keep what they had."""
    known = [qid for qid in judgements.qrels if qid in categories]
    named = {qid: replace(judgements.topic(qid), category=categories[qid]) for qid in known}
    return replace(judgements, topics={**judgements.topics, **named})


def with_clusters(judgements: Judgements, clusters: Mapping[str, str]) -> Judgements:
    """The judgements with these clusters in the place of articles; others keep what they had."""
    known = [qid for qid in judgements.qrels if qid in clusters]
    named = {qid: replace(judgements.topic(qid), article=clusters[qid]) for qid in known}
    return replace(judgements, topics={**judgements.topics, **named})
