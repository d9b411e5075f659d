"""How alike a reference and a heading are, and when likeness is no evidence.

The fuzzy rule's scorer and guards.

The choice is measured on hand-made problems from real headings, see ``tests/fuzzy`` and its command
in the README.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from rapidfuzz import fuzz
from rapidfuzz.distance import Prefix

from hayami.label.opposites import denied, opposite
from hayami.label.polarity import contrary
from hayami.text.fold import fold
from hayami.text.numbering import in_digits
from hayami.text.openings import without_number
from hayami.words.languages import every

MARGIN: Final = 0.1
"""How much better than the best other section a section must be: less than that is chance."""
LONGEST_STRANGE: Final = 2
"""Letters in a row that the other side does not have, on both sides: one or two are a slip, more is
another word."""
HEAD_TRUST: Final = 0.95
"""What a likeness to the part of a heading before its colon counts beside one to the whole
heading."""
_HEAD_END: Final = re.compile(r":|\s-+\s|(?<=[^a-z0-9])-(?=[^a-z0-9])|\(|\|")
_SHORTEST_HEAD: Final = 3
_SIZES: Final = (1, 2)
"""Lengths of the character n-grams.

On the measured problems 1-2 is better than 1-3 and 2-3 in every language.
"""
_TYPO: Final = 80
"""Indel ratio (0 to 100) from which two Latin words of at least _TYPO_LENGTH letters are one word
misspelt."""
_TYPO_LENGTH: Final = 4

_STEM: Final = 4
_STEM_SHARE: Final = 0.7
"""Letters, and share of the shorter word, that two forms of one word have in common from the
start."""
_STOP_WORDS: Final = frozenset(every(lambda language: language.stop.likeness))

_BRACKETED: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|【[^【】]*】")
_SPELLINGS: Final = tuple(
    (re.compile(other), usual) for other, usual in every(lambda one: one.spellings.items())
)
"""Spellings of one word: what is written in several ways without meaning anything else."""
_LATIN: Final = re.compile(r"[a-z]{2,}")
_KATAKANA: Final = re.compile(r"[ァ-ヺー]{2,}")
_ENDING: Final = re.compile(r"(?:e?s|ed|d|ing|er|ly)")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*")
_LETTER: Final = re.compile(r"[^\W_ぁ-んa-z0-9]")


def _without_number(text: str) -> str:
    """Folded text without the number at its start.

    A blank after it tells "3.1 の設定" from "3.1の設定".
    """
    return fold(without_number(text))


def core(text: str) -> str:
    """A name as the fuzzy rule sees it.

    Folded, without its number, spellings of one word made alike.
    """
    folded = in_digits(_without_number(text))
    for pattern, spelling in _SPELLINGS:
        folded = pattern.sub(spelling, folded)
    return folded


def bare(text: str) -> str:
    """A name without its number and without what stands in brackets.

    The name itself if nothing would be left.
    """
    stripped = _BRACKETED.sub("", _without_number(text)).strip(" :-。.")
    return stripped or fold(text)


def conflict(reference: str, heading: str) -> str:
    """Why two names cannot mean the same however alike they are.

    Empty if nothing speaks against it.
    """
    here, there = core(reference), core(heading)
    numbers = _NUMBER.findall(there)
    if not all(
        any(_same_number(number, other) for other in numbers) for number in _NUMBER.findall(here)
    ):
        return "a number of the reference is not in the heading"
    words = [word for word in _LATIN.findall(here) if word not in _STOP_WORDS]
    known = _LATIN.findall(there)
    if not all(any(_same_word(word, other) for other in known) for word in words):
        return "a Latin word of the reference is not in the heading"
    if _KATAKANA.fullmatch(here) and not any(_same_word(here, w) for w in _KATAKANA.findall(there)):
        return "the katakana word that is the reference is not in the heading"  # ポート is not サポート
    if why := _contrary(reference, heading):
        return why
    here, there = here.replace(" ", ""), there.replace(" ", "")
    if min(_strange(here, there), _strange(there, here)) > LONGEST_STRANGE:
        return "a word of the reference stands where the heading has another one"
    return ""


def _contrary(reference: str, heading: str) -> str:
    return (
        opposite(reference, heading) or denied(reference, heading) or contrary(reference, heading)
    )


def _same_number(number: str, other: str) -> bool:
    """Whether two numbers are one, or one the beginning of the other.

    2 and 2.1, but not 1.0 and 1.1.
    """
    return number == other or number.startswith(f"{other}.") or other.startswith(f"{number}.")


def _same_word(word: str, other: str) -> bool:
    """Whether two Latin words are forms of one word, or one misspelt."""
    if (
        word == other
        or _ENDING.fullmatch(other.removeprefix(word))
        or _ENDING.fullmatch(word.removeprefix(other))
    ):
        return True
    shorter = min(len(word), len(other))
    if shorter >= _STEM and (word in other or other in word):
        return True
    if Prefix.similarity(word, other) >= max(_STEM, _STEM_SHARE * shorter):
        return True
    return shorter >= _TYPO_LENGTH and fuzz.ratio(word, other) >= _TYPO


def _strange(text: str, other: str) -> int:
    """The longest run of letters (hiragana and Latin aside) of ``text`` of which no two neighbours stand in ``other``."""
    known = {other[i : i + 2] for i in range(len(other) - 1)}
    longest = run = 0
    for i, letter in enumerate(text):
        strange = text[i : i + 2] not in known and text[max(0, i - 1) : i + 1] not in known
        run = run + 1 if strange and _LETTER.match(letter) else 0
        longest = max(longest, run)
    return longest


@dataclass(slots=True)
class _Index:
    """Some names by their grams: which name has which gram, with what weight."""

    names: list[str]
    idf: dict[str, float]
    unseen: float
    postings: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    lengths: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        for number, name in enumerate(self.names):
            weights = self.weights(name)
            self.lengths.append(_length(weights))
            for gram, weight in weights.items():
                self.postings.setdefault(gram, []).append((number, weight))

    def weights(self, text: str) -> dict[str, float]:
        return {gram: n * self.idf.get(gram, self.unseen) for gram, n in _grams(text).items()}

    def scores(self, text: str) -> list[float]:
        """The likeness of ``text`` to each name; 0 to a name that shares no gram with it."""
        query = self.weights(text)
        total, length = sum(query.values()) or 1.0, _length(query)
        dots, covered = [0.0] * len(self.names), [0.0] * len(self.names)
        for gram, weight in query.items():
            for number, other in self.postings.get(gram, ()):
                dots[number] += weight * other
                covered[number] += weight
        scores = [0.0] * len(self.names)
        for number, dot in enumerate(dots):
            if dot:
                grams = dot / (length * self.lengths[number]) + covered[number] / total
                scores[number] = fuzz.ratio(text, self.names[number]) / 200 + grams / 4
        return scores


def _length(weights: dict[str, float]) -> float:
    return math.sqrt(sum(w * w for w in weights.values())) or 1.0


class Similarity:
    """Similarity of any text to each of the headings of one article, 0 to 1.

    The mean of the Indel ratio and of n-gram likeness; the latter is the mean of the cosine of
    character 1-2-grams weighted by idf over the headings, and of the weighted share of the
    reference's grams that the heading has. So what all headings share counts little, and a
    shortened name is not punished for what it leaves out.
    """

    def __init__(self, headings: Sequence[str]) -> None:
        self._cores = tuple(map(core, headings))
        heads = [_head(text) for text in self._cores]
        frequency = Counter(gram for text in self._cores for gram in _grams(text))
        total = len(self._cores) + 1
        idf = {gram: math.log(total / (n + 1)) + 1 for gram, n in frequency.items()}
        self._whole = _Index(list(self._cores), idf, math.log(total) + 1)
        self._headed = [number for number, head in enumerate(heads) if head]
        self._heads = _Index([heads[number] for number in self._headed], idf, math.log(total) + 1)

    def scores(self, reference: str) -> list[float]:
        """The similarity of ``reference`` to each heading, in the order of the headings."""
        text = core(reference)
        scores = self._whole.scores(text)
        for number, score in zip(self._headed, self._heads.scores(text), strict=True):
            scores[number] = max(
                scores[number], HEAD_TRUST * score
            )  # what stands before a colon can be the name
        return [min(1.0, score) for score in scores]


def _head(text: str) -> str:
    """A heading up to its colon, dash or bracket.

    Empty if it has none or little stands before it.
    """
    head = _HEAD_END.split(text, maxsplit=1)[0].strip()
    return head if head != text.strip() and len(head) >= _SHORTEST_HEAD else ""


def _grams(text: str) -> Counter[str]:
    joined = text.replace(" ", "")
    return Counter(joined[i : i + n] for n in _SIZES for i in range(len(joined) - n + 1))
