"""Folders written whole or not at all."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import errno
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from hayami.errors import OutputError
from hayami.evalset.folder import FILES, MANIFEST
from hayami.evalset.jsonl import record_line
from hayami.evalset.records import (
    Manifest,
    Record,
)
from hayami.text.fold import escape_line_separators

_BUFFER: Final = 1 << 20
_SHOWN: Final = 3
"""File names that a message lists."""


class Staging:
    """A folder beside the eval set to be, into which all files are written before any is seen.

    As a context manager it removes itself when anything goes wrong; what stood at ``out`` is then
    untouched.

    Raises:
        OutputError: ``out`` holds something that is not an eval set, or the disk refuses.
    """

    def __init__(self, out: Path) -> None:
        self.out = Path(os.path.abspath(out))  # noqa: PTH100 - links are not to be followed
        self.folder = self.out.parent / f".{self.out.name}.building-{os.getpid()}"
        self._files: dict[str, _HashedFile] = {}

    def __enter__(self) -> Self:
        refuse_foreign(self.out)
        with self.guard():
            self.out.parent.mkdir(parents=True, exist_ok=True)
            remove_abandoned(self.out)
            self.folder.mkdir()
            for name in FILES:
                self._files[name] = _HashedFile(self.folder / name)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in self._files.values():
            with contextlib.suppress(
                OSError
            ):  # a full disk refuses the last buffer too; the folder goes anyway
                file.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def guard(self) -> Iterator[None]:
        """Turns what the operating system refuses into an error that names the eval set."""
        try:
            yield
        except OSError as error:
            hint = (
                "Free some space."
                if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
                else "Choose another --out."
            )
            what = f"cannot write: {error.strerror or error}"
            raise OutputError(
                what, where=str(self.out), hint=f"{hint} What was there is untouched."
            ) from error

    def write(self, name: str, data: bytes) -> None:
        """Appends bytes to one of FILES."""
        with self.guard():
            self._files[name].write(data)

    def write_record(self, name: str, record: Record) -> None:
        """Appends a record to one of the JSONL files."""
        self.write(name, (record_line(record) + "\n").encode())

    def written(self, name: str) -> Path:
        """One of FILES, with all that was written to it so far, to be read."""
        with self.guard():
            self._files[name].flush()
        return self.folder / name

    def hashes(self) -> dict[str, str]:
        """Closes the files on the disk; gives the sha256 of each by name."""
        with self.guard():
            return {name: self._files[name].close() for name in FILES}

    def commit(self, manifest: Manifest) -> None:
        """Writes the manifest and puts the new set in the place of the old one in one step."""
        text = (
            json.dumps(json.loads(manifest.model_dump_json()), ensure_ascii=False, indent=2) + "\n"
        )
        with self.guard():
            file = _HashedFile(self.folder / MANIFEST)
            file.write(escape_line_separators(text).encode())
            file.close()
            sync_folder(self.folder)
            refuse_foreign(self.out)
            replace_folder(self.folder, self.out)


class _HashedFile:
    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = path.open("xb", buffering=_BUFFER)
        self._hash = hashlib.sha256()

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._hash.update(data)

    def flush(self) -> None:
        """Hands what is buffered to the system."""
        self._file.flush()

    def close(self) -> str:
        """Puts everything on the disk; gives the hash."""
        if not self._file.closed:
            try:
                self._file.flush()
                os.fsync(self._file.fileno())
            finally:
                self._file.close()
        return self._hash.hexdigest()


def refuse_foreign(out: Path) -> None:
    """Raises OutputError unless ``out`` is free, empty or an eval set with nothing else in it."""
    if not os.path.lexists(out):
        return
    if not out.is_dir() or out.is_symlink():
        raise OutputError(
            "is not a folder",
            where=str(out),
            hint="Choose another --out; hayami overwrites only eval sets.",
        )
    try:
        names = sorted(entry.name for entry in out.iterdir())
    except OSError as error:
        raise OutputError(
            f"cannot read: {error.strerror}", where=str(out), hint="Choose another --out."
        ) from error
    if not names:
        return
    foreign = [name for name in names if name not in {*FILES, MANIFEST}]
    if MANIFEST not in names or not _is_manifest(out / MANIFEST):
        what = f"holds something other than an eval set ({_listed(names)})"
        raise OutputError(
            what, where=str(out), hint="Choose another --out; hayami overwrites only eval sets."
        )
    if foreign:
        what = f"holds files that are not the eval set's own ({_listed(foreign)})"
        raise OutputError(
            what, where=str(out), hint="Move them elsewhere: a build replaces the whole folder."
        )


def _listed(names: list[str]) -> str:
    shown = names[:_SHOWN]
    return ", ".join(shown + ["…"] * (len(names) > len(shown)))


def _is_manifest(path: Path) -> bool:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and "hayami" in content


def remove_abandoned(out: Path) -> None:
    """Folders that a killed build left beside ``out``.

    Puts an old set back whose build was killed in between.
    """
    begin = f".{out.name}."
    for folder in [entry for entry in out.parent.iterdir() if entry.name.startswith(begin)]:
        kind, _, process = folder.name.removeprefix(begin).rpartition("-")
        ours = kind in {"building", "replaced"} and process.isdigit()
        if not ours or (int(process) != os.getpid() and _alive(int(process))):
            continue
        if kind == "replaced" and not out.exists():
            folder.rename(out)
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def sync_folder(folder: Path) -> None:
    """Puts what a folder holds on the disk."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_folder(new: Path, old: Path) -> None:
    """Puts ``new`` at the place of ``old``: in one step where the system can do it, else in two."""
    if not old.exists():
        new.rename(old)
    elif _exchange(new, old):
        shutil.rmtree(new, ignore_errors=True)
    else:
        aside = old.parent / f".{old.name}.replaced-{os.getpid()}"
        old.rename(aside)
        new.rename(old)
        shutil.rmtree(aside, ignore_errors=True)
    sync_folder(old.parent)


_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2


def _exchange(one: Path, other: Path) -> bool:
    """Exchanges two folders atomically (Linux renameat2); false where that cannot be done."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)
    if not hasattr(libc, "renameat2"):
        return False
    paths = (os.fsencode(one), os.fsencode(other))
    return bool(libc.renameat2(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) == 0)
