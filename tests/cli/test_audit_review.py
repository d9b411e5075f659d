"""``hayami audit review``: the command line around the page and the terminal."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.audit.draft import read_drafter
from hayami.audit.sheets import write_sheet
from hayami.cli.audit.sources import judge_name
from hayami.evalset.records import Ruling
from hayami.verdicts.log import read_verdicts

Ran = subprocess.CompletedProcess[str]
Say = Callable[..., Ran]
MAIN = "from hayami.cli import main; main()"


@pytest.fixture
def sheet(bakery_set: Path, tmp_path: Path) -> Path:
    """Three labels of the bakery as a sheet."""
    path = tmp_path / "シート.jsonl"
    evalset = hayami.load(bakery_set)
    drafter = read_drafter(evalset, path)
    write_sheet(path, [drafter.label(query) for query in list(evalset.queries())[:3]])
    return path


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return tmp_path / "labels"


@pytest.fixture
def say(cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, labels: Path) -> Say:
    """Reviews in the terminal; the lines of the judge come from a pipe."""

    def run(sheet: Path, *options: object, lines: str = "", judge: str = "hana") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        told = ("--labels", labels, "--judge", judge, "--terminal", "--lang", "en")
        return cli("audit", "review", sheet, *told, *options)

    return run


def test_a_sheet_is_judged_from_a_pipe_and_says_what_to_run_next(
    say: Say, sheet: Path, labels: Path
) -> None:
    ran = say(sheet, lines="1\n2\n7\n")
    assert ran.returncode == 0
    assert [v.ruling for v in read_verdicts(labels)] == [Ruling.RIGHT, Ruling.WRONG, Ruling.UNSURE]
    assert "All judged" in ran.stdout
    assert f"next: hayami audit score {sheet} --labels {labels}" in ran.stderr
    assert "next: hayami build ARTICLES --out" in ran.stderr


def test_a_path_with_blanks_is_quoted_in_what_to_run_next(say: Say, sheet: Path) -> None:
    spaced = sheet.rename(sheet.with_name("my sheet.jsonl"))
    assert f"hayami audit score '{spaced}' --labels" in say(spaced, lines="1\n1\n1\n").stderr


def test_the_end_of_the_input_stops_and_loses_nothing(say: Say, sheet: Path, labels: Path) -> None:
    ran = say(sheet, lines="1\n")
    assert ran.returncode == 0
    assert "1 of 3 judged, 2 left" in ran.stderr
    assert "Row 2 of 3" in say(sheet, lines="q\n").stdout
    assert len(read_verdicts(labels)) == 1


def test_a_sheet_that_is_all_judged_says_so(say: Say, sheet: Path) -> None:
    say(sheet, lines="1\n1\n1\n")
    again = say(sheet)
    assert again.returncode == 0
    assert "3 of 3 judged, all done" in again.stderr


def test_ctrl_c_in_the_terminal_is_how_a_judge_stops(
    say: Say, sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    ran = say(sheet)
    assert ran.returncode == 0
    assert "0 of 3 judged, 3 left" in ran.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a browser is a shell script here")
def test_the_token_stands_in_no_command_line(sheet: Path, labels: Path, tmp_path: Path) -> None:
    """A stand-in for the browser writes down how it was started, and ends the review."""
    browser = tmp_path / "browser"
    browser.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/started\n'
        f'cp "${{1#file://}}" {tmp_path}/page && kill -INT $PPID\n'
    )
    browser.chmod(0o755)
    ran = subprocess.run(
        [sys.executable, "-c", MAIN, "audit", "review", sheet, "--labels", labels],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | {"BROWSER": f"{browser} %s", "DISPLAY": ":0"},
    )
    (address,) = re.findall(r"^open (http://\S+)$", ran.stderr, re.MULTILINE)
    token = address.strip("/").rpartition("/")[2]
    started = (tmp_path / "started").read_text().strip()
    assert started.startswith("file://")
    assert token not in started
    assert f'url={address}"' in (tmp_path / "page").read_text()
    assert not Path(started.removeprefix("file://")).exists(), "gone with the review"


def test_bytes_that_are_no_text_do_not_end_the_session(sheet: Path, labels: Path) -> None:
    command = [
        "audit",
        "review",
        str(sheet),
        "--labels",
        str(labels),
        "--terminal",
        "--judge",
        "hana",
    ]
    ran = subprocess.run(
        [sys.executable, "-c", MAIN, *command],
        input=b"1 # \xff\xfe\n",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0
    assert read_verdicts(labels)[0].note == "\ufffd\ufffd"


def test_judges_who_disagree_are_shown_to_one_who_decides(
    say: Say, sheet: Path, bakery_set: Path, labels: Path
) -> None:
    say(sheet, lines="1\n1\n")
    say(sheet, lines="2 # だめ\n1\n", judge="jiro")
    ran = say(bakery_set, "--conflicts", lines="1\n", judge="chief")
    assert ran.returncode == 0
    assert "hana: Right" in ran.stdout
    assert "jiro: Wrong" in ran.stdout
    assert "だめ" in ran.stdout
    assert [v.adjudicates for v in read_verdicts(labels) if v.judge == "chief"] == [True]
    again = say(sheet, "--conflicts", judge="chief")
    assert again.returncode == 0
    assert "no row" in again.stdout


def test_conflicts_about_rows_that_are_gone_are_counted(
    say: Say, sheet: Path, labels: Path, bakery_set: Path
) -> None:
    say(sheet, lines="1\n")
    say(sheet, lines="2\n", judge="jiro")
    for file in labels.iterdir():
        file.write_text(
            file.read_text(encoding="utf-8").replace(
                '"rows":[{"article":"', '"rows":[{"article":"x'
            )
        )
    ran = say(bakery_set, "--conflicts")
    assert ran.returncode == 0
    assert "1 more cannot be decided here" in ran.stderr


def test_conflicts_without_verdicts_are_an_error_with_a_hint(say: Say, sheet: Path) -> None:
    ran = say(sheet, "--conflicts")
    assert ran.returncode == 1
    assert "hint:" in ran.stderr


@pytest.mark.parametrize(
    "options", [("--judge", " \t"), ("--port", "70000"), ("--lang", "fr"), ("--labels", "SHEET")]
)
def test_what_cannot_be_meant_is_a_wrong_command_line(
    cli: Callable[..., Ran], sheet: Path, options: tuple[str, str]
) -> None:
    given = [str(sheet) if option == "SHEET" else option for option in options]
    assert cli("audit", "review", sheet, "--terminal", *given).returncode == 2


def test_a_folder_is_no_sheet(say: Say, bakery_set: Path) -> None:
    ran = say(bakery_set)
    assert ran.returncode == 1
    assert "audit sample" in ran.stderr


def test_a_set_that_was_moved_is_named_with_set(
    say: Say, sheet: Path, bakery_set: Path, tmp_path: Path
) -> None:
    moved = bakery_set.rename(tmp_path / "moved")
    ran = say(sheet)
    assert ran.returncode == 1
    assert "--set" in ran.stderr
    assert say(sheet, "--set", moved, lines="1\n").returncode == 0


def test_a_damaged_sheet_is_refused_with_its_line(say: Say, sheet: Path, labels: Path) -> None:
    sheet.write_text(
        sheet.read_text(encoding="utf-8").replace('"verdict":null', '"verdict":"banana"', 1),
        "utf-8",
    )
    ran = say(sheet, lines="1\n")
    assert ran.returncode == 1
    assert f"{sheet}:1" in ran.stderr
    assert not labels.exists()


def test_the_judge_is_the_user_unless_said_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError

    monkeypatch.setattr("getpass.getuser", lambda: "hanako")
    assert judge_name(None) == "hanako"
    assert judge_name("  佐藤\x1b  花子 ") == "佐藤 花子"
    monkeypatch.setattr("getpass.getuser", nobody)
    assert judge_name(None) == "judge"


def test_missing_packages_are_named_with_the_command_that_installs_them(
    process: Callable[..., Ran], sheet: Path
) -> None:
    ran = process(
        "audit", "review", sheet, "--no-open", code="import sys; sys.modules['uvicorn'] = None"
    )
    assert ran.returncode == 1
    assert "uvicorn" in ran.stderr
    assert "pip install 'hayami[review]'" in ran.stderr


def test_the_terminal_needs_none_of_the_packages_of_the_page(
    process: Callable[..., Ran], sheet: Path, labels: Path
) -> None:
    code = "import sys; sys.modules.update(uvicorn=None, starlette=None, jinja2=None)"
    ran = process("audit", "review", sheet, "--terminal", "--labels", labels, code=code)
    assert ran.returncode == 0
    assert "0 of 3 judged" in ran.stderr
