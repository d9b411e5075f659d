"""An evaluation as one page that stands alone.

Tables, pictures and the rules, readable without colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from hayami.evaluate import pictures, plain
from hayami.evaluate.evaluation import Block, Evaluation, RunReport
from hayami.evaluate.measures import FAMILY_MEANINGS, Family, Measure
from hayami.evaluate.policies import POLICIES
from hayami.report.kit import Table, fill, html_page

HEADS: Final = {Family.SUCCESS: 2, Family.RECALL: 1, Family.RR: 1}
"""How many figures of each family are shown large for a run; where there are none, the first of the
others."""


class _LargeFigure(NamedTuple):
    """A figure that is shown large."""

    measure: str
    mean: str
    span: str


def as_page(evaluation: Evaluation, measures: tuple[Measure, ...], *, version: str) -> str:
    """The evaluation as HTML with everything in it; the same bytes for the same figures.

    Args:
        evaluation: what was measured.
        measures: the measures, to say what they mean.
        version: of hayami.
    """
    title = f"Search measured: {', '.join(report.run for report in evaluation.runs)}"
    values: dict[str, object] = {
        "title": title,
        "heading": plain.heading(evaluation),
        "stale": plain.stale_lines(evaluation),
        "drawn": plain.drawn_line(evaluation),
        "reports": evaluation.runs,
        "heads_of": _heads,
        "several": len(evaluation.runs) > 1,
        "policies": POLICIES,
        "meanings": _meanings(measures),
        "version": version,
    }
    body = fill(
        __package__, "evaluation.html", **values, **_tables(evaluation), **_drawn(evaluation)
    )
    return html_page(title, body)


def _tables(evaluation: Evaluation) -> Mapping[str, object]:
    blocks = []
    for block in Block:
        figures = plain.figure_table(evaluation, block)
        if len(figures) > 1:
            blocks.append((plain.block_title(block, evaluation), figures))
    pooled: Table = plain.pooled_table(evaluation)
    if not plain.pooled_differs(pooled):
        pooled = []
    groups = [(r.run, plain.breakdown_table(r)) for r in evaluation.runs if r.breakdown]
    figures_of_runs = (figure for report in evaluation.runs for figure in report.figures)
    return {
        "blocks": blocks,
        "share_note": any(figure.siblings_share for figure in figures_of_runs),
        "curve_table": plain.curve_table(evaluation),
        "rank_table": plain.rank_table(evaluation),
        "pooled_table": pooled,
        "breakdowns": groups,
    }


def _drawn(evaluation: Evaluation) -> Mapping[str, object]:
    return {
        "intervals": pictures.interval_picture(evaluation),
        "curve": pictures.curve_picture(evaluation),
        "ranks": pictures.rank_picture(evaluation),
    }


def _meanings(measures: tuple[Measure, ...]) -> dict[Family, str]:
    return {measure.family: FAMILY_MEANINGS[measure.family] for measure in measures}


def _heads(report: RunReport) -> list[_LargeFigure]:
    """The figures of a run that are shown large.

    How often, how much and how far up, before the others.
    """
    first = []
    for family, most in HEADS.items():
        of_family = [figure for figure in report.figures if figure.family is family]
        first += of_family[:most]
    shown = list(dict.fromkeys([*first, *report.figures]))[: sum(HEADS.values())]
    return [
        _LargeFigure(f.measure, plain.number(f.mean, 3), plain.span(f.by_article or f.by_query))
        for f in sorted(shown, key=report.figures.index)
    ]
