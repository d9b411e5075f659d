"""The ids that generators give to headings.

Links between pages of a site are written with one of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Slugger:
    """How a kind of generator makes ids."""

    slug: Callable[[str], str]
    """The id of a heading by its text; empty if it has none of its own."""
    again: Callable[[str, int], str]
    """The id of the n-th heading (from 1) that comes after the first of the same slug."""


def _github(text: str) -> str:
    """GitHub, Docusaurus, Hugo, kramdown's GFM: letters, marks, digits, ``_`` and ``-``."""
    kept = [c for c in text.strip().lower() if c in " -" or _is_word(c)]
    return "".join(kept).replace(" ", "-")


def _is_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN" or unicodedata.category(character) == "Pc"


def _gitlab(text: str) -> str:
    """GitLab, Pandoc's and Hugo's older rule: as GitHub, but hyphens in a row are one."""
    return re.sub(r"-{2,}", "-", _github(text))


_SPECIAL: Final = re.compile(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'“”‘’<>,.?/]+")


def _vitepress(text: str) -> str:
    """VitePress and VuePress: accents go, punctuation of ASCII is a hyphen.

    Source: @mdit-vue/shared, slugify.
    """
    bare = re.sub(r"[\u0300-\u036f\x00-\x1f]", "", unicodedata.normalize("NFKD", text))
    hyphened = _SPECIAL.sub("-", bare).strip("-")
    return re.sub(r"^(\d)", r"_\1", hyphened).lower()


def _python(text: str) -> str:
    """Python-Markdown and MkDocs: what is not ASCII is dropped.

    Source: Python-Markdown, extensions/toc.py, slugify.
    """
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _hyphened(ascii_only)


def _python_unicode(text: str) -> str:
    """Python-Markdown and pymdownx with ``slugify_unicode``."""
    return _hyphened(unicodedata.normalize("NFKC", text))


def _hyphened(text: str) -> str:
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def _kramdown(text: str) -> str:
    """Kramdown: from the first letter of ASCII on.

    Source: kramdown, converter/base.rb, basic_generate_id.
    """
    from_letter = re.sub(r"^[^a-zA-Z]+", "", text)
    slug = re.sub(r"[^a-zA-Z0-9 -]", "", from_letter).replace(" ", "-").lower()
    return slug or "section"


def _as_written(text: str) -> str:
    """Themes that make ids by script: the text itself."""
    return "-".join(text.lower().split())


def _with_hyphen(slug: str, number: int) -> str:
    return f"{slug}-{number}"


def _with_underscore(slug: str, number: int) -> str:
    return f"{slug}_{number}"


SLUGGERS: Final = (
    Slugger(_github, _with_hyphen),
    Slugger(_vitepress, _with_hyphen),
    Slugger(_python, _with_underscore),
    Slugger(_python_unicode, _with_underscore),
    Slugger(_gitlab, _with_hyphen),
    Slugger(_kramdown, _with_hyphen),
    Slugger(_as_written, _with_hyphen),
)
"""In the order in which they are heard where two mean different headings by one id."""


def heading_ids(texts: Sequence[str], spoken: Iterable[str]) -> list[list[str]]:
    """The ids that some generator gives to each heading of a page; no id is in two lists.

    ``spoken`` are those that the writer gave: they mean what the writer said.
    """
    ids: list[list[str]] = [[] for _ in texts]
    taken = set(spoken)
    for slugger in SLUGGERS:
        for number, name in enumerate(_numbered(slugger, texts)):
            if name and name not in taken:
                taken.add(name)
                ids[number].append(name)
    return ids


def _numbered(slugger: Slugger, texts: Sequence[str]) -> list[str]:
    """The ids by one rule, those that come again with their number."""
    given: set[str] = set()
    counts: dict[str, int] = {}
    names = []
    for text in texts:
        slug = name = slugger.slug(text)
        # a heading without an id of its own is numbered from the first on by those who use _
        if not slug and slugger.again is not _with_underscore:
            names.append("")
            continue
        while name in given or not name:
            counts[slug] = counts.get(slug, 0) + 1
            name = slugger.again(slug, counts[slug])
        given.add(name)
        names.append(name)
    return names
