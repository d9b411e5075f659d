"""The folder of an export: written aside and put in place whole, with a note of what it is."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final

from pydantic import ValidationError

from hayami.errors import OutputError
from hayami.evalset.disk import StagedFolder
from hayami.evalset.records import InnerPath, Record, Sha256
from hayami.export.bundle import Judgements, Labels
from hayami.export.ids import Ids
from hayami.export.writing import as_json

MANIFEST: Final = "export.json"
_DOCSTORE: Final = ".pklz4"
"""Suffix of what ir_datasets puts beside a file of documents; it is made again when needed."""
_SHOWN: Final = 3
_CHUNK: Final = 1 << 20
_DIGITS: Final = 16


class ExportManifest(Record):
    """``export.json``: what an export is and which set it was made from. It has no time stamp."""

    export: str
    """Name of the format."""
    hayami: str
    """Version of hayami."""
    labels: Labels
    """Which sections count."""
    ids: Ids
    """Whether ids are those of the set."""
    split: str | None
    """Name of the split; null where the format has none."""
    set_sha256: str = ""
    """Hash of the set, as ``EvalSet.sha256`` gives it; empty in an export of an older version."""
    source: dict[str, str]
    """sha256 of the files of the set it was made from, by name."""
    queries: int
    """How many queries."""
    sections: int
    """How many sections the corpus has."""
    judgements: dict[str, int]
    """How many judgements of each grade."""
    notes: tuple[str, ...]
    """What is not as in the set, one sentence each."""
    files: dict[InnerPath, Sha256]
    """sha256 of every other file of the export, by its path."""


class ExportFolder(StagedFolder):
    """The files of an export to be.

    Raises:
        OutputError: ``out`` holds something that is not an earlier export in this format, or the
            disk refuses.
    """

    def __init__(self, out: Path, export: str) -> None:
        super().__init__(out, lambda folder: _refuse_other(folder, export))

    def place(self, name: str) -> Path:
        """Where a file is to be written now; ``name`` is its path in the export, with ``/``."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def add_digest(self, name: str) -> str:
        """Puts 16 digits of its sha256 into the name of a file, before the suffix.

        Gives its path in the export.
        """
        with self.guard():
            path = self.place(name)
            named = path.with_name(f"{path.stem}-{_hash_on_disk(path)[:_DIGITS]}{path.suffix}")
            return path.rename(named).relative_to(self.folder).as_posix()

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[IO[str]]:
        """A new text file of the export: UTF-8, LF."""
        with self.guard(), self.place(name).open("x", encoding="utf-8", newline="\n") as file:
            yield file

    def write_lines(self, name: str, lines: Iterable[str]) -> None:
        """A new text file of these lines; they come without line ends."""
        with self.open(name) as file:
            for line in lines:
                file.write(line + "\n")

    def hashes(self) -> dict[str, str]:
        """Puts all files on the disk; gives the sha256 of each by its path in the export."""
        root = self.folder
        with self.guard():
            files = sorted(path for path in root.rglob("*") if path.is_file())
            return {path.relative_to(root).as_posix(): _hash_on_disk(path) for path in files}

    def commit(self, manifest: ExportManifest) -> None:
        """Writes the manifest and puts the export in the place of an older one in one step."""
        text = as_json(json.loads(manifest.model_dump_json()), indent=2)
        self.write_lines(MANIFEST, [text])
        with self.guard():
            _hash_on_disk(self.folder / MANIFEST)
        self.put_in_place()


def count_grades(judged: Judgements) -> dict[str, int]:
    """How many judgements there are of each grade, highest first."""
    grades = [grade for sections in judged.values() for grade in sections.values()]
    return {str(grade): grades.count(grade) for grade in sorted(set(grades), reverse=True)}


def read_manifest(folder: Path) -> ExportManifest | None:
    """What the export in a folder is; None if there is none that this hayami knows."""
    try:
        return ExportManifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (OSError, ValidationError):
        return None


def _hash_on_disk(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb+") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
        os.fsync(file.fileno())
    return digest.hexdigest()


def _refuse_other(out: Path, export: str) -> None:
    """Raises OutputError unless ``out`` is free, empty or nothing but an export in this format."""
    if not os.path.lexists(out):
        return
    hint = f"Choose another --out; only an earlier {export} export is overwritten."
    if not out.is_dir() or out.is_symlink():
        raise OutputError("is not a folder", where=str(out), hint=hint)
    try:
        found = sorted(_paths(out))
    except OSError as error:
        raise OutputError(f"cannot read: {error.strerror}", where=str(out), hint=hint) from error
    if not found:
        return
    old = read_manifest(out)
    if old is None:
        raise OutputError(
            f"holds something other than an export ({_listed(found)})", where=str(out), hint=hint
        )
    if old.export != export:
        raise OutputError(
            f"holds an export in another format, {old.export}", where=str(out), hint=hint
        )
    if foreign := [path for path in found if not _is_own(path, old.files)]:
        what = f"holds files that are not the export's own ({_listed(foreign)})"
        raise OutputError(
            what, where=str(out), hint="Move them elsewhere: an export replaces the whole folder."
        )


def _paths(folder: Path) -> Iterator[str]:
    """The paths of all files and links in a folder, and of the empty folders."""
    for root, folders, names in os.walk(folder):
        here = Path(root).relative_to(folder)
        links = [name for name in folders if (Path(root) / name).is_symlink()]
        yield from ((here / name).as_posix() for name in [*names, *links])
        if not folders and not names and Path(root) != folder:
            yield here.as_posix()


def _is_own(path: str, files: Mapping[str, str]) -> bool:
    document, docstore, _ = path.partition(_DOCSTORE)
    return path == MANIFEST or path in files or (bool(docstore) and document in files)


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN] + ["…"] * (len(names) > _SHOWN))
