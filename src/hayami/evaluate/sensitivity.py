"""Whether the winner hangs on what counts as relevant and how much.

The same runs are measured under several labels and gains.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hayami.evalset import gains
from hayami.evalset.gains import DcgParts, Gain, split_dcg, split_ideal_dcg
from hayami.evalset.runs import Run
from hayami.evaluate.confidence import Values, cluster_sums
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.measures import Scores, parse_measure, score_run
from hayami.evaluate.significance import ALPHA, flip_test

_CLOSE: Final = 1e-9
"""Means nearer than this are equal."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """One way to say what is relevant and how much."""

    labels: str
    """``strict``: only the section that the writer named; ``article``: any section of its article;
    ``graded``: both."""
    gain: str
    """How grades 2 and 1 weigh in nDCG; empty where a measure knows only relevant and not."""
    measure: str
    """By its name in ir_measures."""


SCHEMES: Final = (
    Scheme("strict", "", "Success(rel=2)@1"),
    Scheme("strict", "", "RR(rel=2)@10"),
    Scheme("strict", "1:0", "nDCG(gains={1:0,2:1})@10"),
    Scheme("graded", "2:1 linear", "nDCG@10"),
    Scheme("graded", "3:1 exponential", "nDCG(gains={1:1,2:3})@10"),
    Scheme("graded", "7:1", "nDCG(gains={1:1,2:7})@10"),
    Scheme("article", "", "Success(rel=1)@1"),
    Scheme("article", "", "RR(rel=1)@10"),
)
"""The schemes, strict ones first."""
GAINS: Final[Mapping[str, Gain]] = {
    "2:1 linear": gains.linear_gain,
    "3:1 exponential": gains.exponential_gain,
    "7:1": gains.steep_gain,
}
"""The gain of a grade, by the name that SCHEMES give it."""


@dataclass(frozen=True, slots=True)
class Column:
    """All runs under one scheme."""

    scheme: Scheme
    means: tuple[float, ...]
    """Mean of each run, in the order of the runs."""
    winners: tuple[str, ...]
    """Names of the runs with the highest mean; several if they are equal."""
    lead: float
    """How far the winner is ahead of the best other run; 0 if they are equal or there is no
    other."""
    p: float | None
    """Sign-flip p-value of that lead by article, not adjusted for the choice of the two; None for a
    single run."""


@dataclass(frozen=True, slots=True)
class Reversal:
    """Two runs that change places.

    Under one measure the first is ahead, under another one the second.
    """

    first: str
    second: str
    first_by: str
    """The measure by which ``first`` is furthest ahead."""
    first_p: float
    """Sign-flip p-value of that lead."""
    second_by: str
    """The measure by which ``second`` is furthest ahead."""
    second_p: float

    @property
    def clear(self) -> bool:
        """Whether both leads are more than chance explains, at 5%, not adjusted for the choice."""
        return max(self.first_p, self.second_p) < ALPHA


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The runs under every scheme."""

    runs: tuple[str, ...]
    queries: int
    columns: tuple[Column, ...]
    reversals: tuple[Reversal, ...]
    """Pairs of runs of which each is ahead of the other under some scheme."""
    seed: int

    @property
    def agree(self) -> bool:
        """Whether one run is ahead, alone or not, under every scheme."""
        return bool(set.intersection(*(set(column.winners) for column in self.columns)))


def compare_schemes(
    judgements: Judgements,
    runs: Sequence[Run],
    *,
    schemes: Sequence[Scheme] = SCHEMES,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Sensitivity:
    """The means of the runs under every scheme, which run wins, and which pairs change places.

    Args:
        judgements: the grades.
        runs: one or more, with different names.
        schemes: ways to say what is relevant.
        seed: of the tests of the winners' leads.
        progress: told how many runs are done, of how many.
    """
    measures = [parse_measure(scheme.measure) for scheme in schemes]
    scores = []
    for done, run in enumerate(runs):
        if progress is not None:
            progress(done, len(runs))
        scores.append(score_run(judgements, run, measures))
    names = tuple(run.name for run in runs)
    tested = _Tested(judgements, seed)
    columns = tuple(
        _column(scheme, names, [one[place] for one in scores], tested)
        for place, scheme in enumerate(schemes)
    )
    return Sensitivity(
        names,
        max(len(s.values) for s in scores[0]),
        columns,
        _reversals(names, columns, scores, tested),
        seed,
    )


@dataclass(frozen=True, slots=True)
class _Tested:
    """Tests by article, or by query where clusters are unknown."""

    judgements: Judgements
    seed: int

    def p(self, one: Scores, other: Scores) -> float:
        """The sign-flip p-value of the difference of two runs."""
        gaps = _values(one) - _values(other)
        articles = [self.judgements.article_of(qid) for qid in one.values]
        return flip_test(cluster_sums(gaps, articles).reshape(1, -1), seed=self.seed).p[0]


def _column(
    scheme: Scheme, names: Sequence[str], scores: Sequence[Scores], tested: _Tested
) -> Column:
    means = tuple(_mean(list(one.values.values())) for one in scores)
    highest = max(means)
    named = zip(names, means, strict=True)
    winners = tuple(name for name, mean in named if highest - mean <= _CLOSE)
    if len(means) == 1:
        return Column(scheme, means, winners, 0.0, None)
    first, second, *_ = sorted(range(len(means)), key=means.__getitem__, reverse=True)
    p = tested.p(scores[first], scores[second])
    lead = means[first] - means[second]
    return Column(scheme, means, winners, lead if lead > _CLOSE else 0.0, p)


def _reversals(
    names: Sequence[str],
    columns: Sequence[Column],
    scores: Sequence[Sequence[Scores]],
    tested: _Tested,
) -> tuple[Reversal, ...]:
    found = []
    for one, other in itertools.combinations(range(len(names)), 2):
        gaps = [column.means[one] - column.means[other] for column in columns]
        if max(gaps) <= _CLOSE or min(gaps) >= -_CLOSE:
            continue
        ahead, behind = gaps.index(max(gaps)), gaps.index(min(gaps))
        found.append(
            Reversal(
                first=names[one],
                second=names[other],
                first_by=columns[ahead].scheme.measure,
                first_p=tested.p(scores[one][ahead], scores[other][ahead]),
                second_by=columns[behind].scheme.measure,
                second_p=tested.p(scores[one][behind], scores[other][behind]),
            )
        )
    return tuple(found)


def _values(scores: Scores) -> Values:
    return np.array(list(scores.values.values()), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Siblings:
    """How much of a DCG comes from the sections of grade 1, the siblings of the target."""

    ideal: float
    """Mean share of the ideal DCG, 0 to 1: what a measure can give for siblings at most."""
    runs: tuple[float, ...]
    """Share of the DCG that each run got, over all queries together, 0 to 1; 0 for a run that got
    none."""


def share_of_siblings(
    graded: Mapping[str, Mapping[str, int]],
    ranked: Sequence[Mapping[str, Sequence[str]]],
    gain: Gain = gains.linear_gain,
    k: int = 10,
) -> Siblings:
    """The siblings' share of the DCG at ``k``, ideal and of each run.

    Args:
        graded: grades by query and section.
        ranked: for each run the sections by query, best first.
        gain: of a grade; a higher grade has no smaller one.
        k: results that count.
    """
    ideals = [split_ideal_dcg(grades.values(), gain, k) for grades in graded.values()]
    shares = [ideal.siblings_share for ideal in ideals if ideal.whole]
    return Siblings(_mean(shares), tuple(_share_of_run(graded, run, gain, k) for run in ranked))


def _share_of_run(
    graded: Mapping[str, Mapping[str, int]], run: Mapping[str, Sequence[str]], gain: Gain, k: int
) -> float:
    """The siblings' share of the DCG at ``k`` that a run got, over all queries together."""
    targets, siblings = 0.0, 0.0
    for qid, grades in graded.items():
        found = [grades.get(section, 0) for section in run.get(qid, ())[:k]]
        parts = split_dcg(found, gain)
        targets += parts.targets
        siblings += parts.siblings
    return DcgParts(targets, siblings).siblings_share


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
