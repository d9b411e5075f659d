"""The headings of one article as names to be looked up: prepared once, used for all its rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

from rapidfuzz import fuzz, process

from hayami.evalset.records import Candidate, section_id
from hayami.label.meaning import CANDIDATES
from hayami.label.phrases import compacted
from hayami.label.similarity import Similarity, bare
from hayami.parts import Heading, Outline
from hayami.settings import Settings
from hayami.text.fold import compact, fold, has_word
from hayami.text.numbering import Number
from hayami.text.openings import heading_numbers

_SERIES: Final = 3
"""Headings that must begin with a bare number before "3 things" is read as number 3."""
_SPARE: Final = 3
"""Headings that are ranked beyond the candidates: those of the section itself are passed over."""
_Key = TypeVar("_Key")


@dataclass
class HeadingIndex:
    """The headings of one article by what a reference may call them."""

    outline: Outline
    settings: Settings

    @cached_property
    def generic(self) -> frozenset[str]:
        """The texts that name nothing, compact."""
        return compacted(self.settings.generic_texts)

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """The headings that name a section; titles and what stands before the first one do not."""
        return tuple(h for h in self.outline.headings if h.section is not None and has_word(h.text))

    @cached_property
    def _beside(self) -> dict[str, HeadingIndex]:
        return {self.outline.id: self}

    def beside(self, outline: Outline) -> HeadingIndex:
        """The headings of another article, or of this one; made once."""
        if outline.id not in self._beside:
            self._beside[outline.id] = HeadingIndex(outline, self.settings)
        return self._beside[outline.id]

    @cached_property
    def titles(self) -> frozenset[str]:
        """What the article as a whole is called, compact."""
        texts = [h.text for h in self.outline.headings if h.section is None]
        return frozenset(map(compact, [self.outline.title, *texts]))

    @cached_property
    def written(self) -> dict[str, list[Heading]]:
        """Headings by their text as written."""
        return _grouped((h.text, h) for h in self.headings)

    @cached_property
    def folded(self) -> dict[str, list[Heading]]:
        """Headings by their folded text without blanks."""
        return _grouped((compact(h.text), h) for h in self.headings)

    @cached_property
    def bare(self) -> dict[str, list[Heading]]:
        """Headings by their folded text without number and brackets."""
        return _grouped((compact(bare(h.text)), h) for h in self.headings)

    @cached_property
    def named(self) -> dict[str, list[Heading]]:
        """Headings by either: folded, or where no other is called so, bare."""
        return self.bare | self.folded

    @cached_property
    def numbered(self) -> dict[Number, list[Heading]]:
        """Headings by the numbers they carry; "3 things" counts where several headings have one."""
        carried: list[tuple[Number, Heading]] = []
        plain: list[tuple[Number, Heading]] = []
        for heading in self.headings:
            for number in heading_numbers(heading.text):
                if number.unit == "plain":
                    plain.append((Number("", number.parts), heading))
                else:
                    carried.append((number, heading))
        return _grouped([*carried, *plain] if len(plain) >= _SERIES else carried)

    @cached_property
    def similarity(self) -> Similarity:
        """The fuzzy scorer over the headings."""
        return Similarity([h.text for h in self.headings])

    @cached_property
    def _folded_texts(self) -> list[str]:
        return [fold(h.text) for h in self.headings]

    def likeness(self, text: str) -> list[tuple[Heading, float]]:
        """The headings most like ``text`` by Indel ratio, best first."""
        limit = CANDIDATES + _SPARE
        found = process.extract(fold(text), self._folded_texts, scorer=fuzz.ratio, limit=limit)
        return [(self.headings[number], score / 100) for _, score, number in found]

    def nearest(self, text: str) -> tuple[Candidate, ...]:
        """The headings most like ``text``, as candidates."""
        found = self.likeness(text)[:CANDIDATES]
        return tuple(candidate(self.outline, heading, score) for heading, score in found)


def _grouped(pairs: Iterable[tuple[_Key, Heading]]) -> dict[_Key, list[Heading]]:
    groups: dict[_Key, list[Heading]] = {}
    for key, heading in pairs:
        groups.setdefault(key, []).append(heading)
    return groups


def candidate(outline: Outline, heading: Heading, score: float) -> Candidate:
    """A heading of an article as a candidate."""
    section = section_id(outline.id, heading.section) if heading.section is not None else None
    return Candidate(
        article=outline.id, section=section, heading=heading.text, score=round(score, 4)
    )


def whole(outline: Outline) -> Candidate:
    """An article as a whole as a candidate."""
    return Candidate(article=outline.id, section=None, heading=outline.title, score=1.0)
