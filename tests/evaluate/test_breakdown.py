"""Groups of queries, and how much of a query's wording its target has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hayami
from hayami.evaluate.breakdown import (
    OVERLAP_BANDS,
    QueryGroup,
    band,
    groups_of,
    overlap,
    overlaps_of,
)
from hayami.evaluate.judgements import Judgements, Topic


@pytest.mark.parametrize(("query", "text", "share"), [
    ("ポート番号", "ポート番号の一覧", 1.0),
    ("ﾎﾟｰﾄ 番号", "ポート番号", 1.0),
    ("RDPのポート", "Rdp の 設定", 3 / 6),
    ("abc", "xyz", 0.0),
    ("酒", "日本酒", 0.0),
    ("酒", "酒", 1.0),
    ("", "何か", 0.0),
])  # fmt: skip
def test_overlap_is_the_share_of_the_querys_pairs(query: str, text: str, share: float) -> None:
    assert overlap(query, text) == pytest.approx(share)


@given(st.text(), st.text())
def test_overlap_is_a_share_and_whole_for_the_text_itself(query: str, text: str) -> None:
    assert 0 <= overlap(query, text) <= 1
    assert overlap(query, query) in {0.0, 1.0}


def test_every_share_is_in_one_band() -> None:
    assert [band(share) for share in (0, 0.25, 0.5, 0.75, 1)] == [
        OVERLAP_BANDS[i][1] for i in (0, 1, 2, 3, 3)
    ]


def test_of_several_targets_the_closest_counts(sample: hayami.Built) -> None:
    evalset = hayami.load(sample.folder)
    found = overlaps_of(evalset)
    texts = {
        str(section.id): f"{section.heading}\n{section.text}" for section in evalset.sections()
    }
    queries = list(evalset.queries())
    assert list(found) != []
    assert found == {q.qid: max(overlap(q.query, texts[s]) for s in q.relevant) for q in queries}


def judged(**topics: Topic) -> Judgements:
    return Judgements("x", {qid: {"d": 1} for qid in topics}, topics)


def test_queries_are_parted_by_what_is_known_about_them() -> None:
    found = groups_of(
        judged(
            a=Topic("?", "x/1", "ja", "exact", ("short", "duplicate"), "人事"),
            b=Topic("?", "x/2", "en", "exact", (), "業務"),
            c=Topic("?", "y/3", "en", "fuzzy", (), ""),
        ),
        {"a": 0.1, "b": 0.9},
    )
    assert QueryGroup("match", "exact", ("a", "b")) in found
    assert [g.name for g in found if g.dimension == "flag"] == ["duplicate", "short", "no flag"]
    assert QueryGroup("flag", "no flag", ("b", "c")) in found
    assert [(g.name, g.qids) for g in found if g.dimension == "category"] == [
        ("人事", ("a",)),
        ("業務", ("b",)),
    ]
    assert [(g.name, g.qids) for g in found if g.dimension == "folder"] == [
        ("x", ("a", "b")),
        ("y", ("c",)),
    ]
    assert [g.name for g in found if g.dimension == "overlap"] == ["below 25%", "75% and more"]


def test_what_parts_nothing_is_no_dimension_and_folders_of_languages_stand_once() -> None:
    found = groups_of(
        judged(a=Topic("?", "ja/1", "ja", "exact"), b=Topic("?", "en/2", "en", "exact"))
    )
    assert {group.dimension for group in found} == {"language"}
    assert groups_of(Judgements("x", {"q": {"d": 1}, "r": {"d": 1}})) == []
