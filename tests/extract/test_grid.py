"""Tables as grids, by the table model of the HTML standard, and the text of a cell."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from bs4 import Tag
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.extract.cells import cell_pieces
from hayami.extract.grid import Grid, form_grid, read_table
from hayami.parts import text_of

EXAMPLES = Path(__file__).parents[1] / "examples" / "grids.txt"
ENTRY = re.compile(
    r"^## (?P<title>.+)\n(?P<html>(?:(?!->$|\.$|## ).+\n)+)->\n(?P<grid>(?:(?!\.$).+\n)+)\.$",
    re.MULTILINE,
)


def table_of(rows: str) -> Tag:
    table = read_table(f"<table>{rows}</table>")
    assert table is not None
    return table


def grid_of(rows: str) -> Grid:
    grid = form_grid(table_of(rows))
    assert grid is not None
    return grid


def entries() -> list[object]:
    text = EXAMPLES.read_text(encoding="utf-8")
    found = list(ENTRY.finditer(text))
    assert len(found) == text.count("\n## "), (
        "an entry is not in the form that the file's head describes"
    )
    return [pytest.param(one["html"], one["grid"].splitlines(), id=one["title"]) for one in found]


def drawn(grid: Grid) -> list[str]:
    lines = []
    for row in range(len(grid.rows)):
        if row and grid.groups[row] != grid.groups[row - 1]:
            lines.append("=")
        cells = [grid.at(row, column) for column in range(grid.width)]
        words = ["-" if c is None else c.element.get_text().strip() + "*" * c.header for c in cells]
        lines.append(" ".join(words))
    return lines


@pytest.mark.parametrize(("html", "expected"), entries())
def test_a_table_forms_the_grid_that_is_drawn(html: str, expected: list[str]) -> None:
    assert drawn(grid_of(html)) == expected


def test_a_cell_knows_where_it_begins_and_how_far_it_reaches() -> None:
    grid = grid_of('<tr><td>い</td><td rowspan="2" colspan="3">ろ</td></tr><tr><td>は</td></tr>')
    cell = grid.at(1, 2)
    assert cell is not None
    assert (cell.row, cell.column, cell.rowspan, cell.colspan, cell.header) == (0, 1, 2, 3, False)
    assert [[c.element.get_text() for c in row] for row in grid.rows] == [
        ["い", "ろ"],
        ["は", "ろ"],
    ]
    assert grid.at(0, 4) is None


@pytest.mark.parametrize("rows", ["", "<caption>題</caption>", "<tbody></tbody>", "文字だけ"])
def test_a_table_without_rows_forms_an_empty_grid(rows: str) -> None:
    grid = grid_of(rows)
    assert (grid.rows, grid.width) == ((), 0)


def test_no_table_is_read_from_text_alone() -> None:
    assert read_table("文字だけ") is None


def test_as_it_is_shown_a_table_has_its_heads_first_and_its_feet_last() -> None:
    table = table_of(
        "<tfoot><tr><td>い</td></tr></tfoot><tbody><tr><td>ろ</td></tr><tr><td>は</td></tr></tbody>"
        "<thead><tr><td>に</td></tr></thead><tbody><tr><td>ほ</td></tr></tbody>"
    )
    grid = form_grid(table, heads_first=True)
    assert grid is not None
    assert drawn(grid) == ["に*", "=", "ろ", "は", "=", "ほ", "=", "い"]


# --- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attribute", "colspan", "rowspan"),
    [
        ('colspan="1000"', 1000, 1),
        ('colspan="1001"', 1000, 1),
        ('colspan="99999999999999999999"', 1000, 1),
        ('rowspan="65534"', 1, 65534),
        ('rowspan="65535"', 1, 65534),
        ('rowspan="99999999999999999999"', 1, 65534),
    ],
)
def test_spans_are_clamped_to_the_limits_of_the_standard(
    attribute: str, colspan: int, rowspan: int
) -> None:
    cell = grid_of(f"<tr><td {attribute}>い</td></tr>").rows[0][0]
    assert (cell.colspan, cell.rowspan) == (colspan, rowspan)


def test_a_cell_that_spans_everything_costs_a_slot_a_row() -> None:
    grid = grid_of(
        '<tr><td rowspan="65534" colspan="65534">い</td><td>ろ</td></tr><tr><td>は</td></tr>'
    )
    assert [len(row) for row in grid.rows] == [2, 2]
    assert grid.width == 1001
    last = grid.at(1, 1000)
    assert last is not None
    assert last.element.get_text() == "は"


@pytest.mark.parametrize(
    "rows",
    [
        '<tr><td rowspan="65534" colspan="65534">い</td></tr>' * 1_500,
        "<tr>" + '<td rowspan="0">い</td>' * 300 + "</tr>" + "<tr></tr>" * 1_500,
    ],
    ids=["a growing cell in each row", "three hundred growing cells"],
)
def test_a_table_whose_spans_are_beyond_any_real_one_is_given_up_early(rows: str) -> None:
    table = table_of(rows)
    began = time.perf_counter()
    assert form_grid(table) is None
    assert time.perf_counter() - began < 3


def test_a_long_table_without_tricks_is_not_given_up() -> None:
    assert len(grid_of("<tr><td>い</td><td>ろ</td><td>は</td></tr>" * 1_000).rows) == 1_000


# --- any table ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drawn:
    """A cell as it is written: its tag and spans. Its text is its number in the table."""

    tag: str
    rowspan: int
    colspan: int


ROWS = st.lists(
    st.lists(
        st.builds(Drawn, st.sampled_from(["td", "th"]), st.integers(0, 4), st.integers(0, 4)),
        max_size=4,
    ),
    max_size=5,
)
GROUPS = st.lists(st.tuples(st.sampled_from(["thead", "tbody", "tfoot", "div"]), ROWS), max_size=4)
Groups = list[tuple[str, list[list[Drawn]]]]


def written(groups: Groups) -> str:
    """The groups as HTML; the rows of a ``div`` stand without a group of their own."""
    html, number = "", 0
    for name, rows in groups:
        html += f"<{name}>" if name != "div" else ""
        for row in rows:
            html += "<tr>"
            for cell in row:
                html += f'<{cell.tag} rowspan="{cell.rowspan}" colspan="{cell.colspan}">{number}</{cell.tag}>'  # noqa: E501
                number += 1
            html += "</tr>"
        html += f"</{name}>" if name != "div" else ""
    return html


class Standard:
    """The standard's algorithm for forming a table, step by step, on a dense matrix.

    Its names are the standard's.
    """

    def __init__(self, groups: Groups) -> None:
        self.slots: dict[tuple[int, int], list[int]] = {}
        self.width = self.height = self.current = self.cells = 0
        self.lines: list[int] = []
        self.growing: list[tuple[int, range]] = []
        before = ""
        for name, rows in groups:
            if name != "div" or before != "div":
                self.end_row_group()
            for row in rows:
                self.process_row(row)
            before = name if name != "div" or rows else before

    def end_row_group(self) -> None:
        self.current = self.height
        self.growing = []

    def process_row(self, row: list[Drawn]) -> None:
        self.height = max(self.height, self.current + 1)
        for number, columns in self.growing:
            self.assign(number, columns, range(self.current, self.current + 1))
        x = 0
        for cell in row:
            while x < self.width and (x, self.current) in self.slots:
                x += 1
            columns = range(x, x + max(1, cell.colspan))
            lines = range(self.current, self.current + max(1, cell.rowspan))
            self.width, self.height = max(self.width, columns.stop), max(self.height, lines.stop)
            self.assign(self.cells, columns, lines)
            if cell.rowspan == 0:
                self.growing.append((self.cells, columns))
            self.cells += 1
            x = columns.stop
        self.lines.append(self.current)
        self.current += 1

    def assign(self, number: int, columns: range, lines: range) -> None:
        for x in columns:
            for y in lines:
                self.slots.setdefault((x, y), []).append(number)

    def row(self, number: int) -> dict[int, list[int]]:
        """The cells in each column of a row, in document order."""
        y = self.lines[number]
        return {x: sorted(self.slots[x, y]) for x in range(self.width) if (x, y) in self.slots}


@settings(deadline=None, max_examples=150, derandomize=True)
@given(GROUPS)
def test_small_tables_form_the_grid_of_the_standards_algorithm(groups: Groups) -> None:
    grid = grid_of(written(groups))
    standard = Standard(groups)
    assert grid.width == standard.width
    assert len(grid.rows) == len(standard.lines)
    for row in range(len(grid.rows)):
        expected = standard.row(row)
        covered: dict[int, list[int]] = {}
        for cell in grid.rows[row]:
            for column in range(cell.column, cell.column + cell.colspan):
                covered.setdefault(column, []).append(int(cell.element.get_text()))
        assert {column: sorted(cells) for column, cells in covered.items()} == expected
        for column in range(grid.width):
            cell_at = grid.at(row, column)
            first = None if cell_at is None else int(cell_at.element.get_text())
            assert first == min(expected.get(column, ()), default=None)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(GROUPS)
def test_rows_keep_their_order_and_cells_stand_from_left_to_right(groups: Groups) -> None:
    grid = grid_of(written(groups))
    assert len(grid.groups) == len(grid.rows)
    assert all(before <= after for before, after in pairwise(grid.groups))
    for row in grid.rows:
        assert all(before.column <= after.column for before, after in pairwise(row))
        assert all(1 <= cell.column + cell.colspan <= grid.width for cell in row)
    begun = [
        int(cell.element.get_text())
        for n, row in enumerate(grid.rows)
        for cell in row
        if cell.row == n
    ]
    assert sorted(begun) == list(range(sum(len(row) for _, rows in groups for row in rows)))


SPAN = st.sampled_from(
    [
        "0",
        "1",
        "2",
        "7",
        "1000",
        "65534",
        "65535",
        "-1",
        "",
        "x",
        "1e3",
        "9" * 40,
        "٣",
        "\U0001d7d8",
    ]
)
TAG = st.sampled_from(
    ["<table>", "</table>", "<tr>", "</tr>", "<tbody>", "</tbody>", "<thead>", "<p>", "</td>", "文"]
)


@settings(deadline=None, max_examples=150, derandomize=True)
@given(st.lists(TAG | st.builds('<td rowspan="{}" colspan="{}">'.format, SPAN, SPAN), max_size=25))
def test_no_table_whatever_raises_and_its_width_is_bounded(parts: list[str]) -> None:
    grid = grid_of("".join(parts))
    assert grid.width <= 1000 * sum(part.startswith("<td") for part in parts)
    for number, row in enumerate(grid.rows):
        for cell in row:
            assert grid.at(number, cell.column) is not None
            assert grid.at(number, cell.column + cell.colspan - 1) is not None


# --- cells ----------------------------------------------------------------------------------------


def pieces(html: str) -> list[tuple[str, str | None] | str]:
    """Text and link of each run of a cell; a line break is ``/``."""
    cell = grid_of(f"<tr><td>{html}</td></tr>").rows[0][0].element
    return ["/" if piece.breaks else (piece.text, piece.href) for piece in cell_pieces(cell)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("設定", [("設定", None)]),
        ("", []),
        (" \n ", []),
        ("設定<b>の</b>手順", [("設定の手順", None)]),
        ("設定 <b>の</b>\n 手順", [("設定 の 手順", None)]),
        ("一<br>二", [("一", None), "/", ("二", None)]),
        ("<br><br>一<br><br>二<br>", [("一", None), "/", ("二", None)]),
        ("<p>一</p><p>二</p>", [("一", None), "/", ("二", None)]),
        ("<ul><li>一</li><li>二</li></ul>", [("一", None), "/", ("二", None)]),
        ("一<div>二</div>三", [("一", None), "/", ("二", None), "/", ("三", None)]),
        ('<a href="#s">設定</a>', [("設定", "#s")]),
        ('<a href=" #s ">設<b>定</b></a>', [("設定", "#s")]),
        (
            '<a href="#s">設定</a>、<a href="b.html#t">手順</a>',
            [("設定", "#s"), ("、", None), ("手順", "b.html#t")],
        ),
        ('<a href="#s">設定</a><a href="#t">手順</a>', [("設定", "#s"), ("手順", "#t")]),
        ('設定 <a href="#s">手順</a> を見る', [("設定 ", None), ("手順", "#s"), (" を見る", None)]),
        (
            '<a href="#s">設定</a>\n<a href="#t">手順</a> ',
            [("設定", "#s"), (" ", None), ("手順", "#t")],
        ),
        ('<p>一</p> <p> <a href="#s">二</a> </p>', [("一", None), "/", ("二", "#s")]),
        ('<a href="#s">一<br>二</a>', [("一", "#s"), "/", ("二", "#s")]),
        ('<p><a href="#s">一</a></p><p>二</p>', [("一", "#s"), "/", ("二", None)]),
        ('<a name="s">設定</a>', [("設定", None)]),
        ('<a href="#s"><img alt="設定" src="a.png"></a>', [("設定", "#s")]),
        (
            '前<a href="#s"><img alt="設定" src="a.png"></a>後',
            [("前", None), ("設定", "#s"), ("後", None)],
        ),
        ('<img alt="歯車" src="a.png">設定', [("設定", None)]),
        ("設定<!-- 注 -->の手順", [("設定の手順", None)]),
        (
            "前<table><tr><td>一</td><td>二</td></tr></table>後",
            [("前", None), "/", ("一", None), "/", ("二", None), "/", ("後", None)],
        ),
    ],
)
def test_the_text_of_a_cell_in_runs_with_links_and_breaks(
    html: str, expected: list[object]
) -> None:
    assert pieces(html) == expected


@pytest.mark.parametrize("tag", ["div", "span", "b", "ul", "p"])
def test_a_cell_is_read_however_deep_it_nests(tag: str) -> None:
    assert pieces(f"前<{tag}>" * 1_500 + "文" + f"</{tag}>" * 1_500)[-1] == (
        ("文", None) if tag in {"div", "ul", "p"} else ("前" * 1_500 + "文", None)
    )


def test_equal_blocks_in_a_cell_are_two() -> None:
    assert pieces("<p>一</p><p>一</p>") == [("一", None), "/", ("一", None)]
    assert pieces('<p><a href="#s">一</a></p>二<p><a href="#s">一</a></p>') == [
        ("一", "#s"),
        "/",
        ("二", None),
        "/",
        ("一", "#s"),
    ]


@pytest.mark.parametrize(
    "tag",
    [
        *(
            "p",
            "div",
            "ul",
            "ol",
            "li",
            "dl",
            "dt",
            "dd",
            "pre",
            "blockquote",
            "section",
            "article",
            "figure",
        ),
        *(
            "figcaption",
            "address",
            "details",
            "summary",
            "center",
            "fieldset",
            "form",
            "header",
            "h2",
            "h3",
            "main",
        ),
    ],
)
def test_the_blocks_that_separate_words_on_a_page_separate_them_in_a_cell(tag: str) -> None:
    cell = grid_of(f"<tr><td>前<{tag}>中</{tag}>後</td></tr>").rows[0][0].element
    assert text_of(cell_pieces(cell)) == "前 中 後"


@pytest.mark.parametrize(
    "tag", ["a", "b", "code", "em", "i", "kbd", "mark", "q", "small", "span", "strong", "u"]
)
def test_inline_elements_do_not_separate_words_in_a_cell(tag: str) -> None:
    cell = grid_of(f"<tr><td>前<{tag}>中</{tag}>後</td></tr>").rows[0][0].element
    assert text_of(cell_pieces(cell)) == "前中後"
