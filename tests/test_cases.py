"""Whole articles, built as a user builds them.

``tests/cases/<id>/`` holds the input and ``case.json`` what is right.

A letter after the number marks a variant of our own: another input that would fail in the same way.
"""

import functools
import json
import os
import shutil
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, Field

import hayami
from hayami.evalset.jsonl import read_records
from hayami.evalset.records import Record

CASES = Path(__file__).parent / "cases"
REFERENCE = "早見表:"


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ArticleCase(Strict):
    language: str
    encoding: str
    sections: tuple[str, ...]
    """Every heading that opens a section, those left out of the corpus too."""
    excluded: tuple[str, ...] = ()
    level: int | None = 2
    title: str | None = None


class RowCase(Strict):
    question: str
    answer: str | None
    """Null where the answer is open."""
    answer_starts: str = ""
    reference: str
    href: str | None = None
    match: hayami.Match | None = None
    section: str | tuple[str, ...] | dict[str, str] = ()
    """Headings of the targets; with the article's id if it is another one."""
    heading: str | None = None
    """The heading that was meant, if it is a deeper one."""
    grades: tuple[int, ...] = ()
    """One grade for each section of the corpus; 0 where it has none."""
    reason: hayami.Reason | None = None
    candidates: tuple[str, ...] | None = None
    at: tuple[str, ...] | None = None
    """Article, table and row of each origin."""
    flags: tuple[str, ...] | None = None


class Limits(Strict):
    seconds: float
    megabytes: int | None = None


class Case(Strict):
    title: str
    source: str | None = None
    variant_of: str | None = None
    setup: str | None = None
    """A script that makes the folder of articles."""
    root: str = "."
    each: tuple[str, ...] = ()
    """Files that are built one by one and give the same."""
    settings: hayami.Settings = Field(default_factory=hayami.Settings)
    thresholds: tuple[float, ...] = ()
    """Thresholds that change nothing."""
    articles: dict[str, ArticleCase]
    """By id; ``*`` stands for the one file that was built."""
    tables: int | None = None
    rows: tuple[RowCase, ...] = ()
    """Queries and rejected rows in the order of the page."""
    section_contains: dict[str, tuple[str, ...]] = {}
    section_lacks: dict[str, tuple[str, ...]] = {}
    lead_contains: tuple[str, ...] = ()
    corpus_contains: tuple[str, ...] = ()
    corpus_lacks: tuple[str, ...] = ()
    output_lacks: tuple[str, ...] = ()
    """Texts that no file of the set may hold."""
    warnings: tuple[tuple[str, ...], ...] | None = ()
    """Path and words of every warning; null where warnings are open."""
    unreadable: tuple[tuple[str, ...], ...] = ()
    """Path, reason and words of every file that is no article."""
    limits: Limits | None = None


def read_case(name: str) -> Case:
    return Case.model_validate_json((CASES / name / "case.json").read_bytes())


ALL = {folder.name: read_case(folder.name) for folder in sorted(CASES.iterdir())}


def having(key: str) -> pytest.MarkDecorator:
    """Runs a test for every case that says something under ``key``."""
    return pytest.mark.parametrize(
        "name", [name for name, case in ALL.items() if getattr(case, key)]
    )


everywhere = pytest.mark.parametrize("name", ALL)


@dataclass(frozen=True)
class Outcome:
    """What a build made of one row or of rows with one question."""

    at: tuple[str, ...]
    question: str
    answer: str
    reference: str
    href: str | None
    query: hayami.Query | None
    rejection: hayami.Rejection | None


@dataclass(frozen=True)
class Made:
    """A case, built."""

    case: Case
    built: hayami.Built
    evalset: hayami.EvalSet
    seconds: float

    @functools.cached_property
    def articles(self) -> dict[str, hayami.Article]:
        return {article.id: article for article in self.evalset.articles()}

    @functools.cached_property
    def corpus(self) -> list[hayami.Section]:
        return list(self.evalset.sections())

    @functools.cached_property
    def outcomes(self) -> list[Outcome]:
        found = [(_places(query), _outcome_of_query(query)) for query in self.evalset.queries()]
        rejected = [one for one in self.evalset.rejections() if one.table is not None]
        found += [
            ([(one.article, one.table or 0, one.row or 0)], _outcome_of_rejection(one))
            for one in rejected
        ]
        return [outcome for _, outcome in sorted(found, key=lambda pair: pair[0])]

    def expected_article(self, article: str) -> ArticleCase:
        return self.case.articles["*" if self.case.each else article]

    def text_of(self, heading: str) -> str:
        return "\n".join(section.text for section in self.corpus if section.heading == heading)

    def everything(self) -> str:
        return "\n".join(path.read_bytes().decode() for path in sorted(self.built.folder.iterdir()))


def _places(query: hayami.Query) -> list[tuple[str, int | None, int]]:
    return [(origin.article, origin.table, origin.row) for origin in query.origins]


def _outcome_of_query(query: hayami.Query) -> Outcome:
    at = tuple(f"{article} {table} {row}" for article, table, row in _places(query))
    reference = query.source.removeprefix(REFERENCE)
    return Outcome(at, query.query, query.answer, reference, query.targets[0].href, query, None)


def _outcome_of_rejection(one: hayami.Rejection) -> Outcome:
    at = (f"{one.article} {one.table} {one.row}",)
    return Outcome(at, one.question, one.answer, one.reference, one.href, None, one)


def lay_out(name: str, folder: Path) -> Path:
    """The articles of a case in a folder of their own, as its user has them."""
    case = ALL[name]
    if case.setup is None:
        shutil.copytree(CASES / name, folder, ignore=shutil.ignore_patterns("case.json"))
        return folder / case.root
    shell = shutil.which("sh")
    if shell is None or sys.platform == "win32":
        pytest.skip("the folder is made by a shell script")
    subprocess.run([shell, CASES / name / case.setup, folder], check=True)
    return folder / case.root


Make = Callable[[str], list[Made]]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Builds a case, once for all tests.

    A list of one, or of one for each file that is built alone.
    """

    @functools.cache
    def made(name: str) -> list[Made]:
        case = ALL[name]
        folder = tmp_path_factory.mktemp(name)
        source = lay_out(name, folder / "articles")
        sources = [source / file for file in case.each] or [source]
        return [build(case, one, folder / f"set{number}") for number, one in enumerate(sources)]

    return made


def build(case: Case, source: Path, out: Path, settings: hayami.Settings | None = None) -> Made:
    started = time.process_time()
    built = hayami.build([source], out, settings or case.settings)
    return Made(case, built, hayami.load(out), time.process_time() - started)


def composed(text: str) -> str:
    """Letters in one piece, however the page wrote them: a case file shows no difference."""
    return unicodedata.normalize("NFC", text)


def same(text: str) -> str:
    """The form in which headings are compared."""
    return " ".join(composed(text).split())


# --- what every case says -------------------------------------------------------------------------


@everywhere
def test_the_articles_are_those_of_the_case(name: str, make: Make) -> None:
    for made in make(name):
        found = {key: (a.language, a.encoding, a.unit_level) for key, a in made.articles.items()}
        ids = made.articles if made.case.each else made.case.articles
        expected = {key: made.expected_article(key) for key in ids}
        assert found == {key: (e.language, e.encoding, e.level) for key, e in expected.items()}
        titles = {
            key: article.title
            for key, article in made.articles.items()
            if expected[key].title is not None
        }
        assert titles == {key: e.title for key, e in expected.items() if e.title is not None}


@everywhere
def test_the_sections_are_the_headings_of_the_page_in_its_order(name: str, make: Make) -> None:
    for made in make(name):
        for key, article in made.articles.items():
            expected = made.expected_article(key)
            kept = [heading for heading in expected.sections if heading not in expected.excluded]
            assert [same(s.heading) for s in made.corpus if s.article == key] == list(
                map(same, kept)
            )
            assert article.excluded == expected.excluded


@everywhere
def test_the_ordinals_count_the_sections_that_were_left_out(name: str, make: Make) -> None:
    for made in make(name):
        for key in made.articles:
            headings = list(map(same, made.expected_article(key).sections))
            for section in made.corpus:
                if section.article == key:
                    assert section.id == f"{key}#{section.ordinal}"
                    assert headings[section.ordinal] == same(section.heading)


@everywhere
def test_every_row_is_read_as_it_stands(name: str, make: Make) -> None:
    for made in make(name):
        found = [(composed(o.question), composed(o.reference), o.href) for o in made.outcomes]
        assert found == [
            (composed(row.question), composed(row.reference), row.href) for row in made.case.rows
        ]
        for outcome, row in zip(made.outcomes, made.case.rows, strict=True):
            assert row.answer is None or outcome.answer == row.answer
            assert outcome.answer.startswith(row.answer_starts)
            assert row.at is None or outcome.at == row.at


@having("rows")
def test_every_row_gets_its_sections_or_the_reason_why_not(name: str, make: Make) -> None:
    for made in make(name):
        assert len(made.outcomes) == len(made.case.rows)
        for outcome, row in zip(made.outcomes, made.case.rows, strict=True):
            reason = outcome.rejection.reason if outcome.rejection is not None else None
            match = outcome.query.match if outcome.query is not None else None
            assert (row.question, match, reason) == (row.question, row.match, row.reason)
            if outcome.query is not None:
                check_targets(made, outcome.query, row)
            if outcome.rejection is not None and row.candidates is not None:
                candidates = sorted(c.section or c.article for c in outcome.rejection.candidates)
                assert candidates == sorted(row.candidates)


def check_targets(made: Made, query: hayami.Query, row: RowCase) -> None:
    wanted = row.section if isinstance(row.section, (tuple, dict)) else (row.section,)
    pairs = (
        wanted.items()
        if isinstance(wanted, dict)
        else [(query.article, heading) for heading in wanted]
    )
    sections: dict[str, tuple[str, str]] = {}
    for section in made.corpus:
        sections[section.id] = (section.article, same(section.heading))
    assert sorted(sections[key] for key in query.relevant) == sorted(
        (a, same(heading)) for a, heading in pairs
    )
    assert set(query.relevant.values()) == {2}
    if row.heading is not None:
        assert [target.heading for target in query.targets] == [row.heading]
    if row.flags is not None:
        assert tuple(query.flags) == row.flags


@everywhere
def test_the_qrels_grade_the_named_sections_2_and_the_rest_of_their_articles_1(
    name: str, make: Make
) -> None:
    for made in make(name):
        lines = (made.built.folder / "qrels.txt").read_text(encoding="utf-8").split("\n")
        fields = [line.split(" ") for line in lines if line]
        assert all(len(line) == 4 and line[1] == "0" for line in fields)
        graded = {(qid, section): int(grade) for qid, _, section, grade in fields}
        assert len(graded) == len(fields)
        columns = [section.id for section in made.corpus]
        assert {section for _, section in graded} <= set(columns)
        qids = [outcome.query.qid for outcome in made.outcomes if outcome.query is not None]
        found = [tuple(graded.get((qid, column), 0) for column in columns) for qid in qids]
        assert found == [row.grades for row in made.case.rows if row.match is not None]


@everywhere
def test_every_warning_and_every_file_that_is_no_article_is_named(name: str, make: Make) -> None:
    for made in make(name):
        check_warnings(made)
        rejected = sorted(
            (r.path, str(r.reason), r.detail) for r in made.evalset.rejections() if r.table is None
        )
        expected = sorted(made.case.unreadable)
        assert [found[:2] for found in rejected] == [wanted[:2] for wanted in expected]
        for (*_, detail), (_, _, *words) in zip(rejected, expected, strict=True):
            assert [word for word in words if word not in detail] == []


def check_warnings(made: Made) -> None:
    if made.case.warnings is None:
        return
    warnings = [
        ("*" if made.case.each else path, sentence)
        for path, sentence in sorted(made.built.warnings)
    ]
    expected = sorted(made.case.warnings)
    assert [path for path, _ in warnings] == [path for path, *_ in expected]
    for (_, sentence), (_, *words) in zip(warnings, expected, strict=True):
        assert [word for word in words if word not in sentence] == []


@everywhere
def test_nothing_is_lost_and_the_set_is_sound(name: str, make: Make) -> None:
    for made in make(name):
        assert hayami.check(made.built.folder) == []
        manifest = made.built.manifest
        assert manifest.accounting.balanced
        assert manifest.counts.rows == sum(len(outcome.at) for outcome in made.outcomes)
        places = Counter(place for outcome in made.outcomes for place in outcome.at)
        assert set(places.values()) <= {1}
        assert made.case.tables is None or manifest.counts.tables == made.case.tables


@everywhere
def test_the_files_are_plain_utf8_with_one_record_a_line(name: str, make: Make) -> None:
    for made in make(name):
        for path in made.built.folder.iterdir():
            data = path.read_bytes()
            text = data.decode("utf-8")
            assert not text.startswith("\ufeff")
            assert b"\r" not in data
            assert len(text.splitlines()) == text.count("\n")
            if path.suffix == ".jsonl":
                assert all(isinstance(json.loads(line), dict) for line in text.split("\n")[:-1])


# --- what some cases say --------------------------------------------------------------------------


@having("section_contains")
def test_a_section_holds_its_own_text(name: str, make: Make) -> None:
    for made in make(name):
        for heading, texts in made.case.section_contains.items():
            assert [text for text in texts if text not in made.text_of(heading)] == []


@having("section_lacks")
def test_a_section_holds_no_text_of_others(name: str, make: Make) -> None:
    for made in make(name):
        for heading, texts in made.case.section_lacks.items():
            assert made.text_of(heading)
            assert [text for text in texts if text in made.text_of(heading)] == []


@pytest.mark.parametrize(
    "name", [n for n, case in ALL.items() if case.corpus_contains or case.corpus_lacks]
)
def test_the_corpus_holds_what_it_must_and_nothing_that_it_must_not(name: str, make: Make) -> None:
    for made in make(name):
        text = "\n".join(f"{s.heading}\n{s.headings}\n{s.text}" for s in made.corpus)
        assert [part for part in made.case.corpus_contains if part not in text] == []
        assert [part for part in made.case.corpus_lacks if part in text] == []


@having("lead_contains")
def test_what_stands_before_the_first_section_is_kept_apart(
    name: str, make: Make, tmp_path: Path
) -> None:
    case = ALL[name]
    with_lead = build(
        case,
        lay_out(name, tmp_path / "articles"),
        tmp_path / "set",
        case.settings.model_copy(update={"lead": True}),
    )
    leads = [section.text for section in with_lead.corpus if section.id.endswith("#lead")]
    assert len(leads) == 1
    assert [text for text in case.lead_contains if text not in leads[0]] == []
    assert [s for s in with_lead.corpus if s.ordinal >= 0] == make(name)[0].corpus


@having("output_lacks")
def test_no_file_of_the_set_holds_what_it_must_not(name: str, make: Make) -> None:
    for made in make(name):
        files = made.everything()
        assert [text for text in made.case.output_lacks if text in files] == []


@having("thresholds")
def test_the_rows_mean_the_same_at_other_thresholds(name: str, make: Make, tmp_path: Path) -> None:
    case, expected = ALL[name], make(name)[0].outcomes
    source = lay_out(name, tmp_path / "articles")
    for threshold in case.thresholds:
        settings = case.settings.model_copy(update={"threshold": threshold})
        assert build(case, source, tmp_path / "set", settings).outcomes == expected


@having("limits")
def test_a_hostile_page_costs_no_more_time_than_its_limit(name: str, make: Make) -> None:
    for made in make(name):
        assert made.case.limits is not None
        assert made.seconds < made.case.limits.seconds


@everywhere
def test_a_case_is_a_report_or_a_variant_of_one_and_says_one_thing_of_each_row(name: str) -> None:
    case = ALL[name]
    assert (case.source is None) != (case.variant_of is None)
    assert case.variant_of is None or (
        name.startswith(case.variant_of) and ALL[case.variant_of].source
    )
    assert all((row.match is None) != (row.reason is None) for row in case.rows)
    assert all((row.match is None) == (not row.grades) for row in case.rows)


# --- the command line -----------------------------------------------------------------------------


def run(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """The installed command, its output piped, in an environment with other variables."""
    command = shutil.which("hayami", path=str(Path(sys.executable).parent))
    assert command is not None
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LC_", "LANG"))
    }
    return subprocess.run(
        [command, *arguments],
        env=environment | variables,
        capture_output=True,
        check=False,
        timeout=20,
    )


def lines_naming(output: bytes, *words: str) -> list[str]:
    return [line for line in output.decode().splitlines() if all(word in line for word in words)]


def test_links_are_reported_and_each_file_is_read_once(tmp_path: Path) -> None:
    done = run(
        "build",
        lay_out("f01", tmp_path / "articles"),
        "--out",
        tmp_path / "set",
        "--json",
        COLUMNS="40",
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["counts"]["articles"] == 2
    assert lines_naming(done.stderr, "warning: alias.html", "a link to a.html")
    assert lines_naming(done.stderr, "warning: broken.html", "missing.html")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_named_pipe_is_no_article_and_nothing_waits_for_it(tmp_path: Path) -> None:
    source = lay_out("t01", tmp_path / "articles")
    os.mkfifo(source / "pipe.html")
    done = run("build", source, "--out", tmp_path / "set")
    assert done.returncode == 0
    assert [article.path for article in hayami.load(tmp_path / "set").articles()] == ["input.html"]


def test_bad_files_are_named_and_the_others_are_built(tmp_path: Path) -> None:
    source = lay_out("f03", tmp_path / "articles")
    done = run("build", source, "--out", tmp_path / "set")
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    for name, reason in (("blank", "empty_file"), ("empty", "empty_file"), ("image", "not_html")):
        assert len(lines_naming(done.stderr, f"warning: {name}.html", reason)) == 1
    assert lines_naming(done.stdout, "2 articles")
    assert lines_naming(done.stdout, "3  rejected")
    strict = run("build", source, "--out", tmp_path / "set", "--strict")
    assert strict.returncode == 1
    assert b"Traceback" not in strict.stderr
    assert hayami.check(tmp_path / "set") == []


def test_a_wrong_declaration_is_warned_of_and_the_other_file_is_built(tmp_path: Path) -> None:
    done = run("build", lay_out("e07", tmp_path / "articles"), "--out", tmp_path / "set")
    assert done.returncode == 0
    assert len(lines_naming(done.stderr, "input.html", "encoding")) == 1
    assert lines_naming(done.stderr, "good.html") == []
    assert {article.path for article in hayami.load(tmp_path / "set").articles()} == {
        "good.html",
        "input.html",
    }


@pytest.mark.parametrize(
    ("name", "file", "texts"),
    [
        ("o05", "input.html", ["🦊", "한국어", "—", "é と ü も。"]),
        ("o05b", "안내 🦊.html", ["👩‍👩‍👧", "naïve ①〜", "👍🏽", "﷽"]),
    ],
)
def test_no_console_encoding_ends_a_command_or_reaches_a_file(
    name: str, file: str, texts: list[str], tmp_path: Path
) -> None:
    source, out = lay_out(name, tmp_path / "articles"), tmp_path / "set"
    built = run("build", source, "--out", out, PYTHONIOENCODING="cp932:strict")
    checked = run("check", out, PYTHONIOENCODING="cp949:strict", LC_ALL="C")
    shown = run(
        "inspect", source / file, PYTHONIOENCODING="ascii:strict", PYTHONUTF8="0", COLUMNS="40"
    )
    for done in (built, checked, shown):
        assert (done.returncode, done.stderr.count(b"Traceback")) == (0, 0)
    written = "".join(path.read_bytes().decode("utf-8") for path in out.iterdir())
    assert [text for text in texts if text not in written] == []


def test_json_on_a_pipe_is_one_document_that_no_line_width_cuts(tmp_path: Path) -> None:
    source = lay_out("o05", tmp_path / "articles")
    heading = ALL["o05"].articles["input"].sections[0]
    done = run(
        "inspect",
        source / "input.html",
        "--json",
        PYTHONIOENCODING="ascii:strict",
        PYTHONUTF8="0",
        COLUMNS="40",
    )
    assert json.loads(done.stdout)["article"]["rows"] == 1
    assert lines_naming(done.stdout, heading)


# --- hostile pages --------------------------------------------------------------------------------


PEAK = """
import sys, hayami
def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
import bs4, charset_normalizer, hayami.extract.grid
build = hayami.build  # loads what builds, which is not what the page costs
before = peak()
build([sys.argv[1]], sys.argv[2])
print((peak() - before) / 1024)
"""
"""A build in a process of its own, which says how many megabytes it took at most."""


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="memory is read as Linux tells it"
)
@pytest.mark.parametrize(
    "name", [n for n, case in ALL.items() if case.limits and case.limits.megabytes]
)
def test_a_hostile_page_costs_no_more_memory_than_its_limit(name: str, tmp_path: Path) -> None:
    limits = ALL[name].limits
    assert limits is not None
    assert limits.megabytes is not None
    source = str(lay_out(name, tmp_path / "articles"))
    arguments = [sys.executable, "-c", PEAK, source, str(tmp_path / "set")]
    taken = subprocess.run(arguments, check=True, capture_output=True).stdout
    assert float(taken) < limits.megabytes


@pytest.mark.parametrize("mark", ["。", ".", "１．"])
@pytest.mark.parametrize("where", ["reference", "heading"])
def test_a_cell_or_heading_of_thousands_of_marks_costs_no_time(
    mark: str, where: str, tmp_path: Path
) -> None:
    long = "節" + mark * 20_000 + "終"
    reference, heading = (long, "節") if where == "reference" else ("終わりの節", long)
    cells = "".join(f"<td>{text}</td>" for text in ("いつですか", "今", reference))
    header = "<th>質問</th><th>答え</th><th>詳しい章</th>"
    page = f'<html lang="ja"><table><tr>{header}</tr><tr>{cells}</tr></table><h2>{heading}</h2><p>文。</p><h2>別の節</h2>'  # noqa: E501
    (tmp_path / "long.html").write_text(page, encoding="utf-8")
    started = time.process_time()
    built = hayami.build([tmp_path / "long.html"], tmp_path / "set")
    assert time.process_time() - started < 1.5
    assert built.manifest.counts.rows == 1


# --- reading JSON Lines ---------------------------------------------------------------------------


class Line(Record):
    id: str
    text: str


def test_json_lines_are_cut_at_line_feeds_alone() -> None:
    read = list(read_records(CASES / "o01" / "input.jsonl", Line))
    assert [line.id for line in read] == ["q1", "q2", "q3"]
    assert [line.text for line in read] == ["一行目\u2028二行目", "a\x85b\u2029c", "tab\x0bhere"]
