"""``hayami diff``: what changed from one eval set to the next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import hayami
from hayami.cli.console import note, say, say_count, say_json
from hayami.cli.options import AsJson
from hayami.curate.comparing import FATE_MEANINGS, Difference, Fate, QuestionChange, compare_sets
from hayami.curate.pairing import CHANGE_MEANINGS, Change, SectionChange


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("diff", epilog="Example: hayami diff sets/july sets/august --max-lost 0")(diff)


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="Folder of the older eval set.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Folder of the newer one.")],
    *,
    max_lost: Annotated[
        int | None, typer.Option("--max-lost", min=0, help="Most labels that may be lost.")
    ] = None,
    top: Annotated[
        int, typer.Option("--top", min=0, help="Changes listed of each kind; 0 for all.")
    ] = 20,
    as_json: AsJson = False,
) -> None:
    """Show what changed between two builds of a set, after articles were edited.

    Questions that came, went or mean another section, sections renamed, moved or rewritten (by
    their content), and the labels that were carried over or lost. Exits 1 if more labels were lost
    than --max-lost allows.
    """
    found = compare_sets(hayami.load(old), hayami.load(new))
    if as_json:
        say_json({"old": str(old), "new": str(new)} | found.as_json())
    else:
        _show(found, top or len(found.questions) + len(found.sections))
    if max_lost is not None and found.lost > max_lost:
        note(f"hayami: {found.lost:,} labels were lost, allowed {max_lost:,}")
        raise typer.Exit(1)


def _show(found: Difference, top: int) -> None:
    _show_counts(found)
    by_fate: dict[Fate, list[str]] = {}
    for question in found.questions:
        by_fate.setdefault(question.fate, []).append(_question(question))
    for fate in (Fate.RETARGETED, Fate.REWORDED, Fate.WENT, Fate.CAME):
        _list(str(fate), by_fate.get(fate, []), top)
    doubtful = [
        f"{one.new_qid} {one.query}: {', '.join(one.rewritten)}"
        for one in found.questions
        if one.rewritten
    ]
    _list("carried over, and the section rewritten: look again", doubtful, top)
    _list("sections", [_section(one) for one in found.changed_sections], top)


def _show_counts(found: Difference) -> None:
    say("questions")
    for fate in Fate:
        if found.fates[fate]:
            say_count(found.fates[fate], f"{fate}: {FATE_MEANINGS[fate]}")
    say("sections")
    say_count(sum(not one.changes for one in found.sections), "unchanged")
    for change in Change:
        if found.changes[change]:
            say_count(found.changes[change], f"{change}: {CHANGE_MEANINGS[change]}")
    say("labels")
    rewritten = f"{found.doubtful:,} of them to sections that were rewritten"
    say_count(found.carried, f"carried over, {rewritten}")
    say_count(found.lost, "lost")
    say_count(found.gained, "new")
    both = sum(one.old_qid is not None and one.new_qid is not None for one in found.questions)
    say_count(found.kept_ids, f"of {both:,} questions kept their id")
    if found.kept_ids < both:
        note("  hint: 'hayami build --previous OLD' keeps the ids of questions that stayed.")


def _list(title: str, lines: Sequence[str], top: int) -> None:
    if lines:
        say()
        say(title)
        for line in lines[:top]:
            say(f"    {line}")
        if len(lines) > top:
            say(f"    … and {len(lines) - top:,} more")


def _question(one: QuestionChange) -> str:
    match one.fate:
        case Fate.CAME:
            return f"{one.new_qid} {one.query}: {', '.join(one.gained)}"
        case Fate.WENT:
            return f"{one.old_qid} {one.query}: {', '.join(one.lost)}; {one.why}"
        case Fate.REWORDED:
            return f"{one.new_qid} {one.was} → {one.query}"
        case _:
            changed = [f"− {section}" for section in one.lost]
            changed += [f"+ {section}" for section in one.gained]
            return f"{one.new_qid} {one.query}: {', '.join(changed)}"


def _section(one: SectionChange) -> str:
    kinds = ", ".join(one.changes)
    if one.old is None or one.new is None:
        return f"{one.new or one.old} {one.heading}: {kinds}"
    name = one.new
    if one.old != one.new:
        name = f"{one.old} → {one.new}"
    heading = one.heading
    if Change.RENAMED in one.changes:
        heading = f"{one.was} → {one.heading}"
    if Change.REWRITTEN in one.changes:
        kinds += f" (likeness {one.likeness:.2f})"
    return f"{name} {heading}: {kinds}"
