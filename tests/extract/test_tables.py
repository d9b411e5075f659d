"""Which tables are quick-reference tables, which of their columns is what, and the rows in them."""

from __future__ import annotations

import re
import time
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.evalset.records import Detector
from hayami.extract.article import read_article
from hayami.extract.headers import header_role
from hayami.parts import Reading, TableView, text_of
from hayami.settings import Settings

EXAMPLES = Path(__file__).parents[1] / "examples" / "headers.txt"
ENTRY = re.compile(
    r"^## (?P<title>.+)\n(?P<role>question|answer|reference|none)\n(?P<cells>(?:(?!\.$|## ).+\n)+)\.$",  # noqa: E501
    re.MULTILINE,
)
HEADER = "<tr><th>知りたいこと<th>答え<th>詳しい節"
BATTERY = "<tr><td>電池の替え方<td>裏蓋を開ける<td>電池"
STRAP = "<tr><td>帯の長さ<td>駒を抜く<td>帯"
SECTIONS = '<h2 id="d">電池</h2><p>一<h2 id="o">帯</h2><p>二'


def read(html: str, *, views: bool = False, **values: Any) -> Reading:
    reading = read_article(
        "a.html", "a", html.encode(), Settings.model_validate(values), views=views
    )
    assert isinstance(reading, Reading)
    return reading


def rows(html: str, **values: Any) -> list[tuple[str, str, str]]:
    return [
        (row.question, row.answer, text_of(row.reference))
        for row in read(html + SECTIONS, **values).rows
    ]


def places(html: str, **values: Any) -> list[tuple[str, int | None, int]]:
    return [
        (row.question, row.place.table, row.place.row)
        for row in read(html + SECTIONS, **values).rows
    ]


def view(html: str, **values: Any) -> TableView:
    (found,) = read(html + SECTIONS, views=True, **values).tables
    return found


# --- header words ---------------------------------------------------------------------------------


def entries() -> list[object]:
    text = EXAMPLES.read_text(encoding="utf-8")
    found = list(ENTRY.finditer(text))
    assert len(found) == text.count("\n## "), (
        "an entry is not in the form that the file's head describes"
    )
    return [
        pytest.param(cell, one["role"], id=f"{one['title']} / {cell}")
        for one in found
        for cell in one["cells"].splitlines()
    ]


@pytest.mark.parametrize(("cell", "role"), entries())
def test_a_header_cell_gives_its_column_its_role(cell: str, role: str) -> None:
    assert (header_role(cell, Settings()) or "none") == role


def test_a_text_longer_than_any_header_has_no_role() -> None:
    assert header_role("知りたいこと" + "と" * 54, Settings()) == "question"
    assert header_role("知りたいこと" + "と" * 55, Settings()) == ""
    assert header_role("知りたいこと" * 1_000, Settings()) == ""


def test_header_words_are_settings() -> None:
    html = "<table><tr><th>用事<th>手立て<th>頁<tr><td>電池の替え方<td>裏蓋を開ける<td>電池</table>"
    words = {"question_headers": ["用*"], "answer_headers": ["手立て"], "reference_headers": ["頁"]}
    assert rows(html) == []
    assert rows(html, **words) == [("電池の替え方", "裏蓋を開ける", "電池")]
    assert rows(f"<table>{HEADER}{BATTERY}</table>", **words) == []


# --- the header -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "table",
    [
        f"{HEADER}{BATTERY}",
        "<tr><td>知りたいこと<td>答え<td>詳しい節" + BATTERY,
        f"<thead>{HEADER}</thead><tbody>{BATTERY}</tbody>",
        "<tr><td><b>知りたいこと</b><td><p>答え</p><td><span>詳しい<br>節</span>" + BATTERY,
        f"<caption>早見表</caption><colgroup><col span=3></colgroup>{HEADER}{BATTERY}",
    ],
    ids=["th", "td", "thead", "marked up", "caption"],
)
def test_a_header_row_of_any_make_names_the_columns(table: str) -> None:
    assert rows(f"<table>{table}</table>") == [("電池の替え方", "裏蓋を開ける", "電池")]


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_columns_stand_in_any_order(order: tuple[int, ...]) -> None:
    lines = [["知りたいこと", "答え", "詳しい節"], ["電池の替え方", "裏蓋を開ける", "電池"]]
    table = "".join("<tr>" + "".join(f"<td>{line[n]}" for n in order) for line in lines)
    assert rows(f"<table>{table}</table>") == [("電池の替え方", "裏蓋を開ける", "電池")]


def test_columns_of_no_role_are_passed_over() -> None:
    table = (
        "<tr><th>番号<th>知りたいこと<th>備考<th>答え<th>詳しい節<th>更新日"
        "<tr><td>1<td>電池の替え方<td>要工具<td>裏蓋を開ける<td>電池<td>5月"
    )
    assert rows(f"<table>{table}</table>") == [("電池の替え方", "裏蓋を開ける", "電池")]


def test_a_column_of_unknown_name_beside_the_question_is_the_answer_and_one_before_it_is_not() -> (
    None
):
    assert rows(
        "<table><tr><th>番号<th>知りたいこと<th>まず<th>節<tr><td>1<td>電池の替え方<td>裏蓋<td>電池</table>"
    ) == [("電池の替え方", "裏蓋", "電池")]
    assert rows(
        "<table><tr><th>番号<th>知りたいこと<th>節<tr><td>1<td>電池の替え方<td>電池</table>"
    ) == [("電池の替え方", "", "電池")]


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ("シーン 知りたいこと 答え 節", ("b", "c", "d")),
        ("知りたいこと ケース 答え 節", ("a", "c", "d")),
        ("目的 状況 答え 節", ("a", "c", "d")),
        ("目的 状況 番号 節", ("a", "b", "d")),
        ("症状 まず 備考 節", ("a", "b", "d")),
        ("Symptom Question Answer See", ("b", "c", "d")),
        ("상황 질문 답 절", ("b", "c", "d")),
        ("场景 问题 答案 章节", ("b", "c", "d")),
    ],
)
def test_a_question_in_words_goes_before_a_situation(
    headers: str, expected: tuple[str, str, str]
) -> None:
    head = "".join(f"<th>{header}" for header in headers.split())
    assert rows(f"<table><tr>{head}<tr><td>a<td>b<td>c<td>d</table>") == [expected]


def test_several_reference_columns_are_one_reference_with_a_line_break() -> None:
    (row,) = read(
        '<table><tr><th>知りたいこと<th>章<th>節<tr><td>電池の替え方<td>3章<td><a href="#d">電池</a></table>'  # noqa: E501
        + SECTIONS
    ).rows
    assert [(piece.text, piece.href, piece.breaks) for piece in row.reference] == [
        ("3章", None, False),
        ("", None, True),
        ("電池", "#d", False),
    ]


@pytest.mark.parametrize(
    "header",
    [
        "<tr><th>知りたいこと<th>答え<th>番号",
        "<tr><th>項目<th>答え<th>詳しい節",
        "<tr><th>小節<th>知りたいこと<th>答え",
        "<tr><th>型番<th>電池<th>帯",
    ],
)
def test_a_table_without_a_question_or_a_reference_column_is_none(header: str) -> None:
    reading = read(f"<table>{header}{BATTERY}</table>{SECTIONS}")
    assert (reading.rows, reading.article.tables) == ((), 0)


def test_header_words_in_the_body_make_no_header() -> None:
    found = read(f"<table><tr><th>型番<th>説明<th>備考{BATTERY}{HEADER}{STRAP}</table>{SECTIONS}")
    assert {row.detector for row in found.rows} == {Detector.STRUCTURE}


@pytest.mark.parametrize(
    "title",
    [
        '<tr><th colspan="3">早見表',
        '<tr><td colspan="3">知りたいことから探す',
        "<tr><th>早見表",
        '<tr><th colspan="3">早見表<tr><td colspan="3">版 2',
    ],
)
def test_a_title_row_may_stand_above_the_header(title: str) -> None:
    assert rows(f"<table>{title}{HEADER}{BATTERY}</table>") == [
        ("電池の替え方", "裏蓋を開ける", "電池")
    ]


@pytest.mark.parametrize(
    ("header", "body", "expected"),
    [
        (
            '<tr><th rowspan="2">知りたいこと<th rowspan="2">答え<th colspan="2">参照先<tr><th>節<th>頁',  # noqa: E501
            "<tr><td>電池の替え方<td>裏蓋を開ける<td>電池<td>12",
            ("電池の替え方", "裏蓋を開ける", "電池 12"),
        ),
        (
            '<tr><th rowspan="2">知りたいこと<th colspan="2">まとめ<tr><th>答え<th>節',
            BATTERY,
            ("電池の替え方", "裏蓋を開ける", "電池"),
        ),
        (
            '<tr><th rowspan="2">知りたいこと<th colspan="2">詳細<tr><th>答え<th>節',
            BATTERY,
            ("電池の替え方", "裏蓋を開ける", "電池"),
        ),
        (
            '<tr><th colspan="2">質問と答え<th rowspan="2">節<tr><th>質問<th>答え',
            BATTERY,
            ("電池の替え方", "裏蓋を開ける", "電池"),
        ),
        (
            '<tr><th colspan="2">時計<th rowspan="2">節<tr><th>質問<th>答え',
            BATTERY,
            ("電池の替え方", "裏蓋を開ける", "電池"),
        ),
        (
            '<tr><th colspan="2">時計<th>場所<tr><th>質問<th>答え<th>節',
            BATTERY,
            ("電池の替え方", "裏蓋を開ける", "電池"),
        ),
    ],
)
def test_of_two_header_rows_the_lower_cell_names_the_column(
    header: str, body: str, expected: tuple[str, ...]
) -> None:
    assert rows(f"<table>{header}{body}</table>") == [expected]
    assert rows(f"<table><thead>{header}</thead><tbody>{body}</tbody></table>") == [expected]


def test_a_first_body_row_is_not_taken_for_a_second_header_row() -> None:
    table = f"{HEADER}<tr><td>質問の送り方<td>方法は二つ<td>詳細{BATTERY}"
    assert rows(f"<table>{table}</table>") == [
        ("質問の送り方", "方法は二つ", "詳細"),
        ("電池の替え方", "裏蓋を開ける", "電池"),
    ]


@pytest.mark.parametrize(
    "header",
    [
        '<tr><th>知りたいこと<sup><a href="#n">※1</a></sup><th>答え<th>節<sup><a href="#n">※2</a></sup>',  # noqa: E501
        "<tr><th>知りたいこと<th>答え<th><ruby>節<rt>せつ</rt></ruby>",
        "<tr><th>質問<span hidden>（社内）</span><th>答え<th>節<script>1</script>",
        "<tr><th>What you<br>want to know<th>Short<br>answer<th>See<br>also",
        '<tr><th>質問<img alt="" src="q.png"><th>答え<th><a href="#t">節</a>',
    ],
)
def test_header_cells_are_read_as_a_reader_sees_them(header: str) -> None:
    assert rows(f"<table>{header}{BATTERY}</table>") == [("電池の替え方", "裏蓋を開ける", "電池")]


def test_a_head_that_is_written_after_the_body_is_still_its_head() -> None:
    table = f"<tbody>{BATTERY}{STRAP}</tbody><thead>{HEADER}</thead>"
    assert places(f"<table>{table}</table>") == [("電池の替え方", 0, 0), ("帯の長さ", 0, 1)]


# --- body rows ------------------------------------------------------------------------------------


def test_repeated_headers_are_no_rows() -> None:
    table = f"{HEADER}{BATTERY}{HEADER}{STRAP}<tr><td>知りたい こと<td>要約<td>詳しい節"
    assert places(f"<table>{table}</table>") == [("電池の替え方", 0, 1), ("帯の長さ", 0, 3)]


@pytest.mark.parametrize(
    "note",
    [
        '<tr><td colspan="3">※ 電池は別売りです。',
        '<tr><th colspan="3">手入れ',
        '<tr><td colspan="1000">※ 電池は別売りです。',
        '<tfoot><tr><td colspan="3">※ 電池は別売りです。</tfoot>',
    ],
)
def test_a_row_of_one_cell_over_all_columns_is_a_note(note: str) -> None:
    assert places(f"<table>{HEADER}{BATTERY}{note}<tbody>{STRAP}</table>") == [
        ("電池の替え方", 0, 1),
        ("帯の長さ", 0, 3),
    ]


def test_notes_and_empty_rows_of_a_table_of_two_columns_are_none() -> None:
    table = (
        '<tr><th>知りたいこと<th>節<tr><td colspan="2">手入れ<tr><td>電池の替え方<td>電池'
        '<tr><td><td> <tr><td colspan="2">※'
    )
    assert places(f"<table>{table}</table>") == [("電池の替え方", 0, 2)]


def test_cells_that_span_rows_count_for_each_of_them() -> None:
    table = f'{HEADER}<tr><td>電池の替え方<td>裏蓋を開ける<td rowspan="2">電池<tr><td>電池の種類<td>CR2032'  # noqa: E501
    assert rows(f"<table>{table}</table>") == [
        ("電池の替え方", "裏蓋を開ける", "電池"),
        ("電池の種類", "CR2032", "電池"),
    ]
    table = f'{HEADER}<tr><td rowspan="2">手入れ<td>裏蓋を開ける<td>電池<tr><td>駒を抜く<td>帯'
    assert rows(f"<table>{table}</table>") == [
        ("手入れ", "裏蓋を開ける", "電池"),
        ("手入れ", "駒を抜く", "帯"),
    ]


def test_a_reference_that_spans_to_the_end_of_its_group_ends_there() -> None:
    table = (
        f'<thead>{HEADER}</thead><tbody><tr><td>電池の替え方<td>一<td rowspan="0">電池<tr><td>電池の種類<td>二</tbody>'  # noqa: E501
        "<tbody><tr><td>帯の長さ<td>三</tbody>"
    )
    assert [
        (question, reference) for question, _, reference in rows(f"<table>{table}</table>")
    ] == [
        ("電池の替え方", "電池"),
        ("電池の種類", "電池"),
        ("帯の長さ", ""),
    ]


def test_a_column_of_group_names_shifts_nothing() -> None:
    table = (
        "<tr><th>区分<th>知りたいこと<th>答え<th>節"
        '<tr><td rowspan="2">手入れ<td>電池の替え方<td>一<td>電池<tr><td>帯の長さ<td>二<td>帯'
    )
    assert rows(f"<table>{table}</table>") == [
        ("電池の替え方", "一", "電池"),
        ("帯の長さ", "二", "帯"),
    ]


def test_rows_with_an_empty_question_or_reference_are_kept_to_be_rejected() -> None:
    table = f"{HEADER}<tr><td><td>一<td>電池<tr><td>帯の長さ<td>二<td><tr><td>保証"
    assert rows(f"<table>{table}</table>") == [
        ("", "一", "電池"),
        ("帯の長さ", "二", ""),
        ("保証", "", ""),
    ]


def test_rows_without_a_cell_of_their_own_are_none() -> None:
    table = f'{HEADER}<tr><td rowspan="2">電池の替え方<td rowspan="2">一<td rowspan="2">電池<tr></tr>{STRAP}'  # noqa: E501
    assert places(f"<table>{table}</table>") == [("電池の替え方", 0, 1), ("帯の長さ", 0, 3)]


def test_a_reference_keeps_its_links_and_line_breaks() -> None:
    (row,) = read(
        f'<table>{HEADER}<tr><td>手入れ<td>一<td><a href="#d">電池</a>、<a href="b.html#o">帯</a><br>保証</table>'  # noqa: E501
        + SECTIONS
    ).rows
    assert [(piece.text, piece.href, piece.breaks) for piece in row.reference] == [
        ("電池", "#d", False),
        ("、", None, False),
        ("帯", "b.html#o", False),
        ("", None, True),
        ("保証", None, False),
    ]


def test_questions_and_answers_are_one_line() -> None:
    table = f"{HEADER}<tr><td>電池の<br>替え方<td><ul><li>一<li>二</ul><td>電池"
    assert rows(f"<table>{table}</table>") == [("電池の 替え方", "一 二", "電池")]


# --- where rows stand -----------------------------------------------------------------------------


def test_tables_and_rows_are_counted_in_document_order_with_all_there_are() -> None:
    html = (
        "<nav><table><tr><td>案内</table></nav><table hidden><tr><td>隠</table>"
        f"<table>{HEADER}{BATTERY}<tr hidden><td>隠<td>一<td>電池"
        f'<tr style="display:none"><td>隠<td>二<td>帯{STRAP}</table>'
        f"<table><tr><td>他</table><table>{HEADER}{STRAP}</table>"
    )
    assert places(html) == [("電池の替え方", 2, 1), ("帯の長さ", 2, 4), ("帯の長さ", 4, 1)]


def test_a_quick_reference_table_inside_a_layout_table_is_found_and_counted_after_it() -> None:
    inner = f"<table>{HEADER}{BATTERY}</table>"
    assert places(f"<table><tr><td>左<td>{inner}<td>右</table><table>{HEADER}{STRAP}</table>") == [
        ("電池の替え方", 1, 1),
        ("帯の長さ", 2, 1),
    ]


def test_the_rows_of_a_table_in_a_cell_are_not_rows_of_the_outer_table() -> None:
    table = f"{HEADER}<tr><td>電池の替え方<td>表のとおり<table><tr><td>一<tr><td>二</table><td>電池{STRAP}"  # noqa: E501
    assert places(f"<table>{table}</table>") == [("電池の替え方", 0, 1), ("帯の長さ", 0, 2)]
    assert rows(f"<table>{table}</table>")[0] == ("電池の替え方", "表のとおり 一 二", "電池")


def test_a_table_by_role_is_a_table() -> None:
    def line(role: str, *cells: str) -> str:
        return (
            '<div role="row">'
            + "".join(f'<span role="{role}">{cell}</span>' for cell in cells)
            + "</div>"
        )

    head, body = (
        line("columnheader", "知りたいこと", "答え", "詳しい節"),
        line("cell", "電池の替え方", "一", "電池"),
    )
    for html in (
        f'<div role="table">{head}{body}</div>',
        f'<div role="grid"><div role="rowgroup">{head}</div><div role="rowgroup">{body}</div></div>',  # noqa: E501
    ):
        assert places(html) == [("電池の替え方", 0, 1)]
        assert rows(html) == [("電池の替え方", "一", "電池")]
        assert read(f"<h2>表</h2>{html}{SECTIONS}").article.excluded == ("表",)


@pytest.mark.parametrize("depth", [300, 1_500])
def test_cells_and_tables_by_role_that_nest_deep_are_read(depth: int) -> None:
    deep, end = "<div>" * depth, "</div>" * depth
    assert rows(
        f"<table>{HEADER}<tr><td>{deep}電池の替え方{end}<td>{deep}一{end}<td>{deep}電池{end}</table>"
    ) == [("電池の替え方", "一", "電池")]
    lines = "".join(
        '<div role="row">'
        + "".join(f'<span role="cell">{cell}</span>' for cell in cells)
        + "</div>"
        for cells in (("知りたいこと", "節"), ("電池の替え方", "電池"))
    )
    assert rows(f'<div role="table">{deep}{lines}{end}</div>') == [("電池の替え方", "", "電池")]


def test_an_article_counts_its_tables_and_rows() -> None:
    article = read(
        f"<table>{HEADER}{BATTERY}{STRAP}</table><table><tr><td>他</table><table>{HEADER}</table>{SECTIONS}"
    ).article
    assert (article.tables, article.rows) == (2, 2)


# --- by structure ---------------------------------------------------------------------------------

LINKED = (
    '<tr><td>動かない<td>電池を替える<td><a href="#d">電池</a><tr><td>落ちる<td>帯を締める<td><a href="#o">帯</a>'  # noqa: E501
    '<tr><td>止まる<td>電池を替える<td><a href="#d">交換</a>'
)
NAMED = "<tr><td>動かない<td>電池を替える<td>電池<tr><td>落ちる<td>帯を締める<td>帯<tr><td>止まる<td>温める<td>電池"  # noqa: E501


@pytest.mark.parametrize("body", [LINKED, NAMED], ids=["links", "names"])
@pytest.mark.parametrize(
    "header", ["<tr><th>状況<th>すること<th>読む頁", "<tr><td>状況<td>すること<td>読む頁", ""]
)
def test_a_column_that_leads_to_sections_makes_a_table_if_another_reads_as_needs(
    header: str, body: str
) -> None:
    html = f"<table>{header}{body}</table>"
    for detect in ("header", "both"):
        found = [question for question, _, _ in rows(html, detect=detect)]
        assert found == ["動かない", "落ちる", "止まる"]
    names = (
        html.replace("動かない", "型番 1").replace("落ちる", "型番 2").replace("止まる", "型番 3")
    )
    names = (
        names.replace("電池を替える<", "10<")
        .replace("帯を締める<", "20<")
        .replace("温める<", "30<")
    )
    assert rows(names) == []
    assert rows(html, detect="both")[1] == ("落ちる", "帯を締める", "帯")
    assert {row.detector for row in read(html + SECTIONS, detect="both").rows} == {
        Detector.STRUCTURE
    }


def test_header_words_come_first_even_where_structure_is_asked_for() -> None:
    reading = read(f"<table>{HEADER}{BATTERY}{STRAP}</table>{SECTIONS}", detect="both")
    assert {row.detector for row in reading.rows} == {Detector.HEADER}


@pytest.mark.parametrize(
    "table",
    [
        "<tr><th>引数<th>型<th>意味<tr><td>size<td>int<td>大きさ<tr><td>name<td>str<td>名前",
        '<tr><td>動かない<td><a href="https://a.example/#d">甲</a><tr><td>落ちる<td><a href="https://a.example/#o">乙</a>',
        '<tr><td>動かない<td><a href="#nowhere">甲</a><tr><td>落ちる<td><a href="#nothing">乙</a>',
        '<tr><td>動かない<td><a href="b.html">甲</a><tr><td>落ちる<td><a href="c.html">乙</a>',
        "<tr><td>動かない<td>電池<tr><td>落ちる<td>接着剤<tr><td>止まる<td>油<tr><td>遅れる<td>磁石",
        "<tr><td>動かない<td>電池<tr><td>落ちる<td>帯<tr><td>止まる<td>油<tr><td>遅れる<td>磁石<tr><td>鳴る<td>布",
        "".join(f'<tr><td>{n}日<td><a href="#{name}">次</a>' for n, name in enumerate("doxyz")),
        "<tr><td>動かない<td>電池<tr><td>落ちる<td>帯" + "<tr><td>止まる<td>" * 6,
        "<tr><td>電池<tr><td>帯<tr><td>電池",
        '<tr><th><a href="#d">電圧</a><td>3 V<tr><th><a href="#o">長さ</a><td>18 cm',
    ],
    ids=[
        *(
            "parameters",
            "other sites",
            "no such id",
            "whole pages",
            "one name of four",
            "two names of five",
        ),
        *("two good links of five", "two cells of eight", "one column", "properties"),
    ],
)
def test_lists_that_lead_to_no_sections_are_none_by_structure_either(table: str) -> None:
    assert rows(f"<table>{table}</table>", detect="both") == []


def test_beside_links_to_sections_links_to_pages_count() -> None:
    table = (
        LINKED
        + '<tr><td>鳴る<td>温める<td><a href="b.html">音</a><tr><td>曇る<td>拭く<td><a href="c.html">硝子</a>'  # noqa: E501
    )
    assert len(rows(f"<table>{table}</table>", detect="both")) == 5


def test_the_question_of_a_table_by_structure_is_the_first_column_of_words() -> None:
    table = "".join(
        f"<tr><td>{number}<td>{group}<td>{question}<td>{section}"
        for number, (group, question, section) in enumerate(
            [
                ("手入れ", "動かない", "電池"),
                ("", "落ちる", "帯"),
                ("", "止まる", "電池"),
                ("他", "鳴る", "帯"),
                ("", "曇る", "帯"),
            ]
        )
    )
    assert [question for question, _, _ in rows(f"<table>{table}</table>", detect="both")] == [
        *("動かない", "落ちる", "止まる", "鳴る", "曇る")
    ]


def test_two_header_rows_are_no_body_rows_of_a_table_by_structure_either() -> None:
    head = '<tr><th rowspan="2">状況<th colspan="2">手当て<tr><th>すること<th>読む頁'
    assert [row for _, _, row in places(f"<table>{head}{NAMED}</table>", detect="both")] == [
        2,
        3,
        4,
    ]


def test_a_link_list_of_sections_is_its_own_question() -> None:
    table = '<tr><td><a href="#d">電池の替え方</a><td>一<tr><td><a href="#o">帯の長さ</a><td>二'
    assert rows(f"<table>{table}</table>", detect="both") == [
        ("電池の替え方", "一", "電池の替え方"),
        ("帯の長さ", "二", "帯の長さ"),
    ]


# --- what a person sees of a table ----------------------------------------------------------------


def test_every_table_is_described_only_if_asked_for() -> None:
    html = f"<table>{HEADER}{BATTERY}</table><table><tr><td>他</table>{SECTIONS}"
    assert read(html).tables == ()
    assert [found.index for found in read(html, views=True).tables] == [0, 1]


def test_a_description_names_the_columns_of_a_quick_reference_table() -> None:
    found = view(
        "<table><tr><th>番号<th>知りたいこと<th>答え<th>詳しい節<tr><td>1<td>甲<td>乙<td>電池</table>"
    )
    assert found.columns == ("", "question", "answer", "reference")
    assert found.header == ("番号", "知りたいこと", "答え", "詳しい節")
    assert (found.detector, found.why, found.rows) == (Detector.HEADER, "", 1)


def test_a_description_says_what_another_table_lacks() -> None:
    found = view("<table><tr><th>知りたいこと<th>備考<tr><td>甲<td>乙</table>")
    assert (found.detector, found.columns) == (None, ("question", ""))
    assert "reference" in found.why
    assert "question" not in found.why


@pytest.mark.parametrize(
    "table",
    [
        "<table></table>",
        '<table><tr><td rowspan="65534">い</table>',
        f"<table>{'<td>い' * 500}</table>",
        '<table><tr><td colspan="3">題<tr><th colspan="2">質問<th>備考</table>',
        '<table><tr><th colspan="2">質問<th>備考</table>',
    ],
)
def test_odd_tables_are_described_without_an_error(table: str) -> None:
    assert view(table).detector is None
    assert view(table).why


def test_a_table_whose_spans_are_beyond_any_real_one_is_passed_over() -> None:
    table = f"<table>{HEADER}{BATTERY}" + '<tr><td rowspan="65534">い</tr>' * 700 + "</table>"
    reading = read(table + SECTIONS)
    assert (reading.rows, reading.article.tables, len(reading.article.warnings)) == ((), 0, 1)
    assert (view(table).detector, view(table).columns) == (None, ())
    assert view(table).why
    other = table.replace("知りたいこと", "型番")
    assert read(other + SECTIONS).article.warnings == ()


def test_layouts_of_nested_tables_cost_little() -> None:
    table = "<table><tr><td>外" * 150 + f"<table>{HEADER}{BATTERY}</table>" + "</table>" * 150
    began = time.perf_counter()
    assert places(table, detect="both") == [("電池の替え方", 150, 1)]
    assert len(read(table, views=True).tables) == 151
    assert time.perf_counter() - began < 3


def test_a_quick_reference_table_in_a_layout_of_many_tables_is_found() -> None:
    cells = "<td><table><tr><td>他</table>" * 25
    assert places(f"<table><tr>{cells}<td><table>{HEADER}{BATTERY}</table></table>") == [
        ("電池の替え方", 26, 1)
    ]


# --- any table ------------------------------------------------------------------------------------

CELL = st.builds(
    '<{} rowspan="{}" colspan="{}">{}'.format,
    st.sampled_from(["td", "th"]),
    st.sampled_from([0, 1, 1, 1, 2, 65534]),
    st.sampled_from([1, 1, 1, 2, 3, 1000]),
    st.sampled_from(
        [
            "",
            "知りたいこと",
            "答え",
            "節",
            "電池",
            '<a href="#d">電池</a>',
            "3章",
            "<table><tr><td>内</table>",
        ]
    ),
)


@settings(deadline=None, max_examples=150, derandomize=True)
@given(
    table=st.lists(st.lists(CELL, max_size=5).map("".join), max_size=6),
    detect=st.sampled_from(["header", "both"]),
)
def test_no_table_raises_and_each_row_stands_once_at_a_row_of_its_table(
    table: list[str], detect: str
) -> None:
    html = "<table>" + "".join(f"<tr>{line}</tr>" for line in table) + "</table>" + SECTIONS
    reading = read(html, detect=detect, views=True)
    places = [row.place for row in reading.rows if row.place.table == 0]
    own = [(place.row, place.column) for place in places]
    assert own == sorted(set(own))
    assert all(0 <= row < len(table) for row, _ in own)
    assert reading.article.rows == len(reading.rows)
    assert read(html, detect=detect).rows == reading.rows


def test_the_tables_of_one_page_are_read_until_they_cost_too_much_and_the_rest_is_named() -> None:
    table = f"<table>{HEADER}<tr><td>電池の替え方<td>{'x' * 450_000}<td>電池</table>"
    reading = read(table * 4 + SECTIONS)
    assert [row.place.table for row in reading.rows] == [0, 1, 2]
    assert reading.article.warnings == (
        "table 3: larger than any real quick-reference table, and not read",
    )


# --- tables outside of the article ----------------------------------------------------------------

NOT_READ = (
    "table 0: like a quick-reference table, but in what is not the article (nav, aside): not read",
)


@pytest.mark.parametrize(
    "around", ["<aside>{}</aside>", "<footer>{}</footer>", '<div role="complementary">{}</div>']
)
def test_a_quick_reference_table_beside_the_article_is_not_read_but_named(around: str) -> None:
    found = read(around.format(f"<table>{HEADER}{BATTERY}</table>") + SECTIONS)
    assert (found.rows, found.article.warnings) == ((), NOT_READ)


@pytest.mark.parametrize(
    "around",
    [
        "<div hidden>{}</div>",
        '<aside style="display: none">{}</aside>',
        '<p class="sr-only">{}',
        "<svg>{}",
    ],
)
def test_a_table_that_no_reader_sees_is_not_worth_a_word(around: str) -> None:
    assert (
        read(around.format(f"<table>{HEADER}{BATTERY}</table>") + SECTIONS).article.warnings == ()
    )


def test_other_tables_beside_the_article_are_not_worth_a_word() -> None:
    assert (
        read(
            f"<nav><table><tr><th>前<th>次<tr><td>一<td>二</table></nav>{SECTIONS}"
        ).article.warnings
        == ()
    )
