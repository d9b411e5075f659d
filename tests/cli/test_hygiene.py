from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


def test_the_figures_of_a_set_are_shown(bakery_set: Path, cli: Run) -> None:
    ran = cli("hygiene", bakery_set)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("3 queries, 6 sections, 3 articles\n\nrepeats\n")
    assert "nDCG of a run that never returns a target" in ran.stdout


def test_json_holds_a_figure_for_each_query(bakery_set: Path, cli: Run) -> None:
    told = json.loads(cli("hygiene", bakery_set, "--json", "--k", "5", "--k", "20").stdout)
    assert [one["qid"] for one in told["figures"]] == ["q1", "q2", "q3"]
    assert sorted({one["k"] for one in told["siblings"]}) == [5, 20]
    assert told["breaches"] == []


@pytest.mark.parametrize(
    ("limit", "code"),
    [
        (("--min-coverage", "0.9"), 1),
        (("--min-coverage", "0.1"), 0),
        (("--strict",), 0),
        (("--max-context", "0"), 1),
    ],
)
def test_a_limit_that_is_not_kept_exits_1(
    bakery_set: Path, cli: Run, limit: tuple[str, ...], code: int
) -> None:
    ran = cli("hygiene", bakery_set, *limit)
    assert ran.returncode == code
    assert bool(ran.stderr) == bool(code)


def test_a_limit_that_is_given_goes_before_the_strict_ones(
    tmp_path: Path, make_article: Callable[..., str], cli: Run
) -> None:
    rows = [
        ("湯の温度は何度がよいか", "", "湯の温度"),
        ("湯の温度は何度がよいか？", "", "湯の温度"),
    ]
    (tmp_path / "a.html").write_text(
        make_article("茶", rows, ["湯の温度", "蒸らす時間"]), encoding="utf-8"
    )
    assert cli("build", tmp_path, "--out", tmp_path / "set").returncode == 0
    strict = cli("hygiene", tmp_path / "set", "--strict")
    assert (strict.returncode, strict.stderr) == (
        1,
        f"hayami: {tmp_path / 'set'}: pairs of near duplicates: 1, allowed 0\n",
    )
    assert (
        cli("hygiene", tmp_path / "set", "--strict", "--max-near-duplicates", "1").returncode == 0
    )


def test_no_set_is_one_line(tmp_path: Path, cli: Run) -> None:
    ran = cli("hygiene", tmp_path)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "not an eval set" in ran.stderr


def test_a_share_above_one_is_wrong_usage(bakery_set: Path, cli: Run) -> None:
    assert cli("hygiene", bakery_set, "--max-overlap", "2").returncode == 2
