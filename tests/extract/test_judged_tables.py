"""A table is judged by what it does and how it reads, where no header word says what it is."""

from __future__ import annotations

import pytest

from extract.mining import mined, targets

SECTIONS = """<h2 id="a">Growing a disk</h2><p>Text.</p><h2 id="b">Measuring a network</h2><p>Text.</p>
<h2 id="c">Resetting a token</h2><p>Text.</p>"""  # noqa: E501


def page(rows: str, header: str = "") -> str:
    return f"<title>x</title><h1>x</h1><h2>At a glance</h2><table>{header}{rows}</table>{SECTIONS}"


ROWS = "".join(
    f"<tr><td>{need}</td><td>Look.</td><td>{place}</td></tr>"
    for need, place in (
        ("Disk is full", '<a href="#a">Growing a disk</a>'),
        ("Network is slow", '<a href="#b">Measuring a network</a>'),
        ("Login fails", '<a href="#c">Resetting a token</a>'),
    )
)
HEADER = "<thead><tr><th>What's up?</th><th>First move</th><th>Over there</th></tr></thead>"


@pytest.mark.parametrize("header", [HEADER, ""])
def test_needs_beside_links_into_sections_are_taken(header: str) -> None:
    found = mined(page(ROWS, header), "table")
    assert targets(found) == {
        "Disk is full": "Growing a disk",
        "Network is slow": "Measuring a network",
        "Login fails": "Resetting a token",
    }
    assert [row.detector for row in found.rows] == ["structure"] * 3
    assert found.rows[0].answer == "Look."


def test_names_of_headings_do_as_links() -> None:
    plain = ROWS.replace('<a href="#a">', "").replace('<a href="#b">', "").replace("</a>", "")
    assert len(mined(page(plain, HEADER), "table").rows) == 3


@pytest.mark.parametrize(
    ("need", "place"),
    [
        ("max_size", '<a href="#{0}">Growing a disk</a>'),
        ("Disk {0}", '<a href="#{0}">Growing a disk</a>'),
        ("Returns the size of {0}.", '<a href="#{0}">Growing a disk</a>'),
        ("How do I grow {0}?", '<a href="#{0}">grow()</a>'),
        ("How do I grow it?", '<a href="#{0}">Growing a disk</a>'),
    ],
)
def test_parameter_lists_are_not_taken_but_named(need: str, place: str) -> None:
    rows = "".join(
        f"<tr><td>{place.format(name)}</td><td>{need.format(name)}</td></tr>" for name in "abc"
    )
    found = mined(page(rows), "table")
    assert not found.rows
    assert any("leads into sections" in warning for warning in found.article.warnings)


def test_a_table_that_leads_nowhere_is_not_named() -> None:
    found = mined(page("<tr><td>Disk is full</td><td>10</td></tr>" * 3), "table")
    assert not found.rows
    assert not found.article.warnings
