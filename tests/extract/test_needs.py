"""What somebody may look for, and what nobody does."""

from __future__ import annotations

import pytest

from hayami.extract.needs import (
    SHORTEST_NAMED,
    is_faq,
    is_labelled,
    is_news,
    is_question,
    why_no_need,
    without_label,
)

NEEDS = [
    "How do I change the password that is saved?",
    "I deleted some data from my database. How can I recover it?",
    "What is PuTTY?",
    "Is it safe for me to download PuTTY?",
    'Why does $var where var="foo bar" not do what I expect?',
    "壊れたパッケージを見つけるにはどうすればよいですか?",
    "Sylpheedとは",
    "어떻게 커널을 빌드하나요?",
    "如何从光盘安装系统？",
    "为什么软件包的文件名这么长？",
]
NONE = [
    ("What's next?", "asks for nothing"),
    ("Why?", "asks for nothing"),
    ("次は何でしょう?", "asks for nothing"),
    ("How does it work?", "asks for nothing"),
    ("What is it good at?", "too few words"),
    ("Print", "too few words"),
    ("4", "too few words"),
    ("--verbose", "too few words"),
    ("spi_exec ?-count n?", "syntax"),
    ("Can the limits of these be changed?", "points at"),
    ("What does this document cover?", "points at"),
    ("この機能はどうすれば使えますか", "points at"),
    ("이 설정을 어떻게 변경하나요?", "points at"),
    ("这些代号来自哪里？", "points at"),
    ("the length code (DLC", "fragment"),
    ("役に立つヒントや", "points at"),
    ("word " * 60, "paragraph"),
]


@pytest.mark.parametrize("text", NEEDS)
def test_what_somebody_may_look_for(text: str) -> None:
    assert why_no_need(text) == ""


@pytest.mark.parametrize(("text", "why"), NONE)
def test_what_nobody_looks_for(text: str, why: str) -> None:
    assert why in why_no_need(text)


def test_a_phrase_needs_fewer_words_but_no_pronoun() -> None:
    assert why_no_need("ignored files", least=SHORTEST_NAMED) == ""
    assert why_no_need("how the limit of a server changes it", alone=True)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("1.1. 이 FAQ는 무엇인가요?", "이 FAQ는 무엇인가요?"),
        ("3.1 Q01 How do I make it display my language?", "How do I make it display my language?"),
        ("1.15 1.15 問：補完の機能はありますか？", "補完の機能はありますか？"),
        ("A.3.6 Will there be a port?", "Will there be a port?"),
        ("(8) Are there any limits?", "Are there any limits?"),
        ("3.10: Why does it fail?", "Why does it fail?"),
        ("2.3 How do I make it find my libraries? # TOC", "How do I make it find my libraries?"),
        ("Q) 画面が出ない", "画面が出ない"),
        ("质问: 如何安装？", "质问: 如何安装？"),
        ("2023 in review", "2023 in review"),
        ("3 ways to start", "3 ways to start"),
        ("4.", "4."),
    ],
)
def test_numbers_and_labels_are_no_part_of_a_question(text: str, bare: str) -> None:
    assert without_label(text) == bare


def test_signs_of_questions_in_four_languages() -> None:
    for text in (
        "How to start",
        "インストールする方法",
        "설치하는 방법",
        "如何安装",
        "What is a pool",
    ):
        assert is_question(text)
    for text in ("Overview", "Whatever", "設定", "설정", "安装"):
        assert not is_question(text)
    assert is_labelled("Q12. Anything")
    assert is_labelled("問1: 何か")
    assert not is_labelled("Quick start")
    assert is_faq("1. よくあるご質問")
    assert is_news("Release notes of 2.1")
    assert not is_news("Newsgroups and lists")
