from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.evaluate.baselines import SET_UPS
from hayami.evaluate.produce import produce
from hayami.evaluate.retrieval import Terms
from hayami.extras import Extra

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def runs(sample: hayami.Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """BM25 over 2-grams, over 2- and 3-grams, and a run that is much worse. Not to be changed."""
    folder = tmp_path_factory.mktemp("runs")
    for set_up in SET_UPS[:2]:
        produce(hayami.load(sample.folder), set_up, folder, Terms(top=20))
    lines = (folder / "bm25_2.run").read_text(encoding="utf-8").splitlines()
    worse = [line.replace("bm25_2", "worse") for line in lines if int(line.split(" ")[3]) > 3]
    (folder / "worse.run").write_text("\n".join(worse) + "\n", encoding="utf-8")
    return folder


def test_two_runs_are_compared_by_five_measures(cli: Cli, sample: hayami.Built, runs: Path) -> None:
    ran = cli("compare", sample.folder, runs / "bm25_2.run", runs / "bm25_23.run")
    assert ran.returncode == 0
    assert ran.stdout.startswith("bm25_23 against bm25_2: 206 queries of 24 articles")
    lines = ran.stdout.splitlines()
    header = next(line for line in lines if line.startswith("measure"))
    assert header.split()[1:3] == ["bm25_2", "bm25_23"]
    names = [line.split()[0] for line in lines[lines.index(header) + 1 :][:5]]
    assert names == [
        "RR(rel=2)@10",
        "Success(rel=2)@1",
        "Success(rel=2)@5",
        "R(rel=2)@10",
        "nDCG@10",
    ]


def test_the_changed_queries_show_both_rankings(cli: Cli, sample: hayami.Built, runs: Path) -> None:
    ran = cli("compare", sample.folder, runs / "bm25_2.run", runs / "worse.run", "--changes", "1")
    lines = ran.stdout.splitlines()
    place = next(number for number, line in enumerate(lines) if " → " in line)
    assert lines[place].split()[1:4] == ["1.0000", "→", "0.0000"]
    assert lines[place + 1].split() == ["bm25_2", "worse"]
    assert lines[place + 2].startswith("   1  2 ")
    assert not any(" → " in line for line in lines[place + 1 :])


def test_a_drop_beyond_the_gate_exits_with_one(cli: Cli, sample: hayami.Built, runs: Path) -> None:
    pair = (sample.folder, runs / "bm25_2.run")
    gate = ("--gate", "MRR@10 >= -0.05")
    failed = cli("compare", *pair, runs / "worse.run", *gate)
    assert failed.returncode == 1
    assert "gate FAILED: worse: RR(rel=2)@10 -0." in failed.stdout
    assert "of true drops of 0.0500 this rule lets 5% pass (the point rule 50%)" in failed.stdout
    assert failed.stderr.endswith("hayami: a gate failed\n")
    passed = cli("compare", *pair, runs / "bm25_23.run", *gate)
    assert passed.returncode == 0
    assert "gate passed: bm25_23: RR(rel=2)@10 +0." in passed.stdout


def test_a_gate_may_go_by_the_point_and_over_a_group(
    cli: Cli, sample: hayami.Built, runs: Path, tmp_path: Path
) -> None:
    pair = (sample.folder, runs / "bm25_2.run", runs / "bm25_23.run")
    (tmp_path / "c.csv").write_text(
        "".join(f"q{n},{'業務' if n % 2 else '人事'}\n" for n in range(1, 207)), encoding="utf-8"
    )
    gates = (
        "--gate",
        "point RR(rel=2)@10[category=業務] >= -0.1",
        "--gate",
        "nDCG@10 [language=ja] >= -1",
    )
    ran = cli("compare", *pair, *gates, "--categories", tmp_path / "c.csv", "--json")
    assert ran.returncode == 0, ran.stderr
    passages = json.loads(ran.stdout)["passages"]
    assert [(one["gate"]["rule"], one["gate"]["group"]) for one in passages] == [
        ("point", "業務"),
        ("lower", "ja"),
    ]
    assert all(one["queries"] < 206 for one in passages)
    missing = cli("compare", *pair, *gates)
    assert missing.returncode == 1
    assert "no query of category '業務' for RR(rel=2)@10: there are none" in missing.stderr


def test_the_measure_of_a_gate_is_measured_even_if_it_is_not_named(
    cli: Cli, sample: hayami.Built, runs: Path
) -> None:
    options = ("-m", "RR(rel=2)@10", "--gate", "P@3 >= -1", "--json")
    ran = cli("compare", sample.folder, runs / "bm25_2.run", runs / "bm25_23.run", *options)
    found = json.loads(ran.stdout)
    assert [one["measure"] for one in found["differences"]] == ["RR(rel=2)@10", "P@3"]
    assert [one["passed"] for one in found["passages"]] == [True]


def test_a_baseline_is_saved_and_compared_with(
    cli: Cli, sample: hayami.Built, runs: Path, tmp_path: Path
) -> None:
    base = tmp_path / "base.json"
    saved = cli("compare", sample.folder, runs / "bm25_2.run", "--save-baseline", base)
    assert (saved.returncode, saved.stdout) == (0, "")
    assert saved.stderr.endswith(f"{base}: baseline of bm25_2\n")
    ran = cli("compare", sample.folder, runs / "bm25_23.run", "--baseline", base, "--json")
    direct = cli("compare", sample.folder, runs / "bm25_2.run", runs / "bm25_23.run", "--json")
    ours, theirs = (
        [{k: v for k, v in one.items() if k != "base"} for one in json.loads(text)["differences"]]
        for text in (ran.stdout, direct.stdout)
    )
    assert ours == theirs
    assert json.loads(ran.stdout)["base"] == "bm25_2 (baseline)"


def test_a_baseline_is_not_replaced_when_a_gate_fails(
    cli: Cli, sample: hayami.Built, runs: Path, tmp_path: Path
) -> None:
    base = tmp_path / "base.json"
    cli("compare", sample.folder, runs / "bm25_2.run", "--save-baseline", base)
    before = base.read_bytes()
    options = ("--baseline", base, "--save-baseline", base, "--gate", "RR(rel=2)@10 >= -0.05")
    assert cli("compare", sample.folder, runs / "worse.run", *options).returncode == 1
    assert base.read_bytes() == before
    assert cli("compare", sample.folder, runs / "bm25_23.run", *options).returncode == 0
    assert base.read_bytes() != before


@pytest.fixture
def saved(cli: Cli, sample: hayami.Built, runs: Path, tmp_path: Path) -> Path:
    """A baseline of the sample."""
    base = tmp_path / "base.json"
    cli("compare", sample.folder, runs / "bm25_2.run", "--save-baseline", base)
    return base


@pytest.fixture
def edited(sample: hayami.Built, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample.folder, tmp_path / "edited"))


@pytest.fixture
def shorter(edited: Path, sealed: Callable[[Path], None]) -> Path:
    """The sample without the last section of its corpus."""
    corpus = edited / "corpus.jsonl"
    corpus.write_text("".join(lines_of(corpus)[:-1]), encoding="utf-8")
    sealed(edited)
    return edited


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines(keepends=True)


def test_a_baseline_of_another_corpus_is_refused(
    cli: Cli, sample: hayami.Built, runs: Path, tmp_path: Path, shorter: Path
) -> None:
    base = tmp_path / "base.json"
    cli("compare", sample.folder, runs / "bm25_2.run", "--save-baseline", base)
    ran = cli("compare", shorter, runs / "bm25_2.run", "--baseline", base)
    assert ran.returncode == 1
    assert f"hayami: {base}: was made with another corpus" in ran.stderr
    assert "warning: bm25_2: was made for another set" in ran.stderr


def test_queries_that_changed_are_left_out_of_a_baseline_and_counted(
    cli: Cli, runs: Path, saved: Path, edited: Path, sealed: Callable[[Path], None]
) -> None:
    qrels = edited / "qrels.txt"
    gone = lines_of(qrels)[0].split()[0]
    left = [line for line in lines_of(qrels) if line.split()[0] != gone]
    qrels.write_text("".join(left), encoding="utf-8")
    sealed(edited)
    ran = cli("compare", edited, runs / "bm25_23.run", "--baseline", saved)
    assert ran.returncode == 0
    told = "compared on 205 common queries: 0 of the set are new or changed, 1 of the baseline"
    assert told in ran.stderr
    assert ran.stdout.startswith(f"WARNING: {told}")
    strict = cli(
        "compare", edited, runs / "bm25_23.run", "--baseline", saved, "--least-common", "1"
    )
    assert strict.returncode == 1
    assert "205 of 206 are the same, 100% must be" in strict.stderr


def test_a_gate_over_a_stale_run_is_an_error_with_both_hashes_and_the_command(
    cli: Cli, runs: Path, shorter: Path
) -> None:
    pair = (shorter, runs / "bm25_2.run", runs / "bm25_23.run")
    ran = cli("compare", *pair, "--gate", "MRR@10 >= -0.5")
    assert ran.returncode == 1
    assert re.search(
        r"hayami: bm25_2: a gate over a run that was made for another set, .* "
        r"\([0-9a-f]{12}…, this one is [0-9a-f]{12}…\)",
        ran.stderr,
    )
    assert (
        f"hint: Make it anew: hayami search {shorter} --out {runs} --retriever bm25_2" in ran.stderr
    )
    shown = cli("compare", *pair)
    assert shown.returncode == 0
    assert shown.stdout.startswith("WARNING: bm25_2 was made for another set")


def test_confirming_labels_voids_neither_runs_nor_baselines(
    cli: Cli, runs: Path, saved: Path, edited: Path, sealed: Callable[[Path], None]
) -> None:
    queries = edited / "evalset.jsonl"
    text = queries.read_text(encoding="utf-8").replace('"match":"exact"', '"match":"manual"')
    queries.write_text(text, encoding="utf-8")
    sealed(edited)
    options = ("--baseline", saved, "--gate", "MRR@10 >= -0.5")
    ran = cli("compare", edited, runs / "bm25_23.run", *options)
    assert ran.returncode == 0, ran.stderr
    assert "another set" not in ran.stderr


def test_without_the_extra_the_command_that_installs_it_is_named(
    cli: Cli, sample: hayami.Built, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extra = Extra("pip install 'hayami[eval]'", {"no_such_module": "no-such-package"})
    monkeypatch.setattr("hayami.cli.evaluate.compare.EVAL", extra)
    pair = (sample.folder, runs / "bm25_2.run", runs / "bm25_23.run")
    for gate in ((), ("--gate", "RR@10 >= 0")):
        ran = cli("compare", *pair, *gate)
        assert ran.returncode == 1
        assert ran.stderr == (
            "hayami: not installed: no-such-package\n  hint: pip install 'hayami[eval]'\n"
        )


def test_five_articles_get_no_verdict_and_are_told_how_many_it_takes(
    cli: Cli, sample: hayami.Built, runs: Path, tmp_path: Path
) -> None:
    few = tmp_path / "few.csv"
    few.write_text("".join(f"q{n},a{n % 5}\n" for n in range(1, 207)), encoding="utf-8")
    pair = (sample.folder, runs / "bm25_2.run", runs / "worse.run")
    ran = cli("compare", *pair, "--clusters", few)
    assert "206 queries of 5 articles" in ran.stdout
    assert ran.stdout.count("  too few articles") == 5
    assert "5 articles are too few for a verdict: it takes 10 at least" in ran.stdout
    assert re.search(r"in 80% of cases it takes about [\d,]+ articles of this kind", ran.stdout)
    found = json.loads(cli("compare", *pair, "--clusters", few, "--json").stdout)["differences"]
    assert {one["detectable"] for one in found} == {None}
    fifteen = tmp_path / "fifteen.csv"
    fifteen.write_text("".join(f"q{n},a{n % 15}\n" for n in range(1, 207)), encoding="utf-8")
    more = cli("compare", *pair, "--clusters", fifteen)
    assert "15 articles are few: a verdict over fewer than 20 rests on little" in more.stdout
    assert "worse" in more.stdout


def test_the_reports_are_written_beside_the_result(
    cli: Cli, sample: hayami.Built, runs: Path, tmp_path: Path
) -> None:
    page, text = tmp_path / "out" / "c.html", tmp_path / "c.md"
    ran = cli(
        "compare",
        sample.folder,
        runs / "bm25_2.run",
        runs / "bm25_23.run",
        "--html",
        page,
        "--markdown",
        text,
    )
    assert ran.returncode == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert text.read_text(encoding="utf-8").startswith("### bm25\\_23 against bm25\\_2\n")
    blocked = cli(
        "compare",
        sample.folder,
        runs / "bm25_2.run",
        runs / "bm25_23.run",
        "--html",
        text / "x.html",
    )
    assert blocked.returncode == 1
    assert f"hayami: {text / 'x.html'}: cannot write" in blocked.stderr


def test_runs_of_one_tag_go_by_their_file_names(
    cli: Cli, sample: hayami.Built, runs: Path, tmp_path: Path
) -> None:
    shutil.copy(runs / "bm25_2.run", tmp_path / "again.run")
    ran = cli("compare", sample.folder, runs / "bm25_2.run", tmp_path / "again.run", "--json")
    found = json.loads(ran.stdout)
    assert (found["base"], found["others"]) == ("bm25_2", ["again"])
    assert {one["verdict"] for one in found["differences"]} == {"equal"}


def test_several_runs_are_compared_with_the_first(
    cli: Cli, sample: hayami.Built, runs: Path
) -> None:
    three = [runs / f"{name}.run" for name in ("bm25_2", "bm25_23", "worse")]
    ran = cli("compare", sample.folder, *three, "-m", "RR(rel=2)@10", "--json")
    found = json.loads(ran.stdout)["differences"]
    assert [(one["base"], one["other"]) for one in found] == [
        ("bm25_2", "bm25_23"),
        ("bm25_2", "worse"),
    ]
    assert [one["p_adjusted"] >= one["p"] for one in found] == [True, True]


def test_foreign_judgements_need_no_set(
    cli: Cli, sample: hayami.Built, runs: Path, tmp_path: Path
) -> None:
    qrels = tmp_path / "qrels.txt"
    text = (sample.folder / "qrels.txt").read_text(encoding="utf-8")
    qrels.write_text(
        "\n".join(line for line in text.split("\n") if line.endswith(" 2")) + "\n", encoding="utf-8"
    )
    pair = (runs / "bm25_2.run", runs / "bm25_23.run")
    foreign = json.loads(
        cli("compare", *pair, "--qrels", qrels, "-m", "RR(rel=2)@10", "--json").stdout
    )
    own = json.loads(cli("compare", sample.folder, *pair, "-m", "RR(rel=2)@10", "--json").stdout)
    assert foreign["differences"][0]["difference"] == own["differences"][0]["difference"]
    assert (foreign["articles"], own["articles"]) == (None, 24)
    assert foreign["differences"][0]["by_article"] is None
    shown = cli("compare", *pair, "--qrels", qrels, "-m", "RR(rel=2)@10")
    assert "206 queries, clusters unknown (each query stands for itself)" in shown.stdout
    assert "warning: clusters unknown" in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ([], "names no run file"),
        (["bm25_2.run"], "names one run: name another, or --baseline"),
        (["bm25_2.run", "bm25_2.run"], "names one run twice"),
        (["bm25_2.run", "bm25_23.run", "--gate", "RR@10"], "is not 'MEASURE >= DIFFERENCE'"),
        (["bm25_2.run", "bm25_23.run", "--gate", "RR@10 >= -3"], "-3 is no difference"),
        (["bm25_2.run", "bm25_23.run", "--draws", "1"], "--draws"),
    ],
)
def test_a_wrong_command_line_exits_with_two(
    arguments: list[str], what: str, cli: Cli, sample: hayami.Built, runs: Path
) -> None:
    given = [runs / one if one.endswith(".run") else one for one in arguments]
    ran = cli("compare", sample.folder, *given)
    assert ran.returncode == 2
    assert what in " ".join(ran.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["bm25_2.run", "none.run"], "none.run: "),
        (["bm25_2.run", "bm25_23.run", "-m", "Precision"], "measure 'Precision'"),
        (["bm25_2.run", "bm25_23.run", "--gate", "RRR@10 >= -0.02"], "measure 'RRR@10'"),
        (
            ["bm25_2.run", "bm25_23.run", "--gate", "RR(rel=3)@5 >= -0.02"],
            "no query has a relevant document for RR(rel=3)",
        ),
        (["bm25_2.run", "--baseline", "none.json"], "none.json: No such file or directory"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(
    arguments: list[str], what: str, cli: Cli, sample: hayami.Built, runs: Path
) -> None:
    given = [runs / one if one.endswith(".run") else one for one in arguments]
    ran = cli("compare", sample.folder, *given)
    assert ran.returncode == 1
    assert what in ran.stderr
    assert "Traceback" not in ran.stderr
