from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import hayami
from hayami.settings import Settings, read_settings

Run = Callable[..., CompletedProcess[str]]


def test_the_file_holds_every_setting_with_its_default(tmp_path: Path, cli: Run) -> None:
    ran = cli("init", tmp_path / "設定.toml")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == f"{tmp_path / '設定.toml'}: {len(Settings.model_fields)} settings\n"
    assert read_settings(tmp_path / "設定.toml") == Settings()


def test_the_file_has_line_feeds_and_no_byte_order_mark(tmp_path: Path, cli: Run) -> None:
    cli("init", tmp_path / "a.toml")
    data = (tmp_path / "a.toml").read_bytes()
    assert data == Settings().as_toml().encode("utf-8")
    assert b"\r" not in data


def test_the_file_is_hayami_toml_in_the_current_folder_unless_named(
    tmp_path: Path, cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("init").returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["hayami.toml"]


def test_the_file_can_be_given_to_a_build(bakery: Path, tmp_path: Path, cli: Run) -> None:
    cli("init", tmp_path / "a.toml")
    ran = cli("build", bakery, "--settings", tmp_path / "a.toml", "--out", tmp_path / "set")
    assert ran.returncode == 0


def test_a_file_that_is_there_is_kept(tmp_path: Path, cli: Run) -> None:
    path = tmp_path / "hayami.toml"
    path.write_text("level = 3\n", encoding="utf-8")
    ran = cli("init", path)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.splitlines() == [
        f"hayami: {path}: is already there",
        "  hint: Use --force to overwrite it.",
    ]
    assert path.read_text(encoding="utf-8") == "level = 3\n"


def test_force_overwrites_it(tmp_path: Path, cli: Run) -> None:
    path = tmp_path / "hayami.toml"
    path.write_text("level = 3\n" * 2000, encoding="utf-8")
    assert cli("init", path, "--force").returncode == 0
    assert read_settings(path) == Settings()


@pytest.mark.parametrize("name", ["nothing/hayami.toml", "."])
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_place_that_cannot_be_written_is_named(
    tmp_path: Path, name: str, force: list[str], cli: Run
) -> None:
    ran = cli("init", tmp_path / name, *force)
    assert (ran.returncode, ran.stdout) == (1, "")
    problem, hint = ran.stderr.splitlines()
    assert problem.startswith(f"hayami: {tmp_path / name}: ")
    assert hint.startswith("  hint: ")


def test_wrong_usage_is_exit_code_2(cli: Run) -> None:
    assert cli("init", "--nonsense").returncode == 2


def test_the_settings_file_of_the_folder_is_found(
    cli: Callable[..., CompletedProcess[str]],
    bakery: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hayami.toml").write_text("short_question = 9\n", encoding="utf-8")
    found = cli("build", bakery, "--out", tmp_path / "found")
    assert "settings: hayami.toml" in found.stderr
    Path("other.toml").write_text("short_question = 8\n", encoding="utf-8")
    named = cli("build", bakery, "--out", tmp_path / "named", "--settings", "other.toml")
    assert "settings:" not in named.stderr
    for name, letters in (("found", 9), ("named", 8)):
        assert hayami.load(tmp_path / name).manifest.settings["short_question"] == letters
