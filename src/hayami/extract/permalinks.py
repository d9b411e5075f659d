"""What stands in a text for the sake of the reader's way through it.

Footnote marks, permalinks, edit links.
"""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborNode

from hayami.text.fold import has_word
from hayami.words.languages import every

_NOTE_WORDS: Final = every(lambda language: language.cells.footnotes)
_FOOTNOTE: Final = re.compile(
    rf"[\[(（【]?\s*(?:{'|'.join(_NOTE_WORDS)}|[※*†‡])*\s*[0-9a-z]{{0,3}}\s*[\])）】]?[*†‡※]*",
    re.IGNORECASE,
)
_LETTERS: Final = "".join(word for word in _NOTE_WORDS if len(word) == 1)
_PLAIN_MARK: Final = re.compile(rf"[\[(（【※*†‡{_LETTERS}]")
_PERMALINK_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:headerlink|header-?link|permalink|hash-?link|anchor-?link|heading-?anchor"
    r"|header-?anchor|srclink|edit-?link|editsection)(?:$|[\s_-])"
)
_EDIT_LINK: Final = re.compile(r"[\[［][^\[\]［］]{1,16}[\]］]")


def is_footnote_mark(node: LexborNode) -> bool:
    """Whether a raised text is a mark.

    A link such as [1], raised itself or what is raised, or plainly one, as ※2.
    """
    text = node.text().strip()
    if _FOOTNOTE.fullmatch(text) is None:
        return False
    parent = node.parent
    around = parent is not None and parent.tag == "a" and parent.text().strip() == text
    return around or _PLAIN_MARK.search(text) is not None or node.css_first("a[href]") is not None


def idle_links(heading: LexborNode) -> list[int]:
    """Permalinks (¶, #, a picture) and edit links inside a heading.

    And what is hidden from screen readers there.
    """
    child = heading.first_child
    if child is None or (child.is_text_node and child.next is None):
        return []
    nodes = heading.css("a, button, [aria-hidden=true]")
    whole = heading.text().strip() if nodes else ""
    return [node.mem_id for node in nodes if _is_idle(node, whole)]


def _is_idle(node: LexborNode, whole: str) -> bool:
    """Whether a link or button is no part of the heading that reads ``whole``."""
    text = node.text().strip()
    if text == whole and (
        text or node.css_first("img[alt]") is not None
    ):  # the link is the heading
        return False
    attributes = node.attributes
    if node.tag == "button" or attributes.get("aria-hidden") == "true":
        return True
    mark = node.tag == "a" and (
        not has_word(text)
        or _EDIT_LINK.fullmatch(text) is not None
        or _PERMALINK_CLASS.search((attributes.get("class") or "").lower()) is not None
    )
    return mark and bool(text or attributes.get("href"))
