from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.audit.intervals import (
    Proportion,
    StratumCounts,
    clopper_pearson,
    flawless_rows,
    more_rows,
    plain,
    rows_at_rate,
    weighted,
    wilson,
)

CELLS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 30), st.integers(0, 300), st.integers(0, 30)).map(
        lambda t: StratumCounts(t[1] + t[2], t[1], t[1], min(t[0], t[1]))
    ),
    min_size=1,
    max_size=5,
)


def known(share: Proportion | None) -> Proportion:
    assert share is not None
    return share


def whole(population: int, judged: int, hits: int) -> StratumCounts:
    return StratumCounts(population, judged, judged, hits)


# Newcombe 1998, Statistics in Medicine 17, 857-872, table I: methods 3 (score) and 5
# (Clopper-Pearson).
NEWCOMBE = [
    (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
    (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
    (0, 20, (0.0, 0.1611), (0.0, 0.1684)),
    (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
]


@pytest.mark.parametrize(("hits", "n", "score", "exact"), NEWCOMBE)
def test_both_intervals_are_those_of_the_literature(
    hits: int, n: int, score: tuple[float, float], exact: tuple[float, float]
) -> None:
    found = wilson(hits, n), clopper_pearson(hits, n)
    assert [(round(i.low, 4), round(i.high, 4)) for i in found] == [score, exact]


def test_the_audit_of_the_article_comes_out() -> None:
    exact = known(plain(38, 40)).exact
    assert (round(exact.low, 3), round(exact.high, 3)) == (0.831, 0.994)


def test_a_claim_of_95_percent_takes_72_rows_without_an_error() -> None:
    assert flawless_rows(0.95) == 72
    assert clopper_pearson(71, 71).low < 0.95 <= clopper_pearson(72, 72).low


@pytest.mark.parametrize("claim", [0.01, 0.5, 0.8, 0.9, 0.98, 0.999])
def test_the_rows_of_a_flawless_claim_are_those_of_the_closed_form(claim: float) -> None:
    assert flawless_rows(claim) == math.ceil(math.log(0.025) / math.log(claim))


def test_a_claim_that_nobody_can_prove_takes_no_number_of_rows() -> None:
    assert flawless_rows(1 - 1e-9) is None
    assert rows_at_rate(0.95, 0.95) is None
    assert rows_at_rate(0.95, 0.9) is None


def test_errors_at_a_rate_take_more_rows_and_none_take_as_many_as_a_flawless_claim() -> None:
    rows = rows_at_rate(0.95, 0.975)
    assert rows is not None
    assert (
        clopper_pearson(0.975 * rows, rows).low
        >= 0.95
        > clopper_pearson(0.975 * (rows - 1), rows - 1).low
    )
    assert rows_at_rate(0.95, 1.0) == 72


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 60), st.integers(1, 60))
def test_so_many_more_rows_do_and_one_less_does_not(hits: int, n: int) -> None:
    share = known(plain(min(hits, n), n))
    more = more_rows(0.9, share)
    assert more is not None
    assert clopper_pearson(share.hits + more, n + more).low >= 0.9
    assert more == 0 or clopper_pearson(share.hits + more - 1, n + more - 1).low < 0.9


def test_equal_weights_give_the_exact_interval_of_the_plain_counts() -> None:
    assert weighted([whole(200, 40, 38)]) == plain(38, 40)
    assert weighted([whole(100, 20, 20), whole(50, 10, 8), whole(50, 10, 10)]) == plain(38, 40)


def test_each_row_counts_for_the_rows_that_it_stands_for() -> None:
    share = known(weighted([whole(900, 10, 5), whole(100, 30, 30)]))
    assert (share.n, share.hits) == (40, 35)
    assert share.value == pytest.approx(0.9 * 0.5 + 0.1 * 1.0)
    # variance 0.9² · 0.25 / 10 = 0.02025 by hand; 0.55 · 0.45 / 0.02025 rows drawn alike say as
    # much
    assert share.effective == pytest.approx(0.55 * 0.45 / 0.02025)
    assert share.exact == clopper_pearson(0.55 * share.effective, share.effective)


def test_a_small_stratum_without_an_error_does_not_look_certain() -> None:
    for hits in (37, 36):  # without any error, and with one elsewhere
        share = known(weighted([whole(100, 3, 3), whole(100, 37, hits)]))
        assert share.effective == pytest.approx(
            200**2 / (3 * (100 / 3) ** 2 + 37 * (100 / 37) ** 2)
        )  # Kish
        assert share.exact.low < known(plain(3 + hits, 40)).exact.low


def test_a_share_of_some_rows_is_weighted_as_well() -> None:
    share = known(
        weighted(
            [StratumCounts(100, 10, 8, 4), StratumCounts(20, 10, 5, 5), StratumCounts(50, 10, 0, 0)]
        )
    )
    assert (share.n, share.hits) == (13, 9)
    assert share.value == pytest.approx((10 * 4 + 2 * 5) / (10 * 8 + 2 * 5))


def test_a_share_of_some_rows_of_one_stratum_is_that_of_plain_counts() -> None:
    assert weighted([StratumCounts(500, 40, 38, 30)]) == plain(30, 38)


def test_where_nothing_is_judged_there_is_no_share() -> None:
    assert weighted([]) is None
    assert weighted([whole(10, 0, 0)]) is None
    assert plain(0, 0) is None


def test_a_stratum_of_which_nothing_is_judged_counts_for_nothing() -> None:
    assert weighted([whole(10, 0, 0), whole(100, 20, 19)]) == plain(19, 20)


@settings(max_examples=40, deadline=None)
@given(CELLS)
def test_no_weighting_makes_an_audit_surer_than_its_rows(cells: list[StratumCounts]) -> None:
    share = known(weighted(cells))
    assert 0 < share.effective <= share.n
    assert 0 <= share.exact.low <= share.value + 1e-9
    assert share.value - 1e-9 <= share.exact.high <= 1
    assert (
        share.exact.high - share.exact.low
        >= clopper_pearson(share.value * share.n, share.n).high
        - (clopper_pearson(share.value * share.n, share.n).low)
        - 1e-9
    )


@settings(max_examples=40, deadline=None)
@given(CELLS)
def test_the_order_of_the_strata_says_nothing(cells: list[StratumCounts]) -> None:
    one, other = known(weighted(cells)), known(weighted(cells[::-1]))
    assert (one.value, one.effective) == pytest.approx((other.value, other.effective))


def test_the_interval_holds_its_level_where_strata_are_drawn_unequally() -> None:
    """As many as 95 in 100 audits of sets whose precision is known have it in their interval.

    More may have.
    """
    import numpy as np

    random = np.random.default_rng(20)
    designs = [
        ([(300, 0.98, 15), (60, 0.75, 15), (40, 0.6, 10)], 0.9075),
        ([(100, 0.9, 5), (100, 0.97, 35)], 0.935),
        (
            [(1000, 0.9, 5), (50, 1.0, 35)],
            950 / 1050,
        ),  # by its variance alone the estimate would hold 0.41
        ([(500, 0.95, 10), (20, 0.5, 20)], (475 + 10) / 520),
    ]
    for strata, truth in designs:
        right = {(size, rate): round(size * rate) for size, rate, _ in strata}
        held = 0
        for _ in range(150):
            cells = [
                whole(
                    size,
                    n,
                    int(random.hypergeometric(right[size, rate], size - right[size, rate], n)),
                )
                for size, rate, n in strata
            ]
            exact = known(weighted(cells)).exact
            held += exact.low <= truth <= exact.high
        assert held / 150 >= 0.94
