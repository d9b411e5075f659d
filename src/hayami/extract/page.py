"""A page as one flat reading: segments of text between headings and tables, in document order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from hayami.evalset.records import Reason
from hayami.extract.decode import decode
from hayami.extract.tidy import (
    BLOCKS,
    CHROME,
    INVISIBLE,
    Marks,
    idle_links,
    is_chrome,
    parse,
    survey,
)
from hayami.parts import Piece
from hayami.text.fold import clean, language_of, visible

_BREAK: Final = "\0"
"""Marks a line end in the pieces of text; the parser never yields it."""
_LANGUAGE_SEGMENTS: Final = 40
"""Segments that are looked at for the language: enough for a page that opens with menus in another one."""
_HTML: Final = re.compile(r"<[a-zA-Z!?/]")
_HEAD: Final = "title, base[href], meta[http-equiv='content-language' i]"
_FRONT_MATTER: Final = re.compile(r"\A\s*---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)
_FRONT_TITLE: Final = re.compile(r"^title:\s*[\"']?(.*?)[\"']?\s*$", re.MULTILINE)


HEADING: Final = -1
"""The line of a spot that is the heading which opens its segment."""


class Spot(NamedTuple):
    """A place on a page: a segment, and a line of its text from 0."""

    segment: int
    line: int


TITLE: Final = Spot(-1, HEADING)
"""The title of the page."""


class Mask(NamedTuple):
    """What leaves the corpus: a whole heading or line, or only ``text`` in it."""

    spot: Spot
    text: str = ""


@dataclass(frozen=True, slots=True)
class PageHeading:
    """A heading with the number of the segment that starts after it."""

    text: str
    level: int
    segment: int
    anchor: str
    opens: bool = False
    """Whether it opens a section whatever its level, because a miner found a need in it."""


@dataclass(frozen=True, slots=True)
class Block:
    """One line of a segment as it stands on the page."""

    segment: int
    line: int
    """The line of the segment's text, from 0."""
    tag: str
    """The element that holds it, such as ``p``, ``li``, ``dt`` or ``summary``."""
    pieces: tuple[Piece, ...]
    """Its text in runs: plain ones, and links."""
    strong: bool
    """Whether all of it is bold."""


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table: its number on the page, its node in the tidied tree, and its segments (first, past the last)."""

    index: int
    node: LexborNode
    first: int
    last: int


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
    """Segment that each id leads to; an id just before a heading, on it or around it leads to the heading's."""
    tables: tuple[PageTable, ...]
    passed: tuple[PageTable, ...]
    """Tables that a reader sees in what is not the article: navigation, a side note, a page header or footer."""
    marks: Marks
    """What in the tables' nodes is not for reading."""
    warnings: tuple[str, ...]
    tree: LexborHTMLParser
    """The whole tree, also what is not for reading, such as data in a ``script``."""
    blocks: tuple[Block, ...] = ()
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
    if not data.strip():
        return NoPage(Reason.EMPTY_FILE, "nothing in it" if not data else "only white space in it")
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\0" in data[:1024]:
        return NoPage(Reason.NOT_HTML, "NUL bytes: not a text file")
    decoded = decode(data)
    if decoded is None:
        return NoPage(
            Reason.UNDECODABLE,
            "the bytes are text in no encoding that fits; save the file as UTF-8",
        )
    if not decoded.text.strip():
        return NoPage(Reason.EMPTY_FILE, "only white space in it")
    if _HTML.search(decoded.text) is None:
        return NoPage(Reason.NOT_HTML, "no tag in it")
    front = _FRONT_MATTER.match(decoded.text)
    tree, flattened = parse(decoded.text[front.end() :] if front else decoded.text)
    warnings = [
        *decoded.warnings,
        *(["nesting: elements deeper than 2,048 levels were flattened"] if flattened else []),
    ]
    head = _Head.of(tree, front[1] if front else "")
    marks = survey(tree)
    walk = _Walk(code=code, marks=marks, blocks=blocks)
    root = tree.body or tree.root
    if root is not None:
        walk.run(root)
    segments = tuple(walk.segments())
    title = (
        head.title
        or next((h.text for h in walk.headings if h.level == 1), "")
        or _first_h1(tree)
        or name
    )
    language, overruled = language_of(
        "\n".join((title, *segments[:_LANGUAGE_SEGMENTS])), head.language
    )
    if overruled:
        warnings.append(f"language: declared {head.language} but the text is {language}")
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
        warnings=tuple(warnings),
        tree=tree,
        blocks=tuple(walk.blocks()),
        anchor_lines=walk.anchor_lines(),
    )


def _passed_tables(
    tree: LexborHTMLParser, read: list[PageTable], marks: Marks
) -> tuple[PageTable, ...]:
    if len(read) == len(marks.tables):
        return ()
    known = {table.index for table in read}
    numbered = ((marks.tables.get(node.mem_id), node) for node in tree.css("table"))
    return tuple(
        PageTable(n, node, 0, 0)
        for n, node in numbered
        if n is not None and n not in known and is_chrome(node)
    )


def _first_h1(tree: LexborHTMLParser) -> str:
    """The first H1, also one in the page's own header."""
    heading = tree.css_first("h1")
    return clean(heading.text()) if heading is not None else ""


@dataclass(frozen=True, slots=True)
class _Head:
    """What a page says of itself before its text."""

    title: str
    language: str
    base: str

    @classmethod
    def of(cls, tree: LexborHTMLParser, front_matter: str) -> _Head:
        said: dict[str, LexborNode] = {}
        for node in tree.head.css(_HEAD) if tree.head is not None else ():
            said.setdefault(node.tag or "", node)
        title, base, meta = said.get("title"), said.get("base"), said.get("meta")
        elements = [element.attributes for element in (tree.root, tree.body) if element is not None]
        spoken = (meta.attributes.get("content") or "").split(",")[0] if meta is not None else ""
        declared = _FRONT_TITLE.search(front_matter)
        return cls(
            title=clean(title.text())
            if title is not None
            else clean(declared[1])
            if declared
            else "",
            language=next(
                (v for a in elements for k in ("lang", "xml:lang") if (v := a.get(k))), spoken
            ),
            base=(base.attributes.get("href") or "").strip() if base is not None else "",
        )


def _tag_ids(*names: str) -> frozenset[int]:
    tree = LexborHTMLParser("")
    return frozenset(tree.create_node(name).tag_id for name in names)


_HEADING_LEVEL: Final = {next(iter(_tag_ids(f"h{n}"))): n for n in range(1, 7)}
_TEXT_ID: Final = 2  # lexbor's LXB_TAG__TEXT
_BLOCK, _CELL, _LINE, _SKIP, _CODE, _HEADING, _TABLE, _PICTURE, _WRAPPER = range(1, 10)
_KINDS: Final[dict[int, int]] = (
    dict.fromkeys(_tag_ids(*BLOCKS), _BLOCK)
    | dict.fromkeys(_tag_ids("td", "th"), _CELL)
    | dict.fromkeys(_tag_ids(*INVISIBLE, *CHROME), _SKIP)
    | dict.fromkeys(_tag_ids("br"), _LINE)
    | dict.fromkeys(_tag_ids("pre"), _CODE)
    | dict.fromkeys(_HEADING_LEVEL, _HEADING)
    | dict.fromkeys(_tag_ids("table"), _TABLE)
    | dict.fromkeys(_tag_ids("img"), _PICTURE)
)


_BLOCK_IDS: Final = _tag_ids(*BLOCKS)
_WRAPPERS: Final = _tag_ids(
    "div", "section", "article", "main", "details", "header", "hgroup", "li", "td"
)
"""Elements that can stand around a heading and its section; the ids of others lead to where they stand."""


class _Opened(NamedTuple):
    """What was noted when a heading, table or named element began."""

    node: LexborNode
    names: tuple[str, ...]
    since: int
    """Headings before it; for a table, the segment that it starts."""


class _Walk:
    """Walks a tree in document order, without recursion, and cuts its text into segments."""

    def __init__(self, *, code: bool, marks: Marks, blocks: bool = False) -> None:
        self.headings: list[PageHeading] = []
        self.tables: list[PageTable] = []
        self.anchors: dict[str, int] = {}
        self._code = code
        self._old: set[str] = set()
        self._marks = marks
        self._special = marks.special()
        self._pieces: list[str] = [_BREAK]
        self._starts: list[int] = [0]
        self._alt: list[str] = []
        self._pending: list[tuple[str, int]] = []
        self._open: list[tuple[int, int, _Opened | None]] = []
        self._in_heading = 0
        self._texts: dict[int, LexborNode] | None = {} if blocks else None
        self._anchored: dict[str, int] = {}

    def run(self, root: LexborNode) -> None:  # noqa: C901, PLR0912 - the loop that takes most of the time
        """Visits every node below ``root`` once."""
        node, depth = root, 0
        pieces, opened, kinds, special = self._pieces, self._open, _KINDS, self._special
        texts = self._texts
        while True:
            tag = node.tag_id
            if tag == _TEXT_ID:
                text = node.text_content or ""
                if pieces[-1] is not _BREAK or not text.isspace():
                    if texts is not None:
                        texts[len(pieces)] = node
                    pieces.append(text)
            else:
                kind = kinds.get(tag, 0)
                descend = True
                if kind >= _SKIP or node.id or (special and node.mem_id in special):
                    descend = self._enter(node, depth, kind)
                elif kind == _LINE:
                    pieces.append(" " if self._in_heading else _BREAK)
                elif kind:
                    pieces.append(_BREAK if kind == _BLOCK else " ")
                    opened.append((depth, kind, None))
                child = node.first_child if descend else None
                if child is not None:
                    if child.tag_id != _TEXT_ID or child.next is not None:
                        node, depth = child, depth + 1
                        continue
                    if texts is not None:
                        texts[len(pieces)] = child
                    # half of all elements hold a text and nothing else
                    pieces.append(child.text_content or "")
            while True:
                while opened and opened[-1][0] == depth:
                    _, kind, note = opened.pop()
                    if note is not None:
                        self._leave(kind, note)
                    elif kind == _CELL:
                        pieces.append(" ")
                    elif pieces[-1] is not _BREAK:
                        pieces.append(_BREAK)
                following = node.next
                if depth == 0:
                    return
                if following is not None:
                    node = following
                    break
                node, depth = node.parent or root, depth - 1

    def _enter(self, node: LexborNode, depth: int, kind: int) -> bool:  # noqa: C901, PLR0912 - one branch for each kind
        """Notes what an element begins that is special by its kind, its id or a mark; false if it is not to be read."""
        mark = node.mem_id
        name, other = node.id, self._marks.names.get(mark)
        names = (
            ((name, other) if other and other != name else (name,))
            if name
            else (other,)
            if other
            else ()
        )
        if name:
            self._note((name,))
        if other:
            self._note((other,), old=True)
        if kind == _SKIP or mark in self._marks.skipped:
            if node.tag_id in _BLOCK_IDS:
                self._pieces.append(_BREAK)
            if (
                self._in_heading or node.tag_id in _BLOCK_IDS
            ):  # such as a permalink that carries the heading's id
                self._note(tuple(inner.id or "" for inner in node.css("[id]")))
            return False
        if names and node.tag_id in _WRAPPERS:
            self._open.append((depth, _WRAPPER, _Opened(node, names, len(self.headings))))
        if kind == _HEADING:
            idle = idle_links(node)
            self._marks.skipped.update(idle)
            self._special.update(idle)
            self._cut()
            self._in_heading += 1
            self._alt = []
            self._open.append((depth, kind, _Opened(node, names, len(self.headings))))
        elif kind == _TABLE or mark in self._marks.tables:
            self._cut()
            self._open.append((depth, _TABLE, _Opened(node, names, len(self._starts) - 1)))
        elif kind == _LINE:
            self._pieces.append(" " if self._in_heading else _BREAK)
        elif kind == _PICTURE and self._in_heading:
            self._alt.append(node.attributes.get("alt") or "")
        elif kind == _PICTURE:
            self._pending.clear()  # an id before a picture leads to it and not to the next heading
        elif kind in {_BLOCK, _CODE, _CELL}:
            self._pieces.append(" " if kind == _CELL else _BREAK)
            if kind == _CODE and not self._code:
                self._note(tuple(inner.id or "" for inner in node.css("[id]")))
                self._pending.clear()  # there is something between an id before it and the next heading
                return False
            self._open.append((depth, kind, None))
        return True

    def _note(self, names: tuple[str, ...], *, old: bool = False) -> None:
        """Ids lead to here, until the end of their element shows that it is a wrapper around one section.

        The first of an id counts, as in browsers, and an id before the ``name`` of an old anchor.
        """
        for name in names:
            if name not in self.anchors or (name in self._old and not old):
                self.anchors[name] = len(self._starts) - 1
                self._anchored[name] = len(self._pieces)
                self._pending.append((name, len(self._pieces)))
                (self._old.add if old else self._old.discard)(name)

    def _leave(self, kind: int, opened: _Opened) -> None:
        """Notes what the end of a heading, a table or a named element ends."""
        if kind == _HEADING:
            self._end_heading(opened)
        elif kind == _TABLE:
            self._cut()
            number = self._marks.tables[opened.node.mem_id]
            self.tables.append(PageTable(number, opened.node, opened.since, len(self._starts) - 1))
        elif kind == _WRAPPER:
            self._settle_wrapper(opened)

    def _end_heading(self, opened: _Opened) -> None:
        self._in_heading -= 1
        start = self._starts[-1]
        text = clean("".join(self._pieces[start:]).replace(_BREAK, " ")) or clean(
            " ".join(self._alt)
        )
        if not text:  # an empty heading ends nothing
            return
        if self._texts is not None:
            for position in range(start, len(self._pieces)):
                self._texts.pop(position, None)
        del self._pieces[start:]
        self._pieces.append(_BREAK)
        segment = len(self._starts) - 1
        leading = self._settle(segment)
        own = [name for name in opened.names if self.anchors[name] == segment]
        anchor = next(iter(own + leading), "")
        self.headings.append(PageHeading(text, _HEADING_LEVEL[opened.node.tag_id], segment, anchor))

    def _cut(self) -> None:
        """Starts a new segment."""
        self._pieces.append(_BREAK)
        self._starts.append(len(self._pieces))

    def _settle(self, segment: int) -> list[str]:
        """Ids with no text between them and the heading of ``segment`` lead to that heading; gives them in order."""
        settled: list[str] = []
        start = self._starts[segment]
        tables = self.tables[-3:]
        for name, position in reversed(self._pending):
            between = "".join(self._pieces[position:start]) if position < start else ""
            if between.strip(" \t\r\n\f\0"):
                break
            if not any(self.anchors[name] < table.last <= segment for table in tables):
                self.anchors[name] = segment
                settled.insert(0, name)
        self._pending.clear()
        return settled

    def _settle_wrapper(self, opened: _Opened) -> None:
        """An element with an id around one section, whatever stands before the heading, leads to that heading."""
        inside = self.headings[opened.since :]
        if not inside:
            return
        top = min(heading.level for heading in inside)
        if inside[0].level != top or sum(heading.level == top for heading in inside) > 1:
            return
        before = self.headings[opened.since - 1].segment if opened.since else 0
        for name in opened.names:
            if before <= self.anchors[name] <= inside[0].segment:
                self.anchors[name] = inside[0].segment

    def segments(self) -> list[str]:
        """The text of each segment: one block a line, white space collapsed."""
        ends = [*self._starts[1:], len(self._pieces)]
        return [
            _lines("".join(self._pieces[start:end]))
            for start, end in zip(self._starts, ends, strict=True)
        ]

    def blocks(self) -> Iterator[Block]:
        """The lines of :meth:`segments` with what they stand in; none if they were not asked for."""
        if self._texts is None:
            return
        surroundings = _Surroundings()
        for segment, line, first, last in self._line_ranges():
            around = []
            here = _NOWHERE
            for position in range(first, last):
                node = self._texts.get(position)
                here = here if node is None else surroundings.of(node)
                around.append((self._pieces[position], here))
            told = [(text, one) for text, one in around if text.strip()]
            tag = told[0][1].tag if told else ""
            strong = bool(told) and all(one.strong for _, one in told)
            yield Block(segment, line, tag, _runs(around), strong)

    def anchor_lines(self) -> dict[str, int]:
        """The line of its segment that each id leads to; nothing if blocks were not asked for."""
        if self._texts is None:
            return {}
        ends: list[list[int]] = [[] for _ in self._starts]
        for segment, _, _, last in self._line_ranges():
            ends[segment].append(last)
        return {
            name: bisect_right(ends[segment], self._anchored.get(name, 0))
            for name, segment in self.anchors.items()
        }

    def _line_ranges(self) -> Iterator[tuple[int, int, int, int]]:
        """Each line that is not empty: its segment, its number, its first piece and that past its last."""
        ends = [*self._starts[1:], len(self._pieces)]
        for segment, (start, end) in enumerate(zip(self._starts, ends, strict=True)):
            line, first = 0, start
            for position in range(start, end + 1):
                if position < end and self._pieces[position] is not _BREAK:
                    continue
                if visible("".join(self._pieces[first:position])).strip():
                    yield segment, line, first, position
                    line += 1
                first = position + 1


class _Surrounding(NamedTuple):
    """What a text stands in."""

    tag: str
    strong: bool
    href: str | None


_NOWHERE: Final = _Surrounding("", strong=False, href=None)


class _Surroundings:
    """What the texts of a page stand in, each element looked at once whatever the nesting."""

    def __init__(self) -> None:
        self._known: dict[int, _Surrounding] = {}

    def of(self, text: LexborNode) -> _Surrounding:
        """What a text node stands in: the nearest block, whether it is bold there, and its link."""
        unknown: list[LexborNode] = []
        node = text.parent
        while node is not None and node.mem_id not in self._known:
            unknown.append(node)
            node = node.parent
        found = self._known[node.mem_id] if node is not None else _NOWHERE
        for element in reversed(unknown):
            found = _inside(element, found)
            self._known[element.mem_id] = found
        return found


def _inside(element: LexborNode, around: _Surrounding) -> _Surrounding:
    tag = element.tag or ""
    if tag == "a":
        href = element.attributes.get("href")
        return around._replace(href=around.href if href is None else href.strip())
    if tag in {"b", "strong"}:
        return around._replace(strong=True)
    return around._replace(tag=tag, strong=False) if tag in _HOLDERS else around


_HOLDERS: Final = frozenset((*BLOCKS, "td", "th"))


def _runs(around: Sequence[tuple[str, _Surrounding]]) -> tuple[Piece, ...]:
    """The texts of one line as pieces: neighbours with the same link are one."""
    runs: list[tuple[str, str | None]] = []
    for text, surrounding in around:
        if runs and runs[-1][1] == surrounding.href:
            runs[-1] = (runs[-1][0] + text, surrounding.href)
        else:
            runs.append((text, surrounding.href))
    shown = [(re.sub(r"\s+", " ", visible(text)), href) for text, href in runs]
    return tuple(Piece(text, href) for text, href in shown if text)


def _lines(raw: str) -> str:
    return "\n".join(
        [" ".join(words) for line in visible(raw).split(_BREAK) if (words := line.split())]
    )
