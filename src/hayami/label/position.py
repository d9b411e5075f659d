"""Rows whose place itself says where they are answered.

Under their own heading, or by their article as a whole.
"""

from __future__ import annotations

from hayami.evalset.records import LEAD, Candidate, Match, Reason, Target, section_id
from hayami.parts import Label, NoLabel, Outline, Row


def match_place(row: Row, outline: Outline) -> Label | NoLabel:
    """The label of a row that gives its target by its place, or the reason why it has none."""
    if row.target is None and outline.sections > 1:
        article = Candidate(article=outline.id, section=None, heading=outline.title, score=1.0)
        return NoLabel(row, Reason.WHOLE_ARTICLE, (article,))
    section = row.target or 0
    if section == LEAD or section in outline.excluded:
        return NoLabel(row, Reason.EXCLUDED_SECTION, ())
    opening = next((h.text for h in outline.headings if h.unit and h.section == section), None)
    target = Target(
        section=section_id(outline.id, section),
        heading=outline.title if opening is None else opening,
        reference="",
        href=None,
        match=Match.PLACE,
        score=1.0,
        runner_up=None,
    )
    return Label(row, (target,), incomplete=False)
