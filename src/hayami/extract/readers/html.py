"""HTML files: each is an article as it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from hayami.extract.readers import Leaf, Reader


def to_html(file: BinaryIO) -> Iterator[Leaf]:
    """The file itself."""
    yield Leaf(file.read())


READER: Final = Reader("html", (".html", ".htm", ".xhtml"), to_html)
