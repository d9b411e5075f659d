"""Categories that a team gives its queries, from a file of two columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from hayami.errors import QrelsError
from hayami.evaluate.judgements import Judgements

_HINT: Final = (
    "A line is: qid,category (or parted by a tab). A header is left out if it begins with qid "
    "or query."
)


def read_categories(path: Path) -> dict[str, str]:
    """The category of each query id in a file of two columns, CSV or TSV.

    Raises:
        QrelsError: no such file, a line without two columns, or a query with two categories;
            ``where`` names the line.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise QrelsError("not UTF-8", where=str(path), hint="Save it as UTF-8.") from error
    except OSError as error:
        raise QrelsError(error.strerror or str(error), where=str(path), hint=_HINT) from error
    separator = "\t" if "\t" in text.split("\n", 1)[0] else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    found: dict[str, str] = {}
    for fields in reader:
        header = not found and bool(fields) and fields[0].lower().startswith(("qid", "query"))
        if any(fields) and not header:
            where = f"{path}:{reader.line_num}"
            qid, category = _pair(fields, where)
            if found.setdefault(qid, category) != category:
                what = f"{qid} has the category {found[qid]!r} already"
                raise QrelsError(what, where=where, hint="Take one out.")
    return found


def _pair(fields: list[str], where: str) -> tuple[str, str]:
    cells = [cell.strip() for cell in fields]
    if len(cells) != 2 or not all(cells):  # noqa: PLR2004
        what = f"{len(cells)} columns instead of qid and category"
        raise QrelsError(what, where=where, hint=_HINT)
    return cells[0], cells[1]


def with_categories(judgements: Judgements, categories: Mapping[str, str]) -> Judgements:
    """The judgements with these categories; queries that are not named keep what they had."""
    known = [qid for qid in judgements.qrels if qid in categories]
    named = {qid: replace(judgements.topic(qid), category=categories[qid]) for qid in known}
    return replace(judgements, topics={**judgements.topics, **named})
