"""``hayami export``: an eval set in the format of another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from hayami.cli.console import note, say, say_count, say_json
from hayami.cli.options import AsJson
from hayami.errors import OutputError
from hayami.export import EXPORTERS, Exported, Exporter, Ids, Labels, export_set, find_exporter
from hayami.export.bundle import LABELS_MEANINGS
from hayami.export.registry import SPLIT, refusal

_GRADES: Final = {
    (True, False): "graded, and strict beside",
    (True, True): "strict, and graded beside",
    (False, False): "binary",
}


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("export", epilog="Example: hayami export beir sets/articles --out out/beir")(export)


ExporterName = Annotated[
    str | None, typer.Argument(metavar="FORMAT", help=", ".join(EXPORTERS) + ".")
]
SetFolder = Annotated[Path | None, typer.Argument(metavar="SET", help="Folder of the eval set.")]
OutFolder = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Folder of the export; an older export in this format is replaced.",
    ),
]
WhichLabels = Annotated[
    Labels | None,
    typer.Option(
        "--labels",
        help="graded: 2 and 1; strict: only the targets; article: every section of a target's "
        "article [default: strict where tools count every grade or none, else graded].",
    ),
]
SplitName = Annotated[
    str | None,
    typer.Option(
        "--split", metavar="NAME", help=f"Name of the split, for beir and hf [default: {SPLIT}]."
    ),
]
WhichIds = Annotated[
    Ids,
    typer.Option(
        "--ids",
        help="Keep ids, or spell them in A-Z a-z 0-9 _ - and write ids.jsonl, which maps them.",
    ),
]
Licence = Annotated[
    str,
    typer.Option(
        "--licence",
        "--license",
        metavar="ID",
        help="Licence of the articles for the card of hf, such as cc-by-4.0.",
    ),
]
ListFormats = Annotated[
    bool, typer.Option("--list", help="Show the formats: what is written, and who reads it.")
]


def export(
    format_name: ExporterName = None,
    folder: SetFolder = None,
    *,
    out: OutFolder = None,
    labels: WhichLabels = None,
    split: SplitName = None,
    ids: WhichIds = Ids.KEEP,
    licence: Licence = "",
    show: ListFormats = False,
    as_json: AsJson = False,
) -> None:
    """Write an eval set in the format of another tool: all files or none.

    Where the format has grades, graded labels and those of grade 2 alone are both written, each
    under a name of its own. What the format cannot hold is refused.
    """
    if show:
        _list_formats(as_json=as_json)
        return
    if format_name is None or folder is None or out is None:
        raise typer.BadParameter("FORMAT, SET and --out are needed; --list shows the formats.")
    chosen = _choose(format_name, labels, split, licence)
    written = export_set(
        folder, chosen.name, out, labels=labels, ids=ids, split=split, licence=licence
    )
    if as_json:
        say_json({"folder": str(out)} | written.manifest.model_dump(mode="json"))
    else:
        _summarise(chosen, written, out)


def _choose(name: str, labels: Labels | None, split: str | None, licence: str) -> Exporter:
    try:
        chosen = find_exporter(name)
    except OutputError as error:
        raise typer.BadParameter(f"{error.what}. {error.hint}") from error
    if reason := refusal(chosen, labels, split, licence):
        raise typer.BadParameter(f"{reason}.")
    return chosen


def _list_formats(*, as_json: bool) -> None:
    if as_json:
        say_json(
            [
                {
                    "name": one.name,
                    "writes": one.writes,
                    "loader": one.loader,
                    "graded": one.graded,
                    "split": one.splits,
                }
                for one in EXPORTERS.values()
            ]
        )
        return
    for one in EXPORTERS.values():
        say(f"{one.name:<13} {one.writes}")
        say(f"{'':<13} labels: {_GRADES[one.graded, one.counts_every_grade]}; read by {one.loader}")


def _summarise(chosen: Exporter, written: Exported, out: Path) -> None:
    manifest = written.manifest
    say(f"{manifest.queries:,} queries, {manifest.sections:,} sections → {out} ({chosen.name})")
    say()
    judgements = sum(manifest.judgements.values())
    meaning = LABELS_MEANINGS[manifest.labels]
    say_count(judgements, f"judgements, {manifest.labels}: {meaning}")
    if len(manifest.judgements) > 1:
        for grade, number in manifest.judgements.items():
            say_count(number, f"  of grade {grade}")
    say()
    for name in manifest.files:
        say(f"         {name}")
    say()
    told = out.as_posix(), manifest.split or "", manifest.labels
    for line in chosen.filled(chosen.example, *told).split("\n"):
        say(f"    {line}")
    if chosen.advice:
        say()
        say(chosen.filled(chosen.advice, *told))
    for sentence in manifest.notes:
        note(f"note: {sentence}")
