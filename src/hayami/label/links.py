"""Where a link leads: to a place in a file of the build, outside of it, or nowhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

_IGNORED_SCHEMES: Final = frozenset(("javascript", "mailto", "tel", "data", "about"))
_IGNORED_IN_HREF: Final = re.compile(r"[\t\n\r]")
_SCHEME: Final = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.\-]*):")
_PORTS: Final = {"http": 80, "https": 443}
_WEB: Final = frozenset((*_PORTS, "file"))
"""Schemes of pages; a link that begins with ``//`` has that of the page."""
_DIRECTIVE: Final = ":~:"
"""What stands between a fragment and what is said to the browser alone."""
_INDEX: Final = re.compile(r"(?:^|(?<=/))index\.x?html?$", re.IGNORECASE)
_SUFFIX: Final = re.compile(r"\.x?html?$|/$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Link:
    """A link resolved against its page."""

    path: str
    """The file within the build; empty for the page itself."""
    fragment: str
    external: bool = False
    passage: str = ""
    """The words to scroll to (``#:~:text=…``), decoded; of a range the first ones."""
    guessed: bool = False
    """Whether the link is external unless there is such a file: only the published address of its
    page says that it may be of this site."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where a page stands, here and on the web."""

    path: str
    """Its path, relative to the source folder."""
    base: str = ""
    """Its ``base href``, or empty."""
    addresses: tuple[str, ...] = ()
    """The addresses at which it says that it is published."""
    roots: tuple[str, ...] = ()
    """The addresses at which the source folder is published."""


def leads_nowhere(href: str) -> bool:
    """Whether a link is no address of a page: empty, a lone ``#``, a script or a mail address.

    A fragment directive alone (``#:~:text=…``) leads to the top of the page, as ``#`` does.
    """
    scheme = _SCHEME.match(href)
    if scheme is not None and scheme[1].lower() in _IGNORED_SCHEMES:
        return True
    return not href.partition(_DIRECTIVE)[0].strip().lstrip("#")


def passage_of(href: str) -> str:
    """The words that a text directive scrolls to, decoded; empty without one.

    Of a range those at its beginning; the context before and behind them is left out.

    Source: WICG, "URL Fragment Text Directives", 2.1.

    >>> passage_of("#:~:text=to-,Building%20the%20index,-now")
    'Building the index'
    """
    directive = href.partition(_DIRECTIVE)[2]
    for one in directive.split("&"):
        if one.startswith("text="):
            parts = one.removeprefix("text=").split(",")
            if len(parts) > 1 and parts[0].endswith("-"):
                del parts[0]
            return unquote(parts[0])
    return ""


def resolve_link(href: str, site: Site) -> Link:
    """Where a link on a page leads, within the build or outside of it.

    A fragment alone means the page itself, whatever ``base`` says (as Safari and offline readers
    do). An absolute ``base`` names the published copy of the page's own folder, so links below it
    are links between files; so are absolute links to where the page, or the whole source folder, is
    published.

    Source: WHATWG HTML, "fallback base URL".
    """
    href = _IGNORED_IN_HREF.sub("", href).strip()
    passage = passage_of(href)
    href = href.partition(_DIRECTIVE)[0]
    if href.startswith("#"):
        return Link("", href[1:], passage=passage)
    if href.startswith("?"):
        return Link("", urlsplit(href).fragment, passage=passage)
    try:
        found = _resolved(href, site)
    except ValueError:  # an address that is none, such as http://[
        return Link("", "", external=True)
    return replace(found, passage=passage)


def _resolved(href: str, site: Site) -> Link:
    """A link that leads from its page, by the rules of addresses.

    Raises:
        ValueError: the link is no address.
    """
    base = site.base if _is_address(site.base) else ""
    published = urlsplit(base)
    if published.netloc:
        address = urlsplit(urljoin(base, href))
        path = _below_base(address, published, posixpath.dirname(site.path))
    else:
        address = urlsplit(urljoin(urljoin(f"file:///{quote(site.path)}", base), href))
        path = _in_folder(address)
    if path is not None:
        return Link(path, address.fragment)
    return _published(address, site) or Link("", address.fragment, external=True)


def _in_folder(address: SplitResult) -> str | None:
    """The path of an address within the source folder; None if it is none of it."""
    if address.scheme != "file" or address.netloc:
        return None
    return unquote(address.path).lstrip("/") or "./"


def _host(address: SplitResult) -> tuple[str, int]:
    port = address.port or _PORTS.get(address.scheme, 0)
    return (address.hostname or "").lower(), port


def _is_address(text: str) -> bool:
    try:
        urlsplit(text)
    except ValueError:  # such as http://[
        return False
    return True


def _below_base(resolved: SplitResult, published: SplitResult, folder: str) -> str | None:
    """An address resolved against the published one of a page's folder, as a path between files.

    None if it is of another host.
    """
    if _host(resolved) != _host(published):
        return None
    here = posixpath.dirname(published.path)
    relative = posixpath.relpath(resolved.path or "/", here or "/")
    path = posixpath.normpath(posixpath.join(folder, unquote(relative)))
    return path + "/" * resolved.path.endswith("/")


# --- where a page is published --------------------------------------------------------------------


def _published(address: SplitResult, site: Site) -> Link | None:
    """An absolute link as one within the build, if it leads to where that is published."""
    if not address.netloc or address.scheme not in _WEB:
        return None
    for root in _addresses(site.roots):
        path = _below_root(address, root)
        if path is not None:
            return Link(path or "./", address.fragment)
    for published in _addresses(site.addresses):
        path = _beside(address, published, site.path)
        if path is not None:
            return Link(path, address.fragment, guessed=bool(path))
    return None


def _addresses(texts: Iterable[str]) -> Iterator[SplitResult]:
    """The texts that are absolute addresses."""
    for text in texts:
        if _is_address(text) and urlsplit(text).netloc:
            yield urlsplit(text)


def _is_of(address: SplitResult, other: SplitResult) -> bool:
    """Whether two addresses are of one host, whichever of http and https they say."""
    return address.hostname == other.hostname and address.port == other.port


def _below_root(address: SplitResult, root: SplitResult) -> str | None:
    """The path of an address in the source folder that is published at ``root``; None outside."""
    folder = root.path if root.path.endswith("/") else f"{root.path}/"
    if not _is_of(address, root) or not f"{address.path}/".startswith(folder):
        return None
    return unquote(address.path.removeprefix(folder.rstrip("/"))).lstrip("/")


def _beside(address: SplitResult, published: SplitResult, page: str) -> str | None:
    """The file of an address, told by where one page is published; empty for that page itself.

    The steps that the page's path and its address have in common at their end are cut off: what is
    left are two folders that are one. An index is its folder. None if the address is of another
    host, or if nothing tells how the folders lie to each other.
    """
    if not _is_of(address, published):
        return None
    wanted, there, here = _steps(address.path), _steps(published.path), _steps(page)
    if wanted == there:
        return ""
    shared = 0
    while shared < min(len(there), len(here)) and there[-1 - shared] == here[-1 - shared]:
        shared += 1
    if not shared and not _INDEX.search(page):
        return None
    root, folder = there[: len(there) - shared], here[: len(here) - shared]
    relative = posixpath.relpath("/" + unquote(address.path).strip("/"), "/" + "/".join(root))
    path = posixpath.normpath(posixpath.join("/".join(folder), relative))
    if path.startswith(".."):
        return None
    return path + "/" * address.path.endswith("/")


def _steps(path: str) -> list[str]:
    """The steps of a path, without the name of an index and without the suffix of a page."""
    stem = _SUFFIX.sub("", _INDEX.sub("", unquote(path)))
    return [step for step in stem.split("/") if step]
