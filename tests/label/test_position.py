"""Rows that have their target by where they stand."""

from __future__ import annotations

import pytest

from hayami.evalset.records import LEAD, Match, Place, Reason
from hayami.label.position import match_place
from hayami.parts import Heading, Label, NoLabel, Outline, Row

PLACE = Place(kind="question", ordinal=0, row=0)
HEADINGS = (Heading("設定", 2, 0, unit=True), Heading("何時？", 2, 1, unit=True))


def outline(sections: int = 2, excluded: frozenset[int] = frozenset()) -> Outline:
    return Outline("a", "a.html", "題", "", HEADINGS[:sections], {}, sections, excluded)


def row(target: int | None, *, whole: bool = False) -> Row:
    return Row("何時？", "", (), PLACE, "question", None, target=target, whole=whole)


def test_the_section_that_a_place_tells_is_the_target() -> None:
    found = match_place(row(1), outline())
    assert isinstance(found, Label)
    (target,) = found.targets
    assert (target.section, target.heading, target.match) == ("a#1", "何時？", Match.PLACE)


@pytest.mark.parametrize("target", [LEAD, 1])
def test_what_is_not_in_the_corpus_is_no_target(target: int) -> None:
    found = match_place(row(target), outline(excluded=frozenset({1})))
    assert isinstance(found, NoLabel)
    assert found.reason is Reason.EXCLUDED_SECTION


def test_a_whole_article_is_a_target_only_if_it_is_one_section() -> None:
    found = match_place(row(None, whole=True), outline())
    assert isinstance(found, NoLabel)
    assert (found.reason, found.candidates[0].section) == (Reason.WHOLE_ARTICLE, None)
    assert isinstance(match_place(row(None, whole=True), outline(sections=1)), Label)
