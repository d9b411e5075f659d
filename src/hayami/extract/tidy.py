"""The tree of a page, parsed once, and what in it is not for reading: hidden, chrome, marks and permalinks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from hayami.text.fold import has_word

MAX_DEPTH: Final = 2048
"""Open elements at a time.

Browsers flatten at 512; lexbor takes quadratic time: 10 ms here, 22 s at 100,000.
"""

_STRETCH: Final = 16_384
"""Characters of which the tags are counted together: small enough that they hold few."""
_RAW: Final = "script|style|textarea|title|iframe|noembed|xmp|noframes|svg"
# A comment, an element whose content is no markup, or a tag (its name in the groups: /, name).
_TOKEN: Final = re.compile(
    rf"<!--.*?(?:-->|\Z)|<(?:{_RAW})\b[^<>]*+>.*?(?:</(?:{_RAW})\s*>|\Z)"
    r"|<(/?)([a-zA-Z][^\s/<>]*)(?:[^<>\"']++|\"[^\"]*\"|'[^']*')*+>",
    re.DOTALL | re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_LONG_TAG: Final = 2 * _STRETCH
"""Characters of a tag from which its attributes are counted: a whole stretch at least has no other tag in it."""
_FEW_TAGS: Final = 1
"""Tags of a stretch that may be inside a long one: that which begins it, or the one that follows."""
MAX_ATTRIBUTES: Final = 5_000
"""Attributes of a tag, beyond which all are dropped: lexbor compares each with all others, 200,000 take minutes."""
_VOID: Final = frozenset(
    (
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    )
)
# Elements whose next sibling of the same kind closes them: they do not nest by being left open.
_IMPLIED_END: Final = frozenset(
    ("p", "li", "dt", "dd", "tr", "td", "th", "option", "tbody", "thead", "rt", "rp")
)
# Elements that say what their content is: kept as long as possible where elements are flattened.
_TELLING: Final = frozenset(
    ("table", "a", "ruby", "pre", "nav", "aside", "footer", "header", "template")
)
_SPARE: Final = 256
"""Levels beyond MAX_DEPTH that are kept for telling elements."""
_REACH: Final = 64
"""Open elements that an end tag can close at once."""
_OPEN_FONTS: Final = 100
"""Fonts never closed, from which they are dropped: parsers open each again in every later paragraph."""
_FONT: Final = re.compile(r"</?font\b[^<>]*>", re.IGNORECASE)
_SELF_CLOSED: Final = re.compile(
    r"<([a-zA-Z][^\s/<>]*)((?:[^<>\"'/]++|/(?!>)|\"[^\"]*\"|'[^']*')*+)/>"
)

INVISIBLE: Final = (
    *(
        "script",
        "style",
        "template",
        "noscript",
        "iframe",
        "svg",
        "canvas",
        "audio",
        "video",
        "object",
        "embed",
    ),
    *("textarea", "select", "rt", "rp", "rtc", "annotation"),
)
"""Elements whose content is not text that a reader reads: skipped with all they hold."""
BLOCKS: Final = (
    *(
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
    ),
    *(
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
    ),
    *(
        "hgroup",
        "hr",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "optgroup",
        "option",
        "p",
        "pre",
        "search",
        "section",
    ),
    *("summary", "table", "tbody", "tfoot", "thead", "tr", "ul"),
)
"""Elements whose beginning and end separate words; others do not."""
CHROME: Final = ("nav", "aside", "footer")
"""Elements that are not the article: navigation, side notes, page footers."""
_CHROME_ROLES: Final = frozenset(("navigation", "complementary", "contentinfo", "banner", "search"))
_NEVER_CHROME: Final = frozenset(("html", "body", "main", "article"))
_TABLE_ROLES: Final = frozenset(("table", "grid", "treegrid"))
_HIDDEN_CLASSES: Final = frozenset(
    ("sr-only", "visually-hidden", "screen-reader-text", "mw-editsection")
)
_SECTIONING: Final = frozenset(("article", "main", "section"))
_SKIPPED_BY_PLACE: Final = frozenset(("header", "sup"))
_HEADINGS: Final = frozenset(f"h{n}" for n in range(1, 7))
_NAMED: Final = _HEADINGS | {"a"}
"""Elements whose ``name`` is an old kind of id."""
_QUERY: Final = (
    "table, header, sup, [role], [name], [hidden], [style*=none i], [style*=hidden i], "
    ".sr-only, .visually-hidden, .screen-reader-text, .mw-editsection"
)
_HIDING: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_FOOTNOTE: Final = re.compile(
    r"[\[(（【]?\s*(?:注|※|\*|†|‡|note|脚注|訳注|주)*\s*[0-9a-z]{0,3}\s*[\])）】]?[*†‡※]*",
    re.IGNORECASE,
)
_PLAIN_MARK: Final = re.compile(r"[\[(（【※*†‡注]")
_PERMALINK_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:headerlink|header-?link|permalink|hash-?link|anchor-?link|heading-?anchor|header-?anchor|srclink|"
    r"edit-?link|editsection)(?:$|[\s_-])"
)
_EDIT_LINK: Final = re.compile(r"[\[［][^\[\]［］]{1,16}[\]］]")


def parse(text: str) -> tuple[LexborHTMLParser, bool]:
    """The tree of a page, and whether elements had to be flattened to bound its depth."""
    if text[:64].lstrip("\ufeff \t\r\n").startswith("<?xml"):
        text = _SELF_CLOSED.sub(
            _with_end_tag, text
        )  # XHTML: <a id="x"/> is empty, which HTML does not know
    fonts = text.count("<font")
    if fonts > _OPEN_FONTS and fonts - text.count("</font") > _OPEN_FONTS:
        text = _FONT.sub("", text)
    tags = _tags(text)
    if min(tags[:-1], default=_FEW_TAGS + 1) <= _FEW_TAGS:
        text = _TOKEN.sub(_without_attributes, _without_open_end(text))
        tags = _tags(text)
    flattened = sum(tags) >= MAX_DEPTH and _may_be_deep(text, tags) and _is_deep(text)
    return LexborHTMLParser(_flatten(text) if flattened else text), flattened


def _with_end_tag(tag: re.Match[str]) -> str:
    return tag[0] if tag[1].lower() in _VOID else f"<{tag[1]}{tag[2]}></{tag[1]}>"


def _tags(text: str) -> list[int]:
    """How many tags begin in each stretch of a page."""
    return [text.count("<", start, start + _STRETCH) for start in range(0, len(text), _STRETCH)]


def _without_open_end(text: str) -> str:
    """``text`` without a tag at its end that never closes: no parser makes anything of it."""
    start = text.find("<", text.rfind(">") + 1)
    return text if start < 0 or len(text) - start < _LONG_TAG else text[:start]


def _without_attributes(tag: re.Match[str]) -> str:
    """A tag as written, or its name alone if it has more than MAX_ATTRIBUTES."""
    whole = tag[0]
    if not tag[2] or len(whole) < _LONG_TAG:
        return whole
    bare = _QUOTED.sub("", whole)
    many = max(len(bare.split()), bare.count("=")) > MAX_ATTRIBUTES
    return f"<{tag[1]}{tag[2]}>" if many else whole


def _may_be_deep(text: str, tags: list[int]) -> bool:
    """Whether elements may nest deeper than MAX_DEPTH if each stretch opens all its elements before it closes any."""
    depth = 0
    for number, count in enumerate(tags):
        closing = text.count("</", number * _STRETCH, (number + 1) * _STRETCH)
        if depth + count - closing >= MAX_DEPTH:
            return True
        depth = max(0, depth + count - 2 * closing)
    return False


def _is_deep(text: str) -> bool:
    """Whether elements nest deeper than MAX_DEPTH: a count of the tags."""
    depth = 0
    for closes in _nesting_tags(text):
        depth = max(0, depth - 1) if closes else depth + 1
        if depth >= MAX_DEPTH:
            return True
    return False


def _nesting_tags(text: str) -> Iterator[bool]:
    """Each tag that opens or closes a level: whether it closes."""
    for token in _TOKEN.finditer(text):
        name = (token[2] or "").lower()
        if name and name not in _VOID and name not in _IMPLIED_END:
            yield bool(token[1])


def _flatten(text: str) -> str:
    """``text`` without the tags that open elements deeper than MAX_DEPTH; no text is lost, telling elements last."""
    kept: list[str] = []
    opened: list[tuple[str, bool]] = []
    depth = last = 0
    for token in _TOKEN.finditer(text):
        name = (token[2] or "").lower()
        if not name or name in _VOID or name in _IMPLIED_END:
            continue
        if token[1]:
            near = next(
                (n for n in range(1, min(_REACH, len(opened)) + 1) if opened[-n][0] == name), 0
            )
            closed = opened[len(opened) - near :]
            del opened[len(opened) - near :]
            keep = bool(closed) and closed[0][1]
            depth -= sum(was_kept for _, was_kept in closed)
        else:
            keep = (
                depth < MAX_DEPTH
                or name in _HEADINGS
                or (name in _TELLING and depth < MAX_DEPTH + _SPARE)
            )
            opened.append((name, keep))
            depth += keep
        if not keep:
            kept += [text[last : token.start()], "\n" * (name in BLOCKS)]
            last = token.end()
    kept.append(text[last:])
    return "".join(kept)


@dataclass(slots=True)
class Marks:
    """What is known of single nodes (by ``mem_id``) that their tag does not say; the tree itself is not changed."""

    tables: dict[int, int] = field(default_factory=dict)
    """The number of each table in document order, nested ones and those that are tables by role counted too."""
    by_role: set[int] = field(default_factory=set)
    """Those of them that are tables by their role alone."""
    names: dict[int, str] = field(default_factory=dict)
    """The ``name`` of old anchors and headings, to which links may lead."""
    skipped: set[int] = field(default_factory=set)
    """What no reader sees or what is not the article: hidden, chrome by role, footnote marks, links in headings."""

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
        tag, attributes, key = node.tag or "", node.attributes, node.mem_id
        role = attributes.get("role") or ""
        if (tag == "table" or role in _TABLE_ROLES) and key not in marks.tables:
            marks.tables[key] = len(marks.tables)
            if tag != "table":
                marks.by_role.add(key)
        if tag in _NAMED and (name := attributes.get("name")):
            marks.names[key] = name
        if (attributes or tag in _SKIPPED_BY_PLACE) and _is_skipped(node, tag, role, attributes):
            marks.skipped.add(key)
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
    """Whether a reader sees a node that was skipped: in navigation, a side note or a page header, and not hidden."""
    around: LexborNode | None = node
    while around is not None:
        attributes, tag = around.attributes, around.tag or ""
        hidden = "hidden" in attributes or _HIDING.search(attributes.get("style") or "") is not None
        if (
            tag in INVISIBLE
            or hidden
            or _HIDDEN_CLASSES.intersection((attributes.get("class") or "").split())
        ):
            return False
        around = around.parent
    return True


def _is_skipped(
    node: LexborNode, tag: str | None, role: str, attributes: dict[str, str | None]
) -> bool:
    if tag in _NEVER_CHROME:
        return False
    if (
        tag == "header"
    ):  # the page's own header; one inside the article, or around a section's heading, is part of it
        if role == "banner" or (node.parent is not None and node.parent.tag == "body"):
            return True
        inner = (
            node.css_first("h2, h3, h4, h5, h6") is not None and node.css_first("nav, h1") is None
        )
        return not (inner or _inside_article(node))
    if tag == "sup":
        return _is_footnote_mark(node)
    style = attributes.get("style")
    return (
        role in _CHROME_ROLES
        or "hidden" in attributes
        or (bool(style) and _HIDING.search(style or "") is not None)
        or any(name in _HIDDEN_CLASSES for name in (attributes.get("class") or "").split())
    )


def _is_footnote_mark(node: LexborNode) -> bool:
    """Whether a raised text is a mark: a link such as [1], raised itself or what is raised, or plainly one, as ※2."""
    text = node.text().strip()
    if _FOOTNOTE.fullmatch(text) is None:
        return False
    parent = node.parent
    around = parent is not None and parent.tag == "a" and parent.text().strip() == text
    return around or _PLAIN_MARK.search(text) is not None or node.css_first("a[href]") is not None


def idle_links(heading: LexborNode) -> list[int]:
    """Permalinks (¶, #, a picture) and edit links inside a heading, and what is hidden from screen readers there."""
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
        if parent.tag in _SECTIONING:
            return True
        parent = parent.parent
    return False
