"""Text in columns for a terminal, aligned by the cells that letters take there.

Japanese ones take two.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Rows of cells, all of one length, as lines in columns two blanks apart.

    ``right`` names columns flush right.
    """
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]

    def padded(text: str, column: int) -> str:
        space = " " * (widths[column] - cell_len(text))
        return space + text if column in right else text + space

    return [
        "  ".join(padded(text, column) for column, text in enumerate(row)).rstrip() for row in rows
    ]
