"""Numbers that headings carry and references name: "3章", "§2.1", "Fix 2", "8·11장", "6~12장", "부록 E2"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hayami.text.fold import normalise

# Every way to write a unit, and the one name it is compared by.
_UNITS: Final[dict[str, str]] = {
    "章": "chapter", "장": "chapter", "chapter": "chapter", "chapters": "chapter", "chap": "chapter", "ch": "chapter",
    "節": "section", "节": "section", "절": "section", "section": "section", "sections": "section", "sec": "section",
    "sect": "section", "§": "section", "§§": "section", "セクション": "section", "섹션": "section", "小节": "section",
    "項": "item", "项": "item", "항": "item",
    "部": "part", "부": "part", "part": "part", "parts": "part", "パート": "part", "파트": "part", "部分": "part",
    "편": "part", "編": "part", "篇": "part", "回": "round", "회": "round",
    "강": "lesson", "課": "lesson", "课": "lesson", "lesson": "lesson", "lessons": "lesson", "レッスン": "lesson",
    "과": "lesson",
    "appendix": "appendix", "appendices": "appendix", "付録": "appendix", "附録": "appendix", "부록": "appendix",
    "附录": "appendix", "附錄": "appendix", "app": "appendix",
    "step": "step", "steps": "step", "ステップ": "step", "手順": "step", "단계": "step", "步骤": "step",
    "步驟": "step", "步": "step", "第": "",
    "번": "item", "番": "item", "つ目": "item", "番目": "item", "번째": "item",
}  # fmt: skip
STRONG_UNITS: Final = frozenset(("chapter", "section", "part", "appendix", "lesson", "round"))
"""Units that also the titles of other articles carry."""
_AFTER: Final = "|".join(
    sorted(
        (re.escape(u) for u in _UNITS if u not in {"第", "§", "§§"} and not u.isascii()),
        key=len,
        reverse=True,
    )
)
_BEFORE: Final = (
    r"chapters?|chap\.?|ch\.?|sections?|sect?\.?|§§?|セクション|섹션|parts?|パート|파트|lessons?|レッスン|appendix|appendices|app\.|"
    r"付録|附録|부록|附录|附錄|steps?|ステップ|手順|단계|步骤|步驟"
)
_N: Final = r"\d{1,4}(?:\.\d{1,3}){0,5}"
_LETTERED: Final = r"[a-z](?:[-.]?\d{1,3}(?:\.\d{1,3})*)?(?![a-z])"
_TO: Final = r"\s*[~\-]\s*|\s+to\s+|\s*(?:から|에서|부터|至|到)\s*"
_AND: Final = r"\s*[·・,、，/&]\s*|\s+and\s+|\s*및\s*|\s*와\s*|\s*과\s*|\s*と\s*|\s*和\s*"
_LIST: Final = rf"(?:{_N})(?:(?:{_TO}|{_AND})(?:{_N}))*"
_SUFFIXED: Final = re.compile(
    rf"(?<![\d.])(?:第|제)?\s?({_LIST})\s?({_AFTER})(?![\w])|(?<![\d.])(?:第|제)?\s?({_LIST})\s?({_AFTER})(?=[^\d])"
)
_PREFIXED: Final = re.compile(
    rf"(?<![a-z])({_BEFORE})\s?({_LIST}|{_LETTERED}(?:(?:{_AND}){_LETTERED})*)(?![\d])"
)
_LABELLED: Final = re.compile(
    rf"^([^\W\d_]{{1,12}}?)\.?\s?#?({_N})(?:((?:{_AND}|{_TO})(?:\1\s?)?{_N})*)$"
)
_BARE: Final = re.compile(rf"(?:no\.?\s?|#)?({_N})[.)]?")
_HEADING_SUFFIXED: Final = re.compile(
    rf"^(?:第|제)?\s?({_N})\s?({_AFTER})(?=$|[\s.:,、)\]\-~—|(（「]|[^\w])"
)
_HEADING_PREFIXED: Final = re.compile(rf"^({_BEFORE})\s?({_N}|{_LETTERED})(?=$|[\s.:,、)\]\-~|(])")
_HEADING_LABELLED: Final = re.compile(
    rf"^([^\W\d_]{{1,12}}?)\.?\s?#?({_N})(?!\.?\d)(?=$|\s*[:.)、,\]\-~])"
)
_HEADING_QUESTION: Final = re.compile(r"^(q)\.?\s?(\d{1,3})(?![\w.])")
_HEADING_LETTERED: Final = re.compile(r"^([a-z]\d{1,2}(?:[-.]\d{1,2})*)[.:)]")
_HEADING_DOTTED: Final = re.compile(
    rf"^[(\[【〔]?({_N})(?:[.):、\]】〕]+(?=\D|$)|(?<=\.\d)\s|(?<=\.\d\d)\s|(?<=\.\d\d\d)\s)"
)
_HEADING_PLAIN: Final = re.compile(r"^(\d{1,2})\s+(?=\D)")
# A range whose unit stands at both ends: 第3章〜第6章, Chapter 3 to Chapter 6, §2.1–§2.3.
_BOTH_ENDS: Final = re.compile(
    rf"(?:第|제)?\s?({_N})\s?({_AFTER})(?:{_TO})(?:第|제)?\s?({_N})\s?\2|({_BEFORE})\s?({_N})(?:{_TO})(?:{_BEFORE})\s?({_N})"
)
_CIRCLED: Final = {chr(0x2460 + n): f"{n + 1}. " for n in range(20)}
_CIRCLED_TABLE: Final = str.maketrans(_CIRCLED)
_KANJI: Final = {c: n for n, c in enumerate("〇一二三四五六七八九十")}
_KANJI_DIGITS: Final = "[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]"
# 第三章, 二つ目, 步骤二; at the start of a heading also 二、.
_KANJI_NUMBER: Final = re.compile(
    rf"(?<=第)({_KANJI_DIGITS})(?=[章節节部編篇回課课項项步])|(?<![一-鿿])({_KANJI_DIGITS})(?=つ目|番目)"
    rf"|(?:(?<=步骤|步驟|手順)|(?<=ステップ))({_KANJI_DIGITS})(?![一-鿿])"
)
_KANJI_OPENING: Final = re.compile(rf"^[(【〔]?({_KANJI_DIGITS})(?=[、.:)】〕])")
_KANJI_ALONE: Final = re.compile(_KANJI_DIGITS)
# Number words beside a unit: step two, the second step, 두 번째 단계.
_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS: Final = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_KOREAN: Final = ("첫", "두", "세", "네", "다섯")
_UNIT_WORDS: Final = "chapter|section|part|step|lesson"
_SPELT_WORD: Final = re.compile(rf"\b({_UNIT_WORDS}) ({'|'.join(_WORDS)})\b")
_SPELT_ORDINAL: Final = re.compile(rf"\b(?:the )?({'|'.join(_ORDINALS)}) ({_UNIT_WORDS})\b")
_SPELT_KOREAN: Final = re.compile(rf"({'|'.join(_KOREAN)}) ?번째 ?(장|절|단계|섹션)")
_LABELS: Final = {"質問": "q", "question": "q", "질문": "q", "问题": "q", "問題": "q"}
"""Words before a number that mean the same as a letter."""
_ROMAN: Final = re.compile(r"^(part|chapter|appendix)\s+([ivx]{1,5})(?=$|[\s.:\-])")
_ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10}
_KNOWN_UNITS: Final = frozenset(_UNITS.values()) - {""}
_LONGEST: Final = 2_000
"""Characters of a cell in which numbers are looked for: a longer one is a text."""
LONGEST_RANGE: Final = 40
"""Numbers that one range may spell out; a longer "range" is something else, such as two years."""


@dataclass(frozen=True, slots=True, order=True)
class Number:
    """A number with its unit: chapter 3 is ``("chapter", (3,))``, section 2.1 ``("section", (2, 1))``.

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
        """Whether the reference is numbers of chapters and the like alone, so that its letters name nothing."""
        return (
            self.pure
            and bool(self.items)
            and all(n.unit in _KNOWN_UNITS or not n.unit for n in self.items)
        )


def _parts(text: str) -> tuple[int | str, ...]:
    found = re.findall(r"\d+|[a-z]+", text)
    return tuple(int(part) if part.isdigit() else part for part in found)


def _prepared(text: str) -> str:
    """Folded text with circled digits, kanji numbers beside a unit and English number words as digits."""
    folded = normalise(text.translate(_CIRCLED_TABLE) if any(c in text for c in _CIRCLED) else text)
    if folded.isascii():
        folded = _SPELT_WORD.sub(lambda m: f"{m[1]} {_WORDS.index(m[2]) + 1}", folded)
        return _SPELT_ORDINAL.sub(lambda m: f"{m[2]} {_ORDINALS.index(m[1]) + 1}", folded)
    folded = _SPELT_KOREAN.sub(lambda m: f"{_KOREAN.index(m[1]) + 1}{m[2]}", folded)
    return _KANJI_NUMBER.sub(lambda m: str(_kanji(m[1] or m[2] or m[3])), folded)


def _kanji(text: str) -> int:
    tens, ten, ones = text.rpartition("十")
    return (_KANJI.get(tens, 1) * 10 if ten else 0) + _KANJI.get(ones, 0)


def heading_numbers(heading: str) -> tuple[Number, ...]:  # noqa: PLR0911 - one return for each way to write it
    """The numbers at the start of a heading, most explicit first; at most two (with its unit, and bare)."""
    text = _prepared(heading)
    if roman := _ROMAN.match(text):
        return (Number(_UNITS[roman[1]], (_roman(roman[2]),)),)
    if found := _HEADING_SUFFIXED.match(text):
        return (Number(_UNITS[found[2]], _parts(found[1])),)
    if found := _HEADING_PREFIXED.match(text):
        return (Number(_UNITS.get(found[1].rstrip("."), found[1]), _parts(found[2])),)
    if found := _HEADING_LETTERED.match(text):
        return (Number("appendix", _parts(found[1])), *_labelled_heading(text))
    if found := _HEADING_DOTTED.match(text):
        return (Number("", _parts(found[1])),)
    if found := _KANJI_OPENING.match(text):
        return (
            Number("", (_kanji(found[1]),)),
            Number("part", (_kanji(found[1]),)),
        )  # 二、 is 第二部分 too
    if labelled := _labelled_heading(text):
        return labelled
    if found := _HEADING_PLAIN.match(text):
        return (Number("plain", _parts(found[1])),)
    return ()


def _labelled_heading(text: str) -> tuple[Number, ...]:
    """A word and a number that open a heading, such as "Fix 2:" or "対処2"."""
    found = _HEADING_LABELLED.match(text) or _HEADING_QUESTION.match(text)
    return (Number(_LABELS.get(found[1], found[1]), _parts(found[2])),) if found else ()


def _roman(text: str) -> int:
    values = [_ROMAN_VALUES[c] for c in text]
    following = [*values[1:], 0]
    return sum(-v if v < n else v for v, n in zip(values, following, strict=True))


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
    if roman := _ROMAN.match(text):
        return Numbers(
            (Number(_UNITS[roman[1]], (_roman(roman[2]),)),), pure=roman.end() == len(text)
        )
    found: list[tuple[int, Number]] = []
    spans: list[tuple[int, int]] = []
    for match in _SUFFIXED.finditer(text):
        listed, unit = (match[1], match[2]) if match[1] else (match[3], match[4])
        found += [(match.start(), Number(_UNITS[unit], parts)) for parts in _spelt(listed)]
        spans.append(match.span())
    for match in _PREFIXED.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in spans):
            continue
        unit = _UNITS.get(match[1].rstrip("."), match[1].rstrip("."))
        found += [(match.start(), Number(unit, parts)) for parts in _spelt(match[2])]
        spans.append(match.span())
    if not found:
        return _labelled(text)
    rest = "".join(
        c for i, c in enumerate(text) if not any(start <= i < end for start, end in spans)
    )
    items = tuple(dict.fromkeys(number for _, number in sorted(found, key=lambda pair: pair[0])))
    return Numbers(items, pure=not re.search(r"\w", re.sub(_AND, "", rest)))


def _joined_range(ends: re.Match[str]) -> str:
    return f"{ends[1]}~{ends[3]}{ends[2]}" if ends[1] else f"{ends[4]} {ends[5]}~{ends[6]}"


def _labelled(text: str) -> Numbers:
    """A word and numbers ("対処3と対処5", "fix 2"), or a bare number ("3.2")."""
    if bare := _BARE.fullmatch(text):
        return Numbers((Number("", _parts(bare[1])),), pure=True)
    if _KANJI_ALONE.fullmatch(text):
        return Numbers((Number("", (_kanji(text),)),), pure=True)
    label = _LABELLED.match(text)
    if label is None:
        return Numbers((), pure=False)
    word = label[1]
    parts = _spelt(text.replace(word, "").strip())
    return Numbers(tuple(Number(_LABELS.get(word, word), part) for part in parts), pure=True)


def _spelt(listed: str) -> list[tuple[int | str, ...]]:
    """Each number of a list or range such as ``6~8·11``."""
    spelt: list[tuple[int | str, ...]] = []
    ranging = False
    for token in re.findall(rf"{_N}|{_LETTERED}|{_TO}|{_AND}", listed):
        if re.fullmatch(_TO, token):
            ranging = True
            continue
        if re.fullmatch(_AND, token):
            continue
        parts = _parts(token)
        if ranging and spelt:
            spelt += _between(spelt[-1], parts)
        spelt.append(parts)
        ranging = False
    return spelt


def _between(
    first: tuple[int | str, ...], last: tuple[int | str, ...]
) -> list[tuple[int | str, ...]]:
    """What a range leaves out: (6,), (9,) gives (7,), (8,); nothing if the two are not of one series."""
    start, end = first[-1], last[-1]
    if first[:-1] != last[:-1] or not isinstance(start, int) or not isinstance(end, int):
        return []
    if not 0 < end - start <= LONGEST_RANGE:
        return []
    return [(*first[:-1], n) for n in range(start + 1, end)]
