"""Names that are alike in print and mean something else, and names that are not told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayami.label.opposites import ALONE, CONTRASTS, denied, opposite, turned

CONTRARY = [
    ("設定を有効にする", "設定を無効にする"),
    ("列の表示", "列の非表示"),
    ("上限の変更", "下限の変更"),
    ("公開鍵の置き場所", "秘密鍵の置き場所"),
    ("件数を増やす", "件数を減らす"),
    ("月次レポートの作り方", "年次レポートの作り方"),
    ("火曜日の予定", "木曜日の予定"),
    ("行の追加", "列の追加"),
    ("春の行事", "秋の行事"),
    ("通知する条件", "通知しない条件"),
    ("プランAの料金", "プランBの料金"),
    ("Ａ案の利点", "Ｂ案の利点"),
    ("주간 보고서 작성", "월간 보고서 작성"),
    ("행 추가하기", "열 추가하기"),
    ("로그인 방법", "로그아웃 방법"),
    ("오류가 있을 때", "오류가 없을 때"),
    ("导入数据", "导出数据"),
    ("列的插入", "行的插入"),
    ("啟用快取", "停用快取"),
    ("启动服务", "重启服务"),
    ("with a password", "without a password"),
    ("Starting the agent", "Stopped agents"),
    ("How to log in", "How to log out"),
    ("Type A plugs", "Type C plugs"),
    ("C bindings", "C++ bindings"),
    ("HTTP errors", "HTTPS errors"),
    ("Ascending order", "Descending order"),
]
TURNED = [
    ("起動の手順", "再起動の手順"),
    ("端末起動の手順", "端末再起動の手順"),
    ("対応ブラウザ", "非対応ブラウザ"),
    ("認証", "未認証"),
    ("ログインの手順", "再ログインの手順"),
    ("인증 방법", "미인증 방법"),
    ("서버 시작하기", "서버 재시작하기"),
    ("授权用户", "未授权用户"),
    ("启动", "重新启动"),
    ("Mounting a disk", "Unmounting a disk"),
    ("Installation", "Uninstalling"),
    ("Loading modules", "Reloading modules"),
    ("Processing", "Pre-processing"),
    ("Blocking calls", "Non-blocking calls"),
]
DENIED = [
    ("ロックの手順", "ロック解除の手順"),
    ("予約の手順", "予約の取り消しの手順"),
    ("알림 설정", "알림 설정 해제"),
    ("When it starts", "When it does not start"),
    ("Files that are shared", "Files that aren't shared"),
]
ALIKE = [
    ("利用者の追加", "利用者の追加と削除"),
    ("表示", "表示と非表示"),
    ("銀行の手続き", "銀行の列に並ぶ手続き"),
    ("起動と再起動", "再起動"),
    ("URL 重写指南", "URL 改写指南"),
    ("重写指南", "改写指南"),
    ("英語以外の利用者", "非英語の利用者"),
    ("サーバを起動する", "サーバ起動の手順"),
    ("共有ファイル", "共有しないファイルと共有するファイル"),
    ("장비 공개 방법", "공개 방법"),
    ("재료 준비", "재료와 도구 준비"),
    ("Uninstall the agent", "Installing and uninstalling agents"),
    ("A new rule", "New rules"),
    ("Plan A", "Plan A and plan B"),
    ("I want to print", "Printing"),
    ("Supported ports", "Support of ports"),
    ("Configuring mail", "Configuration of mail"),
    ("Indexes", "Index"),
    ("No. 5", "5"),
    ("Vitamin C", "Vitamin C in fruit"),
]


@pytest.mark.parametrize(("one", "other"), CONTRARY + TURNED)
def test_names_that_mean_something_else_are_told_apart_both_ways(one: str, other: str) -> None:
    assert opposite(one, other)
    assert opposite(other, one)


@pytest.mark.parametrize(("one", "other"), TURNED)
def test_a_beginning_makes_another_word(one: str, other: str) -> None:
    assert turned(one, other)
    assert turned(other, one)


@pytest.mark.parametrize(("one", "other"), DENIED)
def test_an_ending_or_a_not_takes_back_what_a_name_says(one: str, other: str) -> None:
    assert denied(one, other)
    assert denied(other, one)
    assert not opposite(one, other)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_can_mean_the_same_are_not_told_apart(one: str, other: str) -> None:
    assert (opposite(one, other), denied(one, other)) == ("", "")


def test_the_reason_names_the_words() -> None:
    assert opposite("行の追加", "列の追加") == "行 is not 列"
    assert (
        opposite("プランAの料金", "プランBの料金")
        == "the letter A of the reference is not in the heading"
    )
    assert (
        opposite("起動", "再起動") == "再起動 is another word than the same without its beginning"
    )
    assert denied("ロック", "ロックの解除") == "ロックの解除 takes back what ロック says"


def test_a_letter_may_be_missing_from_the_reference_but_not_from_the_heading() -> None:
    assert opposite("料金", "プランBの料金") == ""
    assert opposite("プランBの料金", "料金") != ""


def test_each_group_of_words_has_two_and_each_word_once() -> None:
    for groups in (CONTRASTS, ALONE):
        assert all(len(group) > 1 and len(set(group)) == len(group) for group in groups)
        assert len(set(groups)) == len(groups)


def test_a_text_that_is_no_name_is_looked_through_at_once() -> None:
    text = "不可視の鍵" + "再設定" * 100_000
    assert opposite(text, text) == denied(text, text) == turned(text, "鍵" * 300_000) == ""


@given(st.text(max_size=30))
def test_a_name_is_never_told_apart_from_itself(name: str) -> None:
    assert (opposite(name, name), denied(name, name)) == ("", "")


@given(st.sampled_from(list(CONTRASTS)), st.data())
def test_any_two_words_of_a_group_are_told_apart(
    group: tuple[str, ...], data: st.DataObject
) -> None:
    one, other = data.draw(st.permutations(group))[:2]
    assert opposite(one, other)
    assert opposite(other, one)
