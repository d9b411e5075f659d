"""Opposites of any word, and names that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayami.label.polarity import contrary, denies
from hayami.label.similarity import conflict, core

CONTRARY = [
    # denied
    ("使えるカード", "使えないカード"),
    ("開けられる箱", "開けられない箱"),
    ("届け出の必要な工事", "届け出の不要な工事"),
    ("保証のある部品", "保証のない部品"),
    ("対応している端末", "対応していない端末"),
    ("払い込みの確認", "未払い込みの確認"),
    ("열리는 문", "안 열리는 문"),
    ("저장되는 항목", "저장되지 않는 항목"),
    ("쓸 수 있는 쿠폰", "쓸 수 없는 쿠폰"),
    ("能用的券", "不能用的券"),
    ("需要押金的房间", "无需押金的房间"),
    ("Rooms that are heated", "Rooms that are not heated"),
    # in time and place
    ("施錠前の点検", "施錠後の点検"),
    ("園内の売店", "園外の売店"),
    ("国内の支店", "国際の支店"),
    ("開館の時刻", "閉館の時刻"),
    ("既読の通知", "未読の通知"),
    ("결제 전 확인", "결제 후 확인"),
    ("시내 배달", "시외 배달"),
    ("付款前检查", "付款后检查"),
    ("国内运费", "国际运费"),
    # another word
    ("ビルの階数", "ビールの階数"),
    ("コトの置き場", "コートの置き場"),
    # told, done
    ("Restart the server", "Servers restarted during an upgrade"),
    ("Close an issue", "Issues closed by a bot"),
    ("Rotate keys", "Keys rotated last year"),
    ("删除用户", "被删除的用户"),
]
ALIKE = [
    ("使えないカード", "使えないカードの一覧"),
    ("書類の要らない申請", "書類が不要な申請"),
    ("入力しなければならない項目", "入力する項目"),
    ("不具合の報告", "不具合を報告する"),
    ("無線の設定", "無線を設定する"),
    ("受信と送信", "送信と受信"),
    ("パタンの生成", "パターンの生成"),
    ("サーバの設定", "サーバーの設定"),
    ("지원 안 하는 기기", "지원하지 않는 기기"),
    ("데이터 없애기", "데이터 삭제하기"),
    ("不同的版本", "各种版本"),
    ("不能用的券", "不能使用的券"),
    ("Restart the server", "Restarting the server"),
    ("Restart the server", "How a restarted server differs: restart it"),
    ("Issues closed by a bot", "Issues closed"),
]


@pytest.mark.parametrize(("one", "other"), CONTRARY)
def test_names_that_mean_contrary_things_are_told_apart(one: str, other: str) -> None:
    assert conflict(one, other)
    assert conflict(other, one)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_mean_the_same_are_not_told_apart(one: str, other: str) -> None:
    assert contrary(one, other) == contrary(other, one) == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("第二回の議事", "第2回の議事"),
        ("三つの注意", "3つの注意"),
        ("三个注意点", "3个注意点"),
        ("两个步骤", "2个步骤"),
        ("第二次会议", "第2次会议"),
        ("두 번째 단계", "2단계"),
        ("Log-in problems", "Login problems"),
        ("Your E-mail", "Your email"),
        ("Set-up", "Setup"),
    ],
)
def test_what_is_written_in_two_ways_is_one_name(one: str, other: str) -> None:
    assert core(one) == core(other)
    assert conflict(one, other) == conflict(other, one) == ""


@given(st.text(max_size=30) | st.text(alphabet="不未ない前後내외전후 notビー", max_size=10))
def test_no_name_is_contrary_to_itself(name: str) -> None:
    assert contrary(name, name) == ""


@given(st.text(max_size=20), st.text(max_size=20))
def test_it_does_not_matter_which_name_is_the_heading(one: str, other: str) -> None:
    assert bool(contrary(one, other)) == bool(contrary(other, one))


def test_a_word_that_only_looks_like_a_denial_is_none() -> None:
    words = ("不具合", "未来", "無線", "非常口", "少ない", "つないで", "안내", "不锈钢", "无线")
    assert [word for word in words if denies(word)] == []
