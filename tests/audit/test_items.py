"""Items: ids, what a judge may say, and the verdict that it makes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import hayami
from hayami.audit.draft import read_drafter
from hayami.audit.items import (
    KIND_MEANINGS,
    RULINGS,
    Item,
    Kind,
    fault_of,
    is_own_id,
    item_id,
    judged_items,
    verdict_of,
)
from hayami.errors import SheetError
from hayami.evalset.names import RowKey, name_corpus, row_key
from hayami.evalset.records import Query, Ruling
from hayami.verdicts.log import Verdict

Make = Callable[..., Item]


@pytest.fixture
def evalset(bakery_set: object) -> hayami.EvalSet:
    return hayami.load(str(bakery_set))


@pytest.fixture
def query(evalset: hayami.EvalSet) -> Query:
    return next(query for query in evalset.queries() if query.query == "生種とドライの違い")


@pytest.fixture
def label(evalset: hayami.EvalSet, query: Query) -> Item:
    return read_drafter(evalset, evalset.folder.parent / "sheet.jsonl").label(query)


@pytest.fixture
def pooled(evalset: hayami.EvalSet, query: Query) -> Item:
    return read_drafter(evalset, evalset.folder.parent / "sheet.jsonl").pooled(query, "flour#0")


@pytest.fixture
def rejected(evalset: hayami.EvalSet) -> Item:
    row = next(row for row in evalset.rejections() if row.question == "酵母の保存")
    return read_drafter(evalset, evalset.folder.parent / "sheet.jsonl").rejected(row)


def said(item: Item, verdict: Ruling | None, *chosen: str, **more: str) -> Item:
    return item.model_copy(update={"verdict": verdict, "chosen": chosen, **more})


def test_the_id_of_a_row_is_no_number_to_any_spreadsheet() -> None:
    ids = {item_id(Kind.LABEL, [row_key("a", str(number), "b")]) for number in range(5_000)}
    assert len(ids) == 5_000
    for one in ids:
        with pytest.raises(ValueError, match="could not convert"):
            float(one)


def test_the_id_depends_on_kind_row_and_pooled_section() -> None:
    row = row_key("a", "q", "r")
    ids = [
        item_id(Kind.LABEL, [row]),
        item_id(Kind.REJECTION, [row]),
        item_id(Kind.POOL, [row], "a#1"),
        item_id(Kind.POOL, [row], "a#2"),
        item_id(Kind.LABEL, [row_key("a", "q", "x")]),
        item_id(Kind.LABEL, [row, row_key("b", "q", "r")]),
    ]
    assert len(set(ids)) == len(ids)
    assert item_id(Kind.LABEL, [row_key("a", "Ｑ ", "R")]) == ids[0]


def test_every_kind_has_a_meaning_and_its_own_rulings() -> None:
    assert set(KIND_MEANINGS) == set(RULINGS) == set(Kind)


def test_an_item_of_another_row_is_not_its_own(label: Item, pooled: Item) -> None:
    assert is_own_id(label)
    assert is_own_id(pooled)
    assert not is_own_id(label.model_copy(update={"item": pooled.item}))
    assert not is_own_id(pooled.model_copy(update={"sections": ("flour#1",)}))


def test_a_blank_item_has_no_fault(label: Item) -> None:
    assert fault_of(label) == ""
    assert fault_of(said(label, None, rewrite="  ", note="later")) == ""


@pytest.mark.parametrize(
    ("verdict", "chosen", "fault"),
    [
        (Ruling.RIGHT, (), ""),
        (Ruling.CONTEXT, (), ""),
        (Ruling.ALSO, ("yeast#1",), ""),
        (Ruling.ALSO, ("yeast#0", "yeast#1"), ""),
        (Ruling.OTHER, ("yeast#1",), ""),
        (Ruling.ALSO, (), "needs section ids"),
        (Ruling.OTHER, (), "needs section ids"),
        (Ruling.ALSO, ("yeast#0",), "has already"),
        (Ruling.OTHER, ("yeast#0",), "use right"),
        (Ruling.RIGHT, ("yeast#1",), "use also or other"),
        (None, ("yeast#1",), "verdict is empty"),
    ],
)
def test_what_is_filled_in_must_make_sense(
    label: Item, verdict: Ruling | None, chosen: tuple[str, ...], fault: str
) -> None:
    found = fault_of(said(label, verdict, *chosen))
    assert fault in found
    assert bool(found) == bool(fault)


def test_a_rewrite_without_a_verdict_is_a_fault(label: Item) -> None:
    assert "verdict is empty" in fault_of(said(label, None, rewrite="パンの焼き方"))


def test_one_of_two_sections_alone_may_answer_instead(label: Item) -> None:
    two = label.model_copy(update={"sections": ("yeast#0", "yeast#1")})
    assert fault_of(said(two, Ruling.OTHER, "yeast#1")) == ""


def test_rulings_go_with_their_kind(rejected: Item, pooled: Item) -> None:
    assert "does not go with a rejection" in fault_of(said(rejected, Ruling.CONTEXT))
    assert "use right, wrong, unsure" in fault_of(said(pooled, Ruling.ALSO, "yeast#1"))
    assert fault_of(said(rejected, Ruling.OTHER, "yeast#1")) == ""


@pytest.mark.parametrize("known", [["yeast#1"], {"yeast#1"}, {"yeast#1": 0}, iter(["yeast#1"])])
def test_chosen_sections_must_be_known_if_that_can_be_told(label: Item, known: object) -> None:
    assert fault_of(said(label, Ruling.ALSO, "yeast#9")) == ""
    assert "no section 'yeast#9'" in fault_of(said(label, Ruling.ALSO, "yeast#1", "yeast#9"), known)  # type: ignore[arg-type]


def test_the_outline_names_the_sections_of_the_article(label: Item) -> None:
    assert [(name.section, name.heading) for name in label.outline] == [
        ("yeast#0", "2つの酵母の違い"),
        ("yeast#1", "酵母の保存のしかた"),
    ]


def test_the_outline_of_a_pooled_section_has_its_article_too(pooled: Item) -> None:
    assert {name.article for name in pooled.outline} == {"yeast", "flour"}


def test_a_verdict_names_what_was_judged_and_what_was_chosen(
    evalset: hayami.EvalSet, label: Item
) -> None:
    names = name_corpus(evalset.sections())
    filled = said(label, Ruling.ALSO, "flour#1", rewrite=" 違いは ", note="n", judge="花子")
    verdict = verdict_of(filled, names, "judge", "2026-01-01")
    assert [name.heading for name in verdict.judged] == ["2つの酵母の違い"]
    assert [name.heading for name in verdict.sections] == ["灰分"]
    assert (verdict.pooled, verdict.judge, verdict.rewrite, verdict.rows) == (
        None,
        "花子",
        "違いは",
        label.rows,
    )


def test_a_verdict_falls_back_on_the_names_of_the_sheet_and_on_the_given_judge(label: Item) -> None:
    verdict = verdict_of(said(label, Ruling.RIGHT), {}, "taro", "2026-01-01")
    assert (verdict.judge, [name.section for name in verdict.judged]) == ("taro", ["yeast#0"])


def test_the_verdict_on_a_pooled_section_is_not_one_on_the_label(pooled: Item) -> None:
    verdict = verdict_of(said(pooled, Ruling.RIGHT), {}, "taro", "2026-01-01")
    assert verdict.pooled is not None
    assert (verdict.pooled.heading, verdict.judged) == ("粉と温度", ())


def test_a_pooled_section_without_a_name_is_refused(pooled: Item) -> None:
    gone = said(pooled.model_copy(update={"sections": ("flour#77",)}), Ruling.RIGHT)
    with pytest.raises(SheetError, match="flour#77, is not in the set"):
        verdict_of(gone, {}, "taro", "2026-01-01")


def test_verdicts_come_back_as_judged_items(label: Item, pooled: Item, rejected: Item) -> None:
    filled = [
        said(label, Ruling.ALSO, "yeast#1", judge="a", note="x"),
        said(label, Ruling.RIGHT, judge="b"),
        said(pooled, Ruling.WRONG, judge="a"),
        said(rejected, Ruling.OTHER, "yeast#1", judge="a"),
    ]
    verdicts = [verdict_of(item, {}, "", str(number)) for number, item in enumerate(filled)]
    assert judged_items([label, pooled, rejected], verdicts) == filled


def test_only_the_last_word_of_a_judge_comes_back(label: Item) -> None:
    words = [said(label, ruling, judge="a") for ruling in (Ruling.RIGHT, Ruling.WRONG)]
    verdicts = [verdict_of(item, {}, "", str(number)) for number, item in enumerate(words)]
    assert judged_items([label], verdicts) == [words[1]]
    back = verdicts[1].model_copy(update={"ruling": None})
    assert judged_items([label], [*verdicts, back]) == []


def test_a_verdict_on_other_sections_does_not_come_back(label: Item) -> None:
    verdict = verdict_of(said(label, Ruling.RIGHT, judge="a"), {}, "", "1")
    moved = label.model_copy(update={"sections": ("yeast#1",)})
    assert judged_items([moved], [verdict]) == []


def test_a_row_counts_for_its_share_of_the_stratum(label: Item) -> None:
    assert label.model_copy(update={"population": 30, "drawn": 4}).weight == 7.5
    assert label.model_copy(update={"drawn": 0}).weight == 1.0


def test_rows_are_their_keys(label: Item) -> None:
    assert label.rows == (
        RowKey(article="yeast", question="生種とドライの違い", reference="2つの酵母の違い"),
    )
    assert Verdict.model_fields["rows"].is_required()
