"""``hayami audit stale``: the verdicts that no longer fit the articles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import hayami
from hayami.audit.stale import stale_verdicts
from hayami.cli.audit.sources import LABELS, SetFolder, given_verdicts
from hayami.cli.console import say, say_json
from hayami.cli.options import AsJson
from hayami.verdicts.effect import Stale
from hayami.verdicts.settle import Conflict, settle

VerdictsToCheck = Annotated[
    Path, typer.Option("--labels", metavar="DIR", help="Folder of verdicts, or one file of them.")
]


def register(group: typer.Typer) -> None:
    """Adds the command."""
    group.command("stale", epilog="Example: hayami audit stale sets/articles --labels labels")(
        stale
    )


def stale(
    folder: SetFolder,
    *,
    labels: VerdictsToCheck = LABELS,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 1 if any verdict is stale or in conflict.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the verdicts that cannot be applied: their row or section is gone, or judges disagree.

    They stay in the files and hold again when the article does; judge the rows again to replace
    them.
    """
    settlement = settle(given_verdicts(labels))
    found = stale_verdicts(hayami.load(folder), settlement)
    if as_json:
        say_json(
            {
                "labels": str(labels),
                "set": str(folder),
                "stale": list(map(_stale_as_json, found)),
                "conflicts": list(map(_conflict_as_json, settlement.conflicts)),
            }
        )
    else:
        _list(found, settlement.conflicts)
    if strict and (found or settlement.conflicts):
        raise typer.Exit(1)


def _stale_as_json(one: Stale) -> dict[str, object]:
    return {
        **one.verdict.model_dump(mode="json"),
        "why": one.why,
        "missing": [name.model_dump(mode="json") for name in one.missing],
        "instead": [{"section": known.id, "heading": known.heading} for known in one.instead],
    }


def _conflict_as_json(conflict: Conflict) -> dict[str, object]:
    verdicts = [verdict.model_dump(mode="json") for verdict in conflict.verdicts]
    return {"row": conflict.row.model_dump(mode="json"), "verdicts": verdicts}


def _list(found: tuple[Stale, ...], conflicts: tuple[Conflict, ...]) -> None:
    for one in found:
        _say_stale(one)
    for conflict in conflicts:
        said = ", ".join(f"{verdict.judge}: {verdict.ruling}" for verdict in conflict.verdicts)
        say(f"{conflict.row.article}: {conflict.verdicts[0].question}")
        say(f"    judges disagree ({said}); 'hayami audit review --conflicts' settles it")
    say(f"{len(found)} stale, {len(conflicts)} in conflict")


def _say_stale(one: Stale) -> None:
    verdict = one.verdict
    say(f"{verdict.rows[0].article}: {verdict.question}")
    say(f"    {verdict.ruling} ({verdict.judge}, {verdict.at[:10]}): {one.why}")
    for name in one.missing:
        say(f"    missing: {name.article}: {name.heading}")
    for known in one.instead:
        say(f"    its text may be here now: {known.id} {known.heading}")
