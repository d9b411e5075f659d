"""Pooling: what runs rank high and nobody judged, best rank first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

import hayami
from hayami.audit.items import Item, Kind, verdict_of
from hayami.audit.pool import Pool, PoolSize, make_pool
from hayami.audit.queue import make_queue
from hayami.audit.sheets import read_sheet, write_sheet
from hayami.errors import RunError
from hayami.evalset.records import Query, Ruling
from hayami.evalset.runs import Run, read_run
from hayami.verdicts.log import Verdict

SHEET = Path("pool.jsonl")


@pytest.fixture
def evalset(bakery_set: Path) -> hayami.EvalSet:
    return hayami.load(bakery_set)


@pytest.fixture
def query(evalset: hayami.EvalSet) -> Query:
    """A query with one target, yeast#0, and one other section in its article, yeast#1."""
    return next(query for query in evalset.queries() if query.query == "生種とドライの違い")


@pytest.fixture
def run_of(tmp_path: Path) -> Callable[..., Run]:
    def make(name: str, rankings: Mapping[str, Sequence[str]], file: str = "") -> Run:
        path = tmp_path / f"{file or name}.run"
        lines = [
            f"{qid} Q0 {section} {rank} {100 - rank} {name}\n"
            for qid, sections in rankings.items()
            for rank, section in enumerate(sections, 1)
        ]
        path.write_text("".join(lines), encoding="utf-8")
        return read_run(path)

    return make


def pairs(pool: Pool) -> list[tuple[str, str]]:
    return [(item.qid, item.sections[0]) for item in pool.items]


def said(item: Item, ruling: Ruling | None, *chosen: str, judge: str = "a") -> Verdict:
    return verdict_of(
        item.model_copy(update={"verdict": ruling, "chosen": chosen}), {}, judge, "2026-01-01"
    )


def test_the_target_is_judged_and_its_siblings_are_not(
    evalset: hayami.EvalSet, query: Query, run_of: Callable[..., Run]
) -> None:
    run = run_of("bm25", {query.qid: ["yeast#0", "yeast#1", "flour#0"]})
    pool = make_pool(evalset, [run], SHEET, PoolSize())
    assert pairs(pool) == [(query.qid, "yeast#1"), (query.qid, "flour#0")]
    assert (pool.unjudged, pool.judged, pool.queries) == (2, 1, 1)
    assert all(
        item.kind is Kind.POOL and item.question == query.query and item.seed is None
        for item in pool.items
    )


def test_only_the_depth_counts(
    evalset: hayami.EvalSet, query: Query, run_of: Callable[..., Run]
) -> None:
    run = run_of("bm25", {query.qid: ["yeast#1", "flour#0", "flour#1"]})
    assert pairs(make_pool(evalset, [run], SHEET, PoolSize(depth=1))) == [(query.qid, "yeast#1")]
    assert len(make_pool(evalset, [run], SHEET, PoolSize(depth=2)).items) == 2


def test_ties_of_a_run_are_broken_as_trec_eval_does(
    evalset: hayami.EvalSet, query: Query, tmp_path: Path
) -> None:
    path = tmp_path / "ties.run"
    path.write_text(
        "".join(f"{query.qid} Q0 {s} 1 5.0 t\n" for s in ("flour#0", "flour#1")), encoding="utf-8"
    )
    assert pairs(make_pool(evalset, [read_run(path)], SHEET, PoolSize(depth=1))) == [
        (query.qid, "flour#1")
    ]


def test_best_rank_first_then_more_runs_then_the_order_of_the_queries(
    evalset: hayami.EvalSet, run_of: Callable[..., Run]
) -> None:
    qids = [query.qid for query in evalset.queries()]
    first = run_of("a", {qids[0]: ["flour#1", "flour#0"], qids[-1]: ["yeast#1"]})
    second = run_of("b", {qids[-1]: ["yeast#1", "flour#1"]})
    third = run_of("c", {qids[1]: ["flour#1"]})
    pool = make_pool(evalset, [first, second, third], SHEET, PoolSize())
    assert pairs(pool) == [
        (qids[-1], "yeast#1"),
        (qids[0], "flour#1"),
        (qids[1], "flour#1"),
        (qids[-1], "flour#1"),
    ]
    assert pool.items[0].why == "rank 1; found by 2 of 3 runs (rank in each: a 1, b 1)"
    assert pool.items[3].why == "rank 2; found by 1 of 3 runs (rank in each: b 2)"


def test_runs_of_one_name_are_told_apart(
    evalset: hayami.EvalSet, query: Query, run_of: Callable[..., Run]
) -> None:
    runs = [run_of("x", {query.qid: ["flour#0"]}, file=file) for file in ("old", "new")]
    why = make_pool(evalset, runs, SHEET, PoolSize()).items[0].why
    assert "x (old.run, 1) 1, x (new.run, 2) 1" in why


def test_a_short_sheet_is_the_begin_of_the_long_one(
    evalset: hayami.EvalSet, query: Query, run_of: Callable[..., Run]
) -> None:
    run = run_of("bm25", {query.qid: ["yeast#1", "flour#0", "flour#1"]})
    short = make_pool(evalset, [run], SHEET, PoolSize(n=2))
    assert pairs(short) == [(query.qid, "yeast#1"), (query.qid, "flour#0")]
    assert short.unjudged == 3
    assert {(item.population, item.drawn) for item in short.items} == {(3, 2)}


@pytest.mark.parametrize(
    ("ruling", "stays"),
    [(Ruling.RIGHT, False), (Ruling.WRONG, False), (Ruling.UNSURE, True), (None, True)],
)
def test_what_was_pooled_before_is_left_out(
    evalset: hayami.EvalSet,
    query: Query,
    run_of: Callable[..., Run],
    ruling: Ruling | None,
    *,
    stays: bool,
) -> None:
    run = run_of("bm25", {query.qid: ["yeast#1", "flour#0"]})
    first = make_pool(evalset, [run], SHEET, PoolSize())
    again = make_pool(evalset, [run], SHEET, PoolSize(), verdicts=[said(first.items[0], ruling)])
    assert ((query.qid, "yeast#1") in pairs(again)) == stays
    assert (query.qid, "flour#0") in pairs(again)


def test_what_judges_of_the_label_named_is_judged(
    evalset: hayami.EvalSet, query: Query, run_of: Callable[..., Run]
) -> None:
    from hayami.audit.draft import read_drafter

    label = read_drafter(evalset, SHEET).label(query)
    run = run_of("bm25", {query.qid: ["yeast#1", "flour#0"]})
    pool = make_pool(
        evalset, [run], SHEET, PoolSize(), verdicts=[said(label, Ruling.ALSO, "yeast#1")]
    )
    assert pairs(pool) == [(query.qid, "flour#0")]
    assert pool.judged == 1


def test_unknown_queries_and_sections_are_counted(
    evalset: hayami.EvalSet, query: Query, run_of: Callable[..., Run]
) -> None:
    run = run_of(
        "bm25", {query.qid: ["moon#1", "flour#0", "moon#0"], "q999": ["flour#0"], "q998": []}
    )
    pool = make_pool(evalset, [run], SHEET, PoolSize())
    assert pairs(pool) == [(query.qid, "flour#0")]
    assert (pool.unknown_queries, pool.unknown_sections) == (("q999",), ("moon#0", "moon#1"))


def test_a_run_of_another_set_is_refused(
    evalset: hayami.EvalSet, run_of: Callable[..., Run]
) -> None:
    with pytest.raises(RunError, match="no query of the set") as caught:
        make_pool(evalset, [run_of("bm25", {"topic-1": ["flour#0"]})], SHEET, PoolSize())
    assert "ids such as q1" in caught.value.hint
    assert caught.value.where.endswith("bm25.run")


def test_a_pool_goes_through_a_sheet(
    evalset: hayami.EvalSet, query: Query, run_of: Callable[..., Run], tmp_path: Path
) -> None:
    pool = make_pool(
        evalset,
        [run_of("bm25", {query.qid: ["yeast#1", "flour#0"]})],
        tmp_path / "p.csv",
        PoolSize(),
    )
    write_sheet(tmp_path / "p.csv", pool.items)
    assert read_sheet(tmp_path / "p.csv") == list(pool.items)
    assert len({item.item for item in pool.items}) == 2


def test_pooling_does_not_settle_the_label(
    evalset: hayami.EvalSet, query: Query, run_of: Callable[..., Run]
) -> None:
    pool = make_pool(evalset, [run_of("bm25", {query.qid: ["yeast#1"]})], SHEET, PoolSize())
    before = make_queue(evalset, SHEET)
    assert make_queue(evalset, SHEET, verdicts=[said(pool.items[0], Ruling.RIGHT)]) == before
