"""Hugging Face: a folder of Parquet files with a card, as ``datasets`` and MTEB load it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from hayami.evalset.records import Applied, Query, Section
from hayami.export.bundle import LABELS_MEANINGS, Bundle, Judgements, Labels
from hayami.export.croissant import Table, describe
from hayami.export.destination import ExportFolder
from hayami.export.exporter import Exporter
from hayami.export.parquet import Row, columns, write_rows
from hayami.export.writing import as_json, section_title
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
UNKNOWN: Final = "unknown"
"""The licence of a card that nobody stated, as the hub spells it."""


MEANINGS: Final = {
    "corpus": "the texts of the sections by `_id`",
    "queries": "the questions by `_id`",
    "provenance": (
        "where each label comes from: the rule, the reference, the row of the table, flags"
    ),
    "sections": "where each section stands: article, heading, anchor, file",
}
"""What each part holds, beside the judgements."""


def configs(beside: Labels) -> dict[str, str]:
    """The part of each configuration by its name; ``beside`` are the labels beside the default's.

    MTEB reads ``corpus``, ``queries`` and ``default``; with ``config="graded"`` it reads the three
    ``graded-`` ones.
    """
    return {
        "default": "qrels",
        "corpus": "corpus",
        "queries": "queries",
        str(beside): str(beside),
        f"{beside}-qrels": str(beside),
        f"{beside}-corpus": "corpus",
        f"{beside}-queries": "queries",
        "provenance": "provenance",
        "sections": "sections",
    }


def card(bundle: Bundle, files: Mapping[str, str]) -> str:
    """``README.md``: the front matter that ``datasets`` reads, and what a person needs to know.

    Args:
        bundle: the set; ``files`` has the path of the data of each part.
        files: by the name of the part.
    """
    return "\n".join(["---", *_front_matter(bundle, files), "---", "", *_body(bundle)])


def _front_matter(bundle: Bundle, files: Mapping[str, str]) -> Iterator[str]:
    """Fields of https://huggingface.co/docs/hub/datasets-cards."""
    codes = languages(bundle)
    if codes:
        yield "language:"
        yield from (f"- {code}" for code in codes)
    yield f"license: {bundle.licence or UNKNOWN}"
    yield from ("annotations_creators:", "- found", "language_creators:", "- found")
    yield from ("source_datasets:", "- original", "task_categories:", "- text-retrieval")
    yield "configs:"
    for name, part in configs(bundle.beside).items():
        yield f"- config_name: {name}"
        yield "  data_files:"
        yield f"  - split: {bundle.split}"
        yield f"    path: {files[part]}"


def languages(bundle: Bundle) -> list[str]:
    """The languages of the articles, as ISO 639 codes."""
    by_language = bundle.evalset.manifest.counts.by_language
    return sorted(code for code in by_language if _LANGUAGE.fullmatch(code))


def _size(bundle: Bundle) -> str:
    articles = bundle.evalset.manifest.counts.articles
    questions = f"{len(bundle.queries):,} questions"
    return f"{questions} from the quick-reference tables of {articles:,} articles."


def _body(bundle: Bundle) -> Iterator[str]:
    beside = bundle.beside
    manifest = bundle.evalset.manifest
    strict = "default" if bundle.labels is Labels.STRICT else "strict"
    yield from ("# An evaluation set for retrieval", "", _size(bundle))
    yield f"The corpus is their {len(bundle.names):,} sections. Made with hayami."
    yield from ("", "| configuration | holds |", "|---|---|")
    yield f"| `default` | judgements: {LABELS_MEANINGS[bundle.labels]} |"
    yield f"| `{beside}` | judgements: {LABELS_MEANINGS[beside]} |"
    trio = f"`{beside}-qrels`, `{beside}-corpus`, `{beside}-queries`"
    yield f'| {trio} | the same for MTEB, with `config="{beside}"` |'
    yield from (f"| `{part}` | {meaning} |" for part, meaning in MEANINGS.items())
    yield ""
    yield f"MTEB counts every grade above 0 as relevant: measure with `{strict}`, where only"
    yield "the section that the writer named for a question counts, not its siblings."
    yield "Sections without a judgement were not judged; they may still be relevant."
    yield from ("", "## Where it comes from", "")
    yield f"- Articles: {', '.join(f'`{name}`' for name in manifest.sources)}."
    yield f"- Made by hayami {manifest.hayami}; sha256 of the set `{bundle.evalset.sha256}`,"
    yield f"  of its changed settings `{manifest.settings_sha256}`."
    yield f"- Licence of the articles: {bundle.licence or 'not stated'}."
    yield "- The questions and the sections they name are the words of the articles' writers."


def qrels_rows(judged: Judgements) -> Iterator[Row]:
    """The rows of judgements."""
    for qid, sections in judged.items():
        for section, grade in sections.items():
            yield {"query-id": qid, "corpus-id": section, "score": grade}


def provenance_row(query: Query) -> Row:
    """Where the label of a query comes from; one row a query."""
    evidence = query.model_dump(mode="json", include={*_EVIDENCE, "verdicts"})
    targets = [target.model_dump(mode="json", include=set(_TARGET)) for target in query.targets]
    origins = [origin.model_dump(mode="json", include=set(_ORIGIN)) for origin in query.origins]
    return {"query-id": query.qid, **evidence, "targets": targets, "origins": origins}


def _section_row(section: Section) -> Row:
    return {"_id": section.id, **section.model_dump(mode="json", include=set(_SECTION))}


def _structs(names: Iterable[str]) -> pa.DataType:
    """A column of lists of records."""
    import pyarrow as pa

    return pa.list_(pa.struct(columns(names)))


def _schemas() -> dict[str, pa.Schema]:
    import pyarrow as pa

    provenance = columns(["query-id", *_EVIDENCE])
    provenance += [("targets", _structs(_TARGET))]
    provenance += [("origins", _structs(_ORIGIN))]
    provenance += [("verdicts", _structs(Applied.model_fields))]
    return {
        "corpus": pa.schema(columns(["_id", "title", "text"])),
        "queries": pa.schema(columns(["_id", "text"])),
        "qrels": pa.schema([*columns(["query-id", "corpus-id"]), ("score", pa.int32())]),
        "provenance": pa.schema(provenance),
        "sections": pa.schema(columns(["_id", *_SECTION])),
    }


def _parts(bundle: Bundle) -> Iterator[tuple[str, str, Iterable[Row]]]:
    """Every part with the name of its schema and its rows."""
    texts = (
        {"_id": one.id, "title": section_title(one), "text": one.text} for one in bundle.sections()
    )
    yield "corpus", "corpus", texts
    yield "queries", "queries", ({"_id": one.qid, "text": one.query} for one in bundle.queries)
    yield "qrels", "qrels", qrels_rows(bundle.judged)
    yield str(bundle.beside), "qrels", qrels_rows(bundle.judged_beside)
    yield "provenance", "provenance", map(provenance_row, bundle.queries)
    yield "sections", "sections", map(_section_row, bundle.sections())


def write(bundle: Bundle, folder: ExportFolder) -> tuple[str, ...]:
    """Writes the card, ``croissant.json`` and one Parquet file for each part.

    A part of the hash of each file is in its name, as names were on the hub: ``datasets`` caches a
    local folder by its last name and its card alone, so that a changed file of the same name would
    be read as it was before.
    """
    schemas = _schemas()
    files: dict[str, str] = {}
    for part, schema, rows in _parts(bundle):
        name = f"{part}/{bundle.split}-00000-of-00001.parquet"
        write_rows(folder, name, schemas[schema], rows)
        files[part] = folder.add_digest(name)
    folder.write_lines("README.md", [card(bundle, files)])
    folder.write_lines("croissant.json", [as_json(_croissant(bundle, files, folder), indent=2)])
    return ()


def _croissant(bundle: Bundle, files: Mapping[str, str], folder: ExportFolder) -> dict[str, object]:
    """What catalogues read: the texts, and the judgements of both kinds."""
    text = "sc:Text"
    judgements = {"query-id": text, "corpus-id": text, "score": "sc:Integer"}
    hashes = folder.hashes()

    def table(part: str, meaning: str, columns: Mapping[str, str]) -> Table:
        return Table(part, files[part], hashes[files[part]], meaning, columns)

    judged, beside = LABELS_MEANINGS[bundle.labels], LABELS_MEANINGS[bundle.beside]
    tables = [
        table("corpus", MEANINGS["corpus"], {"_id": text, "title": text, "text": text}),
        table("queries", MEANINGS["queries"], {"_id": text, "text": text}),
        table("qrels", f"judgements: {judged}", judgements),
        table(str(bundle.beside), f"judgements: {beside}", judgements),
    ]
    name = " ".join(bundle.evalset.manifest.sources)
    return describe(name, _size(bundle), bundle.licence or UNKNOWN, languages(bundle), tables)


EXPORTER: Final = Exporter(
    name="hf",
    writes=(
        "README.md, croissant.json, "
        "Parquet in corpus, queries, qrels (strict), graded, provenance, sections"
    ),
    loader="datasets.load_dataset, mteb RetrievalDatasetLoader, mlcroissant",
    example=(
        "from datasets import load_dataset\n"
        'qrels = load_dataset("{out}", "{strict_config}", split="{split}")'
    ),
    advice=(
        "MTEB counts every grade above 0 as relevant: "
        "the configuration {strict_config} has the targets alone, and is the one to measure with."
    ),
    write=write,
    graded=True,
    counts_every_grade=True,
    splits=True,
    licensed=True,
    extra=FORMATS,
)
