from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import pytest

from hayami.audit.figures import FAULT_MEANINGS, FaultKind, Score
from hayami.audit.intervals import Bounds, Proportion, clopper_pearson, plain
from hayami.audit.items import Item, Kind
from hayami.audit.judged import Judged, gather
from hayami.audit.scoring import require, score
from hayami.audit.sheets import Sheet

Draw = Callable[..., list[Item]]


def scored(*sheets: Sequence[Item], claim: float = 0.95) -> Score:
    read = [
        Sheet(Path(f"{n}.csv"), [(f"{n}.csv", item) for item in items])
        for n, items in enumerate(sheets)
    ]
    return score(gather(read), claim=claim)


def by(judge: str, items: Sequence[Item]) -> list[Item]:
    return [item.model_copy(update={"judge": judge}) for item in items]


def known(share: Proportion | None) -> Proportion:
    assert share is not None
    return share


def rounded(interval: Bounds) -> tuple[float, float]:
    return round(interval.low, 3), round(interval.high, 3)


def test_the_audit_of_the_article_comes_out(draw: Draw) -> None:
    found = scored(draw(["right"] * 28 + ["also"] * 10 + ["other", "wrong"], population=1856))
    precision = known(found.labels.estimate)
    assert (precision.n, precision.hits, precision.value) == (40, 38, 0.95)
    assert rounded(precision.exact) == (0.831, 0.994)
    assert precision == found.labels.unweighted
    assert found.completeness == plain(28, 38)
    assert found.missing_sections == 10
    assert found.need.flawless == 72
    assert found.need.claimable == precision.exact.low


def test_strata_count_for_the_labels_that_they_have(draw: Draw) -> None:
    found = scored(
        draw(["right"] * 5 + ["wrong"] * 5, "match=fuzzy", 90)
        + draw(["right"] * 10, "match=exact", 10)
    )
    assert known(found.labels.estimate).value == pytest.approx(0.55)
    assert known(found.labels.unweighted).value == 0.75
    assert [(s.name, s.population, s.rows, s.share) for s in found.labels.strata] == [
        ("match=exact", 10, 10, plain(10, 10)),
        ("match=fuzzy", 90, 10, plain(5, 10)),
    ]


def test_what_is_unsure_unjudged_or_disputed_is_left_out_and_counted(draw: Draw) -> None:
    first = by("aki", draw(["right", "wrong", "unsure", "right", None], population=9))
    second = by("ken", draw([None, None, None, "wrong", None], population=9))
    found = scored(first, second).labels
    assert asdict(found.tally) == {
        "rows": 5,
        "right": 1,
        "wrong": 1,
        "unsure": 1,
        "disputed": 1,
        "unjudged": 1,
    }
    assert known(found.estimate).n == 2
    assert known(found.if_all_wrong).value == pytest.approx(1 / 4)


def test_a_stratum_with_nothing_judged_makes_the_figure_partial(draw: Draw) -> None:
    found = scored(
        draw(["right"] * 9, "match=exact", 50) + draw([None, "unsure"], "match=fuzzy", 50)
    )
    assert found.labels.not_covered == ("match=fuzzy",)
    assert known(found.labels.estimate).value == 1
    assert found.labels.population == 100


def test_draws_of_one_set_are_put_together(draw: Draw) -> None:
    found = scored(
        draw(["right"] * 10, population=100),
        draw(["wrong"] * 5, population=100, first=8, seed=1)[2:],
    )
    assert known(found.labels.estimate).n == 13
    assert found.labels.population == 100


def test_rows_that_were_picked_are_part_of_no_estimate_and_their_faults_are_listed(
    draw: Draw,
) -> None:
    found = scored(
        draw(["right"] * 4), draw(["wrong", "right"], seed=None, first=50, why="ambiguous")
    )
    assert known(found.labels.estimate).n == 4
    assert (found.picked.rows, found.picked.right, found.picked.wrong) == (2, 1, 1)
    assert [fault.row.qid for fault in found.faults] == ["q50"]


def test_parts_are_plain_counts_of_the_same_rows(draw: Draw) -> None:
    items = draw(["right"] * 3, language="ko") + draw(["wrong"], first=3) + draw([None], first=4)
    items = [item.model_copy(update={"population": 5}) for item in items]
    by_name = {
        one.by: {part.value: part.share for part in one.parts}
        for one in scored(items).labels.breakdowns
    }
    assert by_name["language"] == {"ja": plain(0, 1), "ko": plain(3, 3)}
    assert by_name["match"] == {"exact": plain(3, 4)}
    assert by_name["detector"] == {"header": plain(3, 4)}


def test_rejected_rows_give_the_recall_of_the_labels(draw: Draw) -> None:
    rejected = draw(
        ["right"] * 6 + ["nothing"] * 2 + ["wrong", "other"], "rejected", 30, kind=Kind.REJECTION
    )
    found = scored(draw(["right"] * 38 + ["wrong"] * 2, population=200) + rejected)
    assert known(found.rejections.estimate) == plain(8, 10)
    assert {b.by: [p.value for p in b.parts] for b in found.rejections.breakdowns}["reason"] == [
        "unmatched"
    ]
    recall = found.recall
    assert recall is not None
    assert (recall.right_labels, recall.missed_rows) == pytest.approx((190, 6))
    assert recall.value == pytest.approx(190 / 196)
    # by hand: each part with 97.5%, the worse ends together and the better ends together
    right, rightly = clopper_pearson(38, 40, 0.975), clopper_pearson(8, 10, 0.975)
    assert recall.interval.low == pytest.approx(
        200 * right.low / (200 * right.low + 30 * (1 - rightly.low))
    )
    assert recall.interval.high == pytest.approx(
        200 * right.high / (200 * right.high + 30 * (1 - rightly.high))
    )


def test_without_rejected_rows_there_is_no_recall(draw: Draw) -> None:
    assert scored(draw(["right"])).recall is None
    assert scored(draw(["right"]) + draw([None, "unsure"], kind=Kind.REJECTION)).recall is None


def test_recall_is_there_also_where_as_many_rows_are_missed_as_labels_are_right(draw: Draw) -> None:
    recall = scored(draw(["right", "wrong"]) + draw(["right", "wrong"], kind=Kind.REJECTION)).recall
    assert recall is not None
    assert (recall.value, recall.right_labels, recall.missed_rows) == (0.5, 1, 1)


def test_recall_is_left_open_where_nothing_has_an_answer(draw: Draw) -> None:
    assert scored(draw(["nothing"] * 3) + draw(["right"] * 3, kind=Kind.REJECTION)).recall is None


def test_pooled_sections_are_counted_apart(draw: Draw) -> None:
    found = scored(
        draw(["right"]) + draw(["right", "wrong", "wrong", None], kind=Kind.POOL, seed=None)
    )
    assert found.accepted == plain(1, 3)
    assert (found.pool.rows, found.pool.unjudged) == (4, 1)
    assert found.picked.rows == 0
    assert known(found.labels.estimate).n == 1
    assert found.faults == ()


def test_every_fault_is_listed_under_its_kind(draw: Draw) -> None:
    labels = draw(["wrong", "other", "nothing", "also", "context", "right", "unsure"])
    labels[5] = labels[5].model_copy(update={"rewrite": "パンの質問"})
    found = scored(labels + draw(["wrong", "right"], kind=Kind.REJECTION))
    assert [(fault.kind, fault.row.qid) for fault in found.faults] == [
        (FaultKind.WRONG_SECTION, "q0"),
        (FaultKind.WRONG_SECTION, "q1"),
        (FaultKind.NOTHING_ANSWERS, "q2"),
        (FaultKind.MISSING_SECTION, "q3"),
        (FaultKind.NOT_ALONE, "q4"),
        (FaultKind.NOT_ALONE, "q5"),
        (FaultKind.MISSED_ROW, ""),
    ]
    assert found.faults[1].row.said[0].chosen == ("ja/パン#99",)
    assert set(FAULT_MEANINGS) == set(FaultKind)


def test_two_judges_are_compared_and_each_has_a_precision(draw: Draw) -> None:
    first = by("aki", draw(["right"] * 6 + ["wrong"] * 2 + ["also", "unsure"]))
    second = by("ken", draw(["right"] * 5 + ["wrong"] * 3 + ["right", "right"]))
    found = scored(first, second)
    assert [(judge.judge, judge.rows, judge.precision) for judge in found.judges] == [
        ("aki", 10, plain(7, 9)),
        ("ken", 10, plain(7, 10)),
    ]
    (pair,) = found.pairs
    assert pair.outcomes.raw == plain(8, 9)
    assert pair.rulings.raw == plain(7, 10)
    # 2 x 2 by hand: 6 both right, 2 both wrong, 1 right and wrong; chance 7/9 · 6/9 + 2/9 · 3/9 =
    # 48/81
    assert pair.outcomes.kappa.value == pytest.approx((8 / 9 - 48 / 81) / (1 - 48 / 81))
    assert [(one.row.qid, one.right_or_wrong) for one in found.disagreements] == [
        ("q5", True),
        ("q8", False),
    ]
    assert known(found.labels.estimate) == plain(7, 9)


def test_a_disputed_row_is_no_fault_yet(draw: Draw) -> None:
    found = scored(by("aki", draw(["right"])), by("ken", draw(["other"])))
    assert found.faults == ()
    assert found.labels.estimate is None


def test_a_fault_that_one_of_two_judges_saw_is_listed_with_that_judge(draw: Draw) -> None:
    found = scored(by("aki", draw(["right"])), by("ken", draw(["also"])))
    assert [(f.kind, [said.judge for said in f.row.said]) for f in found.faults] == [
        (FaultKind.MISSING_SECTION, ["ken"])
    ]


def test_an_adjudication_counts_in_the_figures(draw: Draw) -> None:
    item, other = draw([None])[0], draw(["other"])[0]
    said = (by("aki", draw(["right"]))[0], by("ken", draw(["other"]))[0])
    found = score([Judged(item, said, other.model_copy(update={"judge": "boss"}))])
    assert known(found.labels.estimate) == plain(0, 1)
    assert found.disagreements[0].settled == "other"
    assert [said.judge for said in found.faults[0].row.said] == ["boss"]


def test_of_a_rejected_row_nothing_and_right_are_the_same_ruling(draw: Draw) -> None:
    found = scored(
        by("aki", draw(["nothing"], kind=Kind.REJECTION)),
        by("ken", draw(["right"], kind=Kind.REJECTION)),
    )
    assert known(found.pairs[0].rulings.raw).hits == 1


def test_judges_who_shared_the_work_have_no_pair(draw: Draw) -> None:
    found = scored(
        by("aki", draw(["right"], population=9)), by("ken", draw(["right"], population=9, first=1))
    )
    assert len(found.judges) == 2
    assert found.pairs == ()


def test_a_requirement_is_met_by_the_lower_bound_and_not_by_the_share(draw: Draw) -> None:
    found = scored(draw(["right"] * 38 + ["wrong"] * 2))
    assert require(found, 0.83).met
    missed = require(found, 0.9)
    assert not missed.met
    assert missed.more is not None
    assert clopper_pearson(38 + missed.more, 40 + missed.more).low >= 0.9
    assert clopper_pearson(37 + missed.more, 39 + missed.more).low < 0.9
    assert f"{missed.more} more rows without an error" in missed.why


def test_72_rows_without_an_error_meet_95_percent_and_71_do_not(draw: Draw) -> None:
    assert require(scored(draw(["right"] * 72)), 0.95).met
    assert require(scored(draw(["right"] * 71)), 0.95).more == 1


def test_a_partial_figure_meets_no_requirement(draw: Draw) -> None:
    found = require(scored(draw(["right"] * 90, "match=exact") + draw([None], "match=fuzzy")), 0.9)
    assert not found.met
    assert found.why == "nothing is judged of match=fuzzy"


def test_rows_that_were_picked_meet_no_requirement(draw: Draw) -> None:
    found = require(scored(draw(["right"] * 90, seed=None)), 0.5)
    assert not found.met
    assert "by chance" in found.why


def test_the_figures_are_strict_json_also_where_something_is_undefined(draw: Draw) -> None:
    found = scored(by("aki", draw(["right"] * 3)), by("ken", draw(["right"] * 3)))
    told = json.loads(json.dumps(asdict(found), allow_nan=False))
    assert told["pairs"][0]["outcomes"]["kappa"]["value"] is None
    assert told["pairs"][0]["outcomes"]["kappa"]["why"].startswith("undefined")


def test_no_row_at_all_is_no_error() -> None:
    found = score([])
    assert found.labels.estimate is None
    assert found.need.flawless == 72
