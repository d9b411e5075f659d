"""Label Studio: what is imported is blind and whole, and its export comes back as judged items."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import hayami
from hayami.audit.draft import read_drafter, texts_of
from hayami.audit.items import RULINGS, Item, Kind
from hayami.audit.labelstudio import labelling_page, read_export, tasks
from hayami.audit.sheets import read_sheet, write_sheet
from hayami.errors import SheetError
from hayami.evalset.records import RULING_MEANINGS, Ruling

Json = dict[str, object]


@pytest.fixture
def item(bakery_set: Path) -> Item:
    evalset = hayami.load(bakery_set)
    query = next(query for query in evalset.queries() if query.query == "生種とドライの違い")
    return read_drafter(evalset, bakery_set.parent / "s.json").label(query)


@pytest.fixture
def task(item: Item, bakery_set: Path) -> Json:
    found: list[Json] = json.loads(tasks([item], texts_of(hayami.load(bakery_set), [item])))
    return found[0]


def region(control: str, **value: object) -> Json:
    kind = "choices" if "choices" in value else "textarea"
    return {
        "id": control,
        "from_name": control,
        "to_name": "question",
        "type": kind,
        "value": value,
    }


def annotation(*regions: Json, by: object = 7, **more: object) -> Json:
    return {
        "id": 1,
        "completed_by": by,
        "result": list(regions),
        "was_cancelled": False,
        "lead_time": 4.2,
        **more,
    }


@pytest.fixture
def export(task: Json, tmp_path: Path) -> Callable[..., Path]:
    """Writes what Label Studio exports for one task and some annotations."""

    def make(*annotations: Json) -> Path:
        path = tmp_path / "export.json"
        exported = {
            "id": 31,
            "annotations": list(annotations),
            "predictions": [],
            "meta": {},
            "project": 3,
            **task,
        }
        path.write_text(json.dumps([exported]), encoding="utf-8")
        return path

    return make


# --- written --------------------------------------------------------------------------------------


def test_a_task_shows_the_question_the_sections_and_what_can_be_chosen(task: Json) -> None:
    data = task["data"]
    assert isinstance(data, dict)
    assert (data["question"], data["answer"], data["topic"]) == (
        "生種とドライの違い",
        "水分",
        "酵母の種類",
    )
    assert data["sections"] == "■ yeast#0 2つの酵母の違い\n2つの酵母の違いについて書いた段落。"
    assert "■ yeast#1 酵母の保存のしかた" in data["article"]
    assert data["choices"] == [
        {"value": "yeast#0 2つの酵母の違い"},
        {"value": "yeast#1 酵母の保存のしかた"},
    ]


def test_judges_are_blind(item: Item, task: Json) -> None:
    assert list(task) == ["data"], "no predictions"
    page = labelling_page([item]).decode()
    shown = {node.get("value", "") for node in ET.fromstring(page).iter()}  # noqa: S314 - written just now
    assert not any(word in value for value in shown for word in ("$item", "$match", "$score"))


def test_an_empty_text_is_shown_as_a_dash(item: Item) -> None:
    data = json.loads(tasks([item.model_copy(update={"answer": "", "sections": ()})], {}))[0][
        "data"
    ]
    assert (data["answer"], data["sections"]) == ("—", "—")


def test_everything_that_the_page_shows_is_in_every_task(item: Item, task: Json) -> None:
    page = ET.fromstring(labelling_page([item]))  # noqa: S314 - written just now
    wanted = {value[1:] for node in page.iter() if (value := node.get("value", "")).startswith("$")}
    data = task["data"]
    assert isinstance(data, dict)
    assert wanted == {"question", "answer", "topic", "sections", "article", "choices"}
    assert all(data[name] for name in wanted)


@pytest.mark.parametrize(
    ("kinds", "offered"),
    [
        ([Kind.LABEL], RULINGS[Kind.LABEL]),
        ([Kind.POOL], RULINGS[Kind.POOL]),
        ([Kind.REJECTION, Kind.POOL], RULINGS[Kind.REJECTION]),
    ],
)
def test_the_page_offers_the_rulings_of_the_kinds_that_occur(
    item: Item, kinds: list[Kind], offered: tuple[Ruling, ...]
) -> None:
    page = ET.fromstring(labelling_page([item.model_copy(update={"kind": kind}) for kind in kinds]))  # noqa: S314
    choices = page.findall(".//Choice")
    assert [choice.get("alias") for choice in choices] == list(offered)
    assert all(RULING_MEANINGS[Ruling(str(c.get("alias")))] in str(c.get("value")) for c in choices)


def test_the_page_lies_beside_the_tasks(item: Item, tmp_path: Path) -> None:
    write_sheet(tmp_path / "s.json", [item])
    assert (tmp_path / "s.xml").read_bytes() == labelling_page([item])


def test_line_separators_in_a_text_are_escaped(item: Item) -> None:
    data = tasks([item.model_copy(update={"question": "a\u2028b\x85c"})], {}).decode()
    assert "\u2028" not in data
    assert json.loads(data)[0]["data"]["question"] == "a\u2028b\x85c"


# --- read back ------------------------------------------------------------------------------------


def test_tasks_that_were_never_imported_are_a_blank_sheet(item: Item, tmp_path: Path) -> None:
    write_sheet(tmp_path / "s.json", [item])
    assert read_sheet(tmp_path / "s.json") == [item]


@pytest.mark.parametrize(
    "word", ["also", "also: right, and the sections named by the judge answer it too"]
)
def test_an_annotation_is_read_back(item: Item, export: Callable[..., Path], word: str) -> None:
    path = export(
        annotation(
            region("verdict", choices=[word]),
            region("chosen", choices=["yeast#1 酵母の保存のしかた"]),
            region("rewrite", text=["パンの生種とドライの違いは何か"]),
            region("note", text="一行だけ"),
            {"id": "x", "from_name": "stars", "type": "rating", "value": {"rating": 3}},
        )
    )
    filled = {
        "verdict": Ruling.ALSO,
        "chosen": ("yeast#1",),
        "rewrite": "パンの生種とドライの違いは何か",
        "note": "一行だけ",
        "judge": "annotator-7",
    }
    assert read_sheet(path) == [item.model_copy(update=filled)]


@pytest.mark.parametrize(
    ("by", "judge"),
    [
        (7, "annotator-7"),
        ({"id": 7, "email": "hanako@example.com", "first_name": ""}, "hanako@example.com"),
        ({"id": 7, "email": None, "username": "hanako"}, "hanako"),
        ({"id": 7}, "annotator-7"),
        ("hanako", "hanako"),
        (None, ""),
    ],
)
def test_judges_are_called_as_the_export_calls_them(
    export: Callable[..., Path], by: object, judge: str
) -> None:
    assert (
        read_sheet(export(annotation(region("verdict", choices=["right"]), by=by)))[0].judge
        == judge
    )


def test_each_annotator_gives_an_item(export: Callable[..., Path]) -> None:
    right, wrong = (region("verdict", choices=[word]) for word in ("right", "wrong"))
    read = read_sheet(export(annotation(right, by=1), annotation(wrong, by=2)))
    assert [(item.judge, item.verdict) for item in read] == [
        ("annotator-1", "right"),
        ("annotator-2", "wrong"),
    ]


def test_of_several_annotations_of_one_judge_the_last_counts(export: Callable[..., Path]) -> None:
    right, wrong = (region("verdict", choices=[word]) for word in ("right", "wrong"))
    path = export(
        annotation(right, updated_at="2026-02-01T00:00:00Z"),
        annotation(wrong, updated_at="2026-01-01"),
    )
    assert [item.verdict for item in read_sheet(path)] == [Ruling.RIGHT]


@pytest.mark.parametrize("more", [{"was_cancelled": True}, {"result": []}])
def test_skipped_and_empty_annotations_do_not_count(
    item: Item, export: Callable[..., Path], more: Json
) -> None:
    path = export({**annotation(region("verdict", choices=["wrong"])), **more})
    assert read_sheet(path) == [item]


def test_a_project_without_annotations_yet_may_say_null(
    item: Item, task: Json, tmp_path: Path
) -> None:
    (tmp_path / "e.json").write_text(
        json.dumps([{**task, "annotations": None}]), encoding="utf-8-sig"
    )
    assert read_sheet(tmp_path / "e.json") == [item]


# --- refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("regions", "what"),
    [
        ([region("verdict", choices=["splendid"])], "verdict 'splendid' is none of"),
        ([region("verdict", choices=["right", "wrong"])], "'right wrong' is none of"),
        ([region("verdict", choices=["also"])], "needs section ids"),
        ([region("chosen", choices=["yeast#1 x"])], "verdict is empty"),
    ],
)
def test_an_annotation_of_nonsense_is_refused_with_its_task(
    export: Callable[..., Path], regions: list[Json], what: str
) -> None:
    path = export(annotation(*regions))
    with pytest.raises(SheetError, match=what) as caught:
        read_sheet(path)
    assert caught.value.where == f"{path}: task 1 (id 31)"
    assert caught.value.hint


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        "[",
        "[1]",
        "[{}]",
        '[{"id": 1, "question": "q", "verdict": "right"}]',
        "[[[",
        '[{"data": {"item": 1}}]',
    ],
)
def test_what_is_no_export_of_ours_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "e.json").write_text(content, encoding="utf-8")
    with pytest.raises(SheetError) as caught:
        read_export(tmp_path / "e.json")
    assert "JSON-MIN" in caught.value.hint


def test_a_task_of_another_row_is_refused(task: Json, tmp_path: Path) -> None:
    data = task["data"]
    assert isinstance(data, dict)
    data["item"]["rows"][0]["question"] = "別の行"
    (tmp_path / "e.json").write_text(json.dumps([task]), encoding="utf-8")
    with pytest.raises(SheetError, match="unknown row"):
        read_sheet(tmp_path / "e.json")


def test_a_task_imported_twice_is_refused(task: Json, tmp_path: Path) -> None:
    (tmp_path / "e.json").write_text(json.dumps([task, task]), encoding="utf-8")
    with pytest.raises(SheetError, match=r"stands twice: also at .*task 1"):
        read_sheet(tmp_path / "e.json")
