"""The queue: what most needs a human, least sure first, each row with the reason in words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Final

from hayami.audit.draft import read_drafter, with_contents
from hayami.audit.items import Item
from hayami.evalset.folder import EvalSet
from hayami.evalset.records import FLAG_MEANINGS, Candidate, Flag, Match, Reason, Ruling
from hayami.settings import Settings
from hayami.verdicts.log import Verdict
from hayami.verdicts.settle import Settlement, settle

NEAR: Final = 0.1
"""How far above the threshold a fuzzy score is near it, and how far a runner-up is close behind."""
CLOSE: Final = 0.4
"""Similarity from which a heading may well be what a reference meant; below it, hardly any is."""
_SHOWN: Final = 3
"""Candidates named in a reason."""
_OPEN: Final = frozenset(
    {
        Reason.CONTRADICTION,
        Reason.AMBIGUOUS,
        Reason.BROKEN_LINK,
        Reason.UNMATCHED,
        Reason.WHOLE_ARTICLE,
    }
)
"""Rejections behind which a label may hide."""
_BY_WORDING: Final = frozenset({Match.CONTAINS, Match.FUZZY})
_DECISIVE: Final = frozenset(Ruling) - {Ruling.UNSURE}


@dataclass(frozen=True, slots=True)
class Doubtful:
    """An item, and what else is known about it."""

    item: Item
    threshold: float
    """The least similarity of a fuzzy match in this build."""
    href: str = ""
    """The link of a rejected row."""
    detail: str = ""
    """What the build said about a rejected row beyond its reason."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One reason for a human to look."""

    name: str
    meaning: str
    """The name in a few words."""
    why: Callable[[Doubtful], str]
    """The reason in words, with what this case shows; empty if the case gives no such reason."""
    rank: Callable[[Item], float] = lambda _: 0.0
    """Among rows with this doubt, smaller comes first."""


@dataclass(frozen=True, slots=True)
class Queue:
    """The items that need a human, and how many were left out and why."""

    items: tuple[Item, ...]
    waiting: Mapping[str, int]
    """How many rows give reason for doubt, by the name of the first; those beyond ``n`` too."""
    settled: int
    """Rows left out because a verdict about them holds."""
    conflicts: int
    """Rows left out because judges disagree on them."""


def make_queue(
    evalset: EvalSet, sheet: Path, *, n: int | None = None, verdicts: Iterable[Verdict] = ()
) -> Queue:
    """The rows of a set that most need a human, by DOUBTS, least sure first.

    A row with several doubts stands at the first and tells them all. Rows about which a verdict
    holds are left out, unless a judge could not tell; so are queries to which the build has applied
    one, and rows on which judges disagree: they have a command of their own.

    Args:
        evalset: the set.
        sheet: the file to be.
        n: how many rows at the most; None takes all.
        verdicts: what was said before, in the order of time.

    Raises:
        EvalSetError: the set is damaged.
    """
    threshold = Settings.model_validate(evalset.manifest.settings).threshold
    said = _SaidBefore(settle(verdicts))
    doubtful: list[tuple[tuple[int, float], Item]] = []
    left_out: Counter[_LeftOut] = Counter()
    for case in _cases(evalset, sheet, threshold):
        place, why = _doubts(case)
        if not why:
            continue
        reason = said.why_left_out(case.item)
        if reason is not None:
            left_out[reason] += 1
            continue
        why = "a judge could not tell; " * said.unsure(case.item) + why
        doubtful.append((place, case.item.model_copy(update={"why": why})))
    doubtful.sort(key=lambda pair: pair[0])  # stable: equal doubts in the order of the set
    drawn = [item for _, item in doubtful][:n]
    size = {"population": len(doubtful), "drawn": len(drawn)}
    return Queue(
        items=with_contents([item.model_copy(update=size) for item in drawn], evalset),
        waiting=Counter(DOUBTS[place].name for (place, _), _ in doubtful),
        settled=left_out[_LeftOut.SETTLED],
        conflicts=left_out[_LeftOut.DISPUTED],
    )


class _LeftOut(Enum):
    """Why a row that gives reason for doubt is not in the queue."""

    SETTLED = auto()
    DISPUTED = auto()


class _SaidBefore:
    """What was said about the rows of a set before."""

    def __init__(self, settlement: Settlement) -> None:
        self._rulings = {
            row: decision.main.ruling
            for row, decision in settlement.decisions.items()
            if decision.main is not None
        }
        self._disputed = {conflict.row for conflict in settlement.conflicts}

    def why_left_out(self, item: Item) -> _LeftOut | None:
        """Why an item need not be looked at; None if it must."""
        if self._of(item) <= _DECISIVE:
            return _LeftOut.SETTLED
        if self._disputed.intersection(item.rows):
            return _LeftOut.DISPUTED
        return None

    def unsure(self, item: Item) -> bool:
        """Whether a judge could not tell."""
        return Ruling.UNSURE in self._of(item)

    def _of(self, item: Item) -> set[Ruling | None]:
        return {self._rulings.get(row) for row in item.rows}


def _cases(evalset: EvalSet, sheet: Path, threshold: float) -> Iterator[Doubtful]:
    """The rows that no human has touched yet, those that gave no label first; equal rows once."""
    drafter = read_drafter(evalset, sheet)
    found: dict[str, Doubtful] = {}
    for row in evalset.rejections():
        if row.reason in _OPEN:
            item = drafter.rejected(row)
            found.setdefault(item.item, Doubtful(item, threshold, row.href or "", row.detail))
    for query in evalset.queries():
        if not query.verdicts:
            item = drafter.label(query)
            found.setdefault(item.item, Doubtful(item, threshold))
    yield from found.values()


def _doubts(case: Doubtful) -> tuple[tuple[int, float], str]:
    """Where a case stands in the queue, and all its doubts in words; empty if there is none."""
    reasons = [doubt.why(case) for doubt in DOUBTS]
    said = list(filter(None, reasons))
    first = reasons.index(said[0]) if said else 0
    return (first, DOUBTS[first].rank(case.item)), "; ".join(said)


# --- the reasons ----------------------------------------------------------------------------------


def _quoted(candidates: Sequence[Candidate]) -> str:
    said = [f"{candidate.heading} ({candidate.score:.2f})" for candidate in candidates[:_SHOWN]]
    return " / ".join(said + ["…"] * (len(candidates) > _SHOWN))


def _contradiction(case: Doubtful) -> str:
    if case.item.reason is not Reason.CONTRADICTION:
        return ""
    return f"the link and its text contradict each other: {case.detail}"


def _ambiguous(case: Doubtful) -> str:
    if case.item.reason is not Reason.AMBIGUOUS:
        return ""
    return f"several headings fit equally well: {_quoted(case.item.candidates)}"


def _dead_here(case: Doubtful) -> str:
    dead = case.item.reason is Reason.BROKEN_LINK and case.href.startswith("#")
    return f"dead link within the article: {case.detail or case.href}" if dead else ""


def _dead_elsewhere(case: Doubtful) -> str:
    dead = case.item.reason is Reason.BROKEN_LINK and not case.href.startswith("#")
    return f"dead link: {case.detail or case.href}" if dead else ""


def _near_threshold(case: Doubtful) -> str:
    score = _lowest_fuzzy(case.item)
    if score >= case.threshold + NEAR:
        return ""
    return f"{_fuzzy_score(score)}, near the threshold of {case.threshold:.2f}"


def _fuzzy(case: Doubtful) -> str:
    score = _lowest_fuzzy(case.item)
    return _fuzzy_score(score) if case.threshold + NEAR <= score <= 1 else ""


def _fuzzy_score(score: float) -> str:
    return f"fuzzy match at {score:.2f}"


def _lowest_fuzzy(item: Item) -> float:
    """The lowest score among the fuzzy targets; infinite if there is none."""
    return min(
        (target.score for target in item.targets if target.match is Match.FUZZY), default=math.inf
    )


def _close_behind(case: Doubtful) -> str:
    """Of rules that compare wordings: for others the runner-up's similarity says nothing."""
    for target in case.item.targets:
        other = target.runner_up
        if target.match in _BY_WORDING and other is not None and other.score > target.score - NEAR:
            return (
                f"{_quoted([other])} fits nearly as well as {target.heading} ({target.score:.2f})"
            )
    return ""


def _margin(item: Item) -> float:
    """How far the closest runner-up of a target is behind."""
    return min(
        (t.score - t.runner_up.score for t in item.targets if t.runner_up is not None), default=1.0
    )


def _close_candidate(case: Doubtful) -> str:
    if case.item.reason is not Reason.UNMATCHED or _best(case.item) < CLOSE:
        return ""
    return f"no heading is what the reference says; most similar: {_quoted(case.item.candidates)}"


def _unmatched(case: Doubtful) -> str:
    far = case.item.reason is Reason.UNMATCHED and _best(case.item) < CLOSE
    return "no heading is like what the reference says" if far else ""


def _best(item: Item) -> float:
    return max((candidate.score for candidate in item.candidates), default=0.0)


def _whole_article(case: Doubtful) -> str:
    whole = case.item.reason is Reason.WHOLE_ARTICLE
    return f"an article as a whole is meant: {_quoted(case.item.candidates)}" if whole else ""


def _flag(flag: Flag, rank: Callable[[Item], float] = lambda _: 0.0) -> Doubt:
    meaning = FLAG_MEANINGS[flag]
    return Doubt(str(flag), meaning, lambda case: meaning if flag in case.item.flags else "", rank)


DOUBTS: Final[tuple[Doubt, ...]] = (
    Doubt("contradiction", "a link that leads elsewhere than its text says", _contradiction),
    Doubt("ambiguous", "several headings fit equally well", _ambiguous, lambda item: -_best(item)),
    Doubt("dead_place", "a link to a place that the article does not have", _dead_here),
    Doubt("near_threshold", "a fuzzy match near the threshold", _near_threshold, _lowest_fuzzy),
    Doubt("close_behind", "another heading fits nearly as well", _close_behind, _margin),
    Doubt(
        "close_candidate",
        "no match, but a heading that is close",
        _close_candidate,
        lambda item: -_best(item),
    ),
    _flag(Flag.INCOMPLETE),
    Doubt("fuzzy", "a fuzzy match", _fuzzy, _lowest_fuzzy),
    _flag(Flag.CONTEXT_DEPENDENT),
    Doubt(
        "whole_article",
        "an article as a whole is meant",
        _whole_article,
        lambda item: len(item.candidates),
    ),
    _flag(Flag.DUPLICATE, lambda item: -len(item.sections)),
    _flag(Flag.EQUALS_HEADING),
    _flag(Flag.SHORT),
    Doubt("unmatched", "no heading is like the reference", _unmatched, lambda item: -_best(item)),
    Doubt("dead_file", "a link to a file that the build does not have", _dead_elsewhere),
)
"""The reasons to look, least sure first.

A label may be hiding or wrong, then the question, then what is rarely one.
A link to a file that is not in the build stands last: whole folders can be missing, and no section
can be named.
"""
