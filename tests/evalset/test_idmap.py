from __future__ import annotations

from pathlib import Path

import pytest

import hayami
from hayami.errors import RunError
from hayami.evalset.idmap import read_id_map
from hayami.export import Ids, export_set


def test_a_run_over_safe_ids_is_that_of_the_set_again(bakery_set: Path, tmp_path: Path) -> None:
    folder = export_set(bakery_set, "trec", tmp_path / "out", ids=Ids.SAFE).folder
    exported: dict[str, dict[str, float]] = {}
    for line in (folder / "qrels.txt").read_text(encoding="utf-8").splitlines():
        qid, _, section, grade = line.split(" ")
        exported.setdefault(qid, {})[section] = float(grade)
    truth = hayami.load(bakery_set).qrels()
    assert exported != truth
    assert read_id_map(folder / "ids.jsonl").translated(exported) == truth


def test_an_id_that_is_in_no_export_stays(tmp_path: Path) -> None:
    path = tmp_path / "ids.jsonl"
    path.write_text('{"kind": "section", "exported": "a_230", "in_set": "a#0"}\n', "utf-8")
    read = read_id_map(path)
    assert read.translated({"q": {"a_230": 2.0, "x": 1.0}}) == {"q": {"a#0": 2.0, "x": 1.0}}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"kind": "place", "exported": "a", "in_set": "b"}\n', "kind"),
        ('{"kind": "query", "exported": "a"}\n', "in_set"),
        (
            '{"kind": "query", "exported": "a", "in_set": "b"}\n'  # noqa: ISC004
            '{"kind": "query", "exported": "a", "in_set": "c"}\n',
            "query a stands twice",
        ),
    ],
)
def test_a_file_that_is_no_map_is_named_with_the_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "ids.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=says) as caught:
        read_id_map(path)
    assert caught.value.where == f"{path}:{text.count(chr(10))}"
    assert "hayami export --ids safe" in caught.value.hint
