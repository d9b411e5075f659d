from __future__ import annotations

from collections import Counter

from hayami.evalset.records import Detector, Flag, Match, Origin, Query
from hayami.making.catalogue import Portion
from hayami.making.tally import Tally


def portion(
    article: str,
    language: str,
    *,
    sections: int,
    rows: dict[str, int],
    warnings: tuple[str, ...] = (),
) -> Portion:
    return Portion(
        id=article,
        path=f"{article}.html",
        numbers=(),
        served=(),
        ordinals=tuple(range(sections)),
        language=language,
        rows=Counter(rows),
        tables=len(rows),
        warnings=warnings,
        corpus=b"",
        line=b"",
        entry=b"",
    )


def query(match: Match, *, origins: int = 1, flags: tuple[Flag, ...] = ()) -> Query:
    origin = Origin(
        article="a",
        path="a.html",
        sha256="0" * 64,
        table=0,
        row=1,
        detector=Detector.HEADER,
        question="犬は何時に歩くか",
        reference="時間帯",
    )
    return Query(
        qid="q1",
        query="犬は何時に歩くか",
        relevant={"a#0": 2},
        same_article=0,
        source="早見表:時間帯",
        match=match,
        answer="朝",
        article="a",
        topic="犬の散歩",
        targets=(),
        origins=(origin,) * origins,
        flags=flags,
    )


def test_a_new_tally_is_empty_and_balanced() -> None:
    counts = Tally().counts(0)
    assert (counts.files, counts.articles, counts.rows, counts.queries, counts.by_match) == (
        0,
        0,
        0,
        0,
        {},
    )
    assert Tally().accounting(0).balanced


def test_articles_add_up() -> None:
    tally = Tally()
    tally.note(portion("a", "ja", sections=3, rows={"header": 4}, warnings=("encoding: …",)))
    tally.note(portion("b", "ko", sections=2, rows={"header": 1, "structure": 2}))
    tally.note(portion("c", "ja", sections=1, rows={}))
    counts = tally.counts(5)
    assert counts.files == 5
    assert counts.articles == 3
    assert counts.sections == 6
    assert counts.tables == 3
    assert counts.rows == 7
    assert counts.warnings == 1
    assert counts.by_detector == {"header": 5, "structure": 2}
    assert counts.by_language == {"ja": 2, "ko": 1}


def test_queries_count_by_match_and_flag() -> None:
    tally = Tally()
    tally.note_query(query(Match.EXACT, flags=(Flag.SHORT, Flag.DUPLICATE)))
    tally.note_query(query(Match.EXACT, flags=(Flag.SHORT,)))
    tally.note_query(query(Match.ANCHOR))
    counts = tally.counts(0)
    assert counts.queries == 3
    assert counts.by_match == {"anchor": 1, "exact": 2}
    assert counts.by_flag == {"duplicate": 1, "short": 2}


def test_counts_are_in_the_order_of_their_names_whatever_came_first() -> None:
    tally = Tally()
    for match in (Match.NUMBER, Match.ANCHOR, Match.FUZZY, Match.CONTAINS):
        tally.note_query(query(match))
    tally.reasons.update(["unmatched", "ambiguous", "no_question"])
    for language in ("zh", "en", "ja"):
        tally.note(portion("a", language, sections=0, rows={}))
    counts = tally.counts(0)
    assert list(counts.by_match) == ["anchor", "contains", "fuzzy", "number"]
    assert list(counts.by_reason) == ["ambiguous", "no_question", "unmatched"]
    assert list(counts.by_language) == ["en", "ja", "zh"]


def test_the_accounting_counts_the_rows_of_a_merged_question_one_by_one() -> None:
    tally = Tally()
    tally.note(portion("a", "ja", sections=3, rows={"header": 4}))
    tally.note_query(query(Match.EXACT, origins=3))
    tally.rejected_rows = 1
    tally.rejected_files = 2
    accounting = tally.accounting(3)
    assert (accounting.rows, accounting.rows_in_queries, accounting.rows_rejected) == (4, 3, 1)
    assert (accounting.files, accounting.files_read, accounting.files_rejected) == (3, 1, 2)
    assert accounting.balanced


def test_a_lost_row_or_file_shows() -> None:
    tally = Tally()
    tally.note(portion("a", "ja", sections=3, rows={"header": 4}))
    tally.note_query(query(Match.EXACT, origins=3))
    assert not tally.accounting(1).balanced
    tally.rejected_rows = 1
    assert tally.accounting(1).balanced
    assert not tally.accounting(2).balanced
