"""Sheets as CSV, and what spreadsheets and people do to them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hayami
from hayami.audit.items import JUDGED, Item, Kind, item_id
from hayami.audit.sample import Draw, draw_sample
from hayami.audit.sheets import read_sheet, write_sheet
from hayami.audit.spreadsheet import COLUMNS, csv_sheet, read_csv
from hayami.errors import SheetError
from hayami.evalset.names import RowKey, SectionName
from hayami.evalset.records import Ruling

Table = list[list[str]]
FORMULA = "=+-@＝＋－＠"


def make_item(question: str = "何度？", **fields: object) -> Item:
    rows = (RowKey(article="a", question=question, reference="r"),)
    outline = tuple(
        SectionName(section=f"a#{number}", article="a", heading=heading)
        for number, heading in enumerate(["温度", "時間", "a#0 の続き"])
    )
    values: dict[str, object] = {
        "item": item_id(Kind.LABEL, rows),
        "kind": Kind.LABEL,
        "question": question,
        "answer": "30 度",
        "reference": "温度",
        "sections": ("a#0",),
        "stratum": "all",
        "population": 10,
        "drawn": 1,
        "article": "a",
        "topic": "パン",
        "language": "ja",
        "rows": rows,
        "outline": outline,
        "set": "set",
        "set_sha256": "1e3",
    }
    return Item.model_validate(values | fields)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sheet.csv"


def table_of(path: Path) -> Table:
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def save(
    path: Path,
    table: Table,
    *,
    delimiter: str = ",",
    encoding: str = "utf-8-sig",
    end: str = "\r\n",
) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(table)
    path.write_bytes(out.getvalue().encode(encoding))


@pytest.fixture
def fill(path: Path) -> Callable[..., Path]:
    """Writes a sheet of two rows and fills in cells of the second, as a person does."""

    def filled(**cells: str) -> Path:
        write_sheet(path, [make_item(), make_item("パンはどう焼きますか。教えてください")])
        table = table_of(path)
        for name, cell in cells.items():
            table[2][table[0].index(name)] = cell
        save(path, table)
        return path

    return filled


def refused(path: Path) -> SheetError:
    with pytest.raises(SheetError) as caught:
        read_csv(path)
    return caught.value


# --- written --------------------------------------------------------------------------------------


def test_excel_sees_utf_8_and_windows_line_ends(path: Path) -> None:
    write_sheet(path, [make_item()])
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbfitem,kind,question,")
    assert data.endswith(b"\r\n")


def test_a_person_finds_what_to_read_beside_what_to_fill_in(path: Path) -> None:
    write_sheet(path, [make_item()], texts={"a#0": "30 度がよい。", "a#1": "2 時間。"})
    table = table_of(path)
    row = dict(zip(*table, strict=True))
    assert row["label"] == "a#0 温度"
    assert row["section_text"] == "30 度がよい。"
    assert row["article_sections"] == "a#0 温度\na#1 時間\na#2 a#0 の続き"
    assert [row[name] for name in JUDGED] == [""] * 5
    assert table[0].index("verdict") < table[0].index("stratum") < table[0].index("record")


def test_choices_can_be_given(path: Path) -> None:
    write_sheet(path, [make_item()], choices={"a": [("a#7", "ほか")]})
    assert dict(zip(*table_of(path), strict=True))["article_sections"] == "a#7 ほか"


WILD = st.text(
    st.one_of(
        st.sampled_from([*FORMULA, "'", '"', ",", ";", "\n", "\t", " "]),
        st.characters(codec="utf-8"),
    )
)


@given(question=WILD, note=WILD, heading=WILD)
def test_no_cell_is_a_formula_and_everything_is_read_back(
    question: str, note: str, heading: str
) -> None:
    outline = (SectionName(section="a#0", article="a", heading=heading),)
    item = make_item(
        question, note=note, verdict="right", outline=outline, topic=heading, answer=note
    )
    data = csv_sheet([item], {}, {"a#0": note})
    cells = [
        cell
        for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
        for cell in row
    ]
    assert [
        cell
        for cell in cells
        if cell[:1] in {"\t", "\r", "\n"} or cell.lstrip()[:1] in set(FORMULA)
    ] == []
    back = Path("x.csv")
    read = _read(data, back)
    assert read.model_copy(update={"note": ""}) == item.model_copy(update={"note": ""})
    if note.isprintable() and note == note.strip() and not note.startswith("'"):
        assert read.note == note


def _read(data: bytes, path: Path) -> Item:
    class Bytes(type(path)):  # type: ignore[misc]
        def read_bytes(self) -> bytes:
            return data

    return read_csv(Bytes(path))[0][1]


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", " =1+1", "\u3000＝1", "\t=1", "\n=1", "'=1", "''"]
)
def test_a_text_that_looks_like_a_formula_is_a_text(path: Path, text: str) -> None:
    item = make_item(text, note=f"{text}。", verdict="right", answer=text)
    write_sheet(path, [item], texts={"a#0": text})
    row = dict(zip(*table_of(path), strict=True))
    assert {row[name][0] for name in ("question", "answer", "note", "section_text")} == {"'"}
    assert read_sheet(path) == [item.model_copy(update={"note": item.note.strip()})]


@pytest.mark.parametrize(
    "text", ["x" * 40_000, "長" * 40_000, "=" * 40_000, " " * 40_000, "😀" * 40_000, "a\n" * 5_000]
)
def test_no_cell_is_longer_than_a_spreadsheet_takes_and_nothing_is_lost(
    path: Path, text: str
) -> None:
    item = make_item(text, reference=text, topic=text)
    write_sheet(path, [item, make_item()], texts={"a#0": text})
    cells = [cell for row in table_of(path) for cell in row]
    assert max(len(cell.encode("utf-16-le")) // 2 for cell in cells) <= 32_767
    assert max(cell.count("\n") for cell in cells) <= 253
    assert read_sheet(path) == [item, make_item()]


def test_pandas_style_readers_find_the_same_columns_in_every_row(path: Path) -> None:
    write_sheet(path, [make_item(), make_item("長" * 40_000)])
    table = table_of(path)
    assert {len(row) for row in table} == {len(table[0])}
    assert len(table[0]) > len(COLUMNS)
    assert len(set(table[0])) == len(table[0])


# --- what spreadsheets do -------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_spreadsheets_save_is_read(
    fill: Callable[..., Path], delimiter: str, end: str, encoding: str
) -> None:
    path = fill(verdict="right", note="a;b,c\td")
    save(path, table_of(path), delimiter=delimiter, encoding=encoding, end=end)
    read = [item for _, item in read_csv(path)]
    assert [item.verdict for item in read] == [None, Ruling.RIGHT]
    assert read[1].note == "a;b,c\td"


def test_columns_may_be_moved_added_and_written_otherwise(fill: Callable[..., Path]) -> None:
    path = fill(verdict="wrong")
    table = table_of(path)
    turned = [["mine", *reversed(row), ""] for row in table]
    turned[0] = [name.upper().replace("_", " ") for name in turned[0]]
    turned[0][0], turned[1][0] = "Verdict of my boss", "x"
    save(path, [*turned, [""] * len(turned[0]), [], ["", " "]])
    assert [item.verdict for _, item in read_csv(path)] == [None, Ruling.WRONG]


def test_numbers_and_dates_made_of_other_columns_change_nothing(path: Path) -> None:
    item = make_item(
        "1-2", answer="0010", reference="3/4", seed=12345678901234567890, verdict=Ruling.RIGHT
    )
    write_sheet(path, [item])
    table = table_of(path)
    mangled = {
        "question": "1月2日",
        "answer": "10",
        "reference": "43163",
        "seed": "1.23E+19",
        "population": "10.0",
    }
    for name, cell in {**mangled, "set_sha256": "1000"}.items():
        table[1][table[0].index(name)] = cell
    save(path, table)
    assert read_sheet(path) == [item]


@pytest.mark.parametrize(
    "word", ["right", "RIGHT", " Right ", "ｒｉｇｈｔ", "\u3000right", "right\n"]
)
def test_a_verdict_may_be_written_as_keyboards_write_it(
    fill: Callable[..., Path], word: str
) -> None:
    assert read_csv(fill(verdict=word))[1][1].verdict is Ruling.RIGHT


@pytest.mark.parametrize(
    ("cell", "chosen"),
    [
        ("a#1", ["a#1"]),
        ("a#1 a#2", ["a#1", "a#2"]),
        ("a#1, a#2", ["a#1", "a#2"]),
        ("a#1,a#2,", ["a#1", "a#2"]),
        ("a#1、a#2", ["a#1", "a#2"]),
        ("a#1\na#2\n", ["a#1", "a#2"]),
        ("ａ＃１；ａ＃２", ["a#1", "a#2"]),
        ("a#1 a#1", ["a#1"]),
        ("a#1 時間", ["a#1"]),
        ("a#1 時間\na#2 a#0 の続き", ["a#1", "a#2"]),
        ("other/article#3", ["other/article#3"]),
    ],
)
def test_sections_may_be_listed_as_people_list_them(
    fill: Callable[..., Path], cell: str, chosen: list[str]
) -> None:
    assert read_csv(fill(verdict="also", chosen=cell))[1][1].chosen == tuple(chosen)


def test_an_id_with_a_comma_in_it_can_be_chosen(path: Path) -> None:
    name = SectionName(section="パン,ｇ#1", article="パン,ｇ", heading="h")
    write_sheet(path, [make_item(outline=(name,), verdict="also", chosen=("パン,ｇ#1",))])
    assert read_sheet(path)[0].chosen == ("パン,ｇ#1",)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        ({"verdict": "rigth"}, "verdict 'rigth' is none of: right, wrong, also"),
        ({"verdict": "1"}, "verdict '1' is none of"),
        ({"item": "i123456789012"}, "unknown row"),
        ({"item": "1.23E+11"}, "unknown row"),
        ({"item": ""}, "unknown row"),
        ({"record": "{}"}, "unknown row: the cell in column 'record' is damaged"),
        ({"record": ""}, "damaged"),
        ({"record": "#NAME?"}, "damaged"),
        ({"sections": "a#1"}, "the column sections was changed"),
        ({"question": "パンは何度で焼きますか。教えてください"}, "the question was changed"),
    ],
)
def test_nonsense_is_refused_with_file_and_line(
    fill: Callable[..., Path], cells: dict[str, str], what: str
) -> None:
    path = fill(**cells)
    error = refused(path)
    assert what in error.what
    assert error.where == f"{path}:5 (row 3)", (
        "the first row's cell article_sections has three lines"
    )
    assert error.hint


@pytest.mark.parametrize(
    "name", ["item", "verdict", "chosen", "rewrite", "note", "judge", "record", "question", "set"]
)
def test_a_missing_column_is_refused(fill: Callable[..., Path], name: str) -> None:
    path = fill(verdict="right")
    table = table_of(path)
    place = table[0].index(name)
    save(path, [row[:place] + row[place + 1 :] for row in table])
    error = refused(path)
    assert (error.what, error.where) == (f"missing column {name!r}", f"{path}:1")
    assert "verdict, chosen" in error.hint


def test_a_column_must_not_stand_twice(fill: Callable[..., Path]) -> None:
    path = fill()
    save(path, [[*row, "verdict"] for row in table_of(path)])
    assert refused(path).what == "column 'verdict' stands twice"


def test_the_columns_that_are_only_to_read_may_go(fill: Callable[..., Path]) -> None:
    path = fill(verdict="right")
    table = table_of(path)
    places = [
        place
        for place, name in enumerate(table[0])
        if name not in {"label", "section_text", "article_sections"}
    ]
    save(path, [[row[place] for place in places] for row in table])
    assert read_csv(path)[1][1].verdict is Ruling.RIGHT


def test_columns_sorted_without_the_others_are_noticed(fill: Callable[..., Path]) -> None:
    path = fill(verdict="right")
    table = table_of(path)
    place = table[0].index("record")
    table[1][place], table[2][place] = table[2][place], table[1][place]
    save(path, table)
    assert "is not that of the record in its line" in refused(path).what


def test_more_cells_than_columns_are_refused(fill: Callable[..., Path]) -> None:
    path = fill()
    table = table_of(path)
    table[2].append("astray")
    save(path, table)
    assert refused(path).what == f"{len(table[0]) + 1} cells in {len(table[0])} columns"


def test_shift_jis_is_refused_with_what_to_do(fill: Callable[..., Path]) -> None:
    path = fill(note="了解")
    table: Sequence[Sequence[str]] = table_of(path)
    save(path, [list(row) for row in table], encoding="cp932")
    error = refused(path)
    assert "maybe Shift_JIS" in error.what
    assert "CSV UTF-8" in error.hint


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"\xef\xbb\xbf", b"PK\x03\x04\x14\x00", b"a,b\n1,2\n", b"\x00\x00"]
)
def test_what_is_no_sheet_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    error = refused(path)
    assert "missing column 'item'" in error.what or "not CSV" in error.what
    assert error.where == f"{path}:1"


def test_a_quote_without_its_end_is_refused(fill: Callable[..., Path]) -> None:
    path = fill()
    path.write_bytes(path.read_bytes() + b'"open')
    assert "not CSV" in refused(path).what


def test_nothing_of_a_refused_sheet_is_changed(fill: Callable[..., Path]) -> None:
    path = fill(verdict="maybe")
    before = path.read_bytes()
    refused(path)
    assert path.read_bytes() == before


def test_the_whole_sample_goes_through_a_spreadsheet(sample: hayami.Built, path: Path) -> None:
    drawn = draw_sample(hayami.load(sample.folder), path, Draw(n=1_000, rejected=True)).items
    write_sheet(path, drawn)
    save(path, table_of(path), delimiter=";")
    assert read_sheet(path) == list(drawn)
    assert json.loads(drawn[0].model_dump_json())["seed"] == 0
