"""The sections that an imported question names: by id, by path, or in words as a writer would name them."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from rapidfuzz import fuzz, process

from hayami.evalset.records import (
    Candidate,
    Detector,
    Match,
    Reason,
    SectionId,
    Target,
    best_targets,
)
from hayami.importing.questions import Question
from hayami.importing.shelf import Shelf
from hayami.label.corpus import Corpus, nearest
from hayami.label.matching import match_row
from hayami.parts import Label, NoLabel, Piece, Row
from hayami.settings import Settings
from hayami.text.fold import has_word

_LIKE_AN_ID: Final = 70
"""Indel ratio (0 to 100) from which an id that is there is named beside one that is not."""
_LONGEST_NAME: Final = 1_000
"""Characters from which a text is no name of a section, nor a list of them."""
_WORST: Final = (
    Reason.WHOLE_ARTICLE,
    Reason.AMBIGUOUS,
    Reason.EXCLUDED_SECTION,
    Reason.BROKEN_LINK,
    Reason.UNKNOWN_ID,
    Reason.UNMATCHED,
)
"""Which reason a question of several failed references takes: the one that a human can best act on."""


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
        """The label of a question, or the reason why it has none, and the article that it is about, if one is known.

        ``number`` is its place in the file. Ids of articles beside names say where to look for the
        names; alone they mean the whole article, which is no section.
        """
        names = [Piece(name) for name in question.names]
        scope, unknown = self._scope(question)
        ids = (
            [] if scope and names and not question.article else [Piece(one) for one in question.ids]
        )
        row = _row(question, number, _with_breaks([*ids, *names]))
        if not has_word(question.query):
            return NoLabel(row, Reason.NO_QUESTION, ()), ""
        if not ids and not names:
            return NoLabel(row, Reason.NO_REFERENCE, ()), next(iter(scope), "")
        if unknown is not None:
            return NoLabel(
                row, Reason.UNKNOWN_ID, self._like(unknown), f"no article {unknown} in the set"
            ), ""
        outcomes = [self._by_id(row, piece, scope) for piece in ids] + [
            self._by_name(row, p, scope) for p in names
        ]
        found = _combined(row, outcomes)
        return found, _article(found, scope)

    def _scope(self, question: Question) -> tuple[list[str], str | None]:
        """The articles in which names are looked for, and the article that is given but not there."""
        if question.article:
            article = self.article(question.article)
            return ([article], None) if article is not None else ([], question.article)
        articles = [self.article(one) for one in question.ids]
        if question.names and articles and all(articles):
            return [article for article in articles if article is not None], None
        return [], None

    def article(self, given: str) -> str | None:
        """The article that an id or a path without a fragment means; None if there is none."""
        if given in self.shelf.outlines:
            return given
        path, fragment = self._path(given)
        outline = self.shelf.outline(path) if path and not fragment else None
        return outline.id if outline is not None else None

    def _path(self, given: str) -> tuple[str, str]:
        """The file of the set, and the fragment, that a path or an address means; empty if there is no such file.

        Of an address the longest end of its path that is a file of the set counts; of an id or a
        path only the whole.
        """
        try:
            parts = urlsplit(given)
        except ValueError:  # an address that is none, such as http://[
            return "", ""
        steps = [step for step in posixpath.normpath("/" + unquote(parts.path)).split("/") if step]
        for start in range(len(steps) if parts.netloc else min(1, len(steps))):
            if (outline := self.shelf.outline("/".join(steps[start:]))) is not None:
                return outline.path, parts.fragment
        return "", ""

    def _by_id(self, row: Row, piece: Piece, scope: Sequence[str]) -> Label | NoLabel:
        """What is given as an id: a section, an article, a path; else a name, if it does not look like an id."""
        given = piece.text
        if (known := self._known_id(row, given)) is not None:
            return known
        by_name = self._by_name(row, piece, scope)
        if not _looks_like_id(given):
            return by_name
        if isinstance(by_name, Label) and all(
            target.match is Match.EXACT for target in by_name.targets
        ):
            return by_name  # a heading of one word
        return NoLabel(
            row, Reason.UNKNOWN_ID, self._like(given), f"no section or article {given} in the set"
        )

    def _known_id(self, row: Row, given: str) -> Label | NoLabel | None:
        """What an id or path of the set means; None if it is none."""
        if given in self.shelf.headings:
            return Label(row, (_named(given, self.shelf.headings[given]),), incomplete=False)
        article, _, ordinal = given.rpartition("#")
        outline = self.shelf.outlines.get(article)
        left = (
            next((n for n in outline.excluded if str(n) == ordinal), None)
            if outline is not None
            else None
        )
        if outline is not None and left is not None:
            heading = next((h.text for h in outline.headings if h.section == left), outline.title)
            left_out = Candidate(
                article=article, section=SectionId(given), heading=heading, score=1.0
            )
            return NoLabel(row, Reason.EXCLUDED_SECTION, (left_out,))
        if outline is not None and ordinal.isdecimal() and ordinal not in outline.anchors:
            return NoLabel(
                row, Reason.UNKNOWN_ID, self._like(article), f"no section {given} in the set"
            )
        if given in self.shelf.outlines:
            return self._follow(row, given, self.shelf.outlines[given].path, "")
        path, fragment = self._path(given)
        outline = self.shelf.outline(path) if path else None
        return self._follow(row, outline.id, path, fragment) if outline is not None else None

    def _follow(self, row: Row, article: str, path: str, fragment: str) -> Label | NoLabel:
        """Where a link to a file and a place in it leads, by the rule ``anchor``."""
        href = quote(posixpath.basename(path)) + (f"#{fragment}" if fragment else "")
        linked = _row_of(row, Piece(fragment or article, href))
        return match_row(linked, self.corpus.names(article), self.shelf)

    def _by_name(self, row: Row, piece: Piece, scope: Sequence[str]) -> Label | NoLabel:
        """What is given in words: a heading in the articles that the question names, or in any."""
        if (
            piece.text in self.shelf.headings
            and (known := self._known_id(row, piece.text)) is not None
        ):
            return known
        named = _row_of(row, piece)
        if len(piece.text) > _LONGEST_NAME:  # comparing it with every heading would take minutes
            return NoLabel(
                row, Reason.UNMATCHED, (), f"longer than {_LONGEST_NAME} characters: no heading is"
            )
        if not scope:
            return self.corpus.match(named)
        return _combined(
            row, [match_row(named, self.corpus.names(article), self.shelf) for article in scope]
        )

    def _like(self, given: str) -> tuple[Candidate, ...]:
        """The articles whose ids are most like one that is not there."""
        near = process.extract(
            given, list(self.shelf.outlines), scorer=fuzz.ratio, score_cutoff=_LIKE_AN_ID, limit=3
        )
        return tuple(
            Candidate(
                article=article,
                section=None,
                heading=self.shelf.outlines[article].title,
                score=round(score / 100, 4),
            )
            for article, score, _ in near
        )


def _looks_like_id(given: str) -> bool:
    return given.isascii() and given.split() == [given]


def _named(section: str, heading: str) -> Target:
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


def _with_breaks(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    parts = [part for piece in pieces for part in (Piece("", breaks=True), piece)]
    return tuple(parts[1:])


def _row(question: Question, number: int, reference: tuple[Piece, ...]) -> Row:
    return Row(question.query, question.answer, reference, None, number, Detector.IMPORT, None)


def _row_of(row: Row, piece: Piece) -> Row:
    return Row(row.question, row.answer, (piece,), row.table, row.row, row.detector, None)


def _combined(row: Row, outcomes: Sequence[Label | NoLabel]) -> Label | NoLabel:
    """One answer for a question out of those for each of its references."""
    labels = [one for one in outcomes if isinstance(one, Label)]
    failed = [one for one in outcomes if isinstance(one, NoLabel)]
    if labels:
        targets = best_targets(target for one in labels for target in one.targets)
        return Label(
            row,
            tuple(targets.values()),
            incomplete=bool(failed) or any(one.incomplete for one in labels),
        )
    reason = next((r for r in _WORST if any(one.reason is r for one in failed)), failed[0].reason)
    telling = [one for one in failed if one.reason is reason]
    detail = "; ".join(dict.fromkeys(one.detail for one in telling if one.detail))
    return NoLabel(row, reason, nearest(c for one in telling for c in one.candidates), detail)


def _article(found: Label | NoLabel, scope: Sequence[str]) -> str:
    """The article that a question is about; empty if it is not known."""
    if isinstance(found, Label):
        return found.targets[0].section.rpartition("#")[0]
    articles = dict.fromkeys((*scope, *(c.article for c in found.candidates)))
    return next(iter(articles)) if len(articles) == 1 else ""
