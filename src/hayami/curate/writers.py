"""For the writers of articles: the rows whose reference does not lead where it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rapidfuzz import fuzz, process

from hayami.evalset.folder import EvalSet
from hayami.evalset.records import (
    IMPORT,
    Article,
    Candidate,
    Flag,
    Match,
    Origin,
    Place,
    Query,
    Reason,
    Rejection,
    Target,
)
from hayami.text.fold import compact, fold

_NEAREST: Final = 3
"""Headings that are offered for one row."""


class ReferenceFault(StrEnum):
    """What is wrong with a reference, worst first."""

    CONTRADICTION = "contradiction"
    DEAD = "dead"
    DEAD_LINK = "dead_link"
    AMBIGUOUS = "ambiguous"
    NOT_A_SECTION = "not_a_section"
    MISSING = "missing"
    OUTSIDE = "outside"
    INCOMPLETE = "incomplete"
    DIFFERS = "differs"
    SHORTENED = "shortened"


FAULTS: Final[dict[Reason, ReferenceFault]] = {
    Reason.UNMATCHED: ReferenceFault.DEAD,
    Reason.BROKEN_LINK: ReferenceFault.DEAD_LINK,
    Reason.CONTRADICTION: ReferenceFault.CONTRADICTION,
    Reason.AMBIGUOUS: ReferenceFault.AMBIGUOUS,
    Reason.WHOLE_ARTICLE: ReferenceFault.NOT_A_SECTION,
    Reason.EXCLUDED_SECTION: ReferenceFault.NOT_A_SECTION,
    Reason.NO_REFERENCE: ReferenceFault.MISSING,
    Reason.NO_QUESTION: ReferenceFault.MISSING,
}
"""What the reason of a rejection means for the writer; the others (links to other sites, verdicts)
are no fault."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A heading that the writer may have meant."""

    section: str | None
    """Id of its section; None for an article as a whole."""
    heading: str
    anchor: str
    """The first id of the section's heading: what a link can lead to; empty if it has none."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One row, with what to mend in it."""

    fault: ReferenceFault
    place: Place
    """Where it stands on the page."""
    question: str
    reference: str
    """The reference as it stands in the cell."""
    href: str | None
    """Its link, if it has one."""
    detail: str
    """What more there is to know, such as the id that is not there; or an empty text."""
    headings: tuple[Suggestion, ...]
    """The nearest headings, best first; of a reference that differs, the heading that was found."""


@dataclass(frozen=True, slots=True)
class ArticleRemarks:
    """One article with all that is to be mended in it."""

    article: str
    path: str
    title: str
    language: str
    rows: int
    """Rows of its quick-reference tables."""
    remarks: tuple[Remark, ...]
    """In the order of the page."""


@dataclass(frozen=True, slots=True)
class WritersReport:
    """All articles that have something to be mended, in the order of the set."""

    articles: tuple[ArticleRemarks, ...]
    rows: int
    """Rows of all articles, sound ones too."""
    sound: int
    """Articles with rows and nothing to be mended."""

    def count(self, fault: ReferenceFault) -> int:
        """How many remarks there are of one kind."""
        return sum(remark.fault is fault for article in self.articles for remark in article.remarks)


def report_for_writers(evalset: EvalSet) -> WritersReport:
    """What the writers of a set's articles can mend.

    Imported questions are not theirs, and left out.

    A reference differs from its heading if only its likeness, and is shortened if a part of the
    text, led to it (width, case and blanks aside); a number, and a link that leads to its section,
    are sound whatever the text.

    Raises:
        EvalSetError: the set is damaged.
    """
    remarks = _remarks(evalset, _Suggestions(evalset))
    told = []
    rows = sound = 0
    for article in evalset.articles():
        rows += article.rows
        if article.id in remarks:
            told.append(_told(article, remarks[article.id]))
        elif article.rows:
            sound += 1
    return WritersReport(tuple(told), rows, sound)


def _remarks(evalset: EvalSet, names: _Suggestions) -> dict[str, list[Remark]]:
    """What is to be mended, by article."""
    remarks: dict[str, list[Remark]] = {}
    for rejection in evalset.rejections():
        refused = _refused(rejection, names)
        if refused is not None:
            remarks.setdefault(rejection.article, []).append(refused)
    for query in evalset.queries():
        for article, remark in _labelled(query, names):
            remarks.setdefault(article, []).append(remark)
    return remarks


def _told(article: Article, remarks: Iterable[Remark]) -> ArticleRemarks:
    ordered = tuple(sorted(remarks, key=lambda remark: _reading_order(remark.place)))
    return ArticleRemarks(
        article.id, article.path, article.title, article.language, article.rows, ordered
    )


def _reading_order(place: Place) -> tuple[bool, str, int, int]:
    """Tables first, then what is of one kind together."""
    return place.table is None, place.kind, place.ordinal, place.row


class _Suggestions:
    """The headings of all articles: what a reference could have said."""

    def __init__(self, evalset: EvalSet) -> None:
        self._by_section: dict[str, Suggestion] = {}
        self._by_article: dict[str, list[Suggestion]] = {}
        for section in evalset.sections():
            opening = Suggestion(section.id, section.heading, section.anchor)
            self._by_section[section.id] = opening
            deeper = [Suggestion(section.id, text, "") for text in section.headings]
            self._by_article.setdefault(section.article, []).extend([opening, *deeper])

    def of(self, candidate: Candidate | Target) -> Suggestion:
        """A candidate or target as a heading, with the anchor if it is the section's own."""
        anchor = ""
        known = self._by_section.get(candidate.section or "")
        if known is not None and compact(known.heading) == compact(candidate.heading):
            anchor = known.anchor
        return Suggestion(candidate.section, candidate.heading, anchor)

    def nearest(self, article: str, reference: str) -> tuple[Suggestion, ...]:
        """The headings of an article that are most like a reference, best first."""
        headings = self._by_article.get(article, [])
        found = process.extract(
            fold(reference), [fold(h.heading) for h in headings], scorer=fuzz.ratio, limit=_NEAREST
        )
        return tuple(headings[number] for _, score, number in found if score)


def _refused(rejection: Rejection, names: _Suggestions) -> Remark | None:
    """What is to be mended in a row that gave no label; None if nothing is."""
    fault = FAULTS.get(rejection.reason)
    place = rejection.where
    if fault is None or place is None or place.kind == IMPORT:
        return None
    if fault is ReferenceFault.DEAD_LINK and rejection.detail.startswith("no file"):
        fault = ReferenceFault.OUTSIDE
    candidates = tuple(dict.fromkeys(map(names.of, rejection.candidates)))
    if fault in {ReferenceFault.DEAD, ReferenceFault.DEAD_LINK}:
        candidates = candidates[:_NEAREST] or names.nearest(rejection.article, rejection.reference)
    return Remark(
        fault,
        place,
        rejection.question,
        rejection.reference,
        rejection.href,
        rejection.detail,
        candidates,
    )


def _labelled(query: Query, names: _Suggestions) -> Iterator[tuple[str, Remark]]:
    """What is to be mended in the rows of a query, with the article of each.

    Which target a row of a merged query named is told by its reference: it is the whole cell, or a
    part of it.
    """
    for origin in query.origins:
        if origin.where.kind == IMPORT:
            continue
        own = [t for t in query.targets if _named_by(t, origin)]
        differing = [target for target in own if _differs(target)]
        if Flag.INCOMPLETE in query.flags and len(query.origins) == 1:
            yield origin.article, _remark(ReferenceFault.INCOMPLETE, origin, own, names)
        elif differing:
            fuzzy = any(target.match is Match.FUZZY for target in differing)
            fault = ReferenceFault.DIFFERS if fuzzy else ReferenceFault.SHORTENED
            yield origin.article, _remark(fault, origin, differing, names)


def _named_by(target: Target, origin: Origin) -> bool:
    return bool(target.reference) and compact(target.reference) in compact(origin.reference)


def _differs(target: Target) -> bool:
    """Whether a rule had to look past the wording, and no link says what is meant."""
    by_rule = target.match in {Match.CONTAINS, Match.FUZZY}
    return by_rule and compact(target.reference) != compact(target.heading)


def _remark(
    fault: ReferenceFault, origin: Origin, targets: Sequence[Target], names: _Suggestions
) -> Remark:
    href = next((target.href for target in targets if target.href), None)
    headings = tuple(dict.fromkeys(map(names.of, targets)))
    return Remark(fault, origin.where, origin.question, origin.reference, href, "", headings)


def count_faults(report: WritersReport) -> Mapping[ReferenceFault, int]:
    """Remarks by what is wrong, worst first; only what there is."""
    return {fault: report.count(fault) for fault in ReferenceFault if report.count(fault)}
