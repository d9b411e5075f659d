"""The rules by which the section of a reference is found: one tuple, most trusted first."""

from __future__ import annotations

from typing import Final

from hayami.label.rules.anchor import ANCHOR
from hayami.label.rules.contains import CONTAINED, CONTAINS
from hayami.label.rules.exact import EXACT, UNDECORATED
from hayami.label.rules.fuzzy import FUZZY
from hayami.label.rules.number import NUMBER, NUMBERS_ALONE
from hayami.label.rules.rule import Role, Rule

__all__ = ["RULES", "Role", "Rule"]

RULES: Final[tuple[Rule, ...]] = (
    ANCHOR,
    EXACT,
    CONTAINS,
    UNDECORATED,
    NUMBERS_ALONE,
    CONTAINED,
    NUMBER,
    FUZZY,
)
"""The rules in the order in which they are asked; the first that has an answer is heard."""
