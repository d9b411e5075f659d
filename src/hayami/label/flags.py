"""What is worth knowing about a query before it is trusted: its flags."""

from __future__ import annotations

from collections.abc import Iterable

from hayami.evalset.records import Flag
from hayami.text.overlap import LEXICAL, Asked, Wording


def wording_flags(question: str, targets: Iterable[Wording]) -> set[Flag]:
    """What a question's wording shows beside that of its targets: ``verbatim``, ``lexical``."""
    asked = Asked.of(question)
    found: set[Flag] = set()
    for target in targets:
        if target.holds(asked):
            found.add(Flag.VERBATIM)
        if (target.share(asked) or 0.0) >= LEXICAL:
            found.add(Flag.LEXICAL)
    return found
