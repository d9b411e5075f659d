"""Miners are found without being named, and what one finds is a full row whatever it stands in."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from hayami.errors import SettingsError
from hayami.evalset.records import Place
from hayami.extract import miners
from hayami.extract.article import read_article
from hayami.extract.miners import HEADING, TITLE, Mask, Mined, Miner, Need, ReadPage, Spot
from hayami.parts import Piece, Reading
from hayami.settings import Settings

PAGE = """<title>Machines</title><h1>Machines</h1>
<ul><li>What does it cost?</ul>
<h2>Overview</h2><p>All machines. For cleaning, see <a href="#clean">Care</a>. More follows.</p>
<h2>FAQ</h2>
<h3 id="cost">What does it cost?</h3><p>Nothing at all.</p>
<h3>Later prices</h3><p>Prices change.</p>
<dl><dt id="loud">Is it loud?<dd>Not very.<dt>Is it heavy?<dd>Two kilos.</dl>
<h2 id="clean">Care</h2><p>With a brush.</p>"""


def mine_questions(read: ReadPage) -> Mined:
    """Headings that are questions, and terms of a list that are."""
    spots = [
        (Spot(heading.segment, HEADING), heading.text)
        for heading in read.page.headings
        if heading.text.endswith("?")
    ]
    for block in read.page.blocks:
        text = "".join(piece.text for piece in block.pieces).strip()
        if block.tag == "dt" and text.endswith("?"):
            spots.append((Spot(block.segment, block.line), text))
    needs = [
        Need(
            text,
            detector="faq",
            place=read.place("question", number, spot),
            at=spot,
            target=spot,
            masks=(Mask(spot),),
            opens=True,
        )
        for number, (spot, text) in enumerate(sorted(spots))
    ]
    return Mined(tuple(needs))


def mine_sentences(read: ReadPage) -> Mined:
    """Sentences of the form "For X, see L."."""
    needs: list[Need] = []
    for block in read.page.blocks:
        text = "".join(piece.text for piece in block.pieces)
        start, end = text.find("For "), text.find(", see ")
        if 0 <= start < end:
            spot = Spot(block.segment, block.line)
            sentence = text[start : text.find(".", end) + 1]
            links = tuple(piece for piece in block.pieces if piece.href)
            needs.append(
                Need(
                    text[start + 4 : end],
                    detector="sentence",
                    place=read.place("sentence", len(needs), spot),
                    at=spot,
                    reference=links,
                    evidence=sentence,
                    masks=(Mask(spot, sentence),),
                )
            )
    return Mined(tuple(needs))


FAQ = Miner("faq", mine_questions, "questions", rank=10, blocks=True)
SENTENCE = Miner("phrase", mine_sentences, "sentences", rank=20, blocks=True)


@pytest.fixture
def bring(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Lets a test bring miners as other packages do; the registry is as it was afterwards."""
    miners.miners.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    miners.miners.cache_clear()


def brings(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    points = EntryPoints(
        EntryPoint(name.lower(), f"{__name__}:{name}", miners.GROUP) for name in names
    )
    for point in points:
        monkeypatch.setattr(type(point), "load", lambda self: globals()[self.attr])
    monkeypatch.setattr(miners, "entry_points", lambda group: points)  # noqa: ARG005


def read(html: str) -> Reading:
    found = read_article("m.html", "m", html.encode(), Settings())
    assert isinstance(found, Reading)
    return found


def test_the_miners_of_the_package_are_found_without_being_named() -> None:
    assert next(miner.name for miner in miners.miners()) == "table"
    assert all(miner.meaning for miner in miners.miners())


def test_another_package_brings_a_miner_by_an_entry_point(bring: pytest.MonkeyPatch) -> None:
    brings(bring, "FAQ")
    assert [miner.name for miner in miners.miners() if miner.default] == ["table", "faq"]


@pytest.mark.parametrize("brought", [("FAQ", "FAQ"), ("PAGE",)])
def test_two_of_one_name_and_what_is_no_miner_are_refused(
    bring: pytest.MonkeyPatch, brought: tuple[str, ...]
) -> None:
    brings(bring, *brought)
    with pytest.raises(SettingsError):
        miners.miners()


def test_a_question_is_a_section_of_its_own_and_leaves_the_text(bring: pytest.MonkeyPatch) -> None:
    brings(bring, "FAQ")
    found = read(PAGE)
    told = {row.question: (row.target, row.place.under) for row in found.rows}
    assert told == {
        "What does it cost?": (2, "cost"),
        "Is it loud?": (4, "Later prices"),
        "Is it heavy?": (5, "Later prices"),
    }
    sections = {one.ordinal: (one.heading, one.text, one.masked) for one in found.sections}
    assert sections[2] == ("What does it cost?", "Nothing at all.", True)
    assert sections[3] == ("Later prices", "Prices change.", False)
    assert sections[4] == ("Is it loud?", "Not very.", True)
    assert sections[5] == ("Is it heavy?", "Two kilos.", True)
    assert sections[6] == ("Care", "With a brush.", False)
    assert 1 in found.outline.excluded
    assert found.outline.anchors["loud"][0] == 4
    assert found.outline.anchors["clean"][0] == 6


def test_a_line_that_repeats_a_masked_question_leaves_the_text(bring: pytest.MonkeyPatch) -> None:
    brings(bring, "FAQ")
    again = PAGE.replace("<p>All machines.", "<ul><li>Is it loud?</ul><p>All machines.")
    assert "loud" not in "".join(section.text for section in read(again).sections)


def test_a_sentence_keeps_its_evidence_and_leaves_the_text(bring: pytest.MonkeyPatch) -> None:
    brings(bring, "SENTENCE")
    (row,) = read(PAGE).rows
    assert (row.question, row.reference) == ("cleaning", (Piece("Care", "#clean"),))
    assert row.evidence == "For cleaning, see Care."
    assert read(PAGE).sections[0].text == "All machines. More follows."


def test_the_place_of_a_need_is_what_it_stands_under() -> None:
    place = Place(kind="question", ordinal=0, row=0, under="x")
    assert (place.table, place.recorded) == (None, place)
    assert TITLE.segment < 0
