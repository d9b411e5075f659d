"""The README says what is so: its commands run, its output is real, its names exist."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import hayami
from hayami.cli import COMMANDS
from hayami.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
SHELL = [text.strip() for language, text in BLOCKS if language == "sh"]


def hayami_command(*args: str) -> str:
    command = [sys.executable, "-c", "from hayami.cli import main; main()", *args]
    run = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True
    )
    return run.stdout


def test_there_are_two_commands_to_begin_with_and_ci_runs_the_second() -> None:
    assert len(SHELL) == 2
    assert SHELL[0].endswith(".venv/bin/hayami build data/articles --out out/sample")
    assert SHELL[1] in (ROOT / ".ci/run").read_text(encoding="utf-8").split("\n")


def test_the_output_of_the_first_command_is_real(tmp_path: Path) -> None:
    shown = next(
        text for language, text in BLOCKS if not language and text.startswith("24 articles")
    )
    said = hayami_command("build", "data/articles", "--out", str(tmp_path / "set"))
    assert said.replace(str(tmp_path / "set"), "out/sample") == shown


def test_the_query_that_is_shown_is_one_of_the_sample(tmp_path: Path) -> None:
    shown = json.loads(next(text for language, text in BLOCKS if language == "json"))
    hayami.build([ROOT / "data/articles"], tmp_path)
    assert shown in [query.model_dump(mode="json") for query in hayami.load(tmp_path).queries()]


def test_the_library_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "articles").mkdir()
    (tmp_path / "articles/a.html").write_bytes((ROOT / "data/articles/ja/dns.html").read_bytes())
    monkeypatch.chdir(tmp_path)
    code = next(text for language, text in BLOCKS if language == "python").replace(", jobs=2", "")
    exec(compile(code, "README.md", "exec"), {})
    assert "q1" in capsys.readouterr().out


CONSOLE = [text for language, text in BLOCKS if language == "console"]


def same_but_for_gaps(shown: str, said: str) -> bool:
    """Whether ``said`` is what is ``shown``; a line of one … stands for any lines."""
    parts = [re.escape(part) for part in re.split(r"^…\n", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*?".join(parts), said) is not None


def test_what_the_console_shows_is_what_the_commands_say(
    sample: hayami.Built,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cli: Callable[..., CompletedProcess[str]],
) -> None:
    shutil.copytree(sample.folder, tmp_path / "out/sample")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    assert CONSOLE
    for block in CONSOLE:
        for command, shown in re.findall(
            r"^\$ hayami (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE
        ):
            ran = cli(*shlex.split(command))
            assert ran.returncode == 0, ran.stderr
            assert same_but_for_gaps(shown, ran.stdout), f"{command}\n{ran.stdout}"


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_is_there_with_the_options_that_the_readme_names(command: str) -> None:
    row = next(
        line
        for line in README.split("\n")
        if line.startswith((f"| `hayami {command} ", f"| `hayami {command}`"))
    )
    told = hayami_command(command, "--help")
    assert [option for option in re.findall(r"--[a-z]+", row) if option not in told] == []


def test_the_settings_that_the_readme_names_exist() -> None:
    table = README.split("## Settings")[1].split("## Measured")[0]
    named = [
        name
        for line in table.split("\n")
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    ]
    assert named
    assert set(named) <= set(Settings.model_fields)


def test_every_file_that_the_readme_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
