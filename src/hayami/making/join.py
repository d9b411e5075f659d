"""Second step of a build.

Rows that need other articles, equal questions, and the queries they become.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from hayami.evalset.records import Flag, Reason, article_of
from hayami.label.flags import wording_flags
from hayami.label.grades import Labelled, make_query
from hayami.label.headings import HeadingIndex
from hayami.label.match import match_row
from hayami.making.catalogue import Catalogue, Entry, Wordings
from hayami.making.grouping import QueryRows, Questions
from hayami.making.output import SetWriter
from hayami.parts import Label, NoLabel, Row, Unreadable
from hayami.settings import Duplicates, Settings
from hayami.text.fold import compact
from hayami.verdicts.apply import VerdictBook


def join_rows(  # noqa: PLR0913, PLR0917 - one call, with what the two steps share
    catalogue: Catalogue,
    unreadable: Sequence[Unreadable],
    settings: Settings,
    verdicts: VerdictBook | None,
    writer: SetWriter,
    questions: Questions,
) -> None:
    """Every row with its outcome, in the order of article ids.

    Labels go to ``questions``, rejections to ``writer``.
    """
    waiting = deque(sorted(unreadable, key=lambda file: (file.id, file.path)))
    for article in sorted(catalogue.places):
        while waiting and waiting[0].id < article:
            writer.reject_file(waiting.popleft())
        if article not in catalogue.with_rows:
            continue
        entry = catalogue.entry(article)
        for outcome in _settled(entry, catalogue, settings):
            judged = outcome if verdicts is None else verdicts.apply(outcome, article)
            _take(judged, entry, settings.duplicates, writer, questions)
    for left in waiting:
        writer.reject_file(left)


def _settled(entry: Entry, catalogue: Catalogue, settings: Settings) -> Iterator[Label | NoLabel]:
    """The outcomes of an article's rows, now that all articles are known."""
    index = HeadingIndex(entry.outline, settings)
    for outcome in entry.outcomes:
        yield match_row(outcome, index, catalogue) if isinstance(outcome, Row) else outcome


def _take(
    outcome: Label | NoLabel,
    entry: Entry,
    duplicates: Duplicates,
    writer: SetWriter,
    questions: Questions,
) -> None:
    """Keeps a label among the questions, or writes the rejection."""
    if isinstance(outcome, NoLabel):
        writer.reject_row(outcome, entry.article)
        return
    labelled = Labelled(outcome, entry.article)
    if duplicates is Duplicates.DROP and questions.asks_again(labelled):
        again = NoLabel(outcome.row, Reason.DUPLICATE_QUESTION, ())
        writer.reject_row(again, entry.article)
        return
    questions.add(labelled)


def write_queries(
    numbered: Sequence[tuple[str, QueryRows]],
    questions: Questions,
    catalogue: Catalogue,
    settings: Settings,
    writer: SetWriter,
) -> None:
    """Writes each query under its id, in the order given."""
    near = questions.nearly_repeated()
    wordings = Wordings(writer.corpus(), catalogue)
    try:
        for qid, query in numbered:
            rows = questions.rows(query)
            targets = {target.section for one in rows for target in one.label.targets}
            sections = catalogue.sections(set(map(article_of, targets)))
            question = rows[0].label.asked
            seen = wording_flags(question, map(wordings.of, sorted(targets)))
            if compact(question) in near:
                seen.add(Flag.NEAR_DUPLICATE)
            short = settings.short_question
            made = make_query(qid, rows, sections, short, repeated=query.repeated, seen=seen)
            writer.query(made, sections)
    finally:
        wordings.close()
