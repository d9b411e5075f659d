from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from hayami.export import Exported

Export = Callable[..., Exported]
Records = Callable[[Path, str], dict[str, dict[str, object]]]


def test_every_judgement_is_a_row_and_a_target_has_its_evidence(
    export: Export, source: Path, truth: Any
) -> None:
    folder = export(source, "parquet").folder
    rows = pq.read_table(folder / "judgements.parquet").to_pylist()
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        found.setdefault(row["qid"], {})[row["section"]] = row["grade"]
        assert (row["match"] is None) == (row["grade"] == 1)
        assert (row["score"] is None) == (row["grade"] == 1)
    assert found == truth.graded
    assert len(rows) == sum(map(len, truth.graded.values()))


def test_queries_and_sections_are_tables_of_their_own(
    export: Export, source: Path, records: Records
) -> None:
    folder = export(source, "parquet").folder
    for name, file, key in (
        ("queries", "evalset.jsonl", "qid"),
        ("corpus", "corpus.jsonl", "id"),
    ):
        rows = pq.read_table(folder / f"{name}.parquet").to_pylist()
        whole = records(source, file)
        assert [row[key] for row in rows] == list(whole)
        for row in rows:
            assert row.items() <= whole[row[key]].items()


def test_no_column_is_keyed_by_ids(export: Export, source: Path) -> None:
    folder = export(source, "parquet").folder
    for path in folder.glob("*.parquet"):
        for field in pq.read_schema(path):
            assert str(field.type) in {"string", "int32", "double", "list<element: string>"}
