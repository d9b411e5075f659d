"""Writing to the terminal in UTF-8: results on stdout, messages on stderr."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator

from hayami.errors import HayamiError
from hayami.text.fold import escape_line_separators


def use_utf8() -> None:
    """Makes both streams UTF-8: what a console cannot show must not make a command fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def say(text: str = "") -> None:
    """A line of the result, on stdout."""
    print(text)


def say_count(number: int, what: str) -> None:
    """A count and what it counts, in a line of the result under those above it."""
    say(f"{number:>7,}  {what}")


def say_share(share: float, what: str) -> None:
    """A share or mean and what it is of, in a line of the result under those above it."""
    say(f"{share:>7.2f}  {what}")


def note(text: str) -> None:
    """A message about the result, one line on stderr whatever a file name holds."""
    print(
        "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text),
        file=sys.stderr,
    )


def say_json(value: object) -> None:
    """A result as strict JSON in one document on stdout."""
    print(escape_line_separators(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)))


def report(error: HayamiError) -> None:
    """An error in one line, and its hint in another, on stderr."""
    note(f"hayami: {error}")
    if error.hint:
        note(f"  hint: {error.hint}")


@contextlib.contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr as a function of (done, total).

    None where stderr is not a terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield advance
