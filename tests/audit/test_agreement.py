from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.audit.agreement import Coefficient, agree, cohens_kappa, gwets_ac1

# Three abstractors' diagnoses of 100 women in the vignette of the R package irrCAC (K. L. Gwet),
# which prints kappa 0.7964094 (standard error 0.05891072) and AC1 0.8493305 (0.04321747).
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
TABLES = st.integers(2, 4).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 20), min_size=size, max_size=size), min_size=size, max_size=size
    ).filter(lambda table: sum(map(sum, table)) > 0)
)


def error_of(coefficient: Coefficient) -> float:
    assert coefficient.interval is not None
    return (coefficient.interval.high - coefficient.interval.low) / 2 / 1.959964


def test_kappa_and_its_error_are_those_of_irrcac() -> None:
    kappa = cohens_kappa(ABSTRACTORS)
    assert kappa.value == pytest.approx(0.7964094, abs=1e-7)
    assert error_of(kappa) == pytest.approx(0.05891072, abs=1e-7)


def test_ac1_and_its_error_are_those_of_irrcac() -> None:
    ac1 = gwets_ac1(ABSTRACTORS)
    assert ac1.value == pytest.approx(0.8493305, abs=1e-7)
    assert error_of(ac1) == pytest.approx(0.04321747, abs=1e-7)


def test_kappa_of_two_ratings_is_that_of_statpsych() -> None:
    """Its documentation gives ci.kappa(.05, 31, 12, 4, 58): 0.6756757, 0.5317210 to 0.8196303."""
    kappa = cohens_kappa([[31, 12], [4, 58]])
    assert kappa.value == pytest.approx(0.6756757, abs=1e-7)
    assert kappa.interval is not None
    assert (kappa.interval.low, kappa.interval.high) == pytest.approx(
        (0.5317210, 0.8196303), abs=1e-7
    )


def test_kappa_of_the_first_paper_comes_out() -> None:
    """Cohen 1960, two judges and 200 cases in three categories: 0.492."""
    assert cohens_kappa([[88, 14, 18], [10, 40, 10], [2, 6, 12]]).value == pytest.approx(
        0.492, abs=5e-4
    )


def test_where_nearly_all_rows_are_alike_kappa_is_low_and_ac1_is_not() -> None:
    """Gwet 2002, 125 cases of which 118 are alike: kappa -0.0234, AC1 0.9408."""
    table = [[118, 5], [2, 0]]
    assert cohens_kappa(table).value == pytest.approx(-0.0234, abs=5e-5)
    assert gwets_ac1(table).value == pytest.approx(0.9408, abs=5e-5)


def test_judges_who_say_one_thing_about_every_row_have_no_kappa() -> None:
    found = agree([("right", "right")] * 12, ("right", "wrong"))
    assert found.kappa == Coefficient(
        None, None, "undefined: both judges said the same about every row"
    )
    assert found.ac1.value == 1
    assert found.ac1.interval is None
    assert found.ac1.why


def test_judges_who_always_agree_have_a_kappa_of_one_without_an_interval() -> None:
    found = agree([("right", "right")] * 12 + [("wrong", "wrong")] * 3, ("right", "wrong"))
    assert found.kappa.value == 1
    assert found.kappa.interval is None
    assert "standard error" in found.kappa.why


def test_judges_who_share_no_row_have_no_agreement() -> None:
    found = agree([], ("right", "wrong"))
    assert found.raw is None
    assert (found.kappa.value, found.ac1.value) == (None, None)
    assert found.kappa.why == "no row was judged by both"


def test_one_row_is_enough_to_say_something_and_not_to_fail() -> None:
    found = agree([("right", "wrong")], ("right", "wrong"))
    assert found.raw is not None
    assert found.raw.hits == 0
    assert found.kappa.value == 0


def test_kappa_knows_only_what_was_said_and_ac1_all_that_could_be() -> None:
    pairs = [("a", "a")] * 8 + [("a", "b")] * 2 + [("b", "b")] * 5
    narrow, wide = agree(pairs, "ab"), agree(pairs, "abcdef")
    assert narrow.kappa == wide.kappa
    assert narrow.ac1.value is not None
    assert wide.ac1.value is not None
    assert wide.ac1.value > narrow.ac1.value


@settings(max_examples=40, deadline=None)
@given(TABLES)
def test_it_does_not_matter_who_is_the_first_judge(table: list[list[int]]) -> None:
    turned = [list(column) for column in zip(*table, strict=True)]
    for one, other in (
        (cohens_kappa(table), cohens_kappa(turned)),
        (gwets_ac1(table), gwets_ac1(turned)),
    ):
        assert one.value == pytest.approx(other.value)
        assert (one.interval is None) == (other.interval is None)


@settings(max_examples=40, deadline=None)
@given(TABLES)
def test_every_coefficient_is_a_number_in_its_range_or_says_why_not(table: list[list[int]]) -> None:
    for found in (cohens_kappa(table), gwets_ac1(table)):
        if found.value is None:
            assert found.why
        else:
            assert -1 - 1e-9 <= found.value <= 1 + 1e-9
        if found.interval is None:
            assert found.why
        else:
            assert -1 <= found.interval.low <= found.interval.high <= 1
