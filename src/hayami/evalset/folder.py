"""The files of an eval set, and an eval set read back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from hayami.errors import EvalSetError
from hayami.evalset.jsonl import first_fault, read_records
from hayami.evalset.records import (
    FORMAT_VERSION,
    READ_VERSIONS,
    Article,
    Grade,
    Manifest,
    Query,
    Rejection,
    Section,
    grade_sections,
)

CORPUS, QUERIES, QRELS = "corpus.jsonl", "evalset.jsonl", "qrels.txt"
REJECTED, ARTICLES, MANIFEST = "rejected.jsonl", "articles.jsonl", "manifest.json"
FILES: Final = (ARTICLES, CORPUS, QUERIES, QRELS, REJECTED)
"""The files of an eval set beside its manifest."""
MEASURED: Final = (CORPUS, QUERIES, QRELS)
"""The files on which the figures of a run depend; articles and rejections are about the making."""


@dataclass(frozen=True)
class EvalSet:
    """An eval set on disk.

    Its parts are read when asked for; iterating keeps one record in memory. Each file is compared
    with its hash once, before it is read for the first time, so that nobody measures what was not
    built: reading one that differs raises EvalSetError.
    """

    folder: Path
    trusting: bool = False
    """Whether files are read whatever their hashes are: for who looks at what is wrong."""
    _compared: set[str] = field(default_factory=set, repr=False, compare=False)

    @cached_property
    def manifest(self) -> Manifest:
        """What made the set, and its counts."""
        return _read_manifest(self.folder)

    @cached_property
    def sha256(self) -> str:
        """The hash of the set's corpus, queries and qrels as they lie on the disk, as hex digits.

        The one hash by which runs, cards, baselines, sheets and exports know their set: figures can
        be compared if it is the same for both. Articles, rejections and the manifest do not count.

        Raises:
            EvalSetError: a file of the set cannot be read.
        """
        whole = hashlib.sha256()
        for name in MEASURED:
            whole.update(bytes.fromhex(hash_file(self.folder / name)))
        return whole.hexdigest()

    @property
    def queries_sha256(self) -> str:
        """The hash of ``evalset.jsonl`` alone, as the manifest records it."""
        return self.manifest.files.get(QUERIES, "")

    def sections(self) -> Iterator[Section]:
        """The corpus, in the order of articles and ordinals."""
        return read_records(self._file(CORPUS), Section)

    def queries(self) -> Iterator[Query]:
        """The queries, in the order of articles, tables and rows."""
        return read_records(self._file(QUERIES), Query)

    def rejections(self) -> Iterator[Rejection]:
        """The rows and files that gave no label."""
        return read_records(self._file(REJECTED), Rejection)

    def articles(self) -> Iterator[Article]:
        """The files that were read."""
        return read_records(self._file(ARTICLES), Article)

    def qrels(self) -> dict[str, dict[str, int]]:
        """Grades by query id and section id, as in ``qrels.txt``."""
        graded: dict[str, dict[str, int]] = {}
        for _, (qid, section, grade) in _read_qrels(self._file(QRELS)):
            graded.setdefault(qid, {})[section] = grade
        return graded

    def _file(self, name: str) -> Path:
        """A file of the set, which is the one that was built.

        Raises:
            EvalSetError: it is another one, or cannot be read.
        """
        path = self.folder / name
        if not self.trusting and name not in self._compared:
            if hash_file(path) != self.manifest.files.get(name):
                raise EvalSetError(
                    "is not the file that was built: its sha256 differs from the manifest's",
                    where=str(path),
                    hint="Build the set again; 'hayami check' names all that is wrong.",
                )
            self._compared.add(name)
        return path


def hash_file(path: Path) -> str:
    """The sha256 of a file of a set, as hex digits.

    Raises:
        EvalSetError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EvalSetError(
            error.strerror or str(error), where=str(path), hint="Build the set again."
        ) from error


def load(folder: Path | str) -> EvalSet:
    """The eval set in ``folder``.

    Raises:
        EvalSetError: there is none, or its format is of another version.
    """
    loaded = EvalSet(Path(folder))
    _ = loaded.manifest
    return loaded


def _read_manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise EvalSetError(
            "not an eval set: no manifest.json", where=str(folder), hint="Run 'hayami build' first."
        ) from error
    except (OSError, ValueError, RecursionError) as error:
        raise EvalSetError(
            f"cannot be read: {error}", where=str(path), hint="Build the set again."
        ) from error
    version = content.get("format") if isinstance(content, dict) else None
    if version not in READ_VERSIONS:
        what = f"format {version}; this hayami reads format {FORMAT_VERSION}"
        raise EvalSetError(what, where=str(path), hint="Build the set again.")
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise EvalSetError(
            first_fault(error), where=str(path), hint="Build the set again."
        ) from error


def _read_qrels(path: Path) -> Iterator[tuple[int, tuple[str, str, int]]]:
    try:
        lines = path.read_bytes().decode().split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise EvalSetError(str(error), where=str(path), hint="Build the set again.") from error
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        fields = line.split(" ")
        if len(fields) != 4 or fields[3] not in {str(int(grade)) for grade in Grade}:  # noqa: PLR2004
            raise EvalSetError(
                "not 'qid 0 section grade'", where=f"{path}:{number}", hint="Build the set again."
            )
        yield number, (fields[0], fields[2], int(fields[3]))


def qrels_lines(query: Query, sections: Mapping[str, Sequence[str]]) -> bytes:
    """The lines of ``qrels.txt`` for a query.

    ``sections`` gives the corpus sections of its targets' articles.
    """
    grades = grade_sections(query.relevant, sections)
    return "".join(
        f"{query.qid} 0 {section} {int(grade)}\n" for section, grade in grades.items()
    ).encode()
