from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import hayami.ir_datasets
from hayami.errors import OutputError
from hayami.export import Exported, Labels, export_set

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of what it depends on
    import ir_datasets

Export = Callable[..., Exported]
Grades = Callable[[Path], dict[str, dict[str, int]]]
Records = Callable[[Path, str], dict[str, dict[str, object]]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the test's own for what ir_datasets builds; names go again."""
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))
    before = dict(ir_datasets.registry._registered)  # noqa: SLF001
    yield tmp_path / "home"
    ir_datasets.registry._registered = before  # noqa: SLF001


def test_a_registered_export_gives_every_judgement_text_and_its_evidence(
    export: Export, source: Path, graded: Grades, records: Records
) -> None:
    returned = hayami.ir_datasets.register(export(source, "ir-datasets").folder, "local/set")
    dataset = ir_datasets.load("local/set")
    assert returned is dataset
    assert dataset.qrels_dict() == graded(source)
    sections, queries = records(source, "corpus.jsonl"), records(source, "evalset.jsonl")
    docs = list(dataset.docs_iter())
    assert [doc.doc_id for doc in docs] == list(sections)
    for doc in docs:
        for name in ("title", "heading", "text", "article", "ordinal", "anchor", "path"):
            assert getattr(doc, name) == sections[doc.doc_id][name]
    found = list(dataset.queries_iter())
    assert [query.query_id for query in found] == list(queries)
    for query in found:
        assert query.text == query.default_text() == queries[query.query_id]["query"]
        for name in (
            "answer",
            "match",
            "flags",
            "article",
            "topic",
            "source",
            "targets",
            "origins",
        ):
            assert getattr(query, name) == queries[query.query_id][name]


def test_the_strict_judgements_have_a_name_of_their_own(
    export: Export, source: Path, targets: Grades
) -> None:
    hayami.ir_datasets.register(export(source, "ir-datasets").folder, "local/set")
    assert ir_datasets.load("local/set/strict").qrels_dict() == targets(source)


def test_an_export_that_is_strict_has_one_name(export: Export, wild: Path, targets: Grades) -> None:
    dataset = hayami.ir_datasets.register(
        export(wild, "ir-datasets", labels=Labels.STRICT).folder, "local/set"
    )
    assert dataset.qrels_dict() == targets(wild)
    with pytest.raises(KeyError):
        ir_datasets.load("local/set/strict")


def test_a_document_is_looked_up_by_its_id(
    export: Export, wild: Path, records: Records, home: Path
) -> None:
    folder = export(wild, "ir-datasets").folder
    store = hayami.ir_datasets.register(folder, "local/set").docs_store()
    for key, section in records(wild, "corpus.jsonl").items():
        assert store.get(key).text == section["text"]
        assert store.get(key).default_text().startswith(str(section["title"]))
    assert list(home.rglob("*.pklz4"))
    assert not list(folder.rglob("*.pklz4"))


def test_a_newer_export_is_seen_after_registering_it_again(
    small: dict[str, Path], tmp_path: Path
) -> None:
    for name in ("wild", "sample"):
        folder = export_set(small[name], "ir-datasets", tmp_path / "out").folder
        dataset = hayami.ir_datasets.register(folder, "local/set")
        dataset.docs_store().build()
        first = next(iter(dataset.docs_iter()))
        assert first.doc_id in {
            line.split(" ")[2]
            for line in (folder / "qrels.txt").read_text("utf-8").split("\n")[:-1]
        }


def test_a_name_that_another_dataset_has_is_refused(
    export: Export, wild: Path, tmp_path: Path
) -> None:
    folder = export(wild, "ir-datasets").folder
    hayami.ir_datasets.register(folder, "local/set")
    other = Path(shutil.copytree(folder, tmp_path / "other"))
    for name in ("local/set", "vaswani"):
        with pytest.raises(OutputError, match="is taken in ir_datasets"):
            hayami.ir_datasets.register(other, name)


def test_what_is_no_such_export_is_refused_with_the_command(
    export: Export, wild: Path, tmp_path: Path
) -> None:
    for folder in (wild, tmp_path / "nowhere", export(wild, "trec").folder):
        with pytest.raises(OutputError) as caught:
            hayami.ir_datasets.register(folder, "local/set")
        assert "hayami export ir-datasets SET" in caught.value.hint


def test_what_the_grades_mean_comes_along(export: Export, wild: Path, tmp_path: Path) -> None:
    graded = hayami.ir_datasets.register(export(wild, "ir-datasets").folder, "local/graded")
    assert set(graded.qrels_defs()) == {1, 2}
    folder = export_set(wild, "ir-datasets", tmp_path / "article", labels=Labels.ARTICLE).folder
    assert set(hayami.ir_datasets.register(folder, "local/article").qrels_defs()) == {1}


@pytest.mark.parametrize(
    "digest", ["../../../../tmp/evil", "0" * 63, "0" * 65, "G" * 64, "", "0" * 64 + "\n"]
)
def test_a_hash_that_is_none_becomes_no_path(export: Export, source: Path, digest: str) -> None:
    folder = export(source, "ir-datasets").folder
    path = folder / "export.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["files"]["docs.jsonl"] = digest
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(OutputError, match="not an ir-datasets export"):
        hayami.ir_datasets.register(folder, "test/evil")


@pytest.mark.parametrize("name", ["/etc/passwd", "../x", "a/../../x", "a\\b", "C:x", "", "a//b"])
def test_a_name_that_leads_out_of_the_folder_is_no_file_of_it(
    export: Export, source: Path, name: str
) -> None:
    folder = export(source, "ir-datasets").folder
    path = folder / "export.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["files"][name] = "0" * 64
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(OutputError, match="not an ir-datasets export"):
        hayami.ir_datasets.register(folder, "test/evil")


@pytest.mark.parametrize("name", ["docs.jsonl", "queries.jsonl", "qrels.txt"])
def test_a_file_that_was_changed_is_not_registered(export: Export, source: Path, name: str) -> None:
    folder = export(source, "ir-datasets").folder
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    with pytest.raises(OutputError, match="is not the file that was exported") as caught:
        hayami.ir_datasets.register(folder, "test/changed")
    assert caught.value.where == str(folder.resolve() / name)
