"""The command line: the only place that prints, reads arguments or exits.

Exit codes: 0 done, 1 a problem with the data or a failed check, 2 wrong usage. A fault of hayami keeps its traceback.
"""

from __future__ import annotations

import importlib.metadata
import sys
from typing import Annotated

import typer

from hayami.cli import audit, build, check, evaluate, export, init, inspect
from hayami.cli.console import report, say, use_utf8
from hayami.errors import HayamiError

app = typer.Typer(
    name="hayami",
    help="Turns the quick-reference tables of articles (早見表) into evaluation sets for search and RAG.",
    epilog="Start with: hayami build data/articles --out out/sample",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for module in (build, inspect, check, init, audit, export, evaluate):
    module.register(app)


def _version(*, wanted: bool) -> None:
    if wanted:
        say(f"hayami {importlib.metadata.version('hayami')}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=lambda value: _version(wanted=value), is_eager=True, help="Show the version."
        ),
    ] = False,
) -> None:
    """Turns the quick-reference tables of articles (早見表) into evaluation sets for search and RAG."""


def main() -> None:
    """Runs the command line; what hayami cannot work with ends in one line on stderr and exit code 1."""
    use_utf8()
    try:
        app()
    except HayamiError as error:
        report(error)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
