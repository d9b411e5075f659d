"""What of a page's tree is not for reading, and what its tags do not say.

Found in one look, the tree unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from hayami.extract.elements import HEADINGS, INVISIBLE
from hayami.extract.furniture import NEVER, ROLES, Furniture
from hayami.extract.permalinks import is_footnote_mark
from hayami.extract.visibility import HIDDEN, Attributes, Controls, is_hidden

_TABLE_ROLES: Final = frozenset(("table", "grid", "treegrid"))
_NAMED: Final = HEADINGS | {"a"}
"""Elements whose ``name`` is an old kind of id."""
_QUERY: Final = f"table, header, aside, sup, [role], [name], {HIDDEN}"
_HEADING_LEVEL: Final = 2
"""The level of a heading by its role that says none (WAI-ARIA, "heading")."""


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

    headings: dict[int, int] = field(default_factory=dict)
    """The level of each element that is a heading by its role alone."""

    def number(self, table: LexborNode) -> None:
        """Gives a table the next number, if it has none."""
        if table.mem_id in self.tables:
            return
        self.tables[table.mem_id] = len(self.tables)
        if table.tag != "table":
            self.by_role.add(table.mem_id)

    def special(self) -> set[int]:
        """The nodes that a walk must not pass by their tag alone."""
        return self.skipped.union(self.names, self.by_role, self.headings)


def survey(tree: LexborHTMLParser) -> Marks:
    """Finds, in one query, every node that is not what its tag says.

    INVISIBLE and CHROME are skipped by their tag, links in headings (:func:`idle_links`) when the
    walk is there.
    """
    marks, tidier = Marks(), _Tidier(tree)
    for node in tree.css(_QUERY):
        tag, attributes = node.tag or "", node.attributes
        role = attributes.get("role") or ""
        if tag == "table" or role in _TABLE_ROLES:
            marks.number(node)
        elif role == "heading" and tag not in HEADINGS:
            marks.headings[node.mem_id] = _level(attributes)
        if tag in _NAMED and (name := attributes.get("name")):
            marks.names[node.mem_id] = name
        if tidier.skips(node, tag, role, attributes):
            marks.skipped.add(node.mem_id)
    marks.skipped.update(_copies(tree))
    return marks


def _level(attributes: Attributes) -> int:
    """The level of a heading by its role, 1 to 6."""
    level = (attributes.get("aria-level") or "").strip()
    return min(int(level), 6) if level.isdecimal() and int(level) else _HEADING_LEVEL


class _Tidier:
    """Tells what of one page no reader sees, and what is not the article."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._controls = Controls(tree)
        self._furniture = Furniture()

    def skips(self, node: LexborNode, tag: str, role: str, attributes: Attributes) -> bool:
        """Whether a node is not to be read."""
        if tag in NEVER:
            return False
        if is_hidden(tag, attributes) and not self._controls.open(tag, attributes):
            return True
        if tag == "header":
            return role == "banner" or self._furniture.is_page_header(node)
        if tag == "aside":
            return self._furniture.is_beside(node, attributes)
        return role in ROLES or (tag == "sup" and is_footnote_mark(node))


def _copies(tree: LexborHTMLParser) -> list[int]:
    """What is drawn of formulas beside the formulas themselves."""
    if tree.css_first("math") is None:
        return []
    return [node.mem_id for node in tree.css("[aria-hidden=true]") if _is_beside_formula(node)]


def _is_beside_formula(node: LexborNode) -> bool:
    for other in (node.prev, node.next):
        if other is None or other.is_text_node:
            continue
        if other.tag == "math" or other.css_first("math") is not None:
            return True
    return False


def table_html(table: LexborNode, marks: Marks) -> str:
    """A table as HTML, without what no reader sees in it.

    Changes the tree; the table's rows keep their number.
    """
    # inner nodes first: an outer one takes the inner ones with it
    for node in reversed(table.css("*")):
        seen = node.tag not in INVISIBLE and node.mem_id not in marks.skipped
        if seen or node.mem_id == table.mem_id:
            continue
        if node.tag == "tr":
            for child in list(node.iter(include_text=True)):
                child.decompose()
        else:
            node.decompose()
    return table.html or ""
