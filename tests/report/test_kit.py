from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hayami.report.kit import (
    escape_markdown,
    folded_markdown,
    html_page,
    html_table,
    markdown_table,
    templates,
)

HOSTILE = [
    "<svg/onload=alert(1)>",
    "a|b",
    "![x](https://example.org/x.png)",
    "[x](javascript:alert(1))",
    "&#60;script&#62;",
    "`code` *bold* __under__ ~~gone~~",
    "# heading",
    "\\",
    "<!-- hidden -->",
]
READER = MarkdownIt("gfm-like", {"html": True, "linkify": False})


class Texts(HTMLParser):
    """The tags of a page and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_shows_what_people_wrote_as_text(text: str) -> None:
    page = Texts(READER.render(markdown_table([["name"], [text]])))
    assert {tag for tag, _ in page.tags} == {"table", "thead", "tbody", "tr", "th", "td"}
    assert text in page.text
    line = Texts(READER.render(f"- {escape_markdown(text)}"))
    assert {tag for tag, _ in line.tags} == {"ul", "li"}
    assert text in line.text


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30))
def test_any_text_comes_back_from_markdown(text: str) -> None:
    page = Texts(READER.render(f"x{escape_markdown(text)}x"))
    assert page.text.rstrip("\n") == f"x{' '.join(text.split())}x"


def test_a_part_that_opens_holds_its_title_as_text() -> None:
    page = Texts(READER.render(folded_markdown("<b>q1</b>", "| a |\n| --- |\n| 1 |")))
    assert "b" not in {tag for tag, _ in page.tags}
    assert "table" in {tag for tag, _ in page.tags}


def test_figures_stand_to_the_right_and_text_to_the_left() -> None:
    assert markdown_table([["a", "b", "c"]], text=(0, 2)).splitlines()[1] == "| --- | ---: | --- |"
    page = html_table([["a", "b", "c"], ["x", "1", "y"]], text=(0, 2))
    assert page.count('class="number"') == 2


def test_the_heads_of_a_table_say_what_they_name() -> None:
    page = Texts(html_table([["measure", "mean"], ["RR", "0.5"]]))
    scopes = [attributes.get("scope") for tag, attributes in page.tags if tag == "th"]
    assert scopes == ["col", "col", "row"]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_page_shows_what_people_wrote_as_text(text: str) -> None:
    page = html_page(text, html_table([[text], [text]]), language='"><script>')
    outline = Texts(page)
    assert not {"script", "svg", "img", "a"} & {tag for tag, _ in outline.tags}
    assert outline.text.count(text) == 3


def test_a_page_loads_and_runs_nothing() -> None:
    page = html_page("t", "<p>x</p>")
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|@import|<script|url\(", page)


def test_a_template_escapes_and_refuses_a_slip() -> None:
    found = templates().from_string("{{ name }}{{ table([[name]]) }}").render(name="<b>")
    assert found.startswith("&lt;b&gt;<div")
    with pytest.raises(Exception, match="missing"):
        templates().from_string("{{ missing }}").render()


def test_every_report_is_made_by_the_kit() -> None:
    """No other room writes a page or a style of its own, but for the pages of the review."""
    import hayami

    source = Path(hayami.__file__).parent
    own = re.compile(r"<!doctype|<style|svg\.fonttype", re.IGNORECASE)
    rooms = ["audit", "curate", "evaluate", "export", "cli"]
    files = [path for room in rooms for path in sorted((source / room).rglob("*.py"))]
    found = [path for path in files if own.search(path.read_text(encoding="utf-8"))]
    assert [path.name for path in found if path.parent.name != "web"] == []
