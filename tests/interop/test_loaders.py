"""Every export by the loader it is made for, judgement by judgement."""

from __future__ import annotations

import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hayami.export import Exported

Load = Callable[[str, str], types.ModuleType]
Export = Callable[..., Exported]

pytestmark = pytest.mark.filterwarnings("ignore")  # of the packages


@pytest.mark.parametrize("split", ["dev", "graded"])
def test_beir_reads_every_judgement_and_text(
    load: Load, export: Export, source: Path, truth: Any, split: str
) -> None:
    loader = load("beir", "beir.datasets.data_loader").GenericDataLoader
    folder = export(source, "beir", split="dev").folder
    corpus, queries, qrels = loader(str(folder)).load(split=split)
    assert qrels == (truth.graded if split == "graded" else truth.targets)
    assert queries == truth.questions()
    assert {key: doc["text"] for key, doc in corpus.items()} == truth.texts()
    assert all(doc["title"] for doc in corpus.values())


@pytest.mark.parametrize("config", [None, "graded"])
def test_mteb_reads_every_judgement_and_text(
    load: Load, export: Export, source: Path, truth: Any, config: str | None
) -> None:
    pytest.importorskip("polars", reason="polars is not installed: mteb's loader was NOT tried")
    loader = load("mteb", "mteb.abstasks.retrieval_dataset_loaders").RetrievalDatasetLoader
    folder = export(source, "hf").folder
    data = loader(hf_repo=str(folder), revision=None, split="test", config=config).load()
    assert data["relevant_docs"] == (truth.graded if config else truth.targets)
    assert {doc["id"]: doc["text"] for doc in data["corpus"]} == truth.texts()
    assert {query["id"]: query["text"] for query in data["queries"]} == truth.questions()
    assert data["top_ranked"] is None


def test_ragas_reads_every_relevant_section(
    load: Load, export: Export, source: Path, truth: Any
) -> None:
    path = export(source, "ragas").folder / "testset.jsonl"
    samples = load("ragas", "ragas.dataset_schema").EvaluationDataset.from_jsonl(path).samples
    assert [sample.reference_context_ids for sample in samples] == [
        sorted(one) for one in truth.targets.values()
    ]
    assert [sample.user_input for sample in samples] == list(truth.questions().values())
    assert [sample.reference for sample in samples] == [
        query["answer"] or None for query in truth.queries.values()
    ]
    texts = truth.texts()
    for sample in samples:
        for key, context in zip(
            sample.reference_context_ids, sample.reference_contexts, strict=True
        ):
            assert context.endswith(texts[key])


def test_ragas_reads_a_test_set_of_samples_with_a_maker(
    load: Load, export: Export, source: Path
) -> None:
    exported = export(source, "ragas")
    testset = load("ragas", "ragas.testset.synthesizers.testset_schema").Testset
    read = testset.from_jsonl(exported.folder / "testset.jsonl")
    assert len(read.samples) == exported.manifest.queries
    assert {sample.synthesizer_name for sample in read.samples} == {"hayami"}


def test_autorag_casts_and_validates_both_files(
    load: Load, export: Export, source: Path, truth: Any
) -> None:
    pandas = pytest.importorskip(
        "pandas", reason="pandas is not installed: autorag's loader was NOT tried"
    )
    folder = export(source, "autorag").folder
    autorag = load("autorag", "autorag.utils.preprocess")
    vars(autorag)["preprocess_text"] = (
        str  # it spells emoji out, with a package that may only stand in here
    )
    qa = autorag.cast_qa_dataset(pandas.read_parquet(folder / "qa.parquet", engine="pyarrow"))
    corpus = autorag.cast_corpus_dataset(
        pandas.read_parquet(folder / "corpus.parquet", engine="pyarrow")
    )
    autorag.validate_qa_from_corpus_dataset(qa, corpus)
    found = {row.qid: [list(group) for group in row.retrieval_gt] for row in qa.itertuples()}
    assert found == {qid: [sorted(sections)] for qid, sections in truth.targets.items()}
    assert list(corpus["doc_id"]) == list(truth.sections)


@pytest.mark.parametrize("file", ["qrels.json", "qrels.strict.json"])
def test_ranx_reads_every_judgement(
    load: Load, export: Export, source: Path, truth: Any, file: str
) -> None:
    qrels = load("ranx", "ranx").Qrels.from_file(str(export(source, "ranx").folder / file))
    found = {qid: dict(sections) for qid, sections in qrels.to_dict().items()}
    assert found == (truth.targets if "strict" in file else truth.graded)


def test_ranx_reads_trec_qrels(load: Load, export: Export, source: Path, truth: Any) -> None:
    qrels = load("ranx", "ranx").Qrels.from_file(str(export(source, "trec").folder / "qrels.txt"))
    assert {qid: dict(sections) for qid, sections in qrels.to_dict().items()} == truth.graded


def test_trectools_reads_trec_qrels(load: Load, export: Export, source: Path, truth: Any) -> None:
    read = load("trectools", "trectools").TrecQrel(str(export(source, "trec").folder / "qrels.txt"))
    found: dict[str, dict[str, int]] = {}
    for row in read.qrels_data.itertuples():
        found.setdefault(row.query, {})[row.docid] = row.rel
    assert found == truth.graded
