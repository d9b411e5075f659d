"""``hayami init``: a settings file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from hayami.cli.console import say
from hayami.errors import OutputError
from hayami.settings import Settings

EXAMPLE: Final = (
    "Example: hayami init && hayami build articles/ --settings hayami.toml --out sets/articles"
)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "init",
        epilog=EXAMPLE,
    )(init)


def init(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")] = Path(
        "hayami.toml"
    ),
    *,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the file if it is there.")
    ] = False,
) -> None:
    """Write a commented hayami.toml with every setting and its default."""
    try:
        with path.open("w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(Settings().as_toml())
    except FileExistsError as error:
        raise OutputError(
            "is already there", where=str(path), hint="Use --force to overwrite it."
        ) from error
    except OSError as error:
        raise OutputError(
            f"cannot write: {error.strerror}", where=str(path), hint="Choose another place."
        ) from error
    say(f"{path}: {len(Settings.model_fields)} settings")
