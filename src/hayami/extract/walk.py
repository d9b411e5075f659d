"""A tidied tree -> segments of text between headings and tables, in document order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from hayami.extract.blocks import NOWHERE, PageBlock, Surrounding, Surroundings, make_block
from hayami.extract.elements import BLOCKS, CHROME, INVISIBLE
from hayami.extract.permalinks import idle_links
from hayami.extract.tidy import Marks
from hayami.text.fold import clean, visible

_BREAK: Final = "\0"
"""Marks a line end in the pieces of text; the parser never yields it."""
_BLANK: Final = " \t\r\n\f\0"
_TEXT_ID: Final = 2  # lexbor's LXB_TAG__TEXT


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
class PageTable:
    """A table.

    Its number on the page, its node in the tidied tree, and its segments (first, past the last).
    """

    index: int
    node: LexborNode
    first: int
    last: int


def _tag_ids(*names: str) -> frozenset[int]:
    tree = LexborHTMLParser("")
    return frozenset(tree.create_node(name).tag_id for name in names)


_HEADING_LEVEL: Final = {next(iter(_tag_ids(f"h{n}"))): n for n in range(1, 7)}
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
"""Elements that can stand around a heading and its section; the ids of others lead to where they
stand."""


class _Opened(NamedTuple):
    """What was noted when a heading, table or named element began."""

    node: LexborNode
    names: tuple[str, ...]
    since: int
    """Headings before it; for a table, the segment that it starts."""


@dataclass
class Walk:
    """Walks a tree in document order, without recursion, and cuts its text into segments.

    ``texts`` is None, or keeps the node of every piece of text so that :meth:`blocks` can tell what
    it stands in.
    """

    marks: Marks
    code: bool
    texts: dict[int, LexborNode] | None = None
    headings: list[PageHeading] = field(default_factory=list)
    tables: list[PageTable] = field(default_factory=list)
    anchors: dict[str, int] = field(default_factory=dict)
    """The segment that each id leads to."""
    _old: set[str] = field(default_factory=set)
    _pieces: list[str] = field(default_factory=lambda: [_BREAK])
    _starts: list[int] = field(default_factory=lambda: [0])
    _alt: list[str] = field(default_factory=list)
    _pending: list[tuple[str, int]] = field(default_factory=list)
    _open: list[tuple[int, int, _Opened | None]] = field(default_factory=list)
    _in_heading: int = 0
    _anchored: dict[str, int] = field(default_factory=dict)
    _special: set[int] = field(init=False)

    def __post_init__(self) -> None:
        self._special = self.marks.special()

    def run(self, root: LexborNode) -> None:  # noqa: C901, PLR0912
        """Visits every node below ``root`` once.

        The loop that takes most of the time of reading a page.
        """
        node, depth = root, 0
        pieces, opened, kinds, special = self._pieces, self._open, _KINDS, self._special
        texts = self.texts
        while True:
            tag = node.tag_id
            child = None
            if tag == _TEXT_ID:
                text = node.text_content or ""
                if pieces[-1] is not _BREAK or not text.isspace():
                    if texts is not None:
                        texts[len(pieces)] = node
                    pieces.append(text)
            else:
                kind = kinds.get(tag, 0)
                if kind >= _SKIP or node.id or (special and node.mem_id in special):
                    child = node.first_child if self._enter(node, depth, kind) else None
                else:
                    if kind:
                        self._begin(depth, kind)
                    child = node.first_child
            if child is not None:
                if child.tag_id != _TEXT_ID or child.next is not None:
                    node, depth = child, depth + 1
                    continue
                # half of all elements hold a text and nothing else
                if texts is not None:
                    texts[len(pieces)] = child
                pieces.append(child.text_content or "")
            while True:
                if opened and opened[-1][0] == depth:
                    self._close(depth)
                if depth == 0:
                    return
                following = node.next
                if following is not None:
                    node = following
                    break
                node, depth = node.parent or root, depth - 1

    def _begin(self, depth: int, kind: int) -> None:
        """Begins a plain block or cell, or a new line."""
        if kind == _LINE:
            self._pieces.append(" " if self._in_heading else _BREAK)
            return
        self._pieces.append(" " if kind == _CELL else _BREAK)
        self._open.append((depth, kind, None))

    def _close(self, depth: int) -> None:
        """Ends the elements that began at a depth."""
        while self._open and self._open[-1][0] == depth:
            _, kind, note = self._open.pop()
            if note is not None:
                self._leave(kind, note)
            elif kind == _CELL:
                self._pieces.append(" ")
            elif self._pieces[-1] is not _BREAK:
                self._pieces.append(_BREAK)

    def _enter(self, node: LexborNode, depth: int, kind: int) -> bool:
        """Notes what an element begins that is special by its kind, its id or a mark.

        False if it is not to be read.
        """
        names = self._named(node)
        if kind == _SKIP or node.mem_id in self.marks.skipped:
            self._pass(node)
            return False
        if names and node.tag_id in _WRAPPERS:
            self._open.append((depth, _WRAPPER, _Opened(node, names, len(self.headings))))
        if kind == _HEADING or node.mem_id in self.marks.headings:
            self._begin_heading(node, depth, names)
        elif kind == _TABLE or node.mem_id in self.marks.tables:
            self._cut()
            self._open.append((depth, _TABLE, _Opened(node, names, len(self._starts) - 1)))
        elif kind == _PICTURE:
            self._note_picture(node)
        elif kind == _CODE and not self.code:
            self._pieces.append(_BREAK)
            self._note_inside(node)
            self._pending.clear()  # there is something between an id before it and the next heading
            return False
        elif kind:
            self._begin(depth, kind)
        return True

    def _named(self, node: LexborNode) -> tuple[str, ...]:
        """Notes the id of an element and the ``name`` of an old anchor; gives them."""
        name, other = node.id, self.marks.names.get(node.mem_id)
        if name:
            self._note((name,))
        if other:
            self._note((other,), old=True)
        return tuple(dict.fromkeys(one for one in (name, other) if one))

    def _pass(self, node: LexborNode) -> None:
        """Passes an element by that is not to be read.

        Ids in it lead to here if it could be a permalink.
        """
        block = node.tag_id in _BLOCK_IDS
        if block:
            self._pieces.append(_BREAK)
        if self._in_heading or block:
            self._note_inside(node)

    def _note_inside(self, node: LexborNode) -> None:
        self._note(tuple(inner.id or "" for inner in node.css("[id]")))

    def _note_picture(self, node: LexborNode) -> None:
        if self._in_heading:
            self._alt.append(node.attributes.get("alt") or "")
        else:
            self._pending.clear()  # an id before a picture leads to it and not to the next heading

    def _begin_heading(self, node: LexborNode, depth: int, names: tuple[str, ...]) -> None:
        idle = idle_links(node)
        self.marks.skipped.update(idle)
        self._special.update(idle)
        self._cut()
        self._in_heading += 1
        self._alt = []
        self._open.append((depth, _HEADING, _Opened(node, names, len(self.headings))))

    def _note(self, names: tuple[str, ...], *, old: bool = False) -> None:
        """Ids lead here, until the end of their element shows a wrapper around one section.

        The first of an id counts, as in browsers, and an id before the ``name`` of an old anchor.
        """
        for name in names:
            if name in self.anchors and (old or name not in self._old):
                continue
            self.anchors[name] = len(self._starts) - 1
            self._anchored[name] = len(self._pieces)
            self._pending.append((name, len(self._pieces)))
            if old:
                self._old.add(name)
            else:
                self._old.discard(name)

    def _leave(self, kind: int, opened: _Opened) -> None:
        """Notes what the end of a heading, a table or a named element ends."""
        if kind == _HEADING:
            self._end_heading(opened)
        elif kind == _TABLE:
            self._cut()
            number = self.marks.tables[opened.node.mem_id]
            self.tables.append(PageTable(number, opened.node, opened.since, len(self._starts) - 1))
        elif kind == _WRAPPER:
            self._settle_wrapper(opened)

    def _end_heading(self, opened: _Opened) -> None:
        self._in_heading -= 1
        start = self._starts[-1]
        said = "".join(self._pieces[start:]).replace(_BREAK, " ")
        text = clean(said) or clean(" ".join(self._alt))
        if not text:  # an empty heading ends nothing
            return
        self._drop_pieces(start)
        segment = len(self._starts) - 1
        leading = self._settle(segment)
        own = [name for name in opened.names if self.anchors[name] == segment]
        anchor = next(iter(own + leading), "")
        level = _HEADING_LEVEL.get(opened.node.tag_id) or self.marks.headings[opened.node.mem_id]
        self.headings.append(PageHeading(text, level, segment, anchor))

    def _drop_pieces(self, start: int) -> None:
        """Takes the pieces of a heading out of the text."""
        if self.texts is not None:
            for position in range(start, len(self._pieces)):
                self.texts.pop(position, None)
        del self._pieces[start:]
        self._pieces.append(_BREAK)

    def _cut(self) -> None:
        """Starts a new segment."""
        self._pieces.append(_BREAK)
        self._starts.append(len(self._pieces))

    def _settle(self, segment: int) -> list[str]:
        """Ids with no text between them and the heading of ``segment`` lead to that heading.

        Gives them in order.
        """
        settled: list[str] = []
        start = self._starts[segment]
        tables = self.tables[-3:]
        for name, position in reversed(self._pending):
            if "".join(self._pieces[position:start]).strip(_BLANK):
                break
            if not any(self.anchors[name] < table.last <= segment for table in tables):
                self.anchors[name] = segment
                settled.append(name)
        self._pending.clear()
        return settled[::-1]

    def _settle_wrapper(self, opened: _Opened) -> None:
        """An element with an id around one section leads to that section's heading."""
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
        return [_lines("".join(self._pieces[start:end])) for start, end in self._ranges()]

    def _ranges(self) -> Iterator[tuple[int, int]]:
        """The pieces of each segment: the first, and that past the last."""
        return zip(self._starts, [*self._starts[1:], len(self._pieces)], strict=True)

    def blocks(self) -> Iterator[PageBlock]:
        """The lines of :meth:`segments` with what they stand in.

        None if they were not asked for.
        """
        if self.texts is None:
            return
        known = Surroundings()
        for segment, line, first, last in self._line_ranges():
            yield make_block(segment, line, self._texts_of(first, last, self.texts, known))

    def _texts_of(
        self, first: int, last: int, nodes: dict[int, LexborNode], known: Surroundings
    ) -> Iterator[tuple[str, Surrounding]]:
        """The pieces of a line with what they stand in.

        A blank between two stands where the one before it does.
        """
        here = NOWHERE
        for position in range(first, last):
            node = nodes.get(position)
            here = here if node is None else known.of(node)
            yield self._pieces[position], here

    def anchor_lines(self) -> dict[str, int]:
        """The line of its segment that each id leads to; nothing if blocks were not asked for."""
        if self.texts is None:
            return {}
        ends: list[list[int]] = [[] for _ in self._starts]
        for segment, _, _, last in self._line_ranges():
            ends[segment].append(last)
        return {
            name: bisect_right(ends[segment], self._anchored.get(name, 0))
            for name, segment in self.anchors.items()
        }

    def _line_ranges(self) -> Iterator[tuple[int, int, int, int]]:
        """Each line that is not empty.

        Its segment, its number, its first piece and that past its last.
        """
        for segment, (start, end) in enumerate(self._ranges()):
            line = 0
            for first, last in self._between_breaks(start, end):
                if visible("".join(self._pieces[first:last])).strip():
                    yield segment, line, first, last
                    line += 1

    def _between_breaks(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        first = start
        for position in range(start, end):
            if self._pieces[position] is _BREAK:
                yield first, position
                first = position + 1
        yield first, end


def _lines(raw: str) -> str:
    lines = [" ".join(line.split()) for line in visible(raw).split(_BREAK)]
    return "\n".join(filter(None, lines))
