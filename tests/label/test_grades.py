from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.evalset.records import (
    TABLE,
    Article,
    Detector,
    Flag,
    Match,
    Origin,
    Place,
    Query,
    Reason,
    Rejection,
    Target,
    grade_sections,
)
from hayami.label.grades import Labelled, make_query, make_rejection, shares_word
from hayami.parts import Label, NoLabel, Piece, Row

SECTIONS: Mapping[str, Sequence[str]] = {
    "guide/port": ["guide/port#0", "guide/port#1", "guide/port#2", "guide/port#4"],
    "guide/ssh": ["guide/ssh#0", "guide/ssh#1"],
}


def target(
    section: str,
    rule: Match = Match.EXACT,
    heading: str = "設定の変更",
    reference: str = "設定の変更",
) -> Target:
    return Target(
        section=section,
        heading=heading,
        reference=reference,
        href=None,
        match=rule,
        score=1.0,
        runner_up=None,
    )


def labelled(
    *targets: Target,
    question: str = "リモートデスクトップのポートを変えるには？",
    article: str = "guide/port",
    topic: str = "リモートデスクトップ",
    row: int = 1,
    incomplete: bool = False,
) -> Labelled:
    record = Article(
        id=article,
        path=f"{article}.html",
        title=f"{topic}｜入門",
        topic=topic,
        language="ja",
        encoding="utf-8",
        unit_level=2,
        sections=4,
        excluded=(),
        tables=1,
        rows=3,
        warnings=(),
        sha256="0" * 64,
    )
    asked = Row(
        question,
        "3389 を書き換える",
        (Piece("設定の変更"),),
        Place(kind=TABLE, ordinal=0, row=row),
        Detector.HEADER,
        None,
    )
    return Labelled(Label(asked, targets or (target("guide/port#1"),), incomplete), record)


def query(*rows: Labelled, repeated: bool = False, short: int = 4) -> Query:
    return make_query("q1", rows, SECTIONS, short, repeated=repeated)


# --- one row --------------------------------------------------------------------------------------


def test_a_row_becomes_a_query_with_all_its_evidence() -> None:
    found = query(labelled(target("guide/port#1")))
    assert found == Query(
        qid="q1",
        query="リモートデスクトップのポートを変えるには？",
        relevant={"guide/port#1": 2},
        same_article=3,
        source="早見表:設定の変更",
        match=Match.EXACT,
        answer="3389 を書き換える",
        article="guide/port",
        topic="リモートデスクトップ",
        targets=(target("guide/port#1"),),
        origins=(
            Origin(
                article="guide/port",
                path="guide/port.html",
                sha256="0" * 64,
                table=0,
                row=1,
                detector=Detector.HEADER,
                question="リモートデスクトップのポートを変えるには？",
                reference="設定の変更",
            ),
        ),
        flags=(),
    )


def test_the_source_is_the_reference_cell_on_one_line() -> None:
    cell = (Piece("設定の変更"), Piece("", breaks=True), Piece("ポート", "#port"), Piece(" など"))
    plain = labelled()
    row = replace(plain, label=replace(plain.label, row=replace(plain.label.row, reference=cell)))
    assert query(row).source == "早見表:設定の変更 ポート など"


def test_every_target_has_grade_2_and_the_other_sections_of_its_article_are_counted() -> None:
    found = query(labelled(target("guide/port#4"), target("guide/port#0")))
    assert found.relevant == {"guide/port#0": 2, "guide/port#4": 2}
    assert list(found.relevant) == ["guide/port#0", "guide/port#4"]
    assert found.same_article == 2


def test_targets_in_two_articles_count_the_siblings_of_both() -> None:
    assert query(labelled(target("guide/port#1"), target("guide/ssh#0"))).same_article == 4


def test_the_match_is_the_least_trusted_of_all_targets() -> None:
    rules = [Match.ANCHOR, Match.NUMBER, Match.EXACT, Match.CONTAINS]
    found = query(labelled(*(target(f"guide/port#{n}", rule) for n, rule in enumerate(rules))))
    assert found.match is Match.NUMBER
    assert [t.match for t in found.targets] == [
        Match.ANCHOR,
        Match.EXACT,
        Match.CONTAINS,
        Match.NUMBER,
    ]


# --- several rows ---------------------------------------------------------------------------------


def test_rows_that_ask_the_same_question_are_one_query_with_the_union_of_their_targets() -> None:
    first = labelled(target("guide/port#1"), row=2)
    second = labelled(target("guide/ssh#0", Match.FUZZY), article="guide/ssh", topic="SSH", row=5)
    found = query(first, second, repeated=True)
    assert found.relevant == {"guide/port#1": 2, "guide/ssh#0": 2}
    assert [(o.article, o.row) for o in found.origins] == [("guide/port", 2), ("guide/ssh", 5)]
    assert (found.article, found.topic, found.match) == (
        "guide/port",
        "リモートデスクトップ",
        Match.FUZZY,
    )
    assert Flag.DUPLICATE in found.flags


def test_a_section_found_twice_keeps_its_most_trusted_evidence() -> None:
    found = query(
        labelled(target("guide/port#1", Match.FUZZY)),
        labelled(target("guide/port#1", Match.ANCHOR)),
    )
    assert found.targets == (target("guide/port#1", Match.ANCHOR),)
    assert found.match is Match.ANCHOR


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ポートを変えるには？", "ポートを 変えるには?"),
        ("ＲＤＰとは", "RDPとは"),
        ("What is RDP?", "what is  rdp?"),
        ("포트 바꾸기", "포트바꾸기"),
    ],
)
def test_questions_that_read_the_same_have_one_key(one: str, other: str) -> None:
    assert labelled(question=one).question_key == labelled(question=other).question_key


def test_other_questions_have_another_key() -> None:
    assert (
        labelled(question="ポートを変えるには？").question_key
        != labelled(question="ポートを変えるとは？").question_key
    )


# --- flags ----------------------------------------------------------------------------------------


def flags(
    question: str,
    topic: str = "リモートデスクトップ",
    heading: str = "設定の変更",
    *,
    incomplete: bool = False,
) -> set[Flag]:
    row = labelled(
        target("guide/port#1", heading=heading),
        question=question,
        topic=topic,
        incomplete=incomplete,
    )
    return set(query(row).flags)


def test_a_plain_question_has_no_flag() -> None:
    assert flags("リモートデスクトップのポートを変えるには？") == set()


def test_a_question_that_names_nothing_of_its_topic_depends_on_its_context() -> None:
    assert flags("どうすれば変えられますか") == {Flag.CONTEXT_DEPENDENT}


def test_a_latin_name_in_the_question_is_context_enough() -> None:
    assert flags("PostgreSQL で遅いときは") == set()


def test_a_question_word_in_english_is_no_name() -> None:
    assert flags("How do I do that?", topic="Ports") == {Flag.CONTEXT_DEPENDENT}
    assert flags("What can you do?", topic="Ports") == {Flag.CONTEXT_DEPENDENT}


def test_a_merged_question_depends_on_its_context_only_if_it_names_none_of_the_topics() -> None:
    question = "鍵の置き場所は"
    rows = (labelled(question=question), labelled(question=question, topic="鍵の入門"))
    assert Flag.CONTEXT_DEPENDENT in query(rows[0]).flags
    assert Flag.CONTEXT_DEPENDENT not in query(*rows).flags


def test_a_question_that_is_the_heading_of_its_target_is_flagged() -> None:
    assert flags("リモートデスクトップの 設定", heading="リモートデスクトップの設定") == {
        Flag.EQUALS_HEADING
    }
    assert flags("リモートデスクトップの設定は", heading="リモートデスクトップの設定") == set()


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("鍵……？？", True),
        ("鍵の束", True),
        ("鍵の束は", False),
        ("RDP", True),
        ("鍵、束、錠、箱", False),
    ],
)
def test_a_question_is_short_by_its_letters(question: str, short: bool) -> None:  # noqa: FBT001 - a column of the table
    assert (Flag.SHORT in flags(question)) is short


def test_the_length_of_a_short_question_is_settable() -> None:
    row = labelled(question="ポートの変更")
    assert Flag.SHORT not in query(row, short=6).flags
    assert Flag.SHORT in query(row, short=7).flags
    assert Flag.SHORT not in query(labelled(question="鍵"), short=0).flags


def test_a_row_that_names_more_than_was_found_is_incomplete() -> None:
    question = "リモートデスクトップのポートは"
    assert flags(question, incomplete=True) == {Flag.INCOMPLETE}
    whole, partly = labelled(question=question), labelled(question=question, incomplete=True)
    assert Flag.INCOMPLETE in query(whole, partly).flags


def test_a_question_is_a_duplicate_only_if_said_so() -> None:
    assert Flag.DUPLICATE not in query(labelled()).flags
    assert Flag.DUPLICATE in query(labelled(), repeated=True).flags


def test_flags_stand_in_one_order() -> None:
    found = query(labelled(question="鍵", incomplete=True), repeated=True)
    assert found.flags == (Flag.CONTEXT_DEPENDENT, Flag.DUPLICATE, Flag.SHORT, Flag.INCOMPLETE)


# --- words of the topic ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("リモートデスクトップがつながらない", "リモートデスクトップ"),
        ("ＳＳＨの鍵", "SSH 入門"),
        ("証明書が切れた", "証明書の更新"),
        ("自己署名証明書", "TLS証明書"),
        ("색인을 만들려면", "색인과 성능"),
        ("如何更新证书", "证书的管理"),
        ("How do I rebase a branch?", "git rebase"),
        ("C++ で書くには", "C++ 入門"),
        ("何でもない問い", "☆☆☆"),
    ],
)
def test_a_question_names_something_of_its_topic(question: str, topic: str) -> None:
    assert shares_word(question, topic)


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("つながらないときは", "リモートデスクトップ"),
        ("サポートはどこ", "ポート"),
        ("明日の天気", "証明書の更新"),
        ("색다른 방법", "색인과 성능"),
        ("the way to do it", "the art of it"),
        ("How do I start?", "git rebase"),
        ("C で書くには", "C++ 入門"),
    ],
)
def test_a_question_names_nothing_of_its_topic(question: str, topic: str) -> None:
    assert not shares_word(question, topic)


# --- grades ---------------------------------------------------------------------------------------


def test_targets_have_grade_2_and_their_siblings_grade_1_and_no_other_section_has_one() -> None:
    assert grade_sections(["guide/port#1"], SECTIONS) == {
        "guide/port#1": 2,
        "guide/port#0": 1,
        "guide/port#2": 1,
        "guide/port#4": 1,
    }


def test_the_id_of_an_article_may_hold_the_mark_of_a_section() -> None:
    sections = {"c#/port": ["c#/port#0", "c#/port#1"], "c": ["c#0"]}
    assert grade_sections(["c#/port#1"], sections) == {"c#/port#1": 2, "c#/port#0": 1}


@given(
    chosen=st.sets(
        st.sampled_from([s for sections in SECTIONS.values() for s in sections]), min_size=1
    )
)
@settings(deadline=None, max_examples=60, derandomize=True)
def test_the_grades_of_a_query_are_those_that_its_counts_promise(chosen: set[str]) -> None:
    found = query(labelled(*(target(section) for section in sorted(chosen))))
    grades = grade_sections(found.relevant, SECTIONS)
    assert (
        set(found.relevant)
        == {section for section, grade in grades.items() if grade == 2}
        == chosen
    )
    assert found.same_article == sum(grade == 1 for grade in grades.values())


# --- rows that gave none --------------------------------------------------------------------------


def test_a_rejection_keeps_all_that_stood_in_the_row() -> None:
    row = Row(
        "ポートは？",
        "3389",
        (Piece("設定 "), Piece("変更", "#a"), Piece("別", "#b")),
        Place(kind=TABLE, ordinal=2, row=5),
        Detector.STRUCTURE,
        None,
    )
    found = make_rejection(
        NoLabel(row, Reason.BROKEN_LINK, (), "no place #a"), "guide/port", "guide/port.html"
    )
    assert found == Rejection(
        reason=Reason.BROKEN_LINK,
        question="ポートは？",
        answer="3389",
        reference="設定 変更別",
        href="#a",
        article="guide/port",
        path="guide/port.html",
        table=2,
        row=5,
        detector=Detector.STRUCTURE,
        candidates=(),
        detail="no place #a",
    )
