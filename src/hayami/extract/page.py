"""A page as one flat reading: segments of text between headings and tables, in document order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from hayami.evalset.records import Reason
from hayami.extract.blocks import PageBlock
from hayami.extract.decode import Decoded, decode
from hayami.extract.nesting import parse
from hayami.extract.tidy import Marks, survey
from hayami.extract.visibility import Controls, Seen
from hayami.extract.walk import PageHeading, PageTable, Walk
from hayami.text.fold import clean, language_of

_LANGUAGE_SEGMENTS: Final = 40
"""Segments that are looked at for the language: enough for a page that opens with menus in another
one."""
_HTML: Final = re.compile(r"<[a-zA-Z!?/]")
_HEAD: Final = "title, base[href], meta[http-equiv='content-language' i]"
_FRONT_MATTER: Final = re.compile(r"\A\s*---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)
_FRONT_TITLE: Final = re.compile(r"^title:\s*[\"']?(.*?)[\"']?\s*$", re.MULTILINE)
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_STRAY: Final = 0.001
"""Share of the bytes of a text that may be NUL by accident: a picture has one in 256, UTF-16 one in
two."""
_FEW_NUL: Final = 2
"""NULs that a short text may have, if it is not shorter than so many times _SHORT bytes."""
_SHORT: Final = 20
_ADDRESSES: Final = "link[rel~=canonical i][href], meta[property='og:url' i][content]"
_SAVED: Final = re.compile(r"<!--\s*saved from url=\(\d+\)(\S+)\s*-->", re.IGNORECASE)
_SAVED_WITHIN: Final = 4096
"""Characters of a page among which browsers note where it was saved from."""
_FLATTENED: Final = "nesting: elements deeper than 2,048 levels were flattened"


@dataclass(frozen=True, slots=True)
class Page:
    """One page, read. ``segments`` are texts; headings and tables say which segments are theirs."""

    title: str
    language: str
    encoding: str
    base: str
    segments: tuple[str, ...]
    headings: tuple[PageHeading, ...]
    anchors: dict[str, int]
    """Segment that each id leads to; an id just before a heading, on it or around it leads to the
    heading's."""
    tables: tuple[PageTable, ...]
    passed: tuple[PageTable, ...]
    """Tables that a reader sees in what is not the article: navigation, a side note, a page header
    or footer."""
    marks: Marks
    """What in the tables' nodes is not for reading."""
    warnings: tuple[str, ...]
    sites: tuple[str, ...]
    """The absolute addresses at which it says that it is published, or was saved from."""
    tree: LexborHTMLParser
    """The whole tree, also what is not for reading, such as data in a ``script``."""
    blocks: tuple[PageBlock, ...] = ()
    """Every line of every segment; only if asked for."""
    anchor_lines: dict[str, int] = field(default_factory=dict)
    """The line of its segment that an id leads to; only with :attr:`blocks`."""


@dataclass(frozen=True, slots=True)
class NoPage:
    """Bytes that are no page, and why."""

    reason: Reason
    detail: str


def read_page(data: bytes, *, code: bool, name: str, blocks: bool = False) -> Page | NoPage:
    """The page in ``data``; ``name`` is its title if it has none.

    Code blocks stay in the text if ``code``; the lines are also given as ``blocks`` if asked for.
    """
    decoded = _decoded(data)
    if isinstance(decoded, NoPage):
        return decoded
    front = _FRONT_MATTER.match(decoded.text)
    text = decoded.text if front is None else decoded.text[front.end() :]
    tree, flattened = parse(text)
    head = _Said.of(tree, "" if front is None else front[1])
    marks = survey(tree)
    walk = _walked(tree, marks, code=code, blocks=blocks)
    segments = tuple(walk.segments())
    title = head.title or _first_title(walk.headings, tree) or name
    opening = "\n".join((title, *segments[:_LANGUAGE_SEGMENTS]))
    language, doubts = _spoken(opening, head.language)
    flat = (_FLATTENED,) if flattened else ()
    return Page(
        title=title,
        language=language,
        encoding=decoded.encoding,
        base=head.base,
        segments=segments,
        headings=tuple(walk.headings),
        anchors=walk.anchors,
        tables=tuple(walk.tables),
        passed=_passed_tables(tree, walk.tables, marks),
        marks=marks,
        warnings=(*decoded.warnings, *flat, *doubts),
        sites=_published(tree, text),
        tree=tree,
        blocks=tuple(walk.blocks()),
        anchor_lines=walk.anchor_lines(),
    )


def _spoken(opening: str, declared: str) -> tuple[str, list[str]]:
    """The language of a page, and what a person should know about it."""
    language, overruled = language_of(opening, declared)
    doubt = f"language: declared {declared} but the text is {language}"
    return language, [doubt] if overruled else []


def _walked(tree: LexborHTMLParser, marks: Marks, *, code: bool, blocks: bool) -> Walk:
    walk = Walk(marks, code=code, texts={} if blocks else None)
    root = tree.body or tree.root
    if root is not None:
        walk.run(root)
    return walk


def _without_nul(data: bytes) -> bytes:
    """The bytes without stray NULs, which browsers skip.

    As they are where there are too many for a text.
    """
    if data.startswith(_UTF_16) or b"\0" not in data:
        return data
    stray = max(_STRAY * len(data), min(_FEW_NUL, len(data) // _SHORT))
    return data if data.count(b"\0") > stray else data.replace(b"\0", b"")


def _is_binary(data: bytes) -> bool:
    """Whether NUL bytes say that it is no text."""
    return b"\0" in data and not data.startswith(_UTF_16)


def _decoded(data: bytes) -> Decoded | NoPage:
    """The text of a page, or why the bytes are none."""
    kept = _without_nul(data)
    if not kept.strip():
        return NoPage(Reason.EMPTY_FILE, "only white space in it" if kept else "nothing in it")
    decoded = None if _is_binary(kept) else decode(kept)
    if decoded is None and b"\0" in data and not data.startswith(_UTF_16):
        return NoPage(Reason.NOT_HTML, "NUL bytes: not a text file")
    if decoded is None:
        why = "the bytes are text in no encoding that fits; save the file as UTF-8"
        return NoPage(Reason.UNDECODABLE, why)
    if not decoded.text.strip():
        return NoPage(Reason.EMPTY_FILE, "only white space in it")
    if _HTML.search(decoded.text) is None:
        return NoPage(Reason.NOT_HTML, "no tag in it")
    return decoded


def _published(tree: LexborHTMLParser, text: str) -> tuple[str, ...]:
    """The absolute addresses that a page gives as its own."""
    found = [saved[1] for saved in _SAVED.finditer(text[:_SAVED_WITHIN])]
    for node in tree.css(_ADDRESSES):
        attributes = node.attributes
        found.append((attributes.get("href") or attributes.get("content") or "").strip())
    return tuple(dict.fromkeys(address for address in found if "://" in address))


def _passed_tables(
    tree: LexborHTMLParser, read: Sequence[PageTable], marks: Marks
) -> tuple[PageTable, ...]:
    """The tables that a reader sees in what is not the article."""
    if len(read) == len(marks.tables):
        return ()
    known = {table.index for table in read}
    seen = Seen(Controls(tree))
    passed: list[PageTable] = []
    for node in tree.css("table"):
        number = marks.tables.get(node.mem_id)
        if number is not None and number not in known and seen.sees(node):
            passed.append(PageTable(number, node, 0, 0))
    return tuple(passed)


def _first_title(headings: Sequence[PageHeading], tree: LexborHTMLParser) -> str:
    """The first H1 of the article, else of the page, also in the page's own header."""
    for heading in headings:
        if heading.level == 1:
            return heading.text
    first = tree.css_first("h1")
    return clean(first.text()) if first is not None else ""


@dataclass(frozen=True, slots=True)
class _Said:
    """What a page says of itself before its text."""

    title: str
    language: str
    base: str

    @classmethod
    def of(cls, tree: LexborHTMLParser, front_matter: str) -> _Said:
        """What is said in a page's head, and in what a generator left in front of it."""
        said: dict[str, LexborNode] = {}
        for node in tree.head.css(_HEAD) if tree.head is not None else ():
            said.setdefault(node.tag or "", node)
        title, base = said.get("title"), said.get("base")
        declared = _FRONT_TITLE.search(front_matter)
        if title is not None:  # noqa: SIM108
            words = title.text()
        else:
            words = declared[1] if declared is not None else ""
        href = (base.attributes.get("href") or "") if base is not None else ""
        return cls(clean(words), _language(tree, said.get("meta")), href.strip())


def _language(tree: LexborHTMLParser, meta: LexborNode | None) -> str:
    """The language that a page declares; an empty text if it declares none."""
    for element in (tree.root, tree.body):
        if element is None:
            continue
        attributes = element.attributes
        language = attributes.get("lang") or attributes.get("xml:lang")
        if language:
            return language
    if meta is None:
        return ""
    return (meta.attributes.get("content") or "").split(",")[0]
