"""What of a page's tree is not for reading: hidden, chrome, marks and permalinks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from hayami.extract.elements import HEADINGS, INVISIBLE, SECTIONING
from hayami.text.fold import has_word
from hayami.words.languages import every

Attributes = Mapping[str, str | None]

_CHROME_ROLES: Final = frozenset(("navigation", "complementary", "contentinfo", "banner", "search"))
_NEVER_CHROME: Final = frozenset(("html", "body", "main", "article"))
_TABLE_ROLES: Final = frozenset(("table", "grid", "treegrid"))
_HIDDEN_CLASSES: Final = frozenset(
    ("sr-only", "visually-hidden", "screen-reader-text", "mw-editsection")
)
_SKIPPED_BY_PLACE: Final = frozenset(("header", "sup"))
_NAMED: Final = HEADINGS | {"a"}
"""Elements whose ``name`` is an old kind of id."""
_QUERY: Final = (
    "table, header, sup, [role], [name], [hidden], [style*=none i], [style*=hidden i], "
    ".sr-only, .visually-hidden, .screen-reader-text, .mw-editsection"
)
_HIDING: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NOTE_WORDS: Final = every(lambda language: language.cells.footnotes)
_FOOTNOTE: Final = re.compile(
    rf"[\[(（【]?\s*(?:{'|'.join(_NOTE_WORDS)}|[※*†‡])*\s*[0-9a-z]{{0,3}}\s*[\])）】]?[*†‡※]*",
    re.IGNORECASE,
)
_LETTERS: Final = "".join(word for word in _NOTE_WORDS if len(word) == 1)
_PLAIN_MARK: Final = re.compile(rf"[\[(（【※*†‡{_LETTERS}]")
_PERMALINK_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:headerlink|header-?link|permalink|hash-?link|anchor-?link|heading-?anchor"
    r"|header-?anchor|srclink|edit-?link|editsection)(?:$|[\s_-])"
)
_EDIT_LINK: Final = re.compile(r"[\[［][^\[\]［］]{1,16}[\]］]")


@dataclass(slots=True)
class Marks:
    """What is known of single nodes (by ``mem_id``) that their tag does not say.

    The tree itself is not changed.
    """

    tables: dict[int, int] = field(default_factory=dict)
    """The number of each table in document order, nested ones and those that are tables by role
    counted too."""
    by_role: set[int] = field(default_factory=set)
    """Those of them that are tables by their role alone."""
    names: dict[int, str] = field(default_factory=dict)
    """The ``name`` of old anchors and headings, to which links may lead."""
    skipped: set[int] = field(default_factory=set)
    """What no reader sees or what is not the article: hidden, chrome by role, footnote marks, links
    in headings."""

    def number(self, table: LexborNode) -> None:
        """Gives a table the next number, if it has none."""
        if table.mem_id in self.tables:
            return
        self.tables[table.mem_id] = len(self.tables)
        if table.tag != "table":
            self.by_role.add(table.mem_id)

    def special(self) -> set[int]:
        """The nodes that a walk must not pass by their tag alone."""
        return self.skipped.union(self.names, self.by_role)


def survey(tree: LexborHTMLParser) -> Marks:
    """Finds, in one query, every node that is not what its tag says.

    INVISIBLE and CHROME are skipped by their tag, links in headings (:func:`idle_links`) when the
    walk is there.
    """
    marks = Marks()
    for node in tree.css(_QUERY):
        tag, attributes = node.tag or "", node.attributes
        role = attributes.get("role") or ""
        if tag == "table" or role in _TABLE_ROLES:
            marks.number(node)
        if tag in _NAMED and (name := attributes.get("name")):
            marks.names[node.mem_id] = name
        if (attributes or tag in _SKIPPED_BY_PLACE) and _is_skipped(node, tag, role, attributes):
            marks.skipped.add(node.mem_id)
    return marks


def table_html(table: LexborNode, marks: Marks) -> str:
    """A table as HTML, without what no reader sees in it.

    Changes the tree; the table's rows keep their number.
    """
    for node in reversed(
        table.css("*")
    ):  # inner nodes first: an outer one takes the inner ones with it
        if node.mem_id == table.mem_id or (
            node.tag not in INVISIBLE and node.mem_id not in marks.skipped
        ):
            continue
        if node.tag == "tr":
            for child in list(node.iter(include_text=True)):
                child.decompose()
        else:
            node.decompose()
    return table.html or ""


def is_chrome(node: LexborNode) -> bool:
    """Whether a reader sees a node that was skipped.

    In navigation, a side note or a page header, and not hidden.
    """
    around: LexborNode | None = node
    while around is not None:
        if around.tag in INVISIBLE or _is_hidden(around.attributes):
            return False
        around = around.parent
    return True


def _is_hidden(attributes: Attributes) -> bool:
    """Whether an element says that nobody is to see it."""
    return (
        "hidden" in attributes
        or _HIDING.search(attributes.get("style") or "") is not None
        or not _HIDDEN_CLASSES.isdisjoint((attributes.get("class") or "").split())
    )


def _is_skipped(node: LexborNode, tag: str, role: str, attributes: Attributes) -> bool:
    """Whether no reader sees a node, or it is not the article."""
    if tag in _NEVER_CHROME:
        return False
    if tag == "header":
        return role == "banner" or _is_page_header(node)
    if tag == "sup":
        return _is_footnote_mark(node)
    return role in _CHROME_ROLES or _is_hidden(attributes)


def _is_page_header(header: LexborNode) -> bool:
    """Whether a header is the page's own.

    And not one inside the article or around a section's heading.
    """
    if header.parent is not None and header.parent.tag == "body":
        return True
    if _inside_article(header):
        return False
    around_section = header.css_first("h2, h3, h4, h5, h6") is not None
    return not around_section or header.css_first("nav, h1") is not None


def _is_footnote_mark(node: LexborNode) -> bool:
    """Whether a raised text is a mark.

    A link such as [1], raised itself or what is raised, or plainly one, as ※2.
    """
    text = node.text().strip()
    if _FOOTNOTE.fullmatch(text) is None:
        return False
    parent = node.parent
    around = parent is not None and parent.tag == "a" and parent.text().strip() == text
    return around or _PLAIN_MARK.search(text) is not None or node.css_first("a[href]") is not None


def idle_links(heading: LexborNode) -> list[int]:
    """Permalinks (¶, #, a picture) and edit links inside a heading.

    And what is hidden from screen readers there.
    """
    child = heading.first_child
    if child is None or (child.is_text_node and child.next is None):
        return []
    nodes = heading.css("a, button, [aria-hidden=true]")
    whole = heading.text().strip() if nodes else ""
    return [node.mem_id for node in nodes if _is_idle(node, whole)]


def _is_idle(node: LexborNode, whole: str) -> bool:
    """Whether a link or button is no part of the heading that reads ``whole``."""
    text = node.text().strip()
    if text == whole and (
        text or node.css_first("img[alt]") is not None
    ):  # the link is the heading
        return False
    attributes = node.attributes
    if node.tag == "button" or attributes.get("aria-hidden") == "true":
        return True
    mark = node.tag == "a" and (
        not has_word(text)
        or _EDIT_LINK.fullmatch(text) is not None
        or _PERMALINK_CLASS.search((attributes.get("class") or "").lower()) is not None
    )
    return mark and bool(text or attributes.get("href"))


def _inside_article(node: LexborNode) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag in SECTIONING:
            return True
        parent = parent.parent
    return False
