from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import hayami
from hayami.evalset.names import RowKey, SectionName, row_key
from hayami.evalset.records import Detector, Flag, Match, Query, Reason, Rejection, Ruling
from hayami.importing import Imported, import_questions
from hayami.verdicts.log import Verdict, append_verdict

Article = Callable[..., str]
Import = Callable[..., Imported]

TEA = ["湯の温度", "蒸らす時間", "茶葉の量", "まとめ"]
ROWS = [("玉露の湯は何度？", "60 度", "湯の温度"), ("何分蒸らす？", "3 分", "蒸らす時間")]


@pytest.fixture(scope="session")
def _tea(tmp_path_factory: pytest.TempPathFactory, make_article: Article) -> Path:
    folder = tmp_path_factory.mktemp("tea")
    (folder / "in/green").mkdir(parents=True)
    pages = {
        "green/gyokuro.html": make_article("玉露の淹れ方｜急須で", ROWS, TEA),
        "green/sencha.html": make_article(
            "煎茶", (), ["煎茶の湯の温度", "水出しのしかた", "湯の沸かし方"]
        ),
        "faq.html": make_article("茶器", (), ["急須の手入れ"]),
    }
    for path, page in pages.items():
        (folder / "in" / path).write_text(page, encoding="utf-8")
    return hayami.build([folder / "in"], folder / "set").folder


@pytest.fixture
def tea(_tea: Path, tmp_path: Path) -> Path:
    """Three articles built: two queries, eight sections."""
    return Path(shutil.copytree(_tea, tmp_path / "set"))


@pytest.fixture
def add(tea: Path, tmp_path: Path) -> Import:
    """Imports questions given as mappings into the set; it is sound afterwards."""

    def added(
        *questions: Mapping[str, object],
        name: str = "q.json",
        replace: bool = False,
        **how: Path,
    ) -> Imported:
        path = tmp_path / name
        path.write_text(json.dumps(questions), encoding="utf-8")
        done = import_questions(path, tea, replace=replace, **how)
        assert hayami.check(done.folder) == []
        return done

    return added


def only(done: Imported) -> Query | Rejection:
    """What became of the one question."""
    return done.queries[0] if done.queries else done.rejections[0]


def relevant(done: Imported) -> list[str]:
    found = only(done)
    assert isinstance(found, Query), found
    return list(found.relevant)


def reason(done: Imported) -> Reason:
    found = only(done)
    assert isinstance(found, Rejection), found
    return found.reason


# --- finding --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "section", "match"),
    [
        ({"relevant_docs": ["green/gyokuro#1"]}, "green/gyokuro#1", Match.ANCHOR),
        ({"relevant_docs": "green/gyokuro.html#s1"}, "green/gyokuro#1", Match.ANCHOR),
        ({"relevant_docs": "/green/gyokuro#s1"}, "green/gyokuro#1", Match.ANCHOR),
        (
            {"relevant_docs": "https://tea.example/a/green/gyokuro.html?x=1#s1"},
            "green/gyokuro#1",
            Match.ANCHOR,
        ),
        ({"relevant_docs": "faq"}, "faq#0", Match.ANCHOR),
        ({"relevant_docs": "faq.html"}, "faq#0", Match.ANCHOR),
        ({"section": "蒸らす時間"}, "green/gyokuro#1", Match.EXACT),
        ({"section": "「蒸らす時間」の節を参照"}, "green/gyokuro#1", Match.EXACT),
        ({"section": "水出し"}, "green/sencha#1", Match.CONTAINS),
        ({"section": "水だしのしかた"}, "green/sencha#1", Match.FUZZY),
        ({"section": "湯の温度", "article": "green/sencha"}, "green/sencha#0", Match.CONTAINS),
        ({"section": "湯の温度", "article": "green/sencha.html"}, "green/sencha#0", Match.CONTAINS),
        (
            {"section": "湯の温度", "relevant_docs": ["green/sencha"]},
            "green/sencha#0",
            Match.CONTAINS,
        ),
        ({"section": "green/gyokuro#2"}, "green/gyokuro#2", Match.ANCHOR),
        ({"relevant_docs": ["茶葉の量"]}, "green/gyokuro#2", Match.EXACT),
    ],
)
def test_a_section_is_found_by_id_path_address_or_name(
    add: Import, given: Mapping[str, object], section: str, match: Match
) -> None:
    done = add({"query": "知らない質問", **given})
    assert relevant(done) == [section]
    assert done.queries[0].match is match


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, Reason.NO_REFERENCE),
        ({"relevant_docs": []}, Reason.NO_REFERENCE),
        ({"query": "？", "section": "湯の温度"}, Reason.NO_QUESTION),
        ({"relevant_docs": ["doc-hr-009"]}, Reason.UNKNOWN_ID),
        ({"relevant_docs": ["green/gyokuro#9"]}, Reason.UNKNOWN_ID),
        ({"relevant_docs": ["green/gyokuro#02"]}, Reason.UNKNOWN_ID),
        ({"section": "湯の温度", "article": "green/none"}, Reason.UNKNOWN_ID),
        ({"relevant_docs": ["green/gyokuro"]}, Reason.WHOLE_ARTICLE),
        ({"section": "玉露の淹れ方"}, Reason.WHOLE_ARTICLE),
        ({"relevant_docs": ["green/gyokuro#3"]}, Reason.EXCLUDED_SECTION),
        ({"section": "まとめ"}, Reason.EXCLUDED_SECTION),
        ({"relevant_docs": ["green/gyokuro.html#none"]}, Reason.BROKEN_LINK),
        ({"section": "まったく関係のない話題"}, Reason.UNMATCHED),
        ({"relevant_docs": ["http://["]}, Reason.UNKNOWN_ID),
        ({"relevant_docs": ["other/faq"]}, Reason.UNKNOWN_ID),
        ({"relevant_docs": ["#s0"]}, Reason.UNKNOWN_ID),
        ({"relevant_docs": ["green/gyokuro#" + "9" * 5_000]}, Reason.UNKNOWN_ID),
        ({"section": "湯の温度" * 10_000}, Reason.UNMATCHED),
    ],
)
def test_what_is_not_found_is_rejected_with_the_reason(
    add: Import, given: Mapping[str, object], expected: Reason
) -> None:
    assert reason(add({"query": "知らない質問", **given})) is expected


def test_a_name_that_fits_sections_of_two_articles_is_ambiguous(add: Import, tea: Path) -> None:
    done = add({"query": "湯について", "section": "湯の"})
    assert reason(done) is Reason.AMBIGUOUS
    found = done.rejections[0]
    assert {candidate.article for candidate in found.candidates} == {
        "green/gyokuro",
        "green/sencha",
    }
    assert tea == done.folder


def test_an_id_that_is_not_there_is_told_with_the_ones_like_it(add: Import) -> None:
    found = add({"query": "知らない質問", "relevant_docs": ["green/gyokurro"]}).rejections[0]
    assert found.detail == "no section or article green/gyokurro in the set"
    assert [candidate.article for candidate in found.candidates] == ["green/gyokuro"]


def test_several_targets_are_a_query_of_all_of_them_and_a_missing_one_makes_it_incomplete(
    add: Import,
) -> None:
    done = add(
        {"query": "知らない質問", "relevant_docs": ["green/sencha#1", "x-1"], "section": "茶葉の量"}
    )
    assert relevant(done) == ["green/gyokuro#2", "green/sencha#1"]
    assert Flag.INCOMPLETE in done.queries[0].flags


# --- evidence -------------------------------------------------------------------------------------


def test_an_imported_query_carries_what_it_came_with_and_where_it_comes_from(add: Import) -> None:
    done = add(
        {"query": "", "section": "x"},
        {
            "query": "水出しは何時間？",
            "section": "水出しのしかた",
            "answer": "3 時間",
            "category": "煎茶",
            "difficulty": "基本",
            "expected_keywords": ["冷水", "3 時間"],
            "model": "some-model",
        },
    )
    query = done.queries[0]
    assert (query.answer, query.category, query.difficulty) == ("3 時間", "煎茶", "基本")
    assert (query.expected_keywords, query.source, query.topic) == (
        ("冷水", "3 時間"),
        "some-model",
        "煎茶",
    )
    origin = query.origins[0]
    assert (origin.article, origin.path, origin.table, origin.row) == (
        "green/sencha",
        "q.json",
        None,
        1,
    )
    assert (origin.detector, origin.sha256) == (Detector.IMPORT, done.file.sha256)


def test_a_question_without_a_writer_has_its_reference_as_source(add: Import) -> None:
    assert add({"query": "水出しは？", "section": "水出し"}).queries[0].source == "import:水出し"


@pytest.mark.parametrize(
    ("question", "flag"),
    [
        ("水出しのしかた", Flag.EQUALS_HEADING),
        ("水出しのしかたについて書いた段落", Flag.VERBATIM),
        ("どうする", Flag.CONTEXT_DEPENDENT),
        ("水？", Flag.SHORT),
    ],
)
def test_imported_questions_are_flagged_as_others_are(
    add: Import, question: str, flag: Flag
) -> None:
    assert flag in add({"query": question, "section": "水出しのしかた"}).queries[0].flags


def test_a_near_duplicate_of_a_question_that_is_there_flags_both(add: Import, tea: Path) -> None:
    add({"query": "玉露の湯は何度か？", "section": "湯の温度", "article": "green/gyokuro"})
    flagged = [
        query.query for query in hayami.load(tea).queries() if Flag.NEAR_DUPLICATE in query.flags
    ]
    assert flagged == ["玉露の湯は何度？", "玉露の湯は何度か？"]


# --- merging and ids ------------------------------------------------------------------------------


def test_what_was_there_stays_and_the_accounting_grows(add: Import, tea: Path) -> None:
    before = {q.qid: q for q in hayami.load(tea).queries()}
    done = add(
        {"query": "水出しは？", "section": "水出し"}, {"query": "無い", "section": "どこにもない話"}
    )
    after = {q.qid: q for q in hayami.load(tea).queries()}
    assert {qid: after[qid] for qid in before} == before
    accounting = done.manifest.accounting
    assert (accounting.rows, accounting.rows_in_queries, accounting.rows_rejected) == (4, 3, 1)
    assert done.manifest.counts.by_detector == {"header": 2, "import": 2}
    assert done.manifest.imported == (done.file,)


def test_a_question_that_is_there_gets_the_new_target_and_keeps_its_id(
    add: Import, tea: Path
) -> None:
    done = add({"id": "x1", "query": "玉露の湯は 何度?", "relevant_docs": ["green/sencha#0"]})
    query = next(q for q in hayami.load(tea).queries() if q.qid == "q1")
    assert (query.query, list(query.relevant)) == (
        "玉露の湯は何度？",
        ["green/gyokuro#0", "green/sencha#0"],
    )
    assert (query.same_article, len(query.origins), done.merged) == (4, 2, 1)
    assert Flag.DUPLICATE in query.flags
    assert hayami.load(tea).qrels()["q1"]["green/sencha#0"] == 2


def test_a_question_twice_in_the_file_is_one_query(add: Import) -> None:
    done = add(
        {"query": "水出しは？", "section": "水出し"}, {"query": "水出しは?", "section": "茶葉の量"}
    )
    assert [list(q.relevant) for q in done.queries] == [["green/gyokuro#2", "green/sencha#1"]]
    assert (done.merged, Flag.DUPLICATE in done.queries[0].flags) == (1, True)


@pytest.mark.parametrize(
    ("question", "depends"),
    [("煎茶の場合は？", False), ("その場合は？", True)],
)
def test_a_merged_question_depends_on_its_context_only_if_both_do(
    add: Import,
    question: str,
    depends: bool,  # noqa: FBT001
) -> None:
    sencha, kettle = (
        {"query": question, "relevant_docs": [section]} for section in ("green/sencha#0", "faq#0")
    )
    add(sencha, name="first.json")
    done = add(kettle, name="second.json")
    assert done.merged == 1
    (query,) = (one for one in hayami.load(done.folder).queries() if one.query == question)
    assert (Flag.CONTEXT_DEPENDENT in query.flags) is depends


@pytest.mark.parametrize(("policy", "queries", "rejected"), [("keep", 4, 0), ("drop", 3, 1)])
def test_equal_questions_follow_the_policy_of_the_set(
    tmp_path: Path, make_article: Article, policy: str, queries: int, rejected: int
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.html").write_text(make_article("玉露", ROWS, TEA), encoding="utf-8")
    settings = hayami.Settings(duplicates=hayami.Duplicates(policy))
    hayami.build([tmp_path / "in"], tmp_path / "set", settings)
    asked = [
        {"query": "何分蒸らす？", "section": "湯の温度"},
        {"query": "何グラム？", "section": "茶葉の量"},
    ]
    (tmp_path / "q.json").write_text(json.dumps(asked), encoding="utf-8")
    done = import_questions(tmp_path / "q.json", tmp_path / "set")
    assert hayami.check(done.folder) == []
    assert (done.manifest.counts.queries, len(done.rejections)) == (queries, rejected)


def test_ids_of_the_file_are_kept_if_they_can_be_and_the_others_told(add: Import) -> None:
    done = add(
        {"id": "faq-7", "query": "水出しは？", "section": "水出し"},
        {"id": "faq-7", "query": "茶葉の量は？", "section": "茶葉の量"},
        {"id": "a b", "query": "急須の洗い方", "relevant_docs": "faq"},
        {"id": "q2", "query": "湯の沸かし方は？", "section": "湯の沸かし方"},
    )
    assert [query.qid for query in done.queries] == ["faq-7", "q3", "q4", "q5"]
    assert [(one.given, one.qid, one.why) for one in done.renamed] == [
        ("faq-7", "q3", "another question has this id"),
        ("a b", "q4", "an id in TREC files holds no white space"),
        ("q2", "q5", "ids of this form are hayami's own"),
    ]
    assert done.twice == ("faq-7",)


def test_questions_without_ids_keep_those_of_the_previous_set(
    add: Import, tea: Path, tmp_path: Path
) -> None:
    asked = {"query": "水出しは？", "section": "水出し"}
    old = add(asked, out=tmp_path / "old")
    assert old.queries[0].qid == "q3"
    new = add(
        {"query": "急須の洗い方", "relevant_docs": "faq"},
        asked,
        name="r.json",
        previous=tmp_path / "old",
    )
    assert {query.query: query.qid for query in new.queries} == {
        "急須の洗い方": "q4",
        "水出しは？": "q3",
    }
    assert new.folder == tea


# --- the set on disk ------------------------------------------------------------------------------


def test_with_out_the_old_set_is_left_as_it_was(
    add: Import, tea: Path, tmp_path: Path, files_of: Callable[[Path], dict[str, bytes]]
) -> None:
    before = files_of(tea)
    done = add({"query": "水出しは？", "section": "水出し"}, out=tmp_path / "larger")
    assert files_of(tea) == before
    assert done.folder == tmp_path / "larger"


def test_a_set_in_the_way_loses_no_query_without_a_word(
    add: Import,
    tea: Path,  # noqa: ARG001 - what is added to
    tmp_path: Path,
    files_of: Callable[[Path], dict[str, bytes]],
) -> None:
    there = tmp_path / "there"
    add({"query": "水出しは？", "section": "水出し"}, out=there)
    before = files_of(there)
    asked = {"query": "茶葉は？", "section": "茶葉の量"}
    with pytest.raises(hayami.OutputError, match="would lose 1 of its queries") as error:
        add(asked, name="b.json", out=there)
    assert "--replace" in error.value.hint
    assert files_of(there) == before
    assert add(asked, name="b.json", out=there, replace=True).folder == there
    assert hayami.check(there) == []


def test_a_set_in_the_way_that_keeps_its_queries_is_replaced(add: Import, tmp_path: Path) -> None:
    there, asked = tmp_path / "there", {"query": "水出しは？", "section": "水出し"}
    add(asked, out=there)
    assert add(asked, {"query": "茶葉は？", "section": "茶葉の量"}, out=there).folder == there


def test_the_same_import_gives_the_same_bytes(
    add: Import, tmp_path: Path, files_of: Callable[[Path], dict[str, bytes]]
) -> None:
    asked = [{"query": f"水出し{n}は？", "section": "水出し"} for n in range(5)]
    one, two = (add(*asked, out=tmp_path / name).folder for name in ("one", "two"))
    assert files_of(one) == files_of(two)


def test_a_file_is_imported_into_a_set_once(add: Import) -> None:
    asked = {"query": "水出しは？", "section": "水出し"}
    add(asked)
    for name in ("q.json", "copy.json"):
        with pytest.raises(hayami.QuestionsError, match="was imported into this set already"):
            add(asked, name=name)


def test_two_files_can_be_imported_one_after_the_other(add: Import) -> None:
    add({"query": "水出しは？", "section": "水出し"})
    done = add({"query": "茶葉は？", "section": "茶葉の量"}, name="b.json")
    assert [file.path for file in done.manifest.imported] == ["q.json", "b.json"]
    assert done.manifest.accounting.rows == 4


def test_a_file_without_a_question_is_refused(add: Import) -> None:
    with pytest.raises(hayami.QuestionsError, match="holds no question"):
        add()


def test_a_damaged_set_is_refused_and_left(add: Import, tea: Path) -> None:
    path = tea / "corpus.jsonl"
    path.write_bytes(path.read_bytes().replace("段落".encode(), "段楽".encode(), 1))
    before = (tea / "evalset.jsonl").read_bytes()
    with pytest.raises(hayami.EvalSetError, match="is not the file that was built"):
        add({"query": "水出しは？", "section": "水出し"})
    assert (tea / "evalset.jsonl").read_bytes() == before


def test_a_lost_question_would_be_found_by_check(add: Import, tea: Path) -> None:
    add({"query": "水出しは？", "section": "水出し"})
    path = tea / "manifest.json"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"questions": 1', '"questions": 2'),
        encoding="utf-8",
    )
    assert "counts.rows is 3, the files give 4" in [fault.what for fault in hayami.check(tea)]


# --- verdicts -------------------------------------------------------------------------------------


def say(labels: Path, row: RowKey, ruling: Ruling, *sections: SectionName) -> None:
    judged, named = (sections, ()) if ruling is Ruling.NOTHING else ((), sections)
    verdict = Verdict(
        rows=(row,),
        question="x",
        ruling=ruling,
        judge="sato",
        at="2026-01-01",
        judged=judged,
        sections=named,
    )
    append_verdict(labels / "verdicts-sato.jsonl", verdict)


def test_a_verdict_makes_a_query_of_a_question_about_a_whole_article(
    add: Import, tmp_path: Path
) -> None:
    asked = {"query": "玉露の葉は？", "relevant_docs": ["green/gyokuro"]}
    rejected = add(asked, out=tmp_path / "first").rejections[0]
    row = row_key(rejected.article, rejected.question, rejected.reference)
    name = SectionName(section="green/gyokuro#2", article="green/gyokuro", heading="茶葉の量")
    say(tmp_path / "labels", row, Ruling.OTHER, name)
    done = add(asked, labels=tmp_path / "labels")
    assert relevant(done) == ["green/gyokuro#2"]
    assert done.queries[0].match is Match.MANUAL
    assert done.manifest.verdicts is not None
    assert done.manifest.verdicts.applied == {"other": 1}


def test_a_verdict_drops_an_imported_question(add: Import, tmp_path: Path) -> None:
    asked = {"query": "水出しは？", "section": "水出しのしかた"}
    name = SectionName(section="green/sencha#1", article="green/sencha", heading="水出しのしかた")
    say(
        tmp_path / "labels",
        row_key("green/sencha", "水出しは？", "水出しのしかた"),
        Ruling.NOTHING,
        name,
    )
    assert reason(add(asked, labels=tmp_path / "labels")) is Reason.DROPPED_BY_VERDICT


# --- round trip -----------------------------------------------------------------------------------


def test_an_eval_set_s_own_queries_can_be_imported_into_a_set_without_tables(
    sample: hayami.Built, articles: Path, tmp_path: Path
) -> None:
    shutil.copytree(sample.folder, tmp_path / "bare")
    done = import_questions(sample.folder / "evalset.jsonl", tmp_path / "bare")
    assert hayami.check(done.folder) == []
    assert not done.rejections
    assert done.merged == sample.manifest.counts.queries
    before = {q.qid: q.relevant for q in hayami.load(sample.folder).queries()}
    assert {q.qid: q.relevant for q in hayami.load(done.folder).queries()} == before
    assert articles.is_dir()
