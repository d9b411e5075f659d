"""The command line: the only place that prints, reads arguments or exits.

Exit codes: 0 done, 1 a problem with the data or a failed check, 2 wrong usage. A fault of hayami
keeps its traceback.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
from collections.abc import Sequence
from typing import Annotated, Final

import typer

from hayami.cli.console import report as report_error
from hayami.cli.console import say, use_utf8
from hayami.errors import HayamiError

COMMANDS: Final[dict[str, str]] = {
    "build": "building",
    "inspect": "inspecting",
    "check": "checking",
    "init": "init",
    "import": "import_",
    "hygiene": "hygiene",
    "diff": "diff",
    "report": "report",
    "audit": "audit",
    "export": "export",
    **dict.fromkeys(
        ("search", "evaluate", "compare", "plan", "sensitivity", "pitfalls"), "evaluate"
    ),
}
"""The module of each command, in the order of the help text."""

ABOUT: Final = (
    "Turns the quick-reference tables of articles (早見表) into evaluation sets for search and RAG."
)


def application(arguments: Sequence[str]) -> typer.Typer:
    """The command line, with the one command that ``arguments`` begin with, or else with all.

    Loading every command takes a quarter of a second, which a build of a few articles should not
    wait for.
    """
    app = typer.Typer(
        name="hayami",
        help=ABOUT,
        epilog="Start with: hayami build data/articles --out out/sample",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_root)
    wanted = COMMANDS.get(arguments[0]) if arguments else None
    for module in [wanted] if wanted else dict.fromkeys(COMMANDS.values()):
        importlib.import_module(f"hayami.cli.{module}").register(app)
    return app


def _version(*, wanted: bool) -> None:
    if wanted:
        say(f"hayami {importlib.metadata.version('hayami')}")
        raise typer.Exit


def _root(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=lambda value: _version(wanted=value),
            is_eager=True,
            help="Show the version.",
        ),
    ] = False,
) -> None:
    """Does nothing but show the version; its help text is ABOUT."""


def main() -> None:
    """Runs the command line.

    What hayami cannot work with ends in one line on stderr and exit code 1.
    """
    use_utf8()
    try:
        application(sys.argv[1:])()
    except HayamiError as error:
        report_error(error)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
