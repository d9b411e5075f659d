from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.label.lists import listed_names, loose_parts, parts_of, quoted_parts
from hayami.parts import Piece

EXAMPLES = Path(__file__).parent.parent / "examples"


def entries(name: str) -> dict[str, list[str]]:
    """The lines of each entry of an example file by its title."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    found = re.findall(r"^## (.+)\n((?:.+\n)+?)\.$", text, re.MULTILINE)
    assert len(dict(found)) == text.count("\n## ") > 0, (
        "an entry is not in the form that the file's head describes"
    )
    return {title: lines.splitlines() for title, lines in found}


PARTS = entries("parts.txt")


def cell(written: str) -> list[Piece]:
    """A cell written in Markdown: ``⏎`` is a line break, ``[text](href)`` a link."""
    pieces: list[Piece] = []
    for text, label, href, _ in re.findall(r"([^\[⏎]+)|\[([^\]]*)\]\(([^)]*)\)|(⏎)", written):
        pieces.append(
            Piece(text) if text else Piece(label, href) if label or href else Piece("", breaks=True)
        )
    return pieces


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


# --- lists of whole names -------------------------------------------------------------------------

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
