"""LlamaIndex: queries, corpus and relevant ids for its evaluator. It has no grades."""

from __future__ import annotations

from typing import Final

from hayami.export.bundle import Bundle
from hayami.export.destination import ExportFolder
from hayami.export.exporter import Exporter
from hayami.export.provenance import PROVENANCE, provenance_lines
from hayami.export.writing import as_ascii_json, section_text


def write(bundle: Bundle, folder: ExportFolder) -> tuple[str, ...]:
    """Writes the dataset, and the provenance beside it.

    In ASCII, since its reader opens files in the encoding of the machine.
    """
    dataset = {
        "queries": {query.qid: query.query for query in bundle.queries},
        "corpus": {section.id: section_text(section) for section in bundle.sections()},
        "relevant_docs": {query.qid: bundle.relevant(query) for query in bundle.queries},
        "mode": "text",
    }
    folder.write_lines("qa_dataset.json", [as_ascii_json(dataset)])
    folder.write_lines(PROVENANCE, provenance_lines(bundle))
    return ()


EXPORTER: Final = Exporter(
    name="llama-index",
    writes="qa_dataset.json",
    loader="LlamaIndex RetrieverEvaluator (llama-index-core)",
    example=(
        "import asyncio, json\n"
        "from llama_index.core.evaluation import RetrieverEvaluator\n"
        "from llama_index.core.schema import TextNode\n"
        'dataset = json.load(open("{out}/qa_dataset.json"))\n'
        'nodes = [TextNode(id_=i, text=text) for i, text in dataset["corpus"].items()]\n'
        "retriever = ...  # yours, over an index of these nodes\n"
        'judge = RetrieverEvaluator.from_metric_names(["mrr", "hit_rate"], retriever=retriever)\n'
        'results = [asyncio.run(judge.aevaluate(query, dataset["relevant_docs"][qid]))\n'
        '           for qid, query in dataset["queries"].items()]'
    ),
    write=write,
    graded=False,
)
