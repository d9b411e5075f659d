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
_OPENING: Final = frozenset("([（「『《【")
_CLOSING: Final = frozenset(")]）」』》】")


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
    breaks = {match.start(): match.end() for match in separators.finditer(text)}
    if not breaks:
        return (squeeze(text),) if has_word(text) else ()
    depth, start = 0, 0
    parts: list[str] = []
    for place, char in enumerate(text):
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
        if place in breaks and depth <= 0 and place >= start:
            parts.append(text[start:place])
            start = breaks[place]
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
    found = _cover(squeezed, here, 0 if opening is None else opening.end())
    return found if len(found) > 1 else ()


def _cover(text: str, names: set[str], last_start: int) -> tuple[str, ...]:
    """Names that make up ``text``, with joints before, between and behind them; empty if none do.

    The first name starts at ``last_start`` or before it. At each place the longest name is taken
    behind which the rest can be covered, and the longest joint. Worked out from the end of the
    text, so that each place is looked at once.
    """
    longest = max(map(len, names))
    end_of: dict[int, int] = {}
    """Where the name ends that begins at a place."""
    next_to: dict[int, int] = {len(text): len(text)}
    """Where the next name begins behind one that ends at a place; the text's end if that is all."""
    ends = [len(text)]
    begins = 0  # the keys of end_of, as bits
    for place in range(len(text) - 1, -1, -1):
        for end in ends:
            if _SHORTEST <= end - place <= longest and text[place:end] in names:
                end_of[place] = end
                begins |= 1 << place
                break
        joint = _JOINT.match(text, place)
        if joint is None:
            continue
        reached = joint.end()
        behind = begins & ((2 << reached) - 1)
        behind >>= place + 1
        if reached == len(text):
            next_to[place] = reached
        elif behind:
            next_to[place] = place + behind.bit_length()
        else:
            continue
        ends.append(place)
    start = next((place for place in range(last_start + 1) if place in end_of), None)
    covered: list[str] = []
    while start is not None and start < len(text):
        end = end_of[start]
        covered.append(text[start:end])
        start = next_to[end]
    return tuple(covered)
