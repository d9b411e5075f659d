from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import hayami
from hayami.evalset.names import name_corpus
from hayami.evalset.qids import rows_of
from hayami.evalset.records import Ruling
from hayami.verdicts.follow import with_rival
from hayami.verdicts.log import Verdict, append_verdict

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def judged(bakery: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A set, and verdicts on its first query.

    One judge names a section that is not there, another disagrees.
    """
    out, labels = tmp_path / "set", tmp_path / "labels"
    hayami.build([bakery], out)
    evalset = hayami.load(out)
    query = next(q for q in evalset.queries() if len(q.origins) == 1)
    names = name_corpus(evalset.sections())
    gone = next(iter(names.values())).model_copy(update={"heading": "もうない見出し"})
    right = Verdict(
        rows=rows_of(query),
        question=query.query,
        ruling=Ruling.ALSO,
        judged=tuple(names[s] for s in query.relevant),
        sections=(gone,),
        judge="sato",
        at="2026-01-01T00:00:00",
    )
    append_verdict(labels / "verdicts-sato.jsonl", right)
    return out, labels


def disagree(labels: Path) -> None:
    other = Verdict.model_validate_json(
        (labels / "verdicts-sato.jsonl").read_text(encoding="utf-8")
    )
    nothing = other.model_copy(update={"ruling": Ruling.NOTHING, "sections": (), "judge": "suzuki"})
    append_verdict(labels / "verdicts-suzuki.jsonl", nothing)


def test_stale_verdicts_are_listed_with_what_is_missing(
    judged: tuple[Path, Path], cli: Run
) -> None:
    ran = cli("audit", "stale", judged[0], "--labels", judged[1])
    assert ran.returncode == 0
    assert ": もうない見出し" in ran.stdout
    assert ran.stdout.splitlines()[-1] == "1 stale, 0 in conflict"


def test_stale_verdicts_as_json_are_the_verdicts_with_a_reason(
    judged: tuple[Path, Path], cli: Run
) -> None:
    ran = cli("audit", "stale", judged[0], "--labels", judged[1], "--json")
    found = json.loads(ran.stdout)
    assert ran.returncode == 0
    assert [(s["ruling"], s["judge"], s["missing"][0]["heading"]) for s in found["stale"]] == [
        ("also", "sato", "もうない見出し")
    ]


def test_disagreement_is_listed_and_fails_only_when_asked_to(
    judged: tuple[Path, Path], cli: Run
) -> None:
    disagree(judged[1])
    ran = cli("audit", "stale", judged[0], "--labels", judged[1])
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "0 stale, 1 in conflict")
    assert "sato: also, suzuki: nothing" in ran.stdout
    assert cli("audit", "stale", judged[0], "--labels", judged[1], "--strict").returncode == 1


def test_no_labels_are_one_clear_line(judged: tuple[Path, Path], cli: Run) -> None:
    ran = cli("audit", "stale", judged[0], "--labels", judged[0] / "nowhere")
    assert ran.returncode == 1
    assert "nowhere: no such file or folder" in ran.stderr


def test_a_build_says_what_became_of_the_verdicts(
    judged: tuple[Path, Path], bakery: Path, tmp_path: Path, cli: Run
) -> None:
    disagree(judged[1])
    ran = cli("build", bakery, "--out", tmp_path / "again", "--labels", judged[1])
    assert ran.returncode == 0
    assert "rows with a verdict" in ran.stdout
    assert "judges disagree on 1 row" in ran.stderr


def test_where_the_judged_text_stands_now_is_suggested(
    bakery: Path, tmp_path: Path, cli: Run
) -> None:
    articles = Path(shutil.copytree(bakery, tmp_path / "articles"))
    evalset = hayami.load(hayami.build([articles], tmp_path / "set").folder)
    query = next(q for q in evalset.queries() if q.query == "生種とドライの違い")
    names = name_corpus(evalset.sections(), {"yeast"})
    (judged,) = (with_rival(names[section], names.values()) for section in query.relevant)
    right = Verdict(
        rows=rows_of(query),
        question=query.query,
        ruling=Ruling.RIGHT,
        judged=(judged,),
        judge="sato",
        at="2026-01-01T00:00:00",
    )
    append_verdict(tmp_path / "labels/verdicts-sato.jsonl", right)
    page = articles / "yeast.html"
    one, other = ">2つの酵母の違い</h2>", ">酵母の保存のしかた</h2>"
    text = page.read_text(encoding="utf-8")
    swapped = text.replace(one, "@").replace(other, one).replace("@", other)
    page.write_text(swapped, encoding="utf-8")
    ran = cli("build", articles, "--out", tmp_path / "set", "--labels", tmp_path / "labels")
    assert "has another text now" in ran.stderr
    assert (
        "hint: its text may be in yeast#0 '酵母の保存のしかた' now: judge it again." in ran.stderr
    )
    listed = cli("audit", "stale", tmp_path / "set", "--labels", tmp_path / "labels")
    assert "    its text may be here now: yeast#0 酵母の保存のしかた" in listed.stdout.splitlines()
    found = json.loads(
        cli("audit", "stale", tmp_path / "set", "--labels", tmp_path / "labels", "--json").stdout
    )
    assert found["stale"][0]["instead"] == [{"section": "yeast#0", "heading": "酵母の保存のしかた"}]
