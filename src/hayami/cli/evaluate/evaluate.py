"""``hayami evaluate``: runs measured by an eval set, or by judgements of somebody else."""

from __future__ import annotations

import importlib.metadata
import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hayami.cli.console import note, say, say_json
from hayami.cli.evaluate.inputs import (
    Categories,
    Clusters,
    Dedupe,
    ExportIds,
    Paths,
    Qrels,
    read_inputs,
    stale_runs,
    with_categories_of,
)
from hayami.cli.options import AsJson, Force
from hayami.evalset.outputs import replace_file

if TYPE_CHECKING:
    from hayami.evaluate.evaluation import Evaluation
    from hayami.evaluate.judgements import Judgements
    from hayami.evaluate.measures import Measure

Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measures",
        "-m",
        metavar="NAMES",
        help="Measures by the names of ir_measures [default: 15 of them].",
    ),
]
Cutoffs = Annotated[
    list[int] | None,
    typer.Option(
        "-k",
        min=1,
        metavar="K",
        help="The k of measures that name none; several times for several k.",
    ),
]
PerQuery = Annotated[
    Path | None,
    typer.Option(
        "--per-query", metavar="FILE", help="Write every query's values, to .csv or .jsonl."
    ),
]
Html = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write a page with tables and pictures."),
]
Markdown = Annotated[
    Path | None, typer.Option("--markdown", metavar="FILE", help="Write the tables as Markdown.")
]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        "evaluate", epilog="Example: hayami evaluate sets/articles bm25.run --html report.html"
    )(evaluate)


def evaluate(
    paths: Paths,
    *,
    qrels: Qrels = None,
    measures: Measures = None,
    cutoffs: Cutoffs = None,
    dedupe: Dedupe = False,
    ids: ExportIds = None,
    categories: Categories = None,
    per_query: PerQuery = None,
    html: Html = None,
    markdown: Markdown = None,
    clusters: Clusters = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Measure runs: each figure with its level, its gain, its intervals by query and by article.

    Measures at grade 2 (the target) come first, then nDCG with three gains, then grade 1 (the whole
    article). What a run lacks or has twice is told on stderr; the rules are stated in every report.
    """
    if per_query is not None and per_query.suffix.lower() not in {".csv", ".jsonl"}:
        raise typer.BadParameter(
            f"{per_query} ends in neither .csv nor .jsonl", param_hint="--per-query"
        )
    inputs = read_inputs(paths, qrels, dedupe=dedupe, ids=ids, clusters=clusters)
    inputs = with_categories_of(inputs, categories)
    from hayami.evaluate.breakdown import overlaps_of
    from hayami.evaluate.evaluation import evaluate_runs

    judgements = inputs.judgements
    overlaps = {} if inputs.evalset is None else overlaps_of(inputs.evalset)
    chosen = _choose(measures, cutoffs, judgements)
    stale = stale_runs(inputs)
    evaluation = evaluate_runs(judgements, inputs.runs, chosen, overlaps=overlaps, stale=stale)
    for report in evaluation.runs:
        for line in report.warnings:
            note(f"warning: {report.run}: {line}")
    # The files first: a pager that is closed early takes the rest of the output with it.
    _write(evaluation, chosen, overlaps, (per_query, html, markdown), force=force)
    _say(evaluation, as_json=as_json)


def _say(evaluation: Evaluation, *, as_json: bool) -> None:
    if as_json:
        from hayami.evaluate.document import as_document

        say_json(as_document(evaluation))
        return
    from hayami.evaluate.plain import as_text

    for line in as_text(evaluation):
        say(line)


def _choose(
    names: list[str] | None, cutoffs: list[int] | None, judgements: Judgements
) -> tuple[Measure, ...]:
    from hayami.evaluate.measures import DEFAULT_CUTOFF, default_measures, parse_measures

    if names:
        top = max(judgements.levels, default=1)
        return parse_measures(names, cutoffs or (), top)
    every = [default_measures(judgements.levels, k) for k in cutoffs or [DEFAULT_CUTOFF]]
    return tuple(dict.fromkeys(itertools.chain.from_iterable(every)))


def _write(
    evaluation: Evaluation,
    measures: tuple[Measure, ...],
    overlaps: dict[str, float],
    files: tuple[Path | None, Path | None, Path | None],
    *,
    force: bool,
) -> None:
    from hayami.evaluate.per_query import write_per_query

    per_query, html, markdown = files
    if per_query is not None:
        write_per_query(per_query, evaluation, overlaps, force=force)
    if html is not None:
        from hayami.evaluate.evaluation_page import as_page

        replace_file(
            html,
            as_page(evaluation, measures, version=importlib.metadata.version("hayami")).encode(),
            force=force,
        )
    if markdown is not None:
        from hayami.evaluate.plain import as_markdown

        replace_file(markdown, as_markdown(evaluation).encode(), force=force)
    for path in filter(None, files):
        note(f"wrote {path}")
