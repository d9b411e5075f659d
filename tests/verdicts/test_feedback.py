"""Verdicts on the whole path: a set is built, judged, and built again with what was said."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import hayami
from hayami.audit.sheets import rejection_rows
from hayami.audit.stale import stale_verdicts
from hayami.evalset.names import RowKey, name_corpus
from hayami.evalset.qids import rows_of
from hayami.evalset.records import Flag, Match, Query, Reason, Rejection, Ruling
from hayami.verdicts.log import Verdict, append_verdict, read_verdicts
from hayami.verdicts.settle import settle

Article = Callable[..., str]

ROWS = [
    ("何分蒸らす？", "3 分", "蒸らす時間"),
    ("玉露の湯は何度？", "60 度", "湯の温度"),
    ("茶葉はどれだけ？", "5 g", "葉の分量の目安"),
]
SECTIONS = ["湯の温度", "蒸らす時間", "茶葉の量", "茶器の選び方"]


class Bench:
    """A folder of one article that is built, judged and edited."""

    def __init__(self, folder: Path, make_article: Article) -> None:
        self.articles, self.out, self.labels = (
            folder / "articles",
            folder / "set",
            folder / "labels",
        )
        self.articles.mkdir()
        self.make_article = make_article
        self.write(ROWS, SECTIONS)
        self.build(judged=False)

    def write(
        self, rows: Sequence[Sequence[str]], sections: Sequence[str], name: str = "tea"
    ) -> None:
        page = self.make_article("玉露の淹れ方", rows, sections)
        (self.articles / f"{name}.html").write_text(page, encoding="utf-8")

    def build(self, *, judged: bool = True) -> hayami.Built:
        built = hayami.build([self.articles], self.out, labels=self.labels if judged else None)
        assert hayami.check(self.out) == []
        return built

    def query(self, text: str) -> Query:
        return next(
            q for q in hayami.load(self.out).queries() if text in {q.query, q.origins[0].question}
        )

    def rejection(self, text: str) -> Rejection:
        return next(r for r in hayami.load(self.out).rejections() if r.question == text)

    def row(self, text: str) -> tuple[tuple[RowKey, ...], tuple[str, ...]]:
        for query in hayami.load(self.out).queries():
            if query.query == text:
                return rows_of(query), tuple(query.relevant)
        return rejection_rows(self.rejection(text)), ()

    def say(
        self,
        text: str,
        ruling: Ruling,
        *sections: str,
        judge: str = "sato",
        rewrite: str = "",
        adjudicates: bool = False,
    ) -> None:
        names = name_corpus(hayami.load(self.out).sections())
        by_heading = {name.heading: name for name in names.values()}
        rows, judged = self.row(text)
        verdict = Verdict(
            rows=rows,
            question=text,
            ruling=ruling,
            judged=tuple(names[section] for section in judged),
            sections=tuple(by_heading[heading] for heading in sections),
            rewrite=rewrite,
            judge=judge,
            at=f"2026-01-01T00:00:{len(list(self.labels.glob('*'))):02}",
            adjudicates=adjudicates,
        )
        append_verdict(self.labels / f"verdicts-{judge}.jsonl", verdict)

    def qrels(self, text: str) -> dict[str, int]:
        return hayami.load(self.out).qrels()[self.query(text).qid]


@pytest.fixture
def bench(tmp_path: Path, make_article: Article) -> Bench:
    return Bench(tmp_path, make_article)


def test_a_corrected_label_stands_in_the_qrels(bench: Bench) -> None:
    bench.say("何分蒸らす？", Ruling.OTHER, "茶器の選び方")
    bench.build()
    assert bench.qrels("何分蒸らす？") == {"tea#3": 2, "tea#0": 1, "tea#1": 1, "tea#2": 1}
    query = bench.query("何分蒸らす？")
    assert query.match is Match.MANUAL
    assert [(a.ruling, a.judges, a.found) for a in query.verdicts] == [
        (Ruling.OTHER, ("sato",), ("tea#1",))
    ]


def test_a_second_answer_gets_grade_2(bench: Bench) -> None:
    bench.say("何分蒸らす？", Ruling.ALSO, "湯の温度")
    bench.build()
    assert bench.query("何分蒸らす？").relevant == {"tea#0": 2, "tea#1": 2}
    assert bench.query("何分蒸らす？").match is Match.EXACT


def test_a_rejected_row_that_a_judge_labelled_becomes_a_query(bench: Bench) -> None:
    rejected = bench.rejection("茶葉はどれだけ？")
    assert rejected.reason is Reason.UNMATCHED
    bench.say("茶葉はどれだけ？", Ruling.OTHER, "茶葉の量")
    bench.build()
    assert bench.query("茶葉はどれだけ？").relevant == {"tea#2": 2}


def test_a_dropped_query_is_a_rejection_that_says_so(bench: Bench) -> None:
    bench.say("何分蒸らす？", Ruling.NOTHING)
    built = bench.build()
    assert bench.rejection("何分蒸らす？").reason is Reason.DROPPED_BY_VERDICT
    assert built.manifest.accounting.rows == 3
    assert built.manifest.accounting.balanced


def test_a_rewritten_question_is_asked_and_the_table_s_own_is_kept(bench: Bench) -> None:
    bench.say("何分蒸らす？", Ruling.CONTEXT, rewrite="玉露は何分蒸らす？")
    bench.build()
    query = bench.query("玉露は何分蒸らす？")
    assert query.origins[0].question == "何分蒸らす？"
    assert query.verdicts[0].question == "何分蒸らす？"
    assert Flag.CONTEXT_DEPENDENT not in query.flags


def test_a_question_that_a_judge_found_wanting_is_flagged(bench: Bench) -> None:
    assert Flag.CONTEXT_DEPENDENT not in bench.query("玉露の湯は何度？").flags
    bench.say("玉露の湯は何度？", Ruling.CONTEXT)
    bench.build()
    assert Flag.CONTEXT_DEPENDENT in bench.query("玉露の湯は何度？").flags


def test_a_question_that_a_judge_found_right_stands_alone(bench: Bench) -> None:
    assert Flag.CONTEXT_DEPENDENT in bench.query("何分蒸らす？").flags
    bench.say("何分蒸らす？", Ruling.RIGHT)
    bench.build()
    assert Flag.CONTEXT_DEPENDENT not in bench.query("何分蒸らす？").flags


def test_verdicts_survive_renumbering_a_moved_table_and_an_edited_article(bench: Bench) -> None:
    bench.say("何分蒸らす？", Ruling.OTHER, "茶器の選び方")
    bench.write(
        [("序の行", "", "道具"), *reversed(ROWS)], ["道具", "茶器の選び方", *SECTIONS[:3], "余談"]
    )
    built = bench.build()
    assert built.stale == ()
    assert bench.query("何分蒸らす？").relevant == {"tea#1": 2}


def test_a_verdict_on_a_section_that_is_gone_is_reported_and_not_guessed(bench: Bench) -> None:
    bench.say("何分蒸らす？", Ruling.ALSO, "茶器の選び方")
    bench.write(ROWS, SECTIONS[:3])
    built = bench.build()
    assert [name.heading for stale in built.stale for name in stale.missing] == ["茶器の選び方"]
    assert bench.query("何分蒸らす？").relevant == {"tea#1": 2}
    assert built.manifest.verdicts is not None
    assert (built.manifest.verdicts.stale, built.manifest.verdicts.applied) == (1, {})


def test_a_verdict_on_a_row_that_is_gone_is_reported(bench: Bench) -> None:
    bench.say("何分蒸らす？", Ruling.RIGHT)
    bench.write(ROWS[1:], SECTIONS)
    assert [stale.why for stale in bench.build().stale] == ["its row is no longer in the articles"]


def test_what_a_build_found_stale_is_found_in_the_set_too(bench: Bench) -> None:
    bench.say("何分蒸らす？", Ruling.ALSO, "茶器の選び方")
    bench.say("玉露の湯は何度？", Ruling.NOTHING)
    bench.write(ROWS, SECTIONS[:3])
    built = bench.build()
    settlement = settle(read_verdicts(bench.labels))
    assert stale_verdicts(hayami.load(bench.out), settlement) == built.stale
    bench.build(judged=False)
    assert stale_verdicts(hayami.load(bench.out), settlement) == built.stale


def test_judges_who_disagree_are_counted_and_not_followed_until_one_adjudicates(
    bench: Bench,
) -> None:
    bench.say("何分蒸らす？", Ruling.NOTHING, judge="sato")
    bench.say("何分蒸らす？", Ruling.RIGHT, judge="suzuki")
    built = bench.build()
    assert (len(built.conflicts), bench.query("何分蒸らす？").verdicts) == (1, ())
    bench.say("何分蒸らす？", Ruling.NOTHING, judge="tanaka", adjudicates=True)
    assert bench.build().conflicts == ()
    assert bench.rejection("何分蒸らす？").reason is Reason.DROPPED_BY_VERDICT


def test_a_merged_question_is_judged_as_one(bench: Bench) -> None:
    bench.write([("何分蒸らす？", "2 分", "煎茶の時間")], ["煎茶の時間", "煎茶の湯"], name="sencha")
    bench.build(judged=False)
    assert len(bench.query("何分蒸らす？").origins) == 2
    bench.say("何分蒸らす？", Ruling.RIGHT)
    bench.build()
    query = bench.query("何分蒸らす？")
    assert query.relevant == {"sencha#0": 2, "tea#1": 2}
    assert query.match is Match.EXACT
    bench.say("何分蒸らす？", Ruling.NOTHING)
    bench.build()
    assert [
        r.article
        for r in hayami.load(bench.out).rejections()
        if r.reason is Reason.DROPPED_BY_VERDICT
    ] == [
        "sencha",
        "tea",
    ]


def test_rewritten_questions_part_from_others_that_ask_the_same(bench: Bench) -> None:
    bench.say("何分蒸らす？", Ruling.CONTEXT, rewrite="玉露は何分蒸らす？")
    bench.write([("何分蒸らす？", "2 分", "煎茶の時間")], ["煎茶の時間", "煎茶の湯"], name="sencha")
    bench.build()
    assert bench.query("玉露は何分蒸らす？").relevant == {"tea#1": 2}
    assert next(
        q for q in hayami.load(bench.out).queries() if q.query == "何分蒸らす？"
    ).relevant == {"sencha#0": 2}


def test_a_judged_build_is_the_same_bytes_for_any_number_of_jobs(
    bench: Bench, tmp_path: Path
) -> None:
    bench.say("何分蒸らす？", Ruling.OTHER, "茶器の選び方")
    for number in range(40):
        bench.write(ROWS, SECTIONS, name=f"more{number}")
    for jobs in (1, 2):
        hayami.build([bench.articles], tmp_path / f"jobs{jobs}", labels=bench.labels, jobs=jobs)
    one, two = ((tmp_path / f"jobs{jobs}" / "evalset.jsonl").read_bytes() for jobs in (1, 2))
    assert one == two


def test_the_manifest_names_the_verdict_files(bench: Bench) -> None:
    bench.say("何分蒸らす？", Ruling.RIGHT)
    bench.build()
    manifest = json.loads((bench.out / "manifest.json").read_bytes())
    assert list(manifest["verdicts"]["files"]) == ["verdicts-sato.jsonl"]
    assert manifest["verdicts"]["applied"] == {"right": 1}


def test_a_damaged_verdict_file_stops_the_build_and_leaves_the_set(bench: Bench) -> None:
    before = (bench.out / "evalset.jsonl").read_bytes()
    bench.labels.mkdir()
    (bench.labels / "verdicts-x.jsonl").write_text('{"ruling": "perhaps"}\n', encoding="utf-8")
    with pytest.raises(hayami.VerdictError) as error:
        bench.build()
    assert error.value.where.endswith("verdicts-x.jsonl:1")
    assert (bench.out / "evalset.jsonl").read_bytes() == before


def test_two_judges_who_each_confirm_another_label_do_not_agree(bench: Bench) -> None:
    bench.say("何分蒸らす？", Ruling.RIGHT, judge="sato")
    bench.write([("何分蒸らす？", "3 分", "茶葉の量"), *ROWS[1:]], SECTIONS)
    key = next(iter(read_verdicts(bench.labels))).rows
    bench.build(judged=False)
    bench.say("何分蒸らす？", Ruling.RIGHT, judge="suzuki")
    verdicts = [v.model_copy(update={"rows": key}) for v in read_verdicts(bench.labels)]
    assert [len(conflict.verdicts) for conflict in settle(verdicts).conflicts] == [2]


def test_judges_who_find_a_rejection_right_in_other_words_agree(bench: Bench) -> None:
    bench.say("茶葉はどれだけ？", Ruling.RIGHT, judge="sato")
    bench.say("茶葉はどれだけ？", Ruling.NOTHING, judge="suzuki")
    assert bench.build().conflicts == ()
    assert bench.rejection("茶葉はどれだけ？").reason is Reason.UNMATCHED
