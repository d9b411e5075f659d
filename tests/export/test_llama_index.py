from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from hayami.export import Exported, Labels

Export = Callable[..., Exported]
Grades = Callable[[Path], dict[str, dict[str, int]]]
Records = Callable[[Path, str], dict[str, dict[str, str]]]


def test_the_dataset_is_ascii_and_has_the_four_parts(
    export: Export, source: Path, targets: Grades, records: Records
) -> None:
    data = (export(source, "llama-index").folder / "qa_dataset.json").read_bytes()
    dataset = json.loads(data.decode("ascii"))
    assert set(dataset) == {"queries", "corpus", "relevant_docs", "mode"}
    assert dataset["queries"] == {
        qid: one["query"] for qid, one in records(source, "evalset.jsonl").items()
    }
    assert dataset["relevant_docs"] == {
        qid: sorted(sections) for qid, sections in targets(source).items()
    }
    for key, section in records(source, "corpus.jsonl").items():
        assert dataset["corpus"][key].endswith(section["text"])
        assert dataset["corpus"][key].startswith(section["title"])


def test_article_labels_list_every_section_of_the_articles(
    export: Export, source: Path, graded: Grades
) -> None:
    path = export(source, "llama-index", labels=Labels.ARTICLE).folder / "qa_dataset.json"
    found = json.loads(path.read_bytes())["relevant_docs"]
    assert {qid: set(sections) for qid, sections in found.items()} == {
        qid: set(sections) for qid, sections in graded(source).items()
    }
