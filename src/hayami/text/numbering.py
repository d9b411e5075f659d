"""Numbers that references name: "3章", "§2.1", "Fix 2", "8·11장", "6~12장", "부록 E2".

How headings carry theirs is in :mod:`hayami.text.openings`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hayami.text.fold import normalise
from hayami.words.languages import Counted, every

STRONG_UNITS: Final = frozenset(("chapter", "section", "part", "appendix", "lesson", "round"))
"""Units that also the titles of other articles carry."""
LONGEST_RANGE: Final = 40
"""Numbers that one range may spell out; a longer "range" is something else, such as two years."""
_LONGEST: Final = 2_000
"""Characters of a cell in which numbers are looked for: a longer one is a text."""


def one_of(words: Iterable[str]) -> str:
    """A regular expression for one of some words, the longest that fits."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _units(pick: Callable[[Counted], dict[str, tuple[str, ...]]]) -> dict[str, str]:
    """The unit that each word for one means, in all languages."""
    listed = every(lambda language: pick(language.numbers).items())
    return {word: unit for unit, words in listed for word in words}


def _between(words: Sequence[str]) -> str:
    """A regular expression for one of some words between numbers; Latin ones need blanks."""
    latin = [word for word in words if word.isascii()]
    others = [word for word in words if not word.isascii()]
    return rf"\s+(?:{one_of(latin)})\s+|\s*(?:{one_of(others)})\s*"


UNITS_BEFORE: Final = {"§": "section", "§§": "section", **_units(lambda numbers: numbers.before)}
"""The unit of each word that stands before a number."""
UNITS_AFTER: Final = _units(lambda numbers: numbers.after)
"""The unit of each word that stands behind a number."""
_KNOWN_UNITS: Final = frozenset((*UNITS_BEFORE.values(), *UNITS_AFTER.values()))
LABELS: Final = dict.fromkeys(every(lambda language: language.numbers.questions), "q")
"""Words before a number that mean the same as a letter."""
BEFORE: Final = one_of(UNITS_BEFORE)
AFTER: Final = one_of(UNITS_AFTER)
OPENING: Final = one_of(every(lambda language: language.numbers.opening))
"""What stands before a number with its unit behind it."""
NUMBER: Final = r"\d{1,4}(?:\.\d{1,3}){0,5}"
LETTERED: Final = r"[a-z](?:[-.]?\d{1,3}(?:\.\d{1,3})*)?(?![a-z])"
"""A letter that counts, with a number or without: the E2 of appendix E2."""
_TO: Final = rf"\s*[~\-]\s*|{_between(every(lambda language: language.joints.to))}"
_AND: Final = rf"\s*[·・,、，/&]\s*|{_between(every(lambda language: language.joints.also))}"
_LIST: Final = rf"(?:{NUMBER})(?:(?:{_TO}|{_AND})(?:{NUMBER}))*"
_SUFFIXED: Final = re.compile(rf"(?<![\d.])(?:{OPENING})?\s?({_LIST})\s?({AFTER})(?!\d)")
_PREFIXED: Final = re.compile(
    rf"(?<![a-z])({BEFORE})\s?({_LIST}|{LETTERED}(?:(?:{_AND}){LETTERED})*)(?![\d])"
)
_LABELLED: Final = re.compile(
    rf"^([^\W\d_]{{1,12}}?)\.?\s?#?({NUMBER})(?:((?:{_AND}|{_TO})(?:\1\s?)?{NUMBER})*)$"
)
_BARE: Final = re.compile(rf"(?:no\.?\s?|#)?({NUMBER})[.)]?")
# A range whose unit stands at both ends: 第3章〜第6章, Chapter 3 to Chapter 6, §2.1–§2.3.
_BOTH_ENDS: Final = re.compile(
    rf"(?:{OPENING})?\s?({NUMBER})\s?({AFTER})(?:{_TO})(?:{OPENING})?\s?({NUMBER})\s?\2"
    rf"|({BEFORE})\s?({NUMBER})(?:{_TO})(?:{BEFORE})\s?({NUMBER})"
)
_TOKEN: Final = re.compile(rf"{NUMBER}|{LETTERED}|{_TO}|{_AND}")

# --- numbers that are not written in digits -------------------------------------------------------

CIRCLED: Final = {chr(0x2460 + n): f"{n + 1}. " for n in range(20)}
_CIRCLED_TABLE: Final = str.maketrans(CIRCLED)
_TENS: Final = 10
_NUMERALS: Final = {
    numeral: value
    for numerals in every(lambda language: [language.numbers.digits])
    for value, numeral in enumerate(numerals)
}
_TEN: Final = one_of(numeral for numeral, value in _NUMERALS.items() if value == _TENS)
_ONES: Final = "".join(numeral for numeral, value in _NUMERALS.items() if 0 < value < _TENS)
NUMERALS: Final = f"[{_ONES}]?{_TEN}[{_ONES}]?|[{_ONES}]"
"""A number from 1 to 99 in numerals that are no digits."""
_COUNTERS: Final = one_of(every(lambda language: language.numbers.counters))
_OPENINGS: Final = "".join(every(lambda language: language.numbers.opening))
_HAN: Final = "[一-鿿]"
_BEHIND_UNITS: Final = "|".join(
    f"(?<={re.escape(word)})" for word in UNITS_BEFORE if not word.isascii()
)
# 第三章, 二つ目, 步骤二.
_NUMERAL: Final = re.compile(
    rf"(?<=[{_OPENINGS}])({NUMERALS})(?={AFTER})"
    rf"|(?<!{_HAN})({NUMERALS})(?={_COUNTERS})"
    rf"|(?:{_BEHIND_UNITS})({NUMERALS})(?!{_HAN})"
)
_NUMERALS_ALONE: Final = re.compile(NUMERALS)


@dataclass(frozen=True, slots=True)
class _Spelt:
    """How a language writes a number as a word beside a unit: step two, the second step."""

    pattern: re.Pattern[str]
    words: tuple[str, ...]
    """Regular expressions for 1, 2, 3, …; the pattern's group ``word`` is one of them."""

    def sub(self, text: str) -> str:
        """The text with digits for words."""
        return self.pattern.sub(self._digits, text)

    def _digits(self, match: re.Match[str]) -> str:
        fits = (re.fullmatch(word, match["word"]) is not None for word in self.words)
        number = next(number for number, fit in enumerate(fits, 1) if fit)
        unit = match["unit"]
        return f"{number}{unit}" if unit in UNITS_AFTER else f"{unit} {number}"


def _spelt_forms(numbers: Counted) -> tuple[_Spelt, ...]:
    edge = r"\b" if all(map(str.isascii, numbers.spelt)) else ""
    units = f"(?P<unit>{one_of(numbers.spelt)})"
    forms: list[_Spelt] = []
    if numbers.cardinals:
        words = f"(?P<word>{'|'.join(numbers.cardinals)})"
        forms.append(_Spelt(re.compile(f"{edge}{units} {words}{edge}"), numbers.cardinals))
    if numbers.ordinals:
        words = f"(?P<word>{'|'.join(numbers.ordinals)})"
        forms.append(_Spelt(re.compile(f"{edge}{words} ?{units}{edge}"), numbers.ordinals))
    return tuple(forms)


_SPELT: Final = every(lambda language: _spelt_forms(language.numbers))
ROMAN: Final = one_of(every(lambda language: language.numbers.roman))
"""The words for units whose numbers may be Roman."""
_ROMAN: Final = re.compile(rf"^({ROMAN})\s+([ivx]{{1,5}})(?=$|[\s.:\-])")
_ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10}


@dataclass(frozen=True, slots=True, order=True)
class Number:
    """A number with its unit.

    Chapter 3 is ``("chapter", (3,))``, section 2.1 ``("section", (2, 1))``.

    ``unit`` is empty for a bare number, or the word before it ("fix", "対処"). Letters count:
    appendix E2 is ("e", 2).
    """

    unit: str
    parts: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers that a reference names, in order, and whether it says nothing else."""

    items: tuple[Number, ...]
    pure: bool

    @property
    def only(self) -> bool:
        """Whether it is numbers of chapters and the like alone.

        So that its letters name nothing.
        """
        known = all(number.unit in _KNOWN_UNITS or not number.unit for number in self.items)
        return self.pure and bool(self.items) and known


def parts_of_number(text: str) -> tuple[int | str, ...]:
    """The parts of a written number: 2.1 is (2, 1), E2 is ("e", 2)."""
    found = re.findall(r"\d+|[a-z]+", text)
    return tuple(int(part) if part.isdigit() else part for part in found)


def unit_before(word: str) -> str:
    """The unit that a word before a number means, with its dot or without."""
    return UNITS_BEFORE.get(word) or UNITS_BEFORE[word.rstrip(".")]


def numeral(text: str) -> int:
    """The value of :data:`NUMERALS`."""
    values = [_NUMERALS[one] for one in text]
    if _TENS not in values:
        return sum(values)
    place = values.index(_TENS)
    return _TENS * (sum(values[:place]) or 1) + sum(values[place + 1 :])


def roman(text: str) -> int:
    """The value of a Roman number of i, v and x."""
    values = [_ROMAN_VALUES[letter] for letter in text]
    following = [*values[1:], 0]
    signed = (-one if one < after else one for one, after in zip(values, following, strict=True))
    return sum(signed)


def in_digits(folded: str) -> str:
    """Normalised text with digits for numerals beside a unit and for number words."""
    for spelt in _SPELT:
        folded = spelt.sub(folded)
    if folded.isascii():
        return folded
    return _NUMERAL.sub(lambda match: str(numeral(match[1] or match[2] or match[3])), folded)


def _prepared(text: str) -> str:
    circled = any(mark in text for mark in CIRCLED)
    return in_digits(normalise(text.translate(_CIRCLED_TABLE) if circled else text))


def reference_numbers(reference: str) -> Numbers:
    """The numbers that a reference names: lists and ranges spelt out, each with its unit.

    >>> [n.parts for n in reference_numbers("6~8장, 21장").items]
    [(6,), (7,), (8,), (21,)]
    >>> reference_numbers("2022年度の手当").items
    ()
    """
    if len(reference) > _LONGEST:
        return Numbers((), pure=False)
    text = _BOTH_ENDS.sub(_joined_range, _prepared(reference))
    if counted := _ROMAN.match(text):
        number = Number(unit_before(counted[1]), (roman(counted[2]),))
        return Numbers((number,), pure=counted.end() == len(text))
    found = _with_units(text)
    if not found:
        return _labelled(text)
    rest = list(text)
    for match, _ in found:
        rest[match.start() : match.end()] = [""] * (match.end() - match.start())
    numbers = (number for _, listed in found for number in listed)
    said = re.sub(_AND, "", "".join(rest))
    return Numbers(tuple(dict.fromkeys(numbers)), pure=not re.search(r"\w", said))


def _joined_range(ends: re.Match[str]) -> str:
    return f"{ends[1]}~{ends[3]}{ends[2]}" if ends[1] else f"{ends[4]} {ends[5]}~{ends[6]}"


def _with_units(text: str) -> list[tuple[re.Match[str], list[Number]]]:
    """The numbers with a unit in a text, in order, with their places, none of which overlap."""
    found: list[tuple[re.Match[str], list[Number]]] = []
    for match in _SUFFIXED.finditer(text):
        unit = UNITS_AFTER[match[2]]
        found.append((match, [Number(unit, parts) for parts in _spelt_out(match[1])]))
    behind = [match.span() for match, _ in found]
    for match in _PREFIXED.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in behind):
            continue
        unit = unit_before(match[1])
        found.append((match, [Number(unit, parts) for parts in _spelt_out(match[2])]))
    return sorted(found, key=lambda pair: pair[0].start())


def _labelled(text: str) -> Numbers:
    """A word and numbers ("対処3と対処5", "fix 2"), or a bare number ("3.2")."""
    if bare := _BARE.fullmatch(text):
        return Numbers((Number("", parts_of_number(bare[1])),), pure=True)
    if _NUMERALS_ALONE.fullmatch(text):
        return Numbers((Number("", (numeral(text),)),), pure=True)
    label = _LABELLED.match(text)
    if label is None:
        return Numbers((), pure=False)
    word = label[1]
    listed = _spelt_out(text.replace(word, "").strip())
    unit = LABELS.get(word, word)
    return Numbers(tuple(Number(unit, parts) for parts in listed), pure=True)


def _spelt_out(listed: str) -> list[tuple[int | str, ...]]:
    """Each number of a list or range such as ``6~8·11``."""
    numbers: list[tuple[int | str, ...]] = []
    ranging = False
    for token in _TOKEN.findall(listed):
        if re.fullmatch(_TO, token):
            ranging = True
        elif not re.fullmatch(_AND, token):
            parts = parts_of_number(token)
            if ranging and numbers:
                numbers += _left_out(numbers[-1], parts)
            numbers.append(parts)
            ranging = False
    return numbers


def _left_out(
    first: tuple[int | str, ...], last: tuple[int | str, ...]
) -> list[tuple[int | str, ...]]:
    """What a range leaves out: (6,), (9,) gives (7,), (8,); nothing if they are of two series."""
    start, end = first[-1], last[-1]
    if first[:-1] != last[:-1] or not isinstance(start, int) or not isinstance(end, int):
        return []
    if not 0 < end - start <= LONGEST_RANGE:
        return []
    return [(*first[:-1], n) for n in range(start + 1, end)]
