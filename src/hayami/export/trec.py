"""TREC: topics, qrels and documents as lines of fields, for trec_eval and its kin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from hayami.export.bundle import Bundle, Judgements, Labels
from hayami.export.destination import ExportFolder
from hayami.export.exporter import Exporter
from hayami.export.provenance import PROVENANCE, provenance_lines
from hayami.export.writing import one_line, section_text

QRELS: Final = "qrels.txt"
STRICT: Final = "qrels.strict.txt"
ADVICE: Final = (
    "Tools count every grade above 0 as relevant unless they are told {level}: "
    "{strict} has the targets alone."
)
"""What a user of files with grades must know."""
TOPICS: Final = "topics.tsv"
DOCS: Final = "docs.tsv"


def qrels_lines(judged: Judgements) -> Iterator[str]:
    """The lines ``qid 0 section grade`` of TREC qrels.

    Source: https://trec.nist.gov/data/qrels_eng/ (topic, iteration, document, relevancy).
    """
    for qid, sections in judged.items():
        yield from (f"{qid} 0 {section} {grade}" for section, grade in sections.items())


def write_qrels(bundle: Bundle, folder: ExportFolder) -> None:
    """Writes the qrels asked for and, beside them, those of grade 2 alone."""
    folder.write_lines(QRELS, qrels_lines(bundle.judged))
    if bundle.labels is not Labels.STRICT:
        folder.write_lines(STRICT, qrels_lines(bundle.strict))


def write(bundle: Bundle, folder: ExportFolder) -> Iterator[str]:
    """Writes topics, documents, qrels and the provenance."""
    write_qrels(bundle, folder)
    folder.write_lines(PROVENANCE, provenance_lines(bundle))
    topics = ((query.qid, query.query) for query in bundle.queries)
    yield from _write_tsv(folder, TOPICS, topics)
    docs = ((section.id, section_text(section)) for section in bundle.sections())
    yield from _write_tsv(folder, DOCS, docs)


def _write_tsv(folder: ExportFolder, name: str, texts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Writes ids and texts as lines of two fields.

    Says what became of the texts, and what a reader must know.
    """
    changed = quoted = 0
    with folder.open(name) as file:
        for key, text in texts:
            line = one_line(text)
            changed += line != text
            quoted += line.startswith('"')
            file.write(f"{key}\t{line}\n")
    if changed:
        what = f"line breaks and tabs of {changed:,} texts are blanks"
        yield f"{name}: {what}, since a line is one text"
    if quoted:
        what = f"{quoted:,} texts begin with a quotation mark"
        yield f"{name}: {what}: read it without quoting (csv.QUOTE_NONE)"


EXPORTER: Final = Exporter(
    name="trec",
    writes="topics.tsv, docs.tsv, qrels.txt, qrels.strict.txt",
    loader="trec_eval, pytrec_eval, ir_measures, ranx, ir_datasets.create_dataset",
    example=(
        "import ir_measures\n"
        'qrels = list(ir_measures.read_trec_qrels("{out}/qrels.txt"))  # for RR(rel=2)'
    ),
    advice=ADVICE.format(level="otherwise (rel=2, trec_eval -l 2)", strict=STRICT),
    write=write,
    graded=True,
    plain_ids=True,
)
