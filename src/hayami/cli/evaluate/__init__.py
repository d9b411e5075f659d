"""Measuring search with an eval set: search, evaluate, compare, plan, sensitivity, pitfalls."""

from __future__ import annotations

import typer

from hayami.cli.evaluate import compare, evaluate, plan, search


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    for module in (search, evaluate, compare, plan):
        module.register(app)
