"""The articles of an eval set on disk as the rules want them: outlines, rebuilt from the corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hayami.evalset.folder import EvalSet
from hayami.evalset.records import LEAD, Article, Section
from hayami.label.library import Register, article_numbers
from hayami.parts import Heading, Landing, Outline


@dataclass
class Shelf(Register):
    """The articles of an eval set without their texts: the library of an import."""

    articles: dict[str, Article] = field(default_factory=dict)
    """By id."""
    outlines: dict[str, Outline] = field(default_factory=dict)
    """By article id."""
    sections: dict[str, list[str]] = field(default_factory=dict)
    """Ids of the corpus sections by article id, in their order."""
    headings: dict[str, str] = field(default_factory=dict)
    """Headings by section id."""

    @classmethod
    def of(cls, evalset: EvalSet) -> Shelf:
        """The articles of a set; its corpus is read once."""
        shelf = cls({article.id: article for article in evalset.articles()})
        parts: dict[str, list[Section]] = {}
        for section in evalset.sections():
            bare = section.model_copy(update={"text": ""})  # the texts would be most of the memory
            parts.setdefault(section.article, []).append(bare)
        for article in shelf.articles.values():
            shelf._add(article, parts.get(article.id, []))
        return shelf

    def _add(self, article: Article, sections: Sequence[Section]) -> None:
        outline = outline_of(article, sections)
        self.outlines[article.id] = outline
        self.sections[article.id] = [section.id for section in sections]
        self.headings.update((section.id, section.heading) for section in sections)
        self.enter(article.id, article.path, article_numbers(outline))

    def outline_of(self, article: str) -> Outline:
        """The outline of an article of the set."""
        return self.outlines[article]

    def of_sections(self, articles: Iterable[str]) -> dict[str, list[str]]:
        """The ids of the corpus sections of some articles."""
        return {article: self.sections[article] for article in articles}


def outline_of(article: Article, sections: Sequence[Section]) -> Outline:
    """The names of an article as far as an eval set keeps them.

    Headings of sections that are in the corpus, the deeper ones inside them, and those that were
    left out of it; of the ids of headings the first of each. The ids of deeper headings are not in
    a set.
    """
    kept = {section.ordinal: section for section in sections if section.ordinal != LEAD}
    excluded = _excluded(article, kept)
    titles = dict.fromkeys((article.title, article.topic))
    headings = [Heading(text, 1, None, unit=False) for text in titles]
    anchors: dict[str, Landing] = {}
    for ordinal in sorted({*kept, *excluded}):
        if ordinal in kept:
            section = kept[ordinal]
            if section.anchor:
                anchors[section.anchor] = (ordinal, len(headings))
            headings += _headings(section)
        else:
            level = article.unit_level or 1
            headings.append(Heading(excluded[ordinal], level, ordinal, unit=True))
    return Outline(
        id=article.id,
        path=article.path,
        title=article.title,
        base="",
        headings=tuple(headings),
        anchors=anchors,
        sections=len(kept) + len(article.excluded),
        excluded=frozenset(excluded),
    )


def _excluded(article: Article, kept: Collection[int]) -> dict[int, str]:
    """The headings of the sections that are not in the corpus, by ordinal."""
    total = len(kept) + len(article.excluded)
    missing = [ordinal for ordinal in range(total) if ordinal not in kept]
    return dict(zip(missing, article.excluded, strict=False))


def _headings(section: Section) -> Iterator[Heading]:
    """The heading of a section and the deeper ones inside it, of which the set keeps no levels."""
    yield Heading(section.heading, section.level, section.ordinal, unit=True)
    for text in section.headings:
        yield Heading(text, section.level + 1, section.ordinal, unit=False)
