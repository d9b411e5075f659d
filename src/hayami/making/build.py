"""From a folder of articles to an eval set: the one place that composes reading, labelling and writing.

Two steps. *Reading* one article is a pure function of its path, its bytes and the settings, and a
process pool maps it. *Joining* needs all articles: links and chapter numbers that lead to others,
questions asked twice, ids. Between the steps everything lies in a temporary file, one article a
record, so that memory does not grow with the texts.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import multiprocessing
import pickle
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from hayami.errors import AccountingError, HayamiError
from hayami.evalset.disk import Staging
from hayami.evalset.folder import ARTICLES, CORPUS, QRELS, QUERIES, REJECTED, load, qrels_lines
from hayami.evalset.jsonl import record_line, write_lines
from hayami.evalset.names import row_key
from hayami.evalset.qids import Claimant, QueryIds
from hayami.evalset.records import Article, Flag, Manifest, Reason, Rejection, VerdictCounts
from hayami.extract.article import read_article
from hayami.extract.files import SUFFIXES, Found, SourceFile, article_id, find_files
from hayami.label.flags import wording_flags
from hayami.label.grades import Labelled, make_query, make_rejection
from hayami.label.headings import HeadingIndex
from hayami.label.library import Library, article_numbers
from hayami.label.match import match_row
from hayami.label.scope import ElsewhereError
from hayami.making.catalogue import Catalogue, Entry, Portion, Spool, Wordings
from hayami.making.tally import Tally
from hayami.parts import Label, NoLabel, Reading, Row, Unreadable, text_of
from hayami.settings import Detect, Duplicates, Settings, hash_settings
from hayami.text.fold import compact
from hayami.text.repeats import near_duplicates
from hayami.verdicts.apply import VerdictBook
from hayami.verdicts.effect import Stale
from hayami.verdicts.log import read_verdicts, verdict_hashes
from hayami.verdicts.settle import Conflict, Settlement, settle

__all__ = [
    "SUFFIXES",
    "Built",
    "article_id",
    "build",
    "label_rows",
    "read_article",
    "read_file",
    "read_files",
]

CHUNK: Final = 16
"""Files that a worker gets at a time: enough that sending them costs nothing beside reading them."""
_QUEUED: Final = 4
"""Chunks waiting for each worker: more would only fill memory."""
_PACKAGES: Final = ("beautifulsoup4", "charset-normalizer", "pydantic", "rapidfuzz", "selectolax")
"""The packages whose version can change what an eval set holds."""

Progress = Callable[[int, int], None]
"""Is told how many files of how many are read."""


def read_file(source: SourceFile, settings: Settings) -> Portion | Unreadable:
    """Reads and labels one file as far as it can be labelled alone."""
    try:
        size = Path(source.file).stat().st_size
        if size > settings.max_page_bytes:
            return Unreadable(
                source.path,
                source.id,
                Reason.TOO_LARGE,
                f"{size:,} bytes; see the setting max_page_bytes",
            )
        data = Path(source.file).read_bytes()
    except OSError as error:
        return Unreadable(source.path, source.id, Reason.UNREADABLE, error.strerror or str(error))
    reading = read_article(source.path, source.id, data, settings)
    if isinstance(reading, Unreadable):
        return reading
    names = HeadingIndex(reading.outline, settings)
    ordinals = tuple(section.ordinal for section in reading.sections)
    outcomes = tuple(_label_alone(row, names) for row in reading.rows)
    entry = Entry(reading.article, reading.outline, ordinals, outcomes)
    return Portion(
        id=source.id,
        path=source.path,
        numbers=article_numbers(reading.outline),
        ordinals=ordinals,
        language=reading.article.language,
        rows=Counter(str(row.detector) for row in reading.rows),
        tables=reading.article.tables,
        warnings=reading.article.warnings,
        corpus=write_lines(reading.sections),
        line=(record_line(reading.article) + "\n").encode(),
        entry=pickle.dumps(entry, protocol=pickle.HIGHEST_PROTOCOL),
    )


def _label_alone(row: Row, names: HeadingIndex) -> Label | NoLabel | Row:
    """A row's outcome; the row itself if it takes other articles to tell."""
    try:
        return match_row(row, names, None)
    except ElsewhereError:
        return row


def _read_chunk(sources: Sequence[SourceFile], settings: Settings) -> list[Portion | Unreadable]:
    return [read_file(source, settings) for source in sources]


def read_files(
    files: Sequence[SourceFile], settings: Settings, jobs: int
) -> Iterator[Portion | Unreadable]:
    """Every file read, in the order of ``files`` whatever ``jobs`` is.

    Raises:
        HayamiError: a worker was killed, as the system does when memory runs out.
    """
    chunks = [files[start : start + CHUNK] for start in range(0, len(files), CHUNK)]
    if jobs <= 1 or len(chunks) <= 1:
        yield from (read_file(source, settings) for source in files)
        return
    # Forking is the fastest start, but only safe while there are no other threads.
    method = (
        "fork" if sys.platform.startswith("linux") and threading.active_count() == 1 else "spawn"
    )
    waiting: deque[Future[list[Portion | Unreadable]]] = deque()
    with ProcessPoolExecutor(min(jobs, len(chunks)), multiprocessing.get_context(method)) as pool:
        try:
            for chunk in chunks:
                waiting.append(pool.submit(_read_chunk, chunk, settings))
                if len(waiting) >= jobs * _QUEUED:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        except BrokenProcessPool as error:
            hint = "Perhaps memory ran out: try --jobs 1."
            raise HayamiError(
                "a worker process was killed", where=chunks[0][0].path, hint=hint
            ) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did."""

    folder: Path
    manifest: Manifest
    warnings: tuple[tuple[str, str], ...]
    """(path, sentence) of everything about an article that a person should look at."""
    unreadable: tuple[Unreadable, ...]
    """The files that gave no article."""
    stale: tuple[Stale, ...]
    """The verdicts that could not be applied, in the order of time."""
    conflicts: tuple[Conflict, ...]
    """The rows on which judges disagree."""
    kept_ids: int
    """Queries that have the id they had in the previous set."""
    by_structure: int
    """Where no table was found by header words: how many look like one by structure."""


def build(  # noqa: PLR0913 - what is optional is named
    sources: Sequence[Path | str],
    out: Path | str,
    settings: Settings | None = None,
    *,
    labels: Path | str | None = None,
    previous: Path | str | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Built:
    """Builds an eval set from files and folders of HTML articles; all of its files are written or none.

    Args:
        sources: files and folders; the order does not matter.
        out: the folder of the set. An older set there is replaced; anything else is refused.
        settings: how to read and match; the defaults if None.
        labels: a folder of verdicts, or one file of them, to be applied to the rows; None for none.
        previous: an eval set, of these articles as they were, whose query ids are kept for
            questions that stayed; it may be the set at ``out``. None numbers all queries anew.
        jobs: processes that read articles; the files written are the same bytes for any number.
        progress: is told how many files of how many are read.

    Raises:
        SourceError: no such source, or no HTML in it.
        VerdictError: a verdict file is missing or damaged.
        EvalSetError: the previous set is missing or damaged.
        OutputError: the set cannot be written; what was there is untouched.
        AccountingError: rows got lost, which would be a fault of hayami.
    """
    settings = settings or Settings()
    found = find_files([Path(source) for source in sources])
    given = _read_labels(Path(labels)) if labels is not None else None
    earlier = _read_previous(Path(previous)) if previous is not None else None
    with Staging(Path(out)) as staging:
        build_ = _Build(found, settings, staging, given, earlier)
        with staging.guard():
            try:
                build_.read(jobs, progress)
                build_.join()
            finally:
                build_.close()
        manifest = build_.manifest()
        staging.commit(manifest)
    by_structure = 0
    if not manifest.counts.tables and settings.detect is Detect.HEADER:
        by_structure = count_by_structure(found.files, settings, jobs)
    return build_.told(manifest, by_structure)


@dataclass(frozen=True, slots=True)
class _Given:
    """The verdicts that a build was given."""

    settlement: Settlement
    files: dict[str, str]
    """sha256 of each file by name."""


def _read_labels(labels: Path) -> _Given:
    return _Given(settle(read_verdicts(labels)), verdict_hashes(labels))


@dataclass(frozen=True, slots=True)
class _Previous:
    """The earlier set that a build was given."""

    ids: QueryIds
    sha256: str
    """Hash of its queries."""
    qids: frozenset[str]


def _read_previous(folder: Path) -> _Previous:
    old = load(folder)
    queries = list(old.queries())
    return _Previous(
        QueryIds.of(queries, old.manifest.last_qid),
        old.queries_sha256,
        frozenset(q.qid for q in queries),
    )


def label_rows(
    reading: Reading, settings: Settings, library: Library
) -> tuple[Label | NoLabel, ...]:
    """The outcome of each row of one article, as a build labels it with ``library`` for the other articles."""
    names = HeadingIndex(reading.outline, settings)
    return tuple(match_row(row, names, library) for row in reading.rows)


def count_by_structure(files: Sequence[SourceFile], settings: Settings, jobs: int) -> int:
    """How many tables look like quick-reference tables by what their cells name."""
    both = settings.model_copy(update={"detect": Detect.BOTH})
    return sum(p.tables for p in read_files(files, both, jobs) if isinstance(p, Portion))


@dataclass(frozen=True, slots=True)
class _Group:
    """The rows of one query, by their places."""

    places: list[int]
    repeated: bool
    """Whether the question stands in several rows, merged or not."""


class _Build:
    """One build under way: files read, then joined; every file of the set is written in the order of article ids."""

    def __init__(
        self,
        found: Found,
        settings: Settings,
        staging: Staging,
        given: _Given | None,
        previous: _Previous | None,
    ) -> None:
        self.found = found
        self.settings = settings
        self.staging = staging
        self.tally = Tally()
        self.warnings: list[tuple[str, str]] = []
        self.unreadable: list[Unreadable] = list(found.rejected)
        with staging.guard():
            self.catalogue = Catalogue(Spool(staging.folder))
            self.labels = Spool(staging.folder)
        self.given = given
        self.judgements = (
            VerdictBook(given.settlement, self.catalogue.known) if given is not None else None
        )
        self.previous = previous
        self.kept_ids = 0
        self.ids = previous.ids if previous is not None else QueryIds()
        self.stale: tuple[Stale, ...] = ()
        self.places: list[int] = []
        self.asked: list[str] = []
        self.repeated: dict[bytes, list[int]] = {}

    def close(self) -> None:
        """Frees the temporary files."""
        self.catalogue.spool.close()
        self.labels.close()

    def read(self, jobs: int, progress: Progress | None) -> None:
        """First step: every file read; corpus and articles written."""
        total = len(self.found.files)
        for number, portion in enumerate(read_files(self.found.files, self.settings, jobs), 1):
            if isinstance(portion, Unreadable):
                self.unreadable.append(portion)
            else:
                self.staging.write(CORPUS, portion.corpus)
                self.staging.write(ARTICLES, portion.line)
                self.tally.note(portion)
                self.catalogue.add(portion)
                self.warnings += [(portion.path, warning) for warning in portion.warnings]
            if progress is not None:
                progress(number, total)

    def join(self) -> None:
        """Second step: rows that need other articles, equal questions, ids; queries, qrels and rejections written."""
        unreadable = deque(sorted(self.unreadable, key=lambda u: (u.id, u.path)))
        seen: dict[bytes, int] = {}
        for article in sorted(self.catalogue.places):
            while unreadable and unreadable[0].id < article:
                self._reject_file(unreadable.popleft())
            self._join_article(article, seen)
        for left in unreadable:
            self._reject_file(left)
        self.stale = self.judgements.stale() if self.judgements is not None else ()
        self._write_queries()

    def _join_article(self, article: str, seen: dict[bytes, int]) -> None:
        if article not in self.catalogue.with_rows:
            return
        entry = self.catalogue.entry(article)
        names = HeadingIndex(entry.outline, self.settings)
        for outcome in entry.outcomes:
            settled = (
                match_row(outcome, names, self.catalogue) if isinstance(outcome, Row) else outcome
            )
            if self.judgements is not None:
                settled = self.judgements.apply(settled, article)
            if isinstance(settled, NoLabel):
                self._reject_row(settled, entry.article)
                continue
            labelled = Labelled(settled, entry.article)
            key = _digest(labelled.question_key)
            if self.settings.duplicates is Duplicates.DROP and key in seen:
                self._reject_row(NoLabel(settled.row, Reason.DUPLICATE_QUESTION, ()), entry.article)
                continue
            place = self.labels.append(pickle.dumps(labelled, protocol=pickle.HIGHEST_PROTOCOL))
            self.places.append(place)
            self.asked.append(labelled.label.asked)
            if key in seen:
                self.repeated.setdefault(key, [seen[key]]).append(place)
            seen.setdefault(key, place)

    def _reject_row(self, rejected: NoLabel, article: Article) -> None:
        record = make_rejection(rejected, article.id, article.path)
        self.tally.rejected_rows += 1
        self.tally.reasons[record.reason] += 1
        self.staging.write_record(REJECTED, record)

    def _reject_file(self, unreadable: Unreadable) -> None:
        record = Rejection(
            reason=unreadable.reason,
            question="",
            answer="",
            reference="",
            href=None,
            article=unreadable.id,
            path=unreadable.path,
            table=None,
            row=None,
            detector=None,
            candidates=(),
            detail=unreadable.detail,
        )
        self.tally.rejected_files += 1
        self.tally.reasons[record.reason] += 1
        self.staging.write_record(REJECTED, record)

    def _write_queries(self) -> None:
        """Queries in the order of their first row."""
        groups = self._groups()
        qids = self._qids(groups)
        near = self._near_duplicates()
        with self.staging.guard():
            wordings = Wordings(self.staging.written(CORPUS), self.catalogue)
            try:
                for qid, group in zip(qids, groups, strict=True):
                    self._write_query(qid, group, near, wordings)
            finally:
                wordings.close()

    def _groups(self) -> list[_Group]:
        """The rows of each query: all that ask its question, or one if equal questions are kept apart."""
        merged = {places[0]: places for places in self.repeated.values()}
        later = {place for places in merged.values() for place in places[1:]}
        if self.settings.duplicates is Duplicates.MERGE:
            return [
                _Group(merged.get(p, [p]), repeated=p in merged)
                for p in self.places
                if p not in later
            ]
        return [_Group([p], repeated=p in merged or p in later) for p in self.places]

    def _qids(self, groups: Sequence[_Group]) -> list[str]:
        """The id of each query: from 1, or those of the previous set for questions that stayed."""
        if self.previous is None:
            return [self.ids.new() for _ in groups]
        qids = self.ids.assign([self._asked(group) for group in groups])
        self.kept_ids = len(self.previous.qids.intersection(qids))
        return qids

    def _asked(self, group: _Group) -> Claimant:
        labelled = [self._label(place) for place in group.places]
        rows = (
            row_key(one.article.id, one.label.row.question, text_of(one.label.row.reference))
            for one in labelled
        )
        return Claimant(tuple(rows), labelled[0].label.asked)

    def _near_duplicates(self) -> frozenset[str]:
        """The questions, compact, that are nearly another one."""
        pairs = near_duplicates(self.asked)
        return frozenset(
            compact(self.asked[place]) for pair in pairs for place in (pair.one, pair.other)
        )

    def _write_query(
        self, qid: str, group: _Group, near: frozenset[str], wordings: Wordings
    ) -> None:
        rows = [self._label(place) for place in group.places]
        targets = {t.section for one in rows for t in one.label.targets}
        sections = self.catalogue.sections({section.rpartition("#")[0] for section in targets})
        question = rows[0].label.asked
        seen = wording_flags(question, (wordings.of(section) for section in sorted(targets)))
        if compact(question) in near:
            seen.add(Flag.NEAR_DUPLICATE)
        query = make_query(
            qid, rows, sections, self.settings.short_question, repeated=group.repeated, seen=seen
        )
        self.tally.note_query(query)
        self.staging.write_record(QUERIES, query)
        self.staging.write(QRELS, qrels_lines(query, sections))

    def _label(self, place: int) -> Labelled:
        labelled: Labelled = pickle.loads(self.labels.read(place))  # noqa: S301 - our own temporary file
        return labelled

    def manifest(self) -> Manifest:
        """The manifest, after the books are found to balance."""
        files = len(self.found.files) + len(self.found.rejected)
        accounting = self.tally.accounting(files)
        if not accounting.balanced:
            raise AccountingError(
                f"read {accounting.rows} rows and {accounting.files} files, "
                f"wrote {accounting.rows_in_queries} + {accounting.rows_rejected} rows "
                f"and {accounting.files_read} + {accounting.files_rejected} files",
                where=str(self.staging.out),
                hint="Please report this with the article; nothing was written.",
            )
        return Manifest(
            hayami=importlib.metadata.version("hayami"),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            sources=self.found.sources,
            settings=self.settings.as_plain(),
            settings_sha256=self.settings.digest(),
            all_settings_sha256=hash_settings(self.settings.as_plain()),
            changed_settings=tuple(self.settings.changed()),
            packages={name: importlib.metadata.version(name) for name in _PACKAGES},
            counts=self.tally.counts(files),
            accounting=accounting,
            files=self.staging.hashes(),
            verdicts=self._verdict_counts(),
            previous=self.previous.sha256 if self.previous is not None else "",
            last_qid=self.ids.last,
        )

    def told(self, manifest: Manifest, by_structure: int) -> Built:
        """What the build did."""
        return Built(
            folder=self.staging.out,
            manifest=manifest,
            warnings=tuple(self.warnings),
            unreadable=tuple(self.unreadable),
            stale=self.stale,
            conflicts=self.given.settlement.conflicts if self.given is not None else (),
            kept_ids=self.kept_ids,
            by_structure=by_structure,
        )

    def _verdict_counts(self) -> VerdictCounts | None:
        if self.given is None or self.judgements is None:
            return None
        return VerdictCounts(
            files=self.given.files,
            applied=dict(sorted(self.judgements.applied.items())),
            stale=len(self.stale),
            conflicts=len(self.given.settlement.conflicts),
        )


def _digest(key: str) -> bytes:
    return hashlib.blake2b(key.encode(), digest_size=16).digest()
