"""The pictures of a comparison, as SVG for the page itself; shapes and words carry the meaning, not colours."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator, Sequence
from typing import Final

from matplotlib import rc_context
from matplotlib.figure import Figure

from hayami.evaluate.comparison import RunDifference
from hayami.evaluate.gate import GateOutcome

_INK: Final = "#222222"
_SOFT: Final = "#888888"
_WIDTH: Final = 8.6
_ROW: Final = 0.34
"""Height of a line of the interval plot, in inches."""


def draw_intervals(differences: Sequence[RunDifference], passages: Sequence[GateOutcome]) -> str:
    """The mean differences with their intervals: thick by query, thin with ends by article; a gate is a triangle."""
    with _style():
        return _svg(_intervals(differences, passages), "differences with their 95% intervals")


def _intervals(differences: Sequence[RunDifference], passages: Sequence[GateOutcome]) -> Figure:
    figure = Figure(figsize=(_WIDTH, 0.9 + _ROW * len(differences)), layout="constrained")
    axes = figure.add_subplot()
    labels = []
    several = len({one.other for one in differences}) > 1
    for place, one in enumerate(differences):
        axes.plot([one.by_query.low, one.by_query.high], [place, place], color=_SOFT, linewidth=6)
        axes.plot(
            [one.by_article.low, one.by_article.high],
            [place, place],
            "|-",
            color=_INK,
            linewidth=1,
            markersize=9,
        )
        axes.plot(one.difference, place, "o", color=_INK, markersize=5)
        labels.append(f"{one.other}: {one.measure}" if several else one.measure)
        for passage in passages:
            if (passage.other, passage.gate.measure) == (one.other, one.measure):
                axes.plot(
                    passage.gate.least, place, "^", color=_INK, markersize=8, fillstyle="none"
                )
    axes.axvline(0, color=_INK, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlabel("difference of the mean: left of the dotted line worse, right of it better")
    return figure


def draw_outcomes(one: RunDifference) -> str:
    """Every query that changed, worst first: losses hang down and are hatched, wins stand up and are plain."""
    with _style():
        return _svg(_outcomes(one), f"wins and losses of {one.other}")


def _outcomes(one: RunDifference) -> Figure:
    moved = sorted(value for value in one.values if value)
    figure = Figure(figsize=(_WIDTH, 2.6), layout="constrained")
    axes = figure.add_subplot()
    losses, wins = [v for v in moved if v < 0], [v for v in moved if v > 0]
    axes.stairs(
        losses, range(len(losses) + 1), fill=True, facecolor="white", edgecolor=_INK, hatch="////"
    )
    axes.stairs(
        wins, range(len(losses), len(moved) + 1), fill=True, facecolor=_SOFT, edgecolor=_INK
    )
    axes.axhline(0, color=_INK, linewidth=0.8)
    axes.set_ylim(-1.05, 1.05)
    axes.set_xlim(0, max(len(moved), 1))
    counts = one.outcomes
    axes.set_xlabel(
        f"{counts.losses} losses (hatched), {counts.wins} wins (plain); {counts.ties} ties are not drawn"
    )
    axes.set_ylabel(f"change of {one.measure}")
    return figure


@contextlib.contextmanager
def _style() -> Iterator[None]:
    """Text as text, so that the browser sets it in its own fonts; and names that hold a dollar are no formulas."""
    with (
        warnings.catch_warnings(),
        rc_context({"svg.fonttype": "none", "font.size": 9, "text.parse_math": False}),
    ):
        warnings.simplefilter(
            "ignore"
        )  # matplotlib's font may lack Japanese; the browser's will not
        yield


def _svg(figure: Figure, title: str) -> str:
    """A figure as an SVG element with a title for screen readers; the same bytes for the same figure."""
    out = io.StringIO()
    with rc_context({"svg.hashsalt": title}):  # ids in one page must differ from picture to picture
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    text = out.getvalue()
    return text[text.index("<svg") :]
