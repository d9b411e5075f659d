"""Where each label comes from, for formats that have no place for it: a file beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hayami.evalset.jsonl import record_line
from hayami.export.bundle import Bundle

PROVENANCE: Final = "provenance.jsonl"


def provenance_lines(bundle: Bundle) -> Iterator[str]:
    """The queries with all their evidence as in ``evalset.jsonl``, under the ids of the export."""
    return map(record_line, bundle.queries)
