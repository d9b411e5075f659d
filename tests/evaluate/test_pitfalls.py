from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.evalset.runs import Run
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.measures import mean, parse_measure, score_run
from hayami.evaluate.pitfalls import PITFALLS, Finding, find_pitfalls

sections = st.sampled_from([f"{article}#{n}" for article in "abc" for n in range(5)])
qids = st.sampled_from([f"q{n}" for n in range(6)])
graded = st.dictionaries(qids, st.dictionaries(sections, st.integers(0, 2), min_size=1), min_size=1)
scored = st.dictionaries(
    qids, st.dictionaries(sections, st.integers(0, 200).map(float), min_size=1), min_size=1
)


def pitfalls(
    qrels: dict[str, dict[str, int]], scores: dict[str, dict[str, float]]
) -> dict[str, Finding]:
    run = Run("x", Path("x"), scores)
    return {
        one.name: one
        for one in find_pitfalls(qrels, {qid: run.ranking(qid) for qid in scores}, scores)
    }


@settings(max_examples=60, deadline=None)
@given(graded, scored)
def test_the_right_figure_is_that_of_ir_measures(
    qrels: dict[str, dict[str, int]], scores: dict[str, dict[str, float]]
) -> None:
    judgements, run = Judgements("x", qrels), Run("x", Path("x"), scores)
    for name, one in pitfalls(qrels, scores).items():
        if not one.measure.endswith("of articles"):
            (measured,) = score_run(judgements, run, [parse_measure(one.measure)])
            assert one.right == pytest.approx(mean(measured) or 0.0), name


QRELS = {
    "q1": {"a#0": 2, "a#1": 1, "a#2": 1, "a#3": 1},
    "q2": {"b#0": 2, "b#1": 2, "b#2": 1},
    "q3": {"c#0": 2, "c#1": 1},
    "q4": {"a#3": 2, "a#0": 1},
}
FAR = {f"z#{n}": 30.0 - n for n in range(12)}
SCORES = {
    "q1": {"a#1": 10.5, "a#0": 9.5, "a#2": 8.0},
    "q2": {"z#0": 3.0, "b#0": 2.0},
    "q3": {**FAR, "c#0": 1.0},
}
FOUND = pitfalls(QRELS, SCORES)


def test_each_mistake_changes_the_figure_of_a_run_that_invites_it() -> None:
    assert [name for name, one in FOUND.items() if one.error == 0] == []
    assert len(FOUND) == len(PITFALLS)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("missing queries dropped", (1 / 2 + 1 / 2 + 0 + 0) / 4, (1 / 2 + 1 / 2 + 0) / 3),
        ("failures dropped", (1 / 2 + 1 / 2 + 0 + 0) / 4, 1 / 2),
        ("recall of what was found", (1 + 1 / 2) / 4, 2 / 4),
        ("recall divided by k", (1 + 1 / 2) / 4, (1 / 10 + 1 / 10) / 4),
        ("pooled for mean recall", (1 + 1 / 2) / 4, 2 / 5),
        ("context precision for AP", (1 / 2 + 1 / 4) / 4, (1 / 2 + 1 / 2) / 4),
        ("level forgotten", (1 / 2 + 1 / 2) / 4, (1 + 1 / 2) / 4),
        ("cut forgotten", (1 / 2 + 1 / 2) / 4, (1 / 2 + 1 / 2 + 1 / 13) / 4),
        ("scores sorted as text", (1 / 2 + 1 / 2) / 4, (1 + 1 / 2) / 4),
    ],
)
def test_the_wrong_figure_is_the_one_that_the_mistake_gives(
    name: str, right: float, wrong: float
) -> None:
    assert (FOUND[name].right, FOUND[name].wrong) == pytest.approx((right, wrong))
    assert FOUND[name].error == pytest.approx(wrong - right)


def test_the_worked_example_tells_context_precision_from_ap() -> None:
    scores = {"q": {doc: -float(rank) for rank, doc in enumerate(["d3", "d7", "d1", "d9", "d4"])}}
    found = pitfalls({"q": {"d1": 1, "d4": 1, "d8": 1}}, scores)["context precision for AP"]
    assert (round(found.right, 4), round(found.wrong, 4)) == (0.2444, 0.3667)


def test_an_ideal_made_of_the_results_never_lowers_the_figure() -> None:
    assert FOUND["ideal from the results"].error > 0
    assert FOUND["duplicates counted"].wrong > FOUND["duplicates counted"].right


def test_binary_judgements_have_no_level_to_forget() -> None:
    found = pitfalls({"q": {"a#0": 1, "a#1": 0}}, {"q": {"a#1": 2.0, "a#0": 1.0}})
    assert found["level forgotten"].measure == "RR@10"
    assert (found["level forgotten"].right, found["level forgotten"].error) == (0.5, 0.0)


def test_nothing_judged_or_found_gives_zeros() -> None:
    assert {(one.right, one.wrong) for one in pitfalls({"q": {"a#0": 0}}, {}).values()} == {
        (0.0, 0.0)
    }
