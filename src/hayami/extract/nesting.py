"""The tree of a page, parsed once, in time that is linear whatever the page.

Depth and attributes are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from hayami.extract.elements import BLOCKS, HEADINGS

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
"""Characters of a tag from which its attributes are counted: a whole stretch at least has no other
tag in it."""
_FEW_TAGS: Final = 1
"""Tags of a stretch that may be inside a long one: that which begins it, or the one that
follows."""
MAX_ATTRIBUTES: Final = 5_000
"""Attributes of a tag, beyond which all are dropped: lexbor compares each with all others, 200,000
take minutes."""
_VOID: Final = frozenset(
    [
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
    ]
)
# Elements whose next sibling of the same kind closes them: they do not nest by being left open.
_IMPLIED_END: Final = frozenset(
    ["p", "li", "dt", "dd", "tr", "td", "th", "option", "tbody", "thead", "rt", "rp"]
)
# Elements that say what their content is: kept as long as possible where elements are flattened.
_TELLING: Final = frozenset(
    ["table", "a", "ruby", "pre", "nav", "aside", "footer", "header", "template"]
)
_SPARE: Final = 256
"""Levels beyond MAX_DEPTH that are kept for telling elements."""
_REACH: Final = 64
"""Open elements that an end tag can close at once."""
_OPEN_FONTS: Final = 100
"""Fonts never closed, from which they are dropped: parsers open each again in every later
paragraph."""
_FONT: Final = re.compile(r"</?font\b[^<>]*>", re.IGNORECASE)
_SHADOW: Final = re.compile(
    r"\bshadowroot(?:mode)?\s*=\s*[\"']?\s*(?:open|closed)\b", re.IGNORECASE
)
"""What makes a template a shadow root; the short form is that of older browsers."""
_SELF_CLOSED: Final = re.compile(
    r"<([a-zA-Z][^\s/<>]*)((?:[^<>\"'/]++|/(?!>)|\"[^\"]*\"|'[^']*')*+)/>"
)


def parse(text: str) -> tuple[LexborHTMLParser, bool]:
    """The tree of a page, and whether elements had to be flattened to bound its depth."""
    if text[:64].lstrip("\ufeff \t\r\n").startswith("<?xml"):
        text = _SELF_CLOSED.sub(
            _with_end_tag, text
        )  # XHTML: <a id="x"/> is empty, which HTML does not know
    text = _with_few_attributes(_with_few_fonts(_with_shadow_roots(text)))
    tags = _tags(text)
    flattened = sum(tags) >= MAX_DEPTH and _may_be_deep(text, tags) and _is_deep(text)
    return LexborHTMLParser(_flatten(text) if flattened else text), flattened


def _with_shadow_roots(text: str) -> str:
    """``text`` with the content of shadow roots in the place of their templates.

    It is what is shown.

    Source: WHATWG HTML, "the template element", shadowrootmode.
    """
    # Nearly no page has one, and to look for the word costs nothing beside the pattern.
    if "shadowroot" not in text.lower():
        return text
    kept: list[str] = []
    shadows: list[bool] = []
    last = 0
    for token in _TOKEN.finditer(text):
        if (token[2] or "").lower() != "template" or (token[1] and not shadows):
            continue
        shadow = shadows.pop() if token[1] else _SHADOW.search(token[0]) is not None
        if not token[1]:
            shadows.append(shadow)
        if shadow:
            kept += [text[last : token.start()], f"<{token[1]}shadow-root>"]
            last = token.end()
    return "".join([*kept, text[last:]])


def _with_few_fonts(text: str) -> str:
    """``text`` without fonts, if many are never closed."""
    fonts = text.count("<font")
    if fonts <= _OPEN_FONTS or fonts - text.count("</font") <= _OPEN_FONTS:
        return text
    return _FONT.sub("", text)


def _with_few_attributes(text: str) -> str:
    """``text`` without the attributes of tags that have too many."""
    if min(_tags(text)[:-1], default=_FEW_TAGS + 1) > _FEW_TAGS:
        return text
    return _TOKEN.sub(_without_attributes, _without_open_end(text))


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
    """Whether elements may nest deeper than MAX_DEPTH, all of a stretch opened before any closes."""  # noqa: E501
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
    """``text`` without the tags that open elements deeper than MAX_DEPTH.

    No text is lost, telling elements last.
    """
    kept: list[str] = []
    opened = _OpenElements()
    last = 0
    for token in _TOKEN.finditer(text):
        name = (token[2] or "").lower()
        if not name or name in _VOID or name in _IMPLIED_END:
            continue
        if opened.close(name) if token[1] else opened.open(name):
            continue
        kept += [text[last : token.start()], "\n" * (name in BLOCKS)]
        last = token.end()
    kept.append(text[last:])
    return "".join(kept)


class _OpenElements:
    """The elements that are open while a page is flattened.

    And whether the tags of each are kept.
    """

    def __init__(self) -> None:
        self._open: list[tuple[str, bool]] = []
        self._depth = 0

    def open(self, name: str) -> bool:
        """Whether the tag that opens an element is kept."""
        telling = name in _TELLING and self._depth < MAX_DEPTH + _SPARE
        keep = self._depth < MAX_DEPTH or name in HEADINGS or telling
        self._open.append((name, keep))
        self._depth += keep
        return keep

    def close(self, name: str) -> bool:
        """Whether the end tag is kept.

        That of one of the last _REACH elements, which closes those in it too.
        """
        for near in range(1, min(_REACH, len(self._open)) + 1):
            if self._open[-near][0] != name:
                continue
            closed = self._open[-near:]
            del self._open[-near:]
            self._depth -= sum(kept for _, kept in closed)
            return closed[0][1]
        return False
