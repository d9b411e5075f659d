"""The eval set on disk: written whole or not at all, read back, and checked."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import errno
import hashlib
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from pydantic import ValidationError

from hayami.errors import EvalSetError, OutputError
from hayami.jsonl import first_fault, read_records, record_line
from hayami.qids import number_of
from hayami.records import (
    ARTICLE_REASONS,
    FORMAT_VERSION,
    Accounting,
    Article,
    Counts,
    Grade,
    Manifest,
    Query,
    Record,
    Rejection,
    Section,
    grade_sections,
)
from hayami.settings import Settings
from hayami.text import escape_line_separators

CORPUS, QUERIES, QRELS = "corpus.jsonl", "evalset.jsonl", "qrels.txt"
REJECTED, ARTICLES, MANIFEST = "rejected.jsonl", "articles.jsonl", "manifest.json"
FILES: Final = (ARTICLES, CORPUS, QUERIES, QRELS, REJECTED)
"""The files of an eval set beside its manifest."""
_BUFFER: Final = 1 << 20
_SHOWN: Final = 3
"""File names that a message lists."""

# --- writing ----------------------------------------------------------------------------------------------------------


class Staging:
    """A folder beside the eval set to be, into which all files are written before any is seen.

    As a context manager it removes itself when anything goes wrong; what stood at ``out`` is then untouched.

    Raises:
        OutputError: ``out`` holds something that is not an eval set, or the disk refuses.
    """

    def __init__(self, out: Path) -> None:
        self.out = Path(os.path.abspath(out))  # noqa: PTH100 - links are not to be followed
        self.folder = self.out.parent / f".{self.out.name}.building-{os.getpid()}"
        self._files: dict[str, _HashedFile] = {}

    def __enter__(self) -> Self:
        refuse_foreign(self.out)
        with self.guard():
            self.out.parent.mkdir(parents=True, exist_ok=True)
            remove_abandoned(self.out)
            self.folder.mkdir()
            for name in FILES:
                self._files[name] = _HashedFile(self.folder / name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files.values():
            with contextlib.suppress(OSError):  # a full disk refuses the last buffer too; the folder goes anyway
                file.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def guard(self) -> Iterator[None]:
        """Turns what the operating system refuses into an error that names the eval set."""
        try:
            yield
        except OSError as error:
            hint = (
                "Free some space."
                if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
                else "Choose another --out."
            )
            what = f"cannot write: {error.strerror or error}"
            raise OutputError(what, where=str(self.out), hint=f"{hint} What was there is untouched.") from error

    def write(self, name: str, data: bytes) -> None:
        """Appends bytes to one of FILES."""
        with self.guard():
            self._files[name].write(data)

    def write_record(self, name: str, record: Record) -> None:
        """Appends a record to one of the JSONL files."""
        self.write(name, (record_line(record) + "\n").encode())

    def written(self, name: str) -> Path:
        """One of FILES, with all that was written to it so far, to be read."""
        with self.guard():
            self._files[name].flush()
        return self.folder / name

    def hashes(self) -> dict[str, str]:
        """Closes the files on the disk; gives the sha256 of each by name."""
        with self.guard():
            return {name: self._files[name].close() for name in FILES}

    def commit(self, manifest: Manifest) -> None:
        """Writes the manifest and puts the new set in the place of the old one in one step."""
        text = json.dumps(json.loads(manifest.model_dump_json()), ensure_ascii=False, indent=2) + "\n"
        with self.guard():
            file = _HashedFile(self.folder / MANIFEST)
            file.write(escape_line_separators(text).encode())
            file.close()
            sync_folder(self.folder)
            refuse_foreign(self.out)
            replace_folder(self.folder, self.out)


class _HashedFile:
    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = path.open("xb", buffering=_BUFFER)
        self._hash = hashlib.sha256()

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._hash.update(data)

    def flush(self) -> None:
        """Hands what is buffered to the system."""
        self._file.flush()

    def close(self) -> str:
        """Puts everything on the disk; gives the hash."""
        if not self._file.closed:
            try:
                self._file.flush()
                os.fsync(self._file.fileno())
            finally:
                self._file.close()
        return self._hash.hexdigest()


def refuse_foreign(out: Path) -> None:
    """Raises OutputError unless ``out`` is free, empty or an eval set with nothing else in it."""
    if not os.path.lexists(out):
        return
    if not out.is_dir() or out.is_symlink():
        raise OutputError(
            "is not a folder", where=str(out), hint="Choose another --out; hayami overwrites only eval sets."
        )
    try:
        names = sorted(entry.name for entry in out.iterdir())
    except OSError as error:
        raise OutputError(f"cannot read: {error.strerror}", where=str(out), hint="Choose another --out.") from error
    if not names:
        return
    foreign = [name for name in names if name not in {*FILES, MANIFEST}]
    if MANIFEST not in names or not _is_manifest(out / MANIFEST):
        what = f"holds something other than an eval set ({_listed(names)})"
        raise OutputError(what, where=str(out), hint="Choose another --out; hayami overwrites only eval sets.")
    if foreign:
        what = f"holds files that are not the eval set's own ({_listed(foreign)})"
        raise OutputError(what, where=str(out), hint="Move them elsewhere: a build replaces the whole folder.")


def _listed(names: list[str]) -> str:
    shown = names[:_SHOWN]
    return ", ".join(shown + ["…"] * (len(names) > len(shown)))


def _is_manifest(path: Path) -> bool:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and "hayami" in content


def remove_abandoned(out: Path) -> None:
    """Folders that a killed build left beside ``out``; puts an old set back whose build was killed in between."""
    begin = f".{out.name}."
    for folder in [entry for entry in out.parent.iterdir() if entry.name.startswith(begin)]:
        kind, _, process = folder.name.removeprefix(begin).rpartition("-")
        ours = kind in {"building", "replaced"} and process.isdigit()
        if not ours or (int(process) != os.getpid() and _alive(int(process))):
            continue
        if kind == "replaced" and not out.exists():
            folder.rename(out)
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def sync_folder(folder: Path) -> None:
    """Puts what a folder holds on the disk."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_folder(new: Path, old: Path) -> None:
    """Puts ``new`` at the place of ``old``: in one step where the system can exchange two folders, else in two."""
    if not old.exists():
        new.rename(old)
    elif _exchange(new, old):
        shutil.rmtree(new, ignore_errors=True)
    else:
        aside = old.parent / f".{old.name}.replaced-{os.getpid()}"
        old.rename(aside)
        new.rename(old)
        shutil.rmtree(aside, ignore_errors=True)
    sync_folder(old.parent)


_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2


def _exchange(one: Path, other: Path) -> bool:
    """Exchanges two folders atomically (Linux renameat2); false where that cannot be done."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)
    if not hasattr(libc, "renameat2"):
        return False
    paths = (os.fsencode(one), os.fsencode(other))
    return bool(libc.renameat2(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) == 0)


# --- reading ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EvalSet:
    """An eval set on disk. Its parts are read when asked for; iterating keeps one record in memory."""

    folder: Path

    @cached_property
    def manifest(self) -> Manifest:
        """What made the set, and its counts."""
        return _read_manifest(self.folder)

    @property
    def queries_sha256(self) -> str:
        """The hash of the queries as they were built: tells one build of a set from another."""
        return self.manifest.files.get(QUERIES, "")

    def sections(self) -> Iterator[Section]:
        """The corpus, in the order of articles and ordinals."""
        return read_records(self.folder / CORPUS, Section)

    def queries(self) -> Iterator[Query]:
        """The queries, in the order of articles, tables and rows."""
        return read_records(self.folder / QUERIES, Query)

    def rejections(self) -> Iterator[Rejection]:
        """The rows and files that gave no label."""
        return read_records(self.folder / REJECTED, Rejection)

    def articles(self) -> Iterator[Article]:
        """The files that were read."""
        return read_records(self.folder / ARTICLES, Article)

    def qrels(self) -> dict[str, dict[str, int]]:
        """Grades by query id and section id, as in ``qrels.txt``."""
        graded: dict[str, dict[str, int]] = {}
        for _, (qid, section, grade) in _read_qrels(self.folder / QRELS):
            graded.setdefault(qid, {})[section] = grade
        return graded


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
        raise EvalSetError(f"cannot be read: {error}", where=str(path), hint="Build the set again.") from error
    version = content.get("format") if isinstance(content, dict) else None
    if version != FORMAT_VERSION:
        what = f"format {version}; this hayami reads format {FORMAT_VERSION}"
        raise EvalSetError(what, where=str(path), hint="Build the set again.")
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise EvalSetError(first_fault(error), where=str(path), hint="Build the set again.") from error


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
            raise EvalSetError("not 'qid 0 section grade'", where=f"{path}:{number}", hint="Build the set again.")
        yield number, (fields[0], fields[2], int(fields[3]))


# --- checking ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with an eval set on disk."""

    where: str
    what: str


def check(folder: Path) -> list[Fault]:
    """Every fault of an eval set: files against hashes, records, ids, references between files, the accounting.

    Raises:
        EvalSetError: there is no eval set in ``folder``.
    """
    manifest = _read_manifest(folder)
    faults = list(_check_files(folder, manifest))
    try:
        faults += _check_records(EvalSet(folder), manifest)
    except EvalSetError as error:
        faults.append(Fault(error.where, error.what))
    return faults


def _check_files(folder: Path, manifest: Manifest) -> Iterator[Fault]:
    for name in FILES:
        path = folder / name
        if not path.is_file():
            yield Fault(str(path), "missing")
        elif name not in manifest.files:
            yield Fault(str(folder / MANIFEST), f"names no hash for {name}")
        elif hashlib.sha256(path.read_bytes()).hexdigest() != manifest.files[name]:
            yield Fault(str(path), "is not the file that was built: its sha256 differs from the manifest's")


def _check_records(evalset: EvalSet, manifest: Manifest) -> Iterator[Fault]:
    articles: list[Article] = []
    try:
        articles += evalset.articles()
    except EvalSetError as error:
        yield Fault(error.where, error.what)
    known = {article.id for article in articles}
    sections: dict[str, list[str]] = {}
    seen: set[str] = set()
    for number, section in enumerate(evalset.sections(), 1):
        yield from _check_section(section, f"{evalset.folder / CORPUS}:{number}", seen, known)
        sections.setdefault(section.article, []).append(section.id)
    expected: dict[str, dict[str, int]] = {}
    queries = []
    for number, query in enumerate(evalset.queries(), 1):
        where = f"{evalset.folder / QUERIES}:{number}"
        yield from _check_query(query, where, sections, expected)
        if strange := sorted({query.article, *(origin.article for origin in query.origins)} - known):
            yield Fault(where, f"{query.qid} names articles that were not read: {', '.join(strange)}")
        queries.append(query)
    yield from _check_qrels(evalset, expected)
    imported = sum(file.questions for file in manifest.imported)
    found = count(articles, len(seen), queries, list(evalset.rejections()), imported)
    last = max((number_of(query.qid) for query in queries), default=0)
    yield from _check_manifest(str(evalset.folder / MANIFEST), manifest, found, last)


def _check_section(section: Section, where: str, seen: set[str], articles: set[str]) -> Iterator[Fault]:
    if section.id in seen:
        yield Fault(where, f"section id {section.id} stands twice")
    if section.id.split() != [section.id]:
        yield Fault(where, "section id with white space")
    if section.article not in articles:
        yield Fault(where, f"{section.id} is of an article that was not read: {section.article}")
    seen.add(section.id)


def _check_query(
    query: Query, where: str, sections: dict[str, list[str]], expected: dict[str, dict[str, int]]
) -> Iterator[Fault]:
    """Faults of one query; notes in ``expected`` the grades that the qrels must have for it."""
    if query.qid in expected:
        yield Fault(where, f"query id {query.qid} stands twice")
    known = {s for section in query.relevant for s in sections.get(section.rpartition("#")[0], ())}
    if missing := sorted(set(query.relevant) - known):
        yield Fault(where, f"{query.qid} names sections that are not in the corpus: {', '.join(missing)}")
    if set(query.relevant.values()) - {int(Grade.TARGET)}:
        yield Fault(where, f"{query.qid}: relevant has a grade other than {int(Grade.TARGET)}")
    if set(query.relevant) != {target.section for target in query.targets}:
        yield Fault(where, f"{query.qid}: relevant and targets differ")
    grades = grade_sections(query.relevant, sections)
    if query.same_article != len(grades) - len(query.relevant):
        others = len(grades) - len(query.relevant)
        yield Fault(where, f"{query.qid}: same_article is {query.same_article}, the corpus has {others}")
    expected[query.qid] = {section: int(grade) for section, grade in grades.items()}


def _check_qrels(evalset: EvalSet, expected: dict[str, dict[str, int]]) -> Iterator[Fault]:
    path = evalset.folder / QRELS
    graded: dict[str, dict[str, int]] = {}
    for number, (qid, section, grade) in _read_qrels(path):
        if section in graded.setdefault(qid, {}):
            yield Fault(f"{path}:{number}", f"{qid} and {section} stand twice")
        graded[qid][section] = grade
    for qid in sorted(graded.keys() | expected.keys()):
        if graded.get(qid) != expected.get(qid):
            yield Fault(str(path), f"{qid}: the grades are not those that {QUERIES} and {CORPUS} give")


def count(
    articles: Sequence[Article],
    sections: int,
    queries: Sequence[Query],
    rejections: Sequence[Rejection],
    imported: int = 0,
) -> tuple[Counts, Accounting]:
    """The counts and the accounting that records give, and the number of questions that were imported."""
    lost_files = sum(r.reason in ARTICLE_REASONS for r in rejections)
    rejected = Counter(str(r.detector) for r in rejections if r.detector is not None)
    detectors = rejected + Counter(str(o.detector) for q in queries for o in q.origins)
    rows = sum(article.rows for article in articles) + imported
    counts = Counts(
        files=len(articles) + lost_files,
        articles=len(articles),
        sections=sections,
        tables=sum(article.tables for article in articles),
        rows=rows,
        queries=len(queries),
        warnings=sum(len(article.warnings) for article in articles),
        by_match=dict(Counter(str(q.match) for q in queries)),
        by_reason=dict(Counter(str(r.reason) for r in rejections)),
        by_detector=dict(detectors),
        by_language=dict(Counter(article.language for article in articles)),
        by_flag=dict(Counter(str(flag) for q in queries for flag in q.flags)),
    )
    accounting = Accounting(
        rows=rows,
        rows_in_queries=sum(len(q.origins) for q in queries),
        rows_rejected=len(rejections) - lost_files,
        files=len(articles) + lost_files,
        files_read=len(articles),
        files_rejected=lost_files,
    )
    return counts, accounting


def qrels_lines(query: Query, sections: Mapping[str, Sequence[str]]) -> bytes:
    """The lines of ``qrels.txt`` for a query; ``sections`` gives the corpus sections of its targets' articles."""
    grades = grade_sections(query.relevant, sections)
    return "".join(f"{query.qid} 0 {section} {int(grade)}\n" for section, grade in grades.items()).encode()


def _check_manifest(where: str, manifest: Manifest, found: tuple[Counts, Accounting], last: int) -> Iterator[Fault]:
    if manifest.last_qid < last:
        yield Fault(where, f"last_qid is {manifest.last_qid}, the queries give {last}")
    if not manifest.accounting.balanced:
        yield Fault(where, "the accounting does not add up")
    for part, said, counted in (("counts", manifest.counts, found[0]), ("accounting", manifest.accounting, found[1])):
        for name in type(said).model_fields:
            if getattr(said, name) != getattr(counted, name):
                yield Fault(where, f"{part}.{name} is {getattr(said, name)}, the files give {getattr(counted, name)}")
    try:
        digest = Settings.model_validate(manifest.settings).digest()
    except ValidationError as error:
        yield Fault(where, f"settings.{first_fault(error)}")
    else:
        if digest != manifest.settings_sha256:
            yield Fault(where, "settings_sha256 is not the hash of the settings")
