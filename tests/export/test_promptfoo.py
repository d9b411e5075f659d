from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.export import Exported
from hayami.export.promptfoo import test_case as as_test

Export = Callable[..., Exported]
Grades = Callable[[Path], dict[str, dict[str, int]]]
Article = Callable[..., str]


def test_every_query_is_a_test_with_variables_that_are_texts(
    export: Export, source: Path, targets: Grades
) -> None:
    folder = export(source, "promptfoo").folder
    tests = json.loads((folder / "tests.json").read_bytes())
    queries = list(hayami.load(source).queries())
    assert [one["vars"]["query"].strip() for one in tests] == [one.query for one in queries]
    for one, query in zip(tests, queries, strict=True):
        assert all(isinstance(value, str) for value in one["vars"].values())
        relevant = json.loads(one["vars"]["relevant_ids"])
        assert relevant == one["metadata"]["relevant"] == sorted(targets(source)[query.qid])
        assert one["description"] == one["vars"]["qid"] == query.qid


@pytest.mark.parametrize("address", ["file://etc/passwd", "package:x:y", "env:HOME"])
def test_a_question_is_not_read_as_the_address_of_another_text(
    bakery_set: Path, address: str
) -> None:
    query = next(hayami.load(bakery_set).queries())
    case = as_test(query.model_copy(update={"query": address, "answer": address}), [])
    variables = case["vars"]
    assert isinstance(variables, dict)
    assert variables["query"] == variables["answer"] == f" {address}"


def test_what_would_be_read_as_a_template_is_said(
    export: Export, make_article: Article, tmp_path: Path
) -> None:
    rows = [("{{ name }} とは", "変数", "変数"), ("file://x とは", "住所", "住所")]
    page = make_article("雛形", rows, ["変数", "住所"])
    (tmp_path / "a.html").write_text(page, encoding="utf-8")
    built = hayami.build([tmp_path / "a.html"], tmp_path / "set")
    notes = export(built.folder, "promptfoo").manifest.notes
    assert notes[0].startswith("tests.json: 1 tests hold {{ or {%, which promptfoo reads")
    assert notes[1] == "tests.json: 1 texts that begin like an address have a blank before it"
