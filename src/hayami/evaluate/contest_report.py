"""A comparison as Markdown for a pull request, and as one page that stands alone."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from hayami.evaluate import contest_figures
from hayami.evaluate.comparison import ChangedQuery
from hayami.evaluate.contest import (
    NOTES,
    Contest,
    header_row,
    remarks,
    result_text,
    scope,
    table_row,
)
from hayami.evaluate.policies import POLICIES
from hayami.report.kit import (
    Table,
    escape_markdown,
    fill,
    folded_markdown,
    html_page,
    markdown_table,
)


def title(contest: Contest) -> str:
    """Which runs are compared with which."""
    return f"{', '.join(contest.others)} against {contest.base}"


def text_columns(table: Table) -> tuple[int, int]:
    """The columns of a table of differences that hold no figures: the measure and the verdict."""
    return 0, len(table[0]) - 1


def differences_table(contest: Contest, other: str) -> Table:
    """The differences of one run, the header first."""
    rows = [list(table_row(one)) for one in contest.of(other)]
    return [list(header_row(contest.base, other)), *rows]


def change_table(one: ChangedQuery) -> Table:
    """The first results of both runs beside each other, by rank."""
    table = [["rank", one.change.base, one.change.other]]
    sides = zip_longest(one.base_results, one.other_results)
    for rank, (base, other) in enumerate(sides, 1):
        left = result_text(base) if base else ""
        right = result_text(other) if other else ""
        table.append([str(rank), left, right])
    return table


def change_line(one: ChangedQuery) -> str:
    """A query that changed, with its values, in one line."""
    values = f"{one.change.base_value:.4f} → {one.change.other_value:.4f}"
    return f"{one.change.qid} {values} {one.query}".strip()


def as_markdown(contest: Contest) -> str:
    """The comparison as Markdown, for a pull request."""
    parts = [f"### {escape_markdown(title(contest))}", escape_markdown(scope(contest))]
    if contest.warnings:
        parts.append(_listed(f"Mind: {sentence}." for sentence in contest.warnings))
    if contest.passages:
        parts.append("\n".join(_gate_lines(contest)))
    for other in contest.others:
        parts += _differences(contest, other)
    for one in contest.changes:
        table = change_table(one)
        parts.append(folded_markdown(change_line(one), markdown_table(table, text=(0, 1, 2))))
    parts.append(folded_markdown("How to read this", _listed((*NOTES, *POLICIES))))
    return "\n\n".join(parts) + "\n"


def _differences(contest: Contest, other: str) -> list[str]:
    """The table of one run, and what is to be said of it."""
    table = differences_table(contest, other)
    parts = [markdown_table(table, text=text_columns(table))]
    if sentences := remarks(contest.of(other)):
        parts.append(_listed(f"{sentence}." for sentence in sentences))
    return parts


def _gate_lines(contest: Contest) -> list[str]:
    lines = []
    for one in contest.passages:
        word = "passed" if one.passed else "FAILED"
        lines.append(f"- **{word}**: {escape_markdown(f'{one.other}: {one.sentence}')}.")
    return lines


def _listed(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {escape_markdown(sentence)}" for sentence in sentences)


def as_html(contest: Contest) -> str:
    """The comparison as one self-contained page.

    Tables, intervals, wins and losses, changed queries.
    """
    first = [contest.of(other)[0] for other in contest.others]
    body = fill(
        __package__,
        "contest.html",
        contest=contest,
        title=title(contest),
        scope=scope(contest),
        notes=(*NOTES, *POLICIES),
        differences_table=differences_table,
        text_columns=text_columns,
        remarks=remarks,
        change_table=change_table,
        change_line=change_line,
        intervals=contest_figures.draw_intervals(contest.differences, contest.passages),
        outcomes=[contest_figures.draw_outcomes(one) for one in first],
    )
    return html_page(title(contest), body)
