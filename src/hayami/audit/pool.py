"""Pooling: sections that search systems rank high and nobody has judged, to be judged and added.

Source: the pooling of TREC (Sparck Jones and van Rijsbergen, Report on the need for and provision
of an "ideal" information retrieval test collection, 1975): what no one judged counts as wrong,
whether it is or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path

from hayami.audit.draft import Drafter, read_drafter, with_contents
from hayami.audit.items import Item
from hayami.errors import RunError
from hayami.evalset.folder import EvalSet
from hayami.evalset.names import RowKey
from hayami.evalset.qids import rows_of
from hayami.evalset.records import Query, Ruling
from hayami.evalset.runs import Run
from hayami.verdicts.log import Slot, Verdict


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
        ordered = sorted(self.ranks, key=lambda found: found[1])
        named = ", ".join(f"{name} {rank}" for name, rank in ordered)
        found_by = f"found by {len(self.ranks)} of {runs} run{'s' * (runs != 1)}"
        return f"rank {self.best}; {found_by} (rank in each: {named})"


def make_pool(
    evalset: EvalSet,
    runs: Sequence[Run],
    sheet: Path,
    cut: PoolSize,
    *,
    verdicts: Iterable[Verdict] = (),
) -> Pool:
    """The sections that runs rank within a depth and that nobody has judged.

    Best rank first, then by more runs. Judged are the label's own sections (grade 2) and those
    about which ``verdicts`` say something for the same row, but for ``unsure``. Sections of grade 1
    are not: they have it from standing in the same article, nobody read them.

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
    ranked = frozenset[str]().union(*(run.scores for run in runs))
    if not ranked & queries.keys():
        raise _foreign(evalset, runs, queries)
    said, named = _said(verdicts), _named(runs)
    sorting = _Sorting(drafter, len(runs))
    for query in queries.values():
        sightings = _ranked(query.qid, named, cut.depth)
        sorting.take(query, sightings, _judged_sections(query, said))
    items = sorting.best(cut.n)
    size = {"population": len(sorting.waiting), "drawn": len(items)}
    return Pool(
        items=with_contents([item.model_copy(update=size) for item in items], evalset),
        unjudged=len(sorting.waiting),
        judged=sorting.judged,
        queries=len(ranked & queries.keys()),
        unknown_queries=tuple(sorted(ranked - queries.keys())),
        unknown_sections=tuple(sorted(sorting.unknown)),
    )


@dataclass(slots=True)
class _Sorting:
    """What the runs rank, sorted into what waits for a judge, is judged, or is not in the set."""

    drafter: Drafter
    runs: int
    waiting: list[tuple[tuple[int, int, int, str], Item]] = field(default_factory=list)
    """With what an item is put in order by."""
    unknown: set[str] = field(default_factory=set)
    judged: int = 0
    _queries: int = 0

    def take(
        self, query: Query, ranked: Mapping[str, _Sighting], judged: AbstractSet[Slot]
    ) -> None:
        """Sorts what the runs rank for the next query."""
        names = self.drafter.names
        for section, sighting in ranked.items():
            if section not in names:
                self.unknown.add(section)
            elif section in query.relevant or names[section].key in judged:
                self.judged += 1
            else:
                item = self.drafter.pooled(query, section)
                why = sighting.in_words(self.runs)
                order = (sighting.best, -len(sighting.ranks), self._queries, section)
                self.waiting.append((order, item.model_copy(update={"why": why})))
        self._queries += 1

    def best(self, n: int | None) -> list[Item]:
        """The first ``n`` of those that wait: best rank first, then by more runs."""
        ordered = sorted(self.waiting, key=lambda pair: pair[0])
        return [item for _, item in ordered[:n]]


def _foreign(evalset: EvalSet, runs: Sequence[Run], queries: Mapping[str, Query]) -> RunError:
    where = ", ".join(str(run.path) for run in runs)
    hint = f"The set in {evalset.folder} has ids such as {next(iter(queries), 'none at all')}."
    return RunError("no query of the set is in the runs", where=where, hint=hint)


def _named(runs: Sequence[Run]) -> dict[str, Run]:
    """The runs by name; runs of one name are told apart by their files."""
    times = Counter(run.name for run in runs)
    named: dict[str, Run] = {}
    for place, run in enumerate(runs, 1):
        name = run.name
        if times[name] > 1:
            name += f" ({run.path.name}, {place})"
        named[name] = run
    return named


def _ranked(qid: str, runs: Mapping[str, Run], depth: int) -> dict[str, _Sighting]:
    """Where each section within the depth was found."""
    found: dict[str, _Sighting] = {}
    for name, run in runs.items():
        for rank, section in enumerate(run.ranking(qid)[:depth], 1):
            found.setdefault(section, _Sighting()).ranks.append((name, rank))
    return found


def _said(verdicts: Iterable[Verdict]) -> dict[RowKey, list[Verdict]]:
    """The last word of every judge about each row and each pooled section of it.

    What was taken back or is unsure says nothing.
    """
    last: dict[tuple[RowKey, Slot | None, str], Verdict] = {}
    for verdict in verdicts:
        for row in verdict.rows:
            last[row, verdict.slot, verdict.judge] = verdict
    said: dict[RowKey, list[Verdict]] = {}
    for (row, _, _), verdict in last.items():
        if verdict.ruling not in {None, Ruling.UNSURE}:
            said.setdefault(row, []).append(verdict)
    return said


def _judged_sections(query: Query, said: Mapping[RowKey, Sequence[Verdict]]) -> set[Slot]:
    """The sections, by name, that verdicts say something about for a query."""
    named: set[Slot] = set()
    for row in rows_of(query):
        for verdict in said.get(row, ()):
            named.update(name.key for name in verdict.names)
    return named
