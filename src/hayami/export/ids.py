"""Ids in exports: kept, or spelt in ASCII with a table of what became what."""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from typing import Final

_QUOTING: Final = '"#'
"""What some reader takes for a quoted field (csv) or a comment if an id begins with it."""
_DELETE: Final = "\x7f"
_UNSAFE: Final = re.compile("[^A-Za-z0-9-]")
_LONGEST: Final = 200
"""Characters of a safe id: engines take 250 to 512, and some put a prefix before it."""
_DIGITS: Final = 32
"""Hex digits of the hash that stands for the end of a long id: no two ids share them."""


class Ids(StrEnum):
    """What happens to the ids of queries and sections."""

    KEEP = "keep"
    SAFE = "safe"


def safe_id(name: str) -> str:
    """An id of nothing but ``A-Z a-z 0-9 _ -``, which search engines, files and addresses take.

    Every other byte of its UTF-8, and ``_`` itself, is ``_`` and two hex digits, so that different
    ids stay different. An id that would be longer than engines take is cut, and ends in digits of
    its hash.
    """
    safe = _UNSAFE.sub(_escaped, name)
    if len(safe) <= _LONGEST:
        return safe
    digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGITS]
    return f"{safe[: _LONGEST - _DIGITS - 2]}__{digest}"


def _escaped(found: re.Match[str]) -> str:
    return "".join(f"_{byte:02X}" for byte in found[0].encode())


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
