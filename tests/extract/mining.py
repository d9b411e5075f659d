"""What miners' tests share: one page read with some miners."""

from __future__ import annotations

from hayami.extract.article import read_article
from hayami.label.headings import HeadingIndex
from hayami.label.match import match_row
from hayami.parts import Label, Reading
from hayami.settings import Settings


def mined(html: str, *names: str, name: str = "m") -> Reading:
    """The page read with these miners only."""
    found = read_article(f"{name}.html", name, html.encode(), Settings(mine=names))
    assert isinstance(found, Reading)
    return found


def targets(found: Reading) -> dict[str, str]:
    """The heading of the section that each need leads to; the reason where it leads to none."""
    index = HeadingIndex(found.outline, Settings())
    told: dict[str, str] = {}
    for row in found.rows:
        outcome = match_row(row, index, None)
        told[row.question] = (
            outcome.targets[0].heading if isinstance(outcome, Label) else outcome.reason.value
        )
    return told


def corpus(found: Reading) -> str:
    """All text that is searched, and the headings that are not masked."""
    lines: list[str] = []
    for section in found.sections:
        lines += [section.text, *section.headings]
        if not section.masked:
            lines.append(section.heading)
    return "\n".join(lines)
