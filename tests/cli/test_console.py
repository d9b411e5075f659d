from __future__ import annotations

import importlib.metadata
import io
import json
import sys
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

from hayami.cli import console, main
from hayami.errors import HayamiError

Run = Callable[..., CompletedProcess[str]]
COMMANDS = ["build", "check", "init", "inspect"]


def test_the_console_script_is_the_command_line() -> None:
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="hayami")
    assert script.value == "hayami.cli:main"


def test_the_version_is_that_of_the_package(cli: Run) -> None:
    ran = cli("--version")
    assert (ran.returncode, ran.stdout, ran.stderr) == (
        0,
        f"hayami {importlib.metadata.version('hayami')}\n",
        "",
    )


def test_the_help_lists_every_command_and_a_first_step(cli: Run) -> None:
    ran = cli("--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert all(f"\n  {command} " in ran.stdout for command in COMMANDS)
    assert "Start with: hayami build data/articles --out out/sample" in ran.stdout


def test_no_command_at_all_shows_the_help(cli: Run) -> None:
    ran = cli()
    assert ran.returncode == 2
    assert all(f"\n  {command} " in ran.stdout + ran.stderr for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_has_an_example(command: str, cli: Run) -> None:
    ran = cli(command, "--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"Example: hayami {command}" in ran.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_fits_a_terminal_and_describes_every_option(
    command: str, cli: Run
) -> None:
    lines = cli(command, "--help").stdout.splitlines()
    assert max(map(len, lines)) <= 100
    options = [line.split() for line in lines if line.startswith("  -")]
    assert options
    undescribed = [
        words[0]
        for words, after in zip(options, lines[1:], strict=False)
        if len(words) < 2 and not after
    ]
    assert undescribed == []


@pytest.mark.parametrize(
    "arguments", [["--nonsense"], ["nonsense"], ["build", "--nonsense"], ["Build"]]
)
def test_an_unknown_word_is_wrong_usage(arguments: list[str], cli: Run) -> None:
    ran = cli(*arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert arguments[-1] in ran.stderr


def test_help_is_shown_on_a_console_that_knows_only_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "argv", ["hayami", "--help"])
    with pytest.raises(SystemExit) as stop:
        main()
    out.flush()
    assert stop.value.code == 0
    assert "早見表" in out.buffer.getvalue().decode("utf-8")
    out.close()


def test_a_problem_says_where_and_what_and_then_the_hint(
    capsys: pytest.CaptureFixture[str],
) -> None:
    console.report(HayamiError("見出しがない", where="a.html:3", hint="見出しを書く。"))
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "hayami: a.html:3: 見出しがない\n  hint: 見出しを書く。\n"


def test_a_problem_without_a_hint_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    console.report(HayamiError("a worker process was killed"))
    assert capsys.readouterr().err == "hayami: a worker process was killed\n"


def test_results_are_on_stdout_and_messages_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    console.say("結果")
    console.say()
    console.note("注意")
    assert tuple(capsys.readouterr()) == ("結果\n\n", "注意\n")


def test_json_is_one_document_of_readable_text(capsys: pytest.CaptureFixture[str]) -> None:
    console.say_json({"heading": "見出し", "score": 0.5, "none": None})
    assert (
        capsys.readouterr().out == '{\n  "heading": "見出し",\n  "score": 0.5,\n  "none": null\n}\n'
    )


def test_json_escapes_what_some_readers_take_for_a_line_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    console.say_json("一\u2028二\u2029三\u0085四")
    assert capsys.readouterr().out == '"一\\u2028二\\u2029三\\u0085四"\n'


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_json_does_not_know_is_an_error(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        console.say_json({"score": number})


@pytest.mark.parametrize("encoding", ["ascii", "cp932", "latin-1", "utf-16"])
def test_both_streams_become_utf8(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict", newline="\n")
        for _ in range(2)
    )
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    console.use_utf8()
    console.say("早見표→\udcff")
    console.note("早見표")
    for stream, written in ((out, "早見표→\\udcff\n"), (err, "早見표\n")):
        stream.flush()
        assert stream.buffer.getvalue().decode("utf-8") == written
        stream.close()


def test_streams_that_cannot_change_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    console.use_utf8()
    console.say("早見")
    assert stream.getvalue() == "早見\n"


def test_there_is_no_progress_bar_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress_bar("reading") as progress:
        assert progress is None
    assert tuple(capsys.readouterr()) == ("", "")


def test_json_reads_back(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"text": '引用"\\\n\t\0', "list": [1, 2.5, True, None]}
    console.say_json(value)
    assert json.loads(capsys.readouterr().out) == value


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;owned\x07", "\\x1b]0;owned\\x07"),
        ("a\u202egpj.exe", "a\\u202egpj.exe"),
        ("zero\u200bwidth\u2060", "zero\\u200bwidth\\u2060"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("half \ud83e", "half \\ud83e"),
        ("行\u2028区切り\x85", "行\\u2028区切り\\x85"),
        ("早見表\u3000と\ttab\nline é 🥐", "早見表\u3000と\ttab\nline é 🥐"),
    ],
)
def test_what_is_hidden_in_a_text_is_shown_and_not_sent(
    text: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    console.say(text)
    assert capsys.readouterr().out == f"{shown}\n"
    console.say_json({text: text})
    told = capsys.readouterr().out
    assert console.shown(told) == told
    assert json.loads(told) == {text: text}


@pytest.mark.parametrize(
    "arguments", [["-h"], ["build", "-h"], ["audit", "-h"], ["audit", "score", "-h"]]
)
def test_h_is_help_everywhere(cli: Run, arguments: list[str]) -> None:
    ran = cli(*arguments)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Usage: hayami")


def test_the_shell_can_complete(cli: Run) -> None:
    assert "--install-completion" in cli("--help").stdout
