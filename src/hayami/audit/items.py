"""Items: the rows that a person is to judge, what may be said about each, and its verdict.

An item stands alone but for the texts of the sections: it says which set it was drawn from, how its
stratum was drawn, what hayami found, and how the sections to choose from were called. The judge's
fields are empty until somebody fills them in.
"""

from __future__ import annotations

import hashlib
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import Final

from pydantic import Field

from hayami.errors import SheetError
from hayami.evalset.names import RowKey, SectionName, row_key
from hayami.evalset.records import (
    Candidate,
    Flag,
    Match,
    Reason,
    Record,
    Rejection,
    Ruling,
    Target,
)
from hayami.verdicts.follow import same_text, with_rival
from hayami.verdicts.log import Slot, Verdict

Located = tuple[str, "Item"]
"""A line of a sheet with where it stands: ``file:line``."""


class Kind(StrEnum):
    """What is to be judged."""

    LABEL = "label"
    REJECTION = "rejection"
    POOL = "pool"


KIND_MEANINGS: Final[dict[Kind, str]] = {
    Kind.LABEL: "a query and the sections that hayami found for it",
    Kind.REJECTION: "a row that gave no label: does a section answer it all the same?",
    Kind.POOL: "a query and one section that a run ranked high: does it answer the question too?",
}

RULINGS: Final[dict[Kind, tuple[Ruling, ...]]] = {
    Kind.LABEL: tuple(Ruling),
    Kind.REJECTION: (Ruling.RIGHT, Ruling.WRONG, Ruling.OTHER, Ruling.NOTHING, Ruling.UNSURE),
    Kind.POOL: (Ruling.RIGHT, Ruling.WRONG, Ruling.UNSURE),
}
"""What can be said about each kind."""
NAMING: Final = frozenset({Ruling.ALSO, Ruling.OTHER})
"""Rulings that name sections."""


class Item(Record):
    """One line of a sheet: a row to judge, and what was said about it."""

    item: str
    """Identifies the row: the same row has the same id in every sheet."""
    kind: Kind
    """What is to be judged; see KIND_MEANINGS."""
    question: str
    """The query, or the question of the rejected row."""
    answer: str
    """The short answer of the table, or an empty text."""
    reference: str
    """The reference cell as written; the cells of several rows are joined with `` | ``."""
    sections: tuple[str, ...]
    """The sections to judge: the label's, or the pooled one; none for a rejected row."""

    verdict: Ruling | None = None
    """Filled in by the judge; see RULING_MEANINGS."""
    chosen: tuple[str, ...] = ()
    """Section ids that the judge names.

    With ``also`` those to add, with ``other`` those that answer instead.
    """
    rewrite: str = ""
    """The question in words that stand alone, if it does not."""
    note: str = ""
    """Whatever else the judge has to say."""
    judge: str = ""
    """Who judged; empty for a sheet of a single judge."""

    stratum: str
    """What the row was drawn from, such as ``match=fuzzy``; ``all`` where nothing was drawn."""
    population: int = Field(ge=0)
    """How many rows the stratum has in the set."""
    drawn: int = Field(ge=0)
    """How many of them the sheet has: each stands for ``population / drawn`` rows."""
    why: str = ""
    """Why a person should look at it; empty if it was drawn by chance."""
    qid: str = ""
    """Id of the query when the sheet was drawn; empty for a rejected row."""
    article: str
    """Id of the article."""
    topic: str
    """What the article is about."""
    language: str
    """The article's language."""
    match: Match | None = None
    """How the sections were found; null for a rejected row."""
    reason: Reason | None = None
    """Why the row was rejected; null for a label."""
    detector: str | None = None
    """How the table was recognised."""
    flags: tuple[Flag, ...] = ()
    """Warnings about the question."""
    targets: tuple[Target, ...] = ()
    """The evidence for the sections."""
    candidates: tuple[Candidate, ...] = ()
    """What the reference of a rejected row could mean."""
    rows: tuple[RowKey, ...] = Field(min_length=1)
    """What the verdict is kept under."""
    outline: tuple[SectionName, ...] = ()
    """What can be chosen: the sections of the articles concerned, as the sheet found them."""
    set: str
    """The folder of the eval set, relative to the sheet."""
    set_sha256: str
    """Hash of the set's ``evalset.jsonl``: tells whether it was built again since."""
    seed: int | None = None
    """The seed of the draw; null if nothing was drawn by chance."""

    @property
    def weight(self) -> float:
        """How many rows of the set the item stands for."""
        return self.population / self.drawn if self.drawn else 1.0

    @property
    def names(self) -> dict[str, SectionName]:
        """The names of the outline by section id."""
        return {name.section: name for name in self.outline}


JUDGED: Final = ("verdict", "chosen", "rewrite", "note", "judge")
"""The fields that the judge fills in."""


def item_id(kind: Kind, rows: Sequence[RowKey], pooled: str = "") -> str:
    """The id of an item, from the keys of its rows and the section, if one is what is judged.

    An ``i`` and 12 hex digits: without the letter, a spreadsheet takes ``123e45678901`` for a
    number.
    """
    texts = (f"{row.article}\0{row.question}\0{row.reference}" for row in rows)
    said = "\0".join([str(kind), *texts, pooled])
    return "i" + hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def is_own_id(item: Item) -> bool:
    """Whether an item's id is that of its row: false if someone mixed up the cells of two rows."""
    pooled = item.sections[0] if item.kind is Kind.POOL and item.sections else ""
    return item.item == item_id(item.kind, item.rows, pooled)


def rejection_rows(rejection: Rejection) -> tuple[RowKey, ...]:
    """The key of a rejected row."""
    return (row_key(rejection.article, rejection.question, rejection.reference),)


# --- verdicts of items ----------------------------------------------------------------------------


def fault_of(item: Item, known: Iterable[str] | None = None) -> str:
    """What is wrong with what a judge filled in; empty if nothing is.

    Args:
        item: the item with the judge's columns.
        known: the ids of all sections; None if they are not at hand.
    """
    if item.verdict is None:
        if item.chosen or item.rewrite.strip():
            return "chosen or rewrite is filled in, but verdict is empty"
        return ""
    if item.verdict not in RULINGS[item.kind]:
        fitting = listed(RULINGS[item.kind])
        return f"verdict {item.verdict!s} does not go with a {item.kind}: use {fitting}"
    return _fault_of_chosen(item, item.verdict) or _unknown(item, known)


def _fault_of_chosen(item: Item, verdict: Ruling) -> str:
    if verdict not in NAMING:
        if not item.chosen:
            return ""
        return f"verdict {verdict!s} names no sections, but chosen is filled in: use also or other"
    if not item.chosen:
        return f"verdict {verdict!s} needs section ids in the column chosen"
    judged, chosen = set(item.sections), set(item.chosen)
    if verdict is Ruling.ALSO and chosen <= judged:
        return "verdict also names only sections that the label has already"
    if verdict is Ruling.OTHER and chosen == judged:
        return "verdict other names the very sections that the label has: use right"
    return ""


def _unknown(item: Item, known: Iterable[str] | None) -> str:
    if known is None:
        return ""
    ids = known if isinstance(known, AbstractSet | Mapping) else frozenset(known)
    for section in item.chosen:
        if section not in ids:
            return f"chosen: no section {section!r} in the set"
    return ""


def listed(rulings: Iterable[Ruling]) -> str:
    """Rulings as a list in words."""
    return ", ".join(map(str, rulings))


def verdict_of(
    item: Item, names: Mapping[str, SectionName], judge: str, at: str, *, adjudicates: bool = False
) -> Verdict:
    """The verdict that a judged item holds, as it is kept in ``labels/``.

    Args:
        item: the item with the judge's columns filled in.
        names: the name of every section by its id, as :func:`hayami.evalset.names.name_corpus`
            gives them; what is not among them is looked up in the item's own outline.
        judge: who judged, where the item does not say.
        at: when.
        adjudicates: whether it settles a disagreement.

    Raises:
        SheetError: the pooled section has no name: without it the verdict would be one about the
            label.
        KeyError: a chosen section has no name; :func:`fault_of` tells before.
    """
    known = ChainMap(dict(names), item.names)
    named = {
        section: with_rival(known[section], known.values())
        for section in (*item.sections, *item.chosen)
        if section in known
    }
    judged = tuple(named[section] for section in item.sections if section in named)
    pooled = None
    if item.kind is Kind.POOL:
        if not judged:
            what = f"the section to judge, {', '.join(item.sections) or 'none'}, is not in the set"
            hint = "Draw the sheet again: the set was built since."
            raise SheetError(what, where=item.item, hint=hint)
        pooled, judged = judged[0], ()
    return Verdict(
        rows=item.rows,
        question=item.question,
        ruling=item.verdict,
        judged=judged,
        sections=tuple(named[section] for section in item.chosen),
        pooled=pooled,
        rewrite=item.rewrite.strip(),
        note=item.note,
        judge=item.judge or judge,
        at=at,
        adjudicates=adjudicates,
    )


def judged_items(items: Sequence[Item], verdicts: Iterable[Verdict]) -> list[Item]:
    """The items with the last verdict of each judge from ``labels/``, one for each judge.

    Items that nobody judged are left out, and so are verdicts on a label that named other sections
    then, or on sections that had another text. ``verdicts`` come in the order of time; one taken
    back counts as none.
    """
    last: dict[tuple[RowKey, ...], dict[tuple[Slot | None, str], Verdict]] = {}
    for verdict in verdicts:
        last.setdefault(verdict.rows, {})[verdict.slot, verdict.judge] = verdict
    found: list[Item] = []
    for item in items:
        for verdict in last.get(item.rows, {}).values():
            filled = _filled(item, verdict)
            if filled is not None:
                found.append(filled)
    return found


def _filled(item: Item, verdict: Verdict) -> Item | None:
    names = verdict.judged if verdict.pooled is None else (verdict.pooled,)
    judged = {name.section for name in names}
    same_kind = (verdict.pooled is not None) == (item.kind is Kind.POOL)
    if verdict.ruling is None or not same_kind or judged != set(item.sections):
        return None
    drawn = item.names
    if not all(same_text(name, drawn.get(name.section, name)) for name in names):
        return None
    return item.model_copy(
        update={
            "verdict": verdict.ruling,
            "chosen": tuple(name.section for name in verdict.sections),
            "rewrite": verdict.rewrite,
            "note": verdict.note,
            "judge": verdict.judge,
        }
    )
