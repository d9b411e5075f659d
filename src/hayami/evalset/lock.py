"""One writer of a folder at a time, whatever process, container or host it runs in."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from hayami.errors import OutputError

_FLAGS: Final = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_held: set[int] = set()
"""The open files of the locks of this process."""


class FolderLock:
    """The right to write one folder, as a context manager; it ends with the process at the latest.

    The system holds it for an open file beside the folder, so that neither the number of a process
    nor a file that a killed one left behind says anything.

    Raises:
        OutputError: somebody else is writing the folder, or the system refuses.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder.parent / f".{folder.name}.lock"
        self._handle = -1

    def __enter__(self) -> Self:
        while not self._is_current():
            self._close()
            self._handle = os.open(self.path, _FLAGS, 0o600)
            _held.add(self._handle)
            try:
                _lock(self._handle)
            except OSError as error:
                self._close()
                if not isinstance(error, (BlockingIOError, PermissionError)):
                    raise
                raise OutputError(
                    "another hayami is writing it now",
                    where=str(self.folder),
                    hint="Wait until that one is done, or choose another --out.",
                ) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):  # Windows takes no file away that is open
            self.path.unlink()
        self._close()

    def _is_current(self) -> bool:
        """Whether the locked file still has its name: the last holder took it away."""
        if self._handle < 0:
            return False
        try:
            return os.path.samestat(os.fstat(self._handle), self.path.stat(follow_symlinks=False))
        except FileNotFoundError:
            return False

    def _close(self) -> None:
        if self._handle >= 0:
            _held.discard(self._handle)
            os.close(self._handle)
            self._handle = -1


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _let_go() -> None:
        """A worker that outlives its parent must not hold the parent's locks."""
        for handle in _held:
            os.close(handle)
        _held.clear()

    os.register_at_fork(after_in_child=_let_go)
