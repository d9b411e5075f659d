"""What the audit commands are given: the same options, the same checks, the same messages."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated, Final

import typer

from hayami.text.fold import squeeze
from hayami.verdicts.log import Verdict, read_verdicts

LABELS: Final = Path("labels")
"""Where verdicts are kept unless the user says otherwise."""

SetFolder = Annotated[Path, typer.Argument(metavar="SET", help="Folder of the eval set.")]
AnotherSet = Annotated[
    Path | None,
    typer.Option("--set", metavar="DIR", help="The eval set, if it is not where the sheet says."),
]
JudgedBefore = Annotated[
    Path | None,
    typer.Option("--labels", metavar="DIR", help="Verdicts: what was judged already is left out."),
]
JudgeName = Annotated[
    str | None,
    typer.Option("--judge", metavar="NAME", help="Who judges [default: the user's name]."),
]


def judge_name(given: str | None) -> str:
    """The judge's name, in one line: as given, else the user's, else ``judge``.

    Raises:
        typer.BadParameter: the name that was given is empty.
    """
    if given is not None:
        name = squeeze("".join(c for c in given if c.isprintable() or c.isspace()))
        if not name:
            raise typer.BadParameter("is empty", param_hint="'--judge'")
        return name
    try:
        return squeeze(getpass.getuser()) or "judge"
    except (OSError, KeyError, ImportError):  # no such user on this machine: a container
        return "judge"


def given_verdicts(labels: Path | None) -> list[Verdict]:
    """The verdicts of a folder or file, in the order of time; none if none was given.

    Raises:
        VerdictError: there is no such folder or file, or it is damaged.
    """
    return [] if labels is None else read_verdicts(labels)


def labels_folder(labels: Path) -> Path:
    """The folder to which verdicts are to go; it need not be there yet.

    Raises:
        typer.BadParameter: it is a file.
    """
    if labels.exists() and not labels.is_dir():
        raise typer.BadParameter(f"{labels} is not a folder", param_hint="'--labels'")
    return labels
