from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.label.similarity import MARGIN, Similarity, bare, conflict, core

HEADINGS = (
    "RDPのポート番号3389と確かめ方",
    "ファイアウォールの規則を足す",
    "証明書を更新する手順",
    "인증서 갱신 방법",
    "如何修改设置",
    "Renewing certificates: the whole story",
)


def scores(reference: str, *headings: str) -> list[float]:
    return Similarity(headings).scores(reference)


def speaks_against(reference: str, heading: str) -> str:
    return conflict(reference, heading)


# --- the core of a name ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3章 索引の作り方", "索引の作り方"),
        ("第3章　索引の作り方", "索引の作り方"),
        ("第三章 索引の作り方", "索引の作り方"),
        ("제3장 색인 만들기", "색인 만들기"),
        ("3.2. 索引の作り方", "索引の作り方"),
        ("3.2 索引の作り方", "索引の作り方"),
        ("(2) 索引の作り方", "索引の作り方"),
        ("A. 索引の作り方", "索引の作り方"),
        ("Appendix B Notes", "Notes"),
        ("부록 A 명령", "명령"),
        ("サーバーの起動", "サーバの起動"),
        ("索引の作りかた", "索引の作り方"),
        ("設定するときの注意", "設定する時の注意"),
        ("ヴァージョンの確認", "バージョンの確認"),
        ("Organising colours", "organizing colors"),
        ("ＴＬＳ　の設定", "TLSの設定"),
    ],
)
def test_spellings_of_one_name_have_one_core(one: str, other: str) -> None:
    assert core(one) == core(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2024年の変更点", "2023年の変更点"),
        ("1.5倍速くする", "2.5倍速くする"),
        ("3.1の新機能", "3.2の新機能"),
        ("IPv4 の設定", "IPv6 の設定"),
        ("7-Zip の使い方", "Zip の使い方"),
        ("2段階認証", "認証"),
        ("チーム", "チム"),
        ("ビール", "ビル"),
        ("かたい鍵", "方い鍵"),
    ],
)
def test_different_names_have_different_cores(one: str, other: str) -> None:
    assert core(one) != core(other)


@pytest.mark.parametrize("text", ["3章", "3", "3.", "(2)", "付録A", "1.2.3"])
def test_a_name_that_is_nothing_but_a_number_keeps_it(text: str) -> None:
    assert core(text)
    assert bare(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("3. 索引（B-tree）", "索引"),
        ("索引 [応用]", "索引"),
        ("【重要】索引", "索引"),
        ("第3章 索引の作り方", "索引の作り方"),
        ("（応用）", "(応用)"),
        ("索引", "索引"),
        ("サーバーの起動", "サーバーの起動"),
    ],
)
def test_a_bare_name_has_neither_number_nor_brackets(text: str, name: str) -> None:
    assert bare(text) == name


# --- likeness -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(HEADINGS)))
def test_a_heading_is_wholly_like_itself_and_less_like_any_other(number: int) -> None:
    found = scores(HEADINGS[number], *HEADINGS)
    assert found[number] == pytest.approx(1, abs=1e-9)
    assert all(score < 0.5 for n, score in enumerate(found) if n != number)


@pytest.mark.parametrize(
    ("reference", "number"),
    [
        ("RDPのポートの確かめ方", 0),
        ("ファイアーウォールの規則を足す", 1),
        ("証明書の更新手順", 2),
        ("인증서를 갱신하는 방법", 3),
        ("修改设置的方法", 4),
        ("Renewing certifcates", 5),
    ],
)
def test_a_name_slightly_changed_is_most_like_its_heading(reference: str, number: int) -> None:
    found = scores(reference, *HEADINGS)
    assert found[number] == max(found)
    assert found[number] >= 0.5
    assert sorted(found)[-2] <= found[number] - MARGIN


def test_texts_without_a_common_character_are_not_alike() -> None:
    assert scores("鍵", "索引", "Keys") == [0, 0]


def test_an_article_without_headings_has_no_scores() -> None:
    assert scores("索引") == []


def test_what_all_headings_share_counts_less_than_what_sets_one_apart() -> None:
    shared = scores("ログの設定", "ログの削除", "ログの監視", "ログの保存", "鍵の設定")
    assert shared[3] > max(shared[:3])


def test_a_name_is_less_punished_for_what_it_leaves_out_than_for_what_it_adds() -> None:
    short, long = "証明書の更新", "証明書の定期的な自動更新"
    assert scores(short, long, "鍵の置き場所")[0] > scores(long, short, "鍵の置き場所")[0] + 0.1


def test_the_part_before_a_colon_can_stand_for_the_whole_heading() -> None:
    with_tail, _ = scores(
        "索引の作り方", "索引の作り方：大きな表でも止めずに足すための手順と注意", "鍵の置き場所"
    )
    without_tail, _ = scores("索引の作り方", "索引の作り方", "鍵の置き場所")
    assert 0.9 <= with_tail < without_tail


def test_numbering_and_long_vowels_do_not_count() -> None:
    assert scores("サーバの起動", "3. サーバーの起動", "鍵")[0] == pytest.approx(1, abs=1e-9)


WORDS = [
    "設定",
    "の変更",
    "サーバー",
    "ポート",
    "TLS",
    "nginx",
    " ",
    "키",
    "인증서",
    "密钥",
    "3389",
    "：",
    "（新）",
    "get",
]
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map("".join) | st.text(max_size=8)


@given(reference=TEXT, headings=st.lists(TEXT, max_size=6))
@settings(deadline=None, max_examples=200, derandomize=True)
def test_a_likeness_lies_between_0_and_1_and_is_the_same_when_asked_again(
    reference: str, headings: list[str]
) -> None:
    likeness = Similarity(headings)
    found = likeness.scores(reference)
    assert len(found) == len(headings)
    assert all(0 <= score <= 1 for score in found)
    assert likeness.scores(reference) == found


@given(reference=TEXT, headings=st.lists(TEXT, min_size=1, max_size=6))
@settings(deadline=None, max_examples=200, derandomize=True)
def test_the_order_of_the_headings_changes_no_likeness(reference: str, headings: list[str]) -> None:
    assert scores(reference, *headings[::-1]) == pytest.approx(
        scores(reference, *headings)[::-1], abs=1e-9
    )


@given(headings=st.lists(TEXT, min_size=1, max_size=6), number=st.integers(0, 5))
@settings(deadline=None, max_examples=200, derandomize=True)
def test_an_equal_heading_is_wholly_alike(headings: list[str], number: int) -> None:
    number %= len(headings)
    if core(headings[number]).strip():
        assert scores(headings[number], *headings)[number] == pytest.approx(1, abs=1e-9)


ASKED = """
from hayami.label.similarity import Similarity
print(Similarity(["出力の伸長", "入力の伸張", "鍵"]).scores("出力の伸張"))
print(Similarity(["ビットマップを挿入する", "ビットマップを編集する", "印刷"]).scores("ビットマップを削除する"))
print(Similarity(["如何向计划捐赠资源", "如何向计划捐赠金钱", "打印"]).scores("如何退出计划"))
"""  # noqa: E501


def test_a_likeness_is_the_same_to_the_last_bit_in_every_process() -> None:
    said = set()
    for seed in ("1", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"}
        found = subprocess.run(
            [sys.executable, "-c", ASKED], capture_output=True, check=True, env=environment
        )
        said.add(found.stdout)
    assert len(said) == 1


# --- what speaks against a likeness ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "heading"),
    [
        ("2022年度の手当", "2023年度の手当"),
        ("Section 2", "Section 12"),
        ("TLS 1.2 の設定", "TLS 1.3 の設定"),
        ("the protocol 1.1", "the protocol 1.0"),
        ("IPv4 の設定", "IPv6 の設定"),
        ("UTF-8 の扱い", "UTF-16 の扱い"),
        ("3389番の確認", "確認"),
        ("제3389포트 확인", "제3390포트 확인"),
        ("第2阶段的设置", "第3阶段的设置"),
    ],
)
def test_a_number_that_the_heading_has_not_speaks_against_it(reference: str, heading: str) -> None:
    assert "number" in speaks_against(reference, heading)


@pytest.mark.parametrize(
    ("reference", "heading"),
    [
        ("MySQL のバックアップ", "PostgreSQL のバックアップ"),
        ("nginx の設定", "設定ファイル"),
        ("os.getcwd()", "os.getpid()"),
        ("MySQL 备份", "Redis 备份"),
        ("Apache 설정", "nginx 설정"),
        ("Renewing keys", "Renewing certificates"),
    ],
)
def test_a_latin_word_that_the_heading_has_not_speaks_against_it(
    reference: str, heading: str
) -> None:
    assert "Latin" in speaks_against(reference, heading)


@pytest.mark.parametrize(
    ("reference", "heading"),
    [
        ("path.isAbsolut(path)", "path.isAbsolute(path)"),
        ("How to install it", "Installation"),
        ("configuring the proxy", "Configuration of a proxy"),
        ("postgres の索引", "PostgreSQL の索引"),
        ("Read the log", "Reading logs"),
        ("Renewing keys", "Renewal of keys"),
        ("2023年度の手当", "2023年度の手当と経費"),
        ("TLS 1 の設定", "TLS 1.2 の設定"),
        ("TLS 1.2 の設定", "TLS 1 の設定"),
        ("手当の申請", "2023年度の手当の申請"),
    ],
)
def test_forms_of_a_word_slips_and_words_left_out_do_not(reference: str, heading: str) -> None:
    assert speaks_against(reference, heading) == ""


OPPOSITES = [
    ("設定を有効にする", "設定を無効にする"),
    ("自動で起動する", "手動で起動する"),
    ("ファイルの送信", "ファイルの受信"),
    ("列の表示", "列の非表示"),
    ("時刻の同期", "時刻の非同期"),
    ("上限の変更", "下限の変更"),
    ("公開鍵の置き場所", "秘密鍵の置き場所"),
    ("リンクの作成", "リンクの削除"),
    ("最初の行", "最後の行"),
    ("件数を増やす", "件数を減らす"),
    ("インストールの手順", "アンインストールの手順"),
    ("캐시 활성화", "캐시 비활성화"),
    ("사용자 추가", "사용자 삭제"),
    ("자동 시작", "수동 시작"),
    ("启用缓存", "禁用缓存"),
    ("安装软件", "卸载软件"),
    ("上传文件", "下载文件"),
    ("with a password", "without a password"),
    ("turn it on", "turn it off"),
    ("how to set it up", "how to get it up"),
]


@pytest.mark.parametrize(("one", "other"), OPPOSITES)
def test_opposites_speak_against_each_other_both_ways(one: str, other: str) -> None:
    assert speaks_against(one, other)
    assert speaks_against(other, one)


@pytest.mark.parametrize(
    ("reference", "heading"),
    [
        ("利用者の追加", "利用者の追加と削除"),
        ("利用者の追加と削除", "利用者の追加"),
        ("有効化", "有効化と無効化"),
        ("自動起動を有効にする", "自動起動の有効化"),
        ("사용자 추가", "사용자 추가와 삭제"),
        ("安装", "安装和卸载"),
        ("turn it on", "turn it on and off"),
        ("表示", "表示と非表示"),
    ],
)
def test_a_heading_that_has_both_opposites_is_none(reference: str, heading: str) -> None:
    assert speaks_against(reference, heading) == ""


@pytest.mark.parametrize(
    ("reference", "heading"),
    [
        ("キャッシュの削除方法", "クッキーの削除方法"),
        ("証明書失効一覧の確認", "証明書透明性記録の確認"),
        ("데이터베이스 백업하기", "스케줄러작업 백업하기"),
    ],
)
def test_another_word_in_the_same_place_speaks_against_it(reference: str, heading: str) -> None:
    assert speaks_against(reference, heading)


@pytest.mark.parametrize(
    ("reference", "heading"),
    [
        ("証明書の作製", "証明書の作成"),
        ("言語の例外処理", "言語ネゴシエーションの例外処理"),
        ("名前の変換とリンク", "リンクと名前の変換"),
        ("切換え方", "切り換え方"),
        ("캐시 디렉토리", "캐시 디렉터리"),
        ("登陆页面", "登录页面"),
    ],
)
def test_slips_words_left_out_and_another_order_do_not_speak_against_it(
    reference: str, heading: str
) -> None:
    assert speaks_against(reference, heading) == ""


@given(text=TEXT)
@settings(deadline=None, max_examples=100, derandomize=True)
def test_nothing_speaks_against_the_same_name(text: str) -> None:
    assert speaks_against(text, text) == ""
