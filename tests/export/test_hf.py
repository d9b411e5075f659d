from __future__ import annotations

import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hayami.export import Exported, Labels, export_set

Export = Callable[..., Exported]
Grades = Callable[[Path], dict[str, dict[str, int]]]
Records = Callable[[Path, str], dict[str, dict[str, object]]]
Load = Callable[..., list[dict[str, Any]]]

pytestmark = pytest.mark.filterwarnings("ignore")  # of datasets and what it depends on


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[types.ModuleType]:
    """The package, with a cache of the test's own and no network."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hf")))
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_DATASETS_DISABLE_PROGRESS_BARS", "1")
        import datasets

        patch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.mktemp("cache"))
        yield datasets


@pytest.fixture
def load(datasets: types.ModuleType) -> Load:
    """Loads one configuration as rows."""

    def rows(folder: Path, config: str, split: str = "test") -> list[dict[str, Any]]:
        return list(datasets.load_dataset(str(folder), config, split=split))

    return rows


def grades(rows: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        found.setdefault(str(row["query-id"]), {})[str(row["corpus-id"])] = int(str(row["score"]))
    assert sum(map(len, found.values())) == len(rows)
    return found


def test_datasets_loads_every_judgement_and_text(
    load: Load, export: Export, source: Path, truth: Any
) -> None:
    folder = export(source, "hf").folder
    assert grades(load(folder, "default")) == truth.graded
    for config in ("strict", "strict-qrels"):
        assert grades(load(folder, config)) == truth.targets
    for config in ("corpus", "strict-corpus"):
        assert {row["_id"]: row["text"] for row in load(folder, config)} == truth.texts()
    for config in ("queries", "strict-queries"):
        assert {row["_id"]: row["text"] for row in load(folder, config)} == truth.questions()


def test_the_evidence_is_a_configuration_of_its_own(
    load: Load, export: Export, wild: Path, records: Records
) -> None:
    folder = export(wild, "hf").folder
    queries = records(wild, "evalset.jsonl")
    rows = load(folder, "provenance")
    assert [row["query-id"] for row in rows] == list(queries)
    for row in rows:
        query: dict[str, Any] = queries[str(row["query-id"])]
        for name in (
            "match",
            "flags",
            "answer",
            "article",
            "topic",
            "source",
            "origins",
            "verdicts",
        ):
            assert row[name] == query[name]
        assert [target["section"] for target in row["targets"]] == [
            target["section"] for target in query["targets"]
        ]
    sections = records(wild, "corpus.jsonl")
    assert [row["path"] for row in load(folder, "sections")] == [
        one["path"] for one in sections.values()
    ]


def test_no_configuration_is_called_what_mteb_takes_for_its_queries(
    datasets: types.ModuleType, export: Export, wild: Path
) -> None:
    names = set(datasets.get_dataset_config_names(str(export(wild, "hf").folder)))
    assert {"default", "corpus", "queries", "strict", "provenance", "sections"} <= names
    assert not names & {"query", "qrels", "top_ranked", "instruction"}


def test_a_newer_export_in_the_same_place_is_not_read_from_the_cache(
    load: Load, small: dict[str, Path], tmp_path: Path, graded: Grades
) -> None:
    for name in ("sample", "wild", "sample"):
        folder = export_set(small[name], "hf", tmp_path / "out").folder
        assert grades(load(folder, "default")) == graded(small[name])


def test_the_split_has_its_name_in_every_configuration(
    load: Load, export: Export, wild: Path, targets: Grades
) -> None:
    folder = export(wild, "hf", split="dev", labels=Labels.STRICT).folder
    assert grades(load(folder, "default", "dev")) == targets(wild)
    assert len(load(folder, "corpus", "dev")) == 6
    assert not (folder / "strict").exists()


def test_the_card_names_the_languages_and_the_size(export: Export, small: dict[str, Path]) -> None:
    card = (export(small["sample"], "hf").folder / "README.md").read_text(encoding="utf-8")
    assert "language:\n- en\n- ja\n- ko\n- zh\n" in card
    assert "206 questions" in card
