from __future__ import annotations

import math

import pytest

from hayami.curate.ideal import sibling_share
from hayami.evalset.gains import GAINS


@pytest.mark.parametrize(("gain", "reached"), [("linear", 0.820), ("exponential", 0.694)])
def test_a_run_without_the_target_reaches_what_is_known_for_an_article_of_twelve(
    gain: str, reached: float
) -> None:
    assert sibling_share(10, gain, [(1, 11)]).without_target == pytest.approx(reached, abs=0.0006)


@pytest.mark.parametrize(("gain", "target_alone"), [("linear", 0.361), ("exponential", 0.458)])
def test_the_share_of_the_siblings_is_what_the_target_alone_lacks(
    gain: str, target_alone: float
) -> None:
    assert 1 - sibling_share(10, gain, [(1, 11)]).share == pytest.approx(target_alone, abs=0.0006)


def test_with_a_gain_of_seven_to_one_the_target_holds_most_at_ten() -> None:
    assert (
        sibling_share(10, "7:1", [(1, 11)]).share
        < 0.5
        < sibling_share(10, "linear", [(1, 11)]).share
    )


def test_a_small_article_by_hand() -> None:
    found = sibling_share(2, "linear", [(1, 3)])
    best = 2 + 1 / math.log2(3)
    assert found.share == pytest.approx((1 / math.log2(3)) / best)
    assert found.without_target == pytest.approx((1 + 1 / math.log2(3)) / best)


def test_figures_are_means_over_queries() -> None:
    one, other = sibling_share(5, "7:1", [(1, 4)]), sibling_share(5, "7:1", [(2, 0)])
    both = sibling_share(5, "7:1", [(1, 4), (2, 0)])
    assert other.share == 0
    assert both.share == pytest.approx(one.share / 2)


@pytest.mark.parametrize("gain", GAINS)
def test_without_queries_or_siblings_nothing_is_theirs(gain: str) -> None:
    assert (
        sibling_share(10, gain, []).share,
        sibling_share(10, gain, [(1, 0)]).without_target,
    ) == (0, 0)
