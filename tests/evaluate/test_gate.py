from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from hayami.evaluate.comparison import Side
from hayami.evaluate.confidence import lower_bound
from hayami.evaluate.gate import Gate, GateOutcome, GateRule, parse_gate, pass_gates

POINT = GateRule.POINT


def sides(before: list[float], after: list[float]) -> tuple[Side, list[Side]]:
    one, other = (
        Side(name, {"rr": {f"q{n}": value for n, value in enumerate(values)}}, {"q0": (name,)})
        for name, values in (("old", before), ("new", after))
    )
    return one, [other]


def passed(gate: Gate, before: list[float], after: list[float], size: int = 1) -> GateOutcome:
    articles = {f"q{n}": f"a{n // size}" for n in range(len(before))}
    (outcome,) = pass_gates([gate], *sides(before, after), articles)
    return outcome


@pytest.mark.parametrize(
    "text",
    [
        "RR(rel=2)@10 >= -0.02",
        "  RR(rel=2)@10>=-.02 ",
        "RR(rel=2)@10 ≥ -2e-2",
        "RR(rel=2)@10 >= -0.020",
    ],
)
def test_a_gate_is_a_measure_and_the_least_difference(text: str) -> None:
    assert parse_gate(text) == Gate("RR(rel=2)@10", -0.02)


def test_the_least_difference_may_demand_a_gain() -> None:
    assert parse_gate("nDCG(gains={1:1,2:7})@10 >= +0.01") == Gate("nDCG(gains={1:1,2:7})@10", 0.01)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("RR@10", "is not 'MEASURE >= DIFFERENCE'"),
        ("RR@10 > -0.02", "is not 'MEASURE >= DIFFERENCE'"),
        (">= -0.02", "is not 'MEASURE >= DIFFERENCE'"),
        ("RR@10 >= nan", "is not 'MEASURE >= DIFFERENCE'"),
        ("RR@10 >= -2%", "is not 'MEASURE >= DIFFERENCE'"),
        ("RR@10 >= 0.1.2", "'0.1.2' is no number"),
        ("RR@10 >= -2", "-2 is no difference of a measure"),
        ("RR@10 >= 1.01", "1.01 is no difference of a measure"),
        ("RR@10[size=big] >= 0", "'size' parts no queries; known: match, flag, category"),
        ("RR@10[category] >= 0", "is not 'MEASURE >= DIFFERENCE'"),
    ],
)
def test_what_is_no_gate_says_why(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=r".") as raised:
        parse_gate(text)
    assert what in str(raised.value)


@pytest.mark.parametrize("least", ["1", "-1"])
def test_the_largest_difference_there_is_can_be_asked(least: str) -> None:
    assert parse_gate(f"RR@10 >= {least}").least == float(least)


def test_a_gate_may_name_its_rule_and_a_group() -> None:
    assert parse_gate("point MRR@10 >= -0.02") == Gate("MRR@10", -0.02, POINT)
    assert parse_gate("lower MRR@10 >= -0.02") == Gate("MRR@10", -0.02)
    assert parse_gate("RR(rel=2)@10[category=業務 A] >= 0") == Gate(
        "RR(rel=2)@10", 0.0, GateRule.LOWER, "category", "業務 A"
    )
    grouped = parse_gate("Point RR@10 [ Language = ja ] >= -.1")
    assert (grouped.dimension, grouped.group, grouped.label) == (
        "language",
        "ja",
        "RR@10[language=ja]",
    )


def test_the_point_rule_passes_a_drop_at_the_limit_and_none_beyond() -> None:
    drop = [0.5] * 10, [0.3] + [0.5] * 9  # a drop of 0.02 on paper
    assert passed(Gate("rr", -0.02, POINT), *drop).passed
    assert not passed(Gate("rr", -0.0199, POINT), *drop).passed
    assert not passed(Gate("rr", 0.0, POINT), *drop).passed


def test_the_lower_rule_asks_the_lower_bound() -> None:
    generator = np.random.default_rng(1)
    before, after = generator.random(200), generator.random(200)
    outcome = passed(Gate("rr", -0.5), before.tolist(), after.tolist(), 4)
    assert outcome.lower == lower_bound(after - before, [f"a{n // 4}" for n in range(200)])
    assert (outcome.queries, outcome.units) == (200, 50)
    at, below = (Gate("rr", outcome.lower + step) for step in (0.0, 1e-6))
    assert passed(at, before.tolist(), after.tolist(), 4).passed
    assert not passed(below, before.tolist(), after.tolist(), 4).passed


def test_a_noisy_set_passes_by_the_point_rule_what_the_lower_rule_refuses() -> None:
    noisy = [0.0, 1.0] * 10, [1.0, 0.0] * 10
    assert passed(Gate("rr", -0.02, POINT), *noisy).passed
    refused = passed(Gate("rr", -0.02), *noisy)
    assert not refused.passed
    assert refused.lets_drop == pytest.approx(0.05)
    assert refused.lets_equal is not None
    assert refused.lets_equal < 0.1
    assert refused.needed is not None
    assert refused.needed > 1_000
    assert f"it takes {refused.needed:,} queries for 80%" in refused.sentence
    assert "of true drops of 0.0200 this rule lets 5% pass (the point rule 50%)" in refused.sentence


def test_a_calm_set_passes_by_both() -> None:
    calm = [0.5] * 400, [0.5] * 380 + [0.51] * 20
    outcome = passed(Gate("rr", -0.02), *calm)
    assert outcome.passed
    assert outcome.sentence.endswith("of runs without a drop 100%")
    point = passed(Gate("rr", -0.02, POINT), *calm)
    assert point.passed
    assert "this rule lets 50% pass (the lower rule 5%)" in point.sentence


def test_a_gate_that_asks_for_a_gain_says_what_gains_it_lets_pass() -> None:
    gain = [0.2] * 50, [0.4, 0.5] * 25
    outcome = passed(Gate("rr", 0.1), *gain)
    assert outcome.passed
    assert outcome.needed is None
    assert "of true gains of only 0.1000 this rule lets 5% pass" in outcome.sentence
    assert "of runs that are as good this rule" in passed(Gate("rr", 0.0), *gain).sentence


def test_runs_that_return_the_same_pass_however_few_queries_there_are() -> None:
    base, _ = sides([0.5] * 5, [0.5] * 5)
    (same,) = pass_gates([Gate("rr", -0.001)], base, [base], None)
    assert (same.passed, same.alike) == (True, True)
    assert "the runs return the same on every query" in same.sentence
    assert not pass_gates([Gate("rr", 0.1)], base, [base], None)[0].passed
    other = Side("b", base.values, {"q0": ("z",)})
    assert not pass_gates([Gate("rr", -0.001)], base, [other], None)[0].passed


def test_one_article_passes_nothing_by_the_lower_rule() -> None:
    outcome = passed(Gate("rr", -0.1), [0.5] * 20, [0.6] * 20, 20)
    assert (outcome.passed, outcome.lets_equal, outcome.lower) == (False, None, -1.0)


def test_a_gate_over_a_group_counts_its_queries_alone() -> None:
    base, others = sides([0.5] * 40, [0.9] * 20 + [0.1] * 20)
    groups = {
        ("category", "good"): [f"q{n}" for n in range(20)],
        ("category", "bad"): [*(f"q{n}" for n in range(20, 40)), "unmeasured"],
    }
    gates = [Gate("rr", -0.1, POINT, "category", name) for name in ("good", "bad")]
    good, bad = pass_gates(gates, base, others, None, groups)
    assert (good.passed, good.queries, bad.passed, bad.queries) == (True, 20, False, 20)
    assert (good.difference, -bad.difference) == pytest.approx((0.4, 0.4))
    assert bad.sentence.startswith("rr[category=bad] -0.4000")
    missing = Gate("rr", 0.0, POINT, "category", "ugly")
    with pytest.raises(ValueError, match="no query of category 'ugly' for rr: there are good, bad"):
        pass_gates([missing], base, others, None, groups)
    with pytest.raises(ValueError, match="there are none"):
        pass_gates([missing], base, others, None)


def test_every_gate_is_asked_of_every_run() -> None:
    base, (other,) = sides([0.5] * 10, [0.9] * 10)
    gates = [Gate("rr", 0.0, POINT), Gate("rr", 0.5, POINT)]
    found = pass_gates(gates, base, [other, base], None)
    assert [(one.other, one.gate.least, one.passed) for one in found] == [
        ("new", 0.0, True),
        ("new", 0.5, False),
        ("old", 0.0, True),
        ("old", 0.5, False),
    ]


def test_the_share_of_equal_runs_that_pass_is_that_of_the_normal_approximation() -> None:
    generator = np.random.default_rng(4)
    gaps = generator.normal(0, 0.2, 300)
    base, other = [0.5] * 300, (0.5 + gaps).tolist()
    error = gaps.std(ddof=1) / 300**0.5
    point, lower = (
        passed(Gate("rr", -0.01, rule), base, other) for rule in (POINT, GateRule.LOWER)
    )
    assert point.lets_equal == pytest.approx(norm.cdf(0.01 / error), abs=1e-3)
    assert lower.lets_equal == pytest.approx(norm.cdf(0.01 / error - 1.65), abs=1e-3)
    assert point.needed == pytest.approx(300 * (norm.ppf(0.8) * error / 0.01) ** 2, abs=2)
    assert lower.needed == pytest.approx(
        300 * ((norm.ppf(0.8) + norm.ppf(0.95)) * error / 0.01) ** 2, abs=2
    )
    assert (point.lets_drop, lower.lets_drop) == pytest.approx((0.5, 0.05))
