"""The queue.

What is doubtful comes first, with the reason, and what was settled does not come again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import hayami
from hayami.audit.items import Item, Kind, verdict_of
from hayami.audit.queue import DOUBTS, Queue, make_queue
from hayami.evalset.records import Flag, Match, Reason, Ruling
from hayami.verdicts.log import Verdict

SHEET = Path("queue.jsonl")


@pytest.fixture(scope="session")
def queue(sample: hayami.Built) -> Queue:
    return make_queue(hayami.load(sample.folder), SHEET)


@pytest.fixture(scope="session")
def evalset(sample: hayami.Built) -> hayami.EvalSet:
    return hayami.load(sample.folder)


def said(item: Item, ruling: Ruling, judge: str = "a") -> Verdict:
    return verdict_of(item.model_copy(update={"verdict": ruling}), {}, judge, "2026-01-01")


def first_doubts(items: Sequence[Item]) -> list[str]:
    """The doubt by which each item stands where it stands, read off its words."""
    words = {
        "contradict each other": "contradiction",
        "several headings fit": "ambiguous",
        "dead link within": "dead_place",
        "near the threshold": "near_threshold",
        "fits nearly as well": "close_behind",
        "no heading is what": "close_candidate",
        "fuzzy match": "fuzzy",
        "names nothing of its": "context_dependent",
        "an article as a whole": "whole_article",
        "stands in several": "duplicate",
        "is the heading of": "equals_heading",
        "no heading is like": "unmatched",
    }
    return [next(name for words_, name in words.items() if words_ in item.why) for item in items]


def test_the_least_sure_come_first(queue: Queue) -> None:
    names = [doubt.name for doubt in DOUBTS]
    places = [names.index(name) for name in first_doubts(queue.items)]
    assert places == sorted(places)
    assert queue.items[0].reason is Reason.AMBIGUOUS


def test_a_link_that_contradicts_its_text_comes_first(
    tmp_path: Path, make_article: Callable[..., str]
) -> None:
    rows = [
        ("湯は何度？", "", "湯の"),
        ("何分？", "", '<a href="#s0">蒸らす時間</a>'),
        ("何グラム？", "", '<a href="#gone">量</a>'),
    ]
    page = make_article("茶", rows, ["湯の温度", "湯の量", "蒸らす時間"])
    (tmp_path / "a.html").write_text(page, encoding="utf-8")
    built = hayami.build([tmp_path / "a.html"], tmp_path / "set")
    first, *others = make_queue(hayami.load(built.folder), SHEET).items
    assert (first.question, first.reason) == ("何分？", Reason.CONTRADICTION)
    assert first.why == (
        "the link and its text contradict each other: "
        "the link leads to 湯の温度, its text is 蒸らす時間"
    )
    assert [candidate.heading for candidate in first.candidates] == ["蒸らす時間", "湯の温度"]
    assert Reason.AMBIGUOUS in {item.reason for item in others}


def test_every_item_says_why(queue: Queue) -> None:
    assert all(item.why and item.seed is None and item.stratum == "all" for item in queue.items)
    assert {(item.population, item.drawn) for item in queue.items} == {(91, 91)}


def test_doubts_are_counted_by_the_first(queue: Queue) -> None:
    assert list(queue.waiting) == [doubt.name for doubt in DOUBTS if doubt.name in queue.waiting]
    assert sum(queue.waiting.values()) == len(queue.items)
    assert queue.waiting["ambiguous"] == 2


def test_a_reason_shows_what_the_build_saw(queue: Queue) -> None:
    why = {item.question: item.why for item in queue.items}
    accents = next(text for question, text in why.items() if "strip accents in Python" in question)
    assert (
        "Stripping Accents for URL Slugs (0.71) / Stripping Accents for Search Keys (0.68)"
        in accents
    )
    dead = next(item.why for item in queue.items if item.reason is Reason.BROKEN_LINK)
    assert dead.startswith("dead link within the article: no id")


def test_a_row_with_several_doubts_stands_once_and_tells_them_all(queue: Queue) -> None:
    assert len({item.item for item in queue.items}) == len(queue.items)
    both = [
        item
        for item in queue.items
        if item.match is Match.FUZZY and Flag.CONTEXT_DEPENDENT in item.flags
    ]
    assert both
    assert all("; the question names nothing" in item.why for item in both)


def test_among_fuzzy_matches_the_lowest_score_comes_first(queue: Queue) -> None:
    for word in ("near the threshold", "fuzzy match at"):
        scores = [
            min(t.score for t in item.targets if t.match is Match.FUZZY)
            for item in queue.items
            if item.match is Match.FUZZY and word in item.why and not item.why.startswith("“")
            if (word == "near the threshold") == ("near the threshold" in item.why)
            and "as well" not in item.why
        ]
        assert scores == sorted(scores)
        assert len(scores) >= 3


def test_the_threshold_is_that_of_the_build(tmp_path: Path, articles: Path) -> None:
    built = hayami.build([articles], tmp_path / "set", hayami.Settings(threshold=0.8))
    near = [
        i
        for i in make_queue(hayami.load(built.folder), SHEET).items
        if "near the threshold of 0.80" in i.why
    ]
    assert near
    assert all(
        0.8 <= min(t.score for t in item.targets) < 0.9
        for item in near
        if item.match is Match.FUZZY
    )


def test_sure_labels_are_not_in_the_queue(queue: Queue, evalset: hayami.EvalSet) -> None:
    waiting = {item.qid for item in queue.items}
    sure = [
        query
        for query in evalset.queries()
        if query.match in {Match.ANCHOR, Match.EXACT} and not query.flags
    ]
    assert sure
    assert not waiting & {query.qid for query in sure}


def test_rows_that_can_hide_no_label_are_not_in_the_queue(queue: Queue) -> None:
    reasons = {item.reason for item in queue.items if item.kind is Kind.REJECTION}
    assert reasons == {Reason.AMBIGUOUS, Reason.BROKEN_LINK, Reason.UNMATCHED, Reason.WHOLE_ARTICLE}


def test_a_short_queue_is_the_begin_of_the_long_one(evalset: hayami.EvalSet, queue: Queue) -> None:
    short = make_queue(evalset, SHEET, n=5)
    assert [item.item for item in short.items] == [item.item for item in queue.items[:5]]
    assert {(item.population, item.drawn) for item in short.items} == {(91, 5)}
    assert short.waiting == queue.waiting


def test_settled_rows_are_left_out(evalset: hayami.EvalSet, queue: Queue) -> None:
    done = [said(item, Ruling.WRONG) for item in queue.items[:6]]
    again = make_queue(evalset, SHEET, verdicts=done)
    assert [item.item for item in again.items] == [item.item for item in queue.items[6:]]
    assert (again.settled, again.conflicts) == (6, 0)


def test_a_merged_query_is_settled_only_if_all_its_rows_are(
    evalset: hayami.EvalSet, queue: Queue
) -> None:
    item = next(item for item in queue.items if len(item.rows) > 1)
    whole = said(item, Ruling.RIGHT)
    part = whole.model_copy(update={"rows": item.rows[:1]})
    assert item.item in {other.item for other in make_queue(evalset, SHEET, verdicts=[part]).items}
    assert make_queue(evalset, SHEET, verdicts=[whole]).settled == 1


def test_a_row_on_which_the_judge_was_unsure_stays(evalset: hayami.EvalSet, queue: Queue) -> None:
    again = make_queue(evalset, SHEET, verdicts=[said(queue.items[0], Ruling.UNSURE)])
    assert again.items[0].item == queue.items[0].item
    assert again.items[0].why.startswith("a judge could not tell; ")
    assert again.settled == 0


def test_a_verdict_taken_back_counts_as_none(evalset: hayami.EvalSet, queue: Queue) -> None:
    verdict = said(queue.items[0], Ruling.WRONG)
    back = verdict.model_copy(update={"ruling": None, "at": "2026-01-02"})
    assert make_queue(evalset, SHEET, verdicts=[verdict, back]).items == queue.items


def test_rows_in_conflict_are_left_to_the_command_for_them(
    evalset: hayami.EvalSet, queue: Queue
) -> None:
    item = queue.items[0]
    again = make_queue(
        evalset, SHEET, verdicts=[said(item, Ruling.WRONG), said(item, Ruling.NOTHING, "b")]
    )
    assert item.item not in {other.item for other in again.items}
    assert (again.settled, again.conflicts) == (0, 1)


def test_queries_that_a_verdict_made_are_left_out(bakery: Path, tmp_path: Path) -> None:
    folder = hayami.build([bakery], tmp_path / "set").folder
    item = next(i for i in make_queue(hayami.load(folder), SHEET).items if i.kind is Kind.LABEL)
    from hayami.verdicts.log import append_verdict

    append_verdict(tmp_path / "labels" / "verdicts-a.jsonl", said(item, Ruling.RIGHT))
    built = hayami.build([bakery], tmp_path / "set", labels=tmp_path / "labels")
    assert item.question not in {
        i.question for i in make_queue(hayami.load(built.folder), SHEET).items
    }


def test_links_to_files_that_are_not_there_come_last(
    tmp_path: Path, make_article: Callable[..., str]
) -> None:
    rows = [
        ("どこで買う？", "店", '<a href="shop.html#x">こちら</a>'),
        ("何度で焼くとよい？", "200", '<a href="#gone">こちら</a>'),
        ("パンの塩はどれだけ？", "2%", "まるで違う言葉"),
    ]
    (tmp_path / "a.html").write_text(
        make_article("パン", rows, ["焼成の温度", "水分"]), encoding="utf-8"
    )
    built = hayami.build([tmp_path / "a.html"], tmp_path / "set")
    queue = make_queue(hayami.load(built.folder), SHEET)
    assert list(queue.waiting) == ["dead_place", "unmatched", "dead_file"]
    assert queue.items[-1].why == "dead link: no file shop.html in the build"
