from __future__ import annotations

from hayami.evalset.names import Known, name_sections, row_key
from hayami.evalset.records import TABLE, Detector, Match, Place, Reason, Ruling, SectionId, Target
from hayami.parts import Label, NoLabel, Piece, Row
from hayami.verdicts.apply import VerdictBook, apply_effect
from hayami.verdicts.effect import effect_of
from hayami.verdicts.log import Verdict
from hayami.verdicts.settle import Settlement, settle

SECTIONS = [Known("tea#0", "湯の温度"), Known("tea#1", "蒸らす時間"), Known("tea#2", "茶葉の量")]
NAMES = {name.section: name for name in name_sections(SECTIONS, "tea")}
REFERENCE = (Piece("蒸らし", "#steep"),)
PLACE = Place(kind=TABLE, ordinal=0, row=1)
ROW = Row("何分蒸らす？", "3 分", REFERENCE, PLACE, Detector.HEADER, None)
FOUND = Target(
    section=SectionId("tea#1"),
    heading="蒸らす時間",
    reference="蒸らし",
    href=None,
    match=Match.FUZZY,
    score=0.6,
    runner_up=None,
)
LABEL = Label(ROW, (FOUND,), incomplete=True)
REJECTED = NoLabel(ROW, Reason.AMBIGUOUS, ())


def lookup(article: str) -> list[Known]:
    return SECTIONS if article == "tea" else []


def said(
    ruling: Ruling, *sections: str, rewrite: str = "", note: str = "", judge: str = "佐藤"
) -> Verdict:
    return Verdict(
        rows=(row_key("tea", ROW.question, "蒸らし"),),
        question=ROW.question,
        ruling=ruling,
        judged=(NAMES["tea#1"],),
        sections=tuple(NAMES[s] for s in sections),
        rewrite=rewrite,
        note=note,
        judge=judge,
        at="2026-01-01",
    )


def after(outcome: Label | NoLabel, *verdicts: Verdict) -> Label | NoLabel:
    return VerdictBook(settle(verdicts), lookup).apply(outcome, "tea")


def label(outcome: Label | NoLabel) -> Label:
    assert isinstance(outcome, Label)
    return outcome


def test_a_row_that_nobody_judged_stays_as_it_is() -> None:
    assert VerdictBook(Settlement({}, ()), lookup).apply(LABEL, "tea") is LABEL


def test_the_key_of_a_row_is_its_article_question_and_reference() -> None:
    assert VerdictBook(settle([said(Ruling.NOTHING)]), lookup).apply(LABEL, "coffee") is LABEL


def test_a_confirmed_target_keeps_the_evidence_of_its_rule() -> None:
    found = label(after(LABEL, said(Ruling.RIGHT)))
    assert found.targets == (FOUND,)
    assert found.verdict is not None
    assert (found.verdict.ruling, found.verdict.judges, found.verdict.found) == (
        Ruling.RIGHT,
        ("佐藤",),
        ("tea#1",),
    )


def test_a_section_that_only_the_judge_named_is_manual() -> None:
    found = label(after(LABEL, said(Ruling.OTHER, "tea#2")))
    assert [
        (t.section, t.heading, t.reference, t.href, t.match, t.score) for t in found.targets
    ] == [("tea#2", "茶葉の量", "蒸らし", "#steep", Match.MANUAL, 1.0)]


def test_another_answer_stands_beside_the_one_that_was_found() -> None:
    found = label(after(LABEL, said(Ruling.ALSO, "tea#0")))
    assert [(t.section, t.match) for t in found.targets] == [
        ("tea#1", Match.FUZZY),
        ("tea#0", Match.MANUAL),
    ]


def test_a_judged_label_is_no_longer_incomplete() -> None:
    assert not label(after(LABEL, said(Ruling.RIGHT))).incomplete


def test_a_rejected_row_becomes_a_label_when_a_judge_names_its_section() -> None:
    assert [t.section for t in label(after(REJECTED, said(Ruling.OTHER, "tea#0"))).targets] == [
        "tea#0"
    ]


def test_a_row_without_a_question_needs_one_first() -> None:
    silent = NoLabel(Row("", "", REFERENCE, PLACE, Detector.HEADER, None), Reason.NO_QUESTION, ())
    key = (row_key("tea", "", "蒸らし"),)
    named = said(Ruling.OTHER, "tea#0").model_copy(update={"rows": key})
    assert after(silent, named) is silent
    asked = named.model_copy(update={"rewrite": "緑茶の湯は何度か"})
    assert label(after(silent, asked)).asked == "緑茶の湯は何度か"


def test_a_rewritten_question_is_asked_and_the_old_one_kept() -> None:
    found = label(after(LABEL, said(Ruling.CONTEXT, rewrite="緑茶は何分蒸らす？")))
    assert found.asked == "緑茶は何分蒸らす？"
    assert found.row.question == "何分蒸らす？"
    assert found.verdict is not None
    assert found.verdict.question == "何分蒸らす？"


def test_a_dropped_label_says_who_dropped_it_and_why() -> None:
    found = after(
        LABEL,
        said(Ruling.NOTHING, note="緑茶の話だけ"),
        said(Ruling.NOTHING, judge="鈴木", note="緑茶の話だけ"),
    )
    assert isinstance(found, NoLabel)
    assert found.reason is Reason.DROPPED_BY_VERDICT
    assert found.detail == "no section answers it, said 佐藤, 鈴木: 緑茶の話だけ"
    assert [(c.section, c.score) for c in found.candidates] == [("tea#1", 0.6)]


def test_judges_who_disagree_change_nothing() -> None:
    assert after(LABEL, said(Ruling.NOTHING), said(Ruling.RIGHT, judge="鈴木")) is LABEL


def test_the_books_count_rows_by_ruling_and_name_stale_verdicts() -> None:
    gone = said(Ruling.RIGHT).model_copy(update={"rows": (row_key("tea", "もうない行", ""),)})
    judgements = VerdictBook(settle([said(Ruling.OTHER, "tea#2"), gone]), lookup)
    judgements.apply(LABEL, "tea")
    assert judgements.applied == {"other": 1}
    assert [stale.verdict for stale in judgements.stale()] == [gone]


def test_an_effect_that_is_none_leaves_the_outcome() -> None:
    decision = settle([said(Ruling.UNSURE)]).decisions[row_key("tea", ROW.question, "蒸らし")]
    effect = effect_of(decision, ["tea#1"], lookup)
    assert apply_effect(LABEL, decision, effect, lookup) is LABEL
