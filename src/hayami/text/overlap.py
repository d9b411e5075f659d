"""How much of a question's wording its section has: what makes a set easy for search by words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hayami.text.fold import fold, has_word
from hayami.words.languages import every

LEXICAL: Final = 0.9
"""Share of a question's words in its target from which it is flagged: all but one word in ten."""
FEWEST_WORDS: Final = 3
"""Words below which no share says anything."""
SHORTEST_VERBATIM: Final = 6
"""Letters from which finding a question word for word is no chance: terms stand in many texts."""
_PAIR: Final = 2
"""CJK characters in a row that two texts must share to share a word."""
_TOKEN: Final = re.compile(
    r"[a-z0-9][a-z0-9+#.\-]*[a-z0-9+#]|[ァ-ヺー]{2,}|[一-鿿々]+|[가-힣]+|[a-z0-9]"
)
_RUN: Final = re.compile(r"[a-z0-9][a-z0-9+#.\-]*[a-z0-9+#]|[ァ-ヺー]{2,}|[a-z0-9]")
_STOP: Final = frozenset(every(lambda language: language.stop.wording))


def words(text: str) -> set[str]:
    """The words by which two texts are compared: Latin and katakana words, pairs of CJK characters.

    English words that name nothing are left out, and so is hiragana, which is mostly grammar.
    """
    found: set[str] = set()
    for token in _TOKEN.findall(fold(text)):
        if token.isascii():
            found |= {token} - _STOP
        elif _is_run(token):
            found.add(token)
        else:
            found |= {token[i : i + _PAIR] for i in range(len(token) - 1)}
    return found


def _is_run(token: str) -> bool:
    """Whether a token counts as one word: a short one, or one of katakana."""
    return len(token) <= _PAIR or "ァ" <= token[0] <= "ヺ"


@dataclass(frozen=True, slots=True)
class Asked:
    """The words of a question, prepared for looking them up in many sections."""

    text: str
    """The question, folded as the wording of a section is, without blanks and its last mark."""
    runs: frozenset[str]
    """Its Latin and katakana words: looked up as words."""
    parts: tuple[str, ...]
    """Its other words: looked up anywhere, as CJK text has no blanks."""

    @classmethod
    def of(cls, question: str) -> Asked:
        """The words of a question."""
        found = words(question)
        runs = frozenset(word for word in found if word.isascii() or "ァ" <= word[0] <= "ヺ")
        return cls(_joined(question).rstrip("?。.!:…"), runs, tuple(sorted(found - runs)))

    @property
    def count(self) -> int:
        """How many words there are."""
        return len(self.runs) + len(self.parts)


@dataclass(frozen=True)
class Wording:
    """The text of a section, prepared for comparing questions with it."""

    text: str

    @classmethod
    def of(cls, heading: str, headings: Iterable[str], text: str) -> Wording:
        """The wording of a section: its heading, deeper headings and text."""
        return cls(_folded("\n".join((heading, *headings, text))))

    @cached_property
    def _joined(self) -> str:
        return "".join(self.text.split())

    @cached_property
    def _runs(self) -> frozenset[str]:
        return frozenset(_RUN.findall(self.text))

    def holds(self, asked: Asked) -> bool:
        """Whether the question stands here word for word, but for width, case and marks."""
        return asked.text in self._joined and sum(map(has_word, asked.text)) >= SHORTEST_VERBATIM

    def share(self, asked: Asked) -> float | None:
        """The share, 0 to 1, of a question's words that stand here; None if there are too few."""
        if asked.count < FEWEST_WORDS:
            return None
        text = self._joined
        here = sum([part in text for part in asked.parts])
        return (len(asked.runs & self._runs) + here) / asked.count


def _folded(text: str) -> str:
    """NFKC and case-folded: for long texts, as ``normalise`` takes far longer."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).casefold()


def _joined(text: str) -> str:
    return "".join(_folded(text).split())
