"""Questions that are nearly the same: found without comparing each with each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from hayami.text.fold import compact, fold, has_word
from hayami.words.languages import every

NEAR: Final = 0.88
"""Indel ratio (0 to 1) of two questions without blanks from which they may be one.

Chosen by eye on the 1,519 questions of the sample and of 18 real sites: below it, most pairs ask
for different things (with a clause more, say); above it, all that :func:`same_question` lets pass
were one question in two spellings.
"""
SHORTEST: Final = 5
"""Letters of the shortest question that can nearly be another one."""
_APART: Final = 4
"""Letters of content by which two questions that are nearly the same differ in length at most."""
_LEAST_PART: Final = 2
_SLIP: Final = 1
"""Letters in which two spellings of one word differ: with two, getNullBit is getNullInt."""
_DIGITS: Final = re.compile(r"\d+")
_CONTENT: Final = re.compile(r"[a-z][a-z']*|[0-9]+|[ァ-ヺー一-鿿가-힣々]+")
_WORD: Final = re.compile(r"[a-z][a-z']*|[ァ-ヺー]{2,}")
_HAN: Final = re.compile(r"[一-鿿]")
_HANGUL: Final = re.compile(r"[가-힣]")
_TURNING: Final = re.compile("|".join(every(lambda language: language.opposites.denials)))
"""Words that turn a question into its opposite."""
_FORM_WORDS: Final = frozenset(every(lambda language: language.stop.repeats))


class Near(NamedTuple):
    """Two questions that are nearly the same, by their places in the list."""

    one: int
    other: int
    likeness: float
    """Indel ratio without blanks, 0 to 1; 1 if nothing but width, case and marks differs."""


def near_duplicates(questions: Sequence[str], least: float = NEAR) -> Iterator[Near]:
    """Every pair of questions that ask nearly the same, by place, the smaller place first.

    Two questions are nearly the same if their Indel ratio without blanks is at least ``least`` and
    nothing tells them apart: no other number, no other Latin or katakana word (but for spelling),
    no CJK character changed for another one, no "not" in one alone. Questions that are equal but
    for width, case, blanks and their last mark are reported only if their compact forms differ:
    merging finds the others.

    Each with each would be five billion comparisons for 100,000 questions. So only those are
    compared whose content (what is not hiragana, and no word of form such as "how") begins or ends
    alike over nearly half of it. That finds all that differ in one place by up to three letters of
    content; two words misspelt in one question may be missed.

    Source: the partition idea of Li, Deng, Wang, Feng: Pass-Join, PVLDB 5(3), 2011.
    """
    first: dict[str, int] = {}
    written: set[str] = set()
    index = _PhraseIndex()
    texts = [compact(question) for question in questions]
    for place, whole in enumerate(texts):
        text = texts[place] = whole.rstrip("?。.!")
        if whole in written or sum(map(has_word, text)) < SHORTEST:
            continue
        written.add(whole)
        if text in first:  # but for the mark at the end it is the same
            yield Near(first[text], place, 1.0)
        else:
            first[text] = place
            content = _content(questions[place]) or text
            for other, likeness in index.near(text, content, least):
                if same_question(questions[other], questions[place]):
                    yield Near(other, place, likeness)
            index.add(place, text, content)


def _content(question: str) -> str:
    """The letters of a question that carry its meaning; empty if too few to look it up by."""
    parts = (part for part in _CONTENT.findall(fold(question)) if part not in _FORM_WORDS)
    content = "".join(parts)
    return content if len(content) > _LEAST_PART + 1 else ""


def _part(length: int) -> int:
    """How many letters at the start or end of a content of some length must be alike."""
    return max(_LEAST_PART, (length - 3) // 2)


_Key = tuple[int, str, bool]
"""A length of content, its first or last letters, and whether they are the first."""


def _keys(content: str, length: int) -> tuple[_Key, _Key]:
    """Where contents of some length are noted that begin or end as ``content`` does."""
    size = _part(length)
    return (length, content[:size], True), (length, content[-size:], False)


class _PhraseIndex:
    """Questions by the start and the end of their content."""

    def __init__(self) -> None:
        self._texts: dict[_Key, list[str]] = {}
        self._places: dict[_Key, list[int]] = {}

    def add(self, place: int, text: str, content: str) -> None:
        """Notes a question."""
        for key in _keys(content, len(content)):
            self._texts.setdefault(key, []).append(text)
            self._places.setdefault(key, []).append(place)

    def near(self, text: str, content: str, least: float) -> list[tuple[int, float]]:
        """The questions noted so far that are alike enough, by place, with the Indel ratio."""
        found: dict[int, float] = {}
        for length in range(max(1, len(content) - _APART), len(content) + _APART + 1):
            for key in _keys(content, length):
                texts, places = self._texts.get(key, []), self._places.get(key, [])
                near = process.extract(
                    text, texts, scorer=fuzz.ratio, score_cutoff=100 * least, limit=None
                )
                for _, score, number in near:
                    found[places[number]] = round(score / 100, 4)
        return sorted(found.items())


def same_question(one: str, other: str) -> bool:
    """Whether nothing tells two alike questions apart: numbers, names, characters or a "not"."""
    here, there = fold(one), fold(other)
    if Counter(_DIGITS.findall(here)) != Counter(_DIGITS.findall(there)):
        return False
    if Counter(_TURNING.findall(here)) != Counter(_TURNING.findall(there)):
        return False
    if any(_changed(script, here, there) for script in (_HAN, _HANGUL)):
        return False
    words, others = (
        {w for w in _WORD.findall(text) if w not in _FORM_WORDS} for text in (here, there)
    )
    return _matched(words - others, others) and _matched(others - words, words)


def _changed(script: re.Pattern[str], here: str, there: str) -> bool:
    """Whether each side has characters of a script that the other lacks: one was changed."""
    ours, theirs = Counter(script.findall(here)), Counter(script.findall(there))
    return bool(ours - theirs) and bool(theirs - ours)


def _matched(words: set[str], others: set[str]) -> bool:
    """Whether each word has a counterpart of the same beginning that is spelt nearly as it is."""
    return all(
        any(word[0] == other[0] and Levenshtein.distance(word, other) <= _SLIP for other in others)
        for word in words
    )
