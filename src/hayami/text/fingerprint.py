"""A text in 180 characters: enough to tell whether another text is the same, but for edits."""

from __future__ import annotations

import base64
import hashlib
import zlib
from typing import Final

from hayami.text.fold import compact

SHINGLE: Final = 5
"""Characters of a piece of text: an edit of one character changes five pieces."""
BUCKETS: Final = 128
"""Pieces that a fingerprint keeps: a likeness of a half is off by 0.04 in two cases of three."""
_DIGEST: Final = 6
"""Bytes by which equal texts are known for certain: two others have them in one of 10^14 cases."""
_BUCKET_BITS: Final = BUCKETS.bit_length() - 1
_MIXER: Final = 0x9E3779B1
"""Spreads the bits of a checksum, whose upper bits alone are no hash (Knuth's multiplier)."""
_WORD: Final = 0xFFFFFFFF
_ALMOST: Final = 0.99
"""Likeness of texts whose pieces are all alike, but that are not the same."""


def fingerprint(text: str) -> str:
    """The fingerprint of a text, as ASCII; width, case and white space do not matter.

    One permutation hashing: the pieces fall into buckets by their hash, and of each bucket eight
    bits of the smallest hash are kept. The share of equal buckets estimates the share of common
    pieces.

    Source: Broder 1997 (resemblance of documents); Li, Owen and Zhang 2012 (one permutation
        hashing); Li and König 2010 (few bits of each).
    """
    bare = compact(text)
    smallest = [0] * BUCKETS
    for piece in _pieces(bare):
        checksum = zlib.crc32(piece)
        mixed = (checksum ^ (checksum >> 15)) * _MIXER & _WORD
        mixed ^= mixed >> 13
        bucket, kept = mixed & (BUCKETS - 1), (mixed >> _BUCKET_BITS) + 1
        if not smallest[bucket] or kept < smallest[bucket]:
            smallest[bucket] = kept
    sketch = bytes(kept and 1 + kept % 255 for kept in smallest)
    digest = hashlib.sha256(bare.encode("utf-8", "surrogatepass")).digest()[:_DIGEST]
    return base64.urlsafe_b64encode(digest + sketch).decode("ascii")


def _pieces(bare: str) -> set[bytes]:
    """The pieces of a text, each once; a text shorter than a piece is one, an empty text none."""
    width = 4  # bytes of a character in UTF-32
    data = bare.encode("utf-32-le", "surrogatepass")
    last = max(1, len(data) - SHINGLE * width + 1)
    return {data[begin : begin + SHINGLE * width] for begin in range(0, last, width)} - {b""}


def likeness(one: str, other: str) -> float:
    """How much two texts have in common, by their fingerprints: 0 to 1, and 1 for equal texts only.

    An estimate of the share of common pieces among all pieces of both; below 1 for different texts
    whatever they have in common.
    """
    if one == other:
        return 1.0
    first, second = _sketch(one), _sketch(other)
    apart = int.from_bytes(first, "big") ^ int.from_bytes(second, "big")
    alike = apart.to_bytes(BUCKETS, "big").count(0)
    either = int.from_bytes(first, "big") | int.from_bytes(second, "big")
    empty = either.to_bytes(BUCKETS, "big").count(0)
    if empty == BUCKETS:
        return 0.0
    return min(_ALMOST, (alike - empty) / (BUCKETS - empty))


def is_fingerprint(text: str) -> bool:
    """Whether a text has the form of a fingerprint."""
    try:
        return len(base64.urlsafe_b64decode(text)) == _DIGEST + BUCKETS
    except ValueError:
        return False


def _sketch(fingerprinted: str) -> bytes:
    return base64.urlsafe_b64decode(fingerprinted)[_DIGEST:]
