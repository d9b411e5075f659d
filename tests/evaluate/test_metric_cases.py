"""Faults that evaluation tools have had, each with a small file, and two worked examples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hayami.errors import QrelsError
from hayami.evalset.runs import Run, read_run
from hayami.evaluate.document import as_document
from hayami.evaluate.evaluation import Evaluation, evaluate_runs
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.measures import mean, parse_measures, score_run
from hayami.evaluate.policies import study_run, warnings_of
from hayami.evaluate.qrels import read_qrels


def measured(cases: Path, name: str, names: str, *, run: str = "run") -> dict[str, float | None]:
    qrels = next(cases.glob(f"{name}-qrels*"))
    measures = parse_measures([names])
    scores = score_run(read_qrels(qrels), read_run(cases / f"{name}-{run}"), measures)
    return {measure.name: mean(one) for measure, one in zip(measures, scores, strict=True)}


def test_ties_are_broken_by_id_descending_and_the_rank_column_is_ignored(cases: Path) -> None:
    found = measured(cases, "k01", "R@1 nDCG@1 RR nDCG")
    assert found == pytest.approx(
        {"R@1": 0.25, "nDCG@1": 0.5, "RR": 0.75, "nDCG": 0.7906}, abs=1e-4
    )
    run = read_run(cases / "k01-run")
    assert [run.ranking("q1"), run.ranking("q2")] == [["c", "b"], ["d9", "d8", "d10"]]
    assert any(
        "ties in 2 queries" in line
        for line in warnings_of(study_run(read_qrels(cases / "k01-qrels"), run, 10))
    )


def test_the_mean_is_over_judged_queries_with_a_relevant_document(cases: Path) -> None:
    found = measured(cases, "k03", "R@2 nDCG@2 RR nDCG")
    assert found == pytest.approx(
        {"R@2": 0.25, "nDCG@2": 0.3801, "RR": 0.5, "nDCG": 0.4751}, abs=1e-4
    )
    facts = study_run(read_qrels(cases / "k03-qrels"), read_run(cases / "k03-run"), 2)
    assert (facts.queries, facts.missing, facts.extra, facts.no_relevant) == (
        3,
        ("q2",),
        ("q4",),
        ("q3",),
    )


def test_a_run_with_no_query_in_common_is_warned_about_and_counts_nought(cases: Path) -> None:
    found = measured(cases, "k03", "R@2 RR nDCG", run="disjoint.run")
    assert found == {"R@2": 0.0, "RR": 0.0, "nDCG": 0.0}
    facts = study_run(read_qrels(cases / "k03-qrels"), read_run(cases / "k03-disjoint.run"), 2)
    assert [line for line in warnings_of(facts) if "no query in common" in line]


def test_negative_grades_have_no_gain(cases: Path) -> None:
    linear = measured(cases, "k05", "R@3 nDCG@3 RR nDCG nDCG@10")
    assert linear == pytest.approx(
        {"R@3": 0.5, "nDCG@3": 0.5317, "RR": 1.0, "nDCG": 0.477, "nDCG@10": 0.477}, abs=1e-4
    )
    exponential = measured(cases, "k05", "nDCG(dcg='exp-log2')@3 nDCG(dcg='exp-log2')@10")
    assert list(exponential.values()) == pytest.approx([0.4636, 0.4293], abs=1e-4)


def test_a_document_id_with_a_blank_is_refused_with_its_line(cases: Path) -> None:
    with pytest.raises(QrelsError, match=r"q01-qrels:3: 5 fields instead of 4"):
        read_qrels(cases / "q01-qrels")


def test_a_mark_at_the_beginning_and_crlf_are_no_data(cases: Path) -> None:
    assert read_qrels(cases / "q03-qrels.tsv").qrels == {"q1": {"d1": 2, "d2": 1}, "q2": {"d3": 2}}
    assert set(measured(cases, "q03", "R@10 RR nDCG@10").values()) == {1.0}


def test_ids_are_texts(cases: Path) -> None:
    assert read_qrels(cases / "q05-qrels").qrels == {
        "q1": {"0012": 2, "12": 0, "1e3": 1, "1000": 0},
        "0001": {"NA": 2, "null": 1},
        "1": {"True": 1},
    }
    found = measured(cases, "q05", "R@1 nDCG@1 R@3 nDCG@3 RR nDCG")
    assert list(found.values()) == pytest.approx(
        [0.3333, 0.5, 0.6667, 0.6033, 0.6667, 0.6033], abs=1e-4
    )


# --- macro and pooled recall ----------------------------------------------------------------------

GOLD = {"q1": ["D1", "D2", "D3"], "q2": ["D4"], "q3": ["D5", "D6"], "q4": []}
RANKED = {
    "q1": ["D7", "D1", "D8", "D2", "D3"],
    "q2": ["D8", "D7", "D4", "D9", "D1"],
    "q3": ["D9", "D8", "D7", "D6", "D5"],
    "q4": ["D1", "D2", "D3"],
}


def summary(
    gold: dict[str, list[str]], ranked: dict[str, list[str]], k: int
) -> dict[str, float | None]:
    """What the document says of a run, rounded as the example is."""
    judged = Judgements("x", {qid: dict.fromkeys(docs, 1) for qid, docs in gold.items()})
    run = Run(
        "r",
        Path("r"),
        {qid: {d: -float(i) for i, d in enumerate(docs)} for qid, docs in ranked.items() if docs},
    )
    evaluation: Evaluation = evaluate_runs(judged, [run], parse_measures([f"R@{k} RR@{k}"]))
    (document,) = json.loads(json.dumps(as_document(evaluation)))["runs"]
    recall, rr = (figure["mean"] for figure in document["figures"])
    pooled = document["pooled_recall"][f"R@{k}"]
    numbers = {"mean_recall": recall, "mrr": rr, "pooled_recall": pooled}
    rounded = {name: value if value is None else round(value, 6) for name, value in numbers.items()}
    return {"evaluated": document["evaluated"], "excluded": document["excluded"], **rounded}


@pytest.mark.parametrize(
    ("k", "recall", "rr", "pooled"), [(3, 0.444444, 0.277778, 0.333333), (5, 1.0, 0.361111, 1.0)]
)
def test_macro_and_pooled_recall_differ_where_queries_have_several_answers(
    k: int, recall: float, rr: float, pooled: float
) -> None:
    expected = {"mean_recall": recall, "mrr": rr, "pooled_recall": pooled}
    assert summary(GOLD, RANKED, k) == {"evaluated": 3, "excluded": ["q4"], **expected}


def test_a_query_without_a_result_counts_nought() -> None:
    expected = {
        "evaluated": 1,
        "excluded": [],
        "mean_recall": 0.0,
        "mrr": 0.0,
        "pooled_recall": 0.0,
    }
    assert summary({"missing": ["D1"]}, {"missing": []}, 3) == expected


def test_no_query_with_an_answer_has_no_mean() -> None:
    expected = {
        "evaluated": 0,
        "excluded": ["q4"],
        "mean_recall": None,
        "mrr": None,
        "pooled_recall": None,
    }
    assert summary({"q4": []}, {"q4": RANKED["q4"]}, 3) == expected
