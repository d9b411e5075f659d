"""The lines of a page with what they stand in.

Their element, their links, whether they are bold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from selectolax.lexbor import LexborNode

from hayami.extract.elements import BLOCKS
from hayami.parts import Piece
from hayami.text.fold import visible

_HOLDERS: Final = frozenset((*BLOCKS, "td", "th"))
_BOLD: Final = frozenset(("b", "strong"))
_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class PageBlock:
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


class Surrounding(NamedTuple):
    """What a text stands in."""

    tag: str
    strong: bool
    href: str | None

    def inside(self, element: LexborNode) -> Surrounding:
        """What texts in an element stand in that stands in this."""
        tag = element.tag or ""
        if tag == "a":
            href = element.attributes.get("href")
            return self if href is None else self._replace(href=href.strip())
        if tag in _BOLD:
            return self._replace(strong=True)
        return self._replace(tag=tag, strong=False) if tag in _HOLDERS else self


NOWHERE: Final = Surrounding("", strong=False, href=None)


class Surroundings:
    """What the texts of a page stand in, each element looked at once whatever the nesting."""

    def __init__(self) -> None:
        self._known: dict[int, Surrounding] = {}

    def of(self, text: LexborNode) -> Surrounding:
        """What a text node stands in: the nearest block, whether it is bold there, and its link."""
        unknown: list[LexborNode] = []
        node = text.parent
        while node is not None and node.mem_id not in self._known:
            unknown.append(node)
            node = node.parent
        found = NOWHERE if node is None else self._known[node.mem_id]
        for element in reversed(unknown):
            found = found.inside(element)
            self._known[element.mem_id] = found
        return found


def make_block(segment: int, line: int, texts: Iterable[tuple[str, Surrounding]]) -> PageBlock:
    """The block of a line that is made of some texts."""
    runs: list[tuple[str, str | None]] = []
    tag, strong = "", True
    for text, around in texts:
        if text.strip():
            tag = tag or around.tag
            strong = strong and around.strong
        if runs and runs[-1][1] == around.href:
            runs[-1] = (runs[-1][0] + text, around.href)
        else:
            runs.append((text, around.href))
    shown = [Piece(_SPACE.sub(" ", visible(text)), href) for text, href in runs]
    pieces = tuple(piece for piece in shown if piece.text)
    return PageBlock(segment, line, tag, pieces, strong=strong and bool(tag))
