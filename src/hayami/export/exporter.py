"""What a format is to the registry."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hayami.export.bundle import Bundle, Labels
from hayami.export.destination import ExportFolder
from hayami.extras import Extra

WriteExport = Callable[[Bundle, ExportFolder], Iterable[str]]
"""Writes the files; gives what is not as in the set, one sentence each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporter:
    """A format: what it writes, who reads it, what it can hold, and the function that writes it."""

    name: str
    writes: str
    """The files, in a phrase."""
    loader: str
    """The reader that each export was tried with."""
    example: str
    """Lines of Python that load it; ``{out}`` and ``{split}`` stand for the folder and the
    split."""
    write: WriteExport
    graded: bool
    """Whether it holds grades; where not, only what counts is written."""
    splits: bool = False
    """Whether it has splits that have a name."""
    plain_ids: bool = False
    """Whether ids stand in lines of fields that nothing quotes."""
    extra: Extra | None = None
    """What it needs beyond a plain installation."""

    @property
    def default_labels(self) -> Labels:
        """The labels that are written if none are asked for."""
        return Labels.GRADED if self.graded else Labels.STRICT
