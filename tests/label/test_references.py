from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.label.references import (
    Reference,
    cell_references,
    is_placeholder,
    listed_names,
    loose_parts,
    parts_of,
    quoted_parts,
    resolve_link,
    strip_decorations,
    without_phrases,
)
from hayami.parts import Piece
from hayami.text.fold import compact, has_word
from hayami.words.languages import every

EXAMPLES = Path(__file__).parent.parent / "examples"
GENERIC = frozenset(map(compact, every(lambda language: language.cells.generic)))
PLACEHOLDERS = every(lambda language: language.cells.placeholders)


def entries(name: str) -> dict[str, list[str]]:
    """The lines of each entry of an example file by its title."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    found = re.findall(r"^## (.+)\n((?:.+\n)+?)\.$", text, re.MULTILINE)
    assert len(dict(found)) == text.count("\n## ") > 0, (
        "an entry is not in the form that the file's head describes"
    )
    return {title: lines.splitlines() for title, lines in found}


DECORATIONS, PARTS, LINKS = (entries(f"{name}.txt") for name in ("decorations", "parts", "links"))


def cell(written: str) -> list[Piece]:
    """A cell written in Markdown: ``⏎`` is a line break, ``[text](href)`` a link."""
    pieces: list[Piece] = []
    for text, label, href, _ in re.findall(r"([^\[⏎]+)|\[([^\]]*)\]\(([^)]*)\)|(⏎)", written):
        pieces.append(
            Piece(text) if text else Piece(label, href) if label or href else Piece("", breaks=True)
        )
    return pieces


# --- decorations ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", DECORATIONS.values(), ids=DECORATIONS)
def test_decorations_are_stripped_and_names_are_not(lines: list[str]) -> None:
    reference, name = lines
    assert strip_decorations(reference) == name


@pytest.mark.parametrize("lines", DECORATIONS.values(), ids=DECORATIONS)
def test_stripping_twice_is_stripping_once(lines: list[str]) -> None:
    assert strip_decorations(strip_decorations(lines[0])) == strip_decorations(lines[0])


DECORATED = st.text(
    alphabet="→⇒■・「」『』（）()[]“”\"'《》【】：:。.、,! \u3000設定の変更を参照確認見る節章読SeethsctionＡ참고절见",
    max_size=24,
)


@given(text=DECORATED)
@settings(deadline=None, max_examples=400, derandomize=True)
def test_stripping_never_empties_a_text_with_a_word(text: str) -> None:
    assert has_word(strip_decorations(text)) == has_word(text)


@given(text=DECORATED)
@settings(deadline=None, max_examples=200, derandomize=True)
def test_stripping_only_takes_away(text: str) -> None:
    assert strip_decorations(text) in " ".join(text.split())


# --- lists ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", PARTS.values(), ids=PARTS)
def test_a_list_is_cut_into_its_parts_and_a_name_is_not(lines: list[str]) -> None:
    written, *parts = lines
    assert list(parts_of(cell(written))) == (parts if len(parts) > 1 else [])


def test_words_for_and_or_cut_only_where_no_stronger_mark_does() -> None:
    assert parts_of(cell("Settings; logs and certificates")) == (
        "Settings",
        "logs and certificates",
    )
    assert loose_parts("logs and certificates") == ("logs", "certificates")
    assert loose_parts("設定の変更、証明書の更新") == ()


def test_names_in_quotes_are_found_inside_a_sentence() -> None:
    assert quoted_parts("詳しくは「設定の変更」と『証明書の更新』で") == (
        "設定の変更",
        "証明書の更新",
    )
    assert quoted_parts('See “Settings” or "Certificates".') == ("Settings", "Certificates")
    assert quoted_parts("设置请见《修改设置》") == ("修改设置",)
    assert quoted_parts("設定の変更") == ()


@given(
    names=st.lists(
        st.sampled_from(["設定の変更", "TCP/IP", "ログ", "証明書（新）", "Logs"]),
        min_size=2,
        max_size=5,
    )
)
@settings(deadline=None, max_examples=50, derandomize=True)
@pytest.mark.parametrize("separator", ["、", "／", " / ", "・", "⏎", "；"])
def test_a_list_of_names_gives_back_the_names(separator: str, names: list[str]) -> None:
    assert parts_of(cell(separator.join(names))) == tuple(names)


# --- placeholders -----------------------------------------------------------------------------------------------------


NOTHING = [
    "",
    " ",
    "-",
    "―",
    "——",
    "–",
    "…",
    "...",
    "*",
    "/",
    "・",
    "〜",
    "なし",
    "該当なし",
    "特に なし",
    "準備中",
]
NOTHING_ELSEWHERE = ["Ｎ／Ａ", "n/a", "N / A", "None", "TBD", "없음", "해당 없음", "无", "暂无"]


@pytest.mark.parametrize("text", NOTHING + NOTHING_ELSEWHERE)
def test_dashes_and_words_for_nothing_are_placeholders(text: str) -> None:
    assert is_placeholder(text, PLACEHOLDERS)


@pytest.mark.parametrize(
    "text",
    ["はなし", "なしの木", "N/A の意味", "C", "無効化", "-v", "無停電", "无线", "3", "None values"],
)
def test_names_that_only_begin_like_one_are_not(text: str) -> None:
    assert not is_placeholder(text, PLACEHOLDERS)


def test_placeholders_are_settable() -> None:
    assert is_placeholder("後日", ("後日",))
    assert not is_placeholder("なし", ("後日",))


# --- the references of a cell -----------------------------------------------------------------------------------------


def test_a_cell_without_links_is_one_reference() -> None:
    assert cell_references(cell("設定の変更⏎（応用）")) == (Reference("設定の変更 （応用）"),)


def test_an_empty_cell_has_no_reference() -> None:
    assert cell_references([]) == ()
    assert cell_references(cell(" ⏎ ")) == ()


def test_each_link_is_a_reference_of_its_own() -> None:
    assert cell_references(cell("[設定の変更](#a)、[証明書](b.html#c)")) == (
        Reference("設定の変更", "#a"),
        Reference("証明書", "b.html#c"),
    )


def test_a_link_cut_by_markup_is_one_reference() -> None:
    assert cell_references(cell("[設定の](#a)[変更](#a)")) == (Reference("設定の変更", "#a"),)


@pytest.mark.parametrize(
    "href",
    ["javascript:void(0)", "mailto:a@example.com", "tel:0312345678", "#", "", "JavaScript:x"],
)
def test_links_that_lead_nowhere_are_text(href: str) -> None:
    assert cell_references([Piece("設定の変更", href)]) == (Reference("設定の変更"),)


def test_in_a_short_cell_words_beside_the_link_do_not_count() -> None:
    assert cell_references(cell("詳しくは [こちら](#a) を参照"), GENERIC) == (
        Reference("こちら", "#a"),
    )


PROSE = (
    "まず [ファイアウォール](#fw) の規則を一覧で見てから、[待ち受けポート](#port) を確かめ、"
    "それでもつながらないときはログを読む。"
)


def test_in_prose_the_links_of_the_last_sentence_are_meant() -> None:
    assert cell_references(cell(PROSE + "手順は [ログの読み方](#log) か [再起動](#boot)。")) == (
        Reference("ログの読み方", "#log"),
        Reference("再起動", "#boot"),
    )


def test_in_prose_a_link_that_only_says_details_is_meant() -> None:
    assert cell_references(
        cell(PROSE + "[詳細](#detail) の前に [ログ](#log) も読むこと。"), GENERIC
    ) == (Reference("詳細", "#detail"),)


def test_in_prose_a_sentence_may_end_in_any_language() -> None:
    english = "Check the [firewall](#fw) and the list of ports that are open before anything else. See [Logs](#log)."
    assert cell_references(cell(english)) == (Reference("Logs", "#log"),)


def test_prose_of_one_sentence_keeps_all_its_links() -> None:
    assert [reference.href for reference in cell_references(cell(PROSE))] == ["#fw", "#port"]


# --- links ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", LINKS.values(), ids=LINKS)
def test_a_link_leads_where_a_browser_goes(lines: list[str]) -> None:
    given_ = dict(line.split(": ", 1) for line in lines)
    page = given_["page"]
    link = resolve_link(given_["href"], page, given_.get("base", ""))
    file = "" if link.path == page else link.path
    assert (
        "external" if link.external else f"{file}#{link.fragment}".removesuffix("#") or "#"
    ) == given_["goes"]


@given(
    href=st.text(alphabet="ab/.#?%:20é設 &\\[]@", max_size=16),
    base=st.sampled_from(["", "x/", "https://example.com/d/"]),
)
@settings(deadline=None, max_examples=300, derandomize=True)
def test_any_text_is_a_link_that_leads_somewhere_or_outside(href: str, base: str) -> None:
    link = resolve_link(href, "a/b.html", base)
    assert not link.path.startswith("/")
    assert not (link.external and link.path)


# --- lists of whole names -----------------------------------------------------------------------------------------

NAMES = (
    "設定の変更",
    "圧縮と展開",
    "展開",
    "索引",
    "알림끄기",
    "修改设置",
    "wi-fiの設定",
    "buildingtheindex",
)
JOINTS = (
    "、",
    "・",
    " / ",
    "／",
    "と",
    "や",
    " → ",
    "｜",
    " | ",
    "＋",
    " と ",
    "、または",
    "와 ",
    " 和 ",
    " and ",
    "; see also ",
    " ② ",
)


@given(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True), st.data())
def test_names_are_found_whatever_joins_them(names: list[str], data: st.DataObject) -> None:
    text = names[0] + "".join(data.draw(st.sampled_from(JOINTS)) + name for name in names[1:])
    assert listed_names(text, NAMES) == tuple(names)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "設定の変更",
        "設定の変更の索引",
        "設定の変更、保証書",
        "設定の変更索引",
        "索引と見出し語",
        "のと",
        "圧縮と展開",
    ],
)
def test_one_name_or_a_list_with_something_else_is_no_list_of_names(text: str) -> None:
    assert listed_names(text, NAMES) == ()


def test_a_text_that_could_be_cut_in_very_many_ways_is_given_up_at_once() -> None:
    assert listed_names("とと" * 190 + "節", ["とと", "ととと", "とととと"]) == ()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Jump to Building the index", "Building the index"),
        ("More in: Building the index", "Building the index"),
        ("cf. Building the index", "Building the index"),
        ("Chapter 3 - Building the index", "Building the index"),
        ("Building the index (section 2)", "Building the index"),
        ("Building the index for more details", "Building the index"),
        ("`Building the index`", "Building the index"),
        ("③索引の作り方", "索引の作り方"),
        ("三、建立索引", "建立索引"),
        ("Section", "Section"),
        ("Checking the index", "Checking the index"),
        ("Sectioning roots", "Sectioning roots"),
        ("三重の鍵", "三重の鍵"),
    ],
)
def test_phrases_around_a_name(text: str, left: str) -> None:
    assert without_phrases(text) == left


@given(st.text(max_size=40))
def test_a_text_with_a_word_keeps_one(text: str) -> None:
    assert has_word(without_phrases(text)) == has_word(text)
