"""Random samples: exact sizes, equal chances, the same for the same seed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import hayami
from hayami.audit.items import Item, Kind
from hayami.audit.sample import (
    NO_MISSES,
    REJECTED,
    SCORE_BANDS,
    By,
    Draw,
    allocate,
    draw_sample,
    draw_within,
    score_band,
    stratum_of,
)
from hayami.errors import AllocationError, SheetError
from hayami.evalset.records import ARTICLE_REASONS, Reason

POPULATIONS = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 60), min_size=1)


@pytest.fixture(scope="session")
def evalset(sample: hayami.Built) -> hayami.EvalSet:
    return hayami.load(sample.folder)


@pytest.fixture(scope="session")
def draw(evalset: hayami.EvalSet) -> Callable[..., tuple[Item, ...]]:
    return lambda **plan: (
        draw_sample(evalset, evalset.folder.parent / "s.jsonl", Draw(**plan)).items
    )


def ids(items: tuple[Item, ...]) -> list[str]:
    return [item.item for item in items]


# --- allocation -----------------------------------------------------------------------------------


@given(populations=POPULATIONS, n=st.integers(0, 500), floor=st.integers(0, 5))
def test_the_rows_add_up_and_no_stratum_gives_more_than_it_has_or_less_than_its_floor(
    populations: dict[str, int], n: int, floor: int
) -> None:
    least = {name: min(floor, size) for name, size in populations.items()}
    if sum(least.values()) > min(n, sum(populations.values())):
        with pytest.raises(AllocationError):
            allocate(populations, n, floor)
        return
    drawn = allocate(populations, n, floor)
    assert sum(drawn.values()) == min(n, sum(populations.values()))
    assert all(least[name] <= drawn[name] <= populations[name] for name in populations)


@given(populations=POPULATIONS, n=st.integers(0, 300), floor=st.integers(0, 3))
def test_one_row_more_takes_none_from_any_stratum(
    populations: dict[str, int], n: int, floor: int
) -> None:
    try:
        fewer = allocate(populations, n, floor)
    except AllocationError:
        return
    more = allocate(populations, n + 1, floor)
    assert all(fewer[name] <= more[name] for name in populations)


@given(populations=POPULATIONS, n=st.integers(0, 200))
def test_without_a_floor_no_share_is_off_by_two_rows(populations: dict[str, int], n: int) -> None:
    total = sum(populations.values())
    drawn = allocate(populations, n, 0)
    assert all(
        abs(drawn[name] - min(n, total) * size / total) < 2 for name, size in populations.items()
    )


def test_shares_are_proportional() -> None:
    assert allocate({"a": 500, "b": 300, "c": 200}, 10, 0) == {"a": 5, "b": 3, "c": 2}
    assert allocate({"a": 62, "b": 25, "c": 13}, 4, 0) == {"a": 2, "b": 1, "c": 1}, (
        "the small are not passed over"
    )
    assert allocate({"a": 970, "b": 20, "c": 10}, 40, 3) == {"a": 34, "b": 3, "c": 3}


def test_ties_go_by_name_in_whatever_order_the_set_has_the_strata() -> None:
    sizes = {"a": 10, "b": 10, "c": 10}
    for order in permutations(sizes):
        populations = {name: sizes[name] for name in order}
        assert allocate(populations, 4, 1) == {"a": 2, "b": 1, "c": 1}, order


def test_the_alabama_paradox_does_not_happen() -> None:
    """With largest remainders the stratum of 2 gets 2 of 10 rows, and 1 of 11."""
    populations = {"a": 6, "b": 6, "c": 2}
    assert [allocate(populations, n, 0)["c"] for n in range(8, 14)] == sorted(
        allocate(populations, n, 0)["c"] for n in range(8, 14)
    )


def test_floors_that_do_not_fit_are_refused_with_the_numbers() -> None:
    with pytest.raises(AllocationError) as caught:
        allocate({"a": 100, "b": 2, "c": 9}, 7, 3)
    assert (
        caught.value.what
        == "3 strata with at least 3 rows each (or all they have) are 8 rows, not 7"
    )
    assert "Draw 8 rows or more" in caught.value.hint


# --- strata ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "band"),
    [
        (0.0, "0.00-0.50"),
        (0.4999, "0.00-0.50"),
        (0.5, "0.50-0.60"),
        (0.6, "0.60-0.75"),
        (0.75, "0.75-0.90"),
        (0.9999, "0.90-1.00"),
        (1.0, "1.00"),
    ],
)
def test_bands_of_the_score_hold_their_lower_end(score: float, band: str) -> None:
    assert score_band(score) == band


@given(st.floats(0, 1))
def test_every_score_is_in_a_band(score: float) -> None:
    low, _, high = score_band(score).partition("-")
    assert float(low) <= score
    assert score < float(high) if high else score == SCORE_BANDS[-1]


@pytest.mark.parametrize(
    ("by", "pattern"),
    [
        ((By.NONE,), "all"),
        ((By.MATCH,), "match=fuzzy"),
        ((By.LANGUAGE, By.MATCH, By.LANGUAGE), "language=ko,match=fuzzy"),
        ((By.DETECTOR, By.SCORE), "detector=header,score=0.60-0.75"),
    ],
)
def test_strata_are_named_after_what_they_are_made_of(
    draw: Callable[..., tuple[Item, ...]], by: tuple[By, ...], pattern: str
) -> None:
    item = next(
        item
        for item in draw(n=1_000)
        if item.match == "fuzzy" and item.language == "ko" and 0.6 <= item.targets[0].score < 0.75
    )
    assert stratum_of(item, by) == pattern


def test_most_trusted_matches_come_first_and_rejected_rows_last(evalset: hayami.EvalSet) -> None:
    strata = draw_sample(evalset, Path("s.jsonl"), Draw(rejected=True)).strata
    names = [
        "match=anchor",
        "match=exact",
        "match=contains",
        "match=number",
        "match=fuzzy",
        "rejected",
    ]
    assert [stratum.name for stratum in strata] == names
    assert sum(stratum.drawn for stratum in strata) == 40


# --- the draw -------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_sheet_and_another_another(
    draw: Callable[..., tuple[Item, ...]],
) -> None:
    assert draw(seed=7) == draw(seed=7)
    assert ids(draw(seed=7)) != ids(draw(seed=8))


def test_a_seed_draws_the_same_rows_in_every_release(draw: Callable[..., tuple[Item, ...]]) -> None:
    """A sheet can be drawn again, and grown, only if the draw never changes.

    Worked out with hashlib alone.
    """
    item = draw(n=20)[0]
    rows = [item.model_copy(update={"item": f"i{number}"}) for number in range(10)]
    assert [row.item for row in draw_within(rows, 4, 0)] == ["i1", "i3", "i0", "i8"]


def test_the_order_of_the_set_does_not_matter(bakery_set: Path) -> None:
    path = bakery_set / "evalset.jsonl"
    before = draw_sample(hayami.load(bakery_set), bakery_set.parent / "s.jsonl", Draw(n=3, floor=0))
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(reversed(lines)) + "\n", encoding="utf-8")
    turned = hayami.EvalSet(bakery_set, trusting=True)
    assert draw_sample(turned, bakery_set.parent / "s.jsonl", Draw(n=3, floor=0)) == before


def test_a_larger_sample_holds_the_smaller_one(draw: Callable[..., tuple[Item, ...]]) -> None:
    smaller: set[str] = set()
    for n in range(18, 80, 3):
        larger = set(ids(draw(n=n, rejected=True)))
        assert len(larger) == n
        assert smaller <= larger
        smaller = larger


def test_every_line_says_how_it_was_drawn(draw: Callable[..., tuple[Item, ...]]) -> None:
    items = draw(n=40, seed=3, rejected=True)
    counted = Counter(item.stratum for item in items)
    assert all(
        item.drawn == counted[item.stratum] and item.seed == 3 and item.why == "" for item in items
    )
    assert sum({item.stratum: item.population for item in items}.values()) == 226
    assert sum(item.weight for item in items) == pytest.approx(226)


def test_strata_are_mixed_in_the_sheet(draw: Callable[..., tuple[Item, ...]]) -> None:
    """Were the order that of the draw, a stratum of which little was drawn would all come first."""
    sheets = [draw(n=100, floor=20, seed=seed) for seed in range(10)]
    places = [
        place for items in sheets for place, item in enumerate(items) if item.match == "contains"
    ]
    assert len(places) == 10 * 20
    assert 43 < sum(places) / len(places) < 56


def test_within_a_stratum_every_row_has_the_same_chance(
    draw: Callable[..., tuple[Item, ...]],
) -> None:
    """A chi-square test over 400 seeds; the seeds are fixed, so it fails always or never."""
    fuzzy = [item for item in draw(n=9_999) if item.match == "fuzzy"]
    drawn = Counter(item.item for seed in range(400) for item in draw_within(fuzzy, 5, seed))
    assert (len(drawn), sum(drawn.values())) == (27, 400 * 5)
    # drawing 5 of 27 without replacement: the statistic is chi-square after division by its smaller
    # variance
    statistic = stats.chisquare([*drawn.values()]).statistic / ((27 - 5) / (27 - 1))
    assert 0.001 < stats.chi2.sf(statistic, 26) < 0.999


def test_more_rows_than_there_are_gives_all(draw: Callable[..., tuple[Item, ...]]) -> None:
    items = draw(n=9_999, by=(By.NONE,))
    assert len(items) == 206
    assert {(item.stratum, item.population, item.drawn) for item in items} == {("all", 206, 206)}


# --- rejected rows --------------------------------------------------------------------------------


def test_only_rows_that_could_be_missed_labels_are_drawn_from_the_rejected(
    draw: Callable[..., tuple[Item, ...]],
) -> None:
    rejected = [item for item in draw(n=9_999, rejected=True) if item.stratum == REJECTED]
    assert len(rejected) == 20, "21 rows are rejected, one of them has no question"
    assert all(
        item.kind is Kind.REJECTION and item.reason not in NO_MISSES and item.question
        for item in rejected
    )
    assert {item.reason for item in rejected} >= {
        Reason.UNMATCHED,
        Reason.NO_REFERENCE,
        Reason.EXTERNAL_LINK,
    }


def test_files_and_rows_asked_or_judged_elsewhere_are_no_misses() -> None:
    assert NO_MISSES > ARTICLE_REASONS
    assert {Reason.DUPLICATE_QUESTION, Reason.DROPPED_BY_VERDICT, Reason.NO_QUESTION} <= NO_MISSES


def test_without_being_asked_for_no_rejected_row_is_drawn(
    draw: Callable[..., tuple[Item, ...]],
) -> None:
    assert {item.kind for item in draw(n=9_999)} == {Kind.LABEL}


def test_equal_rows_are_judged_once(tmp_path: Path, make_article: Callable[..., str]) -> None:
    rows = [
        ("何度？", "30", "温度"),
        ("何度？", "30", "温度"),
        ("何分？", "5", "時刻表"),
        ("何分？", "6", "時刻表"),
    ]
    (tmp_path / "a.html").write_text(make_article("パン", rows, ["温度", "水分"]), encoding="utf-8")
    built = hayami.build(
        [tmp_path / "a.html"], tmp_path / "set", hayami.Settings(duplicates=hayami.Duplicates.KEEP)
    )
    drawn = draw_sample(
        hayami.load(built.folder), tmp_path / "s.jsonl", Draw(n=9, floor=0, rejected=True)
    )
    assert [(stratum.population, stratum.drawn) for stratum in drawn.strata] == [(1, 1), (1, 1)]
    assert len(set(ids(drawn.items))) == 2


def test_a_set_without_labels_is_refused(tmp_path: Path, make_article: Callable[..., str]) -> None:
    (tmp_path / "a.html").write_text(make_article("パン", [], ["温度"]), encoding="utf-8")
    built = hayami.build([tmp_path / "a.html"], tmp_path / "set")
    with pytest.raises(SheetError, match="no labels to draw from"):
        draw_sample(hayami.load(built.folder), tmp_path / "s.jsonl", Draw(rejected=True))


def test_items_are_json_without_surprises(draw: Callable[..., tuple[Item, ...]]) -> None:
    content = json.loads(draw(n=18)[0].model_dump_json())
    assert content["set"] == "set"
    assert content["verdict"] is None
