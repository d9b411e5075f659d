from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hayami.audit.items import Item, Kind
from hayami.audit.judged import OUTCOMES, Judged, State, gather, outcome_of, variables
from hayami.audit.sheets import Sheet
from hayami.errors import SheetError
from hayami.evalset.names import SectionName
from hayami.evalset.records import Ruling
from hayami.verdicts.log import Verdict

Draw = Callable[..., list[Item]]


def sheet(name: str, items: Sequence[Item]) -> Sheet:
    return Sheet(Path(name), [(f"{name}:{number}", item) for number, item in enumerate(items, 1)])


def by(judge: str, items: Sequence[Item]) -> list[Item]:
    return [item.model_copy(update={"judge": judge}) for item in items]


def verdict(
    item: Item, ruling: str | None, judge: str = "aki", *, adjudicates: bool = False
) -> Verdict:
    names = tuple(
        SectionName(section=section, article="ja/パン", heading="見出し")
        for section in item.sections
    )
    return Verdict(
        rows=item.rows,
        question=item.question,
        ruling=Ruling(ruling) if ruling else None,
        judged=names,
        judge=judge,
        at="2026-01-01T00:00:00+00:00",
        adjudicates=adjudicates,
    )


def states(judged: Sequence[Judged]) -> list[State]:
    return [row.state for row in judged]


def test_every_ruling_that_a_kind_allows_but_unsure_has_an_outcome() -> None:
    from hayami.audit.items import RULINGS

    assert {kind: {*OUTCOMES[kind], Ruling.UNSURE} for kind in Kind} == {
        kind: set(RULINGS[kind]) for kind in Kind
    }


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (Kind.LABEL, ["right", "also", "context"], ["wrong", "other", "nothing"]),
        (Kind.REJECTION, ["right", "nothing"], ["wrong", "other"]),
        (Kind.POOL, ["right"], ["wrong"]),
    ],
)
def test_a_ruling_means_right_or_wrong_by_what_is_judged(
    draw: Draw, kind: Kind, good: list[str], bad: list[str]
) -> None:
    found = [outcome_of(item) for item in draw([*good, *bad, "unsure", None], kind=kind)]
    assert found == [True] * len(good) + [False] * len(bad) + [None, None]


def test_cells_of_the_sheet_count_and_empty_ones_do_not(draw: Draw) -> None:
    found = gather([sheet("a.csv", draw(["right", "wrong", "unsure", None]))])
    assert states(found) == [State.RIGHT, State.WRONG, State.UNSURE, State.UNJUDGED]


def test_an_empty_sheet_is_filled_from_the_labels(draw: Draw) -> None:
    items = draw([None, None, None])
    found = gather(
        [sheet("a.jsonl", items)], [verdict(items[0], "right"), verdict(items[2], "wrong")]
    )
    assert states(found) == [State.RIGHT, State.UNJUDGED, State.WRONG]


def test_the_last_word_of_a_judge_counts_and_one_taken_back_does_not(draw: Draw) -> None:
    items = draw([None, None])
    said = [
        verdict(items[0], "wrong"),
        verdict(items[1], "wrong"),
        verdict(items[0], "right"),
        verdict(items[1], None),
    ]
    assert states(gather([sheet("a.jsonl", items)], said)) == [State.RIGHT, State.UNJUDGED]


def test_a_cell_of_the_sheet_wins_over_the_labels(draw: Draw) -> None:
    items = draw(["wrong", None])
    said = [verdict(items[0], "right"), verdict(items[1], "right")]
    assert states(gather([sheet("a.csv", items)], said)) == [State.WRONG, State.RIGHT]
    named = gather([sheet("a.csv", by("aki", items))], said)
    assert [[one.judge for one in row.said] for row in named] == [["aki"], ["aki"]]
    assert states(named) == [State.WRONG, State.RIGHT]


def test_a_named_judge_of_the_sheet_stands_beside_another_of_the_labels(draw: Draw) -> None:
    items = by("mia", draw(["right"]))
    (row,) = gather([sheet("a.csv", items)], [verdict(items[0], "wrong", "aki")])
    assert [one.judge for one in row.said] == ["aki", "mia"]
    assert row.state is State.DISPUTED


def test_who_is_unsure_contradicts_nobody(draw: Draw) -> None:
    items = draw([None])
    (row,) = gather(
        [sheet("a.csv", items)], [verdict(items[0], "unsure"), verdict(items[0], "right", "ken")]
    )
    assert row.state is State.RIGHT
    assert not row.differs


def test_an_adjudication_settles_whatever_else_was_said(draw: Draw) -> None:
    items = draw([None, "wrong"])
    said = [verdict(items[0], "right"), verdict(items[0], "wrong", "ken")]
    said += [verdict(item, "right", "boss", adjudicates=True) for item in items]
    found = gather([sheet("a.csv", items)], said)
    assert states(found) == [State.RIGHT, State.RIGHT]
    assert found[0].differs
    assert [one.judge for one in found[0].said] == ["aki", "ken"]


def test_an_adjudication_that_is_taken_back_settles_nothing(draw: Draw) -> None:
    items = draw([None])
    said = [verdict(items[0], "right"), verdict(items[0], "wrong", "ken")]
    said += [verdict(items[0], ruling, "boss", adjudicates=True) for ruling in ("right", None)]
    assert states(gather([sheet("a.csv", items)], said)) == [State.DISPUTED]


def test_the_later_of_two_adjudications_counts(draw: Draw) -> None:
    items = draw([None])
    order = [("boss", "wrong"), ("chief", "wrong"), ("boss", "right")]
    said = [verdict(items[0], ruling, judge, adjudicates=True) for judge, ruling in order]
    assert states(gather([sheet("a.csv", items)], said)) == [State.RIGHT]


def test_a_verdict_on_other_sections_is_no_verdict_on_this_label(draw: Draw) -> None:
    items = draw([None])
    other = verdict(items[0], "wrong").model_copy(update={"judged": ()})
    assert states(gather([sheet("a.csv", items)], [other])) == [State.UNJUDGED]


def test_two_sheets_without_names_are_two_judges_named_after_their_files(draw: Draw) -> None:
    (row,) = gather([sheet("x/aki.csv", draw(["right"])), sheet("ken.csv", draw(["wrong"]))])
    assert [one.judge for one in row.said] == ["aki", "ken"]


def test_files_of_one_name_are_told_apart_by_their_folders(draw: Draw) -> None:
    (row,) = gather([sheet("aki/a.csv", draw(["right"])), sheet("ken/a.csv", draw(["wrong"]))])
    assert [one.judge for one in row.said] == [str(Path("aki/a.csv")), str(Path("ken/a.csv"))]


def test_sheets_of_different_rows_are_of_one_judge_without_a_name(draw: Draw) -> None:
    found = gather(
        [
            sheet("a.csv", draw(["right"], population=9)),
            sheet("b.csv", draw(["wrong"], population=9, first=1)),
        ]
    )
    assert {one.judge for row in found for one in row.said} == {""}


def test_a_row_in_two_draws_is_one_row(draw: Draw) -> None:
    sheets = [
        sheet("a.csv", draw(["right", None], population=9)),
        sheet("b.csv", draw([None, None], population=9)),
    ]
    assert states(gather(sheets)) == [State.RIGHT, State.UNJUDGED]


def test_a_row_that_was_picked_and_also_drawn_speaks_for_its_stratum(draw: Draw) -> None:
    picked, drawn = draw([None], seed=None, why="ambiguous"), draw(["right"])
    (row,) = gather([sheet("queue.csv", picked), sheet("a.csv", drawn)])
    assert row.by_chance
    (alone,) = gather([sheet("queue.csv", picked)])
    assert not alone.by_chance


def test_judges_who_name_different_sections_differ_and_agree_on_the_outcome(draw: Draw) -> None:
    first, second = by("aki", draw(["other"])), by("ken", draw(["other"]))
    second = [item.model_copy(update={"chosen": ("ja/パン#7",)}) for item in second]
    (row,) = gather([sheet("a.csv", first), sheet("b.csv", second)])
    assert row.differs
    assert row.state is State.WRONG


def test_a_label_is_complete_only_if_the_judges_agree_on_it(draw: Draw) -> None:
    rows = gather([sheet("a.csv", by("aki", draw(["right", "also", "also", "wrong", None])))])
    assert [row.complete for row in rows] == [True, False, False, None, None]
    pair = gather(
        [sheet("a.csv", by("aki", draw(["also"]))), sheet("b.csv", by("ken", draw(["right"])))]
    )
    assert pair[0].state is State.RIGHT
    assert pair[0].complete is None


def refused(*sheets: Sheet) -> SheetError:
    with pytest.raises(SheetError) as caught:
        gather(sheets)
    assert caught.value.hint
    return caught.value


def test_sheets_of_different_sets_are_refused_with_file_and_line(draw: Draw) -> None:
    error = refused(
        sheet("a.csv", draw(["right"])),
        sheet("b.csv", draw(["right", "right"], set_sha256="other")),
    )
    assert error.where == "b.csv:1"
    assert "a.csv:1" in error.what


def test_a_stratum_of_two_sizes_is_refused(draw: Draw) -> None:
    error = refused(
        sheet("a.csv", draw(["right"], population=9)), sheet("b.csv", draw(["right"], population=8))
    )
    assert (error.where, error.what) == ("b.csv:1", "stratum all has 8 rows here and 9 at a.csv:1")


def test_more_rows_than_the_stratum_has_are_refused(draw: Draw) -> None:
    assert refused(sheet("a.csv", draw(["right", "right"], population=1))).what == (
        "stratum all has 1 rows, but 2 were drawn from it"
    )


def test_strata_that_overlap_are_refused(draw: Draw) -> None:
    error = refused(
        sheet("a.csv", draw(["right"], "match=fuzzy", 9)),
        sheet("b.csv", draw(["right"], "language=ja", 9)),
    )
    assert "match=fuzzy and language=ja overlap" in error.what


def test_one_judge_with_two_opinions_is_refused(draw: Draw) -> None:
    error = refused(
        sheet("a.csv", by("aki", draw(["right"]))), sheet("b.csv", by("aki", draw(["wrong"])))
    )
    assert error.where == "b.csv:1"
    assert "says wrong here and right at a.csv:1" in error.what


@pytest.mark.parametrize(
    ("stratum", "cut"),
    [
        ("all", []),
        ("rejected", []),
        ("match=fuzzy", ["match"]),
        ("match=fuzzy,language=ja", ["match", "language"]),
    ],
)
def test_a_stratum_says_what_it_was_cut_by(stratum: str, cut: list[str]) -> None:
    assert variables(stratum) == cut
