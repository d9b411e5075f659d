"""Readers: each makes HTML of the files of one kind, and from there on all go the same way.

A reader is one module of this package that ends in ``READER = Reader(...)``; it is found here
without being named anywhere else. ``to_html`` is given the open file and yields a :class:`Leaf` for
every article in it. A file that is one article yields one leaf::

    def to_html(file: BinaryIO) -> Iterator[Leaf]:
        data = file.read()
        yield Leaf(render(data.decode()).encode(), source=data)


    READER = Reader("notes", (".note",), to_html)

A file that holds many (``many=True``: a web archive, a mailbox) yields each with the path that it
has inside: the article's path is then the file's, ``/`` and that one, and links between them work
as in a folder. Leaves may come in any order, but each path once.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import BinaryIO

from hayami.extras import Extra


@dataclass(frozen=True, slots=True)
class Leaf:
    """One article of a file, as HTML."""

    html: bytes
    source: bytes = b""
    """The bytes in the file that it was made of, if it is not they themselves."""
    inside: str = ""
    """Its path inside the file, with ``/`` and a suffix; empty if the file is the article."""
    addresses: tuple[str, ...] = ()
    """Where its writer says that it is published, relative to its folder, or from the root of the source with ``/``;
    the first is where it is, others lead there."""  # noqa: E501
    warnings: tuple[str, ...] = ()
    """What of it could not be read."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One kind of file."""

    name: str
    suffixes: tuple[str, ...]
    """What its files end in, in lower case, with the dot."""
    to_html: Callable[[BinaryIO], Iterator[Leaf]]
    """The articles of a file.

    Raises:
        HayamiError: the file is damaged; it is then rejected with the message as its reason.
    """
    many: bool = False
    """Whether a file holds many articles, whose ids then begin with its whole name."""
    extra: Extra | None = None
    """What is to be installed before ``to_html`` is called, beyond a plain installation."""


@cache
def readers() -> tuple[Reader, ...]:
    """All readers that there are, by name."""
    modules = (
        importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)
    )
    found: list[Reader] = [module.READER for module in modules]
    return tuple(sorted(found, key=lambda reader: reader.name))


@cache
def suffixes() -> tuple[str, ...]:
    """What the files end in that a build reads from folders."""
    return tuple(suffix for reader in readers() for suffix in reader.suffixes)


@cache
def other_suffixes() -> tuple[str, ...]:
    """The suffixes of files of one article each that pages of the web do not end in."""
    own = (reader for reader in readers() if not reader.many and reader.name != "html")
    return tuple(suffix for reader in own for suffix in reader.suffixes)


def reader_of(name: str) -> tuple[Reader, str] | None:
    """The reader of a file by its name, and the suffix that told it; None if no reader has it.

    The longest suffix tells. A name that is nothing but a suffix has none.
    """
    folded = name.rpartition("/")[2].lower()
    fitting = [
        (suffix, reader)
        for reader in readers()
        for suffix in reader.suffixes
        if folded.endswith(suffix) and folded != suffix
    ]
    if not fitting:
        return None
    suffix, reader = max(fitting, key=lambda pair: len(pair[0]))
    return reader, name[len(name) - len(suffix) :]
