"""Intervals of means: within bounds, wider where articles count, as known from a source."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from hayami.evaluate.confidence import (
    cluster_sums,
    gap_interval,
    lower_bound,
    mean_interval,
    number_clusters,
    spread,
)

values = st.lists(st.floats(0, 1), min_size=2, max_size=30)
gaps = st.lists(st.floats(-1, 1), min_size=2, max_size=30)


def names(number: int) -> list[str]:
    return [f"a{place}" for place in range(number)]


@given(st.integers(2, 60), st.data())
def test_of_shares_by_query_it_is_the_interval_of_clopper_and_pearson(
    many: int, data: st.DataObject
) -> None:
    hits = data.draw(st.integers(0, many))
    found = mean_interval(np.array([1.0] * hits + [0.0] * (many - hits)))
    theirs = binomtest(hits, many).proportion_ci(0.95, "exact")
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))


@given(values)
def test_an_interval_of_a_mean_holds_it_and_stays_within_0_and_1(sample: list[float]) -> None:
    found = mean_interval(np.array(sample))
    assert 0 <= found.low <= np.mean(sample) + 1e-9
    assert np.mean(sample) - 1e-9 <= found.high <= 1


@given(values)
def test_articles_of_one_query_each_are_queries(sample: list[float]) -> None:
    row = np.array(sample)
    by_query, by_article = mean_interval(row), mean_interval(row, names(len(sample)))
    assert (by_query.low, by_query.high) == pytest.approx((by_article.low, by_article.high))
    assert by_article.design_effect is None or by_article.design_effect == pytest.approx(1)


def test_over_many_queries_it_has_the_width_that_the_normal_theory_gives() -> None:
    sample = np.random.default_rng(1).random(400)
    found = mean_interval(sample)
    half = 1.96 * sample.std() / np.sqrt(400)
    assert found.low == pytest.approx(sample.mean() - half, abs=half / 10)
    assert found.high == pytest.approx(sample.mean() + half, abs=half / 10)
    assert found.units == 400


def test_equal_questions_of_an_article_widen_its_interval_by_the_root_of_their_number() -> None:
    of_article = np.random.default_rng(2).random(100)
    sample, articles = np.repeat(of_article, 4), [f"a{place // 4}" for place in range(400)]
    by_query, by_article = mean_interval(sample), mean_interval(sample, articles)
    assert by_article.design_effect == pytest.approx(4)
    ratio = (by_article.high - by_article.low) / (by_query.high - by_query.low)
    assert ratio == pytest.approx(2, abs=0.15)
    assert by_article.units == 100


def test_where_all_values_are_equal_the_interval_still_has_a_width() -> None:
    assert mean_interval(np.ones(20)).low == pytest.approx(0.025 ** (1 / 20))
    assert mean_interval(np.ones(20), names(20)).high == 1
    assert mean_interval(np.ones(20), ["a", "b"] * 10).low < 0.2
    assert mean_interval(np.full(20, 0.5)).high > 0.6


def test_an_article_that_holds_most_queries_leaves_little_freedom() -> None:
    even, uneven = ["a", "b", "c", "d"] * 5, ["a"] * 17 + ["b", "c", "d"]
    row = np.random.default_rng(3).random(20)
    assert spread(row, even).freedom == pytest.approx(3)
    assert spread(row, uneven).freedom == 1


@given(gaps)
def test_an_interval_of_differences_mirrors_that_of_the_others(sample: list[float]) -> None:
    found, mirrored = gap_interval(np.array(sample)), gap_interval(-np.array(sample))
    assert (found.low, found.high) == pytest.approx((-mirrored.high, -mirrored.low))
    assert -1 <= found.low <= found.high <= 1
    assert lower_bound(np.array(sample)) >= found.low - 1e-9


def test_runs_that_never_differ_are_not_known_to_be_the_same() -> None:
    few, many = gap_interval(np.zeros(20)), gap_interval(np.zeros(2_000))
    assert few.low < -0.1
    assert -0.01 < many.low < 0


def test_the_error_is_that_of_the_mean() -> None:
    row = np.random.default_rng(0).random(50)
    assert spread(row).error == pytest.approx(row.std(ddof=1) / 50**0.5)
    assert spread(row, names(50)).error == pytest.approx(spread(row).error)
    assert spread(np.array([0.5])).error is None
    assert spread(np.array([0.5, 0.7]), ["a", "a"]).error is None
    assert spread(np.repeat(row, 5), [f"a{n // 5}" for n in range(250)]).error == pytest.approx(
        spread(row).error
    )


def test_one_unit_or_none_says_nothing() -> None:
    assert (mean_interval(np.array([0.5])).low, mean_interval(np.array([0.5])).high) == (0, 1)
    assert (gap_interval(np.array([])).low, gap_interval(np.array([])).high) == (-1, 1)
    assert lower_bound(np.array([0.3, 0.4]), ["a", "a"]) == -1
    assert spread(np.array([0.5, 0.5])).design_effect is None


def test_clusters_keep_the_order_of_first_appearance() -> None:
    assert number_clusters(["b", "a", "b"]).tolist() == [0, 1, 0]
    assert cluster_sums(np.array([1.0, 2.0, 4.0]), ["b", "a", "b"]).tolist() == [5.0, 2.0]
