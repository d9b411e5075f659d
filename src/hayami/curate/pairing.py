"""Sections of an old set and of a new one: which are the same, by name and by content, and what became of each."""

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
"""Indel ratio (0 to 1) of two texts from which one may be the other, edited; texts about other things reach 0.4."""
_SHORTEST_TEXT: Final = 20
"""Letters from which the same text in another place is the same section."""
_COMPARED: Final = 4_000
"""Letters of a text that are compared: the rest of a long one does not change the answer, but the time."""


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
        return [m for m in self.old if m.id not in self.pairs], [
            m for m in self.new if m.id not in self._taken
        ]

    def pair(self, old: SectionMark, new: SectionMark) -> None:
        self.pairs[old.id] = new.id
        self._taken.add(new.id)

    def by(self, key: Callable[[SectionMark], Hashable | None]) -> None:
        """Pairs what has one key, if only one section of each set has it; None is no key."""
        old, new = self.left()
        ours, theirs = _grouped(old, key), _grouped(new, key)
        for value, marks in ours.items():
            others = theirs.get(value, [])
            if len(marks) == len(others) == 1:
                self.pair(marks[0], others[0])


def _grouped(
    marks: Iterable[SectionMark], key: Callable[[SectionMark], Hashable | None]
) -> dict[Hashable, list[SectionMark]]:
    groups: dict[Hashable, list[SectionMark]] = {}
    for mark in marks:
        if (value := key(mark)) is not None:
            groups.setdefault(value, []).append(mark)
    return groups


def pair_sections(old: EvalSet, new: EvalSet) -> list[SectionChange]:
    """Every section of both sets with what became of it: those of the new set in their order, then those that went.

    A section is the same if it has the same heading in the same article; else if it has the same
    text, in its article or in another; else, among what is left in an article, if its text is
    alike, or its heading and some of its text. What is the same twice is not guessed.
    """
    pairing = _Pairing(mark_sections(old), mark_sections(new))
    pairing.by(lambda m: (m.article, fold(m.heading), m.nth, m.digest))
    pairing.by(lambda m: (m.article, m.digest) if m.letters >= _SHORTEST_TEXT else None)
    pairing.by(lambda m: (m.article, fold(m.heading), m.nth))
    pairing.by(lambda m: (fold(m.heading), m.digest) if m.letters >= _SHORTEST_TEXT else None)
    pairing.by(lambda m: m.digest if m.letters >= _SHORTEST_TEXT else None)
    texts = _texts_of(old, new, pairing)
    _pair_alike(pairing, texts, lambda m: m.article)
    _pair_alike(pairing, texts, lambda m: fold(m.heading))
    return _changes(pairing, texts)


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
    """The texts of sections that are in no pair, or paired by name with another text; the others are not kept."""
    digests = {mark.id: mark.digest for mark in pairing.new}
    same = {
        o.id
        for o in pairing.old
        if o.id in pairing.pairs and digests[pairing.pairs[o.id]] == o.digest
    }
    done = {pairing.pairs[one] for one in same}
    return _Texts(_texts(old.sections(), same), _texts(new.sections(), done))


def _texts(sections: Iterable[Section], done: set[str]) -> dict[str, str]:
    return {s.id: _plain(s.text)[:_COMPARED] for s in sections if s.id not in done}


def _pair_alike(
    pairing: _Pairing, texts: _Texts, key: Callable[[SectionMark], Hashable | None]
) -> None:
    """Pairs what has one key and texts that are alike, the most alike first."""
    old, new = pairing.left()
    theirs = _grouped(new, key)
    found = [
        (texts.likeness(one, other), one, other)
        for one in old
        for other in theirs.get(key(one), ())
        if min(one.letters, other.letters) >= _SHORTEST_TEXT
    ]
    for likeness, one, other in sorted(found, key=lambda f: (-f[0], f[1].id, f[2].id)):
        if (
            likeness >= REWRITTEN
            and one.id not in pairing.pairs
            and other.id not in pairing.pairs.values()
        ):
            pairing.pair(one, other)


def _changes(pairing: _Pairing, texts: _Texts) -> list[SectionChange]:
    olds = {pairing.pairs[mark.id]: mark for mark in pairing.old if mark.id in pairing.pairs}
    found = []
    for mark in pairing.new:
        old = olds.get(mark.id)
        if old is None:
            found.append(SectionChange(None, mark.id, mark.heading, "", (Change.CAME,), 0.0))
            continue
        kinds = {
            Change.RENUMBERED: old.id != mark.id and old.article == mark.article,
            Change.RENAMED: fold(old.heading) != fold(mark.heading),
            Change.MOVED: old.article != mark.article,
            Change.REWRITTEN: old.digest != mark.digest,
        }
        changes = tuple(kind for kind, holds in kinds.items() if holds)
        found.append(
            SectionChange(
                old.id, mark.id, mark.heading, old.heading, changes, texts.likeness(old, mark)
            )
        )
    went = [mark for mark in pairing.old if mark.id not in pairing.pairs]
    return found + [
        SectionChange(m.id, None, m.heading, m.heading, (Change.WENT,), 0.0) for m in went
    ]
