"""The figures of an audit as a picture: each share as a point on a line from bound to bound."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Final

from hayami.audit.summary import Line, one_line, range_of
from hayami.extras import REVIEW, load_module

_FONT: Final = "DejaVu Sans"
"""Comes with matplotlib, so that the picture is the same everywhere; it has no East Asian characters."""
_INCHES_A_LINE: Final = 0.32
_INK: Final = "#1a1a1a"
_QUIET: Final = "#767676"


def describe(lines: Sequence[Line]) -> str:
    """The picture in words, for who cannot see it."""
    drawn = [(line.name, line.share) for line in lines if line.share is not None]
    said = [f"{name}: {share.value:.3f}, {range_of(share.exact)}" for name, share in drawn]
    return f"Shares with their 95% intervals. {'; '.join(said)}."


def draw(lines: Sequence[Line], claim: float) -> bytes:
    """An SVG picture of shares with their exact intervals, the dashed line at ``claim``; the same bytes every time.

    Shapes, not colours, tell lines apart. A name with characters that the font lacks is drawn as
    its line's number.
    """
    drawn = [(number, line) for number, line in enumerate(lines, 1) if line.share is not None]
    if not drawn:
        return b""
    matplotlib = load_module(REVIEW, "matplotlib")
    settings = {
        "svg.hashsalt": "hayami",
        "svg.fonttype": "path",
        "font.family": _FONT,
        "font.size": 9,
    }
    with matplotlib.rc_context(settings):
        size = (8.0, 0.9 + _INCHES_A_LINE * len(drawn))
        figure = load_module(REVIEW, "matplotlib.figure").Figure(figsize=size, layout="constrained")
        axes = figure.add_subplot()
        axes.axvline(claim, color=_QUIET, linestyle=(0, (4, 3)), linewidth=1, zorder=0)
        for height, (_, line) in enumerate(reversed(drawn)):
            _draw_line(axes, height, line)
        can_draw = _alphabet()
        names = [_name(number, line, can_draw) for number, line in reversed(drawn)]
        axes.set_yticks(range(len(drawn)), labels=names, parse_math=False)
        axes.set_ylim(-0.7, len(drawn) - 0.3)
        axes.set_xlim(-0.02, 1.02)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
        axes.set_xlabel(f"share, with 95% interval (dashed: {claim:g})")
        axes.tick_params(axis="y", length=0)
        axes.spines[["top", "right", "left"]].set_visible(False)
        out = io.BytesIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(out, format="svg", metadata=nothing)
    return out.getvalue()


def _draw_line(axes: object, height: int, line: Line) -> None:
    share = line.share
    if share is None:
        return
    main = line.depth == 0
    reach = [[share.value - share.exact.low], [share.exact.high - share.value]]
    axes.errorbar(  # type: ignore[attr-defined]
        [share.value],
        [height],
        xerr=[[max(0.0, one) for one in side] for side in reach],
        fmt="D" if main else "o",
        markersize=7 if main else 4,
        linewidth=2.2 if main else 1.2,
        capsize=4 if main else 3,
        color=_INK,
    )
    counts = f"{share.hits} of {share.n}"
    axes.annotate(  # type: ignore[attr-defined]
        counts,
        (1.02, height),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        color=_INK,
        annotation_clip=False,
    )


def _name(number: int, line: Line, can_draw: Callable[[str], bool]) -> str:
    name = one_line(line.name)
    return name if can_draw(name) else f"line {number} of the table"


def _alphabet() -> Callable[[str], bool]:
    """Whether the font has every character of a text."""
    fonts = load_module(REVIEW, "matplotlib.font_manager")
    font = fonts.get_font(fonts.findfont(_FONT))
    return lambda text: all(font.get_char_index(ord(char)) for char in text)
