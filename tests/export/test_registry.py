from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.errors import EvalSetError, OutputError
from hayami.export import EXPORTERS, Exported, Ids, Labels, export_set, find_exporter
from hayami.export.registry import refusal

Export = Callable[..., Exported]
every_format = pytest.mark.parametrize("name", EXPORTERS)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_formats_are_those_that_are_promised() -> None:
    assert set(EXPORTERS) == {
        *("trec", "beir", "hf", "parquet", "ir-datasets", "ranx"),
        *("llama-index", "ragas", "autorag", "promptfoo", "queries-json"),
    }


@every_format
def test_the_same_set_gives_the_same_bytes(source: Path, tmp_path: Path, name: str) -> None:
    one, other = (export_set(source, name, tmp_path / place) for place in ("one", "other"))
    assert contents(one.folder) == contents(other.folder)


@every_format
def test_the_manifest_names_every_file_with_its_hash_and_the_set_it_is_from(
    bakery_set: Path, export: Export, name: str
) -> None:
    exported = export(bakery_set, name)
    found = contents(exported.folder)
    manifest = json.loads(found.pop("export.json"))
    assert manifest["files"] == {
        path: hashlib.sha256(data).hexdigest() for path, data in found.items()
    }
    assert manifest["source"] == hayami.load(bakery_set).manifest.files
    assert manifest == exported.manifest.model_dump(mode="json")


@every_format
@pytest.mark.parametrize("labels", Labels)
def test_every_format_has_an_example_in_its_language(name: str, labels: Labels) -> None:
    chosen = EXPORTERS[name]
    example = chosen.filled(chosen.example, "out/x", "dev", labels)
    assert "out/x" in example
    if chosen.language == "python":
        compile(example, name, "exec")


@every_format
def test_a_format_with_grades_says_how_its_tools_take_them(name: str) -> None:
    chosen = EXPORTERS[name]
    if chosen.graded and name != "parquet":  # a table, which has no tools of its own
        told = chosen.filled(chosen.advice, "out/x", "dev", Labels.GRADED)
        assert "every grade above 0" in told
        assert "strict" in told


@every_format
def test_every_file_that_json_or_utf8_readers_open_is_theirs(
    source: Path, export: Export, name: str
) -> None:
    for path, data in contents(export(source, name).folder).items():
        if path.endswith(".parquet"):
            continue
        text = data.decode("utf-8")
        assert not text.startswith("\ufeff")
        if path.endswith(".jsonl"):
            assert len(text.splitlines()) == text.count("\n")
            assert all(isinstance(json.loads(line), dict) for line in text.splitlines())
        elif path.endswith(".json"):
            json.loads(text)


@every_format
@pytest.mark.parametrize("labels", Labels)
def test_the_manifest_counts_the_judgements_of_each_grade(
    bakery_set: Path, tmp_path: Path, name: str, labels: Labels
) -> None:
    if labels is Labels.GRADED and not EXPORTERS[name].graded:
        with pytest.raises(OutputError, match="has no grades"):
            export_set(bakery_set, name, tmp_path / "out", labels=labels)
        assert not (tmp_path / "out").exists()
        return
    grades = [
        int(line[-1])
        for line in (bakery_set / "qrels.txt").read_text(encoding="utf-8").split("\n")[:-1]
    ]
    expected = {
        Labels.GRADED: {"2": grades.count(2), "1": grades.count(1)},
        Labels.STRICT: {"2": grades.count(2)},
        Labels.ARTICLE: {"1": len(grades)},
    }
    manifest = export_set(bakery_set, name, tmp_path / "out", labels=labels).manifest
    assert (manifest.labels, manifest.judgements) == (labels, expected[labels])


@every_format
def test_a_set_without_queries_is_refused_by_every_format(
    without_queries: Path, tmp_path: Path, name: str
) -> None:
    with pytest.raises(OutputError, match="no queries"):
        export_set(without_queries, name, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@every_format
def test_safe_ids_come_with_a_table_of_what_they_were(
    wild: Path, tmp_path: Path, records: Callable[[Path, str], dict[str, object]], name: str
) -> None:
    folder = export_set(wild, name, tmp_path / "out", ids=Ids.SAFE).folder
    lines = map(json.loads, (folder / "ids.jsonl").read_text(encoding="utf-8").split("\n")[:-1])
    table = {(line["kind"], line["in_set"]): line["exported"] for line in lines}
    assert {old for kind, old in table if kind == "section"} == set(records(wild, "corpus.jsonl"))
    assert {old for kind, old in table if kind == "query"} == set(records(wild, "evalset.jsonl"))
    assert all(new.isascii() for new in table.values())
    assert len(set(table.values())) == len(table)


def test_a_folder_without_a_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvalSetError, match="not an eval set"):
        export_set(tmp_path, "trec", tmp_path / "out")


@pytest.mark.parametrize(
    ("name", "hint"), [("llama_index", "Did you mean llama-index?"), ("Beir", "Did you mean beir?")]
)
def test_a_format_that_is_nearly_right_is_proposed(name: str, hint: str) -> None:
    with pytest.raises(OutputError) as caught:
        find_exporter(name)
    assert caught.value.hint == hint


def test_an_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(OutputError) as caught:
        find_exporter("xlsx")
    assert all(name in caught.value.hint for name in EXPORTERS)


@pytest.mark.parametrize(
    ("name", "labels", "split", "says"),
    [
        ("ragas", Labels.GRADED, None, "has no grades"),
        ("trec", None, "dev", "has no splits"),
        ("hf", None, "de-v", "no name for a split"),
        ("beir", None, "../x", "no name for a split"),
        ("beir", None, "graded", "choose another name"),
        ("beir", Labels.GRADED, "strict", "choose another name"),
        ("hf", Labels.ARTICLE, "strict", "choose another name"),
        ("beir", None, "strict", ""),
        ("beir", Labels.STRICT, "strict", ""),
        ("hf", Labels.ARTICLE, "train", ""),
    ],
)
def test_what_a_format_cannot_express_is_refused_with_the_reason(
    name: str, labels: Labels | None, split: str | None, says: str
) -> None:
    reason = refusal(EXPORTERS[name], labels, split)
    assert says in reason
    assert bool(says) == bool(reason)


@pytest.mark.parametrize(
    ("name", "licence", "says"),
    [
        ("beir", "mit", "no place for a licence"),
        ("hf", "mit\nconfigs: x", "no identifier of a licence"),
        ("hf", "", ""),
        ("hf", "CC-BY-4.0", ""),
    ],
)
def test_a_licence_is_an_identifier_and_goes_where_there_is_a_place(
    name: str, licence: str, says: str
) -> None:
    reason = refusal(EXPORTERS[name], None, None, licence)
    assert says in reason
    assert bool(says) == bool(reason)


def test_an_export_knows_its_set(bakery_set: Path, export: Export) -> None:
    assert export(bakery_set, "trec").manifest.set_sha256 == hayami.load(bakery_set).sha256
