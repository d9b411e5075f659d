"""Fingerprints of texts: equal for equal texts, near for edited ones, far for others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayami.text.fingerprint import SHINGLE, fingerprint, is_fingerprint, likeness
from hayami.text.fold import compact

SENTENCES = [
    f"手順 {number} では{word}を開き、{other}を選んでから保存します。"
    for number, (word, other) in enumerate(
        [
            ("設定", "更新"),
            ("表", "容量"),
            ("鍵", "権限"),
            ("窓", "監視"),
            ("網", "復元"),
            ("箱", "型"),
        ]
    )
]


def pieces(text: str) -> set[str]:
    bare = compact(text)
    return {bare[i : i + SHINGLE] for i in range(max(1, len(bare) - SHINGLE + 1))} - {""}


@given(st.text())
def test_every_text_has_a_fingerprint_of_one_form(text: str) -> None:
    made = fingerprint(text)
    assert is_fingerprint(made)
    assert len(made) == 180
    assert made == fingerprint(text)
    assert likeness(made, fingerprint(text)) == 1


@given(st.text(), st.text())
def test_likeness_is_a_share_the_same_both_ways_and_1_for_equal_texts_only(
    one: str, other: str
) -> None:
    first, second = fingerprint(one), fingerprint(other)
    found = likeness(first, second)
    assert 0 <= found <= 1
    assert found == likeness(second, first)
    assert (found == 1) == (compact(one) == compact(other))


def test_width_case_and_white_space_do_not_matter() -> None:
    assert fingerprint("ＡＢＣ の  設定\n") == fingerprint("abcの設定")


def test_one_word_in_a_long_text_is_no_equal_text() -> None:
    text = "".join(SENTENCES * 20)
    assert 0.9 < likeness(fingerprint(text), fingerprint(text.replace("箱", "筥", 1))) < 1


@pytest.mark.parametrize("kept", range(1, len(SENTENCES) + 1))
def test_the_share_of_common_pieces_is_estimated(kept: int) -> None:
    one = "".join(SENTENCES)
    other = "".join(
        SENTENCES[:kept]
    ) + "まったく別の文章がここに続いて、元の手順とは関わりがない。" * (6 - kept)
    true = len(pieces(one) & pieces(other)) / len(pieces(one) | pieces(other))
    assert likeness(fingerprint(one), fingerprint(other)) == pytest.approx(true, abs=0.12)


def test_an_empty_text_is_like_no_other() -> None:
    assert likeness(fingerprint(""), fingerprint("設定を開く")) == 0
    assert likeness(fingerprint(" "), fingerprint("")) == 1


@pytest.mark.parametrize("text", ["", "設定", "AAAA", "A" * 181, "!" * 180])
def test_what_is_no_fingerprint_is_told(text: str) -> None:
    assert not is_fingerprint(text)


def test_a_fingerprint_is_the_same_on_every_machine() -> None:
    """It is kept in files for years: another way of making it would make every verdict stale."""
    made = fingerprint("湯の温度は 60 度。")
    assert made.startswith("XvpvYuehAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
