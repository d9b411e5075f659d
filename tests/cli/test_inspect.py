from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def shown(articles: Path, cli: Run) -> str:
    ran = cli("inspect", articles / "ja" / "dns.html")
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def test_an_article_is_shown_from_top_to_bottom(bakery: Path, cli: Run) -> None:
    ran = cli("inspect", bakery / "guide" / "index.html", "--source", bakery)
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert lines[:8] == [
        "guide/index.html: 食パンの焼き方｜家庭用オーブン",
        "  id guide, ja, utf-8, sections at level 2",
        "",
        "sections",
        "  食パンの焼き方｜家庭用オーブン",
        "    #0 一次発酵の温度と時間  (20 characters)",
        "    #1 焼成の温度  (15 characters)",
        "    #2 まとめ  (not in the corpus)",
    ]
    assert lines[9:] == [
        "table 0: quick-reference table (header)",
        "    column 0  question               知りたいこと",
        "    column 1  answer                 答え",
        "    column 2  reference              詳しい節",
        "    row 1  発酵は何度がよいか",
        "        says    一次発酵の温度",
        "        means   guide#0 一次発酵の温度と時間  (contains 0.82)",
        *[line for line in lines if line.startswith("        then    guide#1 焼成の温度  (0.")],
        "    row 2  膨らまないとき",
        "        says    こちら",
        "        means   yeast#0 2つの酵母の違い  (anchor 1.00)",
        "    row 3  焼き色が薄い",
        "        says    オーブンの癖",
        "        none    unmatched",
        *[line for line in lines if line.startswith("                0.")],
        "",
    ]
    assert sum(line.startswith("        then    guide#1 焼成の温度  (0.") for line in lines) == 1


def test_deeper_headings_stand_under_their_section(shown: str) -> None:
    at = shown.index("    #5 dig での調べ方")
    assert shown[at:].splitlines()[1:3] == [
        "      +trace で委任をたどる",
        "      権威サーバーへ直接問い合わせる",
    ]


def test_the_role_of_every_column_is_shown(shown: str) -> None:
    assert "    column 2  reference              該当する見出し" in shown


def test_a_table_that_is_none_says_why(shown: str) -> None:
    why = "table 1: not a quick-reference table: no header word for the column of the question and the reference"  # noqa: E501
    assert why in shown.splitlines()
    assert "    column 0  -                      用途" in shown


def test_every_row_stands_once_under_its_own_table(shown: str) -> None:
    parts = shown.split("\ntable ")
    assert [part.count("\n    row ") for part in parts] == [0, 9, 0, 5, 0]


def test_a_row_shows_its_section_its_match_and_the_runner_up(shown: str) -> None:
    at = shown.index("    row 3  MX の数字の意味")
    says, means, then = shown[at:].splitlines()[1:4]
    assert says == "        says    MXレコードの優先度"
    assert means.startswith(
        "        means   dns#2 MXレコードの優先度と受信サーバーの指定  (contains 0."
    )
    assert then.startswith("        then    dns#3 TXTレコードと255バイトの壁  (0.")


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("ja/cron.html", "none    excluded_section"),
        ("ja/docker-volume.html", "none    external_link: https://"),
    ],
)
def test_a_row_without_a_label_shows_its_reason(
    articles: Path, file: str, reason: str, cli: Run
) -> None:
    ran = cli("inspect", articles / file, "--source", articles)
    assert f"        {reason}" in ran.stdout


def test_an_empty_cell_is_shown_as_nothing(
    tmp_path: Path, make_article: Callable[..., str], cli: Run
) -> None:
    (tmp_path / "a.html").write_text(
        make_article("犬", [("何時に", "朝", "")], ["時間帯"]), encoding="utf-8"
    )
    lines = cli("inspect", tmp_path / "a.html").stdout.splitlines()
    assert "        says    (nothing)" in lines
    assert "        none    no_reference" in lines


def test_an_article_without_a_table_says_so(tmp_path: Path, cli: Run) -> None:
    (tmp_path / "a.html").write_text("<h2>犬</h2><p>歩く", encoding="utf-8")
    assert cli("inspect", tmp_path / "a.html").stdout.splitlines()[-1] == "no table"


def test_warnings_are_on_stderr(articles: Path, cli: Run) -> None:
    ran = cli("inspect", articles / "ja" / "sql-join.html")
    assert ran.returncode == 0
    assert (
        ran.stderr
        == "warning: sql-join.html: encoding: not declared; read as euc-jp by detection\n"
    )


def test_json_on_stdout_is_strict_and_alone(articles: Path, cli: Run) -> None:
    ran = cli("inspect", articles / "ja" / "dns.html", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    told = json.loads(ran.stdout, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert (told["article"]["id"], len(told["tables"]), len(told["rows"])) == ("dns", 4, 14)


def test_a_reader_that_goes_away_is_no_fault(articles: Path, process: Run) -> None:
    code = "import os; r, w = os.pipe(); os.dup2(w, 1); os.close(r); os.close(w)"
    ran = process("inspect", articles / "ja" / "dns.html", code=code)
    assert "Traceback" not in ran.stderr
    assert "Exception" not in ran.stderr


def test_options_count(articles: Path, cli: Run) -> None:
    ran = cli(
        "inspect",
        articles / "ja" / "dns.html",
        "--level",
        "3",
        "--detect",
        "both",
        "--threshold",
        "1",
    )
    assert ran.returncode == 0
    assert "sections at level 3" in ran.stdout
    assert "(fuzzy" not in ran.stdout


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("nothing.html", None, "No such file or directory"),
        ("empty.html", b"", "empty_file: nothing in it"),
        ("photo.html", b"\x89PNG\0\0\0\r", "not_html: NUL bytes: not a text file"),
    ],
)
def test_a_file_that_is_no_article_is_a_problem(
    tmp_path: Path, name: str, content: bytes | None, what: str, cli: Run
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    ran = cli("inspect", tmp_path / name)
    assert (ran.returncode, ran.stdout) == (1, "")
    problem, hint = ran.stderr.splitlines()
    assert problem == f"hayami: {tmp_path / name}: {what}"
    assert hint.startswith("  hint: ")


def test_a_file_outside_of_the_source_is_a_problem(bakery: Path, tmp_path: Path, cli: Run) -> None:
    ran = cli("inspect", bakery / "flour.html", "--source", tmp_path)
    assert ran.returncode == 1
    assert (
        ran.stderr.splitlines()[0]
        == f"hayami: {bakery / 'flour.html'}: the file is not in the source folder"
    )


@pytest.mark.parametrize(
    "arguments", [[], ["--nonsense"], ["a.html", "--level", "0"], ["a.html", "b.html"]]
)
def test_wrong_usage_is_exit_code_2(arguments: list[str], cli: Run) -> None:
    ran = cli("inspect", *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
