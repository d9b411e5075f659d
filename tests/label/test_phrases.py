from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.label.phrases import is_placeholder, strip_decorations, without_phrases
from hayami.text.fold import has_word
from hayami.words.languages import every

PLACEHOLDERS = every(lambda language: language.cells.placeholders)
EXAMPLES = Path(__file__).parent.parent / "examples"


def entries(name: str) -> dict[str, list[str]]:
    """The lines of each entry of an example file by its title."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    found = re.findall(r"^## (.+)\n((?:.+\n)+?)\.$", text, re.MULTILINE)
    assert len(dict(found)) == text.count("\n## ") > 0, (
        "an entry is not in the form that the file's head describes"
    )
    return {title: lines.splitlines() for title, lines in found}


DECORATIONS = entries("decorations.txt")


@pytest.mark.parametrize("lines", DECORATIONS.values(), ids=DECORATIONS)
def test_decorations_are_stripped_and_names_are_not(lines: list[str]) -> None:
    reference, name = lines
    assert strip_decorations(reference) == name


@pytest.mark.parametrize("lines", DECORATIONS.values(), ids=DECORATIONS)
def test_stripping_twice_is_stripping_once(lines: list[str]) -> None:
    assert strip_decorations(strip_decorations(lines[0])) == strip_decorations(lines[0])


DECORATED = st.text(
    alphabet="→⇒■・「」『』（）()[]“”\"'《》【】：:。.、,! \u3000"
    "設定の変更を参照確認見る節章読SeethsctionＡ참고절见",
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


# --- placeholders ---------------------------------------------------------------------------------

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
