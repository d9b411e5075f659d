"""Measures: names, and values against worked examples and a naive reading."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.errors import MeasureError
from hayami.evalset.runs import Run
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.measures import (
    DEFAULT_MEASURES,
    Family,
    Measure,
    default_measures,
    mean,
    parse_measure,
    parse_measures,
    score_run,
)


def values(
    qrels: Mapping[str, Mapping[str, int]], run: Mapping[str, Mapping[str, float]], *names: str
) -> list[float | None]:
    measures = [parse_measure(name) for name in names]
    scores = score_run(
        Judgements("x", qrels), Run("r", Path("r"), {q: dict(d) for q, d in run.items()}), measures
    )
    return [mean(one) for one in scores]


def ranked(docs: Sequence[str]) -> dict[str, float]:
    return {doc: float(-place) for place, doc in enumerate(docs)}


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "written"), [
    ("RR(rel=2)@10", "RR(rel=2)@10"),
    ("Hit@5", "Success(rel=2)@5"),
    ("Hit(rel=1)@5", "Success@5"),
    ("RR@10", "RR@10"),
    (" hit( rel = 2 )@5 ", "Success(rel=2)@5"),
    ("recall@3", "R(rel=2)@3"),
    ("MRR", "RR(rel=2)"),
    ("map", "AP(rel=2)"),
    ("contextprecision@3", "ContextPrecision@3"),
    ("ContextPrecision(rel=2)@3", "ContextPrecision(rel=2)@3"),
    ("bpref(rel=2)", "Bpref(rel=2)"),
    ("RR(rel=2, judged_only=True)@10", "RR(rel=2,judged_only=True)@10"),
    ("nDCG(judged_only=False)@10", "nDCG@10"),
    ("ndcg@10", "nDCG@10"),
    ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"),
    ("nDCG(dcg='log2')@10", "nDCG@10"),
    ("nDCG(gains={2:7,1:1})@10", "nDCG(gains={1:1,2:7})@10"),
    ("P(cutoff=5)", "P@5"),
    ("R@010", "R@10"),
])  # fmt: skip
def test_a_measure_is_known_by_the_names_in_use(name: str, written: str) -> None:
    measure = parse_measure(name)
    assert measure.name == written
    assert parse_measure(measure.name) == measure


@pytest.mark.parametrize("name", [*DEFAULT_MEASURES, "RR", "AP(rel=2)", "nDCG"])
def test_the_names_are_those_of_ir_measures(name: str) -> None:
    again = eval(f"m.{name}", {"m": ir_measures})  # noqa: S307 - our own names
    assert str(parse_measure(name).family) == again.NAME


@pytest.mark.parametrize(("name", "what"), [
    ("", "no such measure"),
    ("F1@3", "no such measure"),
    ("Bpref@10", "Bpref has no k"),
    ("Bpref(judged_only=True)", "unknown parameter"),
    ("RR(judged_only=1)@10", "unknown parameter"),
    ("ContextPrecision", "needs a k: ContextPrecision@10"),
    ("RR@", "positive integer"),
    ("RR@0", "positive integer"),
    ("RR@-1", "positive integer"),
    ("RR@1.5", "positive integer"),
    ("RR@ten", "positive integer"),
    ("RR@１０", "positive integer"),
    ("RR@99999999999", "positive integer"),
    ("RR(rel=0)@3", "rel must be a positive integer"),
    ("RR(rel=True)@3", "rel must be a positive integer"),
    ("P", "needs a k: P@10"),
    ("Hit(rel=2)", "needs a k: Success"),
    ("nDCG(rel=2)@10", "no rel"),
    ("nDCG(dcg='exp')@10", "unknown parameter"),
    ("nDCG(gains={1:-1})@10", "gains are"),
    ("nDCG(gains={1:0.5})@10", "gains are"),
    ("nDCG(gains={1:99999})@10", "gains are"),
    ("nDCG(gains=7)@10", "gains are"),
    ("nDCG(gains={1:1},dcg='exp-log2')@10", "both"),
    ("RR(min_rel=1)@3", "unknown parameter"),
    ("RR(2)@3", "key=value"),
    ("RR(**{})@3", "key=value"),
    ("RR(rel=print(1))@3", "cannot be read"),
    ("RR(rel=)@3", "cannot be read"),
    ("RR(((((@3", "no such measure"),
])  # fmt: skip
def test_a_name_that_means_nothing_is_refused_with_the_names_that_do(name: str, what: str) -> None:
    with pytest.raises(MeasureError, match=what) as caught:
        parse_measure(name)
    assert "nDCG@k" in caught.value.hint


@given(st.text(max_size=30))
def test_any_text_is_a_measure_or_a_clean_refusal(text: str) -> None:
    with contextlib.suppress(MeasureError):
        assert parse_measure(parse_measure(text).name)


def test_several_names_are_parted_by_commas_and_blanks_outside_of_brackets() -> None:
    found = parse_measures(["RR@5, nDCG(gains={1:1, 2:7})@3 RR@5", "AP"])
    assert [m.name for m in found] == ["RR@5", "nDCG(gains={1:1,2:7})@3", "AP"]


def test_k_goes_to_the_measures_that_have_none() -> None:
    found = parse_measures(["Hit(rel=2) RR@3"], [1, 5])
    assert [m.name for m in found] == ["Success(rel=2)@1", "Success(rel=2)@5", "RR@3"]


def test_no_name_at_all_is_refused() -> None:
    with pytest.raises(MeasureError, match="no measure"):
        parse_measures([" , "])


def test_the_default_begins_with_the_target_and_follows_the_grades() -> None:
    names = [m.name for m in default_measures((2, 1))]
    assert tuple(names) == DEFAULT_MEASURES
    assert default_measures((2, 1))[0].level == 2
    binary = default_measures((1,), 3)
    assert {m.level for m in binary} == {1}
    assert len(binary) == len(set(binary))
    assert {m.cutoff for m in binary} == {1, 3, 5}
    assert {m.level for m in default_measures((4, 1)) if m.family is not Family.NDCG} == {4, 1}
    assert not [m for m in default_measures((100, 1)) if m.exponential]
    assert default_measures(())


# --- values ---------------------------------------------------------------------------------------

WORKED = {"q": {"d1": 2, "d4": 1, "d8": 1}}
WORKED_RUN = {"q": ranked(["d3", "d7", "d1", "d9", "d4"])}


@pytest.mark.parametrize(("k", "expected"), [
    (1, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    (3, [1.0, 0.3333, 0.3333, 0.3333, 0.1111, 0.3194, 0.3631]),
    (5, [1.0, 0.6667, 0.4, 0.3333, 0.2444, 0.4430, 0.4568]),
])  # fmt: skip
def test_the_worked_example_has_its_values(k: int, expected: list[float]) -> None:
    names = [
        f"Success@{k}",
        f"R@{k}",
        f"P@{k}",
        f"RR@{k}",
        f"AP@{k}",
        f"nDCG@{k}",
        f"nDCG(dcg='exp-log2')@{k}",
    ]
    assert values(WORKED, WORKED_RUN, *names) == pytest.approx(expected, abs=5e-5)


def test_exponential_gain_is_the_gain_map_of_its_grades() -> None:
    one, other = values(WORKED, WORKED_RUN, "nDCG(dcg='exp-log2')@5", "nDCG(gains={2:3})@5")
    assert one == other


def test_context_precision_does_not_see_what_is_missing() -> None:
    run = Run("r", Path("r"), {"q": ranked(["d3", "d7", "d1", "d9", "d4"])})
    wanted = parse_measures(["ContextPrecision@5 AP@5"])
    found, ap = score_run(Judgements("x", WORKED), run, wanted)
    assert found.measure == "ContextPrecision@5"
    assert mean(found) == pytest.approx(0.3667, abs=5e-5)
    assert mean(ap) == pytest.approx(0.2444, abs=5e-5)


def test_siblings_alone_reach_a_high_ndcg_and_the_target_alone_a_low_one() -> None:
    grades = {"q": {"t#0": 2} | {f"t#{i}": 1 for i in range(1, 12)}}
    siblings = {"q": ranked([f"t#{i}" for i in range(1, 11)])}
    target = {"q": ranked(["t#0"])}
    names = ["nDCG@10", "nDCG(dcg='exp-log2')@10", "RR(rel=2)@10"]
    assert values(grades, siblings, *names) == pytest.approx([0.820, 0.694, 0.0], abs=5e-4)
    assert values(grades, target, *names) == pytest.approx([0.361, 0.458, 1.0], abs=5e-4)
    seven = "nDCG(gains={1:1,2:7})@10"
    without, alone = values(grades, siblings, seven)[0], values(grades, target, seven)[0]
    assert without is not None
    assert alone is not None
    assert without < alone


def test_a_plain_ndcg_is_not_touched_by_a_gain_map_before_it() -> None:
    (alone,) = values(WORKED, WORKED_RUN, "nDCG@5")
    assert values(WORKED, WORKED_RUN, "nDCG(gains={1:1,2:7})@5", "nDCG@5")[1] == alone


def test_rr_breaks_ties_as_trec_eval_does_with_and_without_k() -> None:
    run = {"q": {"b": 1.0, "c": 1.0}}
    assert values({"q": {"b": 1}}, run, "RR", "RR@1", "RR@2") == [0.5, 0.0, 0.5]


def test_missing_queries_count_nought_and_those_without_a_relevant_document_are_left_out() -> None:
    judged = Judgements("x", {"q1": {"a": 1}, "q2": {"b": 2}, "q3": {"c": 0}, "q4": {"d": -1}})
    run = Run("r", Path("r"), {"q1": {"a": 1.0}, "q3": {"c": 1.0}, "other": {"a": 1.0}})
    any_grade, target, graded, strict = score_run(
        judged, run, parse_measures(["RR", "RR(rel=2)", "nDCG@3", "nDCG(gains={1:0,2:1})@3"])
    )
    assert any_grade.values == {"q1": 1.0, "q2": 0.0}
    assert any_grade.excluded == ("q3", "q4")
    assert target.values == {"q2": 0.0}
    assert graded.values == {"q1": 1.0, "q2": 0.0}
    assert strict.values == {"q2": 0.0}


def test_no_query_has_no_mean() -> None:
    assert values({"q": {"a": 0}}, {"q": {"a": 1.0}}, "RR", "nDCG@3") == [None, None]


def test_a_gain_beyond_reason_is_refused() -> None:
    with pytest.raises(MeasureError, match="beyond"):
        values({"q": {"a": 40}}, {"q": {"a": 1.0}}, "nDCG(dcg='exp-log2')@3")


def naive(measure: Measure, grades: Mapping[str, int], ranking: Sequence[str]) -> float:
    """The textbook's formula for one query."""
    top = list(ranking)[: measure.cutoff]
    relevant = {doc for doc, grade in grades.items() if grade >= measure.level}
    hits = [rank for rank, doc in enumerate(top, 1) if doc in relevant]
    if measure.family is Family.SUCCESS:
        return float(bool(hits))
    if measure.family is Family.RECALL:
        return len(hits) / len(relevant)
    if measure.family is Family.PRECISION:
        return len(hits) / (measure.cutoff or 1)
    if measure.family is Family.RR:
        return 1 / hits[0] if hits else 0.0
    if measure.family is Family.AP:
        return sum(place / rank for place, rank in enumerate(hits, 1)) / len(relevant)
    power = {grade: 2**grade - 1 if measure.exponential else grade for grade in range(4)} | dict(
        measure.gains
    )
    gain = {doc: power[grade] for doc, grade in grades.items() if grade > 0}
    ideal = sorted(gain.values(), reverse=True)[: measure.cutoff]
    best = sum(one / math.log2(rank + 1) for rank, one in enumerate(ideal, 1))
    return sum(gain.get(doc, 0) / math.log2(rank + 1) for rank, doc in enumerate(top, 1)) / best


DOCS = [f"d{i}" for i in range(12)]
MEASURES = parse_measures([
    (
        "Success@1 Hit@3 R@3 R(rel=2)@10 P@5 P(rel=2)@20 RR RR@2 RR(rel=2)@7 RR(rel=3) AP "
        "AP(rel=2) AP@4"
    ),
    (
        "nDCG nDCG@3 nDCG(dcg='exp-log2')@5 nDCG(dcg='exp-log2') nDCG(gains={1:1,2:7})@10 "
        "nDCG(gains={1:0,2:1,3:5})@4"
    ),
])  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["q1", "q2", "q3"]),
        st.tuples(
            st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3), min_size=1),
            st.dictionaries(st.sampled_from(DOCS), st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 2.5])),
        ),
        min_size=1,
    )
)
def test_values_are_those_of_a_naive_reading(
    cases: dict[str, tuple[dict[str, int], dict[str, float]]],
) -> None:
    judged = Judgements("x", {qid: grades for qid, (grades, _) in cases.items()})
    run = Run("r", Path("r"), {qid: found for qid, (_, found) in cases.items() if found})
    for measure, scores in zip(MEASURES, score_run(judged, run, MEASURES), strict=True):
        counted = [
            qid
            for qid, grades in judged.qrels.items()
            if any(measure.gain(g) for g in grades.values())
        ]
        assert list(scores.values) == counted, measure.name
        for qid in counted:
            expected = naive(measure, judged.qrels[qid], run.ranking(qid))
            assert scores.values[qid] == pytest.approx(expected, abs=1e-9), (measure.name, qid)


def test_names_of_other_tools_mean_the_highest_grade() -> None:
    assert parse_measure("MRR@10", 1).name == "RR@10"
    assert parse_measure("MRR@10", 3).name == "RR(rel=3)@10"
    assert parse_measure("RR@10", 3).name == "RR@10"
    assert [one.name for one in parse_measures(["Hit MRR(rel=1) nDCG"], [5], 2)] == [
        "Success(rel=2)@5",
        "RR@5",
        "nDCG@5",
    ]


def test_context_precision_is_0_where_nothing_is_found_and_its_level_counts() -> None:
    grades = {"q": {"a": 2, "b": 1, "c": 1}, "r": {"a": 2}}
    run = {"q": ranked(["b", "a"]), "r": ranked(["z"])}
    assert values(grades, run, "ContextPrecision@5", "ContextPrecision(rel=2)@5") == [0.5, 0.25]


def test_condensed_lists_leave_out_what_nobody_judged() -> None:
    grades = {"q": {"t": 2, "s": 1}}
    run = {"q": ranked(["x", "y", "s", "t"]), "unknown": ranked(["x"])}
    found = values(grades, run, "RR(rel=2)@10", "RR(rel=2,judged_only=True)@10")
    assert found == pytest.approx([1 / 4, 1 / 2])


@pytest.mark.parametrize("family", ["nDCG@3", "P(rel=2)@2", "AP"])
def test_condensed_lists_are_those_of_ir_measures(family: str) -> None:
    grades = {"q": {"t": 2, "s": 1}, "r": {"t": 2}}
    run = {"q": ranked(["x", "s", "y", "t"]), "r": ranked(["x", "t"])}
    named, _, k = family.partition("@")
    own = named.replace(")", ",judged_only=True)") if ")" in named else f"{named}(judged_only=True)"
    name = f"{own}@{k}" if k else own
    (theirs,) = ir_measures.calc_aggregate([ir_measures.parse_measure(name)], grades, run).values()
    assert values(grades, run, name) == [pytest.approx(theirs)]


def test_bpref_is_that_of_ir_measures() -> None:
    grades = {"q": {"t": 2, "s": 1, "n": 0, "m": 0}, "r": {"t": 2, "n": 0}}
    run = {"q": ranked(["n", "x", "t", "s"]), "r": ranked(["x", "t"])}
    wanted = [ir_measures.Bpref(rel=2), ir_measures.Bpref(rel=1)]
    theirs = ir_measures.calc_aggregate(wanted, grades, run)
    found = values(grades, run, "Bpref(rel=2)", "Bpref")
    assert found == pytest.approx([theirs[one] for one in wanted])
    assert found[0] != found[1]


def test_bpref_takes_no_k_from_the_command_line() -> None:
    assert [one.name for one in parse_measures(["RR Bpref"], [5, 10])] == ["RR@5", "RR@10", "Bpref"]
