"""The figures of an audit in words and tables, for a terminal and for the report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from hayami.audit.agreement import Agreement, Coefficient
from hayami.audit.figures import (
    FAULT_MEANINGS,
    Breakdown,
    Disagreement,
    FaultKind,
    Judge,
    JudgeSaid,
    Pair,
    Quality,
    RowSaid,
    Score,
    StateCounts,
)
from hayami.audit.intervals import Bounds, Proportion
from hayami.report.columns import aligned

SHOWN: Final = 20
"""Rows that a terminal lists of each kind; the rest is counted."""
NAMELESS: Final = "(no name)"
"""A judge who gave no name, beside others who did."""
_NONE_ENOUGH: Final = "no number of rows is enough"
_NEARLY: Final = 0.05
"""Rows by which the effective number may fall short before it is worth a word."""


class Line(NamedTuple):
    """One line of the table of figures."""

    name: str
    share: Proportion | None
    depth: int


def range_of(interval: Bounds | None) -> str:
    """An interval in words: ``0.831 to 0.994``; a dash where there is none."""
    return f"{interval.low:.3f} to {interval.high:.3f}" if interval is not None else "–"


def one_line(text: str) -> str:
    """Text that cannot steer a terminal: what is not printable is written as an escape."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def many(number: int, noun: str) -> str:
    """A number with its noun: ``1 row``, ``2 rows``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _are(number: int) -> str:
    return f"{number:,} is" if number == 1 else f"{number:,} are"


# --- sentences ------------------------------------------------------------------------------------


def headline(score: Score) -> str:
    """What a person wants to know first: how many labels are right, and between what bounds."""
    estimate, tally = score.labels.estimate, score.labels.tally
    if estimate is None:
        if not tally.rows:
            return "No label was drawn by chance: there is no precision to give."
        return (
            f"Of {many(tally.rows, 'label')} drawn none is judged: there is no precision to give."
        )
    begin = f"Of {many(estimate.n, 'label')} judged {_are(estimate.hits)} right"
    figures = f"precision {estimate.value:.3f}, 95% interval {range_of(estimate.exact)}"
    if not _weighs(estimate):
        return f"{begin}: {figures}."
    return f"{begin}. Each counted for the labels that it stands for: {figures}."


def _weighs(share: Proportion) -> bool:
    return (
        share.effective < share.n - _NEARLY or abs(share.value - share.hits / share.n) >= 0.5 / 1000
    )


def remarks(score: Score) -> list[str]:
    """What else there is to say about the figures, a sentence or two each, most weighty first."""
    said = [
        _partial(score.labels),
        _lacking(score.labels),
        _left_out(score.labels),
        _weights(score.labels.estimate),
        _census(score.labels),
        _completeness(score),
        _rejections(score.rejections),
        _recall(score),
        _pool(score),
        _picked(score.picked),
        _need(score),
    ]
    return [sentence for sentence in said if sentence]


def _partial(labels: Quality) -> str:
    if not labels.not_covered or labels.estimate is None:
        return ""
    missing = sum(stratum.population for stratum in labels.strata if stratum.share is None)
    names = ", ".join(map(one_line, labels.not_covered))
    total = many(labels.population, "label")
    return f"This is partial: nothing is judged of {names}, {missing:,} of {total}."


def _lacking(labels: Quality) -> str:
    lacking = sum(max(0, stratum.drawn - stratum.rows) for stratum in labels.strata)
    if not lacking:
        return ""
    verb = "was drawn is" if lacking == 1 else "were drawn are"
    return f"{many(lacking, 'label')} that {verb} not in these sheets."


def _census(labels: Quality) -> str:
    if labels.estimate is None or labels.estimate.n < labels.population:
        return ""
    return (
        "Every label of the set is judged: the precision is that of the set itself, "
        "and the interval speaks for labels that are made in the same way."
    )


def _left_out(quality: Quality) -> str:
    tally, worst = quality.tally, quality.if_all_wrong
    parts = [
        (tally.unsure, "unsure"),
        (tally.unjudged, "not judged"),
        (tally.disputed, "disputed between judges"),
    ]
    named = [f"{number:,} {what}" for number, what in parts if number]
    if not named:
        return ""
    left_out = f"Left out: {', '.join(named)}."
    doubtful = [
        word for number, word in ((tally.unsure, "unsure"), (tally.disputed, "disputed")) if number
    ]
    if not doubtful or worst is None or quality.estimate is None:
        return left_out
    what = " or ".join(doubtful)
    return (
        f"{left_out} If all that is {what} turned out wrong, the share would be {worst.value:.3f}."
    )


def _weights(estimate: Proportion | None) -> str:
    if estimate is None or estimate.effective >= estimate.n - _NEARLY:
        return ""
    return (
        "The strata were not judged at the same rate, so the interval is that of "
        f"{estimate.effective:.1f} labels drawn alike."
    )


def _completeness(score: Score) -> str:
    share = score.completeness
    if share is None:
        return ""
    verb = "misses" if share.hits == 1 else "miss"
    begin = f"Of {many(share.n, 'right label')} {share.hits:,} {verb} no section"
    said = f"{begin}: completeness {share.value:.3f}, 95% interval {range_of(share.exact)}."
    if score.missing_sections:
        said += f" Judges added {many(score.missing_sections, 'section')}."
    return said


def _rejections(rejections: Quality) -> str:
    share, rows = rejections.estimate, rejections.tally.rows
    if share is None:
        return f"Of {many(rows, 'rejected row')} none is judged." if rows else ""
    verb = "was" if share.hits == 1 else "were"
    begin = f"Of {many(share.n, 'rejected row')} judged {share.hits:,} {verb} rightly rejected"
    said = f"{begin}: {share.value:.3f}, 95% interval {range_of(share.exact)}."
    return f"{said} {_left_out(rejections)}".rstrip()


def _recall(score: Score) -> str:
    recall = score.recall
    if recall is None:
        return ""
    return (
        f"Of the rows that a section answers {recall.value:.3f} got a right label (label recall), "
        f"interval {range_of(recall.interval)} at 95% or more, from the 97.5% bounds of both parts "
        f"(Bonferroni): in the whole set about {recall.right_labels:,.0f} labels are right "
        f"and {recall.missed_rows:,.0f} rejected rows missed."
    )


def _pool(score: Score) -> str:
    share, rows = score.accepted, score.pool.rows
    if share is None:
        return f"Of {many(rows, 'pooled section')} none is judged." if rows else ""
    verb = "answers" if share.hits == 1 else "answer"
    begin = f"Of {many(share.n, 'pooled section')} judged {share.hits:,} {verb}"
    return (
        f"{begin} the question too ({share.value:.3f}); "
        "they were picked by rank and are part of no other figure."
    )


def _picked(tally: StateCounts) -> str:
    if not tally.rows:
        return ""
    if tally.unjudged == tally.rows:
        return f"{many(tally.rows, 'row')} picked and not drawn by chance: none is judged."
    verb = "was" if tally.rows == 1 else "were"
    return (
        f"{many(tally.rows, 'row')} {verb} picked and not drawn by chance "
        f"({tally.right:,} right, {tally.wrong:,} wrong): "
        "faults are listed, but they are part of no figure."
    )


def _need(score: Score) -> str:
    need, estimate = score.need, score.labels.estimate
    flawless = _NONE_ENOUGH
    if need.flawless is not None:
        flawless = f"{need.flawless:,} rows without an error"
    said = f"To claim {need.claim:g} takes {flawless}"
    if need.claimable is None or estimate is None:
        return f"{said}."
    if estimate.value < 1:
        at_rate = _NONE_ENOUGH if need.at_rate is None else f"about {need.at_rate:,}"
        said += f"; at the rate of errors seen so far {at_rate}"
    said += f". This sample can claim {need.claimable:.3f}"
    if need.more:
        said += f"; about {need.more:,} more without an error would do"
        left = score.labels.population - estimate.n
        if left < need.more:
            said += f", but the set has only {left:,} more"
    return f"{said}."


# --- tables ---------------------------------------------------------------------------------------


def lines(score: Score) -> list[Line]:
    """The lines of the table of figures.

    Precision and its parts, completeness, rejected rows, pooled sections.
    """
    found = [*_quality_lines("label is right", score.labels)]
    if score.completeness is not None:
        found.append(Line("right label misses nothing", score.completeness, 0))
    found += _quality_lines("row was rightly rejected", score.rejections)
    if score.accepted is not None:
        found.append(Line("pooled section answers too", score.accepted, 0))
    return found


def _quality_lines(name: str, quality: Quality) -> list[Line]:
    if quality.estimate is None and not quality.strata:
        return []
    found = [Line(name, quality.estimate, 0)]
    if quality.estimate is not None and _weighs(quality.estimate):
        found = [
            Line(f"{name}, weighted", quality.estimate, 0),
            Line("not weighted", quality.unweighted, 1),
        ]
    names = {stratum.name for stratum in quality.strata}
    if len(quality.strata) > 1 or names - {"all", "rejected"}:
        found += [Line(stratum.name, stratum.share, 1) for stratum in quality.strata]
    for breakdown in quality.breakdowns:
        found += _breakdown_lines(breakdown, names)
    return found


def _breakdown_lines(breakdown: Breakdown, strata: set[str]) -> list[Line]:
    """The lines of a breakdown; none if it has one part only, or the strata say it already."""
    parts = [Line(f"{breakdown.by}={part.value}", part.share, 1) for part in breakdown.parts]
    if len(parts) < 2 or strata.issuperset(line.name for line in parts):  # noqa: PLR2004
        return []
    return parts


def table(score: Score) -> list[str]:
    """The table of figures for a terminal, aligned also where names are wide characters."""
    header = ("", "judged", "yes", "share", "95% interval", "Wilson")
    cells = [header]
    for line in lines(score):
        name = "  " * line.depth + one_line(line.name)
        cells.append((name, *_figures(line.share)))
    return aligned(cells, right={1, 2, 3})


def _figures(share: Proportion | None) -> tuple[str, str, str, str, str]:
    """Rows, those that have the property, their share and its two intervals, as texts."""
    if share is None:
        return "0", "–", "–", "–", "–"
    counts = (f"{share.n:,}", f"{share.hits:,}", f"{share.value:.3f}")
    return *counts, range_of(share.exact), range_of(share.wilson)


# --- rows to look at ------------------------------------------------------------------------------


def by_kind(score: Score) -> dict[FaultKind, list[RowSaid]]:
    """The faulty rows by what is wrong with them; kinds of which there are none are left out."""
    found: dict[FaultKind, list[RowSaid]] = {}
    for fault in score.faults:
        found.setdefault(fault.kind, []).append(fault.row)
    return found


def place(row: RowSaid) -> str:
    """Where a row is found again: its query's id, or the article of a rejected row."""
    return row.qid or row.article


def words(said: JudgeSaid) -> str:
    """What one judge said, in a few words.

    Judge, ruling, sections named, rewritten question, note.
    """
    parts = [f"{said.judge or NAMELESS}: {said.ruling}"]
    parts += [", ".join(said.chosen)] if said.chosen else []
    parts += [f"→ {said.rewrite}"] if said.rewrite else []
    parts += [f"({said.note})"] if said.note else []
    return " ".join(parts)


def fault_lines(score: Score) -> list[str]:
    """The faults by kind, for a terminal."""
    found: list[str] = []
    for kind, rows in by_kind(score).items():
        said = [(row, [_short(one, row) for one in row.said]) for row in rows]
        found += ["", f"{many(len(rows), 'row')}: {FAULT_MEANINGS[kind]}", *_listed(said)]
    return found


def _listed(rows: Sequence[tuple[RowSaid, Sequence[str]]]) -> list[str]:
    """The first rows with what was said about them, and how many more there are."""
    cells: list[tuple[str, ...]] = []
    for row, said in rows[:SHOWN]:
        line = (f"  {place(row)}", row.question, "; ".join(said))
        cells.append(tuple(map(one_line, line)))
    more = len(rows) - SHOWN
    rest = [f"  … and {more:,} more: see --html or --json"] if more > 0 else []
    return [*aligned(cells), *rest]


def _short(said: JudgeSaid, row: RowSaid) -> str:
    """What a judge said, without a name where nobody gave one."""
    text = words(said)
    return text if said.judge or len(row.said) > 1 else text.removeprefix(f"{NAMELESS}: ")


def judge_lines(score: Score) -> list[str]:
    """Each judge's own precision, how each pair agrees, and where they do not, for a terminal."""
    if not score.judges:
        return []
    cells = [("judge", "rows", "precision", "95% interval")]
    cells += map(_judge_cells, score.judges)
    found = ["", *aligned(cells, right={1, 2})]
    for pair in score.pairs:
        found += _pair_lines(pair)
    return found + _disagreement_lines(score.disagreements)


def _judge_cells(judge: Judge) -> tuple[str, str, str, str]:
    name, rows = one_line(judge.judge or NAMELESS), f"{judge.rows:,}"
    own = judge.precision
    if own is None:
        return name, rows, "–", "–"
    return name, rows, f"{own.value:.3f}", range_of(own.exact)


def _pair_lines(pair: Pair) -> list[str]:
    both = f"{pair.first or NAMELESS} and {pair.second or NAMELESS}, on what both judged"
    cells = [
        ("", "rows", "alike", "share", "kappa", "AC1"),
        ("  right or wrong", *agreement_cells(pair.outcomes)),
        ("  all rulings", *agreement_cells(pair.rulings)),
    ]
    why = [f"  {reason}" for reason in reasons(pair.outcomes, pair.rulings)]
    return ["", one_line(both), *aligned(cells, right={1, 2, 3}), *why]


def agreement_cells(agreement: Agreement) -> tuple[str, str, str, str, str]:
    """Rows, rows alike, their share, kappa and AC1 with intervals, as texts."""
    raw = agreement.raw
    counts = ("0", "–", "–") if raw is None else (f"{raw.n:,}", f"{raw.hits:,}", f"{raw.value:.3f}")
    return *counts, _coefficient(agreement.kappa), _coefficient(agreement.ac1)


def _coefficient(coefficient: Coefficient) -> str:
    if coefficient.value is None:
        return "undefined"
    said = f"{coefficient.value:.3f}"
    if coefficient.interval is not None:
        said += f", {range_of(coefficient.interval)}"
    return said


def reasons(*agreements: Agreement) -> list[str]:
    """Why a coefficient has no value or no interval, without repeats."""
    named = [("kappa", agreement.kappa.why) for agreement in agreements]
    named += [("AC1", agreement.ac1.why) for agreement in agreements]
    found: dict[str, None] = {}
    for name, why in named:
        if why:
            colon = "" if ":" in why else ":"
            found[f"{name}{colon} {why}"] = None
    return list(found)


def _disagreement_lines(disagreements: Sequence[Disagreement]) -> list[str]:
    if not disagreements:
        return ["", "No judge contradicts another."]
    told: list[tuple[RowSaid, list[str]]] = []
    for one in disagreements:
        said = list(map(words, one.row.said))
        if one.settled:
            said.append(f"settled: {one.settled}")
        told.append((one.row, said))
    return ["", f"{many(len(told), 'row')} on which judges disagree", *_listed(told)]


def summarise(score: Score) -> list[str]:
    """Everything for a terminal, line by line.

    The sentence first, then the table, remarks, faults and judges.
    """
    found = [headline(score)]
    if lines(score):
        found += ["", *table(score)]
    found += ["", *remarks(score)]
    return [*found, *fault_lines(score), *judge_lines(score)]
