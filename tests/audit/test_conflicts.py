from __future__ import annotations

import json
from pathlib import Path

import hayami
from hayami.audit.conflicts import find_disputes
from hayami.audit.items import Kind, rejection_rows
from hayami.evalset.records import Detector, Reason, Ruling
from hayami.importing import import_questions
from hayami.verdicts.log import Verdict
from hayami.verdicts.settle import settle


def test_judges_can_disagree_about_an_imported_question_that_found_no_section(
    bakery_set: Path, tmp_path: Path
) -> None:
    file = tmp_path / "questions.json"
    asked = [{"query": "卵は何個？", "article": "yeast", "section": "卵とバターの割合"}]
    file.write_text(json.dumps(asked), encoding="utf-8")
    import_questions(file, bakery_set)
    evalset = hayami.load(bakery_set)
    (lost,) = [r for r in evalset.rejections() if r.detector == Detector.IMPORT]
    assert (lost.table, lost.reason) == (None, Reason.UNMATCHED)
    verdicts = [
        Verdict(
            rows=rejection_rows(lost),
            question=lost.question,
            ruling=ruling,
            judge=judge,
            at="2026-01-01",
        )
        for judge, ruling in (("sato", Ruling.RIGHT), ("suzuki", Ruling.WRONG))
    ]
    found = find_disputes(evalset, settle(verdicts).conflicts, tmp_path / "sheet.jsonl")
    assert found.lost == ()
    assert [(one.item.kind, one.item.question, len(one.verdicts)) for one in found.found] == [
        (Kind.REJECTION, "卵は何個？", 2)
    ]
