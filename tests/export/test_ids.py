from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayami.export.ids import safe_id, unfit

texts = st.text(min_size=1)
SAFE = re.compile("[A-Za-z0-9_-]+")


def unescaped(name: str) -> str:
    """The id that a safe one of full length stands for."""
    parts = re.split("_([0-9A-F]{2})", name)
    data = [
        bytes([int(part, 16)]) if place % 2 else part.encode() for place, part in enumerate(parts)
    ]
    return b"".join(data).decode()


@given(texts)
def test_a_safe_id_is_plain_ascii_and_gives_the_id_back(name: str) -> None:
    safe = safe_id(name)
    assert SAFE.fullmatch(safe)
    assert unfit(safe, plain=True) == ""
    if "__" not in safe:
        assert unescaped(safe) == name


@given(texts, texts)
def test_different_ids_stay_different(one: str, other: str) -> None:
    assert (safe_id(one) == safe_id(other)) == (one == other)


@given(st.text("あいう", min_size=60), st.text("あいう", min_size=1, max_size=5))
def test_a_long_id_is_cut_to_what_engines_take_and_stays_its_own(name: str, more: str) -> None:
    safe = safe_id(name)
    assert SAFE.fullmatch(safe)
    assert len(safe) == 200
    assert safe != safe_id(name + more)


@given(st.text(min_size=1, max_size=15))
def test_a_cut_id_is_none_that_is_whole(name: str) -> None:
    assert "__" in safe_id("あ" * 100)
    assert "__" not in safe_id(name)


@pytest.mark.parametrize("name", ["guide-t128-2", "q12", "Q-1"])
def test_an_id_that_is_safe_already_stays_as_it_is(name: str) -> None:
    assert safe_id(name) == name


def test_what_is_not_safe_is_spelt_in_hex() -> None:
    assert safe_id("guide/t_1#2") == "guide_2Ft_5F1_232"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "is empty"),
        ("a b#0", "holds white space"),
        ("a\u3000b#0", "holds white space"),
        ("a\x85", "holds white space"),
        ("a\x00b", "holds a control character"),
        ("a\x7fb", "holds a control character"),
        ('"a"#0', 'begins with "'),
        ("#a#0", "begins with #"),
    ],
)
def test_what_lines_of_fields_cannot_hold_has_a_reason(name: str, reason: str) -> None:
    assert unfit(name, plain=True) == reason


@pytest.mark.parametrize("name", ["早見/表#2", "x'y,z;#0", 'a"b#1', "q-001", "é#0"])
def test_japanese_and_inner_quotes_are_held_by_every_format(name: str) -> None:
    assert unfit(name, plain=True) == ""


def test_json_holds_any_id_but_an_empty_one() -> None:
    assert unfit('"a b\t', plain=False) == ""
    assert unfit("", plain=False) == "is empty"
