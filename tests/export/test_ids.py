from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayami.export.ids import ascii_id, unfit

texts = st.text(min_size=1)


@given(texts)
def test_a_safe_id_is_plain_ascii_and_gives_the_id_back(name: str) -> None:
    safe = ascii_id(name)
    assert safe.isascii()
    assert unfit(safe, plain=True) == ""
    assert unquote(safe) == name


@given(texts, texts)
def test_different_ids_stay_different(one: str, other: str) -> None:
    assert (ascii_id(one) == ascii_id(other)) == (one == other)


@pytest.mark.parametrize("name", ["guide/t128#2", "a-b_c.d~e/x#lead", "q12"])
def test_an_id_that_is_safe_already_stays_as_it_is(name: str) -> None:
    assert ascii_id(name) == name


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
