"""``hayami import``: questions from elsewhere into an eval set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from hayami.cli.console import note, say, say_json
from hayami.cli.options import AsJson, Previous
from hayami.evalset.records import FLAG_MEANINGS, REASON_MEANINGS, Flag, Match, Reason, Rejection
from hayami.importing import Imported, import_questions

SHOWN: Final = 20
"""Cases named one by one; the rest is counted."""
_NEARLY: Final = frozenset((Reason.UNMATCHED, Reason.UNKNOWN_ID, Reason.AMBIGUOUS))
"""Reasons for which the nearest candidates help."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "import",
        epilog="Example: hayami import queries.json --into sets/articles --out sets/larger",
    )(import_)


_File = Annotated[Path, typer.Argument(metavar="FILE", help="Questions: JSON, JSONL or CSV.")]
_Into = Annotated[
    Path,
    typer.Option("--into", metavar="SET", help="The eval set whose sections they ask for."),
]
_Out = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="DIR", help="Where to write the larger set [default: replace SET]."
    ),
]
_Labels = Annotated[
    Path | None,
    typer.Option("--labels", metavar="DIR", help="Folder of verdicts to apply to the questions."),
]
_Replace = Annotated[
    bool,
    typer.Option("--replace", help="Replace a set in DIR though it loses queries by it."),
]
_Strict = Annotated[
    bool,
    typer.Option(
        "--strict", help="Exit 1 if a question was rejected or has another id than in the file."
    ),
]


def import_(
    file: _File,
    *,
    into: _Into,
    out: _Out = None,
    labels: _Labels = None,
    previous: Previous = None,
    replace: _Replace = False,
    strict: _Strict = False,
    as_json: AsJson = False,
) -> None:
    """Add questions that people or models wrote to an eval set.

    Each names what answers it: ids of sections or articles, files, or headings in words, which are
    found by the rules for table rows. What is not found is a rejection with its reason. FILE is a
    list of objects (or lines, or rows) with query and relevant_docs or section, and if you like id,
    article, answer, expected_keywords, category, difficulty and source.
    """
    done = import_questions(file, into, out, labels=labels, previous=previous, replace=replace)
    _complain(done)
    if as_json:
        say_json(_as_json(done))
    else:
        _summarise(done, out or into)
    if strict and (done.rejections or done.renamed or done.twice):
        note("hayami: --strict: see what is named above")
        raise typer.Exit(1)


def _complain(done: Imported) -> None:
    lines = [*_ids(done), *_flagged(done), *map(_rejected, done.rejections)]
    if done.unread:
        lines.append(f"fields that are not read: {', '.join(done.unread)}")
    for line in lines[:SHOWN]:
        note(f"warning: {line}")
    if len(lines) > SHOWN:
        note(f"warning: … and {len(lines) - SHOWN} more; --json has them all")


def _ids(done: Imported) -> Iterator[str]:
    """What is to be said of ids, and of verdicts that found no place."""
    for given in done.twice:
        yield f"the id {given} stands several times in the file"
    for one in done.renamed:
        yield f"the id {one.given} is {one.qid} in the set: {one.why}"
    for stale in done.stale:
        verdict = stale.verdict
        yield f"'{verdict.question}': verdict of {verdict.judge} not applied: {stale.why}"


def _flagged(done: Imported) -> Iterator[str]:
    """The questions that their own section gives away."""
    for flag in (Flag.EQUALS_HEADING, Flag.VERBATIM):
        for query in done.queries:
            if flag in query.flags:
                yield f"{query.qid} '{query.query}' is flagged {flag}"


def _rejected(one: Rejection) -> str:
    why = one.detail or one.reference or REASON_MEANINGS[one.reason]
    near = _nearest(one) if one.reason in _NEARLY else ""
    return f"question {(one.row or 0) + 1} '{one.question}': {one.reason}: {why}{near}"


def _nearest(one: Rejection) -> str:
    """The best candidates of a rejection, as the end of a sentence."""
    best = [f"{c.section or c.article} {c.heading}" for c in one.candidates[:2]]
    return f"; nearest: {', '.join(best)}" if best else ""


def _summarise(done: Imported, folder: Path) -> None:
    say(f"{done.file.path}: {done.file.questions:,} questions → {folder}")
    say()
    asked = done.file.questions - len(done.rejections)
    say(f"{asked:>7,}  with a section that answers them")
    matches = Counter(query.match for query in done.queries)
    for match in Match:
        if matches[match]:
            say(f"{matches[match]:>7,}    {match}")
    if done.merged:
        say(f"{done.merged:>7,}    merged with the same question")
    flags: Counter[Flag] = Counter()
    for query in done.queries:
        flags.update(query.flags)
    for flag in Flag:
        if flags[flag]:
            say(f"{flags[flag]:>7,}    flagged {flag}: {FLAG_MEANINGS[flag]}")
    _summarise_rejections(done)
    say()
    counts = done.manifest.counts
    say(f"the set has {counts.queries:,} queries now; next: hayami check {folder}")


def _summarise_rejections(done: Imported) -> None:
    say(f"{len(done.rejections):>7,}  rejected")
    reasons = Counter(one.reason for one in done.rejections)
    for reason in Reason:
        if reasons[reason]:
            say(f"{reasons[reason]:>7,}    {reason}: {REASON_MEANINGS[reason]}")


def _as_json(done: Imported) -> dict[str, object]:
    return {
        "folder": str(done.folder),
        "file": done.file.model_dump(mode="json"),
        "queries": [query.model_dump(mode="json") for query in done.queries],
        "merged": done.merged,
        "rejections": [one.model_dump(mode="json") for one in done.rejections],
        "renamed": [{"given": one.given, "qid": one.qid, "why": one.why} for one in done.renamed],
        "twice": list(done.twice),
        "unread": list(done.unread),
        "stale": [
            {"question": one.verdict.question, "judge": one.verdict.judge, "why": one.why}
            for one in done.stale
        ],
        "counts": done.manifest.counts.model_dump(mode="json"),
    }
