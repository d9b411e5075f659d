from __future__ import annotations

import math
import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.evaluate.bm25 import Bm25, fold_text

TEXTS = [
    "ＲＤＰのポート番号3389",
    "ポートを開ける。ポート番号の一覧",
    "Port numbers: a list",
    "パンの焼き方",
    "port",
]


def grams(text: str, least: int, most: int) -> list[str]:
    text = unicodedata.normalize("NFKC", text).lower()
    return [text[i : i + n] for n in range(least, most + 1) for i in range(len(text) - n + 1)]


def naive(query: str, texts: list[str], sizes: tuple[int, int], k1: float, b: float) -> list[float]:
    """BM25 as the formula reads, one n-gram of one section at a time."""
    sections = [grams(text, *sizes) for text in texts]
    mean = sum(map(len, sections)) / len(sections)
    scores = []
    for section in sections:
        score = 0.0
        for gram in grams(query, *sizes):
            df = sum(gram in other for other in sections)
            tf = Counter(section)[gram]
            if df:
                idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
                score += idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(section) / mean))
        scores.append(score)
    return scores


@pytest.mark.parametrize(
    ("sizes", "k1", "b"), [((2, 2), 1.2, 0.75), ((2, 3), 1.2, 0.75), ((2, 2), 1.2, 0.3)]
)
@pytest.mark.parametrize(
    "query", ["ポート番号", "RDPのポート番号", "PORT port", "焼", "", "無関係な語", "ポートポート"]
)
def test_scores_are_those_of_the_formula(
    query: str, sizes: tuple[int, int], k1: float, b: float
) -> None:
    found = next(Bm25(TEXTS, grams=sizes, k1=k1, b=b).scores([query]))
    assert found.tolist() == pytest.approx(naive(query, TEXTS, sizes, k1, b), rel=1e-5)


# A short alphabet, so that texts share n-grams; white space is left out: scikit-learn takes a run
# of it for one blank.
words = st.text("abcあいう番", min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(words, min_size=1, max_size=6).filter(lambda texts: any(len(t) > 1 for t in texts)),
    words,
)
def test_scores_are_those_of_the_formula_whatever_the_texts(texts: list[str], query: str) -> None:
    found = next(Bm25(texts, grams=(2, 3), k1=1.2, b=0.75).scores([query]))
    assert found.tolist() == pytest.approx(naive(query, texts, (2, 3), 1.2, 0.75), rel=1e-5)


def test_each_query_is_scored_by_itself() -> None:
    index = Bm25(TEXTS, grams=(2, 2), k1=1.2, b=0.75)
    together = list(index.scores(["ポート", "焼き方", ""]))
    alone = [next(index.scores([query])) for query in ("ポート", "焼き方", "")]
    assert np.array_equal(together, alone)


def test_the_size_of_the_blocks_does_not_change_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = next(Bm25(TEXTS, grams=(2, 3), k1=1.2, b=0.75).scores(["ポート番号"]))
    monkeypatch.setattr("hayami.evaluate.bm25._BLOCK", 7)
    assert np.array_equal(
        next(Bm25(TEXTS, grams=(2, 3), k1=1.2, b=0.75).scores(["ポート番号"])), whole
    )


def test_width_and_case_do_not_count() -> None:
    assert fold_text("ＡＢＣ ｱｲｳ Straße") == "abc アイウ straße"
