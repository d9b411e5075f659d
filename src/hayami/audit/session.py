"""A judge at work on a sheet: what is judged, what comes next, and one step back.

Every verdict is on the disk at once. The state is what the verdict files say: it is read again when
they change, so that several windows, a killed program or an edited file cannot make the session and
the files differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hayami.audit.items import NAMING, RULINGS, Item, Kind, judged_items, verdict_of
from hayami.audit.material import Material, SetTexts
from hayami.errors import SheetError
from hayami.evalset.names import RowKey, SectionName
from hayami.evalset.records import Ruling
from hayami.verdicts.log import (
    Slot,
    Verdict,
    append_verdict,
    now,
    read_verdicts,
    verdict_file,
    verdict_files,
)

Key = tuple[tuple[RowKey, ...], Slot | None]
"""What a verdict is about: its rows, and the pooled section if one was judged."""

SLIPS: Final[dict[str, str]] = {
    "no_ruling": "no verdict was chosen",
    "wrong_kind": "this verdict does not go with this kind of row",
    "needs_sections": "this verdict needs at least one section",
    "nothing_new": "the ticked sections are those of the label: choose right, or tick another",
    "names_sections": "sections are ticked, but this verdict names none: "
    "choose also or other, or untick them",
    "unknown_section": "a section is ticked that the set does not have",
    "gone": "what is to be judged is no longer in the set",
}
"""What can be wrong with an answer, in a word and in a sentence."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a judge says about an item."""

    ruling: Ruling | None = None
    chosen: tuple[str, ...] = ()
    rewrite: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a judge has come."""

    judged: int
    gone: int
    """Items that are not judged and cannot be, because the set has changed."""
    total: int

    @property
    def left(self) -> int:
        """How many items wait for a verdict."""
        return self.total - self.judged - self.gone


class Session:
    """One judge and one sheet.

    Args:
        items: the lines of the sheet; of several lines about one item the judge's own, else the
            first, is kept.
        texts: the sets, by the items' ``set``.
        labels: the folder of the verdicts.
        judge: the judge's name.
        adjudicates: whether the verdicts settle disagreements between judges.

    Raises:
        VerdictError: a verdict file is damaged.
    """

    def __init__(
        self,
        items: Sequence[Item],
        texts: Mapping[str, SetTexts],
        labels: Path,
        judge: str,
        *,
        adjudicates: bool = False,
    ) -> None:
        self.items = _unique(items, judge)
        self.judge = judge
        self.labels = labels
        self.file = verdict_file(labels, judge)
        self.adjudicates = adjudicates
        self._texts = texts
        self._places = {item.item: place for place, item in enumerate(self.items)}
        self._gone = {item.item for item in self.items if self.texts(item).gone(item)}
        self._seen: tuple[tuple[str, int, int], ...] | None = None
        self._last: dict[Key, Verdict] = {}
        self._said: dict[str, Item] = {}
        self.refresh()

    def texts(self, item: Item) -> SetTexts:
        """The set that an item was drawn from."""
        return self._texts[item.set]

    def material(self, item: Item, *, blind: bool = False) -> Material:
        """What there is to read about an item."""
        return self.texts(item).material(item, blind=blind)

    def place(self, item: str) -> int | None:
        """The place of an item on the sheet, from 0; None if it is not on it."""
        return self._places.get(item)

    # --- what is on the disk ---

    def refresh(self) -> None:
        """Reads the verdicts again if a file changed.

        Raises:
            VerdictError: a verdict file is damaged.
        """
        seen = self._state()
        if seen == self._seen:
            return
        self._last = self._last_words() if seen else {}
        filled = {item.item: self._filled(item) for item in self.items}
        self._said = {name: item for name, item in filled.items() if item is not None}
        self._seen = seen

    def _last_words(self) -> dict[Key, Verdict]:
        """This judge's last word about each row, the latest last."""
        last: dict[Key, Verdict] = {}
        for verdict in read_verdicts(self.labels):
            if verdict.judge == self.judge and verdict.adjudicates == self.adjudicates:
                key = (verdict.rows, verdict.slot)
                last.pop(key, None)
                last[key] = verdict
        return last

    def _state(self) -> tuple[tuple[str, int, int], ...]:
        if not self.labels.is_dir():
            return ()
        states = [(path.name, path.stat()) for path in verdict_files(self.labels)]
        return tuple((name, state.st_size, state.st_mtime_ns) for name, state in states)

    def _key(self, item: Item) -> Key:
        if item.kind is not Kind.POOL:
            return item.rows, None
        pooled = item.sections[0] if item.sections else ""
        name = item.names.get(pooled) or self.texts(item).names.get(pooled)
        return item.rows, name.key if name else ("", "", 0)

    def _filled(self, item: Item) -> Item | None:
        last = self._last.get(self._key(item))
        filled = judged_items([self._item_as_shown(item)], [last]) if last is not None else []
        if last is None or not filled:
            return None
        texts = self.texts(item)
        today = (texts.find_name(name) for name in last.sections)
        chosen = tuple(section for section in today if section is not None)
        return filled[0].model_copy(update={"chosen": chosen, "outline": item.outline})

    def _item_as_shown(self, item: Item) -> Item:
        """The item with what its sections hold today: a judge sees that, and not the sheet's."""
        if item.item in self._gone:
            return item
        shown = {section: self._as_shown(item, section) for section in item.sections}
        outline = tuple(shown.get(name.section, name) for name in item.outline)
        return item.model_copy(update={"outline": outline})

    # --- where the judge stands ---

    def said(self, item: Item) -> Item | None:
        """The item with what this judge said about it; None if it is not judged."""
        return self._said.get(item.item)

    def prefilled(self, item: Item) -> Answer:
        """What the form shows at first: what the judge said, else what the sheet has filled in."""
        filled = self._said.get(item.item)
        if filled is None and item.judge in {"", self.judge}:
            filled = item
        if filled is None:
            return Answer()
        return Answer(filled.verdict, filled.chosen, filled.rewrite, filled.note)

    def stamp(self, item: Item) -> str:
        """When this judge's last word about an item was given; empty if there is none.

        A form that was filled in beside another stamp is older than that word.
        """
        last = self._last.get(self._key(item))
        return last.at if last is not None else ""

    @property
    def progress(self) -> Progress:
        """How many items are judged, cannot be, and are on the sheet."""
        return Progress(len(self._said), len(self._gone - self._said.keys()), len(self.items))

    def next_open(self, after: int = -1) -> int | None:
        """The place of the next item that waits for a verdict, after the last from the start again.

        None if none waits.
        """
        count = len(self.items)
        for step in range(count):
            item = self.items[(after + 1 + step) % count].item
            if item not in self._said and item not in self._gone:
                return self._places[item]
        return None

    # --- what the judge does ---

    def slip_of(self, item: Item, answer: Answer) -> str:
        """What is wrong with an answer, as a word of SLIPS; empty if nothing is."""
        named, naming = set(answer.chosen), answer.ruling in NAMING
        faults = {
            "no_ruling": answer.ruling is None,
            "gone": item.item in self._gone,
            "wrong_kind": answer.ruling not in RULINGS[item.kind],
            "names_sections": not naming and bool(named),
            "unknown_section": not named <= self.texts(item).names.keys(),
            "needs_sections": naming and not named,
            "nothing_new": naming and self._names_nothing_new(item, answer),
        }
        return next((word for word, wrong in faults.items() if wrong), "")

    def _names_nothing_new(self, item: Item, answer: Answer) -> bool:
        """Whether the sections that an answer names are those that were judged."""
        judged = {self.texts(item).today(item, section) for section in item.sections}
        if answer.ruling is Ruling.ALSO:
            return judged.issuperset(answer.chosen)
        return judged == set(answer.chosen)

    def record(self, item: Item, answer: Answer) -> None:
        """Puts a verdict on the disk; the same verdict again adds nothing.

        Raises:
            SheetError: the answer makes no sense; see ``slip_of``.
            VerdictError: it could not be recorded.
        """
        if slip := self.slip_of(item, answer):
            raise SheetError(
                SLIPS[slip], where=item.item, hint="Nothing was recorded; choose again."
            )
        self.refresh()
        filled = self._with(item, answer)
        if self._said.get(item.item) != filled:
            self._append(self._verdict(filled))

    def _with(self, item: Item, answer: Answer) -> Item:
        """The item with an answer of this judge."""
        return item.model_copy(
            update={
                "verdict": answer.ruling,
                "chosen": answer.chosen,
                "rewrite": answer.rewrite.strip(),
                "note": answer.note.strip(),
                "judge": self.judge,
            }
        )

    def newer(self, item: Item, answer: Answer, seen: str) -> Ruling | None:
        """The verdict that an answer would replace though its form was filled in before it.

        None if the form showed the judge's last word (``seen`` is its stamp), if there is none any
        more, or if the answer says the same.
        """
        said = self._said.get(item.item)
        if said is None or self.stamp(item) == seen or said == self._with(item, answer):
            return None
        return said.verdict

    def _verdict(self, filled: Item) -> Verdict:
        """What is written.

        What was judged has its names on the sheet, what was chosen those of the set.
        """
        texts = self.texts(filled)
        judged = {section: self._as_shown(filled, section) for section in filled.sections}
        bare = filled.model_copy(update={"chosen": ()})
        verdict = verdict_of(bare, judged, self.judge, self._clock(), adjudicates=self.adjudicates)
        chosen = tuple(map(texts.name, filled.chosen))
        return verdict.model_copy(update={"sections": chosen})

    def _as_shown(self, item: Item, section: str) -> SectionName:
        """The name of a section to judge: its place as on the sheet, its text as shown."""
        texts = self.texts(item)
        shown = texts.name(texts.today(item, section) or section)
        name = item.names.get(section, shown)
        return name.model_copy(update={"content": shown.content, "rival": shown.rival})

    def last(self) -> str:
        """The item that was judged last, which undo takes back; empty if none is judged."""
        keys = {self._key(self.items[self._places[name]]): name for name in self._said}
        return next((keys[key] for key in reversed(self._last) if key in keys), "")

    def undo(self, item: str) -> bool:
        """Takes the verdict on an item back.

        False if it is not the last one any more, so that two clicks undo one.

        Raises:
            VerdictError: it could not be recorded.
        """
        self.refresh()
        if not item or item != self.last():
            return False
        verdict = self._last[self._key(self.items[self._places[item]])]
        taken = {"ruling": None, "sections": (), "rewrite": "", "note": "", "at": self._clock()}
        self._append(verdict.model_copy(update=taken))
        return True

    def _append(self, verdict: Verdict) -> None:
        append_verdict(self.file, verdict)
        self.refresh()

    def _clock(self) -> str:
        """The time, never before the judge's last verdict, even if the clock is set back."""
        return max(now(), *(verdict.at for verdict in self._last.values()), "")


def _unique(items: Sequence[Item], judge: str) -> tuple[Item, ...]:
    """One line an item: a sheet can hold the lines of several judges."""
    kept: dict[str, Item] = {}
    for item in items:
        if item.item not in kept or item.judge == judge:
            kept[item.item] = item
    return tuple(kept.values())
