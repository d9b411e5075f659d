"""Sections of an old set and a new one: which are the same, and what became of each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from rapidfuzz import fuzz

from hayami.evalset.folder import EvalSet
from hayami.evalset.records import Section
from hayami.text.fold import fold

REWRITTEN: Final = 0.5
"""Indel ratio (0 to 1) of two texts from which one may be the other, edited; texts about other
things reach 0.4."""
_SHORTEST_TEXT: Final = 20
"""Letters from which the same text in another place is the same section."""
_COMPARED: Final = 4_000
"""Letters of a text that are compared: the rest of a long one does not change the answer, but the
time."""


class Change(StrEnum):
    """What became of a section."""

    RENUMBERED = "renumbered"
    RENAMED = "renamed"
    MOVED = "moved"
    REWRITTEN = "rewritten"
    CAME = "came"
    WENT = "went"


CHANGE_MEANINGS: Final[dict[Change, str]] = {
    Change.RENUMBERED: "the section has another number in its article",
    Change.RENAMED: "its heading is another one",
    Change.MOVED: "it stands in another article",
    Change.REWRITTEN: "its text is another one",
    Change.CAME: "the section is new",
    Change.WENT: "the section is gone",
}


@dataclass(frozen=True, slots=True)
class SectionMark:
    """A section without its text."""

    id: str
    article: str
    heading: str
    nth: int
    """Which of the article's sections of this heading it is, from 0."""
    digest: bytes
    """Hash of its text, blanks and case aside."""
    letters: int
    """Letters of its text."""


@dataclass(frozen=True, slots=True)
class SectionChange:
    """A section in both sets, or in one of them."""

    old: str | None
    """Its id in the old set; None if it came."""
    new: str | None
    """Its id in the new set; None if it went."""
    heading: str
    """Its heading in the new set, or in the old one if it went."""
    was: str
    """Its heading in the old set, or an empty text if it came."""
    changes: tuple[Change, ...]
    """What became of it; empty if nothing did."""
    likeness: float
    """Indel ratio of the old and the new text, 0 to 1; 0 if it is in one set alone."""


def mark_sections(evalset: EvalSet) -> list[SectionMark]:
    """The sections of a set without their texts, in their order."""
    seen: dict[tuple[str, str], int] = {}
    marks = []
    for section in evalset.sections():
        key = section.article, fold(section.heading)
        nth = seen[key] = seen.get(key, -1) + 1
        text = _plain(section.text)
        digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
        marks.append(
            SectionMark(section.id, section.article, section.heading, nth, digest, len(text))
        )
    return marks


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()


Key = Callable[[SectionMark], Hashable | None]
"""What two sections must have alike to be a pair; None pairs with nothing."""


@dataclass
class _Pairing:
    """Sections paired so far; a section is in one pair at most."""

    old: Sequence[SectionMark]
    new: Sequence[SectionMark]
    pairs: dict[str, str] = field(default_factory=dict)
    """New ids by old ids."""
    _taken: set[str] = field(default_factory=set)

    def left(self) -> tuple[list[SectionMark], list[SectionMark]]:
        """The sections of both sets that are in no pair."""
        old = [mark for mark in self.old if mark.id not in self.pairs]
        new = [mark for mark in self.new if mark.id not in self._taken]
        return old, new

    def free(self, old: SectionMark, new: SectionMark) -> bool:
        """Whether neither of two sections is in a pair."""
        return old.id not in self.pairs and new.id not in self._taken

    def pair(self, old: SectionMark, new: SectionMark) -> None:
        self.pairs[old.id] = new.id
        self._taken.add(new.id)

    def by(self, key: Key) -> None:
        """Pairs what has one key, if only one section of each set has it; None is no key."""
        old, new = self.left()
        ours, theirs = _grouped(old, key), _grouped(new, key)
        for value, marks in ours.items():
            others = theirs.get(value, [])
            if len(marks) == len(others) == 1:
                self.pair(marks[0], others[0])


def _grouped(marks: Iterable[SectionMark], key: Key) -> dict[Hashable, list[SectionMark]]:
    groups: dict[Hashable, list[SectionMark]] = {}
    for mark in marks:
        if (value := key(mark)) is not None:
            groups.setdefault(value, []).append(mark)
    return groups


def pair_sections(old: EvalSet, new: EvalSet) -> list[SectionChange]:
    """Every section of both sets with what became of it.

    Those of the new set come in their order, then those that went.

    A section is the same if it has the same heading in the same article; else if it has the same
    text, in its article or in another; else, among what is left in an article, if its text is
    alike, or its heading and some of its text. What is the same twice is not guessed.
    """
    pairing = _Pairing(mark_sections(old), mark_sections(new))
    pairing.by(lambda mark: (*_name(mark), mark.digest))
    pairing.by(_text_in_article)
    pairing.by(_name)
    pairing.by(_heading_and_text)
    pairing.by(_text)
    texts = _texts_of(old, new, pairing)
    _pair_alike(pairing, texts, lambda mark: mark.article)
    _pair_alike(pairing, texts, lambda mark: fold(mark.heading))
    return _changes(pairing, texts)


def _name(mark: SectionMark) -> tuple[str, str, int]:
    return mark.article, fold(mark.heading), mark.nth


def _text(mark: SectionMark) -> bytes | None:
    """The text, if it is long enough to tell one section from another."""
    return mark.digest if mark.letters >= _SHORTEST_TEXT else None


def _text_in_article(mark: SectionMark) -> tuple[str, bytes] | None:
    text = _text(mark)
    return (mark.article, text) if text is not None else None


def _heading_and_text(mark: SectionMark) -> tuple[str, bytes] | None:
    text = _text(mark)
    return (fold(mark.heading), text) if text is not None else None


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts that have to be compared, by section id."""

    old: dict[str, str]
    new: dict[str, str]

    def likeness(self, old: SectionMark, new: SectionMark) -> float:
        """The Indel ratio of two texts, 0 to 1."""
        if old.digest == new.digest:
            return 1.0
        return round(fuzz.ratio(self.old.get(old.id, ""), self.new.get(new.id, "")) / 100, 4)


def _texts_of(old: EvalSet, new: EvalSet, pairing: _Pairing) -> _Texts:
    """The texts of sections that are in no pair, or paired by name with another text.

    The others are not kept.
    """
    digests = {mark.id: mark.digest for mark in pairing.new}
    same: set[str] = set()
    """Old ids of the pairs of one text."""
    for mark in pairing.old:
        new_id = pairing.pairs.get(mark.id)
        if new_id is not None and digests[new_id] == mark.digest:
            same.add(mark.id)
    done = {pairing.pairs[one] for one in same}
    return _Texts(_texts(old.sections(), same), _texts(new.sections(), done))


def _texts(sections: Iterable[Section], done: set[str]) -> dict[str, str]:
    return {s.id: _plain(s.text)[:_COMPARED] for s in sections if s.id not in done}


def _pair_alike(pairing: _Pairing, texts: _Texts, key: Key) -> None:
    """Pairs what has one key and texts that are alike, the most alike first."""
    old, new = pairing.left()
    theirs = _grouped([mark for mark in new if mark.letters >= _SHORTEST_TEXT], key)
    found = []
    for one in old:
        others = theirs.get(key(one), ()) if one.letters >= _SHORTEST_TEXT else ()
        found += [(texts.likeness(one, other), one, other) for other in others]
    found.sort(key=lambda pair: (-pair[0], pair[1].id, pair[2].id))
    for likeness, one, other in found:
        if likeness >= REWRITTEN and pairing.free(one, other):
            pairing.pair(one, other)


def _changes(pairing: _Pairing, texts: _Texts) -> list[SectionChange]:
    by_new = {new: old for old, new in pairing.pairs.items()}
    olds = {mark.id: mark for mark in pairing.old}
    found = []
    for mark in pairing.new:
        if mark.id in by_new:
            found.append(_changed(olds[by_new[mark.id]], mark, texts))
        else:
            change = SectionChange(None, mark.id, mark.heading, "", (Change.CAME,), 0.0)
            found.append(change)
    for mark in pairing.old:
        if mark.id not in pairing.pairs:
            change = SectionChange(mark.id, None, mark.heading, mark.heading, (Change.WENT,), 0.0)
            found.append(change)
    return found


def _changed(old: SectionMark, new: SectionMark, texts: _Texts) -> SectionChange:
    """What became of a section that is in both sets."""
    kinds = {
        Change.RENUMBERED: old.id != new.id and old.article == new.article,
        Change.RENAMED: fold(old.heading) != fold(new.heading),
        Change.MOVED: old.article != new.article,
        Change.REWRITTEN: old.digest != new.digest,
    }
    changes = tuple(kind for kind, holds in kinds.items() if holds)
    likeness = texts.likeness(old, new)
    return SectionChange(old.id, new.id, new.heading, old.heading, changes, likeness)
