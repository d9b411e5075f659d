"""How all pictures of reports are drawn.

SVG within the page, plain in black and white, the same bytes each time.
"""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import matplotlib as mpl
from markupsafe import Markup, escape
from matplotlib.axes import Axes
from matplotlib.figure import Figure

INK: Final = "#222222"
SOFT: Final = "#888888"
_SETTINGS: Final[Mapping[Any, Any]] = {
    # The browser sets the text, in its own fonts: matplotlib's has no East Asian letters.
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.parse_math": False,  # a name that holds dollars is no formula
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "hatch.linewidth": 0.5,
}
_WIDTH: Final = 8.0
"""Inches: what fits beside nothing else on a page."""


class Mark(NamedTuple):
    """How one of several things is drawn.

    Each part alone tells them apart, so colour carries no meaning.
    """

    colour: str
    line: object
    point: str
    hatch: str


MARKS: Final = (
    Mark("#0b4f8a", "-", "o", ""),
    Mark("#b3530a", "--", "s", "///"),
    Mark("#1b7a4b", "-.", "^", "..."),
    Mark("#7a3b8f", ":", "D", "xxx"),
    Mark("#444444", (0, (5, 1)), "v", "\\\\\\"),
    Mark("#8c6d00", (0, (1, 1)), "P", "++"),
)
"""The marks of several things in turn."""


class Canvas:
    """One picture under way: ``axes`` to draw on, then :meth:`svg`."""

    def __init__(self, height: float, title: str) -> None:
        self._figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        self._title = title
        self.axes: Axes = self._figure.add_subplot()

    def svg(self) -> Markup:
        """The picture as an ``svg`` element that scales with the page and can be read aloud."""
        out = io.StringIO()
        facts = {"Date": None, "Creator": None}
        self._figure.savefig(out, format="svg", metadata=facts, transparent=True)
        # matplotlib escapes the names in it.
        return Markup(_trimmed(out.getvalue(), self._title))  # noqa: S704


def _trimmed(drawn: str, title: str) -> str:
    """The element alone, without a size of its own and without ids that nothing refers to."""
    head, rest = drawn[drawn.index("<svg") :].split(">", 1)
    head = re.sub(r'\s(width|height)="[^"]*"', "", head)
    head += f' width="100%" role="img" aria-label="{escape(title)}"'
    used = set(re.findall(r'(?:xlink:href="#|url\(#)([^")]+)', rest))

    def keep(found: re.Match[str]) -> str:
        return found[0] if found[1] in used else ""

    body = re.sub(r' id="([^"]*)"', keep, rest)
    return f"{head}>{body}"


@contextlib.contextmanager
def canvas(height: float, title: str) -> Iterator[Canvas]:
    """A canvas of ``height`` inches.

    ``title`` says what it shows and keeps its ids apart on a page.
    """
    with mpl.rc_context({**_SETTINGS, "svg.hashsalt": title}), warnings.catch_warnings():
        # Only the measuring of text sees matplotlib's own font; the browser has the letters.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield Canvas(height, title)


def label(name: str) -> str:
    """A name as matplotlib takes it for text in a legend.

    Not hidden for an underscore, nothing unprintable.
    """
    plain = "".join(letter for letter in name if letter.isprintable())
    return f"\u200b{plain}" if plain.startswith("_") else plain
