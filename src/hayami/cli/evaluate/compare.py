"""``hayami compare``: is one run better than another, and did the last change break anything?"""

from __future__ import annotations

import importlib.metadata
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hayami.cli.console import note, say, say_json
from hayami.cli.evaluate.inputs import (
    Dedupe,
    Inputs,
    MeasureNames,
    Paths,
    Qrels,
    Seed,
    choose_measures,
    largest_cutoff,
    nothing_relevant,
    read_inputs,
    warn,
)
from hayami.cli.evaluate.printing import fit, say_table
from hayami.cli.options import AsJson
from hayami.errors import RunError
from hayami.evalset.outputs import replace_file

if TYPE_CHECKING:
    from hayami.evaluate.comparison import ChangedQuery, Resampling, Side
    from hayami.evaluate.contest import Contest
    from hayami.evaluate.gate import Gate
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
Bootstraps = Annotated[int, typer.Option("--bootstraps", min=100, help="Draws of an interval.")]
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
    changes: Changes = 5,
    dedupe: Dedupe = False,
    draws: Draws = 10_000,
    bootstraps: Bootstraps = 2_000,
    seed: Seed = 0,
    html: Page = None,
    markdown: MarkdownFile = None,
    as_json: AsJson = False,
) -> None:
    """Compare runs with the first one, or with a stored baseline, query by query.

    Shows the mean difference with its intervals by query and by article, a sign-flip permutation
    test, wins, ties and losses, and the least difference that the set can see; then the queries
    that changed most, both rankings beside each other.

    A gate fails on a drop beyond its limit, and says whether the set could have seen such a drop at
    all. A baseline is bound to the hash of its set.
    """
    wanted = _gates(gates or [])
    inputs = read_inputs(paths, qrels, dedupe=dedupe)
    chosen = choose_measures(inputs, measures, [gate.measure for gate in wanted])
    warn(inputs, largest_cutoff(chosen))
    from hayami.evaluate.comparison import Resampling

    base, others = _sides(inputs, chosen, baseline, save_baseline)
    contest = None
    if others:
        drawing = Resampling(draws, bootstraps, seed)
        contest = _contest(inputs, base, others, wanted, changes, drawing)
        _write(contest, html, markdown)
    _tell(contest, as_json=as_json)
    if save_baseline is not None:
        _save(save_baseline, others[-1] if others else base, inputs)


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
    """The gates, their measures by the names that the figures bear."""
    from hayami.evaluate.gate import Gate, parse_gate
    from hayami.evaluate.measures import parse_measure

    try:
        found = [parse_gate(text) for text in texts]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--gate") from error
    return [Gate(parse_measure(gate.measure).name, gate.least) for gate in found]


def _sides(
    inputs: Inputs, measures: Sequence[Measure], baseline: Path | None, save_baseline: Path | None
) -> tuple[Side, list[Side]]:
    """What is compared with, and what is compared.

    The latter is empty if a first baseline is all that is wanted.
    """
    from hayami.evaluate.comparison import side_of
    from hayami.evaluate.gate import read_baseline

    sides = [side_of(inputs.judgements, run, measures) for run in inputs.runs]
    for measure, values in sides[0].values.items():
        if not values:  # a gate on it would pass whatever the run returns
            raise nothing_relevant(inputs, measure)
    if baseline is not None:
        expected = {measure: list(values) for measure, values in sides[0].values.items()}
        return read_baseline(baseline, inputs.sha256, expected), sides
    if len(sides) == 1 and save_baseline is None:
        raise typer.BadParameter(
            "names one run: name another, or --baseline", param_hint="SET RUN..."
        )
    return sides[0], sides[1:]


def _contest(  # noqa: PLR0917 - one call
    inputs: Inputs,
    base: Side,
    others: Sequence[Side],
    gates: Sequence[Gate],
    changes: int,
    drawing: Resampling,
) -> Contest:
    from hayami.evaluate.comparison import biggest_changes, compare, describe_changes
    from hayami.evaluate.contest import Contest
    from hayami.evaluate.gate import pass_gates

    articles = inputs.articles()
    differences = compare(base, others, articles, drawing)
    first = next(iter(base.values))
    each = [biggest_changes(base, other, first, changes) for other in others]
    moved = list(itertools.chain.from_iterable(each))
    measured = set(itertools.chain.from_iterable(base.values.values()))
    return Contest(
        judgements=inputs.judgements.name,
        set_sha256=inputs.sha256,
        queries=len(measured),
        excluded=len(inputs.judgements.qrels) - len(measured),
        articles=len({articles[qid] for qid in measured}),
        base=base.name,
        others=tuple(other.name for other in others),
        differences=differences,
        changes=describe_changes(moved, inputs.judgements, inputs.headings()),
        passages=pass_gates(gates, differences),
        drawing=drawing,
    )


def _write(contest: Contest, html: Path | None, markdown: Path | None) -> None:
    from hayami.evaluate.contest_report import as_html, as_markdown

    for path, render in ((html, as_html), (markdown, as_markdown)):
        if path is not None:
            replace_file(path, render(contest).encode(), error=RunError)


def _save(path: Path, side: Side, inputs: Inputs) -> None:
    from hayami.evaluate.gate import write_baseline

    write_baseline(path, side, inputs.sha256, importlib.metadata.version("hayami"))
    note(f"{path}: baseline of {side.name}")


def _say_json(contest: Contest | None) -> None:
    from hayami.evaluate.contest import as_json

    say_json(None if contest is None else as_json(contest))


def _show(contest: Contest) -> None:
    from hayami.evaluate.contest import NOTES, header_row, remarks, scope, table_row

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
