"""The rules that every figure rests on, and what a run has that bears on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hayami.evalset.runs import Run, single
from hayami.evaluate.judgements import Judgements

POLICIES: Final = (
    "A query without a relevant document for a measure is left out of that measure, and counted.",
    "A query that is missing from the run counts 0; a query that only the run has is ignored.",
    "A document that nobody judged counts as not relevant. It may be relevant all the same.",
    (
        "A document that stands twice for a query is an error; --dedupe keeps the one that "
        "ranks first."
    ),
    (
        "Scores order the results, ranks in the file do not; scores equal in 32 bits go by id, "
        "descending, as trec_eval."
    ),
    "A run shorter than k is measured as if the missing places were not relevant.",
    (
        "Means give every query the same weight; pooled recall gives every relevant document "
        "the same weight."
    ),
)
"""Stated in every report.

Source: trec_eval (ties, missing queries as with -c); the first is a choice of hayami's.
"""

_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What a run has that bears on its figures."""

    cutoff: int
    """The k that short, tied and judged refer to."""
    queries: int
    """Queries in the judgements."""
    no_relevant: tuple[str, ...]
    """Those of them without any relevant document."""
    missing: tuple[str, ...]
    """Those of them that the run lacks, although they have a relevant document."""
    extra: tuple[str, ...]
    """Queries that only the run has."""
    in_common: int
    """Queries that both have."""
    tied: int
    """Queries in which equal scores decide about the first k places."""
    short: int
    """Queries with fewer than k results."""
    depth: int
    """The most results that a query has."""
    judged: float | None
    """Share of the first k results that is judged at all; None if there is no result."""
    unknown: int
    """Results that are not in the corpus; 0 where the corpus is not at hand."""
    unknown_example: str
    """One of them."""
    repeated: int
    """Results left out because the document stood there already."""
    misranked: int
    """Queries in which the ranks of the file contradict the scores."""


def study_run(judgements: Judgements, run: Run, cutoff: int) -> RunFacts:
    """What a run has that bears on its figures; ``cutoff`` is the largest k that is measured."""
    qrels = judgements.qrels
    common = [qid for qid in qrels if qid in run.scores]
    tops = {qid: run.ranking(qid)[: cutoff + 1] for qid in common}
    no_relevant = tuple(qid for qid, grades in qrels.items() if not _has_relevant(grades))
    missing = [qid for qid in qrels if qid not in run.scores]
    unknown = list(_unknown(run, common, judgements.sections))
    return RunFacts(
        cutoff=cutoff,
        queries=len(qrels),
        no_relevant=no_relevant,
        missing=tuple(qid for qid in missing if _has_relevant(qrels[qid])),
        extra=tuple(qid for qid in run.scores if qid not in qrels),
        in_common=len(common),
        tied=sum(_has_ties(run.scores[qid], tops[qid]) for qid in common),
        short=sum(len(top) < cutoff for top in tops.values()),
        depth=max((len(run.scores[qid]) for qid in common), default=0),
        judged=_judged_share(qrels, tops, cutoff),
        unknown=len(unknown),
        unknown_example=next(iter(unknown), ""),
        repeated=run.repeated,
        misranked=run.misranked,
    )


def _has_relevant(grades: Mapping[str, int]) -> bool:
    return max(grades.values(), default=0) > 0


def _unknown(run: Run, qids: Iterable[str], sections: frozenset[str] | None) -> Iterator[str]:
    """The results that the corpus does not hold; none where it is not at hand."""
    if sections is not None:
        for qid in qids:
            yield from (doc for doc in run.scores[qid] if doc not in sections)


def _has_ties(scores: Mapping[str, float], top: Sequence[str]) -> bool:
    return len({single(scores[doc]) for doc in top}) < len(top)


def _judged_share(
    qrels: Mapping[str, Mapping[str, int]], tops: Mapping[str, Sequence[str]], cutoff: int
) -> float | None:
    found = [doc in qrels[qid] for qid, top in tops.items() for doc in top[:cutoff]]
    return sum(found) / len(found) if found else None


def judged_shares(
    qrels: Mapping[str, Mapping[str, int]], run: Run, cutoffs: Iterable[int | None]
) -> dict[int | None, float | None]:
    """The share of the first k results that somebody judged, by k; None where there is none."""
    judged = dict.fromkeys(cutoffs, 0)
    seen = dict.fromkeys(judged, 0)
    for qid, grades in qrels.items():
        found = [doc in grades for doc in run.ranking(qid)]
        for cutoff in judged:
            seen[cutoff] += len(found[:cutoff])
            judged[cutoff] += sum(found[:cutoff])
    return {cutoff: judged[cutoff] / seen[cutoff] if seen[cutoff] else None for cutoff in judged}


def warnings_of(facts: RunFacts) -> Iterator[str]:
    """What a person should know about a run before reading its figures, the worst first."""
    if not facts.in_common:
        yield (
            "no query in common with the judgements: every figure is 0; "
            "are the query ids those of this set?"
        )
        return
    yield from _what_is_amiss(facts)
    yield from _what_is_left_out(facts)
    if facts.tied:
        many = _many(facts.tied, "query", "queries")
        yield f"ties in {many} within the first {facts.cutoff}, broken by document id, descending"
    if facts.short:
        many = _many(facts.short, "query has", "queries have")
        yield (
            f"{many} fewer than {facts.cutoff} results: the missing places count as not relevant"
        )


def _what_is_amiss(facts: RunFacts) -> Iterator[str]:
    """Sentences on what looks like a mistake."""
    if facts.missing:
        many = _many(len(facts.missing), "query is", "queries are")
        yield f"{many} missing and count 0: {_listed(facts.missing)}"
    if facts.unknown:
        many = _many(facts.unknown, "result is", "results are")
        yield (
            f"{many} not in the corpus, such as {facts.unknown_example}: "
            "is the run of another build?"
        )
    if facts.misranked:
        many = _many(facts.misranked, "query", "queries")
        yield (
            f"in {many} the ranks contradict the scores, which decide: "
            "are the scores distances, or ranks by another system?"
        )


def _what_is_left_out(facts: RunFacts) -> Iterator[str]:
    """Sentences on what no figure counts."""
    if facts.no_relevant:
        many = _many(len(facts.no_relevant), "query has", "queries have")
        listed = _listed(facts.no_relevant)
        yield f"{many} no relevant document, left out of all measures: {listed}"
    if facts.extra:
        many = _many(len(facts.extra), "query", "queries")
        yield f"{many} of the run without judgements, ignored: {_listed(facts.extra)}"
    if facts.repeated:
        many = _many(facts.repeated, "result", "results")
        yield f"{many} left out: the document stood there already (--dedupe)"


def _many(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"


def _listed(ids: tuple[str, ...]) -> str:
    return ", ".join([*ids[:_SHOWN], *["…"] * (len(ids) > _SHOWN)])
