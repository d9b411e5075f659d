"""What writers put around a name: arrows, quotes, "see …" and 〜を参照, and cells that name nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from hayami.text.fold import compact, fold, has_word, squeeze

_ARROWS: Final = r"[\s・→⇒➡⇨▶►▸»›>☞👉↓↳•*■●◆–—:：]+"
_LEADING: Final = tuple(
    re.compile(rf"^(?:{pattern})", re.IGNORECASE)
    for pattern in (
        _ARROWS,
        r"see(?: also)?(?: the)?(?: section)?(?: on| about)?\b[\s:]+(?=\S)",
        r"(?:refer to|read(?: more)? (?:in|about)|read more|details in|described in|explained in)\b[\s:]+(?:the )?",
        r"read(?:\s*:\s*|\s+(?=[「『“\"‘']|the\b))(?:the )?",  # "Read replicas" is a name
        r"(?:参照|参考|参见|參見|請見)\s*[:：]\s*",
        r"(?:詳しくは|詳細は|くわしくは)[、,\s]*",
        r"(?:자세한 내용은\s*[:：]?|(?:참고|참조)\s*[:：])\s*(?=\S)",
        r"(?:请|請)?(?:参见|参看|参阅|参考|参照|详见|見|见|看|參見|詳見)[:：\s]*(?=[「『《“\"])",
        r"(?:请|請)?(?:参见|参看|参阅|详见|參見|詳見)[:：\s]*",
    )
)
"""What writers put before a reference."""
_TRAILING: Final = tuple(
    re.compile(rf"(?:{pattern})$", re.IGNORECASE)
    for pattern in (
        r"[\s→⇒➡»›>▶。．、,:：!！]+",
        r"(?<=\w)\.(?<!\.\.)",
        r"(?:[をもはにへ]|(?<=[」』）\s]))(?:ご?参照|ご?参考|ご?確認|ご覧)(?:に?して(?:ください|下さい)|ください|下さい|のこと|する|します)?",
        r"[をも](?:ご?覧ください|見る|見て(?:ください|下さい)|読む|読んで(?:ください|下さい)?)",
        r"の(?:節|章|項|項目|見出し|セクション|パート|ページ|記事|欄|箇所|ところ)(?:へ|で|に|を|で(?:解説|説明|後述))?",
        r"で(?:解説|説明|後述|紹介)(?:する|します|しています|している)?",
        r"(?<=[」』》”\"])(?:一节|一章|这一节|章节|部分|小节|节|一節|節)",
        r"(?<=[」』》”\"’'])\s*(?:section|chapter)",
        r"(?:\s*(?:을|를)\s*(?:참고|참조|확인)|\s+(?:참고|참조)|(?<=[」』”\"])\s*(?:참고|참조))(?:하세요|하십시오|하기|하라)?",
        r"\s*(?:을|를)\s*(?:보세요|보십시오|보라|본다|읽으세요)",
        r"(?:에서|에)\s*(?:설명|다룬다|다룹니다|설명한다|설명합니다|자세히 다룬다)",
        r"(?<=[」』”\"’'])\s*(?:절|장|부분|항목|섹션)(?:을|를|에서|에)?",
    )
)
"""What they put behind it."""
_UNIT: Final = r"(?:section|chapter|part|step|heading|page|article|h[1-6])"
_BY_THE_WAY: Final = (
    re.compile(
        r"^(?:(?:please\s+)?(?:(?:see|read|check|visit|open|consult|more|details|explained|described|discussed|covered"
        r"|documented|detailed|answered)|(?:go|jump|skip|head|scroll|refer)\s+to|check\s+out|look\s+at|learn\s+more"
        r"|find\s+(?:it|this|out|more|out\s+more)|cf(?=\.?\s)|below|above)\b\.?(?:\s+(?:also|more|below|above|here))*"
        r"(?:\s+(?:in|on|under|about|at))?\s*[:\s]\s*)?(?:the\s+)?"
        rf"(?:{_UNIT}(?:\s*\d+(?:\.\d+)*)?\s*[:,–—-]\s*)?",
        re.IGNORECASE,
    ),
    re.compile(r"^(?:[\u2460-\u2473]|[(（]?[一二三四五六七八九十]{1,3}[、.)）])\s*"),
    re.compile(
        rf"(?:\s*[,(–—-]\s*{_UNIT}\s*\d+(?:\.\d+)*\)?|\s+{_UNIT})?"
        r"(?:\s+(?:below|above|for\s+(?:the\s+)?(?:more\s+)?(?:details|information|more)))*$",
        re.IGNORECASE,
    ),
)
"""What stands around some references and can as well be part of a name ("Read replicas", "Check constraints")."""
LONGEST: Final = 400
"""Characters from which a text is no name with a decoration."""
_QUOTED: Final = re.compile(r"^[「『“\"'‘《〈【\[（(](.+)[」』”\"'’》〉】\]）)]$")
_QUOTES_INSIDE: Final = re.compile(r"[「『“《〈【（(].*[」』”》〉】）)]")
_NOTHING: Final = re.compile(r"[\-~_=.·・…*/|ー\s]+")


def strip_decorations(text: str) -> str:
    """A reference without arrows, quotes and "see …": ``→「設定の変更」の節を参照`` is 設定の変更.

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
    """A reference without what may be a phrase around it or a part of the name: only a heading's whole name may match.

    >>> without_phrases("Jump to section 2: Building the index"), without_phrases("the index section below")
    ('Building the index', 'index')
    """
    return text if len(text) > LONGEST else _without(text, _BY_THE_WAY, edges=" _*`")


def _without(text: str, patterns: Iterable[re.Pattern[str]], *, edges: str | None = None) -> str:
    """``text`` without what each pattern finds first and without the characters ``edges`` (blanks) at its ends.

    Nothing is taken that would leave no word.
    """
    for pattern in patterns:
        shorter = pattern.sub("", text, count=1).strip(edges)
        text = shorter if has_word(shorter) else text
    return text


def is_placeholder(text: str, words: Sequence[str]) -> bool:
    """Whether a cell says that there is no reference: empty, nothing but dashes, or one of ``words``."""
    folded = fold(text)
    if not folded or _NOTHING.fullmatch(folded):
        return True
    return compact(text) in compacted(tuple(words))


@lru_cache(maxsize=16)
def compacted(texts: tuple[str, ...]) -> frozenset[str]:
    """Some texts as they are compared, without blanks."""
    return frozenset(map(compact, texts))
