from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two questions for the bakery; one of them names something that is not there."""
    path = tmp_path / "queries.json"
    asked = [
        {"id": "faq-1", "query": "灰分って何", "relevant_docs": ["flour#1"], "colour": "red"},
        {"id": "faq-2", "query": "値段はいくら", "relevant_docs": ["prices"]},
    ]
    path.write_text(json.dumps(asked), encoding="utf-8")
    return path


def test_questions_come_into_the_set_and_what_did_not_is_told(
    bakery_set: Path, file: Path, cli: Run
) -> None:
    ran = cli("import", file, "--into", bakery_set)
    assert ran.returncode == 0
    assert ran.stdout == (
        f"queries.json: 2 questions → {bakery_set}\n\n"
        "      1  with a section that answers them\n"
        "      1    anchor\n"
        "      1    flagged context_dependent: the question names nothing of its article's topic,"
        " and no thing by a name of its own\n"
        "      1  rejected\n"
        "      1    unknown_id: an id that an imported question gives is that of no section"
        " or article of the set\n\n"
        f"the set has 4 queries now; next: hayami check {bakery_set}\n"
    )
    assert ran.stderr == (
        "warning: question 2 '値段はいくら': unknown_id: no section or article prices in the set\n"
        "warning: fields that are not read: colour\n"
    )
    assert cli("check", bakery_set).returncode == 0


def test_json_is_one_document_on_stdout(
    bakery_set: Path, file: Path, tmp_path: Path, cli: Run
) -> None:
    told = json.loads(
        cli("import", file, "--into", bakery_set, "--out", tmp_path / "larger", "--json").stdout
    )
    assert [query["qid"] for query in told["queries"]] == ["faq-1"]
    assert [one["reason"] for one in told["rejections"]] == ["unknown_id"]
    assert (told["unread"], told["folder"]) == (["colour"], str(tmp_path / "larger"))


def test_strict_exits_1_for_a_rejected_question_and_has_written_the_set(
    bakery_set: Path, file: Path, cli: Run
) -> None:
    assert cli("import", file, "--into", bakery_set, "--strict").returncode == 1
    assert cli("check", bakery_set).stdout.startswith(f"{bakery_set}: sound; 4 queries")


def test_a_faulty_file_is_one_line_and_a_hint(bakery_set: Path, tmp_path: Path, cli: Run) -> None:
    (tmp_path / "q.json").write_text("[3]", encoding="utf-8")
    ran = cli("import", tmp_path / "q.json", "--into", bakery_set)
    assert ran.returncode == 1
    assert ran.stderr.startswith(
        f"hayami: {tmp_path / 'q.json'}: question 1: not an object\n  hint: "
    )


def test_without_a_set_the_usage_is_wrong(file: Path, cli: Run) -> None:
    assert cli("import", file).returncode == 2


def test_a_build_over_imported_questions_says_that_they_are_to_be_imported_again(
    bakery: Path, bakery_set: Path, file: Path, cli: Run
) -> None:
    cli("import", file, "--into", bakery_set)
    ran = cli("build", bakery, "--out", bakery_set, "--previous", bakery_set)
    assert (
        "queries.json: its questions were in the set that was replaced; import them again"
        in ran.stderr
    )
    assert "      3    with the id that they had\n" in ran.stdout
