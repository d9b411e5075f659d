"""Every sentence that a judge reads, by key, in the languages that hayami speaks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hayami.words.languages import Sentences, languages

DEFAULT: Final = "en"
"""The language of who asks for none, or for none that hayami speaks."""


def spoken() -> tuple[str, ...]:
    """The codes of the languages of the page and the terminal, sorted."""
    return tuple(sorted(code for code, one in languages().items() if one.review is not None))


@dataclass(frozen=True, slots=True)
class JudgeWords:
    """The sentences in one language; called with a key it gives that, ``{names}`` filled in."""

    language: str = DEFAULT

    @property
    def _sentences(self) -> Sentences:
        return languages()[self.language].review or {}

    def __call__(self, key: str, **values: object) -> str:
        """The sentence under a key.

        Raises:
            KeyError: there is none.
        """
        sentence = self._sentences[key]
        return sentence.format(**values) if values else sentence

    def code(self, group: str, value: str) -> str:
        """What a code of the records means, such as a flag; the code itself if no sentence says."""
        return self._sentences.get(f"{group}.{value}", value)


def keys(language: str) -> frozenset[str]:
    """The keys that a language has a sentence for."""
    return frozenset(languages()[language].review or {})


def preferred(accepted: str) -> str:
    """The language that an ``Accept-Language`` header asks for most, English if for none of them.

    Source: RFC 9110, section 12.5.4.
    """
    known = spoken()
    weighted: list[tuple[float, int, str]] = []
    for place, part in enumerate(accepted.split(",")):
        tag, _, weight = part.strip().partition(";")
        code = tag.strip().lower().split("-")[0]
        quality = re.fullmatch(r"\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*", weight)
        share = float(quality[1]) if quality else 1.0
        if code in known and share > 0:
            weighted.append((-share, place, code))
    return min(weighted)[2] if weighted else DEFAULT
