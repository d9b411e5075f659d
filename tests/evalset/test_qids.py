from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.evalset.names import RowKey, row_key
from hayami.evalset.qids import Claimant, QueryIds, number_of, rows_of

Article = Callable[..., str]


def asked(question: str, reference: str = "節", article: str = "a") -> Claimant:
    return Claimant((row_key(article, question, reference),), question)


def ids(*known: tuple[str, str, str], last: int = 0) -> QueryIds:
    """Ids as (id, question, reference)."""
    rows: dict[RowKey, str] = {
        row_key("a", question, reference): qid for qid, question, reference in known
    }
    return QueryIds(rows, {question: (qid,) for qid, question, _ in known}, last)


@pytest.mark.parametrize(
    ("qid", "number"),
    [("q1", 1), ("q120", 120), ("q0", 0), ("q01", 0), ("q-001", 0), ("x", 0), ("q１", 0)],
)
def test_only_ids_that_hayami_gave_have_a_number(qid: str, number: int) -> None:
    assert number_of(qid) == number


def test_a_row_keeps_its_id_and_a_new_one_gets_the_next_number() -> None:
    earlier = ids(("q4", "何度", "湯"), ("q9", "何分", "時間"), last=12)
    assert earlier.assign([asked("何分", "時間"), asked("どこ", "店"), asked("何度", "湯")]) == [
        "q9",
        "q13",
        "q4",
    ]
    assert earlier.last == 13


def test_a_question_whose_reference_changed_keeps_its_id_by_its_words() -> None:
    assert ids(("q4", "何度", "湯")).assign([asked("何度", "湯の温度")]) == ["q4"]


def test_the_row_s_own_claim_comes_before_that_of_the_words() -> None:
    earlier = ids(("q4", "何度", "湯"), last=4)
    assert earlier.assign([asked("何度", "茶葉"), asked("何度", "湯")]) == ["q5", "q4"]


def test_an_id_that_is_taken_is_not_given() -> None:
    assert ids(("q4", "何度", "湯"), last=4).assign([asked("何度", "湯")], taken={"q4"}) == ["q5"]


# --- on the whole path ----------------------------------------------------------------------------

SECTIONS = ["湯の温度", "蒸らす時間", "茶葉の量"]
ROWS = [
    ("玉露の湯は何度？", "60 度", "湯の温度"),
    ("何分蒸らす？", "3 分", "蒸らす時間"),
    ("何グラム？", "5 g", "茶葉の量"),
]


@pytest.fixture
def folder(tmp_path: Path, make_article: Article) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/tea.html").write_text(make_article("玉露", ROWS, SECTIONS), encoding="utf-8")
    return tmp_path


def build(folder: Path, *, previous: Path | None) -> dict[str, str]:
    built = hayami.build([folder / "in"], folder / "set", previous=previous)
    assert hayami.check(built.folder) == []
    return {query.query: query.qid for query in hayami.load(folder / "set").queries()}


def test_without_a_previous_set_questions_are_numbered_in_order(folder: Path) -> None:
    assert list(build(folder, previous=None).values()) == ["q1", "q2", "q3"]


def test_ids_stay_with_their_questions_over_edits_and_in_place(
    folder: Path, make_article: Article
) -> None:
    build(folder, previous=None)
    rows = [("新しい質問は？", "", "茶葉の量"), ROWS[2], ("何分蒸らす？", "2 分", "蒸らす時間")]
    (folder / "in/tea.html").write_text(
        make_article("玉露", rows, ["序", *SECTIONS]), encoding="utf-8"
    )
    qids = build(folder, previous=folder / "set")
    assert qids == {"新しい質問は？": "q4", "何グラム？": "q3", "何分蒸らす？": "q2"}


def test_the_id_of_a_question_that_went_is_never_given_again(
    folder: Path, make_article: Article
) -> None:
    build(folder, previous=None)
    page = folder / "in/tea.html"
    page.write_text(make_article("玉露", ROWS[:2], SECTIONS), encoding="utf-8")
    build(folder, previous=folder / "set")
    page.write_text(
        make_article("玉露", [*ROWS[:2], ("産地は？", "", "茶葉の量")], SECTIONS), encoding="utf-8"
    )
    assert build(folder, previous=folder / "set")["産地は？"] == "q4"


def test_the_manifest_names_the_set_that_ids_were_kept_from(folder: Path) -> None:
    build(folder, previous=None)
    before = json.loads((folder / "set/manifest.json").read_bytes())
    built = hayami.build([folder / "in"], folder / "next", previous=folder / "set")
    assert before["previous"] == ""
    assert built.manifest.previous == before["files"]["evalset.jsonl"]
    assert (built.kept_ids, built.manifest.last_qid) == (3, 3)


def test_a_previous_set_that_is_none_stops_the_build(folder: Path) -> None:
    with pytest.raises(hayami.EvalSetError, match=r"no manifest\.json"):
        hayami.build([folder / "in"], folder / "set", previous=folder / "in")
    assert not (folder / "set").exists()


def test_a_last_number_below_an_id_of_the_set_is_a_fault(folder: Path) -> None:
    build(folder, previous=None)
    path = folder / "set/manifest.json"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"last_qid": 3', '"last_qid": 2'), encoding="utf-8"
    )
    assert [fault.what for fault in hayami.check(folder / "set")] == [
        "last_qid is 2, the queries give 3"
    ]


def test_near_duplicates_and_borrowed_words_are_flagged_by_the_build(
    tmp_path: Path, make_article: Article
) -> None:
    rows = [
        ("湯の温度は何度がよいのですか", "", "湯の温度"),
        ("湯の温度は何度がよいのですか。", "", "蒸らす時間"),
    ]
    pages = {"a": rows, "b": [("煎茶の湯の温度について書いた段落", "", "煎茶の湯の温度")]}
    for name, table in pages.items():
        page = make_article(name, table, [row[2] for row in table])
        (tmp_path / f"{name}.html").write_text(page, encoding="utf-8")
    hayami.build([tmp_path], tmp_path / "set")
    flags = {query.query: set(query.flags) for query in hayami.load(tmp_path / "set").queries()}
    assert [("near_duplicate" in found, "verbatim" in found) for found in flags.values()] == [
        (True, False),
        (True, False),
        (False, True),
    ]
    assert "lexical" in flags["煎茶の湯の温度について書いた段落"]


def test_a_row_that_asks_a_query_twice_is_one_row(tmp_path: Path, make_article: Article) -> None:
    rows = [("何分蒸らす？", "3 分", "蒸らす時間"), ("玉露の湯は何度？", "60 度", "湯の温度")]
    page = make_article("玉露の淹れ方", [*rows, rows[0]], ["湯の温度", "蒸らす時間"])
    (tmp_path / "tea.html").write_text(page, encoding="utf-8")
    hayami.build([tmp_path / "tea.html"], tmp_path / "set")
    first = next(hayami.load(tmp_path / "set").queries())
    assert len(first.origins) == 2
    assert rows_of(first) == (row_key("tea", "何分蒸らす？", "蒸らす時間"),)
