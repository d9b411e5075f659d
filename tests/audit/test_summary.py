from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hayami.audit.figures import Score
from hayami.audit.intervals import Bounds
from hayami.audit.items import Item, Kind
from hayami.audit.judged import gather
from hayami.audit.scoring import score
from hayami.audit.sheets import Sheet
from hayami.audit.summary import SHOWN, headline, one_line, range_of, remarks, summarise, table

Draw = Callable[..., list[Item]]


def scored(*sheets: Sequence[Item]) -> Score:
    read = [
        Sheet(Path(f"{n}.csv"), [(f"{n}.csv", item) for item in items])
        for n, items in enumerate(sheets)
    ]
    return score(gather(read))


def by(judge: str, items: Sequence[Item]) -> list[Item]:
    return [item.model_copy(update={"judge": judge}) for item in items]


def said(found: Score) -> str:
    return "\n".join(remarks(found))


def test_the_first_sentence_needs_no_statistics(draw: Draw) -> None:
    assert headline(scored(draw(["right"] * 38 + ["wrong"] * 2))) == (
        "Of 40 labels judged 38 are right: precision 0.950, 95% interval 0.831 to 0.994."
    )
    assert headline(scored(draw(["right"]))).startswith(
        "Of 1 label judged 1 is right: precision 1.000"
    )


def test_the_first_sentence_says_that_strata_were_weighted(draw: Draw) -> None:
    rows = draw(["right"] * 5 + ["wrong"] * 5, "match=fuzzy", 90) + draw(
        ["right"] * 10, "match=exact", 10
    )
    assert headline(scored(rows)).startswith(
        "Of 20 labels judged 15 are right. Each counted for the labels that it stands for: precision 0.550,"  # noqa: E501
    )
    assert "The strata were not judged at the same rate, so the interval is that of 1" in said(
        scored(rows)
    )


def test_where_there_is_no_figure_the_first_sentence_says_so(draw: Draw) -> None:
    assert headline(scored(draw([None, "unsure"]))) == (
        "Of 2 labels drawn none is judged: there is no precision to give."
    )
    assert "drawn by chance" in headline(scored(draw(["right"], seed=None)))


def test_what_is_left_out_is_named_with_the_worst_that_it_could_do(draw: Draw) -> None:
    assert (
        "Left out: 1 unsure, 1 not judged. If all that is unsure turned out wrong, the share would be 0.667."  # noqa: E501
        in remarks(scored(draw(["right", "right", "unsure", None])))
    )
    assert "Left out: 1 not judged." in remarks(scored(draw(["right", None])))


@pytest.mark.parametrize(
    ("rulings", "kind", "sentence"),
    [
        (
            ["also", "right"],
            Kind.LABEL,
            "Of 2 right labels 1 misses no section: completeness 0.500",
        ),
        (
            ["wrong", "right"],
            Kind.REJECTION,
            "Of 2 rejected rows judged 1 was rightly rejected: 0.500",
        ),
        (
            ["wrong", "right"],
            Kind.POOL,
            "Of 2 pooled sections judged 1 answers the question too (0.500)",
        ),
    ],
)
def test_each_figure_has_its_sentence(
    draw: Draw, rulings: list[str], kind: Kind, sentence: str
) -> None:
    assert sentence in said(scored(draw(rulings, kind=kind)))


def test_recall_says_how_its_interval_was_made(draw: Draw) -> None:
    found = said(
        scored(
            draw(["right"] * 9, population=90)
            + draw(["wrong"], "rejected", 10, kind=Kind.REJECTION)
        )
    )
    assert "Of the rows that a section answers 0.900 got a right label (label recall)" in found
    assert "97.5% bounds of both parts (Bonferroni)" in found


def test_what_a_claim_takes_is_said_with_what_the_sample_can_claim(draw: Draw) -> None:
    found = said(scored(draw(["right"] * 39 + ["wrong"], population=500)))
    assert (
        "To claim 0.95 takes 72 rows without an error; at the rate of errors seen so far about "
        in found
    )
    assert "This sample can claim 0.868; about 70 more without an error would do." in found


def test_a_claim_that_the_set_is_too_small_for_is_called_so(draw: Draw) -> None:
    found = said(scored(draw(["right"] * 10, population=12)))
    assert "62 more without an error would do, but the set has only 2 more." in found
    assert "at the rate" not in found


def test_an_audit_of_every_label_says_what_its_interval_is_good_for(draw: Draw) -> None:
    assert "Every label of the set is judged" in said(scored(draw(["right"] * 10)))
    assert "Every label" not in said(scored(draw(["right"] * 10, population=11)))


def test_a_partial_figure_names_what_it_does_not_cover(draw: Draw) -> None:
    rows = draw(["right"], "match=exact", 30) + draw([None], "match=fuzzy", 70)
    assert "This is partial: nothing is judged of match=fuzzy, 70 of 100 labels." in remarks(
        scored(rows)
    )


def test_rows_that_are_lost_from_a_sheet_are_missed(draw: Draw) -> None:
    assert "1 label that was drawn is not in these sheets." in remarks(
        scored(draw(["right"] * 5)[1:])
    )


def test_rows_that_were_picked_are_called_so(draw: Draw) -> None:
    assert "1 row was picked and not drawn by chance (0 right, 1 wrong)" in said(
        scored(draw(["wrong"], seed=None))
    )


def test_the_table_shows_each_stratum_once(draw: Draw) -> None:
    told = table(scored(draw(["right"] * 3, "match=exact", 30) + draw([None], "match=fuzzy", 70)))
    assert [line.split()[0] for line in told[2:4]] == ["match=exact", "match=fuzzy"]
    assert told[3].split() == ["match=fuzzy", "0", "–", "–", "–", "–"]
    assert sum("match=exact" in line for line in told) == 1


def test_long_lists_are_cut_and_the_rest_is_counted(draw: Draw) -> None:
    told = summarise(scored(draw(["wrong"] * (SHOWN + 3))))
    assert "  … and 3 more: see --html or --json" in told


def test_judges_are_shown_with_their_agreement_and_what_they_disagree_on(draw: Draw) -> None:
    found = scored(
        by("亜紀", draw(["right"] * 6 + ["wrong"])), by("ken", draw(["right"] * 5 + ["other"] * 2))
    )
    told = "\n".join(summarise(found))
    assert "ken and 亜紀, on what both judged" in told
    assert "2 rows on which judges disagree" in told
    assert "ken: other ja/パン#99; 亜紀: right" in told


def test_an_undefined_coefficient_is_called_so(draw: Draw) -> None:
    told = summarise(scored(by("aki", draw(["right"] * 3)), by("ken", draw(["right"] * 3))))
    assert any(line.split()[-2:] == ["undefined", "1.000"] for line in told)
    assert "  kappa undefined: both judges said the same about every row" in told
    assert "No judge contradicts another." in told


def test_what_is_not_printable_cannot_steer_the_terminal(draw: Draw) -> None:
    rows = draw(["wrong"], question="\x1b[31m赤\u202e")
    rows = [
        row.model_copy(update={"note": "one\ntwo\x1b]0;title\x07", "judge": "\x1b[2J"})
        for row in rows
    ]
    assert not [
        line
        for line in summarise(scored(rows, by("ken", draw(["right"]))))
        if not line.isprintable()
    ]
    assert one_line("a\x1bb") == "a\\x1bb"


def test_no_interval_is_a_dash() -> None:
    assert range_of(None) == "–"
    assert range_of(Bounds(0.8308, 0.99388)) == "0.831 to 0.994"
