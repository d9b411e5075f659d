"""What a judge gets to read: an item's sections, and others to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from hayami.audit.items import Item
from hayami.audit.sheets import set_folder, set_hash
from hayami.errors import EvalSetError
from hayami.evalset.folder import EvalSet, load
from hayami.evalset.names import Known, SectionName, known_sections, name_corpus, name_sections
from hayami.evalset.records import Section, article_of
from hayami.text.fold import fold
from hayami.verdicts.follow import Lost, follow, with_rival


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph or a deeper heading of a section."""

    text: str
    heading: bool = False
    meant: bool = False
    """Whether it is the heading that the reference of the row means."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A section to read."""

    id: str
    article: str
    title: str
    """Title of the article."""
    heading: str
    """Heading of the section; empty for an article without any."""
    language: str
    blocks: tuple[Paragraph, ...]
    """Its paragraphs and deeper headings, in their order."""


@dataclass(frozen=True, slots=True)
class Material:
    """All that a judge gets to read about one item."""

    judged: tuple[Passage, ...]
    """The sections to judge, in the order of the item; none for a rejected row."""
    others: tuple[Passage, ...]
    """The other sections of the articles that the item names, the item's own article first."""
    gone: tuple[str, ...]
    """Sections of the item, or its article, that the set does not have any more.

    If there are any, the item cannot be judged.
    """
    rebuilt: bool
    """Whether the set was built again since the sheet was drawn."""


def split_blocks(section: Section, meant: Iterable[str] = ()) -> tuple[Paragraph, ...]:
    """The paragraphs and deeper headings of a section.

    Headings that fold as one of ``meant`` are marked.
    """
    wanted = {fold(heading) for heading in meant}
    deeper = iter(section.headings)
    expected = next(deeper, None)
    blocks: list[Paragraph] = []
    for line in section.text.split("\n"):
        heading = line == expected
        if heading:
            expected = next(deeper, None)
        if line.strip():
            blocks.append(Paragraph(line, heading, heading and fold(line) in wanted))
    return tuple(blocks)


class SetTexts:
    """An eval set for a judge: names of all sections, texts of the articles that a sheet is about.

    Args:
        evalset: the set; its corpus is read once.
        articles: ids of the articles whose texts are kept at hand.
    """

    def __init__(self, evalset: EvalSet, articles: Iterable[str]) -> None:
        self.evalset = evalset
        self.hash = set_hash(evalset)
        self.languages = {article.id: article.language for article in evalset.articles()}
        self._titles: dict[str, str] = {}
        self._texts: dict[str, dict[str, Section]] = {article: {} for article in articles}
        self.names: Mapping[str, SectionName] = name_corpus(self._kept(evalset.sections()))
        self._known: dict[str, list[Known]] = {}

    def _kept(self, sections: Iterable[Section]) -> Iterator[Section]:
        for section in sections:
            self._titles[section.article] = section.title
            if section.article in self._texts:
                self._texts[section.article][section.id] = section
            yield section

    def passages(
        self, ids: Sequence[str], meant: Mapping[str, Sequence[str]] | None = None
    ) -> list[Passage]:
        """Sections by id, in the order asked for; those that the set does not have are left out.

        Args:
            ids: ids of sections.
            meant: by id, the headings that references mean.
        """
        found = self._sections({section for section in ids if section in self.names})
        marked = meant or {}
        return [
            self._passage(found[section], marked.get(section, ()))
            for section in ids
            if section in found
        ]

    def _sections(self, ids: AbstractSet[str]) -> dict[str, Section]:
        """Sections of the set by id; the corpus is read again for those of other articles."""
        found: dict[str, Section] = {}
        far: set[str] = set()
        for section in ids:
            at_hand = self._texts.get(self.names[section].article)
            if at_hand is None:
                far.add(section)
            else:
                found[section] = at_hand[section]
        if far:
            found |= {one.id: one for one in self.evalset.sections() if one.id in far}
        return found

    def _passage(self, section: Section, meant: Sequence[str] = ()) -> Passage:
        language = self.languages.get(section.article, "")
        blocks = split_blocks(section, meant)
        return Passage(
            section.id, section.article, section.title, section.heading, language, blocks
        )

    def find(self, words: str, limit: int = 20) -> list[Passage]:
        """The sections of the whole set whose heading, or article's title, has all the words.

        At most ``limit``; those that have them in the heading come first. Upper and lower case,
        width and spacing do not matter.
        """
        wanted = [fold(word) for word in words.split()]
        if not wanted:
            return []
        first: list[str] = []
        later: list[str] = []
        for name in self.names.values():
            heading = fold(name.heading)
            rest = [word for word in wanted if word not in heading]
            if not rest:
                first.append(name.section)
            elif _all_in(rest, fold(self._titles[name.article])):
                later.append(name.section)
            if len(first) == limit:
                break
        return self.passages((first + later)[:limit])

    def gone(self, item: Item) -> tuple[str, ...]:
        """What the item is about and the set does not have: sections, or its article."""
        if item.article not in self.languages:
            return (item.article,)
        return tuple(section for section in item.sections if self.today(item, section) is None)

    def today(self, item: Item, section: str) -> str | None:
        """The id that a section of an item has in this set, which may have been built again since.

        None if it is not there any more, or if telling which one was meant would be a guess.
        """
        name = item.names.get(section)
        if item.set_sha256 != self.hash and name is not None:
            return self.find_name(name)
        return section if section in self.names else None

    def find_name(self, name: SectionName) -> str | None:
        """The id that a named section has in this set; None if that would be a guess."""
        found = follow(name, self._known_of(name.article))
        return None if isinstance(found, Lost) else found

    def name(self, section: str) -> SectionName:
        """The name of a section of the set, with what it holds and how like it its neighbours are.

        Raises:
            KeyError: the set has no such section.
        """
        article = self.names[section].article
        names = {name.section: name for name in name_sections(self._known_of(article), article)}
        return with_rival(names[section], names.values())

    def _known_of(self, article: str) -> list[Known]:
        """The sections of an article with their fingerprints; other articles are read once more."""
        if article not in self._known:
            at_hand = self._texts.get(article)
            sections: Iterable[Section] = () if at_hand is None else at_hand.values()
            if at_hand is None:
                sections = (one for one in self.evalset.sections() if one.article == article)
            self._known[article] = known_sections(sections, {article}).get(article, [])
        return self._known[article]

    def material(self, item: Item, *, blind: bool = False) -> Material:
        """What there is to read about an item.

        Args:
            item: a line of a sheet of this set.
            blind: leaves out the articles that only the evidence names.
        """
        today = {section: self.today(item, section) for section in item.sections}
        meant: dict[str, list[str]] = {}
        for target in item.targets:
            meant.setdefault(today.get(target.section) or "", []).append(target.heading)
        judged = self.passages([section for section in today.values() if section], meant)
        seen = {passage.id for passage in judged}
        others: list[Passage] = []
        for article in articles_of(item, blind=blind):
            there = self._texts.get(article, {}).values()
            others += [self._passage(section) for section in there if section.id not in seen]
        rebuilt = item.set_sha256 != self.hash
        return Material(tuple(judged), tuple(others), self.gone(item), rebuilt)


def _all_in(words: Iterable[str], text: str) -> bool:
    return all(word in text for word in words)


def articles_of(item: Item, *, blind: bool = False) -> list[str]:
    """The articles that an item names, its own first; ``blind`` leaves out its candidates'."""
    named = [item.article, *(article_of(section) for section in item.sections)]
    named += [row.article for row in item.rows]
    if not blind:
        named += [candidate.article for candidate in item.candidates]
    return list(dict.fromkeys(named))


def read_texts(
    items: Sequence[Item], sheet: Path, folder: Path | None = None
) -> dict[str, SetTexts]:
    """The sets that the items of a sheet were drawn from, by the items' ``set``.

    Args:
        items: the lines of the sheet.
        sheet: its file: the items name their set relative to it.
        folder: a set to be used instead of the one that the items name.

    Raises:
        EvalSetError: a set is not there.
    """
    wanted: dict[str, set[str]] = {}
    sets: dict[str, EvalSet] = {}
    for item in items:
        wanted.setdefault(item.set, set()).update(articles_of(item))
        if item.set not in sets:
            place = folder or set_folder(item, sheet)
            sets[item.set] = _open_set(place, named=folder is None)
    return {name: SetTexts(evalset, wanted[name]) for name, evalset in sets.items()}


def _open_set(folder: Path, *, named: bool) -> EvalSet:
    try:
        return load(folder)
    except EvalSetError as error:
        if not named:
            raise
        hint = (
            "The sheet names this folder as its set; "
            "if it was moved, say where it is with --set DIR."
        )
        raise EvalSetError(error.what, where=error.where, hint=hint) from error
