"""Folding and comparing short texts: what counts as the same heading, in four languages."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_WAVES: Final = "\u301c\uff5e\u223c\u223f\u02dc"
_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2500\u2501\ufe58\ufe63\uff0d"
_FOLDED: Final = str.maketrans(
    dict.fromkeys(_WAVES, "~")
    | dict.fromkeys(_DASHES, "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\uff07", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\uff02", '"')
)
# Default-ignorable code points (Unicode, DerivedCoreProperties): they change nothing that a reader
# sees.
_IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Kana, CJK ideographs, hangul, and the marks written between them.
_CJK: Final = (
    "\u3000-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_CJK_SPACE: Final = re.compile(f"(?<=[{_CJK}]) | (?=[{_CJK}])")
_PUNCTUATION_SPACE: Final = re.compile(r" ?([(){}\[\]<>「」『』【】《》〈〉、。,:;!?/|~・·]) ?")
_ZERO_WIDTH: Final = ("\u200b", "\ufeff", "\u00ad", "\u2060")
_NO_WIDTH: Final = str.maketrans("", "", "".join(_ZERO_WIDTH))
_WORD: Final = re.compile(r"[^\W_]")
_LINE_SEPARATORS: Final = str.maketrans(
    {"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"}
)

# Runs of letters, not single ones: far fewer strings are made for the same count.
_KANA: Final = re.compile("[\u3041-\u3096\u30a1-\u30fa\u31f0-\u31ff\uff66-\uff9f]+")
_HANGUL: Final = re.compile("[\uac00-\ud7a3\u1100-\u11ff\u3131-\u318e]+")
_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_LANGUAGE_SAMPLE: Final = 2_000
"""Characters of a page that decide its language; more change the answer on no page of the field."""
_SCRIPT_SHARE: Final = 0.05
"""Share of all visible characters that kana or hangul needs to overrule what the page declares."""


def squeeze(text: str) -> str:
    """``text`` with each run of white space (any of Unicode's) as one blank, none at the ends."""
    return " ".join(text.split())


def visible(text: str) -> str:
    """``text`` without zero-width characters: soft hyphens, zero-width spaces, byte-order marks."""
    if text.isascii() or not any(mark in text for mark in _ZERO_WIDTH):
        return text
    return text.translate(_NO_WIDTH)


def clean(text: str) -> str:
    """One line of visible text: white space collapsed, no zero-width characters."""
    return squeeze(visible(text))


def normalise(text: str) -> str:
    """NFKC, case-folded, without default-ignorables, with single blanks and plain marks.

    Wave dashes are ``~``, dashes ``-``, quotes straight.

    Source: UAX #15 (NFKC), the Unicode property Default_Ignorable_Code_Point.
    """
    if text.isascii():
        return squeeze(text.lower())
    folded = unicodedata.normalize("NFKC", _IGNORABLE.sub("", text.translate(_FOLDED))).translate(
        _FOLDED
    )
    return squeeze(unicodedata.normalize("NFKC", folded.casefold()))


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """The form in which two texts are compared: equal folded texts read the same.

    :func:`normalise`, and no blank beside a CJK character or a bracket, where writers put them as
    they please. Never turns a text with a visible character into an empty one.
    """
    folded = _fold_once(text)
    while (
        not folded.isascii() and (again := _fold_once(folded)) != folded
    ):  # a voiced mark after a removed blank
        folded = again
    return folded


def _fold_once(text: str) -> str:
    return _CJK_SPACE.sub("", _PUNCTUATION_SPACE.sub(r"\1", normalise(text)))


@lru_cache(maxsize=65536)
def compact(text: str) -> str:
    """:func:`fold` without any white space: how writers' own spacing between words is ignored."""
    return fold(text).replace(" ", "")


def has_word(text: str) -> bool:
    """Whether ``text`` holds a letter or digit of any script (☆☆☆ and ― do not)."""
    return _WORD.search(text) is not None


def escape_line_separators(json_text: str) -> str:
    """JSON text with U+2028, U+2029 and U+0085 escaped: some readers take them for line ends."""
    if any(
        separator in json_text for separator in "\u2028\u2029\x85"
    ):  # rare, and translating is slow
        return json_text.translate(_LINE_SEPARATORS)
    return json_text


def topic_of(title: str) -> str:
    """What an article is about: its title up to the first ``｜`` or ``|``."""
    return re.split(r"[｜|]", title, maxsplit=1)[0].strip() or title.strip()


def language_of(text: str, declared: str) -> tuple[str, bool]:
    """The language of a page, and whether it overrules the declared one.

    It is ``ja``, ``ko``, ``zh``, another declared code or ``en``.

    The declared language stands if the script allows it: text of kanji alone may be Japanese. Kana
    means Japanese, hangul Korean; Han without either and without a declaration is Chinese. A Latin
    declaration over CJK text is a template's left-over and is overruled (second value true).
    """
    sample = text[:_LANGUAGE_SAMPLE]
    code = declared.strip().lower().replace("_", "-").split("-")[0]
    if sample.isascii():
        return code or "en", False
    letters = max(1, len(sample) - sample.count(" ") - sample.count("\n"))
    kana, hangul, han = (len("".join(script.findall(sample))) for script in (_KANA, _HANGUL, _HAN))
    if hangul > kana and hangul / letters >= (0 if not code else _SCRIPT_SHARE):
        found = "ko"
    elif kana and kana / letters >= (0 if not code else _SCRIPT_SHARE):
        found = "ja"
    elif han / letters >= (_SCRIPT_SHARE if not code else 0.5):
        found = code if code in {"ja", "zh", "ko"} else "zh"
    else:
        found = code or "en"
    return found, bool(code) and found != code
