"""The six set-ups that search is compared with, as data.

BM25, TF-IDF and LSA over character n-grams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import FunctionTransformer, normalize

from hayami.evaluate.bm25 import Bm25, Scores, fold_text

_LSA_TERMS: Final = 30_000
"""The most frequent 2-grams that LSA is fitted on."""
_LSA_BLOCK: Final = 256
"""Queries scored at a time: 100 MB for 100,000 sections."""


class SearchIndex(Protocol):
    """What a set-up makes of a corpus."""

    @property
    def remark(self) -> str:
        """What is to be known of it; empty if it is as asked for."""
        ...

    def scores(self, queries: Sequence[str]) -> Iterator[Scores]:
        """For each query the score of every section of the corpus, in its order."""
        ...


class TfIdf:
    """An index that scores by the cosine of TF-IDF vectors over character n-grams.

    The term frequency is sublinear: 1 + ln tf.
    """

    remark = ""

    def __init__(self, texts: Iterable[str], *, grams: tuple[int, int]) -> None:
        self._vectorizer = _tfidf(grams, None)
        self._weights = self._vectorizer.fit_transform(texts).tocsc()

    def scores(self, queries: Sequence[str]) -> Iterator[Scores]:
        """For each query its cosine with every section, 0 to 1."""
        for row in self._vectorizer.transform(
            queries
        ):  # one at a time: memory does not grow with the queries
            yield self._weights[:, row.indices] @ row.data


class Lsa:
    """An index that scores by the cosine of TF-IDF vectors reduced by a truncated SVD.

    A corpus with fewer sections or n-grams than ``dimensions`` is reduced to one dimension less
    than it has.
    Source: Deerwester et al., Indexing by Latent Semantic Analysis (1990).
    """

    def __init__(self, texts: Iterable[str], *, dimensions: int, seed: int) -> None:
        self._vectorizer = _tfidf((2, 2), _LSA_TERMS)
        weights = self._vectorizer.fit_transform(texts)
        # The randomized solver of scikit-learn wants fewer components than the matrix has rows or
        # columns.
        self.dimensions = min(dimensions, max(1, min(weights.shape) - 1))
        self.remark = ""
        if self.dimensions < dimensions:
            what = "dimensions: the corpus bears no more"
            self.remark = f"{self.dimensions} of {dimensions} {what}"
        if weights.shape[1] > 1:
            with np.errstate(
                invalid="ignore"
            ):  # sections that are all alike have no variance to be explained
                self._svd = TruncatedSVD(self.dimensions, random_state=seed).fit(weights)
        else:
            self._svd = FunctionTransformer(lambda counted: counted.toarray())
        self._sections = normalize(self._svd.transform(weights)).astype(np.float32)

    def scores(self, queries: Sequence[str]) -> Iterator[Scores]:
        """For each query its cosine with every section, -1 to 1.

        Minus infinity if it holds no n-gram of the corpus.
        """
        for begin in range(0, len(queries), _LSA_BLOCK):
            block = self._vectorizer.transform(queries[begin : begin + _LSA_BLOCK])
            cosines = normalize(self._svd.transform(block)).astype(np.float32) @ self._sections.T
            cosines[np.diff(block.indptr) == 0] = -np.inf
            yield from cosines


def _tfidf(grams: tuple[int, int], terms: int | None) -> TfidfVectorizer:
    return TfidfVectorizer(
        analyzer="char",
        ngram_range=grams,
        preprocessor=fold_text,
        lowercase=False,
        sublinear_tf=True,
        max_features=terms,
        dtype=np.float32,
    )


@dataclass(frozen=True, slots=True)
class SetUp:
    """A baseline with a name, as the seed names and sets it."""

    name: str
    meaning: str
    """One line that says what it is, with every parameter."""
    build: Callable[[Iterable[str], int], SearchIndex]
    """From the texts of the corpus and a seed to an index."""
    least: float = 0.0
    """Sections that score this or less are no results: 0 is what BM25 and TF-IDF give texts that
    share no n-gram."""


SET_UPS: Final = (
    SetUp(
        "bm25_2",
        "BM25, character 2-grams, k1 = 1.2, b = 0.75",
        lambda texts, _: Bm25(texts, grams=(2, 2), k1=1.2, b=0.75),
    ),
    SetUp(
        "bm25_23",
        "BM25, character 2- and 3-grams, k1 = 1.2, b = 0.75",
        lambda texts, _: Bm25(texts, grams=(2, 3), k1=1.2, b=0.75),
    ),
    SetUp(
        "bm25_2_b03",
        "BM25, character 2-grams, k1 = 1.2, b = 0.3",
        lambda texts, _: Bm25(texts, grams=(2, 2), k1=1.2, b=0.3),
    ),
    SetUp(
        "tfidf_23",
        "cosine of TF-IDF, character 2- and 3-grams, sublinear tf",
        lambda texts, _: TfIdf(texts, grams=(2, 3)),
    ),
    SetUp(
        "lsa_128",
        (
            "cosine of LSA, 128 dimensions, on TF-IDF of the 30,000 most frequent character "
            "2-grams, sublinear tf"
        ),
        lambda texts, seed: Lsa(texts, dimensions=128, seed=seed),
        least=-np.inf,
    ),
    SetUp(
        "lsa_256",
        (
            "cosine of LSA, 256 dimensions, on TF-IDF of the 30,000 most frequent character "
            "2-grams, sublinear tf"
        ),
        lambda texts, seed: Lsa(texts, dimensions=256, seed=seed),
        least=-np.inf,
    ),
)
"""The set-ups in the order in which they are run when none is named."""
