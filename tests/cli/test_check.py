from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def damaged(bakery_set: Path) -> Path:
    """A set of which a file was changed and another one is missing."""
    path = bakery_set / "qrels.txt"
    path.write_text(
        path.read_text(encoding="utf-8").replace("q2 0 yeast#1 1", "q2 0 yeast#1 2"),
        encoding="utf-8",
    )
    (bakery_set / "articles.jsonl").unlink()
    return bakery_set


def test_a_sound_set_is_said_to_be_sound(bakery_set: Path, cli: Run) -> None:
    ran = cli("check", bakery_set)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == f"{bakery_set}: sound; 3 queries, 6 sections, 6 rows accounted for\n"


def test_a_sound_set_is_said_to_be_sound_in_json(bakery_set: Path, cli: Run) -> None:
    ran = cli("check", bakery_set, "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout) == {"folder": str(bakery_set), "sound": True, "faults": []}


def test_every_fault_is_a_line_with_its_file(damaged: Path, cli: Run) -> None:
    ran = cli("check", damaged)
    assert ran.returncode == 1
    assert ran.stdout.splitlines()[:2] == [
        f"{damaged / 'articles.jsonl'}: missing",
        f"{damaged / 'qrels.txt'}: is not the file that was built: its sha256 differs from the manifest's",  # noqa: E501
    ]
    assert all(line.startswith(f"{damaged}/") for line in ran.stdout.splitlines())
    assert (
        ran.stderr
        == f"hayami: {damaged}: {len(ran.stdout.splitlines())} faults; build the set again\n"
    )


def test_faults_in_json_are_strict_and_alone(damaged: Path, cli: Run) -> None:
    ran = cli("check", damaged, "--json")
    assert ran.returncode == 1
    told = json.loads(ran.stdout)
    assert (told["folder"], told["sound"]) == (str(damaged), False)
    assert {"where": str(damaged / "articles.jsonl"), "what": "missing"} in told["faults"]
    assert ran.stderr.startswith(f"hayami: {damaged}: ")


def test_one_fault_is_counted_as_one(bakery_set: Path, cli: Run) -> None:
    manifest = json.loads((bakery_set / "manifest.json").read_text(encoding="utf-8"))
    del manifest["files"]["qrels.txt"]
    (bakery_set / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    ran = cli("check", bakery_set)
    assert ran.returncode == 1
    assert ran.stdout == f"{bakery_set / 'manifest.json'}: names no hash for qrels.txt\n"
    assert ran.stderr == f"hayami: {bakery_set}: 1 fault; build the set again\n"


@pytest.mark.parametrize("as_json", [[], ["--json"]])
@pytest.mark.parametrize("name", ["nothing", "."])
def test_a_folder_that_is_no_eval_set_is_a_problem(
    tmp_path: Path, name: str, as_json: list[str], cli: Run
) -> None:
    ran = cli("check", tmp_path / name, *as_json)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.splitlines() == [
        f"hayami: {tmp_path / name}: not an eval set: no manifest.json",
        "  hint: Run 'hayami build' first.",
    ]


def test_a_set_of_another_version_is_a_problem(bakery_set: Path, cli: Run) -> None:
    path = bakery_set / "manifest.json"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"format": 1', '"format": 9'), encoding="utf-8"
    )
    ran = cli("check", bakery_set)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.splitlines() == [
        f"hayami: {path}: format 9; this hayami reads format 1",
        "  hint: Build the set again.",
    ]


@pytest.mark.parametrize("arguments", [[], ["--nonsense"], ["one", "two"]])
def test_wrong_usage_is_exit_code_2(arguments: list[str], cli: Run) -> None:
    ran = cli("check", *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
