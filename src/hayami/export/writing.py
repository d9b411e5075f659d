"""How texts are put into lines, TSV fields and JSON, so that no reader trips over them."""

from __future__ import annotations

import json
import re
from typing import Final

from hayami.evalset.records import Section
from hayami.text.fold import escape_line_separators

_BREAKS: Final = re.compile("[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
"""The tab, and everything at which ``str.splitlines`` breaks a line."""


def section_title(section: Section) -> str:
    """Title of the article and heading of the section in one line, each once."""
    return " — ".join(dict.fromkeys(part for part in (section.title, section.heading) if part))


def section_text(section: Section) -> str:
    """A section as one text, for formats without a title: title and heading in the first line."""
    return "\n".join(part for part in (section_title(section), section.text) if part)


def one_line(text: str) -> str:
    """A text as a field of a TSV file: each run of tabs and line breaks is one blank."""
    return _BREAKS.sub(" ", text)


def as_json(value: object, *, indent: int | None = None) -> str:
    """A value as strict JSON in UTF-8; U+2028, U+2029 and U+0085 are escaped."""
    return escape_line_separators(
        json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    )


def as_ascii_json(value: object) -> str:
    """A value as strict JSON in ASCII: some readers open files in the encoding of the machine."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False)
