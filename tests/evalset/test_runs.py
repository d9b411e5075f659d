"""Run files: read as trec_eval reads them, or refused in one line."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayami.errors import RunError
from hayami.evalset.runs import Run, distinct_names, read_run

Reader = Callable[..., Run]
GOOD = "q1 Q0 a 1 2.0 tag\nq1 Q0 b 2 1.0 tag\n"


@pytest.fixture
def run(tmp_path: Path) -> Reader:
    """Reads the run that a file of this content holds."""

    def read(content: str | bytes, *, dedupe: bool = False) -> Run:
        path = tmp_path / "a.run"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_run(path, dedupe=dedupe)

    return read


def test_scores_order_the_results_and_ranks_do_not(run: Reader) -> None:
    read = run("q1 Q0 a 1 1.0 t\nq1 Q0 b 2 3.0 t\n")
    assert read.ranking("q1") == ["b", "a"]
    assert read.misranked == 1


def test_ranks_that_agree_with_the_scores_are_not_complained_about(run: Reader) -> None:
    assert run(GOOD).misranked == 0
    assert run("q1 Q0 b 2 1.0 t\nq1 Q0 a 1 2.0 t\n").misranked == 0
    assert run("q1 Q0 a 0 1.0 t\nq1 Q0 b 0 3.0 t\n").misranked == 0


@given(
    st.dictionaries(
        st.sampled_from(["d1", "d10", "d9", "ｄ", "é"]),
        st.sampled_from([0.0, 0.5, 1.0]),
        min_size=1,
    )
)
def test_ties_are_broken_by_id_descending_whatever_the_order_of_the_file(
    scores: dict[str, float],
) -> None:
    forwards = Run("r", Path("r"), {"q": scores})
    backwards = Run("r", Path("r"), {"q": dict(reversed(scores.items()))})
    expected = sorted(scores, key=lambda doc: (scores[doc], doc.encode()), reverse=True)
    assert forwards.ranking("q") == backwards.ranking("q") == expected


def test_scores_that_are_equal_in_32_bits_are_a_tie(run: Reader) -> None:
    assert run("q1 Q0 a 1 1.000000001 t\nq1 Q0 b 2 1.0 t\nq1 Q0 c 3 1e300 t\n").ranking("q1") == [
        "c",
        "b",
        "a",
    ]
    assert run("q1 Q0 a 1 1.000001 t\nq1 Q0 b 2 1.0 t\n").ranking("q1") == ["a", "b"]


@pytest.mark.parametrize("content", [
    GOOD,
    "\ufeff" + GOOD,
    GOOD.replace("\n", "\r\n"),
    GOOD.replace(" ", "\t"),
    "\n" + GOOD.replace(" ", "   ") + "\n\n",
    GOOD.removesuffix("\n"),
    gzip.compress(GOOD.encode(), mtime=0),
    gzip.compress(("\ufeff" + GOOD).encode(), mtime=0),
])  # fmt: skip
def test_what_other_tools_write_is_read(run: Reader, content: str | bytes) -> None:
    assert run(content).scores == {"q1": {"a": 2.0, "b": 1.0}}


def test_ids_are_texts_and_only_ascii_white_space_parts_them(run: Reader) -> None:
    read = run("0001 Q0 1e3 1 2 t\n1 Q0 東\u3000京 1 1e-3 t\n1 Q0 NA 2 -1 t\n")
    assert read.scores == {"0001": {"1e3": 2.0}, "1": {"東\u3000京": 0.001, "NA": -1.0}}


@pytest.mark.parametrize(("line", "what"), [
    ("q1 Q0 c 3 0.5", "5 fields"),
    ("q1 Q0 c d 3 0.5 tag", "7 fields"),
    ("q1 0 c 1", "4 fields"),
    ("q1 Q0 c 3 nan tag", "'nan' is no finite number"),
    ("q1 Q0 c 3 inf tag", "'inf' is no finite number"),
    ("q1 Q0 c 3 1_0 tag", "'1_0' is no finite number"),
    ("q1 Q0 c 3 0,5 tag", "'0,5' is no finite number"),
    ("q1 Q0 a 3 0.5 tag", "a stands twice for q1"),
    ("q1 Q0 c\0 3 0.5 tag", "NUL"),
])  # fmt: skip
def test_a_bad_line_ends_in_one_line_with_its_number(run: Reader, line: str, what: str) -> None:
    with pytest.raises(RunError, match=what) as caught:
        run(GOOD + line + "\n")
    assert caught.value.where.endswith("a.run:3")
    assert caught.value.hint
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("content", "what"), [
    (b"", "holds no result"),
    (b"\n \n", "holds no result"),
    (GOOD.encode("utf-16"), "UTF-16"),
    (b"q1 Q0 \xff 1 1.0 t\n", "not UTF-8"),
    (gzip.compress(GOOD.encode(), mtime=0)[:-4], "end-of-stream"),
    (b"\x1f\x8bnot gzip", "compression method"),
])  # fmt: skip
def test_a_file_that_is_no_run_is_refused(run: Reader, content: bytes, what: str) -> None:
    with pytest.raises(RunError, match=what):
        run(content)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"none\.run: No such file"):
        read_run(tmp_path / "none.run")


def test_of_a_document_that_stands_twice_the_better_place_is_kept_if_asked(run: Reader) -> None:
    read = run(
        "q1 Q0 a 1 1.0 t\nq1 Q0 b 2 0.9 t\nq1 Q0 a 3 0.5 t\nq2 Q0 a 1 1 t\nq2 Q0 a 2 4 t\n",
        dedupe=True,
    )
    assert read.scores == {"q1": {"a": 1.0, "b": 0.9}, "q2": {"a": 4.0}}
    assert read.repeated == 2


def test_a_run_is_called_after_the_tag_of_its_first_line(run: Reader) -> None:
    assert run(GOOD).name == "tag"


def test_runs_of_one_tag_are_told_apart() -> None:
    runs = [
        Run("t", Path("a/x.run"), {}),
        Run("t", Path("b/y.run"), {}),
        Run("t", Path("c/y.run"), {}),
        Run("u", Path("u.run"), {}),
    ]
    assert [run.name for run in distinct_names(runs)] == ["x", "b/y.run", "c/y.run", "u"]
