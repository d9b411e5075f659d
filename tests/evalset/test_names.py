from __future__ import annotations

from pathlib import Path

import hayami
from hayami.evalset.names import known_sections
from hayami.evalset.records import SectionId
from hayami.text.fingerprint import fingerprint


def test_the_sections_of_an_article_are_known_with_their_headings(bakery_set: Path) -> None:
    known = known_sections(hayami.load(bakery_set).sections())
    assert [section.heading for section in known["flour"]] == ["粉と温度", "灰分"]
    assert [section.content for section in known["flour"]] == ["", ""]
    assert "none" not in known


def test_only_the_articles_that_are_asked_for_are_fingerprinted(bakery_set: Path) -> None:
    known = known_sections(hayami.load(bakery_set).sections(), {"flour"})
    texts = {section.id: section.text for section in hayami.load(bakery_set).sections()}
    assert [one.content for one in known["flour"]] == [
        fingerprint(texts[SectionId(one.id)]) for one in known["flour"]
    ]
    assert {one.content for one in known["yeast"]} == {""}
