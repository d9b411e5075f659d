"""From a file of questions and an eval set to a larger set, written whole or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hayami.errors import OutputError, QuestionsError
from hayami.evalset.disk import Staging
from hayami.evalset.folder import MANIFEST, EvalSet, load
from hayami.evalset.names import known_sections
from hayami.evalset.qids import QueryIds, number_of
from hayami.evalset.records import Flag, ImportedFile, Manifest, Query, Reason, Rejection
from hayami.importing.enlarging import Enlarged, write_enlarged
from hayami.importing.finding import Finder
from hayami.importing.merging import Answered, QueryMaker, merge_queries, with_flags
from hayami.importing.naming import Renamed, name_questions, renamed_questions
from hayami.importing.questions import QuestionFile, read_questions
from hayami.importing.shelf import Shelf
from hayami.label.grades import make_rejection
from hayami.parts import Label, NoLabel
from hayami.settings import Duplicates, Settings
from hayami.text.fold import compact
from hayami.text.overlap import Wording
from hayami.text.repeats import near_duplicates
from hayami.verdicts.apply import VerdictBook
from hayami.verdicts.effect import Stale
from hayami.verdicts.log import read_verdicts
from hayami.verdicts.settle import settle


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    folder: Path
    manifest: Manifest
    file: ImportedFile
    queries: tuple[Query, ...]
    """The queries that imported questions ask: new ones, and those they were merged into."""
    merged: int
    """Questions that the set had already, or that stand in the file twice."""
    rejections: tuple[Rejection, ...]
    renamed: tuple[Renamed, ...]
    twice: tuple[str, ...]
    """Ids that several questions of the file have."""
    unread: tuple[str, ...]
    """Fields of the file that hold nothing of a question's."""
    stale: tuple[Stale, ...]
    """The verdicts on imported questions that could not be applied."""


def import_questions(  # noqa: PLR0913
    file: Path | str,
    into: Path | str,
    out: Path | str | None = None,
    *,
    labels: Path | str | None = None,
    previous: Path | str | None = None,
    replace: bool = False,
) -> Imported:
    """Adds the questions of a file to an eval set; the set is written whole or not at all.

    The targets of a question are found as those of a table row: an id of a section and a path with
    a fragment by the rule ``anchor``, names by the rules for text. What is not found is a rejection
    with its reason.

    Args:
        file: JSON, JSONL or CSV, see :func:`hayami.importing.questions.read_questions`.
        into: the eval set; its settings hold for the questions.
        out: where to write the set with the questions; None replaces ``into``.
        labels: a folder of verdicts, or one file of them, to be applied to the questions.
        previous: an older set that had the questions: those without ids of their own keep the ids
            they had there.
        replace: whether a set in ``out`` may lose queries by it.

    Raises:
        QuestionsError: the file cannot be read, or was imported into this set already.
        EvalSetError: there is no sound set in ``into``.
        VerdictError: a verdict file is missing or damaged.
        OutputError: the set cannot be written, or ``out`` would lose queries; what was there is
            untouched.
    """
    old = load(into)
    given = read_questions(Path(file))
    _refuse_again(old.manifest, given)
    earlier = None if previous is None else load(previous)
    import_ = _Import(old, given, earlier, None if labels is None else Path(labels))
    import_.label()
    import_.merge()
    if out is not None and not replace:
        _refuse_loss(Path(out), import_.queries.values())
    with Staging(Path(into if out is None else out)) as staging:
        manifest = write_enlarged(import_.enlarged(), staging)
        staging.commit(manifest)
    return import_.told(staging.out, manifest)


def _refuse_again(manifest: Manifest, given: QuestionFile) -> None:
    for one in manifest.imported:
        if one.path == given.record.path or one.sha256 == given.record.sha256:
            hint = "Build the set again, then import the file once; --previous keeps the query ids."
            raise QuestionsError(
                f"{one.path} was imported into this set already", where=str(given.path), hint=hint
            )
    if not given.questions:
        raise QuestionsError(
            "holds no question", where=str(given.path), hint="Each question needs 'query'."
        )


def _refuse_loss(out: Path, queries: Iterable[Query]) -> None:
    """Refuses to replace a set that asks what the new one does not."""
    if not (out / MANIFEST).is_file():
        return
    kept = {compact(query.query) for query in queries}
    lost = [query for query in load(out).queries() if compact(query.query) not in kept]
    if lost:
        what = f"the set there would lose {len(lost):,} of its queries, such as {lost[0].qid}"
        hint = "Choose another --out, or say --replace. Nothing was written."
        raise OutputError(what, where=str(out), hint=hint)


class _Import:
    """One import under way."""

    def __init__(
        self, old: EvalSet, given: QuestionFile, earlier: EvalSet | None, labels: Path | None
    ) -> None:
        self.old = old
        self.given = given
        self.settings = Settings.model_validate(old.manifest.settings)
        self.shelf = Shelf.of(old)
        self.queries: dict[str, Query] = {query.qid: query for query in old.queries()}
        self.ids = _query_ids(old.manifest, self.queries, earlier)
        self.labels = labels
        self.verdicts: VerdictBook | None = None
        if labels is not None:
            settlement = settle(read_verdicts(labels))
            known = known_sections(old.sections(), settlement.articles)
            self.verdicts = VerdictBook(settlement, lambda article: known.get(article, ()))
        self.answered: list[Answered] = []
        self.touched: dict[str, None] = {}
        self.rejections: list[Rejection] = []
        self.renamed: list[Renamed] = []
        self.merged = 0
        self.stale: tuple[Stale, ...] = ()

    def label(self) -> None:
        """Finds the targets of every question; those that duplicate another may be rejected."""
        finder = Finder(self.shelf, self.settings)
        known = {compact(query.query) for query in self.queries.values()}
        for number, question in enumerate(self.given.questions):
            outcome, article = finder.find(question, number)
            if self.verdicts is not None:
                outcome = self.verdicts.apply(outcome, article)
            if isinstance(outcome, Label):
                one = Answered(question, outcome, article)
                if self.settings.duplicates is not Duplicates.DROP or one.key not in known:
                    known.add(one.key)
                    self.answered.append(one)
                    continue
                outcome = NoLabel(outcome.row, Reason.DUPLICATE_QUESTION, ())
            rejection = make_rejection(outcome, article, self.given.record.path)
            self.rejections.append(rejection)
        if self.verdicts is not None:
            self.stale = self.verdicts.unapplied()

    def merge(self) -> None:
        """Makes queries of the labelled questions; equal ones are merged if the set's are."""
        groups, standing = self._groups()
        fresh = [group for group, qid in zip(groups, standing, strict=True) if not qid]
        named = iter(self._named([group[0] for group in fresh]))
        known = {compact(query.query) for query in self.queries.values()}
        maker = QueryMaker(
            self.shelf, self.settings.short_question, self.given.record, self._wordings()
        )
        for group, there in zip(groups, standing, strict=True):
            repeated = len(group) > 1 or group[0].key in known
            known.add(group[0].key)
            query = maker.make(there or next(named), group, repeated=repeated)
            if there:
                query = merge_queries(self.queries[there], query, self.shelf)
            self.merged += len(group) - (not there)
            self.queries[query.qid] = query
            self.touched[query.qid] = None
        self._flag_near()

    def _groups(self) -> tuple[list[list[Answered]], list[str]]:
        """The questions of each query, and the id of the set's query that asks the same, or ""."""
        if self.settings.duplicates is not Duplicates.MERGE:
            return [[one] for one in self.answered], [""] * len(self.answered)
        there: dict[str, str] = {}
        for query in self.queries.values():
            there.setdefault(compact(query.query), query.qid)
        groups: dict[str, list[Answered]] = {}
        for one in self.answered:
            groups.setdefault(one.key, []).append(one)
        return list(groups.values()), [there.get(key, "") for key in groups]

    def _named(self, fresh: Sequence[Answered]) -> list[str]:
        """The ids of questions that the set does not have."""
        given = [one.question.id for one in fresh]
        claimants = [one.claimant for one in fresh]
        qids = name_questions(given, claimants, self.ids, self.queries)
        self.renamed = renamed_questions(given, qids, self.queries)
        return qids

    def _wordings(self) -> dict[str, Wording]:
        """The texts of all targets of imported questions, by section."""
        wanted: set[str] = set()
        for one in self.answered:
            wanted.update(target.section for target in one.label.targets)
        found: dict[str, Wording] = {}
        for section in self.old.sections():
            if section.id in wanted:
                found[section.id] = Wording.of(section.heading, section.headings, section.text)
        return found

    def _flag_near(self) -> None:
        """Flags what is nearly the same, imported or there before; a flag that is there stays."""
        qids = list(self.queries)
        near: set[int] = set()
        for pair in near_duplicates([query.query for query in self.queries.values()]):
            near |= {pair.one, pair.other}
        for place in near:
            query = self.queries[qids[place]]
            self.queries[qids[place]] = with_flags(query, [*query.flags, Flag.NEAR_DUPLICATE])

    def enlarged(self) -> Enlarged:
        """The larger set, to be written."""
        return Enlarged(
            old=self.old,
            shelf=self.shelf,
            record=self.given.record,
            queries=tuple(self.queries.values()),
            rejections=tuple(self.rejections),
            last_qid=self.ids.last,
            verdicts=self.verdicts,
            labels=self.labels,
        )

    def told(self, folder: Path, manifest: Manifest) -> Imported:
        """What the import did."""
        given = Counter(question.id for question in self.given.questions if question.id)
        return Imported(
            folder=folder,
            manifest=manifest,
            file=self.given.record,
            queries=tuple(self.queries[qid] for qid in self.touched),
            merged=self.merged,
            rejections=tuple(self.rejections),
            renamed=tuple(self.renamed),
            twice=tuple(qid for qid, many in given.items() if many > 1),
            unread=self.given.unread,
            stale=self.stale,
        )


def _query_ids(
    manifest: Manifest, queries: Mapping[str, Query], earlier: EvalSet | None
) -> QueryIds:
    """The ids of an earlier set, if there is one, and the last number that was ever given."""
    last = max([manifest.last_qid, *map(number_of, queries)])
    if earlier is None:
        return QueryIds(last=last)
    return QueryIds.of(earlier.queries(), max(last, earlier.manifest.last_qid))
