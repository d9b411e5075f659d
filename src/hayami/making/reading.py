"""First step of a build.

Files read one by one, each as far as it can be read and labelled alone.
"""

from __future__ import annotations

import multiprocessing
import pickle
import sys
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from hayami.errors import HayamiError
from hayami.evalset.jsonl import record_line, write_lines
from hayami.extract.article import read_article
from hayami.extract.files import SourceFile, SourcePage
from hayami.extract.miners import chosen
from hayami.label.headings import HeadingIndex
from hayami.label.library import article_numbers
from hayami.label.match import match_row
from hayami.label.scope import ElsewhereError
from hayami.making.catalogue import Entry, Portion
from hayami.parts import Label, NoLabel, Reading, Row, Unreadable
from hayami.settings import Settings

CHUNK: Final = 16
"""Files that a worker gets at a time: enough that sending them costs nothing beside reading
them."""
_QUEUED: Final = 4
"""Chunks waiting for each worker: more would only fill memory."""

Outcomes = tuple[Portion | Unreadable, ...]
"""What one file gave: of a file of one article, one."""


def read_file(source: SourceFile, settings: Settings) -> Outcomes:
    """Reads and labels the articles of one file as far as they can be labelled alone.

    In the order of their ids.
    """
    read = [
        page if isinstance(page, Unreadable) else read_portion(page, settings)
        for page in source.read(settings.max_page_bytes)
    ]
    return tuple(sorted(read, key=lambda outcome: outcome.id))


def read_page(page: SourcePage, settings: Settings, *, views: bool = False) -> Reading | Unreadable:
    """One article, read; ``views`` as for :func:`~hayami.extract.article.read_article`."""
    return read_article(
        page.path,
        page.id,
        page.html,
        settings,
        views=views,
        source=page.source,
        served=next(iter(page.served), ""),
        warnings=page.warnings,
    )


def read_portion(page: SourcePage, settings: Settings) -> Portion | Unreadable:
    """One article, read and labelled as far as it can be labelled alone."""
    reading = read_page(page, settings)
    if isinstance(reading, Unreadable):
        return reading
    index = HeadingIndex(reading.outline, settings)
    ordinals = tuple(section.ordinal for section in reading.sections)
    outcomes = tuple(_label_alone(row, index) for row in reading.rows)
    entry = Entry(reading.article, reading.outline, ordinals, outcomes)
    return Portion(
        id=page.id,
        path=page.path,
        numbers=article_numbers(reading.outline),
        served=page.served,
        ordinals=ordinals,
        language=reading.article.language,
        rows=Counter(str(row.detector) for row in reading.rows),
        tables=reading.article.tables,
        warnings=reading.article.warnings,
        corpus=write_lines(reading.sections),
        line=(record_line(reading.article) + "\n").encode(),
        entry=pickle.dumps(entry, protocol=pickle.HIGHEST_PROTOCOL),
    )


def _label_alone(row: Row, index: HeadingIndex) -> Label | NoLabel | Row:
    """A row's outcome; the row itself if it takes other articles to tell."""
    try:
        return match_row(row, index, None)
    except ElsewhereError:
        return row


def _read_chunk(sources: Sequence[SourceFile], settings: Settings) -> list[Outcomes]:
    return [read_file(source, settings) for source in sources]


def read_files(files: Sequence[SourceFile], settings: Settings, jobs: int) -> Iterator[Outcomes]:
    """What every file gave, in the order of ``files`` whatever ``jobs`` is.

    Raises:
        HayamiError: a worker was killed, as the system does when memory runs out.
    """
    chunks = [files[start : start + CHUNK] for start in range(0, len(files), CHUNK)]
    if jobs <= 1 or len(chunks) <= 1:
        for source in files:
            yield read_file(source, settings)
        return
    chosen(settings)  # loads what reads tables once, not in every worker
    context = multiprocessing.get_context(_start_method())
    with ProcessPoolExecutor(min(jobs, len(chunks)), context) as pool:
        try:
            yield from _in_order(pool, chunks, settings, jobs * _QUEUED)
        except BrokenProcessPool as error:
            where, hint = chunks[0][0].path, "Perhaps memory ran out: try --jobs 1."
            raise HayamiError("a worker process was killed", where=where, hint=hint) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _start_method() -> str:
    """How workers begin: forking is fastest, but only safe while there are no other threads."""
    alone = threading.active_count() == 1
    return "fork" if alone and sys.platform.startswith("linux") else "spawn"


def _in_order(
    pool: ProcessPoolExecutor,
    chunks: Sequence[Sequence[SourceFile]],
    settings: Settings,
    queued: int,
) -> Iterator[Outcomes]:
    """What the chunks give, in their order, at most ``queued`` of them waiting."""
    waiting: deque[Future[list[Outcomes]]] = deque()
    for chunk in chunks:
        waiting.append(pool.submit(_read_chunk, chunk, settings))
        if len(waiting) >= queued:
            yield from waiting.popleft().result()
    for future in waiting:
        yield from future.result()
