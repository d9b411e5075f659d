"""Finding the article files of a build and giving each its id."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import quote

from hayami.errors import SourceError
from hayami.parts import Unreadable
from hayami.records import Reason

SUFFIXES: Final = frozenset((".html", ".htm", ".xhtml"))
_UNSAFE: Final = re.compile(r'[\s%#"\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\ufeff\ud800-\udfff]')


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read: where it is, its path relative to the source (with ``/``), and the id of its article."""

    file: str
    path: str
    id: str


@dataclass(frozen=True, slots=True)
class Found:
    """The files of a build in the order of their ids, and those that are not to be read."""

    files: tuple[SourceFile, ...]
    rejected: tuple[Unreadable, ...]
    sources: tuple[str, ...]


def find_files(sources: Iterable[Path]) -> Found:
    """All HTML files in folders (links to folders are not followed), and files named as such.

    The result does not depend on the order of ``sources``. With several folders, ids begin with the folder's name.

    Raises:
        SourceError: a source does not exist, two folders have the same name, or there is no HTML file at all.
    """
    given = sorted({Path(os.path.abspath(source)) for source in sources})
    for source in given:
        if not source.exists():
            raise SourceError("no such file or folder", where=_shown(source), hint="Check the spelling of the path.")
    roots = _outermost([source for source in given if source.is_dir()])
    prefixes = _prefixes(roots)
    files = {path: prefixes[root] + path.relative_to(root).as_posix() for root in roots for path in _walk(root)}
    for source in given:
        if not source.is_dir() and source not in files:
            files[source] = source.name
    if not files:
        where = ", ".join(_shown(source) for source in given)
        raise SourceError(
            "no HTML file in it", where=where, hint="hayami reads files that end in .html, .htm or .xhtml."
        )
    kept, rejected = _one_each(files)
    return Found(tuple(_with_ids(kept)), tuple(rejected), tuple(sorted(_shown(Path(s.name)) for s in given)))


def _shown(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _outermost(folders: list[Path]) -> list[Path]:
    """Folders that lie in no other one of the list, by their real place."""
    real = {folder: folder.resolve() for folder in folders}
    return [f for f in folders if not any(other in real[f].parents for other in real.values())]


def _prefixes(roots: list[Path]) -> dict[Path, str]:
    if len(roots) <= 1:
        return dict.fromkeys(roots, "")
    names: dict[str, Path] = {}
    for root in roots:
        if root.name in names:
            raise SourceError(
                f"two source folders are called {root.name}",
                where=_shown(root),
                hint="Give the folder that holds both.",
            )
        names[root.name] = root
    return {root: f"{root.name}/" for root in roots}


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            if PurePosixPath(name).suffix.lower() in SUFFIXES:
                yield Path(folder, name)


def _one_each(files: dict[Path, str]) -> tuple[dict[Path, str], list[Unreadable]]:
    """Files by their real place, each once: a link to a file of the build is rejected, the file itself is kept."""
    kept: dict[Path, tuple[Path, str]] = {}
    rejected = []
    for path, relative in sorted(files.items(), key=lambda item: (item[0].is_symlink(), item[1])):
        real = path.resolve()
        if real in kept:
            other = _text_path(kept[real][1])
            rejected.append(
                Unreadable(_text_path(relative), _id(relative), Reason.DUPLICATE_FILE, f"a link to {other}")
            )
        elif not path.exists():
            detail = f"a link to {_shown(path.readlink())}, which does not exist"
            rejected.append(Unreadable(_text_path(relative), _id(relative), Reason.UNREADABLE, detail))
        else:
            kept[real] = (path, relative)
    return dict(kept.values()), rejected


def _text_path(relative: str) -> str:
    """A path that can be written as UTF-8: bytes that are not text are shown as ``\\udc..`` escapes."""
    return relative.encode("utf-8", "backslashreplace").decode()


def _id(relative: str) -> str:
    """``a/b.html`` is ``a/b``, ``a/index.html`` is ``a``; what tools trip over is percent-encoded."""
    path = PurePosixPath(relative)
    folder_page = path.stem.lower() == "index" and len(path.parts) > 1
    path = path.parent if folder_page else path.with_suffix("")
    return _UNSAFE.sub(lambda m: quote(m[0].encode("utf-8", "surrogateescape")), path.as_posix())


def _with_ids(files: dict[Path, str]) -> list[SourceFile]:
    """Files with ids; where two would share one (``a.html``, ``a.htm``), the later keeps its suffix in the id."""
    taken: dict[str, SourceFile] = {}
    for path, relative in sorted(files.items(), key=lambda item: item[1]):
        article = _id(relative)
        if article in taken:
            article = _UNSAFE.sub(lambda m: quote(m[0].encode("utf-8", "surrogateescape")), relative)
        taken[article] = SourceFile(os.fspath(path), _text_path(relative), article)
    return [taken[article] for article in sorted(taken)]
