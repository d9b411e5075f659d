"""Questions that were written elsewhere: JSON, JSONL or CSV, under the names that people use."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import BeforeValidator, ValidationError

from hayami.errors import QuestionsError
from hayami.evalset.jsonl import first_fault
from hayami.evalset.records import ImportedFile, Record
from hayami.text.fold import clean, compact
from hayami.words.languages import every


def _key(name: str) -> str:
    """A name of a field without case, width, blanks, hyphens and underscores."""
    return compact(name).replace("_", "").replace("-", "")


_IDS: Final = ("id", "qid", "query_id", "question_id", "_id")
"""What the id of a question is called: names that programs give, the same in all languages."""
FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "id": _IDS,
    "query": every(lambda language: language.fields.query),
    "ids": every(lambda language: language.fields.ids),
    "names": every(lambda language: language.fields.names),
    "article": every(lambda language: language.fields.article),
    "answer": every(lambda language: language.fields.answer),
    "expected_keywords": every(lambda language: language.fields.expected_keywords),
    "category": every(lambda language: language.fields.category),
    "difficulty": every(lambda language: language.fields.difficulty),
    "source": every(lambda language: language.fields.source),
}
"""The fields of a question, and the names that each may have in a file.

Case, width and blanks do not count.
"""


def _fields_by_name() -> dict[str, str]:
    found: dict[str, str] = {}
    for field, names in FIELDS.items():
        found.update(dict.fromkeys(map(_key, names), field))
    return found


_NAMES: Final = _fields_by_name()
_LISTS: Final = ("queries", "questions", "data", "examples", "items")
"""Where in a JSON object the list of questions may be."""
_KNOWN_ELSEWHERE: Final = frozenset(
    (
        "same_article",
        "match",
        "topic",
        "targets",
        "origins",
        "flags",
        "verdicts",
        "synthesizer_name",
    )
)
"""What hayami's own files say beside the question: found anew, so neither read nor worth a word."""
_NUL: Final = re.compile(r"(?P<nul>\x00)")
_NO_TEXT_IN_JSON: Final = re.compile(
    r"(?P<nul>\x00|(?<!\\)(?:\\\\)*\\u0000)"
    r"|(?<!\\)(?:\\\\)*\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\)(?<!\\u[dD][89abAB][0-9a-fA-F]{2})(?:\\\\)*\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
"""What a JSON file can say and no text holds: NUL, and half of a surrogate pair, also escaped."""
_CELL_PARTS: Final = re.compile(r"[|;\n｜；]")
_HINT: Final = "See the README for the fields; each question needs 'query'."
_LARGEST: Final = 200_000_000
"""Bytes of a file of questions: more is another kind of file."""


def _text(value: object) -> object:
    """A text field: numbers are ids as people write them, null is nothing."""
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return clean(value) if isinstance(value, str) else value


def _texts(value: object) -> object:
    """A list field: one text is a list of one; of graded ids those of the highest grade count."""
    if isinstance(value, Mapping):
        return _best_graded(value)
    if value is None or isinstance(value, (str, int, float)):
        value = [value]
    return (
        tuple(text for text in map(_text, value) if text != "")
        if isinstance(value, (list, tuple))
        else value
    )


def _best_graded(grades: Mapping[str, object]) -> object:
    """The ids of the highest grade above 0: in ``{"t1#2": 2, "t1#3": 1}`` only the first."""
    numbers = {name: grade for name, grade in grades.items() if isinstance(grade, (int, float))}
    if len(numbers) != len(grades):
        return grades  # no grades: pydantic says so
    best = max(numbers.values(), default=0)
    return tuple(name for name, grade in numbers.items() if grade == best > 0)


_Text = Annotated[str, BeforeValidator(_text)]
_Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]


class Question(Record):
    """One question of a file, under hayami's names."""

    id: _Text = ""
    """Its id in the file, or an empty text."""
    query: _Text = ""
    """The question, white space collapsed."""
    ids: _Texts = ()
    """What answers it, by id: sections, articles or files."""
    names: _Texts = ()
    """What answers it, in words: headings as a writer would name them."""
    article: _Text = ""
    """The article in which the names stand: its id or file; empty if it is not said."""
    answer: _Text = ""
    """The short answer."""
    expected_keywords: _Texts = ()
    """What an answer should hold."""
    category: _Text = ""
    """Its category."""
    difficulty: _Text = ""
    """Its difficulty."""
    source: _Text = ""
    """Who wrote it, person or model."""


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """A file of questions, read."""

    path: Path
    data: bytes
    questions: tuple[Question, ...]
    unread: tuple[str, ...]
    """Names of fields that are none of a question's, sorted: their content is not imported."""

    @property
    def record(self) -> ImportedFile:
        """What the set says of the file."""
        return ImportedFile(
            path=self.path.name,
            sha256=hashlib.sha256(self.data).hexdigest(),
            questions=len(self.questions),
        )


def read_questions(path: Path) -> QuestionFile:
    """The questions of a file: ``.csv`` and ``.tsv`` with a header line, ``.jsonl``, else JSON.

    JSON is a list of objects, or an object that holds it as ``queries``, ``questions``, ``data`` or
    ``examples``. In CSV a cell of ids or keywords is cut at ``|`` and ``;``; a cell of names is
    not, a heading may hold them.

    Raises:
        QuestionsError: no such file, not of its format, or a question with a field that is none;
            ``where`` says which.
    """
    data = _read(path)
    suffix = path.suffix.lower()
    if suffix in {".csv", ".tsv"}:
        items = list(_csv_items(path, data))
    elif suffix in {".jsonl", ".ndjson"}:
        items = list(_jsonl_items(path, data))
    else:
        items = list(_json_items(path, data))
    unread: set[str] = set()
    questions = tuple(_question(item, where, unread) for where, item in items)
    return QuestionFile(path, data, questions, tuple(sorted(unread)))


def _read(path: Path) -> bytes:
    try:
        if path.is_file() and path.stat().st_size > _LARGEST:
            raise QuestionsError(
                f"larger than {_LARGEST:,} bytes", where=str(path), hint="Split it."
            )
        return path.read_bytes()
    except OSError as error:
        hint = "Name a JSON, JSONL or CSV file of questions."
        raise QuestionsError(error.strerror or str(error), where=str(path), hint=hint) from error


def _decoded(path: Path, data: bytes, no_text: re.Pattern[str]) -> str:
    """The text of a file.

    Raises:
        QuestionsError: it is in another encoding, or holds what ``no_text`` finds.
    """
    text = _as_text(path, data)
    fault = no_text.search(text)
    if fault is not None:
        line = text.count("\n", 0, fault.start()) + 1
        kind = "the character NUL" if fault["nul"] else "half of a surrogate pair"
        hint = "Take it out: no text holds it, and no set can."
        raise QuestionsError(f"holds {kind}", where=f"{path}:{line}", hint=hint)
    return text


def _as_text(path: Path, data: bytes) -> str:
    try:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):  # Excel's "Unicode text"
            return data.decode("utf-16")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = "Save it as UTF-8; in a spreadsheet as 'CSV UTF-8 (comma delimited)'."
        raise QuestionsError(
            f"not UTF-8 (byte {error.start})", where=str(path), hint=hint
        ) from error


Items = Iterator[tuple[str, Mapping[str, object]]]


def _json_items(path: Path, data: bytes) -> Items:
    content = _json(path, data)
    if isinstance(content, Mapping):
        lists = (content[name] for name in _LISTS if isinstance(content.get(name), list))
        content = next(lists, content)
    if not isinstance(content, list):
        names = ", ".join(_LISTS)
        what = f"no list of questions, and no object with one under {names}"
        raise QuestionsError(what, where=str(path), hint=_HINT)
    for number, item in enumerate(content, 1):
        yield _object(item, f"{path}: question {number}")


def _json(path: Path, data: bytes) -> object:
    text = _decoded(path, data, _NO_TEXT_IN_JSON)
    try:
        content: object = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"{path}:{error.lineno}"
        raise QuestionsError(f"not JSON: {error.msg}", where=where, hint=_HINT) from error
    except (RecursionError, ValueError) as error:
        what = f"not JSON that can be read: {error}"
        raise QuestionsError(what, where=str(path), hint=_HINT) from error
    return content


def _jsonl_items(path: Path, data: bytes) -> Items:
    for number, line in enumerate(_decoded(path, data, _NO_TEXT_IN_JSON).split("\n"), 1):
        if line.strip():
            try:
                item = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise QuestionsError(
                    f"not JSON: {error}", where=f"{path}:{number}", hint=_HINT
                ) from error
            yield _object(item, f"{path}:{number}")


def _object(item: object, where: str) -> tuple[str, Mapping[str, object]]:
    if not isinstance(item, Mapping):
        raise QuestionsError("not an object", where=where, hint=_HINT)
    return where, item


def _csv_items(path: Path, data: bytes) -> Items:
    text = _decoded(path, data, _NUL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    begin = 1
    try:
        columns = next(reader, [])
        if "query" not in map(_field, columns):
            what = "no column 'query' in the first line"
            raise QuestionsError(what, where=f"{path}:1", hint=_HINT)
        begin = reader.line_num + 1
        for cells in reader:
            where, begin = f"{path}:{begin}", reader.line_num + 1
            _refuse_more(cells, columns, where)
            if _says_anything(cells):
                yield where, dict(_cells(columns, cells))
    except csv.Error as error:
        raise QuestionsError(f"not CSV: {error}", where=f"{path}:{begin}", hint=_HINT) from error


def _says_anything(cells: Iterable[str]) -> bool:
    return any(cell.strip() for cell in cells)


def _refuse_more(cells: Sequence[str], columns: Sequence[str], where: str) -> None:
    """Refuses a line with more cells than columns: its cells are not those of the columns."""
    if _says_anything(cells[len(columns) :]):
        what = f"{len(cells)} cells for {len(columns)} columns"
        hint = "Put quotes around cells that hold the separator."
        raise QuestionsError(what, where=where, hint=hint)


def _separator(text: str) -> str:
    """The mark by which the first line has most columns that are known."""
    line = text.split("\n", 1)[0].replace('"', "")
    return max(",\t;", key=lambda mark: sum(_field(cell) is not None for cell in line.split(mark)))


def _cells(columns: Iterable[str], cells: Iterable[str]) -> Iterator[tuple[str, object]]:
    for column, cell in zip(columns, cells, strict=False):
        if _field(column) in {"ids", "expected_keywords"}:
            yield column, [part.strip() for part in _CELL_PARTS.split(cell) if part.strip()]
        elif cell.strip():
            yield column, cell


def _field(name: str) -> str | None:
    """The field that a name in a file means."""
    return _NAMES.get(_key(name))


def _question(item: Mapping[str, object], where: str, unread: set[str]) -> Question:
    """A question out of what a file says; of several names of a field the first that says any."""
    said: dict[str, object] = {}
    for name, value in item.items():
        field = _field(str(name))
        if field is not None:
            if said.get(field) in (None, "", [], {}):
                said[field] = value
        elif name not in _KNOWN_ELSEWHERE:
            unread.add(str(name))
    try:
        return Question.model_validate(said)
    except ValidationError as error:
        raise QuestionsError(first_fault(error), where=where, hint=_HINT) from error
