"""Categories of queries from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from hayami.errors import QrelsError
from hayami.evaluate.categories import read_pairs, with_categories, with_clusters
from hayami.evaluate.judgements import Judgements, Topic


@pytest.mark.parametrize("content", [
    'q1,業務\nq2,"人事, 規程"\n',
    'qid,category\r\nq1,業務\r\n\r\nq2,"人事, 規程"\r\n',
    "\ufeffquery_id\tcategory\nq1\t業務\nq2\t人事, 規程\nq1\t業務\n",
])  # fmt: skip
def test_two_columns_are_read(tmp_path: Path, content: str) -> None:
    path = tmp_path / "c.csv"
    path.write_text(content, encoding="utf-8", newline="")
    assert read_pairs(path) == {"q1": "業務", "q2": "人事, 規程"}


@pytest.mark.parametrize(("content", "what"), [
    (b"q1,a\nq2\n", r"c\.csv:2: 1 columns"),
    (b"q1,a\nq2,b,c\n", r"c\.csv:2: 3 columns"),
    (b"q1,a\nq1,b\n", r"c\.csv:2: q1 has the category 'a' already"),
    (b"q1,\n", r"c\.csv:1: "),
    (b"q1,\xff\n", "not UTF-8"),
])  # fmt: skip
def test_a_bad_line_is_named(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(content)
    with pytest.raises(QrelsError, match=what):
        read_pairs(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(QrelsError, match="No such file"):
        read_pairs(tmp_path / "c.csv")


def test_queries_that_are_not_named_keep_what_they_had() -> None:
    judged = Judgements(
        "x", {"a": {}, "b": {}, "c": {}}, {"a": Topic("?", category="old"), "b": Topic("?")}
    )
    found = with_categories(judged, {"b": "new", "c": "new", "z": "no"})
    assert [found.topic(qid).category for qid in "abc"] == ["old", "new", "new"]
    assert found.topic("b").text == "?"
    assert set(found.topics) == {"a", "b", "c"}


def test_clusters_stand_in_the_place_of_articles() -> None:
    judged = Judgements("x", {"a": {"d": 1}, "b": {"d": 1}}, {"b": Topic(category="c")})
    assert judged.articles() is None
    found = with_clusters(judged, {"a": "one", "b": "one", "z": "no"})
    assert found.articles() == {"a": "one", "b": "one"}
    assert found.topic("b").category == "c"


def test_a_file_of_clusters_says_so_where_it_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("q1,a\nq1,b\n", encoding="utf-8")
    with pytest.raises(QrelsError, match="q1 has the cluster 'a' already"):
        read_pairs(path, "cluster")
