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
from hayami.audit.queue import DOUBTS, make_queue
from hayami.audit.sample import By, Draw, DrawnStratum, draw_sample
from hayami.audit.sheets import FORMATS, guard_judgements, write_sheet
from hayami.cli.audit import collect
from hayami.cli.console import note, say, say_json
from hayami.cli.options import AsJson
from hayami.errors import AllocationError
from hayami.evalset.folder import EvalSet
from hayami.evalset.runs import read_run
from hayami.verdicts.log import Verdict, read_verdicts

_LISTED: Final = 3
"""Unknown ids that a warning names."""


class SheetFormat(StrEnum):
    """How a sheet is written."""

    JSONL = "jsonl"
    CSV = "csv"
    LABEL_STUDIO = "label-studio"


SetFolder = Annotated[Path, typer.Argument(metavar="SET", help="Folder of the eval set.")]
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
Labels = Annotated[
    Path | None,
    typer.Option("--labels", metavar="DIR", help="Verdicts: what was judged already is left out."),
]


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
    n: Annotated[int, typer.Option("-n", "--number", min=1, help="Rows to draw in all.")] = 40,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same sheet.")] = 0,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by", help=f"Strata, repeated or with commas: {', '.join(By)} [default: match]."
        ),
    ] = None,
    floor: Annotated[
        int, typer.Option("--floor", min=0, help="Rows of each stratum at the least.")
    ] = 3,
    rejected: Annotated[
        bool,
        typer.Option(
            "--rejected", help="Draw rejected rows too, as a stratum: they tell what was missed."
        ),
    ] = False,
    written: Written = None,
    as_json: AsJson = False,
) -> None:
    """Draw labels at random into a sheet, to know how good they are.

    Every stratum gets its share, and a few rows at the least; the sheet keeps the weights. A larger
    -n with the same seed only adds rows.
    """
    evalset = hayami.load(folder)
    _check_out(out, folder, written)
    plan = Draw(n=n, seed=seed, by=_strata(by or [By.MATCH]), floor=floor, rejected=rejected)
    try:
        drawn = draw_sample(evalset, out, plan)
    except AllocationError as error:
        raise typer.BadParameter(f"{error}. {error.hint}", param_hint="'-n'") from error
    _write(out, drawn.items, evalset)
    population = sum(stratum.population for stratum in drawn.strata)
    if as_json:
        strata = [asdict(stratum) for stratum in drawn.strata]
        say_json(
            {
                "sheet": str(out),
                "rows": len(drawn.items),
                "of": population,
                "seed": seed,
                "strata": strata,
            }
        )
        return
    say(f"{len(drawn.items):,} of {population:,} rows → {out} (seed {seed})")
    say()
    _list_strata(drawn.strata)
    if n > population:
        note(f"note: {n:,} rows were asked for; there are {population:,}, and all are in the sheet")
    _next(out)


def _list_strata(strata: Sequence[DrawnStratum]) -> None:
    for stratum in strata:
        say(f"  {stratum.drawn:5,} of {stratum.population:6,}  {stratum.name}")


def _strata(by: Sequence[str]) -> tuple[By, ...]:
    """The strata that the command line names, each once."""
    words = [word.strip() for part in by for word in part.split(",") if word.strip()]
    unknown = [word for word in words if word not in set(By)]
    if unknown or not words:
        raise typer.BadParameter(
            f"{unknown[0] if unknown else ''!r} is none of: {', '.join(By)}", param_hint="'--by'"
        )
    if By.NONE in words and len(set(words)) > 1:
        raise typer.BadParameter("none goes with nothing else", param_hint="'--by'")
    return tuple(dict.fromkeys(By(word) for word in words))


def queue(
    folder: SetFolder,
    *,
    out: Out,
    n: AtMost = None,
    labels: Labels = None,
    written: Written = None,
    as_json: AsJson = False,
) -> None:
    """Make a sheet of the rows that most need a human, least sure first, each with the reason.

    They are no random sample: 'hayami audit sample' draws the rows that tell how good the labels
    are.
    """
    evalset = hayami.load(folder)
    _check_out(out, folder, written)
    made = make_queue(evalset, out, n=n, verdicts=_verdicts(labels))
    waiting = sum(made.waiting.values())
    left_out = {"settled": made.settled, "conflicts": made.conflicts}
    if made.items:
        _write(out, made.items, evalset)
    if as_json:
        sheet = str(out) if made.items else None
        say_json(
            {
                "sheet": sheet,
                "rows": len(made.items),
                "waiting": waiting,
                "doubts": made.waiting,
                **left_out,
            }
        )
        return
    _say_rows(len(made.items), waiting, "that need a human", out)
    for doubt in DOUBTS:
        if made.waiting.get(doubt.name):
            say(f"  {made.waiting[doubt.name]:5,}  {doubt.name}: {doubt.meaning}")
    if made.settled:
        note(f"note: left out are {_many(made.settled, 'row')} about which a verdict holds")
    if made.conflicts:
        disputed = _many(made.conflicts, "row")
        note(
            f"note: left out are {disputed} on which judges disagree: see 'hayami audit review --conflicts'"
        )
    if made.items:
        _next(out)


def pool(
    folder: SetFolder,
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Runs of search systems, in TREC format.")
    ],
    *,
    out: Out,
    depth: Annotated[int, typer.Option("--depth", min=1, help="Ranks that count.")] = 10,
    n: AtMost = None,
    labels: Labels = None,
    written: Written = None,
    as_json: AsJson = False,
) -> None:
    """Make a sheet of the sections that runs rank high and that nobody has judged: some may answer too.

    Sections of grade 1 are among them: they have it from standing in the same article. Give the
    labels, so that nothing is judged twice.
    """
    evalset = hayami.load(folder)
    _check_out(out, folder, written)
    read = [read_run(path) for path in runs]
    made = make_pool(evalset, read, out, PoolSize(depth, n), verdicts=_verdicts(labels))
    _warn_unknown(made)
    if made.items:
        _write(out, made.items, evalset)
    if as_json:
        counts = {"unjudged": made.unjudged, "judged": made.judged, "queries": made.queries}
        unknown = {
            "unknown_queries": made.unknown_queries,
            "unknown_sections": made.unknown_sections,
        }
        say_json(
            {
                "sheet": str(out) if made.items else None,
                "rows": len(made.items),
                **counts,
                **unknown,
            }
        )
        return
    _say_rows(
        len(made.items),
        made.unjudged,
        f"in the first {depth} of {_many(len(read), 'run')}, unjudged",
        out,
    )
    say(
        f"  {made.judged:5,}  more are labels or were judged before; {_many(made.queries, 'query', 'queries')} in all"
    )
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
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def _say_rows(rows: int, waiting: int, what: str, out: Path) -> None:
    if rows:
        say(f"{rows:,} of {waiting:,} rows {what} → {out}")
        say()
    else:
        say(f"no rows {what}: no sheet was written")


def _verdicts(labels: Path | None) -> list[Verdict]:
    return read_verdicts(labels) if labels is not None else []


def _check_out(out: Path, folder: Path, written: SheetFormat | None) -> None:
    """Refuses a place for the sheet where it could not be read back, or would destroy something."""
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
    to_read = (
        FORMATS[out.suffix.lower()] != SheetFormat.JSONL
    )  # the others cannot look at the corpus
    write_sheet(out, items, texts=texts_of(evalset, items) if to_read else None)


def _next(out: Path) -> None:
    say()
    how: dict[str, str] = {
        SheetFormat.JSONL: f"hayami audit review {out}",
        SheetFormat.CSV: f"fill in verdict, chosen, rewrite and note, then: hayami audit collect {out}",
        SheetFormat.LABEL_STUDIO: f"import it, with {out.with_suffix('.xml')} as labelling setup; then: "
        "hayami audit collect EXPORT.json",
    }
    say(f"next: {how[FORMATS[out.suffix.lower()]]}")
