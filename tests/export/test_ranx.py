from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from hayami.export import Exported, Labels

Export = Callable[..., Exported]
Grades = Callable[[Path], dict[str, dict[str, int]]]


def read(path: Path) -> object:
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_two_files_hold_every_judgement(
    export: Export, source: Path, graded: Grades, targets: Grades
) -> None:
    folder = export(source, "ranx").folder
    assert read(folder / "qrels.json") == graded(source)
    assert read(folder / "qrels.strict.json") == targets(source)


def test_no_query_is_without_a_judgement_since_ranx_fails_on_one(
    export: Export, source: Path
) -> None:
    for labels in Labels:
        qrels = read(export(source, "ranx", labels=labels).folder / "qrels.json")
        assert isinstance(qrels, dict)
        assert all(qrels.values())


def test_the_evidence_lies_beside(export: Export, source: Path) -> None:
    assert (export(source, "ranx").folder / "provenance.jsonl").read_bytes() == (
        source / "evalset.jsonl"
    ).read_bytes()
