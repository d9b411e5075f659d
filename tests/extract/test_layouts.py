"""Quick-reference tables in other layouts.

Several sets side by side, headers apart, down a column, under spacing.
"""

from __future__ import annotations

import pytest

from hayami.evalset.records import Place
from hayami.extract.article import read_article
from hayami.parts import Reading, text_of
from hayami.settings import Settings

SECTIONS = "<h2>Postage</h2><p>a</p><h2>Days</h2><p>b</p><h2>Telephone</h2><p>c</p>"
POSTAGE = ("Who pays?", "The shop", "Postage")
DAYS = ("How long?", "Eight days", "Days")
CALL = ("When to call?", "At nine", "Telephone")


def read(html: str) -> Reading:
    reading = read_article("a.html", "a", (html + SECTIONS).encode(), Settings())
    assert isinstance(reading, Reading)
    return reading


def rows(html: str) -> list[tuple[str, str, str]]:
    return [(r.question, r.answer, text_of(r.reference)) for r in read(html).rows]


def line(tag: str, *cells: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


HEADERS = [
    ("質問", "答え", "参照"),
    ("Question", "Answer", "See section"),
    ("질문", "답변", "참조"),
    ("问题", "答案", "参考章节"),
]


# --- several sets side by side --------------------------------------------------------------------


@pytest.mark.parametrize("header", HEADERS)
def test_each_set_of_columns_is_a_question_of_its_own(header: tuple[str, ...]) -> None:
    body = line("td", *POSTAGE, *DAYS) + line("td", *CALL, "", "", "")
    assert rows(f"<table>{line('th', *header, *header)}{body}</table>") == [POSTAGE, DAYS, CALL]


def test_a_column_of_numbers_before_each_set_is_no_answer() -> None:
    header = line("td", "No.", "Question", "Section", "No.", "Question", "Section")
    body = line("td", "1", "Who pays?", "Postage", "2", "How long?", "Days")
    assert [row[0] for row in rows(f"<table>{header}{body}</table>")] == ["Who pays?", "How long?"]
    assert [row[2] for row in rows(f"<table>{header}{body}</table>")] == ["Postage", "Days"]


def test_the_reference_may_come_first_in_each_set_and_three_sets_are_three() -> None:
    header = line("th", *("参照", "質問") * 3)
    body = line("td", "Postage", "Who pays?", "Days", "How long?", "Telephone", "When?")
    found = [
        (question, reference) for question, _, reference in rows(f"<table>{header}{body}</table>")
    ]
    assert found == [("Who pays?", "Postage"), ("How long?", "Days"), ("When?", "Telephone")]


def test_several_references_of_one_question_are_one_set() -> None:
    header = line("th", "Question", "Section", "Details")
    (row,) = rows(f"<table>{header}{line('td', 'Who pays?', 'Postage', 'Days')}</table>")
    assert row == ("Who pays?", "", "Postage Days")


def test_the_places_of_a_row_differ_and_only_later_sets_are_recorded_apart() -> None:
    header = ("Question", "Answer", "See section")
    table = f"<table>{line('th', *header, *header)}{line('td', *POSTAGE, *DAYS)}</table>"
    first, second = (row.place for row in read(table).rows)
    assert (first.table, first.row, first.recorded) == (0, 1, None)
    assert second == Place(kind="table", ordinal=0, row=1, column=1)
    assert second.recorded == second


def test_an_empty_reference_of_a_second_set_is_a_row_all_the_same() -> None:
    header = ("Question", "Answer", "See section")
    body = line("td", *POSTAGE, "How long?", "", "")
    table = f"<table>{line('th', *header, *header)}{body}</table>"
    assert rows(table) == [POSTAGE, ("How long?", "", "")]


# --- what stands above the header -----------------------------------------------------------------


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize(
    "above",
    [
        "<tr><td></td><td></td><td></td></tr>",
        "<tr><td colspan=3>Returns</td></tr><tr><td>&nbsp;</td><td></td><td></td></tr>",
        "<tr><td>Version 2</td><td></td><td></td></tr><tr><td colspan=3></td></tr>",
        "<thead><tr><th></th><th></th><th></th></tr></thead>",
        "<tr></tr><tr><td><br></td></tr>",
    ],
)
def test_rows_of_fewer_texts_may_stand_above_the_header(
    header: tuple[str, ...], above: str
) -> None:
    assert rows(f"<table>{above}{line('td', *header)}{line('td', *POSTAGE)}</table>") == [POSTAGE]


def test_words_of_a_header_in_the_middle_of_data_are_none() -> None:
    body = "".join(line("td", f"port {n}", "number", "an integer") for n in range(3))
    assert rows(f"<table>{body}{line('td', '質問', '答え', '参照')}{body}</table>") == []


def test_rows_without_any_text_are_no_rows() -> None:
    header, blank = line("th", *HEADERS[1]), line("td", "", "", "")
    assert rows(f"<table>{header}{blank}{line('td', *POSTAGE)}{blank}</table>") == [POSTAGE]


# --- header and body apart ------------------------------------------------------------------------


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize(
    ("before", "between", "after"),
    [
        ("<div class=el-table><div>", "</div><div>", "</div></div>"),
        ("<div class=dataTables_scrollHead>", "</div><div class=dataTables_scrollBody>", "</div>"),
        ("", "\n", ""),
    ],
)
def test_a_header_alone_is_that_of_the_table_after_it(
    header: tuple[str, ...], before: str, between: str, after: str
) -> None:
    head = f"<table><thead>{line('th', *header)}</thead></table>"
    body = f"<table><tbody>{line('td', *POSTAGE)}{line('td', *DAYS)}</tbody></table>"
    reading = read(f"{before}{head}{between}{body}{after}")
    found = [(r.question, r.answer, text_of(r.reference)) for r in reading.rows]
    assert found == [POSTAGE, DAYS]
    assert [row.place.table for row in reading.rows] == [1, 1]
    assert (reading.article.tables, reading.article.warnings) == (1, ())
    assert "Who pays?" not in "".join(section.text for section in reading.sections)


@pytest.mark.parametrize(
    "between",
    ["<p>Prices</p><table>{}</table>", "<h3>Prices</h3><table>{}</table>", ""],
)
def test_a_header_alone_without_its_body_is_warned_of(between: str) -> None:
    head = f"<table><thead>{line('th', *HEADERS[0])}</thead></table>"
    reading = read(head + between.format(line("td", *POSTAGE)))
    assert reading.rows == ()
    assert ["table 0: the header of" in warning for warning in reading.article.warnings] == [True]


def test_a_table_of_another_width_is_not_the_body_of_a_header() -> None:
    head = f"<table><thead>{line('th', *HEADERS[0])}</thead></table>"
    assert rows(f"{head}<table>{line('td', *map(str, range(6)))}</table>") == []


# --- a header down the first column ---------------------------------------------------------------


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("tag", ["th", "td"])
def test_each_column_beside_a_header_column_is_a_question(
    header: tuple[str, ...], tag: str
) -> None:
    lines = "".join(
        f"<tr><{tag}>{name}</{tag}><td>{one}</td><td>{other}</td></tr>"
        for name, one, other in zip(header, POSTAGE, DAYS, strict=True)
    )
    reading = read(f"<table>{lines}</table>")
    assert [(r.question, r.answer, text_of(r.reference)) for r in reading.rows] == [POSTAGE, DAYS]
    assert [(r.place.row, r.place.column) for r in reading.rows] == [(0, 0), (0, 1)]


def test_one_card_a_question() -> None:
    def card(*cells: str) -> str:
        pairs = zip(HEADERS[1], cells, strict=True)
        lines = "".join(
            f"<tr><th scope=row>{name}</th><td>{cell}</td></tr>" for name, cell in pairs
        )
        return f"<table>{lines}</table>"

    assert rows(card(*POSTAGE) + card(*DAYS)) == [POSTAGE, DAYS]


def test_a_card_of_properties_is_none() -> None:
    lines = "".join(
        f"<tr><th>{name}</th><td>{value}</td></tr>"
        for name, value in {"Default": "4", "Details": "Postage", "Type": "integer"}.items()
    )
    assert rows(f"<table>{lines}</table>") == []


# --- header cells with signs ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        ("[Question]", "Answer", "[Section]"),
        ("【質問】", "答え", "（参照）"),
        ("「질문」", "답변", "〈참조〉"),
        ("问题 ▲", "答案 ▼", "参考章节 ⇅"),
        ("■ Question:", "Answer", "→ Section".removeprefix("→ ")),
        ("<b>Question</b> <span class=sr-only>(sort)</span>", "Answer: ↕", "Section*"),
    ],
)
def test_brackets_and_signs_around_a_header_do_not_hide_it(header: tuple[str, ...]) -> None:
    table = f"<table>{line('th', *header)}{line('td', *POSTAGE)}</table>"
    assert [row[0] for row in rows(table)] == ["Who pays?"]
