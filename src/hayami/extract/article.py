"""Reading one article: a pure function of its path, its bytes and the settings."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath

from hayami.evalset.records import Article, Reason
from hayami.extract.page import NoPage, read_page
from hayami.extract.sections import cut_page, read_sections, without_headings
from hayami.extract.tables import mine_tables
from hayami.parts import Outline, Reading, Unreadable
from hayami.settings import Settings
from hayami.text.fold import topic_of


def read_article(
    path: str, article: str, data: bytes, settings: Settings, *, views: bool = False
) -> Reading | Unreadable:
    """Everything that one file yields, or why it yields nothing.

    Args:
        path: the file relative to its source folder, with ``/``.
        article: the article's id.
        data: the bytes of the file.
        settings: what to read and how.
        views: whether to describe every table of the page, for a person to look at.
    """
    if len(data) > settings.max_page_bytes:
        return Unreadable(
            path, article, Reason.TOO_LARGE, f"{len(data):,} bytes; see the setting max_page_bytes"
        )
    page = read_page(data, code=settings.code, name=PurePosixPath(path).stem)
    if isinstance(page, NoPage):
        return Unreadable(path, article, page.reason, page.detail)
    cut = cut_page(page, settings.level)
    mined = mine_tables(page, cut, settings, views=views)
    if any(
        heading.segment in mined.segments for heading in page.headings
    ):  # a question in a table is no section
        page = without_headings(page, mined.segments)
        cut = cut_page(page, settings.level)
        mined = mine_tables(page, cut, settings, views=views)
    sections, excluded = read_sections(page, cut, (article, path), settings, mined.segments)
    opened = len(cut.openings) if cut.level is not None else 1
    record = Article(
        id=article,
        path=path,
        title=page.title,
        topic=topic_of(page.title),
        language=page.language,
        encoding=page.encoding,
        unit_level=cut.level,
        sections=len(sections),
        excluded=tuple(page.headings[cut.openings[n]].text for n in sorted(excluded))
        if cut.openings
        else (),
        tables=mined.tables,
        rows=len(mined.rows),
        warnings=page.warnings + mined.warnings,
        sha256=hashlib.sha256(data).hexdigest(),
    )
    outline = Outline(
        article, path, page.title, page.base, cut.headings, cut.anchors, opened, excluded
    )
    return Reading(record, outline, sections, mined.rows, mined.views)
