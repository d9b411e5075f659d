"""A small part of the simulations: enough to see a rule break, too few for its figures."""

from __future__ import annotations

import numpy as np
import pytest

from simulating import MEASURES, Design, article_sums, simulate, true_gap, truth
from verdicts import (
    SHIFT,
    SMALL_UNEVEN,
    UNEVEN,
    bootstrap,
    coverage,
    covers,
    even,
    passes,
    rates,
    seen,
)

EVERY = range(len(MEASURES))


@pytest.mark.parametrize(
    "design",
    [even(24, 8, 4), Design("uneven", UNEVEN, 0.4)],
    ids=["design effect 4", "uneven articles"],
)
def test_equal_runs_are_called_different_in_one_comparison_of_twenty(design: Design) -> None:
    found = rates(design, 150, 0.0, seed=1, lines=EVERY)
    assert found.rule <= 0.1
    assert found.by_query > 0.15


def test_what_is_there_is_found_more_often_than_by_holm() -> None:
    found = rates(even(24, 8, 2), 100, SHIFT, seed=2, lines=[0])
    assert found.rule > found.larger + 0.05


def test_five_articles_bear_no_verdict() -> None:
    assert rates(even(5, 10, 2), 20, 3.0, seed=3, lines=EVERY).rule == 0


def test_what_the_rule_says_that_it_sees_is_found() -> None:
    size, share = seen(even(24, 8, 1), 60, seed=4)
    assert 0.05 < size < 0.15
    assert share > 0.7


@pytest.mark.parametrize(
    "design",
    [
        Design("alone", (1,) * 30),
        Design("easy", (1,) * 50, 0.0, 1.2),
        Design("few", (10,) * 5, 0.3, 0.2, 0.6),
        Design("uneven", SMALL_UNEVEN, 0.3, 0.2, 0.6),
    ],
    ids=lambda design: design.name,
)
def test_intervals_hold_the_truth_as_often_as_they_say(design: Design) -> None:
    means, gaps = covers(design, 150, seed=5)
    assert means.min() > 0.9
    assert gaps.min() > 0.9


def test_a_bootstrap_of_five_articles_does_not() -> None:
    design = Design("few", (10,) * 5, 0.3, 0.2, 0.6)
    rng = np.random.default_rng(6)
    (values,) = simulate(design, 100, [0.0], rng)
    held, _ = coverage(
        values[:1],
        np.array(truth(design)),
        design.articles,
        lambda row, clusters: bootstrap(row, clusters, rng),
    )
    assert held[0] < 0.9


def test_a_gate_lets_few_true_drops_of_its_limit_pass_and_the_point_rule_half() -> None:
    found = passes(even(24, 8, 2), 200, SHIFT / 2, seed=7)
    assert found.lower < 0.1
    assert found.family <= found.lower
    assert 0.4 < found.point < 0.6
    assert found.equal > found.lower


def test_the_simulated_runs_are_what_they_are_said_to_be() -> None:
    design = Design("even", (8,) * 500, 0.5)
    one, other = simulate(design, 1, [0.0, SHIFT], np.random.default_rng(8))
    gaps = (other - one)[:, 0]
    assert gaps.mean(axis=1) == pytest.approx(true_gap(design, SHIFT), abs=0.03)
    assert article_sums(gaps, design).shape == (5, 500)
    assert article_sums(gaps, design).sum() == pytest.approx(gaps.sum())
    assert truth(design)[0] == pytest.approx(0.7, abs=0.02)
