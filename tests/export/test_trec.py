from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import ir_measures
import pytest
import pytrec_eval

from hayami.export import Exported, Labels

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of what it depends on
    import ir_datasets

Export = Callable[..., Exported]
Grades = Callable[[Path], dict[str, dict[str, int]]]
Records = Callable[[Path, str], dict[str, dict[str, str]]]


@pytest.fixture(params=["qrels.txt", "qrels.strict.txt"])
def file(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def expected(file: str, source: Path, graded: Grades, targets: Grades) -> dict[str, dict[str, int]]:
    return (graded if file == "qrels.txt" else targets)(source)


def test_ir_measures_reads_every_judgement(
    export: Export, source: Path, file: str, expected: dict[str, dict[str, int]]
) -> None:
    found: dict[str, dict[str, int]] = {}
    for qrel in ir_measures.read_trec_qrels(  # type: ignore[no-untyped-call]
        str(export(source, "trec").folder / file)
    ):
        found.setdefault(qrel.query_id, {})[qrel.doc_id] = qrel.relevance
    assert found == expected


def test_pytrec_eval_reads_every_judgement(
    export: Export, source: Path, file: str, expected: dict[str, dict[str, int]]
) -> None:
    with (export(source, "trec").folder / file).open(encoding="utf-8") as lines:
        assert pytrec_eval.parse_qrel(lines) == expected


def test_a_run_of_the_targets_alone_is_perfect_at_grade_2(
    export: Export, wild: Path, targets: Grades
) -> None:
    with (export(wild, "trec").folder / "qrels.txt").open(encoding="utf-8") as lines:
        evaluator = pytrec_eval.RelevanceEvaluator(
            pytrec_eval.parse_qrel(lines), {"recall.10"}, relevance_level=2
        )
    run = {qid: dict.fromkeys(sections, 1.0) for qid, sections in targets(wild).items()}
    assert {measures["recall_10"] for measures in evaluator.evaluate(run).values()} == {1.0}


def test_ir_datasets_reads_topics_documents_and_judgements_as_three_files(
    export: Export, source: Path, records: Records, graded: Grades
) -> None:
    folder = export(source, "trec").folder
    names = {"docs_tsv": "docs.tsv", "queries_tsv": "topics.tsv", "qrels_trec": "qrels.txt"}
    dataset = ir_datasets.create_dataset(
        **{kind: str(folder / name) for kind, name in names.items()}
    )
    assert dataset.qrels_dict() == graded(source)
    queries = {query.query_id: query.text for query in dataset.queries_iter()}
    assert queries == {
        qid: query["query"] for qid, query in records(source, "evalset.jsonl").items()
    }
    docs = {doc.doc_id: doc.text for doc in dataset.docs_iter()}
    sections = records(source, "corpus.jsonl")
    assert list(docs) == list(sections)
    for key, text in docs.items():
        assert "".join(text.split()).endswith("".join(sections[key]["text"].split()))
        assert sections[key]["heading"].split()[-1] in text


def test_what_becomes_of_line_breaks_is_said(export: Export, wild: Path) -> None:
    notes = export(wild, "trec").manifest.notes
    assert any(note.startswith("docs.tsv: line breaks and tabs of ") for note in notes)
    assert any(note.startswith("topics.tsv: 1 texts begin with a quotation mark") for note in notes)


def test_the_evidence_lies_beside(export: Export, source: Path) -> None:
    assert (export(source, "trec").folder / "provenance.jsonl").read_bytes() == (
        source / "evalset.jsonl"
    ).read_bytes()


def test_strict_labels_are_not_written_twice(export: Export, source: Path, targets: Grades) -> None:
    exported = export(source, "trec", labels=Labels.STRICT)
    assert "qrels.strict.txt" not in exported.manifest.files
    with (exported.folder / "qrels.txt").open(encoding="utf-8") as lines:
        assert pytrec_eval.parse_qrel(lines) == targets(source)
