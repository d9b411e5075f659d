"""The pictures of a comparison; shapes and words carry the meaning, not colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup
from matplotlib.axes import Axes

from hayami.evaluate.comparison import RunDifference
from hayami.evaluate.gate import GateOutcome
from hayami.report.drawing import INK, SOFT, canvas

_ROW: Final = 0.34
"""Height of a line of the interval plot, in inches."""


def draw_intervals(differences: Sequence[RunDifference], passages: Sequence[GateOutcome]) -> Markup:
    """The mean differences with their intervals: thick by query, thin with ends by article.

    A gate is a triangle.
    """
    height = 0.9 + _ROW * len(differences)
    with canvas(height, "differences with their 95% intervals") as drawing:
        axes = drawing.axes
        for place, one in enumerate(differences):
            _draw_difference(axes, one, place)
            for passage in passages:
                if (passage.other, passage.gate.label) == (one.other, one.measure):
                    at = passage.gate.least
                    axes.plot(at, place, "^", color=INK, markersize=8, fillstyle="none")
        axes.axvline(0, color=INK, linewidth=0.8, linestyle=":")
        axes.set_yticks(range(len(differences)), _names(differences))
        axes.set_ylim(len(differences) - 0.5, -0.5)
        axes.set_xlabel("difference of the mean: left of the dotted line worse, right of it better")
        return drawing.svg()


def _draw_difference(axes: Axes, one: RunDifference, place: int) -> None:
    at = [place, place]
    axes.plot([one.by_query.low, one.by_query.high], at, color=SOFT, linewidth=6)
    if one.by_article is not None:
        ends = [one.by_article.low, one.by_article.high]
        axes.plot(ends, at, "|-", color=INK, linewidth=1, markersize=9)
    axes.plot(one.difference, place, "o", color=INK, markersize=5)


def _names(differences: Sequence[RunDifference]) -> list[str]:
    several = len({one.other for one in differences}) > 1
    return [f"{one.other}: {one.measure}" if several else one.measure for one in differences]


def draw_outcomes(one: RunDifference) -> Markup:
    """Every query that changed, worst first.

    Losses hang down and are hatched, wins stand up and are plain.
    """
    losses = sorted(value for value in one.values if value < 0)
    wins = sorted(value for value in one.values if value > 0)
    moved = len(losses) + len(wins)
    with canvas(2.6, f"wins and losses of {one.other}") as drawing:
        axes = drawing.axes
        down, up = range(len(losses) + 1), range(len(losses), moved + 1)
        axes.stairs(losses, down, fill=True, edgecolor=INK, facecolor="white", hatch="////")
        axes.stairs(wins, up, fill=True, edgecolor=INK, facecolor=SOFT)
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_ylim(-1.05, 1.05)
        axes.set_xlim(0, max(moved, 1))
        axes.set_xlabel(_outcomes_in_words(one))
        axes.set_ylabel(f"change of {one.measure}")
        return drawing.svg()


def _outcomes_in_words(one: RunDifference) -> str:
    counts = one.outcomes
    drawn = f"{counts.losses} losses (hatched), {counts.wins} wins (plain)"
    return f"{drawn}; {counts.ties} ties are not drawn"
