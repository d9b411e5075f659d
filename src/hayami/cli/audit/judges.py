"""Who judges: the name under which verdicts are kept."""

from __future__ import annotations

import getpass

import typer

from hayami.text.fold import squeeze


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
