"""Where a section that was judged is today: by its heading and by what stands under it.

A heading alone does not tell: two sections can change names, and a section can get another heading
over the same text. So a verdict keeps a fingerprint of the text that was judged, and how much the
likest other section of the article was like it then. A section that is no likelier than that
cannot be told from its neighbours. Verdicts without a fingerprint, of older files, go by the
heading alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hayami.evalset.names import Known, SectionName, find_section
from hayami.text.fingerprint import likeness

SAME: Final = 0.3
"""Likeness from which a text under the same heading is the text that was judged, edited.

Half of the pieces of a text replaced leave a third.
"""
MOVED: Final = 0.8
"""Likeness from which a text under another heading is the text that was judged.

Hardly edited: both what it is called and what it says are seldom changed at once, and a section
that was cut in two, or written after another one, is not the one that was judged.
"""
_SUGGESTED: Final = 0.5
"""Likeness from which a text under another heading is worth a look."""
_CLOSER: Final = 0.25
"""By how much of the way to equal a text must be likelier than the likest neighbour was."""
_AHEAD: Final = 0.2
"""By how much one section must be likelier than any other to be the one."""

GONE: Final = "the section it names is no longer there, or no longer the only one of its heading"
REWRITTEN: Final = "the section of that heading has another text now"
ELSEWHERE: Final = "the section of that heading has another text now; what was judged is elsewhere"
UNTOLD: Final = "the section it names can no longer be told from another with much the same text"


@dataclass(frozen=True, slots=True)
class Lost:
    """A section that was named and is not to be found without guessing."""

    name: SectionName
    why: str
    """A sentence for a person."""
    instead: Known | None = None
    """The section that holds the text now, as far as that can be told: to be judged again."""


def follow(name: SectionName, sections: Sequence[Known]) -> str | Lost:
    """The id that a named section has among its article's ``sections`` of today, or what is known.

    Under the same heading it is there if its text is the same or edited, and no other section
    holds more of it. Where no section has the heading any more, it is followed to the one that has
    its text.
    """
    named = find_section(name, sections)
    alike = {one.id: _alike(name, one) for one in sections} if name.content else {}
    if not alike or not any(one.content for one in sections):
        return named or Lost(name, GONE)
    if named is None:
        return _followed(name, sections, alike)
    if alike[named] == 1:
        return named
    others = [one for one in sections if one.id != named]
    rival = max(others, key=lambda one: alike[one.id], default=None)
    if rival is not None and _told(alike[rival.id], name, SAME):
        ahead = alike[named] - alike[rival.id]
        if ahead < _AHEAD:
            return Lost(name, UNTOLD if ahead >= 0 else ELSEWHERE, rival)
    if _told(alike[named], name, SAME):
        return named
    return Lost(name, UNTOLD if alike[named] >= SAME else REWRITTEN)


def with_rival(name: SectionName, others: Iterable[SectionName]) -> SectionName:
    """The name with how much the likest other section of its article is like it.

    As it is, if that is known already, or if its text was not at hand.
    """
    if not name.content or name.rival:
        return name
    neighbours = [
        one.content
        for one in others
        if one.article == name.article and one.section != name.section and one.content
    ]
    rival = max((likeness(name.content, one) for one in neighbours), default=0.0)
    return name.model_copy(update={"rival": rival})


def same_text(one: SectionName, other: SectionName) -> bool:
    """Whether two names stand for one text, edited or not; as far as their texts are known."""
    if not one.content or not other.content:
        return True
    return likeness(one.content, other.content) >= SAME


def _alike(name: SectionName, section: Known) -> float:
    return likeness(name.content, section.content) if section.content else 0.0


def _told(alike: float, name: SectionName, least: float) -> bool:
    """Whether a text can be told to be the one that was judged, and no neighbour of it."""
    return alike == 1 or alike >= max(least, name.rival + (1 - name.rival) * _CLOSER)


def _followed(
    name: SectionName, sections: Sequence[Known], alike: Mapping[str, float]
) -> str | Lost:
    """Where a section went whose heading is gone: to the one that is clearly likest."""
    best, *others = sorted(sections, key=lambda one: -alike[one.id])
    second = max((alike[one.id] for one in others), default=0.0)
    if alike[best.id] < _SUGGESTED:
        return Lost(name, GONE)
    if _told(alike[best.id], name, MOVED) and alike[best.id] - second > _AHEAD:
        return best.id
    return Lost(name, GONE, best)
