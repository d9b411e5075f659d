"""``hayami audit``: draw rows, judge them, score the labels, keep the verdicts."""

from __future__ import annotations

import typer

from hayami.cli.audit import draw, labels, review, score

group = typer.Typer(
    name="audit",
    help="Know how good the labels are, and make them better: draw, judge, score, feed back.",
    epilog="Start with: hayami audit sample sets/articles -n 40 --seed 0 --out sheet.jsonl",
    no_args_is_help=True,
    rich_markup_mode=None,
)
for module in (draw, review, score, labels):
    module.register(group)


def register(app: typer.Typer) -> None:
    """Adds the command group."""
    app.add_typer(group)
