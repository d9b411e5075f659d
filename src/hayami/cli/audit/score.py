"""``hayami audit score``: judged sheets to label quality."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hayami.cli.audit.sources import LABELS, given_verdicts
from hayami.cli.console import note, say, say_json
from hayami.cli.options import AsJson, Force
from hayami.errors import SheetError

if TYPE_CHECKING:
    from hayami.audit.judged import Judged

_PLACES: Final = 6
"""Decimal places in JSON: more are noise that differs between machines."""


Sheets = Annotated[
    list[Path], typer.Argument(metavar="SHEET...", help="Sheets of one eval set, JSONL or CSV.")
]
Labels = Annotated[
    Path,
    typer.Option(
        "--labels", metavar="DIR", help="Verdicts on the rows, beside those in the sheets."
    ),
]
Required = Annotated[
    float | None,
    typer.Option(
        "--require",
        metavar="P",
        help="Exit 1 unless the precision is at least this, with confidence.",
    ),
]
Claim = Annotated[
    float,
    typer.Option(
        "--claim", metavar="P", help="Say how many rows it takes to claim this precision."
    ),
]
Html = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write a report with the same figures."),
]


def register(group: typer.Typer) -> None:
    """Adds the command."""
    group.command(
        "score", epilog="Example: hayami audit score sheet.jsonl --labels labels --require 0.9"
    )(score)


def score(
    sheets: Sheets,
    *,
    labels: Labels = LABELS,
    required: Required = None,
    claim: Claim = 0.95,
    html: Html = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Score judged sheets: precision, completeness and recall of the labels, faults, agreement.

    Every figure has a 95% interval. Verdicts come from the sheets themselves and from the labels
    folder.
    """
    _check(sheets, required, claim, html)
    from hayami.audit import scorepage, summary
    from hayami.audit.scoring import require
    from hayami.audit.scoring import score as score_rows

    judged = _judged(sheets, labels)
    found = score_rows(judged, claim=claim)
    asked = require(found, required) if required is not None else None
    if html is not None:
        scorepage.write(html, found, sheets, force=force)
        note(f"report → {html}")
    if as_json:
        say_json(_rounded(asdict(found) | {"require": asdict(asked) if asked else None}))
    else:
        for line in summary.summarise(found):
            say(line)
    if asked is not None and not asked.met:
        note(f"hayami: --require {asked.required:g}: {asked.why}")
        raise typer.Exit(1)


def _judged(sheets: list[Path], labels: Path) -> list[Judged]:
    """The rows of the sheets with what was said about them; refuses them if nothing was."""
    from hayami.audit.judged import State, gather
    from hayami.audit.sheets import read_sheets

    there = labels.exists()
    judged = gather(read_sheets(sheets), given_verdicts(labels if there else None))
    if all(row.state is State.UNJUDGED for row in judged):
        place = f"in the sheet, and there is no folder {labels}"
        if there:
            place = f"in the sheet or in {labels}"
        hint = f"Judge it with 'hayami audit review {sheets[0]}', or fill in its column verdict."
        raise SheetError(f"nothing is judged {place}", where=str(sheets[0]), hint=hint)
    if not there and labels != LABELS:
        note(f"hayami: {labels}: no such folder; only what the sheets hold counts")
    return judged


def _check(sheets: list[Path], required: float | None, claim: float, html: Path | None) -> None:
    """Refuses options that cannot be meant."""
    for name, value in (("--require", required), ("--claim", claim)):
        if value is not None and not 0 < value < 1:
            raise typer.BadParameter(
                "must be above 0 and below 1: no sample proves 1", param_hint=f"'{name}'"
            )
    if html is not None and any(html.resolve() == sheet.resolve() for sheet in sheets):
        raise typer.BadParameter("is one of the sheets", param_hint="'--html'")


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, _PLACES)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    return value
