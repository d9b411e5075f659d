"""The ids of imported questions: their own if usable, else those that the set gives."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from hayami.evalset.qids import Claimant, QueryIds, number_of

_LONGEST_ID: Final = 200


@dataclass(frozen=True, slots=True)
class Renamed:
    """A question whose id in the file is not its id in the set."""

    given: str
    qid: str
    why: str
    """A phrase: why its own id could not be used."""


def name_questions(
    given: Sequence[str], claimants: Sequence[Claimant], ids: QueryIds, taken: Collection[str]
) -> list[str]:
    """The query id of each question: its own, else that of an earlier set, else a new one.

    Args:
        given: the ids that the questions have in their file, or empty texts.
        claimants: the same questions by their rows and words.
        ids: what an earlier set called them, and the numbers that are free.
        taken: the ids of the set's queries.
    """
    used = set(taken)
    qids: list[str] = []
    for one in given:
        usable = bool(one) and not why_unusable(one, used)
        qids.append(one if usable else "")
        if usable:
            used.add(one)
    nameless = [place for place, qid in enumerate(qids) if not qid]
    found = ids.assign([claimants[place] for place in nameless], used)
    for place, qid in zip(nameless, found, strict=True):
        qids[place] = qid
    return qids


def renamed_questions(
    given: Sequence[str], qids: Sequence[str], taken: Collection[str]
) -> list[Renamed]:
    """The questions whose ids in the file, ``given``, are not their ids in the set."""
    used = set(taken)
    found: list[Renamed] = []
    for one, qid in zip(given, qids, strict=True):
        if one and one != qid:
            found.append(Renamed(one, qid, why_unusable(one, used)))
        used.add(qid)
    return found


def why_unusable(given: str, taken: Collection[str]) -> str:
    """Why an id of a file cannot be a query id; empty if it can."""
    if number_of(given):
        return "ids of this form are hayami's own"
    if given in taken:
        return "another question has this id"
    if given.split() != [given] or not given.isprintable():
        return "an id in TREC files holds no white space"
    return f"longer than {_LONGEST_ID} characters" if len(given) > _LONGEST_ID else ""
