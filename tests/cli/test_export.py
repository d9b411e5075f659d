from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hayami.export import EXPORTERS

Cli = Callable[..., subprocess.CompletedProcess[str]]


def test_the_summary_counts_names_the_files_and_shows_how_to_load_them(
    cli: Cli, bakery_set: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    ran = cli("export", "beir", bakery_set, "--out", out)
    assert ran.returncode == 0
    assert ran.stdout.startswith(f"3 queries, 6 sections → {out} (beir)\n\n")
    assert "judgements, strict: the targets alone\n" in ran.stdout
    assert "qrels/graded.tsv" in ran.stdout
    assert f'GenericDataLoader("{out.as_posix()}").load(split="test")' in ran.stdout
    assert "the split test has the targets alone" in ran.stdout
    assert ran.stderr == ""


def test_the_example_loads_the_strict_labels_whatever_was_asked_for(
    cli: Cli, bakery_set: Path, tmp_path: Path
) -> None:
    ran = cli("export", "beir", bakery_set, "--out", tmp_path / "out", "--labels", "graded")
    assert "of grade 2\n" in ran.stdout
    assert '.load(split="strict")' in ran.stdout
    assert "the split strict has the targets alone" in ran.stdout


def test_what_is_not_as_in_the_set_is_said_on_the_other_stream(
    cli: Cli, bakery_set: Path, tmp_path: Path
) -> None:
    ran = cli("export", "autorag", bakery_set, "--out", tmp_path / "out")
    assert "note: corpus.parquet: last_modified_datetime" in ran.stderr
    assert "note" not in ran.stdout


def test_json_is_the_manifest_of_the_export_and_its_place(
    cli: Cli, bakery_set: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    told = json.loads(cli("export", "trec", bakery_set, "--out", out, "--json").stdout)
    assert told.pop("folder") == str(out)
    assert told == json.loads((out / "export.json").read_text(encoding="utf-8"))


def test_the_list_names_every_format_its_files_its_loader_and_whether_it_has_grades(
    cli: Cli,
) -> None:
    ran = cli("export", "--list")
    assert ran.returncode == 0
    for name, one in EXPORTERS.items():
        assert f"{name:<13} {one.writes}\n" in ran.stdout
        assert one.loader in ran.stdout
    listed = json.loads(cli("export", "--list", "--json").stdout)
    assert {one["name"]: one["graded"] for one in listed} == {
        name: one.graded for name, one in EXPORTERS.items()
    }


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "FORMAT, SET and --out are needed"),
        (["beir", "SET"], "FORMAT, SET and --out are needed"),
        (["bier", "SET", "--out", "OUT"], "Did you mean beir?"),
        (["ragas", "SET", "--out", "OUT", "--labels", "graded"], "ragas has no grades"),
        (["trec", "SET", "--out", "OUT", "--split", "dev"], "trec has no splits"),
        (["beir", "SET", "--out", "OUT", "--split", "graded"], "choose another name"),
        (["beir", "SET", "--out", "OUT", "--licence", "mit"], "no place for a licence"),
        (["beir", "SET", "--out", "OUT", "--labels", "soft"], "Invalid value"),
    ],
)
def test_a_wrong_command_line_is_exit_code_2(
    cli: Cli, bakery_set: Path, tmp_path: Path, arguments: list[str], says: str
) -> None:
    places = {"SET": str(bakery_set), "OUT": str(tmp_path / "out")}
    ran = cli("export", *(places.get(argument, argument) for argument in arguments))
    assert ran.returncode == 2
    assert says in " ".join(ran.stderr.replace("│", " ").split())
    assert not (tmp_path / "out").exists()


def test_a_problem_with_the_data_is_exit_code_1_and_two_lines(
    cli: Cli, bakery_set: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("x", encoding="utf-8")
    ran = cli("export", "beir", bakery_set, "--out", out)
    assert ran.returncode == 1
    assert ran.stderr.count("\n") == 2
    assert "holds something other than an export (mine.txt)" in ran.stderr
    assert [path.name for path in out.iterdir()] == ["mine.txt"]


def test_a_console_that_cannot_show_the_text_does_not_decide(
    process: Cli, bakery_set: Path, tmp_path: Path
) -> None:
    env = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    ran = process(
        "export", "queries-json", bakery_set, "--out", tmp_path / "早見", "--json", env=env
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["queries"] == 3
    assert "発酵" in (tmp_path / "早見" / "queries.json").read_text(encoding="utf-8")


def test_asking_for_help_loads_nothing_heavy(process: Cli) -> None:
    heavy = "{'pyarrow', 'ir_datasets', 'pandas', 'numpy'}"
    code = (
        f"import atexit, sys; atexit.register(lambda: print('LOADED', *{heavy} & {{*sys.modules}}))"
    )
    ran = process("export", "--help", code=code)
    assert ran.stdout.rstrip().endswith("LOADED")
    assert "Example: hayami export beir sets/articles --out out/beir" in ran.stdout
