"""The examples of tests/cases that are about what other tools trip over, as exports."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import hayami
from hayami.export import EXPORTERS, Exported

CASES = Path(__file__).parent.parent / "cases"
Export = Callable[..., Exported]
every_format = pytest.mark.parametrize("name", EXPORTERS)


def built(case: str, tmp_path: Path) -> Path:
    return hayami.build([CASES / case / "input.html"], tmp_path / "set").folder


def corpus_texts(folder: Path) -> list[str]:
    """Every text that a search system would be given, whatever the format."""
    found: list[str] = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.name in {"corpus.jsonl", "docs.jsonl"}:
            found += [
                json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()
            ]
        elif path.name == "docs.tsv":
            found += path.read_text(encoding="utf-8").splitlines()
        elif path.name == "qa_dataset.json":
            found += json.loads(path.read_bytes())["corpus"].values()
        elif path.name == "testset.jsonl":
            rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            found += [text for row in rows for text in row["reference_contexts"]]
        elif path.name == "corpus.parquet":
            table = pq.read_table(path)
            found += table["contents" if "contents" in table.column_names else "text"].to_pylist()
        elif path.parent.name == "corpus":
            found += pq.read_table(path)["text"].to_pylist()
    return found


@every_format
def test_the_table_that_asks_the_questions_is_in_no_text_to_search(
    export: Export, tmp_path: Path, name: str
) -> None:
    texts = corpus_texts(export(built("h01", tmp_path), name).folder)
    assert bool(texts) == (name not in {"ranx", "queries-json", "promptfoo"})
    for said_in_the_table in ("転出届はいつ出しますか", "一週間前に連絡"):
        assert not any(said_in_the_table in text for text in texts)
    if name not in {"ragas", "ranx", "queries-json", "promptfoo"}:
        assert any("まずはここを見てください。" in text for text in texts)


@every_format
@pytest.mark.parametrize("case", ["o01", "o05"])
def test_separators_and_emoji_make_no_line_and_lose_no_line(
    export: Export, tmp_path: Path, name: str, case: str
) -> None:
    exported = export(built(case, tmp_path), name)
    for path in exported.manifest.files:
        if not path.endswith(".parquet"):
            text = (exported.folder / path).read_bytes().decode()
            assert len(text.splitlines()) == text.count("\n")
    assert exported.manifest.queries == 1


def test_a_line_of_qrels_has_four_fields_whatever_the_file_was_called(
    export: Export, tmp_path: Path
) -> None:
    page = (CASES / "h01" / "input.html").read_text(encoding="utf-8")
    (tmp_path / "pages").mkdir()
    for name in ("city guide.html", "市 街\u3000図.html", '"x" #1.html'):
        (tmp_path / "pages" / name).write_text(page, encoding="utf-8")
    folder = export(hayami.build([tmp_path / "pages"], tmp_path / "set").folder, "trec").folder
    lines = (folder / "qrels.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2 * 9
    assert {len(line.split()) for line in lines} == {4}
    assert {
        len(line.split("\t"))
        for line in (folder / "docs.tsv").read_text(encoding="utf-8").splitlines()
    } == {2}
