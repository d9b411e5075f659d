"""What made a run, in a file beside it: a run file has no place for comments."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from hayami.errors import RunError
from hayami.evalset.folder import CORPUS, EvalSet, hash_file
from hayami.evalset.jsonl import first_fault
from hayami.evalset.outputs import replace_file
from hayami.evalset.records import Record
from hayami.text.fold import escape_line_separators

COMMAND: Final = "command"
"""What a card calls a program of the user's."""
TOPIC: Final = "_topic"
"""What the name of a run ends in if the topic stood before each query."""


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
    searched_sha256: str = ""
    """Hash of what was searched, and with what: see :func:`searched_sha256`; empty in older
    cards."""
    packages: dict[str, str]
    """Versions of the packages that the ranking depends on."""
    remark: str = ""
    """What is to be known of how it was made: a corpus that bears fewer dimensions than asked
    for."""

    @property
    def options(self) -> str:
        """The options of ``hayami search`` that make the run again."""
        chosen = ["--retriever", self.retriever]
        if self.retriever == COMMAND:
            name = self.run.removesuffix(".run").removesuffix(TOPIC if self.prefix_topic else "")
            chosen = ["--command", self.meaning, "--name", name]
        else:
            chosen += ["--fields", ",".join(self.fields), "--seed", str(self.seed)]
        if self.prefix_topic:
            chosen.append("--prefix-topic")
        return shlex.join([*chosen, "--top", str(self.top)])


def searched_sha256(evalset: EvalSet) -> str:
    """The hash, as hex digits, of all that a run depends on: the corpus, and the queries' texts.

    What was judged, and what people said of it, changes no run.

    Raises:
        EvalSetError: the set is damaged.
    """
    whole = hashlib.sha256(bytes.fromhex(hash_file(evalset.folder / CORPUS)))
    for query in evalset.queries():
        asked = json.dumps([query.qid, query.query, query.topic], ensure_ascii=True)
        whole.update(asked.encode() + b"\n")
    return whole.hexdigest()


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A run that was made for another set than the one at hand, or before that one changed."""

    made_for: str
    """Hash of what it searched."""
    at_hand: str
    """Hash of what there is now."""
    again: str
    """The command that makes it anew."""

    @property
    def sentence(self) -> str:
        """What to say of it, after the run's name and without a full stop."""
        return (
            "was made for another set, or for this one before it changed "
            f"({self.made_for[:12]}…, this one is {self.at_hand[:12]}…); "
            f"make it anew: {self.again}"
        )


def mismatch(run: Path, evalset: EvalSet) -> Mismatch | None:
    """How the card of a run contradicts a set; None if it does not, or if there is no card.

    Raises:
        RunError: the card is damaged.
        EvalSetError: the set is.
    """
    card = read_card(run)
    if card is None:
        return None
    made_for, at_hand = card.searched_sha256, searched_sha256(evalset)
    if not made_for:
        made_for, at_hand = card.set_sha256, evalset.sha256
    if made_for == at_hand:
        return None
    places = shlex.join([str(evalset.folder), "--out", str(run.parent)])
    return Mismatch(made_for, at_hand, f"hayami search {places} {card.options}")


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
