"""What of a page is not the article: its header, navigation, and what stands beside it."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborNode

from hayami.extract.elements import FLOW, SECTIONING
from hayami.extract.visibility import Attributes

ROLES: Final = frozenset(("navigation", "complementary", "contentinfo", "banner", "search"))
NEVER: Final = frozenset(("html", "body", "main", "article"))
"""Elements that are never left out, whatever role they are given."""
_MOST_ASIDES: Final = 200
"""Asides of a page whose links are counted: pages have a few, and nested ones are read again with
each other."""
_LINKS: Final = 0.5
"""Share of the letters of an aside in links, from which it leads elsewhere."""
_HOLDERS: Final = frozenset(["article", "section", "td", "dd", "li", "blockquote", "details"])
"""Elements in which an aside is one of their own text, not of the page."""
_BESIDE: Final = re.compile(
    r"(?:^|[\s_-])(?:side-?bar|side-?nav|toc|table-of-contents|related|recommend\w*|widget|social|"
    r"share|sharing|ads?|advert\w*|promo\w*|banner|newsletter|breadcrumbs?|author|menu)(?:$|[\s_-])"
)
_NOTE: Final = re.compile(
    r"(?:^|[\s_-])(?:admonition|callout|note|tip|hint|info|warning|caution|danger|important|"
    r"attention|starlight-aside|notice|alert|topic|footnote|memo|message)(?:$|[\s_-])"
)


class Furniture:
    """Tells the furniture of one page; what stands around an element is asked once."""

    def __init__(self) -> None:
        self._inside: dict[int, bool] = {}
        self._asides = 0

    def is_page_header(self, header: LexborNode) -> bool:
        """Whether a header is the page's own.

        And not one inside the article or around a section's heading.
        """
        if header.parent is not None and header.parent.tag == "body":
            return True
        if self.is_inside_article(header):
            return False
        around_section = header.css_first("h2, h3, h4, h5, h6") is not None
        return not around_section or header.css_first("nav, h1") is not None

    def is_inside_article(self, node: LexborNode) -> bool:
        """Whether a node stands in an element that holds the article or a part of it."""
        unknown: list[LexborNode] = []
        around = node.parent
        while around is not None and around.mem_id not in self._inside:
            unknown.append(around)
            around = around.parent
        inside = around is not None and self._inside[around.mem_id]
        for element in reversed(unknown):
            inside = inside or element.tag in SECTIONING
            self._inside[element.mem_id] = inside
        return inside

    def is_beside(self, aside: LexborNode, attributes: Attributes) -> bool:
        """Whether an aside stands beside the article, and is no part of the text around it.

        One of a kind of notes is part of it wherever it stands; else one that follows text, without
        a heading of its own, and that does not mostly lead elsewhere.
        """
        named = f"{attributes.get('class') or ''} {attributes.get('id') or ''}".lower()
        if _NOTE.search(named) or (attributes.get("role") or "").startswith(("note", "doc-")):
            return False
        if _BESIDE.search(named) and not self._is_in_section(aside):
            return True
        if aside.css_first("h1, h2, nav") is not None or not _follows_text(aside):
            return True
        self._asides += 1
        return self._asides <= _MOST_ASIDES and _leads_elsewhere(aside)

    def _is_in_section(self, aside: LexborNode) -> bool:
        return aside.parent is not None and aside.parent.tag in _HOLDERS


def _follows_text(aside: LexborNode) -> bool:
    """Whether the element before an aside is text; the first one in a section is one of it too."""
    before = aside.prev
    while before is not None and before.is_text_node:
        if (before.text_content or "").strip():
            return True
        before = before.prev
    if before is None:
        return aside.parent is not None and aside.parent.tag in _HOLDERS
    if before.tag == "aside":
        return _follows_text(before)
    return before.tag in FLOW or (
        before.tag == "div"
        and before.css_first("p, li, pre") is not None
        and aside.parent is not None
        and aside.parent.tag in _HOLDERS
    )


def _leads_elsewhere(aside: LexborNode) -> bool:
    """Whether most of an aside's text is links."""
    text = len(aside.text(strip=True))
    links = sum(len(link.text(strip=True)) for link in aside.css("a[href]"))
    return not text or links > _LINKS * text
