"""What made a run, in a file beside it: a run file has no place for comments."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from pydantic import ValidationError

from hayami.errors import RunError
from hayami.evalset.jsonl import first_fault
from hayami.evalset.outputs import replace_file
from hayami.evalset.records import Record
from hayami.text.fold import escape_line_separators


class RunCard(Record):
    """The file ``RUN.json`` beside a run: enough to make the run again."""

    run: str
    """Name of the run file."""
    retriever: str
    """Name of the baseline, or ``command``."""
    meaning: str
    """What it is, with its parameters; the command line of a program."""
    fields: tuple[str, ...]
    """Fields of a section that were searched; empty for a program, which chooses itself."""
    prefix_topic: bool
    """Whether the article's topic stood before each query."""
    top: int
    """Most results a query."""
    seed: int
    """Seed of what draws at random."""
    queries: int
    """Queries asked."""
    answered: int
    """Queries with at least one result."""
    unknown: int
    """Results that name a section which the corpus does not hold; a baseline has none."""
    set_sha256: str
    """Hash of the eval set; see :attr:`hayami.evalset.folder.EvalSet.sha256`."""
    packages: dict[str, str]
    """Versions of the packages that the ranking depends on."""


def card_path(run: Path) -> Path:
    """Where the card of a run file lies: beside it, with ``.json`` after its name."""
    return run.with_name(f"{run.name}.json")


def write_card(run: Path, card: RunCard) -> None:
    """Writes the card of a run file, whole or not at all.

    Raises:
        RunError: the system refuses.
    """
    text = escape_line_separators(card.model_dump_json(indent=2)) + "\n"
    replace_file(card_path(run), text.encode(), error=RunError, hint="Choose another --out.")


def read_card(run: Path) -> RunCard | None:
    """The card of a run file; None if there is none, as beside every run that another tool made.

    Raises:
        RunError: there is one, and it is damaged.
    """
    path = card_path(run)
    try:
        return RunCard.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RunError(
            error.strerror or str(error), where=str(path), hint="Make it readable, or delete it."
        ) from error
    except ValidationError as error:
        raise RunError(
            first_fault(error), where=str(path), hint="Delete it: the run does not need it."
        ) from error


def package_versions() -> dict[str, str]:
    """The installed versions of what a baseline's ranking depends on."""
    return {
        name: importlib.metadata.version(name)
        for name in ("hayami", "numpy", "scikit-learn", "scipy")
    }
