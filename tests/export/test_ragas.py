from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from hayami.export import Exported

Export = Callable[..., Exported]
Grades = Callable[[Path], dict[str, dict[str, int]]]
Records = Callable[[Path, str], dict[str, dict[str, object]]]


def samples(exported: Exported) -> list[dict[str, object]]:
    lines = (exported.folder / "testset.jsonl").read_bytes().decode("ascii").splitlines()
    return [json.loads(line) for line in lines]


def test_a_sample_has_texts_and_ids_of_its_sections_and_the_evidence(
    export: Export, source: Path, targets: Grades, records: Records
) -> None:
    sections, queries = records(source, "corpus.jsonl"), records(source, "evalset.jsonl")
    rows = samples(export(source, "ragas"))
    assert [row["qid"] for row in rows] == list(queries)
    for row in rows:
        query = queries[str(row["qid"])]
        ids, contexts = row["reference_context_ids"], row["reference_contexts"]
        assert isinstance(ids, list)
        assert isinstance(contexts, list)
        assert ids == sorted(targets(source)[str(row["qid"])])
        for key, text in zip(ids, contexts, strict=True):
            assert text.endswith(sections[key]["text"])
        assert row["user_input"] == query["query"]
        assert [row[name] for name in ("match", "flags", "origins")] == [
            query[name] for name in ("match", "flags", "origins")
        ]


def test_every_line_has_the_same_keys_in_the_same_order(export: Export, source: Path) -> None:
    rows = samples(export(source, "ragas"))
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert tuple(rows[0])[:5] == (
        "user_input",
        "reference_contexts",
        "reference_context_ids",
        "reference",
        "synthesizer_name",
    )


def test_a_row_without_an_answer_has_no_reference_and_that_is_said(
    export: Export, wild: Path, records: Records
) -> None:
    exported = export(wild, "ragas")
    silent = [qid for qid, query in records(wild, "evalset.jsonl").items() if not query["answer"]]
    assert [row["qid"] for row in samples(exported) if row["reference"] is None] == silent
    assert len(silent) == 1
    assert exported.manifest.notes[0].startswith("testset.jsonl: reference is null in 1 samples")
