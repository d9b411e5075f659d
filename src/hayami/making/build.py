"""From a folder of articles to an eval set.

The one place that composes reading, labelling and writing.

Two steps. *Reading* one article is a pure function of its path, its bytes and the settings, and a
process pool maps it (:mod:`hayami.making.reading`). *Joining* needs all articles: links and chapter
numbers that lead to others, questions asked twice, ids (:mod:`hayami.making.join`). Between the
steps everything lies in temporary files, one article or row a record, so that memory does not grow
with the texts.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from hayami.errors import AccountingError
from hayami.evalset.disk import Staging
from hayami.evalset.folder import load
from hayami.evalset.qids import QueryIds
from hayami.evalset.records import Accounting, Manifest, VerdictCounts
from hayami.extract.article import read_article
from hayami.extract.files import SourceFile, find_files
from hayami.making.catalogue import Catalogue, Contents, Portion, Spool
from hayami.making.grouping import Questions
from hayami.making.join import join_rows, write_queries
from hayami.making.output import SetWriter
from hayami.making.reading import read_files
from hayami.parts import Unreadable
from hayami.settings import Detect, Settings, hash_settings
from hayami.verdicts.apply import VerdictBook
from hayami.verdicts.effect import Stale
from hayami.verdicts.log import read_verdicts, verdict_hashes
from hayami.verdicts.settle import Conflict, Settlement, settle

__all__ = ["Built", "Progress", "build", "read_article"]

_PACKAGES: Final = ("beautifulsoup4", "charset-normalizer", "pydantic", "rapidfuzz", "selectolax")
"""The packages whose version can change what an eval set holds."""

Progress = Callable[[int, int], None]
"""Is told how many files of how many are read."""


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
    """Builds an eval set from files and folders of articles: all of its files or none.

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
        making = _Making(settings, SetWriter(staging), earlier or _Previous(), list(found.rejected))
        with staging.guard(), _temporary(staging.folder) as (catalogue, questions):
            making.read(found.files, catalogue, jobs, progress)
            with closing(Contents(making.writer.corpus(), catalogue)) as contents:
                book = None if given is None else VerdictBook(given.settlement, contents.known)
                join_rows(catalogue, making.unreadable, settings, book, making.writer, questions)
            making.write_queries(questions, catalogue)
        judged = None if given is None or book is None else given.counts(book)
        manifest = making.manifest(found.sources, judged, staging)
        staging.commit(manifest)
    alike = making.look_alike(found.files, manifest, jobs)
    return making.told(staging.out, manifest, given, book, alike)


@contextmanager
def _temporary(folder: Path) -> Iterator[tuple[Catalogue, Questions]]:
    """What lies between the two steps, in temporary files that are gone afterwards."""
    articles, rows = Spool(folder), Spool(folder)
    try:
        yield Catalogue(spool=articles), Questions(rows)
    finally:
        articles.close()
        rows.close()


@dataclass(frozen=True, slots=True)
class _Given:
    """The verdicts that a build was given."""

    settlement: Settlement
    files: dict[str, str]
    """sha256 of each file by name."""

    def counts(self, book: VerdictBook) -> VerdictCounts:
        """What became of them, after all rows were seen."""
        return VerdictCounts(
            files=self.files,
            applied=dict(sorted(book.applied.items())),
            stale=len(book.stale()),
            conflicts=len(self.settlement.conflicts),
        )


def _read_labels(labels: Path) -> _Given:
    return _Given(settle(read_verdicts(labels)), verdict_hashes(labels))


@dataclass(frozen=True, slots=True)
class _Previous:
    """The earlier set that a build was given; without one, what a first build begins with."""

    ids: QueryIds = field(default_factory=QueryIds)
    sha256: str = ""
    """Hash of its queries."""
    qids: frozenset[str] = frozenset()


def _read_previous(folder: Path) -> _Previous:
    old = load(folder)
    queries = list(old.queries())
    ids = QueryIds.of(queries, old.manifest.last_qid)
    return _Previous(ids, old.queries_sha256, frozenset(query.qid for query in queries))


@dataclass
class _Making:
    """What a build knows besides the files that it writes."""

    settings: Settings
    writer: SetWriter
    previous: _Previous
    unreadable: list[Unreadable]
    warnings: list[tuple[str, str]] = field(default_factory=list)
    files: int = 0
    """Articles and files looked at."""
    kept_ids: int = 0

    def read(
        self,
        files: Sequence[SourceFile],
        catalogue: Catalogue,
        jobs: int,
        progress: Progress | None,
    ) -> None:
        """First step: every file read; corpus and articles written."""
        self.files = len(self.unreadable)
        for number, outcomes in enumerate(read_files(files, self.settings, jobs), 1):
            self.files += len(outcomes)
            for outcome in outcomes:
                if isinstance(outcome, Unreadable):
                    self.unreadable.append(outcome)
                    continue
                self.writer.article(outcome)
                catalogue.add(outcome)
                self.warnings += [(outcome.path, warning) for warning in outcome.warnings]
            if progress is not None:
                progress(number, len(files))

    def write_queries(self, questions: Questions, catalogue: Catalogue) -> None:
        """The end of the second step: every question under the id that it had, or a new one."""
        queries = list(questions.queries(self.settings.duplicates))
        qids = self.previous.ids.assign(list(questions.asked(queries)))
        self.kept_ids = len(self.previous.qids.intersection(qids))
        numbered = list(zip(qids, queries, strict=True))
        write_queries(numbered, questions, catalogue, self.settings, self.writer)

    def manifest(
        self, sources: tuple[str, ...], verdicts: VerdictCounts | None, staging: Staging
    ) -> Manifest:
        """The manifest, after the books are found to balance."""
        tally = self.writer.tally
        accounting = tally.accounting(self.files)
        if not accounting.balanced:
            raise _unbalanced(accounting, str(staging.out))
        return Manifest(
            hayami=importlib.metadata.version("hayami"),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            sources=sources,
            settings=self.settings.as_plain(),
            settings_sha256=self.settings.digest(),
            all_settings_sha256=hash_settings(self.settings.as_plain()),
            changed_settings=tuple(self.settings.changed()),
            packages={name: importlib.metadata.version(name) for name in _PACKAGES},
            counts=tally.counts(self.files),
            accounting=accounting,
            files=staging.hashes(),
            verdicts=verdicts,
            previous=self.previous.sha256,
            last_qid=self.previous.ids.last,
        )

    def look_alike(self, files: Sequence[SourceFile], manifest: Manifest, jobs: int) -> int:
        """Where nothing was mined: how many tables look like quick references by structure."""
        mined = manifest.counts.tables or manifest.counts.rows
        if mined or self.settings.detect is not Detect.HEADER:
            return 0
        return count_by_structure(files, self.settings, jobs)

    def told(
        self,
        folder: Path,
        manifest: Manifest,
        given: _Given | None,
        book: VerdictBook | None,
        by_structure: int,
    ) -> Built:
        """What the caller is told of the set that now lies in ``folder``."""
        return Built(
            folder=folder,
            manifest=manifest,
            warnings=tuple(self.warnings),
            unreadable=tuple(self.unreadable),
            stale=() if book is None else book.stale(),
            conflicts=() if given is None else given.settlement.conflicts,
            kept_ids=self.kept_ids,
            by_structure=by_structure,
        )


def _unbalanced(accounting: Accounting, where: str) -> AccountingError:
    return AccountingError(
        f"read {accounting.rows} rows and {accounting.files} files, "
        f"wrote {accounting.rows_in_queries} + {accounting.rows_rejected} rows "
        f"and {accounting.files_read} + {accounting.files_rejected} files",
        where=where,
        hint="Please report this with the article; nothing was written.",
    )


def count_by_structure(files: Sequence[SourceFile], settings: Settings, jobs: int) -> int:
    """How many tables look like quick-reference tables by what their cells name."""
    both = settings.model_copy(update={"detect": Detect.BOTH})
    found = 0
    for outcomes in read_files(files, both, jobs):
        found += sum(one.tables for one in outcomes if isinstance(one, Portion))
    return found
