"""Finds the sections that a row means: the rules, in order of trust, each a small function."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeVar
from urllib.parse import unquote

from rapidfuzz import fuzz, process

from hayami.evalset.records import (
    LEAD,
    Candidate,
    Match,
    Reason,
    Target,
    best_targets,
    section_id,
)
from hayami.label.library import Library
from hayami.label.opposites import turned
from hayami.label.references import (
    Reference,
    cell_references,
    is_placeholder,
    listed_names,
    loose_parts,
    parts_of,
    quoted_parts,
    resolve_link,
    strip_decorations,
    without_phrases,
)
from hayami.label.similarity import MARGIN, Similarity, bare, conflict
from hayami.parts import Heading, Label, NoLabel, Outline, Piece, Row, text_of
from hayami.settings import Settings
from hayami.text.fold import compact, fold, has_word
from hayami.text.numbering import STRONG_UNITS, Number, heading_numbers, reference_numbers

_MOST_PARTS: Final = 200
"""Parts of a cell, beyond which it is no list that a reader would follow, and none is looked up."""
_SERIES: Final = 3
"""Headings that must begin with a bare number before "3 things" is read as number 3."""
_TALK: Final = 200
"""Characters beside the links of a cell from which they are talk and no list of names."""
CANDIDATES: Final = 5
"""Candidates that a rejection lists at most (an ambiguous one lists all that tie)."""
_NOTHING: Final = (0.0, 0)
_COVER: Final = 0.5
"""Share of the reference that a heading inside it must make up: a sentence that mentions a heading is no reference."""
_MENTION: Final = 0.25
"""Share from which a heading inside the reference is named there too."""
_SHORTEST: Final = 2
"""Letters of the shortest reference that the rule `contains` uses."""
_SHORTEST_HIRAGANA: Final = 4
"""The same for one in hiragana alone: なし is also a part of はなしの会."""


_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Found:
    """What one rule makes of one reference: targets, or the reason why not; neither if it has nothing to say."""

    targets: tuple[Target, ...] = ()
    reason: Reason | None = None
    candidates: tuple[Candidate, ...] = ()
    detail: str = ""
    partial: bool = False
    """Whether the reference names more than the targets."""

    @property
    def whole(self) -> bool:
        """Whether an article as a whole was meant, even if it is one of a single section."""
        return any(candidate.section is None for candidate in self.candidates)

    @property
    def decided(self) -> bool:
        """Whether later rules are not to be asked."""
        return bool(self.targets) or self.reason is not None


class ElsewhereError(Exception):
    """The row needs another article: it is matched again when all are known.

    Never leaves this package.
    """


@dataclass
class Names:
    """The names of one article, prepared for comparing: made once, used for all its rows."""

    outline: Outline
    settings: Settings

    @cached_property
    def generic(self) -> frozenset[str]:
        """The texts that name nothing, compact."""
        return frozenset(map(compact, self.settings.generic_texts))

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """The headings that name a section; titles and what stands before the first section do not."""
        return tuple(h for h in self.outline.headings if h.section is not None and has_word(h.text))

    @cached_property
    def written(self) -> dict[str, list[Heading]]:
        """Headings by their text as written."""
        return _grouped((h.text, h) for h in self.headings)

    @cached_property
    def folded(self) -> dict[str, list[Heading]]:
        """Headings by their folded text without blanks."""
        return _grouped((compact(h.text), h) for h in self.headings)

    @cached_property
    def bare(self) -> dict[str, list[Heading]]:
        """Headings by their folded text without number and brackets."""
        return _grouped((compact(bare(h.text)), h) for h in self.headings)

    @cached_property
    def named(self) -> dict[str, list[Heading]]:
        """Headings by either: folded, or where no other is called so, bare."""
        return self.bare | self.folded

    @cached_property
    def numbered(self) -> dict[Number, list[Heading]]:
        """Headings by the numbers they carry; "3 things" counts as numbered only where several headings are."""
        found = [(number, h) for h in self.headings for number in heading_numbers(h.text)]
        plain = sum(number.unit == "plain" for number, _ in found)
        usable = [
            (Number("", number.parts) if number.unit == "plain" else number, h)
            for number, h in found
            if number.unit != "plain" or plain >= _SERIES
        ]
        return _grouped(usable)

    @cached_property
    def similarity(self) -> Similarity:
        """The fuzzy scorer over the headings."""
        return Similarity([h.text for h in self.headings])

    @cached_property
    def cores(self) -> list[str]:
        """The folded headings in order, for quick likeness."""
        return [fold(h.text) for h in self.headings]

    def likeness(self, text: str) -> list[tuple[Heading, float]]:
        """The headings most like ``text`` by Indel ratio, best first."""
        found = process.extract(fold(text), self.cores, scorer=fuzz.ratio, limit=CANDIDATES + 3)
        return [(self.headings[number], score / 100) for _, score, number in found]

    def candidate(self, heading: Heading, score: float) -> Candidate:
        """A heading as a candidate."""
        return _candidate(self.outline, heading, score)


def _grouped(pairs: Iterable[tuple[_Key, Heading]]) -> dict[_Key, list[Heading]]:
    groups: dict[_Key, list[Heading]] = {}
    for key, heading in pairs:
        groups.setdefault(key, []).append(heading)
    return groups


def _candidate(outline: Outline, heading: Heading, score: float) -> Candidate:
    section = section_id(outline.id, heading.section) if heading.section is not None else None
    return Candidate(
        article=outline.id, section=section, heading=heading.text, score=round(score, 4)
    )


def _whole(outline: Outline, score: float = 1.0) -> Candidate:
    return Candidate(article=outline.id, section=None, heading=outline.title, score=score)


def match_row(row: Row, names: Names, library: Library | None) -> Label | NoLabel:  # noqa: PLR0911 - one return for each way a row can end
    """The label of a row, or the reason why it has none.

    Raises:
        ElsewhereError: ``library`` is None and the row refers to another article.
    """
    settings = names.settings
    text = text_of(row.reference)
    references = cell_references(row.reference, names.generic)
    if not has_word(row.question):
        return NoLabel(row, Reason.NO_QUESTION, ())
    if not any(reference.href for reference in references) and is_placeholder(
        text, settings.placeholders
    ):
        return NoLabel(row, Reason.NO_REFERENCE, ())
    matcher = _Matcher(names, library, row)
    if any(reference.href for reference in references):
        found = [matcher.link(reference) for reference in references]
        return _combined(row, found, _leftover(row.reference, found, matcher))
    whole = matcher.text(text, rules=WHOLE)
    if not (whole.targets or whole.reason not in {None, Reason.AMBIGUOUS}):
        several = matcher.parts(row.reference)
        if several:
            return _combined(row, several, [])
        whole = whole if whole.decided else matcher.text(text, rules=LOOSE)
    if whole.targets:
        return _combined(row, [whole], [])
    if whole.reason is not None:
        return NoLabel(row, whole.reason, whole.candidates, whole.detail)
    nearest = tuple(names.candidate(h, score) for h, score in names.likeness(text)[:CANDIDATES])
    return NoLabel(row, Reason.UNMATCHED, nearest)


def _leftover(pieces: Sequence[Piece], found: list[Found], matcher: _Matcher) -> list[Found]:
    """Names written beside the links of a cell: only exact ones count, the rest is talk."""
    plain = [piece for piece in pieces if piece.href is None]
    if not any(f.targets for f in found) or len(text_of(plain)) > _TALK:
        return []
    extra = (
        matcher.exactly(part)
        for part in parts_of([*plain, Piece("", breaks=True)]) or (text_of(plain),)
    )
    return [f for f in extra if f.targets]


_WORST: Final = (
    Reason.WHOLE_ARTICLE,
    Reason.AMBIGUOUS,
    Reason.EXCLUDED_SECTION,
    Reason.BROKEN_LINK,
    Reason.EXTERNAL_LINK,
    Reason.UNMATCHED,
)
"""Which reason a row of several failed references takes: the one that a human can best act on."""


def _combined(row: Row, found: list[Found], extra: list[Found]) -> Label | NoLabel:
    """One answer for a row out of those for each of its references."""
    targets = best_targets(t for f in found + extra for t in f.targets)
    failed = [f for f in found if not f.targets]
    if any(f.reason is Reason.WHOLE_ARTICLE for f in failed) and all(
        f.whole for f in found if f.targets
    ):
        return NoLabel(
            row, Reason.WHOLE_ARTICLE, tuple(dict.fromkeys(c for f in found for c in f.candidates))
        )
    if targets:
        return Label(
            row, tuple(targets.values()), incomplete=bool(failed) or any(f.partial for f in found)
        )
    reason = next((r for r in _WORST if any(f.reason is r for f in failed)), Reason.UNMATCHED)
    candidates = tuple(
        dict.fromkeys(c for f in failed if f.reason in {reason, None} for c in f.candidates)
    )
    detail = next((f.detail for f in failed if f.reason is reason and f.detail), "")
    return NoLabel(row, reason, candidates, detail)


@dataclass
class _Matcher:
    """The rules for one row."""

    names: Names
    library: Library | None
    row: Row

    def link(self, reference: Reference) -> Found:
        """A reference with a link: where the link leads; if nowhere, what its text says."""
        found = self._follow(reference)
        if found.reason is not Reason.BROKEN_LINK or found.detail.startswith("no file"):
            return found
        by_text = self.text(reference.text, href=reference.href)
        return by_text if by_text.targets else found

    def _follow(self, reference: Reference) -> Found:
        """Rule `anchor`: the element that browsers would scroll to."""
        outline = self.names.outline
        link = resolve_link(reference.href or "", outline.path, outline.base)
        if link.external:
            return Found(reason=Reason.EXTERNAL_LINK, detail=reference.href or "")
        if link.path and link.path != outline.path:
            if self.library is None:
                raise ElsewhereError
            other = self.library.outline(link.path)
            if other is None:
                return Found(reason=Reason.BROKEN_LINK, detail=f"no file {link.path} in the build")
            outline = other
        if not link.fragment:
            return self._article(outline, Match.ANCHOR, reference)
        for name in (link.fragment, unquote(link.fragment)):
            if (place := outline.anchors.get(name)) is not None:
                section, number = place
                heading = outline.headings[number] if number is not None else None
                return self._at(outline, section, heading, reference)
        return Found(reason=Reason.BROKEN_LINK, detail=f"no id {link.fragment} in {outline.path}")

    def _at(
        self, outline: Outline, section: int | None, heading: Heading | None, reference: Reference
    ) -> Found:
        """What an id leads to: a section, the article's title, or text that is in no section."""
        if section is None:
            if heading is not None:
                return Found(reason=Reason.WHOLE_ARTICLE, candidates=(_whole(outline),))
            return Found(
                reason=Reason.EXCLUDED_SECTION,
                candidates=(_whole(outline),),
                detail="it is in the lead",
            )
        named = heading if heading is not None and heading.section == section else None
        title = named if named is not None else Heading(outline.title, 0, section, unit=True)
        return self._target(outline, title, reference, Match.ANCHOR, 1.0)

    def _article(self, outline: Outline, match: Match, reference: Reference) -> Found:
        """A whole article: its only section if it has just one, else nothing that could have grade 2."""
        if outline.sections == 1 and not outline.excluded:
            only = next(
                (h for h in outline.headings if h.section == 0),
                Heading(outline.title, 0, 0, unit=True),
            )
            found = self._target(outline, only, reference, match, 1.0)
            return Found(found.targets, found.reason, (_whole(outline),))
        return Found(reason=Reason.WHOLE_ARTICLE, candidates=(_whole(outline),))

    def _target(
        self, outline: Outline, heading: Heading, reference: Reference, match: Match, score: float
    ) -> Found:
        if heading.section in outline.excluded:
            return Found(
                reason=Reason.EXCLUDED_SECTION, candidates=(_candidate(outline, heading, score),)
            )
        runner_up = (
            self._runner_up(reference.text, heading)
            if outline.id == self.names.outline.id
            else None
        )
        target = Target(
            section=section_id(outline.id, LEAD if heading.section is None else heading.section),
            heading=heading.text,
            reference=reference.text,
            href=reference.href,
            match=match,
            score=round(score, 4),
            runner_up=runner_up,
        )
        return Found(targets=(target,))

    def _runner_up(self, text: str, heading: Heading) -> Candidate | None:
        other = ((h, s) for h, s in self.names.likeness(text) if h.section != heading.section)
        return next((self.names.candidate(h, s) for h, s in other), None)

    def text(
        self, text: str, href: str | None = None, rules: Sequence[Rule] | None = None
    ) -> Found:
        """A reference by its text: the first rule with an answer, for the text as written and without decorations."""
        stripped = strip_decorations(text)
        generic = compact(stripped) in self.names.generic
        for rule in RULES if rules is None else rules:
            wordings = dict.fromkeys(
                (text, stripped) if rule in {_exact, _undecorated} else (stripped,)
            )
            for wording in wordings if rule is _exact or not generic else ():
                if (found := rule(self, Reference(wording, href))).decided:
                    return found
        return Found()

    def exactly(self, text: str) -> Found:
        """Rule `exact` alone."""
        return _exact(self, Reference(strip_decorations(text.strip("、，,・／/;； "))))

    def parts(self, pieces: Sequence[Piece]) -> list[Found]:
        """The parts of a cell, if most of them are names; empty if it is not a list of names."""
        text = text_of(pieces)
        for parts, needed in (
            (parts_of(pieces), 0.5),
            (quoted_parts(text), 1.0),
            (loose_parts(text), 1.0),
        ):
            found = [self.text(part) for part in parts] if len(parts) <= _MOST_PARTS else []
            resolved = sum(bool(f.targets) or f.reason is Reason.WHOLE_ARTICLE for f in found)
            if parts and resolved and resolved >= needed * len(parts):
                return found
        named = (self.names.named[name] for name in listed_names(text, self.names.named))
        return [
            self.one_of(headings, Reference(headings[0].text), Match.EXACT) for headings in named
        ]

    def one_of(self, headings: Sequence[Heading], reference: Reference, match: Match) -> Found:
        """The target among equally good headings: one section, or ambiguous.

        Sections left out give way to others.
        """
        kept = [h for h in headings if h.section not in self.names.outline.excluded] or list(
            headings
        )
        sections = {h.section for h in kept}
        if len(sections) > 1:
            units = [h for h in kept if h.unit]
            if match is Match.EXACT and len({h.section for h in units}) == 1:
                kept = units
            else:
                scored = [self.names.candidate(h, _ratio(reference.text, h.text)) for h in kept]
                return Found(
                    reason=Reason.AMBIGUOUS,
                    candidates=tuple(sorted(scored, key=lambda c: (-c.score, c.section or ""))),
                )
        if not kept:
            return Found()
        best = max(kept, key=lambda h: (h.unit, _ratio(reference.text, h.text)))
        score = 1.0 if match is Match.NUMBER else _ratio(reference.text, best.text)
        return self._target(self.names.outline, best, reference, match, score)

    def elsewhere(self, number: Number) -> Found | None:
        """The article of this folder, or the section in one, that carries a number; None if there is none."""
        if self.library is None:
            raise ElsewhereError
        path = self.names.outline.path
        for outline in self.library.titled(path, number):
            return self._article(outline, Match.NUMBER, Reference(_shown(number)))
        units = dict.fromkeys((number.unit, "chapter")) if len(number.parts) > 1 else {}
        for outline in (
            o for unit in units for o in self.library.titled(path, Number(unit, number.parts[:1]))
        ):
            within = [h for h in outline.headings if h.section is not None and _carries(h, number)]
            if within:
                return self._target(
                    outline, within[0], Reference(_shown(number)), Match.NUMBER, 1.0
                )
        return None


def _ratio(one: str, other: str) -> float:
    return fuzz.ratio(fold(one), fold(other)) / 100


def _shown(number: Number) -> str:
    return f"{number.unit} {'.'.join(map(str, number.parts))}".strip()


def _carries(heading: Heading, number: Number) -> bool:
    return any(
        n.parts == number.parts and n.unit in {"", number.unit}
        for n in heading_numbers(heading.text)
    )


# --- the rules --------------------------------------------------------------------------------------------------------


def _exact(matcher: _Matcher, reference: Reference) -> Found:
    """The heading as written, then folded; the article's own title means the whole article."""
    names = matcher.names
    for index, key in ((names.written, reference.text), (names.folded, compact(reference.text))):
        if key and (headings := index.get(key)):
            return matcher.one_of(headings, reference, Match.EXACT)
    titles = [names.outline.title, *(h.text for h in names.outline.headings if h.section is None)]
    if compact(reference.text) in set(map(compact, titles)) and has_word(reference.text):
        return Found(reason=Reason.WHOLE_ARTICLE, candidates=(_whole(names.outline),))
    return Found()


def _contains(matcher: _Matcher, reference: Reference) -> Found:
    """The heading that is the reference but for number and brackets; else the one that contains it."""
    text = fold(reference.text)
    if reference_numbers(reference.text).only:
        return Found()
    if same := _called(matcher, reference.text):
        return matcher.one_of(same, reference, Match.CONTAINS)
    if not _may_be_part(text):
        return Found()
    squeezed = compact(reference.text)
    headings = _not_host(matcher, matcher.names.headings)
    holding = [h for h in headings if holds(fold(h.text), text) or holds(compact(h.text), squeezed)]
    holding = [h for h in holding if not turned(reference.text, h.text)]
    return matcher.one_of(holding, reference, Match.CONTAINS) if holding else Found()


def _undecorated(matcher: _Matcher, reference: Reference) -> Found:
    """The heading that is the reference but for phrases around it, which a name can also have."""
    text = without_phrases(reference.text)
    if text == reference.text or compact(text) in matcher.names.generic:
        return Found()
    found = _exact(matcher, Reference(text, reference.href))
    same = _called(matcher, text) if not found.decided else []
    return matcher.one_of(same, reference, Match.CONTAINS) if same else found


def _contained(matcher: _Matcher, reference: Reference) -> Found:
    """The heading that the reference contains, if it makes up most of it."""
    text = fold(reference.text)
    if reference_numbers(reference.text).only:
        return Found()
    headings = _not_host(matcher, matcher.names.headings)
    held = [
        h
        for h in headings
        if len(fold(h.text)) >= _MENTION * len(text) and holds(text, fold(h.text))
    ]
    held = [h for h in held if not conflict(reference.text, h.text)]
    held = [
        h
        for h in held
        if not any(h.text != o.text and holds(fold(o.text), fold(h.text)) for o in held)
    ]
    most = [h for h in held if len(fold(h.text)) >= _COVER * len(text)]
    found = matcher.one_of(most, reference, Match.CONTAINS) if most else Found()
    return (
        replace(found, partial=True)
        if found.targets and len({h.section for h in held}) > 1
        else found
    )


def _called(matcher: _Matcher, text: str) -> list[Heading]:
    """The headings that are a text but for number and brackets."""
    return _not_host(matcher, matcher.names.bare.get(compact(bare(text)), []))


def _not_host(matcher: _Matcher, headings: Sequence[Heading]) -> list[Heading]:
    """Without the heading of the section that the table itself stands in: a row names another one."""
    return [h for h in headings if not _is_host(matcher, h)]


def _is_host(matcher: _Matcher, heading: Heading) -> bool:
    return heading.unit and heading.section == matcher.row.host


def _may_be_part(folded: str) -> bool:
    letters = re.sub(r"[\W_]", "", folded)
    hiragana = re.fullmatch(r"[ぁ-ん]+", letters) is not None
    return len(letters) >= (_SHORTEST_HIRAGANA if hiragana else _SHORTEST) and not letters.isdigit()


def holds(text: str, part: str) -> bool:
    """Whether ``text`` contains ``part`` as words: not inside a longer Latin word, number or run of katakana.

    >>> holds("サポートの窓口", "ポート"), holds("ポートの確認", "ポート"), holds("section 12", "section 1")
    (False, True, False)
    """
    start = text.find(part) if part else -1
    while start >= 0:
        end = start + len(part)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not _joined(before, part[:1]) and not _joined(part[-1:], after):
            return True
        start = text.find(part, start + 1)
    return False


_CLASSES: Final = (re.compile(r"[a-z_]"), re.compile(r"[0-9]"), re.compile(r"[ァ-ヺー]"))


def _joined(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong to one word."""
    if not left or not right:
        return False
    return any(kind.match(left) is not None and kind.match(right) is not None for kind in _CLASSES)


def _number(matcher: _Matcher, reference: Reference) -> Found:
    """Numbers with their unit against those of the headings, then of other articles' titles; bare ones at last."""
    numbers = reference_numbers(reference.text).items
    if not numbers or _foreign(reference.text):
        return Found()
    found = [_one_number(matcher, number, reference) for number in numbers]
    known = [f for f in found if f.decided]
    if not known or len(known) < len(found) / 2:
        return Found()
    candidates = tuple(dict.fromkeys(c for f in known for c in f.candidates))
    targets = {t.section: t for f in known for t in f.targets}
    if targets and not (
        any(f.reason is Reason.WHOLE_ARTICLE for f in known) and all(f.whole for f in known)
    ):
        partial = any(not f.targets for f in found)
        return Found(tuple(targets.values()), None, candidates, partial=partial)
    return Found(
        reason=next(r for r in _WORST if any(f.reason is r for f in known)), candidates=candidates
    )


_FOREIGN: Final = re.compile(
    r"\b(?:rfc|iso|iec|ieee|jis|ansi|ecma|posix|pep|html|css|whatwg|w3c|ietf|c\+\+)\b[\s\-]*\d?|第?\d+条|제?\d+조|[가-힣]법\s+제?\d|法(?:第|\s)",
    re.IGNORECASE,
)


def _foreign(text: str) -> bool:
    """Whether the numbers are those of a standard or a law and not of this book."""
    return _FOREIGN.search(text) is not None


def _pure_number(matcher: _Matcher, reference: Reference) -> Found:
    """Rule `number` for a reference that says nothing else."""
    return _number(matcher, reference) if reference_numbers(reference.text).pure else Found()


def _one_number(matcher: _Matcher, number: Number, reference: Reference) -> Found:
    numbered = matcher.names.numbered
    exact = _not_host(matcher, numbered.get(number, []))
    if exact and (number.unit or len(number.parts) > 1 or matcher.row.detector == "header"):
        return matcher.one_of(exact, reference, Match.NUMBER)
    if number.unit in STRONG_UNITS:
        elsewhere = matcher.elsewhere(number)
        if elsewhere is not None:
            return elsewhere
    if number.unit in {"chapter", "section", "item", "step"}:
        bare_ones = _not_host(matcher, numbered.get(Number("", number.parts), []))
        if bare_ones:
            return matcher.one_of(bare_ones, reference, Match.NUMBER)
    return Found()


def _fuzzy(matcher: _Matcher, reference: Reference) -> Found:
    """The most similar heading, if it is similar enough, clearly the best, and nothing speaks against it."""
    names = matcher.names
    numbers = reference_numbers(reference.text)
    if not names.headings or numbers.only or not _may_be_part(fold(reference.text)):
        return Found()
    best: dict[int | None, tuple[float, int]] = {}
    for number, score in enumerate(names.similarity.scores(reference.text)):
        heading = names.headings[number]
        if score > best.get(heading.section, _NOTHING)[0] and not _is_host(matcher, heading):
            best[heading.section] = (score, number)
    ranked = sorted(best.values(), key=lambda pair: (-pair[0], pair[1]))
    if not ranked or ranked[0][0] < names.settings.threshold:
        return Found()
    first = [
        pair for pair in ranked if pair[0] == ranked[0][0]
    ]  # equal scores must not depend on order
    fitting = [pair for pair in first if not conflict(reference.text, names.headings[pair[1]].text)]
    if not fitting:
        return Found()
    ranked = fitting + [pair for pair in ranked if pair not in first]
    score, number = ranked[0]
    if len(ranked) > 1 and score - ranked[1][0] < MARGIN:
        close = [names.candidate(names.headings[n], s) for s, n in ranked if score - s < MARGIN]
        return Found(reason=Reason.AMBIGUOUS, candidates=tuple(close))
    runner_up = (
        names.candidate(names.headings[ranked[1][1]], ranked[1][0]) if len(ranked) > 1 else None
    )
    found = matcher._target(names.outline, names.headings[number], reference, Match.FUZZY, score)  # noqa: SLF001
    return Found(
        tuple(t.model_copy(update={"runner_up": runner_up}) for t in found.targets),
        found.reason,
        found.candidates,
    )


Rule = Callable[[_Matcher, Reference], Found]
RULES: Final[tuple[Rule, ...]] = (_exact, _contains, _undecorated, _contained, _number, _fuzzy)
"""The rules for a reference's text, most trusted first.

(A link is followed before any of them: rule `anchor`.)
"""
WHOLE: Final[tuple[Rule, ...]] = (_exact, _contains, _undecorated, _pure_number)
"""The rules that a cell is tried with as a whole before it is cut into parts."""
LOOSE: Final[tuple[Rule, ...]] = (_contained, _number, _fuzzy)
"""The rules that a cell is tried with as a whole after that: a list holds, and is like, each of its parts."""
