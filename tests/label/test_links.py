from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.label.links import Site, leads_nowhere, passage_of, resolve_link

EXAMPLES = Path(__file__).parent.parent / "examples"


def entries(name: str) -> dict[str, list[str]]:
    """The lines of each entry of an example file by its title."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    found = re.findall(r"^## (.+)\n((?:.+\n)+?)\.$", text, re.MULTILINE)
    assert len(dict(found)) == text.count("\n## ") > 0, (
        "an entry is not in the form that the file's head describes"
    )
    return {title: lines.splitlines() for title, lines in found}


LINKS = entries("links.txt")


@pytest.mark.parametrize("lines", LINKS.values(), ids=LINKS)
def test_a_link_leads_where_a_browser_goes(lines: list[str]) -> None:
    told: dict[str, list[str]] = {}
    for line in lines:
        key, _, value = line.partition(": ")
        told.setdefault(key, []).append(value)
    (page,), (base,) = told["page"], told.get("base", [""])
    published, roots = told.get("published", []), told.get("root", [])
    link = resolve_link(told["href"][0], Site(page, base, tuple(published), tuple(roots)))
    file = "" if link.path == page else link.path
    goes = f"{file}#{link.fragment}".removesuffix("#") or "#"
    if link.guessed:
        goes += " or external"
    assert ["external" if link.external else goes] == told["goes"]


ADDRESSES = st.sampled_from(["", "https://example.com/d/", "https://example.com/", "//[", "x"])


@given(
    href=st.text(alphabet="ab/.#?%:20é設 &\\[]@~", max_size=16)
    | st.builds("https://example.com/{}".format, st.text(alphabet="abd/.#%", max_size=9)),
    page=st.sampled_from(["a/b.html", "index.html", "d/index.html"]),
    base=st.sampled_from(["", "x/", "https://example.com/d/"]),
    published=ADDRESSES,
    root=ADDRESSES,
)
@settings(deadline=None, max_examples=500, derandomize=True)
def test_any_text_is_a_link_that_leads_somewhere_or_outside(
    href: str, page: str, base: str, published: str, root: str
) -> None:
    link = resolve_link(href, Site(page, base, (published,), (root,)))
    assert not link.path.startswith("/")
    assert not (link.external and link.path)
    assert link.path or not link.guessed


@pytest.mark.parametrize(
    ("href", "passage"),
    [
        ("#:~:text=Batteries", "Batteries"),
        ("#top:~:text=the%20box", "the box"),
        ("#:~:text=in%20the-,box,lid,-of", "box"),
        ("#:~:text=%E9%9B%BB%E6%B1%A0,%E7%AE%B1", "電池"),
        ("#:~:foo&text=a&text=b", "a"),
        ("#:~:text=", ""),
        ("#top", ""),
    ],
)
def test_a_text_directive_scrolls_to_its_first_words(href: str, passage: str) -> None:
    assert passage_of(href) == passage


@pytest.mark.parametrize("href", ["#", "", " # ", "#:~:text=box", "javascript:x()", "MAILTO:a@b.c"])
def test_a_link_can_lead_nowhere(href: str) -> None:
    assert leads_nowhere(href)


def test_a_place_with_a_directive_is_a_place() -> None:
    assert not leads_nowhere("#bulky:~:text=box")
