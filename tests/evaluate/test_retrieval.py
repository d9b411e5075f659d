from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hayami
from hayami.errors import EvalSetError
from hayami.evaluate.baselines import SET_UPS, Lsa, SetUp, TfIdf
from hayami.evaluate.retrieval import Terms, best, questions, search, text_of

by_name = pytest.mark.parametrize("set_up", SET_UPS, ids=lambda set_up: set_up.name)


@pytest.mark.parametrize(
    "set_up", SET_UPS[:-1], ids=lambda set_up: set_up.name
)  # the last takes seconds
def test_each_baseline_ranks_sections_and_finds_most_answers(
    set_up: SetUp, sample: hayami.Built
) -> None:
    evalset = hayami.load(sample.folder)
    known = {section.id for section in evalset.sections()}
    rankings = search(evalset, set_up, Terms(top=10)).rankings
    assert list(rankings) == [query.qid for query in evalset.queries()]
    for ranked in rankings.values():
        assert 1 <= len(ranked) <= 10
        assert ranked.keys() <= known
        assert list(ranked.items()) == sorted(
            ranked.items(), key=lambda one: (one[1], one[0]), reverse=True
        )
    assert (
        np.mean(
            [
                bool(query.relevant.keys() & rankings[query.qid].keys())
                for query in evalset.queries()
            ]
        )
        > 0.7
    )


@by_name
def test_a_search_gives_the_same_twice(set_up: SetUp, bakery_set: Path) -> None:
    assert search(hayami.load(bakery_set), set_up, Terms()) == search(
        hayami.load(bakery_set), set_up, Terms()
    )


def test_a_smaller_top_is_the_beginning_of_a_larger_one(sample: hayami.Built) -> None:
    evalset = hayami.load(sample.folder)
    more, fewer = (search(evalset, SET_UPS[0], Terms(top=top)).rankings for top in (30, 3))
    assert {qid: list(ranked)[:3] for qid, ranked in more.items()} == {
        q: list(ranked) for q, ranked in fewer.items()
    }


def test_the_topic_goes_before_the_question_if_asked_for(bakery_set: Path) -> None:
    evalset = hayami.load(bakery_set)
    plain, prefixed = questions(evalset), questions(evalset, prefix_topic=True)
    assert "膨らまないとき" in [question.query for question in plain]
    assert "食パンの焼き方 膨らまないとき" in [question.query for question in prefixed]
    assert search(evalset, SET_UPS[0], Terms()) != search(
        evalset, SET_UPS[0], Terms(prefix_topic=True)
    )


def test_only_the_chosen_fields_are_searched(bakery_set: Path) -> None:
    section = next(hayami.load(bakery_set).sections())
    assert text_of(section).startswith(section.heading)
    assert section.title not in text_of(section)
    assert text_of(section, ("heading", "title")) == f"{section.title}\n{section.heading}"


def test_equal_scores_are_ordered_by_id_descending_also_at_the_cut() -> None:
    ids = ["a", "c", "b", "d", "e"]
    tie = np.array([sorted(ids, reverse=True).index(one) for one in ids])
    scores = np.array([1, 1, 1, 2, 0], dtype=np.float32)
    assert [ids[place] for place in best(scores, tie, 3, 0.0)] == ["d", "c", "b"]
    assert [ids[place] for place in best(scores, tie, 9, 0.0)] == ["d", "c", "b", "a"]
    assert best(scores, tie, 9, 5.0) == []


def test_a_question_that_shares_no_n_gram_with_the_corpus_finds_nothing() -> None:
    texts = ["ポート番号の一覧", "パンの焼き方"]
    assert next(TfIdf(texts, grams=(2, 3)).scores(["xyz"])).tolist() == [0.0, 0.0]
    assert np.isneginf(next(Lsa(texts, dimensions=128, seed=0).scores(["xyz"]))).all()


def test_cosines_are_at_most_one_and_that_for_the_text_itself() -> None:
    texts = ["ポート番号の一覧", "パンの焼き方", "番号の付け方と一覧"]
    for index in (TfIdf(texts, grams=(2, 3)), Lsa(texts, dimensions=2, seed=0)):
        scores = np.array(list(index.scores(texts)))
        assert scores.diagonal() == pytest.approx(1.0, abs=1e-5)
        assert scores.max() <= 1 + 1e-5


def test_lsa_takes_no_more_dimensions_than_a_small_corpus_has() -> None:
    assert Lsa(["ab", "abc", "bcd"], dimensions=128, seed=0).dimensions == 2
    assert Lsa(["ab"], dimensions=128, seed=0).dimensions == 1
    assert next(Lsa(["ab"], dimensions=128, seed=0).scores(["abab"])).tolist() == [1.0]
    assert next(Lsa(["abc"], dimensions=128, seed=0).scores(["abc"])).tolist() == pytest.approx(
        [1.0]
    )


def test_lsa_scores_many_questions_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    index = Lsa(["ポート番号の一覧", "パンの焼き方", "番号の付け方"], dimensions=2, seed=0)
    whole = list(index.scores(["番号", "焼き方", "付け方"]))
    monkeypatch.setattr("hayami.evaluate.baselines._LSA_BLOCK", 2)
    assert np.allclose(list(index.scores(["番号", "焼き方", "付け方"])), whole)


def test_a_set_without_a_query_is_refused(bakery_set: Path, sealed: Callable[[Path], None]) -> None:
    (bakery_set / "evalset.jsonl").write_bytes(b"")
    sealed(bakery_set)
    with pytest.raises(EvalSetError, match="holds no query"):
        search(hayami.load(bakery_set), SET_UPS[0], Terms())


@by_name
def test_a_corpus_without_text_is_refused(
    set_up: SetUp, bakery_set: Path, sealed: Callable[[Path], None]
) -> None:
    (bakery_set / "corpus.jsonl").write_bytes(b"")
    sealed(bakery_set)
    with pytest.raises(EvalSetError, match="holds no text to search"):
        search(hayami.load(bakery_set), set_up, Terms())


def test_a_damaged_corpus_is_named_with_its_line(
    bakery_set: Path, tmp_path: Path, sealed: Callable[[Path], None]
) -> None:
    folder = Path(shutil.copytree(bakery_set, tmp_path / "damaged"))
    (folder / "corpus.jsonl").write_text('{"id": 3}\n', encoding="utf-8")
    sealed(folder)
    with pytest.raises(EvalSetError) as raised:
        search(hayami.load(folder), SET_UPS[0], Terms())
    assert raised.value.where == f"{folder / 'corpus.jsonl'}:1"


def test_a_corpus_that_bears_fewer_dimensions_says_how_many_were_used(bakery_set: Path) -> None:
    evalset = hayami.load(bakery_set)
    sections = sum(1 for _ in evalset.sections())
    remarks = {one.name: search(evalset, one, Terms()).remark for one in SET_UPS}
    told = f"{sections - 1} of 256 dimensions: the corpus bears no more"
    assert remarks.pop("lsa_256") == told
    assert remarks.pop("lsa_128").startswith(f"{sections - 1} of 128 ")
    assert set(remarks.values()) == {""}
    assert Lsa(["ab cd ef"] * 5 + ["gh ij"] * 5, dimensions=2, seed=0).remark == ""
