"""The README and the pages under docs say what is so: commands run, output is real, names exist."""

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
BUILDING = (ROOT / "docs/building.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("labels/*.md")])
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
MOST_LINES = 150
"""Lines of the README: a newcomer reads it to the end."""


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a page in one language, in order."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return [text for named, text in fenced if named == language]


SHELL = [text.strip() for text in blocks(README, "sh")]


def test_the_readme_can_be_read_at_one_sitting() -> None:
    assert README.count("\n") <= MOST_LINES


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
    shown = next(text for text in blocks(README, "") if text.startswith("24 articles"))
    said = hayami_command("build", "data/articles", "--out", str(tmp_path / "set"))
    assert said.replace(str(tmp_path / "set"), "out/sample") == shown


def test_the_query_that_is_shown_is_one_of_the_sample(tmp_path: Path) -> None:
    shown = json.loads(blocks(BUILDING, "json")[0])
    hayami.build([ROOT / "data/articles"], tmp_path)
    assert shown in [query.model_dump(mode="json") for query in hayami.load(tmp_path).queries()]


def test_the_library_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "articles").mkdir()
    (tmp_path / "articles/a.html").write_bytes((ROOT / "data/articles/ja/dns.html").read_bytes())
    monkeypatch.chdir(tmp_path)
    code = blocks(README, "python")[0].replace(", jobs=2", "")
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 - the README is ours  # noqa: S102 - the README is ours
    assert "q1" in capsys.readouterr().out


def same_but_for_gaps(shown: str, said: str) -> bool:
    """Whether ``said`` is what is ``shown``; a line of one … stands for any lines."""
    parts = [re.escape(part) for part in re.split(r"^…\n", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*?".join(parts), said) is not None


@every_page
def test_what_the_console_shows_is_what_the_commands_say(
    page: Path,
    sample: hayami.Built,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cli: Callable[..., CompletedProcess[str]],
) -> None:
    console = "".join(blocks(page.read_text(encoding="utf-8"), "console"))
    shutil.copytree(sample.folder, tmp_path / "out/sample")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    for command, shown in re.findall(r"^\$ hayami (.+)\n((?:(?!\$ ).*\n)*)", console, re.MULTILINE):
        ran = cli(*shlex.split(command))
        assert ran.returncode == 0, ran.stderr
        assert same_but_for_gaps(shown, ran.stdout), f"{command}\n{ran.stdout}"


def test_consoles_are_shown() -> None:
    assert [page.name for page in PAGES if "```console" in page.read_text(encoding="utf-8")] == [
        "README.md",
        "formats.md",
        "labels.md",
        "search.md",
    ]


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_is_there_with_the_options_that_the_page_names(command: str) -> None:
    row = next(
        line
        for line in BUILDING.split("\n")
        if line.startswith((f"| `hayami {command} ", f"| `hayami {command}`"))
    )
    told = hayami_command(command, "--help")
    assert [option for option in re.findall(r"--[a-z]+", row) if option not in told] == []


def test_the_settings_that_the_page_names_exist() -> None:
    table = BUILDING.split("## Settings")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in table.split("\n") if line.startswith("| `")]
    named = set(re.findall(r"`(\w+)`", "".join(cells)))
    assert named
    assert named <= set(Settings.model_fields)


@every_page
def test_every_file_that_a_page_links_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def slug(heading: str) -> str:
    """The id that code hosts give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@every_page
def test_every_heading_that_a_page_links_to_is_there(page: Path) -> None:
    for file, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8")):
        linked = (page.parent / file if file else page).read_text(encoding="utf-8")
        assert anchor in map(slug, re.findall(r"^#+ (.+)$", linked, re.MULTILINE)), anchor
