"""Evaluations as text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from hayami.evaluate.evaluation import Block, Evaluation
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.plain import (
    as_lines,
    as_markdown,
    as_text,
    block_title,
    breakdown_table,
    curve_table,
    figure_table,
    rank_table,
)
from hayami.evaluate.policies import POLICIES


def test_every_figure_stands_beside_its_intervals_and_the_siblings_share(
    evaluation: Evaluation,
) -> None:
    table = figure_table(evaluation, Block.GRADED)
    assert table[0] == [
        "measure", "run", "gain", "siblings' share", "mean", "by query", "by article",
        "design effect", "unjudged",
    ]  # fmt: skip
    assert all(
        re.fullmatch(r"\d+%", row[3]) and re.fullmatch(r"\[0\.\d{3}, [01]\.\d{3}\]", row[6])
        for row in table[1:]
    )
    assert [row[0] for row in table[1:]][::2] == [row[0] for row in table[1:]][1::2]


def test_tables_have_as_many_cells_in_every_row(evaluation: Evaluation) -> None:
    tables = [figure_table(evaluation, block) for block in Block]
    tables += [rank_table(evaluation), curve_table(evaluation), breakdown_table(evaluation.runs[0])]
    for table in tables:
        assert {len(row) for row in table} == {len(table[0])}


def test_text_states_the_policies_and_how_intervals_are_made(evaluation: Evaluation) -> None:
    text = "\n".join(as_text(evaluation))
    assert all(line in text for line in POLICIES)
    assert "Intervals: 95%" in text
    assert "Grade 2 only: the target" in text
    assert "nan" not in text.lower()


def test_grades_of_others_are_not_called_targets(evaluation: Evaluation) -> None:
    judged = evaluation.judgements
    foreign = replace(evaluation, judgements=Judgements("x", judged.qrels))
    assert [block_title(block, foreign) for block in Block] == [
        "Grade 2 only: the highest grade", "Graded: every grade by its gain", "Any grade from 1 on",
    ]  # fmt: skip
    single = replace(foreign, levels=(1,))
    assert block_title(Block.TARGET, single) == "Grade 1"


def test_columns_are_aligned_for_letters_of_two_widths() -> None:
    lines = list(as_lines([["名前", "x"], ["a", "10"]]))
    widths = [
        sum(2 if unicodedata.east_asian_width(c) == "W" else 1 for c in line) for line in lines
    ]
    assert widths[0] == widths[1]


def test_markdown_keeps_names_as_text_and_every_table_whole(evaluation: Evaluation) -> None:
    text = as_markdown(evaluation)
    assert r"三分の一\_$x$ \<b\>\|" in text
    assert all(line in text for line in POLICIES)
    blocks = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert len(blocks) >= 6
    for block in blocks:
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(counts) == 1


def test_a_stale_run_is_the_first_line_of_every_form(evaluation: Evaluation) -> None:
    old = replace(evaluation.runs[0], stale="was made for another set (a…, this one is b…)")
    stale = replace(evaluation, runs=(old, *evaluation.runs[1:]))
    told = "half was made for another set (a…, this one is b…)"
    assert next(as_text(stale)) == f"WARNING: {told}"
    assert as_markdown(stale).split("\n\n")[1] == f"**Warning**: {told}"
    assert "WARNING" not in "".join(as_text(evaluation))
