"""Titles that are questions, tasks or problems: the page as a whole is the answer."""

from __future__ import annotations

from typing import Final

from hayami.extract.miners import Mined, Miner, Need, ReadPage
from hayami.extract.needs import (
    is_news,
    is_question,
    is_task_or_problem,
    why_no_need,
    without_label,
)
from hayami.extract.spots import HEADING, TITLE, Mask, Spot
from hayami.text.fold import compact, topic_of

NAME: Final = "title"
LEAST_ANSWER: Final = 100
"""Letters of the shortest page that answers its title."""


def mine_title(read: ReadPage) -> Mined:
    """The title of a page, if it is a need that the page answers."""
    page = read.page
    tops = [heading for heading in page.headings if heading.level == 1]
    written = tops[0].text if len(tops) == 1 else topic_of(page.title)
    text = without_label(written)
    if is_news(page.title) or not (is_question(text) or is_task_or_problem(text)):
        return Mined()
    if sum(map(len, page.segments)) < LEAST_ANSWER or why_no_need(text):
        return Mined()
    spots = [TITLE]
    spots += [Spot(h.segment, HEADING) for h in tops if compact(h.text) == compact(written)]
    need = Need(
        text,
        detector=NAME,
        place=read.place(NAME, 0, Spot(0, HEADING)),
        at=TITLE,
        whole=True,
        masks=tuple(map(Mask, spots)),
    )
    return Mined((need,))


MINER: Final = Miner(
    NAME, mine_title, "titles that are questions, tasks or problems", rank=40, default=False
)
