from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayami.text.fold import compact
from hayami.text.repeats import NEAR, Near, near_duplicates, same_question

SAME = [
    ("ポートを変更するにはどうする？", "ポートを変更するにはどうするか"),
    ("リモートデスクトップのポート番号を変える", "リモートデスクトップのポートの番号を変える"),
    ("サーバーの証明書を更新したい", "サーバの証明書を更新したい"),
    ("How do I change the port of nginx?", "How can I change the port of nginx"),
    ("How do I change the settings?", "How do I change the setings?"),
    ("VPN に接続できない", "VPN に接続できない。"),
    ("포트를 변경하는 방법은?", "포트를 변경하는 방법"),
    ("如何修改远程桌面的端口号？", "如何修改远程桌面端口号？"),
]
OTHER = [
    ("ログを有効にする方法を知りたい", "ログを無効にする方法を知りたい"),
    ("Windows 10 でポートを変更する", "Windows 11 でポートを変更する"),
    ("リモートで接続できるときの設定", "リモートで接続できないときの設定"),
    ("How do I enable the access log?", "How do I disable the access log?"),
    ("How do I install the package again", "How do I uninstall the package again"),
    ("アプリをインストールしたい", "アプリをアンインストールしたい"),
    ("getNullBitDataValue(int previous)", "getNullIntDataValue(int previous)"),
    ("Why is it not rotated daily?", "Why is it rotated daily?"),
    ("같은 이미지를 만들 수 있다", "같은 이미지를 만들 수 없다"),
    ("湯の温度は何度がよいか", "酵母の保存は何日がよいか"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_question_in_two_spellings_is_found(one: str, other: str) -> None:
    assert [
        (near.one, near.other) for near in near_duplicates([one, "別の質問をここに置く", other])
    ] == [(0, 2)]


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_alike_questions_that_ask_for_something_else_are_not_near(one: str, other: str) -> None:
    assert list(near_duplicates([one, other])) == []


def test_equal_questions_are_left_to_merging() -> None:
    assert (
        list(near_duplicates(["ポートを変更する", "ポートを 変更する", "ポートを変更する"])) == []
    )


def test_a_question_but_for_its_last_mark_is_near_with_likeness_one() -> None:
    assert list(near_duplicates(["ポートを変更する？", "ポートを変更する"])) == [Near(0, 1, 1.0)]


def test_a_question_of_few_letters_is_near_nothing() -> None:
    assert list(near_duplicates(["鍵は？", "鍵は", "鍵とは"])) == []


def test_a_likeness_below_the_threshold_is_none() -> None:
    pair = ["歌詞の節を楽譜の終わりに譜刻する", "歌詞の節を楽譜の終わりに複数の列で譜刻する"]
    assert list(near_duplicates(pair)) == []
    assert [near.likeness for near in near_duplicates(pair, 0.8)] == [0.8649]


letters = st.text(alphabet="設定変更手順のをはがアイウab ", min_size=5, max_size=24)


@given(letters, st.integers(0, 24), st.sampled_from("のをはがよも"))
def test_a_question_with_a_particle_put_in_is_always_found(
    question: str, place: int, letter: str
) -> None:
    changed = question[:place] + letter + question[place:]
    asked = [compact(text) for text in (question, changed)]
    near = list(near_duplicates([question, changed]))
    alike = 2 * len(asked[0]) / (len(asked[0]) + len(asked[1])) >= NEAR
    if (
        alike
        and same_question(question, changed)
        and len(asked[0]) >= 9
        and len(asked[1]) == len(asked[0]) + 1
    ):
        assert [(pair.one, pair.other) for pair in near] == [(0, 1)]


@given(st.lists(letters, max_size=12))
def test_pairs_are_in_order_and_none_is_given_twice(questions: list[str]) -> None:
    pairs = [(near.one, near.other) for near in near_duplicates(questions)]
    assert len(set(pairs)) == len(pairs)
    assert all(one < other for one, other in pairs)
