"""What a rule is, and when it is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from hayami.label.cell import Reference
from hayami.label.meaning import Meaning
from hayami.label.scope import Scope


class Role(Enum):
    """What a reference is in its cell when rules are asked about it."""

    LINK = "a link, to be followed"
    WHOLE = "all text of the cell, before it is cut"
    PART = "a part of the cell, or the text of a link that leads to no place"
    REST = (
        "all text of the cell once it is known to be no list, which holds, and is like, its parts"
    )
    WEAK = "a text that is talk unless a heading is called just so: here, or words beside a link"


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to find the section that a reference means."""

    name: str
    asks: Callable[[Scope, Reference], Meaning]
    """Gives what the reference means in a scope; if undecided, later rules are asked."""
    applies_to: frozenset[Role]
    """The roles in which a reference is asked about."""
