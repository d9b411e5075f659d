"""The number that opens a heading: read once, for its number, its name and whether it is left out.

"Chapter 4: Summary", "【2】まとめ" and "第三章 まとめ" each carry a number and are called
Summary or まとめ. "3 things to know" carries one too, but is called just that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hayami.text.fold import has_word, normalise
from hayami.text.numbering import (
    AFTER,
    BEFORE,
    CIRCLED,
    LABELS,
    LETTERED,
    NUMBER,
    NUMERALS,
    OPENING,
    ROMAN,
    STRONG_UNITS,
    UNITS_AFTER,
    UNITS_BEFORE,
    Number,
    in_digits,
    numeral,
    one_of,
    parts_of_number,
    roman,
    unit_before,
)
from hayami.words.languages import every


@dataclass(frozen=True, slots=True)
class Opening:
    """What a heading begins with, and what stands behind it; both in normalised text."""

    numbers: tuple[Number, ...]
    """The numbers, most explicit first; at most two (with its unit, and bare)."""
    rest: str
    """The heading behind its number; the whole heading if it has none, or nothing stands behind."""
    certain: bool
    """Whether ``rest`` is what the heading is called: not so of "3 things" and "Step 2: restart".

    Nor of ② and 二、, behind which only a whole name is looked for.
    """


@dataclass(frozen=True, slots=True)
class _Form:
    """One way in which headings carry a number."""

    pattern: re.Pattern[str]
    """At the start of a normalised heading with digits for numerals."""
    read: Callable[[re.Match[str]], tuple[Number, ...]]
    certain: bool = True


def _form(
    pattern: str, read: Callable[[re.Match[str]], tuple[Number, ...]], *, certain: bool = True
) -> _Form:
    return _Form(re.compile(rf"[(\[【〔]?{pattern}"), read, certain)


def _roman_unit(match: re.Match[str]) -> tuple[Number, ...]:
    return (Number(unit_before(match[1]), (roman(match[2]),)),)


def _unit_behind(match: re.Match[str]) -> tuple[Number, ...]:
    return (Number(UNITS_AFTER[match[2]], parts_of_number(match[1])),)


def _numeral_unit(match: re.Match[str]) -> tuple[Number, ...]:
    return (Number(UNITS_AFTER[match[2]], (numeral(match[1]),)),)


def _unit_before(match: re.Match[str]) -> tuple[Number, ...]:
    return (Number(unit_before(match[1]), parts_of_number(match[2])),)


def _lettered(match: re.Match[str]) -> tuple[Number, ...]:
    """E2. is appendix E2; Q1. a question too."""
    number = Number("appendix", parts_of_number(match[1]))
    labelled = re.fullmatch(r"([a-z])(\d[\d.]*)", match[1])
    return (number, *(_label(labelled) if labelled else ()))


def _letter(match: re.Match[str]) -> tuple[Number, ...]:
    return (Number("letter", (match[1],)),)


def _roman_alone(match: re.Match[str]) -> tuple[Number, ...]:
    return (Number("", (roman(match[1]),)),)


def _bare(match: re.Match[str]) -> tuple[Number, ...]:
    return (Number("", parts_of_number(match[1])),)


def _numeral_alone(match: re.Match[str]) -> tuple[Number, ...]:
    """二、 is 第二部分 too."""
    value = numeral(match[1])
    return (Number("", (value,)), Number("part", (value,)))


def _label(match: re.Match[str]) -> tuple[Number, ...]:
    return (Number(LABELS.get(match[1], match[1]), parts_of_number(match[2])),)


def _plain(match: re.Match[str]) -> tuple[Number, ...]:
    return (Number("plain", parts_of_number(match[1])),)


def _none(_: re.Match[str]) -> tuple[Number, ...]:
    return ()


_MARK: Final = r"(?=$|\s*[.:,、)\]】〕~|\-](?!\d))"
_EDGE: Final = r"(?=$|[\s.:)、,\]】〕\-~|(])"
_CLEAR: Final = one_of(
    word
    for word, unit in UNITS_BEFORE.items()
    if unit == "appendix" or (not word.isascii() and word[0] != "§")
)
"""Words before a number that no blank behind it turns into a phrase: Section 508 compliance."""
_GLUED: Final = one_of(
    word
    for word, unit in UNITS_AFTER.items()
    if len(word) == 1 and unit in {"chapter", "section", "part", "round"}
)
_GENITIVE: Final = "".join(every(lambda language: language.joints.genitive))
_COUNTED: Final = one_of(
    word for word, unit in UNITS_AFTER.items() if unit in {"chapter", "section"}
)
_LONG_NUMBER: Final = r"\d{1,4}(?:\.\d{1,3}){0,9}"
"""A number that opens a heading alone: those of appendices of appendices are long."""
_FORMS: Final = (
    _form(rf"({ROMAN})\s+([ivx]{{1,5}}){_MARK}", _roman_unit),
    _form(rf"({ROMAN})\s+([ivx]{{1,5}})(?=\s)", _roman_unit, certain=False),
    _form(rf"(?:{OPENING})?\s?({NUMBER})\s?({AFTER})(?!\w)", _unit_behind),
    # 第1章はじめに; but 第1章の概要 is a name, and 1部屋 no part.
    _form(rf"(?:{OPENING})\s?({NUMBER})\s?({_GLUED})(?![\d目{_GENITIVE}])", _unit_behind),
    _form(rf"({NUMERALS})({_COUNTED})(?!\w)", _numeral_unit),
    _form(rf"({BEFORE})\s?({NUMBER}|{LETTERED}){_MARK}", _unit_before),
    _form(rf"({_CLEAR})\s?({NUMBER}|{LETTERED}){_EDGE}", _unit_before),
    _form(rf"({BEFORE})\s?({NUMBER}|{LETTERED}){_EDGE}", _unit_before, certain=False),
    _form(r"([a-z]\d{1,2}(?:[-.]\d{1,2})*)[.:)](?!\d)", _lettered),
    _form(
        rf"({_LONG_NUMBER})(?:[.):、\]】〕]+(?=\D|$)|(?<=\.\d)\s|(?<=\.\d\d)\s|(?<=\.\d\d\d)\s)",
        _bare,
    ),
    _form(r"(\d{1,4}(?:-\d{1,3}){1,5})(?:[.):、\]】〕]+(?=\D|$)|\s)", _bare),
    _form(rf"({NUMERALS})(?=[、.:)】〕])", _numeral_alone, certain=False),
    _form(r"([ivx]{1,5})(?=[.)]\s)", _roman_alone),
    _form(r"([a-z])(?=[.)]\s)", _letter),
    _form(
        rf"([^\W\d_]{{1,12}}?)\.?\s?#?({NUMBER})(?!\.?\d)(?=$|\s*[:.)、,\]\-~])",
        _label,
        certain=False,
    ),
    _form(r"(q)\.?\s?(\d{1,3})(?![\w.])", _label, certain=False),
    _form(r"(\d{1,2})\s+(?=\D)", _plain, certain=False),
    _form(r"(\d{1,2})(?=[^\W\d_a-z])", _none, certain=False),
)
"""The forms, in the order in which they are tried."""
_SEPARATORS: Final = " .:,、)]】〕-~|"


_OUTSIDE: Final = STRONG_UNITS | {"", "q", "letter"}
"""Units that are outside of the name: a step is what the heading is about."""
_LONGEST: Final = 24
"""Characters that an opening with its number in words takes at most."""


@lru_cache(maxsize=65536)
def read_opening(heading: str) -> Opening:
    """The number that opens a heading, and the heading behind it.

    >>> opening = read_opening("Chapter 4: Summary")
    >>> opening.numbers[0].parts, opening.rest, opening.certain
    ((4,), 'summary', True)
    """
    circled = heading[:1] in CIRCLED
    whole = normalise(CIRCLED[heading[0]] + heading[1:] if circled else heading)
    for text in _readings(whole):
        for form in _FORMS:
            if found := form.pattern.match(text):
                rest = text[found.end() :].lstrip(_SEPARATORS)
                numbers = form.read(found)
                if not has_word(rest):
                    return Opening(numbers, whole, certain=False)
                counted = any(number.unit in _OUTSIDE for number in numbers)
                return Opening(numbers, rest, form.certain and counted and not circled)
    return Opening((), whole, certain=False)


def _readings(whole: str) -> Iterator[str]:
    """A heading as written, then with digits in ever more of its beginning; its rest stays."""
    yield whole
    if in_digits(whole[:_LONGEST]) == whole[:_LONGEST]:
        return
    before = ""
    for end in range(1, min(len(whole), _LONGEST) + 1):
        counted = in_digits(whole[:end])
        if counted != before + whole[end - 1]:
            yield counted + whole[end:]
        before = counted


def heading_numbers(heading: str) -> tuple[Number, ...]:
    """The numbers at the start of a heading, most explicit first; at most two."""
    return read_opening(heading).numbers


def without_number(heading: str) -> str:
    """What a heading is called, normalised: without its number, where that is no part of the name.

    >>> without_number("第三章 まとめ"), without_number("3 things to know")
    ('まとめ', '3 things to know')
    """
    opening = read_opening(heading)
    return opening.rest if opening.certain else normalise(heading)
