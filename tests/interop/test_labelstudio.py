"""Label Studio's own SDK accepts the labelling page, the tasks and what people answer on it.

Needs ``pip install label-studio-sdk``, which is heavy; without it this is skipped.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hayami
from hayami.audit.draft import texts_of
from hayami.audit.items import Item
from hayami.audit.sample import Draw, draw_sample
from hayami.audit.sheets import read_sheet, write_sheet
from hayami.evalset.records import Ruling

pytest.importorskip("label_studio_sdk", reason="label-studio-sdk is not installed")
pytestmark = pytest.mark.filterwarnings("default")  # the SDK's own packages warn


@pytest.fixture
def drawn(sample: hayami.Built, tmp_path: Path) -> tuple[Item, ...]:
    evalset = hayami.load(sample.folder)
    items = draw_sample(evalset, tmp_path / "s.json", Draw(n=60, rejected=True)).items
    write_sheet(tmp_path / "s.json", items, texts=texts_of(evalset, items))
    return items


def answer(item: Item, choices: list[dict[str, str]]) -> list[dict[str, object]]:
    """What the page sends for an item: every control is used."""
    other = next(
        choice["value"] for choice in choices if choice["value"].split()[0] not in item.sections
    )
    said: dict[str, dict[str, list[str]]] = {
        "verdict": {"choices": ["other"]},
        "chosen": {"choices": [other]},
        "rewrite": {"text": ["書き直した質問"]},
        "note": {"text": ["メモ"]},
    }
    kinds = {"choices": "choices", "text": "textarea"}
    return [
        {
            "id": name,
            "from_name": name,
            "to_name": "question",
            "type": kinds[next(iter(value))],
            "value": value,
        }
        for name, value in said.items()
    ]


def test_the_sdk_accepts_page_tasks_and_answers_and_they_come_back(
    drawn: tuple[Item, ...], tmp_path: Path
) -> None:
    from label_studio_sdk.label_interface import LabelInterface

    page = LabelInterface((tmp_path / "s.xml").read_text(encoding="utf-8"))
    page.validate()
    tasks = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    assert len(tasks) == 60
    for number, task in enumerate(tasks):
        assert page.validate_task(task)
        result = answer(drawn[number], task["data"]["choices"])
        assert page.validate_prediction({"result": result}, return_errors=True) == []
        task["annotations"] = [{"result": result, "completed_by": 1, "was_cancelled": False}]
    (tmp_path / "export.json").write_text(json.dumps(tasks), encoding="utf-8")
    read = read_sheet(tmp_path / "export.json")
    assert [item.item for item in read] == [item.item for item in drawn]
    assert all(
        item.verdict is Ruling.OTHER and len(item.chosen) == 1 and item.note == "メモ"
        for item in read
    )


def test_the_sdk_refuses_a_word_that_is_no_ruling(drawn: tuple[Item, ...], tmp_path: Path) -> None:
    from label_studio_sdk.label_interface import LabelInterface

    page = LabelInterface((tmp_path / "s.xml").read_text(encoding="utf-8"))
    assert drawn
    value = {"choices": ["splendid"]}
    region = {
        "id": "r",
        "from_name": "verdict",
        "to_name": "question",
        "type": "choices",
        "value": value,
    }
    assert page.validate_prediction({"result": [region]}, return_errors=True) != []
