from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from hayami.curate.comparing import Difference, Fate, QuestionChange, compare_sets
from hayami.evalset.folder import EvalSet

Build = Callable[..., EvalSet]

SECTIONS = ["湯の温度", "蒸らす時間", "茶葉の量"]
ROWS = [("玉露の湯は何度？", "", "湯の温度"), ("玉露は何分蒸らす？", "", "蒸らす時間")]


@pytest.fixture
def old(build: Build) -> EvalSet:
    return build("old", {"a": (ROWS, SECTIONS)})


def changed(found: Difference) -> list[QuestionChange]:
    return [one for one in found.questions if one.fate is not Fate.STAYED]


def test_equal_sets_carry_every_label(build: Build, old: EvalSet) -> None:
    found = compare_sets(old, build("new", {"a": (ROWS, SECTIONS)}))
    assert changed(found) == []
    assert (found.carried, found.lost, found.gained, found.doubtful, found.kept_ids) == (
        2,
        0,
        0,
        0,
        2,
    )


def test_labels_follow_their_sections_when_these_are_renumbered(build: Build, old: EvalSet) -> None:
    found = compare_sets(old, build("new", {"a": (ROWS, ["序の話", *SECTIONS])}))
    assert changed(found) == []
    assert [one.carried for one in found.questions] == [("a#1",), ("a#2",)]


def test_a_question_that_means_another_section_lost_one_label_and_gained_one(
    build: Build, old: EvalSet
) -> None:
    rows = [ROWS[0], ("玉露は何分蒸らす？", "", "茶葉の量")]
    one = changed(compare_sets(old, build("new", {"a": (rows, SECTIONS)})))[0]
    assert (one.fate, one.lost, one.gained, one.carried) == (
        Fate.RETARGETED,
        ("a#1",),
        ("a#2",),
        (),
    )


def test_a_question_in_other_words_for_the_same_section_was_reworded(
    build: Build, old: EvalSet
) -> None:
    rows = [ROWS[0], ("玉露は何分ほど蒸らす？", "", "蒸らす時間")]
    one = changed(compare_sets(old, build("new", {"a": (rows, SECTIONS)})))[0]
    assert (one.fate, one.was, one.query) == (
        Fate.REWORDED,
        "玉露は何分蒸らす？",
        "玉露は何分ほど蒸らす？",
    )
    assert one.carried == ("a#1",)


def test_a_question_about_something_else_came_and_the_old_one_went(
    build: Build, old: EvalSet
) -> None:
    rows = [ROWS[0], ("水から淹れられる？", "", "蒸らす時間")]
    found = compare_sets(old, build("new", {"a": (rows, SECTIONS)}))
    assert [(one.fate, one.query, one.why) for one in changed(found)] == [
        (Fate.CAME, "水から淹れられる？", ""),
        (Fate.WENT, "玉露は何分蒸らす？", "no row asks it"),
    ]
    assert (found.carried, found.lost, found.gained) == (1, 1, 1)


def test_a_question_whose_row_is_rejected_now_says_the_reason(build: Build, old: EvalSet) -> None:
    found = compare_sets(old, build("new", {"a": (ROWS, ["湯の温度", "急須"])}))
    assert [(one.fate, one.old_qid, one.why) for one in changed(found)] == [
        (Fate.WENT, "q2", "rejected: unmatched")
    ]


def test_a_question_of_a_renamed_file_stays_with_its_section(build: Build, old: EvalSet) -> None:
    found = compare_sets(old, build("new", {"b": (ROWS, SECTIONS)}, {"bの話": "aの話"}))
    assert found.fates[Fate.WENT] == found.fates[Fate.CAME] == 0
    assert [one.carried for one in found.questions] in ([("b#0",), ("b#1",)], [(), ()])


def test_a_label_on_a_rewritten_section_is_to_be_looked_at_again(
    build: Build, old: EvalSet
) -> None:
    edit = {"蒸らす時間について書いた段落。": "ここにはもう別の、もっと詳しい話が書いてある。"}
    found = compare_sets(old, build("new", {"a": (ROWS, SECTIONS)}, edit))
    assert (found.doubtful, [one.rewritten for one in found.questions]) == (1, [(), ("a#1",)])
    assert changed(found) == []


def test_as_json_holds_what_changed_and_counts_the_rest(build: Build, old: EvalSet) -> None:
    found = compare_sets(old, build("new", {"a": (ROWS[:1], SECTIONS)}))
    told = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert told["summary"]["questions"] == {
        "stayed": 1,
        "reworded": 0,
        "retargeted": 0,
        "came": 0,
        "went": 1,
    }
    assert told["summary"]["labels"] == {
        "carried": 1,
        "lost": 1,
        "gained": 0,
        "on_rewritten_sections": 0,
    }
    assert [one["old_qid"] for one in told["questions"]] == ["q2"]
    assert told["sections"] == []
