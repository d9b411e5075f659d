"""What all reports are made of: one page around them, one table, one way to write Markdown.

A page stands alone: nothing is loaded, no script runs, and it reads the same in the dark, on a
narrow screen and on paper. What people wrote (questions, ids, names of runs) is escaped here and
nowhere else.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import jinja2

Table = list[list[str]]
"""Rows of cells, all of one length, the header first."""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Nothing that a report holds may load or run, whatever slipped through."""
_MARKDOWN: Final = re.compile(r"([\\`*_\[\]<>#|~&])")
"""Letters that Markdown, or HTML within it, gives a meaning."""


def escape_markdown(text: str) -> str:
    r"""Text that a Markdown reader shows as it is, on one line.

    >>> print(escape_markdown("a|b <svg/onload=x>"))
    a\|b \<svg/onload=x\>
    """
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def markdown_table(table: Table, *, text: Collection[int] = (0,)) -> str:
    """A table as GitHub reads it; the columns ``text`` to the left, the others to the right."""
    header, *rows = table
    marks = ["---" if column in text else "---:" for column in range(len(header))]
    lines = [_markdown_row(header), f"| {' | '.join(marks)} |", *map(_markdown_row, rows)]
    return "\n".join(lines)


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escape_markdown, cells))} |"


def folded_markdown(title: str, body: str) -> str:
    """A part that opens when it is asked for; ``title`` is text, ``body`` Markdown."""
    return f"<details><summary>{html.escape(title)}</summary>\n\n{body}\n\n</details>"


def html_page(title: str, body: str, *, language: str = "en") -> str:
    """A whole page around ``body``, which is HTML; ``title`` and ``language`` are text."""
    return (
        f'<!DOCTYPE html>\n<html lang="{html.escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="generator" content="hayami">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{_style()}</style>\n</head>\n<body>\n"
        f"<main>\n{body.strip()}\n</main>\n</body>\n</html>\n"
    )


@cache
def _style() -> str:
    return resources.files(__package__).joinpath("style.css").read_text(encoding="utf-8")


def html_table(table: Table, *, text: Collection[int] = (0,)) -> str:
    """A table as HTML: its first column names the rows, ``text`` columns are to the left."""
    header, *rows = table
    heads = "".join(
        f'<th scope="col"{_aligned(column, text)}>{html.escape(cell)}</th>'
        for column, cell in enumerate(header)
    )
    body = "\n".join(_html_row(row, text) for row in rows)
    head = f"<thead><tr>{heads}</tr></thead>"
    return f'<div class="wide"><table>\n{head}\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _html_row(row: Sequence[str], text: Collection[int]) -> str:
    cells = [f'<th scope="row"{_aligned(0, text)}>{html.escape(row[0])}</th>']
    for column, cell in enumerate(row[1:], 1):
        cells.append(f"<td{_aligned(column, text)}>{html.escape(cell)}</td>")
    return f"<tr>{''.join(cells)}</tr>"


def _aligned(column: int, text: Collection[int]) -> str:
    return "" if column in text else ' class="number"'


def templates() -> jinja2.Environment:
    """The environment of every template.

    What is filled in is escaped, a slip in a name is an error.

    ``table`` makes a table (:func:`html_table`) within a template.
    """
    # Needs an extra; the page and the tables of a report without a template do not.
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )

    def table(cells: Table, text: Collection[int] = (0,)) -> Markup:
        return Markup(html_table(cells, text=text))  # noqa: S704 - its cells are escaped

    environment.globals["table"] = table
    return environment


def fill(package: str, name: str, **values: object) -> str:
    """The template ``name`` beside the modules of ``package``, filled in.

    Values are text and are escaped, but for what is ``Markup``.
    """
    text = resources.files(package).joinpath(name).read_text(encoding="utf-8")
    return templates().from_string(text).render(values)
