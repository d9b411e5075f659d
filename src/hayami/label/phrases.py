"""What writers put around a name: arrows, quotes, "see …" and 〜を参照; and cells without one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from hayami.text.fold import compact, fold, has_word, squeeze
from hayami.words.languages import every

_ARROWS_BEFORE: Final = r"[\s・→⇒➡⇨▶►▸»›>☞👉↓↳•*■●◆–—:：]+"
_ARROWS_BEHIND: Final = (r"[\s→⇒➡»›>▶。．、,:：!！]+", r"(?<=\w)\.(?<!\.\.)")
_NUMERALS: Final = "".join(every(lambda language: language.numbers.digits[1:]))
_NUMBERED: Final = rf"(?:[\u2460-\u2473]|[(（]?[{_NUMERALS}]{{1,3}}[、.)）])\s*"


def _before(patterns: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(f"^(?:{pattern})", re.IGNORECASE) for pattern in patterns)


def _behind(patterns: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(f"(?:{pattern})$", re.IGNORECASE) for pattern in patterns)


_LEADING: Final = _before((_ARROWS_BEFORE, *every(lambda language: language.phrases.leading)))
"""What writers put before a reference."""
_TRAILING: Final = _behind((*_ARROWS_BEHIND, *every(lambda language: language.phrases.trailing)))
"""What they put behind it."""
_BY_THE_WAY: Final = (
    *_before((*every(lambda language: language.phrases.opening), _NUMBERED)),
    *_behind(every(lambda language: language.phrases.closing)),
)
"""What stands around some references and can be part of a name: "Read replicas"."""
LONGEST: Final = 400
"""Characters from which a text is no name with a decoration."""
_QUOTED: Final = re.compile(r"^[「『“\"'‘《〈【\[（(](.+)[」』”\"'’》〉】\]）)]$")
_QUOTES_INSIDE: Final = re.compile(r"[「『“《〈【（(].*[」』”》〉】）)]")
_NOTHING: Final = re.compile(r"[\-~_=.·・…*/|ー\s]+")


def strip_decorations(text: str) -> str:
    """A reference without arrows, quotes and "see …": ``→「設定」の節を参照`` is 設定.

    Never empty if ``text`` holds a word.
    """
    current = squeeze(text)
    while len(current) <= LONGEST:
        stripped = _without(current, (*_TRAILING, *_LEADING))
        quoted = _QUOTED.match(stripped)
        if quoted is not None and not _QUOTES_INSIDE.search(quoted[1][:-1] + "x"):
            stripped = quoted[1].strip()
        if stripped == current or not has_word(stripped):
            return current
        current = stripped
    return current


def without_phrases(text: str) -> str:
    """A reference without what may be a phrase around it or a part of the name.

    Only a heading's whole name may be looked for so.

    >>> without_phrases("Jump to section 2: Building the index")
    'Building the index'
    >>> without_phrases("the index section below")
    'index'
    """
    return text if len(text) > LONGEST else _without(text, _BY_THE_WAY, edges=" _*`")


def _without(text: str, patterns: Iterable[re.Pattern[str]], *, edges: str | None = None) -> str:
    """``text`` without what each pattern finds first, and without ``edges`` (blanks) at its ends.

    Nothing is taken that would leave no word.
    """
    for pattern in patterns:
        shorter = pattern.sub("", text, count=1).strip(edges)
        text = shorter if has_word(shorter) else text
    return text


def is_placeholder(text: str, words: Sequence[str]) -> bool:
    """Whether a cell says that there is no reference: empty, only dashes, or one of ``words``."""
    folded = fold(text)
    if not folded or _NOTHING.fullmatch(folded):
        return True
    return compact(text) in compacted(tuple(words))


@lru_cache(maxsize=16)
def compacted(texts: tuple[str, ...]) -> frozenset[str]:
    """Some texts as they are compared, without blanks."""
    return frozenset(map(compact, texts))
