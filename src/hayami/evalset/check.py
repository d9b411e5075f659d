"""An eval set on disk, checked record by record."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hayami.errors import EvalSetError
from hayami.evalset.folder import (
    ARTICLES,
    CORPUS,
    FILES,
    MANIFEST,
    QRELS,
    QUERIES,
    EvalSet,
    _read_manifest,
    _read_qrels,
    hash_file,
)
from hayami.evalset.qids import number_of
from hayami.evalset.records import (
    ARTICLE_REASONS,
    IMPORT,
    TRUST,
    Accounting,
    Article,
    Counts,
    Grade,
    Manifest,
    Query,
    Record,
    Rejection,
    Section,
    article_of,
    grade_sections,
    section_id,
)
from hayami.settings import hash_settings


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with an eval set on disk."""

    where: str
    what: str


def check(folder: Path) -> list[Fault]:
    """Every fault of an eval set: hashes, records, ids, what refers to what, and the accounting.

    Raises:
        EvalSetError: there is no eval set in ``folder``.
    """
    manifest = _read_manifest(folder)
    faults = list(_check_files(folder, manifest))
    try:
        faults += _SetReading(EvalSet(folder, trusting=True), manifest).faults()
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
        elif hash_file(path) != manifest.files[name]:
            what = "is not the file that was built: its sha256 differs from the manifest's"
            yield Fault(str(path), what)


class _SetReading:
    """A set that is read once, file after file; each is compared with those before it."""

    def __init__(self, evalset: EvalSet, manifest: Manifest) -> None:
        self.evalset = evalset
        self.manifest = manifest
        self.articles: list[Article] = []
        self.by_id: dict[str, Article] = {}
        self.known: set[str] = set()
        """Ids of the articles."""
        self.sections: dict[str, list[str]] = {}
        """Ids of the sections by article."""
        self.section_ids: set[str] = set()
        self.queries: list[Query] = []
        self.rows: Counter[str] = Counter()
        """Rows in queries and rejections by article, imported questions left out."""
        self.expected: dict[str, dict[str, int]] = {}
        """The grades that the qrels must have, by query."""

    def faults(self) -> Iterator[Fault]:
        """All faults, in the order in which the files are read.

        Raises:
            EvalSetError: a line is no record; what comes after it is not checked.
        """
        yield from self._read_articles()
        for number, section in enumerate(self.evalset.sections(), 1):
            yield from self._read_section(section, f"{self.evalset.folder / CORPUS}:{number}")
        for number, query in enumerate(self.evalset.queries(), 1):
            yield from self._read_query(query, f"{self.evalset.folder / QUERIES}:{number}")
        yield from self._read_qrels()
        yield from self._check_manifest()
        yield from _check_settings(str(self.evalset.folder / MANIFEST), self.manifest)

    def _read_articles(self) -> Iterator[Fault]:
        try:
            self.articles.extend(self.evalset.articles())
        except EvalSetError as error:
            yield Fault(error.where, error.what)
        self.by_id.update((article.id, article) for article in self.articles)
        self.known.update(self.by_id)

    def _read_section(self, section: Section, where: str) -> Iterator[Fault]:
        if section.id in self.section_ids:
            yield Fault(where, f"section id {section.id} stands twice")
        if section.id.split() != [section.id]:
            yield Fault(where, "section id with white space")
        if section.id != section_id(section.article, section.ordinal):
            yield Fault(where, f"{section.id} is no id of section {section.ordinal} of its article")
        article = self.by_id.get(section.article)
        if article is not None and (section.path, section.title) != (article.path, article.title):
            yield Fault(where, f"{section.id} has another path or title than its article")
        if section.article not in self.known:
            what = f"{section.id} is of an article that was not read: {section.article}"
            yield Fault(where, what)
        self.section_ids.add(section.id)
        self.sections.setdefault(section.article, []).append(section.id)

    def _read_query(self, query: Query, where: str) -> Iterator[Fault]:
        """Faults of one query; notes the grades that the qrels must have for it."""
        if query.qid in self.expected:
            yield Fault(where, f"query id {query.qid} stands twice")
        yield from self._check_relevant(query, where)
        grades = grade_sections(query.relevant, self.sections)
        others = len(grades) - len(query.relevant)
        if query.same_article != others:
            what = f"{query.qid}: same_article is {query.same_article}, the corpus has {others}"
            yield Fault(where, what)
        named = {query.article, *(origin.article for origin in query.origins)}
        if strange := sorted(named - self.known):
            what = f"{query.qid} names articles that were not read: {', '.join(strange)}"
            yield Fault(where, what)
        yield from self._check_evidence(query, where)
        self.expected[query.qid] = {section: int(grade) for section, grade in grades.items()}
        self.queries.append(query)

    def _check_evidence(self, query: Query, where: str) -> Iterator[Fault]:
        """What a query says of itself against its targets, its rows and their articles."""
        if query.targets:
            least = max((target.match for target in query.targets), key=TRUST.index)
            if query.match is not least:
                yield Fault(where, f"{query.qid}: match is {query.match}, its targets give {least}")
        if query.origins and query.article != query.origins[0].article:
            yield Fault(where, f"{query.qid} is of another article than its first row")
        for origin in query.origins:
            self.rows[origin.article] += origin.where.kind != IMPORT
            article = self.by_id.get(origin.article)
            if article is None or origin.where.kind == IMPORT:
                continue
            if (origin.path, origin.sha256) != (article.path, article.sha256):
                what = f"{query.qid} has a row of another file than that of its article"
                yield Fault(where, what)

    def _check_articles(self, rejections: Iterable[Rejection]) -> Iterator[Fault]:
        """What every article says that it holds against what the other files hold of it."""
        for rejection in rejections:
            place = rejection.where
            self.rows[rejection.article] += place is not None and place.kind != IMPORT
        for number, article in enumerate(self.articles, 1):
            where = f"{self.evalset.folder / ARTICLES}:{number}"
            sections = len(self.sections.get(article.id, ()))
            if article.sections != sections:
                what = f"{article.id} has {article.sections} sections, the corpus {sections}"
                yield Fault(where, what)
            if article.rows != self.rows[article.id]:
                what = f"{article.id} has {article.rows} rows, the files {self.rows[article.id]}"
                yield Fault(where, what)

    def _check_relevant(self, query: Query, where: str) -> Iterator[Fault]:
        known: set[str] = set()
        for section in query.relevant:
            known.update(self.sections.get(article_of(section), ()))
        if missing := sorted(set(query.relevant) - known):
            what = f"{query.qid} names sections that are not in the corpus: {', '.join(missing)}"
            yield Fault(where, what)
        if set(query.relevant.values()) - {int(Grade.TARGET)}:
            yield Fault(where, f"{query.qid}: relevant has a grade other than {int(Grade.TARGET)}")
        if set(query.relevant) != {target.section for target in query.targets}:
            yield Fault(where, f"{query.qid}: relevant and targets differ")

    def _read_qrels(self) -> Iterator[Fault]:
        path = self.evalset.folder / QRELS
        graded: dict[str, dict[str, int]] = {}
        for number, (qid, section, grade) in _read_qrels(path):
            grades = graded.setdefault(qid, {})
            if section in grades:
                yield Fault(f"{path}:{number}", f"{qid} and {section} stand twice")
            grades[section] = grade
        for qid in sorted(graded.keys() | self.expected.keys()):
            if graded.get(qid) != self.expected.get(qid):
                what = f"{qid}: the grades are not those that {QUERIES} and {CORPUS} give"
                yield Fault(str(path), what)

    def _check_manifest(self) -> Iterator[Fault]:
        where = str(self.evalset.folder / MANIFEST)
        manifest = self.manifest
        imported = sum(file.questions for file in manifest.imported)
        rejections = list(self.evalset.rejections())
        yield from self._check_articles(rejections)
        sections = len(self.section_ids)
        counts, accounting = count(self.articles, sections, self.queries, rejections, imported)
        last = max((number_of(query.qid) for query in self.queries), default=0)
        if manifest.last_qid < last:
            yield Fault(where, f"last_qid is {manifest.last_qid}, the queries give {last}")
        if not manifest.accounting.balanced:
            yield Fault(where, "the accounting does not add up")
        yield from _differences(where, "counts", manifest.counts, counts)
        yield from _differences(where, "accounting", manifest.accounting, accounting)


def _differences(where: str, part: str, said: Record, counted: Record) -> Iterator[Fault]:
    """The fields of a part of the manifest that are not what the files give."""
    for name in type(said).model_fields:
        stands, gives = getattr(said, name), getattr(counted, name)
        if stands != gives:
            yield Fault(where, f"{part}.{name} is {stands}, the files give {gives}")


def count(
    articles: Sequence[Article],
    sections: int,
    queries: Sequence[Query],
    rejections: Sequence[Rejection],
    imported: int = 0,
) -> tuple[Counts, Accounting]:
    """The counts and the accounting that records give; ``imported`` questions are rows too."""
    lost_files = sum(rejection.reason in ARTICLE_REASONS for rejection in rejections)
    rows = sum(article.rows for article in articles) + imported
    detectors, flags = _detectors_and_flags(queries, rejections)
    counts = Counts(
        files=len(articles) + lost_files,
        articles=len(articles),
        sections=sections,
        tables=sum(article.tables for article in articles),
        rows=rows,
        queries=len(queries),
        warnings=sum(len(article.warnings) for article in articles),
        by_match=dict(Counter(str(query.match) for query in queries)),
        by_reason=dict(Counter(str(rejection.reason) for rejection in rejections)),
        by_detector=dict(detectors),
        by_language=dict(Counter(article.language for article in articles)),
        by_flag=dict(flags),
    )
    accounting = Accounting(
        rows=rows,
        rows_in_queries=sum(len(query.origins) for query in queries),
        rows_rejected=len(rejections) - lost_files,
        files=len(articles) + lost_files,
        files_read=len(articles),
        files_rejected=lost_files,
    )
    return counts, accounting


def _detectors_and_flags(
    queries: Sequence[Query], rejections: Sequence[Rejection]
) -> tuple[Counter[str], Counter[str]]:
    detectors = Counter(str(one.detector) for one in rejections if one.detector is not None)
    flags: Counter[str] = Counter()
    for query in queries:
        detectors.update(str(origin.detector) for origin in query.origins)
        flags.update(map(str, query.flags))
    return detectors, flags


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
