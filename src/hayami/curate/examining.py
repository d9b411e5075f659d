"""What would make a reviewer distrust a set: repeats, borrowed words, gaps, skew, siblings."""

from __future__ import annotations

import hashlib
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Final

from hayami.curate.ideal import SiblingShare, sibling_share
from hayami.evalset.folder import EvalSet
from hayami.evalset.gains import GAINS
from hayami.evalset.records import Flag, Query, Section, article_of
from hayami.text.fold import compact
from hayami.text.overlap import LEXICAL, Asked, Wording
from hayami.text.repeats import near_duplicates

_SHORTEST_TEXT: Final = 20
"""Letters from which two sections of the same text are a repeat, and not both "see below"."""
_BUSY: Final = 0.1
"""The share of articles whose part of the queries tells how skewed a set is."""


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two queries that ask nearly the same."""

    qids: tuple[str, str]
    queries: tuple[str, str]
    likeness: float
    """Indel ratio without blanks, 0 to 1."""
    same_targets: bool
    """Whether they have the same sections of grade 2; if not, at least one label is doubtful."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """What stands several times: a question, or a section's text."""

    text: str
    """The question, or the heading of the first section."""
    ids: tuple[str, ...]
    """Queries or sections, in their order."""


@dataclass(frozen=True, slots=True)
class QueryFigures:
    """One query beside the wording of its article."""

    qid: str
    query: str
    overlap: float | None
    """Share of the question's words that its target has, 0 to 1; of several targets the most; None
    with few words."""
    best_other: float | None
    """The same for the section of the targets' articles, no target, that has most of them; None if
    there is none."""
    verbatim: bool
    """Whether the question stands word for word in a target."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of one article the queries ask for."""

    article: str
    sections: int
    """Its sections in the corpus."""
    asked: int
    """Those that are a target of a query."""
    queries: int
    """Queries with a target in it."""


@dataclass(frozen=True, slots=True)
class Hygiene:
    """Everything that was looked at; a list names what is wrong, a share lies between 0 and 1."""

    queries: int
    sections: int
    duplicates: tuple[Repeat, ...]
    """Equal questions that are several queries."""
    near_duplicates: tuple[NearPair, ...]
    same_texts: tuple[Repeat, ...]
    """Sections with the same text: only one of them can be a target, and a run that finds the other
    is wronged."""
    flagged: dict[str, tuple[str, ...]]
    """Queries by flag, as the build or import set it."""
    figures: tuple[QueryFigures, ...]
    """One a query, in the order of the set."""
    coverage: tuple[Coverage, ...]
    """One an article, in the order of the set."""
    per_section: dict[str, int]
    """Queries by target section."""
    siblings: tuple[SiblingShare, ...]

    @property
    def verbatim(self) -> tuple[str, ...]:
        """Queries whose question stands word for word in a target."""
        return tuple(one.qid for one in self.figures if one.verbatim)

    @property
    def overlaps(self) -> list[float]:
        """The overlaps of the queries that have enough words to tell."""
        return [one.overlap for one in self.figures if one.overlap is not None]

    @property
    def mean_overlap(self) -> float:
        """The mean overlap of question and target; 0 without queries."""
        return statistics.fmean(self.overlaps) if self.overlaps else 0.0

    @property
    def lexical(self) -> float:
        """Share of the queries, of those that can tell, whose target has nearly all their words."""
        return sum(overlap >= LEXICAL for overlap in self.overlaps) / max(1, len(self.overlaps))

    @property
    def given_away(self) -> float:
        """Share of the queries whose target has more of their words than any section beside it."""
        more = [
            one.overlap > one.best_other
            for one in self.figures
            if one.overlap is not None and one.best_other is not None
        ]
        return sum(more) / max(1, len(more))

    @property
    def context_share(self) -> float:
        """Share of the queries that do not stand without their article."""
        return len(self.flagged.get(Flag.CONTEXT_DEPENDENT, ())) / max(1, self.queries)

    @property
    def asked_share(self) -> float:
        """Share of the sections that are a target of a query."""
        return len(self.per_section) / max(1, self.sections)

    @property
    def skew(self) -> float:
        """Share of the queries in the busiest tenth of the articles: 0.1 if all hold the same."""
        counts = sorted((one.queries for one in self.coverage), reverse=True)
        busiest = counts[: max(1, round(len(counts) * _BUSY))]
        return sum(busiest) / max(1, sum(counts))

    def as_json(self) -> dict[str, object]:
        """Everything as plain values, the summary first."""
        summary: dict[str, object] = {
            "queries": self.queries,
            "sections": self.sections,
            "duplicates": len(self.duplicates),
            "near_duplicates": len(self.near_duplicates),
            "same_texts": len(self.same_texts),
            "verbatim": len(self.verbatim),
            "context_share": round(self.context_share, 4),
            "mean_overlap": round(self.mean_overlap, 4),
            "lexical_share": round(self.lexical, 4),
            "given_away": round(self.given_away, 4),
            "asked_share": round(self.asked_share, 4),
            "skew": round(self.skew, 4),
        }
        return {"summary": summary} | asdict(self) | {"queries": self.queries}


def examine(evalset: EvalSet, depths: Sequence[int] = (10,)) -> Hygiene:
    """Looks an eval set over; its corpus is read once, one article in memory at a time.

    Args:
        evalset: the set.
        depths: the depths k for which the siblings' share of the ideal DCG is found.

    Raises:
        EvalSetError: the set is damaged.
    """
    queries = list(evalset.queries())
    reader = _CorpusReader(queries)
    for article, sections in groupby(evalset.sections(), key=lambda section: section.article):
        reader.read(article, list(sections))
    asked: Counter[str] = Counter()
    for query in queries:
        asked.update(query.relevant.keys())
    sizes = [(len(query.relevant), query.same_article) for query in queries]
    return Hygiene(
        queries=len(queries),
        sections=reader.sections,
        duplicates=tuple(_duplicates(queries)),
        near_duplicates=tuple(_near(queries)),
        same_texts=tuple(reader.same_texts()),
        flagged=_flagged(queries),
        figures=tuple(reader.figures()),
        coverage=tuple(reader.coverage),
        per_section=dict(asked),
        siblings=tuple(sibling_share(k, gain, sizes) for k in depths for gain in GAINS),
    )


def _flagged(queries: Iterable[Query]) -> dict[str, tuple[str, ...]]:
    """The ids of the queries of each flag that any has, in the order of the flags."""
    by_flag: dict[Flag, list[str]] = {}
    for query in queries:
        for flag in query.flags:
            by_flag.setdefault(flag, []).append(query.qid)
    return {str(flag): tuple(by_flag[flag]) for flag in Flag if flag in by_flag}


def _duplicates(queries: Iterable[Query]) -> Iterator[Repeat]:
    groups: dict[str, list[Query]] = {}
    for query in queries:
        groups.setdefault(compact(query.query), []).append(query)
    for group in groups.values():
        if len(group) > 1:
            yield Repeat(group[0].query, tuple(query.qid for query in group))


def _near(queries: Sequence[Query]) -> Iterator[NearPair]:
    for pair in near_duplicates([query.query for query in queries]):
        one, other = queries[pair.one], queries[pair.other]
        same = one.relevant.keys() == other.relevant.keys()
        yield NearPair((one.qid, other.qid), (one.query, other.query), pair.likeness, same)


class _CorpusReader:
    """Reads the corpus article by article beside the queries that have a target in it."""

    def __init__(self, queries: Sequence[Query]) -> None:
        self._queries = queries
        self._words = [Asked.of(query.query) for query in queries]
        self._asking: dict[str, list[int]] = {}
        for place, query in enumerate(queries):
            articles = {article_of(section) for section in query.relevant}
            for article in articles:
                self._asking.setdefault(article, []).append(place)
        self._overlap: dict[int, float] = {}
        self._other: dict[int, float] = {}
        self._verbatim: set[int] = set()
        self._texts: dict[bytes, list[tuple[str, str]]] = {}
        self.sections = 0
        self.coverage: list[Coverage] = []

    def read(self, article: str, sections: Sequence[Section]) -> None:
        """Notes the sections of one article."""
        asking = self._asking.get(article, ())
        targets: set[str] = set()
        for place in asking:
            targets |= self._queries[place].relevant.keys()
        asked = sum(section.id in targets for section in sections)
        self.coverage.append(Coverage(article, len(sections), asked, len(asking)))
        self.sections += len(sections)
        for section in sections:
            self._note_text(section)
            if asking:
                self._compare(section, asking)

    def _note_text(self, section: Section) -> None:
        text = "".join(section.text.split()).casefold()
        if len(text) >= _SHORTEST_TEXT:
            key = hashlib.blake2b(text.encode(), digest_size=16).digest()
            self._texts.setdefault(key, []).append((section.id, section.heading))

    def _compare(self, section: Section, asking: Iterable[int]) -> None:
        wording = Wording.of(section.heading, section.headings, section.text)
        for place in asking:
            query = self._queries[place]
            share = wording.share(self._words[place])
            found = self._overlap if section.id in query.relevant else self._other
            if share is not None:
                found[place] = max(share, found.get(place, 0.0))
            if section.id in query.relevant and wording.holds(self._words[place]):
                self._verbatim.add(place)

    def same_texts(self) -> Iterator[Repeat]:
        """Sections with the same text, blanks and case aside."""
        for group in self._texts.values():
            if len(group) > 1:
                yield Repeat(group[0][1], tuple(section for section, _ in group))

    def figures(self) -> Iterator[QueryFigures]:
        """The figures of each query, after all articles are read."""
        for place, query in enumerate(self._queries):
            yield QueryFigures(
                query.qid,
                query.query,
                _rounded(self._overlap, place),
                _rounded(self._other, place),
                place in self._verbatim,
            )


def _rounded(figures: Mapping[int, float], place: int) -> float | None:
    return round(figures[place], 4) if place in figures else None


# --- limits ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """What a set may have at most, or must have at least; None is no limit."""

    duplicates: int | None = None
    near_duplicates: int | None = None
    same_texts: int | None = None
    verbatim: int | None = None
    context: float | None = None
    overlap: float | None = None
    coverage: float | None = None
    """The least share of sections that are a target."""


STRICT: Final = Limits(duplicates=0, near_duplicates=0, same_texts=0, verbatim=0)
"""Nothing that is wrong whatever the set is for."""


def breaches(found: Hygiene, limits: Limits) -> list[str]:
    """The limits that a set does not keep, one sentence each."""
    context, overlap = round(found.context_share, 4), round(found.mean_overlap, 4)
    measured: tuple[tuple[str, float, float | None], ...] = (
        ("equal questions", len(found.duplicates), limits.duplicates),
        ("pairs of near duplicates", len(found.near_duplicates), limits.near_duplicates),
        ("repeated section texts", len(found.same_texts), limits.same_texts),
        ("questions word for word in their target", len(found.verbatim), limits.verbatim),
        ("share of questions that need their article", context, limits.context),
        ("mean overlap of question and target", overlap, limits.overlap),
    )
    over = [
        f"{what}: {value:g}, allowed {limit:g}"
        for what, value, limit in measured
        if limit is not None and value > limit
    ]
    if limits.coverage is not None and found.asked_share < limits.coverage:
        wanted = f"{found.asked_share:.4g}, wanted {limits.coverage:g}"
        over.append(f"share of sections that are asked for: {wanted}")
    return over
