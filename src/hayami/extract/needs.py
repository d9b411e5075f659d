"""Which texts are needs: what somebody may look for who has not read the page."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from hayami.text.fold import clean, fold, has_word
from hayami.words.languages import Language, every

MOST_LETTERS: Final = 200
"""Characters of the longest need: more is a paragraph."""
_LETTERS_A_WORD: Final = 2
"""Letters that count as a word where words are not written apart: kana, ideographs and hangul."""
SHORTEST_ASKED: Final = 3
"""Words of the shortest question in other scripts."""
SHORTEST_UNMARKED: Final = 4
"""The same of a question or task without a question mark."""
SHORTEST_NAMED: Final = 2
"""The same of a need that a sentence names."""
_LATIN: Final = 5
"""Letters of a Latin word in them beyond which it counts no more."""
_LEAST_TELLING: Final = 2
"""Of these, words that say what is looked for; a name is enough alone."""
_CJK: Final = re.compile("[\u3041-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")
_WORD: Final = re.compile(r"[^\W_](?:[^\W_]|[+#.'’_\-/](?=[^\W_]))*[+#]*")
_PLAIN: Final = 3
"""Letters of a word that is written small in a text of which not every word has a capital."""
_CODE: Final = re.compile(
    r"(?<![!-~])(?:--?[a-z][!-~]*"
    r"|[!-~]*(?:[\w]\(|::|->|[{}\\<>=$|*^~%@]|[A-Za-z\d]_[A-Za-z\d]|[a-z\d]\.[a-z\d])[!-~]*"
    r"|[./~][!-~]+|[A-Z]+-\d+[!-~]*)"
)
"""A word that is an option, a path, an identifier or an expression."""
_SYNTAX: Final = re.compile(r"\?[\w\-]|(?<!\S)[?\\]|\?{2}|[?]\s*[)\]|*]")
"""A question mark that asks nothing: an optional parameter, a pattern, a place left open."""
_NUMBERS: Final = re.compile(
    r"(?:[（(\[]\d{1,3}[)）\]]"
    r"|(?:[A-Z]\.)?\d+(?:[.\-]\d+)+(?:[.:：)）、．]+(?=\s|[^\x00-\x7f])|(?=\s))"
    r"|[A-Z]\.\d+[.:：)]*(?=\s)"
    r"|\d{1,3}[.:：)）、．](?=\D)"
    r"|\d{1,3}\s+(?=[A-Z¿]|[^\x00-\x7f]))\s*"
)
_BULLETS: Final = " \t*■●◆▼▶►・※#-–—"
_TAIL: Final = re.compile(r"(?:\s*[#¶§]+(?:\s*TOC)?)+\s*\Z")
_QUOTED: Final = re.compile('[「『“"](.+)[」』”"]')
_BRACKETS: Final = (("(", ")"), ("（", "）"), ("[", "]"), ("「", "」"), ("『", "』"), ("“", "”"))
_MARK: Final = re.compile(r"[?？]\s*[\"”」』)）]*\s*\Z")


def _any(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in patterns), re.IGNORECASE)


@cache
def _bound() -> re.Pattern[str]:
    return _any(every(lambda language: language.needs.bound))


@cache
def _pronouns() -> re.Pattern[str]:
    return _any(every(lambda language: language.needs.pronouns))


@cache
def _idle() -> re.Pattern[str]:
    return _any(every(lambda language: language.needs.idle))


@cache
def _news() -> re.Pattern[str]:
    return _any(every(lambda language: language.needs.news))


@cache
def _forms() -> re.Pattern[str]:
    return _any(every(lambda language: language.asking.forms))


def _label(words: tuple[str, ...]) -> re.Pattern[str]:
    spelt = "|".join(re.escape(word) for word in words)
    ends = r"(?:\s*[.:：)）、．】\]]+|(?<=\d)(?=\s))"
    return re.compile(rf"[\[【(（]?(?:{spelt})\s*[.\-]?\s*\d{{0,3}}{ends}\s*", re.IGNORECASE)


@cache
def _labels() -> re.Pattern[str]:
    return _label(every(lambda language: language.asking.labels))


@cache
def _title_forms() -> re.Pattern[str]:
    return _any(every(lambda language: (*language.titles.task, *language.titles.problem)))


@cache
def _grammar() -> frozenset[str]:
    return frozenset(every(lambda language: language.stop.wording)) - {
        "of",
        "and",
        "the",
        "a",
        "or",
    }


@cache
def _faq() -> tuple[str, ...]:
    return tuple(map(fold, every(lambda language: language.asking.faq)))


@cache
def _stop() -> frozenset[str]:
    def words(language: Language) -> tuple[str, ...]:
        return (*language.stop.wording, *language.needs.stop)

    return frozenset(map(fold, every(words)))


def without_label(text: str) -> str:
    """A heading or line without what numbers and marks it: ``3.1 Q01 How …?`` is ``How …?``.

    A permalink's sign at its end is gone too. What would leave no word stays as it is.
    """
    text = clean(_TAIL.sub("", text)).lstrip(_BULLETS)
    while True:
        found = _labels().match(text) or _NUMBERS.match(text)
        if found is None or not has_word(text[found.end() :]):
            return text.strip()
        text = text[found.end() :].lstrip(_BULLETS)


def is_labelled(text: str) -> bool:
    """Whether a line opens with a mark for a question, such as ``Q:`` or ``問1.``."""
    rest = text.lstrip(_BULLETS)
    number = _NUMBERS.match(rest)
    return _labels().match(rest[number.end() :] if number is not None else rest) is not None


def is_label(text: str) -> bool:
    """Whether a line is nothing but a mark for a question, as in a cell of its own.

    ``Q:``, ``問1.``.
    """
    return _labels().fullmatch(text.strip()) is not None


def is_number(text: str) -> bool:
    """Whether a line is nothing but a number of several parts: ``3.1.``."""
    return re.fullmatch(r"[(\[]?(?:\d+|[A-Z])(?:\.\d+)+[.)\]:]*", text.strip()) is not None


def is_asked(text: str) -> bool:
    """Whether a text ends as a question."""
    return _MARK.search(text) is not None


def is_question(text: str) -> bool:
    """Whether a text ends as a question.

    Or opens or ends as a question or task does in its language.
    """
    return is_asked(text) or _forms().search(text) is not None


def is_news(text: str) -> bool:
    """Whether a title or heading is that of a list of changes."""
    return _news().search(text) is not None


def is_faq(text: str) -> bool:
    """Whether a title or heading is that of a list of questions."""
    folded = fold(text)
    return any(word in folded for word in _faq())


def reads_as_need(text: str) -> bool:
    """Whether a cell reads as a question, a task, a symptom or a sentence.

    And not as a name or an identifier.
    """
    if len(text) > MOST_LETTERS or _SYNTAX.search(text) or _CODE.search(text) or not has_word(text):
        return False
    if is_asked(text) or _forms().search(text) or _title_forms().search(text):
        return True
    if text.rstrip().endswith("."):
        return False  # a sentence that describes something
    words = [word.lower() for word in _WORD.findall(text)]
    return len(words) >= SHORTEST_ASKED and not _grammar().isdisjoint(words)


def is_task_or_problem(text: str) -> bool:
    """Whether a title says what somebody does or suffers."""
    return _title_forms().search(text) is not None


def why_no_need(text: str, *, least: int = SHORTEST_ASKED, alone: bool = False) -> str:  # noqa: PLR0911
    """Why nobody would look for this text; empty if somebody may.

    A need has several words that tell what is looked for, stands alone, and is whole; ``least`` is
    how many words it has at least, where words are written apart. What a pronoun means may be said
    before it, but not in a need that is part of a sentence (``alone``).
    """
    bare = text.strip().rstrip("?？.。!！…:： ")
    if len(text) > MOST_LETTERS:
        return "a paragraph, longer than anything that people ask"
    if _is_fragment(bare):
        return "a fragment: a bracket or quote is open, or it ends in the middle"
    if _SYNTAX.search(text):
        return "the question mark is a piece of syntax"
    if _idle().fullmatch(bare):
        return "it asks for nothing"
    if _is_bare(_CODE.sub(" ", bare) if _CODE.search(bare) else bare, least):
        return "too few words that tell what is looked for"
    if pointer := _pointer(_QUOTED.sub(" ", text), alone=alone):
        return f"it points at the text around it: {pointer}"
    return ""


def _pointer(text: str, *, alone: bool) -> str:
    """The first word that points at what is not said."""
    found = _bound().search(text)
    if found is not None:
        return found[0].strip()
    found = _pronouns().search(text)
    if found is None or not (alone or _is_bare(text[: found.start()])):
        return ""
    return found[0].strip()


def _is_fragment(bare: str) -> bool:
    if bare.endswith((",", "、", "，", ";", "-", "–", "—")):
        return True
    return any(bare.count(opening) != bare.count(closing) for opening, closing in _BRACKETS)


def _is_bare(bare: str, least: int = SHORTEST_ASKED) -> bool:
    """Whether too few words are left of a text without its end mark."""
    letters = len(_CJK.findall(bare))
    if letters:
        latin = _CJK.sub(" ", bare)
        names = sum(min(len(word), _LATIN) for word in _WORD.findall(latin))
        return letters + names < _LETTERS_A_WORD * least
    words = _WORD.findall(bare)
    if len(words) < least:
        return True
    telling = {word.lower() for word in words if len(word) > 1} - _stop()
    return len(telling) < (1 if _has_name(words) else _LEAST_TELLING)


def _has_name(words: list[str]) -> bool:
    """Whether words name a thing.

    With a digit or a capital inside, or a capital where others have none.
    """
    if any(not word.isalpha() or word[1:] != word[1:].lower() for word in words):
        return True
    capitals = sum(word[0].isupper() for word in words[1:])
    small = sum(word[0].islower() and len(word) > _PLAIN for word in words)
    return 0 < capitals <= small
