from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import hayami
from hayami.evalset.records import REASON_MEANINGS, Reason

Run = Callable[..., CompletedProcess[str]]
Files = Callable[[Path], dict[str, bytes]]


@pytest.fixture
def no_table(tmp_path: Path) -> Path:
    """A folder whose only table looks like one by structure, not by its header."""
    words = ["首輪", "鈴", "皿"]
    table = "".join(
        f'<tr><td>{word}のこと<td><a href="#{n}">{word}</a>' for n, word in enumerate(words)
    )
    sections = "".join(f'<h2 id="{n}">{word}</h2><p>説明' for n, word in enumerate(words))
    page = f"<title>道具</title><h1>道具</h1><table><tr><th>語<th>場所{table}</table>{sections}"
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text(page, encoding="utf-8")
    return tmp_path / "pages"


# --- a process with pipes -------------------------------------------------------------------------


def test_json_on_stdout_is_strict_and_alone(bakery: Path, tmp_path: Path, process: Run) -> None:
    """In ASCII, as consoles and CI machines may say."""
    (tmp_path / "空.html").write_bytes(b"")
    out = tmp_path / "評価"
    ran = process(
        "build",
        bakery,
        tmp_path / "空.html",
        "--out",
        out,
        "--json",
        env={"PYTHONIOENCODING": "ascii:strict"},
    )
    assert ran.returncode == 0
    told = json.loads(ran.stdout, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert told == json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert ran.stderr.splitlines() == ["warning: 空.html: empty_file: nothing in it"]


def test_a_summary_says_what_was_found_and_what_to_do_next(
    bakery: Path, tmp_path: Path, process: Run
) -> None:
    """In the encoding of a Japanese console, which has no hangul."""
    out = tmp_path / "세트"
    ran = process("build", bakery, "--out", out, env={"PYTHONIOENCODING": "cp932:strict"})
    assert ran.returncode == 0
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == [
        f"3 articles, 6 sections, 3 tables, 6 rows → {out}",
        "",
        "      3  queries",
        "      1    anchor",
        "      1    exact",
        "      1    contains",
        *[line for line in ran.stdout.splitlines() if " flagged " in line],
        "      2  rejected",
        "      1    unmatched: no heading of the article is what the reference says",
        f"      1    excluded_section: {REASON_MEANINGS[Reason.EXCLUDED_SECTION]}",
        "",
        f"next: hayami check {out}",
    ]
    assert (
        "      1    flagged duplicate: the question stands in several rows"
        in ran.stdout.splitlines()
    )


def test_a_terminal_shows_a_progress_bar_and_stdout_stays_clean(
    articles: Path, tmp_path: Path
) -> None:
    pty = pytest.importorskip("pty")
    terminal, stderr = pty.openpty()
    code = "from hayami.cli import main; main()"
    command = [
        sys.executable,
        "-c",
        code,
        "build",
        str(articles / "zh"),
        "--out",
        str(tmp_path / "set"),
        "--json",
    ]
    ran = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=os.environ | {"TERM": "xterm"},
        check=True,
    )
    os.close(stderr)
    shown = os.read(terminal, 100_000)
    os.close(terminal)
    json.loads(ran.stdout)
    assert b"reading" in shown


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, make_article: Callable[..., str]) -> Path:
    """One good article among files that break readers."""
    folder = tmp_path_factory.mktemp("hostile") / "pages"
    folder.mkdir()
    good = make_article("犬の散歩", [("何時に", "朝", "時間帯")], ["時間帯", "持ち物"])
    deep = good.replace("</body>", "<div>" * 10_000 + "深い" + "</div>" * 10_000 + "</body>")
    cells = "<tr>" + '<td rowspan="65534" colspan="1000">x' * 20 + "<tr><td>y" * 3000
    spans = good.replace("</body>", f"<table><tr><th>知りたいこと<th>節{cells}</table></body>")
    line = good.replace("\n", "").replace("</body>", "早見表の一行。" * 100_000 + "</body>")
    files = {
        "good.html": good.encode(),
        "deep.html": deep.encode(),
        "spans.html": spans.encode(),
        "nul.html": b"\0" * 100_000,
        "cut.html": good.encode()[:-20] + "犬".encode()[:2],
        "photo.html": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 400,
        "empty.html": b"",
        "line.html": line.encode(),
    }
    assert len(files["line.html"]) > 2_000_000
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "loop.html").symlink_to("loop.html")
    (folder / "inside").mkdir()
    (folder / "inside" / "around").symlink_to("..")
    return folder


def test_hostile_files_cost_neither_the_build_nor_its_good_articles(
    hostile: Path, tmp_path: Path, process: Run
) -> None:
    ran = process("build", hostile, "--out", tmp_path / "set", "--json")
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr
    assert json.loads(ran.stdout)["counts"]["files"] == 9
    loaded = hayami.load(tmp_path / "set")
    read = {article.path for article in loaded.articles()}
    rejected = {
        found.path: str(found.reason) for found in loaded.rejections() if found.table is None
    }
    assert read | set(rejected) == {path.name for path in hostile.iterdir()} - {"inside"}
    assert {"good.html", "deep.html", "line.html", "cut.html"} <= read
    assert rejected == {
        "empty.html": "empty_file",
        "loop.html": "unreadable",
        "nul.html": "not_html",
        "photo.html": "not_html",
    }
    for path, reason in rejected.items():
        assert re.search(rf"^warning: {re.escape(path)}: {reason}: ", ran.stderr, re.MULTILINE)
    warned = {article.path for article in loaded.articles() if article.warnings}
    assert {"deep.html", "cut.html"} <= warned
    assert all(f"warning: {path}: " in ran.stderr for path in warned)
    assert hayami.check(tmp_path / "set") == []


FULL = (
    "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, resource.RLIM_INFINITY))"
)


def test_a_full_disk_is_one_line_and_a_hint(
    articles: Path, bakery_set: Path, process: Run, files_of: Files
) -> None:
    pytest.importorskip("resource")
    before = files_of(bakery_set)
    ran = process("build", articles, "--out", bakery_set, code=FULL)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.splitlines() == [
        f"hayami: {bakery_set}: cannot write: File too large",
        "  hint: Free some space. What was there is untouched.",
    ]
    assert files_of(bakery_set) == before
    assert [path.name for path in bakery_set.parent.iterdir()] == [bakery_set.name]


INTERRUPT = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start with it ignored
def hook(event, arguments):
    if event == "open" and str(arguments[0]).endswith("flour.html"):
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(hook)
"""  # noqa: E501


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_control_c_ends_a_build_without_a_trace(
    bakery: Path, bakery_set: Path, process: Run, files_of: Files
) -> None:
    before = files_of(bakery_set)
    ran = process("build", bakery, "--out", bakery_set, code=INTERRUPT)
    assert ran.returncode == 130
    assert "Traceback" not in ran.stderr
    assert ran.stdout == ""
    assert files_of(bakery_set) == before
    assert [path.name for path in bakery_set.parent.iterdir()] == [bakery_set.name]


# --- in this process ------------------------------------------------------------------------------


def test_the_command_writes_what_the_library_writes(
    bakery: Path, tmp_path: Path, cli: Run, files_of: Files
) -> None:
    hayami.build([bakery], tmp_path / "one")
    assert cli("build", bakery, "--out", tmp_path / "other").returncode == 0
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


def test_options_become_settings(bakery: Path, tmp_path: Path, cli: Run) -> None:
    (tmp_path / "my.toml").write_text(
        'level = 4\nthreshold = 0.9\nplaceholders = ["保留"]\n', encoding="utf-8"
    )
    options = [
        "--settings",
        tmp_path / "my.toml",
        "--level",
        "3",
        "--detect",
        "both",
        "--duplicates",
        "drop",
    ]
    assert cli("build", bakery, "--out", tmp_path / "set", *options).returncode == 0
    assert hayami.load(tmp_path / "set").manifest.settings == hayami.Settings(
        level=3,
        threshold=0.9,
        detect=hayami.Detect.BOTH,
        duplicates=hayami.Duplicates.DROP,
        placeholders=("保留",),
    ).model_dump(mode="json")


def test_the_threshold_is_an_option_too(bakery: Path, tmp_path: Path, cli: Run) -> None:
    cli("build", bakery, "--out", tmp_path / "set", "--threshold", "0.75")
    assert hayami.load(tmp_path / "set").manifest.settings["threshold"] == 0.75


def test_strict_is_content_with_a_clean_build(bakery: Path, tmp_path: Path, cli: Run) -> None:
    ran = cli("build", bakery, "--out", tmp_path / "set", "--strict")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_strict_fails_on_a_rejected_file_and_still_writes_the_set(
    bakery: Path, tmp_path: Path, cli: Run
) -> None:
    (tmp_path / "empty.html").write_bytes(b"")
    ran = cli("build", bakery, tmp_path / "empty.html", "--out", tmp_path / "set", "--strict")
    assert ran.returncode == 1
    assert ran.stderr.splitlines() == [
        "warning: empty.html: empty_file: nothing in it",
        "hayami: --strict: see the files named above",
    ]
    assert hayami.check(tmp_path / "set") == []


def test_strict_fails_on_a_warning(articles: Path, tmp_path: Path, cli: Run) -> None:
    ran = cli("build", articles / "ja" / "sql-join.html", "--out", tmp_path / "set", "--strict")
    assert ran.returncode == 1
    assert ran.stderr.startswith(
        "warning: sql-join.html: encoding: not declared; read as euc-jp by detection\n"
    )


def test_a_build_without_a_table_says_what_to_try(no_table: Path, tmp_path: Path, cli: Run) -> None:
    ran = cli("build", no_table, "--out", tmp_path / "set")
    assert ran.returncode == 0
    assert "no quick-reference table found" in ran.stderr
    assert "1 table looks like one by its structure: try --detect both" in ran.stderr


def test_a_build_without_a_table_is_a_failure_when_strict(
    no_table: Path, tmp_path: Path, cli: Run
) -> None:
    assert cli("build", no_table, "--out", tmp_path / "set", "--strict").returncode == 1
    assert (
        cli("build", no_table, "--out", tmp_path / "set", "--strict", "--detect", "both").returncode
        == 0
    )


def test_a_build_without_anything_like_a_table_points_to_inspect(tmp_path: Path, cli: Run) -> None:
    (tmp_path / "a.html").write_text("<h2>犬</h2><p>歩く", encoding="utf-8")
    ran = cli("build", tmp_path / "a.html", "--out", tmp_path / "set")
    assert ran.returncode == 0
    assert "hayami inspect" in ran.stderr


def test_many_warnings_are_counted_and_not_all_shown(
    tmp_path: Path, bakery: Path, cli: Run
) -> None:
    (tmp_path / "pages").mkdir()
    for number in range(25):
        (tmp_path / "pages" / f"{number:02}.html").write_bytes(b"")
    ran = cli("build", bakery, tmp_path / "pages", "--out", tmp_path / "set")
    lines = ran.stderr.splitlines()
    assert len(lines) == 21
    assert lines[-1] == "warning: … and 5 more; see rejected.jsonl and articles.jsonl"


def test_a_warning_is_one_line_whatever_the_name_of_the_file(
    tmp_path: Path, bakery: Path, cli: Run
) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "改\n行\x1b[31m\r.html").write_bytes(b"")
    ran = cli("build", bakery, tmp_path / "pages", "--out", tmp_path / "set")
    assert ran.returncode == 0
    assert len(ran.stderr.splitlines()) == 1
    assert "\x1b" not in ran.stderr
    assert "\r" not in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nothing"], "hayami: .*nothing: no such file or folder"),
        (["."], "hayami: .+: no HTML file in it"),
        (["wrong.toml", "--settings", "my.toml"], r"hayami: my\.toml: No such file or directory"),
        (["wrong.toml", "--settings", "wrong.toml"], r"hayami: wrong\.toml:2: level: .+"),
    ],
)
def test_a_problem_is_one_line_and_a_hint(
    arguments: list[str], problem: str, tmp_path: Path, cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.toml").write_text("\nlevel = 9\n", encoding="utf-8")
    ran = cli("build", *arguments, "--out", "set")
    assert (ran.returncode, ran.stdout) == (1, "")
    told, hint = ran.stderr.splitlines()
    assert re.fullmatch(problem, told)
    assert re.fullmatch(r"  hint: \S.*\S", hint)
    assert not (tmp_path / "set").exists()


def test_a_folder_of_something_else_is_refused(bakery: Path, tmp_path: Path, cli: Run) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "犬.jpg").write_bytes(b"\xff\xd8")
    ran = cli("build", bakery, "--out", tmp_path / "photos")
    assert ran.returncode == 1
    assert ran.stderr.splitlines() == [
        f"hayami: {tmp_path / 'photos'}: holds something other than an eval set (犬.jpg)",
        "  hint: Choose another --out; hayami overwrites only eval sets.",
    ]
    assert (tmp_path / "photos" / "犬.jpg").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--nonsense"],
        [],
        ["a.html"],
        ["a.html", "--out"],
        ["--out", "set"],
        ["a.html", "--out", "set", "--jobs", "0"],
        ["a.html", "--out", "set", "--level", "7"],
        ["a.html", "--out", "set", "--level", "two"],
        ["a.html", "--out", "set", "--threshold", "1.1"],
        ["a.html", "--out", "set", "--threshold", "nan"],
        ["a.html", "--out", "set", "--detect", "all"],
        ["a.html", "--out", "set", "--duplicates", "first"],
    ],
)
def test_wrong_usage_is_exit_code_2(
    arguments: list[str], tmp_path: Path, cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli("build", *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "Traceback" not in ran.stderr
    assert list(tmp_path.iterdir()) == []
