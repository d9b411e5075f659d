"""Opposites that no list holds: denied or not, before or after, inside or outside, told or done.

They are made of whatever word there is: 使える and 使えない, 館内 and 館外, 구매 전 and 구매 후.
What makes them is in ``opposites`` of :mod:`hayami.words.languages`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from rapidfuzz.distance import Levenshtein

from hayami.text.fold import normalise
from hayami.words.languages import every

_LONGEST: Final = 200
"""Characters of a name that are compared, as in :mod:`hayami.label.opposites`."""
_CHANGED: Final = 2
"""Letters in a row that are changed for others at most where one pole stands for another."""
_SHORT: Final = 2
"""Letters of a katakana word, long marks aside, of which one more or less makes another word."""


def _pattern(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_DENIALS: Final = _pattern(every(lambda language: language.opposites.negations))
_NO_DENIALS: Final = _pattern(every(lambda language: language.opposites.affirmed))
_HAPPENED: Final = _pattern(every(lambda language: language.opposites.happened))
_POLES: Final = tuple(
    frozenset(group.split())
    for poles in every(lambda language: [language.opposites.poles])
    for group in re.split(r"[|\n]", poles)
)
_HEAD_END: Final = re.compile(r"(?<=\w)(?::|\s-+\s|\()")
_KATAKANA: Final = re.compile(r"[ァ-ヺー]{2,}")
_WORD: Final = re.compile(r"[a-z]+")
_PAST: Final = re.compile(r"e?d|[a-z]ed")


def contrary(reference: str, heading: str) -> str:
    """What makes two names mean contrary things, in words for a person; empty if nothing does."""
    here, there = normalise(reference[:_LONGEST]), normalise(heading[:_LONGEST])
    if not _stances(here, denies) & _stances(there, denies):
        return "only one of them denies"
    if poles := _changed_poles(here, there):
        return f"{poles[0]} is not {poles[1]}"
    if word := _other_word(here, there) or _other_word(there, here):
        return f"{word} is another word"
    if not _stances(here, _happened) & _stances(there, _happened):
        return "only one of them has happened"
    if command := _command(here, there) or _command(there, here):
        return f"one tells to {command}, the other is about what was"
    return ""


def _stances(name: str, says: Callable[[str], bool]) -> frozenset[bool]:
    """Whether a name says so as a whole, and whether it does up to its colon or dash."""
    return frozenset((says(name), says(_HEAD_END.split(name, maxsplit=1)[0])))


def _happened(folded: str) -> bool:
    return _HAPPENED.search(folded) is not None


def denies(folded: str) -> bool:
    """Whether a name says that something is not so: by an ending, a beginning or a word."""
    return _DENIALS.search(_NO_DENIALS.sub(" ", folded)) is not None


def _changed_poles(here: str, there: str) -> tuple[str, str] | None:
    """Two poles of one axis, one of each name, that stand in the same place; None without any."""
    for one, other in _changes(here.replace(" ", ""), there.replace(" ", "")):
        for group in _POLES:
            poles = _more(group & set(one), here, there)
            others = _more(group & set(other), there, here)
            if poles and others:
                return min(poles), min(others)
    return None


def _more(letters: AbstractSet[str], here: str, there: str) -> list[str]:
    """The letters that stand more often here: where both have them, only their order is another."""
    return [letter for letter in letters if here.count(letter) > there.count(letter)]


def _changes(here: str, there: str) -> Iterator[tuple[str, str]]:
    """The few letters in a row that differ where both names go on alike."""
    for step in Levenshtein.opcodes(here, there):
        one, other = here[step.src_start : step.src_end], there[step.dest_start : step.dest_end]
        if step.tag == "replace" and max(len(one), len(other)) <= _CHANGED:
            yield one, other


def _other_word(here: str, there: str) -> str:
    """A short katakana word of ``here`` that ``there`` has with another long mark; or empty."""
    words: set[str] = set(_KATAKANA.findall(there))
    own: list[str] = _KATAKANA.findall(here)
    for word in own:
        if len(word) > _SHORT or word in words:
            continue
        for other in words:
            marks = other.count("ー", 0, -1) - word.count("ー", 0, -1)
            if marks and other.replace("ー", "") == word.replace("ー", ""):
                return word
    return ""


def _command(here: str, there: str) -> str:
    """The verb that ``here`` begins with and that ``there`` says was done to something; or empty.

    "Restart the server" is one beside "Servers restarted during an upgrade".
    """
    words: list[str] = _WORD.findall(here)
    others: list[str] = _WORD.findall(there)
    if len(words) < _CHANGED or here[: len(words[0])] != words[0]:
        return ""
    verb, stem = words[0], words[0].removesuffix("e")
    for place, other in enumerate(others):
        past = other != verb and other.startswith(stem) and _PAST.fullmatch(other[len(stem) :])
        if past and place and verb not in others:
            return verb
    return ""
