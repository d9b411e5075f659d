"""Evaluations as lines of text: for the terminal, and as Markdown for a pull request."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hayami.evaluate.confidence import Interval
from hayami.evaluate.evaluation import MIN_UNITS, Block, Evaluation, Figure, GroupFigure, RunReport
from hayami.evaluate.policies import POLICIES
from hayami.report.columns import aligned
from hayami.report.kit import Table, escape_markdown, folded_markdown, markdown_table

NOTHING: Final = "-"


def block_title(block: Block, evaluation: Evaluation) -> str:
    """What a block of figures counts as relevant, in words.

    Only in an eval set is it known what the grades mean.
    """
    top, least = max(evaluation.levels, default=1), min(evaluation.levels, default=1)
    mined = evaluation.levels == (2, 1) and evaluation.judgements.sections is not None
    if block is Block.GRADED:
        return "Graded: every grade by its gain"
    if block is Block.ANY:
        meaning = ": the target or another section of its article" if mined else ""
        return f"Any grade from {least} on{meaning}"
    if top == least:
        return f"Grade {top}"
    return f"Grade {top} only: {'the target' if mined else 'the highest grade'}"


def heading(evaluation: Evaluation) -> str:
    """What was measured by what, in one line."""
    grades = ", ".join(map(str, evaluation.levels)) or "none"
    from_articles = f" of {evaluation.articles:,} articles" if evaluation.articles else ""
    many = len(evaluation.judgements.qrels)
    queries = f"{many:,} {'query' if many == 1 else 'queries'}"
    return f"{evaluation.judgements.name}: {queries}{from_articles}, grades {grades}"


def stale_lines(evaluation: Evaluation) -> list[str]:
    """What must be read first: which runs were made for another set."""
    return [f"{report.run} {report.stale}" for report in evaluation.runs if report.stale]


def drawn_line(evaluation: Evaluation) -> str:
    """How the intervals were made, in one line."""
    by = "queries, and by articles with all their queries" if evaluation.articles else "queries"
    return (
        f"Intervals: 95%, by {by} "
        "(Clopper and Pearson's, for the trials that the spread is worth); "
        f"none with fewer than {MIN_UNITS} of them."
    )


def number(value: float | None, digits: int = 4) -> str:
    """A figure with a fixed number of digits; - for none."""
    return NOTHING if value is None else f"{value:.{digits}f}"


def span(interval: Interval | None) -> str:
    """An interval in brackets; - for none."""
    return NOTHING if interval is None else f"[{interval.low:.3f}, {interval.high:.3f}]"


def figure_table(evaluation: Evaluation, block: Block) -> Table:
    """The figures of one block: a measure's rows for all runs stand together.

    Only the header if there is none.
    """
    figures = itertools.chain.from_iterable(_by_measure(evaluation))
    rows = [row for row in figures if row.block is block]
    columns = _columns(evaluation, rows, graded=block is Block.GRADED)
    table = [list(columns)]
    table += [[cell(row) for cell in columns.values()] for row in rows]
    return table


def _columns(
    evaluation: Evaluation, rows: Sequence[Figure], *, graded: bool
) -> dict[str, Callable[[Figure], str]]:
    """The columns of a table of figures, by their heads.

    What says the same in all rows is left out.
    """
    columns: dict[str, Callable[[Figure], str]] = {"measure": lambda row: row.measure}
    if len(evaluation.runs) > 1:
        columns["run"] = lambda row: row.run
    if graded:
        columns["gain"] = lambda row: row.gain
    if graded and any(row.siblings_share is not None for row in rows):
        columns["siblings' share"] = lambda row: _percent(row.siblings_share)
    columns["mean"] = lambda row: number(row.mean)
    columns["by query"] = lambda row: span(row.by_query)
    if evaluation.articles:
        columns["by article"] = lambda row: span(row.by_article)
        columns["design effect"] = _effect
    columns["unjudged"] = lambda row: _percent(row.unjudged)
    if any(row.excluded for row in rows):
        columns["queries"] = lambda row: f"{row.queries:,} of {row.queries + row.excluded:,}"
    return columns


def _effect(row: Figure) -> str:
    return number(row.by_article.design_effect if row.by_article else None, 2)


def _by_measure(evaluation: Evaluation) -> Iterator[tuple[Figure, ...]]:
    yield from zip(*(report.figures for report in evaluation.runs), strict=True)


def _percent(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.0%}"


def curve_table(evaluation: Evaluation) -> Table:
    """Success and, where it differs, recall at every k, a column each for every run."""
    ks = sorted({point.k for report in evaluation.runs for point in report.curve})
    table = [["", *(f"k={k}" for k in ks)]] if ks else [[""]]
    for report in evaluation.runs:
        name = f"{report.run} " if len(evaluation.runs) > 1 else ""
        table += [[f"{name}{row[0]}", *row[1:]] for row in _curve_rows(report, ks)]
    return table


def _curve_rows(report: RunReport, ks: Sequence[int]) -> Iterator[list[str]]:
    """The rows of one run: success, and recall if it says anything else at any k."""
    success = {point.k: point.success for point in report.curve}
    recall = {point.k: point.recall for point in report.curve}
    differs = any(abs(success[k] - recall[k]) > 1e-9 for k in success)  # noqa: PLR2004
    yield ["Success" if differs else "Success = R", *(number(success.get(k), 3) for k in ks)]
    if differs:
        yield ["R", *(number(recall.get(k), 3) for k in ks)]


def rank_table(evaluation: Evaluation) -> Table:
    """How many queries have the first document of the highest grade at which rank."""
    buckets = list(evaluation.runs[0].ranks) if evaluation.runs else []
    used = [name for name in buckets if any(report.ranks[name] for report in evaluation.runs)]
    table = [["rank", *used]]
    table += [
        [report.run, *(f"{report.ranks[name]:,}" for name in used)] for report in evaluation.runs
    ]
    return table


def pooled_table(evaluation: Evaluation) -> Table:
    """Recall with one weight for each query, and with one for each relevant document."""
    several = len(evaluation.runs) > 1
    table = [["measure", *["run"] * several, "mean (macro)", "pooled"]]
    for figures in _by_measure(evaluation):
        recalls = [row for row in figures if row.pooled is not None]
        table += [
            [row.measure, *[row.run] * several, number(row.mean), number(row.pooled)]
            for row in recalls
        ]
    return table


def pooled_differs(table: Table) -> bool:
    """Whether pooled recall says anything that the mean does not.

    With one target a query they are the same.
    """
    return any(row[-1] != row[-2] for row in table[1:])


def breakdown_table(report: RunReport) -> Table:
    """The groups of a run's queries, a column for each measure."""
    measures = list(dict.fromkeys(part.measure for part in report.breakdown))
    clustered = any(part.articles for part in report.breakdown)
    table = [["", "group", "queries", *["articles"] * clustered, *measures]]
    before = ""
    for parts in _by_group(report.breakdown):
        first = parts[0]
        shown = "" if first.dimension == before else first.dimension
        before = first.dimension
        counts = [f"{first.queries:,}", *[f"{first.articles:,}"] * clustered]
        table.append([shown, first.group, *counts, *_values(parts, measures)])
    return table


def _by_group(parts: Sequence[GroupFigure]) -> Iterator[list[GroupFigure]]:
    groups: dict[tuple[str, str], list[GroupFigure]] = {}
    for part in parts:
        groups.setdefault((part.dimension, part.group), []).append(part)
    yield from groups.values()


def _values(parts: Sequence[GroupFigure], measures: Sequence[str]) -> list[str]:
    """The cells of a group's measures, in the order of the columns."""
    found = {part.measure: f"{number(part.mean, 3)} {span(part.interval)}" for part in parts}
    return [found.get(name, NOTHING) for name in measures]


# --- Markdown -------------------------------------------------------------------------------------


def as_markdown(evaluation: Evaluation) -> str:
    """The evaluation as Markdown (tables as GitHub reads them), without pictures."""
    first = f"{escape_markdown(heading(evaluation))}  \n{drawn_line(evaluation)}"
    stale = [f"**Warning**: {escape_markdown(line)}" for line in stale_lines(evaluation)]
    parts = ["## Search measured with hayami", *stale, first, *_markdown_figures(evaluation)]
    for report in evaluation.runs:
        if report.breakdown:
            groups = markdown_table(breakdown_table(report))
            parts.append(folded_markdown(f"Groups of queries: {report.run}", groups))
    if warned := _warnings(evaluation):
        parts += ["### Mind", "\n".join(warned)]
    parts += ["### Policies", "\n".join(f"- {line}" for line in POLICIES)]
    return "\n\n".join(parts) + "\n"


def _markdown_figures(evaluation: Evaluation) -> Iterator[str]:
    """Heads and tables of figures, each a paragraph of its own."""
    tables = [(block_title(block, evaluation), figure_table(evaluation, block)) for block in Block]
    tables = [(title, table) for title, table in tables if len(table) > 1]
    tables.append(("Rank of the first target", rank_table(evaluation)))
    tables.append(("By k", curve_table(evaluation)))
    if len(pooled := pooled_table(evaluation)) > 1:
        tables.append(("Recall, macro and pooled", pooled))
    for title, table in tables:
        yield from (f"### {title}", markdown_table(table))


def _warnings(evaluation: Evaluation) -> list[str]:
    lines = []
    for report in evaluation.runs:
        lines += [f"- {escape_markdown(f'{report.run}: {line}')}" for line in report.warnings]
    return lines


# --- terminal -------------------------------------------------------------------------------------


def as_lines(table: Table, *, left: int = 1) -> list[str]:
    """A table with aligned columns: the first ``left`` to the left, the others to the right."""
    return aligned(table, range(left, len(table[0])))


def as_text(evaluation: Evaluation) -> Iterator[str]:
    """The evaluation as lines for a terminal."""
    names = 1 + (len(evaluation.runs) > 1)
    yield from (f"WARNING: {line}" for line in stale_lines(evaluation))
    yield heading(evaluation)
    yield drawn_line(evaluation)
    for block in Block:
        table = figure_table(evaluation, block)
        if len(table) > 1:
            yield from _titled(block_title(block, evaluation), table, names)
    yield from _titled("Queries by the rank of the first target", rank_table(evaluation), 1)
    yield from _titled("By k, highest grade", curve_table(evaluation), 1)
    pooled = pooled_table(evaluation)
    if pooled_differs(pooled):
        title = "Recall: every query of one weight, every document of one weight"
        yield from _titled(title, pooled, names)
    for report in evaluation.runs:
        if report.breakdown:
            yield from _titled(f"Groups of queries: {report.run}", breakdown_table(report), 2)
    yield from ("", "Policies", *(f"  {line}" for line in POLICIES))


def _titled(title: str, table: Table, left: int) -> Iterator[str]:
    yield from ("", title, *as_lines(table, left=left))
