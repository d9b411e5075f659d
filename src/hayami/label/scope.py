"""Where a reference is looked up, and what it means to have found a heading there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from hayami.evalset.records import LEAD, Candidate, Match, Reason, Target, section_id
from hayami.label.cell import Sought
from hayami.label.headings import HeadingIndex, candidate, whole
from hayami.label.library import Library
from hayami.label.links import Site
from hayami.label.meaning import Meaning
from hayami.label.similarity import bare
from hayami.parts import Heading, Outline
from hayami.text.fold import compact, fold


class ElsewhereError(Exception):
    """The row needs another article: it is matched again when all are known.

    Never leaves the build.
    """


@dataclass(frozen=True, slots=True)
class Scope:
    """The article that a row stands in, and the others."""

    index: HeadingIndex
    library: Library | None
    """None while the others are not known yet."""
    host: int | None = None
    """Ordinal of the section that the row itself stands in."""
    declared: bool = False
    """Whether the writer said by a header that the cell names a section."""

    @property
    def outline(self) -> Outline:
        """The article that the row stands in."""
        return self.index.outline

    @property
    def site(self) -> Site:
        """Where that article stands, here and on the web."""
        outline = self.outline
        return Site(outline.path, outline.base, outline.sites, self.index.settings.site)

    def others(self) -> Library:
        """The other articles.

        Raises:
            ElsewhereError: they are not known yet.
        """
        if self.library is None:
            raise ElsewhereError
        return self.library

    def is_host(self, heading: Heading) -> bool:
        """Whether a heading is that of the row's own section: a row names another one."""
        return heading.unit and heading.section == self.host

    def away(self, headings: Iterable[Heading]) -> list[Heading]:
        """Some headings without that of the section that the row stands in."""
        return [heading for heading in headings if not self.is_host(heading)]

    def called(self, text: str) -> list[Heading]:
        """The headings that are a text but for number and brackets."""
        return self.away(self.index.bare.get(compact(bare(text)), ()))

    def one_of(self, headings: Sequence[Heading], sought: Sought, match: Match) -> Meaning:
        """The target among equally good headings: one section, or ambiguous.

        Sections that are left out give way to others.
        """
        left_out = self.outline.excluded
        kept = [h for h in headings if h.section not in left_out] or list(headings)
        if not kept:
            return Meaning()
        if match is Match.EXACT and not _in_one_section(kept):
            units = [h for h in kept if h.unit]
            kept = units if _in_one_section(units) else kept
        if not _in_one_section(kept):
            return Meaning(reason=Reason.AMBIGUOUS, candidates=self._ties(kept, sought))
        best = max(kept, key=lambda h: (h.unit, ratio(sought.text, h.text)))
        score = 1.0 if match is Match.NUMBER else ratio(sought.text, best.text)
        return self.target(self.outline, best, sought, match, score)

    def _ties(self, headings: Sequence[Heading], sought: Sought) -> tuple[Candidate, ...]:
        scored = [candidate(self.outline, h, ratio(sought.text, h.text)) for h in headings]
        return tuple(sorted(scored, key=lambda c: (-c.score, c.section or "")))

    def target(
        self, outline: Outline, heading: Heading, sought: Sought, match: Match, score: float = 1.0
    ) -> Meaning:
        """The section of a heading; no target if it is not in the corpus."""
        if heading.section in outline.excluded:
            left_out = candidate(outline, heading, score)
            return Meaning(reason=Reason.EXCLUDED_SECTION, candidates=(left_out,))
        here = outline.id == self.outline.id
        target = Target(
            section=section_id(outline.id, LEAD if heading.section is None else heading.section),
            heading=heading.text,
            reference=sought.text,
            href=sought.href,
            match=match,
            score=round(score, 4),
            runner_up=self._runner_up(sought.text, heading) if here else None,
        )
        return Meaning(targets=(target,))

    def _runner_up(self, text: str, heading: Heading) -> Candidate | None:
        for other, score in self.index.likeness(text):
            if other.section != heading.section:
                return candidate(self.outline, other, score)
        return None

    def article(self, outline: Outline, sought: Sought, match: Match) -> Meaning:
        """A whole article: its only section if it has one, else nothing that could have grade 2."""
        if outline.sections != 1 or outline.excluded:
            return Meaning(reason=Reason.WHOLE_ARTICLE, candidates=(whole(outline),))
        first = next((h for h in outline.headings if h.section == 0), None)
        only = first or Heading(outline.title, 0, 0, unit=True)
        found = self.target(outline, only, sought, match)
        return Meaning(found.targets, found.reason, (whole(outline),))


def _in_one_section(headings: Sequence[Heading]) -> bool:
    return len({heading.section for heading in headings}) == 1


def ratio(one: str, other: str) -> float:
    """The Indel ratio of two folded texts, 0 to 1."""
    return fuzz.ratio(fold(one), fold(other)) / 100
