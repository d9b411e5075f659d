"""The options that several commands share, and the settings that they make together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic import ValidationError

from hayami.cli.console import note
from hayami.errors import SettingsError
from hayami.settings import Detect, Duplicates, Settings, read_settings

SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        help="A settings file [default: hayami.toml, if it is there]; 'hayami init' writes one.",
    ),
]
Level = Annotated[
    int | None,
    typer.Option("--level", min=1, max=6, help="Heading level that makes a section [default: 2]."),
]
Threshold = Annotated[
    float | None,
    typer.Option(
        "--threshold", min=0.0, max=1.0, help="Least similarity for a fuzzy match [default: 0.5]."
    ),
]
Mined = Annotated[
    str | None,
    typer.Option(
        "--mine",
        metavar="NAMES",
        help="What is mined, such as table,question,problem,sentence,title [default: see docs].",
    ),
]
Detection = Annotated[
    Detect | None,
    typer.Option(
        "--detect",
        help="Find tables by header words, or also by what their cells name [default: header].",
    ),
]
Repeated = Annotated[
    Duplicates | None,
    typer.Option(
        "--duplicates",
        help="The same question in several rows: one query, each, or the first [default: merge].",
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON on stdout, nothing else.")
]


Force = Annotated[
    bool, typer.Option("--force", help="Replace a file though hayami did not write it like this.")
]


FOUND: Final = Path("hayami.toml")
"""The settings file of the folder in which a command runs, if none is named."""


def make_settings(file: Path | None, **given: object) -> Settings:
    """The settings of ``file``, or the defaults, with what the command line gives.

    None is not given.

    Raises:
        SettingsError: the file is faulty.
    """
    if file is None and FOUND.is_file():
        note(f"settings: {FOUND}")
        file = FOUND
    settings = read_settings(file) if file is not None else Settings()
    chosen = {name: value for name, value in given.items() if value is not None}
    if isinstance(mine := chosen.get("mine"), str):
        chosen["mine"] = [name.strip() for name in mine.split(",") if name.strip()]
    try:
        return Settings.model_validate(settings.model_dump() | chosen)
    except ValidationError as error:
        fault = error.errors()[0]
        raise SettingsError(
            f"{fault['loc'][0]}: {fault['msg']}", where="command line", hint="See --help."
        ) from error


Previous = Annotated[
    Path | None,
    typer.Option(
        "--previous",
        metavar="DIR",
        help="An older set: questions that stayed keep their query ids.",
    ),
]
