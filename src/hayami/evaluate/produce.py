"""One run from question to file.

Search, write the run, and beside it the card that says how it was made.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hayami.evalset.folder import EvalSet
from hayami.evalset.runs import write_run
from hayami.evaluate import retrieval
from hayami.evaluate.baselines import SET_UPS, SetUp
from hayami.evaluate.card import RunCard, package_versions, write_card
from hayami.evaluate.program import TIMEOUT, run_program

TOPIC: Final = "_topic"
"""What the name of a run ends in if the topic stood before each query."""


@dataclass(frozen=True, slots=True)
class Program:
    """A search program of the user's."""

    name: str
    """Name of its run."""
    command: str
    """The program and its arguments, as a shell would split them."""
    timeout: float = TIMEOUT
    """Seconds that it has for all queries."""


def find_set_up(name: str) -> SetUp | None:
    """The baseline of that name, or None."""
    return next((set_up for set_up in SET_UPS if set_up.name == name), None)


def produce(
    evalset: EvalSet, retriever: SetUp | Program, out: Path, terms: retrieval.Terms
) -> RunCard:
    """Searches, and writes ``NAME.run`` and ``NAME.run.json`` into the folder ``out``.

    Gives what the latter holds.

    Raises:
        RunError: the program fails, or a file cannot be written.
        EvalSetError: the set is damaged, or has no query or no text.
    """
    rankings = _rank(evalset, retriever, terms)
    path = out / f"{retriever.name}{TOPIC if terms.prefix_topic else ''}.run"
    baseline = isinstance(retriever, SetUp)
    known = None if baseline else {section.id for section in evalset.sections()}
    card = RunCard(
        run=path.name,
        retriever=retriever.name if baseline else "command",
        meaning=retriever.meaning if isinstance(retriever, SetUp) else retriever.command,
        fields=terms.fields if baseline else (),
        prefix_topic=terms.prefix_topic,
        top=terms.top,
        seed=terms.seed,
        queries=len(rankings),
        answered=sum(bool(ranked) for ranked in rankings.values()),
        unknown=0
        if known is None
        else sum(len(ranked.keys() - known) for ranked in rankings.values()),
        set_sha256=evalset.sha256,
        packages=package_versions() if baseline else {},
    )
    write_run(path, path.stem, rankings)
    write_card(path, card)
    return card


def _rank(
    evalset: EvalSet, retriever: SetUp | Program, terms: retrieval.Terms
) -> retrieval.Rankings:
    if isinstance(retriever, SetUp):
        return retrieval.search(evalset, retriever, terms)
    asked = retrieval.questions(evalset, prefix_topic=terms.prefix_topic)
    return run_program(
        retriever.command, asked, evalset.folder, top=terms.top, timeout=retriever.timeout
    )
