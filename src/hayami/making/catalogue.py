"""All articles of a build between its two steps.

Packed in a temporary file, found by path, title and id.
"""

from __future__ import annotations

import json
import pickle
import tempfile
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from hayami.evalset.names import Known
from hayami.evalset.records import Article
from hayami.extract.readers import other_suffixes
from hayami.label.library import Register
from hayami.parts import Label, NoLabel, Outline, Row
from hayami.text.fingerprint import fingerprint
from hayami.text.numbering import Number
from hayami.text.overlap import Wording

_OUTLINES: Final = 64
"""Outlines kept in memory while articles that refer to each other are joined."""
_WORDINGS: Final = 32
"""Texts of sections kept in memory while questions are compared with them."""


@dataclass(frozen=True)
class Entry:
    """One article between the two steps: what the join needs.

    ``outcomes`` has a bare Row where others are needed.
    """

    article: Article
    outline: Outline
    ordinals: tuple[int, ...]
    outcomes: tuple[Label | NoLabel | Row, ...]


@dataclass(frozen=True, slots=True)
class Portion:
    """What a worker sends back for one file.

    Lines for the files of the set, and the rest of the article packed.
    """

    id: str
    path: str
    numbers: tuple[Number, ...]
    served: tuple[str, ...]
    """Addresses of the page that is made of the file."""
    ordinals: tuple[int, ...]
    language: str
    rows: Counter[str]
    """Rows by detector."""
    tables: int
    warnings: tuple[str, ...]
    corpus: bytes
    line: bytes
    entry: bytes


class Spool:
    """A temporary file of packed values, read back by the place where each begins."""

    def __init__(self, folder: Path) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115 - closed by close()

    def append(self, packed: bytes) -> int:
        """Adds a packed value; gives its place."""
        place = self._file.seek(0, 2)
        self._file.write(len(packed).to_bytes(8, "big") + packed)
        return place

    def read(self, place: int) -> bytes:
        """The packed value at a place."""
        self._file.seek(place)
        return self._file.read(int.from_bytes(self._file.read(8), "big"))

    def close(self) -> None:
        """Frees the space on the disk."""
        self._file.close()


@dataclass
class Catalogue(Register):
    """All articles of a build by path and title, without their texts: the library of the join."""

    spool: Spool
    places: dict[str, int] = field(default_factory=dict)
    """Where the entry of each article id is."""
    ordinals: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Corpus sections of each article."""
    with_rows: set[str] = field(default_factory=set)
    """Ids of the articles that have rows."""
    corpus: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Where in the corpus file the sections of each article begin, and how many bytes they take."""
    _written: int = 0
    _recent: OrderedDict[str, Outline] = field(default_factory=OrderedDict)

    @property
    def suffixes(self) -> Sequence[str]:
        """What files of articles end in, beside ``.html`` and ``.htm``."""
        return other_suffixes()

    def add(self, portion: Portion) -> None:
        """Notes an article that was read."""
        self.places[portion.id] = self.spool.append(portion.entry)
        self.enter(portion.id, portion.path, portion.numbers, portion.served)
        self.ordinals[portion.id] = portion.ordinals
        self.corpus[portion.id] = (self._written, len(portion.corpus))
        self._written += len(portion.corpus)
        if portion.rows:
            self.with_rows.add(portion.id)

    def entry(self, article: str) -> Entry:
        """An article as its worker packed it."""
        entry: Entry = pickle.loads(self.spool.read(self.places[article]))  # noqa: S301 - our own temporary file
        return entry

    def outline_of(self, article: str) -> Outline:
        """The outline of an article; those that were asked for last are kept in memory."""
        if article in self._recent:
            self._recent.move_to_end(article)
        else:
            self._recent[article] = self.entry(article).outline
            if len(self._recent) > _OUTLINES:
                self._recent.popitem(last=False)
        return self._recent[article]

    def known(self, article: str) -> list[Known]:
        """The corpus sections of an article with their headings.

        As :mod:`hayami.verdicts.effect` looks them up.
        """
        if article not in self.places:
            return []
        outline = self.outline_of(article)
        headings = {h.section: h.text for h in outline.headings if h.unit}
        ids = self.sections({article})[article]
        return [
            Known(i, headings.get(n, outline.title))
            for i, n in zip(ids, self.ordinals[article], strict=True)
        ]

    def sections(self, articles: set[str]) -> dict[str, list[str]]:
        """The ids of the corpus sections of some articles."""
        return {
            a: [f"{a}#{n}" if n >= 0 else f"{a}#lead" for n in self.ordinals[a]] for a in articles
        }


class CorpusLines:
    """The corpus that is being written, read back article by article; nothing is kept in memory."""

    def __init__(self, corpus: Path, catalogue: Catalogue) -> None:
        self._file = corpus.open("rb")
        self._catalogue = catalogue

    def of(self, article: str) -> dict[str, bytes]:
        """The lines of an article's sections by id, in their order."""
        place, size = self._catalogue.corpus[article]
        self._file.seek(place)
        lines = self._file.read(size).split(b"\n")
        return dict(zip(self._catalogue.sections({article})[article], lines, strict=False))

    def close(self) -> None:
        """Lets go of the file."""
        self._file.close()


class Contents:
    """The sections of the articles with fingerprints of their texts, as verdicts look them up."""

    def __init__(self, corpus: Path, catalogue: Catalogue) -> None:
        self._lines = CorpusLines(corpus, catalogue)
        self._catalogue = catalogue
        self._known: dict[str, list[Known]] = {}

    def known(self, article: str) -> list[Known]:
        """The corpus sections of an article; none if there is no such article."""
        if article not in self._known:
            self._known[article] = self._read(article)
        return self._known[article]

    def _read(self, article: str) -> list[Known]:
        bare = self._catalogue.known(article)
        lines = self._lines.of(article) if bare else {}
        texts = {one.id: json.loads(lines[one.id])["text"] for one in bare}
        return [one._replace(content=fingerprint(texts[one.id])) for one in bare]

    def close(self) -> None:
        """Lets go of the file."""
        self._lines.close()


class Wordings:
    """The texts of the corpus that is being written, read back to compare questions with them.

    Few are kept in memory: few sections are targets, and questions of one article have mostly its
    own.
    """

    def __init__(self, corpus: Path, catalogue: Catalogue) -> None:
        self._corpus = CorpusLines(corpus, catalogue)
        self._recent: OrderedDict[str, Wording] = OrderedDict()
        self._article = ""
        self._lines: dict[str, bytes] = {}

    def of(self, section: str) -> Wording:
        """The wording of a section of the corpus."""
        if section in self._recent:
            self._recent.move_to_end(section)
            return self._recent[section]
        wording = self._recent[section] = self._read(section)
        if len(self._recent) > _WORDINGS:
            self._recent.popitem(last=False)
        return wording

    def _read(self, section: str) -> Wording:
        article = section.rpartition("#")[0]
        if article != self._article:
            self._article, self._lines = article, self._corpus.of(article)
        record = json.loads(self._lines[section])
        return Wording.of(record["heading"], record["headings"], record["text"])

    def close(self) -> None:
        """Lets go of the file."""
        self._corpus.close()
