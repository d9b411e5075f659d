from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from hayami.curate.examining import STRICT, Hygiene, Limits, breaches, examine
from hayami.evalset.folder import EvalSet

Build = Callable[..., EvalSet]

SECTIONS = ["湯の温度", "蒸らす時間", "茶葉の量"]
PAGES = {
    "a": (
        [
            ("玉露の湯の温度は何度がよいか", "", "湯の温度"),
            ("玉露の湯の温度は何度がよいか？", "", "湯の温度"),
            ("湯の温度について書いた段落", "", "湯の温度"),
            ("どうする", "", "蒸らす時間"),
        ],
        SECTIONS,
    ),
    "b": ([("どうする", "", "急須の洗い方")], ["急須の洗い方", "茶こしの洗い方"]),
    "c": ((), ["茶筒", "茶箱"]),
}
SAME = "同じことを書いた、どちらにもある長い段落である。"


@pytest.fixture
def found(build: Build) -> Hygiene:
    texts = {
        "aの話": "玉露の湯の話",
        "茶筒について書いた段落。": SAME,
        "茶箱について書いた段落。": SAME + " ",
    }
    return examine(build("tea", PAGES, texts), (3, 10))


def test_equal_questions_are_named(found: Hygiene) -> None:
    assert [(one.text, one.ids) for one in found.duplicates] == [("どうする", ("q4", "q5"))]


def test_near_duplicates_are_named_with_their_likeness(found: Hygiene) -> None:
    assert [(one.qids, one.likeness, one.same_targets) for one in found.near_duplicates] == [
        (("q1", "q2"), 1.0, True)
    ]


def test_near_duplicates_with_other_targets_are_told_apart(build: Build) -> None:
    rows = [
        ("玉露の湯は何度がよいか", "", "湯の温度"),
        ("玉露の湯は何度がよいか？", "", "蒸らす時間"),
    ]
    assert [
        one.same_targets for one in examine(build("x", {"a": (rows, SECTIONS)})).near_duplicates
    ] == [False]


def test_sections_of_one_text_are_named(found: Hygiene) -> None:
    assert [(one.text, one.ids) for one in found.same_texts] == [("茶筒", ("c#0", "c#1"))]


def test_the_overlap_is_a_figure_for_each_query(found: Hygiene) -> None:
    figures = {one.qid: one for one in found.figures}
    assert list(figures) == ["q1", "q2", "q3", "q4", "q5"]
    assert (figures["q3"].overlap, figures["q3"].verbatim) == (1.0, True)
    assert (figures["q1"].overlap, figures["q1"].best_other) == (0.5, 0.0)
    assert figures["q4"].overlap is None
    assert found.verbatim == ("q3",)


def test_shares_are_over_the_questions_that_can_tell(found: Hygiene) -> None:
    assert found.mean_overlap == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert found.lexical == pytest.approx(1 / 3)
    assert found.given_away == 1
    assert found.context_share == 2 / 5


def test_coverage_names_every_article(found: Hygiene) -> None:
    assert [(one.article, one.sections, one.asked, one.queries) for one in found.coverage] == [
        ("a", 3, 2, 4),
        ("b", 2, 1, 1),
        ("c", 2, 0, 0),
    ]
    assert found.per_section == {"a#0": 3, "a#1": 1, "b#0": 1}
    assert found.asked_share == 3 / 7
    assert found.skew == 4 / 5


def test_siblings_are_weighed_at_each_depth_and_gain(found: Hygiene) -> None:
    assert [(one.k, one.gain) for one in found.siblings] == [
        (k, gain) for k in (3, 10) for gain in ("linear", "exponential", "7:1")
    ]


def test_a_set_without_queries_has_figures_too(build: Build) -> None:
    empty = examine(build("x", {"c": ((), ["茶筒"])}))
    figures = (empty.mean_overlap, empty.lexical, empty.given_away, empty.context_share, empty.skew)
    assert (empty.queries, figures) == (0, (0, 0, 0, 0, 0))


def test_as_json_is_strict_json_with_the_summary_first(found: Hygiene) -> None:
    told = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert next(iter(told)) == "summary"
    assert told["summary"]["near_duplicates"] == 1
    assert told["figures"][2] == {
        "qid": "q3",
        "query": "湯の温度について書いた段落",
        "overlap": 1.0,
        "best_other": 0.5,
        "verbatim": True,
    }


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (Limits(duplicates=0), "equal questions: 1, allowed 0"),
        (Limits(near_duplicates=0), "pairs of near duplicates: 1, allowed 0"),
        (Limits(same_texts=0), "repeated section texts: 1, allowed 0"),
        (Limits(verbatim=0), "questions word for word in their target: 1, allowed 0"),
        (Limits(context=0.3), "share of questions that need their article: 0.4, allowed 0.3"),
        (Limits(overlap=0.2), "mean overlap of question and target: 0.6667, allowed 0.2"),
        (Limits(coverage=0.5), "share of sections that are asked for: 0.4286, wanted 0.5"),
    ],
)
def test_a_limit_that_is_not_kept_is_a_sentence(
    found: Hygiene, limits: Limits, sentence: str
) -> None:
    assert breaches(found, limits) == [sentence]


def test_limits_that_are_kept_say_nothing(found: Hygiene) -> None:
    kept = Limits(1, 1, 1, 1, 0.4, 0.67, 0.4)
    assert breaches(found, kept) == []
    assert breaches(found, Limits()) == []
    assert len(breaches(found, STRICT)) == 4
    assert (
        breaches(
            replace(found, duplicates=(), near_duplicates=(), same_texts=(), figures=()), STRICT
        )
        == []
    )
