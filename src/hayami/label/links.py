"""Where a link leads: to a place in a file of the build, outside of it, or nowhere."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

_IGNORED_SCHEMES: Final = frozenset(("javascript", "mailto", "tel", "data", "about"))
_IGNORED_IN_HREF: Final = re.compile(r"[\t\n\r]")
_SCHEME: Final = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.\-]*):")
_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Link:
    """A link resolved against its page."""

    path: str
    """The file within the build; empty for the page itself."""
    fragment: str
    external: bool = False


def leads_nowhere(href: str) -> bool:
    """Whether a link is no address of a page: empty, a lone ``#``, a script or a mail address."""
    scheme = _SCHEME.match(href)
    if scheme is not None and scheme[1].lower() in _IGNORED_SCHEMES:
        return True
    return not href.strip().lstrip("#")


def resolve_link(href: str, page: str, base: str) -> Link:
    """Where a link leads, within the build or outside of it.

    A fragment alone means the page itself, whatever ``base`` says (as Safari and offline readers
    do). An absolute ``base`` names the published copy of the page's own folder, so links below it
    are links between files.

    Args:
        href: the link as written.
        page: the path of its page, relative to the source folder.
        base: the page's ``base href``, or empty.

    Source: WHATWG HTML, "fallback base URL".
    """
    href = _IGNORED_IN_HREF.sub("", href).strip().split(":~:")[0]
    if href.startswith("#"):
        return Link("", href[1:])
    if href.startswith("?"):
        return Link("", urlsplit(href).fragment)
    try:
        return _resolved(href, page, base if _is_address(base) else "")
    except ValueError:  # an address that is none, such as http://[
        return Link("", "", external=True)


def _resolved(href: str, page: str, base: str) -> Link:
    """A link that leads from its page, by the rules of addresses.

    Raises:
        ValueError: the link is no address.
    """
    published = urlsplit(base)
    if published.netloc:
        return _below_base(urlsplit(urljoin(base, href)), published, posixpath.dirname(page))
    resolved = urlsplit(urljoin(urljoin(f"file:///{quote(page)}", base), href))
    if resolved.scheme != "file" or resolved.netloc:
        return Link("", resolved.fragment, external=True)
    return Link(unquote(resolved.path).lstrip("/") or "./", resolved.fragment)


def _host(address: SplitResult) -> tuple[str, int]:
    port = address.port or _PORTS.get(address.scheme, 0)
    return (address.hostname or "").lower(), port


def _is_address(text: str) -> bool:
    try:
        urlsplit(text)
    except ValueError:  # such as http://[
        return False
    return True


def _below_base(resolved: SplitResult, published: SplitResult, folder: str) -> Link:
    """A link resolved against the published address of a page's folder, as a path between files."""
    if _host(resolved) != _host(published):
        return Link("", resolved.fragment, external=True)
    here = posixpath.dirname(published.path)
    relative = posixpath.relpath(resolved.path or "/", here or "/")
    path = posixpath.normpath(posixpath.join(folder, unquote(relative)))
    return Link(path + "/" * resolved.path.endswith("/"), resolved.fragment)
