from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import permutation_test
from scipy.stats import t as student

from hayami.evaluate.confidence import Spread, spread
from hayami.evaluate.significance import (
    FlipTest,
    Outcomes,
    count_outcomes,
    flip_test,
    least_seen,
    queries_needed,
    units_needed,
)


def sign_flip_test(
    differences: NDArray[np.float64], *, draws: int = 10_000, seed: int = 0
) -> FlipTest:
    """The test of a single line."""
    return flip_test(differences.reshape(1, -1), draws=draws, seed=seed)


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
    assert (test.p, test.exact) == ((p,), True)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from([0.0, 1.0, -1.0, 0.5, -0.5, 1 / 3, -1 / 3, 0.1, -0.2, 0.3]),
        min_size=1,
        max_size=9,
    )
)
def test_the_exact_p_value_is_the_share_of_patterns_as_extreme(differences: list[float]) -> None:
    assert sign_flip_test(np.array(differences)).p[0] == pytest.approx(flips(differences))


def test_sixteen_differences_are_tried_out_and_seventeen_are_drawn() -> None:
    sixteen = np.array([0.1] * 16 + [0.0] * 100)
    assert sign_flip_test(sixteen).patterns == 65_536
    assert sign_flip_test(sixteen).p == (2 / 65_536,)
    assert not sign_flip_test(np.array([0.1] * 17)).exact


def test_drawn_p_values_are_near_the_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.random.default_rng(5).normal(0.3, 1.0, 18).round(2)
    drawn = sign_flip_test(differences, draws=20_000, seed=1)
    monkeypatch.setattr("hayami.evaluate.significance.EXACT", 18)
    exact = sign_flip_test(differences)
    assert (drawn.exact, exact.exact) == (False, True)
    assert drawn.p[0] == pytest.approx(exact.p[0], abs=0.014)


def test_drawn_p_values_are_near_those_of_scipy() -> None:
    differences = np.random.default_rng(5).normal(0.35, 1.0, 60).round(2)
    theirs = permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        n_resamples=9_999,
        rng=np.random.default_rng(2),
    ).pvalue
    assert sign_flip_test(differences, seed=1).p[0] == pytest.approx(theirs, abs=0.02)
    assert 0.01 < theirs < 0.5


def test_a_drawn_p_value_is_never_zero_and_the_seed_decides_it() -> None:
    clear = np.full(200, 0.5)
    assert sign_flip_test(clear, draws=999).p == (1 / 1_000,)
    unclear = np.random.default_rng(0).normal(0.05, 1, 200)
    assert sign_flip_test(unclear, seed=3) == sign_flip_test(unclear, seed=3)
    assert sign_flip_test(unclear, seed=3) != sign_flip_test(unclear, seed=4)


def test_the_number_of_draws_need_not_fill_a_block() -> None:
    unclear = np.random.default_rng(0).normal(0, 1, 21)
    assert sign_flip_test(unclear, draws=1_500).patterns == 1_500
    assert 0 < sign_flip_test(unclear, draws=1).p[0] <= 1


def test_under_chance_alone_small_p_values_are_as_rare_as_they_say() -> None:
    generator = np.random.default_rng(11)
    ps = [sign_flip_test(generator.normal(0, 1, 12)).p[0] for _ in range(300)]
    assert np.mean(np.array(ps) <= 0.1) == pytest.approx(0.1, abs=0.05)


def test_sums_that_differ_only_by_rounding_are_equal() -> None:
    assert sign_flip_test(np.array([0.1, 0.2, -0.3])).p == (1.0,)
    assert sign_flip_test(np.array([0.1] * 6 + [-0.2] * 3)).p == (1.0,)


def stepped(table: NDArray[np.float64]) -> list[float]:
    """Adjusted p-values by the definition: closed over all sets of lines."""
    lines, clusters = table.shape
    scale = np.sqrt((table**2).sum(axis=1))
    scale[scale == 0] = 1
    patterns = np.array(list(itertools.product((1, -1), repeat=clusters)))
    drawn = np.abs(patterns @ table.T) / scale
    observed = np.abs(table.sum(axis=1)) / scale
    found = []
    for line in range(lines):
        worst = 0.0
        for size in range(1, lines + 1):
            for chosen in itertools.combinations(range(lines), size):
                if line in chosen:
                    largest = observed[list(chosen)].max()
                    hits = drawn[:, list(chosen)].max(axis=1) >= largest - 1e-9
                    worst = max(worst, float(hits.mean()))
        found.append(worst)
    return found


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 10_000))
def test_adjusted_p_values_are_those_of_the_closed_test(
    lines: int, clusters: int, seed: int
) -> None:
    table = np.random.default_rng(seed).normal(0.4, 1, (lines, clusters)).round(1)
    assert list(flip_test(table).adjusted) == pytest.approx(stepped(table))


def test_lines_that_move_together_cost_nothing_and_strangers_do() -> None:
    line = np.random.default_rng(4).normal(0.5, 1, 14)
    alone, twice = flip_test(line.reshape(1, -1)), flip_test(np.stack([line, line]))
    assert twice.adjusted == pytest.approx(alone.p * 2)
    strange = np.random.default_rng(5).normal(0, 1, (5, 14))
    assert flip_test(np.vstack([line, strange])).adjusted[0] > alone.p[0]


def test_of_no_line_and_of_no_difference_nothing_is_found() -> None:
    assert flip_test(np.zeros((0, 4))).p == ()
    assert flip_test(np.zeros((2, 4))).adjusted == (1.0, 1.0)
    assert flip_test(np.zeros((2, 4))).critical is None


def test_so_few_clusters_that_nothing_can_be_found_have_no_critical_value() -> None:
    generator = np.random.default_rng(6)
    assert flip_test(generator.normal(0, 1, (1, 5))).critical is None
    assert flip_test(generator.normal(0, 1, (1, 7))).critical is not None


@settings(max_examples=30, deadline=None)
@given(st.integers(7, 30), st.integers(1, 3), st.integers(0, 1_000))
def test_what_exceeds_the_critical_value_is_found_and_nothing_else(
    clusters: int, lines: int, seed: int
) -> None:
    table = np.random.default_rng(seed).normal(0.4, 1, (lines, clusters))
    test = flip_test(table, draws=999)
    assert test.critical is not None
    statistics = np.abs(table.sum(axis=1)) / np.sqrt((table**2).sum(axis=1))
    best = int(statistics.argmax())
    assert (test.adjusted[best] < 0.05) == (statistics[best] > test.critical + 1e-9)


def test_what_is_equal_on_paper_is_a_tie() -> None:
    assert count_outcomes(np.array([0.1 + 0.2 - 0.3, 0.5, -0.5, -0.5, 0.0])) == Outcomes(1, 2, 2)


def test_a_difference_that_is_seen_is_found_in_four_of_five_sets() -> None:
    generator = np.random.default_rng(2)
    sample = generator.normal(0, 1, 30)
    test = flip_test(sample.reshape(1, -1))
    least = least_seen(Spread(0.0, 1 / 30**0.5, 30, 30, 29.0, 1.0), test)
    assert least is not None
    found = [
        sign_flip_test(generator.normal(least, 1, 30), draws=400).adjusted[0] <= 0.05
        for _ in range(250)
    ]
    assert np.mean(found) == pytest.approx(0.8, abs=0.08)


def test_what_nothing_can_find_is_not_seen() -> None:
    few = np.random.default_rng(3).normal(0, 1, 5)
    assert least_seen(spread(few), sign_flip_test(few)) is None
    assert least_seen(spread(np.zeros(20)), sign_flip_test(np.zeros(20))) is None
    wild = np.random.default_rng(3).normal(0, 5, 20)
    assert least_seen(spread(wild), sign_flip_test(wild)) is None


def test_twice_as_fine_takes_four_times_as_many_queries() -> None:
    found = Spread(0.0, 0.01, 200, 50, 49.0, 1.0)
    once, half = queries_needed(found, 0.02), queries_needed(found, 0.01)
    assert once is not None
    assert half == pytest.approx(4 * once, abs=4)
    assert units_needed(found, 0.02) == pytest.approx(once / 4, abs=1)
    assert queries_needed(found, 0.0) is None
    assert units_needed(spread(np.zeros(3)), 0.1) is None


@pytest.mark.parametrize("clusters", [12, 25], ids=["all patterns", "drawn patterns"])
def test_the_critical_value_is_where_the_p_value_crosses_its_bound(clusters: int) -> None:
    noise = np.random.default_rng(7).normal(0, 1, clusters)
    noise -= noise.mean()
    low, high = 0.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        found = sign_flip_test(noise + middle, draws=999).adjusted[0] < 0.05
        low, high = (low, middle) if found else (middle, high)
    at = noise + high
    critical = sign_flip_test(at, draws=999).critical
    assert critical == pytest.approx(abs(at.sum()) / np.sqrt((at**2).sum()), abs=1e-6)


def test_what_is_seen_is_the_critical_t_and_a_quantile_of_t_times_the_error() -> None:
    found = Spread(0.0, 0.01, 40, 10, 9.0, 1.0)
    test = FlipTest((1.0,), (1.0,), critical=2.0, clusters=10, patterns=1_024, exact=True)
    seen = least_seen(found, test)
    assert seen == pytest.approx((2 * (9 / 6) ** 0.5 + student.ppf(0.8, 9)) * 0.01)


def test_needed_units_are_counted_up() -> None:
    found = Spread(0.0, 0.01, 40, 10, 9.0, 1.0)
    assert units_needed(found, 0.028) == 11
    assert queries_needed(found, 0.028) == 41
    assert queries_needed(found, 1.0) == 2
