from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from hayami.evaluate.significance import (
    Outcomes,
    cluster_sums,
    count_outcomes,
    detectable_difference,
    holm,
    queries_needed,
    sign_flip_test,
    standard_error,
)


def flips(differences: list[float]) -> float:
    """The p-value by trying every pattern of signs."""
    observed = abs(sum(differences))
    patterns = list(itertools.product((1, -1), repeat=len(differences)))
    extreme = [
        p
        for p in patterns
        if abs(sum(s * d for s, d in zip(p, differences, strict=True))) >= observed - 1e-9
    ]
    return len(extreme) / len(patterns)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        ([0.5, 1.0, 0.3333, 1.0, 0.5], [0.25, 0.5, 0.25, 0.5, 0.3333], 0.0625),
        ([0.5, 1.0, 0.3333, 1.0, 0.5], [0.5, 1.0, 0.3333, 1.0, 0.5], 1.0),
        ([1.0], [0.5], 1.0),
        ([1.0, 0.0, 0.5, 0.0], [0.0, 1.0, 0.5, 0.0], 1.0),
    ],
    ids=["five queries that all fall", "equal runs", "one query", "as much up as down"],
)
def test_few_queries_have_the_exact_p_value(
    first: list[float], second: list[float], p: float
) -> None:
    test = sign_flip_test(np.array(second) - np.array(first))
    assert (test.p, test.exact) == (p, True)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from([0.0, 1.0, -1.0, 0.5, -0.5, 1 / 3, -1 / 3, 0.1, -0.2, 0.3]),
        min_size=1,
        max_size=9,
    )
)
def test_the_exact_p_value_is_the_share_of_patterns_as_extreme(differences: list[float]) -> None:
    assert sign_flip_test(np.array(differences)).p == pytest.approx(flips(differences))


def test_sixteen_differences_are_tried_out_and_seventeen_are_drawn() -> None:
    sixteen = np.array([0.1] * 16 + [0.0] * 100)
    assert sign_flip_test(sixteen).patterns == 65_536
    assert sign_flip_test(sixteen).p == 2 / 65_536
    assert not sign_flip_test(np.array([0.1] * 17)).exact


def test_drawn_p_values_are_near_the_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.random.default_rng(5).normal(0.3, 1.0, 18).round(2)
    drawn = sign_flip_test(differences, draws=20_000, seed=1)
    monkeypatch.setattr("hayami.evaluate.significance.EXACT", 18)
    exact = sign_flip_test(differences)
    assert (drawn.exact, exact.exact) == (False, True)
    assert drawn.p == pytest.approx(exact.p, abs=0.014)


def test_drawn_p_values_are_near_those_of_scipy() -> None:
    differences = np.random.default_rng(5).normal(0.35, 1.0, 60).round(2)
    theirs = permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        n_resamples=9_999,
        rng=np.random.default_rng(2),
    ).pvalue
    assert sign_flip_test(differences, seed=1).p == pytest.approx(theirs, abs=0.02)
    assert 0.01 < theirs < 0.5


def test_a_drawn_p_value_is_never_zero_and_the_seed_decides_it() -> None:
    clear = np.full(200, 0.5)
    assert sign_flip_test(clear, draws=999).p == 1 / 1_000
    unclear = np.random.default_rng(0).normal(0.05, 1, 200)
    assert sign_flip_test(unclear, seed=3) == sign_flip_test(unclear, seed=3)
    assert sign_flip_test(unclear, seed=3) != sign_flip_test(unclear, seed=4)


def test_the_number_of_draws_need_not_fill_a_block() -> None:
    unclear = np.random.default_rng(0).normal(0, 1, 21)
    assert sign_flip_test(unclear, draws=1_500).patterns == 1_500
    assert 0 < sign_flip_test(unclear, draws=1).p <= 1


def test_under_chance_alone_small_p_values_are_as_rare_as_they_say() -> None:
    generator = np.random.default_rng(11)
    ps = [sign_flip_test(generator.normal(0, 1, 12)).p for _ in range(300)]
    assert np.mean(np.array(ps) <= 0.1) == pytest.approx(0.1, abs=0.05)


def test_sums_that_differ_only_by_rounding_are_equal() -> None:
    assert sign_flip_test(np.array([0.1, 0.2, -0.3])).p == 1.0
    assert sign_flip_test(np.array([0.1] * 6 + [-0.2] * 3)).p == 1.0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_the_closed_test_over_bonferroni(ps: list[float]) -> None:
    places = range(len(ps))
    subsets = [s for size in places for s in itertools.combinations(places, size + 1)]
    closed = [
        max(min(1.0, len(s) * min(ps[j] for j in s)) for s in subsets if place in s)
        for place in places
    ]
    assert holm(ps) == pytest.approx(closed)


def test_holm_of_nothing_is_nothing() -> None:
    assert holm([]) == []


def test_what_is_equal_on_paper_is_a_tie() -> None:
    assert count_outcomes(np.array([0.1 + 0.2 - 0.3, 0.5, -0.5, -0.5, 0.0])) == Outcomes(1, 2, 2)


def test_cluster_sums_keep_the_order_of_first_appearance() -> None:
    assert cluster_sums(np.array([1.0, 2.0, 4.0]), ["b", "a", "b"]).tolist() == [5.0, 2.0]


def test_the_standard_error_is_that_of_the_mean() -> None:
    values = np.random.default_rng(0).random(50)
    assert standard_error(values) == pytest.approx(values.std(ddof=1) / 50**0.5)
    assert standard_error(values, [str(n) for n in range(50)]) == pytest.approx(
        standard_error(values)
    )
    assert standard_error(np.array([0.5])) is None
    assert standard_error(np.array([0.5, 0.7]), ["a", "a"]) is None


def test_queries_of_one_article_that_move_together_count_as_one() -> None:
    values = np.random.default_rng(0).random(40)
    repeated = np.repeat(values, 5)
    clusters = [str(n // 5) for n in range(200)]
    assert standard_error(repeated, clusters) == pytest.approx(standard_error(values))


def test_a_detectable_difference_is_found_in_four_of_five_sets() -> None:
    generator = np.random.default_rng(2)
    least = detectable_difference(1 / 30**0.5)
    found = [
        sign_flip_test(generator.normal(least, 1, 30), draws=400).p <= 0.05 for _ in range(250)
    ]
    assert np.mean(found) == pytest.approx(0.8, abs=0.08)


def test_twice_as_fine_takes_four_times_as_many_queries() -> None:
    once = queries_needed(0.01, 200, 0.02)
    assert queries_needed(0.01, 200, 0.01) == pytest.approx(4 * once, abs=4)
    assert detectable_difference(0.01 * (200 / once) ** 0.5) == pytest.approx(0.02, rel=0.01)
