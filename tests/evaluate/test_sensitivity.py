from __future__ import annotations

from pathlib import Path

import pytest

from hayami.evalset.runs import Run
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.sensitivity import GAINS, SCHEMES, compare_schemes, share_of_siblings

SIBLINGS = [f"a#{n}" for n in range(1, 12)]
QRELS = {f"q{n}": {"a#0": 2, **dict.fromkeys(SIBLINGS, 1)} for n in range(20)}
JUDGEMENTS = Judgements("set", QRELS)


def run(name: str, ranking: list[str]) -> Run:
    return Run(
        name, Path(name), {qid: {s: -float(r) for r, s in enumerate(ranking)} for qid in QRELS}
    )


ONLY_TARGET, ONLY_SIBLINGS = run("target", ["a#0"]), run("siblings", SIBLINGS)


def test_the_winner_hangs_on_the_labels() -> None:
    found = compare_schemes(JUDGEMENTS, [ONLY_TARGET, ONLY_SIBLINGS])
    winners = {column.scheme.measure: column.winners for column in found.columns}
    assert winners["RR(rel=2)@10"] == ("target",)
    assert winners["nDCG@10"] == ("siblings",)
    assert winners["nDCG(gains={1:1,2:7})@10"] == ("target",)
    assert winners["RR(rel=1)@10"] == ("target", "siblings")
    assert not found.agree


def test_the_figures_are_those_known_for_an_article_of_twelve_sections() -> None:
    found = compare_schemes(JUDGEMENTS, [ONLY_TARGET, ONLY_SIBLINGS])
    means = {column.scheme.measure: column.means for column in found.columns}
    assert means["nDCG@10"] == pytest.approx((0.361, 0.820), abs=0.0005)
    assert means["nDCG(gains={1:1,2:3})@10"] == pytest.approx((0.458, 0.694), abs=0.0005)
    assert means["RR(rel=2)@10"] == (1.0, 0.0)


def test_runs_that_change_places_are_named_with_the_measures_and_their_p_values() -> None:
    (found,) = compare_schemes(JUDGEMENTS, [ONLY_SIBLINGS, ONLY_TARGET]).reversals
    assert (found.first, found.second) == ("siblings", "target")
    assert (found.first_by, found.second_by) == ("nDCG@10", "Success(rel=2)@1")
    assert found.first_p == found.second_p
    assert found.clear


def test_the_lead_is_over_the_second_and_tested() -> None:
    found = compare_schemes(JUDGEMENTS, [ONLY_TARGET, ONLY_SIBLINGS, run("none", ["z#0"])])
    column = found.columns[[scheme.measure for scheme in SCHEMES].index("nDCG@10")]
    assert column.lead == pytest.approx(0.820 - 0.361, abs=0.001)
    assert (column.p or 1) < 0.001
    assert [one for one in found.reversals if "none" in (one.first, one.second)] == []


def test_one_run_wins_against_nobody() -> None:
    found = compare_schemes(JUDGEMENTS, [ONLY_TARGET])
    assert {(column.lead, column.p) for column in found.columns} == {(0.0, None)}
    assert (found.agree, found.reversals, found.queries) == (True, (), 20)


def test_equal_runs_share_the_win() -> None:
    found = compare_schemes(JUDGEMENTS, [ONLY_TARGET, run("again", ["a#0"])])
    assert {column.winners for column in found.columns} == {("target", "again")}
    assert found.agree


def test_strict_schemes_come_first_and_each_gain_has_a_formula() -> None:
    labels = [scheme.labels for scheme in SCHEMES]
    assert labels == sorted(labels, key=["strict", "graded", "article"].index)
    assert {scheme.gain for scheme in SCHEMES if scheme.labels == "graded"} == set(GAINS)


def test_the_share_of_siblings_is_what_a_run_without_the_target_gets_at_most() -> None:
    ranked = [
        {qid: one.ranking(qid) for qid in QRELS}
        for one in (ONLY_TARGET, ONLY_SIBLINGS, run("none", ["z#0"]))
    ]
    linear = share_of_siblings(QRELS, ranked)
    assert linear.ideal == pytest.approx(1 - 0.361, abs=0.0005)
    assert linear.runs == (0.0, 1.0, 0.0)
    steep = share_of_siblings(QRELS, ranked, GAINS["7:1"])
    assert (
        0
        < steep.ideal
        < share_of_siblings(QRELS, ranked, GAINS["3:1 exponential"]).ideal
        < linear.ideal
    )


def test_results_beyond_k_and_queries_without_gain_have_no_share() -> None:
    assert share_of_siblings({"q": {"a#0": 0}}, [{"q": ["a#0"]}]).ideal == 0.0
    assert share_of_siblings({"q": {"a#0": 2, "a#1": 1}}, [{"q": ["a#0", "a#1"]}], k=1).runs == (
        0.0,
    )
