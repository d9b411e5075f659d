"""Judgements of others: read as evaluation tools read them, or refused with file and line."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from hayami.errors import QrelsError
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.qrels import read_qrels

Reader = Callable[..., Judgements]
GOOD = "q1 0 a 2\nq1 0 b 0\n"


@pytest.fixture
def qrels(tmp_path: Path) -> Reader:
    """Reads the judgements that a file of this content holds."""

    def read(content: str | bytes, name: str = "a.qrels") -> Judgements:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_qrels(path)

    return read


@pytest.mark.parametrize("content", [
    GOOD,
    "\ufeff" + GOOD,
    GOOD.replace("\n", "\r\n"),
    GOOD.replace(" ", "\t"),
    GOOD.replace(" 0 ", " Q0 "),
    GOOD.replace(" 2", " 2.0"),
    GOOD + "q1 0 a 2\n",
    gzip.compress(GOOD.encode(), mtime=0),
    "query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t0\n",
    "q1\ta\t2\nq1\tb\t0\n",
])  # fmt: skip
def test_what_other_tools_write_is_read(qrels: Reader, content: str | bytes) -> None:
    assert qrels(content).qrels == {"q1": {"a": 2, "b": 0}}


@pytest.mark.parametrize(("line", "what"), [
    ("q2 0 city guide.html#map 2", "5 fields instead of 4"),
    ("q2 a 2", "3 fields instead of 4"),
    ("q2 0 x 1 2 3 4", "7 fields instead of 4"),
    ("q2 0 x NaN", "'NaN' is no whole number"),
    ("q2 0 x 0.5", "'0.5' is no whole number"),
    ("q2 0 x 1_0", "'1_0' is no whole number"),
    ("q2 0 x 99999999999", "beyond"),
    ("q1 0 a 1", "a has grade 2 for q1 already, now 1"),
])  # fmt: skip
def test_a_bad_line_ends_in_one_line_with_its_number(qrels: Reader, line: str, what: str) -> None:
    with pytest.raises(QrelsError, match=what) as caught:
        qrels(GOOD + line + "\n")
    assert caught.value.where.endswith("a.qrels:3")
    assert caught.value.hint


@pytest.mark.parametrize(("content", "name", "what"), [
    (b"", "a.qrels", "holds no judgement"),
    (b"query-id\tcorpus-id\tscore\n", "a.tsv", "holds no judgement"),
    (b"q1 \xff 1\n", "a.tsv", "not UTF-8"),
    (b"q1 a NaN\n", "a.tsv", "no whole number"),
    (b"q1 0\n", "a.qrels", "2 fields instead of 4"),
    (b"{", "a.json", "JSON"),
    (b"{}", "a.json", "no judgement"),
    (b'{"q": {"a": 0.5}}', "a.json", "q.a"),
    (b'[{"id": "q"}]', "a.json", "relevant_docs"),
    (b'[{"id": "q", "relevant_docs": []}, {"id": "q", "relevant_docs": []}]',
     "a.json", "stands twice"),
])  # fmt: skip
def test_a_file_that_holds_no_judgements_is_refused(
    qrels: Reader, content: bytes, name: str, what: str
) -> None:
    with pytest.raises(QrelsError, match=what):
        qrels(content, name)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for name in ("none.qrels", "none.json"):
        with pytest.raises(QrelsError, match=f"{name}: No such file"):
            read_qrels(tmp_path / name)


def test_a_list_of_queries_with_categories_is_read(qrels: Reader) -> None:
    found = qrels(
        (
            '[{"id": "q-1", "query": "経費の流れは？", "relevant_docs": ["d1", "d2"], '
            '"category": "業務", "x": 1}]'
        ),
        "a.json",
    )
    assert found.qrels == {"q-1": {"d1": 1, "d2": 1}}
    assert found.topic("q-1").category == "業務"
    assert found.topic("q-1").text == "経費の流れは？"


def test_a_mapping_is_read(qrels: Reader) -> None:
    assert qrels('{"1": {"d": 2}}', "a.json").qrels == {"1": {"d": 2}}


def test_no_article_is_known_of_foreign_queries(qrels: Reader) -> None:
    found = qrels(GOOD)
    assert found.article_of("q1") == "q1"
    assert not found.has_articles
    assert found.levels == (2,)
