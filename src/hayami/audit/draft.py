"""Blank items out of an eval set: what sampling, queueing and pooling have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hayami.audit.items import Item, Kind, item_id, rejection_rows
from hayami.audit.sheets import set_hash, set_reference
from hayami.evalset.folder import EvalSet
from hayami.evalset.names import SectionName, name_corpus
from hayami.evalset.qids import rows_of
from hayami.evalset.records import Article, Query, Rejection, article_of

ALL: Final = "all"
"""The stratum of what was not drawn by chance, and of a draw without strata."""
_CELLS: Final = " | "
"""Stands between the reference cells of several rows."""


@dataclass(frozen=True, slots=True)
class Drafter:
    """Turns the rows of a set into blank items of one sheet; :func:`read_drafter` makes it."""

    names: dict[str, SectionName]
    """The name of every section of the corpus by its id."""
    by_article: dict[str, tuple[SectionName, ...]]
    """The sections of each article, in their order."""
    articles: dict[str, Article]
    """The articles by id."""
    set: str
    """The folder of the eval set, relative to the sheet."""
    set_sha256: str
    """The hash by which the sheet knows its set."""

    def label(self, query: Query) -> Item:
        """A query and the sections of its label."""
        return self._of_query(query, Kind.LABEL, tuple(target.section for target in query.targets))

    def pooled(self, query: Query, section: str) -> Item:
        """A query and one section of the corpus that a run ranked high."""
        return self._of_query(query, Kind.POOL, (section,))

    def rejected(self, rejection: Rejection) -> Item:
        """A row that gave no label; it must be one, not a file."""
        rows = rejection_rows(rejection)
        article = self.articles.get(rejection.article)
        named = [candidate.article for candidate in rejection.candidates]
        return Item(
            item=item_id(Kind.REJECTION, rows),
            kind=Kind.REJECTION,
            question=rejection.question,
            answer=rejection.answer,
            reference=rejection.reference,
            sections=(),
            stratum=ALL,
            population=1,
            drawn=1,
            article=rejection.article,
            topic=article.topic if article else "",
            language=article.language if article else "",
            reason=rejection.reason,
            detector=rejection.detector,
            candidates=rejection.candidates,
            rows=rows,
            outline=self._outline(rejection.article, *named),
            set=self.set,
            set_sha256=self.set_sha256,
        )

    def _of_query(self, query: Query, kind: Kind, sections: tuple[str, ...]) -> Item:
        rows = rows_of(query)
        article = self.articles.get(query.article)
        cells = (origin.reference for origin in query.origins)
        return Item(
            item=item_id(kind, rows, sections[0] if kind is Kind.POOL else ""),
            kind=kind,
            question=query.query,
            answer=query.answer,
            reference=_CELLS.join(dict.fromkeys(cells)),
            sections=sections,
            stratum=ALL,
            population=1,
            drawn=1,
            qid=query.qid,
            article=query.article,
            topic=query.topic,
            language=article.language if article else "",
            match=query.match,
            detector=query.origins[0].detector,
            flags=query.flags,
            targets=query.targets,
            rows=rows,
            outline=self._outline(*_articles_of(query, sections)),
            set=self.set,
            set_sha256=self.set_sha256,
        )

    def _outline(self, *articles: str) -> tuple[SectionName, ...]:
        outline: list[SectionName] = []
        for article in dict.fromkeys(articles):
            outline += self.by_article.get(article, ())
        return tuple(outline)


def _articles_of(query: Query, sections: Iterable[str]) -> Iterator[str]:
    """The articles that a query and some sections for it stand in, the query's own first."""
    yield query.article
    for origin in query.origins:
        yield origin.article
    for section in sections:
        yield article_of(section)


def read_drafter(evalset: EvalSet, sheet: Path) -> Drafter:
    """What is needed to draft items of ``evalset`` for the file ``sheet``.

    Raises:
        EvalSetError: the set is damaged.
    """
    names = name_corpus(evalset.sections())
    by_article: dict[str, list[SectionName]] = {}
    for name in names.values():
        by_article.setdefault(name.article, []).append(name)
    return Drafter(
        names=names,
        by_article={article: tuple(sections) for article, sections in by_article.items()},
        articles={article.id: article for article in evalset.articles()},
        set=set_reference(evalset, sheet),
        set_sha256=set_hash(evalset),
    )


def with_contents(items: Sequence[Item], evalset: EvalSet) -> tuple[Item, ...]:
    """The items with the fingerprint of every section that their outlines name.

    So that a verdict knows what was judged. The corpus is read once more, and only the articles
    that the items are about are looked at.
    """
    articles = {name.article for item in items for name in item.outline}
    names = name_corpus(evalset.sections(), articles) if articles else {}
    found: list[Item] = []
    for item in items:
        outline = tuple(names[name.section] for name in item.outline)
        found.append(item.model_copy(update={"outline": outline}))
    return tuple(found)


def texts_of(evalset: EvalSet, items: Sequence[Item]) -> dict[str, str]:
    """The text of every section that the items' outlines name, by id; the corpus is read once.

    Raises:
        EvalSetError: the set is damaged.
    """
    wanted = {name.section for item in items for name in item.outline}
    return {section.id: section.text for section in evalset.sections() if section.id in wanted}


def distinct(items: Iterable[Item]) -> list[Item]:
    """The items, each row once: two rows of the same texts are judged once."""
    found: dict[str, Item] = {}
    for item in items:
        found.setdefault(item.item, item)
    return list(found.values())
