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
    write: WriteExport
    example: str
    """Lines that load it, with the placeholders of :meth:`filled`."""
    graded: bool
    """Whether it holds grades; where not, only what counts is written."""
    language: str = "python"
    """What the lines of the example are written in."""
    counts_every_grade: bool = False
    """Whether its tools take every grade above 0 for relevant: then strict labels come first."""
    advice: str = ""
    """What a user of its tools must know about grades, one sentence; placeholders as in example."""
    licensed: bool = False
    """Whether it has a place for the licence of the articles."""
    splits: bool = False
    """Whether it has splits that have a name."""
    plain_ids: bool = False
    """Whether ids stand in lines of fields that nothing quotes."""
    extra: Extra | None = None
    """What it needs beyond a plain installation."""

    def filled(self, text: str, out: str, split: str, labels: Labels) -> str:
        """A text with its placeholders filled.

        They are ``{out}``, the folder; ``{split}``; ``{strict}`` and ``{strict_config}``, the split
        and the configuration that have the targets alone.
        """
        by_default = labels is Labels.STRICT
        return text.format(
            out=out,
            split=split,
            strict=split if by_default else Labels.STRICT,
            strict_config="default" if by_default else Labels.STRICT,
        )

    @property
    def default_labels(self) -> Labels:
        """The labels that are written if none are asked for."""
        return Labels.GRADED if self.graded and not self.counts_every_grade else Labels.STRICT
