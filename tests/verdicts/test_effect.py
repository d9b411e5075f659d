from __future__ import annotations

from collections.abc import Sequence

import pytest

from hayami.evalset.names import Known, RowKey, SectionName, name_sections
from hayami.evalset.records import Ruling
from hayami.verdicts.effect import Effect, effect_of, rows_gone
from hayami.verdicts.log import Verdict
from hayami.verdicts.settle import Decision, settle

BEFORE = [Known("tea#0", "湯の温度"), Known("tea#1", "蒸らす時間"), Known("tea#2", "茶葉の量")]
RENUMBERED = [
    Known("tea#0", "道具"),
    Known("tea#1", "湯の温度"),
    Known("tea#2", "蒸らす時間"),
    Known("tea#3", "茶葉の量"),
]
NAMES = {name.section: name for name in name_sections(BEFORE, "tea")}
ROW = RowKey(article="tea", question="何分蒸らす?", reference="蒸らす時間")


def verdict(
    ruling: Ruling | None,
    judged: Sequence[str] = ("tea#1",),
    sections: Sequence[str] = (),
    *,
    pooled: str = "",
    at: str = "2026-01-01",
) -> Verdict:
    return Verdict(
        rows=(ROW,),
        question="何分蒸らす？",
        ruling=ruling,
        judged=tuple(NAMES[s] for s in judged),
        sections=tuple(NAMES[s] for s in sections),
        pooled=NAMES[pooled] if pooled else None,
        judge="佐藤",
        at=at,
    )


def effect(
    *verdicts: Verdict, found: Sequence[str] = ("tea#1",), today: Sequence[Known] = BEFORE
) -> Effect:
    decision = settle(verdicts).decisions[ROW]
    return effect_of(decision, found, lambda article: today if article == "tea" else [])


def whys(effect: Effect) -> list[str]:
    return [stale.why for stale in effect.stale]


@pytest.mark.parametrize("ruling", [Ruling.RIGHT, Ruling.CONTEXT])
def test_a_confirmed_label_stays(ruling: Ruling) -> None:
    assert effect(verdict(ruling)) == Effect(("tea#1",), "", ())


@pytest.mark.parametrize("ruling", [Ruling.RIGHT, Ruling.CONTEXT])
def test_a_confirmed_section_is_found_again_by_its_heading(ruling: Ruling) -> None:
    assert effect(verdict(ruling), found=["tea#3"], today=RENUMBERED) == Effect(("tea#2",), "", ())


def test_a_confirmed_label_survives_that_the_rules_find_nothing_any_more() -> None:
    assert effect(verdict(Ruling.RIGHT), found=[]).targets == ("tea#1",)


def test_also_adds_what_the_judge_named() -> None:
    assert effect(verdict(Ruling.ALSO, sections=["tea#0"]), today=RENUMBERED).targets == (
        "tea#2",
        "tea#1",
    )


def test_other_takes_only_what_the_judge_named() -> None:
    assert effect(verdict(Ruling.OTHER, sections=["tea#2"])) == Effect(("tea#2",), "", ())


def test_other_gives_a_rejected_row_a_label() -> None:
    assert effect(verdict(Ruling.OTHER, judged=(), sections=["tea#2"]), found=[]).targets == (
        "tea#2",
    )


@pytest.mark.parametrize(
    ("ruling", "why"), [(Ruling.WRONG, "wrong"), (Ruling.NOTHING, "no section answers it")]
)
def test_a_wrong_label_is_dropped(ruling: Ruling, why: str) -> None:
    assert effect(verdict(ruling)) == Effect(None, why, ())


@pytest.mark.parametrize("ruling", [Ruling.WRONG, Ruling.NOTHING])
def test_a_label_that_nobody_judged_is_not_dropped_for_another(ruling: Ruling) -> None:
    found = effect(verdict(ruling), found=["tea#2"])
    assert (found.targets, found.dropped) == (None, "")
    assert whys(found) == ["the row names other sections now than when it was judged"]


@pytest.mark.parametrize("ruling", [Ruling.RIGHT, Ruling.NOTHING])
def test_a_rejection_that_was_found_right_stays_one(ruling: Ruling) -> None:
    found = effect(verdict(ruling, judged=()), found=[])
    assert found == Effect((), "", ())
    assert found.applied


@pytest.mark.parametrize("ruling", [Ruling.RIGHT, Ruling.NOTHING])
def test_that_a_row_was_rightly_rejected_says_nothing_about_a_label_found_later(
    ruling: Ruling,
) -> None:
    found = effect(verdict(ruling, judged=()), found=["tea#1"])
    assert (found.targets, found.dropped, len(found.stale)) == (None, "", 1)


def test_unsure_does_nothing() -> None:
    assert not effect(verdict(Ruling.UNSURE)).applied


@pytest.mark.parametrize("ruling", [Ruling.RIGHT, Ruling.ALSO, Ruling.OTHER])
def test_a_section_that_is_gone_is_reported_and_not_guessed(ruling: Ruling) -> None:
    sections = () if ruling is Ruling.RIGHT else ("tea#2",)
    gone = [Known("tea#0", "湯の温度"), Known("tea#1", "蒸らし方")]
    found = effect(verdict(ruling, sections=sections), found=["tea#1"], today=gone)
    assert found.targets is None
    assert [name.heading for stale in found.stale for name in stale.missing][-1] in {
        "蒸らす時間",
        "茶葉の量",
    }


def test_a_label_known_to_be_wrong_is_dropped_even_if_its_replacement_is_gone() -> None:
    found = effect(verdict(Ruling.OTHER, sections=["tea#2"]), today=BEFORE[:2])
    assert found.dropped == "wrong, and the section named instead is no longer there"
    assert [name.heading for stale in found.stale for name in stale.missing] == ["茶葉の量"]


def test_a_second_section_of_the_same_heading_makes_the_name_a_guess() -> None:
    twice = [*BEFORE, Known("tea#3", "蒸らす時間")]
    assert whys(effect(verdict(Ruling.RIGHT), today=twice)) == [
        "the section it names is no longer there, or no longer the only one of its heading"
    ]


def test_of_several_equal_headings_the_judged_one_is_found_again() -> None:
    twice = [Known("tea#0", "注意"), Known("tea#1", "湯"), Known("tea#2", "注意")]
    named = name_sections(twice, "tea")[2]
    said = verdict(Ruling.RIGHT, judged=()).model_copy(update={"judged": (named,)})
    moved = [
        Known("tea#0", "道具"),
        Known("tea#1", "注意"),
        Known("tea#2", "湯"),
        Known("tea#3", "注意"),
    ]
    assert effect(said, found=["tea#1"], today=moved).targets == ("tea#3",)


def test_accepted_sections_of_a_pool_are_added_to_the_label() -> None:
    assert effect(verdict(Ruling.RIGHT, (), pooled="tea#0")).targets == ("tea#1", "tea#0")


def test_refused_sections_of_a_pool_change_nothing() -> None:
    assert settle([verdict(Ruling.WRONG, (), pooled="tea#0")]).decisions[ROW].additions == ()


def test_a_pool_adds_nothing_to_a_label_that_was_dropped() -> None:
    found = effect(verdict(Ruling.NOTHING), verdict(Ruling.RIGHT, (), pooled="tea#0"))
    assert (found.targets, found.dropped) == (None, "no section answers it")


def test_a_pooled_section_that_is_gone_is_reported_and_the_label_stays() -> None:
    found = effect(
        verdict(Ruling.RIGHT), verdict(Ruling.RIGHT, (), pooled="tea#2"), today=BEFORE[:2]
    )
    assert found.targets == ("tea#1",)
    assert [name.heading for stale in found.stale for name in stale.missing] == ["茶葉の量"]


def test_a_verdict_none_of_whose_rows_is_there_is_stale() -> None:
    settlement = settle([verdict(Ruling.RIGHT)])
    assert [stale.why for stale in rows_gone(settlement, [])] == [
        "its row is no longer in the articles"
    ]
    assert rows_gone(settlement, [ROW]) == []


def test_a_merged_question_lives_on_in_one_of_its_rows() -> None:
    other = ROW.model_copy(update={"article": "coffee"})
    both = verdict(Ruling.RIGHT).model_copy(update={"rows": (ROW, other)})
    assert rows_gone(settle([both]), [other]) == []


def test_names_are_found_whatever_their_width_and_case() -> None:
    name = SectionName(section="a#0", article="tea", heading="Ｓｔｅｐ １")
    said = verdict(Ruling.RIGHT, judged=()).model_copy(update={"judged": (name,)})
    assert effect(said, found=[], today=[Known("tea#7", "STEP 1")]).targets == ("tea#7",)


def test_a_decision_of_nothing_does_nothing() -> None:
    assert not effect_of(Decision(None, (), ()), ["tea#1"], lambda _: BEFORE).applied
