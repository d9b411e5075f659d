"""What a reference was found to mean, and one answer out of several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from hayami.evalset.records import Candidate, Reason, Target, best_targets

CANDIDATES: Final = 5
"""Candidates that a rejection lists at most (an ambiguous one lists all that tie)."""
_WORST: Final = (
    Reason.CONTRADICTION,
    Reason.WHOLE_ARTICLE,
    Reason.AMBIGUOUS,
    Reason.EXCLUDED_SECTION,
    Reason.BROKEN_LINK,
    Reason.EXTERNAL_LINK,
    Reason.UNKNOWN_ID,
    Reason.UNMATCHED,
)
"""Which reason several failed references take: the one that a human can best act on."""


class Missing(Enum):
    """What is not there where a broken link leads; the link's text may still name a place."""

    FILE = "file"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a reference means: targets, or the reason for none; neither if a rule cannot tell."""

    targets: tuple[Target, ...] = ()
    reason: Reason | None = None
    candidates: tuple[Candidate, ...] = ()
    details: tuple[str, ...] = ()
    """What a person needs to know beyond the reason, of each reference that has it."""
    partial: bool = False
    """Whether the reference names more than the targets."""
    missing: Missing | None = None
    """What is not there, of a broken link."""

    @property
    def whole(self) -> bool:
        """Whether an article as a whole is meant, even if it is one of a single section."""
        return any(candidate.section is None for candidate in self.candidates)

    @property
    def decided(self) -> bool:
        """Whether later rules are not to be asked."""
        return bool(self.targets) or self.reason is not None

    @property
    def names_something(self) -> bool:
        """Whether the reference is a name, of a section or of an article."""
        return bool(self.targets) or self.reason is Reason.WHOLE_ARTICLE


def combine(meanings: Sequence[Meaning], extra: Iterable[Meaning] = ()) -> Meaning:
    """One meaning out of those of the references of a row, at least one.

    Args:
        meanings: what each reference means.
        extra: what else the row names; where it names nothing, that counts for nothing.
    """
    failed = [one for one in meanings if not one.targets]
    found = [one for one in meanings if one.targets]
    if any(one.reason is Reason.WHOLE_ARTICLE for one in failed) and all(
        one.whole for one in found
    ):
        return Meaning(reason=Reason.WHOLE_ARTICLE, candidates=listed(meanings))
    targets: list[Target] = []
    for one in (*found, *extra):
        targets += one.targets
    if not targets:
        return _failed(failed)
    partial = bool(failed) or any(one.partial for one in found)
    return Meaning(tuple(best_targets(targets).values()), partial=partial)


def _failed(meanings: Sequence[Meaning]) -> Meaning:
    """One reason out of several, with the candidates and details of those that have it."""
    reason = worst(one.reason for one in meanings)
    telling = [one for one in meanings if one.reason is reason]
    details: dict[str, None] = {}
    for one in telling:
        details.update(dict.fromkeys(one.details))
    return Meaning(reason=reason, candidates=listed(telling), details=tuple(details))


def worst(reasons: Iterable[Reason | None]) -> Reason:
    """Which of some reasons several failed references take; ``unmatched`` if none has one."""
    given = [reason for reason in reasons if reason is not None]
    for reason in (*_WORST, *given):
        if reason in given:
            return reason
    return Reason.UNMATCHED


def listed(meanings: Iterable[Meaning]) -> tuple[Candidate, ...]:
    """The candidates of some meanings, each once, in their order."""
    found: dict[Candidate, None] = {}
    for one in meanings:
        found.update(dict.fromkeys(one.candidates))
    return tuple(found)


def nearest(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The best few of some candidates, each once, most similar first."""
    ranked = sorted(dict.fromkeys(candidates), key=lambda c: (-c.score, c.article, c.section or ""))
    return tuple(ranked[:CANDIDATES])
