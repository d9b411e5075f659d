"""Writing to the terminal in UTF-8: results on stdout, messages on stderr."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from typing import Final

from hayami.errors import HayamiError


def use_utf8() -> None:
    """Makes both streams UTF-8: what a console cannot show must not make a command fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000110bd\U0001d173-\U0001d17a\U000e0001-\U000e007f\ud800-\udfff]"
)
"""Characters that move the cursor, change the order of what is read, or cannot be seen: controls
but for tab and line feed, and all that Unicode counts as format characters."""


def shown(text: str) -> str:
    """A text that is safe to send to a terminal: what is hidden in it stands as an escape."""
    return _HIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def say(text: str = "") -> None:
    """A line of the result, on stdout; what pages hide in their texts is shown, not sent."""
    print(shown(text))


def say_document(text: str) -> None:
    """A whole document on stdout: as it is into a file, and on a terminal as :func:`say` does."""
    print(shown(text) if sys.stdout.isatty() else text)


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
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
    print(_HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], text))


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
