"""``hayami build``: articles to an eval set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

import hayami
from hayami.cli.console import note, progress_bar, say, say_json
from hayami.cli.options import (
    AsJson,
    Detection,
    Level,
    Mined,
    Previous,
    Repeated,
    SettingsFile,
    Threshold,
    make_settings,
)
from hayami.evalset.records import (
    FLAG_MEANINGS,
    REASON_MEANINGS,
    RULING_MEANINGS,
    Flag,
    Match,
    Reason,
    Ruling,
)

SHOWN: Final = 20
"""Files and warnings listed one by one; the rest is counted."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("build", epilog="Example: hayami build articles/ --out sets/articles --jobs 2")(
        build
    )


_Sources = Annotated[
    list[Path], typer.Argument(metavar="SOURCE...", help="HTML files, and folders of them.")
]
_Out = Annotated[
    Path,
    typer.Option("--out", metavar="DIR", help="Folder of the eval set; an older set is replaced."),
]
_Labels = Annotated[
    Path | None,
    typer.Option(
        "--labels", metavar="DIR", help="Folder of verdicts ('hayami audit review') to apply."
    ),
]
_Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes that read articles.")]
_Strict = Annotated[
    bool,
    typer.Option(
        "--strict", help="Exit 1 if a file was rejected or warned about, or no row found."
    ),
]


def build(
    sources: _Sources,
    *,
    out: _Out,
    settings: SettingsFile = None,
    level: Level = None,
    threshold: Threshold = None,
    mine: Mined = None,
    detect: Detection = None,
    duplicates: Repeated = None,
    labels: _Labels = None,
    previous: Previous = None,
    jobs: _Jobs = 1,
    strict: _Strict = False,
    as_json: AsJson = False,
) -> None:
    """Build an eval set from a folder of articles.

    Writes corpus.jsonl, evalset.jsonl, qrels.txt, rejected.jsonl, articles.jsonl and manifest.json:
    all or none.
    """
    chosen = make_settings(
        settings,
        level=level,
        threshold=threshold,
        mine=mine,
        detect=detect,
        duplicates=duplicates,
    )
    imported = _imported_before(out)
    with progress_bar("reading") as progress:
        built = hayami.build(
            sources, out, chosen, labels=labels, previous=previous, jobs=jobs, progress=progress
        )
    _complain(built)
    for file in imported:
        lost = "its questions were in the set that was replaced; import them again"
        note(f"warning: {file.path}: {lost}")
    if as_json:
        say_json(built.manifest.model_dump(mode="json"))
    else:
        _summarise(built, out)
    if strict and (built.unreadable or built.warnings or not _found_any(built)):
        note("hayami: --strict: see the files named above")
        raise typer.Exit(1)


def _found_any(built: hayami.Built) -> bool:
    """Whether a table or a row was found."""
    counts = built.manifest.counts
    return bool(counts.tables or counts.rows)


def _imported_before(out: Path) -> tuple[hayami.ImportedFile, ...]:
    """The files of questions that were imported into the set that is to be replaced."""
    try:
        return hayami.load(out).manifest.imported
    except hayami.EvalSetError:  # there is none, and the build says whether that matters
        return ()


def _complain(built: hayami.Built) -> None:
    """What a person should look at, on stderr."""
    lines = [f"{one.path}: {one.reason}: {one.detail}" for one in built.unreadable]
    lines += [f"{path}: {sentence}" for path, sentence in built.warnings]
    for line in lines[:SHOWN]:
        note(f"warning: {line}")
    if len(lines) > SHOWN:
        note(f"warning: … and {len(lines) - SHOWN} more; see rejected.jsonl and articles.jsonl")
    _complain_of_verdicts(built)
    if not _found_any(built):
        note(f"warning: {built.folder.name}: no quick-reference table found")
        note(f"  hint: {_hint_of_structure(built.by_structure)}")


def _hint_of_structure(many: int) -> str:
    """What to do where no row was found and ``many`` tables lead into sections all the same."""
    if not many:
        return "no table looks like one by its structure either; 'hayami inspect FILE' shows why."
    found = (
        "1 table looks like one by its" if many == 1 else f"{many} tables look like one by their"
    )
    what = "try --detect both, or add header words to a settings file ('hayami init')."
    return f"{found} structure: {what}"


def _complain_of_verdicts(built: hayami.Built) -> None:
    for one in built.stale[:SHOWN]:
        what = f"verdict of {one.verdict.judge} on '{one.verdict.question}' not applied"
        missing = "".join(f" ({name.article}: {name.heading})" for name in one.missing)
        note(f"warning: {what}: {one.why}{missing}")
        for known in one.instead:
            note(f"  hint: its text may be in {known.id} '{known.heading}' now: judge it again.")
    if len(built.stale) > SHOWN:
        more = f"… and {len(built.stale) - SHOWN} more verdicts"
        note(f"warning: {more}; 'hayami audit stale' lists them all")
    if built.conflicts:
        rows = "1 row" if len(built.conflicts) == 1 else f"{len(built.conflicts)} rows"
        note(f"warning: judges disagree on {rows}; none of their verdicts there was applied")
        note("  hint: 'hayami audit review --conflicts' settles them.")


def _summarise(built: hayami.Built, out: Path) -> None:
    counts = built.manifest.counts
    found = f"{counts.articles:,} articles, {counts.sections:,} sections"
    found += f", {counts.tables:,} tables, {counts.rows:,} rows"
    say(f"{found} → {out}")
    say()
    say(f"{counts.queries:>7,}  queries")
    for match in Match:
        if number := counts.by_match.get(match):
            say(f"{number:>7,}    {match}")
    for flag in Flag:
        if number := counts.by_flag.get(flag):
            say(f"{number:>7,}    flagged {flag}: {FLAG_MEANINGS[flag]}")
    if built.manifest.previous:
        say(f"{built.kept_ids:>7,}    with the id that they had")
    rejected = sum(counts.by_reason.values())
    say(f"{rejected:>7,}  rejected")
    for reason in Reason:
        if number := counts.by_reason.get(reason):
            say(f"{number:>7,}    {reason}: {REASON_MEANINGS[reason]}")
    _summarise_verdicts(built)
    say()
    say(f"next: hayami check {out}")


def _summarise_verdicts(built: hayami.Built) -> None:
    verdicts = built.manifest.verdicts
    if verdicts is None:
        return
    say(f"{sum(verdicts.applied.values()):>7,}  rows with a verdict")
    for ruling in Ruling:
        if number := verdicts.applied.get(ruling):
            say(f"{number:>7,}    {ruling}: {RULING_MEANINGS[ruling]}")
    say(f"{verdicts.stale:>7,}    stale: not applied, because the article is another now")
    say(f"{verdicts.conflicts:>7,}    in conflict: not applied until they are adjudicated")
