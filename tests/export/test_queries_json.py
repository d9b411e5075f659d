from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import hayami
from hayami.export import Exported, Labels
from hayami.export.queries_json import entry

Export = Callable[..., Exported]
Grades = Callable[[Path], dict[str, dict[str, int]]]
Records = Callable[[Path, str], dict[str, dict[str, object]]]
FIELDS = ["id", "query", "relevant_docs", "expected_keywords", "category", "difficulty"]


def entries(exported: Exported) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(
        (exported.folder / "queries.json").read_text(encoding="utf-8")
    )
    return found


def test_every_question_has_the_six_fields_first_and_its_targets(
    export: Export, source: Path, targets: Grades, records: Records
) -> None:
    found = entries(export(source, "queries-json"))
    assert all(list(one)[:6] == FIELDS for one in found)
    assert {one["id"]: one["relevant_docs"] for one in found} == {
        qid: sorted(sections) for qid, sections in targets(source).items()
    }
    queries = records(source, "evalset.jsonl")
    for one in found:
        query = queries[str(one["id"])]
        assert (one["query"], one["answer"], one["category"]) == (
            query["query"],
            query["answer"],
            query["topic"],
        )


def test_article_labels_list_every_section(export: Export, source: Path, graded: Grades) -> None:
    found = entries(export(source, "queries-json", labels=Labels.ARTICLE))
    assert {one["id"]: one["relevant_docs"] for one in found} == {
        qid: sorted(all_) for qid, all_ in graded(source).items()
    }


def test_japanese_stands_as_people_read_it(export: Export, wild: Path) -> None:
    text = (export(wild, "queries-json").folder / "queries.json").read_text(encoding="utf-8")
    assert "引用符で始まる質問" in text


def test_a_query_that_has_a_category_keywords_and_difficulty_keeps_them(wild: Path) -> None:
    own = {"category": "業務手順", "difficulty": "基本", "expected_keywords": ("稟議",)}
    query = next(hayami.load(wild).queries()).model_copy(update=own)
    made = entry(query, ["a#0"])
    assert (made["category"], made["difficulty"], made["expected_keywords"]) == (
        "業務手順",
        "基本",
        ["稟議"],
    )
