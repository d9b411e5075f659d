"""Reading one article as a whole: a pure function of its path, its bytes and the settings."""

from __future__ import annotations

import copy
import hashlib
import multiprocessing
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.evalset.records import Reason
from hayami.extract.article import read_article
from hayami.parts import Reading, Unreadable, text_of
from hayami.settings import Settings

PAGE = """<!DOCTYPE html>
<html lang="ja">
<head><meta charset="utf-8"><title>腕時計の手入れ｜工房の手引き</title><base href="../"></head>
<body>
<header><a href="/">工房</a></header>
<main>
<h1>腕時計の手入れ</h1>
<p>まず早見表をご覧ください。</p>
<h2>早見表</h2>
<table>
<tr><th>知りたいこと</th><th>答え</th><th>詳しい節</th></tr>
<tr><td>電池の替え方</td><td>裏蓋を開ける</td><td><a href="#battery">電池の交換</a></td></tr>
<tr><td>帯が長い</td><td>駒を抜く</td><td>帯の調整</td></tr>
</table>
<h2 id="battery">電池の交換</h2>
<p>裏蓋を開けて、<em>CR2032</em> を入れます。</p>
<h3>必要な工具</h3>
<p>こじ開け。</p>
<h2>帯の調整</h2>
<p>駒を抜きます。</p>
<h2>まとめ</h2>
<p>年に一度は点検を。</p>
</main>
</body>
</html>
"""


def read(data: bytes, *, views: bool = False, **values: Any) -> Reading | Unreadable:
    return read_article(
        "手引き/時計.html", "手引き/時計", data, Settings.model_validate(values), views=views
    )


def whole() -> Reading:
    reading = read(PAGE.encode())
    assert isinstance(reading, Reading)
    return reading


def test_the_record_of_an_article() -> None:
    assert whole().article.model_dump(mode="json") == {
        "id": "手引き/時計",
        "path": "手引き/時計.html",
        "title": "腕時計の手入れ｜工房の手引き",
        "topic": "腕時計の手入れ",
        "language": "ja",
        "encoding": "utf-8",
        "unit_level": 2,
        "sections": 2,
        "excluded": ["早見表", "まとめ"],
        "tables": 1,
        "rows": 2,
        "warnings": [],
        "sha256": hashlib.sha256(PAGE.encode()).hexdigest(),
    }


def test_the_sections_of_an_article() -> None:
    assert [(section.id, section.heading, section.text) for section in whole().sections] == [
        (
            "手引き/時計#1",
            "電池の交換",
            "裏蓋を開けて、CR2032 を入れます。\n必要な工具\nこじ開け。",
        ),
        ("手引き/時計#2", "帯の調整", "駒を抜きます。"),
    ]


def test_the_rows_of_an_article() -> None:
    assert [
        (row.question, row.answer, text_of(row.reference), row.place.table, row.place.row, row.host)
        for row in whole().rows
    ] == [
        ("電池の替え方", "裏蓋を開ける", "電池の交換", 0, 1, 0),
        ("帯が長い", "駒を抜く", "帯の調整", 0, 2, 0),
    ]


def test_the_outline_of_an_article() -> None:
    outline = whole().outline
    assert (outline.id, outline.path, outline.title) == (
        "手引き/時計",
        "手引き/時計.html",
        "腕時計の手入れ｜工房の手引き",
    )
    assert (outline.base, outline.sections, outline.excluded) == ("../", 4, frozenset({0, 3}))
    assert [(h.text, h.level, h.section, h.unit) for h in outline.headings] == [
        ("腕時計の手入れ", 1, None, False),
        ("早見表", 2, 0, True),
        ("電池の交換", 2, 1, True),
        ("必要な工具", 3, 1, False),
        ("帯の調整", 2, 2, True),
        ("まとめ", 2, 3, True),
    ]
    assert tuple(outline.anchors["battery"]) == (1, 2)


@pytest.mark.parametrize(
    ("data", "values", "reason"),
    [
        (b"", {}, Reason.EMPTY_FILE),
        (b"\n \n", {}, Reason.EMPTY_FILE),
        ("ただの文章。".encode(), {}, Reason.NOT_HTML),
        (b"\x00\x01\x02<p>", {}, Reason.NOT_HTML),
        (b"<p>" + bytes(range(128, 256)) * 10, {}, Reason.UNDECODABLE),
        (b"<p>" + b"a" * 998, {"max_page_bytes": 1_000}, Reason.TOO_LARGE),
    ],
)
def test_a_file_that_gives_no_article_says_why(
    data: bytes, values: dict[str, Any], reason: Reason
) -> None:
    outcome = read(data, **values)
    assert isinstance(outcome, Unreadable)
    assert (outcome.path, outcome.id, outcome.reason) == ("手引き/時計.html", "手引き/時計", reason)
    assert outcome.detail


def test_a_file_of_exactly_the_largest_size_is_read() -> None:
    assert isinstance(read(b"<p>" + b"a" * 997, max_page_bytes=1_000), Reading)


def test_the_name_of_the_file_is_the_title_of_a_page_without_one() -> None:
    reading = read("<p>文".encode())
    assert isinstance(reading, Reading)
    assert (reading.article.title, reading.article.topic) == ("時計", "時計")


def test_warnings_are_part_of_the_record() -> None:
    reading = read(PAGE.replace('lang="ja"', 'lang="en"').encode())
    assert isinstance(reading, Reading)
    assert len(reading.article.warnings) == 1


@pytest.mark.parametrize("codec", ["shift_jis", "euc_jp", "utf-8-sig", "utf-16"])
def test_the_same_page_in_another_encoding_reads_the_same(codec: str) -> None:
    label = {"shift_jis": "shift_jis", "euc_jp": "euc-jp"}.get(codec, "utf-8")
    other = read(PAGE.replace('charset="utf-8"', f'charset="{label}"').encode(codec))
    assert isinstance(other, Reading)
    assert (other.outline, other.sections, other.rows) == (
        whole().outline,
        whole().sections,
        whole().rows,
    )
    assert other.article.warnings == ()


def test_line_ends_of_windows_change_nothing() -> None:
    other = read(PAGE.replace("\n", "\r\n").encode())
    assert isinstance(other, Reading)
    assert (other.outline, other.sections, other.rows) == (
        whole().outline,
        whole().sections,
        whole().rows,
    )


# --- a pure function ------------------------------------------------------------------------------


@pytest.mark.parametrize("views", [False, True])
def test_the_same_input_gives_the_same_reading_and_changes_nothing(views: bool) -> None:  # noqa: FBT001 - a parameter
    data, chosen = PAGE.encode(), Settings()
    before = copy.deepcopy(chosen)
    first = read_article("a.html", "a", data, chosen, views=views)
    assert read_article("a.html", "a", data, chosen, views=views) == first
    assert (data, chosen) == (PAGE.encode(), before)


def test_looking_at_all_tables_changes_nothing_of_the_rest() -> None:
    plain, viewed = whole(), read(PAGE.encode(), views=True)
    assert isinstance(viewed, Reading)
    assert (viewed.article, viewed.outline, viewed.sections, viewed.rows) == (
        plain.article,
        plain.outline,
        plain.sections,
        plain.rows,
    )
    assert (len(plain.tables), len(viewed.tables)) == (0, 1)


def test_another_page_in_between_leaves_no_trace() -> None:
    first = whole()
    read(
        PAGE.replace("知りたいこと", "用事").encode(), question_headers=["用事"], level=3, code=True
    )
    assert whole() == first


@pytest.mark.parametrize("data", [PAGE.encode(), b"", b"\x00"], ids=["page", "empty", "binary"])
def test_an_outcome_survives_pickling(data: bytes) -> None:
    outcome = read(data, views=True)
    assert pickle.loads(pickle.dumps(outcome)) == outcome  # noqa: S301 - our own bytes


def test_a_reading_from_another_process_is_equal() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(read_article, ("a.html", "a", PAGE.encode(), Settings())) == read_article(
            "a.html", "a", PAGE.encode(), Settings()
        )


PARTS = st.sampled_from(
    [
        *(
            "<h1>題</h1>",
            "<h2>電池の交換</h2>",
            "<h3>工具</h3>",
            "<h2>まとめ</h2>",
            '<h2 id="d">帯</h2>',
            "<p>文。",
        ),
        *(
            "<table>",
            "</table>",
            "<tr>",
            "<td>",
            "<th>知りたいこと",
            "<th>答え",
            "<th>節",
            "<td>帯",
            '<a href="#d">帯</a>',
        ),
        *(
            "<pre>code</pre>",
            "<nav>",
            "</nav>",
            "<div hidden>",
            "</div>",
            "<br>",
            "<!--",
            "-->",
            "&#0;",
            "\ufeff",
        ),
    ]
)


@settings(deadline=None, max_examples=120, derandomize=True)
@given(
    parts=st.lists(PARTS, max_size=25),
    level=st.integers(1, 6),
    lead=st.booleans(),
    code=st.booleans(),
)
def test_the_counts_of_any_article_fit_its_parts(
    parts: list[str], level: int, *, lead: bool, code: bool
) -> None:
    outcome = read(
        f"<p>{''.join(parts)}".encode(), level=level, lead=lead, code=code, detect="both"
    )
    assert isinstance(outcome, Reading)
    article, outline = outcome.article, outcome.outline
    assert (article.sections, article.rows) == (len(outcome.sections), len(outcome.rows))
    numbers = [section.ordinal for section in outcome.sections if section.ordinal >= 0]
    assert sorted([*numbers, *outline.excluded]) == list(range(outline.sections))
    assert article.unit_level is None or len(article.excluded) == len(outline.excluded)
    assert len({section.id for section in outcome.sections}) == len(outcome.sections)
    assert all(
        place[0] is None or 0 <= place[0] < outline.sections
        for place in map(tuple, outline.anchors.values())
    )
    assert all(row.host is None or 0 <= row.host < outline.sections for row in outcome.rows)
