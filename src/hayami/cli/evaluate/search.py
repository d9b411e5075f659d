"""``hayami search``: baselines, and any program, as runs over an eval set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from hayami.cli.console import note, progress_bar, say, say_json
from hayami.cli.evaluate.inputs import read_set
from hayami.cli.options import AsJson
from hayami.evaluate.card import RunCard

FIELDS: Final = ("title", "heading", "text")
COMMAND: Final = "command"
NAMES: Final = ("bm25_2", "bm25_23", "bm25_2_b03", "tfidf_23", "lsa_128", "lsa_256", COMMAND)
"""What --retriever takes; the baselines stand in hayami.evaluate.baselines, which loads
scikit-learn."""

Retrievers = Annotated[
    list[str] | None,
    typer.Option(
        "--retriever",
        "-r",
        metavar="NAME",
        help=f"{', '.join(NAMES)}; several times for several [default: all six].",
    ),
]
Command = Annotated[
    str | None,
    typer.Option(
        "--command",
        metavar="'PROGRAM ARG...'",
        help="A program that reads queries and writes results.",
    ),
]


Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the runs.")]
Top = Annotated[int, typer.Option("--top", min=1, help="Most results a query.")]
PrefixTopic = Annotated[
    bool,
    typer.Option("--prefix-topic", help="Put the topic of the query's article before the query."),
]
Fields = Annotated[
    str,
    typer.Option(
        "--fields", metavar="NAMES", help="What of a section is searched: title, heading, text."
    ),
]
LsaSeed = Annotated[
    int, typer.Option("--seed", min=0, max=2**32 - 1, help="Seed of the LSA baselines.")
]
Name = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="Name of the program's run [default: command]."),
]
Timeout = Annotated[
    float, typer.Option("--timeout", min=0.001, help="Seconds that the program has.")
]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    example = "hayami search sets/articles --retriever bm25_23 --out runs"
    app.command("search", epilog=f"Example: {example}")(search)


def search(
    folder: Annotated[Path, typer.Argument(metavar="SET", help="Folder of the eval set.")],
    *,
    retrievers: Retrievers = None,
    out: Out = Path("runs"),
    top: Top = 100,
    prefix_topic: PrefixTopic = False,
    fields: Fields = "heading,text",
    seed: LsaSeed = 0,
    command: Command = None,
    name: Name = None,
    timeout: Timeout = 600.0,
    as_json: AsJson = False,
) -> None:
    """Search the set's corpus with its queries, and write a TREC run for each retriever.

    Six baselines over character n-grams, or any program with --command 'PROGRAM ARG...'. It gets
    {"qid", "query"}, one JSON object a line, on its stdin, and the path of the corpus in
    HAYAMI_CORPUS. It writes a TREC run or JSON lines: {"qid", "docid", "score"} for each result, or
    {"qid", "docids": [best, ...]} for each query.

    Beside each run NAME.run lies NAME.run.json with the parameters, the seed and the hash of the
    set.
    """
    wanted, chosen = _chosen(retrievers, command), _fields(fields)
    run_name = _file_name(name or COMMAND)
    evalset = read_set(folder)
    from hayami.evaluate.produce import Program, find_set_up, produce
    from hayami.evaluate.retrieval import Terms

    program = Program(run_name, command or "", timeout)
    terms = Terms(top, prefix_topic, chosen, seed)
    cards = []
    with progress_bar("searching") as progress:
        for done, retriever in enumerate(wanted):
            if progress is not None:
                progress(done, len(wanted))
            cards.append(produce(evalset, find_set_up(retriever) or program, out, terms))
    _tell(cards, folder, out, as_json=as_json)


def _chosen(retrievers: Sequence[str] | None, command: str | None) -> list[str]:
    """The names of the retrievers to run, each once."""
    names = list(dict.fromkeys(retrievers or ()))
    if not names:
        names = [COMMAND] if command is not None else [one for one in NAMES if one != COMMAND]
    if unknown := [one for one in names if one not in NAMES]:
        raise typer.BadParameter(
            f"{unknown[0]!r} is none of {', '.join(NAMES)}", param_hint="--retriever"
        )
    if (COMMAND in names) != (command is not None):
        raise typer.BadParameter(
            "goes with --command 'PROGRAM ARG...'", param_hint=f"--retriever {COMMAND}"
        )
    return names


def _fields(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(text.replace(",", " ").split()))
    if not names or set(names) - set(FIELDS):
        raise typer.BadParameter(
            f"{text!r} is no list of {', '.join(FIELDS)}", param_hint="--fields"
        )
    return names


def _file_name(name: str) -> str:
    odd = any(c in r'/\:*?"<>|' or c.isspace() or not c.isprintable() for c in name)
    if odd or not name.strip("."):
        raise typer.BadParameter(f"{name!r} cannot be the name of a file", param_hint="--name")
    return name


def _tell(cards: Sequence[RunCard], folder: Path, out: Path, *, as_json: bool) -> None:
    for card in cards:
        _warn(card)
    if as_json:
        say_json({"out": str(out), "runs": [card.model_dump(mode="json") for card in cards]})
        return
    width = max(len(str(out / card.run)) for card in cards)
    for card in cards:
        answered = f"{card.answered:,} of {card.queries:,} queries"
        remark = f" ({card.remark})" if card.remark else ""
        say(f"{out / card.run!s:<{width}}  {answered}  {card.meaning}{remark}")
    say()
    say(f"next: hayami evaluate {folder} {out / cards[0].run}")


def _warn(card: RunCard) -> None:
    if card.remark:
        note(f"warning: {card.run}: {card.remark}")
    if silent := card.queries - card.answered:
        note(f"warning: {card.run}: {silent} of {card.queries} queries have no result")
    if card.unknown:
        what = "results name sections that the corpus does not hold"
        note(f"warning: {card.run}: {card.unknown} {what}")
