"""The figures of an audit as a picture: each share as a point on a line from bound to bound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup
from matplotlib.axes import Axes

from hayami.audit.summary import Line, one_line, range_of
from hayami.report.drawing import INK, SOFT, canvas

_INCHES_A_LINE: Final = 0.32


def describe(lines: Sequence[Line]) -> str:
    """The picture in words, for who cannot see it."""
    shares = [(line.name, line.share) for line in lines if line.share is not None]
    said = [f"{name}: {share.value:.3f}, {range_of(share.exact)}" for name, share in shares]
    return f"Shares with their 95% intervals. {'; '.join(said)}."


def draw(lines: Sequence[Line], claim: float) -> Markup:
    """Shares with their exact intervals, the dashed line at ``claim``; empty if there is no share.

    Shapes, not colours, tell lines apart: a whole is a diamond, a part of it a dot.
    """
    drawn = [line for line in lines if line.share is not None]
    if not drawn:
        return Markup()
    with canvas(0.9 + _INCHES_A_LINE * len(drawn), describe(lines)) as drawing:
        axes = drawing.axes
        axes.axvline(claim, color=SOFT, linestyle=(0, (4, 3)), linewidth=1, zorder=0)
        drawn.reverse()
        for height, line in enumerate(drawn):
            _draw_line(axes, height, line)
        axes.set_yticks(range(len(drawn)), labels=[one_line(line.name) for line in drawn])
        axes.set_ylim(-0.7, len(drawn) - 0.3)
        axes.set_xlim(-0.02, 1.02)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
        axes.set_xlabel(f"share, with 95% interval (dashed: {claim:g})")
        axes.grid(visible=False)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        return drawing.svg()


def _draw_line(axes: Axes, height: int, line: Line) -> None:
    share = line.share
    if share is None:
        return
    whole = line.depth == 0
    axes.errorbar(
        [share.value],
        [height],
        xerr=[
            [max(0.0, share.value - share.exact.low)],
            [max(0.0, share.exact.high - share.value)],
        ],
        fmt="D" if whole else "o",
        markersize=7 if whole else 4,
        linewidth=2.2 if whole else 1.2,
        capsize=4 if whole else 3,
        color=INK,
    )
    axes.annotate(
        f"{share.hits} of {share.n}",
        (1.02, height),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        color=INK,
        annotation_clip=False,
    )
