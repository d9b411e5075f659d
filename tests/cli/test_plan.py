from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.evaluate.baselines import SET_UPS
from hayami.evaluate.pitfalls import PITFALLS
from hayami.evaluate.produce import produce
from hayami.evaluate.retrieval import Terms

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def pair(sample: hayami.Built, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """The sample, and two runs over it."""
    folder = tmp_path_factory.mktemp("runs")
    for set_up in SET_UPS[:2]:
        produce(hayami.load(sample.folder), set_up, folder, Terms(top=20))
    return sample.folder, folder / "bm25_2.run", folder / "bm25_23.run"


def test_a_plan_has_a_line_for_each_size_and_the_least_difference(
    cli: Cli, pair: tuple[Path, Path, Path]
) -> None:
    ran = cli("plan", *pair, "--subsets", "100")
    assert ran.returncode == 0
    assert ran.stdout.startswith("RR(rel=2)@10: bm25_2 0.")
    sizes = [
        line.split()[0]
        for line in ran.stdout.splitlines()
        if line.startswith("  ") and line.split()[0].isdigit()
    ]
    assert sizes == ["20", "30", "50", "100", "200", "206"]
    assert "wrong winner" in ran.stdout
    assert "Least difference of two runs that differ as these do" in ran.stdout


def test_a_plan_of_one_run_says_that_its_least_difference_is_a_guess(
    cli: Cli, pair: tuple[Path, Path, Path]
) -> None:
    ran = cli("plan", *pair[:2], "--subsets", "50", "-m", "nDCG@5")
    assert ran.stdout.startswith("nDCG@5: bm25_2 0.")
    assert "(a guess: name a second run to know)" in ran.stdout
    assert "bound" not in ran.stdout
    assert "wrong winner" not in ran.stdout


def test_a_plan_as_json_is_the_same_for_the_same_seed(
    cli: Cli, pair: tuple[Path, Path, Path]
) -> None:
    options = ("--subsets", "50", "--json", "--seed")
    once, twice, other = (cli("plan", *pair, *options, seed).stdout for seed in ("1", "1", "2"))
    assert once == twice != other
    found = json.loads(once)
    assert (found["queries"], found["articles"], found["runs"]) == (206, 24, ["bm25_2", "bm25_23"])
    assert found["sizes"][-1]["queries"] == 206


def test_a_plan_of_equal_runs_says_that_nothing_can_be_told(
    cli: Cli, pair: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    copy = tmp_path / "copy.run"
    copy.write_bytes(pair[1].read_bytes())
    ran = cli("plan", *pair[:2], copy, "--subsets", "20")
    assert "The least difference cannot be told" in ran.stdout


def test_sensitivity_marks_the_winner_of_each_scheme(
    cli: Cli, pair: tuple[Path, Path, Path]
) -> None:
    ran = cli("sensitivity", *pair)
    assert ran.returncode == 0
    for line in ran.stdout.splitlines():
        if line.startswith(("strict ", "graded ", "article ")):
            assert line.count("*") >= 1
    assert "share of the DCG@10 that siblings" in ran.stdout
    found = json.loads(cli("sensitivity", *pair, "--json").stdout)
    assert len(found["columns"]) == 8
    assert [one["gain"] for one in found["siblings"]] == ["2:1 linear", "3:1 exponential", "7:1"]
    assert isinstance(found["agree"], bool)


def test_sensitivity_names_runs_that_change_places(cli: Cli, tmp_path: Path) -> None:
    qrels = [f"q{n} 0 a#{m} {2 if m == 0 else 1}" for n in range(20) for m in range(12)]
    target = [f"q{n} Q0 a#0 1 1 target" for n in range(20)]
    siblings = [f"q{n} Q0 a#{m} {m} {20 - m} siblings" for n in range(20) for m in range(1, 12)]
    for name, lines in (("qrels.txt", qrels), ("target.run", target), ("siblings.run", siblings)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = cli(
        "sensitivity",
        tmp_path / "target.run",
        tmp_path / "siblings.run",
        "--qrels",
        tmp_path / "qrels.txt",
    )
    assert "The winner hangs on the labels and the gain" in ran.stdout
    assert "  target is ahead of siblings by Success(rel=2)@1 (p 0.0001)" in ran.stdout
    assert "    behind by nDCG@10 (p 0.0001)" in ran.stdout


def test_pitfalls_have_a_line_each(cli: Cli, pair: tuple[Path, Path, Path]) -> None:
    ran = cli("pitfalls", *pair[:2])
    assert ran.returncode == 0
    assert [one.name for one in PITFALLS if f"\n{one.name} " not in ran.stdout] == []
    found = json.loads(cli("pitfalls", *pair[:2], "--json").stdout)
    assert found["run"] == "bm25_2"
    assert {one["name"]: one["error"] for one in found["pitfalls"]}["ideal from the results"] > 0.1


@pytest.mark.parametrize(
    ("command", "many", "what"),
    [
        ("plan", 3, "names 3 runs, at most 2 are compared"),
        ("pitfalls", 2, "names 2 runs, at most 1"),
        ("plan", 0, "names no run file"),
        ("sensitivity", 0, "names no run file"),
        ("pitfalls", 0, "names no run file"),
    ],
)
def test_a_wrong_number_of_runs_exits_with_two(
    command: str, many: int, what: str, cli: Cli, pair: tuple[Path, Path, Path]
) -> None:
    ran = cli(command, pair[0], *[*pair[1:], pair[0]][:many])
    assert ran.returncode == 2
    assert what in " ".join(ran.stderr.replace("│", " ").split())


def test_a_measure_without_a_relevant_document_is_said_in_one_line(
    cli: Cli, pair: tuple[Path, Path, Path]
) -> None:
    ran = cli("plan", *pair, "-m", "RR(rel=3)@10")
    assert ran.returncode == 1
    assert "no query has a relevant document for RR(rel=3)@10" in ran.stderr


def test_sensitivity_needs_graded_judgements(
    cli: Cli, pair: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "binary.qrels").write_text("q1 0 ja/dns#1 1\n", encoding="utf-8")
    ran = cli("sensitivity", *pair[1:], "--qrels", tmp_path / "binary.qrels")
    assert ran.returncode == 1
    assert "binary.qrels: sensitivity needs the grades 2 and 1" in ran.stderr
