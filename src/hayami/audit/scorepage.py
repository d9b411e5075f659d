"""The report of an audit.

One HTML file with figures, a picture and the rows to look at, nothing from outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hayami.audit import summary
from hayami.audit.figures import FAULT_MEANINGS, Score
from hayami.evalset.outputs import replace_file
from hayami.extras import REVIEW, need
from hayami.report.kit import fill, html_page

_TEMPLATE: Final = "score.html"


def render(score: Score, sheets: Sequence[Path] = ()) -> str:
    """The report as HTML; what sheets and judges wrote is escaped.

    Raises:
        ExtraError: jinja2 or matplotlib is not installed.
    """
    need(REVIEW, "jinja2", "matplotlib")
    from hayami.audit import picture  # needs what was just asked for

    lines = summary.lines(score)
    names = [path.name for path in sheets]
    faults = {}
    for kind, rows in summary.by_kind(score).items():
        faults[FAULT_MEANINGS[kind]] = [(row, "") for row in rows]
    body = fill(
        __package__,
        _TEMPLATE,
        score=score,
        names=names,
        headline=summary.headline(score),
        remarks=summary.remarks(score),
        lines=lines,
        picture=picture.draw(lines, score.need.claim),
        faults=faults,
        disagreements=[(one.row, one.settled or "") for one in score.disagreements],
        words=summary,
    )
    title = "Label quality" + (f": {', '.join(names)}" if names else "")
    return html_page(title, body)


def write(path: Path, score: Score, sheets: Sequence[Path] = (), *, force: bool = False) -> None:
    """Writes the report, whole or not at all; a report that is there is replaced.

    Anything else that is there is not, but by ``force``.

    Raises:
        OutputError: the system refuses, or what is there is no report.
        ExtraError: jinja2 or matplotlib is not installed.
    """
    data = render(score, sheets).encode("utf-8", "replace")
    hint = "Choose another --html; what was there is untouched."
    replace_file(path, data, hint=hint, force=force)
