"""The sections that an imported question names: by id, by path, or in words as writers do."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from rapidfuzz import fuzz, process

from hayami.evalset.records import (
    IMPORT,
    Candidate,
    Detector,
    Match,
    Place,
    Reason,
    SectionId,
    Target,
    article_of,
)
from hayami.importing.questions import Question
from hayami.importing.shelf import Shelf
from hayami.label.corpus import Corpus
from hayami.label.headings import whole
from hayami.label.match import meaning_of, outcome
from hayami.label.meaning import Meaning, combine, nearest
from hayami.parts import Label, NoLabel, Outline, Piece, Row
from hayami.settings import Settings
from hayami.text.fold import has_word

_LIKE_AN_ID: Final = 70
"""Indel ratio (0 to 100) from which an id that is there is named beside one that is not."""
_LONGEST_NAME: Final = 1_000
"""Characters from which a text is no name of a section, nor a list of them."""


@dataclass(frozen=True, slots=True)
class _Clues:
    """What a question says about where it is answered."""

    ids: Sequence[str]
    names: Sequence[str]
    scope: Sequence[str] = ()
    """The articles in which names are looked for; in all if there is none."""
    unknown: str = ""
    """The article that is given and is not there, or an empty text."""


@dataclass(frozen=True)
class Finder:
    """Finds sections of one eval set."""

    shelf: Shelf
    settings: Settings

    @cached_property
    def corpus(self) -> Corpus:
        """The articles by what their headings say."""
        return Corpus(self.shelf.outlines, self.shelf, self.settings)

    def find(self, question: Question, number: int) -> tuple[Label | NoLabel, str]:
        """The label of a question, or why it has none, and the article it is about, if known.

        ``number`` is its place in the file. Ids of articles beside names say where to look for the
        names; alone they mean the whole article, which is no section.
        """
        clues = self._clues(question)
        row = _row(question, number, [*clues.ids, *clues.names])
        if not has_word(question.query):
            return NoLabel(row, Reason.NO_QUESTION, ()), ""
        if not row.reference:
            return NoLabel(row, Reason.NO_REFERENCE, ()), next(iter(clues.scope), "")
        if clues.unknown:
            return outcome(row, self._unknown("article", clues.unknown)), ""
        meanings = [self._by_id(given, clues.scope) for given in clues.ids]
        meanings += [self._by_name(name, clues.scope) for name in clues.names]
        found = combine(meanings)
        details = ("; ".join(found.details),)
        found = replace(found, candidates=nearest(found.candidates), details=details)
        return outcome(row, found), _article(found, clues.scope)

    def _clues(self, question: Question) -> _Clues:
        ids, names = question.ids, question.names
        if question.article:
            article = self.article(question.article)
            if article is None:
                return _Clues(ids, names, unknown=question.article)
            return _Clues(ids, names, (article,))
        articles = [article for article in map(self.article, ids) if article is not None]
        if names and articles and len(articles) == len(ids):
            return _Clues((), names, articles)
        return _Clues(ids, names)

    def article(self, given: str) -> str | None:
        """The article that an id or a path without a fragment means; None if there is none."""
        if given in self.shelf.outlines:
            return given
        outline, fragment = self._at_path(given)
        return None if outline is None or fragment else outline.id

    def _at_path(self, given: str) -> tuple[Outline | None, str]:
        """The article and the fragment that a path or address means; None if there is no such file.

        Of an address the longest end of its path that is a file of the set counts; of an id or a
        path only the whole.
        """
        try:
            parts = urlsplit(given)
        except ValueError:  # an address that is none, such as http://[
            return None, ""
        steps = [step for step in posixpath.normpath("/" + unquote(parts.path)).split("/") if step]
        for start in range(len(steps) if parts.netloc else min(1, len(steps))):
            outline = self.shelf.outline("/".join(steps[start:]))
            if outline is not None:
                return outline, parts.fragment
        return None, ""

    def _by_id(self, given: str, scope: Sequence[str]) -> Meaning:
        """What is given as an id: a section, an article, a path; else a name, by its looks."""
        known = self._known_id(given)
        if known is not None:
            return known
        by_name = self._by_name(given, scope)
        exact = by_name.targets and all(one.match is Match.EXACT for one in by_name.targets)
        if exact or not _looks_like_id(given):  # an exact one is a heading of one word
            return by_name
        return self._unknown("section or article", given)

    def _known_id(self, given: str) -> Meaning | None:
        """What an id or path of the set means; None if it is none."""
        if given in self.shelf.headings:
            return Meaning((_target(given, self.shelf.headings[given]),))
        article, _, ordinal = given.rpartition("#")
        outline = self.shelf.outlines.get(article)
        if outline is not None:
            if ordinal in map(str, outline.excluded):
                return _left_out(outline, given, int(ordinal))
            if ordinal.isdecimal() and ordinal not in outline.anchors:
                return self._unknown("section", given, article)
        if given in self.shelf.outlines:
            return self._follow(self.shelf.outlines[given], "", given)
        outline, fragment = self._at_path(given)
        return None if outline is None else self._follow(outline, fragment, fragment or outline.id)

    def _follow(self, outline: Outline, fragment: str, text: str) -> Meaning:
        """Where a link to an article and a place in it leads, by the rule ``anchor``."""
        file = quote(posixpath.basename(outline.path))
        link = Piece(text, f"{file}#{fragment}" if fragment else file)
        return meaning_of(self.corpus.read(link), self.corpus.scope(outline.id))

    def _by_name(self, name: str, scope: Sequence[str]) -> Meaning:
        """What is given in words: a heading in the articles that the question names, or in any."""
        if name in self.shelf.headings:
            return Meaning((_target(name, self.shelf.headings[name]),))
        if len(name) > _LONGEST_NAME:  # comparing it with every heading would take minutes
            detail = f"longer than {_LONGEST_NAME} characters: no heading is"
            return Meaning(reason=Reason.UNMATCHED, details=(detail,))
        cited = self.corpus.read(Piece(name))
        if not scope:
            return self.corpus.meaning(cited)
        return combine([meaning_of(cited, self.corpus.scope(article)) for article in scope])

    def _unknown(self, kind: str, given: str, like: str = "") -> Meaning:
        """An id that is none of the set, with the articles whose ids are most like it ."""
        near = process.extract(
            like or given,
            list(self.shelf.outlines),
            scorer=fuzz.ratio,
            score_cutoff=_LIKE_AN_ID,
            limit=3,
        )
        candidates: list[Candidate] = []
        for article, score, _ in near:
            named = whole(self.shelf.outlines[article])
            candidates.append(named.model_copy(update={"score": round(score / 100, 4)}))
        detail = f"no {kind} {given} in the set"
        return Meaning(reason=Reason.UNKNOWN_ID, candidates=tuple(candidates), details=(detail,))


def _looks_like_id(given: str) -> bool:
    return given.isascii() and given.split() == [given]


def _target(section: str, heading: str) -> Target:
    """A section that is given by its id: an address that was followed, as a link is."""
    return Target(
        section=SectionId(section),
        heading=heading,
        reference=section,
        href=None,
        match=Match.ANCHOR,
        score=1.0,
        runner_up=None,
    )


def _left_out(outline: Outline, section: str, ordinal: int) -> Meaning:
    """A section that is not in the corpus."""
    heading = next((h.text for h in outline.headings if h.section == ordinal), outline.title)
    left_out = Candidate(article=outline.id, section=SectionId(section), heading=heading, score=1.0)
    return Meaning(reason=Reason.EXCLUDED_SECTION, candidates=(left_out,))


def _row(question: Question, number: int, texts: Sequence[str]) -> Row:
    """The question as a row; each text that names something stands on a line of its own."""
    reference: list[Piece] = []
    for text in texts:
        if reference:
            reference.append(Piece("", breaks=True))
        reference.append(Piece(text))
    return Row(
        question=question.query,
        answer=question.answer,
        reference=tuple(reference),
        place=Place(kind=IMPORT, ordinal=0, row=number),
        detector=Detector.IMPORT,
        host=None,
        declared=False,
    )


def _article(found: Meaning, scope: Sequence[str]) -> str:
    """The article that a question is about; empty if it is not known."""
    if found.targets:
        return article_of(found.targets[0].section)
    articles = dict.fromkeys((*scope, *(c.article for c in found.candidates)))
    return next(iter(articles)) if len(articles) == 1 else ""
