"""``hayami check``: is an eval set on disk what was built?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import hayami
from hayami.cli.console import note, say, say_json
from hayami.cli.options import AsJson


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("check", epilog="Example: hayami check sets/articles")(check)


def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the eval set.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Verify an eval set: hashes, records, ids, qrels against records, and the accounting.

    Exits 1 if anything is wrong, and names each fault with its file and line.
    """
    faults = hayami.check(folder)
    if as_json:
        say_json(
            {
                "folder": str(folder),
                "sound": not faults,
                "faults": [asdict(fault) for fault in faults],
            }
        )
    else:
        for fault in faults:
            say(f"{fault.where}: {fault.what}")
        if not faults:
            counts = hayami.load(folder).manifest.counts
            holds = f"{counts.queries:,} queries, {counts.sections:,} sections"
            say(f"{folder}: sound; {holds}, {counts.rows:,} rows accounted for")
    if faults:
        many = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        note(f"hayami: {folder}: {many}; build the set again")
        raise typer.Exit(1)
