"""A comparison as a whole.

Its cells and sentences, which every report shows alike, and its JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from hayami.evaluate.comparison import (
    FEW_ARTICLES,
    MIN_ARTICLES,
    ChangedQuery,
    Resampling,
    ReturnedSection,
    RunDifference,
)
from hayami.evaluate.confidence import Interval
from hayami.evaluate.gate import GateOutcome
from hayami.evaluate.policies import POLICIES
from hayami.evaluate.significance import ALPHA

COLUMNS: Final = (
    "measure",
    "base",
    "other",
    "difference",
    "95% by query",
    "95% by article",
    "p",
    "adjusted",
    "win/tie/loss",
    "sees",
    "verdict",
)
"""Columns of the table, in order; base and other bear the names of the runs."""
NOTES: Final = (
    "difference: other less base, the mean over the queries; queries that a run lacks count 0.",
    (
        "95% by query, by article: Student's intervals, with a gain and a loss of 1 added; the "
        "questions of one article are not independent, so read the second."
    ),
    (
        "p: sign-flip test by article, two-sided; adjusted: for all lines together, by the largest "
        "statistic (max-T)."
    ),
    (
        "sees: the least true difference that this very verdict finds in 80% of cases, for runs "
        "that differ as these do."
    ),
    (
        f"verdict: better or worse only if the adjusted p is below {ALPHA}; too few articles with "
        f"fewer than {MIN_ARTICLES}."
    ),
    "several gates are one family: a run passes only if it passes each of them.",
)
"""What the columns mean."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Everything that a comparison found."""

    judgements: str
    """Name of the eval set or of the qrels file."""
    set_sha256: str
    queries: int
    """Queries that at least one measure is defined for."""
    excluded: int
    """Queries without a relevant document for any measure; they are in no mean."""
    articles: int | None
    """Articles that the queries come from; None where clusters are unknown."""
    base: str
    others: tuple[str, ...]
    differences: tuple[RunDifference, ...]
    changes: tuple[ChangedQuery, ...]
    """By the first measure, of each run in turn."""
    passages: tuple[GateOutcome, ...]
    drawing: Resampling
    warnings: tuple[str, ...] = ()
    """What a person should know before reading on: stale runs, queries left out."""

    @property
    def passed(self) -> bool:
        """Whether every gate was passed."""
        return all(one.passed for one in self.passages)

    def of(self, other: str) -> tuple[RunDifference, ...]:
        """The differences of one run."""
        return tuple(one for one in self.differences if one.other == other)


def as_json(contest: Contest) -> dict[str, object]:
    """The comparison as plain values for JSON; the values of single queries are left out."""
    plain: dict[str, object] = asdict(contest)
    plain["differences"] = [
        {key: value for key, value in asdict(one).items() if key != "values"}
        | {"difference": one.difference, "verdict": one.verdict}
        for one in contest.differences
    ]
    plain["passages"] = [asdict(one) | {"sentence": one.sentence} for one in contest.passages]
    return plain | {"passed": contest.passed, "policies": POLICIES}


def table_row(one: RunDifference) -> tuple[str, ...]:
    """The cells of a difference, in the order of COLUMNS."""
    outcomes = f"{one.outcomes.wins}/{one.outcomes.ties}/{one.outcomes.losses}"
    return (
        one.measure,
        f"{one.base_mean:.4f}",
        f"{one.other_mean:.4f}",
        f"{one.difference:+.4f}",
        _span(one.by_query),
        _span(one.by_article),
        f"{one.p:.4f}",
        f"{one.p_adjusted:.4f}",
        outcomes,
        "-" if one.detectable is None else f"{one.detectable:.4f}",
        one.verdict,
    )


def _span(interval: Interval | None) -> str:
    return "-" if interval is None else f"[{interval.low:+.4f}, {interval.high:+.4f}]"


def header_row(base: str, other: str) -> tuple[str, ...]:
    """The header cells of a table of differences."""
    return tuple({"base": base, "other": other}.get(name, name) for name in COLUMNS)


def remarks(differences: Sequence[RunDifference]) -> list[str]:
    """What is worth a sentence beside the table."""
    found = [
        f"{one.measure}: the mean and the count of wins point to opposite sides: "
        "a few queries changed a lot"
        for one in differences
        if one.crossed
    ]
    for one in differences:
        effect = one.by_article.design_effect if one.by_article is not None else None
        if effect is not None and effect > _WIDE:
            found.append(
                f"{one.measure}: by article the variance is {effect:.1f} times that by query"
            )
    return [*found, *_few(differences)]


_WIDE: Final = 1.5
"""Design effect from which on it is worth a sentence."""


def _few(differences: Sequence[RunDifference]) -> Iterator[str]:
    """Sentences on verdicts that rest on few articles, or on too few for any."""
    few = [one for one in differences if one.units < FEW_ARTICLES]
    if not few:
        return
    first = few[0]
    what = "queries" if first.by_article is None else "articles"
    if first.units >= MIN_ARTICLES:
        yield (
            f"{first.units} {what} are few: "
            f"a verdict over fewer than {FEW_ARTICLES} rests on little"
        )
        return
    yield f"{first.units} {what} are too few for a verdict: it takes {MIN_ARTICLES} at least"
    for one in few:
        if one.needed is not None:
            yield (
                f"{one.measure}: to find a difference of {abs(one.difference):.4f} in 80% of cases "
                f"it takes about {one.needed:,} {what} of this kind"
            )


def scope(contest: Contest) -> str:
    """What was compared and drawn, in one sentence."""
    queries = f"{contest.queries:,} {'query' if contest.queries == 1 else 'queries'}"
    if contest.excluded:
        queries += f" ({contest.excluded} without a relevant document left out)"
    if contest.articles is None:
        queries += ", clusters unknown (each query stands for itself)"
    else:
        many = "article" if contest.articles == 1 else "articles"
        queries += f" of {contest.articles:,} {many}"
    drawn = f"{contest.drawing.patterns:,} sign patterns, seed {contest.drawing.seed}"
    return f"{queries}; {drawn}."


def result_text(result: ReturnedSection) -> str:
    """A result in one line: its grade, its id, its heading; a dot stands for not judged."""
    return f"{result.grade or '·'} {result.section} {result.heading}".rstrip()
