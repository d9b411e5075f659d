"""Collecting: filled-in sheets become verdicts, all of them or none."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.audit.draft import read_drafter
from hayami.audit.items import Item
from hayami.audit.recording import Collected, collect
from hayami.audit.sheets import read_sheet, write_sheet
from hayami.errors import SheetError, VerdictError
from hayami.evalset.records import Ruling
from hayami.verdicts.log import Verdict, append_verdict, read_verdicts

Say = Callable[..., Path]


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return tmp_path / "labels"


@pytest.fixture
def items(bakery_set: Path) -> dict[str, Item]:
    """Two labels, a rejected row and a pooled section of a sheet beside the set.

    Each stands under a word of its own.
    """
    evalset = hayami.load(bakery_set)
    drafter = read_drafter(evalset, bakery_set.parent / "s.csv")
    queries = {query.query: query for query in evalset.queries()}
    return {
        "yeast": drafter.label(queries["生種とドライの違い"]),
        "heat": drafter.label(queries["発酵は何度がよいか"]),
        "rejected": drafter.rejected(
            next(row for row in evalset.rejections() if row.question == "酵母の保存")
        ),
        "pooled": drafter.pooled(queries["生種とドライの違い"], "flour#0"),
    }


@pytest.fixture
def say(bakery_set: Path, items: dict[str, Item]) -> Say:
    """Writes a sheet with what was said: word=(ruling, chosen...) or word=ruling."""

    def write(name: str = "s.csv", judge: str = "", **said: object) -> Path:
        path = bakery_set.parent / name
        rows = []
        for word, item in items.items():
            told = said.get(word)
            ruling, *chosen = told if isinstance(told, tuple) else (told,)
            rows.append(
                item.model_copy(update={"verdict": ruling, "chosen": tuple(chosen), "judge": judge})
            )
        write_sheet(
            path, [row.model_copy(update={"judge": judge if row.verdict else ""}) for row in rows]
        )
        return path

    return write


def run(
    *sheets: Path, labels: Path, judge: str = "hanako", evalset: Path | None = None
) -> Collected:
    return collect(sheets, labels, judge=judge, evalset=evalset)


@pytest.mark.parametrize("name", ["s.csv", "s.jsonl"])
def test_what_is_filled_in_becomes_verdicts(
    say: Say, labels: Path, items: dict[str, Item], name: str
) -> None:
    sheet = say(
        name,
        yeast=(Ruling.ALSO, "yeast#1"),
        heat=Ruling.RIGHT,
        rejected=(Ruling.OTHER, "yeast#1"),
        pooled=Ruling.RIGHT,
    )
    done = run(sheet, labels=labels)
    assert (done.added, done.replaced, done.known, done.blank) == (4, 0, 0, 0)
    assert done.files == {labels / "verdicts-hanako.jsonl": 4}
    verdicts = {
        verdict.question + str(verdict.slot is not None): verdict
        for verdict in read_verdicts(labels)
    }
    also = verdicts["生種とドライの違いFalse"]
    assert (also.ruling, also.judge, also.rows) == (Ruling.ALSO, "hanako", items["yeast"].rows)
    assert [name.heading for name in also.judged] == ["2つの酵母の違い"]
    assert [name.heading for name in also.sections] == ["酵母の保存のしかた"]
    pooled = verdicts["生種とドライの違いTrue"]
    assert pooled.pooled is not None
    assert (pooled.pooled.heading, pooled.judged) == ("粉と温度", ())
    assert verdicts["酵母の保存False"].judged == ()


def test_an_export_of_label_studio_is_collected(say: Say, labels: Path) -> None:
    tasks = json.loads(say("s.json").read_text(encoding="utf-8"))
    region = {"from_name": "verdict", "value": {"choices": ["right"]}}
    tasks[0]["annotations"] = [
        {"completed_by": {"email": f"{name}@x"}, "result": [region]} for name in "ab"
    ]
    export = labels.parent / "export.json"
    export.write_text(json.dumps(tasks), encoding="utf-8")
    done = run(export, labels=labels)
    assert {file.name: number for file, number in done.files.items()} == {
        "verdicts-a_x.jsonl": 1,
        "verdicts-b_x.jsonl": 1,
    }
    assert {verdict.judge for verdict in read_verdicts(labels)} == {"a@x", "b@x"}


def test_blank_rows_are_counted(say: Say, labels: Path) -> None:
    done = run(say(yeast=Ruling.RIGHT), labels=labels)
    assert (done.added, done.blank) == (1, 3)


def test_a_blank_sheet_records_nothing(say: Say, labels: Path) -> None:
    done = run(say(), labels=labels)
    assert (done.added, done.blank, done.files) == (0, 4, {})
    assert not labels.exists()


def test_collecting_twice_is_the_same_as_once(say: Say, labels: Path) -> None:
    sheet = say(yeast=Ruling.RIGHT, pooled=Ruling.WRONG)
    run(sheet, labels=labels)
    before = {file: file.read_bytes() for file in labels.iterdir()}
    again = run(sheet, labels=labels)
    assert (again.added, again.known) == (0, 2)
    assert {file: file.read_bytes() for file in labels.iterdir()} == before


def test_another_word_replaces_the_judges_own_and_no_one_elses(say: Say, labels: Path) -> None:
    run(say(yeast=Ruling.RIGHT), labels=labels)
    other = run(say(yeast=Ruling.WRONG), labels=labels, judge="taro")
    changed = run(say(yeast=Ruling.CONTEXT), labels=labels)
    assert (other.replaced, changed.replaced) == (0, 1)
    assert [(v.judge, v.ruling) for v in read_verdicts(labels)] == [
        ("hanako", "right"),
        ("taro", "wrong"),
        ("hanako", "context"),
    ]


def test_a_word_taken_back_can_be_given_again(say: Say, labels: Path) -> None:
    sheet = say(yeast=Ruling.RIGHT)
    run(sheet, labels=labels)
    back = read_verdicts(labels)[0].model_copy(update={"ruling": None, "at": "2999"})
    append_verdict(labels / "verdicts-hanako.jsonl", back)
    again = run(sheet, labels=labels)
    assert (again.added, again.replaced) == (1, 0)


def test_an_adjudication_of_the_same_judge_is_not_taken_for_the_sheets_word(
    say: Say, labels: Path
) -> None:
    sheet = say(yeast=Ruling.RIGHT)
    run(sheet, labels=labels)
    settled = read_verdicts(labels)[0].model_copy(
        update={"ruling": Ruling.WRONG, "adjudicates": True, "at": "2999"}
    )
    append_verdict(labels / "verdicts-hanako.jsonl", settled)
    assert run(sheet, labels=labels).added == 0


def test_the_column_judge_wins_over_the_option(say: Say, labels: Path) -> None:
    run(say(judge="花子", yeast=Ruling.RIGHT), labels=labels, judge="taro")
    assert [file.name for file in labels.iterdir()] == ["verdicts-花子.jsonl"]


def test_one_file_of_labels_takes_all(say: Say, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.touch()
    run(
        say("a.csv", judge="a", yeast=Ruling.RIGHT),
        say("b.csv", judge="b", yeast=Ruling.WRONG),
        labels=file,
    )
    assert [verdict.judge for verdict in read_verdicts(file)] == ["a", "b"]


# --- all or nothing -------------------------------------------------------------------------------


def edit(path: Path, line: int, **cells: str) -> None:
    table = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
    for name, cell in cells.items():
        table[line][table[0].index(name)] = cell
    out = io.StringIO()
    csv.writer(out).writerows(table)
    path.write_text(out.getvalue(), encoding="utf-8-sig", newline="")


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        ({"verdict": "rihgt"}, "verdict 'rihgt' is none of"),
        ({"verdict": "also", "chosen": "yeast#9"}, "no section 'yeast#9' in the set"),
        ({"verdict": "other"}, "needs section ids"),
        ({"item": "i000000000000"}, "unknown row"),
    ],
)
def test_a_fault_in_the_last_sheet_leaves_the_labels_untouched(
    say: Say, labels: Path, cells: dict[str, str], what: str
) -> None:
    good, bad = say("good.csv", heat=Ruling.RIGHT), say("bad.csv", yeast=Ruling.RIGHT)
    edit(bad, 1, **cells)
    before = bad.read_bytes()
    with pytest.raises(SheetError, match=what) as caught:
        run(good, bad, labels=labels)
    assert caught.value.where == f"{bad}:2 (row 2)"
    assert caught.value.hint
    assert not labels.exists()
    assert bad.read_bytes() == before


def test_two_sheets_may_say_the_same_of_one_row(say: Say, labels: Path) -> None:
    assert (
        run(
            say("a.csv", yeast=Ruling.RIGHT), say("b.jsonl", yeast=Ruling.RIGHT), labels=labels
        ).added
        == 1
    )


def test_two_sheets_that_contradict_each_other_are_refused(say: Say, labels: Path) -> None:
    one, other = say("a.csv", yeast=Ruling.RIGHT), say("b.jsonl", yeast=Ruling.WRONG)
    with pytest.raises(SheetError, match=r"hanako says something else .* at .*a\.csv:2") as caught:
        run(one, other, labels=labels)
    assert caught.value.where == f"{other}:1"
    assert not labels.exists()


def test_a_damaged_verdict_file_stops_it_before_anything_is_written(say: Say, labels: Path) -> None:
    labels.mkdir()
    (labels / "verdicts-x.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(VerdictError):
        run(say(yeast=Ruling.RIGHT), labels=labels)
    assert [file.name for file in labels.iterdir()] == ["verdicts-x.jsonl"]


# --- the set --------------------------------------------------------------------------------------


def test_the_set_is_not_needed_for_sections_of_the_article(
    say: Say, labels: Path, bakery_set: Path
) -> None:
    sheet = say(yeast=(Ruling.ALSO, "yeast#1"))
    bakery_set.rename(bakery_set.with_name("elsewhere"))
    assert run(sheet, labels=labels).added == 1


def test_a_section_of_another_article_is_looked_up_in_the_set(
    say: Say, labels: Path, bakery_set: Path
) -> None:
    sheet = say(yeast=(Ruling.ALSO, "flour#1"))
    moved = bakery_set.rename(bakery_set.with_name("elsewhere"))
    with pytest.raises(SheetError, match=r"cannot look up flour#1: .* not an eval set") as caught:
        run(sheet, labels=labels)
    assert "--set" in caught.value.hint
    run(sheet, labels=labels, evalset=moved)
    assert [name.heading for name in read_verdicts(labels)[0].sections] == ["灰分"]


def test_a_verdict_names_sections_as_the_judge_saw_them(
    say: Say, labels: Path, bakery_set: Path, bakery: Path, tmp_path: Path
) -> None:
    """Built again since, the ids may be those of other sections: the names of the sheet count."""
    sheet = say(yeast=(Ruling.ALSO, "yeast#1", "flour#1"))
    page = (bakery / "yeast.html").read_text(encoding="utf-8")
    copy = Path(shutil.copytree(bakery, tmp_path / "edited"))
    (copy / "yeast.html").write_text(
        page.replace("<h2", "<h2>新しい節</h2><p>新</p><h2", 1), encoding="utf-8"
    )
    hayami.build([copy], bakery_set)
    run(sheet, labels=labels)
    verdict: Verdict = read_verdicts(labels)[0]
    assert [name.heading for name in verdict.judged] == ["2つの酵母の違い"]
    assert [name.heading for name in verdict.sections] == ["酵母の保存のしかた", "灰分"]
    built = hayami.build([copy], bakery_set, labels=labels)
    queries = hayami.load(built.folder).queries()
    relevant = next(query.relevant for query in queries if query.query == "生種とドライの違い")
    assert relevant == {"yeast#1": 2, "yeast#2": 2, "flour#1": 2}


def test_collected_verdicts_hold_in_the_next_build(
    say: Say, labels: Path, bakery: Path, bakery_set: Path
) -> None:
    run(say(yeast=(Ruling.OTHER, "yeast#1"), rejected=(Ruling.OTHER, "yeast#1")), labels=labels)
    built = hayami.build([bakery], bakery_set, labels=labels)
    found = {query.query: list(query.relevant) for query in hayami.load(built.folder).queries()}
    assert found["生種とドライの違い"] == found["酵母の保存"] == ["yeast#1"]


def test_a_sheet_is_not_changed(say: Say, labels: Path) -> None:
    sheet = say(yeast=Ruling.RIGHT)
    before = sheet.read_bytes()
    run(sheet, labels=labels)
    assert sheet.read_bytes() == before
    assert read_sheet(sheet)[0].verdict is Ruling.RIGHT


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files")
def test_a_full_disk_is_told_with_what_was_recorded_and_the_rest_can_be(
    say: Say, labels: Path, items: dict[str, Item]
) -> None:
    """The limit of the system on the size of a file stands for a full disk."""
    sheet = say(**dict.fromkeys(items, Ruling.RIGHT))
    collect([sheet], labels, judge="sato")
    (file,) = labels.iterdir()
    whole = len(file.read_bytes())
    file.unlink()
    code = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({whole * 2 // 3}, -1));"
        "from hayami.cli import main; main()"
    )
    command = [sys.executable, "-c", code, "audit", "collect", str(sheet)]
    told = subprocess.run(
        [*command, "--labels", str(labels), "--judge", "sato"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    recorded = len(read_verdicts(labels))
    assert told.returncode == 1
    assert 0 < recorded < len(items)
    assert "cannot record the verdict: File too large" in told.stderr
    assert f"Of {len(items)} verdicts {recorded} in {file} was recorded" in told.stderr
    assert file.read_bytes().endswith(b"\n"), "no torn line is left"
    rest = collect([sheet], labels, judge="sato")
    assert (rest.added, rest.known) == (len(items) - recorded, recorded)
