"""Reading one article: a pure function of its path, its bytes and the settings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import PurePosixPath
from typing import Final

from hayami.evalset.records import LEAD, Article, Reason
from hayami.extract.masking import Masked
from hayami.extract.miners import Mined, Miner, Need, ReadPage, chosen
from hayami.extract.opening import open_sections
from hayami.extract.page import NoPage, Page, read_page
from hayami.extract.sections import (
    ArticleName,
    cut_page,
    free_sections,
    read_sections,
    without_headings,
)
from hayami.parts import Outline, Reading, Row, Unreadable
from hayami.settings import Settings
from hayami.text.fold import topic_of

_NO_SECTION: Final = (
    "sections: none, though there is text: it stands before the first section, or under headings "
    "that are left out"
)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _too_large(path: str, article: str, size: int) -> Unreadable:
    detail = f"{size:,} bytes; see the setting max_page_bytes"
    return Unreadable(path, article, Reason.TOO_LARGE, detail)


def read_article(  # noqa: PLR0913
    path: str,
    article: str,
    data: bytes,
    settings: Settings,
    *,
    views: bool = False,
    source: bytes | None = None,
    served: str = "",
    warnings: Sequence[str] = (),
) -> Reading | Unreadable:
    """Everything that one file yields, or why it yields nothing.

    Args:
        path: the file relative to its source folder, with ``/``.
        article: the article's id.
        data: the HTML.
        settings: what to read and how.
        views: whether to describe every table of the page, for a person to look at.
        source: the bytes of the file, if the HTML was made of them.
        served: where the page stands on the site that is built of the file, if one is.
        warnings: what of the file could not be read.
    """
    if len(data) > settings.max_page_bytes:
        return _too_large(path, article, len(data))
    used = chosen(settings)
    blocks = any(miner.blocks for miner in used)
    page = read_page(data, code=settings.code, name=PurePosixPath(path).stem, blocks=blocks)
    if isinstance(page, NoPage):
        return Unreadable(path, article, page.reason, page.detail)
    page = replace(page, warnings=(*warnings, *page.warnings))
    read, mined = mine_page(page, settings, used, views=views)
    name = ArticleName(article, path)
    masked = _masked(mined)
    sections, excluded = read_sections(read.page, read.cut, name, settings, masked)
    if not sections and masked.leaves(read.page.segments):
        mined = replace(mined, warnings=(*mined.warnings, _NO_SECTION))
    sha256 = _hash(data if source is None else source)
    return Reading(
        article=_record(read, mined, name, len(sections), excluded, sha256),
        outline=replace(_outline(read, name, excluded), served=served),
        sections=sections,
        rows=tuple(_row(need, read) for need in mined.needs),
        tables=mined.views,
    )


def _record(  # noqa: PLR0913, PLR0917 - what an article's record is made of
    read: ReadPage,
    mined: Mined,
    name: ArticleName,
    sections: int,
    excluded: frozenset[int],
    sha256: str,
) -> Article:
    """The line of an article in the set."""
    page = read.page
    openings = (read.cut.opening(page, ordinal) for ordinal in sorted(excluded))
    return Article(
        id=name.id,
        path=name.path,
        title=page.title,
        topic=topic_of(page.title),
        language=page.language,
        encoding=page.encoding,
        unit_level=read.cut.level,
        sections=sections,
        excluded=tuple(opening.text for opening in openings if opening is not None),
        tables=mined.tables,
        rows=len(mined.needs),
        warnings=page.warnings + mined.warnings,
        sha256=sha256,
    )


def _outline(read: ReadPage, name: ArticleName, excluded: frozenset[int]) -> Outline:
    """The names of an article."""
    return Outline(
        id=name.id,
        path=name.path,
        title=read.page.title,
        base=read.page.base,
        headings=read.cut.headings,
        anchors=read.cut.anchors,
        sections=read.cut.count,
        excluded=excluded,
        sites=read.page.sites,
    )


def mine_page(
    page: Page, settings: Settings, used: Sequence[Miner], *, views: bool = False
) -> tuple[ReadPage, Mined]:
    """The page as it is cut into sections after mining, and what miners found on it.

    In the order of the miners.
    """
    read = _cut(page, settings, views=views)
    mined = _all_mined(read, used)
    if any(heading.segment in mined.segments for heading in page.headings):
        # a question in a table is no section
        page = without_headings(page, mined.segments)
        read = _cut(page, settings, views=views)
        mined = _all_mined(read, used)
    opened, moved = open_sections(page, mined, settings.level)
    return (read, mined) if opened is page else (_cut(opened, settings, views=views), moved)


def _cut(page: Page, settings: Settings, *, views: bool) -> ReadPage:
    words = settings.excluded_headings
    freed = free_sections(page, settings.level, words)
    return ReadPage(freed, cut_page(freed, settings.level, words), settings, views)


def _all_mined(read: ReadPage, used: Sequence[Miner]) -> Mined:
    """What all miners found, as one."""
    found = [miner.mine(read) for miner in used]
    return Mined(
        needs=tuple(chain.from_iterable(one.needs for one in found)),
        segments=frozenset().union(*(one.segments for one in found)),
        tables=sum(one.tables for one in found),
        views=tuple(chain.from_iterable(one.views for one in found)),
        warnings=tuple(chain.from_iterable(one.warnings for one in found)),
    )


def _masked(mined: Mined) -> Masked:
    """What leaves the corpus because it was mined."""
    masks = [mask for need in mined.needs for mask in need.masks]
    whole = [need for need in mined.needs if any(not mask.text for mask in need.masks)]
    return Masked.of(mined.segments, masks, [need.question for need in whole])


def _row(need: Need, read: ReadPage) -> Row:
    """A need with its places as sections."""
    target = None
    if need.target is not None:
        owner = read.owner(need.target)
        target = LEAD if owner is None else owner
    return Row(
        question=need.question,
        answer=need.answer,
        reference=need.reference,
        place=need.place,
        detector=need.detector,
        host=read.owner(need.at),
        declared=need.declared,
        target=target,
        whole=need.whole,
        evidence=need.evidence,
        fault=need.fault,
    )
