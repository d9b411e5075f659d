"""Pooling: sections that search systems rank high and that nobody has judged, to be judged and added to the labels.

Source: the pooling of TREC (Sparck Jones and van Rijsbergen, Report on the need for and provision
of an "ideal" information retrieval test collection, 1975): what no one judged counts as wrong,
whether it is or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path

from hayami.audit.draft import read_drafter
from hayami.audit.items import Item
from hayami.errors import RunError
from hayami.evalset.folder import EvalSet
from hayami.evalset.names import RowKey
from hayami.evalset.qids import rows_of
from hayami.evalset.records import Query, Ruling
from hayami.evalset.runs import Run
from hayami.verdicts.log import Verdict

SectionKey = tuple[str, str, int]
"""A section by name, as in :attr:`hayami.evalset.names.SectionName.key`."""


@dataclass(frozen=True, slots=True)
class PoolSize:
    """How much of the runs to judge."""

    depth: int = 10
    """Ranks that count, from 1."""
    n: int | None = None
    """How many pairs of query and section at the most; None takes all."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The sections to judge, and what the runs hold that could not be used."""

    items: tuple[Item, ...]
    unjudged: int
    """Query and section pairs within the depth that nobody judged, those beyond ``n`` too."""
    judged: int
    """Pairs within the depth that are labels, or that somebody has judged."""
    queries: int
    """Queries that at least one run ranks sections for."""
    unknown_queries: tuple[str, ...]
    """Query ids of the runs that the set does not have, sorted."""
    unknown_sections: tuple[str, ...]
    """Sections within the depth that the corpus does not have, sorted."""


@dataclass(slots=True)
class _Sighting:
    """Where runs rank one section for one query: the run's name and the rank from 1."""

    ranks: list[tuple[str, int]] = field(default_factory=list)

    @property
    def best(self) -> int:
        return min(rank for _, rank in self.ranks)

    def in_words(self, runs: int) -> str:
        """Why a person should look at it."""
        named = ", ".join(
            f"{name} {rank}" for name, rank in sorted(self.ranks, key=lambda found: found[1])
        )
        return f"rank {self.best}; found by {len(self.ranks)} of {runs} run{'s' * (runs != 1)} (rank in each: {named})"


def make_pool(
    evalset: EvalSet,
    runs: Sequence[Run],
    sheet: Path,
    cut: PoolSize,
    *,
    verdicts: Iterable[Verdict] = (),
) -> Pool:
    """The sections that runs rank within a depth and that nobody has judged: best rank first, then by more runs.

    Judged are the label's own sections (grade 2) and those about which ``verdicts`` say something
    for the same row, but for ``unsure``. Sections of grade 1 are not: they have it from standing in
    the same article, nobody read them.

    Args:
        evalset: the set.
        runs: what the systems returned.
        sheet: the file to be.
        cut: how deep to look, and how many pairs to take.
        verdicts: what was said before, in the order of time.

    Raises:
        RunError: no run has a query of the set.
        EvalSetError: the set is damaged.
    """
    drafter = read_drafter(evalset, sheet)
    queries = {query.qid: query for query in evalset.queries()}
    ranked = {qid for run in runs for qid in run.scores}
    _refuse_foreign(evalset, runs, queries, ranked)
    said, named = _said(verdicts), _named(runs)
    waiting: list[tuple[tuple[int, int, int, str], Item]] = []
    unknown: set[str] = set()
    judged = 0
    for place, query in enumerate(queries.values()):
        done = _judged_sections(query, said)
        for section, found in _ranked(query.qid, named, cut.depth).items():
            if section not in drafter.names:
                unknown.add(section)
            elif section in query.relevant or drafter.names[section].key in done:
                judged += 1
            else:
                why = {"why": found.in_words(len(runs))}
                order = (found.best, -len(found.ranks), place, section)
                waiting.append((order, drafter.pooled(query, section).model_copy(update=why)))
    items = [item for _, item in sorted(waiting, key=lambda pair: pair[0])][: cut.n]
    size = {"population": len(waiting), "drawn": len(items)}
    return Pool(
        items=tuple(item.model_copy(update=size) for item in items),
        unjudged=len(waiting),
        judged=judged,
        queries=len(ranked & queries.keys()),
        unknown_queries=tuple(sorted(ranked - queries.keys())),
        unknown_sections=tuple(sorted(unknown)),
    )


def _refuse_foreign(
    evalset: EvalSet, runs: Sequence[Run], queries: Mapping[str, Query], ranked: AbstractSet[str]
) -> None:
    if not ranked & queries.keys():
        where = ", ".join(str(run.path) for run in runs)
        hint = f"The set in {evalset.folder} has ids such as {next(iter(queries), 'none at all')}."
        raise RunError("no query of the set is in the runs", where=where, hint=hint)


def _named(runs: Sequence[Run]) -> dict[str, Run]:
    """The runs by name; runs of one name are told apart by their files."""
    names = [run.name for run in runs]
    return {
        run.name if names.count(run.name) == 1 else f"{run.name} ({run.path.name}, {place})": run
        for place, run in enumerate(runs, 1)
    }


def _ranked(qid: str, runs: Mapping[str, Run], depth: int) -> dict[str, _Sighting]:
    """Where each section within the depth was found."""
    found: dict[str, _Sighting] = {}
    for name, run in runs.items():
        for rank, section in enumerate(run.ranking(qid)[:depth], 1):
            found.setdefault(section, _Sighting()).ranks.append((name, rank))
    return found


def _said(verdicts: Iterable[Verdict]) -> dict[RowKey, list[Verdict]]:
    """The last word of every judge about each row and each pooled section of it, if it says something."""
    last: dict[tuple[RowKey, SectionKey | None, str], Verdict] = {}
    for verdict in verdicts:
        for row in verdict.rows:
            last[row, verdict.slot, verdict.judge] = verdict
    said: dict[RowKey, list[Verdict]] = {}
    for (row, _, _), verdict in last.items():
        if verdict.ruling not in {None, Ruling.UNSURE}:
            said.setdefault(row, []).append(verdict)
    return said


def _judged_sections(query: Query, said: Mapping[RowKey, Sequence[Verdict]]) -> set[SectionKey]:
    """The sections, by name, that verdicts say something about for a query."""
    verdicts = [verdict for row in rows_of(query) for verdict in said.get(row, ())]
    named = [
        name
        for v in verdicts
        for name in (*v.judged, *v.sections, *((v.pooled,) if v.pooled else ()))
    ]
    return {name.key for name in named}
