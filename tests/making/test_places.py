"""Rows that stand in no table are full citizens: every command sees, counts and judges them."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import hayami
from hayami.audit.items import Item
from hayami.audit.material import SetTexts
from hayami.extract import miners
from hayami.extract.miners import HEADING, Mask, Mined, Miner, Need, ReadPage, Spot
from hayami.parts import Piece

Cli = Callable[..., CompletedProcess[str]]

PAGE = """<!DOCTYPE html><html lang="en"><title>Kettles</title><h1>Kettles</h1>
<h2>Buying</h2><p>In any shop.</p>
<h2 id="boil">How long does a kettle take to boil?</h2><p>Three minutes for a litre of water.</p>
<h2>How do I clean a kettle?</h2><p>With vinegar, once in a month.</p>
<h2>Where do I complain about it? (see the counter)</h2><p>At the shop.</p>"""


def mine_headings(read: ReadPage) -> Mined:
    """Headings that are questions; one that says where its answer is names it."""
    needs: list[Need] = []
    for heading in read.page.headings:
        question, mark, where = heading.text.partition("?")
        if not mark:
            continue
        at = Spot(heading.segment, HEADING)
        named = where.strip(" ()").removeprefix("see ")
        needs.append(
            Need(
                question + mark,
                detector="faq",
                place=read.place("heading", len(needs), at),
                at=at,
                reference=(Piece(named),) if named else (),
                target=None if named else at,
                masks=(Mask(at),),
            )
        )
    return Mined(tuple(needs))


FAQ = Miner("faq", mine_headings, "headings that are questions")


class Point(importlib.metadata.EntryPoint):
    """An entry point of this module."""

    def load(self) -> object:
        """The miner that it names."""
        return FAQ


@pytest.fixture(autouse=True)
def brought(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The miner, brought as another package would."""

    def points(group: str) -> tuple[importlib.metadata.EntryPoint, ...]:
        return (Point("faq", "somewhere:FAQ", miners.GROUP),) if group == miners.GROUP else ()

    monkeypatch.setattr("hayami.extract.miners.entry_points", points)
    miners.miners.cache_clear()
    yield
    miners.miners.cache_clear()


@pytest.fixture
def kettles(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/kettles.html").write_text(PAGE, encoding="utf-8")
    return tmp_path / "docs"


@pytest.fixture
def built(kettles: Path, tmp_path: Path) -> Path:
    return hayami.build([kettles], tmp_path / "set").folder


def test_the_set_holds_where_they_stood(built: Path) -> None:
    evalset = hayami.load(built)
    queries = {query.query: query for query in evalset.queries()}
    boil = queries["How long does a kettle take to boil?"]
    assert (boil.relevant, boil.match) == ({"kettles#1": 2}, hayami.Match.PLACE)
    assert boil.source == "faq:How long does a kettle take to boil?"
    (origin,) = boil.origins
    assert (origin.table, origin.detector) == (None, "faq")
    assert (origin.where.kind, origin.where.ordinal, origin.where.under) == ("heading", 0, "boil")
    (rejection,) = evalset.rejections()
    assert rejection.where is not None
    assert (rejection.reason, rejection.where.kind, rejection.where.ordinal) == (
        hayami.Reason.UNMATCHED,
        "heading",
        2,
    )
    assert evalset.manifest.counts.by_detector == {"faq": 3}
    masked = [section.ordinal for section in evalset.sections() if section.masked]
    assert masked == [1, 2, 3]


def test_a_set_of_them_is_sound_and_the_same_whatever_the_jobs(
    kettles: Path, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The miner of this test is known in this process alone: its workers have to be forked from it.
    monkeypatch.setattr("hayami.making.reading.threading.active_count", lambda: 1)
    assert hayami.check(built) == []
    for number in range(40):
        (kettles / f"k{number}.html").write_text(PAGE.replace("kettle", f"kettle{number}"))
    one = hayami.build([kettles], tmp_path / "one", jobs=1)
    two = hayami.build([kettles], tmp_path / "two", jobs=2)
    assert one.manifest.files == two.manifest.files
    assert hayami.check(two.folder) == []


def test_strict_is_content_with_them_and_nothing_is_said_to_be_missing(
    cli: Cli, kettles: Path, tmp_path: Path
) -> None:
    ran = cli("build", kettles, "--out", tmp_path / "strict", "--strict")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "3 rows" in ran.stdout


def test_inspect_shows_them(cli: Cli, kettles: Path) -> None:
    ran = cli("inspect", kettles / "kettles.html")
    assert "no table" not in ran.stdout
    assert "heading 0 under boil  How long does a kettle take to boil?" in ran.stdout
    assert "none    unmatched" in ran.stdout
    told = json.loads(cli("inspect", kettles / "kettles.html", "--json").stdout)
    assert [row["place"]["ordinal"] for row in told["rows"]] == [0, 1, 2]


def test_the_writers_are_told_what_to_mend(cli: Cli, built: Path) -> None:
    told = json.loads(cli("report", built, "--writers", "--json").stdout)
    (article,) = told["articles"]
    (remark,) = article["remarks"]
    assert (remark["fault"], remark["table"], remark["place"]["kind"]) == ("dead", None, "heading")
    for format_ in ("md", "html"):
        written = cli("report", built, "--writers", "--format", format_).stdout
        assert "heading 3" in written
        assert "the counter" in written


def test_a_judge_gets_them(cli: Cli, built: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.jsonl"
    ran = cli("audit", "sample", built, "--by", "detector", "--rejected", "--out", sheet)
    assert ran.returncode == 0
    items = [json.loads(line) for line in sheet.read_text(encoding="utf-8").splitlines()]
    assert sorted(item["detector"] for item in items) == ["faq"] * 3
    assert {item["match"] for item in items} == {"place", None}
    queue = tmp_path / "queue.jsonl"
    assert cli("audit", "queue", built, "--out", queue).returncode == 0
    assert "the counter" in queue.read_text(encoding="utf-8")
    assert cli("audit", "sample", built, "--out", tmp_path / "sheet.csv").returncode == 0
    texts = SetTexts(hayami.load(built), ["kettles"])
    for item in items:
        material = texts.material(Item.model_validate(item))
        assert (material.gone, [one.id for one in material.judged]) == ((), item["sections"])


@pytest.mark.parametrize("format_", ["trec", "beir", "hf", "queries-json", "ranx", "ragas"])
def test_they_are_exported(cli: Cli, built: Path, tmp_path: Path, format_: str) -> None:
    ran = cli("export", format_, built, "--out", tmp_path / "out")
    assert ran.returncode == 0
    assert "How long does a kettle take to boil?" in "".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    )


def test_their_ids_are_kept(kettles: Path, built: Path, tmp_path: Path) -> None:
    ids = {query.query: query.qid for query in hayami.load(built).queries()}
    page = kettles / "kettles.html"
    page.write_text(PAGE.replace("<h2>Buying", "<h2>How heavy is it?</h2><p>Light.<h2>Buying"))
    again = hayami.build([kettles], tmp_path / "again", previous=built)
    now = {query.query: query.qid for query in hayami.load(again.folder).queries()}
    assert {question: now[question] for question in ids} == ids
    assert len(now) == len(ids) + 1
