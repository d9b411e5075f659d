"""An eval set on disk, checked record by record."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hayami.errors import EvalSetError
from hayami.evalset.folder import (
    CORPUS,
    FILES,
    MANIFEST,
    QRELS,
    QUERIES,
    EvalSet,
    _read_manifest,
    _read_qrels,
)
from hayami.evalset.qids import number_of
from hayami.evalset.records import (
    ARTICLE_REASONS,
    Accounting,
    Article,
    Counts,
    Grade,
    Manifest,
    Query,
    Rejection,
    Section,
    article_of,
    grade_sections,
)
from hayami.settings import hash_settings


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
            yield Fault(
                str(path), "is not the file that was built: its sha256 differs from the manifest's"
            )


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
        if strange := sorted(
            {query.article, *(origin.article for origin in query.origins)} - known
        ):
            yield Fault(
                where, f"{query.qid} names articles that were not read: {', '.join(strange)}"
            )
        queries.append(query)
    yield from _check_qrels(evalset, expected)
    imported = sum(file.questions for file in manifest.imported)
    found = count(articles, len(seen), queries, list(evalset.rejections()), imported)
    last = max((number_of(query.qid) for query in queries), default=0)
    yield from _check_manifest(str(evalset.folder / MANIFEST), manifest, found, last)


def _check_section(
    section: Section, where: str, seen: set[str], articles: set[str]
) -> Iterator[Fault]:
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
    known = {s for section in query.relevant for s in sections.get(article_of(section), ())}
    if missing := sorted(set(query.relevant) - known):
        yield Fault(
            where, f"{query.qid} names sections that are not in the corpus: {', '.join(missing)}"
        )
    if set(query.relevant.values()) - {int(Grade.TARGET)}:
        yield Fault(where, f"{query.qid}: relevant has a grade other than {int(Grade.TARGET)}")
    if set(query.relevant) != {target.section for target in query.targets}:
        yield Fault(where, f"{query.qid}: relevant and targets differ")
    grades = grade_sections(query.relevant, sections)
    if query.same_article != len(grades) - len(query.relevant):
        others = len(grades) - len(query.relevant)
        yield Fault(
            where, f"{query.qid}: same_article is {query.same_article}, the corpus has {others}"
        )
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
            yield Fault(
                str(path), f"{qid}: the grades are not those that {QUERIES} and {CORPUS} give"
            )


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


def _check_manifest(
    where: str, manifest: Manifest, found: tuple[Counts, Accounting], last: int
) -> Iterator[Fault]:
    if manifest.last_qid < last:
        yield Fault(where, f"last_qid is {manifest.last_qid}, the queries give {last}")
    if not manifest.accounting.balanced:
        yield Fault(where, "the accounting does not add up")
    for part, said, counted in (
        ("counts", manifest.counts, found[0]),
        ("accounting", manifest.accounting, found[1]),
    ):
        for name in type(said).model_fields:
            if getattr(said, name) != getattr(counted, name):
                yield Fault(
                    where,
                    f"{part}.{name} is {getattr(said, name)}, the files give {getattr(counted, name)}",
                )
    yield from _check_settings(where, manifest)


def _check_settings(where: str, manifest: Manifest) -> Iterator[Fault]:
    """Faults of the settings against their hashes.

    They are taken as they stand: what the settings and their defaults are in this version says
    nothing about a set that another one built.
    """
    settings = manifest.settings
    if manifest.changed_settings is None:
        if _hash_of_older_version(settings) != manifest.settings_sha256:
            yield Fault(where, "settings_sha256 is not the hash of the settings")
        return
    if hash_settings(settings) != manifest.all_settings_sha256:
        yield Fault(where, "all_settings_sha256 is not the hash of the settings")
    changed = {name: settings.get(name) for name in manifest.changed_settings}
    if hash_settings(changed) != manifest.settings_sha256:
        yield Fault(where, "settings_sha256 is not the hash of the changed settings")


def _hash_of_older_version(settings: dict[str, object]) -> str:
    """The hash that hayami 0.1.0 first gave: of all settings, in their order."""
    text = json.dumps(settings, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
