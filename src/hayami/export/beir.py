"""BEIR: a folder of corpus, queries and qrels, as BEIR's ``GenericDataLoader`` reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hayami.evalset.records import Query, Section
from hayami.export.bundle import Bundle, Judgements
from hayami.export.destination import ExportFolder
from hayami.export.exporter import Exporter
from hayami.export.writing import as_json, section_title

HEADER: Final = "query-id\tcorpus-id\tscore"
"""The first line of every qrels file: BEIR's loader drops it unread, that of ir_datasets insists on
it."""
_SECTION: Final = {"article", "ordinal", "heading", "headings", "level", "anchor", "path"}
_NOT_EVIDENCE: Final = {"qid", "query", "relevant", "same_article"}


def document(section: Section) -> dict[str, object]:
    """A line of ``corpus.jsonl``; what BEIR does not read is in ``metadata``."""
    metadata = section.model_dump(mode="json", include=_SECTION)
    return {
        "_id": section.id,
        "title": section_title(section),
        "text": section.text,
        "metadata": metadata,
    }


def question(query: Query) -> dict[str, object]:
    """A line of ``queries.jsonl``; where the label comes from is in ``metadata``."""
    return {
        "_id": query.qid,
        "text": query.query,
        "metadata": query.model_dump(mode="json", exclude=_NOT_EVIDENCE),
    }


def qrels_lines(judged: Judgements) -> Iterator[str]:
    """The lines of a qrels file, the header first."""
    yield HEADER
    for qid, sections in judged.items():
        yield from (f"{qid}\t{section}\t{grade}" for section, grade in sections.items())


def write(bundle: Bundle, folder: ExportFolder) -> tuple[str, ...]:
    """Writes the folder: qrels of the labels asked for are the split, the others lie beside it.

    BEIR counts every grade above 0 as relevant, so that the split is strict unless something else
    is asked for, and the file of graded judgements has a name of its own.
    """
    documents = (as_json(document(section)) for section in bundle.sections())
    folder.write_lines("corpus.jsonl", documents)
    folder.write_lines("queries.jsonl", (as_json(question(query)) for query in bundle.queries))
    folder.write_lines(f"qrels/{bundle.split}.tsv", qrels_lines(bundle.judged))
    folder.write_lines(f"qrels/{bundle.beside}.tsv", qrels_lines(bundle.judged_beside))
    return ()


EXPORTER: Final = Exporter(
    name="beir",
    writes="corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv (strict), qrels/graded.tsv",
    loader="beir GenericDataLoader, ir_datasets BeirQrels",
    example=(
        "from beir.datasets.data_loader import GenericDataLoader\n"
        'corpus, queries, qrels = GenericDataLoader("{out}").load(split="{strict}")'
    ),
    advice=(
        "BEIR counts every grade above 0 as relevant: "
        "the split {strict} has the targets alone, and is the one to measure with."
    ),
    write=write,
    graded=True,
    counts_every_grade=True,
    splits=True,
    plain_ids=True,
)
