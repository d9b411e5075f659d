from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hayami.errors import OutputError
from hayami.export import Exported

Export = Callable[..., Exported]
Grades = Callable[[Path], dict[str, dict[str, int]]]
Records = Callable[[Path, str], dict[str, dict[str, object]]]


def rows(exported: Exported, name: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = pq.read_table(exported.folder / name).to_pylist()
    return found


def test_the_questions_have_their_sections_as_one_group(
    export: Export, source: Path, targets: Grades, records: Records
) -> None:
    found = rows(export(source, "autorag"), "qa.parquet")
    queries = records(source, "evalset.jsonl")
    assert {row["qid"]: row["retrieval_gt"] for row in found} == {
        qid: [sorted(sections)] for qid, sections in targets(source).items()
    }
    for row in found:
        query = queries[str(row["qid"])]
        assert row["generation_gt"] == [query["answer"]] * bool(query["answer"])
        assert [row[name] for name in ("query", "match", "flags", "source")] == [
            query[name] for name in ("query", "match", "flags", "source")
        ]


def test_the_sections_have_contents_and_their_neighbours_in_the_article(
    export: Export, source: Path, records: Records
) -> None:
    found = rows(export(source, "autorag"), "corpus.parquet")
    sections = records(source, "corpus.jsonl")
    order = list(sections)
    assert [row["doc_id"] for row in found] == order
    for place, row in enumerate(found):
        metadata, section = row["metadata"], sections[order[place]]
        assert isinstance(metadata, dict)
        assert str(row["contents"]).strip()
        assert str(row["contents"]).endswith(str(section["text"]))
        before = [key for key in order[:place] if sections[key]["article"] == section["article"]]
        after = [
            key for key in order[place + 1 :] if sections[key]["article"] == section["article"]
        ]
        assert metadata["prev_id"] == (before[-1] if before else None)
        assert metadata["next_id"] == (after[0] if after else None)
        assert metadata["last_modified_datetime"] == dt.datetime(1970, 1, 1)  # noqa: DTZ001


def test_what_is_made_up_or_missing_is_said(export: Export, wild: Path) -> None:
    notes = export(wild, "autorag").manifest.notes
    assert [note.split(" ")[1] for note in notes] == ["last_modified_datetime", "generation_gt"]


def test_a_section_without_any_text_is_refused_since_autorag_drops_it(
    changed: Callable[..., Path], export: Export
) -> None:
    def emptied(text: str) -> str:
        return text.replace('"title":"酵母の種類"', '"title":""').replace(
            '"heading":"2つの酵母の違い"', '"heading":" "'
        )

    folder = changed("corpus.jsonl", emptied)
    changed("corpus.jsonl", lambda text: text.replace("2つの酵母の違いについて書いた段落。", ""))
    with pytest.raises(OutputError, match="drops documents without contents"):
        export(folder, "autorag")
