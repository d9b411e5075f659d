"""Sheets: rows for a person to judge, as JSONL, as CSV or for Label Studio, and read back judged.

What one line holds is an :class:`~hayami.audit.items.Item`; the name of the file says how it is
written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import ValidationError

from hayami.audit.items import (
    KIND_MEANINGS,
    NAMING,
    RULINGS,
    Item,
    Kind,
    Located,
    fault_of,
    is_own_id,
    item_id,
    judged_items,
    rejection_rows,
    verdict_of,
)
from hayami.audit.labelstudio import labelling_page, read_export, tasks
from hayami.audit.spreadsheet import HINT, csv_sheet, read_csv
from hayami.errors import SheetError
from hayami.evalset.folder import EvalSet
from hayami.evalset.jsonl import first_fault, write_lines
from hayami.evalset.outputs import replace_file

__all__ = [
    "FORMATS",
    "HINT",
    "KIND_MEANINGS",
    "NAMING",
    "RULINGS",
    "Item",
    "Kind",
    "fault_of",
    "guard_judgements",
    "item_id",
    "judged_items",
    "read_located",
    "read_sheet",
    "rejection_rows",
    "set_folder",
    "set_hash",
    "set_reference",
    "verdict_of",
    "write_sheet",
]

FORMATS: Final[dict[str, str]] = {".jsonl": "jsonl", ".csv": "csv", ".json": "label-studio"}
"""The formats of a sheet by the suffix of its file."""


def set_hash(evalset: EvalSet) -> str:
    """The hash by which a sheet knows its set."""
    return evalset.queries_sha256


def set_folder(item: Item, sheet: Path) -> Path:
    """The folder of the eval set that an item was drawn from."""
    return Path(os.path.normpath(sheet.parent / item.set))


def set_reference(evalset: EvalSet, sheet: Path) -> str:
    """How a sheet names its set: relative to itself, with ``/``; else absolute."""
    here, there = sheet.parent.resolve(), evalset.folder.resolve()
    try:
        return Path(os.path.relpath(there, here)).as_posix()
    except ValueError:  # another drive
        return there.as_posix()


# --- writing --------------------------------------------------------------------------------------


def write_sheet(
    path: Path,
    items: Sequence[Item],
    choices: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    """Writes a sheet as its name ends: each file whole or not at all.

    See FORMATS; any other ending is JSONL. A sheet for Label Studio comes with its labelling page,
    ``SHEET.xml``.

    Args:
        path: the file; what is there is replaced (see :func:`guard_judgements`).
        items: the lines.
        choices: (id, heading) of the sections of each article, for a person who fills in a
            spreadsheet; the outline of each item by itself.
        texts: the text of sections by id, for those who judge in a spreadsheet or in Label Studio.

    Raises:
        SheetError: the system refuses.
    """
    suffix = path.suffix.lower()
    if suffix == ".csv":
        _write(path, csv_sheet(items, choices or {}, texts or {}))
    elif suffix == ".json":
        _write(path.with_suffix(".xml"), labelling_page(items))
        _write(path, tasks(items, texts or {}))
    else:
        _write(path, write_lines(items))


def _write(path: Path, data: bytes) -> None:
    replace_file(path, data, error=SheetError, hint="Choose another --out.")


def guard_judgements(path: Path) -> None:
    """Refuses to destroy something by writing to ``path``.

    Raises:
        SheetError: there are judgements, or it is no sheet.
    """
    if not os.path.lexists(path):
        return
    hint = (
        "Choose another --out, or move the file away; "
        "hayami replaces only sheets that nobody has filled in."
    )
    try:
        judged = sum(item.verdict is not None for item in read_sheet(path))
    except SheetError as error:
        raise SheetError(
            "holds something other than a blank sheet", where=str(path), hint=hint
        ) from error
    if judged:
        rows = "1 row" if judged == 1 else f"{judged} rows"
        raise SheetError(f"holds the judgements of {rows}", where=str(path), hint=hint)


class Sheet(NamedTuple):
    """A sheet as it was read."""

    path: Path
    lines: Sequence[Located]


# --- reading --------------------------------------------------------------------------------------


def read_sheet(path: Path) -> list[Item]:
    """The lines of a sheet with what judges filled in.

    CSV, JSONL, or Label Studio's tasks and export (``.json``).

    Raises:
        SheetError: no such file, a missing column, a line that is none of a sheet's, or a verdict
            that makes no sense; ``where`` names file and line.
    """
    return [item for _, item in read_located(path)]


def read_sheets(paths: Sequence[Path]) -> list[Sheet]:
    """The sheets with their lines as :func:`read_located` gives them; a file named twice once.

    Raises:
        SheetError: as :func:`read_sheet`.
    """
    files = {path.resolve(): path for path in paths}
    return [Sheet(path, read_located(path)) for path in files.values()]


def read_located(path: Path) -> list[Located]:
    """The lines of a sheet as :func:`read_sheet` gives them, each with its ``file:line``.

    Raises:
        SheetError: as :func:`read_sheet`.
    """
    if path.is_dir():
        hint = (
            "Draw a sheet with 'hayami audit sample'; only --conflicts takes the folder of a set."
        )
        raise SheetError("is a folder, not a sheet", where=str(path), hint=hint)
    located = _READERS.get(path.suffix.lower(), _read_jsonl)(path)
    seen: dict[tuple[str, str], str] = {}
    for where, item in located:
        fault = fault_of(item)
        if not fault and not is_own_id(item):
            fault = f"unknown row: item {item.item} is not that of its row"
        if fault:
            raise SheetError(fault, where=where, hint=HINT)
        before = seen.setdefault((item.item, item.judge), where)
        if before != where:
            what = f"item {item.item} stands twice: also at {before}"
            raise SheetError(what, where=where, hint="Take one of them out.")
    if not located:
        raise SheetError(
            "holds no row", where=str(path), hint="Draw one with 'hayami audit sample'."
        )
    return located


def _refuse_workbook(path: Path) -> list[Located]:
    hint = "Save it in the spreadsheet as 'CSV UTF-8 (comma delimited)'; nothing was recorded."
    raise SheetError("is a workbook, not a sheet", where=str(path), hint=hint)


_READERS: Final = {
    ".csv": read_csv,
    **dict.fromkeys((".tsv", ".txt"), read_csv),  # what Excel calls text with tabs
    ".json": read_export,
    **dict.fromkeys((".xlsx", ".xls", ".ods", ".numbers"), _refuse_workbook),
}


def _read_jsonl(path: Path) -> list[Located]:
    try:
        lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except OSError as error:
        hint = "Draw one with 'hayami audit sample'."
        raise SheetError(error.strerror or str(error), where=str(path), hint=hint) from error
    located = [(f"{path}:{number}", line) for number, line in enumerate(lines, 1) if line.strip()]
    return [(where, _line(line, where)) for where, line in located]


def _line(line: bytes, where: str) -> Item:
    try:
        # its messages name the column; those of pydantic do not know what JSON is not
        json.loads(line)
        return Item.model_validate_json(line)
    except ValidationError as error:
        raise SheetError(first_fault(error), where=where, hint=HINT) from error
    except (ValueError, RecursionError) as error:
        raise SheetError(f"not JSON: {error}", where=where, hint=HINT) from error
