"""Parquet files: columns typed beforehand, and the same bytes for the same rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Final

from hayami.export.destination import ExportFolder

if TYPE_CHECKING:
    import pyarrow as pa

Row = Mapping[str, object]
_BATCH: Final = 5_000
"""Rows held in memory, and in one row group of the file."""
_TEXTS: Final = {"headings", "flags", "expected_keywords", "judges", "found"}
"""Columns that hold a list of texts."""
_WHOLE: Final = {"ordinal", "level", "table", "row", "grade", "same_article"}
_SHARE: Final = {"score"}


def columns(names: Iterable[str]) -> list[tuple[str, pa.DataType]]:
    """Columns of records with their types; a field that is nothing else is a text."""
    import pyarrow as pa

    found: list[tuple[str, pa.DataType]] = []
    for name in names:
        kind = pa.string()
        if name in _TEXTS:
            kind = pa.list_(pa.string())
        elif name in _WHOLE:
            kind = pa.int32()
        elif name in _SHARE:
            kind = pa.float64()
        found.append((name, kind))
    return found


def schema(names: Iterable[str]) -> pa.Schema:
    """The schema of a file of these columns."""
    import pyarrow as pa

    return pa.schema(columns(names))


def write_rows(folder: ExportFolder, name: str, schema: pa.Schema, rows: Iterable[Row]) -> None:
    """A new Parquet file of these rows; of no rows it still has the columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with folder.guard(), pq.ParquetWriter(folder.place(name), schema, compression="zstd") as writer:
        for batch in _batches(rows):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rest = iter(rows)
    while batch := list(islice(rest, _BATCH)):
        yield batch
