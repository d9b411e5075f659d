"""Judgements that somebody else made: TREC qrels, BEIR's three columns, or JSON."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from hayami.errors import QrelsError
from hayami.evalset.jsonl import first_fault
from hayami.evalset.runs import read_fields
from hayami.evaluate.judgements import Judgements, Topic

_TREC, _BEIR = 4, 3
_GRADE: Final = re.compile(rb"[+-]?[0-9]+(\.0+)?")
MAX_GRADE: Final = 1_000_000
_HINT: Final = (
    "A line is: qid 0 docid grade, or the three columns query-id, corpus-id, score; the grade "
    "is a whole number."
)
_JSON_HINT: Final = (
    'JSON is {"qid": {"docid": grade}} or [{"id": "…", "query": "…", "relevant_docs": ["…"], '
    '"category": "…"}].'
)


def read_qrels(path: Path) -> Judgements:
    """The judgements in a file.

    TREC qrels, three columns with or without a header, both also gzipped, or JSON.

    Ids are texts without interpretation. Grades below 0 mean that nobody judged; they have no gain.
    A document that stands twice for a query with one grade is counted once.

    Raises:
        QrelsError: no such file, a line that is none of these, a grade that is no whole number, or
            two grades for one document; ``where`` names file and line.
    """
    found = _from_json(path) if path.suffix.lower() == ".json" else _from_columns(path)
    if not found.qrels:
        raise QrelsError("holds no judgement", where=str(path), hint=_HINT)
    return found


def _from_columns(path: Path) -> Judgements:
    qrels: dict[str, dict[str, int]] = {}
    ids: dict[bytes, str] = {}
    for where, (raw_qid, raw_doc, raw_grade) in _rows(path):
        qid, doc = _id(raw_qid, ids, where), _id(raw_doc, ids, where)
        _add(qrels, qid, doc, _grade(raw_grade, where), where)
    return Judgements(str(path), qrels, sha256=_sha256(path.read_bytes()))


def _rows(path: Path) -> Iterator[tuple[str, tuple[bytes, bytes, bytes]]]:
    """Where each line stands, and its query, document and grade."""
    width = 0
    for number, fields in read_fields(path, QrelsError, _HINT):
        where = f"{path}:{number}"
        if not width:
            width = _BEIR if len(fields) == _BEIR else _TREC
            if width == _BEIR and _is_header(fields):
                continue
        if len(fields) != width:
            raise QrelsError(f"{len(fields)} fields instead of {width}", where=where, hint=_HINT)
        yield where, (fields[0], fields[-2], fields[-1])


def _id(raw: bytes, known: dict[bytes, str], where: str) -> str:
    """The text of an id: one for each, however often it comes."""
    try:
        return known.setdefault(raw, raw.decode())
    except UnicodeDecodeError as error:
        what = f"not UTF-8: {error.reason}"
        raise QrelsError(what, where=where, hint="Save it as UTF-8.") from error


def _is_header(fields: list[bytes]) -> bool:
    """Whether the first of three columns is a header.

    Its last word is no number (BEIR writes ``score``).
    """
    return not any(letter in b"0123456789" for letter in fields[-1]) and fields[-1].lower() not in {
        b"nan",
        b"inf",
    }


def _grade(raw: bytes, where: str) -> int:
    if not _GRADE.fullmatch(raw):
        raise QrelsError(
            f"grade {raw.decode(errors='replace')!r} is no whole number", where=where, hint=_HINT
        )
    grade = int(raw.split(b".")[0])
    if abs(grade) > MAX_GRADE:
        raise QrelsError(f"grade {grade} is beyond {MAX_GRADE:,}", where=where, hint=_HINT)
    return grade


def _add(qrels: dict[str, dict[str, int]], qid: str, doc: str, grade: int, where: str) -> None:
    if qrels.setdefault(qid, {}).setdefault(doc, grade) != grade:
        what = f"{doc} has grade {qrels[qid][doc]} for {qid} already, now {grade}"
        raise QrelsError(what, where=where, hint="Take one of them out.")


# --- JSON -----------------------------------------------------------------------------------------


class _JsonQuery(BaseModel):
    """A query of a JSON list as teams keep them: what it asks and which documents answer."""

    model_config = ConfigDict(extra="ignore")

    id: str = Field(validation_alias=AliasChoices("id", "qid", "query_id"))
    query: str = ""
    relevant_docs: list[str] = Field(
        validation_alias=AliasChoices("relevant_docs", "relevant_doc_ids", "relevant")
    )
    category: str = ""
    difficulty: str = ""

    @property
    def topic(self) -> Topic:
        """What it says of itself."""
        return Topic(text=self.query, category=self.category, difficulty=self.difficulty)


_MAPPING: Final = TypeAdapter(dict[str, dict[str, int]])
_LIST: Final = TypeAdapter(list[_JsonQuery])


def _from_json(path: Path) -> Judgements:
    try:
        data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise QrelsError(error.strerror or str(error), where=str(path), hint=_JSON_HINT) from error
    try:
        if data.lstrip().startswith(b"["):
            return _of_list(path, _LIST.validate_json(data), data)
        return Judgements(str(path), _MAPPING.validate_json(data), sha256=_sha256(data))
    except ValidationError as error:
        raise QrelsError(first_fault(error), where=str(path), hint=_JSON_HINT) from error


def _of_list(path: Path, queries: list[_JsonQuery], data: bytes) -> Judgements:
    qrels = {one.id: dict.fromkeys(one.relevant_docs, 1) for one in queries}
    topics = {one.id: one.topic for one in queries}
    if len(qrels) != len(queries):
        raise QrelsError("a query id stands twice", where=str(path), hint=_JSON_HINT)
    return Judgements(str(path), qrels, topics, sha256=_sha256(data))


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
