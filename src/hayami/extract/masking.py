"""What leaves the corpus because it was mined.

A set in which a question finds itself measures nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hayami.extract.needs import MOST_LETTERS, is_asked, without_label
from hayami.extract.spots import HEADING, TITLE, Mask
from hayami.extract.walk import PageHeading
from hayami.text.fold import compact, has_word, squeeze


@dataclass(frozen=True, slots=True)
class Masked:
    """What of a page is not in the corpus, because rows were read from it."""

    segments: frozenset[int] = frozenset()
    """Segments that are left out whole: quick-reference tables."""
    headings: frozenset[int] = frozenset()
    """The segments whose heading is a question."""
    lines: Mapping[int, Sequence[Mask]] = field(default_factory=dict)
    """What leaves single lines, by segment."""
    questions: frozenset[str] = frozenset()
    """Questions, compact: a line that is one of them is left out wherever it stands."""
    title: bool = False
    """Whether the title is a question."""
    asked: tuple[str, ...] = ()
    """Questions that no other text has by chance: they leave the middle of lines too."""

    @classmethod
    def of(
        cls, segments: frozenset[int], masks: Iterable[Mask], questions: Iterable[str]
    ) -> Masked:
        """What some masks hide, and the lines that are one of ``questions``."""
        lines: dict[int, list[Mask]] = {}
        headings: set[int] = set()
        title = False
        for mask in masks:
            if mask.spot == TITLE:
                title = True
            elif mask.spot.line == HEADING:
                headings.add(mask.spot.segment)
            else:
                lines.setdefault(mask.spot.segment, []).append(mask)
        told = tuple(questions)
        hidden = frozenset(map(compact, told))
        asked = tuple(dict.fromkeys(question for question in told if is_asked(question)))
        return cls(segments, frozenset(headings), lines, hidden, title, asked)

    def hides(self, opening: PageHeading | None) -> bool:
        """Whether a question is the heading of a section (None.

        It has none), or the title of all.
        """
        return self.title or (opening is not None and opening.segment in self.headings)

    def leaves(self, segments: Sequence[str]) -> bool:
        """Whether any text of a page stays."""
        return any(self.text(number, text) for number, text in enumerate(segments))

    def text(self, segment: int, text: str) -> str:
        """The text of a segment that stays."""
        if segment in self.segments:
            return ""
        masks = self.lines.get(segment, ())
        if not masks and not self.questions:
            return text
        lines = [_without(line, n, masks) for n, line in enumerate(text.split("\n"))]
        kept = "\n".join(line for line in lines if line and not self._is_question(line))
        for question in self.asked:
            kept = kept.replace(question, "")
        return kept

    def _is_question(self, line: str) -> bool:
        """Whether a line is a question, its number or label aside: contents lists repeat them."""
        if not self.questions or len(line) > MOST_LETTERS:
            return False
        return compact(line) in self.questions or compact(without_label(line)) in self.questions


def _without(line: str, number: int, masks: Sequence[Mask]) -> str:
    """What masks leave of a line; nothing if no word is left."""
    own = [mask for mask in masks if mask.spot.line == number]
    if any(not mask.text for mask in own):
        return ""
    for mask in own:
        line = squeeze(line.replace(mask.text, " ", 1))
    return line if not own or has_word(line) else ""
