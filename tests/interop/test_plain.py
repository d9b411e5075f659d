"""Exports in plain current installations of their tools: no stand-ins, as a user has them.

``.ci/interop`` installs them and runs this; elsewhere what is not installed is not tried.
"""

from __future__ import annotations

import asyncio
import json
import os
import types
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from hayami.export import Exported, Labels

Export = Callable[..., Exported]
Tool = Callable[[str], types.ModuleType]

pytestmark = pytest.mark.filterwarnings("ignore")  # of the packages


@pytest.fixture
def tool() -> Tool:
    """Imports a module of a tool; where the job says so, one that is missing is a failure."""

    def plainly(name: str) -> types.ModuleType:
        try:
            return import_module(name)
        except ImportError as error:
            if os.environ.get("HAYAMI_INTEROP_TESTS") == "required":
                raise
            return pytest.skip(f"{name} cannot be imported: its loader was NOT tried ({error})")

    return plainly


def reciprocal_ranks(truth: Any) -> tuple[dict[str, dict[str, float]], float]:
    """A run with a sibling first and the targets behind it, and its strict mean reciprocal rank."""
    run: dict[str, dict[str, float]] = {}
    total = 0.0
    for qid, grades in truth.graded.items():
        siblings = [section for section in grades if grades[section] == 1][:1]
        ranking = [*siblings, *truth.targets[qid]]
        run[qid] = {section: 1.0 / rank for rank, section in enumerate(ranking, 1)}
        total += 1 / (len(siblings) + 1)
    return run, total / len(truth.graded)


def test_beir_measures_what_is_preached(
    tool: Tool, export: Export, source: Path, truth: Any
) -> None:
    folder = str(export(source, "beir").folder)
    loader = tool("beir.datasets.data_loader").GenericDataLoader
    _, _, qrels = loader(folder).load(split="test")
    run, strict = reciprocal_ranks(truth)
    measured = tool("beir.retrieval.evaluation").EvaluateRetrieval.evaluate_custom(
        qrels, run, [10], metric="mrr"
    )
    assert measured["MRR@10"] == pytest.approx(strict, abs=1e-4)


def test_mteb_reads_the_targets_as_its_default(
    tool: Tool, export: Export, source: Path, truth: Any
) -> None:
    loader = tool("mteb.abstasks.retrieval_dataset_loaders").RetrievalDatasetLoader
    folder = str(export(source, "hf").folder)
    data = loader(hf_repo=folder, revision=None, split="test").load()
    assert data["relevant_docs"] == truth.targets


def test_llama_index_finds_every_relevant_section(
    tool: Tool, export: Export, source: Path, truth: Any
) -> None:
    path = export(source, "llama-index").folder / "qa_dataset.json"
    dataset = json.loads(path.read_bytes())
    schema, retrievers = tool("llama_index.core.schema"), tool("llama_index.core.retrievers")
    evaluation = tool("llama_index.core.evaluation")
    nodes = {key: schema.TextNode(id_=key, text=text) for key, text in dataset["corpus"].items()}
    asked = {query: qid for qid, query in dataset["queries"].items()}

    class Knowing(retrievers.BaseRetriever):  # type: ignore[misc, name-defined]
        """Finds what is relevant, and nothing else."""

        def _retrieve(self, bundle: Any) -> list[Any]:
            relevant = dataset["relevant_docs"][asked[bundle.query_str]]
            return [schema.NodeWithScore(node=nodes[key], score=1.0) for key in relevant]

    judge = evaluation.RetrieverEvaluator.from_metric_names(["recall"], retriever=Knowing())
    for query, qid in list(asked.items())[:5]:
        result = asyncio.run(judge.aevaluate(query, dataset["relevant_docs"][qid]))
        assert result.metric_vals_dict == {"recall": 1.0}
        assert set(result.expected_ids) == set(truth.targets[qid])


def test_croissant_is_valid_and_gives_every_judgement(
    tool: Tool, export: Export, source: Path, truth: Any
) -> None:
    folder = export(source, "hf", labels=Labels.STRICT).folder
    dataset = tool("mlcroissant").Dataset(str(folder / "croissant.json"))
    for records, judged in (("qrels", truth.targets), ("graded", truth.graded)):
        found: dict[str, dict[str, int]] = {}
        for row in dataset.records(records):
            plain = {name.partition("/")[2]: value for name, value in row.items()}
            qid, section = plain["query-id"].decode(), plain["corpus-id"].decode()
            found.setdefault(qid, {})[section] = int(plain["score"])
        assert found == judged


def test_polars_keeps_every_judgement(tool: Tool, export: Export, source: Path, truth: Any) -> None:
    path = export(source, "parquet").folder / "judgements.parquet"
    found: dict[str, dict[str, int]] = {}
    for row in tool("polars").read_parquet(path).iter_rows(named=True):
        found.setdefault(row["qid"], {})[row["section"]] = row["grade"]
    assert found == truth.graded
