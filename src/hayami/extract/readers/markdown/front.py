"""What stands before the text of a Markdown file about it: title, language, addresses."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import yaml

_YAML: Final = re.compile(
    r"\A\s*---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)
_TOML: Final = re.compile(
    r"\A\s*\+\+\+[ \t]*\r?\n(.*?)^\+\+\+[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)
_BARE: Final = re.compile(r"\A(?:[A-Za-z][\w-]*:[^\r\n]*(?:\r?\n|\Z))+(?=\s|\Z)")
"""Lines of names and values that begin the file, without a fence, as Pelican and MultiMarkdown have
them."""
_NAMED: Final = re.compile(r"^([A-Za-z][\w-]*):[ \t]*(.*?)[ \t]*\r?$", re.MULTILINE)
_MOST: Final = 20_000
"""Characters of front matter that are parsed: two thousand brackets take its parser a quarter of a
second."""


@dataclass(frozen=True, slots=True)
class Front:
    """What a writer said about a page before its text."""

    title: str = ""
    language: str = ""
    addresses: tuple[str, ...] = ()
    """As :attr:`hayami.extract.readers.Leaf.addresses`."""
    warnings: list[str] = field(default_factory=list)


def read_front(text: str) -> tuple[Front, str]:
    """The front matter of a file, and the text after it.

    Front matter that cannot be parsed is no text either; only the names at the beginning of its
    lines are then read.
    """
    bare = _BARE.match(text)
    if bare and re.search(r"^title:", bare[0], re.MULTILINE | re.IGNORECASE):
        return _front(_by_lines(bare[0])), text[bare.end() :]
    fenced = _YAML.match(text) or _TOML.match(text)
    if fenced is None:
        return Front(), text
    values = _parsed(fenced[1], toml=fenced[0].lstrip().startswith("+++"))
    rest = text[fenced.end() :]
    if values is not None:
        return _front(values), rest
    front = _front(_by_lines(fenced[1]))
    front.warnings.append("front matter: it cannot be parsed and was read line by line")
    return front, rest


def _parsed(text: str, *, toml: bool) -> Mapping[object, object] | None:
    """The values of front matter; None if it is damaged, too long, or no names and values."""
    if len(text) > _MOST:
        return None
    try:
        # texts only: a slug of digits stays as written, and nothing is made of any tag
        values: object = (
            tomllib.loads(text) if toml else yaml.load(text, yaml.BaseLoader)  # noqa: S506
        )
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    if values is None or not text.strip():
        return {}
    return values if isinstance(values, dict) else None


def _by_lines(text: str) -> dict[object, object]:
    return {name: value.strip("\"'") for name, value in _NAMED.findall(text)}


def _front(values: Mapping[object, object]) -> Front:
    folded = {str(name).lower(): value for name, value in values.items()}

    def said(name: str) -> str:
        value = folded.get(name)
        return " ".join(value.split()) if isinstance(value, str) else ""

    rooted = [said(name) for name in ("permalink", "url")]
    addresses = [f"/{address.lstrip('/')}" for address in rooted if address]
    addresses += [said(name) for name in ("slug", "id")]
    for name in ("aliases", "redirect_from"):
        others = folded.get(name)
        addresses += (
            [one for one in others if isinstance(one, str)] if isinstance(others, list) else []
        )
    own = [one for one in addresses if one and "://" not in one and ":" not in one]
    return Front(said("title"), said("lang") or said("language"), tuple(own))
