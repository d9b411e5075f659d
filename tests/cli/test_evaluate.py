"""``hayami evaluate`` as its user sees it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.evalset.runs import write_run
from hayami.evaluate.produce import find_set_up, produce
from hayami.evaluate.retrieval import Terms
from hayami.export import Ids, export_set

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run_file(sample: hayami.Built, tmp_path: Path) -> Path:
    """A run of the sample that has every target second."""
    rankings = {
        query.qid: {"nothing#0": 3.0}
        | {section: 2.0 - place for place, section in enumerate(query.relevant)}
        for query in hayami.load(sample.folder).queries()
    }
    write_run(tmp_path / "二.run", "二番", rankings)
    return tmp_path / "二.run"


def test_a_run_is_measured_with_the_target_first(
    cli: Cli, sample: hayami.Built, run_file: Path
) -> None:
    ran = cli("evaluate", sample.folder, run_file)
    assert ran.returncode == 0
    lines = ran.stdout.splitlines()
    assert lines.index("Grade 2 only: the target") < lines.index("Graded: every grade by its gain")
    (rr,) = [line for line in lines if line.startswith("RR(rel=2)@10")]
    assert rr.split()[1] == "0.5000"
    assert "not in the corpus, such as nothing#0" in ran.stderr
    assert "Policies" in ran.stdout


def test_json_is_one_document_and_repeats(cli: Cli, sample: hayami.Built, run_file: Path) -> None:
    arguments = (
        "evaluate",
        sample.folder,
        run_file,
        "--json",
        "-m",
        "RR(rel=2) Hit(rel=2)",
        "-k",
        1,
        "-k",
        2,
    )
    ran = cli(*arguments)
    (run,) = json.loads(ran.stdout)["runs"]
    assert {f["measure"]: f["mean"] for f in run["figures"]} == {
        "RR(rel=2)@1": 0.0, "RR(rel=2)@2": 0.5, "Success(rel=2)@1": 0.0, "Success(rel=2)@2": 1.0,
    }  # fmt: skip
    assert run["run"] == "二番"
    assert cli(*arguments).stdout == ran.stdout


def test_files_are_written_as_asked(
    cli: Cli, sample: hayami.Built, run_file: Path, tmp_path: Path
) -> None:
    files = {name: tmp_path / "new" / f"a.{name}" for name in ("html", "md", "csv")}
    options = ("--html", files["html"], "--markdown", files["md"], "--per-query", files["csv"])
    ran = cli("evaluate", sample.folder, run_file, *options)
    assert ran.returncode == 0
    assert "二番" in files["html"].read_text(encoding="utf-8")
    assert files["md"].read_text(encoding="utf-8").startswith("## ")
    queries = sum(1 for _ in hayami.load(sample.folder).queries())
    assert files["csv"].read_text(encoding="utf-8-sig").count("\n") == queries + 1
    assert f"wrote {files['html']}" in ran.stderr


def test_foreign_judgements_need_no_set(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("q1 0 a 1\nq2 0 b 1\n", encoding="utf-8")
    (tmp_path / "r.run").write_text("q1 Q0 a 1 1.0 t\n", encoding="utf-8")
    ran = cli("evaluate", "--qrels", tmp_path / "q.txt", tmp_path / "r.run", "--json")
    (run,) = json.loads(ran.stdout)["runs"]
    assert run["figures"][0]["measure"] == "Success@1"
    assert run["figures"][0]["mean"] == 0.5
    assert run["facts"]["missing"] == ["q2"]


def test_foreign_judgements_beside_a_set_keep_what_the_set_knows(
    cli: Cli, sample: hayami.Built, run_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "q.txt").write_text("q1 0 nothing#0 2\nq2 0 nothing#0 0\n", encoding="utf-8")
    ran = cli("evaluate", sample.folder, run_file, "--qrels", tmp_path / "q.txt", "--json")
    document = json.loads(ran.stdout)
    assert document["articles"] >= 1
    assert document["runs"][0]["excluded"] == ["q2"]
    assert document["runs"][0]["figures"][0]["mean"] == 1.0


def test_categories_are_groups(
    cli: Cli, sample: hayami.Built, run_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "c.csv").write_text("q1,業務\nq2,人事\nq0,いない\n", encoding="utf-8")
    ran = cli("evaluate", sample.folder, run_file, "--categories", tmp_path / "c.csv")
    assert "category" in ran.stdout
    assert "人事" in ran.stdout
    assert "1 query is not among the judgements: q0" in ran.stderr


def test_a_document_that_stands_twice_is_an_error_unless_asked_for(
    cli: Cli, sample: hayami.Built, tmp_path: Path
) -> None:
    run = tmp_path / "r.run"
    run.write_text("q1 Q0 a 1 2.0 t\nq1 Q0 a 2 1.0 t\n", encoding="utf-8")
    ran = cli("evaluate", sample.folder, run)
    assert ran.returncode == 1
    assert "r.run:2: a stands twice for q1" in ran.stderr
    assert "--dedupe" in ran.stderr
    assert cli("evaluate", sample.folder, run, "--dedupe").returncode == 0


@pytest.mark.parametrize("arguments", [
    ("-k", "0"), ("-k", "1.5"), ("-k", "ten"), ("--per-query", "a.txt"),
])  # fmt: skip
def test_a_wrong_option_exits_2(
    cli: Cli, sample: hayami.Built, run_file: Path, arguments: tuple[str, ...]
) -> None:
    assert cli("evaluate", sample.folder, run_file, *arguments).returncode == 2


def test_a_set_without_a_run_exits_2(cli: Cli, sample: hayami.Built) -> None:
    ran = cli("evaluate", sample.folder)
    assert ran.returncode == 2
    assert "names no run file" in ran.stderr


@pytest.mark.parametrize(
    ("measure", "what"),
    [("RR@0", "positive integer"), ("F1", "no such measure"), ("P", "needs a k")],
)
def test_a_bad_measure_exits_1_with_the_names(
    cli: Cli, sample: hayami.Built, run_file: Path, measure: str, what: str
) -> None:
    ran = cli("evaluate", sample.folder, run_file, "-m", measure)
    assert ran.returncode == 1
    assert what in ran.stderr
    assert "nDCG@k" in ran.stderr


def test_a_run_in_the_place_of_the_set_is_named(cli: Cli, run_file: Path) -> None:
    ran = cli("evaluate", run_file, run_file)
    assert ran.returncode == 1
    assert "a file, not an eval set" in ran.stderr


def test_help_has_an_example(cli: Cli) -> None:
    ran = cli("evaluate", "--help")
    assert ran.returncode == 0
    assert "Example: hayami evaluate" in ran.stdout


def test_the_command_line_loads_nothing_heavy_for_help(process: Cli) -> None:
    heavy = ("numpy", "ir_measures", "matplotlib", "jinja2", "scipy")
    told = f"print(*[m for m in {heavy} if m in sys.modules], file=sys.stderr)"
    code = f"import atexit, sys\natexit.register(lambda: {told})"
    ran = process("evaluate", "--help", code=code)
    assert ran.stderr.strip() == ""


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    process: Cli, sample: hayami.Built, run_file: Path
) -> None:
    code = (
        "import importlib.util as u; found = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'ir_measures' else found(name, *a)"
    )
    ran = process("evaluate", sample.folder, run_file, code=code)
    assert ran.returncode == 1
    assert "ir-measures" in ran.stderr
    assert "pip install 'hayami[eval]'" in ran.stderr


@pytest.fixture
def stale(
    sample: hayami.Built, tmp_path: Path, sealed: Callable[[Path], None]
) -> tuple[Path, Path]:
    """A set that changed after a run was made over it."""
    folder = Path(shutil.copytree(sample.folder, tmp_path / "set"))
    set_up = find_set_up("bm25_2")
    assert set_up is not None
    produce(hayami.load(folder), set_up, tmp_path, Terms(top=10))
    corpus = folder / "corpus.jsonl"
    lines = corpus.read_text(encoding="utf-8").splitlines(keepends=True)
    corpus.write_text("".join(lines[:-1]), encoding="utf-8")
    sealed(folder)
    return folder, tmp_path / "bm25_2.run"


@pytest.mark.parametrize("command", ["evaluate", "plan", "sensitivity", "pitfalls"])
def test_every_command_says_of_a_stale_run_that_it_is_one(
    command: str, cli: Cli, stale: tuple[Path, Path]
) -> None:
    ran = cli(command, *stale)
    told = "warning: bm25_2: was made for another set, or for this one before it changed"
    assert told in ran.stderr


@pytest.mark.parametrize("command", ["evaluate", "plan", "sensitivity", "pitfalls", "compare"])
@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (["set"], (2, "names no run file")),
        (["set", "bm25_2.run", "bm25_2.run"], (2, "names one run twice")),
        (["bm25_2.run", "set"], (1, "a file, not an eval set")),
        (["nowhere", "bm25_2.run"], (1, "not an eval set")),
        (["set", "nowhere.run"], (1, "No such file")),
    ],
)
def test_every_command_says_the_same_of_wrong_files(
    command: str, paths: list[str], said: tuple[int, str], cli: Cli, stale: tuple[Path, Path]
) -> None:
    code, told = said
    ran = cli(command, *(stale[1].parent / path for path in paths))
    assert ran.returncode == code
    assert told in " ".join(ran.stderr.replace("│", " ").split())
    assert "Traceback" not in ran.stderr


def test_a_stale_run_is_told_at_the_head_of_every_report(
    cli: Cli, stale: tuple[Path, Path], tmp_path: Path
) -> None:
    page, text = tmp_path / "a.html", tmp_path / "a.md"
    ran = cli("evaluate", *stale, "--html", page, "--markdown", text)
    assert ran.returncode == 0
    assert ran.stdout.startswith("WARNING: bm25_2 was made for another set")
    assert "make it anew: hayami search" in ran.stdout.split("\n")[0]
    assert text.read_text(encoding="utf-8").split("\n\n")[1].startswith("**Warning**: bm25\\_2 was")
    assert "<strong>Warning</strong> bm25_2 was made" in page.read_text(encoding="utf-8")
    found = json.loads(cli("evaluate", *stale, "--json").stdout)
    assert found["runs"][0]["stale"].startswith("was made for another set")


def test_files_are_written_though_nobody_reads_the_output(
    process: Cli, sample: hayami.Built, run_file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "a.md"
    code = "import os, sys; r, w = os.pipe(); os.close(r); os.dup2(w, 1)"
    process("evaluate", sample.folder, run_file, "--markdown", path, code=code)
    assert path.read_text(encoding="utf-8").startswith("## ")


def test_names_of_other_tools_mean_the_target(
    cli: Cli, sample: hayami.Built, run_file: Path
) -> None:
    ran = cli("evaluate", sample.folder, run_file, "--json", "-m", "MRR@10 hit@3 RR@10 Bpref MRR")
    (run,) = json.loads(ran.stdout)["runs"]
    names = [figure["measure"] for figure in run["figures"]]
    assert names == ["RR(rel=2)@10", "Success(rel=2)@3", "RR@10", "Bpref", "RR(rel=2)"]


def test_unknown_clusters_are_told_and_a_file_of_them_is_taken(cli: Cli, tmp_path: Path) -> None:
    qids = [f"q{n}" for n in range(12)]
    (tmp_path / "q.txt").write_text("".join(f"{q} 0 a 1\n" for q in qids), encoding="utf-8")
    run = "".join(f"{q} Q0 a 1 1.0 t\n" for q in qids[:6])
    (tmp_path / "r.run").write_text(run, encoding="utf-8")
    (tmp_path / "c.csv").write_text("".join(f"{q},c{q[-1]}\n" for q in qids), encoding="utf-8")
    given = ("evaluate", "--qrels", tmp_path / "q.txt", tmp_path / "r.run", "--json")
    ran = cli(*given)
    assert "warning: clusters unknown" in ran.stderr
    assert json.loads(ran.stdout)["runs"][0]["figures"][0]["by_article"] is None
    ran = cli(*given, "--clusters", tmp_path / "c.csv")
    assert "clusters unknown" not in ran.stderr
    assert json.loads(ran.stdout)["runs"][0]["figures"][0]["by_article"]["units"] == 10


def test_category_and_difficulty_survive_from_import_to_figures(
    cli: Cli, sample: hayami.Built, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(sample.folder, tmp_path / "set"))
    section = next(hayami.load(folder).sections()).id
    asked = [
        {
            "id": f"x{n}",
            "query": f"質問その{n}は？",
            "relevant_docs": [section],
            "category": "業務" if n else "人事",
            "difficulty": "hard" if n else "easy",
        }
        for n in range(3)
    ]
    (tmp_path / "q.json").write_text(json.dumps(asked, ensure_ascii=False), encoding="utf-8")
    made = cli("import", tmp_path / "q.json", "--into", folder)
    assert made.returncode == 0, made.stderr
    cli("search", tmp_path / "set", "-r", "bm25_2", "--out", tmp_path)
    values = tmp_path / "v.csv"
    ran = cli("evaluate", tmp_path / "set", tmp_path / "bm25_2.run", "--per-query", values)
    assert ran.returncode == 0, ran.stderr
    for dimension, name in (("category", "業務"), ("difficulty", "easy")):
        assert dimension in ran.stdout
        assert name in ran.stdout
    assert "difficulty" in values.read_text(encoding="utf-8-sig").split("\n")[0]
    assert "hard" in values.read_text(encoding="utf-8-sig")


def test_a_run_over_safe_ids_is_measured_as_one_over_the_ids_of_the_set(
    cli: Cli, sample: hayami.Built, run_file: Path, tmp_path: Path
) -> None:
    exported = export_set(sample.folder, "trec", tmp_path / "out", ids=Ids.SAFE).folder
    safe = {}
    for line in (exported / "ids.jsonl").read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        safe[pair["in_set"]] = pair["exported"]
    fields = [line.split() for line in run_file.read_text(encoding="utf-8").splitlines()]
    lines = [" ".join([safe[q], q0, safe.get(d, d), *rest]) + "\n" for q, q0, d, *rest in fields]
    run = tmp_path / "safe" / run_file.name
    run.parent.mkdir()
    run.write_text("".join(lines), encoding="utf-8")
    known = cli("evaluate", sample.folder, run_file, "--json")
    mapped = cli("evaluate", sample.folder, run, "--ids", exported / "ids.jsonl", "--json")
    assert mapped.returncode == 0, mapped.stderr
    (one,), (other,) = (json.loads(ran.stdout)["runs"] for ran in (mapped, known))
    assert (one.pop("path"), other.pop("path")) == (str(run), str(run_file))
    assert one == other
