from __future__ import annotations

import pytest

import hayami
from hayami.evalset.records import Candidate, Match, Reason, SectionId
from hayami.importing.shelf import Shelf
from hayami.label.corpus import Corpus
from hayami.label.meaning import Meaning, nearest
from hayami.parts import Piece


@pytest.fixture(scope="module")
def corpus(sample: hayami.Built) -> Corpus:
    shelf = Shelf.of(hayami.load(sample.folder))
    return Corpus(shelf.outlines, shelf, hayami.Settings())


def match(corpus: Corpus, reference: str) -> Meaning:
    return corpus.meaning(corpus.read(Piece(reference)))


@pytest.mark.parametrize(
    ("reference", "section", "rule"),
    [
        ("CNAME を使えない場所", "ja/dns#1", Match.CONTAINS),
        ("TXTレコードと255バイトの壁", "ja/dns#3", Match.EXACT),
        ("→ ＴＸＴレコードと２５５バイトの壁", "ja/dns#3", Match.EXACT),
    ],
)
def test_a_heading_is_found_in_whatever_article_it_stands(
    corpus: Corpus, reference: str, section: str, rule: Match
) -> None:
    found = match(corpus, reference)
    assert [(target.section, target.match) for target in found.targets] == [(section, rule)]


@pytest.mark.parametrize(
    ("reference", "reason"),
    [("3章", Reason.UNMATCHED), ("どこにもない見出しのこと", Reason.UNMATCHED)],
)
def test_a_number_or_an_unknown_name_means_nothing_without_an_article(
    corpus: Corpus, reference: str, reason: Reason
) -> None:
    found = match(corpus, reference)
    assert not found.targets
    assert found.reason is reason


def test_the_nearest_candidates_are_each_given_once_best_first() -> None:
    far, near = (
        Candidate(article="a", section=SectionId("a#0"), heading="x", score=score)
        for score in (0.2, 0.9)
    )
    assert nearest([far, near, far]) == (near, far)
