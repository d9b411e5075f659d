"""The pages as HTML: what an item, the overview and a section look like.

Every text in them is escaped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from hayami.audit.items import NAMING, RULINGS, Item, Kind
from hayami.audit.material import Material, Passage
from hayami.audit.session import Answer, Session
from hayami.audit.wording import JudgeWords
from hayami.evalset.names import SectionName
from hayami.evalset.records import Ruling, Target
from hayami.verdicts.log import Verdict

DIGITS: Final[dict[Ruling, str]] = {ruling: str(number) for number, ruling in enumerate(Ruling, 1)}
"""The key of each ruling: the same whatever is judged."""
INLINE: Final = 300_000
"""Characters of other sections that a page holds, because pages of 3 MB crawl.

Longer texts are read on a page of their own.
"""


@dataclass(frozen=True, slots=True)
class Command:
    """A command to run after judging, and a key of the wording that says what for."""

    line: str
    purpose: str


@dataclass(frozen=True, slots=True)
class Setup:
    """What all pages of a review have in common."""

    session: Session
    sheet: str
    """The sheet's name, for the title."""
    base: str
    """The path under which the pages are: ``/TOKEN/``."""
    blind: bool = False
    commands: tuple[Command, ...] = ()
    disagreements: Mapping[str, tuple[Verdict, ...]] = field(default_factory=dict)
    """By item, what the judges said who disagree."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A ruling to choose."""

    ruling: Ruling
    key: str
    name: str
    means: str
    names_sections: bool


@dataclass(frozen=True, slots=True)
class ArticleSections:
    """The sections of one article to choose from."""

    title: str
    language: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class SaidInWords:
    """What one judge said, in words."""

    judge: str
    ruling: str
    sections: tuple[str, ...]
    rewrite: str
    note: str


Fact = tuple[str, str]
"""A name and what stands under it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How hayami found what an item is about; nothing of it is shown to a blind judge."""

    facts: tuple[Fact, ...]
    """About the item as a whole."""
    targets: tuple[tuple[str, list[Fact]], ...]
    """For each section of the label, its heading and what speaks for it."""
    candidates: tuple[tuple[str, str, str], ...]
    """What a rejected row could mean: heading, article, similarity."""


_NO_EVIDENCE: Final = Evidence((), (), ())


class Pages:
    """Renders the pages of one review."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._environment = Environment(
            loader=PackageLoader("hayami.audit.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["phrase"] = _phrase

    def item(
        self,
        item: Item,
        words: JudgeWords,
        answer: Answer,
        *,
        message: str = "",
        alarm: bool = False,
    ) -> str:
        """The page of an item.

        Args:
            item: the item.
            words: the language.
            answer: what the form shows.
            message: what just happened; ``alarm`` if it is something that the judge has to mend.
            alarm: whether the message is announced at once.
        """
        session = self.setup.session
        material = session.material(item, blind=self.setup.blind)
        listed = _listed(material)
        far = [section for section in answer.chosen if section not in listed]
        disagreement = self.setup.disagreements.get(item.item, ())
        evidence = _NO_EVIDENCE if self.setup.blind else evidence_of(item, words)
        return self._render(
            "item.html",
            words,
            item=item,
            place=session.place(item.item),
            stamp=session.stamp(item),
            material=material,
            shelves=by_article(material.others),
            inline=inline_of(material.others),
            elsewhere=by_article(session.texts(item).passages(far)),
            answer=answer,
            choices=choices_of(item.kind, words),
            asked=_asked(material, item, words),
            facts=evidence.facts,
            targets=evidence.targets,
            candidates=evidence.candidates,
            disagreement=[said_of(said, item.kind, words) for said in disagreement],
            message=message,
            alarm=alarm,
        )

    def overview(self, words: JudgeWords, *, message: str = "") -> str:
        """The page after the last item: what was said, what is left, what to run next."""
        session = self.setup.session
        rows: list[tuple[int, Item, str]] = []
        counts: Counter[str] = Counter()
        for place, item in enumerate(session.items):
            said = session.said(item)
            standing = ""
            if said is not None and said.verdict is not None:
                standing = ruling_name(item.kind, said.verdict, words)
                counts[standing] += 1
            elif session.texts(item).gone(item):
                standing = words("is_gone")
            rows.append((place, item, standing))
        next_open = session.next_open()
        return self._render(
            "overview.html", words, rows=rows, counts=counts, open=next_open, message=message
        )

    def found(self, item: Item, words: JudgeWords, query: str) -> str:
        """What a search of headings finds in the whole set, as a piece of the item's page."""
        session = self.setup.session
        listed = _listed(session.material(item, blind=self.setup.blind))
        hits = session.texts(item).find(query)
        found = [passage for passage in hits if passage.id not in listed]
        return self._render(
            "found.html",
            words,
            place=session.place(item.item),
            shelves=by_article(found),
            count=len(found),
            inline=inline_of(found),
        )

    def passage(self, passage: Passage, words: JudgeWords) -> str:
        """The page of one section, for texts that are too long to stand in the list."""
        return self._render("passage.html", words, passage=passage)

    def fault(self, what: str, hint: str, words: JudgeWords) -> str:
        """The page that says what went wrong."""
        return self._render("fault.html", words, what=what, hint=hint)

    def _render(self, template: str, words: JudgeWords, **values: object) -> str:
        session = self.setup.session
        shared: dict[str, object] = {
            "words": words,
            "base": self.setup.base,
            "sheet": self.setup.sheet,
            "judge": session.judge,
            "progress": session.progress,
            "last": session.last(),
            "total": len(session.items),
            "commands": self.setup.commands,
        }
        return self._environment.get_template(template).render(shared | values)


def _phrase(heading: str, words: JudgeWords) -> str:
    """A heading, or the words that stand for none."""
    return heading or words("no_heading")


def choices_of(kind: Kind, words: JudgeWords) -> list[Choice]:
    """The rulings that go with a kind of item, with their keys."""
    return [
        Choice(
            ruling,
            DIGITS[ruling],
            ruling_name(kind, ruling, words),
            words(f"{kind}.{ruling}.means"),
            ruling in NAMING,
        )
        for ruling in RULINGS[kind]
    ]


def ruling_name(kind: Kind, ruling: Ruling, words: JudgeWords) -> str:
    """What the button of a ruling says."""
    return words(f"{kind}.{ruling}")


def by_article(passages: Iterable[Passage]) -> list[ArticleSections]:
    """Sections by article, in the order of the articles' first section."""
    by_article: dict[str, list[Passage]] = {}
    for passage in passages:
        by_article.setdefault(passage.article, []).append(passage)
    return [
        ArticleSections(some[0].title, some[0].language, tuple(some))
        for some in by_article.values()
    ]


def inline_of(passages: Iterable[Passage]) -> frozenset[str]:
    """The sections whose text stands in the page: the first ones, up to INLINE characters."""
    inline: set[str] = set()
    length = 0
    for passage in passages:
        length += sum(len(block.text) for block in passage.blocks)
        if length <= INLINE:
            inline.add(passage.id)
    return frozenset(inline)


def _asked(material: Material, item: Item, words: JudgeWords) -> str:
    if item.kind is Kind.LABEL and len(material.judged) > 1:
        return words("ask.labels", count=len(material.judged))
    return words(f"ask.{item.kind}")


def _listed(material: Material) -> frozenset[str]:
    """The sections that an item's page has anyway."""
    return frozenset(passage.id for passage in (*material.judged, *material.others))


def evidence_of(item: Item, words: JudgeWords) -> Evidence:
    """How hayami found what an item is about."""
    targets = () if item.kind is Kind.POOL else item.targets
    found = [(target.heading, target_facts(target, words, item.reference)) for target in targets]
    candidates = [(one.heading, one.article, f"{one.score:.2f}") for one in item.candidates]
    return Evidence(tuple(facts_of(item, words)), tuple(found), tuple(candidates))


def facts_of(item: Item, words: JudgeWords) -> list[Fact]:
    """The evidence about an item as a whole."""
    flags = (words.code("flag", flag) for flag in item.flags)
    named: Iterable[str] = ()
    if item.kind is Kind.POOL:
        named = (target.heading for target in item.targets)
    facts = [
        (words("why_shown"), item.why),
        (words("reason"), words.code("reason", item.reason) if item.reason else ""),
        (words("reference"), item.reference),
        (words("label_names"), " / ".join(named)),
        (words("flags"), " / ".join(flags)),
        (words("detector"), words.code("detector", item.detector) if item.detector else ""),
    ]
    return [(name, text) for name, text in facts if text]


def target_facts(target: Target, words: JudgeWords, reference: str = "") -> list[Fact]:
    """The evidence for one section; what is said as ``reference`` already is not said again."""
    facts = [
        (words("match"), words.code("match", target.match)),
        (words("score"), f"{target.score:.2f}"),
    ]
    if target.reference and target.reference != reference:
        facts.append((words("reference"), target.reference))
    if target.href:
        facts.append((words("link"), target.href))
    second = target.runner_up
    if second is not None:
        heading = second.heading or words("no_heading")
        facts.append((words("runner_up"), f"{heading} ({second.score:.2f})"))
    return facts


def said_of(verdict: Verdict, kind: Kind, words: JudgeWords) -> SaidInWords:
    """What a judge said, in the words of the buttons."""
    key = f"{kind}.{verdict.ruling}"
    ruling = words(key) if verdict.ruling in RULINGS[kind] else str(verdict.ruling)
    return SaidInWords(
        verdict.judge, ruling, _headings(verdict.sections, words), verdict.rewrite, verdict.note
    )


def _headings(names: Sequence[SectionName], words: JudgeWords) -> tuple[str, ...]:
    return tuple(f"{name.heading or words('no_heading')} ({name.section})" for name in names)
