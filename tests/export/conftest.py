"""Sets to export.

The sample, and one whose ids and texts are as wild as HTML and file systems allow.
"""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import hayami
from hayami.evalset.folder import MANIFEST
from hayami.export import Exported, export_set

LONG = '長い本文。\tタブ、改行\nと "引用符" が続く。' * 3_000
"""More than 100 kB in UTF-8."""
PAGES = {
    '早見/#1 "引用".html': (
        "「引用」と <タグ> の話｜サイト",
        [
            ('"引用符で始まる質問', "はい\tいいえ", "🦊 の見出し"),
            ("改行は\u2028残り\u0085ますか", "", "改行\u2029と 空白"),
            ("</DOC> や &amp; は？", "'", "🦊 の見出し／改行\u2029と 空白"),
        ],
        [
            ("🦊 の見出し", "한국어도 — naïve ﷽ \u2028 \u0085 \u2029 終わり。"),
            ("改行\u2029と 空白", '"閉じない引用符'),
            ("長い節", LONG),
        ],
    ),
    "b,c;d/x'y.html": (
        "# 見出し記号",
        [("#で始まる質問", "#", "1. =SUM(A1)"), ("-1 は", "-", "<b>太字</b> と \\\\t")],
        [
            ("1. =SUM(A1)", "\\t \\n %s {}"),
            ("<b>太字</b> と \\\\t", "ﷺ e\u0301 é 👩‍👩‍👧"),
            ("空の節", ""),
        ],
    ),
}


def page(title: str, rows: list[tuple[str, str, str]], sections: list[tuple[str, str]]) -> str:
    """An article of these texts."""
    cells = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    parts = "".join(
        f"<h2>{html.escape(heading)}</h2><p>{html.escape(text)}</p>" for heading, text in sections
    )
    return (
        f'<!DOCTYPE html><html lang="ja"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<body><table><tr><th>質問</th><th>答え</th><th>章</th></tr>{cells}</table>{parts}"
    )


def build_wild(folder: Path) -> Path:
    """The wild set, built below ``folder``."""
    for name, content in PAGES.items():
        path = folder / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(*content), encoding="utf-8")
    return hayami.build([folder / "pages"], folder / "set").folder


@pytest.fixture(scope="session")
def wild(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wild set. Not to be changed."""
    return build_wild(tmp_path_factory.mktemp("wild"))


@pytest.fixture(scope="session")
def small(sample: hayami.Built, wild: Path) -> dict[str, Path]:
    """The two sets by name. Not to be changed."""
    return {"sample": sample.folder, "wild": wild}


@pytest.fixture(params=["sample", "wild"])
def source(request: pytest.FixtureRequest, small: dict[str, Path]) -> Path:
    """Each of the two sets. Not to be changed."""
    return small[request.param]


@pytest.fixture
def changed(bakery_set: Path, sealed: Callable[[Path], None]) -> Callable[..., Path]:
    """Changes the lines of a file of a small set as text; gives the set."""

    def change(name: str, change_text: Callable[[str], str]) -> Path:
        path = bakery_set / name
        path.write_text(change_text(path.read_text(encoding="utf-8")), encoding="utf-8")
        sealed(bakery_set)
        return bakery_set

    return change


@pytest.fixture
def export(tmp_path: Path) -> Callable[..., Exported]:
    """Exports a set into a folder of the test's own."""
    return lambda folder, name, **options: export_set(folder, name, tmp_path / "出力", **options)


@pytest.fixture(scope="session")
def graded() -> Callable[[Path], dict[str, dict[str, int]]]:
    """Reads the grades of a set without hayami's help."""

    def read(folder: Path) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for line in (folder / "qrels.txt").read_text(encoding="utf-8").split("\n")[:-1]:
            qid, _, section, grade = line.split(" ")
            found.setdefault(qid, {})[section] = int(grade)
        return found

    return read


@pytest.fixture(scope="session")
def targets(
    graded: Callable[[Path], dict[str, dict[str, int]]],
) -> Callable[[Path], dict[str, dict[str, int]]]:
    """Reads the grades 2 of a set without hayami's help."""
    return lambda folder: {
        qid: {section: grade for section, grade in grades.items() if grade == 2}
        for qid, grades in graded(folder).items()
    }


@pytest.fixture(scope="session")
def records() -> Callable[[Path, str], dict[str, dict[str, object]]]:
    """Reads the records of a set by their id, without hayami's help."""

    def read(folder: Path, name: str) -> dict[str, dict[str, object]]:
        lines = (folder / name).read_text(encoding="utf-8").split("\n")[:-1]
        return {
            str(record.get("qid", record.get("id"))): record for record in map(json.loads, lines)
        }

    return read


@dataclass(frozen=True)
class Truth:
    """What a set says, read without hayami's help."""

    graded: dict[str, dict[str, int]]
    targets: dict[str, dict[str, int]]
    queries: dict[str, dict[str, object]]
    sections: dict[str, dict[str, object]]

    def texts(self) -> dict[str, object]:
        """The text of every section."""
        return {key: section["text"] for key, section in self.sections.items()}

    def questions(self) -> dict[str, object]:
        """The text of every query."""
        return {qid: query["query"] for qid, query in self.queries.items()}


@pytest.fixture
def truth(
    source: Path,
    graded: Callable[[Path], dict[str, dict[str, int]]],
    targets: Callable[[Path], dict[str, dict[str, int]]],
    records: Callable[[Path, str], dict[str, dict[str, object]]],
) -> Truth:
    """What ``source`` says."""
    return Truth(
        graded(source),
        targets(source),
        records(source, "evalset.jsonl"),
        records(source, "corpus.jsonl"),
    )


@pytest.fixture
def without_queries(tmp_path: Path) -> Path:
    """A set of an article without any table."""
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.html").write_text(page("題", [], [("見出し", "本文")]), encoding="utf-8")
    folder = hayami.build([pages], tmp_path / "empty").folder
    shutil.rmtree(pages)
    assert (folder / MANIFEST).is_file()
    return folder
