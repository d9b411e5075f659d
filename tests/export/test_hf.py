from __future__ import annotations

import json
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import hayami
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
    assert grades(load(folder, "default")) == truth.targets
    for config in ("graded", "graded-qrels"):
        assert grades(load(folder, config)) == truth.graded
    for config in ("corpus", "graded-corpus"):
        assert {row["_id"]: row["text"] for row in load(folder, config)} == truth.texts()
    for config in ("queries", "graded-queries"):
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
    assert {"default", "corpus", "queries", "graded", "provenance", "sections"} <= names
    assert not names & {"query", "qrels", "top_ranked", "instruction"}


def test_a_newer_export_in_the_same_place_is_not_read_from_the_cache(
    load: Load, small: dict[str, Path], tmp_path: Path, targets: Grades
) -> None:
    for name in ("sample", "wild", "sample"):
        folder = export_set(small[name], "hf", tmp_path / "out").folder
        assert grades(load(folder, "default")) == targets(small[name])


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


def test_the_card_says_what_may_be_done_with_it_and_where_it_comes_from(
    bakery_set: Path, tmp_path: Path
) -> None:
    stated = export_set(bakery_set, "hf", tmp_path / "a", licence="cc-by-4.0")
    card = (stated.folder / "README.md").read_text(encoding="utf-8")
    assert "\nlicense: cc-by-4.0\n" in card
    manifest = hayami.load(bakery_set).manifest
    assert f"Articles: `{manifest.sources[0]}`." in card
    assert hayami.load(bakery_set).sha256 in card
    assert "Licence of the articles: cc-by-4.0." in card
    unstated = export_set(bakery_set, "hf", tmp_path / "b")
    assert "\nlicense: unknown\n" in (unstated.folder / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("labels", "config"), [(None, "default"), (Labels.GRADED, "strict"), (Labels.STRICT, "default")]
)
def test_the_card_says_which_judgements_mteb_is_to_measure_with(
    bakery_set: Path, export: Export, labels: Labels | None, config: str
) -> None:
    card = (export(bakery_set, "hf", labels=labels).folder / "README.md").read_text(
        encoding="utf-8"
    )
    assert f"measure with `{config}`" in card


def test_croissant_names_every_table_with_its_hash(bakery_set: Path, export: Export) -> None:
    exported = export(bakery_set, "hf")
    told = json.loads((exported.folder / "croissant.json").read_text(encoding="utf-8"))
    files = {one["contentUrl"]: one["sha256"] for one in told["distribution"]}
    assert files.items() <= exported.manifest.files.items()
    assert [one["@id"] for one in told["recordSet"]] == ["corpus", "queries", "qrels", "graded"]
    for records in told["recordSet"]:
        path = next(path for path in files if path.startswith(f"{records['@id']}/"))
        columns = [one["source"]["extract"]["column"] for one in records["field"]]
        assert columns == pq.read_table(exported.folder / path).column_names
