"""The number that opens a heading, and that all who ask for it are told the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayami.extract.sections import is_excluded
from hayami.label.similarity import bare, core
from hayami.settings import Settings
from hayami.text.fold import fold, normalise
from hayami.text.numbering import Number
from hayami.text.openings import heading_numbers, read_opening, without_number

OUTSIDE: dict[str, tuple[str, tuple[int | str, ...], str]] = {
    # what stands outside of the name: heading, number, name
    "第三章 まとめ": ("chapter", (3,), "まとめ"),
    "三章 まとめ": ("chapter", (3,), "まとめ"),
    "第3章まとめ": ("chapter", (3,), "まとめ"),
    "【2】まとめ": ("", (2,), "まとめ"),
    "【第2章】まとめ": ("chapter", (2,), "まとめ"),
    "（第二節）まとめ": ("section", (2,), "まとめ"),
    "第２部：まとめ": ("part", (2,), "まとめ"),
    "付録A まとめ": ("appendix", ("a",), "まとめ"),
    "2-1. まとめ": ("", (2, 1), "まとめ"),
    "Chapter 4: Summary": ("chapter", (4,), "summary"),
    "[2] Summary": ("", (2,), "summary"),
    "Section 2.1 - Summary": ("section", (2, 1), "summary"),
    "(Part 2) Summary": ("part", (2,), "summary"),
    "Part II: Summary": ("part", (2,), "summary"),
    "Chapter three: Summary": ("chapter", (3,), "summary"),
    "Appendix B. Summary": ("appendix", ("b",), "summary"),
    "Chapter IV. Summary": ("chapter", (4,), "summary"),
    "IV. Summary": ("", (4,), "summary"),
    "4장: 요약": ("chapter", (4,), "요약"),
    "제3장 요약": ("chapter", (3,), "요약"),
    "제3장요약": ("chapter", (3,), "요약"),
    "【2】요약": ("", (2,), "요약"),
    "(제2절) 요약": ("section", (2,), "요약"),
    "부록 A 요약": ("appendix", ("a",), "요약"),
    "두 번째 절: 요약": ("section", (2,), "요약"),
    "第三章 总结": ("chapter", (3,), "总结"),
    "三章、总结": ("chapter", (3,), "总结"),
    "第3章总结": ("chapter", (3,), "总结"),
    "【2】总结": ("", (2,), "总结"),
    "（第二节）总结": ("section", (2,), "总结"),
    "第2部分：总结": ("part", (2,), "总结"),
    "附录A 总结": ("appendix", ("a",), "总结"),
}
PART_OF_THE_NAME = {
    # a number that the rule `number` knows, though the heading is called by it
    "Step 2: Summary": "step",
    "ステップ2：まとめ": "step",
    "2단계: 요약": "step",
    "步骤二：总结": "step",
    "Fix 2: Summary": "fix",
    "対処2：まとめ": "対処",
    "Section 508 compliance": "section",
    "3 things to know": "plain",
    "② まとめ": "",
    "二、总结": "",
}
NO_NUMBER = [
    "1部屋の広さ",
    "5分でわかる設定",
    "2要素認証",
    "第1章の概要",
    "一部の設定",
    "一番人気",
    "Stepwise refinement",
    "Appendix files",
    "3장의 개요",
    "두 번째 화면",
    "第1目标",
    "一部分用户",
    "vi: the editor",
]


@pytest.mark.parametrize("heading", OUTSIDE)
def test_three_readers_of_a_number_agree(heading: str) -> None:
    unit, parts, name = OUTSIDE[heading]
    assert Number(unit, parts) in heading_numbers(heading)
    assert bare(heading) == core(heading) == without_number(heading) == name
    assert is_excluded(heading, Settings().excluded_headings)


@pytest.mark.parametrize("heading", PART_OF_THE_NAME)
def test_a_number_that_is_part_of_the_name_is_read_and_stays(heading: str) -> None:
    assert heading_numbers(heading)[0].unit == PART_OF_THE_NAME[heading]
    assert without_number(heading) == normalise(heading)
    assert bare(heading) == fold(heading)


@pytest.mark.parametrize(
    "heading",
    [
        "Step 2: Summary",
        "2단계: 요약",
        "步骤二：总结",
        "② まとめ",
        "二、总结",
        "7 まとめ",
        "7まとめ",
    ],
)
def test_a_summary_stays_out_of_the_corpus_whatever_counts_it(heading: str) -> None:
    assert is_excluded(heading, Settings().excluded_headings)


@pytest.mark.parametrize("heading", NO_NUMBER)
def test_what_only_looks_like_a_number_of_a_heading_is_none(heading: str) -> None:
    assert heading_numbers(heading) == ()
    assert without_number(heading) == normalise(heading)


@pytest.mark.parametrize(
    ("heading", "rest"),
    [
        ("第三章 二つ目の方法", "二つ目の方法"),
        ("Chapter two: the second step", "the second step"),
        ("1. 第二章の続き", "第二章の続き"),
        ("第2章 ②の続き", "2の続き"),
    ],
)
def test_other_numbers_of_a_heading_stay_as_they_are_written(heading: str, rest: str) -> None:
    assert read_opening(heading).rest == rest


@pytest.mark.parametrize("heading", ["第3章", "Chapter 4:", "【2】", "4장", "①"])
def test_a_heading_of_a_number_alone_is_called_by_it(heading: str) -> None:
    assert heading_numbers(heading)
    assert without_number(heading) == normalise(heading)


@given(st.text(max_size=30) | st.text(alphabet="第三3章节部Step .:)(【】一ivx①", max_size=12))
def test_any_heading_has_a_name(heading: str) -> None:
    opening = read_opening(heading)
    assert opening.rest or not normalise(heading)
    assert len(opening.numbers) <= 2
    assert bare(heading) or not fold(heading)
