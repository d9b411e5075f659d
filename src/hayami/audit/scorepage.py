"""The report of an audit: one HTML file with figures, a picture and the rows to look at, nothing from outside."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from hayami.audit import picture, summary
from hayami.audit.figures import FAULT_MEANINGS, Score
from hayami.evalset.jsonl import replace_file
from hayami.extras import REVIEW, load_module

_TEMPLATE: Final = "report.html"


def render(score: Score, sheets: Sequence[Path] = ()) -> str:
    """The report as HTML; what sheets and judges wrote is escaped.

    Raises:
        ExtraError: jinja2 or matplotlib is not installed.
    """
    jinja2 = load_module(REVIEW, "jinja2")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string(
        files(__package__).joinpath(_TEMPLATE).read_text(encoding="utf-8")
    )
    lines = summary.lines(score)
    drawn = picture.draw(lines, score.need.claim)
    html = template.render(
        score=score,
        names=[path.name for path in sheets],
        headline=summary.headline(score),
        remarks=summary.remarks(score),
        lines=lines,
        picture=base64.b64encode(drawn).decode("ascii"),
        described=picture.describe(lines),
        faults={
            FAULT_MEANINGS[kind]: [(row, "") for row in rows]
            for kind, rows in summary.by_kind(score).items()
        },
        disagreements=[(one.row, one.settled or "") for one in score.disagreements],
        words=summary,
    )
    return str(html)


def write(path: Path, score: Score, sheets: Sequence[Path] = ()) -> None:
    """Writes the report, whole or not at all; what is there is replaced.

    Raises:
        OutputError: the system refuses.
        ExtraError: jinja2 or matplotlib is not installed.
    """
    data = render(score, sheets).encode("utf-8", "replace")
    replace_file(path, data, hint="Choose another --html; what was there is untouched.")
