"""``hayami audit sample``, ``queue``, ``pool`` and ``collect`` as commands."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.audit.sheets import read_sheet
from hayami.verdicts.log import read_verdicts

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, so that names in the output are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run_file(bakery_set: Path, home: Path) -> Path:
    """A run that ranks three sections for every query of the bakery."""
    qids = [query.qid for query in hayami.load(bakery_set).queries()]
    lines = [
        f"{q} Q0 {s} {n} {9 - n} bm25\n"
        for q in qids
        for n, s in enumerate(["yeast#0", "flour#0", "flour#1"])
    ]
    (home / "bm25.run").write_text("".join(lines), encoding="utf-8")
    return home / "bm25.run"


def fill(path: Path, **cells: str) -> None:
    """Fills in the first row, as a spreadsheet would write it back."""
    table = list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))
    for name, cell in cells.items():
        table[1][table[0].index(name)] = cell
    out = io.StringIO()
    csv.writer(out, delimiter=";", lineterminator="\r\n").writerows(table)
    path.write_bytes(b"\xef\xbb\xbf" + out.getvalue().encode())


# --- sample ---------------------------------------------------------------------------------------


def test_sample_says_what_it_drew_and_what_to_do_next(
    cli: Cli, sample: hayami.Built, home: Path
) -> None:
    ran = cli("audit", "sample", sample.folder, "--rejected", "--out", "s.jsonl")
    assert ran.returncode == 0
    assert ran.stdout.startswith("40 of 226 rows → s.jsonl (seed 0)\n")
    assert "      5 of     27  match=anchor\n" in ran.stdout
    assert ran.stdout.endswith("next: hayami audit review s.jsonl\n")
    assert ran.stderr == ""
    assert len(read_sheet(home / "s.jsonl")) == 40


def test_sample_as_json(cli: Cli, sample: hayami.Built, home: Path) -> None:
    ran = cli("audit", "sample", sample.folder, "-n", 30, "--seed", 4, "--out", "s.csv", "--json")
    told = json.loads(ran.stdout)
    assert {name: told[name] for name in ("sheet", "rows", "of", "seed")} == {
        "sheet": "s.csv",
        "rows": 30,
        "of": 206,
        "seed": 4,
    }
    assert sum(stratum["drawn"] for stratum in told["strata"]) == 30
    assert {item.seed for item in read_sheet(home / "s.csv")} == {4}


@pytest.mark.parametrize(
    ("by", "stratum"),
    [
        (["--by", "language"], "language=ja"),
        (["--by", "detector,language"], "detector=header,language=ja"),
        (["--by", "language", "--by", "detector"], "language=ja,detector=header"),
        (["--by", "none"], "all"),
    ],
)
def test_strata_are_chosen(
    cli: Cli, sample: hayami.Built, home: Path, by: list[str], stratum: str
) -> None:
    assert cli("audit", "sample", sample.folder, *by, "--out", "s.jsonl").returncode == 0
    assert stratum in {item.stratum for item in read_sheet(home / "s.jsonl")}


def test_more_than_there_is_gives_all_and_says_so(
    cli: Cli, sample: hayami.Built, home: Path
) -> None:
    ran = cli("audit", "sample", sample.folder, "-n", 999, "--out", "s.jsonl")
    assert (ran.returncode, len(read_sheet(home / "s.jsonl"))) == (0, 206)
    assert "999 rows were asked for; there are 206" in ran.stderr


def test_a_spreadsheet_shows_the_text_of_the_sections(
    cli: Cli, sample: hayami.Built, home: Path
) -> None:
    cli("audit", "sample", sample.folder, "--out", "s.csv")
    table = list(
        csv.DictReader(io.StringIO((home / "s.csv").read_bytes().decode("utf-8-sig"), newline=""))
    )
    assert all(len(row["section_text"]) > 30 and row["article_sections"] for row in table)


def test_label_studio_gets_its_labelling_page(cli: Cli, sample: hayami.Built, home: Path) -> None:
    ran = cli("audit", "sample", sample.folder, "--format", "label-studio", "--out", "s.json")
    assert "with s.xml as labelling setup" in ran.stdout
    assert {file.name for file in home.iterdir()} == {"s.json", "s.xml"}
    assert len(read_sheet(home / "s.json")) == 40


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--out", "s.xlsx"], "a sheet ends in .jsonl, .csv, .json"),
        (
            ["--out", "s.csv", "--format", "label-studio"],
            "--format label-studio wants a name that ends in .json",
        ),
        (
            ["--out", "s.csv", "--by", "colour"],
            "'colour' is none of: match, detector, score, language, none",
        ),
        (["--out", "s.csv", "--by", ","], "is none of"),
        (["--out", "s.csv", "--by", "none,match"], "none goes with nothing else"),
        (["--out", "s.csv", "-n", "9"], "5 strata with at least 3 rows each"),
        (["--out", "s.csv", "-n", "0"], "greater than or equal to 1"),
        ([], "--out"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(
    cli: Cli, sample: hayami.Built, home: Path, options: list[str], what: str
) -> None:
    ran = cli("audit", "sample", sample.folder, *options)
    assert ran.returncode == 2
    assert what in " ".join(ran.stderr.split())
    assert list(home.iterdir()) == []


def test_a_sheet_does_not_go_into_the_sets_folder(cli: Cli, bakery_set: Path) -> None:
    ran = cli("audit", "sample", bakery_set, "-n", 3, "--out", bakery_set / "s.csv")
    assert ran.returncode == 2
    assert "which a build replaces" in " ".join(ran.stderr.split())
    assert hayami.check(bakery_set) == []


@pytest.mark.parametrize("command", [["sample", "-n", "3"], ["queue"], ["pool"]])
def test_a_judged_sheet_is_not_overwritten(
    cli: Cli, bakery_set: Path, home: Path, run_file: Path, command: list[str]
) -> None:
    arguments = [
        "audit",
        command[0],
        bakery_set,
        *([run_file] if command == ["pool"] else []),
        *command[1:],
    ]
    assert cli(*arguments, "--out", "s.csv").returncode == 0
    assert cli(*arguments, "--out", "s.csv").returncode == 0, "a blank one may be drawn again"
    fill(home / "s.csv", verdict="unsure")
    before = (home / "s.csv").read_bytes()
    ran = cli(*arguments, "--out", "s.csv")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("hayami: s.csv: holds the judgements of 1 row")
    assert (home / "s.csv").read_bytes() == before


def test_a_folder_that_is_no_set_is_named(cli: Cli, home: Path) -> None:
    ran = cli("audit", "sample", home, "--out", "s.csv")
    assert ran.returncode == 1
    assert "not an eval set" in ran.stderr


# --- queue ----------------------------------------------------------------------------------------


def test_queue_counts_the_doubts(cli: Cli, sample: hayami.Built, home: Path) -> None:
    ran = cli("audit", "queue", sample.folder, "-n", 7, "--out", "q.jsonl")
    assert ran.stdout.startswith("7 of 91 rows that need a human → q.jsonl\n")
    assert "      2  ambiguous: several headings fit equally well\n" in ran.stdout
    assert len(read_sheet(home / "q.jsonl")) == 7


def test_queue_leaves_out_what_was_collected(cli: Cli, sample: hayami.Built, home: Path) -> None:
    cli("audit", "queue", sample.folder, "--out", "q.csv")
    first = read_sheet(home / "q.csv")[0]
    fill(home / "q.csv", verdict="wrong")
    assert cli("audit", "collect", "q.csv", "--judge", "花子").returncode == 0
    ran = cli("audit", "queue", sample.folder, "--labels", "labels", "--out", "q2.csv")
    assert "left out are 1 row about which a verdict holds" in ran.stderr
    assert first.item not in {item.item for item in read_sheet(home / "q2.csv")}


def test_queue_as_json(cli: Cli, sample: hayami.Built, home: Path) -> None:
    told = json.loads(cli("audit", "queue", sample.folder, "--out", "q.jsonl", "--json").stdout)
    assert (told["rows"], told["waiting"], told["settled"], told["conflicts"]) == (91, 91, 0, 0)
    assert told["doubts"]["ambiguous"] == 2
    assert (home / "q.jsonl").is_file()


def test_nothing_to_doubt_writes_no_sheet(
    cli: Cli, home: Path, tmp_path: Path, make_article: Callable[..., str]
) -> None:
    rows = [("食パンは何度で焼くのか", "200 度", "焼成の温度")]
    (tmp_path / "a.html").write_text(
        make_article("食パン", rows, ["焼成の温度", "水分"]), encoding="utf-8"
    )
    hayami.build([tmp_path / "a.html"], tmp_path / "set")
    ran = cli("audit", "queue", "set", "--out", "q.jsonl")
    assert (ran.returncode, ran.stdout) == (0, "no rows that need a human: no sheet was written\n")
    assert (
        json.loads(cli("audit", "queue", "set", "--out", "q.jsonl", "--json").stdout)["sheet"]
        is None
    )
    assert not (home / "q.jsonl").exists()


def test_labels_that_are_not_there_are_named(cli: Cli, sample: hayami.Built, home: Path) -> None:
    ran = cli("audit", "queue", sample.folder, "--labels", "nowhere", "--out", "q.jsonl")
    assert ran.returncode == 1
    assert ran.stderr.startswith("hayami: nowhere: no such file or folder")
    assert list(home.iterdir()) == []


# --- pool -----------------------------------------------------------------------------------------


def test_pool_makes_a_sheet_of_what_nobody_judged(
    cli: Cli, bakery_set: Path, home: Path, run_file: Path
) -> None:
    ran = cli("audit", "pool", bakery_set, run_file, "--depth", 2, "--out", "p.jsonl")
    assert ran.returncode == 0
    items = read_sheet(home / "p.jsonl")
    assert ran.stdout.startswith(
        f"{len(items)} of {len(items)} rows in the first 2 of 1 run, unjudged → p.jsonl\n"
    )
    assert {item.kind for item in items} == {"pool"}
    assert items[0].why == "rank 1; found by 1 of 1 run (rank in each: bm25 1)"


def test_pool_warns_of_what_the_set_does_not_have(
    cli: Cli, bakery_set: Path, home: Path, run_file: Path
) -> None:
    with run_file.open("a", encoding="utf-8") as file:
        file.write("q900 Q0 flour#0 1 1 bm25\nq1 Q0 moon#0 1 9 bm25\n")
    ran = cli("audit", "pool", bakery_set, run_file, "--out", "p.jsonl", "--json")
    assert (
        "warning: query ids that the set does not have are in the runs, 1 in all: q900"
        in ran.stderr
    )
    assert (
        "warning: section ids that the corpus does not have are in the runs, 1 in all: moon#0"
        in ran.stderr
    )
    told = json.loads(ran.stdout)
    assert (told["unknown_queries"], told["unknown_sections"]) == (["q900"], ["moon#0"])
    assert len(read_sheet(home / "p.jsonl")) == told["rows"]


def test_pool_refuses_runs_of_another_set(cli: Cli, bakery_set: Path, home: Path) -> None:
    (home / "x.run").write_text("topic1 Q0 doc1 1 1 x\n", encoding="utf-8")
    ran = cli("audit", "pool", bakery_set, "x.run", "--out", "p.jsonl")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "hayami: x.run: no query of the set is in the runs" in ran.stderr


def test_accepted_sections_become_labels(
    cli: Cli, bakery: Path, bakery_set: Path, home: Path, run_file: Path
) -> None:
    cli("audit", "pool", bakery_set, run_file, "--out", "p.csv")
    first = read_sheet(home / "p.csv")[0]
    fill(home / "p.csv", verdict="right")
    cli("audit", "collect", "p.csv")
    hayami.build([bakery], bakery_set, labels=home / "labels")
    assert f"{first.qid} 0 {first.sections[0]} 2\n" in (bakery_set / "qrels.txt").read_text(
        encoding="utf-8"
    )
    ran = cli("audit", "pool", bakery_set, run_file, "--labels", "labels", "--out", "p2.csv")
    assert ran.returncode == 0
    assert first.item not in {item.item for item in read_sheet(home / "p2.csv")}


# --- collect --------------------------------------------------------------------------------------


def test_collect_says_what_it_recorded(cli: Cli, bakery_set: Path, home: Path) -> None:
    cli("audit", "sample", bakery_set, "-n", 3, "--floor", 0, "--out", "s.csv")
    fill(home / "s.csv", verdict="ＲＩＧＨＴ", note="=HYPERLINK()")
    ran = cli("audit", "collect", "s.csv", "--judge", "hanako")
    assert ran.stdout == (
        "1 verdict recorded in labels\n"
        "      1  in labels/verdicts-hanako.jsonl\n"
        "      2  rows are not judged\n"
        "\n"
        "next: hayami build SOURCE... --out SET --labels labels\n"
    )
    assert read_verdicts(home / "labels")[0].note == "=HYPERLINK()"
    again = cli("audit", "collect", "s.csv", "--judge", "hanako")
    assert again.stdout.startswith("0 verdicts recorded in labels\n      1  were recorded before\n")


def test_collect_as_json(cli: Cli, bakery_set: Path, home: Path) -> None:
    cli("audit", "sample", bakery_set, "-n", 3, "--floor", 0, "--out", "s.csv")
    fill(home / "s.csv", verdict="right")
    told = json.loads(
        cli("audit", "collect", "s.csv", "--judge", "a", "--labels", "l", "--json").stdout
    )
    assert told == {
        "labels": "l",
        "added": 1,
        "replaced": 0,
        "known": 0,
        "blank": 2,
        "files": {"l/verdicts-a.jsonl": 1},
    }


def test_collect_names_file_and_line_of_nonsense(cli: Cli, bakery_set: Path, home: Path) -> None:
    cli("audit", "sample", bakery_set, "-n", 3, "--floor", 0, "--out", "s.csv")
    fill(home / "s.csv", verdict="perhaps")
    ran = cli("audit", "collect", "s.csv")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith(
        "hayami: s.csv:2 (row 2): verdict 'perhaps' is none of: right, wrong, also"
    )
    assert "hint: Mend the sheet" in ran.stderr
    assert not (home / "labels").exists()


def test_a_judge_has_a_name(cli: Cli, bakery_set: Path, home: Path) -> None:
    cli("audit", "sample", bakery_set, "-n", 3, "--floor", 0, "--out", "s.csv")
    assert cli("audit", "collect", "s.csv", "--judge", " \t").returncode == 2
    fill(home / "s.csv", verdict="right")
    assert cli("audit", "collect", "s.csv").returncode == 0
    assert read_verdicts(home / "labels")[0].judge


@pytest.mark.parametrize("command", ["sample", "queue", "pool", "collect"])
def test_each_command_has_help_with_an_example(cli: Cli, command: str) -> None:
    ran = cli("audit", command, "--help")
    assert ran.returncode == 0
    assert f"Example: hayami audit {command} " in " ".join(ran.stdout.split())
