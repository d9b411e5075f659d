"""``hayami report``: what the writers of articles can mend."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import hayami
from hayami.cli.console import say, say_document
from hayami.cli.options import Force
from hayami.curate.pages import FORMATS, WRITERS
from hayami.curate.writers import report_for_writers
from hayami.evalset.outputs import replace_file


class ReportForm(StrEnum):
    """How a report is written."""

    MD = "md"
    HTML = "html"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "report", epilog="Example: hayami report sets/articles --writers --out writers.html"
    )(report)


def report(
    folder: Annotated[Path, typer.Argument(metavar="SET", help="Folder of the eval set.")],
    *,
    writers: Annotated[
        bool,
        typer.Option("--writers", help="The rows that writers can mend (the one report there is)."),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="File to write: .md, .html or .json [default: stdout]."
        ),
    ] = None,
    form: Annotated[
        ReportForm | None,
        typer.Option("--format", help="How to write it [default: what FILE's name says, else md]."),
    ] = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """List, by article, the rows whose reference is dead, ambiguous or not worded as the heading.

    With the nearest headings, so that a writer can mend the article. Each article is told of in
    Japanese or in English.
    """
    if not writers:
        raise typer.BadParameter("which report? Only --writers is there", param_hint="--writers")
    if as_json and form not in {None, ReportForm.JSON}:
        raise typer.BadParameter("--json and another --format", param_hint="--format")
    chosen = ReportForm.JSON if as_json else form or _by_name(out)
    text = WRITERS[chosen](report_for_writers(hayami.load(folder)))
    if out is None:
        say_document(text.removesuffix("\n"))
    else:
        hint = "Choose another --out; what was there is untouched."
        replace_file(out, text.encode(), hint=hint, force=force)
        say(f"{out}")


def _by_name(out: Path | None) -> ReportForm:
    """The format that the name of a file says."""
    if out is None:
        return ReportForm.MD
    if out.suffix.lower() not in FORMATS:
        known = ", ".join(FORMATS)
        raise typer.BadParameter(f"{out.name} ends in none of {known}", param_hint="--out")
    return ReportForm(FORMATS[out.suffix.lower()])
