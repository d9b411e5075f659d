from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import hayami
from hayami.audit.draft import read_drafter
from hayami.audit.items import Item
from hayami.audit.sheets import write_sheet
from hayami.evalset.names import name_corpus
from hayami.evalset.records import Ruling
from hayami.verdicts.log import Verdict, append_verdict, verdict_file

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def make_sheet(bakery_set: Path, tmp_path: Path) -> Callable[..., Path]:
    """Writes a sheet of the four labels of the bakery, filled in with rulings in their order."""

    def write(name: str, rulings: Sequence[str | None], judge: str = "") -> Path:
        path = tmp_path / name
        evalset = hayami.load(bakery_set)
        drafter = read_drafter(evalset, path)
        items = [drafter.label(query) for query in evalset.queries()]
        strata = {"population": len(items), "drawn": len(items), "seed": 0}
        write_sheet(
            path,
            [
                _filled(i, r, judge).model_copy(update=strata)
                for i, r in zip(items, rulings, strict=False)
            ],
        )
        return path

    return write


def _filled(item: Item, ruling: str | None, judge: str) -> Item:
    return item.model_copy(update={"verdict": Ruling(ruling), "judge": judge}) if ruling else item


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder without the project's labels."""
    monkeypatch.chdir(tmp_path)


def test_a_sheet_that_is_filled_in_needs_no_labels(
    cli: Cli, make_sheet: Callable[..., Path]
) -> None:
    ran = cli("audit", "score", make_sheet("a.csv", ["right", "right", "wrong"]))
    assert ran.returncode == 0
    assert ran.stdout.startswith(
        "Of 3 labels judged 2 are right: precision 0.667, 95% interval 0.094 to 0.992.\n"
    )
    assert "1 row: the label names a wrong section" in ran.stdout
    assert ran.stderr == ""


def test_an_empty_sheet_is_scored_with_the_verdicts_of_the_labels(
    cli: Cli, make_sheet: Callable[..., Path], bakery_set: Path, tmp_path: Path
) -> None:
    sheet = make_sheet("a.jsonl", [None, None, None])
    names = name_corpus(hayami.load(bakery_set).sections())
    for query in list(hayami.load(bakery_set).queries())[:2]:
        drafter = read_drafter(hayami.load(bakery_set), sheet)
        said = Verdict(
            rows=drafter.label(query).rows,
            question=query.query,
            ruling=Ruling.RIGHT,
            judged=tuple(names[section] for section in query.relevant),
            judge="aki",
            at="2026-01-01T00:00:00+00:00",
        )
        append_verdict(verdict_file(tmp_path / "labels", "aki"), said)
    assert cli("audit", "score", sheet).stdout.startswith("Of 2 labels judged 2 are right")
    assert cli("audit", "score", sheet, "--labels", tmp_path / "labels").stdout.startswith(
        "Of 2 labels judged 2"
    )


def test_where_nothing_is_judged_it_says_what_to_do(
    cli: Cli, make_sheet: Callable[..., Path]
) -> None:
    ran = cli("audit", "score", make_sheet("a.csv", [None, None]))
    assert ran.returncode == 1
    assert "a.csv: nothing is judged in the sheet, and there is no folder labels" in ran.stderr
    assert "hint: Judge it with 'hayami audit review" in ran.stderr
    assert ran.stdout == ""


def test_labels_that_are_not_there_are_noted_and_no_error(
    cli: Cli, make_sheet: Callable[..., Path]
) -> None:
    ran = cli("audit", "score", make_sheet("a.csv", ["right"]), "--labels", "no-such")
    assert ran.returncode == 0
    assert "no-such: no such folder" in ran.stderr


def test_a_requirement_that_is_not_met_exits_1_and_says_what_it_takes(
    cli: Cli, make_sheet: Callable[..., Path]
) -> None:
    sheet = make_sheet("a.csv", ["right", "right", "right"])
    ran = cli("audit", "score", sheet, "--require", "0.95")
    assert ran.returncode == 1
    assert (
        "--require 0.95: the lower bound of the precision is 0.292, 0.95 is required" in ran.stderr
    )
    assert "69 more rows without an error" in ran.stderr
    assert ran.stdout.startswith("Of 3 labels")
    assert cli("audit", "score", sheet, "--require", "0.29").returncode == 0


@pytest.mark.parametrize("option", ["--require", "--claim"])
@pytest.mark.parametrize("value", ["0", "1", "1.5", "nan", "-0.1", "inf"])
def test_shares_that_no_sample_proves_are_a_usage_error(
    cli: Cli, make_sheet: Callable[..., Path], option: str, value: str
) -> None:
    ran = cli("audit", "score", make_sheet("a.csv", ["right"]), option, value)
    assert ran.returncode == 2
    assert "must be above 0 and below 1" in ran.stderr


def test_json_is_strict_and_alone_on_stdout(cli: Cli, make_sheet: Callable[..., Path]) -> None:
    first, second = (
        make_sheet("a.csv", ["right"] * 3, "aki"),
        make_sheet("b.jsonl", ["right"] * 3, "健"),
    )
    ran = cli("audit", "score", first, second, "--json", "--require", "0.99", "--html", "r.html")
    assert ran.returncode == 1

    def refuse(word: str) -> None:
        raise AssertionError(word)

    told = json.loads(ran.stdout, parse_constant=refuse)
    assert told["labels"]["estimate"]["exact"] == {"low": 0.292402, "high": 1.0}
    assert told["pairs"][0]["outcomes"]["kappa"] == {
        "value": None,
        "interval": None,
        "why": "undefined: both judges said the same about every row",
    }
    assert told["require"]["met"] is False
    assert told["need"]["flawless"] == 72
    assert Path("r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "report → r.html" in ran.stderr


def test_a_sheet_named_twice_is_one_sheet(cli: Cli, make_sheet: Callable[..., Path]) -> None:
    sheet = make_sheet("a.csv", ["right", "wrong"])
    assert cli("audit", "score", sheet, sheet).stdout == cli("audit", "score", sheet).stdout


def test_a_report_is_not_written_over_a_sheet(cli: Cli, make_sheet: Callable[..., Path]) -> None:
    sheet = make_sheet("a.csv", ["right"])
    before = sheet.read_bytes()
    ran = cli("audit", "score", sheet, "--html", sheet)
    assert ran.returncode == 2
    assert "is one of the sheets" in ran.stderr
    assert sheet.read_bytes() == before


def test_nonsense_in_a_sheet_is_refused_with_file_and_line(
    cli: Cli, make_sheet: Callable[..., Path]
) -> None:
    sheet = make_sheet("a.csv", ["right", "wrong"])
    sheet.write_text(
        sheet.read_text(encoding="utf-8").replace(",wrong,", ",wrnog,"), encoding="utf-8"
    )
    ran = cli("audit", "score", sheet)
    assert ran.returncode == 1
    assert "a.csv:" in ran.stderr
    assert "wrnog" in ran.stderr
    assert "hint:" in ran.stderr


def test_what_is_slow_is_not_loaded_for_the_help(
    process: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    heavy = ["statsmodels", "scipy", "numpy", "matplotlib", "jinja2"]
    code = f"import atexit, sys; atexit.register(lambda: sys.stderr.write(repr([n for n in {heavy} if n in sys.modules])))"  # noqa: E501
    ran = process("audit", "score", "--help", code=code)
    assert ran.returncode == 0
    assert "Example: hayami audit score" in ran.stdout
    assert ran.stderr.endswith("[]")
