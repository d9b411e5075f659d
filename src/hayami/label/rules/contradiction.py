"""Links that contradict themselves: they lead to one section, and their text names another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hayami.evalset.records import Reason
from hayami.label.cell import Reference
from hayami.label.headings import HeadingIndex, candidate
from hayami.label.meaning import CANDIDATES, Meaning
from hayami.label.scope import Scope, ratio
from hayami.label.similarity import bare
from hayami.parts import Heading, Outline
from hayami.text.fold import compact

_OTHERS: Final = CANDIDATES - 1
"""Sections of one name that are shown beside the one that the link leads to."""


def contradicted(
    scope: Scope, outline: Outline, linked: Heading, reference: Reference
) -> Meaning | None:
    """What is wrong with a link if its text is the name of another section; None if it is not.

    The place has moved from one heading to another, or the text was changed and the link was not:
    which of the two is meant is for a human to say. A text that names nothing (here, 詳細), the
    whole article, or the section that the link leads to as well, contradicts nothing.
    """
    index = scope.index.beside(outline)
    text = compact(reference.text)
    if text in index.generic or text in index.titles:
        return None
    named = _named(index, reference)
    if linked.section in {heading.section for heading in named}:
        return None
    others = _sections(named)
    if not others or _is_called(index, linked, reference):
        return None
    both = [(heading, ratio(reference.text, heading.text)) for heading in others[:_OTHERS]]
    both.append((linked, ratio(reference.text, linked.text)))
    return Meaning(
        reason=Reason.CONTRADICTION,
        candidates=tuple(candidate(outline, heading, score) for heading, score in both),
        details=(f"the link leads to {linked.text}, its text is {others[0].text}",),
    )


def _named(index: HeadingIndex, reference: Reference) -> list[Heading]:
    """The headings that the text is, but for what folding takes away."""
    for text in reference.wordings:
        headings = index.folded.get(compact(text))
        if headings:
            return headings
    return []


def _sections(named: Sequence[Heading]) -> list[Heading]:
    """The headings that name sections; a deeper one that several sections have (例) names none."""
    units = [heading for heading in named if heading.unit]
    if units or len({heading.section for heading in named}) > 1:
        return units
    return list(named)


def _is_called(index: HeadingIndex, linked: Heading, reference: Reference) -> bool:
    """Whether the text is a name of the section that is linked but for number and brackets."""
    same = index.bare.get(compact(bare(reference.text)), ())
    return linked.section in {heading.section for heading in same}
