from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hayami.errors import QuestionsError
from hayami.importing.questions import FIELDS, Question, read_questions

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


RAG = {
    "id": "q-002",
    "query": "有給は何日まで？",
    "relevant_docs": ["doc-hr-009", "doc-hr-018"],
    "expected_keywords": ["20日"],
    "category": "人事規程",
    "difficulty": "基本",
}
READ = Question(
    id="q-002",
    query="有給は何日まで？",
    ids=("doc-hr-009", "doc-hr-018"),
    expected_keywords=("20日",),
    category="人事規程",
    difficulty="基本",
)


@pytest.mark.parametrize("content", [[RAG], {"queries": [RAG]}, {"version": 1, "data": [RAG]}])
def test_a_list_of_questions_is_read_wherever_in_the_json_it_stands(
    write: Write, content: object
) -> None:
    assert read_questions(write("queries.json", json.dumps(content))).questions == (READ,)


def test_lines_of_json_are_read_and_empty_ones_passed_over(write: Write) -> None:
    text = f"\n{json.dumps(RAG, ensure_ascii=False)}\n\n"
    assert read_questions(write("queries.jsonl", text)).questions == (READ,)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_csv_is_read_whatever_its_separator(write: Write, mark: str) -> None:
    rows = [
        ["id", "query", "relevant_docs", "expected_keywords", "category", "difficulty"],
        ["q-002", '"有給は何日まで？"', '"doc-hr-009|doc-hr-018"', "20日", "人事規程", "基本"],
    ]
    text = "\ufeff" + "\r\n".join(mark.join(row) for row in rows) + "\r\n"
    assert read_questions(write("queries.csv", text)).questions == (READ,)


def test_the_unicode_text_of_spreadsheets_is_read(tmp_path: Path) -> None:
    path = tmp_path / "q.tsv"
    path.write_bytes("質問\t参照\n湯は何度？\t湯の温度\n".encode("utf-16"))
    assert read_questions(path).questions == (Question(query="湯は何度？", names=("湯の温度",)),)


@pytest.mark.parametrize(
    ("field", "name"), [(field, name) for field, names in FIELDS.items() for name in names]
)
def test_every_name_of_a_field_is_understood(write: Write, field: str, name: str) -> None:
    found = read_questions(
        write("q.json", json.dumps([{name.upper().replace("_", " "): "値"}]))
    ).questions[0]
    assert getattr(found, field) in {"値", ("値",)}


def test_of_graded_ids_those_of_the_highest_grade_are_meant(write: Write) -> None:
    graded = [
        {"query": "q", "relevant": {"a#1": 2, "a#2": 1, "b#0": 2}},
        {"query": "q", "relevant": {"a#1": 0}},
    ]
    found = read_questions(write("q.json", json.dumps(graded))).questions
    assert [one.ids for one in found] == [("a#1", "b#0"), ()]


def test_numbers_are_ids_null_is_nothing_and_one_text_is_a_list(write: Write) -> None:
    content = [
        {"id": 7, "query": "q", "relevant_docs": [3, None, ""], "section": "節", "category": None}
    ]
    assert read_questions(write("q.json", json.dumps(content))).questions == (
        Question(id="7", query="q", ids=("3",), names=("節",)),
    )


def test_the_first_name_that_says_something_counts(write: Write) -> None:
    content = [{"question": "", "text": "本文", "query": "別"}]
    assert read_questions(write("q.json", json.dumps(content))).questions[0].query == "本文"


def test_fields_that_are_not_read_are_named(write: Write) -> None:
    content = [{"query": "q", "colour": 1, "match": "exact"}, {"query": "q", "Ω": [], "colour": 2}]
    assert read_questions(write("q.json", json.dumps(content))).unread == ("colour", "Ω")


def test_texts_are_made_fit_for_a_file(write: Write) -> None:
    path = write("q.json", '[{"query": "a\\n b\\u200bc\\u2028d", "category": "x\\ty"}]')
    found = read_questions(path).questions[0]
    assert (found.query, found.category) == ("a bc d", "x y")


HALF, NUL = "holds half of a surrogate pair", "holds the character NUL"


@pytest.mark.parametrize(
    ("name", "text", "line", "what"),
    [
        ("q.json", '[{"query": "a"},\n{"query": "b\\ud83d?"}]', 2, HALF),
        ("q.json", '[{"query": "\\uDC00"}]', 1, HALF),
        ("q.json", '[{"query": "\\ud83d\\ud83d\\ude00"}]', 1, HALF),
        ("q.json", '[{"query": "\\\\\\ud800"}]', 1, HALF),
        ("q.json", '[\n\n{"query": "a", "note": "\\u0000"}]', 3, NUL),
        ("q.jsonl", '{"query": "a"}\n{"query": "b\\udfff"}\n', 2, HALF),
        ("q.jsonl", '{"query": "a"}\n{"query": "b\\u0000"}\n', 2, NUL),
        ("q.csv", "query,section\na,b\nc\0,d\n", 3, NUL),
    ],
)
def test_what_no_text_holds_is_refused_with_its_line(
    write: Write, name: str, text: str, line: int, what: str
) -> None:
    with pytest.raises(QuestionsError) as error:
        read_questions(write(name, text))
    assert error.value.where.endswith(f"{name}:{line}")
    assert error.value.what == what


@pytest.mark.parametrize("text", ["\\ud83c\\udfe0", "\\\\ud800", "\\\\u0000", "🏠"])
def test_whole_pairs_and_backslashes_are_text(write: Write, text: str) -> None:
    path = write("q.json", f'[{{"query": "a{text}"}}]')
    assert read_questions(path).questions[0].query == json.loads(f'"a{text}"')


@pytest.mark.parametrize(
    ("name", "text", "where", "what"),
    [
        ("q.json", "[{]", "q.json:1", "not JSON"),
        ("q.json", "{}", "q.json", "no list of questions"),
        ("q.json", '"text"', "q.json", "no list of questions"),
        ("q.json", "[" * 100_000, "q.json", "not JSON that can be read"),
        ("q.json", '[{"query": "a"}, 3]', "q.json: question 2", "not an object"),
        ("q.json", '[{"query": {"a": 1}}]', "q.json: question 1", "query: "),
        ("q.json", '[{"query": "a", "relevant": {"a": "b"}}]', "q.json: question 1", "ids: "),
        ("q.json", '[{"query": true}]', "q.json: question 1", "query: "),
        ("q.jsonl", '{"query": "a"}\n{"query"\n', "q.jsonl:2", "not JSON"),
        ("q.jsonl", '{"query": "a"}\n[]\n', "q.jsonl:2", "not an object"),
        ("q.csv", "質疑,節\n", "q.csv:1", "no column 'query'"),
        ("q.csv", "", "q.csv:1", "no column 'query'"),
        ("q.csv", 'query,section\n"a\nb",c\nd,e,f\n', "q.csv:4", "3 cells for 2 columns"),
        ("q.csv", 'query,section\n"a"b,c\n', "q.csv:2", "not CSV"),
    ],
)
def test_a_faulty_file_is_named_with_the_place(
    write: Write, name: str, text: str, where: str, what: str
) -> None:
    with pytest.raises(QuestionsError) as error:
        read_questions(write(name, text))
    assert error.value.where.endswith(where)
    assert error.value.what.startswith(what)
    assert error.value.hint


def test_another_encoding_is_named_and_not_guessed(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes("質問,参照\n".encode("cp932"))
    with pytest.raises(QuestionsError, match="not UTF-8"):
        read_questions(path)


def test_a_file_that_is_not_there_or_no_file_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(QuestionsError) as error:
            read_questions(path)
        assert error.value.where == str(path)
