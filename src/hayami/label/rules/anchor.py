"""Rule ``anchor``: the element that a browser would scroll to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from hayami.evalset.records import Match, Reason
from hayami.label.cell import Reference, Sought
from hayami.label.headings import whole
from hayami.label.links import Link, Site, resolve_link
from hayami.label.meaning import Meaning, Missing
from hayami.label.rules.contradiction import contradicted
from hayami.label.rules.rule import Role, Rule
from hayami.label.scope import Scope
from hayami.parts import Heading, Landing, Outline
from hayami.text.fold import compact

_HOSTED: Final = "user-content-"
"""What code hosts put before the ids of a page that they render; links leave it out."""


def follow(scope: Scope, reference: Reference) -> Meaning:
    """Where the link leads, in this article or another."""
    href = reference.href or ""
    link = resolve_link(href, scope.site)
    outline = None if link.external else _linked(scope, link)
    if link.external or (link.guessed and outline is None):
        return Meaning(reason=Reason.EXTERNAL_LINK, details=(href,))
    if outline is None and scope.outline.served:
        # no file is there: it was written for the page that is made of this one
        outline = _linked(scope, resolve_link(href, Site(scope.outline.served)))
    if outline is None:
        return _broken(Missing.FILE, f"no file {link.path} in the build")
    if not link.fragment:
        return _unfragmented(scope, outline, link, reference)
    for name in _ids(link.fragment):
        if name in outline.anchors:
            return _at(scope, outline, outline.anchors[name], reference)
    return _broken(Missing.PLACE, f"no id {link.fragment} in {outline.path}")


def _ids(fragment: str) -> Iterator[str]:
    """The ids that a fragment may mean: as browsers try them, then as scripts of code hosts do."""
    yield fragment
    yield unquote(fragment)
    yield _HOSTED + unquote(fragment)


def _unfragmented(scope: Scope, outline: Outline, link: Link, reference: Reference) -> Meaning:
    """What a link to a whole page means: the heading that it scrolls to, else the article."""
    headings = scope.index.beside(outline).folded.get(compact(link.passage), [])
    if len({heading.section for heading in headings}) == 1:
        sought = Sought(link.passage, reference.href)
        return scope.target(outline, headings[0], sought, Match.EXACT)
    return scope.article(outline, Sought(reference.written, reference.href), Match.ANCHOR)


def _broken(missing: Missing, detail: str) -> Meaning:
    return Meaning(reason=Reason.BROKEN_LINK, details=(detail,), missing=missing)


def _linked(scope: Scope, link: Link) -> Outline | None:
    """The article that a link leads to; None if there is none."""
    if not link.path or link.path == scope.outline.path:
        return scope.outline
    return scope.others().outline(link.path)


def _at(scope: Scope, outline: Outline, place: Landing, reference: Reference) -> Meaning:
    """What an id leads to: a section, the article's title, or text that is in no section."""
    section, number = place
    heading = outline.headings[number] if number is not None else None
    if section is None:
        article = (whole(outline),)
        if heading is not None:
            return Meaning(reason=Reason.WHOLE_ARTICLE, candidates=article)
        detail = ("it is in the lead",)
        return Meaning(reason=Reason.EXCLUDED_SECTION, candidates=article, details=detail)
    if heading is None or heading.section != section:
        heading = Heading(outline.title, 0, section, unit=True)
    sought = Sought(reference.written, reference.href)
    stale = contradicted(scope, outline, heading, reference)
    return stale or scope.target(outline, heading, sought, Match.ANCHOR)


ANCHOR: Final = Rule("anchor", follow, frozenset({Role.LINK}))
