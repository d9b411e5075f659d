"""``hayami audit sample``, ``queue`` and ``pool``: rows drawn into a sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

import hayami
from hayami.audit.draft import texts_of
from hayami.audit.items import Item
from hayami.audit.pool import Pool, PoolSize, make_pool
from hayami.audit.queue import DOUBTS, Queue, make_queue
from hayami.audit.sample import By, Draw, Sample, draw_sample
from hayami.audit.sheets import FORMATS, guard_judgements, write_sheet
from hayami.cli.audit import collect
from hayami.cli.audit.sources import JudgedBefore, SetFolder, given_verdicts
from hayami.cli.console import note, say, say_json
from hayami.cli.options import AsJson
from hayami.errors import AllocationError
from hayami.evalset.folder import EvalSet
from hayami.evalset.runs import read_run

_LISTED: Final = 3
"""Unknown ids that a warning names."""


class SheetFormat(StrEnum):
    """How a sheet is written."""

    JSONL = "jsonl"
    CSV = "csv"
    LABEL_STUDIO = "label-studio"


Out = Annotated[
    Path,
    typer.Option(
        "--out", metavar="SHEET", help="The sheet: .jsonl, .csv, or .json (Label Studio)."
    ),
]
Written = Annotated[
    SheetFormat | None,
    typer.Option("--format", help="How to write the sheet [default: as the name of --out ends]."),
]
AtMost = Annotated[
    int | None, typer.Option("-n", "--number", min=1, help="Rows at the most [default: all].")
]
InAll = Annotated[int, typer.Option("-n", "--number", min=1, help="Rows to draw in all.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same sheet.")]
Strata = Annotated[
    list[str] | None,
    typer.Option(
        "--by", help=f"Strata, repeated or with commas: {', '.join(By)} [default: match]."
    ),
]
Floor = Annotated[int, typer.Option("--floor", min=0, help="Rows of each stratum at the least.")]
WithRejected = Annotated[
    bool,
    typer.Option(
        "--rejected", help="Draw rejected rows too, as a stratum: they tell what was missed."
    ),
]
Runs = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help="Runs of search systems, in TREC format.")
]
Depth = Annotated[int, typer.Option("--depth", min=1, help="Ranks that count.")]


def register(group: typer.Typer) -> None:
    """Adds the commands."""
    epilog = "Example: hayami audit {}"
    group.command(
        "sample", epilog=epilog.format("sample sets/articles -n 40 --seed 0 --out sheet.csv")
    )(sample)
    group.command("queue", epilog=epilog.format("queue sets/articles -n 20 --out queue.jsonl"))(
        queue
    )
    group.command(
        "pool", epilog=epilog.format("pool sets/articles bm25.run --depth 10 --out pool.jsonl")
    )(pool)
    collect.register(group)


def sample(
    folder: SetFolder,
    *,
    out: Out,
    n: InAll = 40,
    seed: Seed = 0,
    by: Strata = None,
    floor: Floor = 3,
    rejected: WithRejected = False,
    written: Written = None,
    as_json: AsJson = False,
) -> None:
    """Draw labels at random into a sheet, to know how good they are.

    Every stratum gets its share, and a few rows at the least; the sheet keeps the weights. A larger
    -n with the same seed only adds rows.
    """
    evalset = _open(folder, out, written)
    draw = Draw(n=n, seed=seed, by=_strata(by or [By.MATCH]), floor=floor, rejected=rejected)
    try:
        drawn = draw_sample(evalset, out, draw)
    except AllocationError as error:
        raise typer.BadParameter(f"{error}. {error.hint}", param_hint="'-n'") from error
    _write(out, drawn.items, evalset)
    if as_json:
        say_json(_sample_as_json(out, seed, drawn))
    else:
        _say_sample(out, draw, drawn)


def _sample_as_json(out: Path, seed: int, drawn: Sample) -> dict[str, object]:
    return {
        "sheet": str(out),
        "rows": len(drawn.items),
        "of": drawn.population,
        "seed": seed,
        "strata": [asdict(stratum) for stratum in drawn.strata],
    }


def _say_sample(out: Path, draw: Draw, drawn: Sample) -> None:
    there = drawn.population
    say(f"{len(drawn.items):,} of {there:,} rows → {out} (seed {draw.seed})")
    say()
    for stratum in drawn.strata:
        say(f"  {stratum.drawn:5,} of {stratum.population:6,}  {stratum.name}")
    if draw.n > there:
        note(f"note: {draw.n:,} rows were asked for; there are {there:,}, and all are in the sheet")
    _next(out)


def _strata(by: Sequence[str]) -> tuple[By, ...]:
    """The strata that the command line names, each once."""
    words = [word.strip() for word in ",".join(by).split(",")]
    named = [word for word in words if word] or [""]
    for word in named:
        if word not in set(By):
            raise typer.BadParameter(f"{word!r} is none of: {', '.join(By)}", param_hint="'--by'")
    strata = tuple(dict.fromkeys(map(By, named)))
    if By.NONE in strata and len(strata) > 1:
        raise typer.BadParameter("none goes with nothing else", param_hint="'--by'")
    return strata


def queue(
    folder: SetFolder,
    *,
    out: Out,
    n: AtMost = None,
    labels: JudgedBefore = None,
    written: Written = None,
    as_json: AsJson = False,
) -> None:
    """Make a sheet of the rows that most need a human, least sure first, each with the reason.

    They are no random sample: 'hayami audit sample' draws the rows that tell how good the labels
    are.
    """
    evalset = _open(folder, out, written)
    made = make_queue(evalset, out, n=n, verdicts=given_verdicts(labels))
    if made.items:
        _write(out, made.items, evalset)
    if as_json:
        say_json(_queue_as_json(out, made))
    else:
        _say_queue(out, made)


def _queue_as_json(out: Path, made: Queue) -> dict[str, object]:
    return {
        "sheet": str(out) if made.items else None,
        "rows": len(made.items),
        "waiting": sum(made.waiting.values()),
        "doubts": made.waiting,
        "settled": made.settled,
        "conflicts": made.conflicts,
    }


def _say_queue(out: Path, made: Queue) -> None:
    _say_rows(len(made.items), sum(made.waiting.values()), "that need a human", out)
    for doubt in DOUBTS:
        if made.waiting.get(doubt.name):
            say(f"  {made.waiting[doubt.name]:5,}  {doubt.name}: {doubt.meaning}")
    if made.settled:
        note(f"note: left out are {_many(made.settled, 'row')} about which a verdict holds")
    if made.conflicts:
        disputed = _many(made.conflicts, "row")
        note(
            f"note: left out are {disputed} on which judges disagree: "
            "see 'hayami audit review --conflicts'"
        )
    if made.items:
        _next(out)


def pool(
    folder: SetFolder,
    runs: Runs,
    *,
    out: Out,
    depth: Depth = 10,
    n: AtMost = None,
    labels: JudgedBefore = None,
    written: Written = None,
    as_json: AsJson = False,
) -> None:
    """Make a sheet of the sections that runs rank high and nobody has judged: some may answer too.

    Sections of grade 1 are among them: they have it from standing in the same article. Give the
    labels, so that nothing is judged twice.
    """
    evalset = _open(folder, out, written)
    read = [read_run(path) for path in runs]
    made = make_pool(evalset, read, out, PoolSize(depth, n), verdicts=given_verdicts(labels))
    _warn_unknown(made)
    if made.items:
        _write(out, made.items, evalset)
    if as_json:
        say_json(_pool_as_json(out, made))
    else:
        _say_pool(out, made, f"in the first {depth} of {_many(len(read), 'run')}, unjudged")


def _pool_as_json(out: Path, made: Pool) -> dict[str, object]:
    return {
        "sheet": str(out) if made.items else None,
        "rows": len(made.items),
        "unjudged": made.unjudged,
        "judged": made.judged,
        "queries": made.queries,
        "unknown_queries": made.unknown_queries,
        "unknown_sections": made.unknown_sections,
    }


def _say_pool(out: Path, made: Pool, what: str) -> None:
    _say_rows(len(made.items), made.unjudged, what, out)
    queries = _many(made.queries, "query", "queries")
    say(f"  {made.judged:5,}  more are labels or were judged before; {queries} in all")
    if made.items:
        _next(out)


def _warn_unknown(made: Pool) -> None:
    unknown: Mapping[str, Sequence[str]] = {
        "query ids that the set does not have": made.unknown_queries,
        "section ids that the corpus does not have": made.unknown_sections,
    }
    for what, ids in unknown.items():
        if ids:
            shown = ", ".join(ids[:_LISTED]) + ", …" * (len(ids) > _LISTED)
            note(f"warning: {what} are in the runs, {len(ids):,} in all: {shown}")


def _many(number: int, one: str, more: str = "") -> str:
    noun = one if number == 1 else more or f"{one}s"
    return f"{number:,} {noun}"


def _say_rows(rows: int, waiting: int, what: str, out: Path) -> None:
    if rows:
        say(f"{rows:,} of {waiting:,} rows {what} → {out}")
        say()
    else:
        say(f"no rows {what}: no sheet was written")


def _open(folder: Path, out: Path, written: SheetFormat | None) -> EvalSet:
    """The set to draw from, once it is certain that the sheet can be written."""
    evalset = hayami.load(folder)
    _check_out(out, folder, written)
    return evalset


def _check_out(out: Path, folder: Path, written: SheetFormat | None) -> None:
    """Refuses a place where the sheet could not be read back, or would destroy something."""
    suffix = out.suffix.lower()
    if suffix not in FORMATS:
        raise typer.BadParameter(
            f"{out}: a sheet ends in {', '.join(FORMATS)}", param_hint="'--out'"
        )
    if written is not None and FORMATS[suffix] != written:
        wanted = next(end for end, name in FORMATS.items() if name == written)
        raise typer.BadParameter(
            f"--format {written} wants a name that ends in {wanted}", param_hint="'--out'"
        )
    if out.resolve().parent == folder.resolve():
        raise typer.BadParameter(
            f"{out} is in the set's folder, which a build replaces", param_hint="'--out'"
        )
    guard_judgements(out)


def _write(out: Path, items: Sequence[Item], evalset: EvalSet) -> None:
    texts = None
    if FORMATS[out.suffix.lower()] != SheetFormat.JSONL:  # the others cannot look at the corpus
        texts = texts_of(evalset, items)
    write_sheet(out, items, texts=texts)


def _next(out: Path) -> None:
    say()
    page = out.with_suffix(".xml")
    how: dict[str, str] = {
        SheetFormat.JSONL: f"hayami audit review {out}",
        SheetFormat.CSV: (
            f"fill in verdict, chosen, rewrite and note, then: hayami audit collect {out}"
        ),
        SheetFormat.LABEL_STUDIO: (
            f"import it, with {page} as labelling setup; then: hayami audit collect EXPORT.json"
        ),
    }
    say(f"next: {how[FORMATS[out.suffix.lower()]]}")
