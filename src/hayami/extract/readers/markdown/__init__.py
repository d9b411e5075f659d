"""Markdown files: each is an article, rendered to HTML and then read as any page is.

What writers use beyond CommonMark is read as the usual generators do, so that the same text is
found as in the pages that they build. What a generator alone can know (included files, variables,
components) is not text: it is left out, and included files are named in a warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import PurePath
from typing import BinaryIO, Final

from hayami.extract.decode import decode
from hayami.extract.readers import Leaf, Reader
from hayami.extras import MARKDOWN

_SHOWN: Final = 5
"""Included files that a warning names; the others are counted."""


def to_html(file: BinaryIO) -> Iterator[Leaf]:
    """The file as one page.

    What is no text at all is given as it is: whoever reads pages says why.
    """
    data = file.read()
    text, warnings = _decoded(data)
    if not text.strip() or "\0" in text[:1024]:
        yield Leaf(data)
        return
    from hayami.extract.readers.markdown.flavours import render
    from hayami.extract.readers.markdown.front import read_front

    front, body = read_front(text)
    rendered = render(body, jsx=PurePath(file.name).suffix.lower() == ".mdx")
    warnings += front.warnings
    if rendered.includes:
        warnings.append(_not_included(rendered.includes))
    if rendered.too_deep:
        warnings.append("nesting: what stands deeper than 100 levels was not read")
    if rendered.too_long:
        warnings.append("markdown: a paragraph too long to be parsed was read as plain text")
    language = f' lang="{escape(front.language)}"' if front.language else ""
    title = f"<title>{escape(front.title)}</title>" if front.title else ""
    page = (
        f'<!DOCTYPE html><html{language}><head><meta charset="utf-8">{title}</head>\n'
        f"<body><article>\n{rendered.html}</article></body></html>\n"
    )
    encoded = page.encode("utf-8", "replace")
    yield Leaf(encoded, data, addresses=front.addresses, warnings=tuple(warnings))


def _decoded(data: bytes) -> tuple[str, list[str]]:
    """The text of a file, and warnings about its encoding.

    UTF-8 is tried first: HTML that is quoted in it may declare anything.
    """
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        decoded = decode(data)
    return (decoded.text, list(decoded.warnings)) if decoded is not None else ("", [])


def _not_included(names: list[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"includes: not read as part of the page: {shown}{more}"


READER: Final = Reader(
    "markdown", (".md", ".mdx", ".markdown", ".html.md"), to_html, extra=MARKDOWN
)
