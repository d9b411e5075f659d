"""A page in sections: where they begin and end, what is left out, what their text is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.extract.article import read_article
from hayami.extract.sections import is_excluded
from hayami.parts import Reading
from hayami.settings import Settings

EXAMPLES = Path(__file__).parents[1] / "examples" / "excluded_headings.txt"
ENTRY = re.compile(
    r"^## (?P<title>.+)\n(?P<fate>left out|stays)\n(?P<headings>(?:(?!\.$|## ).+\n)+)\.$",
    re.MULTILINE,
)
TABLE = (
    "<table><tr><th>知りたいこと<th>答え<th>節<tr><td>電池の替え方<td>裏蓋を開ける<td>電池</table>"
)


def read(html: str, **values: Any) -> Reading:
    reading = read_article("g/a.html", "g/a", html.encode(), Settings.model_validate(values))
    assert isinstance(reading, Reading)
    return reading


def cut(html: str, **values: Any) -> list[tuple[str, str, str]]:
    return [
        (section.id, section.heading, section.text) for section in read(html, **values).sections
    ]


# --- where sections begin and end -----------------------------------------------------------------


def test_a_section_runs_from_its_h2_to_the_next_with_the_deeper_headings_inside() -> None:
    html = "<h1>題</h1><p>序<h2>一</h2><p>い<h3>小</h3><p>ろ<h4>細</h4><h2>二</h2><p>は"
    assert cut(html) == [("g/a#0", "一", "い\n小\nろ\n細"), ("g/a#1", "二", "は")]
    assert [section.headings for section in read(html).sections] == [("小", "細"), ()]


def test_every_field_of_a_section() -> None:
    html = '<title>時計の手入れ｜工房</title><p>序<h2 id="d">電池の交換</h2><p>裏蓋を<b>開け</b>る。<p>戻す。'  # noqa: E501
    (section,) = read(html).sections
    assert section.model_dump() == {
        "id": "g/a#0",
        "article": "g/a",
        "ordinal": 0,
        "title": "時計の手入れ｜工房",
        "heading": "電池の交換",
        "headings": (),
        "level": 2,
        "anchor": "d",
        "path": "g/a.html",
        "text": "裏蓋を開ける。\n戻す。",
    }


@pytest.mark.parametrize(
    ("level", "sections"),
    [
        (1, [("g/a#0", "甲", "一\nい\n小\nろ\n二\nは"), ("g/a#1", "乙", "三\nに")]),
        (2, [("g/a#0", "一", "い\n小\nろ"), ("g/a#1", "二", "は"), ("g/a#2", "三", "に")]),
        (3, [("g/a#0", "小", "ろ")]),
    ],
)
def test_the_unit_level_is_a_setting(level: int, sections: list[tuple[str, str, str]]) -> None:
    html = "<h1>甲</h1><h2>一</h2><p>い<h3>小</h3><p>ろ<h2>二</h2><p>は<h1>乙</h1><h2>三</h2><p>に"
    assert cut(html, level=level) == sections


@pytest.mark.parametrize(
    ("html", "level", "headings"),
    [
        ("<h1>題</h1><h3>一</h3><h4>小</h4><h3>二</h3>", 3, ["一", "二"]),
        ("<h5>一</h5><h6>小</h6><h5>二</h5>", 5, ["一", "二"]),
        ("<h3>先</h3><h2>一</h2><h3>小</h3>", 2, ["一"]),
    ],
)
def test_a_page_without_the_unit_level_is_cut_by_the_next_deeper_one_it_has(
    html: str, level: int, headings: list[str]
) -> None:
    reading = read(html)
    assert reading.article.unit_level == level
    assert [section.heading for section in reading.sections] == headings
    assert {section.level for section in reading.sections} == {level}


@pytest.mark.parametrize(
    "html", ["<title>題</title><p>い<p>ろ", "<title>題</title><h1>大</h1><p>い<p>ろ"]
)
def test_a_page_without_headings_of_any_unit_level_is_one_section_under_its_title(
    html: str,
) -> None:
    reading = read(html)
    assert reading.article.unit_level is None
    assert reading.outline.sections == 1
    (section,) = reading.sections
    assert (section.id, section.heading, section.level, section.anchor) == ("g/a#0", "題", 0, "")
    assert section.text.endswith("い\nろ")


def test_an_h1_in_the_middle_ends_a_section_and_what_follows_it_is_in_none() -> None:
    html = "<h1>甲</h1><h2>一</h2><p>い<h1>乙</h1><p>間<h3>宙</h3><p>浮<h2>二</h2><p>ろ"
    assert cut(html) == [("g/a#0", "一", "い"), ("g/a#1", "二", "ろ")]
    assert [(h.text, h.section, h.unit) for h in read(html).outline.headings] == [
        ("甲", None, False),
        ("一", 0, True),
        ("乙", None, False),
        ("宙", None, False),
        ("二", 1, True),
    ]


def test_a_section_without_text_is_still_a_section() -> None:
    assert cut("<h2>一</h2><h2>二</h2><p>い") == [("g/a#0", "一", ""), ("g/a#1", "二", "い")]


def test_equal_headings_make_sections_of_their_own() -> None:
    assert cut("<h2>例</h2><p>い<h2>例</h2><p>ろ") == [("g/a#0", "例", "い"), ("g/a#1", "例", "ろ")]


def test_the_outline_knows_the_section_and_the_heading_of_every_id() -> None:
    html = '<p id="p">序<h2 id="s">一</h2><p id="q">い<h3 id="t">小</h3><p id="r">ろ<h2>二</h2><p id="u">は'  # noqa: E501
    anchors = read(html).outline.anchors
    assert {name: tuple(place) for name, place in anchors.items()} == {
        "p": (None, None),
        "s": (0, 0),
        "q": (0, 0),
        "t": (0, 1),
        "r": (0, 1),
        "u": (1, 2),
    }


# --- the lead -------------------------------------------------------------------------------------


def test_the_lead_is_out_of_the_corpus_unless_asked_for() -> None:
    html = "<title>題</title><h1>大</h1><p>序<h2>一</h2><p>い"
    assert cut(html) == [("g/a#0", "一", "い")]
    lead = read(html, lead=True).sections[-1]
    assert (lead.id, lead.ordinal, lead.heading, lead.level) == ("g/a#lead", -1, "題", 0)
    assert "序" in lead.text
    assert "い" not in lead.text


def test_a_page_without_a_lead_has_none() -> None:
    assert cut("<h2>一</h2><p>い", lead=True) == [("g/a#0", "一", "い")]


# --- sections that are left out -------------------------------------------------------------------


def entries() -> list[object]:
    text = EXAMPLES.read_text(encoding="utf-8")
    found = list(ENTRY.finditer(text))
    assert len(found) == text.count("\n## "), (
        "an entry is not in the form that the file's head describes"
    )
    return [
        pytest.param(heading, one["fate"], id=f"{one['title']} / {heading}")
        for one in found
        for heading in one["headings"].splitlines()
    ]


@pytest.mark.parametrize(("heading", "fate"), entries())
def test_headings_that_are_left_out_and_headings_that_stay(heading: str, fate: str) -> None:
    assert is_excluded(heading, Settings().excluded_headings) == (fate == "left out")


def test_a_section_that_is_left_out_is_recorded_and_keeps_its_number() -> None:
    html = "<h2>一</h2><p>い<h2>よくある質問</h2><p>ろ<h2>二</h2><p>は<h2>7. まとめ</h2><p>に"
    reading = read(html)
    assert [section.id for section in reading.sections] == ["g/a#0", "g/a#2"]
    assert reading.article.excluded == ("よくある質問", "7. まとめ")
    assert (reading.article.sections, reading.outline.sections) == (2, 4)
    assert reading.outline.excluded == frozenset({1, 3})


def test_the_headings_to_leave_out_are_a_setting() -> None:
    html = "<h2>まとめ</h2><p>い<h2>更新履歴</h2><p>ろ"
    assert cut(html, excluded_headings=["更新履歴"]) == [("g/a#0", "まとめ", "い")]


def test_a_deeper_heading_of_that_name_leaves_nothing_out() -> None:
    assert cut("<h2>一</h2><p>い<h3>まとめ</h3><p>ろ") == [("g/a#0", "一", "い\nまとめ\nろ")]


def test_a_reference_with_headings_of_its_own_is_a_part_of_the_article_and_no_list_of_sources() -> (
    None
):
    html = "<h2>Reference</h2><p>a<h3>Module functions</h3><p>b<h2>3. reference</h2><p>c"
    assert cut(html) == [("g/a#0", "Reference", "a\nModule functions\nb")]


@pytest.mark.parametrize(
    ("excluded", "own"),
    [
        ("目次", "押しボタン"),
        ("よくある質問", "料金はいくらですか"),
        ("FAQ", "How much is it?"),
        ("References", "RFC 9110"),
        ("자주 묻는 질문", "요금은 얼마입니까"),
        ("目录", "一般按键"),
    ],
)
def test_a_heading_that_is_left_out_keeps_nothing_that_has_a_name_of_its_own(
    excluded: str, own: str
) -> None:
    html = f"<h2>{excluded}</h2><p>い<h3>{own}</h3><p>ろ<h4>深い</h4><p>は<h2>次</h2><p>に"
    reading = read(html)
    texts = [(section.id, section.heading, section.text) for section in reading.sections]
    assert texts == [("g/a#1", own, "ろ\n深い\nは"), ("g/a#2", "次", "に")]
    assert reading.article.excluded == (excluded,)


def test_a_deeper_heading_that_is_left_out_too_stays_out() -> None:
    html = "<h2>よくある質問</h2><p>い<h3>料金</h3><p>ろ<h3>関連記事</h3><p>は<h2>次</h2><p>に"
    assert [one[1:] for one in cut(html)] == [("料金", "ろ"), ("次", "に")]


@pytest.mark.parametrize(
    "heading", ["目录", "目次", "FAQ", "関連記事", "목차", "Table of contents"]
)
def test_a_page_whose_only_heading_is_left_out_is_one_section(heading: str) -> None:
    html = f"<title>題</title><h1>題</h1><p>い<h2>{heading}</h2><ul><li>ろ</ul><p>は"
    reading = read(html)
    (section,) = reading.sections
    assert (section.heading, section.level) == ("題", 0)
    assert section.text.endswith("ろ\nは")
    assert (reading.article.unit_level, reading.article.warnings) == (None, ())


def test_text_that_gives_no_section_is_warned_of() -> None:
    rows = "<tr><th>質問<th>参照<tr><td>い？<td>ろ"
    html = f"<h1>題</h1><p>は<h2>早見</h2><table>{rows}</table>"
    reading = read(html)
    assert reading.sections == ()
    assert ["sections: none" in warning for warning in reading.article.warnings] == [True]
    alone = read(f"<h1>題</h1><h2>早見</h2><table>{rows}</table>")
    assert (alone.sections, alone.article.warnings) == ((), ())


# --- quick-reference tables -----------------------------------------------------------------------


def test_a_quick_reference_table_is_in_no_text() -> None:
    html = f"<p>序{TABLE}<h2>一</h2><p>い{TABLE}<p>ろ<h2>電池</h2><p>は"
    assert cut(html) == [("g/a#0", "一", "い\nろ"), ("g/a#1", "電池", "は")]
    assert "電池の替え方" not in read(html, lead=True).sections[-1].text


def test_any_other_table_stays_in_the_text() -> None:
    html = "<h2>一</h2><table><tr><th>型番<th>電池<tr><td>A1<td>CR2032</table>"
    assert cut(html) == [("g/a#0", "一", "型番 電池\nA1 CR2032")]


def test_a_heading_inside_a_quick_reference_table_takes_no_question_into_the_corpus() -> None:
    table = TABLE.replace("<td>電池の替え方", "<td><h3>電池の替え方</h3>")
    (first, second) = read(f"<h2>早見表</h2><p>表です。</p>{table}<h2>電池</h2><p>は").sections
    assert (first.text, first.headings) == ("表です。", ())
    assert (second.text, second.headings) == ("は", ())


@pytest.mark.parametrize("caption", ["", "<caption>表1 早見表</caption>"])
def test_a_section_that_is_nothing_but_the_table_leaves_the_corpus(caption: str) -> None:
    table = TABLE.replace("<table>", f"<table>{caption}")
    reading = read(f"<h2>早見表</h2>{table}<h2>電池</h2><p>は")
    assert [section.id for section in reading.sections] == ["g/a#1"]
    assert reading.article.excluded == ("早見表",)
    assert reading.outline.excluded == frozenset({0})


def test_two_tables_and_nothing_else_leave_the_corpus_too() -> None:
    assert [
        s.id for s in read(f"<h2>早見表</h2>{TABLE}<hr>{TABLE}<h2>電池</h2><p>は").sections
    ] == ["g/a#1"]


@pytest.mark.parametrize("rest", ["<p>表です。", "<h3>小</h3>", "<table><tr><td>別の表</table>"])
def test_a_section_with_anything_beside_the_table_stays(rest: str) -> None:
    reading = read(f"<h2>早見表</h2>{TABLE}{rest}<h2>電池</h2><p>は")
    assert [section.id for section in reading.sections] == ["g/a#0", "g/a#1"]
    assert "電池の替え方" not in reading.sections[0].text


def test_a_page_that_is_nothing_but_the_table_has_nothing_for_the_corpus() -> None:
    assert read(f"<title>早見表</title>{TABLE}").sections == ()


def test_rows_know_the_section_that_their_table_stands_in() -> None:
    html = f"{TABLE}<h2>一</h2>{TABLE}<h3>小</h3>{TABLE}<h2>電池</h2><p>は"
    assert [row.host for row in read(html).rows] == [None, 0, 0]


# --- any page -------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=80, derandomize=True)
@given(
    levels=st.lists(st.integers(0, 6), max_size=12),
    unit=st.integers(1, 6),
)
def test_headings_texts_and_sections_fit_together_whatever_the_levels(
    levels: list[int], unit: int
) -> None:
    parts = [
        f"<h{level}>見出し{n}</h{level}>" if level else f"<p>文{n}</p>"
        for n, level in enumerate(levels)
    ]
    reading = read("<title>題</title><p>序</p>" + "".join(parts), level=unit, lead=True)
    cutting = [level for level in levels if level >= unit]
    assert reading.article.unit_level == min(cutting, default=None)
    opened = [h for h in reading.outline.headings if h.unit]
    assert [h.section for h in opened] == list(range(len(opened)))
    words = "\n".join(f"{s.heading}\n{s.text}" for s in reading.sections).split("\n")
    for number, level in enumerate(levels):
        name = f"見出し{number}" if level else f"文{number}"
        assert words.count(name) <= 1
        if level == reading.article.unit_level:
            assert name in words
