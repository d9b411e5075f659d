"""What of a page a reader sees, or can bring up, and what nobody does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from hayami.extract.elements import INVISIBLE, UNKNOWN

Attributes = Mapping[str, str | None]

_HIDDEN_CLASSES: Final = frozenset(
    ("sr-only", "visually-hidden", "screen-reader-text", "mw-editsection")
)
_HIDING: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|text-decoration[\w-]*\s*:[^;]*line-through",
    re.IGNORECASE,
)
HIDDEN: Final = (
    "[hidden], [style*=none i], [style*=hidden i], [style*=line-through i], dialog:not([open]), "
    f".{', .'.join(sorted(_HIDDEN_CLASSES))}, {', '.join(UNKNOWN)}"
)
"""What may be hidden, or is of an element whose content is no text: a selector."""
_PASSING: Final = frozenset(
    ["dialog", "alertdialog", "menu", "listbox", "tooltip", "search", "status", "alert"]
)
"""Roles of what a control brings up for a moment: it is no part of the text."""


def is_hidden(tag: str, attributes: Attributes) -> bool:
    """Whether an element says that nobody is to see it.

    Or only when a script or a control says so.
    """
    return (
        "hidden" in attributes
        or tag in UNKNOWN
        or (tag == "dialog" and "open" not in attributes)
        or _HIDING.search(attributes.get("style") or "") is not None
        or not _HIDDEN_CLASSES.isdisjoint((attributes.get("class") or "").split())
    )


class Controls:
    """The parts of a page that are closed, and that a reader can open: tab panels, folded text."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._ids: set[str] = set()
        for control in tree.css("[aria-controls]"):
            attributes = control.attributes
            if attributes.get("role") == "tab" or "aria-expanded" in attributes:
                self._ids.update((attributes.get("aria-controls") or "").split())

    def open(self, tag: str, attributes: Attributes) -> bool:
        """Whether a reader can bring up an element that is hidden."""
        role = attributes.get("role") or ""
        if tag == "dialog" or role in _PASSING:
            return False
        if role == "tabpanel" or (attributes.get("hidden") or "").lower() == "until-found":
            return True
        return (attributes.get("id") or "") in self._ids


class Seen:
    """Which elements a reader sees: those that are not hidden, and stand in none that is."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._known: dict[int, bool] = {}

    def sees(self, node: LexborNode) -> bool:
        """Whether a reader sees a node; each element around it is looked at once for all nodes."""
        unknown: list[LexborNode] = []
        around: LexborNode | None = node
        while around is not None and around.mem_id not in self._known:
            unknown.append(around)
            around = around.parent
        seen = around is None or self._known[around.mem_id]
        for element in reversed(unknown):
            seen = seen and self._is_shown(element)
            self._known[element.mem_id] = seen
        return seen

    def _is_shown(self, element: LexborNode) -> bool:
        tag, attributes = element.tag or "", element.attributes
        if tag in INVISIBLE:
            return False
        return not is_hidden(tag, attributes) or self._controls.open(tag, attributes)
