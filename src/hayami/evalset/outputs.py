"""Files that a command writes for its user: whole or not at all, over its own kind alone."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from pathlib import Path
from secrets import token_hex
from typing import Final

from hayami.errors import HayamiError, OutputError

GENERATOR: Final = '<meta name="generator" content="hayami">'
"""What every page of hayami has in its head."""
SIGNATURE: Final = b"\n<!-- hayami -->\n"
"""What every Markdown file of hayami ends with: its first line is a title that changes."""
_HEAD: Final = 4096
"""Bytes from which it is told what a file is."""
_KEYS: Final = 3
"""Keys of a JSON document, and cells of a table's header, that tell one kind from another."""
_TITLE: Final = re.compile(rb"#{1,6} ")
_RUN: Final = re.compile(r"\S+ Q0 \S+ \d+ \S+ \S+\n")
_KEY: Final = re.compile(r'"((?:[^"\\]|\\.)*)"\s*:')
_FLAGS: Final = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def kind_of(data: bytes) -> str:
    """What a file of hayami is; empty if it is none that is known.

    Two files of one kind have the same marker: pages the generator in their head, Markdown a
    comment at its end, JSON its first keys, tables the begin of their header, runs the form of
    their lines.
    """
    text = data[:_HEAD].decode(errors="replace").removeprefix("\ufeff")
    first = text.partition("\n")[0].rstrip("\r")
    kind = ""
    if text.startswith("<!DOCTYPE html>"):
        kind = "page" if GENERATOR in text else ""
    elif text.startswith(("{", "[")):
        kind = f"JSON {text[0]} {_KEY.findall(text)[:_KEYS]}"
    elif text.startswith("<"):
        kind = f"XML {first}"
    elif data.endswith(SIGNATURE):
        kind = "Markdown"
    elif _RUN.match(text):
        kind = "run"
    elif "," in first:
        kind = f"table {first.split(',')[:_KEYS]}"
    return kind


def refuse_another_kind(path: Path, data: bytes, *, error: type[HayamiError] = OutputError) -> None:
    """Returns if ``path`` is free or empty, or holds a file of the kind that ``data`` is.

    Raises:
        HayamiError: of the kind ``error``: it holds something else, which writing would destroy.
    """
    try:
        old = path.read_bytes()
    except OSError:  # there is none, or none that can be written over, which writing says
        return
    if old and (not kind_of(old) or kind_of(old) != kind_of(data)):
        raise error(
            "holds something else, which would be lost",
            where=str(path),
            hint="Choose another file, or say --force.",
        )


def replace_file(
    path: Path,
    data: bytes,
    *,
    error: type[HayamiError] = OutputError,
    hint: str = "Choose another place.",
    force: bool = False,
) -> None:
    """Writes a file whole or not at all, with the folders that it needs; its mode stays.

    Args:
        path: the file.
        data: all that is to be in it; Markdown is signed.
        error: what to raise, with ``hint``, if the system refuses.
        hint: what the user can do then.
        force: whether a file of another kind is written over.

    Raises:
        HayamiError: of the kind ``error``: the system refuses, or what is there is no file of this
            kind; it is untouched.
    """
    if _TITLE.match(data) and kind_of(data) != "run":
        data += SIGNATURE
    if not force:
        refuse_another_kind(path, data, error=error)
    aside = path.with_name(f".{path.name}.{token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_new(aside, data, _mode_of(path))
        aside.replace(path)
    except OSError as fault:
        with contextlib.suppress(OSError):  # where no folder could be made there is no file either
            aside.unlink()
        what = f"cannot write: {fault.strerror or fault}"
        raise error(what, where=str(path), hint=hint) from fault


def _mode_of(path: Path) -> int | None:
    """The mode of a file that is there."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return None


def _write_new(path: Path, data: bytes, mode: int | None) -> None:
    """Writes a file that was not there, under no link, for nobody's eyes that ``mode`` excludes."""
    handle = os.open(path, _FLAGS, 0o666 if mode is None else mode & 0o600)
    with open(handle, "wb") as file:  # noqa: PTH123 - a path would be opened a second time
        file.write(data)
    if mode is not None:
        path.chmod(mode)
