"""Runs measured: blocks, curves, ranks, groups, and what stands beside each figure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hayami.evalset.runs import Run
from hayami.evaluate.breakdown import NO_FLAG
from hayami.evaluate.document import as_document
from hayami.evaluate.evaluation import (
    MIN_UNITS,
    Block,
    Evaluation,
    block_of,
    count_ranks,
    evaluate_runs,
    first_ranks,
    siblings_share,
)
from hayami.evaluate.judgements import Judgements, Topic
from hayami.evaluate.measures import default_measures, parse_measure, parse_measures


def run_of(name: str, scores: dict[str, dict[str, float]]) -> Run:
    return Run(name, Path(f"{name}.run"), scores)


def test_a_known_run_has_its_figures(evaluation: Evaluation) -> None:
    report = evaluation.runs[0]
    figures = {figure.measure: figure for figure in report.figures}
    queries = len(evaluation.judgements.qrels)
    first = sum(rank == 1 for rank in report.first_ranks.values())
    assert first == (queries + 1) // 2
    assert figures["Success(rel=2)@1"].mean == pytest.approx(first / queries)
    assert report.ranks["1"] == first
    assert sum(report.ranks.values()) == queries
    assert figures["Success(rel=2)@5"].mean == pytest.approx(1.0)
    assert figures["Success@5"].mean == 1.0
    assert report.curve[0].success == pytest.approx(first / queries)


def test_the_target_comes_first_then_gains_then_the_article(evaluation: Evaluation) -> None:
    blocks = [figure.block for figure in evaluation.runs[0].figures]
    assert blocks == sorted(blocks, key=list(Block).index)
    assert set(blocks) == set(Block)


@pytest.mark.parametrize(("name", "levels", "block"), [
    ("RR(rel=2)@3", (2, 1), Block.TARGET),
    ("RR@3", (2, 1), Block.ANY),
    ("RR@3", (1,), Block.TARGET),
    ("nDCG@3", (2, 1), Block.GRADED),
    ("nDCG(gains={1:0,2:1})@3", (2, 1), Block.TARGET),
    ("nDCG@3", (1,), Block.TARGET),
    ("RR(rel=2)@3", (3, 2, 1), Block.ANY),
    ("RR(rel=2)", (), Block.TARGET),
])  # fmt: skip
def test_a_measure_belongs_to_what_it_counts(
    name: str, levels: tuple[int, ...], block: Block
) -> None:
    assert block_of(parse_measure(name), levels) is block


def test_the_siblings_share_is_that_of_the_ideal_order() -> None:
    grades = {"q": {"t": 2} | {f"s{i}": 1 for i in range(11)}, "empty": {"x": 0}}
    assert siblings_share(grades, parse_measure("nDCG@1"), 2) == 0.0
    assert siblings_share(grades, parse_measure("nDCG@2"), 2) == pytest.approx(
        0.63093 / 2.63093, abs=1e-5
    )
    assert siblings_share(grades, parse_measure("nDCG@10"), 2) == pytest.approx(0.6392, abs=5e-5)
    steep = siblings_share(grades, parse_measure("nDCG(gains={1:1,2:7})@10"), 2)
    assert steep is not None
    assert steep < 0.5
    assert siblings_share({"q": {"x": 0}}, parse_measure("nDCG@10"), 2) is None


def test_a_gain_of_seven_to_one_is_safe_at_ten(evaluation: Evaluation) -> None:
    shares = {
        f.measure: f.siblings_share or 0.0
        for f in evaluation.runs[0].figures
        if f.block is Block.GRADED
    }
    assert (
        shares["nDCG@10"] > shares["nDCG(dcg='exp-log2')@10"] > shares["nDCG(gains={1:1,2:7})@10"]
    )


def test_ranks_are_counted_in_all_buckets() -> None:
    counts = count_ranks([1, 1, 4, 5, 100, 101, 5000, None])
    assert counts == {
        "1": 2, "2": 0, "3": 0, "4-5": 2, "6-10": 0, "11-20": 0, "21-50": 0, "51-100": 1,
        "over 100": 2, "not found": 1,
    }  # fmt: skip


def test_first_ranks_follow_the_order_of_trec_eval() -> None:
    judged = Judgements("x", {"q": {"b": 2, "c": 1}, "r": {"z": 2}, "s": {"y": 1}})
    run = run_of("r", {"q": {"b": 1.0, "c": 1.0, "d": 1.0}})
    assert first_ranks(judged, run, 2) == {"q": 3, "r": None}


def test_the_curve_goes_as_far_as_the_run(evaluation: Evaluation) -> None:
    for report in evaluation.runs:
        assert max(point.k for point in report.curve) <= report.facts.depth
        assert [p.success for p in report.curve] == sorted(p.success for p in report.curve)


def test_groups_have_their_own_queries_and_no_interval_where_they_are_few(
    evaluation: Evaluation,
) -> None:
    parts = evaluation.runs[0].breakdown
    assert {part.dimension for part in parts} >= {"match", "flag", "language", "overlap"}
    assert len({part.measure for part in parts}) == 3
    by_match = [
        part for part in parts if part.dimension == "match" and part.measure == parts[0].measure
    ]
    assert sum(part.queries for part in by_match) == len(evaluation.judgements.qrels)
    assert all((part.interval is None) == (part.articles < MIN_UNITS) for part in parts)
    assert NO_FLAG in {part.group for part in parts}


def test_a_figure_that_is_1_for_all_queries_says_how_many_others_there_may_be() -> None:
    qids = [f"q{i}" for i in range(12)]
    topics = {qid: Topic("?", f"a{i // 2}") for i, qid in enumerate(qids)}
    judged = Judgements("x", {qid: {"d": 1} for qid in qids}, topics)
    runs = [run_of("all", {qid: {"d": 1.0} for qid in qids})]
    (figure,) = evaluate_runs(judged, runs, parse_measures(["RR@5"])).runs[0].figures
    assert figure.by_query is not None
    assert figure.by_article is not None
    assert figure.by_query.low == pytest.approx(0.025 ** (1 / 12))
    assert figure.by_article.low < figure.by_query.low
    assert (figure.by_article.units, figure.by_article.high) == (6, 1)


def test_the_share_of_results_that_nobody_judged_stands_beside_each_figure() -> None:
    judged = Judgements("x", {"q": {"a": 1, "b": 0}, "r": {"a": 1}})
    scores = {"q": {"x": 3.0, "a": 2.0, "b": 1.0}, "r": {"y": 1.0}}
    wanted = parse_measures(["RR@1 RR@2 RR"])
    figures = evaluate_runs(judged, [run_of("a", scores)], wanted).runs[0].figures
    assert [figure.unjudged for figure in figures] == [1.0, pytest.approx(2 / 3), 0.5]
    empty = evaluate_runs(judged, [run_of("a", {})], wanted).runs[0].figures
    assert {figure.unjudged for figure in empty} == {None}


def test_a_stale_run_says_so_before_all_else() -> None:
    judged = Judgements("x", {"q": {"a": 1}})
    runs = [run_of("old", {"q": {"a": 1.0}}), run_of("new", {"q": {"a": 1.0}})]
    found = evaluate_runs(judged, runs, parse_measures(["RR@1"]), stale={"old": "is old"})
    assert [report.stale for report in found.runs] == ["is old", ""]
    assert found.runs[0].warnings[0] == "is old"


def test_with_fewer_than_five_queries_there_is_no_interval() -> None:
    judged = Judgements("x", {"q": {"d": 1}, "r": {"d": 1}})
    (figure,) = (
        evaluate_runs(judged, [run_of("a", {"q": {"d": 1.0}})], parse_measures(["RR@5"]))
        .runs[0]
        .figures
    )
    assert figure.mean == 0.5
    assert figure.by_query is None
    assert figure.by_article is None


def test_the_document_is_strict_json_and_the_same_every_time(
    judged: Judgements, first_or_third: Run
) -> None:
    def text() -> str:
        evaluation = evaluate_runs(judged, [first_or_third], default_measures((2, 1)))
        return json.dumps(as_document(evaluation), allow_nan=False, ensure_ascii=False)

    assert text() == text()
