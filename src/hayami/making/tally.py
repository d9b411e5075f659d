"""Counting what a build reads and writes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from hayami.evalset.records import Accounting, Counts, Query
from hayami.making.catalogue import Portion


@dataclass
class Tally:
    """Counts while a build goes on."""

    articles: int = 0
    sections: int = 0
    tables: int = 0
    queries: int = 0
    origins: int = 0
    rejected_rows: int = 0
    rejected_files: int = 0
    warnings: int = 0
    matches: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    detectors: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)

    def note(self, portion: Portion) -> None:
        """Counts an article."""
        self.articles += 1
        self.sections += len(portion.ordinals)
        self.tables += portion.tables
        self.warnings += len(portion.warnings)
        self.detectors.update(portion.rows)
        self.languages[portion.language] += 1

    def note_query(self, query: Query) -> None:
        """Counts a query."""
        self.queries += 1
        self.origins += len(query.origins)
        self.matches[query.match] += 1
        self.flags.update(map(str, query.flags))

    def accounting(self, files: int) -> Accounting:
        """What was read against what was written."""
        return Accounting(
            rows=self.detectors.total(),
            rows_in_queries=self.origins,
            rows_rejected=self.rejected_rows,
            files=files,
            files_read=self.articles,
            files_rejected=self.rejected_files,
        )

    def counts(self, files: int) -> Counts:
        """The counts for the manifest."""
        return Counts(
            files=files,
            articles=self.articles,
            sections=self.sections,
            tables=self.tables,
            rows=self.detectors.total(),
            queries=self.queries,
            warnings=self.warnings,
            by_match=dict(sorted(self.matches.items())),
            by_reason=dict(sorted(self.reasons.items())),
            by_detector=dict(sorted(self.detectors.items())),
            by_language=dict(sorted(self.languages.items())),
            by_flag=dict(sorted(self.flags.items())),
        )
