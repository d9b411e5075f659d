"""The page: whole in itself, with every figure of the document, readable without colour."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from hayami.evaluate.evaluation import Evaluation
from hayami.evaluate.evaluation_page import as_page
from hayami.evaluate.measures import default_measures
from hayami.evaluate.pictures import curve_picture, interval_picture, rank_picture
from hayami.evaluate.plain import span
from hayami.evaluate.policies import POLICIES
from hayami.report.drawing import MARKS


@pytest.fixture(scope="module")
def page(evaluation: Evaluation) -> str:
    return as_page(evaluation, default_measures((2, 1)), version="1.2")


class Outline(HTMLParser):
    """What a page loads and which elements it has."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [
            value or "" for name, value in attrs if name in {"src", "href", "xlink:href"}
        ]


def test_the_page_loads_nothing(page: str) -> None:
    outline = Outline()
    outline.feed(page)
    assert [address for address in outline.loads if not address.startswith("#")] == []
    assert "script" not in outline.tags
    assert "<b>|" not in page
    assert not re.search(r"url\((?!#)|@import", page)
    assert outline.tags.count("svg") == 3


def test_the_page_has_every_figure_interval_and_policy(page: str, evaluation: Evaluation) -> None:
    for report in evaluation.runs:
        for figure in report.figures:
            assert f'<td class="number">{figure.mean:.4f}</td>' in page
            assert span(figure.by_article) in page
    assert all(line in page for line in POLICIES)
    assert "hayami 1.2" in page


def test_the_page_is_the_same_every_time(page: str, evaluation: Evaluation) -> None:
    assert as_page(evaluation, default_measures((2, 1)), version="1.2") == page


def test_ids_in_pictures_are_there_once_on_the_page(page: str) -> None:
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'(?:xlink:href="#|url\(#)([^")]+)', page))
    assert used == set(ids)


def test_runs_differ_by_line_marker_and_hatch_not_by_colour_alone() -> None:
    for part in ("line", "point", "hatch"):
        assert len({str(getattr(mark, part)) for mark in MARKS}) == len(MARKS)


def test_pictures_show_names_as_they_are(evaluation: Evaluation) -> None:
    for picture in (
        curve_picture(evaluation),
        rank_picture(evaluation),
        interval_picture(evaluation),
    ):
        assert "三分の一_$x$ &lt;b&gt;|" in picture
        assert picture.startswith("<svg")
        assert 'width="100%"' in picture.split(">", 1)[0]
