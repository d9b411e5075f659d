"""What a reference cell cites, read once before any rule is asked: links, text and parts."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hayami.label.links import leads_nowhere, passage_of
from hayami.label.lists import loose_parts, parts_of, quoted_parts
from hayami.label.phrases import compacted, is_placeholder, strip_decorations
from hayami.parts import Piece, text_of
from hayami.settings import Settings
from hayami.text.fold import compact, has_word, squeeze
from hayami.text.numbering import Numbers, reference_numbers

_MOST_PARTS: Final = 200
"""Parts of a cell, beyond which it is no list that a reader would follow, and none is looked up."""
_TALK: Final = 200
"""Characters beside the links of a cell from which they are talk and no list of names."""
_PROSE: Final = 40
"""Characters outside links from which a cell is prose with links in it, and no list of links."""
_SENTENCE_END: Final = re.compile(r"[。！？]|(?<=[^\s.])[.!?](?=\s|$)")
_AROUND: Final = "、，,・／/;； "
"""What joins a name to the links beside it."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A text as a rule looks for it, with the reference's link: the evidence of a target."""

    text: str
    href: str | None = None


@dataclass(frozen=True)
class Reference:
    """One thing that a cell names: a text, and the link on it if there is one."""

    written: str
    """The text as written."""
    href: str | None = None

    @cached_property
    def text(self) -> str:
        """The text without decorations: what nearly all rules look for."""
        return strip_decorations(self.written)

    @property
    def wordings(self) -> tuple[str, ...]:
        """As written, then without decorations: a heading may hold what looks like one."""
        return (self.written, self.text) if self.written != self.text else (self.text,)

    @property
    def sought(self) -> Sought:
        """The text without decorations, as what a rule looks for."""
        return Sought(self.text, self.href)

    @cached_property
    def numbers(self) -> Numbers:
        """The numbers that the text names."""
        return reference_numbers(self.text)


@dataclass(frozen=True, slots=True)
class Cited:
    """A reference cell, read."""

    whole: Reference
    """All of its text."""
    links: tuple[Reference, ...]
    """The links by which it refers, those to one place as one; empty if it refers by words."""
    beside: tuple[Reference, ...]
    """What is written between and behind the links, if it is no talk."""
    parts: tuple[Reference, ...]
    """The text cut at marks, else at words for "and"; empty if that cuts nothing."""
    quoted: tuple[Reference, ...]
    """What stands in quotes in it."""
    joined: tuple[Reference, ...]
    """The text cut at words for "and" and "or" alone; empty if that cuts nothing."""
    placeholder: bool
    """Whether it says that there is no reference."""


def read_cell(pieces: Sequence[Piece], settings: Settings) -> Cited:
    """What a cell cites: the same for the same pieces, whatever article they stand in."""
    generic = compacted(settings.generic_texts)
    pieces = [_told(piece, generic) for piece in pieces]
    text = text_of(pieces)
    links = cell_links(pieces, generic)
    if links:
        return Cited(Reference(text), links, _beside(pieces), (), (), (), placeholder=False)
    return Cited(
        whole=Reference(text),
        links=(),
        beside=(),
        parts=_listed(parts_of(pieces)),
        quoted=_listed(quoted_parts(text)),
        joined=_listed(loose_parts(text)),
        placeholder=is_placeholder(text, settings.placeholders),
    )


def _told(piece: Piece, generic: Collection[str]) -> Piece:
    """A piece; of a link to the top of the page what it scrolls to, if its own text says less.

    ``[here](#:~:text=Batteries)`` is Batteries.
    """
    if piece.href is None or not leads_nowhere(piece.href) or compact(piece.text) not in generic:
        return piece
    return Piece(passage_of(piece.href) or piece.text)


def _listed(texts: Sequence[str]) -> tuple[Reference, ...]:
    return tuple(map(Reference, texts)) if len(texts) <= _MOST_PARTS else ()


def cell_links(pieces: Sequence[Piece], generic: Collection[str] = ()) -> tuple[Reference, ...]:
    """The links of a cell that lead anywhere, each as one reference.

    In prose with links the links explain words, all but those that only say "details" (``generic``,
    compact texts) or, where there are none, those of the last sentence ("… See A or B.").
    """
    texts: dict[str, list[str]] = {}
    for link in _meant(pieces, generic):
        texts.setdefault(link.href or "", []).append(link.text.rstrip())
    return tuple(Reference(squeeze("".join(parts)), href) for href, parts in texts.items())


def _meant(pieces: Sequence[Piece], generic: Collection[str]) -> list[Piece]:
    """The links that lead anywhere; of prose those that refer."""
    links = [piece for piece in pieces if _leads(piece)]
    outside = sum(len(piece.text) for piece in pieces if piece.href is None)
    if outside <= _PROSE:
        return links
    details = [link for link in links if compact(link.text) in generic]
    return details or _last_sentence(pieces) or links


def _leads(piece: Piece) -> bool:
    return piece.href is not None and not leads_nowhere(piece.href)


def _last_sentence(pieces: Sequence[Piece]) -> list[Piece]:
    """The links after the last sentence end outside of links that is not the cell's own end."""
    found: list[Piece] = []
    for piece in reversed(pieces):
        if piece.href is not None:
            if _leads(piece):
                found.append(piece)
        elif found and (piece.breaks or _SENTENCE_END.search(piece.text)):
            break
    return list(reversed(found))


def _beside(pieces: Sequence[Piece]) -> tuple[Reference, ...]:
    plain = [piece for piece in pieces if piece.href is None]
    text = text_of(plain)
    if len(text) > _TALK:
        return ()
    names = parts_of([*plain, Piece("", breaks=True)]) or (text,)
    return tuple(
        Reference(strip_decorations(name.strip(_AROUND))) for name in names if has_word(name)
    )
