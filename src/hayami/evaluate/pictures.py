"""Pictures of an evaluation.

The curve over k, the ranks of the first target, every mean with its intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup
from matplotlib.axes import Axes

from hayami.evaluate.evaluation import Evaluation, Figure, RunReport
from hayami.report.drawing import MARKS, Mark, canvas, label

_FEW: Final = 2
"""Runs up to which bars have room for numbers."""
_BARS: Final = 0.82
"""Share of a place on the axis that its bars take."""


def _marked(evaluation: Evaluation) -> Iterator[tuple[RunReport, Mark]]:
    for place, report in enumerate(evaluation.runs):
        yield report, MARKS[place % len(MARKS)]


def curve_picture(evaluation: Evaluation) -> Markup:
    """Success at the highest grade against k, a line for each run."""
    with canvas(3.4, "success by k") as drawing:
        axes = drawing.axes
        for report, mark in _marked(evaluation):
            axes.plot(
                [point.k for point in report.curve],
                [point.success for point in report.curve],
                color=mark.colour,
                linestyle=mark.line,
                marker=mark.point,
                markersize=5,
                label=label(report.run),
            )
        ticks = sorted({point.k for report in evaluation.runs for point in report.curve})
        axes.set_xscale("log")
        axes.set_xticks(ticks, [str(k) for k in ticks])
        axes.minorticks_off()
        axes.set_ylim(0, 1.02)
        axes.set_xlabel("k (first results looked at)")
        axes.set_ylabel("share of queries with a target")
        if len(evaluation.runs) > 1:
            axes.legend(frameon=False, loc="lower right")
        return drawing.svg()


def rank_picture(evaluation: Evaluation) -> Markup:
    """How many queries have their first target at which rank, a bar for each run."""
    with canvas(3.0, "rank of the first target") as drawing:
        axes = drawing.axes
        names = list(evaluation.runs[0].ranks)
        for place, (report, mark) in enumerate(_marked(evaluation)):
            _draw_bars(axes, report, mark, place=place, runs=len(evaluation.runs))
        axes.set_xticks(range(len(names)), [name.replace(" ", "\n") for name in names], fontsize=9)
        axes.grid(visible=False, axis="x")
        axes.set_xlabel("rank of the first target")
        axes.set_ylabel("queries")
        if len(evaluation.runs) > 1:
            axes.legend(frameon=False)
        return drawing.svg()


def _draw_bars(axes: Axes, report: RunReport, mark: Mark, *, place: int, runs: int) -> None:
    width = _BARS / runs
    shift = width * (place + 0.5) - _BARS / 2
    bars = axes.bar(
        [at + shift for at in range(len(report.ranks))],
        list(report.ranks.values()),
        width,
        label=label(report.run),
        facecolor="white" if mark.hatch else mark.colour,
        edgecolor=mark.colour,
        hatch=mark.hatch,
    )
    if runs <= _FEW:
        axes.bar_label(bars, fontsize=8, padding=1)


def interval_picture(evaluation: Evaluation) -> Markup:
    """The mean of every measure with its 95% intervals: thick by query, thin by article."""
    runs = len(evaluation.runs)
    measures = [figure.measure for figure in evaluation.runs[0].figures]
    height = 0.9 + len(measures) * (0.16 + 0.13 * runs)
    with canvas(height, "means with intervals") as drawing:
        axes = drawing.axes
        for place, (report, mark) in enumerate(_marked(evaluation)):
            shift = (place - (runs - 1) / 2) * 0.7 / runs
            _draw_intervals(axes, report.figures, shift, mark, report.run)
        axes.set_yticks(range(len(measures)), measures)
        axes.set_ylim(len(measures) - 0.4, -0.6)
        axes.set_xlim(-0.01, 1.01)
        by_article = " and by article (thin)" if evaluation.articles else ""
        axes.set_xlabel(f"mean, 95% interval by query (thick){by_article}")
        if runs > 1:
            axes.legend(frameon=False, loc="best")
        return drawing.svg()


def _draw_intervals(
    axes: Axes, figures: Sequence[Figure], shift: float, mark: Mark, name: str
) -> None:
    for row, figure in enumerate(figures):
        at = [row + shift, row + shift]
        for interval, width in ((figure.by_article, 1), (figure.by_query, 3)):
            if interval:
                reach = [interval.low, interval.high]
                axes.plot(reach, at, color=mark.colour, linewidth=width)
    known = [(row, figure) for row, figure in enumerate(figures) if figure.mean is not None]
    axes.plot(
        [figure.mean or 0.0 for _, figure in known],
        [row + shift for row, _ in known],
        marker=mark.point,
        color=mark.colour,
        markerfacecolor="white",
        linestyle="none",
        markersize=5,
        label=label(name),
    )
