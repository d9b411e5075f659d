from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


def test_the_report_is_markdown_on_stdout(bakery_set: Path, cli: Run) -> None:
    ran = cli("report", bakery_set, "--writers")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("# 早見表の参照：直すところ\n\n6 行のうち ")
    assert (
        "| 表 1・4 行目 | 焼き色が薄い | オーブンの癖 | この名前の見出しがありません。"
        in ran.stdout
    )


@pytest.mark.parametrize(
    ("name", "begin"), [("r.md", "# "), ("r.html", "<!DOCTYPE html>"), ("r.json", "{\n")]
)
def test_the_name_of_the_file_says_how_it_is_written(
    bakery_set: Path, tmp_path: Path, cli: Run, name: str, begin: str
) -> None:
    ran = cli("report", bakery_set, "--writers", "--out", tmp_path / "deep" / name)
    assert (ran.returncode, ran.stdout) == (0, f"{tmp_path / 'deep' / name}\n")
    assert (tmp_path / "deep" / name).read_text(encoding="utf-8").startswith(begin)
    assert [path.name for path in (tmp_path / "deep").iterdir()] == [name]


def test_json_is_one_document_on_stdout(bakery_set: Path, cli: Run) -> None:
    told = json.loads(cli("report", bakery_set, "--writers", "--json").stdout)
    assert told["rows"] == 6
    assert told == json.loads(cli("report", bakery_set, "--writers", "--format", "json").stdout)


@pytest.mark.parametrize(
    "wrong", [(), ("--writers", "--out", "r.pdf"), ("--writers", "--json", "--format", "html")]
)
def test_what_cannot_be_meant_is_wrong_usage(
    bakery_set: Path, cli: Run, wrong: tuple[str, ...]
) -> None:
    assert cli("report", bakery_set, *wrong).returncode == 2


def test_a_place_that_cannot_be_written_is_one_line(
    bakery_set: Path, tmp_path: Path, cli: Run
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    ran = cli("report", bakery_set, "--writers", "--out", tmp_path / "file" / "r.md")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "cannot write" in ran.stderr


def test_a_file_that_is_no_report_is_replaced_only_by_force(
    bakery_set: Path, tmp_path: Path, cli: Run
) -> None:
    out = tmp_path / "notes.md"
    out.write_text("# Mine\n", encoding="utf-8")
    ran = cli("report", bakery_set, "--writers", "--out", out)
    assert ran.returncode == 1
    assert "holds something else, which would be lost" in ran.stderr
    assert out.read_text(encoding="utf-8") == "# Mine\n"
    assert cli("report", bakery_set, "--writers", "--out", out, "--force").returncode == 0
    assert cli("report", bakery_set, "--writers", "--out", out).returncode == 0
