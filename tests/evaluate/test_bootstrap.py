"""Bootstrap intervals: repeatable, of the right width, wider where whole articles are drawn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayami.evaluate import bootstrap
from hayami.evaluate.bootstrap import interval, intervals

values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def test_an_interval_of_a_mean_has_the_width_that_the_normal_theory_gives() -> None:
    sample = np.random.default_rng(1).random(400)
    found = interval(sample, None, 4000, 0)
    half = 1.96 * sample.std() / np.sqrt(400)
    assert found.low == pytest.approx(sample.mean() - half, abs=half / 10)
    assert found.high == pytest.approx(sample.mean() + half, abs=half / 10)
    assert found.units == 400


@given(values)
def test_an_interval_lies_within_the_values_and_repeats(sample: list[float]) -> None:
    found = interval(sample, None, 50, 3)
    assert min(sample) - 1e-9 <= found.low <= found.high <= max(sample) + 1e-9
    assert found == interval(sample, None, 50, 3)


@given(values)
def test_articles_of_one_query_each_are_queries(sample: list[float]) -> None:
    by_query, by_article = (
        interval(sample, None, 50),
        interval(sample, list(range(len(sample))), 50),
    )
    assert by_query == by_article
    assert by_query.design_effect is None or by_query.design_effect == pytest.approx(1)


def test_equal_questions_of_an_article_widen_its_interval_by_the_root_of_their_number() -> None:
    of_article = np.random.default_rng(2).random(100)
    sample, articles = np.repeat(of_article, 4), np.repeat([f"a{i}" for i in range(100)], 4)
    by_query, by_article = interval(sample), interval(sample, articles)
    assert by_article.design_effect == pytest.approx(4)
    ratio = (by_article.high - by_article.low) / (by_query.high - by_query.low)
    assert ratio == pytest.approx(2, abs=0.15)
    assert by_article.units == 100


def test_the_mean_of_drawn_articles_is_over_their_queries() -> None:
    sample, articles = [1.0] * 9 + [0.0], ["long"] * 9 + ["short"]
    found = interval(sample, articles, 1000)
    assert (found.low, found.high) == (0.0, 1.0)
    assert interval(sample, articles, 1000).units == 2


def test_measures_together_have_the_intervals_that_they_have_alone() -> None:
    table = np.random.default_rng(3).random((3, 50))
    for found, row in zip(intervals(table), table, strict=True):
        assert (found.low, found.high) == pytest.approx((interval(row).low, interval(row).high))


def test_drawing_in_parts_gives_the_same_means(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = np.random.default_rng(4).random(40)
    whole = interval(sample, None, 300)
    monkeypatch.setattr(bootstrap, "_CHUNK", 100)
    assert interval(sample, None, 300) == whole


def test_no_value_gives_an_empty_interval() -> None:
    assert interval([]).units == 0
    assert interval([0.5, 0.5]).design_effect is None
