"""A set with imported questions, written: what was built is copied as it is, the rest made anew."""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from hayami.errors import AccountingError, EvalSetError
from hayami.evalset.check import count
from hayami.evalset.disk import Staging
from hayami.evalset.folder import (
    ARTICLES,
    CORPUS,
    QRELS,
    QUERIES,
    REJECTED,
    EvalSet,
    qrels_lines,
)
from hayami.evalset.records import (
    Accounting,
    Counts,
    ImportedFile,
    Manifest,
    Query,
    Rejection,
    VerdictCounts,
    article_of,
)
from hayami.importing.shelf import Shelf
from hayami.verdicts.apply import VerdictBook
from hayami.verdicts.log import verdict_hashes

_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Enlarged:
    """A set with the questions of a file."""

    old: EvalSet
    shelf: Shelf
    """The articles of the old set."""
    record: ImportedFile
    queries: tuple[Query, ...]
    """All queries of the new set."""
    rejections: tuple[Rejection, ...]
    """What is rejected of the file."""
    last_qid: int
    verdicts: VerdictBook | None
    """The verdicts on the questions; None if none were given."""
    labels: Path | None
    """Where they are."""


def write_enlarged(enlarged: Enlarged, staging: Staging) -> Manifest:
    """Writes all files of the set but the manifest, which it gives.

    Raises:
        EvalSetError: a file of the old set is not the one that was built.
    """
    for name in (ARTICLES, CORPUS, REJECTED):
        _copy(enlarged.old, name, staging)
    for rejection in enlarged.rejections:
        staging.write_record(REJECTED, rejection)
    for query in enlarged.queries:
        staging.write_record(QUERIES, query)
        sections = enlarged.shelf.of_sections(map(article_of, query.relevant))
        staging.write(QRELS, qrels_lines(query, sections))
    return _manifest(enlarged, staging)


def _copy(old: EvalSet, name: str, staging: Staging) -> None:
    """Copies a file of the set as it is, if it is the one that was built."""
    path = old.folder / name
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
                staging.write(name, block)
    except OSError as error:
        raise EvalSetError(
            error.strerror or str(error), where=str(path), hint="Build the set again."
        ) from error
    if digest.hexdigest() != old.manifest.files.get(name):
        what = "is not the file that was built: its sha256 differs from the manifest's"
        raise EvalSetError(what, where=str(path), hint="Build the set again.")


def _manifest(enlarged: Enlarged, staging: Staging) -> Manifest:
    imported = (*enlarged.old.manifest.imported, enlarged.record)
    counts, accounting = count(
        list(enlarged.shelf.articles.values()),
        len(enlarged.shelf.headings),
        list(enlarged.queries),
        [*enlarged.old.rejections(), *enlarged.rejections],
        sum(file.questions for file in imported),
    )
    _check_books(accounting, str(staging.out))
    told = {
        "hayami": importlib.metadata.version("hayami"),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "counts": _sorted(counts),
        "accounting": accounting,
        "files": staging.hashes(),
        "imported": imported,
        "last_qid": enlarged.last_qid,
        "verdicts": _verdict_counts(enlarged),
    }
    return enlarged.old.manifest.model_copy(update=told)


def _check_books(books: Accounting, where: str) -> None:
    if not books.balanced:
        written = f"{books.rows_in_queries} + {books.rows_rejected}"
        raise AccountingError(
            f"{books.rows} rows, of which {written} written",
            where=where,
            hint="Please report this with the file; nothing was written.",
        )


def _sorted(counts: Counts) -> Counts:
    """The counts with their tables in the order in which a build writes them."""
    tables: dict[str, dict[str, int]] = {}
    for name in type(counts).model_fields:
        if name.startswith("by_"):
            tables[name] = dict(sorted(getattr(counts, name).items()))
    return counts.model_copy(update=tables)


def _verdict_counts(enlarged: Enlarged) -> VerdictCounts | None:
    """The verdicts of the set and of this import.

    Those that a build found no row for may be on these questions.
    """
    before = enlarged.old.manifest.verdicts
    book = enlarged.verdicts
    if enlarged.labels is None or book is None:
        return before
    files = verdict_hashes(enlarged.labels)
    applied = book.applied
    waiting = 0
    if before is not None:
        files = before.files | files
        applied = Counter(before.applied) + applied
        waiting = before.stale - book.applied.total()
    return VerdictCounts(
        files=files,
        applied=dict(sorted(applied.items())),
        stale=max(0, waiting, len(book.unapplied())),
        conflicts=len(book.settlement.conflicts),
    )
