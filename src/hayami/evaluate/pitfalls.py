"""What common wrong implementations of the measures would have reported for a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hayami.evalset.gains import Gain, dcg, discount, exponential_gain, linear_gain
from hayami.evalset.records import Grade

K: Final = 10
"""Results that are looked at."""
_GRADED: Final = f"nDCG@{K}"
"""The measure that takes every grade."""

Ranked = Mapping[str, Sequence[str]]
"""Sections by query id, best first; a query that is missing from the run is missing here."""
Graded = Mapping[str, Mapping[str, int]]
"""Grades by query id and section id; each query has a relevant section."""
_TARGET: Final = int(Grade.TARGET)


@dataclass(frozen=True, slots=True)
class Pitfall:
    """A mistake that is often made, and what it does to a figure."""

    name: str
    measure: str
    """The measure that is meant, by its name in ir_measures."""
    mistake: str
    """What the wrong implementation does."""
    right: Callable[[Case], float]
    wrong: Callable[[Case], float]


@dataclass(frozen=True, slots=True)
class Case:
    """A run and the grades to measure it by."""

    graded: Graded
    ranked: Ranked
    raw: Mapping[str, Mapping[str, float]]
    """Scores as the run has them."""

    def top(self, qid: str, k: int | None = K) -> list[str]:
        """The first ``k`` sections of a query."""
        return list(self.ranked.get(qid, ()))[:k]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a mistake would have reported."""

    name: str
    measure: str
    mistake: str
    right: float
    wrong: float

    @property
    def error(self) -> float:
        """How much too high the wrong figure is; negative if it is too low."""
        return self.wrong - self.right


def find_pitfalls(
    graded: Graded, ranked: Ranked, raw: Mapping[str, Mapping[str, float]]
) -> tuple[Finding, ...]:
    """For each known mistake the right mean over the queries and the one that it would have given.

    Queries without a relevant document are left out, as everywhere. Where no grade is above 1, 1 is
    what is meant by 2.

    Args:
        graded: grades by query and section.
        ranked: the run, ties broken.
        raw: the run's scores.
    """
    binary = max(map(_highest, graded.values()), default=0) <= 1
    meant = {qid: _lifted(grades) for qid, grades in graded.items()} if binary else graded
    some = Case(_where(_highest, meant), ranked, raw)
    strict = Case(_where(_relevant, meant), ranked, raw)
    return tuple(
        _find(one, some if one.measure == _GRADED else strict, binary=binary) for one in PITFALLS
    )


def _find(one: Pitfall, case: Case, *, binary: bool) -> Finding:
    name = one.measure.replace("(rel=2)", "") if binary else one.measure
    return Finding(one.name, name, one.mistake, one.right(case), one.wrong(case))


def _where(holds: Callable[[Mapping[str, int]], int], graded: Graded) -> Graded:
    """The queries whose grades are more than nothing to ``holds``."""
    return {qid: grades for qid, grades in graded.items() if holds(grades) > 0}


def _highest(grades: Mapping[str, int]) -> int:
    return max(grades.values(), default=0)


def _lifted(grades: Mapping[str, int]) -> dict[str, int]:
    """Grades of which 1 was the highest, as those of targets."""
    return {section: _TARGET * (grade > 0) for section, grade in grades.items()}


# --- the measures, as small as they are -----------------------------------------------------------


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _over(case: Case, measure: Callable[[Mapping[str, int], list[str]], float]) -> float:
    """The mean over all queries, those that are missing from the run too."""
    return _mean([measure(grades, case.top(qid)) for qid, grades in case.graded.items()])


def _hits(grades: Mapping[str, int], found: Sequence[str], level: int = _TARGET) -> list[bool]:
    return [grades.get(section, 0) >= level for section in found]


def _relevant(grades: Mapping[str, int]) -> int:
    return sum(grade >= _TARGET for grade in grades.values())


def _rr(grades: Mapping[str, int], found: Sequence[str], level: int = _TARGET) -> float:
    return next((1 / rank for rank, hit in enumerate(_hits(grades, found, level), 1) if hit), 0.0)


def _recall(grades: Mapping[str, int], found: Sequence[str]) -> float:
    return sum(_hits(grades, found)) / _relevant(grades) if _relevant(grades) else 0.0


def _ndcg(
    grades: Mapping[str, int],
    found: Sequence[str],
    gain: Gain = linear_gain,
    discount: Callable[[int], float] = discount,
) -> float:
    ideal = dcg(sorted(map(gain, grades.values()), reverse=True)[:K], discount)
    got = dcg([gain(grades.get(section, 0)) for section in found], discount)
    return got / ideal if ideal else 0.0


def _precisions(grades: Mapping[str, int], found: Sequence[str]) -> float:
    """The sum, over the relevant ones found, of the precision at their rank."""
    hits = _hits(grades, found)
    return math.fsum(sum(hits[:rank]) / rank for rank, hit in enumerate(hits, 1) if hit)


def _ap(grades: Mapping[str, int], found: Sequence[str]) -> float:
    return _precisions(grades, found) / _relevant(grades) if _relevant(grades) else 0.0


# --- the mistakes ---------------------------------------------------------------------------------


def _ideal_of_the_found(grades: Mapping[str, int], found: list[str]) -> float:
    gains = [float(grades.get(section, 0)) for section in found]
    ideal = dcg(sorted(gains, reverse=True))
    return dcg(gains) / ideal if ideal else 0.0


def _recall_of_the_found(grades: Mapping[str, int], found: list[str]) -> float:
    hits = sum(_hits(grades, found))
    return hits / hits if hits else 0.0


def _context_precision(grades: Mapping[str, int], found: list[str]) -> float:
    hits = sum(_hits(grades, found))
    return _precisions(grades, found) / hits if hits else 0.0


def _article(section: str) -> str:
    return section.rpartition("#")[0] or section


def _article_ndcg(case: Case, *, dedupe: bool) -> float:
    """The nDCG of articles: relevant is what holds a target, sections count as their article."""
    values = []
    for qid, grades in case.graded.items():
        articles = {_article(section): 1 for section, grade in grades.items() if grade >= _TARGET}
        found = [_article(section) for section in case.top(qid, None)]
        values.append(_ndcg(articles, (list(dict.fromkeys(found)) if dedupe else found)[:K]))
    return _mean(values)


def _answered_only(case: Case) -> float:
    return _mean(
        [_rr(grades, case.top(qid)) for qid, grades in case.graded.items() if case.top(qid)]
    )


def _hit_only(case: Case) -> float:
    values = [_rr(grades, case.top(qid)) for qid, grades in case.graded.items()]
    return _mean([value for value in values if value])


def _scores_as_text(case: Case) -> float:
    """RR where a sort of the file's text puts 9.5 before 10.5."""
    values = []
    for qid, grades in case.graded.items():
        ranked = sorted(
            case.raw.get(qid, {}).items(), key=lambda one: (f"{one[1]:.6f}", one[0]), reverse=True
        )
        values.append(_rr(grades, [section for section, _ in ranked[:K]]))
    return _mean(values)


def _pooled_recall(case: Case) -> float:
    hits = sum(sum(_hits(grades, case.top(qid))) for qid, grades in case.graded.items())
    relevant = sum(map(_relevant, case.graded.values()))
    return hits / relevant if relevant else 0.0


def _shifted(rank: int) -> float:
    """The discount of a loop that counts ranks from 1 where the formula counts from 0."""
    return math.log2(rank + 2)


PITFALLS: Final = (
    Pitfall(
        "ideal from the results",
        _GRADED,
        "the ideal ranking is made of what was found, not of all judged sections",
        lambda case: _over(case, _ndcg),
        lambda case: _over(case, _ideal_of_the_found),
    ),
    Pitfall(
        "duplicates counted",
        f"nDCG@{K} of articles",
        "sections are taken for their article, and an article counts as often as it is found",
        lambda case: _article_ndcg(case, dedupe=True),
        lambda case: _article_ndcg(case, dedupe=False),
    ),
    Pitfall(
        "missing queries dropped",
        f"RR(rel=2)@{K}",
        (
            "queries that are missing from the run, or have no result, leave the mean instead "
            "of counting 0"
        ),
        lambda case: _over(case, _rr),
        _answered_only,
    ),
    Pitfall(
        "failures dropped",
        f"RR(rel=2)@{K}",
        f"queries without a target among the first {K} leave the mean instead of counting 0",
        lambda case: _over(case, _rr),
        _hit_only,
    ),
    Pitfall(
        "recall of what was found",
        f"R(rel=2)@{K}",
        "hits are divided by the relevant sections found, not by all relevant sections",
        lambda case: _over(case, _recall),
        lambda case: _over(case, _recall_of_the_found),
    ),
    Pitfall(
        "recall divided by k",
        f"R(rel=2)@{K}",
        "hits are divided by k: that is precision",
        lambda case: _over(case, _recall),
        lambda case: _over(case, lambda grades, found: sum(_hits(grades, found)) / K),
    ),
    Pitfall(
        "pooled for mean recall",
        f"R(rel=2)@{K}",
        "all hits are divided by all relevant sections: queries with many targets weigh more",
        lambda case: _over(case, _recall),
        _pooled_recall,
    ),
    Pitfall(
        "context precision for AP",
        f"AP(rel=2)@{K}",
        "precisions are divided by the relevant sections found, as Ragas defines Context Precision",
        lambda case: _over(case, _ap),
        lambda case: _over(case, _context_precision),
    ),
    Pitfall(
        "level forgotten",
        f"RR(rel=2)@{K}",
        "every grade above 0 is a hit: another section of the article counts as the answer",
        lambda case: _over(case, _rr),
        lambda case: _over(case, lambda grades, found: _rr(grades, found, int(Grade.SAME_ARTICLE))),
    ),
    Pitfall(
        "gain not stated",
        _GRADED,
        "the gain is 2^grade - 1 where the other side of the comparison takes the grade",
        lambda case: _over(case, _ndcg),
        lambda case: _over(case, lambda grades, found: _ndcg(grades, found, exponential_gain)),
    ),
    Pitfall(
        "discount off by one",
        _GRADED,
        "the discount is log2(rank + 2): ranks from 0 and from 1 are mixed up",
        lambda case: _over(case, _ndcg),
        lambda case: _over(case, lambda grades, found: _ndcg(grades, found, discount=_shifted)),
    ),
    Pitfall(
        "cut forgotten",
        f"RR(rel=2)@{K}",
        f"RR over the whole run under the name of RR@{K}",
        lambda case: _over(case, _rr),
        lambda case: _mean(
            [_rr(grades, case.top(qid, None)) for qid, grades in case.graded.items()]
        ),
    ),
    Pitfall(
        "scores sorted as text",
        f"RR(rel=2)@{K}",
        "9.5 comes before 10.5",
        lambda case: _over(case, _rr),
        _scores_as_text,
    ),
)
"""The mistakes, in the order in which they are shown."""
