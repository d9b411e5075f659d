"""``hayami audit``: commands of the group, see the module's functions."""

from __future__ import annotations

import typer


def register(group: typer.Typer) -> None:
    """Adds the commands."""
