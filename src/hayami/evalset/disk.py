"""Folders written whole or not at all."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import errno
import hashlib
import json
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import IO, Final, Self

from hayami.errors import OutputError
from hayami.evalset.folder import FILES, MANIFEST
from hayami.evalset.jsonl import record_line
from hayami.evalset.lock import FolderLock
from hayami.evalset.records import (
    Manifest,
    Record,
)
from hayami.text.fold import escape_line_separators

_BUFFER: Final = 1 << 20
_SHOWN: Final = 3
"""File names that a message lists."""
_TOKEN: Final = 8
"""Random bytes in the name of a folder that is not yet in place."""
_ASIDE: Final = rf"(?P<kind>building|replaced)-[0-9a-f]{{{2 * _TOKEN}}}"


class StagedFolder:
    """A folder beside the one to be, into which all files are written before any is seen.

    As a context manager it removes itself when anything goes wrong; what stood at ``out`` is then
    untouched. Nobody else can write ``out`` meanwhile.

    Args:
        out: the folder to be.
        refuse: raises OutputError if ``out`` holds what must not be replaced.

    Raises:
        OutputError: ``out`` must not be replaced or is being written, or the disk refuses.
    """

    def __init__(self, out: Path, refuse: Callable[[Path], None]) -> None:
        self.out = Path(os.path.abspath(out))  # noqa: PTH100 - links stay as they were given
        self.folder = self.out.parent / f".{self.out.name}.building-{token_hex(_TOKEN)}"
        self._refuse = refuse
        self._lock = FolderLock(self.out)
        self._held = contextlib.ExitStack()
        self._mode = 0

    def __enter__(self) -> Self:
        self._refuse(self.out)
        with self._held, self.guard():
            self.out.parent.mkdir(parents=True, exist_ok=True)
            self._held.enter_context(self._lock)
            remove_abandoned(self.out)
            self._make()
            self._held.callback(shutil.rmtree, self.folder, ignore_errors=True)
            self.prepare()
            self._held = self._held.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._held.close()

    def _make(self) -> None:
        """Makes the folder, closed to others until it is in place."""
        self.folder.mkdir()
        self._mode = stat.S_IMODE(self.folder.stat().st_mode)
        if self.out.exists():
            self._mode = stat.S_IMODE(self.out.stat().st_mode)
        self.folder.chmod(0o700)

    def prepare(self) -> None:
        """What there is to do before anything is written."""

    @contextlib.contextmanager
    def guard(self) -> Iterator[None]:
        """Turns what the operating system refuses into an error that names the folder."""
        try:
            yield
        except OSError as error:
            hint = "Choose another --out."
            if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
                hint = "Free some space."
            raise OutputError(
                f"cannot write: {error.strerror or error}",
                where=str(self.out),
                hint=f"{hint} What was there is untouched.",
            ) from error

    def put_in_place(self) -> None:
        """Puts the folder in the place of the old one in one step; files and folder keep modes."""
        with self.guard():
            for old in self.out.glob("**/*"):
                new = self.folder / old.relative_to(self.out)
                if new.exists() and not old.is_symlink():
                    new.chmod(stat.S_IMODE(old.stat().st_mode))
            sync_folder(self.folder)
            self._refuse(self.out)
            self.folder.chmod(self._mode)
            replace_folder(self.folder, self.out)


class Staging(StagedFolder):
    """The files of an eval set to be, each hashed as it is written.

    Raises:
        OutputError: ``out`` holds something that is not an eval set, or the disk refuses.
    """

    def __init__(self, out: Path) -> None:
        super().__init__(out, refuse_foreign)
        self._files: dict[str, _HashedFile] = {}

    def prepare(self) -> None:
        """Opens the files."""
        for name in FILES:
            self._files[name] = _HashedFile(self.folder / name)
            self._held.callback(self._files[name].give_up)

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
        self.put_in_place()


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

    def give_up(self) -> None:
        """Closes the file; a full disk refuses its last bytes too, and it goes anyway."""
        with contextlib.suppress(OSError):
            self._file.close()

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
    """Removes folders that a killed build left beside ``out``, which must be locked.

    An old set whose build was killed while it was moved aside is put back. What is another user's
    is left alone.
    """
    named = re.compile(re.escape(f".{out.name}.") + _ASIDE)
    for folder in list(out.parent.iterdir()):
        found = named.fullmatch(folder.name)
        if found is None or not _is_ours(folder):
            continue
        if found["kind"] == "replaced" and not out.exists():
            folder.rename(out)
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _is_ours(folder: Path) -> bool:
    """Whether a folder belongs to the user who runs this; where there are no owners it does."""
    return not hasattr(os, "geteuid") or folder.lstat().st_uid == os.geteuid()


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
        aside = old.parent / f".{old.name}.replaced-{token_hex(_TOKEN)}"
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
