"""A comparison as a whole, and as a person gets to see it: JSON, Markdown, one HTML page."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from jinja2 import Environment, StrictUndefined

from hayami.evaluate import contest_figures
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
    "95% by query, by article: bootstrap intervals; the questions of one article are not independent.",
    "p: sign-flip permutation test, two-sided; Holm: p adjusted for all lines.",
    "sees: the least true difference that a test at 5% finds in 80% of cases, for runs that differ as these do.",
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
        f"{one.measure}: the mean and the count of wins point to opposite sides: a few queries changed a lot"
        for one in differences
        if one.crossed
    ]
    wide = [one for one in differences if (one.by_article.design_effect or 0) > _WIDE]
    found += [
        f"{one.measure}: by article the variance is {one.by_article.design_effect:.1f} times that by query"
        for one in wide
    ]
    return found


_WIDE: Final = 1.5
"""Design effect from which on it is worth a sentence."""


def as_markdown(contest: Contest) -> str:
    """The comparison as Markdown, for a pull request."""
    lines = [
        f"### {_md(', '.join(contest.others))} against {_md(contest.base)}",
        "",
        scope(contest),
        "",
    ]
    lines += [
        f"- **{_word(one)}**: {_md(f'{one.other}: {one.sentence}')}." for one in contest.passages
    ]
    lines += [""] * bool(contest.passages)
    for other in contest.others:
        lines += _md_table(
            header_row(contest.base, other), [table_row(one) for one in contest.of(other)]
        )
        lines += ["", *(f"- {_md(sentence)}." for sentence in remarks(contest.of(other))), ""]
    lines += [line for one in contest.changes for line in _md_change(one)]
    lines += [
        "<details><summary>How to read this</summary>",
        "",
        *(f"- {_md(note)}" for note in (*NOTES, *POLICIES)),
    ]
    return "\n".join([*lines, "", "</details>"]) + "\n"


def _word(passage: GateOutcome) -> str:
    return "passed" if passage.passed else "FAILED"


def scope(contest: Contest) -> str:
    """What was compared and drawn, in one sentence."""
    left_out = (
        f" ({contest.excluded} without a relevant document left out)" if contest.excluded else ""
    )
    return (
        f"{contest.queries:,} {'query' if contest.queries == 1 else 'queries'}{left_out} of {contest.articles:,} "
        f"{'article' if contest.articles == 1 else 'articles'}; {contest.drawing.bootstraps:,} "
        f"bootstraps, {contest.drawing.patterns:,} sign patterns, seed {contest.drawing.seed}."
    )


def _md(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", " ".join(text.split()))


def _md_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, figures: bool = True
) -> list[str]:
    middle = "---:" if figures else "---"
    cells = [header, ["---", *[middle] * (len(header) - 2), "---"], *rows]
    return [
        "| " + " | ".join(_md(cell) if row is not cells[1] else cell for cell in row) + " |"
        for row in cells
    ]


def _md_change(one: ChangedQuery) -> list[str]:
    change = one.change
    values = f"{change.base_value:.4f} → {change.other_value:.4f}"
    lines = [
        f"<details><summary>{html.escape(f'{change.qid} {values} {one.query}'.strip())}</summary>",
        "",
    ]
    pairs = [
        (
            str(rank),
            *(result_text(side[rank - 1]) if rank <= len(side) else "" for side in _sides(one)),
        )
        for rank in range(1, max(map(len, _sides(one)), default=0) + 1)
    ]
    return [
        *lines,
        *_md_table(("rank", change.base, change.other), pairs, figures=False),
        "",
        "</details>",
        "",
    ]


def _sides(one: ChangedQuery) -> tuple[tuple[ReturnedSection, ...], tuple[ReturnedSection, ...]]:
    return one.base_results, one.other_results


def result_text(result: ReturnedSection) -> str:
    """A result in one line: its grade, its id, its heading; a dot stands for not judged."""
    return f"{result.grade or '·'} {result.section} {result.heading}".rstrip()


def as_html(contest: Contest) -> str:
    """The comparison as one self-contained page: tables, intervals, wins and losses, changed queries."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = (Path(__file__).parent / "contest.html").read_text(encoding="utf-8")
    return environment.from_string(template).render(
        contest=contest,
        scope=scope(contest),
        notes=NOTES,
        policies=POLICIES,
        header_row=header_row,
        table_row=table_row,
        remarks=remarks,
        result_text=result_text,
        sides=_sides,
        intervals=contest_figures.draw_intervals(contest.differences, contest.passages),
        outcomes=[contest_figures.draw_outcomes(contest.of(other)[0]) for other in contest.others],
    )
