"""queries.json: the evaluation set that RAG teams keep by hand in Git, one list of questions.

It has no grades.
"""

from __future__ import annotations

from typing import Final

from hayami.evalset.records import Query
from hayami.export.bundle import Bundle
from hayami.export.destination import ExportFolder
from hayami.export.exporter import Exporter
from hayami.export.provenance import PROVENANCE, provenance_lines
from hayami.export.writing import as_json

_EVIDENCE: Final = {"answer", "match", "flags", "article", "topic", "source"}
"""What stands in the list itself, which people read and edit; the rest is in a file beside it."""


def entry(query: Query, relevant: list[str]) -> dict[str, object]:
    """A question with the six fields of the format first, then the short answer and the evidence.

    Category, difficulty and expected keywords are those that an imported question came with; of
    other questions the category is the topic of the article, and the others are empty.
    """
    own = {
        "id": query.qid,
        "query": query.query,
        "relevant_docs": relevant,
        "expected_keywords": list(query.expected_keywords),
        "category": query.category or query.topic,
        "difficulty": query.difficulty,
    }
    return own | query.model_dump(mode="json", include=_EVIDENCE)


def write(bundle: Bundle, folder: ExportFolder) -> tuple[str, ...]:
    """Writes the list, and the provenance beside it.

    Indented, so that a change of one question is a change of few lines.
    """
    entries = [entry(query, bundle.relevant(query)) for query in bundle.queries]
    folder.write_lines("queries.json", [as_json(entries, indent=2)])
    folder.write_lines(PROVENANCE, provenance_lines(bundle))
    return ()


EXPORTER: Final = Exporter(
    name="queries-json",
    writes="queries.json: id, query, relevant_docs, expected_keywords, category, difficulty",
    loader="json.load",
    example='import json\nqueries = json.load(open("{out}/queries.json", encoding="utf-8"))',
    write=write,
    graded=False,
)
