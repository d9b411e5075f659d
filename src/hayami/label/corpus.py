"""References without an article: the sections of a corpus that they may mean, by the same rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Final

from rapidfuzz import fuzz, process

from hayami.evalset.records import TRUST, Candidate, Match, Reason, Target, article_of
from hayami.label.cell import Cited, read_cell
from hayami.label.headings import HeadingIndex
from hayami.label.library import Library
from hayami.label.match import meaning_of
from hayami.label.meaning import Meaning, nearest
from hayami.label.phrases import strip_decorations
from hayami.label.scope import Scope
from hayami.label.similarity import MARGIN
from hayami.parts import Outline, Piece
from hayami.settings import Settings
from hayami.text.fold import compact, has_word, topic_of

_LOOKED_INTO: Final = 40
"""Articles whose headings are compared by all rules: those most like the reference."""
_SHORTEST: Final = 4
"""Letters from which a text that a heading holds, or that holds it, is looked up everywhere."""


@dataclass(frozen=True)
class Corpus:
    """The articles of an eval set by what their headings say."""

    outlines: Mapping[str, Outline]
    """By article id."""
    library: Library
    settings: Settings
    _indexes: dict[str, HeadingIndex] = field(default_factory=dict)

    def scope(self, article: str) -> Scope:
        """One article as the place where a reference is looked up; its index is made once."""
        if article not in self._indexes:
            self._indexes[article] = HeadingIndex(self.outlines[article], self.settings)
        return Scope(self._indexes[article], self.library)

    def read(self, piece: Piece) -> Cited:
        """What one text or link cites, as a cell that holds nothing else."""
        return read_cell((piece,), self.settings)

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
        """The articles that a reference may be about: with a heading called so, or like it."""
        text = compact(strip_decorations(reference))
        if text in self._by_text:
            return self._by_text[text]
        near = [*islice(self._holding(text), _LOOKED_INTO), *self._alike(text)]
        articles: dict[str, None] = {}
        for one in near:
            articles.update(dict.fromkeys(self._by_text[one]))
        return list(articles)[:_LOOKED_INTO]

    def _alike(self, text: str) -> list[str]:
        found = process.extract(text, self._texts, scorer=fuzz.ratio, limit=_LOOKED_INTO)
        return [one for one, _, _ in found if one]

    def _holding(self, text: str) -> Iterator[str]:
        """The headings and titles that hold a text or that it holds, if the shorter one tells."""
        if len(text) < _SHORTEST:
            return
        for one in self._texts:
            if text in one or (len(one) >= _SHORTEST and one in text):
                yield one

    def meaning(self, cited: Cited) -> Meaning:
        """What a reference means that may name a section of any article.

        The rules are those for one article, but for numbers, which mean nothing without one. The
        section must be found by a more trusted rule than those of all other articles, or be more
        alike by the same margin as within one.
        """
        articles = self.candidates(cited.whole.written)
        meanings = [meaning_of(cited, self.scope(article)) for article in articles]
        found = [one for one in meanings if one.targets and _trust(one) is not Match.NUMBER]
        failed = [one for one in meanings if not one.targets]
        return _best(found, failed) if found else _why_not(failed)


def _best(found: Sequence[Meaning], failed: Sequence[Meaning]) -> Meaning:
    """The one of several articles' meanings that is clearly the best; ambiguous if none is."""
    best = min(map(_trust, found), key=TRUST.index)
    ranked = [one for one in found if _trust(one) is best]
    ranked.sort(key=_score, reverse=True)
    # How much of a heading a name is says nothing: only fuzzy scores tell more from less.
    margin = MARGIN if best is Match.FUZZY else 1.0
    close = [one for one in ranked if _score(ranked[0]) - _score(one) < margin]
    doubtful = [one for one in failed if one.reason is Reason.AMBIGUOUS]
    if len(close) > 1 or (doubtful and best is not Match.EXACT):
        return Meaning(reason=Reason.AMBIGUOUS, candidates=_tied(close, doubtful))
    return ranked[0]


def _trust(meaning: Meaning) -> Match:
    """The least trusted rule by which the targets of a meaning were found."""
    return max((target.match for target in meaning.targets), key=TRUST.index)


def _score(meaning: Meaning) -> float:
    return min(target.score for target in meaning.targets)


def _tied(close: Sequence[Meaning], doubtful: Sequence[Meaning]) -> tuple[Candidate, ...]:
    """The best of what fits in several articles, and of what is ambiguous within one."""
    candidates: list[Candidate] = []
    for one in close:
        candidates += map(_candidate, one.targets)
    for one in doubtful:
        candidates += one.candidates
    return nearest(candidates)


def _candidate(target: Target) -> Candidate:
    return Candidate(
        article=article_of(target.section),
        section=target.section,
        heading=target.heading,
        score=target.score,
    )


_TELLING: Final = (
    Reason.AMBIGUOUS,
    Reason.WHOLE_ARTICLE,
    Reason.EXCLUDED_SECTION,
    Reason.UNMATCHED,
)


def _why_not(failed: Sequence[Meaning]) -> Meaning:
    """The most telling reason for which no article has the section, with the nearest candidates."""
    given = {one.reason for one in failed}
    reason = next((r for r in _TELLING if r in given), Reason.UNMATCHED)
    candidates: list[Candidate] = []
    for one in failed:
        if one.reason is reason:
            candidates += one.candidates
    return Meaning(reason=reason, candidates=nearest(candidates))
