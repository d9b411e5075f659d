"""Ids in exports: kept, or spelt in ASCII with a table of what became what."""

from __future__ import annotations

from enum import StrEnum
from typing import Final
from urllib.parse import quote

_QUOTING: Final = '"#'
"""What some reader takes for a quoted field (csv) or a comment if an id begins with it."""
_DELETE: Final = "\x7f"


class Ids(StrEnum):
    """What happens to the ids of queries and sections."""

    KEEP = "keep"
    SAFE = "safe"


def ascii_id(name: str) -> str:
    """An id in printable ASCII without white space.

    What does not fit is percent-encoded as UTF-8 (RFC 3986).
    Different ids stay different, since ``%`` itself is encoded; ``urllib.parse.unquote`` gives the
    id back. What an id may not begin with is encoded there too.
    """
    encoded = quote(name, safe="/#")
    return "%23" + encoded[1:] if encoded.startswith("#") else encoded


def unfit(name: str, *, plain: bool) -> str:
    """Why an id cannot stand in an export, or an empty text.

    Args:
        name: the id.
        plain: whether the format is lines of fields that nothing quotes: TREC and TSV files.
    """
    if not name:
        return "is empty"
    if not plain:
        return ""
    if name.split() != [name]:
        return "holds white space"
    if any(c < " " or c == _DELETE for c in name):
        return "holds a control character"
    if name[0] in _QUOTING:
        return f"begins with {name[0]}"
    return ""
