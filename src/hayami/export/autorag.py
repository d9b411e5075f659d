"""AutoRAG: ``qa.parquet`` and ``corpus.parquet``. It has no grades."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from hayami.errors import OutputError
from hayami.evalset.records import Query, Section
from hayami.export.bundle import Bundle
from hayami.export.destination import ExportFolder
from hayami.export.exporter import Exporter
from hayami.export.parquet import Row, write_rows
from hayami.export.writing import section_text
from hayami.extras import FORMATS

if TYPE_CHECKING:
    import pyarrow as pa

_UNKNOWN: Final = datetime(1970, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""AutoRAG wants a time of change for every document; a set knows none, and a clock would change the
bytes."""
NO_TIME: Final = (
    "corpus.parquet: last_modified_datetime is 1970-01-01 everywhere, since a set knows no times"
)


def qa_row(query: Query, relevant: list[str]) -> Row:
    """A row of ``qa.parquet``; AutoRAG passes over the columns after the first four.

    The sections that count are one group: any of them is an answer. So AutoRAG's MRR, MAP,
    precision and nDCG are what others compute, and its recall is whether one of them was found.
    """
    return {
        "qid": query.qid,
        "query": query.query,
        "retrieval_gt": [relevant],
        "generation_gt": [query.answer] if query.answer else [],
        "match": str(query.match),
        "flags": [str(flag) for flag in query.flags],
        "article": query.article,
        "topic": query.topic,
        "source": query.source,
        "category": query.category,
        "difficulty": query.difficulty,
    }


def corpus_rows(bundle: Bundle) -> Iterator[Row]:
    """The rows of ``corpus.parquet``, each with its neighbours in the article.

    Raises:
        OutputError: a section has neither title, heading nor text; AutoRAG drops such documents.
    """
    before: Section | None = None
    here: Section | None = None
    for after in bundle.sections():
        if here is not None:
            yield _corpus_row(before, here, after)
        before, here = here, after
    if here is not None:
        yield _corpus_row(before, here, None)


def _corpus_row(before: Section | None, here: Section, after: Section | None) -> Row:
    contents = section_text(here)
    if not contents.strip():
        what = "has neither title, heading nor text: AutoRAG drops documents without contents"
        raise OutputError(what, where=here.id, hint="Give the section a heading.")
    metadata = {
        "last_modified_datetime": _UNKNOWN,
        "prev_id": before.id if before is not None and before.article == here.article else None,
        "next_id": after.id if after is not None and after.article == here.article else None,
        "article": here.article,
        "title": here.title,
        "heading": here.heading,
        "anchor": here.anchor,
        "path": here.path,
    }
    return {"doc_id": here.id, "contents": contents, "metadata": metadata}


def _schemas() -> tuple[pa.Schema, pa.Schema]:
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    qa = {
        "qid": text,
        "query": text,
        "retrieval_gt": pa.list_(texts),
        "generation_gt": texts,
        "match": text,
    }
    qa |= {"flags": texts, "article": text, "topic": text, "source": text}
    qa |= {"category": text, "difficulty": text}
    names = ("prev_id", "next_id", "article", "title", "heading", "anchor", "path")
    metadata = pa.struct(
        [("last_modified_datetime", pa.timestamp("us")), *((name, text) for name in names)]
    )
    return pa.schema(list(qa.items())), pa.schema(
        [("doc_id", text), ("contents", text), ("metadata", metadata)]
    )


def write(bundle: Bundle, folder: ExportFolder) -> Iterator[str]:
    """Writes both files."""
    qa, corpus = _schemas()
    write_rows(
        folder,
        "qa.parquet",
        qa,
        (qa_row(query, bundle.relevant(query)) for query in bundle.queries),
    )
    write_rows(folder, "corpus.parquet", corpus, corpus_rows(bundle))
    yield NO_TIME
    if silent := sum(not query.answer for query in bundle.queries):
        why = "since the table gives no answer there"
        yield f"qa.parquet: generation_gt is empty in {silent:,} rows, {why}"


EXPORTER: Final = Exporter(
    name="autorag",
    writes="qa.parquet, corpus.parquet",
    loader="autorag Validator, cast_qa_dataset, cast_corpus_dataset",
    example=(
        "from autorag.validator import Validator\n"
        'Validator("{out}/qa.parquet", "{out}/corpus.parquet").validate("config.yaml")'
    ),
    write=write,
    graded=False,
    extra=FORMATS,
)
