"""What a judge has typed and not recorded yet, kept so that a restart of the program loses no word.

Nothing of it is a verdict: builds and scores never read it.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from pydantic import RootModel, ValidationError

from hayami.errors import HayamiError
from hayami.evalset.outputs import replace_file
from hayami.evalset.records import Record, Ruling
from hayami.text.fold import escape_line_separators
from hayami.verdicts.log import verdict_file


class Draft(Record):
    """An answer that was not recorded."""

    seen: str
    """When the judge's verdict was given that the form showed; empty if there was none."""
    ruling: Ruling | None = None
    """The verdict that was chosen, if one was."""
    chosen: tuple[str, ...] = ()
    """The sections that were ticked."""
    rewrite: str = ""
    """The question in other words, as far as it was written."""
    note: str = ""
    """The note, as far as it was written."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to keep."""
        return not (self.ruling or self.chosen or self.rewrite.strip() or self.note.strip())


class _DraftFile(RootModel[dict[str, Draft]]):
    pass


class Drafts:
    """The drafts of one judge, by item, in a file beside the verdicts that only its owner may read.

    Args:
        labels: the folder of the verdicts.
        judge: the judge's name.
    """

    def __init__(self, labels: Path, judge: str) -> None:
        named = verdict_file(labels, judge).stem.removeprefix("verdicts-")
        self.file = labels / f".drafts-{named}.json"

    def _read(self) -> dict[str, Draft]:
        """What is kept; nothing if the file is not there, or is none of ours."""
        try:
            return _DraftFile.model_validate_json(self.file.read_bytes()).root
        except (OSError, ValidationError):
            return {}

    def of(self, item: str, seen: str) -> Draft | None:
        """What was typed about an item; None if nothing, or if a verdict was given since."""
        draft = self._read().get(item)
        return draft if draft is not None and draft.seen == seen else None

    def keep(self, item: str, draft: Draft) -> None:
        """Keeps what was typed about an item, in place of what was typed before.

        Raises:
            HayamiError: the system refuses.
        """
        if draft.empty:
            self.drop(item)
            return
        kept = self._read()
        if kept.get(item) != draft:
            self._write(kept | {item: draft})

    def drop(self, item: str) -> None:
        """Forgets what was typed about an item: it is recorded, or the fields are empty again."""
        kept = self._read()
        if kept.pop(item, None) is not None:
            with contextlib.suppress(HayamiError):  # it is out of date, which the next look tells
                self._write(kept)

    def _write(self, kept: dict[str, Draft]) -> None:
        if not kept:
            self.file.unlink(missing_ok=True)
            return
        if not self.file.exists():
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.touch(mode=0o600)
        document = escape_line_separators(_DraftFile(kept).model_dump_json())
        replace_file(self.file, (document + "\n").encode(), force=True)
