"""From a file of questions and an eval set to a larger set, written whole or not at all."""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from hayami.errors import AccountingError, EvalSetError, QuestionsError
from hayami.evalset.check import count
from hayami.evalset.disk import Staging
from hayami.evalset.folder import (
    ARTICLES,
    CORPUS,
    QRELS,
    QUERIES,
    REJECTED,
    EvalSet,
    load,
    qrels_lines,
)
from hayami.evalset.names import RowKey, row_key
from hayami.evalset.qids import Claimant, QueryIds, number_of
from hayami.evalset.records import (
    TRUST,
    Counts,
    Flag,
    Grade,
    ImportedFile,
    Manifest,
    Query,
    Reason,
    Rejection,
    VerdictCounts,
    best_targets,
    grade_sections,
)
from hayami.importing.finding import Finder
from hayami.importing.questions import Question, QuestionFile, read_questions
from hayami.importing.shelf import Shelf
from hayami.label.flags import wording_flags
from hayami.label.grades import Labelled, make_query, make_rejection
from hayami.parts import Label, NoLabel, text_of
from hayami.settings import Duplicates, Settings
from hayami.text.fold import compact
from hayami.text.overlap import Wording
from hayami.text.repeats import near_duplicates
from hayami.verdicts.apply import VerdictBook
from hayami.verdicts.effect import Stale
from hayami.verdicts.log import read_verdicts, verdict_hashes
from hayami.verdicts.settle import settle

SOURCE: Final = "import:"
"""What stands before the reference in ``source`` where a question does not say who wrote it."""
_LONGEST_ID: Final = 200
_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Renamed:
    """A question whose id in the file is not its id in the set."""

    given: str
    qid: str
    why: str
    """A phrase: why its own id could not be used."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    folder: Path
    manifest: Manifest
    file: ImportedFile
    queries: tuple[Query, ...]
    """The queries of the set that imported questions ask, new ones and those they were merged into."""
    merged: int
    """Questions that the set had already, or that stand in the file twice, and whose targets were added there."""
    rejections: tuple[Rejection, ...]
    renamed: tuple[Renamed, ...]
    twice: tuple[str, ...]
    """Ids that several questions of the file have."""
    unread: tuple[str, ...]
    """Fields of the file that hold nothing of a question's."""
    stale: tuple[Stale, ...]
    """The verdicts on imported questions that could not be applied."""


def import_questions(
    file: Path | str,
    into: Path | str,
    out: Path | str | None = None,
    *,
    labels: Path | str | None = None,
    previous: Path | str | None = None,
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

    Raises:
        QuestionsError: the file cannot be read, or was imported into this set already.
        EvalSetError: there is no sound set in ``into``.
        VerdictError: a verdict file is missing or damaged.
        OutputError: the set cannot be written; what was there is untouched.
    """
    old = load(into)
    given = read_questions(Path(file))
    record = ImportedFile(
        path=given.path.name,
        sha256=hashlib.sha256(given.data).hexdigest(),
        questions=len(given.questions),
    )
    _refuse_again(old.manifest, record, given)
    earlier = load(previous) if previous is not None else None
    import_ = _Import(old, given, record, earlier, Path(labels) if labels is not None else None)
    import_.label()
    import_.merge()
    with Staging(Path(out if out is not None else into)) as staging:
        manifest = import_.write(staging)
        staging.commit(manifest)
    return import_.told(staging.out, manifest)


def _refuse_again(manifest: Manifest, record: ImportedFile, given: QuestionFile) -> None:
    for one in manifest.imported:
        if record.path == one.path or record.sha256 == one.sha256:
            hint = "Build the set again, then import the file once; --previous keeps the query ids."
            raise QuestionsError(
                f"{one.path} was imported into this set already", where=str(given.path), hint=hint
            )
    if not given.questions:
        raise QuestionsError(
            "holds no question", where=str(given.path), hint="Each question needs 'query'."
        )


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question of the file with what the rules made of it."""

    question: Question
    outcome: Label | NoLabel
    article: str
    """Id of the article that it is about; empty if there is none."""


class _Import:
    """One import under way."""

    def __init__(
        self,
        old: EvalSet,
        given: QuestionFile,
        record: ImportedFile,
        earlier: EvalSet | None,
        labels: Path | None,
    ) -> None:
        self.old = old
        self.given = given
        self.record = record
        self.settings = Settings.model_validate(old.manifest.settings)
        self.shelf = Shelf.of(old)
        self.ids = _ids(old, earlier)
        self.labels = labels
        self.judgements = (
            VerdictBook(settle(read_verdicts(labels)), self.shelf.known)
            if labels is not None
            else None
        )
        self.asked: list[_Asked] = []
        self.queries: dict[str, Query] = {query.qid: query for query in old.queries()}
        self.touched: dict[str, None] = {}
        self.rejections: list[Rejection] = []
        self.renamed: list[Renamed] = []
        self.merged = 0
        self.stale: tuple[Stale, ...] = ()

    def label(self) -> None:
        """Finds the targets of every question."""
        finder = Finder(self.shelf, self.settings)
        for number, question in enumerate(self.given.questions):
            outcome, article = finder.find(question, number)
            if self.judgements is not None:
                outcome = self.judgements.apply(outcome, article)
            self.asked.append(_Asked(question, outcome, article))
        if self.judgements is not None:
            self.stale = self.judgements.unapplied()

    def merge(self) -> None:
        """Makes queries of the labelled questions; equal ones are merged, kept or dropped as the set's settings say."""
        groups = self._groups()
        standing = self._standing()
        fresh = [key for key in groups if key not in standing]
        qids = dict(zip(fresh, self._qids([groups[key][0] for key in fresh]), strict=True))
        wordings = self._wordings()
        for key, group in groups.items():
            repeated = len(group) > 1 or key in standing or compact(_words(group[0])) != key
            query = self._query(qids.get(key) or standing[key], group, wordings, repeated=repeated)
            if key in standing:
                query = merge_queries(self.queries[query.qid], query, self.shelf)
            self.merged += len(group) - (key not in standing)
            self.queries[query.qid] = query
            self.touched[query.qid] = None
        self._flag_near()

    def _standing(self) -> dict[str, str]:
        """The ids of the queries that the set has already, by their words, where equal ones are to be merged."""
        if self.settings.duplicates is not Duplicates.MERGE:
            return {}
        return {compact(query.query): query.qid for query in reversed(self.queries.values())}

    def _groups(self) -> dict[str, list[_Asked]]:
        """The labelled questions by the words that make them one query; the others are rejected."""
        known = {compact(query.query) for query in self.queries.values()}
        groups: dict[str, list[_Asked]] = {}
        for number, one in enumerate(self.asked):
            if isinstance(one.outcome, NoLabel):
                self._reject(one, one.outcome)
                continue
            key = compact(_words(one))
            seen = key in known or key in groups
            if self.settings.duplicates is Duplicates.DROP and seen:
                self._reject(one, NoLabel(one.outcome.row, Reason.DUPLICATE_QUESTION, ()))
            elif self.settings.duplicates is Duplicates.KEEP and seen:
                groups[f"{key}\n{number}"] = [one]  # no folded question holds a line end
            else:
                groups.setdefault(key, []).append(one)
        return groups

    def _qids(self, fresh: Sequence[_Asked]) -> list[str]:
        """The id of each question: its own if it can be used, else that of the previous set, else a new one."""
        taken = set(self.queries)
        own: list[str] = []
        for one in fresh:
            usable = one.question.id and not why_unusable(one.question.id, taken)
            own.append(one.question.id if usable else "")
            taken |= {one.question.id} if usable else set()
        rest = [
            Claimant((self._key(one),), _words(one))
            for one, qid in zip(fresh, own, strict=True)
            if not qid
        ]
        others = iter(self.ids.assign(rest, taken))
        qids = [qid or next(others) for qid in own]
        seen = set(self.queries)
        for one, qid in zip(fresh, qids, strict=True):
            if one.question.id and qid != one.question.id:
                self.renamed.append(
                    Renamed(one.question.id, qid, why_unusable(one.question.id, seen))
                )
            seen.add(qid)
        return qids

    def _key(self, one: _Asked) -> RowKey:
        row = one.outcome.row
        return row_key(one.article, row.question, text_of(row.reference))

    def _wordings(self) -> dict[str, Wording]:
        """The texts of all targets of imported questions, by section."""
        wanted = {
            t.section
            for one in self.asked
            if isinstance(one.outcome, Label)
            for t in one.outcome.targets
        }
        return {
            s.id: Wording.of(s.heading, s.headings, s.text)
            for s in self.old.sections()
            if s.id in wanted
        }

    def _query(
        self, qid: str, group: Sequence[_Asked], wordings: Mapping[str, Wording], *, repeated: bool
    ) -> Query:
        """The query of some imported questions that are one."""
        labelled = [
            Labelled(one.outcome, self.shelf.articles[one.article])
            for one in group
            if isinstance(one.outcome, Label)
        ]
        targets = sorted({target.section for one in labelled for target in one.label.targets})
        sections = self.shelf.of_sections({target.rpartition("#")[0] for target in targets})
        seen = wording_flags(labelled[0].label.asked, (wordings[target] for target in targets))
        made = make_query(
            qid, labelled, sections, self.settings.short_question, repeated=repeated, seen=seen
        )
        first = group[0].question
        stood = {"path": self.record.path, "sha256": self.record.sha256}
        told = {
            "source": first.source or SOURCE + text_of(group[0].outcome.row.reference),
            "origins": tuple(origin.model_copy(update=stood) for origin in made.origins),
            "category": next((one.question.category for one in group if one.question.category), ""),
            "difficulty": next(
                (one.question.difficulty for one in group if one.question.difficulty), ""
            ),
            "expected_keywords": tuple(
                dict.fromkeys(k for one in group for k in one.question.expected_keywords)
            ),
        }
        return made.model_copy(update=told)

    def _reject(self, one: _Asked, outcome: NoLabel) -> None:
        self.rejections.append(make_rejection(outcome, one.article, self.record.path))

    def _flag_near(self) -> None:
        """Flags what is nearly the same, imported or there before; a flag that is there stays."""
        qids = list(self.queries)
        texts = [self.queries[qid].query for qid in qids]
        near = {place for pair in near_duplicates(texts) for place in (pair.one, pair.other)}
        for place in near:
            query = self.queries[qids[place]]
            self.queries[qids[place]] = with_flags(query, [*query.flags, Flag.NEAR_DUPLICATE])

    def write(self, staging: Staging) -> Manifest:
        """Writes all files of the set but the manifest, which it gives."""
        for name in (ARTICLES, CORPUS, REJECTED):
            self._copy(name, staging)
        for rejection in self.rejections:
            staging.write_record(REJECTED, rejection)
        for query in self.queries.values():
            staging.write_record(QUERIES, query)
            sections = self.shelf.of_sections(
                {target.rpartition("#")[0] for target in query.relevant}
            )
            staging.write(QRELS, qrels_lines(query, sections))
        return self._manifest(staging.hashes(), str(staging.out))

    def _copy(self, name: str, staging: Staging) -> None:
        """Copies a file of the set as it is, if it is the one that was built."""
        path = self.old.folder / name
        digest = hashlib.sha256()
        try:
            with path.open("rb") as file:
                while block := file.read(_BLOCK):
                    digest.update(block)
                    staging.write(name, block)
        except OSError as error:
            raise EvalSetError(
                error.strerror or str(error), where=str(path), hint="Build the set again."
            ) from error
        if digest.hexdigest() != self.old.manifest.files.get(name):
            what = "is not the file that was built: its sha256 differs from the manifest's"
            raise EvalSetError(what, where=str(path), hint="Build the set again.")

    def _manifest(self, hashes: dict[str, str], where: str) -> Manifest:
        old = self.old.manifest
        imported = (*old.imported, self.record)
        counts, accounting = count(
            list(self.shelf.articles.values()),
            len(self.shelf.headings),
            list(self.queries.values()),
            [*self.old.rejections(), *self.rejections],
            sum(file.questions for file in imported),
        )
        if not accounting.balanced:
            what = f"{accounting.rows} rows, of which {accounting.rows_in_queries} + {accounting.rows_rejected} written"
            raise AccountingError(
                what, where=where, hint="Please report this with the file; nothing was written."
            )
        told = {
            "hayami": importlib.metadata.version("hayami"),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "counts": _sorted(counts),
            "accounting": accounting,
            "files": hashes,
            "imported": imported,
            "last_qid": self.ids.last,
            "verdicts": self._verdicts(),
        }
        return old.model_copy(update=told)

    def _verdicts(self) -> VerdictCounts | None:
        """The verdicts of the set and of this import; those that a build found no row for may be on these questions."""
        before = self.old.manifest.verdicts
        if self.labels is None or self.judgements is None:
            return before
        applied = Counter(before.applied if before is not None else {}) + self.judgements.applied
        waiting = before.stale - self.judgements.applied.total() if before is not None else 0
        return VerdictCounts(
            files=(before.files if before is not None else {}) | verdict_hashes(self.labels),
            applied=dict(sorted(applied.items())),
            stale=max(0, waiting, len(self.stale)),
            conflicts=len(self.judgements.settlement.conflicts),
        )

    def told(self, folder: Path, manifest: Manifest) -> Imported:
        """What the import did."""
        return Imported(
            folder=folder,
            manifest=manifest,
            file=self.record,
            queries=tuple(self.queries[qid] for qid in self.touched),
            merged=self.merged,
            rejections=tuple(self.rejections),
            renamed=tuple(self.renamed),
            twice=tuple(
                one
                for one, many in Counter(q.id for q in self.given.questions if q.id).items()
                if many > 1
            ),
            unread=self.given.unread,
            stale=self.stale,
        )


def _ids(old: EvalSet, earlier: EvalSet | None) -> QueryIds:
    last = max([old.manifest.last_qid, *(number_of(query.qid) for query in old.queries())])
    if earlier is None:
        return QueryIds(last=last)
    return QueryIds.of(earlier.queries(), max(last, earlier.manifest.last_qid))


def _words(one: _Asked) -> str:
    """The question as it is asked, after what a judge made of it."""
    return one.outcome.asked if isinstance(one.outcome, Label) else one.outcome.row.question


def why_unusable(given: str, taken: Collection[str]) -> str:
    """Why an id of a file cannot be a query id; empty if it can."""
    if number_of(given):
        return "ids of this form are hayami's own"
    if given in taken:
        return "another question has this id"
    if given.split() != [given] or not given.isprintable():
        return "an id in TREC files holds no white space"
    return "longer than 200 characters" if len(given) > _LONGEST_ID else ""


def with_flags(query: Query, flags: Collection[Flag]) -> Query:
    """A query with these flags, in their order."""
    return query.model_copy(update={"flags": tuple(flag for flag in Flag if flag in flags)})


def merge_queries(query: Query, other: Query, shelf: Shelf) -> Query:
    """A query with the targets and origins of another one that asks the same.

    It keeps its id, its words and its article; the match is the least trusted of all. It depends on
    its context only if both do.
    """
    targets = best_targets([*query.targets, *other.targets])
    relevant = dict.fromkeys(sorted(targets), int(Grade.TARGET))
    grades = grade_sections(
        relevant, shelf.of_sections({target.rpartition("#")[0] for target in targets})
    )
    both = Flag.CONTEXT_DEPENDENT in query.flags and Flag.CONTEXT_DEPENDENT in other.flags
    flags = {*query.flags, *other.flags, Flag.DUPLICATE} - (
        set() if both else {Flag.CONTEXT_DEPENDENT}
    )
    merged = query.model_copy(
        update={
            "relevant": relevant,
            "same_article": len(grades) - len(relevant),
            "match": max((target.match for target in targets.values()), key=TRUST.index),
            "answer": query.answer or other.answer,
            "targets": tuple(targets.values()),
            "origins": (*query.origins, *other.origins),
            "verdicts": tuple(dict.fromkeys((*query.verdicts, *other.verdicts))),
            "category": query.category or other.category,
            "difficulty": query.difficulty or other.difficulty,
            "expected_keywords": tuple(
                dict.fromkeys((*query.expected_keywords, *other.expected_keywords))
            ),
        }
    )
    return with_flags(merged, flags)


def _sorted(counts: Counts) -> Counts:
    """The counts with their tables in the order in which a build writes them."""
    tables = {
        n: dict(sorted(getattr(counts, n).items()))
        for n in type(counts).model_fields
        if n.startswith("by_")
    }
    return counts.model_copy(update=tables)
