from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def edited(bakery: Path, bakery_set: Path, tmp_path: Path, cli: Run) -> Path:
    """The bakery with a row less, a section renamed and a section more, built anew."""
    folder = Path(shutil.copytree(bakery, tmp_path / "edited"))
    page = folder / "yeast.html"
    text = page.read_text(encoding="utf-8").replace(
        "<h2 id=", "<h2>酵母の歴史</h2><p>昔の話。</p><h2 id=", 1
    )
    page.write_text(text.replace("生種とドライの違い", "生種とドライはどう違う"), encoding="utf-8")
    page = folder / "guide/index.html"
    page.write_text(
        page.read_text(encoding="utf-8").replace("膨らまないとき", ""), encoding="utf-8"
    )
    assert cli("build", folder, "--out", tmp_path / "new", "--previous", bakery_set).returncode == 0
    return tmp_path / "new"


def test_what_changed_is_listed(bakery_set: Path, edited: Path, cli: Run) -> None:
    ran = cli("diff", bakery_set, edited)
    assert ran.returncode == 0
    assert "      1  stayed: the question is there, and means the same sections\n" in ran.stdout
    assert "reworded\n    q4 生種とドライの違い → 生種とドライはどう違う\n" in ran.stdout
    assert "went\n    q2 膨らまないとき: yeast#0; no row asks it\n" in ran.stdout
    assert "    yeast#0 酵母の歴史: came\n" in ran.stdout


def test_equal_sets_have_nothing_to_list(bakery_set: Path, cli: Run) -> None:
    ran = cli("diff", bakery_set, bakery_set)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == (
        "questions\n"
        "      3  stayed: the question is there, and means the same sections\n"
        "sections\n"
        "      6  unchanged\n"
        "labels\n"
        "      4  carried over, 0 of them to sections that were rewritten\n"
        "      0  lost\n"
        "      0  new\n"
        "      3  of 3 questions kept their id\n"
    )


def test_json_is_one_document_on_stdout(bakery_set: Path, edited: Path, cli: Run) -> None:
    told = json.loads(cli("diff", bakery_set, edited, "--json").stdout)
    assert told["summary"]["labels"]["lost"] == 1
    assert {one["fate"] for one in told["questions"]} == {"reworded", "went"}


@pytest.mark.parametrize(("allowed", "code"), [(0, 1), (1, 0)])
def test_more_lost_labels_than_allowed_exit_1(
    bakery_set: Path, edited: Path, cli: Run, allowed: int, code: int
) -> None:
    assert cli("diff", bakery_set, edited, "--max-lost", allowed).returncode == code


def test_a_folder_that_is_no_set_is_named(bakery_set: Path, tmp_path: Path, cli: Run) -> None:
    ran = cli("diff", bakery_set, tmp_path / "none")
    assert ran.returncode == 1
    assert str(tmp_path / "none") in ran.stderr
