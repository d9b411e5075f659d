"""The records that live in files: frozen, closed, every field described.

The field order is the order in the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum, StrEnum
from typing import Annotated, Final, NewType

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

FORMAT_VERSION: Final = 1
"""The version of the file formats that is written."""
READ_VERSIONS: Final = frozenset({FORMAT_VERSION, 2})
"""The versions that are read; 2 has ``relevant`` as a list of records. Any other is refused."""


SectionId = NewType("SectionId", str)
"""The id of a section: article id, ``#``, ordinal: ``guide/t128#2``, or ``guide/t128#lead``.

A text like any other where millions are made and written; what it is made of is asked of
:func:`article_of` and :func:`ordinal_of`, and :func:`section_id` makes one.
"""
LEAD: Final = -1
"""The ordinal of what stands before an article's first section."""
_LEAD: Final = "lead"


def section_id(article: str, ordinal: int) -> SectionId:
    """The id of a section of an article, or of its lead."""
    return SectionId(f"{article}#{_LEAD if ordinal == LEAD else ordinal}")


def article_of(section: str) -> str:
    """The id of the article that a section is of; empty for a text that is no section id."""
    return section.rpartition("#")[0]


def ordinal_of(section: str) -> int | None:
    """The ordinal of a section; None for a text that is no section id."""
    article, _, ordinal = section.rpartition("#")
    if not article:
        return None
    if ordinal == _LEAD:
        return LEAD
    return int(ordinal) if ordinal.isascii() and ordinal.isdecimal() else None


class Grade(IntEnum):
    """How relevant a section is to a query.

    Sections that are not named in the qrels were not judged.
    """

    TARGET = 2
    SAME_ARTICLE = 1
    NOT_JUDGED = 0


GRADE_MEANINGS: Final[dict[Grade, str]] = {
    Grade.TARGET: "the section that the writer of the article named for this question",
    Grade.SAME_ARTICLE: (
        "another section of the same article: the topic is the same, the answer is elsewhere"
    ),
    Grade.NOT_JUDGED: "nobody has judged it; it may still be relevant",
}


def grade_sections(
    targets: Iterable[str], sections: Mapping[str, Sequence[str]]
) -> dict[str, Grade]:
    """The grade of every section that a query judges: its targets, then their siblings.

    Args:
        targets: section ids; ``sections`` gives the ids of the corpus sections of each target's
            article.
        sections: by article id.
    """
    chosen = dict.fromkeys(sorted(targets), Grade.TARGET)
    articles = {article_of(section) for section in chosen}
    others = sorted(s for article in articles for s in sections.get(article, ()) if s not in chosen)
    return chosen | dict.fromkeys(others, Grade.SAME_ARTICLE)


class Match(StrEnum):
    """How the section of a reference was found, most trusted first."""

    MANUAL = "manual"
    PLACE = "place"
    ANCHOR = "anchor"
    EXACT = "exact"
    CONTAINS = "contains"
    NUMBER = "number"
    FUZZY = "fuzzy"


TRUST: Final[tuple[Match, ...]] = tuple(Match)
"""Matches from the most to the least trusted."""


class Reason(StrEnum):
    """Why a row or an article gave no label.

    The list is closed: whatever is read is a label or one of these.
    """

    NO_QUESTION = "no_question"
    NO_NEED = "no_need"
    NO_REFERENCE = "no_reference"
    UNMATCHED = "unmatched"
    AMBIGUOUS = "ambiguous"
    CONTRADICTION = "contradiction"
    BROKEN_LINK = "broken_link"
    EXTERNAL_LINK = "external_link"
    WHOLE_ARTICLE = "whole_article"
    UNKNOWN_ID = "unknown_id"
    EXCLUDED_SECTION = "excluded_section"
    DROPPED_BY_VERDICT = "dropped_by_verdict"
    DUPLICATE_QUESTION = "duplicate_question"
    EMPTY_FILE = "empty_file"
    NOT_HTML = "not_html"
    UNDECODABLE = "undecodable"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too_large"
    DUPLICATE_FILE = "duplicate_file"


REASON_MEANINGS: Final[dict[Reason, str]] = {
    Reason.NO_QUESTION: "the cell with the question is empty",
    Reason.NO_NEED: (
        "nobody would look for that: a name, a number, a fragment, or bound to its text"
    ),
    Reason.NO_REFERENCE: "the cell that should name a section is empty or says that there is none",
    Reason.UNMATCHED: "no heading of the article is what the reference says",
    Reason.AMBIGUOUS: "several headings fit equally well",
    Reason.CONTRADICTION: "the link leads to one section, and its text is the name of another",
    Reason.BROKEN_LINK: (
        "the link leads to a place or file that is not there, and its text names no heading"
    ),
    Reason.EXTERNAL_LINK: "the link leads to another site",
    Reason.WHOLE_ARTICLE: "an article as a whole is meant, not one of its sections",
    Reason.UNKNOWN_ID: (
        "an id that an imported question gives is that of no section or article of the set"
    ),
    Reason.EXCLUDED_SECTION: (
        "a section that is not in the corpus is meant (FAQ, summary, lead, nothing but the table)"
    ),
    Reason.DROPPED_BY_VERDICT: "a human said that the row is no good",
    Reason.DUPLICATE_QUESTION: (
        "the question stands in an earlier row (only with --duplicates drop)"
    ),
    Reason.EMPTY_FILE: "the file holds nothing, or only white space",
    Reason.NOT_HTML: "the file holds no HTML",
    Reason.UNDECODABLE: "the bytes are text in no encoding that fits",
    Reason.UNREADABLE: "the file cannot be opened or read",
    Reason.TOO_LARGE: "the file is larger than the setting max_page_bytes",
    Reason.DUPLICATE_FILE: "the file is a link to another file of the build",
}
ARTICLE_REASONS: Final = frozenset(list(Reason)[list(Reason).index(Reason.EMPTY_FILE) :])
"""The reasons that are about a file as a whole; the others are about a row."""


class Detector(StrEnum):
    """How a quick-reference table was recognised, or that a question comes from none.

    Other miners give their own names.
    """

    HEADER = "header"
    STRUCTURE = "structure"
    IMPORT = "import"


class Flag(StrEnum):
    """What a user should know about a query before trusting a figure that hangs on it."""

    CONTEXT_DEPENDENT = "context_dependent"
    EQUALS_HEADING = "equals_heading"
    DUPLICATE = "duplicate"
    SHORT = "short"
    INCOMPLETE = "incomplete"
    NEAR_DUPLICATE = "near_duplicate"
    VERBATIM = "verbatim"
    LEXICAL = "lexical"


FLAG_MEANINGS: Final[dict[Flag, str]] = {
    Flag.CONTEXT_DEPENDENT: (
        "the question names nothing of its article's topic, and no thing by a name of its own"
    ),
    Flag.EQUALS_HEADING: "the question is the heading of its target",
    Flag.DUPLICATE: "the question stands in several rows",
    Flag.SHORT: "the question has fewer letters than the setting short_question",
    Flag.INCOMPLETE: "the cell names more than was found: another target may be missing",
    Flag.NEAR_DUPLICATE: "another question of the set differs in a letter or two",
    Flag.VERBATIM: "the question stands word for word in its target, and is not its heading",
    Flag.LEXICAL: (
        "nearly all words of the question stand in its target: "
        "search by words finds it whatever it means"
    ),
}


Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""A sha256 as 64 hex digits, and nothing else: it becomes a part of file names."""


def _inner(path: str) -> str:
    parts = path.split("/")
    if not all(parts) or {".", ".."} & set(parts) or set("\\:\0") & set(path):
        raise ValueError("is no path inside a folder")
    return path


InnerPath = Annotated[str, AfterValidator(_inner)]
"""The path of a file inside a folder, with ``/``: neither absolute nor leading out of it."""


class Record(BaseModel):
    """The base of all records: frozen, unknown fields refused."""

    # A model is built when it is first used: starting up builds dozens of them, and a command needs
    # few.
    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True
    )


def _absent(value: object) -> bool:
    """Whether a field has nothing to say and stays out of the file."""
    return not value


class Section(Record):
    """One line of ``corpus.jsonl``: a section, the unit that a search system returns."""

    id: SectionId
    """Article id, ``#``, ordinal: ``guide/t128#2``. No white space."""
    article: str
    """Id of the article: the file's path without its suffix."""
    ordinal: int
    """Place among the article's sections from 0, sections left out counted too; -1 is the lead."""
    title: str
    """Title of the article."""
    heading: str
    """Heading as written, white space collapsed."""
    headings: tuple[str, ...]
    """The deeper headings inside the section, in document order."""
    level: int
    """Level of the heading, 1 to 6; 0 for a section without one."""
    anchor: str
    """The first id of the heading, or an empty text."""
    path: str
    """The file, relative to its source folder, with ``/``."""
    text: str
    """The text under the heading, one block a line, without what rows were read from."""
    masked: bool = Field(default=False, exclude_if=_absent)
    """Whether the heading, or the article's title, is a question of the set: search must not see
    it."""


class Candidate(Record):
    """A section or article that a reference could mean."""

    article: str
    """Id of the article."""
    section: SectionId | None
    """Id of the section; null for the article as a whole."""
    heading: str
    """The heading that was compared; the article's title where ``section`` is null."""
    score: float
    """Similarity to the reference, 0 to 1."""


class Target(Record):
    """A section that a reference means, with the evidence."""

    section: SectionId
    """Id of the section."""
    heading: str
    """The heading that matched: the section's own or a deeper one inside it."""
    reference: str
    """The text of the reference that was matched."""
    href: str | None
    """The link of the reference as written, if it had one."""
    match: Match
    """The rule that found the section."""
    score: float
    """1 for place, anchor and number; otherwise the similarity of reference and heading, 0 to 1."""
    runner_up: Candidate | None
    """The best other section of the same article by similarity; null if there is none."""


def best_targets(targets: Iterable[Target]) -> dict[str, Target]:
    """The most trusted target of each section, by section id, best trusted first."""
    best: dict[str, Target] = {}
    for target in sorted(targets, key=lambda target: TRUST.index(target.match)):
        best.setdefault(target.section, target)
    return best


class Place(Record):
    """Where a row stands: what whoever shows, sorts or counts rows asks."""

    kind: str
    """What it stands in: ``table``, ``import`` (a file of questions), or what another miner
    reads."""
    ordinal: int
    """Which of its kind on the page, in document order from 0; of tables, nested ones too."""
    row: int
    """Which row of it: of a table's own ``tr`` from 0, header rows too; 0 where it has none."""
    under: str = ""
    """The id of the heading above it, else that heading's text; empty in a table, or if there is
    none."""
    column: int = Field(default=0, exclude_if=_absent)
    """Which question of the row, from 0: tables can have several side by side."""

    @property
    def table(self) -> int | None:
        """The table of the page, if it is one."""
        return self.ordinal if self.kind == TABLE else None

    @property
    def recorded(self) -> Place | None:
        """What a record has to say of it beside ``table`` and ``row``; None if these say all."""
        return None if self.kind in {TABLE, IMPORT} and not self.column else self


TABLE: Final = "table"
IMPORT: Final = "import"
"""The kinds of places that ``table`` and ``row`` of a record tell."""


def _place(given: Place | None, table: int | None, row: int) -> Place:
    """The place that a record tells."""
    if given is not None:
        return given
    return Place(kind=IMPORT if table is None else TABLE, ordinal=table or 0, row=row)


class Origin(Record):
    """Where a question stood."""

    article: str
    """Id of the article."""
    path: str
    """The file, relative to its source folder; the name of the questions file if it was
    imported."""
    sha256: str
    """Hash of the file's bytes."""
    table: int | None
    """The table among all tables of the page, in document order from 0, nested ones too; null if it
    stood in none."""
    row: int
    """The row among the table's own ``tr`` from 0, header rows too; the place in a questions file
    from 0."""
    detector: str
    """How the table was recognised, that the question was imported, or the name of another
    miner."""
    question: str
    """The question as this row has it: what verdicts are kept under, whatever the query was
    rewritten to."""
    reference: str
    """The reference cell as text."""
    evidence: str = Field(default="", exclude_if=_absent)
    """The words that tie the question to its answer, if they are neither its reference nor its
    answer."""
    place: Place | None = Field(default=None, exclude_if=_absent)
    """Where it stood, if in no table and no file of questions; see :attr:`where`."""

    @property
    def where(self) -> Place:
        """Where it stood, whatever it stood in."""
        return _place(self.place, self.table, self.row)


class Ruling(StrEnum):
    """What a human says about a label, or about a row that gave none."""

    RIGHT = "right"
    WRONG = "wrong"
    ALSO = "also"
    OTHER = "other"
    NOTHING = "nothing"
    CONTEXT = "context"
    UNSURE = "unsure"


RULING_MEANINGS: Final[dict[Ruling, str]] = {
    Ruling.RIGHT: (
        "right as it is: these sections answer the question; of a rejected row: nothing answers it"
    ),
    Ruling.WRONG: "wrong, and the judge names no better section",
    Ruling.ALSO: "right, and the sections named by the judge answer it too",
    Ruling.OTHER: "wrong: the sections named by the judge answer it instead",
    Ruling.NOTHING: "no section answers the question",
    Ruling.CONTEXT: "the label is right, but the question does not stand without its article",
    Ruling.UNSURE: "the judge cannot tell",
}


class Applied(Record):
    """What a verdict did to a query: part of the evidence."""

    ruling: Ruling
    """What the judges said."""
    judges: tuple[str, ...]
    """Who said so, sorted."""
    note: str
    """Their notes, or an empty text."""
    question: str
    """The question before it was rewritten; empty if it was not."""
    found: tuple[str, ...]
    """The sections that the rules had found."""


def _by_section(given: object) -> object:
    """Grades by section, also if they are listed.

    Maps keyed by ids lose rows in columnar readers.
    """
    if not isinstance(given, list):
        return given
    grades: dict[str, object] = {}
    for one in given:
        if not isinstance(one, dict) or set(one) != {"section", "grade"}:
            raise ValueError("is no list of records of section and grade")
        if one["section"] in grades:
            raise ValueError(f"{one['section']} stands twice")
        grades[str(one["section"])] = one["grade"]
    return grades


class Query(Record):
    """One line of ``evalset.jsonl``: a question, its graded sections and where both come from."""

    qid: str
    """``q`` and a number, in the order of articles, tables and rows; kept from the set that was
    built before with ``--previous``; the id of an imported question is its own."""
    query: str
    """The question as written, or as a judge rewrote it."""
    relevant: Annotated[dict[str, int], BeforeValidator(_by_section)]
    """Section ids of grade 2; read too as a list of records of ``section`` and ``grade``."""
    same_article: int
    """How many other sections of the targets' articles have grade 1."""
    source: str
    """``早見表:`` (of a row in no table the detector and ``:``) and the reference as written, else
    the heading found; of an imported question who wrote it, else ``import:``."""
    match: Match
    """The rule that found the targets; of several the least trusted."""
    answer: str
    """The short answer of the table, or an empty text."""
    article: str
    """Id of the article of the first origin."""
    topic: str
    """What that article is about: its title up to ``｜`` or ``|``."""
    targets: tuple[Target, ...]
    """The evidence for each section of ``relevant``, best trusted first."""
    origins: tuple[Origin, ...]
    """Every row that asks this question."""
    flags: tuple[Flag, ...]
    """Warnings about the question; see FLAG_MEANINGS."""
    verdicts: tuple[Applied, ...] = ()
    """What humans said about it, as far as the build applied it; empty without ``--labels``."""
    category: str = ""
    """The category that an imported question came with, or an empty text."""
    difficulty: str = ""
    """The difficulty that an imported question came with, or an empty text."""
    expected_keywords: tuple[str, ...] = ()
    """What an answer should hold, as an imported question has it."""


class Rejection(Record):
    """One line of ``rejected.jsonl``: a row or a file that gave no label."""

    reason: Reason
    """Why; see REASON_MEANINGS."""
    question: str
    """The question as written; empty for a file."""
    answer: str
    """The short answer, or an empty text."""
    reference: str
    """The reference cell as text."""
    href: str | None
    """The first link of the reference cell as written."""
    article: str
    """Id of the article; empty for an imported question that names none."""
    path: str
    """The file, as in an origin."""
    table: int | None
    """The table, as in an origin; null for a file and an imported question."""
    row: int | None
    """The row, as in an origin; null for a file."""
    detector: str | None
    """How the table was recognised, or the name of another miner; null for a file."""
    candidates: tuple[Candidate, ...]
    """What the reference could mean, most similar first."""
    detail: str
    """What a person needs to know beyond the reason, or an empty text."""
    place: Place | None = Field(default=None, exclude_if=_absent)
    """Where the row stood, as in an origin."""

    @property
    def where(self) -> Place | None:
        """Where the row stood, whatever it stood in; None for a file."""
        return None if self.row is None else _place(self.place, self.table, self.row)


class Article(Record):
    """One line of ``articles.jsonl``: a file that was read."""

    id: str
    """The path without its suffix; ``x/index.html`` is ``x``."""
    path: str
    """The file, relative to its source folder."""
    title: str
    """The ``title`` element, else the first H1, else the file's name."""
    topic: str
    """The title up to ``｜`` or ``|``."""
    language: str
    """``ja``, ``ko``, ``zh``, ``en`` or another code that the page declares."""
    encoding: str
    """The encoding that the bytes were read in, by its name in the WHATWG Encoding standard."""
    unit_level: int | None
    """The heading level that made the sections; null if the page has no heading below H1."""
    sections: int
    """Sections in the corpus."""
    excluded: tuple[str, ...]
    """Headings of the sections that were left out of the corpus."""
    tables: int
    """Quick-reference tables."""
    rows: int
    """Their rows."""
    warnings: tuple[str, ...]
    """What a person should look at, one sentence each."""
    sha256: str
    """Hash of the file's bytes."""


class Counts(Record):
    """How much of everything a build found."""

    files: int
    """Files looked at: articles and rejected files."""
    articles: int
    """Files read."""
    sections: int
    """Sections in the corpus."""
    tables: int
    """Quick-reference tables."""
    rows: int
    """Their rows, and the imported questions."""
    queries: int
    """Queries."""
    warnings: int
    """Warnings about articles."""
    by_match: dict[str, int]
    """Queries by match."""
    by_reason: dict[str, int]
    """Rejections by reason."""
    by_detector: dict[str, int]
    """Rows by detector, imported questions too."""
    by_language: dict[str, int]
    """Articles by language."""
    by_flag: dict[str, int]
    """Queries by flag."""


class Accounting(Record):
    """The proof that no row was lost: ``rows == rows_in_queries + rows_rejected``."""

    rows: int
    """Rows read, and questions imported."""
    rows_in_queries: int
    """Origins of all queries."""
    rows_rejected: int
    """Rejections that are about a row."""
    files: int
    """Files looked at."""
    files_read: int
    """Lines of ``articles.jsonl``."""
    files_rejected: int
    """Rejections that are about a file."""

    @property
    def balanced(self) -> bool:
        """Whether everything read is accounted for."""
        return (
            self.rows == self.rows_in_queries + self.rows_rejected
            and self.files == self.files_read + self.files_rejected
        )


class VerdictCounts(Record):
    """The verdicts that a build was given, and what became of them."""

    files: dict[str, str]
    """sha256 of every verdict file by name."""
    applied: dict[str, int]
    """Rows to which a verdict was applied, by ruling."""
    stale: int
    """Verdicts that could not be applied: their row or section is no longer there."""
    conflicts: int
    """Rows on which judges disagree; their verdicts were not applied."""


class ImportedFile(Record):
    """A file of questions that was imported into a set."""

    path: str
    """Its name."""
    sha256: str
    """Hash of its bytes."""
    questions: int
    """Questions in it, rejected ones too."""


class Manifest(Record):
    """``manifest.json``: what made this eval set, how much is in it, and the hash of every file."""

    hayami: str
    """Version of hayami."""
    format: int = Field(default=FORMAT_VERSION)
    """Version of the file formats."""
    created: str
    """When, UTC, ISO 8601: the only time stamp in the set."""
    sources: tuple[str, ...]
    """Names of the source folders and files, sorted."""
    settings: dict[str, object]
    """Every setting of the build."""
    settings_sha256: str
    """Hash of the settings that differ from the defaults; of all where ``changed_settings`` is
    null."""
    all_settings_sha256: str = ""
    """Hash of ``settings``; empty in a set of an older version."""
    changed_settings: tuple[str, ...] | None = None
    """The settings that differ from the defaults of that version; null in a set of an older one."""
    packages: dict[str, str]
    """Versions of the packages that reading and matching depend on."""
    counts: Counts
    """How much of everything."""
    accounting: Accounting
    """The proof that nothing was lost."""
    files: dict[InnerPath, Sha256]
    """sha256 of every other file of the set by name."""
    verdicts: VerdictCounts | None = None
    """What became of the verdicts given with ``--labels``; null without them."""
    imported: tuple[ImportedFile, ...] = ()
    """The files of questions that were imported, in their order."""
    previous: str = ""
    """sha256 of the ``evalset.jsonl`` from which query ids were kept; empty without
    ``--previous``."""
    last_qid: int = 0
    """The highest number of a query id that this set or one before it gave: none of them is given
    twice."""
