from __future__ import annotations

from pathlib import Path

import hayami
from hayami.extract.article import read_article
from hayami.importing.shelf import Shelf
from hayami.parts import Reading


def test_an_outline_rebuilt_from_a_set_names_what_the_page_names(
    sample: hayami.Built, articles: Path
) -> None:
    shelf = Shelf.of(hayami.load(sample.folder))
    for article in shelf.articles.values():
        read = read_article(
            article.path, article.id, (articles / article.path).read_bytes(), hayami.Settings()
        )
        assert isinstance(read, Reading)
        rebuilt, outline = shelf.outlines[article.id], read.outline
        assert rebuilt.excluded == outline.excluded
        assert rebuilt.sections == outline.sections
        named = [
            (h.text, h.section, h.unit)
            for h in outline.headings
            if h.section not in {None, *outline.excluded}
        ]
        kept = [
            (h.text, h.section, h.unit)
            for h in rebuilt.headings
            if h.section not in {None, *outline.excluded}
        ]
        assert kept == named


def test_the_first_id_of_a_heading_leads_to_its_section(sample: hayami.Built) -> None:
    evalset = hayami.load(sample.folder)
    shelf = Shelf.of(evalset)
    anchored = [section for section in evalset.sections() if section.anchor]
    assert anchored
    for section in anchored:
        assert shelf.outlines[section.article].anchors[section.anchor][0] == section.ordinal


def test_an_article_is_found_by_its_file_its_folder_and_without_suffix(bakery_set: Path) -> None:
    shelf = Shelf.of(hayami.load(bakery_set))
    found = [
        shelf.outline(path) for path in ("guide/index.html", "guide", "guide/", "yeast", "none")
    ]
    assert [outline.id if outline else None for outline in found] == [
        "guide",
        "guide",
        "guide",
        "yeast",
        None,
    ]
