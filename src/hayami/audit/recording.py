"""Filled-in sheets become verdicts: all are checked whole before the first verdict is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hayami.audit.items import Item, fault_of, verdict_of
from hayami.audit.sheets import HINT, Sheet, read_sheets, set_folder
from hayami.errors import EvalSetError, SheetError, VerdictError
from hayami.evalset.folder import load
from hayami.evalset.names import RowKey, SectionName, name_corpus
from hayami.evalset.records import article_of
from hayami.verdicts.log import Verdict, append_verdict, now, read_verdicts, verdict_file

_Key = tuple[tuple[RowKey, ...], tuple[str, str, int] | None, str]
"""What a verdict is about, and whose it is."""


@dataclass(frozen=True, slots=True)
class Collected:
    """What became of the rows of the sheets; every count is of rows."""

    files: Mapping[Path, int]
    """Verdicts added, by file of the labels."""
    added: int
    replaced: int
    """Of those added, how many replace another verdict of the same judge about the same row."""
    known: int
    """Verdicts that were recorded already."""
    blank: int
    """Rows that nobody has judged."""


def collect(
    sheets: Sequence[Path], labels: Path, *, judge: str, evalset: Path | None = None
) -> Collected:
    """Records the judgements of filled-in sheets as verdicts in ``labels``.

    Every sheet is checked whole before anything is written, so a faulty sheet changes nothing. A
    verdict equal to the judge's last one about the row is not written again: collecting twice is
    the same as once. A cell that was emptied takes nothing back.

    Args:
        sheets: the files, of any format of a sheet.
        labels: a folder, which is made if need be, with a file for each judge; or one verdict file.
        judge: who judged the rows that do not say it.
        evalset: the eval set; None takes the one that each sheet names. It is asked only for
            sections of articles other than the row's own.

    Raises:
        SheetError: a sheet is faulty, names a section that is not there, or two sheets contradict
            each other in the name of one judge; ``where`` names file and line.
        VerdictError: a verdict file is damaged, or the system refuses.
    """
    read = read_sheets(sheets)
    corpora = _Corpora(evalset, read)
    at, blank = now(), 0
    given: dict[_Key, tuple[str, Verdict]] = {}
    for sheet in read:
        for where, item in sheet.lines:
            if item.verdict is None:
                blank += 1
                continue
            names = corpora.names(item, sheet.path, where)
            _take(given, _checked(item, names, judge, at, where), where, item.item)
    verdicts = [verdict for _, verdict in given.values()]
    return _record(labels, verdicts, blank=blank)


def _take(given: dict[_Key, tuple[str, Verdict]], verdict: Verdict, where: str, item: str) -> None:
    """Adds a verdict to those that the sheets give; one that says the same again adds nothing."""
    there, earlier = given.setdefault(_key(verdict), (where, verdict))
    if not _same(earlier, verdict):
        what = f"{verdict.judge} says something else about item {item} at {there}"
        hint = "Keep one of the two, or tell the judges apart in column judge."
        raise SheetError(what, where=where, hint=hint)


class _Corpora:
    """The names of sections, of each set read once and only if it is needed."""

    def __init__(self, evalset: Path | None, sheets: Iterable[Sheet]) -> None:
        self._evalset = evalset
        self._wanted: dict[Path, set[str]] = {}
        """The articles of the sections that sheets do not name, by the folder of the set."""
        for sheet in sheets:
            for _, item in sheet.lines:
                unnamed = map(article_of, _unnamed(item))
                self._wanted.setdefault(self._folder(item, sheet.path), set()).update(unnamed)
        self._read: dict[Path, dict[str, SectionName]] = {}

    def _folder(self, item: Item, sheet: Path) -> Path:
        return self._evalset or set_folder(item, sheet)

    def names(self, item: Item, sheet: Path, where: str) -> Mapping[str, SectionName]:
        """The names of the sections that an item speaks of.

        As the sheet has them, else as the set has them today.
        """
        unnamed = _unnamed(item)
        if not unnamed:
            return item.names
        folder = self._folder(item, sheet)
        try:
            if folder not in self._read:
                sections = load(folder).sections()
                self._read[folder] = name_corpus(sections, self._wanted[folder])
        except EvalSetError as error:
            what = f"cannot look up {', '.join(sorted(unnamed))}: {error}"
            hint = "Name the eval set with --set; nothing was recorded."
            raise SheetError(what, where=where, hint=hint) from error
        return {**self._read[folder], **item.names}


def _unnamed(item: Item) -> set[str]:
    """The sections that an item speaks of and that its outline does not name."""
    return {*item.sections, *item.chosen} - item.names.keys()


def _checked(
    item: Item, names: Mapping[str, SectionName], judge: str, at: str, where: str
) -> Verdict:
    if fault := fault_of(item, names):
        hint = (
            "The column article_sections lists what can be chosen; corpus.jsonl has all. "
            "Nothing was recorded."
        )
        raise SheetError(fault, where=where, hint=hint)
    gone = [section for section in item.sections if section not in names]
    if gone:
        raise SheetError(f"sections: no section {gone[0]!r} in the set", where=where, hint=HINT)
    return verdict_of(item, names, judge, at)


def _key(verdict: Verdict) -> _Key:
    return verdict.rows, verdict.slot, verdict.judge


def _same(one: Verdict, other: Verdict) -> bool:
    """Whether two verdicts say the same, whenever they were given."""
    return one.model_copy(update={"at": ""}) == other.model_copy(update={"at": ""})


def _last(verdicts: Iterable[Verdict]) -> dict[_Key, Verdict]:
    """Each judge's last word; what settled a disagreement is no matter of a sheet."""
    return {_key(verdict): verdict for verdict in verdicts if not verdict.adjudicates}


def _record(labels: Path, verdicts: Sequence[Verdict], *, blank: int) -> Collected:
    last = _last(read_verdicts(labels)) if labels.exists() else {}
    before = [(verdict, last.get(_key(verdict))) for verdict in verdicts]
    new = [(verdict, old) for verdict, old in before if old is None or not _same(old, verdict)]
    files: Counter[Path] = Counter()
    for verdict, _ in new:
        file = labels if labels.is_file() else verdict_file(labels, verdict.judge)
        try:
            append_verdict(file, verdict)
        except VerdictError as error:
            raise _cut_short(error, files, len(new)) from error
        files[file] += 1
    replaced = sum(old is not None and old.ruling is not None for _, old in new)
    known = len(verdicts) - len(new)
    return Collected(files, added=len(new), replaced=replaced, known=known, blank=blank)


def _cut_short(error: VerdictError, files: Counter[Path], new: int) -> VerdictError:
    """The error of a verdict that could not be recorded, with what had been recorded before."""
    done = ", ".join(f"{number:,} in {file}" for file, number in files.items()) or "none"
    hint = (
        f"{error.hint} Of {new:,} verdicts {done} was recorded: the same command records the rest."
    )
    return VerdictError(error.what, where=error.where, hint=hint)
