"""Tables in the terminal, aligned by the cells that letters take there: Japanese ones take two."""

from __future__ import annotations

from collections.abc import Sequence

from hayami.cli.console import say
from hayami.report.columns import aligned


def say_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> None:
    """Prints a table; the first ``left`` columns and the last one stand left, the others right."""
    for line in aligned([header, *rows], range(left, len(header) - 1)):
        say(line)


def fit(text: str, width: int) -> str:
    """A text at a width of the terminal: filled up with blanks, or cut with an ellipsis."""
    from rich.cells import cell_len, set_cell_size

    return (
        set_cell_size(text, width)
        if cell_len(text) <= width
        else set_cell_size(text, width - 1) + "…"
    )


def count(number: int, one: str, several: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"
