"""``hayami evaluate``: runs measured by an eval set, or by judgements of somebody else."""

from __future__ import annotations

import importlib.metadata
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import hayami
from hayami.cli.console import note, say, say_json
from hayami.cli.options import AsJson
from hayami.errors import EvalSetError
from hayami.evalset.jsonl import replace_file
from hayami.evalset.runs import read_run
from hayami.extras import EVAL, need

if TYPE_CHECKING:
    from hayami.evaluate.evaluation import Evaluation
    from hayami.evaluate.judgements import Judgements
    from hayami.evaluate.measures import Measure

Paths = Annotated[
    list[Path],
    typer.Argument(
        metavar="SET RUN...",
        help="An eval set and TREC runs; with --qrels the set may be left out.",
    ),
]
Qrels = Annotated[
    Path | None,
    typer.Option(
        "--qrels",
        metavar="FILE",
        help="Judgements to use instead of the set's: TREC, BEIR or JSON.",
    ),
]
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
Dedupe = Annotated[
    bool,
    typer.Option("--dedupe", help="Keep the first of a document that stands twice for a query."),
]
Categories = Annotated[
    Path | None,
    typer.Option("--categories", metavar="FILE", help="CSV of qid,category: groups of your own."),
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
Draws = Annotated[
    int, typer.Option("--draws", min=100, max=100_000, help="Draws of the bootstrap.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of the bootstrap.")]


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
    categories: Categories = None,
    per_query: PerQuery = None,
    html: Html = None,
    markdown: Markdown = None,
    draws: Draws = 2_000,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Measure runs: every figure with its level, its gain and its intervals by query and by article.

    Measures at grade 2 (the target) come first, then nDCG with three gains, then grade 1 (the whole
    article). What a run lacks or has twice is told on stderr; the rules are stated in every report.
    """
    if per_query is not None and per_query.suffix.lower() not in {".csv", ".jsonl"}:
        raise typer.BadParameter(
            f"{per_query} ends in neither .csv nor .jsonl", param_hint="--per-query"
        )
    folder, runs = _split(paths, qrels)
    need(EVAL)
    from hayami.evaluate.evaluation import Bootstrap, evaluate_runs

    judgements, overlaps = _judge(folder, qrels, categories)
    chosen = _choose(measures, cutoffs, judgements)
    read = [read_run(run, dedupe=dedupe) for run in runs]
    evaluation = evaluate_runs(
        judgements, read, chosen, overlaps=overlaps, drawing=Bootstrap(draws, seed)
    )
    for report in evaluation.runs:
        for line in report.warnings:
            note(f"warning: {report.run}: {line}")
    if as_json:
        from hayami.evaluate.document import as_document

        say_json(as_document(evaluation))
    else:
        from hayami.evaluate.plain import as_text

        for line in as_text(evaluation):
            say(line)
    _write(evaluation, chosen, overlaps, (per_query, html, markdown))


def _split(paths: list[Path], qrels: Path | None) -> tuple[Path | None, list[Path]]:
    """The folder of the eval set, which only --qrels makes dispensable, and the runs."""
    folder, runs = (
        (None, paths) if qrels is not None and not paths[0].is_dir() else (paths[0], paths[1:])
    )
    if not runs:
        raise typer.BadParameter(
            "no run given: name an eval set and at least one run file", param_hint="SET RUN..."
        )
    return folder, runs


def _judge(
    folder: Path | None, qrels: Path | None, categories: Path | None
) -> tuple[Judgements, dict[str, float]]:
    """The judgements with all that is known about their queries, and each query's lexical overlap with its target."""
    from hayami.evaluate.breakdown import overlaps_of
    from hayami.evaluate.categories import read_categories, with_categories
    from hayami.evaluate.judgements import judgements_of
    from hayami.evaluate.qrels import read_qrels

    if folder is not None and folder.is_file():
        hint = "Name the set first, then the runs; judgements in a file of their own go to --qrels."
        raise EvalSetError("a file, not an eval set", where=str(folder), hint=hint)
    evalset = hayami.load(folder) if folder is not None else None
    judged = judgements_of(evalset) if evalset is not None else None
    if qrels is not None:
        foreign = read_qrels(qrels)
        judged = (
            replace(foreign, topics={**judged.topics, **foreign.topics}, sections=judged.sections)
            if judged
            else foreign
        )
    if judged is None:  # a folder or qrels are there: _split sees to it
        raise typer.BadParameter("no judgements given", param_hint="SET RUN...")
    if categories is not None:
        named = read_categories(categories)
        if strange := [qid for qid in named if qid not in judged.qrels]:
            many = "1 query is" if len(strange) == 1 else f"{len(strange)} queries are"
            shown = ", ".join([*strange[:3], *["…"] * (len(strange) > 3)])  # noqa: PLR2004
            note(f"warning: {categories}: {many} not among the judgements: {shown}")
        judged = with_categories(judged, named)
    return judged, overlaps_of(evalset) if evalset is not None else {}


def _choose(
    names: list[str] | None, cutoffs: list[int] | None, judgements: Judgements
) -> tuple[Measure, ...]:
    from hayami.evaluate.measures import default_measures, parse_measures

    if names:
        return parse_measures(names, cutoffs or ())
    every = (
        [default_measures(judgements.levels, k) for k in cutoffs]
        if cutoffs
        else [default_measures(judgements.levels)]
    )
    return tuple(dict.fromkeys(measure for measures in every for measure in measures))


def _write(
    evaluation: Evaluation,
    measures: tuple[Measure, ...],
    overlaps: dict[str, float],
    files: tuple[Path | None, Path | None, Path | None],
) -> None:
    from hayami.evaluate.per_query import write_per_query

    per_query, html, markdown = files
    if per_query is not None:
        write_per_query(per_query, evaluation, overlaps)
    if html is not None:
        from hayami.evaluate.page import as_page

        replace_file(
            html,
            as_page(evaluation, measures, version=importlib.metadata.version("hayami")).encode(),
        )
    if markdown is not None:
        from hayami.evaluate.plain import as_markdown

        replace_file(markdown, as_markdown(evaluation).encode())
    for path in (path for path in files if path is not None):
        note(f"wrote {path}")
