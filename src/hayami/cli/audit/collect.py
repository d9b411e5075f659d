"""``hayami audit collect``: filled-in sheets to verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hayami.audit.recording import Collected
from hayami.audit.recording import collect as collect_sheets
from hayami.cli.audit.sources import LABELS, AnotherSet, judge_name
from hayami.cli.console import say, say_json
from hayami.cli.options import AsJson

Sheets = Annotated[
    list[Path],
    typer.Argument(
        metavar="SHEET...", help="Filled-in sheets: .csv, .jsonl, or Label Studio's .json."
    ),
]
Labels = Annotated[
    Path,
    typer.Option("--labels", metavar="DIR", help="Where verdicts are kept, a file for each judge."),
]
JudgeOfTheRest = Annotated[
    str | None,
    typer.Option(
        "--judge",
        metavar="NAME",
        help="Who judged where a row does not say [default: the user's name].",
    ),
]


def register(group: typer.Typer) -> None:
    """Adds the command."""
    group.command(
        "collect", epilog="Example: hayami audit collect sheet.csv --labels labels --judge anna"
    )(collect)


def collect(
    sheets: Sheets,
    *,
    labels: Labels = LABELS,
    judge: JudgeOfTheRest = None,
    evalset: AnotherSet = None,
    as_json: AsJson = False,
) -> None:
    """Record the judgements of filled-in sheets as verdicts, for builds to apply.

    All sheets are checked before anything is written, and what was recorded already is not recorded
    again.
    """
    done = collect_sheets(sheets, labels, judge=judge_name(judge), evalset=evalset)
    if as_json:
        say_json(_as_json(done, labels))
    else:
        _say(done, labels)


def _as_json(done: Collected, labels: Path) -> dict[str, object]:
    return {
        "labels": str(labels),
        "added": done.added,
        "replaced": done.replaced,
        "known": done.known,
        "blank": done.blank,
        "files": {str(file): number for file, number in done.files.items()},
    }


def _say(done: Collected, labels: Path) -> None:
    say(f"{done.added:,} {'verdict' if done.added == 1 else 'verdicts'} recorded in {labels}")
    for file, number in done.files.items():
        say(f"  {number:5,}  in {file}")
    for number, what in (
        (done.replaced, "of them replace another verdict of the same judge"),
        (done.known, "were recorded before"),
        (done.blank, "rows are not judged"),
    ):
        if number:
            say(f"  {number:5,}  {what}")
    if done.added:
        say()
        say(f"next: hayami build SOURCE... --out SET --labels {labels}")
