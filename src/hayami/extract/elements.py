"""The elements of HTML by what they are for a reader."""

from __future__ import annotations

from typing import Final

INVISIBLE: Final = (
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
    "textarea",
    "select",
    "datalist",
    "del",
    "s",
    "strike",
    "rt",
    "rp",
)
"""Elements whose content is not text that a reader reads: skipped with all they hold."""
BLOCKS: Final = (
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
    "summary",
    "table",
    "tbody",
    "tfoot",
    "thead",
    "tr",
    "ul",
)
"""Elements whose beginning and end separate words; others do not."""
UNKNOWN: Final = ("rtc", "annotation", "annotation-xml")
"""The same, of names that a parser of HTML does not know: they have no number, and are looked for
by name."""
CHROME: Final = ("nav", "footer")
"""Elements that are not the article: navigation, page footers."""
FLOW: Final = frozenset(
    [
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "dl",
        "pre",
        "table",
        "figure",
        "blockquote",
        "details",
    ]
)
"""Elements that text is made of: what follows one of them is part of the text."""
HEADINGS: Final = frozenset(f"h{n}" for n in range(1, 7))
SECTIONING: Final = frozenset(("article", "main", "section"))
"""Elements that hold the article, or a part of it."""
