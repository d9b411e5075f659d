"""The languages that hayami knows, each in one file of this folder: ``ja.toml`` is all of Japanese.

A reader asks for the words of every language at once (:func:`every`), as pages mix them: an English
"FAQ" heads Japanese sections. A new language is a new file; nothing else names the languages.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Annotated, Final, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from hayami.errors import WordsError

FOLDER: Final = Path(__file__).parent
_Word = TypeVar("_Word")


def _joined_lines(pattern: str) -> str:
    return "".join(line.strip() for line in pattern.splitlines()) if "\n" in pattern else pattern


Words = tuple[Annotated[str, Field(min_length=1)], ...]
"""A list of words; it may be empty where a language has no such thing."""
Patterns = tuple[Annotated[str, AfterValidator(_joined_lines)], ...]
"""A list of regular expressions; line breaks in one are layout, with the blanks around them."""


class _Chapter(BaseModel):
    """A section of a language's file: every key must be there, and no other."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Headers(_Chapter):
    """Header words of tables; patterns as in a shell, for the folded cell as a whole."""

    question: Words
    """Of the column with the question."""
    situation: Words
    """Question headers that name a situation: beside a column of questions, one of groups."""
    answer: Words
    """Of the column with the short answer."""
    reference: Words
    """Of the column that names the section with the details."""


class Headings(_Chapter):
    """Headings of sections that stay out of the corpus, as a whole and folded."""

    excluded: Words
    """FAQ, summary, references, related articles."""
    excluded_if_flat: Words
    """Those of them that are also headings of content: they stay if they have deeper headings."""


class CellWords(_Chapter):
    """What cells say that names no section, and what is no text of the page."""

    placeholders: Words
    """There is no reference. Cells of nothing but dashes and symbols mean the same."""
    generic: Words
    """Follow the link: without a link they name nothing."""
    footnotes: Words
    """The words of footnote marks: the 注 of ``[注1]``."""


class Counted(_Chapter):
    """Numbers and what stands around them.

    A unit has one name in all languages: ``chapter``, ``section``, ``item``, ``part``, ….
    """

    before: dict[str, Words]
    """By unit, the words for it before a number (chapter 3); with a dot where they need one."""
    after: dict[str, Words]
    """By unit, the words for it behind a number (3章)."""
    opening: Words
    """What opens a number with its unit behind it: the 第 of 第3章."""
    digits: Words
    """Numerals that are no digits, from 0 to ten, which builds 11 to 99; empty if none are."""
    counters: Words
    """Words behind numerals (二つ目) that need no ``opening``."""
    cardinals: Patterns
    """Number words in order from 1 (one, two) that stand behind ``spelt``."""
    ordinals: Patterns
    """Number words in order from 1 (first, second) that stand before ``spelt``."""
    spelt: Words
    """The words for units beside which a number may be spelt out."""
    roman: Words
    """The words for units whose numbers may be Roman."""
    questions: Words
    """Words before a number that mean the same as the letter Q."""


class Joints(_Chapter):
    """Words between two names or numbers."""

    to: Words
    """Between the ends of a range of numbers."""
    also: Words
    """Between the numbers of a list."""
    either: Patterns
    """Between two names of a list that is cut there."""
    genitive: Words
    """Particles of "of", without blanks before them."""
    object: Words
    """Particles of what is done to something."""
    listed: Words
    """Between and behind the names of a list, without blanks."""


class Phrases(_Chapter):
    """What stands around a reference; case does not count."""

    leading: Patterns
    """Before a reference (see …), never part of a name; tried at the start, in order."""
    trailing: Patterns
    """Behind it (… を参照); tried at the end, in order."""
    opening: Patterns
    """Before it, and as well part of a name (Read replicas): only a whole heading may be left."""
    closing: Patterns
    """The same behind it."""
    foreign: Patterns
    """Numbers of laws and standards, which are none of chapters."""


class Stop(_Chapter):
    """Words of grammar, by who leaves them out: published figures hang on each of these lists."""

    wording: Words
    """In the share of a question's words that its section has (:mod:`hayami.text.overlap`)."""
    likeness: Words
    """In what a reference must have in common with a heading (:mod:`hayami.label.similarity`)."""
    repeats: Words
    """In telling two questions apart (:mod:`hayami.text.repeats`)."""
    names: Words
    """In whether a question names a thing (:mod:`hayami.label.grades`)."""


class Opposites(_Chapter):
    """What makes two names mean different things, however alike they are."""

    contrasts: str
    """Groups of words of which a name means one; a blank between words, a ``|`` between groups."""
    alone: str
    """The same, for words that count only where they are no part of a longer one: 行 is in 銀行."""
    prefixes: Words
    """What makes another word at the start of one: uninstall, 非公開."""
    endings: Words
    """The same behind a word: ロック解除."""
    negations: Patterns
    """What says that something is not so, in any word: not, 使えない, 不要."""
    affirmed: Patterns
    """What only looks like that: 不具合, しなければならない."""
    poles: str
    """Groups of letters of which one stands for another (館内, 館外); as ``contrasts``."""
    happened: Patterns
    """What says that something was done to a thing, where no verb alone says it: 削除された."""
    denials: Patterns
    """Words that turn a question into its opposite (not, ない)."""


class Needs(_Chapter):
    """What tells a text that somebody may look for from one that nobody does."""

    stop: Words
    """Words that say nothing of what is looked for, beside those of ``stop.wording``."""
    bound: Patterns
    """What points at the text around it (the above, this page): such a need stands not alone."""
    pronouns: Patterns
    """The same where nothing before them in the need can be meant (it, this)."""
    idle: Patterns
    """Whole texts without their end mark that ask for nothing: What's next?, Ready?"""
    news: Patterns
    """In titles and headings of what is new in a version: nothing there is a need."""


class Asking(_Chapter):
    """How questions are marked and opened; case does not count."""

    labels: Words
    """Words for Q before a question, with or without a number."""
    forms: Patterns
    """What a question, or a task put as one (How to …), opens or ends with, if it has no mark."""
    faq: Words
    """What headings and titles of lists of questions hold."""


class Troubles(_Chapter):
    """How pages about a problem and its solution are laid out, and titled."""

    problem: Words
    """Whole headings over what is wrong; a number, a colon and what follows it aside."""
    solution: Words
    """The same over what to do."""


class Titles(_Chapter):
    """What titles open or end with that say what somebody does or suffers; case does not count."""

    task: Patterns
    """Doing something: Configuring …, …する方法."""
    problem: Patterns
    """Something is wrong: … fails, …できない."""


class Referring(_Chapter):
    """Sentences that say where a need is met: For X, see L.

    In patterns ``{need}`` is X, ``{link}`` a link with what may stand right before it, and
    ``{rest}`` what may stand between; case does not count.
    """

    forms: Patterns
    """Whole sentences, without their end mark; the first that fits tells the need."""
    before: str
    """What may stand right before a link, as a pattern: "the section"."""
    strip: Patterns
    """What opens or ends a need and belongs to the form: "more information on"."""
    vague: Patterns
    """Whole needs that name nothing: "further information"."""


class Fields(_Chapter):
    """Names of the columns of imported files of questions."""

    query: Words
    """The question."""
    ids: Words
    """The ids of the sections that answer it."""
    names: Words
    """Their headings or numbers, as people write them."""
    article: Words
    """The article that they are in."""
    answer: Words
    """The answer in words."""
    expected_keywords: Words
    """Words that an answer must have."""
    category: Words
    """The kind of question."""
    difficulty: Words
    """How hard it is."""
    source: Words
    """Who wrote it."""


Sentences = dict[str, Annotated[str, Field(min_length=1)]]
"""Sentences by key; ``{names}`` in them are filled in."""


class Language(_Chapter):
    """All that hayami knows of one language."""

    name: str
    """Its own name for itself."""
    order: int = Field(strict=True, ge=1)
    """Its place among the languages, from 1: the order of the words of them all."""
    headers: Headers
    headings: Headings
    cells: CellWords
    numbers: Counted
    joints: Joints
    phrases: Phrases
    stop: Stop
    opposites: Opposites
    needs: Needs
    asking: Asking
    referring: Referring
    troubles: Troubles
    titles: Titles
    fields: Fields
    spellings: dict[str, str]
    """Spellings of words that mean the same: a regular expression, and how it is compared."""
    review: Sentences | None = None
    """What a judge reads on the page and in the terminal; None if hayami does not speak it."""
    writers: Sentences | None = None
    """What the writers' report says; None if hayami does not speak it."""


def read_language(path: Path) -> Language:
    """The language that a file holds.

    Raises:
        WordsError: it is no TOML, a section or key is missing or unknown, or a value is of another
            kind; the file and the key are named.
    """
    try:
        return Language.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WordsError(f"no language file: {error}", where=str(path)) from error
    except ValidationError as error:
        fault = error.errors()[0]
        key = ".".join(map(str, fault["loc"]))
        raise WordsError(
            f"{key}: {fault['msg']}",
            where=str(path),
            hint="A language has the sections and keys of en.toml, and no others.",
        ) from error


def read_languages(folder: Path) -> dict[str, Language]:
    """The languages of a folder by code (the file's name), in their order.

    Raises:
        WordsError: as :func:`read_language`, or two languages have one place.
    """
    found = {path.stem: read_language(path) for path in sorted(folder.glob("*.toml"))}
    places: dict[int, str] = {}
    for code, language in found.items():
        if language.order in places:
            raise WordsError(
                f"order: {language.order} is that of {places[language.order]} too",
                where=str(folder / f"{code}.toml"),
            )
        places[language.order] = code
    _check_sentences(found, folder)
    return {places[order]: found[places[order]] for order in sorted(places)}


def _check_sentences(found: dict[str, Language], folder: Path) -> None:
    """Whether the languages that hayami speaks say the same, as the first of them by code does."""
    for section in ("review", "writers"):
        spoken: dict[str, Sentences] = {
            code: sentences
            for code, language in found.items()
            if (sentences := getattr(language, section)) is not None
        }
        first = next(iter(spoken), "")
        for code, sentences in spoken.items():
            odd = sorted(sentences.keys() ^ spoken[first].keys())
            if odd:
                known = "not in" if odd[0] in sentences else "missing, but in"
                raise WordsError(
                    f"{section}.{odd[0]}: {known} {first}.toml",
                    where=str(folder / f"{code}.toml"),
                )


@cache
def languages() -> dict[str, Language]:
    """The languages of hayami by code, in their order; read once."""
    return read_languages(FOLDER)


def every(pick: Callable[[Language], Iterable[_Word]]) -> tuple[_Word, ...]:
    """What ``pick`` takes of each language, in their order, each once.

    >>> every(lambda language: language.numbers.opening)
    ('第', '제')
    """
    picked: dict[_Word, None] = {}
    for language in languages().values():
        picked.update(dict.fromkeys(pick(language)))
    return tuple(picked)
