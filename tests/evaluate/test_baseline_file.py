"""A stored baseline: bound to what can change a figure, and to nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hayami.errors import RunError
from hayami.evaluate.baseline_file import read_baseline, restrict, write_baseline
from hayami.evaluate.comparison import Side
from hayami.evaluate.judgements import Judgements, Topic

QRELS = {f"q{n}": {f"a#{n}": 2, "a#9": 1} for n in range(10)}
TOPICS = {qid: Topic(text=f"質問{qid}", flags=("short",)) for qid in QRELS}
JUDGED = Judgements("set", QRELS, TOPICS, frozenset({"a#0", "a#9"}), "abc")
STORED = Side("bm25", {"rr": {qid: 1 / (n + 1) for n, qid in enumerate(QRELS)}}, {"q1": ("a#1",)})


@pytest.fixture
def base(tmp_path: Path) -> Path:
    path = tmp_path / "ci" / "base.json"
    write_baseline(path, STORED, JUDGED, "0.1")
    return path


def test_a_baseline_reads_back_to_the_last_bit(base: Path, tmp_path: Path) -> None:
    found = read_baseline(base, JUDGED, STORED)
    assert found.base.name == "bm25 (baseline)"
    assert found.base.values == STORED.values
    assert found.base.top == STORED.top
    assert (found.added, found.removed, found.sentence) == ((), (), "")
    write_baseline(tmp_path / "again.json", STORED, JUDGED, "0.1")
    assert (tmp_path / "again.json").read_bytes() == base.read_bytes()


def test_flags_verdicts_and_all_that_changes_no_figure_do_not_void_it(base: Path) -> None:
    topics = {qid: replace(topic, flags=(), match="manual") for qid, topic in TOPICS.items()}
    confirmed = replace(JUDGED, topics=topics, sha256="other", name="elsewhere")
    assert read_baseline(base, confirmed, STORED).sentence == ""


def test_another_corpus_is_refused_with_both_hashes(base: Path) -> None:
    other = replace(JUDGED, sections=frozenset({"a#0"}))
    with pytest.raises(
        RunError, match=r"another corpus \([0-9a-f]{12}, this one is [0-9a-f]{12}\)"
    ):
        read_baseline(base, other, STORED)
    with pytest.raises(RunError, match="this one is none"):
        read_baseline(base, replace(JUDGED, sections=None), STORED)


@pytest.mark.parametrize("changed", ["text", "judgement", "gone"])
def test_what_has_changed_is_left_out_and_counted(changed: str, base: Path) -> None:
    qrels, topics = dict(QRELS), dict(TOPICS)
    if changed == "text":
        topics["q3"] = Topic(text="別の質問")
    elif changed == "judgement":
        qrels["q3"] = {"a#9": 2}
    else:
        del qrels["q3"]
    now = replace(JUDGED, qrels=qrels, topics=topics)
    wanted = Side("new", {"rr": dict.fromkeys(qrels, 0.5)}, {})
    found = read_baseline(base, now, wanted)
    assert "q3" not in found.base.values["rr"]
    assert found.removed == ("q3",)
    assert found.added == (() if changed == "gone" else ("q3",))
    assert found.sentence.startswith("compared on 9 common queries: ")
    assert set(restrict(wanted, found.base).values["rr"]) == set(found.base.values["rr"])


def test_too_few_common_queries_are_refused_unless_asked_for(base: Path) -> None:
    added = {f"n{n}": {"a#0": 2} for n in range(3)}
    now = replace(JUDGED, qrels={**QRELS, **added})
    wanted = Side("new", {"rr": dict.fromkeys(now.qrels, 0.5)}, {})
    with pytest.raises(RunError, match="10 of 13 are the same, 90% must be") as raised:
        read_baseline(base, now, wanted)
    assert "--least-common" in raised.value.hint
    assert len(read_baseline(base, now, wanted, 0.7).base.values["rr"]) == 10


def test_a_measure_or_a_value_that_it_lacks_is_named(base: Path) -> None:
    with pytest.raises(RunError, match="has no ndcg, only rr"):
        read_baseline(base, JUDGED, Side("x", {"ndcg": {"q1": 0.0}}, {}))
    content = json.loads(base.read_text(encoding="utf-8"))
    del content["measures"]["rr"]["q4"]
    base.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(RunError, match="rr: lacks q4"):
        read_baseline(base, JUDGED, STORED)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "not a baseline: no JSON object"),
        ("[]", "not a baseline: no JSON object"),
        ('{"format": 1}', "baseline of format 1; this hayami reads format 2"),
        ('{"format": 2}', "not a baseline: hayami: Field required"),
        ("NAN", "not a baseline: measures.rr.q1: Input should be a finite number"),
    ],
)
def test_a_damaged_baseline_is_said_in_one_line(text: str, what: str, base: Path) -> None:
    content = json.loads(base.read_text(encoding="utf-8"))
    if text == "NAN":
        text = json.dumps(content | {"measures": {"rr": {"q1": float("nan")}}})
    base.write_text(text, encoding="utf-8")
    with pytest.raises(RunError) as raised:
        read_baseline(base, JUDGED, STORED)
    assert what in str(raised.value)
    assert "--save-baseline" in raised.value.hint


def test_a_baseline_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="No such file or directory"):
        read_baseline(tmp_path / "none.json", JUDGED, STORED)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RunError, match="cannot write"):
        write_baseline(tmp_path / "file" / "base.json", STORED, JUDGED, "0.1")
