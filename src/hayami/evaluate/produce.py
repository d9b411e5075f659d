"""One run from question to file.

Search, write the run, and beside it the card that says how it was made.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hayami.evalset.folder import EvalSet
from hayami.evalset.runs import write_run
from hayami.evaluate import retrieval
from hayami.evaluate.baselines import SET_UPS, SetUp
from hayami.evaluate.card import (
    COMMAND,
    TOPIC,
    RunCard,
    package_versions,
    searched_sha256,
    write_card,
)
from hayami.evaluate.program import TIMEOUT, run_program


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
    path = out / f"{retriever.name}{TOPIC if terms.prefix_topic else ''}.run"
    searched, card = _search(evalset, retriever, terms)
    card = card.model_copy(
        update={
            "run": path.name,
            "queries": len(searched),
            "answered": sum(bool(ranked) for ranked in searched.values()),
        }
    )
    write_run(path, path.stem, searched)
    write_card(path, card)
    return card


def _search(
    evalset: EvalSet, retriever: SetUp | Program, terms: retrieval.Terms
) -> tuple[retrieval.Rankings, RunCard]:
    """The rankings, and the card without what is counted in them."""
    card = _blank_card(evalset, terms)
    if isinstance(retriever, SetUp):
        searched = retrieval.search(evalset, retriever, terms)
        made = {
            "retriever": retriever.name,
            "meaning": retriever.meaning,
            "fields": terms.fields,
            "packages": package_versions(),
            "remark": searched.remark,
        }
        return searched.rankings, card.model_copy(update=made)
    rankings = _run(evalset, retriever, terms)
    known = {section.id for section in evalset.sections()}
    unknown = sum(len(ranked.keys() - known) for ranked in rankings.values())
    return rankings, card.model_copy(update={"meaning": retriever.command, "unknown": unknown})


def _blank_card(evalset: EvalSet, terms: retrieval.Terms) -> RunCard:
    """A card without what depends on the retriever."""
    return RunCard(
        run="",
        retriever=COMMAND,
        meaning="",
        fields=(),
        prefix_topic=terms.prefix_topic,
        top=terms.top,
        seed=terms.seed,
        queries=0,
        answered=0,
        unknown=0,
        set_sha256=evalset.sha256,
        searched_sha256=searched_sha256(evalset),
        packages={},
    )


def _run(evalset: EvalSet, program: Program, terms: retrieval.Terms) -> retrieval.Rankings:
    asked = retrieval.questions(evalset, prefix_topic=terms.prefix_topic)
    return run_program(
        program.command, asked, evalset.folder, top=terms.top, timeout=program.timeout
    )
