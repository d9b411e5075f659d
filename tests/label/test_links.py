from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.label.links import resolve_link

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
    given_ = dict(line.split(": ", 1) for line in lines)
    page = given_["page"]
    link = resolve_link(given_["href"], page, given_.get("base", ""))
    file = "" if link.path == page else link.path
    assert (
        "external" if link.external else f"{file}#{link.fragment}".removesuffix("#") or "#"
    ) == given_["goes"]


@given(
    href=st.text(alphabet="ab/.#?%:20é設 &\\[]@", max_size=16),
    base=st.sampled_from(["", "x/", "https://example.com/d/"]),
)
@settings(deadline=None, max_examples=300, derandomize=True)
def test_any_text_is_a_link_that_leads_somewhere_or_outside(href: str, base: str) -> None:
    link = resolve_link(href, "a/b.html", base)
    assert not link.path.startswith("/")
    assert not (link.external and link.path)
