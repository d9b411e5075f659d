from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from hayami.export import Exported, Labels

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of what it depends on
    from ir_datasets.datasets.beir import BeirQrels
    from ir_datasets.util import LocalDownload

Export = Callable[..., Exported]
Grades = Callable[[Path], dict[str, dict[str, int]]]
Records = Callable[[Path, str], dict[str, dict[str, object]]]


def read(path: Path) -> dict[str, dict[str, int]]:
    """The judgements, by the reader of BEIR's files in ir_datasets."""
    found: dict[str, dict[str, int]] = {}
    for qrel in BeirQrels(LocalDownload(str(path)), {}).qrels_iter():
        assert qrel.doc_id not in found.setdefault(qrel.query_id, {})
        found[qrel.query_id][qrel.doc_id] = qrel.relevance
    return found


def test_the_split_has_the_targets_and_graded_every_judgement(
    export: Export, source: Path, graded: Grades, targets: Grades
) -> None:
    folder = export(source, "beir", split="dev").folder
    assert sorted(path.name for path in (folder / "qrels").iterdir()) == ["dev.tsv", "graded.tsv"]
    assert read(folder / "qrels" / "dev.tsv") == targets(source)
    assert read(folder / "qrels" / "graded.tsv") == graded(source)


def test_graded_labels_have_the_strict_ones_beside(
    export: Export, source: Path, graded: Grades, targets: Grades
) -> None:
    folder = export(source, "beir", labels=Labels.GRADED).folder
    assert read(folder / "qrels" / "test.tsv") == graded(source)
    assert read(folder / "qrels" / "strict.tsv") == targets(source)


def test_article_labels_have_the_strict_ones_beside(
    export: Export, wild: Path, graded: Grades, targets: Grades
) -> None:
    folder = export(wild, "beir", labels=Labels.ARTICLE).folder
    assert read(folder / "qrels" / "test.tsv") == {
        qid: dict.fromkeys(one, 1) for qid, one in graded(wild).items()
    }
    assert read(folder / "qrels" / "strict.tsv") == targets(wild)


@pytest.mark.parametrize("split", ["test", "graded"])
def test_the_first_line_is_the_header_that_beir_drops(
    export: Export, source: Path, split: str
) -> None:
    lines = (
        (export(source, "beir").folder / "qrels" / f"{split}.tsv")
        .read_text(encoding="utf-8")
        .split("\n")
    )
    assert lines[0] == "query-id\tcorpus-id\tscore"


def test_texts_are_those_of_the_set_and_the_rest_is_metadata(
    export: Export, source: Path, records: Records
) -> None:
    folder = export(source, "beir").folder
    sections = records(source, "corpus.jsonl")
    documents = [
        json.loads(line)
        for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [document["_id"] for document in documents] == list(sections)
    for document in documents:
        section = sections[document["_id"]]
        assert document["text"] == section["text"]
        assert document["title"]
        assert document["metadata"]["article"] == section["article"]
        assert document["metadata"]["heading"] == section["heading"]
    queries = records(source, "evalset.jsonl")
    questions = [
        json.loads(line)
        for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [question["_id"] for question in questions] == list(queries)
    for question in questions:
        query = queries[question["_id"]]
        assert question["text"] == query["query"]
        for name in ("match", "flags", "answer", "targets", "origins", "source"):
            assert question["metadata"][name] == query[name]
