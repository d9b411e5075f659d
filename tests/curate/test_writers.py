from __future__ import annotations

from collections.abc import Callable, Sequence

import hayami
from hayami.curate.writers import ReferenceFault, Remark, report_for_writers
from hayami.evalset.folder import EvalSet
from hayami.evalset.records import Flag

Build = Callable[..., EvalSet]
SECTIONS = ["湯の温度の測り方", "蒸らす時間", "茶葉の量（二人分）", "茶葉の量（四人分）", "まとめ"]


def remarks(build: Build, *rows: Sequence[str]) -> list[Remark]:
    report = report_for_writers(build("x", {"a": (rows, SECTIONS)}))
    return [remark for article in report.articles for remark in article.remarks]


def test_a_sound_row_is_not_told_of(build: Build) -> None:
    assert (
        remarks(build, ("何分？", "", "蒸らす時間"), ("何度？", "", '<a href="#s0">こちら</a>'))
        == []
    )


def test_a_dead_reference_is_told_of_with_the_nearest_heading(build: Build) -> None:
    found = remarks(build, ("何分？", "", "蒸らす時間"), ("何時？", "", "茶摘みの季節"))[0]
    assert (found.fault, found.question) == (ReferenceFault.DEAD, "何時？")
    assert (found.place.table, found.place.row) == (0, 2)
    assert (found.reference, len(found.headings)) == ("茶摘みの季節", 3)


def test_a_dead_link_is_told_of_with_its_address_and_the_headings_like_its_text(
    build: Build,
) -> None:
    found = remarks(build, ("何度？", "", '<a href="#warm">湯の温かさ</a>'))[0]
    assert (found.fault, found.href, found.detail) == (
        ReferenceFault.DEAD_LINK,
        "#warm",
        "no id warm in a.html",
    )
    assert (found.headings[0].heading, found.headings[0].anchor) == ("湯の温度の測り方", "s0")


def test_a_link_that_contradicts_its_text_is_the_worst_of_all(build: Build) -> None:
    found = remarks(build, ("何分？", "", '<a href="#s0">蒸らす時間</a>'))[0]
    assert found.fault is ReferenceFault.CONTRADICTION is next(iter(ReferenceFault))
    assert {heading.heading for heading in found.headings} == {"湯の温度の測り方", "蒸らす時間"}


def test_an_ambiguous_reference_names_all_that_fit(build: Build) -> None:
    found = remarks(build, ("何グラム？", "", "茶葉の量"))[0]
    assert found.fault is ReferenceFault.AMBIGUOUS
    assert {heading.heading for heading in found.headings} == {
        "茶葉の量（二人分）",
        "茶葉の量（四人分）",
    }


def test_a_reference_to_no_section_and_a_missing_one_are_told_of(build: Build) -> None:
    found = remarks(build, ("結局？", "", "まとめ"), ("どこ？", "", "―"), ("", "", "蒸らす時間"))
    assert [one.fault for one in found] == [
        ReferenceFault.NOT_A_SECTION,
        ReferenceFault.MISSING,
        ReferenceFault.MISSING,
    ]


def test_a_reference_in_other_words_differs_and_a_part_of_the_heading_is_shortened(
    build: Build,
) -> None:
    found = remarks(build, ("何度？", "", "湯の温度の計りかた"), ("何度がよい？", "", "湯の温度"))
    assert [(one.fault, one.headings[0].heading) for one in found] == [
        (ReferenceFault.DIFFERS, "湯の温度の測り方"),
        (ReferenceFault.SHORTENED, "湯の温度の測り方"),
    ]


def test_width_case_and_blanks_are_no_difference(build: Build) -> None:
    assert remarks(build, ("何分？", "", " 蒸らす　時間 ")) == []


def test_a_reference_of_which_a_part_is_missing_is_told_of(build: Build) -> None:
    found = remarks(build, ("何分？", "", "蒸らす時間、製茶の歴史"))
    assert [one.fault for one in found] == [ReferenceFault.INCOMPLETE]


def test_each_row_of_a_merged_question_is_told_of_in_its_own_article(sample: hayami.Built) -> None:
    evalset = hayami.load(sample.folder)
    report = report_for_writers(evalset)
    rows = {
        (one.article, remark.place.table, remark.place.row)
        for one in report.articles
        for remark in one.remarks
    }
    assert len(rows) == sum(len(one.remarks) for one in report.articles)
    merged = [query for query in evalset.queries() if Flag.DUPLICATE in query.flags]
    assert merged
    assert {one.article for one in report.articles} <= {
        article.id for article in evalset.articles()
    }


def test_links_to_other_sites_are_no_fault(sample: hayami.Built) -> None:
    evalset = hayami.load(sample.folder)
    external = {
        (r.article, r.table, r.row) for r in evalset.rejections() if r.reason == "external_link"
    }
    report = report_for_writers(evalset)
    told = {
        (one.article, remark.place.table, remark.place.row)
        for one in report.articles
        for remark in one.remarks
    }
    assert external
    assert not external & told


def test_a_link_to_a_file_that_is_not_in_the_build_is_told_apart(build: Build) -> None:
    found = remarks(build, ("何度？", "", '<a href="other.html#x">湯の温度</a>'))[0]
    assert (found.fault, found.detail, found.headings) == (
        ReferenceFault.OUTSIDE,
        "no file other.html in the build",
        (),
    )


def test_articles_in_order_are_counted(build: Build) -> None:
    rows = {"a": [("何分？", "", "蒸らす時間")], "b": [("何時？", "", "いつか")], "c": []}
    pages = {name: (table, SECTIONS) for name, table in rows.items()}
    report = report_for_writers(build("x", pages))
    assert ([one.article for one in report.articles], report.sound, report.rows) == (["b"], 1, 2)
    assert report.count(ReferenceFault.DEAD) == 1
