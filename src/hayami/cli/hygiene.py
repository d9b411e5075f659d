"""``hayami hygiene``: what would make a reviewer distrust an eval set?"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

import hayami
from hayami.cli.console import note, say, say_json
from hayami.cli.options import AsJson
from hayami.curate.examining import STRICT, Hygiene, Limits, Repeat, breaches, examine
from hayami.evalset.records import FLAG_MEANINGS, Flag

Most = typer.Option(min=0, metavar="N")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "hygiene",
        epilog="Example: hayami hygiene sets/articles --max-near-duplicates 0 --min-coverage 0.5",
    )(hygiene)


def hygiene(
    folder: Annotated[Path, typer.Argument(metavar="SET", help="Folder of the eval set.")],
    *,
    k: Annotated[
        list[int] | None, typer.Option("--k", min=1, help="Depth of the ideal DCG [default: 10].")
    ] = None,
    max_duplicates: Annotated[int | None, typer.Option(min=0, help="Most equal questions.")] = None,
    max_near_duplicates: Annotated[
        int | None, typer.Option(min=0, help="Most pairs of near duplicates.")
    ] = None,
    max_same_texts: Annotated[
        int | None, typer.Option(min=0, help="Most repeated section texts.")
    ] = None,
    max_verbatim: Annotated[
        int | None,
        typer.Option(min=0, help="Most questions that stand word for word in their target."),
    ] = None,
    max_context: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Largest share of questions that need their article."),
    ] = None,
    max_overlap: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Largest mean overlap of question and target."),
    ] = None,
    min_coverage: Annotated[
        float | None, typer.Option(min=0, max=1, help="Least share of sections that are asked for.")
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Allow no duplicates of questions or texts, and no verbatim question."
        ),
    ] = False,
    top: Annotated[int, typer.Option("--top", min=0, help="Cases listed of each kind.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Look an eval set over: repeats, borrowed words, gaps, skew, and what siblings weigh in nDCG.

    Exits 1 if the set does not keep a limit that is given.
    """
    found = examine(hayami.load(folder), tuple(dict.fromkeys(k or [10])))
    given = Limits(
        duplicates=max_duplicates,
        near_duplicates=max_near_duplicates,
        same_texts=max_same_texts,
        verbatim=max_verbatim,
        context=max_context,
        overlap=max_overlap,
        coverage=min_coverage,
    )
    broken = breaches(found, _with_strict(given) if strict else given)
    if as_json:
        say_json(found.as_json() | {"breaches": broken})
    else:
        _show(found, top)
    for sentence in broken:
        note(f"hayami: {folder}: {sentence}")
    if broken:
        raise typer.Exit(1)


def _with_strict(given: Limits) -> Limits:
    """The strict limits, but for those that are given."""
    chosen = {f.name: getattr(given, f.name) for f in fields(Limits)}
    return Limits(
        **{n: getattr(STRICT, n) if value is None else value for n, value in chosen.items()}
    )


def _show(found: Hygiene, top: int) -> None:
    say(f"{found.queries:,} queries, {found.sections:,} sections, {len(found.coverage):,} articles")
    say()
    say("repeats")
    _show_repeats("equal questions that are several queries", found.duplicates, top)
    say(f"{len(found.near_duplicates):>7,}  pairs of questions that are nearly the same")
    for pair in found.near_duplicates[:top]:
        apart = "" if pair.same_targets else "  (other targets)"
        say(f"{'':9}{pair.likeness:.2f}  {pair.qids[0]} {pair.queries[0]}")
        say(f"{'':15}{pair.qids[1]} {pair.queries[1]}{apart}")
    _show_repeats("texts that several sections have", found.same_texts, top)
    say()
    say("questions")
    for flag in Flag:
        if qids := found.flagged.get(flag):
            say(f"{len(qids):>7,}  {flag}: {FLAG_MEANINGS[flag]}")
            if top and flag is Flag.CONTEXT_DEPENDENT:
                say(f"{'':9}{', '.join(qids[: 2 * top])}{' …' if len(qids) > 2 * top else ''}")
    _show_overlap(found)
    _show_coverage(found, top)
    say()
    say("what siblings (grade 1) weigh in nDCG, as means over queries")
    say("       k  gain         share of the ideal DCG   nDCG of a run that never returns a target")
    for one in found.siblings:
        say(f"{one.k:>8}  {one.gain:<11}  {one.share:>22.3f}  {one.without_target:>42.3f}")


def _show_repeats(what: str, repeats: tuple[Repeat, ...], top: int) -> None:
    say(f"{len(repeats):>7,}  {what}")
    for one in repeats[:top]:
        say(f"{'':9}{', '.join(one.ids[:top])}{' …' if len(one.ids) > top else ''}: {one.text}")


def _show_overlap(found: Hygiene) -> None:
    say()
    say("words of the question in its target (1 is all of them)")
    if not found.overlaps:
        say("         no question has enough words to tell")
        return
    say(
        f"{found.mean_overlap:>7.2f}  mean over {len(found.overlaps):,} questions of three or more words"
    )
    say(
        f"{found.lexical:>7.2f}  share of them of which the target has nine words in ten: search by words finds it"
    )
    say(
        f"{found.given_away:>7.2f}  share of them of which the target has more words than any section beside it"
    )


def _show_coverage(found: Hygiene, top: int) -> None:
    say()
    say("coverage")
    unasked = sum(not one.queries for one in found.coverage)
    say(
        f"{found.asked_share:>7.2f}  share of the sections that are a target ({len(found.per_section):,})"
    )
    say(f"{unasked:>7,}  articles that no query asks for")
    say(f"{found.skew:>7.2f}  share of the queries that the busiest tenth of the articles holds")
    busiest = sorted(found.per_section.items(), key=lambda one: (-one[1], one[0]))[:top]
    if busiest:
        say(f"{'':9}most asked: {', '.join(f'{section} ({count})' for section, count in busiest)}")
