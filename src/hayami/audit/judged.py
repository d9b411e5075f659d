"""What judges said about the rows of sheets: in the sheets' cells, and in ``labels/``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from hayami.audit.items import Item, Kind, Located, judged_items
from hayami.audit.sheets import Sheet
from hayami.errors import SheetError
from hayami.evalset.records import Ruling
from hayami.verdicts.log import Verdict

OUTCOMES: Final[Mapping[Kind, Mapping[Ruling, bool]]] = {
    Kind.LABEL: {
        Ruling.RIGHT: True,
        Ruling.ALSO: True,
        Ruling.CONTEXT: True,
        Ruling.WRONG: False,
        Ruling.OTHER: False,
        Ruling.NOTHING: False,
    },
    Kind.REJECTION: {
        Ruling.RIGHT: True,
        Ruling.NOTHING: True,
        Ruling.WRONG: False,
        Ruling.OTHER: False,
    },
    Kind.POOL: {Ruling.RIGHT: True, Ruling.WRONG: False},
}
"""What a ruling means.

The label is right, the row was rightly rejected, the pooled section answers too.
"""

_REDRAW: Final = "Draw the sheet again, and fill in the judge's columns only."


class State(StrEnum):
    """What became of a row."""

    RIGHT = "right"
    WRONG = "wrong"
    UNSURE = "unsure"
    DISPUTED = "disputed"
    UNJUDGED = "unjudged"


def outcome_of(said: Item) -> bool | None:
    """What one judge's ruling means for the row, see OUTCOMES; None if unsure or not judged."""
    return None if said.verdict is None else OUTCOMES[said.kind].get(said.verdict)


@dataclass(frozen=True, slots=True)
class Judged:
    """A row of the sheets with all that was said about it."""

    item: Item
    """The row as it was drawn."""
    said: tuple[Item, ...]
    """The row as each judge filled it in, by the judge's name; empty if nobody judged it."""
    adjudicated: Item | None = None
    """What settled a disagreement; counts alone."""

    @property
    def by_chance(self) -> bool:
        """Whether the row was drawn at random and so speaks for its stratum."""
        return self.item.seed is not None

    @property
    def standing(self) -> tuple[Item, ...]:
        """What counts: the adjudication alone, else what the judges said who are sure, else all."""
        if self.adjudicated is not None:
            return (self.adjudicated,)
        return tuple(said for said in self.said if said.verdict is not Ruling.UNSURE) or self.said

    @property
    def state(self) -> State:
        """What the judges' rulings come to: right or wrong where all that count agree."""
        outcomes = {outcome_of(said) for said in self.standing}
        if not outcomes:
            return State.UNJUDGED
        if len(outcomes) > 1:
            return State.DISPUTED
        return {True: State.RIGHT, False: State.WRONG, None: State.UNSURE}[outcomes.pop()]

    @property
    def complete(self) -> bool | None:
        """Whether a right label names every section that answers.

        None if it is not right, or judges disagree.
        """
        also = {said.verdict is Ruling.ALSO for said in self.standing}
        return not also.pop() if self.state is State.RIGHT and len(also) == 1 else None

    @property
    def differs(self) -> bool:
        """Whether judges who are sure gave different rulings or named different sections.

        Settled or not.
        """
        sure = [said for said in self.said if said.verdict is not Ruling.UNSURE]
        return len({(said.verdict, frozenset(said.chosen)) for said in sure}) > 1


def gather(sheets: Sequence[Sheet], verdicts: Sequence[Verdict] = ()) -> list[Judged]:
    """Every row of the sheets once, in their order, with what was said about it.

    What a sheet itself says wins over ``labels/``: over the same judge's verdict, or, where the
    sheet names no judge, over all but an adjudication, which settles. Rows that several sheets fill
    in without a judge's name are taken for several judges, named after the files.

    Args:
        sheets: sheets of one eval set.
        verdicts: of ``labels/``, in the order of time; those about other rows or other sections do
            not count.

    Raises:
        SheetError: sheets of different sets, strata that cannot be put together, or one judge with
            two opinions.
    """
    _same_set(sheets)
    rows = _rows(sheets)
    _sound_strata(sheets, rows)
    explicit = _from_sheets(sheets)
    keys = {item.rows for item in rows}
    relevant = [verdict for verdict in verdicts if verdict.rows in keys]
    own = [verdict for verdict in relevant if not verdict.adjudicates]
    kept: dict[str, dict[str, Item]] = {}
    for one in judged_items(rows, own):
        kept.setdefault(one.item, {})[one.judge] = one
    settled = {one.item: one for one in judged_items(rows, _adjudications(relevant))}
    judged = []
    for item in rows:
        name = item.item
        said = _together(explicit.get(name, {}), kept.get(name, {}))
        judged.append(Judged(item, said, settled.get(name)))
    return judged


def _rows(sheets: Sequence[Sheet]) -> list[Item]:
    """Every row of the sheets once: as it was drawn by chance, if it was, else as it was picked."""
    rows: dict[str, Item] = {}
    for _, item in _lines(sheets):
        known = rows.setdefault(item.item, item)
        if known.seed is None and item.seed is not None:
            rows[item.item] = item
    return list(rows.values())


def _together(explicit: Mapping[str, Item], kept: Mapping[str, Item]) -> tuple[Item, ...]:
    by_judge = explicit if "" in explicit else {**kept, **explicit}
    return tuple(by_judge[judge] for judge in sorted(by_judge))


def _adjudications(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """The last adjudication of each row that was not taken back."""
    last: dict[object, dict[str, Verdict]] = {}
    for verdict in verdicts:
        if verdict.adjudicates:
            said = last.setdefault((verdict.rows, verdict.slot), {})
            said.pop(verdict.judge, None)
            said[verdict.judge] = verdict
    found = []
    for said in last.values():
        standing = [verdict for verdict in said.values() if verdict.ruling is not None]
        found += standing[-1:]
    return found


def _lines(sheets: Sequence[Sheet]) -> Iterator[Located]:
    for sheet in sheets:
        yield from sheet.lines


def _from_sheets(sheets: Sequence[Sheet]) -> dict[str, dict[str, Item]]:
    """What the sheets say, by row and judge."""
    found: dict[str, dict[str, Item]] = {}
    first: dict[tuple[str, str], str] = {}
    for where, item in _named(sheets):
        judge = item.judge
        said = found.setdefault(item.item, {}).setdefault(judge, item)
        before = first.setdefault((item.item, judge), where)
        if (said.verdict, set(said.chosen)) != (item.verdict, set(item.chosen)):
            who = f"item {item.item}: {judge or 'the judge'}"
            what = f"{who} says {item.verdict} here and {said.verdict} at {before}"
            raise SheetError(what, where=where, hint="Keep one of the two.")
    return found


def _named(sheets: Sequence[Sheet]) -> Iterator[Located]:
    """The lines that are filled in.

    If several sheets fill in one row without a judge's name, judges are named after the files.
    """
    filled = [(sheet, line) for sheet in sheets for line in sheet.lines if line[1].verdict]
    unnamed = Counter(item.item for _, (_, item) in filled if not item.judge)
    names: Mapping[Path, str] = {}
    if any(times > 1 for times in unnamed.values()):
        names = _file_names([sheet.path for sheet in sheets])
    for sheet, (where, item) in filled:
        judge = item.judge or names.get(sheet.path, "")
        yield where, item.model_copy(update={"judge": judge})


def _file_names(paths: Sequence[Path]) -> dict[Path, str]:
    """A judge's name for each file: its name without suffix, or its path if two are alike."""
    stems = Counter(path.stem for path in dict.fromkeys(paths))
    return {path: path.stem if stems[path.stem] == 1 else str(path) for path in paths}


# --- what can be put together ---------------------------------------------------------------------


def _same_set(sheets: Sequence[Sheet]) -> None:
    first = next(_lines(sheets), None)
    for where, item in _lines(sheets):
        if first is not None and item.set_sha256 != first[1].set_sha256:
            other = "another eval set, or another build of it,"
            what = f"item {item.item} was drawn from {other} than {first[0]}"
            raise SheetError(what, where=where, hint="Score the sheets of each set by themselves.")


def _sound_strata(sheets: Sequence[Sheet], rows: Iterable[Item]) -> None:
    """Refuses strata from which nothing can be estimated.

    Every stratum must have one size, hold what was drawn of it, and overlap with no other.
    """
    drawn_lines = [(where, item) for where, item in _lines(sheets) if item.seed is not None]
    sizes = _sizes(drawn_lines)
    _no_overlap(drawn_lines)
    by_chance = [row for row in rows if row.seed is not None]
    for stratum, drawn in Counter((row.kind, row.stratum) for row in by_chance).items():
        size, where = sizes[stratum]
        if drawn > size:
            what = f"stratum {stratum[1]} has {size} rows, but {drawn} were drawn from it"
            raise SheetError(what, where=where, hint=_REDRAW)


def _sizes(lines: Iterable[Located]) -> dict[tuple[Kind, str], tuple[int, str]]:
    """The size of every stratum, and where it is said first."""
    sizes: dict[tuple[Kind, str], tuple[int, str]] = {}
    for where, item in lines:
        size, other = sizes.setdefault((item.kind, item.stratum), (item.population, where))
        if size != item.population:
            what = f"stratum {item.stratum} has {item.population} rows here and {size} at {other}"
            raise SheetError(what, where=where, hint=_REDRAW)
    return sizes


def _no_overlap(lines: Iterable[Located]) -> None:
    cut: dict[Kind, Item] = {}
    for where, item in lines:
        first = cut.setdefault(item.kind, item)
        if set(variables(first.stratum)) != set(variables(item.stratum)):
            what = f"strata {first.stratum} and {item.stratum} overlap: a row can be in both"
            hint = "Score sheets that were drawn by different things separately."
            raise SheetError(what, where=where, hint=hint)


def variables(stratum: str) -> list[str]:
    """What a stratum was cut by: ``match`` and ``language`` of ``match=fuzzy,language=ja``.

    ``all`` was cut by nothing.
    """
    return re.findall(r"(\w+)=", stratum)
