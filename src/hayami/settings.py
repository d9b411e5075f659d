"""Every setting of a build with its meaning and default; read and written as ``hayami.toml``."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hayami.errors import SettingsError
from hayami.text.fold import squeeze
from hayami.words.languages import Language, every


class Detect(StrEnum):
    """How quick-reference tables are found."""

    HEADER = "header"
    BOTH = "both"


class Duplicates(StrEnum):
    """What happens to a question that stands in several rows."""

    MERGE = "merge"
    KEEP = "keep"
    DROP = "drop"


WordList = Annotated[tuple[str, ...], Field(min_length=1)]


def _words(pick: Callable[[Language], tuple[str, ...]]) -> tuple[str, ...]:
    """A setting that has the words of all languages unless it is set; read when first needed."""
    field: tuple[str, ...] = Field(default_factory=lambda: every(pick))
    return field


class Settings(BaseModel):
    """The settings of one build; equal settings and equal articles give equal files."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    level: int = Field(default=2, ge=1, le=6, strict=True)
    """The heading level that makes a section: 2 cuts articles at H2."""

    threshold: float = Field(default=0.5, ge=0.0, le=1.0, strict=True)
    """The least similarity (0 to 1) at which the rule `fuzzy` may name a section."""

    mine: tuple[str, ...] = ()
    """What is mined: `table`, `question`, `problem`, `sentence`, `title`, or the miner of another
    package; empty for those that are on by default."""

    detect: Detect = Detect.HEADER
    """How tables are found: `header` by the words of their header row, `both` also by what their
    cells name."""

    duplicates: Duplicates = Duplicates.MERGE
    """The same question in several rows: `merge` into one query, `keep` each, or `drop` all but the
    first."""

    code: bool = Field(default=False, strict=True)
    """Whether code blocks (`pre`) stay in the text of the corpus."""

    lead: bool = Field(default=False, strict=True)
    """Whether what stands before an article's first section goes into the corpus, as section
    `article#lead`."""

    short_question: int = Field(default=4, ge=0, le=100, strict=True)
    """Questions of fewer letters than this get the flag `short`."""

    max_page_bytes: int = Field(default=20_000_000, ge=1_000, strict=True)
    """Larger files are rejected, not read: a page of 20 MB takes about 1 GB of memory."""

    question_headers: WordList = _words(lambda language: language.headers.question)
    """Header words of the column with the question; `*` stands for any text, case and width do not
    count."""

    answer_headers: WordList = _words(lambda language: language.headers.answer)
    """Header words of the column with the short answer."""

    reference_headers: WordList = _words(lambda language: language.headers.reference)
    """Header words of the column that names the section with the details."""

    excluded_headings: WordList = _words(lambda language: language.headings.excluded)
    """Whole headings of sections that are left out of the corpus: FAQ, summary, references, related
    articles."""

    placeholders: WordList = _words(lambda language: language.cells.placeholders)
    """Reference cells that mean that there is no reference; cells of nothing but symbols always
    do."""

    generic_texts: WordList = _words(lambda language: language.cells.generic)
    """Link texts that name nothing by themselves, such as こちら or here."""

    site: tuple[str, ...] = ()
    """Addresses at which the source folder is published (`https://docs.example.org/`): links to
    them are links between its pages."""

    def as_plain(self) -> dict[str, object]:
        """Every setting by name as a plain value of JSON."""
        return self.model_dump(mode="json")

    def changed(self) -> dict[str, object]:
        """The settings that differ from the defaults of this version, as plain values."""
        defaults = Settings().as_plain()
        return {name: value for name, value in self.as_plain().items() if value != defaults[name]}

    def digest(self) -> str:
        """The hash of what differs from the defaults; a later version's new setting leaves it."""
        return hash_settings(self.changed())

    def as_toml(self) -> str:
        """A commented settings file with every setting; :func:`read_settings` reads it back."""
        lines = [
            "# Settings of hayami. Delete what you do not change; extend_NAME = [...] adds words.",
            "",
        ]
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            meaning = squeeze(field.description or "")
            lines += [f"# {meaning}", f"{name} = {_toml_value(value)}", ""]
        return "\n".join(lines)


def hash_settings(settings: Mapping[str, object]) -> str:
    """The sha256 of settings in a fixed form, names sorted, as hex digits."""
    text = json.dumps(settings, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


EXTEND: Final = "extend_"
"""What before the name of a list of words in a settings file adds to it."""
_LIST_WIDTH: Final = 100


def _toml_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, tuple):
        rows, row = [], "   "
        for item in map(_toml_value, value):
            if len(row) + len(item) > _LIST_WIDTH:
                rows.append(row)
                row = "   "
            row += f" {item},"
        return "\n".join(["[", *rows, row, "]"])
    return str(value)


def read_settings(path: Path) -> Settings:
    """The settings in a TOML file; what it does not name has its default.

    A list of words that it names replaces the default's; ``extend_question_headers`` and its like
    add words to it.

    Raises:
        SettingsError: no such file, not TOML, an unknown name or a value out of range, with file
            and line.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        values = tomllib.loads(text)
    except OSError as error:
        raise SettingsError(
            error.strerror or str(error), where=str(path), hint="Run 'hayami init' to write one."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        line = re.search(r"at line (\d+)", str(error))
        raise SettingsError(
            f"not TOML: {error}",
            where=f"{path}:{line[1]}" if line else str(path),
            hint="See 'hayami init'.",
        ) from error
    try:
        return Settings.model_validate(_extended(values))
    except ValidationError as error:
        raise _settings_error(error, path, text) from error


def _extended(values: Mapping[str, object]) -> dict[str, object]:
    """The settings of a file in which ``extend_NAME`` adds words to those of the list NAME."""
    found: dict[str, object] = dict(values)
    for name, words in values.items():
        plain = name.removeprefix(EXTEND)
        known = found.get(plain, getattr(Settings(), plain, None))
        if plain != name and isinstance(known, (list, tuple)) and isinstance(words, list):
            found[plain] = list(dict.fromkeys([*known, *words]))
            del found[name]
    return found


def _settings_error(error: ValidationError, path: Path, text: str) -> SettingsError:
    """The first fault that pydantic found, with the line of the key it is about."""
    fault = error.errors()[0]
    key = str(fault["loc"][0]) if fault["loc"] else ""
    pattern = re.compile(rf'\s*(\[+\s*)?["\']?{re.escape(key)}["\']?\s*[=.\]]')
    line = next((number for number, row in enumerate(text.split("\n"), 1) if pattern.match(row)), 1)
    if fault["type"] == "extra_forbidden":
        known = ", ".join(Settings.model_fields)
        return SettingsError(
            f"unknown setting '{key}'", where=f"{path}:{line}", hint=f"Known settings: {known}."
        )
    return SettingsError(
        f"{key}: {fault['msg']}",
        where=f"{path}:{line}",
        hint=squeeze(Settings.model_fields[key].description or ""),
    )
