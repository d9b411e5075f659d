"""Flat Parquet: queries, sections and judgements as tables that any columnar reader keeps whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hayami.evalset.records import Query, Target
from hayami.export.bundle import Bundle
from hayami.export.destination import ExportFolder
from hayami.export.exporter import Exporter
from hayami.export.parquet import Row, schema, write_rows
from hayami.extras import FORMATS

_JUDGEMENT: Final = ("qid", "section", "grade")
_TARGET: Final = ("heading", "reference", "href", "match", "score")
"""What is known of a judgement of grade 2; null where a sibling is judged."""
_QUERY: Final = (
    *("qid", "query", "answer", "article", "topic", "source", "match", "same_article"),
    *("category", "difficulty", "expected_keywords", "flags"),
)
_SECTION: Final = (
    *("id", "article", "ordinal", "title", "heading", "headings"),
    *("level", "anchor", "path", "text"),
)


def judgement_rows(bundle: Bundle) -> Iterator[Row]:
    """One row a judgement, with the evidence of the target where it is one."""
    for query in bundle.queries:
        evidence: dict[str, Target] = {target.section: target for target in query.targets}
        for section, grade in bundle.judged[query.qid].items():
            row: dict[str, object] = {"qid": query.qid, "section": section, "grade": grade}
            target = evidence.get(section)
            row |= target.model_dump(mode="json", include=set(_TARGET)) if target else {}
            yield row


def _query_row(query: Query) -> Row:
    return query.model_dump(mode="json", include=set(_QUERY))


def write(bundle: Bundle, folder: ExportFolder) -> tuple[str, ...]:
    """Writes the three tables; no column is keyed by ids."""
    sections = (one.model_dump(mode="json", include=set(_SECTION)) for one in bundle.sections())
    judgements = schema([*_JUDGEMENT, *_TARGET])
    write_rows(folder, "judgements.parquet", judgements, judgement_rows(bundle))
    write_rows(folder, "queries.parquet", schema(_QUERY), map(_query_row, bundle.queries))
    write_rows(folder, "corpus.parquet", schema(_SECTION), sections)
    return ()


EXPORTER: Final = Exporter(
    name="parquet",
    writes="judgements.parquet (qid, section, grade, evidence), queries.parquet, corpus.parquet",
    loader="polars, DuckDB, pandas, pyarrow",
    example=(
        "import polars as pl\n"
        'judgements = pl.read_parquet("{out}/judgements.parquet")\n'
        'targets = judgements.filter(pl.col("grade") == 2)'
    ),
    write=write,
    graded=True,
    extra=FORMATS,
)
