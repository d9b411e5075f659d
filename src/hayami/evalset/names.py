"""How rows and sections are named from one build to the next."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from pydantic import Field, field_validator

from hayami.evalset.records import Record, Section
from hayami.text.fingerprint import fingerprint, is_fingerprint
from hayami.text.fold import fold


class RowKey(Record):
    """A row, whatever table it stands in: what verdicts are kept under."""

    article: str
    """Id of the article."""
    question: str
    """The question of the table, folded."""
    reference: str
    """The reference cell, folded."""


def row_key(article: str, question: str, reference: str) -> RowKey:
    """The key of a row, from its texts as written."""
    return RowKey(article=article, question=fold(question), reference=fold(reference))


class SectionName(Record):
    """A section as a verdict names it: found again by its heading after a renumbering."""

    section: str
    """Its id when it was judged."""
    article: str
    """Id of the article."""
    heading: str
    """Its heading as written."""
    nth: int = Field(default=0, ge=0)
    """Which of the article's sections with this heading, from 0."""
    of: int = Field(default=1, ge=1)
    """How many sections of the article had this heading."""
    content: str = ""
    """The fingerprint of its text (:mod:`hayami.text.fingerprint`); empty if it was not at hand."""
    rival: float = Field(default=0.0, ge=0, le=1)
    """How much the likest other section of the article was like it, 0 to 1."""

    @field_validator("content")
    @classmethod
    def _is_fingerprint(cls, content: str) -> str:
        if content and not is_fingerprint(content):
            raise ValueError("is no fingerprint of a text")
        return content

    @property
    def key(self) -> tuple[str, str, int]:
        """What makes two names the same section."""
        return self.article, fold(self.heading), self.nth


class Known(NamedTuple):
    """A section of the corpus: its id and its heading as written."""

    id: str
    heading: str
    content: str = ""
    """The fingerprint of its text; empty if that is not asked for."""


def name_sections(sections: Iterable[Known], article: str) -> list[SectionName]:
    """The names of the sections of one article, in their order."""
    known = list(sections)
    folded = [fold(section.heading) for section in known]
    return [
        SectionName(
            section=section.id,
            article=article,
            heading=section.heading,
            nth=folded[:place].count(folded[place]),
            of=folded.count(folded[place]),
            content=section.content,
        )
        for place, section in enumerate(known)
    ]


def known_sections(
    corpus: Iterable[Section], printed: Container[str] = ()
) -> dict[str, list[Known]]:
    """The sections of a corpus by article, in their order.

    The corpus is read once and its texts are not kept.

    Args:
        corpus: the sections.
        printed: ids of the articles whose sections get the fingerprint of their text.
    """
    by_article: dict[str, list[Known]] = {}
    for section in corpus:
        known = Known(section.id, section.heading)
        if section.article in printed:
            known = known._replace(content=fingerprint(section.text))
        by_article.setdefault(section.article, []).append(known)
    return by_article


def name_corpus(corpus: Iterable[Section], printed: Container[str] = ()) -> dict[str, SectionName]:
    """The name of every section of a corpus by its id; ``printed`` as for known_sections."""
    by_article = known_sections(corpus, printed)
    return {
        name.section: name
        for article, known in by_article.items()
        for name in name_sections(known, article)
    }


def find_section(name: SectionName, sections: Sequence[Known]) -> str | None:
    """The id that a named section has among its article's ``sections`` today.

    None if no section has its heading, or if there are now more or fewer sections of that heading:
    then which one was meant would be a guess.
    """
    same = [section.id for section in sections if fold(section.heading) == fold(name.heading)]
    return same[name.nth] if len(same) == name.of and name.nth < name.of else None
