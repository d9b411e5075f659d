"""``hayami export``: an eval set in the format of another tool."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Adds the command."""
