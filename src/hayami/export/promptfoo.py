"""promptfoo: tests with a question, an answer and the ids to be found. It has no grades."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hayami.evalset.records import Query
from hayami.export.bundle import Bundle
from hayami.export.destination import ExportFolder
from hayami.export.exporter import Exporter
from hayami.export.provenance import PROVENANCE, provenance_lines
from hayami.export.writing import as_json

TESTS: Final = "tests.json"
_EVIDENCE: Final = {"match", "flags", "article", "topic", "source", "category", "difficulty"}
_TEMPLATES: Final = ("{{", "{%", "{#")
"""What promptfoo (by Nunjucks) reads as a template, in a variable too."""
_ADDRESSES: Final = ("file://", "package:", "env:")
"""What promptfoo replaces by what it finds there, if a variable begins with it."""


def test_case(query: Query, relevant: Sequence[str]) -> dict[str, object]:
    """One test.

    Variables are texts, since promptfoo makes a test of each element of a list; the ids as a list
    are among the metadata, which an assertion in JavaScript or Python is given.
    """
    texts = {"qid": query.qid, "query": query.query, "answer": query.answer}
    variables = {name: _harmless(text) for name, text in texts.items()}
    variables["relevant_ids"] = as_json(list(relevant))
    evidence = query.model_dump(mode="json", include=_EVIDENCE)
    return {
        "description": query.qid,
        "vars": variables,
        "metadata": {"relevant": list(relevant)} | evidence,
    }


def _harmless(text: str) -> str:
    """A text that is not taken for the address of another one."""
    return f" {text}" if text.startswith(_ADDRESSES) else text


def write(bundle: Bundle, folder: ExportFolder) -> Iterator[str]:
    """Writes the tests, indented for people, and the provenance beside them."""
    tests = [test_case(query, bundle.relevant(query)) for query in bundle.queries]
    folder.write_lines(TESTS, [as_json(tests, indent=2)])
    folder.write_lines(PROVENANCE, provenance_lines(bundle))
    templates = addresses = 0
    for query in bundle.queries:
        texts = query.query + query.answer
        templates += any(mark in texts for mark in _TEMPLATES)
        addresses += query.query.startswith(_ADDRESSES) or query.answer.startswith(_ADDRESSES)
    if templates:
        why = "which promptfoo reads as a template unless PROMPTFOO_DISABLE_TEMPLATING is true"
        yield f"{TESTS}: {templates:,} tests hold {{{{ or {{%, {why}"
    if addresses:
        yield f"{TESTS}: {addresses:,} texts that begin like an address have a blank before it"


EXPORTER: Final = Exporter(
    name="promptfoo",
    writes="tests.json: vars (qid, query, answer, relevant_ids) and metadata",
    loader="promptfoo eval, as tests: file://tests.json",
    example=(
        "# promptfooconfig.yaml, beside your prompts and providers\n"
        "tests: file://{out}/tests.json\n"
        "prompts: ['{{{{query}}}}']"
    ),
    language="yaml",
    write=write,
    graded=False,
)
