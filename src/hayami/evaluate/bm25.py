"""BM25 over character n-grams, on sparse matrices.

scikit-learn cuts the n-grams, the formula stands here.
"""

from __future__ import annotations

import unicodedata
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix
from sklearn.feature_extraction.text import CountVectorizer

Scores = NDArray[np.float32]
"""One score for each section of the corpus, in its order."""
_BLOCK: Final = 1 << 22
"""Entries of the matrix that are weighted at a time: some 50 MB of scratch memory, whatever the
corpus."""


def fold_text(text: str) -> str:
    """The text that n-grams are cut from: NFKC, then lower case."""
    return unicodedata.normalize("NFKC", text).lower()


class Bm25:
    """An index that scores every section of a corpus for a query by BM25 over character n-grams.

    The score of section d for query q is the sum, over the n-grams t of q (one that stands twice
    counts twice), of

        idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length(d) / mean length))
        idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5))

    where tf is how often t stands in d, df in how many of the N sections it stands, and a length is
    a number of n-grams. N-grams that the corpus does not hold add nothing.

    Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009),
    with the idf of Lucene, which is never negative.
    """

    remark = ""
    """Nothing is to be known of an index that is as asked for."""

    def __init__(
        self, texts: Iterable[str], *, grams: tuple[int, int], k1: float, b: float
    ) -> None:
        vectorizer = CountVectorizer(
            analyzer="char", ngram_range=grams, preprocessor=fold_text, lowercase=False
        )
        self._cut: Callable[[str], list[str]] = vectorizer.build_analyzer()
        self._places = defaultdict[str, int]()
        self._weights = _weighted(self._count(texts), k1, b)

    def _count(self, texts: Iterable[str]) -> csr_matrix:
        """How often each n-gram stands in each section, sections by n-grams.

        Fills the table of n-grams.

        CountVectorizer does the same with twice the memory: it keeps the columns in a list and
        sorts the n-grams.

        Raises:
            ValueError: no text holds an n-gram.
        """
        places = self._places
        places.default_factory = places.__len__
        columns, counts, ends = array("i"), array("f"), array("q", [0])
        for text in texts:
            counted = Counter(self._cut(text))
            columns.extend(map(places.__getitem__, counted))
            counts.extend(counted.values())
            ends.append(len(columns))
        places.default_factory = None
        if not places:
            raise ValueError("empty vocabulary")
        parts = (
            np.frombuffer(counts, np.float32),
            np.frombuffer(columns, np.intc),
            np.frombuffer(ends, np.int64),
        )
        return csr_matrix(parts, shape=(len(ends) - 1, len(places)))

    def scores(self, queries: Sequence[str]) -> Iterator[Scores]:
        """For each query the score of every section; 0 where they share no n-gram."""
        for query in queries:
            counted = {
                gram: times
                for gram, times in Counter(self._cut(query)).items()
                if gram in self._places
            }
            columns = [self._places[gram] for gram in counted]
            yield self._weights[:, columns] @ np.array(list(counted.values()), dtype=np.float32)


def _weighted(counts: csr_matrix, k1: float, b: float) -> csc_matrix:
    """The counts, sections by n-grams, turned into what each n-gram adds to a section's score."""
    sections = counts.shape[0]
    lengths = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    mean = lengths.mean() or 1.0
    damping = (k1 * (1 - b + b * lengths / mean)).astype(np.float32)
    weights = counts.tocsc()
    del counts  # half of the memory, before the rest is needed
    document_frequency = np.diff(weights.indptr)
    idf = np.log1p((sections - document_frequency + 0.5) / (document_frequency + 0.5))
    _weigh(weights, damping, (idf * (k1 + 1)).astype(np.float32))
    return weights


def _weigh(weights: csc_matrix, damping: Scores, boost: Scores) -> None:
    """Turns counts into weights, in place and block by block; ``boost`` is by n-gram."""
    for begin in range(0, weights.nnz, _BLOCK):
        tf = weights.data[begin : begin + _BLOCK]
        tf /= tf + damping[weights.indices[begin : begin + _BLOCK]]
        at = np.arange(begin, begin + len(tf))
        tf *= boost[np.searchsorted(weights.indptr, at, side="right") - 1]
