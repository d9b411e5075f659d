"""``hayami compare``: is one run better than another, and did the last change break anything?"""

from __future__ import annotations

import importlib.metadata
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hayami.cli.console import note, say, say_json
from hayami.cli.evaluate.inputs import (
    Categories,
    Clusters,
    Dedupe,
    ExportIds,
    Inputs,
    MeasureNames,
    Paths,
    Qrels,
    Seed,
    choose_measures,
    largest_cutoff,
    nothing_relevant,
    read_inputs,
    stale_runs,
    top_grade,
    warn,
    with_categories_of,
)
from hayami.cli.evaluate.printing import fit, say_table
from hayami.cli.options import AsJson, Force
from hayami.errors import RunError
from hayami.evalset.outputs import replace_file
from hayami.extras import EVAL, need

if TYPE_CHECKING:
    from hayami.evaluate.comparison import ChangedQuery, QueryChange, Resampling, Side
    from hayami.evaluate.contest import Contest
    from hayami.evaluate.gate import Gate, GateOutcome
    from hayami.evaluate.measures import Measure

Gates = Annotated[
    list[str] | None,
    typer.Option(
        "--gate",
        metavar="'MEASURE >= DIFFERENCE'",
        help="Exit 1 if a run is below; may be repeated.",
    ),
]
BaselineFile = Annotated[
    Path | None,
    typer.Option("--baseline", metavar="FILE", help="Compare with what this file holds."),
]
NewBaseline = Annotated[
    Path | None,
    typer.Option(
        "--save-baseline",
        metavar="FILE",
        help="Keep the last run's values, if all gates are passed.",
    ),
]
Page = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write a page with pictures.")
]
MarkdownFile = Annotated[
    Path | None,
    typer.Option("--markdown", metavar="FILE", help="Write Markdown for a pull request."),
]
Changes = Annotated[
    int, typer.Option("--changes", min=0, help="Queries that changed most to show.")
]
Draws = Annotated[int, typer.Option("--draws", min=100, help="Sign patterns that a test draws.")]
LeastCommon = Annotated[
    float,
    typer.Option(
        "--least-common",
        min=0.0,
        max=1.0,
        metavar="SHARE",
        help="Share of the queries that a baseline and the set must have in common.",
    ),
]
_RESULT: Final = 46
"""Cells of the terminal that a result has beside the other run's."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    example = "hayami compare sets/articles old.run new.run --gate 'RR(rel=2)@10 >= -0.02'"
    app.command("compare", epilog=f"Example: {example}")(compare)


def compare(
    paths: Paths,
    *,
    qrels: Qrels = None,
    measures: MeasureNames = None,
    gates: Gates = None,
    baseline: BaselineFile = None,
    save_baseline: NewBaseline = None,
    least_common: LeastCommon = 0.9,
    changes: Changes = 5,
    dedupe: Dedupe = False,
    ids: ExportIds = None,
    clusters: Clusters = None,
    categories: Categories = None,
    draws: Draws = 10_000,
    seed: Seed = 0,
    html: Page = None,
    markdown: MarkdownFile = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Compare runs with the first one, or with a stored baseline, query by query.

    Shows the mean difference with its intervals by query and by article, a sign-flip test by
    article, wins, ties and losses, and the least difference that its verdict can see; then the
    queries that changed most, both rankings beside each other.

    A gate 'MEASURE >= LIMIT' holds if the lower bound of the difference is at or above the limit;
    'point MEASURE >= LIMIT' if the difference itself is. MEASURE[category=NAME] is over one group.
    A baseline is bound to the texts of the queries, their judgements and the ids of the corpus.
    """
    need(EVAL)
    wanted = _gates(gates or [])
    inputs = read_inputs(paths, qrels, dedupe=dedupe, ids=ids, clusters=clusters)
    inputs = with_categories_of(inputs, categories)
    wanted = _named(wanted, top_grade(inputs))
    if wanted:
        _refuse_stale_runs(inputs)
    chosen = choose_measures(inputs, measures, [gate.measure for gate in wanted])
    warn(inputs, largest_cutoff(chosen))
    from hayami.evaluate.comparison import Resampling

    sides = _sides(inputs, chosen, baseline, save_baseline, least_common)
    contest = None
    if sides.others:
        contest = _contest(inputs, sides, wanted, changes, Resampling(draws, seed))
        _write(contest, html, markdown, force=force)
    _tell(contest, as_json=as_json)
    if save_baseline is not None:
        _save(save_baseline, sides.last, inputs, force=force)


def _tell(contest: Contest | None, *, as_json: bool) -> None:
    """Shows a comparison, and exits with 1 if a gate failed."""
    if as_json:
        _say_json(contest)
    elif contest is not None:
        _show(contest)
    if contest is not None and not contest.passed:
        note("hayami: a gate failed")
        raise typer.Exit(1)


def _gates(texts: Sequence[str]) -> list[Gate]:
    """The gates, their measures as they were written."""
    from hayami.evaluate.gate import parse_gate

    try:
        return [parse_gate(text) for text in texts]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--gate") from error


def _named(gates: Sequence[Gate], top: int) -> list[Gate]:
    """The gates, their measures by the names that the figures bear."""
    from hayami.evaluate.measures import parse_measure

    return [replace(gate, measure=parse_measure(gate.measure, top).name) for gate in gates]


def _refuse_stale_runs(inputs: Inputs) -> None:
    """A gate decides on no run that was made for another set.

    Raises:
        RunError: there is one.
    """
    for name, sentence in stale_runs(inputs).items():
        what, _, again = sentence.partition("; make it anew: ")
        raise RunError(f"a gate over a run that {what}", where=name, hint=f"Make it anew: {again}")


@dataclass(frozen=True, slots=True)
class _Sides:
    """What is compared."""

    base: Side
    others: list[Side]
    """Empty if a first baseline is all that is wanted."""
    last: Side
    """The last run over all queries of the set: what a new baseline keeps."""
    left_out: str = ""
    """What a baseline and the set do not have in common, in words."""


def _sides(
    inputs: Inputs,
    measures: Sequence[Measure],
    baseline: Path | None,
    save_baseline: Path | None,
    least_common: float,
) -> _Sides:
    """What is compared with what."""
    from hayami.evaluate.baseline_file import read_baseline, restrict
    from hayami.evaluate.comparison import side_of

    sides = [side_of(inputs.judgements, run, measures) for run in inputs.runs]
    for measure, values in sides[0].values.items():
        if not values:  # a gate on it would pass whatever the run returns
            raise nothing_relevant(inputs, measure)
    if baseline is not None:
        common = read_baseline(baseline, inputs.judgements, sides[0], least_common)
        others = [restrict(side, common.base) for side in sides]
        if common.sentence:
            note(f"warning: {baseline}: {common.sentence}")
        return _Sides(common.base, others, sides[-1], common.sentence)
    if len(sides) == 1 and save_baseline is None:
        raise typer.BadParameter(
            "names one run: name another, or --baseline", param_hint="SET RUN..."
        )
    return _Sides(sides[0], sides[1:], sides[-1])


def _contest(
    inputs: Inputs, sides: _Sides, gates: Sequence[Gate], changes: int, drawing: Resampling
) -> Contest:
    from hayami.evaluate.comparison import compare, describe_changes
    from hayami.evaluate.contest import Contest

    base, others = sides.base, sides.others
    articles = inputs.judgements.articles()
    first = next(iter(base.values))
    moved = _moved(sides, first, changes)
    measured = set(itertools.chain.from_iterable(base.values.values()))
    stale = [f"{name} {sentence}" for name, sentence in stale_runs(inputs).items()]
    return Contest(
        judgements=inputs.judgements.name,
        set_sha256=inputs.sha256,
        queries=len(measured),
        excluded=len(inputs.judgements.qrels) - len(measured),
        articles=None if articles is None else len({articles[qid] for qid in measured}),
        base=base.name,
        others=tuple(other.name for other in others),
        differences=compare(base, others, articles, drawing),
        changes=describe_changes(moved, inputs.judgements, inputs.headings()),
        passages=_pass(inputs, sides, gates),
        drawing=drawing,
        warnings=(*stale, *([sides.left_out] if sides.left_out else [])),
    )


def _moved(sides: _Sides, measure: str, number: int) -> list[QueryChange]:
    """The queries that changed most, of each run in turn."""
    from hayami.evaluate.comparison import biggest_changes

    found: list[QueryChange] = []
    for other in sides.others:
        found += biggest_changes(sides.base, other, measure, number)
    return found


def _pass(inputs: Inputs, sides: _Sides, gates: Sequence[Gate]) -> tuple[GateOutcome, ...]:
    """What the gates make of the runs.

    Raises:
        RunError: a gate is over a group that has no query.
    """
    from hayami.evaluate.breakdown import overlaps_of, parts_of
    from hayami.evaluate.gate import pass_gates

    dimensions = {gate.dimension for gate in gates if gate.dimension}
    overlaps = {}
    if "overlap" in dimensions and inputs.evalset is not None:
        overlaps = overlaps_of(inputs.evalset)
    groups: dict[tuple[str, str], list[str]] = {}
    for dimension in dimensions:
        parts = parts_of(inputs.judgements, dimension, overlaps)
        groups |= {(dimension, name): qids for name, qids in parts.items()}
    try:
        return pass_gates(gates, sides.base, sides.others, inputs.judgements.articles(), groups)
    except ValueError as error:
        hint = "Name a group that 'hayami evaluate' shows, or give --categories FILE."
        raise RunError(str(error), where="--gate", hint=hint) from error


def _write(contest: Contest, html: Path | None, markdown: Path | None, *, force: bool) -> None:
    from hayami.evaluate.contest_report import as_html, as_markdown

    for path, render in ((html, as_html), (markdown, as_markdown)):
        if path is not None:
            replace_file(path, render(contest).encode(), error=RunError, force=force)


def _save(path: Path, side: Side, inputs: Inputs, *, force: bool) -> None:
    from hayami.evaluate.baseline_file import write_baseline

    version = importlib.metadata.version("hayami")
    write_baseline(path, side, inputs.judgements, version, force=force)
    note(f"{path}: baseline of {side.name}")


def _say_json(contest: Contest | None) -> None:
    from hayami.evaluate.contest import as_json

    say_json(None if contest is None else as_json(contest))


def _show(contest: Contest) -> None:
    from hayami.evaluate.contest import NOTES, header_row, remarks, scope, table_row

    for sentence in contest.warnings:
        say(f"WARNING: {sentence}")
    say(f"{', '.join(contest.others)} against {contest.base}: {scope(contest)}")
    for other in contest.others:
        say()
        say_table(header_row(contest.base, other), [table_row(one) for one in contest.of(other)])
        for sentence in remarks(contest.of(other)):
            say(f"  {sentence}")
    say()
    for line in NOTES:
        say(line)
    for passage in contest.passages:
        say()
        say(f"gate {'passed' if passage.passed else 'FAILED'}: {passage.other}: {passage.sentence}")
    for one in contest.changes:
        say()
        _show_change(one)


def _show_change(one: ChangedQuery) -> None:
    """A query that changed, with the first results of both runs beside each other."""
    from hayami.evaluate.contest import result_text

    change = one.change
    say(f"{change.qid}  {change.base_value:.4f} → {change.other_value:.4f}  {one.query}".rstrip())
    say(f"      {fit(change.base, _RESULT)}  {change.other}")
    left = [result_text(result) for result in one.base_results]
    right = [result_text(result) for result in one.other_results]
    for rank, pair in enumerate(itertools.zip_longest(left, right, fillvalue=""), 1):
        say(f"  {rank:>2}  {fit(pair[0], _RESULT)}  {fit(pair[1], _RESULT)}".rstrip())
