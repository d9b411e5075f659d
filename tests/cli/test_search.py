from __future__ import annotations

import hashlib
import itertools
import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hayami.cli.evaluate.search import FIELDS, NAMES
from hayami.evaluate import retrieval
from hayami.evaluate.baselines import SET_UPS
from hayami.extras import Extra

Cli = Callable[..., subprocess.CompletedProcess[str]]


def test_all_six_baselines_write_runs_with_a_card_each(
    cli: Cli, bakery_set: Path, tmp_path: Path
) -> None:
    ran = cli("search", bakery_set, "--out", tmp_path / "runs")
    assert ran.returncode == 0
    told = [f"warning: {s.name}.run: 1 of 3 queries have no result" for s in SET_UPS]
    used = "dimensions: the corpus bears no more"
    told.insert(4, f"warning: lsa_128.run: 5 of 128 {used}")
    told.insert(6, f"warning: lsa_256.run: 5 of 256 {used}")
    assert ran.stderr.splitlines() == told
    names = [set_up.name for set_up in SET_UPS]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == sorted(
        [f"{name}.run" for name in names] + [f"{name}.run.json" for name in names]
    )
    for set_up, line in zip(SET_UPS, ran.stdout.splitlines(), strict=False):
        assert set_up.name in line
        assert set_up.meaning in line


def test_the_names_of_the_baselines_and_fields_are_those_of_the_library() -> None:
    assert [*(set_up.name for set_up in SET_UPS), "command"] == list(NAMES)
    assert FIELDS == retrieval.FIELDS


def test_a_run_has_six_fields_ranks_from_one_and_falling_scores(
    cli: Cli, bakery_set: Path, tmp_path: Path
) -> None:
    cli("search", bakery_set, "-r", "bm25_2", "--out", tmp_path, "--top", "3")
    lines = [
        line.split(" ")
        for line in (tmp_path / "bm25_2.run").read_text(encoding="utf-8").splitlines()
    ]
    assert {(len(line), line[1], line[5]) for line in lines} == {(6, "Q0", "bm25_2")}
    for before, line in itertools.pairwise(lines):
        if before[0] == line[0]:
            assert int(line[3]) == int(before[3]) + 1 <= 3
            assert float(line[4]) < float(before[4])
        else:
            assert int(line[3]) == 1


def test_a_card_says_how_its_run_was_made(cli: Cli, bakery_set: Path, tmp_path: Path) -> None:
    ran = cli(
        "search",
        bakery_set,
        "-r",
        "lsa_128",
        "--out",
        tmp_path,
        "--seed",
        "7",
        "--prefix-topic",
        "--json",
    )
    card = json.loads((tmp_path / "lsa_128_topic.run.json").read_text(encoding="utf-8"))
    assert json.loads(ran.stdout) == {"out": str(tmp_path), "runs": [card]}
    assert (card["retriever"], card["seed"], card["prefix_topic"], card["top"]) == (
        "lsa_128",
        7,
        True,
        100,
    )
    parts = [
        (bakery_set / name).read_bytes() for name in ("corpus.jsonl", "evalset.jsonl", "qrels.txt")
    ]
    together = b"".join(hashlib.sha256(part).digest() for part in parts)
    assert card["set_sha256"] == hashlib.sha256(together).hexdigest()


def test_the_same_search_writes_the_same_bytes(cli: Cli, bakery_set: Path, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        cli("search", bakery_set, "-r", "tfidf_23", "-r", "lsa_256", "--out", tmp_path / folder)
    one, two = (
        {p.name: p.read_bytes() for p in (tmp_path / folder).iterdir()} for folder in ("one", "two")
    )
    assert one == two
    assert len(one) == 4


def test_the_searched_fields_change_the_run(cli: Cli, bakery_set: Path, tmp_path: Path) -> None:
    cli("search", bakery_set, "-r", "bm25_2", "--out", tmp_path / "plain")
    ran = cli(
        "search",
        bakery_set,
        "-r",
        "bm25_2",
        "--out",
        tmp_path / "title",
        "--fields",
        "title, text",
        "--json",
    )
    assert json.loads(ran.stdout)["runs"][0]["fields"] == ["title", "text"]
    assert (tmp_path / "plain" / "bm25_2.run").read_bytes() != (
        tmp_path / "title" / "bm25_2.run"
    ).read_bytes()


def test_a_program_of_ones_own_makes_a_run(cli: Cli, bakery_set: Path, tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text(
        "import json, os, sys\n"
        "ids = [json.loads(line)['id'] for line in open(os.environ['HAYAMI_CORPUS'], "
        "encoding='utf-8')]\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'qid': json.loads(line)['qid'], 'docids': [*ids[:2], 'gone#1']}))\n",
        encoding="utf-8",
    )
    ran = cli(
        "search",
        bakery_set,
        "--command",
        shlex.join([sys.executable, str(script)]),
        "--name",
        "私の",
        "--out",
        tmp_path,
    )
    assert ran.returncode == 0
    assert "results name sections that the corpus does not hold" in ran.stderr
    card = json.loads((tmp_path / "私の.run.json").read_text(encoding="utf-8"))
    assert (card["retriever"], card["fields"]) == ("command", [])
    assert card["unknown"] == card["queries"] == card["answered"]
    assert (tmp_path / "私の.run").read_text(encoding="utf-8").split("\n")[0].endswith(" 1 1 私の")


def test_queries_without_a_result_are_counted(cli: Cli, bakery_set: Path, tmp_path: Path) -> None:
    code = (
        "import sys, json; asked = json.loads(sys.stdin.readline()); "
        "print(json.dumps({'qid': asked['qid'], 'docids': ['a']}))"
    )
    ran = cli(
        "search",
        bakery_set,
        "--command",
        shlex.join([sys.executable, "-c", code]),
        "--out",
        tmp_path,
    )
    assert "warning: command.run: 2 of 3 queries have no result" in ran.stderr


def test_a_program_that_fails_leaves_no_run(cli: Cli, bakery_set: Path, tmp_path: Path) -> None:
    command = shlex.join([sys.executable, "-c", "raise SystemExit('no index')"])
    ran = cli("search", bakery_set, "--command", command, "--out", tmp_path / "runs")
    assert ran.returncode == 1
    assert "failed with exit code 1: no index\n" in ran.stderr
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["-r", "bm26"], "'bm26' is none of bm25_2"),
        (["-r", "command"], "goes with --command"),
        (["-r", "bm25_2", "--command", "true"], "goes with --command"),
        (["--fields", "body"], "'body' is no list of title, heading, text"),
        (["--fields", ""], "is no list of title, heading, text"),
        (["--command", "true", "--name", "a/b"], "cannot be the name of a file"),
        (["--command", "true", "--name", ".."], "cannot be the name of a file"),
        (["--top", "0"], "--top"),
        (["--timeout", "0"], "--timeout"),
    ],
)
def test_a_wrong_command_line_exits_with_two(
    arguments: list[str], what: str, cli: Cli, bakery_set: Path, tmp_path: Path
) -> None:
    ran = cli("search", bakery_set, "--out", tmp_path, *arguments)
    assert ran.returncode == 2
    assert what in " ".join(ran.stderr.replace("│", " ").split())


def test_what_is_no_set_is_said_in_one_line(cli: Cli, tmp_path: Path) -> None:
    ran = cli("search", tmp_path, "--out", tmp_path / "runs")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith(f"hayami: {tmp_path}: not an eval set")


def test_a_place_that_cannot_be_written_is_said_in_one_line(
    cli: Cli, bakery_set: Path, tmp_path: Path
) -> None:
    (tmp_path / "runs").write_text("a file", encoding="utf-8")
    ran = cli("search", bakery_set, "-r", "bm25_2", "--out", tmp_path / "runs")
    assert ran.returncode == 1
    assert f"{tmp_path / 'runs' / 'bm25_2.run'}: cannot write" in ran.stderr


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    cli: Cli, bakery_set: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = {"numpy": "numpy", "no_such_module": "no-such-package"}
    monkeypatch.setattr(
        "hayami.cli.evaluate.inputs.EVAL", Extra("pip install 'hayami[eval]'", packages)
    )
    ran = cli("search", bakery_set)
    assert ran.returncode == 1
    assert (
        ran.stderr == "hayami: not installed: no-such-package\n  hint: pip install 'hayami[eval]'\n"
    )
