"""The sample articles against what a careful reader says their rows mean.

The floor under every change.
"""

from __future__ import annotations

import json
import runpy
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

import hayami
from hayami.evalset.records import Query, Rejection

ROOT = Path(__file__).resolve().parent.parent
GOLD = [
    json.loads(line)
    for line in (ROOT / "labels" / "gold.jsonl").read_text(encoding="utf-8").splitlines()
]
GOLDEN = runpy.run_path(str(ROOT / "tests" / "golden" / "remake.py"))


class Place(NamedTuple):
    """Where a row stands."""

    path: str
    table: int
    row: int


def words(text: str) -> str:
    """White space collapsed.

    The wave dash of EUC-JP as WHATWG decodes it (U+FF5E), whoever wrote the text down.
    """
    return " ".join(text.split()).replace("\u301c", "\uff5e")


def place(row: dict[str, object]) -> Place:
    return Place(str(row["path"]), int(str(row["table"])), int(str(row["row"])))


@dataclass(frozen=True)
class Found:
    """The sample as built with every row a query of its own, by place."""

    queries: dict[Place, Query]
    rejections: dict[Place, Rejection]
    names: dict[str, tuple[str, str]]
    """Article and heading of each section."""

    def targets(self, at: Place) -> set[tuple[str, str]]:
        return (
            {self.names[section] for section in self.queries[at].relevant}
            if at in self.queries
            else set()
        )


@pytest.fixture(scope="module")
def found(articles: Path, tmp_path_factory: pytest.TempPathFactory) -> Found:
    keep = hayami.Settings(duplicates=hayami.Duplicates.KEEP)
    loaded = hayami.load(
        hayami.build([articles], tmp_path_factory.mktemp("keep") / "set", keep).folder
    )
    return Found(
        {
            Place(o.path, o.table or 0, o.row): query
            for query in loaded.queries()
            for o in query.origins
        },
        {Place(r.path, r.table or 0, r.row or 0): r for r in loaded.rejections()},
        {section.id: (section.article, words(section.heading)) for section in loaded.sections()},
    )


def meant(row: dict[str, list[dict[str, str]]]) -> set[tuple[str, str]]:
    return {(target["article"], words(target["heading"])) for target in row["targets"]}


WITH_TARGETS = [row for row in GOLD if row["targets"]]
WITHOUT = [row for row in GOLD if not row["targets"]]
ids: Callable[[dict[str, object]], str] = lambda row: f"{row['path']}-{row['table']}-{row['row']}"  # noqa: E731


def test_the_sample_is_of_the_size_that_it_is_said_to_be(sample: hayami.Built) -> None:
    counts = sample.manifest.counts
    assert (counts.files, counts.articles, counts.tables, counts.rows) == (24, 24, 25, len(GOLD))
    assert counts.by_language == {"en": 4, "ja": 16, "ko": 2, "zh": 2}


def test_the_sample_is_sound(sample: hayami.Built) -> None:
    assert hayami.check(sample.folder) == []


def test_every_row_that_was_judged_is_mined_and_no_other(found: Found) -> None:
    assert sorted([*found.queries, *found.rejections]) == sorted(map(place, GOLD))


def test_every_row_is_mined_with_its_question_and_reference(found: Found) -> None:
    mined = {at: (words(query.query), words(query.source)) for at, query in found.queries.items()}
    mined |= {
        at: (words(r.question), words(f"早見表:{r.reference}"))
        for at, r in found.rejections.items()
    }
    assert mined == {
        place(row): (row["question"], words(f"早見表:{row['reference']}")) for row in GOLD
    }


def test_no_label_is_wrong(found: Found) -> None:
    wrong = [
        (*place(row), row["reference"], found.targets(place(row)))
        for row in GOLD
        if place(row) in found.queries and found.targets(place(row)) != meant(row)
    ]
    assert wrong == []


def test_nearly_every_row_that_names_a_section_gets_its_label(found: Found) -> None:
    missed = [
        (*place(row), row["reference"])
        for row in WITH_TARGETS
        if found.targets(place(row)) != meant(row)
    ]
    assert len(WITH_TARGETS) == 210
    assert 1 - len(missed) / len(WITH_TARGETS) >= 0.97, missed


PLAIN = [
    *("exact", "folded", "anchor", "anchor_other_article", "number"),
    *("several", "deeper", "longer", "shortened", "misspelt"),
]
"""The forms of reference that a reader understands without a guess."""


@pytest.mark.parametrize("form", PLAIN)
def test_no_row_is_missed_that_needs_no_guess(found: Found, form: str) -> None:
    rows = [row for row in WITH_TARGETS if row["form"] == form]
    assert rows
    assert [row["reference"] for row in rows if found.targets(place(row)) != meant(row)] == []


def test_a_deeper_heading_is_named_as_what_matched(found: Found) -> None:
    named = [
        (row, words(target["deeper"]))
        for row in WITH_TARGETS
        for target in row["targets"]
        if target["deeper"]
    ]
    alone = [
        (row, deeper)
        for row, deeper in named
        if words(row["targets"][0]["heading"]) not in row["reference"]
    ]
    assert len(alone) >= 12
    for row, deeper in alone:
        assert deeper in {words(target.heading) for target in found.queries[place(row)].targets}


@pytest.mark.parametrize("row", WITHOUT, ids=ids)
def test_a_row_that_names_no_section_is_rejected_for_its_reason(
    found: Found, row: dict[str, object]
) -> None:
    assert place(row) in found.rejections
    assert found.rejections[place(row)].reason == row["reason"]


def test_the_reasons_of_the_sample_are_of_every_kind_that_rows_can_have() -> None:
    assert Counter(row["reason"] for row in WITHOUT) == {
        "no_reference": 5,
        "excluded_section": 3,
        "ambiguous": 2,
        "broken_link": 2,
        "external_link": 2,
        "unmatched": 2,
        "whole_article": 2,
        "no_question": 1,
    }


def test_no_question_of_a_table_is_left_in_the_corpus(sample: hayami.Built) -> None:
    loaded = hayami.load(sample.folder)
    texts = {section.id: section.text.split("\n") for section in loaded.sections()}
    headings = {
        heading for section in loaded.sections() for heading in (section.heading, *section.headings)
    }
    for query in loaded.queries():
        lines = [line for lines in texts.values() for line in lines if line == query.query]
        assert not lines or query.query in headings, query.query


@pytest.mark.parametrize("path", GOLDEN["CHOSEN"])
def test_an_article_yields_what_it_yielded(path: str) -> None:
    golden = GOLDEN["golden_file"](path)
    assert GOLDEN["describe"](path) == json.loads(golden.read_text(encoding="utf-8")), (
        "python tests/golden/remake.py"
    )


def test_the_golden_files_are_as_they_are_written(tmp_path: Path) -> None:
    assert sorted(path.name for path in GOLDEN["FOLDER"].iterdir()) == sorted(
        GOLDEN["golden_file"](path).name for path in GOLDEN["CHOSEN"]
    )
    for path in GOLDEN["CHOSEN"]:
        (tmp_path / "remade.json").write_text(
            GOLDEN["written"](path), encoding="utf-8", newline="\n"
        )
        assert (tmp_path / "remade.json").read_bytes() == GOLDEN["golden_file"](path).read_bytes()
