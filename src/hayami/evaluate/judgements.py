"""Judgements: which documents are relevant to which queries, and what queries are known for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from hayami.evalset.folder import EvalSet


@dataclass(frozen=True, slots=True)
class Topic:
    """What is known about a query beside its judgements; what is not known is empty."""

    text: str = ""
    """The question."""
    article: str = ""
    """The article that asks it: queries of one article are not independent."""
    language: str = ""
    """Language of that article."""
    match: str = ""
    """The rule that found the targets."""
    flags: tuple[str, ...] = ()
    """Warnings about the question."""
    category: str = ""
    """A category that somebody gave it."""
    difficulty: str = ""
    """How hard somebody found it."""


@dataclass(frozen=True, slots=True)
class Judgements:
    """The judgements of an eval set, or of a file that somebody else made."""

    name: str
    """What to call them: the folder or the file."""
    qrels: Mapping[str, Mapping[str, int]]
    """Grades by query id and document id, in the order of the file."""
    topics: Mapping[str, Topic] = field(default_factory=dict)
    """What is known about the queries, by id; it may lack any."""
    sections: frozenset[str] | None = None
    """All document ids of the corpus; None if it is not at hand."""
    sha256: str = ""
    """Hash of what was judged: of the set, or of the file."""

    @property
    def levels(self) -> tuple[int, ...]:
        """The grades above 0 that occur, highest first."""
        return tuple(
            sorted(
                {g for grades in self.qrels.values() for g in grades.values() if g > 0},
                reverse=True,
            )
        )

    @property
    def has_articles(self) -> bool:
        """Whether an article is known for some query: then articles differ from queries."""
        return any(self.article_of(qid) != qid for qid in self.qrels)

    def articles(self) -> dict[str, str] | None:
        """The article of every query by its id; None where it is not known which hang together."""
        if not self.has_articles:
            return None
        return {qid: self.article_of(qid) for qid in self.qrels}

    def beside(self, own: Judgements) -> Judgements:
        """These judgements, with what those of a set know about queries and corpus."""
        return replace(self, topics=_beside(self.topics, own.topics), sections=own.sections)

    def topic(self, qid: str) -> Topic:
        """What is known about a query."""
        return self.topics.get(qid) or Topic()

    def article_of(self, qid: str) -> str:
        """The article that asks a query; the query's own id where none is known."""
        return self.topic(qid).article or qid


def _beside(topics: Mapping[str, Topic], own: Mapping[str, Topic]) -> dict[str, Topic]:
    """What a set knows of queries, and over it what a file says of them."""
    found = dict(own)
    for qid, topic in topics.items():
        known = own.get(qid, Topic())
        said = {name: value for name, value in asdict(topic).items() if value}
        found[qid] = replace(known, **said)
    return found


def judgements_of(evalset: EvalSet) -> Judgements:
    """The judgements of an eval set: grades from its ``qrels.txt``, the rest from its records.

    Raises:
        EvalSetError: the set is damaged.
    """
    languages = {article.id: article.language for article in evalset.articles()}
    topics = {
        query.qid: Topic(
            text=query.query,
            article=query.article,
            language=languages.get(query.article, ""),
            match=str(query.match),
            flags=tuple(map(str, query.flags)),
            category=query.category,
            difficulty=query.difficulty,
        )
        for query in evalset.queries()
    }
    return Judgements(
        name=str(evalset.folder),
        qrels=evalset.qrels(),
        topics=topics,
        sections=frozenset(section.id for section in evalset.sections()),
        sha256=evalset.sha256,
    )
