from __future__ import annotations

import numpy as np
import pytest

from hayami.evaluate.confidence import spread
from hayami.evaluate.planning import plan
from hayami.evaluate.significance import flip_test, least_seen

GENERATOR = np.random.default_rng(3)
FIRST = GENERATOR.random(400)
SECOND = np.clip(FIRST + GENERATOR.normal(0.03, 0.4, 400), 0, 1)
ALONE = [f"a{n}" for n in range(400)]
EIGHTS = [f"a{n // 8}" for n in range(400)]


def test_the_interval_narrows_with_the_square_root_of_the_queries() -> None:
    found = plan("rr", [("one", FIRST)], ALONE, subsets=50)
    assert [size.queries for size in found.sizes] == [20, 30, 50, 100, 200, 400]
    widths = {size.queries: size.width for size in found.sizes}
    assert widths[100] / widths[400] == pytest.approx(2, rel=0.15)
    assert widths[400] == pytest.approx(2 * 1.96 * FIRST.std() / 20, rel=0.1)


def test_the_mean_over_subsets_spreads_around_that_of_the_set() -> None:
    found = plan("rr", [("one", FIRST)], ALONE, subsets=400)
    for size in found.sizes[:-1]:
        assert size.low < FIRST.mean() < size.high
        # Drawing without replacement from a finite set narrows the spread by the root of the share
        # that is left.
        expected = 2 * 1.96 * FIRST.std() * ((1 / size.queries) * (1 - size.queries / 400)) ** 0.5
        assert size.high - size.low == pytest.approx(expected, rel=0.2)
    assert found.sizes[-1].low == found.sizes[-1].high
    assert found.sizes[-1].low == pytest.approx(FIRST.mean())


def test_small_subsets_name_the_wrong_winner_more_often() -> None:
    found = plan("rr", [("one", FIRST), ("two", SECOND)], ALONE, subsets=500)
    wrong = [size.wrong or 0.0 for size in found.sizes]
    assert wrong[0] > wrong[3] > wrong[4] >= wrong[-1] == 0.0
    assert 0.05 < wrong[0] < 0.5


def test_a_difference_by_one_query_is_even_in_most_small_subsets() -> None:
    other = FIRST.copy()
    other[0] += 1.0
    found = plan("rr", [("one", FIRST), ("two", other)], ALONE, subsets=400)
    assert found.sizes[0].wrong == 0.0
    assert found.sizes[0].even == pytest.approx(1 - 20 / 400, abs=0.05)


def test_equal_runs_have_no_winner_and_no_least_difference() -> None:
    found = plan("rr", [("one", FIRST), ("two", FIRST.copy())], ALONE, subsets=20)
    assert {(size.wrong, size.even) for size in found.sizes} == {(None, None)}
    assert (found.detectable, found.needed) == (None, ())


def test_subsets_of_more_than_half_of_the_set_are_marked() -> None:
    found = plan("rr", [("one", FIRST[:150])], ALONE[:150], subsets=20)
    assert [size.queries for size in found.sizes if size.overlapping] == [100]


def test_the_least_difference_is_that_of_the_paired_differences() -> None:
    found = plan("rr", [("one", FIRST), ("two", SECOND)], ALONE, subsets=20)
    gaps = SECOND - FIRST
    assert found.detectable == least_seen(spread(gaps, ALONE), flip_test(gaps.reshape(1, -1)))
    assert found.detectable == pytest.approx(2.8 * gaps.std() / 20, rel=0.1)
    alone = plan("rr", [("one", FIRST)], ALONE, subsets=20)
    assert (alone.detectable or 0) > (found.detectable or 1)


def test_questions_of_an_article_that_move_together_need_more_queries() -> None:
    together = FIRST + np.repeat(GENERATOR.normal(0, 0.3, 50), 8)
    apart = plan("rr", [("one", FIRST), ("two", together)], ALONE, subsets=20)
    grouped = plan("rr", [("one", FIRST), ("two", together)], EIGHTS, subsets=20)
    assert (grouped.detectable or 0) > 2 * (apart.detectable or 1)
    assert grouped.articles == 50
    assert all(more[1] > less[1] for more, less in zip(grouped.needed, apart.needed, strict=True))


def test_smaller_differences_need_more_queries() -> None:
    needed = plan("rr", [("one", FIRST), ("two", SECOND)], ALONE, subsets=20).needed
    assert [d for d, _ in needed] == sorted((d for d, _ in needed), reverse=True)
    assert [n for _, n in needed] == sorted(n for _, n in needed)


def test_the_seed_decides_the_subsets() -> None:
    runs = [("one", FIRST), ("two", SECOND)]
    assert plan("rr", runs, ALONE, subsets=50, seed=4) == plan(
        "rr", runs, ALONE, subsets=50, seed=4
    )
    assert plan("rr", runs, ALONE, subsets=50, seed=4) != plan(
        "rr", runs, ALONE, subsets=50, seed=5
    )


def test_a_single_query_plans_nothing_but_does_not_fail() -> None:
    found = plan("rr", [("one", FIRST[:1]), ("two", SECOND[:1])], ["a"], subsets=20)
    assert [size.queries for size in found.sizes] == [1]
    assert found.detectable is None


def test_what_is_seen_and_what_is_needed_say_the_same() -> None:
    found = plan("rr", [("one", FIRST), ("two", SECOND)], EIGHTS, subsets=20)
    assert found.detectable is not None
    for difference, queries in found.needed:
        assert (queries <= 400) == (difference >= found.detectable)


def test_fewer_than_ten_articles_see_nothing() -> None:
    few = plan(
        "rr", [("one", FIRST), ("two", SECOND)], [f"a{n % 9}" for n in range(400)], subsets=20
    )
    assert (few.detectable, few.articles) == (None, 9)
    unknown = plan("rr", [("one", FIRST), ("two", SECOND)], None, subsets=20)
    assert unknown.detectable is not None
    assert unknown.articles is None
