"""Places on a page: a line of a segment, or the heading that opens the segment."""

from __future__ import annotations

from typing import Final, NamedTuple

HEADING: Final = -1
"""The line of a spot that is the heading which opens its segment."""


class Spot(NamedTuple):
    """A place on a page: a segment, and a line of its text from 0."""

    segment: int
    line: int


TITLE: Final = Spot(-1, HEADING)
"""The title of the page."""


class Mask(NamedTuple):
    """What leaves the corpus: a whole heading or line, or only ``text`` in it."""

    spot: Spot
    text: str = ""
