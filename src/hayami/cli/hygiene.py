"""``hayami hygiene``: what would make a reviewer distrust an eval set?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import hayami
from hayami.cli.console import note, say, say_count, say_json, say_share
from hayami.cli.options import AsJson
from hayami.curate.examining import STRICT, Hygiene, Limits, NearPair, Repeat, breaches, examine
from hayami.curate.ideal import SiblingShare
from hayami.evalset.records import FLAG_MEANINGS, Flag


def _most(what: str) -> object:
    """An option that is the most a set may have of something, as a number."""
    return typer.Option(min=0, help=f"Most {what}.")


def _share(what: str) -> object:
    """An option that is a share, from 0 to 1."""
    return typer.Option(min=0, max=1, help=what)


MaxDuplicates = Annotated[int | None, _most("equal questions")]
MaxNearDuplicates = Annotated[int | None, _most("pairs of near duplicates")]
MaxSameTexts = Annotated[int | None, _most("repeated section texts")]
MaxVerbatim = Annotated[int | None, _most("questions that stand word for word in their target")]
MaxContext = Annotated[float | None, _share("Largest share of questions that need their article.")]
MaxOverlap = Annotated[float | None, _share("Largest mean overlap of question and target.")]
MinCoverage = Annotated[float | None, _share("Least share of sections that are asked for.")]


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
    max_duplicates: MaxDuplicates = None,
    max_near_duplicates: MaxNearDuplicates = None,
    max_same_texts: MaxSameTexts = None,
    max_verbatim: MaxVerbatim = None,
    max_context: MaxContext = None,
    max_overlap: MaxOverlap = None,
    min_coverage: MinCoverage = None,
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
    chosen = asdict(STRICT)
    chosen.update((name, limit) for name, limit in asdict(given).items() if limit is not None)
    return Limits(**chosen)


def _show(found: Hygiene, top: int) -> None:
    say(f"{found.queries:,} queries, {found.sections:,} sections, {len(found.coverage):,} articles")
    say()
    say("repeats")
    _show_repeats("equal questions that are several queries", found.duplicates, top)
    _show_near_duplicates(found.near_duplicates, top)
    _show_repeats("texts that several sections have", found.same_texts, top)
    say()
    say("questions")
    _show_flags(found.flagged, top)
    _show_overlap(found)
    _show_coverage(found, top)
    _show_siblings(found.siblings)


def _show_near_duplicates(pairs: Sequence[NearPair], top: int) -> None:
    say_count(len(pairs), "pairs of questions that are nearly the same")
    for pair in pairs[:top]:
        (one, other), (question, rewording) = pair.qids, pair.queries
        apart = "" if pair.same_targets else "  (other targets)"
        say(f"{'':9}{pair.likeness:.2f}  {one} {question}")
        say(f"{'':15}{other} {rewording}{apart}")


def _show_flags(flagged: Mapping[str, Sequence[str]], top: int) -> None:
    for flag in Flag:
        qids = flagged.get(flag, ())
        if qids:
            say_count(len(qids), f"{flag}: {FLAG_MEANINGS[flag]}")
        if qids and top and flag is Flag.CONTEXT_DEPENDENT:
            say(f"{'':9}{_first(qids, 2 * top)}")


def _first(names: Sequence[str], most: int) -> str:
    """The first names of a list, and a sign where there are more."""
    more = " …" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _show_siblings(siblings: Iterable[SiblingShare]) -> None:
    say()
    say("what siblings (grade 1) weigh in nDCG, as means over queries")
    say("       k  gain         share of the ideal DCG   nDCG of a run that never returns a target")
    for one in siblings:
        say(f"{one.k:>8}  {one.gain:<11}  {one.share:>22.3f}  {one.without_target:>42.3f}")


def _show_repeats(what: str, repeats: tuple[Repeat, ...], top: int) -> None:
    say_count(len(repeats), what)
    for one in repeats[:top]:
        say(f"{'':9}{_first(one.ids, top)}: {one.text}")


def _show_overlap(found: Hygiene) -> None:
    say()
    say("words of the question in its target (1 is all of them)")
    if not found.overlaps:
        say("         no question has enough words to tell")
        return
    many = f"{len(found.overlaps):,} questions of three or more words"
    say_share(found.mean_overlap, f"mean over {many}")
    nearly_all = "of which the target has nine words in ten: search by words finds it"
    say_share(found.lexical, f"share of them {nearly_all}")
    most = "of which the target has more words than any section beside it"
    say_share(found.given_away, f"share of them {most}")


def _show_coverage(found: Hygiene, top: int) -> None:
    say()
    say("coverage")
    unasked = sum(not one.queries for one in found.coverage)
    targets = len(found.per_section)
    say_share(found.asked_share, f"share of the sections that are a target ({targets:,})")
    say_count(unasked, "articles that no query asks for")
    say_share(found.skew, "share of the queries that the busiest tenth of the articles holds")
    busiest = sorted(found.per_section.items(), key=lambda one: (-one[1], one[0]))[:top]
    if busiest:
        named = ", ".join(f"{section} ({count})" for section, count in busiest)
        say(f"{'':9}most asked: {named}")
