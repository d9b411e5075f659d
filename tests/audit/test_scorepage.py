from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hayami.audit.figures import Score
from hayami.audit.items import Item, Kind
from hayami.audit.judged import gather
from hayami.audit.scorepage import render, write
from hayami.audit.scoring import score
from hayami.audit.sheets import Sheet
from hayami.errors import OutputError

Draw = Callable[..., list[Item]]
HOSTILE = "<script>alert(1)</script>\"'{{ 7 * 7 }}&amp;<img src=http://x.example/a.png>"


def scored(*sheets: Sequence[Item]) -> Score:
    read = [
        Sheet(Path(f"{n}.csv"), [(f"{n}.csv", item) for item in items])
        for n, items in enumerate(sheets)
    ]
    return score(gather(read))


class Page(HTMLParser):
    """Elements with their attributes, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def full(draw: Draw) -> Score:
    """An audit in which everything occurs."""
    rulings = ["right", "also", "other", "nothing", "context", "unsure", None, "right"]
    labels = (
        draw(rulings, "match=exact", 90)
        + draw(["right"] * 6, "match=fuzzy", 30)
        + draw([None], "match=number", 4)
    )
    rejected = draw(["right", "wrong"], "rejected", 8, kind=Kind.REJECTION)
    pooled = draw(["right", "wrong"], kind=Kind.POOL, seed=None)
    rows = [row.model_copy(update={"judge": "健"}) for row in [*labels, *rejected, *pooled]]
    other = [
        row.model_copy(update={"judge": "aki"}) for row in draw(["wrong"] * 3, "match=fuzzy", 30)
    ]
    return scored(rows, other)


def test_the_report_shows_what_the_terminal_shows(full: Score) -> None:
    text = Page(render(full, [Path("見本.csv")])).text
    for part in (
        "見本.csv",
        "match=fuzzy",
        "健: also",
        "aki and 健",
        "disagree",
        "label recall",
        "nothing judged",
    ):
        assert part in text


def test_the_report_needs_nothing_from_outside(full: Score) -> None:
    html = render(full)
    page = Page(html)
    named = [
        value
        for _, attributes in page.elements
        for name, value in attributes.items()
        if name in {"src", "href", "action", "srcset", "data", "poster"}
    ]
    assert named == []
    assert not {"script", "link", "iframe", "object", "base"} & {tag for tag, _ in page.elements}
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", html))
    assert "@import" not in html


def test_what_people_wrote_is_text(draw: Draw) -> None:
    rows = draw(["other"], question=HOSTILE, note=HOSTILE, language='"><script>')
    html = render(scored(rows), [Path(f"{HOSTILE[:8]}.csv")])
    page = Page(html)
    assert HOSTILE in page.text
    assert "script" not in {tag for tag, _ in page.elements}
    assert [tag for tag, _ in page.elements].count("svg") == 1


def test_the_picture_has_its_figures_in_words(full: Score) -> None:
    pictures = [attributes for tag, attributes in Page(render(full)).elements if tag == "svg"]
    assert [picture["role"] for picture in pictures] == ["img"]
    assert "match=fuzzy: 1.000" in str(pictures[0]["aria-label"])


def test_a_name_that_the_font_lacks_or_that_looks_like_a_formula_is_no_trouble(draw: Draw) -> None:
    rows = draw(["right"], "層=日本語", 5) + draw(["wrong"], "層=$x^", 5, first=1)
    assert "層=日本語" in Page(render(scored(rows))).text


def test_the_same_figures_give_the_same_bytes(full: Score, tmp_path: Path) -> None:
    write(tmp_path / "a.html", full)
    write(tmp_path / "b.html", full)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_an_audit_without_a_figure_gives_a_report_without_a_picture(draw: Draw) -> None:
    page = Page(render(scored(draw([None, "unsure"]))))
    assert "none is judged" in page.text
    assert "No fault was found" in page.text
    assert "svg" not in {tag for tag, _ in page.elements}


def test_a_report_that_cannot_be_written_leaves_what_was_there(
    full: Score, tmp_path: Path, limit_file_size: Callable[[int], object]
) -> None:
    path = tmp_path / "r.html"
    path.write_text("before")
    render(full)  # what is loaded and cached for the first time is not to meet the limit
    with limit_file_size(1000), pytest.raises(OutputError) as caught:  # type: ignore[attr-defined]
        write(path, full)
    assert caught.value.where == str(path)
    assert path.read_text() == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["r.html"]


def test_a_report_in_the_place_of_a_folder_is_refused(full: Score, tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        write(tmp_path, full)
