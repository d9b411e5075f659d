"""The names that a text lists: cut at marks and words, in quotes, or whatever joins them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from hayami.label.phrases import LONGEST, strip_decorations
from hayami.parts import Piece
from hayami.text.fold import compact, has_word, squeeze
from hayami.words.languages import every

_SEPARATORS: Final = re.compile(
    r"\s*(?:／|、|，|・|·|;|；|\n|(?<!\w)/(?!\w)|(?<=\s)/(?=\s)|,\s+|(?<=[^\s\d])\s+&\s+)\s*"
)
_EITHER: Final = "|".join(every(lambda language: language.joints.either))
_LOOSE_SEPARATORS: Final = re.compile(rf"\s*(?:{_EITHER})\s*")
_LISTED: Final = "|".join(map(re.escape, every(lambda language: language.joints.listed)))
_JOINT: Final = re.compile(rf"(?:[\W_]|(?<!\d)\d{{1,2}}(?!\d)|{_LISTED})+")
"""What can stand between two names of a list, blanks aside."""
_INNER_QUOTE: Final = re.compile(r"[「『《](.{2,80}?)[」』》]|[“\"](.{2,80}?)[”\"]")
_SHORTEST: Final = 2
"""Letters of a name that a list is taken apart by: single ones are in everything."""
_DEEPER: Final = dict.fromkeys("([（「『《【", 1) | dict.fromkeys(")]）」』》】", -1)
"""What a character adds to the depth of brackets and quotes."""


def parts_of(pieces: Sequence[Piece]) -> tuple[str, ...]:
    """The parts of a text cell that its writer may have meant one by one; empty if there is one."""
    text = "".join("\n" if piece.breaks else piece.text for piece in pieces)
    parts = _split(text, _SEPARATORS)
    return parts if len(parts) > 1 else loose_parts(text)


def loose_parts(text: str) -> tuple[str, ...]:
    """Parts joined by a word for "and" or "or"; to be believed if every one of them is a name."""
    parts = _split(text, _LOOSE_SEPARATORS)
    return parts if len(parts) > 1 else ()


def quoted_parts(text: str) -> tuple[str, ...]:
    """What stands in quotes inside a sentence: the names in ``詳しくは「A」と「B」で``."""
    return tuple(squeeze(one or other) for one, other in _INNER_QUOTE.findall(text))


def _split(text: str, separators: re.Pattern[str]) -> tuple[str, ...]:
    """``text`` at separators that stand outside of brackets and quotes."""
    parts: list[str] = []
    start = seen = depth = 0
    for mark in separators.finditer(text):
        for char in text[seen : mark.start() + 1]:
            depth += _DEEPER.get(char, 0)
        seen = mark.start() + 1
        if depth <= 0:
            parts.append(text[start : mark.start()])
            start = mark.end()
    parts.append(text[start:])
    return tuple(part for part in map(squeeze, parts) if has_word(part))


def listed_names(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names that a text lists and nothing else, whatever joins them; empty if they are not two.

    Args:
        text: a cell's text.
        names: compact texts (:func:`hayami.text.fold.compact`); so are those given back.

    >>> listed_names("圧縮と展開 → 索引", ["索引", "圧縮と展開", "展開"])
    ('圧縮と展開', '索引')
    """
    squeezed = compact(strip_decorations(text))
    if len(squeezed) > LONGEST:
        return ()
    here = {name for name in names if len(name) >= _SHORTEST and name in squeezed}
    if len(here) < 2:  # noqa: PLR2004 - a list has two names
        return ()
    opening = _JOINT.match(squeezed)
    found = _Cover(squeezed, here).listed(0 if opening is None else opening.end())
    return found if len(found) > 1 else ()


class _Cover:
    """How names make up a text, with joints before, between and behind them.

    At each place the longest name is taken behind which the rest can be covered, and the longest
    joint. Worked out from the end of the text, so that each place is looked at once.
    """

    def __init__(self, text: str, names: set[str]) -> None:
        self.text = text
        self.names = names
        self.longest = max(map(len, names))
        self.end_of: dict[int, int] = {}  # where the name ends that begins at a place
        self.next_to = {len(text): len(text)}  # where the next one begins, or the text ends
        self.ends = [len(text)]
        self.begins = 0  # the keys of end_of, as bits
        for place in range(len(text) - 1, -1, -1):
            self._begin(place)
            self._join(place)

    def _begin(self, place: int) -> None:
        """Looks for a name that begins at a place."""
        for end in self.ends:
            if _SHORTEST <= end - place <= self.longest and self.text[place:end] in self.names:
                self.end_of[place] = end
                self.begins |= 1 << place
                return

    def _join(self, place: int) -> None:
        """Looks for a joint that begins at a place and has a name, or nothing, behind it."""
        joint = _JOINT.match(self.text, place)
        if joint is None:
            return
        behind = (self.begins & ((2 << joint.end()) - 1)) >> (place + 1)
        if joint.end() == len(self.text):
            self.next_to[place] = joint.end()
        elif behind:
            self.next_to[place] = place + behind.bit_length()
        else:
            return
        self.ends.append(place)

    def listed(self, last_start: int) -> tuple[str, ...]:
        """The names, of which the first begins up to ``last_start``; empty if they do not cover."""
        start = next((place for place in range(last_start + 1) if place in self.end_of), None)
        found: list[str] = []
        while start is not None and start < len(self.text):
            end = self.end_of[start]
            found.append(self.text[start:end])
            start = self.next_to[end]
        return tuple(found)
