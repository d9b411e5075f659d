from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hayami.text.numbering import (
    LONGEST_RANGE,
    STRONG_UNITS,
    Number,
    reference_numbers,
)
from hayami.text.openings import heading_numbers

EXAMPLES = Path(__file__).parent.parent / "examples" / "numbers.txt"
ENTRY = re.compile(
    r"^## (?P<title>.+)\n(?P<kind>reference|heading): (?P<text>.+)\n"
    r"(?:names|carries): (?P<numbers>.+)\n\.$",
    re.MULTILINE,
)


def entries(kind: str) -> dict[str, tuple[str, str]]:
    """The text and the numbers of each entry of one kind by its title."""
    text = EXAMPLES.read_text(encoding="utf-8")
    found = {one["title"]: one for one in ENTRY.finditer(text)}
    assert len(found) == text.count("\n## ") > 0, (
        "an entry is not in the form that the file's head describes"
    )
    return {
        title: (one["text"], one["numbers"]) for title, one in found.items() if one["kind"] == kind
    }


REFERENCES, HEADINGS = entries("reference"), entries("heading")


def shown(numbers: tuple[Number, ...]) -> str:
    return "; ".join(f"{n.unit} {'.'.join(map(str, n.parts))}".strip() for n in numbers) or "-"


@pytest.mark.parametrize(("reference", "expected"), REFERENCES.values(), ids=REFERENCES)
def test_a_reference_names_its_numbers(reference: str, expected: str) -> None:
    assert shown(reference_numbers(reference).items) == expected


@pytest.mark.parametrize(("heading", "expected"), HEADINGS.values(), ids=HEADINGS)
def test_a_heading_carries_its_number(heading: str, expected: str) -> None:
    assert shown(heading_numbers(heading)) == expected


@pytest.mark.parametrize(
    "reference", ["3章", "§2.1", "6~8장, 21장", "chapters 4-6", "附录A", "3.2"]
)
def test_a_reference_of_numbers_alone_names_nothing_by_its_letters(reference: str) -> None:
    assert reference_numbers(reference).only


@pytest.mark.parametrize(
    "reference", ["索引の作り方（3章）", "第2章 索引", "Chapter 4: Indexes", "索引", "", "8장 색인"]
)
def test_a_reference_with_other_words_can_also_be_a_name(reference: str) -> None:
    assert not reference_numbers(reference).only


@pytest.mark.parametrize("reference", ["Fix 2", "Windows 11", "ポート3389", "HTTP 404", "対処2"])
def test_a_word_of_its_own_before_a_number_can_also_be_a_name(reference: str) -> None:
    numbers = reference_numbers(reference)
    assert numbers.items
    assert not numbers.only


def test_other_articles_are_known_by_chapters_and_the_like_but_not_by_steps() -> None:
    assert {"chapter", "section", "part", "appendix", "lesson", "round"} == STRONG_UNITS


def test_numbers_are_compared_as_numbers() -> None:
    assert (
        heading_numbers("第3章 索引")
        == heading_numbers("Chapter 03: Indexes")
        == heading_numbers("３장 색인")
    )
    assert heading_numbers("2.1 索引")[0] != heading_numbers("2.10 索引")[0]
    assert heading_numbers("2.2 索引")[0] < heading_numbers("2.10 索引")[0]


@pytest.mark.parametrize("template", ["{}〜{}章", "{}-{}장", "chapters {} to {}", "第{}～{}章"])
@given(first=st.integers(1, 99), more=st.integers(1, LONGEST_RANGE))
@settings(deadline=None, max_examples=25, derandomize=True)
def test_a_range_is_spelt_out(template: str, first: int, more: int) -> None:
    numbers = reference_numbers(template.format(first, first + more)).items
    assert numbers == tuple(Number("chapter", (n,)) for n in range(first, first + more + 1))


@given(chapter=st.integers(1, 30), first=st.integers(1, 20), more=st.integers(1, 20))
@settings(deadline=None, max_examples=25, derandomize=True)
def test_a_range_of_sections_counts_in_its_last_part(chapter: int, first: int, more: int) -> None:
    numbers = reference_numbers(f"§{chapter}.{first}-{chapter}.{first + more}").items
    assert numbers == tuple(Number("section", (chapter, n)) for n in range(first, first + more + 1))


@given(first=st.integers(1, 99), more=st.integers(LONGEST_RANGE + 1, 900))
@settings(deadline=None, max_examples=25, derandomize=True)
def test_a_range_that_is_too_long_is_its_two_ends(first: int, more: int) -> None:
    numbers = reference_numbers(f"{first}〜{first + more}章").items
    assert numbers == (Number("chapter", (first,)), Number("chapter", (first + more,)))


@given(
    chapters=st.lists(st.integers(1, 999), min_size=1, max_size=6, unique=True),
    mark=st.sampled_from("、·・,/"),
)
@settings(deadline=None, max_examples=50, derandomize=True)
def test_a_list_names_each_of_its_numbers_in_order(chapters: list[int], mark: str) -> None:
    numbers = reference_numbers(mark.join(map(str, chapters)) + "章").items
    assert [number.parts for number in numbers] == [(chapter,) for chapter in chapters]


DIGITS = "一二三四五六七八九"


@given(number=st.integers(1, 99))
@settings(deadline=None, max_examples=60, derandomize=True)
def test_a_number_in_kanji_is_the_number_in_digits(number: int) -> None:
    tens, ones = divmod(number, 10)
    written = ("十" if tens == 1 else f"{DIGITS[tens - 1]}十" if tens else "") + (
        DIGITS[ones - 1] if ones else ""
    )
    assert reference_numbers(f"第{written}章").items == (Number("chapter", (number,)),)


@given(text=st.text(max_size=30) | st.text(alphabet="第章節一二九十〇百①3.〜・と", max_size=10))
@example(text="第一二十章")
@example(text="第十一二章")
@settings(deadline=None, max_examples=300, derandomize=True)
def test_any_text_has_numbers_or_none(text: str) -> None:
    assert all(number.parts for number in (*reference_numbers(text).items, *heading_numbers(text)))
    assert len(heading_numbers(text)) <= 2


@given(number=st.integers(1, 999), unit=st.sampled_from(["章", "節", "장", "절", "节", "部"]))
@settings(deadline=None, max_examples=50, derandomize=True)
def test_a_heading_carries_what_a_reference_to_it_names(number: int, unit: str) -> None:
    assert heading_numbers(f"第{number}{unit} 索引") == reference_numbers(f"{number}{unit}").items


def test_a_text_of_thousands_of_numbers_names_none() -> None:
    assert len(reference_numbers("2章、" * 100).items) == 1
    assert reference_numbers("2章、" * 1_000).items == ()
