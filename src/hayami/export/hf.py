"""Hugging Face: a folder of Parquet files with a card, as ``datasets`` and MTEB load it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from hayami.evalset.records import Applied, Query, Section
from hayami.export.bundle import LABELS_MEANINGS, Bundle, Judgements, Labels
from hayami.export.destination import ExportFolder
from hayami.export.exporter import Exporter
from hayami.export.parquet import Row, write_rows
from hayami.export.writing import section_title
from hayami.extras import FORMATS

if TYPE_CHECKING:
    import pyarrow as pa

_SECTION: Final = ("article", "ordinal", "title", "heading", "headings", "level", "anchor", "path")
_EVIDENCE: Final = (
    *("match", "flags", "answer", "article", "topic", "source"),
    *("category", "difficulty", "expected_keywords"),
)
_TARGET: Final = ("section", "heading", "reference", "href", "match", "score")
_ORIGIN: Final = ("article", "path", "sha256", "table", "row", "detector", "question", "reference")
_LANGUAGE: Final = re.compile("[a-z]{2,3}")
"""What the field ``language`` of a card takes: ISO 639 codes."""


def configs(labels: Labels) -> dict[str, str]:
    """The folder of each configuration by its name.

    MTEB reads ``corpus``, ``queries`` and ``default``; with ``config="strict"`` it reads the three
    ``strict-`` ones.
    """
    plain = {"default": "qrels", "corpus": "corpus", "queries": "queries"}
    evidence = {"provenance": "provenance", "sections": "sections"}
    if labels is Labels.STRICT:
        return plain | evidence
    strict = {
        "strict": "strict",
        "strict-qrels": "strict",
        "strict-corpus": "corpus",
        "strict-queries": "queries",
    }
    return plain | strict | evidence


def card(bundle: Bundle, files: Mapping[str, str]) -> str:
    """``README.md``: the front matter that ``datasets`` reads, and what a person needs to know.

    Args:
        bundle: the set; ``files`` has the path of the data of each part.
        files: by the name of the part.
    """
    counts = bundle.evalset.manifest.counts
    languages = sorted(code for code in counts.by_language if _LANGUAGE.fullmatch(code))
    lines = ["---", "language:", *(f"- {code}" for code in languages)] if languages else ["---"]
    lines += ["task_categories:", "- text-retrieval", "configs:"]
    for name, folder in configs(bundle.labels).items():
        lines += [f"- config_name: {name}", "  data_files:"]
        lines += [f"  - split: {bundle.split}", f"    path: {files[folder]}"]
    lines += [
        "---",
        "",
        "# An evaluation set for retrieval",
        "",
        f"{len(bundle.queries):,} questions from "
        f"the quick-reference tables of {counts.articles:,} articles.",
        f"The corpus is their {len(bundle.names):,} sections. Made with hayami.",
        "",
        "| configuration | holds |",
        "|---|---|",
        f"| `default` | judgements: {LABELS_MEANINGS[bundle.labels]} |",
    ]
    if bundle.labels is not Labels.STRICT:
        lines += [f"| `strict` | judgements: {LABELS_MEANINGS[Labels.STRICT]} |"]
        lines += [
            '| `strict-qrels`, `strict-corpus`, `strict-queries` | the same for MTEB, with `config="strict"` |'
        ]
    lines += [
        "| `corpus`, `queries` | texts by `_id` |",
        "| `provenance` | where each label comes from: the rule, the reference, the row of the table, flags |",
        "| `sections` | where each section stands: article, heading, anchor, file |",
        "",
        "Sections without a judgement were not judged; they may still be relevant.",
    ]
    return "\n".join(lines)


def qrels_rows(judged: Judgements) -> Iterator[Row]:
    """The rows of judgements."""
    for qid, sections in judged.items():
        yield from (
            {"query-id": qid, "corpus-id": section, "score": grade}
            for section, grade in sections.items()
        )


def provenance_row(query: Query) -> Row:
    """Where the label of a query comes from; one row a query."""
    evidence = query.model_dump(mode="json", include={*_EVIDENCE, "verdicts"})
    targets = [target.model_dump(mode="json", include=set(_TARGET)) for target in query.targets]
    origins = [origin.model_dump(mode="json", include=set(_ORIGIN)) for origin in query.origins]
    return {"query-id": query.qid, **evidence, "targets": targets, "origins": origins}


def _section_row(section: Section) -> Row:
    return {"_id": section.id, **section.model_dump(mode="json", include=set(_SECTION))}


def _schemas() -> dict[str, pa.Schema]:
    import pyarrow as pa

    text, texts, whole, share = pa.string(), pa.list_(pa.string()), pa.int32(), pa.float64()
    types = {
        "headings": texts,
        "flags": texts,
        "ordinal": whole,
        "level": whole,
        "table": whole,
        "row": whole,
    }
    types |= {"score": share, "expected_keywords": texts, "judges": texts, "found": texts}

    def typed(*names: str) -> list[tuple[str, pa.DataType]]:
        return [(name, types.get(name, text)) for name in names]

    provenance = typed("query-id", *_EVIDENCE)
    provenance += [("targets", pa.list_(pa.struct(typed(*_TARGET))))]
    provenance += [("origins", pa.list_(pa.struct(typed(*_ORIGIN))))]
    provenance += [("verdicts", pa.list_(pa.struct(typed(*Applied.model_fields))))]
    return {
        "corpus": pa.schema(typed("_id", "title", "text")),
        "queries": pa.schema(typed("_id", "text")),
        "qrels": pa.schema([*typed("query-id", "corpus-id"), ("score", whole)]),
        "provenance": pa.schema(provenance),
        "sections": pa.schema(typed("_id", *_SECTION)),
    }


def write(bundle: Bundle, folder: ExportFolder) -> tuple[str, ...]:
    """Writes the card and one Parquet file for each part.

    A part of the hash of each file is in its name, as names were on the hub: ``datasets`` caches a
    local folder by its last name and its card alone, so that a changed file of the same name would
    be read as it was before.
    """
    schemas = _schemas()

    files: dict[str, str] = {}

    def put(part: str, rows: Iterator[Row], schema: str = "") -> None:
        name = f"{part}/{bundle.split}-00000-of-00001"
        write_rows(folder, f"{name}.parquet", schemas[schema or part], rows)
        files[part] = folder.add_digest(f"{name}.parquet")

    sections = bundle.sections
    put(
        "corpus",
        ({"_id": one.id, "title": section_title(one), "text": one.text} for one in sections()),
    )
    put("queries", ({"_id": query.qid, "text": query.query} for query in bundle.queries))
    put("qrels", qrels_rows(bundle.judged))
    if bundle.labels is not Labels.STRICT:
        put("strict", qrels_rows(bundle.strict), "qrels")
    put("provenance", map(provenance_row, bundle.queries))
    put("sections", map(_section_row, sections()))
    folder.write_lines("README.md", [card(bundle, files)])
    return ()


EXPORTER: Final = Exporter(
    name="hf",
    writes="README.md, Parquet in corpus, queries, qrels, strict, provenance, sections",
    loader="datasets.load_dataset, mteb RetrievalDatasetLoader",
    example='from datasets import load_dataset\nqrels = load_dataset("{out}", "default", split="{split}")',
    write=write,
    graded=True,
    splits=True,
    extra=FORMATS,
)
