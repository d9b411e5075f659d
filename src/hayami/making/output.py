"""The files of a set while it is built: each record is counted as it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from hayami.evalset.disk import Staging
from hayami.evalset.folder import ARTICLES, CORPUS, QRELS, QUERIES, REJECTED, qrels_lines
from hayami.evalset.records import Article, Query, Rejection
from hayami.label.grades import make_rejection
from hayami.making.catalogue import Portion
from hayami.making.tally import Tally
from hayami.parts import NoLabel, Unreadable


class SetWriter:
    """Writes the records of a set into a staging folder, and counts them."""

    def __init__(self, staging: Staging) -> None:
        self.tally = Tally()
        self._staging = staging

    def article(self, portion: Portion) -> None:
        """Writes an article and its sections."""
        self._staging.write(CORPUS, portion.corpus)
        self._staging.write(ARTICLES, portion.line)
        self.tally.note(portion)

    def corpus(self) -> Path:
        """The file of the sections written so far."""
        return self._staging.written(CORPUS)

    def query(self, query: Query, sections: Mapping[str, Sequence[str]]) -> None:
        """Writes a query and its judgements.

        ``sections`` are those of the articles of its targets.
        """
        self.tally.note_query(query)
        self._staging.write_record(QUERIES, query)
        self._staging.write(QRELS, qrels_lines(query, sections))

    def reject_row(self, rejected: NoLabel, article: Article) -> None:
        """Writes a row of an article that gave no label."""
        self.tally.rejected_rows += 1
        self._reject(make_rejection(rejected, article.id, article.path))

    def reject_file(self, unreadable: Unreadable) -> None:
        """Writes a file that gave no article."""
        self.tally.rejected_files += 1
        rejection = Rejection(
            reason=unreadable.reason,
            question="",
            answer="",
            reference="",
            href=None,
            article=unreadable.id,
            path=unreadable.path,
            table=None,
            row=None,
            detector=None,
            candidates=(),
            detail=unreadable.detail,
        )
        self._reject(rejection)

    def _reject(self, rejection: Rejection) -> None:
        self.tally.reasons[rejection.reason] += 1
        self._staging.write_record(REJECTED, rejection)
