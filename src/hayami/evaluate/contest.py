"""A comparison as a whole.

Its cells and sentences, which every report shows alike, and its JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from hayami.evaluate.comparison import ChangedQuery, Resampling, ReturnedSection, RunDifference
from hayami.evaluate.gate import GateOutcome
from hayami.evaluate.policies import POLICIES

COLUMNS: Final = (
    "measure",
    "base",
    "other",
    "difference",
    "95% by query",
    "95% by article",
    "p",
    "Holm",
    "win/tie/loss",
    "sees",
    "verdict",
)
"""Columns of the table, in order; base and other bear the names of the runs."""
NOTES: Final = (
    "difference: other less base, the mean over the queries; queries that a run lacks count 0.",
    (
        "95% by query, by article: bootstrap intervals; the questions of one article are not "
        "independent."
    ),
    "p: sign-flip permutation test, two-sided; Holm: p adjusted for all lines.",
    (
        "sees: the least true difference that a test at 5% finds in 80% of cases, for runs "
        "that differ as these do."
    ),
    "verdict: better or worse only if both intervals leave out 0 and the adjusted p is below 0.05.",
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
    articles: int
    base: str
    others: tuple[str, ...]
    differences: tuple[RunDifference, ...]
    changes: tuple[ChangedQuery, ...]
    """By the first measure, of each run in turn."""
    passages: tuple[GateOutcome, ...]
    drawing: Resampling

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
        f"[{one.by_query.low:+.4f}, {one.by_query.high:+.4f}]",
        f"[{one.by_article.low:+.4f}, {one.by_article.high:+.4f}]",
        f"{one.test.p:.4f}",
        f"{one.p_holm:.4f}",
        outcomes,
        "-" if one.detectable is None else f"{one.detectable:.4f}",
        one.verdict,
    )


def header_row(base: str, other: str) -> tuple[str, ...]:
    """The header cells of a table of differences."""
    return tuple({"base": base, "other": other}.get(name, name) for name in COLUMNS)


def remarks(differences: Sequence[RunDifference]) -> list[str]:
    """What is worth a sentence beside the table."""
    found = [
        f"{one.measure}: the mean and the count of wins point to opposite sides: a few queries "
        "changed a lot"
        for one in differences
        if one.crossed
    ]
    wide = [one for one in differences if (one.by_article.design_effect or 0) > _WIDE]
    found += [
        f"{one.measure}: by article the variance is {one.by_article.design_effect:.1f} times "
        "that by query"
        for one in wide
    ]
    return found


_WIDE: Final = 1.5
"""Design effect from which on it is worth a sentence."""


def scope(contest: Contest) -> str:
    """What was compared and drawn, in one sentence."""
    left_out = (
        f" ({contest.excluded} without a relevant document left out)" if contest.excluded else ""
    )
    return (
        f"{contest.queries:,} {'query' if contest.queries == 1 else 'queries'}{left_out} of "
        f"{contest.articles:,} "
        f"{'article' if contest.articles == 1 else 'articles'}; {contest.drawing.bootstraps:,} "
        f"bootstraps, {contest.drawing.patterns:,} sign patterns, seed {contest.drawing.seed}."
    )


def result_text(result: ReturnedSection) -> str:
    """A result in one line: its grade, its id, its heading; a dot stands for not judged."""
    return f"{result.grade or '·'} {result.section} {result.heading}".rstrip()
