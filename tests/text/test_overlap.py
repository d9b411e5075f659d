from __future__ import annotations

import pytest

from hayami.evalset.records import Flag
from hayami.label.flags import wording_flags
from hayami.text.overlap import Asked, Wording, words

SECTION = Wording.of(
    "ポート番号3389の変更",
    ["ファイアウォール"],
    "レジストリで RDP のポート番号を変更する。\nRestart the service.",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do I change the port?", {"change", "port"}),
        ("ポートを変更", {"ポート", "変更"}),
        ("証明書更新", {"証明", "明書", "書更", "更新"}),
        ("どうすればいい？", set()),
    ],
)
def test_words_are_what_names_something(text: str, expected: set[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("RDP のポート番号を変更", 1.0),
        ("RDP のポートと鍵", 2 / 3),
        ("RDP のサポートと番号", 2 / 3),
        ("restart nginx service", 2 / 3),
        ("rest service restart", 2 / 3),
        ("変更", None),
    ],
)
def test_the_overlap_is_the_share_of_the_words_that_stand_in_the_section(
    question: str, share: float | None
) -> None:
    found = SECTION.share(Asked.of(question))
    assert found == (pytest.approx(share) if share is not None else None)


@pytest.mark.parametrize(
    "question",
    [
        "ポート番号を変更する",
        "ＲＤＰの　ポート番号を変更する？",
        "restart THE service",
        "ポート番号3389の変更",
    ],
)
def test_a_question_stands_word_for_word_whatever_its_width_case_blanks_and_last_mark(
    question: str,
) -> None:
    assert SECTION.holds(Asked.of(question))


@pytest.mark.parametrize("question", ["ポート番号を変更したい", "RDP", "？", ""])
def test_another_wording_or_a_single_term_is_not_verbatim(question: str) -> None:
    assert not SECTION.holds(Asked.of(question))


def test_flags_say_what_any_of_the_targets_shows() -> None:
    other = Wording.of("別の節", [], "無関係な内容。")
    assert wording_flags("ポート番号を変更する", [other, SECTION]) == {Flag.VERBATIM, Flag.LEXICAL}
    assert wording_flags("RDP のポート番号の変更", [other, SECTION]) == {Flag.LEXICAL}
    assert wording_flags("RDP のポート番号の変更", [other]) == set()
    assert wording_flags("ポート番号", []) == set()
