from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hayami.text.fold import (
    compact,
    escape_line_separators,
    fold,
    has_word,
    language_of,
    normalise,
    squeeze,
    topic_of,
)

SAME = [
    pytest.param("ＲＤＰのポート３３８９", "RDPのポート3389", id="full width and half width"),
    pytest.param("ｻｰﾊﾞｰの起動", "サーバーの起動", id="half-width katakana"),
    pytest.param("か\u3099く", "がく", id="a mark apart and a letter with its mark"),
    pytest.param("NGINX の設定", "nginx の設定", id="case"),
    pytest.param("Straße", "STRASSE", id="case of the sharp s"),
    pytest.param("IPv6 の設定", "IPv6の設定", id="blank between Latin and kana"),
    pytest.param("設定\u3000変更", "設定変更", id="ideographic space"),
    pytest.param("포트 번호", "포트번호", id="blank between Korean words"),
    pytest.param("使用 MySQL 时", "使用MySQL时", id="blank between Latin and Chinese"),
    pytest.param("3〜5章", "3～5章", id="wave dash and full-width tilde"),
    pytest.param("3∼5章", "3~5章", id="tilde operator and tilde"),
    pytest.param("Wi‐Fi", "Wi-Fi", id="hyphen and hyphen-minus"),
    pytest.param("Wi−Fi", "Wi–Fi", id="minus and en dash"),
    pytest.param("“host” ‘name’", "\"host\" 'name'", id="quotes"),
    pytest.param("read\u00a0me", "read me", id="no-break space"),
    pytest.param("  read \t\n me ", "read me", id="runs of white space"),
    pytest.param("名前\u200b解決", "名前解決", id="zero width space"),
    pytest.param("in\u00adter\u2060net", "internet", id="soft hyphen and word joiner"),
    pytest.param("辻\ufe00堂", "辻堂", id="variation selector"),
    pytest.param("\ufeff設定", "設定", id="byte order mark"),
    pytest.param("ﬁle", "file", id="ligature"),
    pytest.param("㍿カブ", "株式会社カブ", id="square characters"),
    pytest.param(
        "索引 （B-tree）", "索引(B-tree)", id="width of brackets and the blank before them"
    ),
    pytest.param("Index ( B-tree )", "Index(B-tree)", id="blanks in Latin brackets"),
    pytest.param("読み / 書き", "読み／書き", id="slashes"),
]
OTHER = [
    pytest.param("サーバ", "サーバー", id="long vowel mark"),
    pytest.param("ハス", "バス", id="voicing"),
    pytest.param("ひらがな", "ヒラガナ", id="hiragana and katakana"),
    pytest.param("きって", "きつて", id="small kana"),
    pytest.param("有効", "無効", id="opposites"),
    pytest.param("C", "C#", id="sharp"),
    pytest.param("C", "C++", id="plus"),
    pytest.param("2.1節", "21節", id="dots between digits"),
    pytest.param("read me", "readme", id="blank between Latin words"),
    pytest.param("1 2", "12", id="blank between digits"),
    pytest.param("后", "後", id="simplified and traditional characters"),
    pytest.param("設定?", "設定", id="question mark"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_texts_that_read_the_same_fold_to_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)
    assert compact(one) == compact(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_texts_that_read_differently_do_not_fold_to_the_same(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_a_folded_text_is_lower_case_and_half_width() -> None:
    assert fold("ＲＤＰ の ポート番号　３３８９（ＴＣＰ）") == "rdpのポート番号3389(tcp)"


def test_normalising_keeps_one_blank_between_words_of_any_script() -> None:
    assert normalise("　設定　 変更 ― ＡＢＣ") == "設定 変更 - abc"


def test_a_compact_text_has_no_blank_at_all() -> None:
    assert compact("How to  Reset\tIt") == "howtoresetit"


def test_squeezing_collapses_every_kind_of_white_space_and_nothing_else() -> None:
    assert squeeze(" Ａ\u3000\u00a0B\r\n\tc ") == "Ａ B c"
    assert squeeze(" \u3000 ") == ""


@pytest.mark.parametrize("text", ["あ", "ー3", "A", "é", "한", "9", "（注）", "Ⅳ"])
def test_letters_and_digits_of_any_script_are_words(text: str) -> None:
    assert has_word(text)


@pytest.mark.parametrize("text", ["", " ", "―", "☆☆☆", "…", "→", "___", "（）", "・"])
def test_marks_alone_are_no_word(text: str) -> None:
    assert not has_word(text)


def test_line_separators_are_escaped_in_json_and_mean_the_same() -> None:
    text = "一行\u2028二行\u2029三行\x85四行"
    written = escape_line_separators(json.dumps(text, ensure_ascii=False))
    assert written == '"一行\\u2028二行\\u2029三行\\u0085四行"'
    assert json.loads(written) == text
    assert len(written.splitlines()) == 1


@pytest.mark.parametrize(
    ("title", "topic"),
    [
        ("リモートデスクトップのポート番号｜変更と確認", "リモートデスクトップのポート番号"),
        ("nginx のログ | 運用ノート", "nginx のログ"),
        ("索引の作り方", "索引の作り方"),
        ("索引｜作り方 | 運用ノート", "索引"),
        ("｜索引", "｜索引"),
        ("", ""),
    ],
)
def test_the_topic_is_the_title_up_to_its_first_bar(title: str, topic: str) -> None:
    assert topic_of(title) == topic


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        ("ログの読み方と消し方", "", "ja"),
        ("ログの読み方と消し方", "ja-JP", "ja"),
        ("로그를 읽는 방법", "", "ko"),
        ("로그를 읽는 방법", "ko", "ko"),
        ("日志的读法与清理", "", "zh"),
        ("日志的读法与清理", "zh_CN", "zh"),
        ("設定変更手順一覧", "ja", "ja"),
        ("How to read a log", "", "en"),
        ("Comment lire un journal d'accès : la clé", "fr-CA", "fr"),
        ("", "", "en"),
    ],
)
def test_a_language_is_the_declared_one_or_that_of_the_script(
    text: str, declared: str, language: str
) -> None:
    assert language_of(text, declared) == (language, False)


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        ("ログの読み方と消し方。nginx と Apache を例に。", "en", "ja"),
        ("로그를 읽는 방법. nginx 를 예로.", "en-US", "ko"),
        ("日志的读法与清理，以及常见的错误", "en", "zh"),
    ],
)
def test_a_declaration_that_the_script_cannot_be_is_overruled(
    text: str, declared: str, language: str
) -> None:
    assert language_of(text, declared) == (language, True)


def test_a_foreign_word_in_a_page_does_not_change_its_language() -> None:
    english = (
        "The table at the top of a page is called a quick-reference table (早見表, ハヤミ). " * 3
    )
    assert language_of(english + "It names sections. " * 20, "en") == ("en", False)
    assert language_of(
        "An index is called 색인 in Korean. " + "It names sections. " * 20, "en"
    ) == ("en", False)
    assert language_of("ログの読み方と消し方を説明します。" * 20 + "로그", "ja") == ("ja", False)
    assert language_of("ログの読み方と消し方を説明します。" * 20 + "로그", "") == ("ja", False)


VISIBLE = st.characters(
    categories=["L", "N", "P", "S"], exclude_characters="\u115f\u1160\u3164\uffa0"
)
ANY = st.text(max_size=40)
MIXED = st.text(
    alphabet="設定サーバーｻﾊﾞﾞ한글ABCａｂ 　・（）()〜～－—\u200b\u00ad。、/／|'’\u3099İßſ",
    max_size=30,
)


@given(text=ANY | MIXED)
@example(text="か゛")
@example(text="か ﾞ")
@settings(deadline=None, max_examples=300, derandomize=True)
def test_folding_twice_is_folding_once(text: str) -> None:
    for form in (squeeze, normalise, fold):
        assert form(form(text)) == form(text), form.__name__


@given(before=ANY, visible=VISIBLE, after=ANY)
@settings(deadline=None, max_examples=200, derandomize=True)
def test_folding_never_empties_a_text_with_a_visible_character(
    before: str, visible: str, after: str
) -> None:
    assert fold(before + visible + after)


@given(text=ANY | MIXED)
@settings(deadline=None, max_examples=200, derandomize=True)
def test_normal_forms_of_one_text_fold_to_the_same(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@given(text=MIXED)
@settings(deadline=None, max_examples=200, derandomize=True)
def test_a_folded_text_has_single_blanks_and_none_at_its_ends(text: str) -> None:
    assert squeeze(fold(text)) == fold(text)
    assert not set(compact(text)) & set(" \t\u3000\u00a0")


@given(text=ANY)
@settings(deadline=None, max_examples=100, derandomize=True)
def test_escaping_keeps_the_meaning_of_any_json_text(text: str) -> None:
    written = escape_line_separators(json.dumps(text, ensure_ascii=False))
    assert json.loads(written) == text
    assert len(written.splitlines()) == 1
