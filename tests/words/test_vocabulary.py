from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from hayami.settings import Settings
from hayami.text.fold import compact, fold, has_word, normalise
from hayami.words import vocabulary

BY_LANGUAGE = {
    "question": vocabulary.QUESTION_HEADERS,
    "answer": vocabulary.ANSWER_HEADERS,
    "reference": vocabulary.REFERENCE_HEADERS,
    "excluded": vocabulary.EXCLUDED_HEADINGS,
}
ALL = {name: vocabulary.words(lists) for name, lists in BY_LANGUAGE.items()} | {
    "placeholders": vocabulary.PLACEHOLDERS,
    "generic": vocabulary.GENERIC_TEXTS,
}


@pytest.mark.parametrize("lists", BY_LANGUAGE.values(), ids=BY_LANGUAGE)
def test_each_list_has_words_in_all_four_languages(lists: dict[str, tuple[str, ...]]) -> None:
    assert set(lists) == {"ja", "en", "ko", "zh"}
    assert all(lists.values())


@pytest.mark.parametrize("words", ALL.values(), ids=ALL)
def test_words_are_written_in_their_normal_form(words: tuple[str, ...]) -> None:
    assert [word for word in words if not has_word(word) or word != normalise(word)] == []


@pytest.mark.parametrize("lists", BY_LANGUAGE.values(), ids=BY_LANGUAGE)
def test_no_word_stands_twice_in_a_language(lists: dict[str, tuple[str, ...]]) -> None:
    for words in lists.values():
        assert len(set(words)) == len(words)


def test_a_star_is_only_used_where_patterns_are_allowed() -> None:
    for name in ("excluded", "placeholders", "generic"):
        assert [word for word in ALL[name] if "*" in word] == []


def test_the_words_of_all_languages_come_in_order_and_once() -> None:
    assert vocabulary.words({"ja": ("節", "章"), "zh": ("章", "节"), "en": ("section",)}) == (
        "節",
        "章",
        "节",
        "section",
    )


def test_the_settings_begin_with_these_words() -> None:
    defaults = Settings()
    assert defaults.question_headers == ALL["question"]
    assert defaults.answer_headers == ALL["answer"]
    assert defaults.reference_headers == ALL["reference"]
    assert defaults.excluded_headings == ALL["excluded"]
    assert defaults.placeholders == vocabulary.PLACEHOLDERS
    assert defaults.generic_texts == vocabulary.GENERIC_TEXTS


def is_named(kind: str, text: str) -> bool:
    return any(fnmatchcase(fold(text), fold(word)) for word in ALL[kind])


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (
            "question",
            [
                "知りたいこと",
                "やりたいこと",
                "質問",
                "困っていること",
                "Question",
                "I want to",
                "질문",
                "想知道的事",
            ],
        ),
        ("answer", ["答え", "対処", "結論", "Short answer", "답", "짧은 답변", "答案"]),
        (
            "reference",
            [
                "節",
                "詳しい節",
                "参照",
                "詳細",
                "Section",
                "See",
                "자세한 절",
                "절",
                "详见章节",
                "章节",
            ],
        ),
        (
            "excluded",
            [
                "よくある質問",
                "FAQ",
                "まとめ",
                "参考文献",
                "Summary",
                "자주 묻는 질문",
                "요약",
                "常见问题",
                "总结",
            ],
        ),
        ("placeholders", ["なし", "N/A", "없음", "无"]),
        ("generic", ["こちら", "here", "여기", "这里"]),
    ],
)
def test_the_words_that_writers_use_most_are_known(kind: str, texts: list[str]) -> None:
    assert [text for text in texts if not is_named(kind, text)] == []


@pytest.mark.parametrize(
    "text", ["小節", "季節", "調節", "文章", "勲章", "Intersection", "절차", "장점"]
)
def test_a_word_that_only_ends_or_begins_like_section_heads_no_references(text: str) -> None:
    assert not is_named("reference", text)


@pytest.mark.parametrize(
    "text", ["まとめ方", "よくある質問の探し方", "Summary statistics", "요약 통계", "总结报告"]
)
def test_a_heading_that_only_begins_like_one_left_out_stays(text: str) -> None:
    assert not is_named("excluded", text)


def test_no_word_means_both_that_there_is_no_reference_and_follow_the_link() -> None:
    assert not set(map(compact, vocabulary.PLACEHOLDERS)) & set(
        map(compact, vocabulary.GENERIC_TEXTS)
    )
