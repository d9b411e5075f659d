"""What every format is given: queries, sections and judgements under their final ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from pydantic_core import PydanticSerializationError

from hayami.errors import EvalSetError, OutputError
from hayami.evalset.folder import CORPUS, QRELS, QUERIES, EvalSet
from hayami.evalset.idmap import IdPair
from hayami.evalset.records import Applied, Grade, Query, Record, Section, Target
from hayami.export.ids import Ids, safe_id, unfit

Judgements = dict[str, dict[str, int]]
"""Grades by query id and section id; queries in the order of the set, sections by falling grade,
then by id."""
_CHECK: Final = "Run 'hayami check' on the set."


class Labels(StrEnum):
    """Which sections count as relevant."""

    GRADED = "graded"
    STRICT = "strict"
    ARTICLE = "article"


LABELS_MEANINGS: Final[dict[Labels, str]] = {
    Labels.GRADED: "2 for the targets, 1 for the other sections of their articles",
    Labels.STRICT: "the targets alone",
    Labels.ARTICLE: "every section of a target's article counts, grade 1",
}


@dataclass(frozen=True, slots=True)
class Bundle:
    """An eval set as it is to be exported.

    Sections are read from the disk each time; the rest is in memory.
    """

    evalset: EvalSet
    labels: Labels
    split: str
    queries: tuple[Query, ...]
    """The queries under their final ids."""
    judged: Judgements
    """What the labels asked for say."""
    strict: Judgements
    """Grade 2 alone, whatever was asked for."""
    graded: Judgements
    """Grades 2 and 1, whatever was asked for."""
    names: Mapping[str, str]
    """The final id of every section by its id in the set, in the order of the corpus."""
    licence: str = ""
    """The licence of the articles; empty if nobody stated it."""
    renamed: tuple[IdPair, ...] = ()
    """The ids of the export and of the set; empty if ids are kept."""

    def sections(self) -> Iterator[Section]:
        """The corpus in its order, under the final ids."""
        for section in self.evalset.sections():
            name = self.names[section.id]
            yield section if name == section.id else section.model_copy(update={"id": name})

    @property
    def beside(self) -> Labels:
        """The labels that lie beside those asked for: graded beside strict ones, else strict."""
        return Labels.GRADED if self.labels is Labels.STRICT else Labels.STRICT

    @property
    def judged_beside(self) -> Judgements:
        """What the labels that lie beside say."""
        return self.graded if self.labels is Labels.STRICT else self.strict

    def relevant(self, query: Query) -> list[str]:
        """The sections that count for a query where a format has no grades."""
        return list(self.judged[query.qid])


def read_bundle(  # noqa: PLR0913 - half of them are choices with a default
    evalset: EvalSet, labels: Labels, split: str, *, ids: Ids, plain: bool, licence: str = ""
) -> Bundle:
    """The set, read and checked as far as an export depends on it.

    Args:
        evalset: the set.
        labels: which sections count; ``split`` is the name of the only split.
        split: for formats that have splits.
        ids: whether ids are kept or spelt in ASCII.
        plain: whether the format holds only plain ids; see :func:`hayami.export.ids.unfit`.
        licence: of the articles.

    Raises:
        EvalSetError: the files of the set do not agree with each other.
        OutputError: there is no query, or an id or a text that no file in UTF-8 can hold, or the
            format cannot.
    """
    final: Callable[[str], str] = safe_id if ids is Ids.SAFE else str
    sections = _read_sections(evalset, final)
    queries = _read_queries(evalset)
    qids = {query.qid: final(query.qid) for query in queries}
    graded = evalset.qrels()
    _agree(evalset.folder, queries, graded, sections)
    _refuse_ids(evalset.folder, {"query": qids, "section": sections}, plain=plain)
    judged: Judgements = {}
    for query in queries:
        grades = graded[query.qid]
        judged[qids[query.qid]] = {sections[section]: grades[section] for section in grades}
    renamed: tuple[IdPair, ...] = ()
    if ids is Ids.SAFE:
        queries = tuple(under(query, qids, sections) for query in queries)
        renamed = _pairs(qids, sections)
    return Bundle(
        evalset,
        labels,
        split,
        queries,
        judged=_seen_as(labels, judged),
        strict=_seen_as(Labels.STRICT, judged),
        graded=_seen_as(Labels.GRADED, judged),
        names=sections,
        licence=licence,
        renamed=renamed,
    )


def _pairs(qids: Mapping[str, str], sections: Mapping[str, str]) -> tuple[IdPair, ...]:
    """Every id of the set with the one that it has in the export."""
    queries = [IdPair(kind="query", exported=qids[old], in_set=old) for old in qids]
    others = [IdPair(kind="section", exported=sections[old], in_set=old) for old in sections]
    return (*queries, *others)


def _read_sections(evalset: EvalSet, final: Callable[[str], str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for number, section in enumerate(evalset.sections(), 1):
        where = f"{evalset.folder / CORPUS}:{number}"
        if section.id in names:
            raise EvalSetError(f"section id {section.id} stands twice", where=where, hint=_CHECK)
        _encodable(section, where)
        names[section.id] = final(section.id)
    return names


def _read_queries(evalset: EvalSet) -> tuple[Query, ...]:
    queries = tuple(evalset.queries())
    if not queries:
        raise OutputError(
            "the set holds no queries: there is nothing to export",
            where=str(evalset.folder),
            hint="See rejected.jsonl, and 'hayami build --detect both'.",
        )
    for number, query in enumerate(queries, 1):
        _encodable(query, f"{evalset.folder / QUERIES}:{number}")
    return queries


def _encodable(record: Record, where: str) -> None:
    """Raises OutputError for half a surrogate pair: JSON can escape it, no UTF-8 can hold it."""
    try:
        record.model_dump_json()
    except PydanticSerializationError as error:
        what = "holds half a character (a lone surrogate): no file in UTF-8 can hold it"
        raise OutputError(
            what, where=where, hint="Mend the text and build the set again."
        ) from error


def _agree(
    folder: Path, queries: tuple[Query, ...], graded: Judgements, sections: Mapping[str, str]
) -> None:
    """Raises EvalSetError unless queries, corpus and qrels say the same."""
    known = {query.qid for query in queries}
    if len(known) < len(queries):
        raise EvalSetError("a query id stands twice", where=str(folder / QUERIES), hint=_CHECK)
    strange = next((qid for qid in graded if qid not in known), None)
    if strange is not None:
        what = f"{strange} is no query of {QUERIES}"
        raise EvalSetError(what, where=str(folder / QRELS), hint=_CHECK)
    for number, query in enumerate(queries, 1):
        grades = graded.get(query.qid, {})
        lost = next((section for section in grades if section not in sections), None)
        if lost is not None:
            what = f"{query.qid} names {lost}, which is not in {CORPUS}"
            raise EvalSetError(what, where=str(folder / QRELS), hint=_CHECK)
        if not _is_labelled(query, grades):
            what = f"the targets of {query.qid} are not those in {QRELS}"
            raise EvalSetError(what, where=f"{folder / QUERIES}:{number}", hint=_CHECK)


def _is_labelled(query: Query, grades: Mapping[str, int]) -> bool:
    """Whether a query has targets, and the qrels give grade 2 to these and no other section."""
    targets = {section for section, grade in grades.items() if grade == Grade.TARGET}
    return bool(targets) and targets == set(query.relevant)


def _refuse_ids(folder: Path, names: Mapping[str, Mapping[str, str]], *, plain: bool) -> None:
    hint = "--ids safe spells the ids in A-Z a-z 0-9 _ - and writes ids.jsonl, which maps them."
    for kind, ids in names.items():
        for old, new in ids.items():
            if reason := unfit(new, plain=plain):
                what = f"{kind} id {old!r} {reason}: the format cannot hold it"
                raise OutputError(what, where=str(folder), hint=hint)
    if both := next((qid for qid in names["query"] if qid in names["section"]), None):
        what = (
            f"{both!r} is the id of a query and of a section: BEIR's evaluation drops such results"
        )
        raise OutputError(what, where=str(folder), hint="Give the query another id.")


def _seen_as(labels: Labels, graded: Judgements) -> Judgements:
    """The judgements that labels of one kind make of those of the set."""
    least = Grade.TARGET if labels is Labels.STRICT else Grade.SAME_ARTICLE
    seen: Judgements = {}
    for qid, grades in graded.items():
        kept = {section: int(grade) for section, grade in grades.items() if grade >= least}
        if labels is Labels.ARTICLE:
            kept = dict.fromkeys(kept, 1)
        seen[qid] = dict(sorted(kept.items(), key=lambda judged: (-judged[1], judged[0])))
    return seen


def under(query: Query, qids: Mapping[str, str], sections: Mapping[str, str]) -> Query:
    """A query with its own id and those of all sections it names replaced."""
    changed = {
        "qid": qids[query.qid],
        "relevant": {sections[section]: grade for section, grade in query.relevant.items()},
        "targets": tuple(_renamed_target(target, sections) for target in query.targets),
        "verdicts": tuple(_renamed_verdict(verdict, sections) for verdict in query.verdicts),
    }
    return query.model_copy(update=changed)


def _renamed_target(target: Target, sections: Mapping[str, str]) -> Target:
    runner_up = target.runner_up
    if runner_up is not None and runner_up.section is not None:
        name = _renamed(runner_up.section, sections)
        runner_up = runner_up.model_copy(update={"section": name})
    return target.model_copy(update={"section": sections[target.section], "runner_up": runner_up})


def _renamed_verdict(verdict: Applied, sections: Mapping[str, str]) -> Applied:
    found = tuple(_renamed(section, sections) for section in verdict.found)
    return verdict.model_copy(update={"found": found})


def _renamed(section: str, sections: Mapping[str, str]) -> str:
    """The final id of a section that evidence names, which may not be in the corpus any more."""
    return sections.get(section) or safe_id(section)
