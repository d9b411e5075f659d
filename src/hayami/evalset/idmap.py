"""What became of ids in an export with safe ids, so that a run over it can be measured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from hayami.errors import RunError
from hayami.evalset.jsonl import read_records
from hayami.evalset.records import Record

_HINT: Final = "Give the ids.jsonl that 'hayami export --ids safe' wrote."


class IdPair(Record):
    """One line of ``ids.jsonl``."""

    kind: Literal["query", "section"]
    """What has this id."""
    exported: str
    """The id in the export."""
    in_set: str
    """The id in the set."""


@dataclass(frozen=True, slots=True)
class IdMap:
    """The ids of a set by those of an export."""

    queries: dict[str, str]
    sections: dict[str, str]

    def translated(self, scores: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
        """The scores of a run under the ids of the set; an id that is in no export stays."""
        found: dict[str, dict[str, float]] = {}
        for qid, ranking in scores.items():
            sections = {self.sections.get(name, name): score for name, score in ranking.items()}
            found[self.queries.get(qid, qid)] = sections
        return found


def read_id_map(path: Path) -> IdMap:
    """The map in a file ``ids.jsonl``.

    Raises:
        RunError: there is none, a line is no such pair, or an id of the export stands twice.
    """
    found: dict[str, dict[str, str]] = {"query": {}, "section": {}}
    for number, pair in enumerate(read_records(path, IdPair, error=RunError, hint=_HINT), 1):
        if found[pair.kind].setdefault(pair.exported, pair.in_set) != pair.in_set:
            what = f"{pair.kind} {pair.exported} stands twice"
            raise RunError(what, where=f"{path}:{number}", hint=_HINT)
    return IdMap(found["query"], found["section"])
