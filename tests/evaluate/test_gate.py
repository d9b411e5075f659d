from __future__ import annotations

import json
from pathlib import Path

import pytest

from hayami.errors import RunError
from hayami.evaluate.comparison import Resampling, RunDifference, Side, compare
from hayami.evaluate.gate import Gate, parse_gate, pass_gates, read_baseline, write_baseline


def difference(before: list[float], after: list[float]) -> RunDifference:
    sides = [
        Side(name, {"rr": {f"q{n}": value for n, value in enumerate(values)}}, {})
        for name, values in (("old", before), ("new", after))
    ]
    articles = {f"q{n}": f"a{n}" for n in range(len(before))}
    return compare(sides[0], sides[1:], articles, Resampling(500, 300))[0]


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
    ],
)
def test_what_is_no_gate_says_why(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=r".") as raised:
        parse_gate(text)
    assert what in str(raised.value)


def test_a_drop_beyond_the_limit_fails_and_one_at_the_limit_passes() -> None:
    one = difference([0.5] * 10, [0.3] + [0.5] * 9)  # a drop of 0.02 on paper
    assert pass_gates([Gate("rr", -0.02)], [one])[0].passed
    assert not pass_gates([Gate("rr", -0.0199)], [one])[0].passed
    assert not pass_gates([Gate("rr", 0.0)], [one])[0].passed


def test_a_gate_says_whether_the_set_could_have_seen_such_a_drop() -> None:
    noisy = difference([0.0, 1.0] * 10, [1.0, 0.0] * 10)
    (passage,) = pass_gates([Gate("rr", -0.02)], [noisy])
    assert (passage.passed, passage.visible) == (True, False)
    assert "could have passed unseen" in passage.sentence
    calm = difference([0.5] * 400, [0.5] * 380 + [0.51] * 20)
    (passage,) = pass_gates([Gate("rr", -0.02)], [calm])
    assert (passage.passed, passage.visible) == (True, True)
    assert passage.sentence.endswith("(80% of the time)")


def test_a_failed_gate_says_whether_the_drop_is_more_than_chance() -> None:
    (clear,) = pass_gates([Gate("rr", -0.02)], [difference([0.5] * 20, [0.2] * 19 + [0.3])])
    assert not clear.passed
    assert clear.sentence.endswith("the drop is more than chance explains")
    (unclear,) = pass_gates([Gate("rr", -0.02)], [difference([0.5, 0.5, 1.0], [0.6, 0.5, 0.5])])
    assert unclear.sentence.endswith("the drop is within chance")


def test_equal_runs_pass_but_nothing_is_said_about_the_set() -> None:
    (passage,) = pass_gates([Gate("rr", -0.02)], [difference([0.5] * 5, [0.5] * 5)])
    assert (passage.passed, passage.visible, passage.detectable) == (True, None, None)
    assert "equal on every query" in passage.sentence


def test_a_gate_looks_at_its_own_measure_only() -> None:
    assert pass_gates([Gate("hit", -0.02)], [difference([0.5] * 5, [0.1] * 5)]) == ()


STORED = Side(
    "bm25", {"rr": {"q1": 0.5, "q2": 1 / 3}, "hit": {"q1": 1.0, "q2": 0.0}}, {"q1": ("a#1", "a#2")}
)
EXPECTED = {"rr": ["q2", "q1"]}


def test_a_baseline_reads_back_to_the_last_bit(tmp_path: Path) -> None:
    path = tmp_path / "ci" / "base.json"
    write_baseline(path, STORED, "abc", "0.1")
    found = read_baseline(path, "abc", EXPECTED)
    assert found.name == "bm25 (baseline)"
    assert found.values == {"rr": {"q2": 1 / 3, "q1": 0.5}}
    assert found.top == STORED.top
    write_baseline(tmp_path / "again.json", STORED, "abc", "0.1")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("sha256", "expected", "what"),
    [
        ("abd", EXPECTED, "was made with another set (abc…, this one is abd…)"),
        ("abc", {"ndcg": ["q1", "q2"]}, "has no ndcg, only rr, hit"),
        ("abc", {"rr": ["q1"]}, "rr: not the queries of the set"),
    ],
)
def test_a_baseline_that_does_not_fit_is_refused(
    sha256: str, expected: dict[str, list[str]], what: str, tmp_path: Path
) -> None:
    write_baseline(tmp_path / "base.json", STORED, "abc", "0.1")
    with pytest.raises(RunError) as raised:
        read_baseline(tmp_path / "base.json", sha256, expected)
    assert str(raised.value) == f"{tmp_path / 'base.json'}: {what}"
    assert "--save-baseline" in raised.value.hint


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "not a baseline: record: Invalid JSON"),
        ("[]", "not a baseline: record"),
        ('{"format": 1}', "not a baseline: hayami: Field required"),
        ("NEWER", "format 2; this hayami reads format 1"),
        ("NAN", "not a baseline: measures.rr.q1: Input should be a finite number"),
    ],
)
def test_a_damaged_baseline_is_said_in_one_line(text: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "base.json"
    write_baseline(path, STORED, "abc", "0.1")
    content = json.loads(path.read_text(encoding="utf-8"))
    if text == "NEWER":
        text = json.dumps(content | {"format": 2})
    elif text == "NAN":
        text = json.dumps(content | {"measures": {"rr": {"q1": float("nan")}}})
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RunError) as raised:
        read_baseline(path, "abc", EXPECTED)
    assert what in str(raised.value)


def test_a_baseline_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="No such file or directory"):
        read_baseline(tmp_path / "none.json", "abc", EXPECTED)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RunError, match="cannot write"):
        write_baseline(tmp_path / "file" / "base.json", STORED, "abc", "0.1")
