"""Sheets as CSV for a spreadsheet: opens right in Excel, starts no formula, survives its habits.

A spreadsheet turns ``1-2`` into a date, ``0010`` into 10 and cuts long cells. So the row itself
travels in one column of JSON, ``record``, which no program takes for anything but text; only the
judge's columns are read from their cells.
"""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from hayami.audit.items import JUDGED, Item, Located, listed
from hayami.errors import SheetError
from hayami.evalset.jsonl import first_fault, record_line
from hayami.evalset.records import RULING_MEANINGS, Ruling
from hayami.text.fold import fold, normalise

HINT: Final = "Mend the sheet and try again; nothing was recorded."
RECORD: Final = "record"
"""The column with the row itself as JSON; a long one goes on in ``record_2``, ``record_3`` …"""
LABEL, TEXT, CHOICES = "label", "section_text", "article_sections"
"""Columns that are not read back: what the label names, how it reads, what else can be chosen."""
_HIDDEN: Final = frozenset({*JUDGED, "targets", "candidates", "rows", "outline"})
_SHOWN: Final = tuple(name for name in Item.model_fields if name not in _HIDDEN)
_TO_READ: Final = ("item", "kind", "question", "answer", "reference", "sections", LABEL, TEXT)
COLUMNS: Final = (
    *_TO_READ,
    *JUDGED,
    CHOICES,
    *(name for name in _SHOWN if name not in _TO_READ),
    RECORD,
)
"""The columns of a sheet: what to read, what to fill in, what else is known, and the row itself."""
_NEEDED: Final = tuple(name for name in COLUMNS if name not in {LABEL, TEXT, CHOICES})

_CELL: Final = 16_000
"""Characters of a cell: Excel cuts at 32,767 UTF-16 units, and a character can take two."""
_CELL_LINES: Final = 250
"""Lines of a cell: Excel takes 253 line feeds."""
_FORMULA: Final = frozenset("=+-@＝＋－＠'")
"""What a spreadsheet may take for the begin of a formula, and the quote that tells it not to.

Source: OWASP, CSV injection.
"""
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SEPARATORS: Final = re.compile("[,、;，；]")
_PROSE: Final = 10
"""Letters from which a text is prose: no spreadsheet takes it for a number or a date."""


# --- writing --------------------------------------------------------------------------------------


def csv_sheet(
    items: Sequence[Item],
    choices: Mapping[str, Sequence[tuple[str, str]]],
    texts: Mapping[str, str],
) -> bytes:
    """A sheet as CSV: UTF-8 with a byte-order mark and CRLF, as Excel wants it.

    Args:
        items: the rows.
        choices: (id, heading) of the sections of each article; the outline of the item where it has
            none.
        texts: the text of sections by id, as far as it is to be shown.
    """
    records = [_pieces(_record(item)) for item in items]
    most = max(map(len, records), default=1)
    further = [f"{RECORD}_{number}" for number in range(2, most + 1)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*COLUMNS, *further])
    for item, pieces in zip(items, records, strict=True):
        shown = _shown(item, choices, texts)
        cells = [_cell(shown[name]) for name in COLUMNS[:-1]]
        padding = [""] * (most - len(pieces))
        writer.writerow([*cells, *pieces, *padding])
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8", "replace")


def _record(item: Item) -> str:
    """The row without what the judge fills in: that has columns of its own."""
    blank = {name: Item.model_fields[name].default for name in JUDGED}
    return record_line(item.model_copy(update=blank))


def _pieces(record: str) -> list[str]:
    """JSON cut into cells that are not too long for a spreadsheet."""
    return [_quoted(record[begin : begin + _CELL]) for begin in range(0, len(record), _CELL)]


def _shown(
    item: Item, choices: Mapping[str, Sequence[tuple[str, str]]], texts: Mapping[str, str]
) -> dict[str, str]:
    """The text of every column but the record."""
    values = json.loads(item.model_dump_json())
    cells = {name: _joined(values[name]) for name in (*_SHOWN, *JUDGED)}
    outline = [(name.section, name.heading) for name in item.outline]
    headings = dict(outline)
    headings |= {target.section: target.heading for target in item.targets}
    judged = [(section, headings.get(section, "")) for section in item.sections]
    there = [texts[section] for section in item.sections if section in texts]
    cells[LABEL] = "\n".join(f"{section} {heading}".rstrip() for section, heading in judged)
    cells[TEXT] = "\n\n".join(there)
    offered = choices.get(item.article) or outline
    cells[CHOICES] = "\n".join(f"{section} {heading}" for section, heading in offered)
    return cells


def _joined(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def _cell(text: str) -> str:
    """A text that a spreadsheet shows as it is.

    No formula, no control characters, not longer than a cell can be.
    """
    text = _CONTROLS.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = text.split("\n")
    if len(lines) > _CELL_LINES or len(text) > _CELL:
        text = "\n".join(lines[: _CELL_LINES - 1])[: _CELL - 2] + "\n…"
    return _quoted(text)


def _quoted(text: str) -> str:
    return "'" + text if _risky(text) else text


def _risky(text: str) -> bool:
    """Whether a spreadsheet could take a text for a formula, also after white space."""
    return text[:1] in {"\t", "\n"} or text.lstrip()[:1] in _FORMULA


# --- reading --------------------------------------------------------------------------------------


def read_csv(path: Path) -> list[Located]:
    """The rows of a CSV sheet, each with where it stands: ``file:line (row N)``.

    The row is the one that a spreadsheet counts; cells hold line breaks.

    Raises:
        SheetError: no such file, another encoding, a missing column, or a row that is none of a
            sheet's.
    """
    text = _decoded(path)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    items: list[Located] = []
    columns: list[str] | None = None
    begin, row = 1, 1
    try:
        for cells in reader:
            if columns is None:
                columns = _columns(cells, f"{path}:1")
            elif any(map(str.strip, cells)):
                where = f"{path}:{begin} (row {row})"
                items.append((where, _item(_named(columns, cells, where), where)))
            begin, row = reader.line_num + 1, row + 1
    except csv.Error as error:
        raise SheetError(f"not CSV: {error}", where=f"{path}:{begin}", hint=HINT) from error
    if columns is None:
        _columns([], f"{path}:1")
    return items


def _decoded(path: Path) -> str:
    try:
        data = path.read_bytes()
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):  # Excel's "Unicode text"
            return data.decode("utf-16")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = "Save it in the spreadsheet as 'CSV UTF-8 (comma delimited)'; nothing was recorded."
        raise SheetError(
            f"not UTF-8 but another encoding{_guess(data)}", where=str(path), hint=hint
        ) from error
    except OSError as error:
        hint = "Draw one with 'hayami audit sample'."
        raise SheetError(error.strerror or str(error), where=str(path), hint=hint) from error


def _guess(data: bytes) -> str:
    """Shift_JIS is what Excel writes in Japan as plain 'CSV'."""
    try:
        data.decode("cp932")
    except UnicodeDecodeError:
        return ""
    return ", maybe Shift_JIS"


def _separator(text: str) -> str:
    """The separator by which the first line has the most columns of a sheet.

    Spreadsheets of some countries write a semicolon.
    """
    line = text.split("\n", 1)[0].replace('"', "")

    def columns(mark: str) -> int:
        return sum(_column(cell) in COLUMNS for cell in line.split(mark))

    return max(",;\t", key=columns)


def _column(cell: str) -> str:
    return normalise(cell).replace(" ", "_")


def _columns(cells: Sequence[str], where: str) -> list[str]:
    columns = [_column(cell) for cell in cells]
    for name in _NEEDED:
        times = columns.count(name)
        if times != 1:
            what = f"column {name!r} stands twice" if times else f"missing column {name!r}"
            among = ", ".join(("item", *JUDGED, RECORD))
            hint = f"The first line names the columns, among them: {among}."
            raise SheetError(what, where=where, hint=hint)
    return columns


def _named(columns: Sequence[str], cells: Sequence[str], where: str) -> dict[str, str]:
    if any(cell.strip() for cell in cells[len(columns) :]):
        raise SheetError(f"{len(cells)} cells in {len(columns)} columns", where=where, hint=HINT)
    return dict.fromkeys(columns, "") | dict(zip(columns, cells, strict=False))


def _item(row: Mapping[str, str], where: str) -> Item:
    """The row of the column ``record``, with what the judge's cells say.

    Raises:
        SheetError: the record is damaged or another row's, or a cell holds nonsense.
    """
    item = _recorded(row, where)
    named = row["item"].strip()
    if named != item.item:
        what = f"unknown row: item {named!r} is not that of the record in its line, {item.item}"
        hint = "Sort and move whole rows only. Mend the sheet; nothing was recorded."
        raise SheetError(what, where=where, hint=hint)
    _refuse_edits(row, item, where)
    word = normalise(row["verdict"])
    if word and word not in RULING_MEANINGS:
        raise SheetError(f"verdict {word!r} is none of: {listed(Ruling)}", where=where, hint=HINT)
    filled = {
        "verdict": Ruling(word) if word else None,
        "chosen": _ids(_text(row["chosen"]), item),
        **{name: _text(row[name]).strip() for name in ("rewrite", "note", "judge")},
    }
    return item.model_copy(update=filled)


def _recorded(row: Mapping[str, str], where: str) -> Item:
    further = [f"{RECORD}_{number}" for number in _numbers(row)]
    record = "".join(_text(row[name]) for name in (RECORD, *further))
    try:
        return Item.model_validate_json(record)
    except ValidationError as error:
        what = f"unknown row: the cell in column {RECORD!r} is damaged ({first_fault(error)})"
        raise SheetError(
            what, where=where, hint="Take the row from the sheet as it was drawn."
        ) from error


def _numbers(row: Mapping[str, str]) -> Iterator[int]:
    number = 2
    while f"{RECORD}_{number}" in row:
        yield number
        number += 1


def _refuse_edits(row: Mapping[str, str], item: Item, where: str) -> None:
    """Tells a judge who wrote into the wrong column.

    What spreadsheets change by themselves is let pass.
    """
    question = _text(row["question"])
    if _is_prose(item.question) and fold(question) != fold(_text(_cell(item.question))):
        raise SheetError(
            "the question was changed",
            where=where,
            hint="New wording goes into the column rewrite.",
        )
    if _text(row["sections"]).split() != _text(_cell(" ".join(item.sections))).split():
        hint = "Sections that answer the question go into the column chosen."
        raise SheetError("the column sections was changed", where=where, hint=hint)


def _is_prose(text: str) -> bool:
    return sum(character.isalpha() for character in text) >= _PROSE


def _text(cell: str) -> str:
    """The text of a cell without the quote that kept it from being a formula."""
    return cell[1:] if cell.startswith("'") and _risky(cell[1:]) else cell


def _ids(text: str, item: Item) -> tuple[str, ...]:
    """The section ids in a cell.

    One a line or more, with blanks or commas between, or lines ``id heading``.
    """
    known = {name.section: name.heading for name in item.outline}
    folded = {_folded(section): section for section in known}
    found: list[str] = []
    for line in text.split("\n"):
        first, _, rest = line.strip().partition(" ")
        if rest and first in known and fold(rest) == fold(known[first]):
            found.append(first)  # copied from the column article_sections
            continue
        for word in line.split():
            parts = [word] if word in known else _SEPARATORS.split(word)
            found += [folded.get(_folded(part), part) for part in parts if part]
    return tuple(dict.fromkeys(found))


def _folded(section: str) -> str:
    return unicodedata.normalize("NFKC", section)
