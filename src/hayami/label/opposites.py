"""Names that are alike in print and opposite in meaning: enable and disable, 起動 and 再起動.

Two sections of one article often differ in nothing else, so likeness leads to the wrong one. What
makes the difference is data (``opposites`` in :mod:`hayami.words.languages`): words of which a name
means one, and what turns a word into another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import Prefix

from hayami.text.fold import fold, normalise
from hayami.words.languages import every

_SHORTEST: Final = 3
"""Letters of the shortest word that a prefix is looked for before."""
_LONGEST: Final = 200
"""Characters of a name that are compared: a longer one is a text, in which anything stands."""


def _groups(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of each group of a text, longest first."""
    groups = re.split(r"[|\n]", text)
    return tuple(
        tuple(sorted(words, key=len, reverse=True)) for one in groups if (words := one.split())
    )


def _longest_first(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


CONTRASTS: Final = every(lambda language: _groups(language.opposites.contrasts))
"""Words of which a name means one."""
ALONE: Final = every(lambda language: _groups(language.opposites.alone))
"""Those that count only where they are no part of a longer word."""
_PREFIXES: Final = every(lambda language: language.opposites.prefixes)
_LATIN_PREFIXES: Final = tuple(prefix for prefix in _PREFIXES if prefix.isascii())
_HANGUL_PREFIXES: Final = tuple(prefix for prefix in _PREFIXES if "가" <= prefix <= "힣")
_HAN_PREFIXES: Final = tuple(p for p in _PREFIXES if p not in {*_LATIN_PREFIXES, *_HANGUL_PREFIXES})
_ENDINGS: Final = every(lambda language: language.opposites.endings)
_ENDING: Final = re.compile(r"(?:e?s|e?d|ing|er|r)?")
_LATIN: Final = re.compile(r"[a-z]+")
_HYPHENED: Final = re.compile(rf"\b({'|'.join(_LATIN_PREFIXES)})-(?=[a-z])")
_PARTICLE: Final = re.compile(r"\b(log|sign|opt|check|zoom)[ -](?=(?:in|out|on|off)\b)")
_LETTER: Final = re.compile(r"(?<![A-Za-z0-9])(?!^A\s|I\s+[a-z])[A-Z](?:\+\+|#)?(?![A-Za-z])")
_INITIAL: Final = re.compile(r"\b([A-Za-z])-([A-Za-z]+)")
_NOT: Final = re.compile(r"\b(?:not|no(?!\.)|never|cannot)\b|n't\b")
_PARTICLES: Final = "".join(every(lambda one: (*one.joints.genitive, *one.joints.object)))
_CHARACTER: Final = "[一-鿿ァ-ヺー]"
_HAN_PREFIXED: Final = re.compile(rf"(?=({_longest_first(_HAN_PREFIXES)})({_CHARACTER}{{2}}))")
_HANGUL_PREFIXED: Final = re.compile(rf"(?<![가-힣])({'|'.join(_HANGUL_PREFIXES)})([가-힣]{{2}})")
_ENDED: Final = re.compile(
    rf"([一-鿿ァ-ヺー가-힣]{{2,}}?)(?:[{_PARTICLES}]? ?)(?:{'|'.join(_ENDINGS)})"
)


def opposite(reference: str, heading: str) -> str:
    """What makes two names opposites, in words for a person; empty if nothing does.

    The order matters only to letters: those of the reference are looked for in the heading, which
    may have more.
    """
    one, other = _spelt(reference), _spelt(heading)
    for words, meant in (
        *((words, _meant) for words in CONTRASTS),
        *((words, _alone) for words in ALONE),
    ):
        here, there = meant(one, words), meant(other, words)
        if here and there and not here & there:
            return f"{min(here)} is not {min(there)}"
    if letters := _letters(_without_hyphens(reference, heading)) - _letters(heading):
        return f"the letter {min(letters)} of the reference is not in the heading"
    return turned(reference, heading)


def turned(reference: str, heading: str) -> str:
    """:func:`opposite` by a prefix alone (非公開): a name that holds another can be that too."""
    one, other = _spelt(reference), _spelt(heading)
    for here, there in ((one, other), (other, one)):
        found = _prefixed_latin(here, there) or _prefixed(_HAN_PREFIXED, here, there, "")
        found = found or _prefixed(_HANGUL_PREFIXED, here, there, "(?<![가-힣])")
        if found:
            return f"{found} is another word than the same without its beginning"
    return ""


def denied(reference: str, heading: str) -> str:
    """:func:`opposite` by what stands behind a word (ロック解除), or a "not" on one side."""
    one, other = _spelt(reference), _spelt(heading)
    if bool(_NOT.search(one)) != bool(_NOT.search(other)):
        return "only one of them says not"
    for here, there in ((one, other), (other, one)):
        if any(ending in there for ending in _ENDINGS):
            continue
        for found in _ENDED.finditer(here):
            if found[1][-2:] in there:
                return f"{found[0]} takes back what {found[1]} says"
    return ""


@lru_cache(maxsize=4096)
def _spelt(name: str) -> str:
    """A name as words: folded but for blanks, with pre-fixes and "log in" joined."""
    return _PARTICLE.sub(r"\1", _HYPHENED.sub(r"\1", normalise(name[:_LONGEST])))


@lru_cache(maxsize=4096)
def _latin(text: str) -> frozenset[str]:
    return frozenset(_LATIN.findall(text))


def _is_form(word: str, base: str, unlike: Sequence[str] = ()) -> bool:
    """Whether a Latin word is a form of ``base`` (four letters) and none of ``unlike``: starts."""
    stem = base.removesuffix("e")
    if len(base) <= _SHORTEST or word in unlike or not word.startswith(stem):
        return False
    rest = word[len(stem) :].removeprefix(stem[-1])  # stop, stopped
    return _ENDING.fullmatch(rest) is not None


def _meant(text: str, words: Sequence[str]) -> AbstractSet[str]:
    """Those of some words, longest first, that a text has; not 表示 if 非表示 is one of them."""
    if words[0].isascii():
        return _meant_latin(_latin(text), words)
    left, meant = fold(text), set()
    for word in words:
        if word in left:
            meant.add(word)
            left = left.replace(word, " ")
    return meant


def _meant_latin(said: AbstractSet[str], words: Sequence[str]) -> AbstractSet[str]:
    """Those of some Latin words that are said in any form."""
    return {
        word
        for word in words
        if word in said or any(_is_form(one, word, unlike=words) for one in said)
    }


def _alone(text: str, words: Sequence[str]) -> AbstractSet[str]:
    """Those of some words that a text has as words of their own: before a particle, or nothing."""
    return {
        word
        for word in words
        if re.search(f"(?<![一-鿿가-힣]){word}(?:(?![一-鿿가-힣])|(?=[{_PARTICLES}]))", text)
    }


def _without_hyphens(name: str, other: str) -> str:
    """A name with E-mail for Email where ``other`` has that word; B-tree is not R-tree."""
    words = _latin(_spelt(other).replace("-", ""))
    return _INITIAL.sub(lambda word: word[1] + word[2] if _word(word) in words else word[0], name)


def _word(match: re.Match[str]) -> str:
    return (match[1] + match[2]).lower()


def _letters(name: str) -> AbstractSet[str]:
    """Capital letters that stand alone in a name (プランA, Type C, C++); no first "A"."""
    return set(_LETTER.findall(unicodedata.normalize("NFKC", name[:_LONGEST])))


def _prefixed_latin(here: str, there: str) -> str:
    """The word of ``here`` that is one of ``there`` with a prefix; empty if a text has both."""
    words, others = _latin(here), _latin(there)
    for word in sorted(words - others):
        if _has_form(word, others):
            continue
        rests = (word.removeprefix(one) for one in _LATIN_PREFIXES if word.startswith(one))
        if any(len(rest) >= _SHORTEST and _has_form(rest, others - words) for rest in rests):
            return word
    return ""


def _has_form(word: str, others: AbstractSet[str]) -> bool:
    """Whether some form of a Latin word is among others."""
    return any(_alike(word, other) for other in others)


def _alike(word: str, other: str) -> bool:
    """Whether two Latin words are forms of one: installing, installation."""
    if word == other or _is_form(word, other) or _is_form(other, word):
        return True
    return Prefix.similarity(word, other) >= max(5, 0.55 * max(len(word), len(other)))


def _prefixed(pattern: re.Pattern[str], here: str, there: str, start: str) -> str:
    """The beginning of a word of ``here`` that ``there`` has only without its prefix; or empty."""
    for match in pattern.finditer(here):
        prefix, word = match[1], match[2]
        # Nothing else before it: 端末起動 is 端末再起動 without 再, but 改写 is not 重写 without
        # 重.
        before = f"|(?<={re.escape(here[match.start() - 1])})" if match.start() else ""
        plain = re.compile(f"{start}(?<!{prefix})(?:(?<![一-鿿]){before}){word}(?!以外)")
        if prefix + word not in there and plain.search(there) and not plain.search(here):
            return prefix + word
    return ""
