"""References without an article: the sections of a whole corpus that they may mean, found by the same rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from rapidfuzz import fuzz, process

from hayami.evalset.records import TRUST, Candidate, Match, Reason, Target
from hayami.label.library import Library
from hayami.label.matching import CANDIDATES, Names, match_row
from hayami.label.references import strip_decorations
from hayami.label.similarity import MARGIN
from hayami.parts import Label, NoLabel, Outline, Row, text_of
from hayami.settings import Settings
from hayami.text.fold import compact, has_word, topic_of

_LOOKED_INTO: Final = 40
"""Articles whose headings are compared by all rules: those with the headings most like the reference."""
_SHORTEST: Final = 4
"""Letters from which a text that a heading holds, or that holds it, is looked up in all articles."""


@dataclass(frozen=True)
class Corpus:
    """The articles of an eval set by what their headings say."""

    outlines: Mapping[str, Outline]
    """By article id."""
    library: Library
    settings: Settings
    _names: dict[str, Names] = field(default_factory=dict)

    def names(self, article: str) -> Names:
        """The names of one article, made once."""
        if article not in self._names:
            self._names[article] = Names(self.outlines[article], self.settings)
        return self._names[article]

    @cached_property
    def _by_text(self) -> dict[str, list[str]]:
        """Articles by their headings and titles, compact."""
        found: dict[str, dict[str, None]] = {}
        for article, outline in self.outlines.items():
            headings = [heading.text for heading in outline.headings]
            for text in (outline.title, topic_of(outline.title), *headings):
                if has_word(text):
                    found.setdefault(compact(text), {})[article] = None
        return {text: list(articles) for text, articles in found.items()}

    @cached_property
    def _texts(self) -> list[str]:
        return list(self._by_text)

    def candidates(self, reference: str) -> list[str]:
        """The articles that a reference may be about: those with a heading of its words, else of some likeness."""
        text = compact(strip_decorations(reference))
        if text in self._by_text:
            return self._by_text[text]
        near = [
            one
            for one, _, _ in process.extract(
                text, self._texts, scorer=fuzz.ratio, limit=_LOOKED_INTO
            )
            if one
        ]
        if len(text) >= _SHORTEST:
            held = (
                one for one in self._texts if text in one or (len(one) >= _SHORTEST and one in text)
            )
            near = [*(one for one, _ in zip(held, range(_LOOKED_INTO), strict=False)), *near]
        articles = dict.fromkeys(article for one in near for article in self._by_text[one])
        return list(articles)[:_LOOKED_INTO]

    def match(self, row: Row) -> Label | NoLabel:
        """The label of a row that may mean a section of any article, or the reason why it has none.

        The rules are those for one article, but for numbers, which mean nothing without one. The
        section must be found by a more trusted rule than those of all other articles, or be more
        alike by the same margin as within one.
        """
        outcomes = [
            match_row(row, self.names(article), self.library)
            for article in self.candidates(text_of(row.reference))
        ]
        labels = [
            one for one in outcomes if isinstance(one, Label) and _trust(one) is not Match.NUMBER
        ]
        if not labels:
            return _why_not(row, [one for one in outcomes if isinstance(one, NoLabel)])
        best = min(TRUST.index(_trust(one)) for one in labels)
        ranked = sorted(
            (one for one in labels if TRUST.index(_trust(one)) == best), key=_score, reverse=True
        )
        margin = (
            MARGIN if TRUST[best] is Match.FUZZY else 1.0
        )  # how much of a heading a name is says nothing
        close = [one for one in ranked if _score(ranked[0]) - _score(one) < margin]
        doubtful = [
            one for one in outcomes if isinstance(one, NoLabel) and one.reason is Reason.AMBIGUOUS
        ]
        if len(close) > 1 or (doubtful and TRUST[best] is not Match.EXACT):
            fitting = [_candidate(target) for one in close for target in one.targets]
            return NoLabel(
                row,
                Reason.AMBIGUOUS,
                nearest([*fitting, *(c for one in doubtful for c in one.candidates)]),
            )
        return ranked[0]


def _trust(label: Label) -> Match:
    """The least trusted rule by which the targets of a label were found."""
    return max((target.match for target in label.targets), key=TRUST.index)


def _score(label: Label) -> float:
    return min(target.score for target in label.targets)


def _candidate(target: Target) -> Candidate:
    article = target.section.rpartition("#")[0]
    return Candidate(
        article=article, section=target.section, heading=target.heading, score=target.score
    )


_TELLING: Final = (
    Reason.AMBIGUOUS,
    Reason.WHOLE_ARTICLE,
    Reason.EXCLUDED_SECTION,
    Reason.UNMATCHED,
)


def _why_not(row: Row, outcomes: Sequence[NoLabel]) -> NoLabel:
    """The most telling of the reasons for which each article gave no label, with the nearest candidates of all."""
    reason = next(
        (r for r in _TELLING if any(one.reason is r for one in outcomes)), Reason.UNMATCHED
    )
    return NoLabel(
        row, reason, nearest(c for one in outcomes if one.reason is reason for c in one.candidates)
    )


def nearest(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The best few of some candidates, each once, most similar first."""
    ranked = sorted(dict.fromkeys(candidates), key=lambda c: (-c.score, c.article, c.section or ""))
    return tuple(ranked[:CANDIDATES])
