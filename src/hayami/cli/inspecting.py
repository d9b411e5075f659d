"""``hayami inspect``: one article as hayami reads it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from hayami.cli.console import note, say, say_json
from hayami.cli.options import AsJson, Detection, Level, SettingsFile, Threshold, make_settings
from hayami.errors import SourceError
from hayami.making.inspect import Inspection, inspect_file
from hayami.parts import Label, NoLabel, TableView, text_of


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("inspect", epilog="Example: hayami inspect articles/guide.html --source articles/")(
        inspect
    )


def inspect(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An HTML article.")],
    *,
    source: Annotated[
        Path | None,
        typer.Option(
            "--source",
            metavar="DIR",
            help="The folder that a build would read, in which links are followed "
            "[default: the file's own].",
        ),
    ] = None,
    settings: SettingsFile = None,
    level: Level = None,
    threshold: Threshold = None,
    detect: Detection = None,
    as_json: AsJson = False,
) -> None:
    """Show one article as hayami reads it.

    Its sections, each table with the role of every column or why it is not a quick-reference table,
    and each row with its match, score and runner-up, or the reason why it gives no label.
    """
    chosen = make_settings(settings, level=level, threshold=threshold, detect=detect)
    seen = inspect_file(file, source, chosen)
    if seen.unreadable is not None:
        raise SourceError(
            f"{seen.unreadable.reason}: {seen.unreadable.detail}",
            where=str(file),
            hint="A build would reject it.",
        )
    if as_json:
        say_json(seen.as_json())
    else:
        _show(seen)


def _show(seen: Inspection) -> None:
    reading = seen.reading
    if reading is None:
        return
    article = reading.article
    say(f"{article.path}: {article.title}")
    level = f"sections at level {article.unit_level or 'none'}"
    say(f"  id {article.id}, {article.language}, {article.encoding}, {level}")
    for warning in article.warnings:
        note(f"warning: {article.path}: {warning}")
    say()
    say("sections")
    texts = {section.ordinal: len(section.text) for section in reading.sections}
    for heading in reading.outline.headings:
        indent = "  " * heading.level
        if heading.unit and heading.section is not None:
            size = texts.get(heading.section)
            what = f"{size:,} characters" if size is not None else "not in the corpus"
            say(f"{indent}#{heading.section} {heading.text}  ({what})")
        else:
            say(f"{indent}{heading.text}")
    say()
    for view in reading.tables:
        _show_table(view, seen.outcomes)
    elsewhere = [outcome for outcome in seen.outcomes if outcome.row.place.table is None]
    _show_elsewhere(elsewhere)
    if not reading.tables and not elsewhere:
        say("no table")


def _show_table(view: TableView, outcomes: tuple[Label | NoLabel, ...]) -> None:
    found = (
        f"quick-reference table ({view.detector})"
        if view.detector
        else "not a quick-reference table"
    )
    say(f"table {view.index}: {found}{f': {view.why}' if view.why else ''}")
    for number, (header, role) in enumerate(zip(view.header, view.columns, strict=True)):
        say(f"    column {number}  {role or '-':<22} {header[:60]}")
    for outcome in outcomes:
        if outcome.row.place.table == view.index and view.detector:
            _show_row(outcome, f"row {outcome.row.place.row}")
    say()


def _show_elsewhere(outcomes: Sequence[Label | NoLabel]) -> None:
    """The rows that stand in no table, by what they stand in."""
    kinds = dict.fromkeys(outcome.row.place.kind for outcome in outcomes)
    for kind in kinds:
        say(kind)
        for outcome in outcomes:
            place = outcome.row.place
            if place.kind == kind:
                under = f" under {place.under}" if place.under else ""
                _show_row(outcome, f"{kind} {place.ordinal}{under}")
        say()


def _show_row(outcome: Label | NoLabel, where: str) -> None:
    row = outcome.row
    say(f"    {where}  {row.question}")
    says = text_of(row.reference) or row.evidence or "(nothing)"
    say(f"        says    {says}")
    if isinstance(outcome, NoLabel):
        say(f"        none    {outcome.reason}{f': {outcome.detail}' if outcome.detail else ''}")
        for candidate in outcome.candidates:
            named = f"{candidate.section or candidate.article} {candidate.heading}"
            say(f"                {candidate.score:.2f} {named}")
        return
    for target in outcome.targets:
        found = f"({target.match} {target.score:.2f})"
        say(f"        means   {target.section} {target.heading}  {found}")
        if (other := target.runner_up) is not None:
            say(f"        then    {other.section} {other.heading}  ({other.score:.2f})")
    if outcome.incomplete:
        say("        and something that was not found")
