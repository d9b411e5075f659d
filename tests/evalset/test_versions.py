"""Sets of the next format version.

In which ``relevant`` is a list of records, are read as today's.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

import hayami
from hayami.evalset.records import Query


def as_next(folder: Path) -> None:
    """Rewrites a set as the next version has it."""
    path = folder / "evalset.jsonl"
    queries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for query in queries:
        grades = query["relevant"].items()
        query["relevant"] = [{"section": section, "grade": grade} for section, grade in grades]
    lines = "".join(json.dumps(query) + "\n" for query in queries)
    path.write_text(lines, encoding="utf-8")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["format"] = 2
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def test_a_set_of_the_next_version_is_read_and_sound(
    bakery_set: Path, sealed: Callable[[Path], None]
) -> None:
    before = list(hayami.load(bakery_set).queries())
    as_next(bakery_set)
    sealed(bakery_set)
    assert list(hayami.load(bakery_set).queries()) == before
    assert hayami.check(bakery_set) == []


@pytest.mark.parametrize(
    ("relevant", "says"),
    [
        ([{"section": "a#0"}], "no list of records of section and grade"),
        ([{"section": "a#0", "grade": 2, "more": 1}], "no list of records"),
        ([{"section": "a#0", "grade": 2}] * 2, "a#0 stands twice"),
        (["a#0"], "no list of records"),
        ([{"section": "a#0", "grade": "high"}], "valid integer"),
    ],
)
def test_what_is_no_list_of_grades_is_refused(
    bakery_set: Path, relevant: list[object], says: str
) -> None:
    query = next(hayami.load(bakery_set).queries()).model_dump(mode="json")
    with pytest.raises(ValidationError, match=says):
        Query.model_validate(query | {"relevant": relevant})
