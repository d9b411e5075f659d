from __future__ import annotations

import math

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayami.evalset.gains import (
    GAINS,
    dcg,
    exponential_gain,
    linear_gain,
    split_dcg,
    split_ideal_dcg,
    steep_gain,
)

grades = st.lists(st.integers(0, 2), max_size=12)


def test_gains_of_the_grades_by_hand() -> None:
    table = {name: [gain(grade) for grade in (-1, 0, 1, 2, 3)] for name, gain in GAINS.items()}
    assert table == {
        "linear": [0, 0, 1, 2, 3],
        "exponential": [0, 0, 1, 3, 7],
        "7:1": [0, 0, 1, 7, 3],
    }


def test_the_dcg_of_three_results_by_hand() -> None:
    assert dcg([3, 2, 1]) == pytest.approx(3 + 2 / math.log2(3) + 1 / 2)
    assert dcg([]) == 0


@given(grades)
def test_the_two_parts_are_the_dcg(found: list[int]) -> None:
    for gain in GAINS.values():
        parts = split_dcg(found, gain)
        assert parts.whole == pytest.approx(dcg(map(gain, found)))
        assert 0 <= parts.siblings_share <= 1


@given(grades, st.integers(1, 12))
def test_no_order_beats_the_ideal_one(found: list[int], k: int) -> None:
    for gain in GAINS.values():
        ideal = split_ideal_dcg(found, gain, k).whole
        assert split_dcg(found[:k], gain).whole <= ideal + 1e-9


@given(st.lists(st.integers(0, 2), min_size=1, max_size=10))
def test_the_normalised_gain_is_that_of_ir_measures(found: list[int]) -> None:
    qrels = {"q": {str(place): grade for place, grade in enumerate(found)}}
    run = {"q": {str(place): -float(place) for place in range(len(found))}}
    ideal = split_ideal_dcg(found, linear_gain, 10).whole
    ours = split_dcg(found[:10], linear_gain).whole / ideal if ideal else 0.0
    theirs = ir_measures.calc_aggregate([ir_measures.nDCG @ 10], qrels, run)
    assert ours == pytest.approx(theirs[ir_measures.nDCG @ 10])


def test_of_equal_gains_the_target_stands_first() -> None:
    flat = split_ideal_dcg([1, 2], lambda grade: int(grade > 0), 1)
    assert (flat.targets, flat.siblings) == (1, 0)


def test_nothing_has_no_share() -> None:
    assert split_dcg([0, 0], exponential_gain).siblings_share == 0
    assert split_ideal_dcg([], steep_gain, None).siblings_share == 0
