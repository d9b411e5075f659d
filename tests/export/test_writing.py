from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayami.evalset.records import Section
from hayami.export.writing import as_ascii_json, as_json, one_line, section_text, section_title

utf8 = st.text(st.characters(exclude_categories=["Cs"]))


def section(title: str, heading: str, text: str) -> Section:
    return Section(
        id="a#0",
        article="a",
        ordinal=0,
        title=title,
        heading=heading,
        headings=(),
        level=2,
        anchor="",
        path="a.html",
        text=text,
    )


@given(utf8)
def test_a_field_is_one_line_and_keeps_everything_else(text: str) -> None:
    line = one_line(text)
    assert "\t" not in line
    assert len(line.splitlines()) <= 1
    breaks = set("\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029 ")
    assert [c for c in line if c not in breaks] == [c for c in text if c not in breaks]


def test_a_blank_of_japanese_width_stays() -> None:
    assert one_line("全角\u3000空白\r\n次") == "全角\u3000空白 次"


@given(utf8)
def test_a_line_of_json_is_one_line_for_every_reader_and_reads_back(text: str) -> None:
    for written in (as_json({text: text}), as_ascii_json({text: text})):
        assert len(written.splitlines()) == 1
        assert json.loads(written) == {text: text}


def test_json_for_readers_of_other_encodings_is_ascii() -> None:
    assert as_ascii_json("早見 🦊").isascii()
    assert as_json("早見 🦊") == '"早見 🦊"'


@pytest.mark.parametrize(
    ("title", "heading", "expected"),
    [
        ("題", "見出し", "題 — 見出し"),
        ("題", "", "題"),
        ("", "見出し", "見出し"),
        ("同じ", "同じ", "同じ"),
        ("", "", ""),
    ],
)
def test_a_title_names_article_and_heading_each_once(
    title: str, heading: str, expected: str
) -> None:
    assert section_title(section(title, heading, "本文")) == expected


def test_a_section_as_one_text_begins_with_its_title() -> None:
    assert section_text(section("題", "見出し", "一\n二")) == "題 — 見出し\n一\n二"
    assert section_text(section("題", "", "")) == "題"
    assert section_text(section("", "", "一")) == "一"
