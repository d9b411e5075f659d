"""Sheets: the rows that a person is to judge, as JSONL or as CSV for a spreadsheet, both read back with the judgements.

A sheet stands alone but for the texts of the sections: every line says which set it was drawn from, how its stratum
was drawn, and what hayami found. The judge's columns are empty until somebody fills them in.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

from pydantic import Field, ValidationError

from hayami.errors import SheetError
from hayami.evalset import QUERIES, EvalSet
from hayami.jsonl import first_fault, read_records, write_lines
from hayami.records import (
    RULING_MEANINGS,
    Candidate,
    Detector,
    Flag,
    Match,
    Query,
    Reason,
    Record,
    Rejection,
    Ruling,
    Target,
)
from hayami.verdicts import RowKey, SectionName, Verdict, row_key

HINT: Final = "Mend the sheet and try again; nothing was recorded."


class Kind(StrEnum):
    """What is to be judged."""

    LABEL = "label"
    REJECTION = "rejection"
    POOL = "pool"


KIND_MEANINGS: Final[dict[Kind, str]] = {
    Kind.LABEL: "a query and the sections that hayami found for it",
    Kind.REJECTION: "a row that gave no label: does a section answer it all the same?",
    Kind.POOL: "a query and one section that a run ranked high: does it answer the question too?",
}

RULINGS: Final[dict[Kind, tuple[Ruling, ...]]] = {
    Kind.LABEL: tuple(Ruling),
    Kind.REJECTION: (Ruling.RIGHT, Ruling.WRONG, Ruling.OTHER, Ruling.NOTHING, Ruling.UNSURE),
    Kind.POOL: (Ruling.RIGHT, Ruling.WRONG, Ruling.UNSURE),
}
"""What can be said about each kind."""
NAMING: Final = frozenset({Ruling.ALSO, Ruling.OTHER})
"""Rulings that name sections."""


class Item(Record):
    """One line of a sheet: a row to judge, and what was said about it."""

    item: str
    """Identifies the row: the same row has the same id in every sheet."""
    kind: Kind
    """What is to be judged; see KIND_MEANINGS."""
    question: str
    """The query, or the question of the rejected row."""
    answer: str
    """The short answer of the table, or an empty text."""
    reference: str
    """The reference cell as written."""
    sections: tuple[str, ...]
    """The sections to judge: those that the label names, or the pooled one; none for a rejected row."""

    verdict: Ruling | None = None
    """Filled in by the judge; see RULING_MEANINGS."""
    chosen: tuple[str, ...] = ()
    """Section ids that the judge names: with ``also`` those to add, with ``other`` those that answer instead."""
    rewrite: str = ""
    """The question in words that stand alone, if it does not."""
    note: str = ""
    """Whatever else the judge has to say."""
    judge: str = ""
    """Who judged; empty for a sheet of a single judge."""

    stratum: str
    """What the row was drawn from, such as ``match=fuzzy``; ``all`` where nothing was drawn."""
    population: int = Field(ge=0)
    """How many rows the stratum has in the set."""
    drawn: int = Field(ge=0)
    """How many of them the sheet has: each stands for ``population / drawn`` rows."""
    why: str = ""
    """Why a person should look at it; empty if it was drawn by chance."""
    qid: str = ""
    """Id of the query when the sheet was drawn; empty for a rejected row."""
    article: str
    """Id of the article."""
    topic: str
    """What the article is about."""
    language: str
    """The article's language."""
    match: Match | None = None
    """How the sections were found; null for a rejected row."""
    reason: Reason | None = None
    """Why the row was rejected; null for a label."""
    detector: Detector | None = None
    """How the table was recognised."""
    flags: tuple[Flag, ...] = ()
    """Warnings about the question."""
    targets: tuple[Target, ...] = ()
    """The evidence for the sections."""
    candidates: tuple[Candidate, ...] = ()
    """What the reference of a rejected row could mean."""
    rows: tuple[RowKey, ...] = Field(min_length=1)
    """What the verdict is kept under."""
    set: str
    """The folder of the eval set, relative to the sheet."""
    set_sha256: str
    """Hash of the set's ``evalset.jsonl``: tells whether it was built again since."""
    seed: int | None = None
    """The seed of the draw; null if nothing was drawn by chance."""

    @property
    def weight(self) -> float:
        """How many rows of the set the item stands for."""
        return self.population / self.drawn if self.drawn else 1.0


def item_id(kind: Kind, rows: Sequence[RowKey], pooled: str = "") -> str:
    """The id of an item: 12 hex digits that depend on the row's key, and on the section if that is what is judged."""
    said = "\0".join([str(kind), *(f"{r.article}\0{r.question}\0{r.reference}" for r in rows), pooled])
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def query_rows(query: Query) -> tuple[RowKey, ...]:
    """The keys of the rows that ask a query, without repeats, in their order."""
    return tuple(dict.fromkeys(row_key(o.article, o.question, o.reference) for o in query.origins))


def rejection_rows(rejection: Rejection) -> tuple[RowKey, ...]:
    """The key of a rejected row."""
    return (row_key(rejection.article, rejection.question, rejection.reference),)


def set_hash(evalset: EvalSet) -> str:
    """The hash by which a sheet knows its set."""
    return evalset.manifest.files.get(QUERIES, "")


def set_folder(item: Item, sheet: Path) -> Path:
    """The folder of the eval set that an item was drawn from."""
    return Path(os.path.normpath(sheet.parent / item.set))


def set_reference(evalset: EvalSet, sheet: Path) -> str:
    """How a sheet names its set: relative to itself, with ``/``; absolute where there is no such path."""
    here, there = sheet.parent.resolve(), evalset.folder.resolve()
    try:
        return Path(os.path.relpath(there, here)).as_posix()
    except ValueError:  # another drive
        return there.as_posix()


# --- verdicts of items ------------------------------------------------------------------------------------------------


def fault_of(item: Item, known: Iterable[str] | None = None) -> str:
    """What is wrong with what a judge filled in; empty if nothing is.

    Args:
        item: the item with the judge's columns.
        known: the ids of all sections; None if they are not at hand.
    """
    if item.verdict is None:
        return "" if not item.chosen and not item.rewrite else "chosen or rewrite is filled in, but verdict is empty"
    if item.verdict not in RULINGS[item.kind]:
        return f"verdict {item.verdict!s} does not go with a {item.kind}: use {_listed(RULINGS[item.kind])}"
    if item.verdict in NAMING and not item.chosen:
        return f"verdict {item.verdict!s} needs section ids in the column chosen"
    if item.verdict not in NAMING and item.chosen:
        return f"verdict {item.verdict!s} names no sections, but chosen is filled in: use also or other"
    if known is not None:
        missing = [section for section in item.chosen if section not in set(known)]
        if missing:
            return f"chosen: no section {missing[0]!r} in the set"
    return ""


def _listed(rulings: Iterable[Ruling]) -> str:
    return ", ".join(map(str, rulings))


def verdict_of(
    item: Item, names: Mapping[str, SectionName], judge: str, at: str, *, adjudicates: bool = False
) -> Verdict:
    """The verdict that a judged item holds, as it is kept in ``labels/``.

    Args:
        item: the item with the judge's columns filled in.
        names: the name of every section by its id, as :func:`hayami.verdicts.name_corpus` gives them.
        judge: who judged, where the item does not say.
        at: when.
        adjudicates: whether it settles a disagreement.
    """
    judged = tuple(names[section] for section in item.sections if section in names)
    pooled = item.kind is Kind.POOL
    return Verdict(
        rows=item.rows,
        question=item.question,
        ruling=item.verdict,
        judged=() if pooled else judged,
        sections=tuple(names[section] for section in item.chosen),
        pooled=judged[0] if pooled and judged else None,
        rewrite=item.rewrite.strip(),
        note=item.note,
        judge=item.judge or judge,
        at=at,
        adjudicates=adjudicates,
    )


def judged_items(items: Sequence[Item], verdicts: Iterable[Verdict]) -> list[Item]:
    """The items with the last verdict of each judge from ``labels/``: one item for each judge that judged it.

    Items that nobody judged are left out, and so are verdicts on a label that named other sections then.
    ``verdicts`` come in the order of time; one taken back counts as none.
    """
    last: dict[tuple[tuple[RowKey, ...], tuple[str, str, int] | None], dict[str, Verdict]] = {}
    for verdict in verdicts:
        last.setdefault((verdict.rows, verdict.slot), {})[verdict.judge] = verdict
    found: list[Item] = []
    for item in items:
        for slot, said in ((slot, said) for (rows, slot), said in last.items() if rows == item.rows):
            found += [filled for verdict in said.values() if (filled := _filled(item, slot, verdict)) is not None]
    return found


def _filled(item: Item, slot: tuple[str, str, int] | None, verdict: Verdict) -> Item | None:
    judged = tuple(name.section for name in ((verdict.pooled,) if verdict.pooled else verdict.judged))
    same_kind = (slot is not None) == (item.kind is Kind.POOL)
    if verdict.ruling is None or not same_kind or set(judged) != set(item.sections):
        return None
    return item.model_copy(
        update={
            "verdict": verdict.ruling,
            "chosen": tuple(name.section for name in verdict.sections),
            "rewrite": verdict.rewrite,
            "note": verdict.note,
            "judge": verdict.judge,
        }
    )


# --- on the disk ------------------------------------------------------------------------------------------------------

_FIELDS: Final = tuple(Item.model_fields)
_JSON_FIELDS: Final = frozenset({"targets", "candidates", "rows"})
_LIST_FIELDS: Final = frozenset({"sections", "chosen", "flags"})
_SHOWN: Final = "label"
"""A column that spreadsheets get to read from, and that is not read back."""
_CHOICES: Final = "article_sections"
"""Idem: the sections to choose from."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
"""What a spreadsheet may take for a formula (OWASP, CSV injection), and the quote that tells it not to."""


def write_sheet(
    path: Path, items: Sequence[Item], choices: Mapping[str, Sequence[tuple[str, str]]] | None = None
) -> None:
    """Writes a sheet, as CSV if the name ends so, else as JSONL; whole or not at all.

    Args:
        path: the file; what is there is replaced.
        items: the lines.
        choices: (id, heading) of the sections of each article, for a person who fills in a spreadsheet.

    Raises:
        SheetError: the system refuses.
    """
    data = _csv(items, choices or {}) if path.suffix.lower() == ".csv" else write_lines(items)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(data)
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise SheetError(
            f"cannot write: {error.strerror or error}", where=str(path), hint="Choose another --out."
        ) from error


def read_sheet(path: Path) -> list[Item]:
    """The lines of a sheet, CSV or JSONL, with what judges filled in.

    Raises:
        SheetError: no such file, a missing column, a line that is none of a sheet's, or a verdict that makes no sense;
            ``where`` names file and line.
    """
    numbered = _from_csv(path) if path.suffix.lower() == ".csv" else _from_jsonl(path)
    seen: dict[tuple[str, str], int] = {}
    for number, item in numbered:
        where = f"{path}:{number}"
        if fault := fault_of(item):
            raise SheetError(fault, where=where, hint=HINT)
        if (other := seen.setdefault((item.item, item.judge), number)) != number:
            raise SheetError(f"item {item.item} stands in line {other} too", where=where, hint="Take one of them out.")
        if item.item != item_id(
            item.kind, item.rows, item.sections[0] if item.kind is Kind.POOL and item.sections else ""
        ):
            raise SheetError(f"unknown row: item {item.item} is not that of its row", where=where, hint=HINT)
    if not numbered:
        raise SheetError("holds no row", where=str(path), hint="Draw one with 'hayami audit sample'.")
    return [item for _, item in numbered]


def _from_jsonl(path: Path) -> list[tuple[int, Item]]:
    return list(enumerate(read_records(path, Item, error=SheetError, hint=HINT), 1))


def _csv(items: Sequence[Item], choices: Mapping[str, Sequence[tuple[str, str]]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    columns = [*_FIELDS[: _FIELDS.index("verdict")], _SHOWN, *_FIELDS[_FIELDS.index("verdict") :], _CHOICES]
    writer.writerow(columns)
    for item in items:
        values = json.loads(item.model_dump_json())
        values[_SHOWN] = "\n".join(f"{target.section} {target.heading}" for target in item.targets)
        values[_CHOICES] = "\n".join(f"{section} {heading}" for section, heading in choices.get(item.article, ()))
        writer.writerow([_cell(name, values[name]) for name in columns])
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8", "replace")


def _cell(name: str, value: object) -> str:
    if value is None:
        return ""
    if name in _JSON_FIELDS:
        return json.dumps(value, ensure_ascii=False)
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return "'" + text if text.startswith(_FORMULA) else text


def _value(name: str, cell: str) -> object:
    if name in _JSON_FIELDS:
        return json.loads(cell or "[]")
    text = cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell
    if name in _LIST_FIELDS:
        return text.replace(",", " ").replace("、", " ").split()
    if name == "verdict":
        return text.strip().lower() or None
    if name in {"match", "reason", "detector", "seed"}:
        return text or None
    return text


def _from_csv(path: Path) -> list[tuple[int, Item]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = "Save it as 'CSV UTF-8' in the spreadsheet."
        raise SheetError("not UTF-8", where=str(path), hint=hint) from error
    except OSError as error:
        raise SheetError(error.strerror or str(error), where=str(path), hint=HINT) from error
    separator = ";" if text.split("\n", 1)[0].count(";") > text.split("\n", 1)[0].count(",") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    items: list[tuple[int, Item]] = []
    try:
        columns = next(reader, [])
        missing = [name for name, field in Item.model_fields.items() if field.is_required() and name not in columns]
        missing += [name for name in ("verdict",) if name not in columns]
        if missing:
            raise SheetError(f"missing column {missing[0]!r}", where=f"{path}:1", hint=HINT)
        begin = 2
        for cells in reader:
            if any(cells):
                items.append(
                    (
                        begin,
                        _csv_item(
                            dict(zip(columns, cells, strict=False)), len(cells) - len(columns), f"{path}:{begin}"
                        ),
                    )
                )
            begin = reader.line_num + 1
    except csv.Error as error:
        raise SheetError(f"not CSV: {error}", where=f"{path}:{reader.line_num}", hint=HINT) from error
    return items


def _csv_item(row: Mapping[str, str], surplus: int, where: str) -> Item:
    if surplus > 0:
        raise SheetError(f"{surplus} cells more than columns", where=where, hint=HINT)
    word = row.get("verdict", "").strip().lower()
    if word and word not in RULING_MEANINGS:
        raise SheetError(f"verdict {word!r} is none of {_listed(Ruling)}", where=where, hint=HINT)
    try:
        values = {name: _value(name, row[name]) for name in _FIELDS if name in row}
        return Item.model_validate(values)
    except ValidationError as error:
        raise SheetError(first_fault(error), where=where, hint=HINT) from error
    except ValueError as error:
        raise SheetError(f"a cell is damaged: {error}", where=where, hint=HINT) from error
