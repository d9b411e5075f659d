"""The figures of an audit in words and tables, for a terminal and for the report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from hayami.audit.agreement import Agreement, Coefficient
from hayami.audit.figures import (
    FAULT_MEANINGS,
    Disagreement,
    FaultKind,
    JudgeSaid,
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


# --- sentences --------------------------------------------------------------------------------------------------------


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
    return f"This is partial: nothing is judged of {names}, {missing:,} of {many(labels.population, 'label')}."


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
        "Every label of the set is judged: the precision is that of the set itself, and the interval speaks for labels "
        "that are made in the same way."
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
    doubtful = tally.unsure + tally.disputed
    if not doubtful or worst is None or quality.estimate is None:
        return f"Left out: {', '.join(named)}."
    what = " or ".join(
        word for number, word in ((tally.unsure, "unsure"), (tally.disputed, "disputed")) if number
    )
    return f"Left out: {', '.join(named)}. If all that is {what} turned out wrong, the share would be {worst.value:.3f}."


def _weights(estimate: Proportion | None) -> str:
    if estimate is None or estimate.effective >= estimate.n - _NEARLY:
        return ""
    return (
        f"The strata were not judged at the same rate, so the interval is that of "
        f"{estimate.effective:.1f} labels drawn alike."
    )


def _completeness(score: Score) -> str:
    share = score.completeness
    if share is None:
        return ""
    begin = f"Of {many(share.n, 'right label')} {share.hits:,} {'misses' if share.hits == 1 else 'miss'} no section"
    added = (
        f" Judges added {many(score.missing_sections, 'section')}."
        if score.missing_sections
        else ""
    )
    return f"{begin}: completeness {share.value:.3f}, 95% interval {range_of(share.exact)}.{added}"


def _rejections(rejections: Quality) -> str:
    share = rejections.estimate
    if share is None:
        return (
            f"Of {many(rejections.tally.rows, 'rejected row')} none is judged."
            if rejections.tally.rows
            else ""
        )
    begin = f"Of {many(share.n, 'rejected row')} judged {share.hits:,} {'was' if share.hits == 1 else 'were'}"
    left = _left_out(rejections)
    return f"{begin} rightly rejected: {share.value:.3f}, 95% interval {range_of(share.exact)}. {left}".rstrip()


def _recall(score: Score) -> str:
    recall = score.recall
    if recall is None:
        return ""
    return (
        f"Of the rows that a section answers {recall.value:.3f} got a right label (label recall), interval "
        f"{range_of(recall.interval)} at 95% or more, from the 97.5% bounds of both parts (Bonferroni): in the whole "
        f"set about {recall.right_labels:,.0f} labels are right and {recall.missed_rows:,.0f} rejected rows missed."
    )


def _pool(score: Score) -> str:
    share, rows = score.accepted, score.pool.rows
    if share is None:
        return f"Of {many(rows, 'pooled section')} none is judged." if rows else ""
    begin = f"Of {many(share.n, 'pooled section')} judged {share.hits:,} {'answers' if share.hits == 1 else 'answer'}"
    return f"{begin} the question too ({share.value:.3f}); they were picked by rank and are part of no other figure."


def _picked(tally: StateCounts) -> str:
    if not tally.rows:
        return ""
    if tally.unjudged == tally.rows:
        return f"{many(tally.rows, 'row')} picked and not drawn by chance: none is judged."
    return (
        f"{many(tally.rows, 'row')} {'was' if tally.rows == 1 else 'were'} picked and not drawn by chance "
        f"({tally.right:,} right, {tally.wrong:,} wrong): faults are listed, but they are part of no figure."
    )


def _need(score: Score) -> str:
    need = score.need
    flawless = (
        "no number of rows is enough"
        if need.flawless is None
        else f"{need.flawless:,} rows without an error"
    )
    begin = f"To claim {need.claim:g} takes {flawless}"
    if need.claimable is None:
        return f"{begin}."
    rate = ""
    if score.labels.estimate is not None and score.labels.estimate.value < 1:
        rate = "at the rate of errors seen so far "
        rate += "no number of rows is enough" if need.at_rate is None else f"about {need.at_rate:,}"
    now = f"This sample can claim {need.claimable:.3f}"
    if need.more:
        now += f"; about {need.more:,} more without an error would do"
        left = score.labels.population - score.labels.estimate.n if score.labels.estimate else 0
        now += f", but the set has only {left:,} more" if left < need.more else ""
    return f"{begin}{'; ' if rate else ''}{rate}. {now}."


# --- tables -----------------------------------------------------------------------------------------------------------


def lines(score: Score) -> list[Line]:
    """The lines of the table of figures: precision and its parts, completeness, rejected rows, pooled sections."""
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
        parts = [(f"{breakdown.by}={part.value}", part.share) for part in breakdown.parts]
        if (
            len(parts) > 1 and not {title for title, _ in parts} <= names
        ):  # the strata say it already
            found += [Line(title, share, 1) for title, share in parts]
    return found


def table(score: Score) -> list[str]:
    """The table of figures for a terminal, aligned also where names are wide (East Asian) characters."""
    header = ("", "judged", "yes", "share", "95% interval", "Wilson")
    cells = [header]
    for line in lines(score):
        name, share = "  " * line.depth + one_line(line.name), line.share
        if share is None:
            cells.append((name, "0", "–", "–", "–", "–"))
        else:
            figures = (f"{share.n:,}", f"{share.hits:,}", f"{share.value:.3f}")
            cells.append((name, *figures, range_of(share.exact), range_of(share.wilson)))
    return aligned(cells, right={1, 2, 3})


# --- rows to look at --------------------------------------------------------------------------------------------------


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
    """What one judge said, in a few words: judge, ruling, sections named, rewritten question, note."""
    parts = [f"{said.judge or NAMELESS}: {said.ruling}"]
    parts += [", ".join(said.chosen)] if said.chosen else []
    parts += [f"→ {said.rewrite}"] if said.rewrite else []
    parts += [f"({said.note})"] if said.note else []
    return " ".join(parts)


def fault_lines(score: Score) -> list[str]:
    """The faults by kind, for a terminal."""
    found: list[str] = []
    for kind, rows in by_kind(score).items():
        found += ["", f"{many(len(rows), 'row')}: {FAULT_MEANINGS[kind]}"]
        listed = [
            (f"  {place(r)}", r.question, "; ".join(_short(said, r) for said in r.said))
            for r in rows[:SHOWN]
        ]
        found += aligned([tuple(map(one_line, row)) for row in listed])
        if len(rows) > SHOWN:
            found.append(f"  … and {len(rows) - SHOWN:,} more: see --html or --json")
    return found


def _short(said: JudgeSaid, row: RowSaid) -> str:
    """What a judge said, without a name where nobody gave one."""
    text = words(said)
    return text if said.judge or len(row.said) > 1 else text.removeprefix(f"{NAMELESS}: ")


def judge_lines(score: Score) -> list[str]:
    """Each judge's own precision, the agreement of each pair, and the rows that they disagree on, for a terminal."""
    if not score.judges:
        return []
    cells = [("judge", "rows", "precision", "95% interval")]
    for judge in score.judges:
        own = judge.precision
        value = "–" if own is None else f"{own.value:.3f}"
        cells.append(
            (
                one_line(judge.judge or NAMELESS),
                f"{judge.rows:,}",
                value,
                range_of(own.exact if own else None),
            )
        )
    found = ["", *aligned(cells, right={1, 2})]
    for pair in score.pairs:
        found += [
            "",
            one_line(
                f"{pair.first or NAMELESS} and {pair.second or NAMELESS}, on what both judged"
            ),
        ]
        found += aligned(
            [
                ("", "rows", "alike", "share", "kappa", "AC1"),
                ("  right or wrong", *agreement_cells(pair.outcomes)),
                ("  all rulings", *agreement_cells(pair.rulings)),
            ],
            right={1, 2, 3},
        )
        found += [f"  {why}" for why in reasons(pair.outcomes, pair.rulings)]
    return found + _disagreement_lines(score.disagreements)


def agreement_cells(agreement: Agreement) -> tuple[str, str, str, str, str]:
    """Rows, rows alike, their share, kappa and AC1 with intervals, as texts."""
    raw = agreement.raw
    counts = ("0", "–", "–") if raw is None else (f"{raw.n:,}", f"{raw.hits:,}", f"{raw.value:.3f}")
    return *counts, _coefficient(agreement.kappa), _coefficient(agreement.ac1)


def _coefficient(coefficient: Coefficient) -> str:
    if coefficient.value is None:
        return "undefined"
    return f"{coefficient.value:.3f}" + (
        f", {range_of(coefficient.interval)}" if coefficient.interval else ""
    )


def reasons(*agreements: Agreement) -> list[str]:
    """Why a coefficient has no value or no interval, without repeats."""
    named = [("kappa", a.kappa.why) for a in agreements] + [("AC1", a.ac1.why) for a in agreements]
    return list(
        dict.fromkeys(
            f"{name} {why}" if ":" in why else f"{name}: {why}" for name, why in named if why
        )
    )


def _disagreement_lines(disagreements: Sequence[Disagreement]) -> list[str]:
    if not disagreements:
        return ["", "No judge contradicts another."]
    found = ["", f"{many(len(disagreements), 'row')} on which judges disagree"]
    listed = []
    for one in disagreements[:SHOWN]:
        settled = f"; settled: {one.settled}" if one.settled else ""
        said = "; ".join(words(said) for said in one.row.said) + settled
        listed.append((f"  {place(one.row)}", one.row.question, said))
    found += aligned([tuple(map(one_line, row)) for row in listed])
    if len(disagreements) > SHOWN:
        found.append(f"  … and {len(disagreements) - SHOWN:,} more: see --html or --json")
    return found


def summarise(score: Score) -> list[str]:
    """Everything for a terminal, line by line: the sentence first, then the table, remarks, faults and judges."""
    found = [headline(score)]
    if lines(score):
        found += ["", *table(score)]
    found += ["", *remarks(score)]
    return [*found, *fault_lines(score), *judge_lines(score)]
