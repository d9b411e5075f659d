"""What an audit says about an eval set: its figures, and the rows to look at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hayami.audit.agreement import Agreement
from hayami.audit.intervals import Bounds, Proportion
from hayami.audit.items import Kind
from hayami.evalset.records import Ruling


class FaultKind(StrEnum):
    """What is wrong with a row."""

    WRONG_SECTION = "wrong_section"
    NOTHING_ANSWERS = "nothing_answers"
    MISSING_SECTION = "missing_section"
    NOT_ALONE = "not_alone"
    MISSED_ROW = "missed_row"


FAULT_MEANINGS: Final[dict[FaultKind, str]] = {
    FaultKind.WRONG_SECTION: "the label names a wrong section",
    FaultKind.NOTHING_ANSWERS: "no section answers the question",
    FaultKind.MISSING_SECTION: "the label is right, but another section answers too",
    FaultKind.NOT_ALONE: "the question does not stand without its article",
    FaultKind.MISSED_ROW: "the row was rejected, but a section answers it",
}


@dataclass(frozen=True, slots=True)
class JudgeSaid:
    """What one judge said about a row."""

    judge: str
    ruling: Ruling
    chosen: tuple[str, ...]
    rewrite: str
    note: str


@dataclass(frozen=True, slots=True)
class RowSaid:
    """A row of the sheet, and what the judges said about it."""

    item: str
    kind: Kind
    qid: str
    """Empty for a rejected row."""
    question: str
    article: str
    language: str
    reference: str
    sections: tuple[str, ...]
    """What the label names."""
    said: tuple[JudgeSaid, ...]


@dataclass(frozen=True, slots=True)
class FaultyRow:
    """A row that has something wrong with it, as far as no judge says the contrary."""

    kind: FaultKind
    row: RowSaid


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A row about which judges disagree."""

    row: RowSaid
    right_or_wrong: bool
    """Whether they disagree on right or wrong, not only on what else is to be said."""
    settled: Ruling | None
    """What an adjudication says; null if there is none."""


@dataclass(frozen=True, slots=True)
class StateCounts:
    """How many rows of the sheets are in which state."""

    rows: int
    right: int
    """Of rejected rows: rightly rejected; of pooled sections: accepted."""
    wrong: int
    unsure: int
    disputed: int
    unjudged: int


@dataclass(frozen=True, slots=True)
class JudgedStratum:
    """One stratum of the draw."""

    name: str
    population: int
    """Rows that it has in the set."""
    drawn: int
    """Rows that were drawn of it, by what the sheets say; of several draws the largest."""
    rows: int
    """Rows of it in the sheets."""
    share: Proportion | None
    """The share of right ones among those judged; null if nothing of it was judged."""


@dataclass(frozen=True, slots=True)
class GroupShare:
    """The judged rows that share a value, such as one language."""

    value: str
    share: Proportion


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The same rows by one property; plain counts, not weighted."""

    by: str
    parts: tuple[GroupShare, ...]


@dataclass(frozen=True, slots=True)
class Quality:
    """What the rows of one kind say about all such rows of the set."""

    tally: StateCounts
    """Of the rows drawn by chance."""
    estimate: Proportion | None
    """The share of right ones in the set, weighted by strata; null if nothing was judged."""
    unweighted: Proportion | None
    """The share among the rows judged."""
    if_all_wrong: Proportion | None
    """The estimate if every row that is unsure or disputed turned out wrong.

    Null if nothing was judged.
    """
    strata: tuple[JudgedStratum, ...]
    not_covered: tuple[str, ...]
    """Strata of which nothing was judged: the estimate leaves them out."""
    population: int
    """Rows of the set, of all strata."""
    breakdowns: tuple[Breakdown, ...]


@dataclass(frozen=True, slots=True)
class Recall:
    """How many of the rows that have an answer got a right label."""

    value: float
    interval: Bounds
    """At least 95%: from the 97.5% intervals of the two parts (Bonferroni)."""
    right_labels: float
    """Estimate for the whole set."""
    missed_rows: float
    """Idem: rejected rows that a section answers."""


@dataclass(frozen=True, slots=True)
class Judge:
    """What one judge's verdicts alone say."""

    judge: str
    rows: int
    """Rows that the judge judged, unsure ones too."""
    precision: Proportion | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two judges, on the rows that both judged."""

    first: str
    second: str
    outcomes: Agreement
    """On right or wrong; rows of which one is unsure are left out."""
    rulings: Agreement
    """On all that can be said, unsure too."""


@dataclass(frozen=True, slots=True)
class RowsNeeded:
    """How many judged rows a claim takes."""

    claim: float
    flawless: int | None
    """Rows in all, if none has an error."""
    at_rate: int | None
    """Rows in all, about, if errors come at the rate seen so far; null if no number does."""
    more: int | None
    """Further rows without an error; 0 if the sample already says so."""
    claimable: float | None
    """What the sample can claim today: the lower bound of the precision."""


@dataclass(frozen=True, slots=True)
class Score:
    """All figures of an audit."""

    set_sha256: str
    level: float
    """Confidence of the intervals."""
    labels: Quality
    """Label precision."""
    completeness: Proportion | None
    """Of the right labels, the share that misses no section."""
    missing_sections: int
    """Sections that judges added to right labels."""
    rejections: Quality
    """The share of rejected rows that were rightly rejected."""
    recall: Recall | None
    """Null if no rejected row was drawn and judged."""
    pool: StateCounts
    accepted: Proportion | None
    """Of the pooled sections judged, the share that answers too.

    They were picked, so it speaks for them alone.
    """
    picked: StateCounts
    """Labels and rejected rows that were picked, not drawn by chance: no part of any estimate."""
    faults: tuple[FaultyRow, ...]
    judges: tuple[Judge, ...]
    """One each, if there are several."""
    pairs: tuple[Pair, ...]
    disagreements: tuple[Disagreement, ...]
    need: RowsNeeded


@dataclass(frozen=True, slots=True)
class Requirement:
    """Whether the labels are good enough for somebody who asks for a precision."""

    required: float
    met: bool
    """Whether the lower bound of the whole set's precision is at or above it."""
    why: str
    """Why not, in one sentence; empty if it is met."""
    more: int | None
    """How many more rows without an error it would take; 0 if it is met, null if unknown."""
