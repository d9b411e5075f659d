"""Pictures of an evaluation as SVG: readable in black and white, the same bytes for the same figures."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from hayami.evaluate.evaluation import Evaluation, Figure, RunReport

STYLES: Final = (
    ("#0b4f8a", "-", "o", ""),
    ("#b3530a", "--", "s", "///"),
    ("#1b7a4b", "-.", "^", "..."),
    ("#7a3b8f", ":", "D", "xxx"),
    ("#444444", (0, (5, 1)), "v", "\\\\\\"),
    ("#8c6d00", (0, (1, 1)), "P", "++"),
)
"""Colour, line, marker and hatch of each run in turn: any one of them tells the runs apart."""
_SETTINGS: Final[Mapping[Any, Any]] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "hatch.linewidth": 0.5,
}
_WIDTH: Final = 7.6
"""Inches: what fits beside nothing else on a page of 800 points."""


def curve_picture(evaluation: Evaluation) -> str:
    """Success at the highest grade against k, a line for each run."""
    with _style("curve"):
        canvas, axes = _canvas(3.4)
        ticks = sorted({point.k for report in evaluation.runs for point in report.curve})
        for report, (colour, line, marker, _) in _styled(evaluation):
            ks, values = [p.k for p in report.curve], [p.success for p in report.curve]
            axes.plot(
                ks,
                values,
                color=colour,
                linestyle=line,
                marker=marker,
                markersize=5,
                label=_label(report.run),
            )
        axes.set_xscale("log")
        axes.set_xticks(ticks, [str(k) for k in ticks])
        axes.minorticks_off()
        axes.set_ylim(0, 1.02)
        axes.set_xlabel("k (first results looked at)")
        axes.set_ylabel("share of queries with a target")
        if len(evaluation.runs) > 1:
            axes.legend(frameon=False, loc="lower right")
        return _svg(canvas)


def rank_picture(evaluation: Evaluation) -> str:
    """How many queries have their first target at which rank, a bar for each run."""
    with _style("ranks"):
        canvas, axes = _canvas(3.0)
        names = list(evaluation.runs[0].ranks)
        width = 0.82 / len(evaluation.runs)
        for place, (report, (colour, _, _, hatch)) in enumerate(_styled(evaluation)):
            at = [i - 0.41 + width * (place + 0.5) for i in range(len(names))]
            counts = [report.ranks[name] for name in names]
            bars = axes.bar(
                at,
                counts,
                width,
                label=_label(report.run),
                facecolor="white" if hatch else colour,
                edgecolor=colour,
                hatch=hatch,
            )
            if len(evaluation.runs) <= 2:  # noqa: PLR2004 - more bars have no room for numbers
                axes.bar_label(bars, fontsize=8, padding=1)
        axes.set_xticks(range(len(names)), [name.replace(" ", "\n") for name in names], fontsize=9)
        axes.grid(visible=False, axis="x")
        axes.set_xlabel("rank of the first target")
        axes.set_ylabel("queries")
        if len(evaluation.runs) > 1:
            axes.legend(frameon=False)
        return _svg(canvas)


def interval_picture(evaluation: Evaluation) -> str:
    """The mean of every measure with its 95% intervals: thick by query, thin by article."""
    with _style("intervals"):
        several = len(evaluation.runs)
        measures = [figure.measure for figure in evaluation.runs[0].figures]
        canvas, axes = _canvas(0.9 + len(measures) * (0.16 + 0.13 * several))
        for place, (report, style) in enumerate(_styled(evaluation)):
            shift = (place - (several - 1) / 2) * 0.7 / several
            _draw_intervals(axes, report.figures, shift, style, report.run)
        axes.set_yticks(range(len(measures)), measures)
        axes.set_ylim(len(measures) - 0.4, -0.6)
        axes.set_xlim(-0.01, 1.01)
        axes.set_xlabel(
            "mean, 95% interval by query (thick)"
            + (" and by article (thin)" if evaluation.articles else "")
        )
        if several > 1:
            axes.legend(frameon=False, loc="best")
        return _svg(canvas)


def _draw_intervals(
    axes: Axes,
    figures: Sequence[Figure],
    shift: float,
    style: tuple[str, object, str, str],
    name: str,
) -> None:
    colour, _, marker, _ = style
    points = [
        (row + shift, figure.mean or 0.0)
        for row, figure in enumerate(figures)
        if figure.mean is not None
    ]
    for row, figure in enumerate(figures):
        at = row + shift
        if figure.by_article:
            axes.plot(
                [figure.by_article.low, figure.by_article.high], [at, at], color=colour, linewidth=1
            )
        if figure.by_query:
            axes.plot(
                [figure.by_query.low, figure.by_query.high], [at, at], color=colour, linewidth=3
            )
    axes.plot(
        [mean for _, mean in points],
        [at for at, _ in points],
        marker=marker, color=colour, markerfacecolor="white", linestyle="none", markersize=5, label=_label(name),
    )  # fmt: skip


def _label(name: str) -> str:
    """A run's name as matplotlib takes it for text: no formula between dollars, and not hidden for an underscore."""
    plain = "".join(letter for letter in name if letter.isprintable()).replace("$", r"\$")
    return f"\u200b{plain}" if plain.startswith("_") else plain


def _styled(evaluation: Evaluation) -> list[tuple[RunReport, tuple[str, object, str, str]]]:
    return [(report, STYLES[place % len(STYLES)]) for place, report in enumerate(evaluation.runs)]


def _style(salt: str) -> AbstractContextManager[None]:
    """The settings of all pictures; ``salt`` keeps the ids of pictures on one page apart."""
    return mpl.rc_context({**_SETTINGS, "svg.hashsalt": salt})


def _canvas(height: float) -> tuple[Canvas, Axes]:
    canvas = Canvas(figsize=(_WIDTH, height), layout="constrained")
    return canvas, canvas.add_subplot()


def _svg(canvas: Canvas) -> str:
    """The picture as an ``svg`` element that scales with the page, with no id but those it refers to itself."""
    out = io.StringIO()
    with warnings.catch_warnings():
        # Letters that matplotlib's own font lacks (Japanese names) are drawn by the browser, which
        # has them.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        canvas.savefig(
            out, format="svg", metadata={"Date": None, "Creator": None}, transparent=True
        )
    svg = out.getvalue()[out.getvalue().index("<svg") :]
    head, rest = svg.split(">", 1)
    head = re.sub(r'\s(width|height)="[^"]*"', "", head) + ' width="100%"'
    used = set(re.findall(r'(?:xlink:href="#|url\(#)([^")]+)', rest))
    rest = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", rest)
    return f"{head}>{rest}"
