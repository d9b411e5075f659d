from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from hayami.evalset import records
from hayami.evalset.jsonl import record_line
from hayami.evalset.records import (
    ARTICLE_REASONS,
    FLAG_MEANINGS,
    GRADE_MEANINGS,
    LEAD,
    REASON_MEANINGS,
    TRUST,
    Accounting,
    Flag,
    Grade,
    Match,
    Query,
    Reason,
    Record,
    Section,
    article_of,
    grade_sections,
    ordinal_of,
    section_id,
)

SECTION = Section(
    id=section_id("guide/t128", 2),
    article="guide/t128",
    ordinal=2,
    title="RDP｜遠隔操作",
    heading="ポート番号3389",
    headings=("確かめ方",),
    level=2,
    anchor="port",
    path="guide/t128.html",
    text="既定は 3389 番。",
)
KINDS = sorted(
    (k for k in Record.__subclasses__() if k.__module__ == Record.__module__),
    key=lambda k: k.__name__,
)
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.integers(LEAD, 10**6))
def test_a_section_id_gives_back_what_it_was_made_of(article: str, ordinal: int) -> None:
    made = section_id(article, ordinal)
    assert (article_of(made), ordinal_of(made)) == (article, ordinal)


def test_the_lead_has_a_name_instead_of_a_number() -> None:
    assert section_id("guide/t128", LEAD) == "guide/t128#lead"


@pytest.mark.parametrize("text", ["", "guide/t128", "#2", "a#", "a#two", "a#-1", "a#٢", "a# 2"])
def test_a_text_that_is_no_section_id_has_no_ordinal(text: str) -> None:
    assert ordinal_of(text) is None


@every_kind
def test_every_field_of_a_record_is_described(kind: type[Record]) -> None:
    assert [name for name, field in kind.model_fields.items() if not field.description] == []


@every_kind
def test_records_are_frozen_and_closed(kind: type[Record]) -> None:
    assert kind.model_config["frozen"] is True
    assert kind.model_config["extra"] == "forbid"


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        SECTION.text = "別の文"  # type: ignore[misc]


def test_a_record_refuses_a_field_that_it_does_not_know() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        Section.model_validate(SECTION.model_dump() | {"author": "花子"})


def test_a_record_refuses_a_missing_field() -> None:
    with pytest.raises(ValidationError, match="Field required"):
        Section.model_validate({k: v for k, v in SECTION.model_dump().items() if k != "path"})


def test_a_section_is_written_in_the_order_of_the_documentation() -> None:
    assert record_line(SECTION) == (
        '{"id":"guide/t128#2","article":"guide/t128","ordinal":2,"title":"RDP｜遠隔操作","heading":"ポート番号3389",'
        '"headings":["確かめ方"],"level":2,"anchor":"port","path":"guide/t128.html","text":"既定は 3389 番。"}'  # noqa: E501
    )


def test_a_query_opens_with_the_six_fields_that_its_users_know() -> None:
    assert list(Query.model_fields)[:6] == [
        "qid",
        "query",
        "relevant",
        "same_article",
        "source",
        "match",
    ]


def test_a_query_then_carries_its_evidence() -> None:
    assert list(Query.model_fields)[6:13] == [
        "answer",
        "article",
        "topic",
        "targets",
        "origins",
        "flags",
        "verdicts",
    ]


def test_at_last_a_query_has_what_an_imported_question_came_with() -> None:
    assert list(Query.model_fields)[13:] == ["category", "difficulty", "expected_keywords"]


def test_matches_are_listed_from_the_most_to_the_least_trusted() -> None:
    assert [str(match) for match in TRUST] == [
        "manual",
        "place",
        "anchor",
        "exact",
        "contains",
        "number",
        "fuzzy",
    ]


def test_the_reasons_are_a_closed_list() -> None:
    assert {str(reason) for reason in set(Reason) - ARTICLE_REASONS} == {
        "no_question",
        "no_reference",
        "unmatched",
        "ambiguous",
        "contradiction",
        "no_need",
        "broken_link",
        "external_link",
        "whole_article",
        "unknown_id",
        "excluded_section",
        "dropped_by_verdict",
        "duplicate_question",
    }
    assert {str(reason) for reason in ARTICLE_REASONS} == {
        "empty_file",
        "not_html",
        "undecodable",
        "unreadable",
        "too_large",
        "duplicate_file",
    }


@pytest.mark.parametrize(
    ("kind", "meanings"),
    [(Reason, REASON_MEANINGS), (Flag, FLAG_MEANINGS), (Grade, GRADE_MEANINGS)],
)
def test_every_word_of_a_closed_list_has_a_meaning(kind: type, meanings: dict[object, str]) -> None:
    assert set(meanings) == set(kind)  # type: ignore[call-overload]
    assert all(meanings.values())
    assert len(set(meanings.values())) == len(meanings)


def test_grades_are_two_for_the_named_section_and_one_for_the_others_of_its_article() -> None:
    sections = {"a": ["a#0", "a#1", "a#2"], "b": ["b#0"]}
    assert grade_sections(["a#1"], sections) == {"a#1": 2, "a#0": 1, "a#2": 1}


def test_targets_in_two_articles_bring_the_sections_of_both() -> None:
    sections = {"a": ["a#0", "a#1"], "b": ["b#0", "b#1"], "c": ["c#0"]}
    assert grade_sections(["b#0", "a#1"], sections) == {"a#1": 2, "b#0": 2, "a#0": 1, "b#1": 1}


def test_grades_list_the_targets_first_and_each_group_by_id() -> None:
    graded = grade_sections(["a#2", "a#1"], {"a": ["a#3", "a#2", "a#1", "a#0"]})
    assert list(graded) == ["a#1", "a#2", "a#0", "a#3"]


def test_an_article_is_told_from_its_section_by_the_last_hash() -> None:
    assert grade_sections(["c#/t#1"], {"c#/t": ["c#/t#0", "c#/t#1"], "c": ["c#0"]}) == {
        "c#/t#1": 2,
        "c#/t#0": 1,
    }


@pytest.mark.parametrize(
    ("counted", "balanced"),
    [
        ((7, 5, 2, 3, 2, 1), True),
        ((7, 5, 1, 3, 2, 1), False),
        ((7, 6, 2, 3, 2, 1), False),
        ((7, 5, 2, 3, 2, 0), False),
        ((7, 5, 2, 3, 3, 1), False),
        ((0, 0, 0, 0, 0, 0), True),
    ],
)
def test_the_books_balance_only_if_every_row_and_file_is_somewhere(
    counted: tuple[int, ...], *, balanced: bool
) -> None:
    names = ("rows", "rows_in_queries", "rows_rejected", "files", "files_read", "files_rejected")
    assert Accounting.model_validate(dict(zip(names, counted, strict=True))).balanced is balanced


@settings(deadline=None, max_examples=60, derandomize=True)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_stays_on_one_line_and_reads_back_as_written(text: str) -> None:
    line = record_line(SECTION.model_copy(update={"text": text}))
    assert line.splitlines() == [line]
    assert json.loads(line)["text"] == text
    assert Section.model_validate_json(line).text == text


def test_line_separators_that_are_not_line_feeds_are_escaped() -> None:
    line = record_line(SECTION.model_copy(update={"text": "一\u2028二\u2029三\u0085四"}))
    assert '"一\\u2028二\\u2029三\\u0085四"' in line


def test_the_words_of_a_match_are_what_files_hold() -> None:
    assert json.loads(json.dumps({"match": Match.CONTAINS})) == {"match": "contains"}
    assert records.FORMAT_VERSION == 1
