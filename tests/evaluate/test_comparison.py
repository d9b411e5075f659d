from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from hayami.evalset.runs import Run
from hayami.evaluate.comparison import (
    Resampling,
    Side,
    biggest_changes,
    compare,
    describe_changes,
    side_of,
)
from hayami.evaluate.confidence import gap_interval
from hayami.evaluate.judgements import Judgements, Topic
from hayami.evaluate.measures import parse_measure

FEW = Resampling(patterns=500, seed=1)


def side(name: str, **values: Mapping[str, float]) -> Side:
    return Side(name, values, {})


def values_of(numbers: list[float]) -> dict[str, float]:
    return {f"q{place}": number for place, number in enumerate(numbers, 1)}


def articles_of(number: int, size: int = 1) -> dict[str, str]:
    return {f"q{place + 1}": f"a{place // size}" for place in range(number)}


def test_a_difference_is_that_of_the_second_run_less_the_first() -> None:
    base, other = (
        side("base", rr=values_of([1.0, 0.5, 0.0, 0.5])),
        side("new", rr=values_of([0.5, 1.0, 0.5, 0.5])),
    )
    (found,) = compare(base, [other], articles_of(4), FEW)
    assert (found.base, found.other, found.measure) == ("base", "new", "rr")
    assert (found.base_mean, found.other_mean, found.difference) == (0.5, 0.625, 0.125)
    assert (found.outcomes.wins, found.outcomes.ties, found.outcomes.losses) == (2, 1, 1)
    assert found.values == (-0.5, 0.5, 0.5, 0.0)
    assert found.p == 1.0


def test_the_queries_are_paired_by_id_not_by_their_order() -> None:
    other = side("new", rr=dict(reversed(values_of([0.1, 0.2, 0.3]).items())))
    (found,) = compare(side("base", rr=values_of([0.1, 0.2, 0.3])), [other], articles_of(3), FEW)
    assert found.verdict == "equal"
    assert found.detectable is None
    assert found.p == 1.0


def test_the_intervals_are_by_query_and_by_article() -> None:
    generator = np.random.default_rng(0)
    before, after = generator.random(30), generator.random(30)
    articles = articles_of(30, 3)
    base = side("base", rr=values_of(before.tolist()))
    other = side("new", rr=values_of(after.tolist()))
    (found,) = compare(base, [other], articles, FEW)
    assert found.by_query == gap_interval(after - before)
    assert found.by_article == gap_interval(after - before, list(articles.values()))
    assert found.units == 10
    (unknown,) = compare(base, [other], None, FEW)
    assert unknown.by_article is None
    assert unknown.units == 30


def test_a_clear_difference_is_better_and_its_mirror_worse() -> None:
    low, high = values_of([0.2] * 20), values_of([0.5] * 20)
    (better,) = compare(side("a", rr=low), [side("b", rr=high)], articles_of(20), FEW)
    (worse,) = compare(side("b", rr=high), [side("a", rr=low)], articles_of(20), FEW)
    assert (better.verdict, worse.verdict) == ("better", "worse")


def test_fewer_than_ten_articles_bear_no_verdict() -> None:
    generator = np.random.default_rng(1)
    low = [0.2] * 40
    high = (0.5 + generator.normal(0, 0.02, 40)).tolist()
    sides = side("a", rr=values_of(low)), [side("b", rr=values_of(high))]
    verdicts = {}
    for size in (40, 8, 5, 4):
        (found,) = compare(*sides, articles_of(40, size), FEW)
        verdicts[found.units] = found.verdict
        assert (found.detectable is None) == (found.units < 10)
    assert verdicts == {
        1: "too few articles",
        5: "too few articles",
        8: "too few articles",
        10: "better",
    }
    few = [
        side(one.name, rr=dict(list(one.values["rr"].items())[:9])) for one in (sides[0], *sides[1])
    ]
    (unknown,) = compare(few[0], few[1:], None, FEW)
    assert unknown.verdict == "too few queries"


def test_a_difference_that_is_too_small_says_how_many_articles_it_takes() -> None:
    generator = np.random.default_rng(2)
    gaps = 0.02 + generator.normal(0, 0.2, 60)
    base = side("a", rr=values_of([0.5] * 60))
    other = side("b", rr=values_of((0.5 + gaps).tolist()))
    (found,) = compare(base, [other], articles_of(60, 4), FEW)
    assert found.needed is not None
    assert found.needed > 15
    (same,) = compare(base, [base], articles_of(60, 4), FEW)
    assert same.needed is None


def test_p_values_are_adjusted_over_all_runs_and_measures() -> None:
    generator = np.random.default_rng(3)
    base = side("a", rr=values_of([0.5] * 24), hit=values_of([0.0] * 24))
    others = []
    for name in ("b", "c"):
        changed = (0.53 + generator.normal(0, 0.1, 24)).tolist()
        others.append(side(name, rr=values_of(changed), hit=values_of([0.0] * 24)))
    found = compare(base, others, articles_of(24), FEW)
    assert [(one.other, one.measure) for one in found] == [
        ("b", "rr"),
        ("b", "hit"),
        ("c", "rr"),
        ("c", "hit"),
    ]
    assert [one.p_adjusted >= one.p for one in found] == [True] * 4
    assert max(one.p_adjusted - one.p for one in found) > 0
    assert [one.p for one in found if one.measure == "hit"] == [1.0, 1.0]
    assert compare(base, others[:1], articles_of(24), FEW)[0].p == pytest.approx(
        found[0].p, abs=0.05
    )


def test_a_mean_against_the_count_of_wins_is_noticed() -> None:
    (found,) = compare(
        side("a", rr=values_of([0.5] * 5)),
        [side("b", rr=values_of([0.6, 0.6, 0.6, 0.0, 0.5]))],
        articles_of(5),
        FEW,
    )
    assert found.difference < 0 < found.outcomes.wins - found.outcomes.losses
    assert found.crossed


def test_the_measures_may_be_defined_for_different_queries() -> None:
    base = side("a", rr=values_of([0.2] * 6), graded=values_of([0.2] * 9))
    other = side("b", rr=values_of([0.3] * 6), graded=values_of([0.2] * 9))
    assert [len(one.values) for one in compare(base, [other], articles_of(9), FEW)] == [6, 9]


def test_the_seed_decides_what_is_drawn() -> None:
    generator = np.random.default_rng(0)
    sides = [side(name, rr=values_of(generator.random(40).tolist())) for name in ("a", "b")]
    once, twice, other = (
        compare(sides[0], sides[1:], articles_of(40), Resampling(500, seed)) for seed in (1, 1, 2)
    )
    assert once == twice
    assert once[0].p != other[0].p


def test_the_queries_that_changed_most_come_first_and_losses_before_gains() -> None:
    base = side("a", rr=values_of([0.5, 0.5, 0.5, 0.5, 0.5]))
    other = side("b", rr=values_of([0.6, 1.0, 0.5, 0.0, 0.3]))
    found = biggest_changes(base, other, "rr", 3)
    assert [one.qid for one in found] == ["q4", "q2", "q5"]
    assert [one.qid for one in biggest_changes(base, other, "rr", 99)] == ["q4", "q2", "q5", "q1"]


QRELS = {"q1": {"a#0": 2, "a#1": 1}, "q2": {"b#0": 2}}
JUDGEMENTS = Judgements("set", QRELS, {"q1": Topic(text="発酵は何度？", article="a")})


def run(name: str, **scores: dict[str, float]) -> Run:
    return Run(name, Path(name), scores)


def test_a_query_that_the_run_lacks_counts_zero_and_has_no_results() -> None:
    found = side_of(
        JUDGEMENTS, run("x", q1={"a#1": 2.0, "a#0": 1.0}), [parse_measure("RR(rel=2)@10")]
    )
    assert found.values == {"RR(rel=2)@10": {"q1": 0.5, "q2": 0.0}}
    assert found.top == {"q1": ("a#1", "a#0")}


def test_a_change_shows_the_question_and_both_rankings_with_grades() -> None:
    measures = [parse_measure("RR(rel=2)@10")]
    first = side_of(JUDGEMENTS, run("x", q1={"a#1": 2.0, "a#0": 1.0}), measures)
    second = side_of(JUDGEMENTS, run("y", q1={"a#0": 2.0, "z#9": 1.0}), measures)
    (found,) = describe_changes(
        biggest_changes(first, second, "RR(rel=2)@10", 5),
        JUDGEMENTS,
        {"a#0": "温度", "a#1": "時間"},
    )
    assert found.query == "発酵は何度？"
    assert [(one.grade, one.heading) for one in found.base_results] == [(1, "時間"), (2, "温度")]
    assert [(one.grade, one.section, one.heading) for one in found.other_results] == [
        (2, "a#0", "温度"),
        (0, "z#9", ""),
    ]
