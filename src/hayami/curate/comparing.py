"""An old eval set and a new one: which questions came or went, and which labels were carried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Final

from rapidfuzz import fuzz

from hayami.curate.pairing import Change, SectionChange, pair_sections
from hayami.evalset.folder import EvalSet
from hayami.evalset.names import RowKey, row_key
from hayami.evalset.qids import rows_of
from hayami.evalset.records import Query, Rejection
from hayami.text.fold import compact

REWORDED: Final = 70
"""Indel ratio (0 to 100) from which a question of the same section may be an old one in other
words."""


class Fate(StrEnum):
    """What became of a question."""

    STAYED = "stayed"
    REWORDED = "reworded"
    RETARGETED = "retargeted"
    CAME = "came"
    WENT = "went"


FATE_MEANINGS: Final[dict[Fate, str]] = {
    Fate.STAYED: "the question is there, and means the same sections",
    Fate.REWORDED: "it is asked in other words, for the same sections",
    Fate.RETARGETED: "it is there, and means other sections",
    Fate.CAME: "the question is new",
    Fate.WENT: "the question is gone",
}


@dataclass(frozen=True, slots=True)
class QuestionChange:
    """A question in both sets, or in one of them."""

    fate: Fate
    old_qid: str | None
    """Its id in the old set; None if it came."""
    new_qid: str | None
    """Its id in the new set; None if it went."""
    query: str
    """The question, as the new set has it if it has it."""
    was: str
    """The question in the old set; empty if it came."""
    carried: tuple[str, ...] = ()
    """Sections, by their new ids, that were targets and are."""
    lost: tuple[str, ...] = ()
    """Sections, by their old ids, that were targets and are no longer."""
    gained: tuple[str, ...] = ()
    """Sections, by their new ids, that are targets and were not."""
    rewritten: tuple[str, ...] = ()
    """Those of ``carried`` whose text is another one: the label is to be looked at again."""
    why: str = ""
    """Of a question that went: the reason for which its row is rejected now, or that no row asks
    it; else empty."""


@dataclass(frozen=True, slots=True)
class Difference:
    """All that changed between two sets."""

    sections: tuple[SectionChange, ...]
    """Every section of both, unchanged ones too."""
    questions: tuple[QuestionChange, ...]
    """Every question of both: those of the new set in their order, then those that went."""

    @property
    def changed_sections(self) -> list[SectionChange]:
        """The sections of which something changed beside their number."""
        return [one for one in self.sections if set(one.changes) - {Change.RENUMBERED}]

    @property
    def fates(self) -> Counter[Fate]:
        """Questions by what became of them."""
        return Counter(one.fate for one in self.questions)

    @property
    def changes(self) -> Counter[Change]:
        """Sections by what became of them; one can be several."""
        return Counter(change for one in self.sections for change in one.changes)

    @property
    def carried(self) -> int:
        """Labels (question and section) of the old set that are in the new one."""
        return sum(len(one.carried) for one in self.questions)

    @property
    def lost(self) -> int:
        """Labels of the old set that are not in the new one."""
        return sum(len(one.lost) for one in self.questions)

    @property
    def gained(self) -> int:
        """Labels of the new set that were not in the old one."""
        return sum(len(one.gained) for one in self.questions)

    @property
    def doubtful(self) -> int:
        """Labels that were carried though the text of their section is another one."""
        return sum(len(one.rewritten) for one in self.questions)

    @property
    def kept_ids(self) -> int:
        """Questions of both sets that have one id in both."""
        return sum(one.old_qid is not None and one.old_qid == one.new_qid for one in self.questions)

    def as_json(self) -> dict[str, object]:
        """Everything that changed as plain values, the summary first."""
        summary = {
            "questions": {str(fate): self.fates[fate] for fate in Fate},
            "sections": {str(change): self.changes[change] for change in Change},
            "labels": {
                "carried": self.carried,
                "lost": self.lost,
                "gained": self.gained,
                "on_rewritten_sections": self.doubtful,
            },
            "kept_ids": self.kept_ids,
        }
        told = [one for one in self.questions if one.fate is not Fate.STAYED or one.rewritten]
        return {
            "summary": summary,
            "questions": [asdict(one) for one in told],
            "sections": [asdict(one) for one in self.sections if one.changes],
        }


def compare_sets(old: EvalSet, new: EvalSet) -> Difference:
    """What changed from an old set to a new one.

    A question is the same if a row of the same article has it and its reference, else if it has the
    same words (without regard to width, case and blanks); else, if it means the same section in
    nearly the same words, it was reworded.

    Raises:
        EvalSetError: one of the sets is damaged.
    """
    sections = pair_sections(old, new)
    moved = {one.old: one.new for one in sections if one.old is not None and one.new is not None}
    rewritten = frozenset(
        one.new for one in sections if one.new is not None and Change.REWRITTEN in one.changes
    )
    pairs = _Pairs(list(old.queries()), list(new.queries()), moved)
    pairs.find()
    return Difference(tuple(sections), tuple(_told(pairs, rewritten, _reasons(new.rejections()))))


def _reasons(rejections: Iterable[Rejection]) -> dict[RowKey, str]:
    """The reasons for which rows of the new set gave no label."""
    return {
        row_key(one.article, one.question, one.reference): f"rejected: {one.reason}"
        for one in rejections
        if one.row is not None
    }


@dataclass
class _Pairs:
    """Questions of two sets, paired one to one."""

    old: Sequence[Query]
    new: Sequence[Query]
    moved: Mapping[str, str]
    """New section ids by old ones."""
    pairs: dict[int, int] = field(default_factory=dict)
    """Places of new questions by those of old ones."""
    reworded: set[int] = field(default_factory=set)
    """Places of old questions that are asked in other words."""
    _taken: set[int] = field(default_factory=set)

    def find(self) -> None:
        """Pairs all that can be paired."""
        self._pair_by_rows()
        self._pair_by_words()
        self._pair_reworded()

    def _pair_by_rows(self) -> None:
        asked: dict[RowKey, int] = {}
        for place, query in enumerate(self.new):
            for row in rows_of(query):
                asked.setdefault(row, place)
        for place, query in enumerate(self.old):
            self._pair(place, [asked[row] for row in rows_of(query) if row in asked])

    def _pair_by_words(self) -> None:
        asked: dict[str, list[int]] = {}
        for place, query in enumerate(self.new):
            asked.setdefault(compact(query.query), []).append(place)
        for place, query in enumerate(self.old):
            self._pair(place, asked.get(compact(query.query), ()))

    def _pair(self, place: int, candidates: Iterable[int]) -> None:
        """Pairs an old question with the first candidate that is in no pair, if it is in none."""
        if place in self.pairs:
            return
        for candidate in candidates:
            if candidate not in self._taken:
                self.pairs[place] = candidate
                self._taken.add(candidate)
                return

    def _pair_reworded(self) -> None:
        """Pairs what is left by the section meant and likeness, the most alike first."""
        for _, place, other in sorted(self._alike()):
            if place not in self.pairs and other not in self._taken:
                self._pair(place, [other])
                self.reworded.add(place)

    def _alike(self) -> Iterator[tuple[float, int, int]]:
        """Pairs of questions left that mean one section and are alike, likeness negated."""
        meaning: dict[str, set[int]] = {}
        for place, query in enumerate(self.new):
            if place not in self._taken:
                for section in query.relevant:
                    meaning.setdefault(section, set()).add(place)
        for place, query in enumerate(self.old):
            if place in self.pairs:
                continue
            others: set[int] = set()
            for section in self.targets(query):
                others |= meaning.get(section, set())
            for other in others:
                likeness = fuzz.ratio(compact(query.query), compact(self.new[other].query))
                if likeness >= REWORDED:
                    yield -likeness, place, other

    def targets(self, query: Query) -> dict[str, str]:
        """The targets of an old query that are still there: old ids by new ones."""
        return {self.moved[section]: section for section in query.relevant if section in self.moved}


def _told(
    pairs: _Pairs, rewritten: frozenset[str], reasons: Mapping[RowKey, str]
) -> Iterator[QuestionChange]:
    places = {new: old for old, new in pairs.pairs.items()}
    for number, query in enumerate(pairs.new):
        if number in places:
            yield _both(pairs, places[number], query, rewritten)
        else:
            yield _came(query)
    for number, query in enumerate(pairs.old):
        if number not in pairs.pairs:
            yield _went(query, reasons)


def _came(query: Query) -> QuestionChange:
    return QuestionChange(
        fate=Fate.CAME,
        old_qid=None,
        new_qid=query.qid,
        query=query.query,
        was="",
        gained=tuple(query.relevant),
    )


def _went(query: Query, reasons: Mapping[RowKey, str]) -> QuestionChange:
    why = next((reasons[row] for row in rows_of(query) if row in reasons), "no row asks it")
    return QuestionChange(
        fate=Fate.WENT,
        old_qid=query.qid,
        new_qid=None,
        query=query.query,
        was=query.query,
        lost=tuple(query.relevant),
        why=why,
    )


def _both(pairs: _Pairs, place: int, query: Query, rewritten: frozenset[str]) -> QuestionChange:
    """A question that is in both sets."""
    old = pairs.old[place]
    targets = pairs.targets(old)
    carried = tuple(section for section in query.relevant if section in targets)
    kept = {targets[section] for section in carried}
    lost = tuple(section for section in old.relevant if section not in kept)
    gained = tuple(section for section in query.relevant if section not in targets)
    if lost or gained:
        fate = Fate.RETARGETED
    elif place in pairs.reworded or compact(old.query) != compact(query.query):
        fate = Fate.REWORDED
    else:
        fate = Fate.STAYED
    return QuestionChange(
        fate=fate,
        old_qid=old.qid,
        new_qid=query.qid,
        query=query.query,
        was=old.query,
        carried=carried,
        lost=lost,
        gained=gained,
        rewritten=tuple(section for section in carried if section in rewritten),
    )
