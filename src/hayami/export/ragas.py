"""Ragas: a test set, one sample a line, with the texts and ids of the sections that count.

It has no grades.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hayami.evalset.records import Query
from hayami.export.bundle import Bundle
from hayami.export.destination import ExportFolder
from hayami.export.exporter import Exporter
from hayami.export.writing import as_ascii_json, section_text

SYNTHESIZER: Final = "hayami"
"""What stands for the generator of a question; Ragas asks for one in every row."""
_NOT_EVIDENCE: Final = {"query", "relevant", "same_article", "answer"}


def sample(query: Query, ids: list[str], texts: dict[str, str]) -> dict[str, object]:
    """A line of the test set.

    Every line has the same keys in the same order, those that Ragas ignores last.
    """
    read = {
        "user_input": query.query,
        "reference_contexts": [texts[section] for section in ids],
        "reference_context_ids": ids,
        "reference": query.answer or None,
        "synthesizer_name": SYNTHESIZER,
    }
    return read | query.model_dump(mode="json", exclude=_NOT_EVIDENCE)


def write(bundle: Bundle, folder: ExportFolder) -> Iterator[str]:
    """Writes the test set in ASCII, since its reader opens files in the encoding of the machine."""
    wanted = {section for query in bundle.queries for section in bundle.relevant(query)}
    texts: dict[str, str] = {
        section.id: section_text(section) for section in bundle.sections() if section.id in wanted
    }
    folder.write_lines(
        "testset.jsonl",
        (as_ascii_json(sample(query, bundle.relevant(query), texts)) for query in bundle.queries),
    )
    if silent := sum(not query.answer for query in bundle.queries):
        why = "since the table gives no answer there"
        yield f"testset.jsonl: reference is null in {silent:,} samples, {why}"


EXPORTER: Final = Exporter(
    name="ragas",
    writes="testset.jsonl",
    loader="ragas EvaluationDataset.from_jsonl, Testset.from_jsonl",
    example=(
        "from ragas import EvaluationDataset\n"
        'dataset = EvaluationDataset.from_jsonl("{out}/testset.jsonl")'
    ),
    write=write,
    graded=False,
)
