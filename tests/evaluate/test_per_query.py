"""The table of every query's values."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from hayami.errors import OutputError
from hayami.evalset.runs import Run
from hayami.evaluate.evaluation import Evaluation, evaluate_runs
from hayami.evaluate.judgements import Judgements, Topic
from hayami.evaluate.measures import parse_measures
from hayami.evaluate.per_query import write_per_query


@pytest.fixture
def small() -> Evaluation:
    topics = {
        "q1": Topic("=1+1?", "a", "ja", "exact", ("short", "duplicate")),
        "q2": Topic("改\n行, \u2028"),
    }
    judged = Judgements("x", {"q1": {"d": 2}, "q2": {"d": 1}}, topics)
    return evaluate_runs(
        judged, [Run("r", Path("r"), {"q1": {"d": 1.0}})], parse_measures(["RR(rel=2)@5 R@5"])
    )


def test_csv_has_a_line_for_each_query_and_an_empty_cell_where_nothing_is_defined(
    small: Evaluation, tmp_path: Path
) -> None:
    write_per_query(tmp_path / "a.csv", small, {"q1": 0.5})
    data = (tmp_path / "a.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    one, two = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert (one["qid"], one["query"], one["flags"], one["overlap"], one["first_rank"]) == (
        "q1", "'=1+1?", "short duplicate", "0.5", "1",
    )  # fmt: skip
    assert (one["RR(rel=2)@5"], one["R@5"]) == ("1.0", "1.0")
    assert (two["RR(rel=2)@5"], two["R@5"], two["query"]) == ("", "0.0", "改\n行, \u2028")


def test_jsonl_has_null_where_nothing_is_defined(small: Evaluation, tmp_path: Path) -> None:
    write_per_query(tmp_path / "a.JSONL", small, {})
    one, two = [
        json.loads(line) for line in (tmp_path / "a.JSONL").read_text(encoding="utf-8").splitlines()
    ]
    assert one["query"] == "=1+1?"
    assert one["values"] == {"RR(rel=2)@5": 1.0, "R@5": 1.0}
    assert two["values"] == {"RR(rel=2)@5": None, "R@5": 0.0}
    assert two["first_rank"] is None


def test_another_ending_is_refused(small: Evaluation, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="neither"):
        write_per_query(tmp_path / "a.txt", small, {})


def test_a_place_that_cannot_be_written_is_named(small: Evaluation, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot write"):
        write_per_query(tmp_path / "file" / "a.csv", small, {})
