"""The text of a cell: in runs with its links and line breaks, or as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from bs4 import Tag
from bs4.element import NavigableString, PageElement, PreformattedString

from hayami.extract.elements import BLOCKS
from hayami.extract.grid import Cell, attribute
from hayami.parts import Piece, text_of
from hayami.text.fold import squeeze, visible

_SEPARATING: Final = frozenset((*BLOCKS, "td", "th", "br"))
"""Elements that end a line in a cell."""


class _Where(NamedTuple):
    """What a text of a cell stands in."""

    block: Tag | None
    href: str | None


def cell_text(cell: Cell | None) -> str:
    """The text of a cell on one line; empty for no cell."""
    return "" if cell is None else text_of(cell_pieces(cell.element))


def cell_pieces(element: Tag) -> tuple[Piece, ...]:
    """The text of a cell in runs, white space collapsed.

    Links, and line breaks where a block begins or ends.
    """
    runs = _Runs()
    last = _Where(element, None)
    for node in _readable(element):
        here = _Where(_block_of(node, element), _link_of(node, element))
        breaks = isinstance(node, Tag) and node.name in _SEPARATING
        if here.block is not last.block or here.href != last.href or breaks:
            runs.end(last.href, breaks=breaks or here.block is not last.block)
            last = here
        if isinstance(node, NavigableString):
            runs.text += visible(str(node))
        elif isinstance(node, Tag) and node.name == "img" and here.href is not None:
            runs.text += attribute(node, "alt")  # a picture as a link says where it leads
    runs.end(last.href, breaks=False)
    return _trimmed(runs.pieces)


def _readable(element: Tag) -> Iterator[PageElement]:
    """The elements and texts in a cell; no comments and the like."""
    for node in element.descendants:
        if not isinstance(node, PreformattedString):
            yield node


class _Runs:
    """The pieces of a cell while it is read, and the text that is not yet one."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.text = ""

    def end(self, href: str | None, *, breaks: bool) -> None:
        """Makes a piece of the text so far, and a break behind it if there is one."""
        text, self.text = self.text, ""
        if text.strip():
            lead, tail = " " * text[:1].isspace(), " " * text[-1:].isspace()
            self.pieces.append(Piece(f"{lead}{squeeze(text)}{tail}", href))
        elif text and self.pieces and not self.pieces[-1].breaks:
            self.pieces.append(Piece(" ", None))
        if breaks:
            self.pieces.append(Piece("", breaks=True))


def _trimmed(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Pieces without breaks at the ends or next to each other."""
    kept: list[Piece] = []
    for piece in pieces:
        if piece.breaks and (not kept or kept[-1].breaks):
            continue
        kept.append(piece)
    while kept and (kept[-1].breaks or not kept[-1].text.strip()):
        kept.pop()
    return tuple(kept)


def _block_of(node: PageElement, cell: Tag) -> Tag | None:
    parent = node.parent
    while parent is not None and parent is not cell and parent.name not in _SEPARATING:
        parent = parent.parent
    return parent


def _link_of(node: PageElement, cell: Tag) -> str | None:
    parent = node.parent
    while parent is not None and parent is not cell:
        if parent.name == "a" and parent.has_attr("href"):
            return attribute(parent, "href").strip()
        parent = parent.parent
    return None
