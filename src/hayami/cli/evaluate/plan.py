"""``hayami plan``, ``sensitivity``, ``pitfalls``: what a set can tell, on what figures hang."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from hayami.cli.console import say, say_json
from hayami.cli.evaluate.inputs import (
    Clusters,
    Dedupe,
    ExportIds,
    Inputs,
    Paths,
    Qrels,
    Seed,
    largest_cutoff,
    nothing_relevant,
    read_inputs,
    top_grade,
    warn,
)
from hayami.cli.evaluate.printing import count, say_table
from hayami.cli.options import AsJson
from hayami.errors import RunError

if TYPE_CHECKING:
    from hayami.evalset.runs import Run
    from hayami.evaluate.pitfalls import Finding
    from hayami.evaluate.planning import Plan, Size
    from hayami.evaluate.sensitivity import Column, Sensitivity, Siblings


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command(
        "plan", epilog="Example: hayami plan sets/articles runs/bm25_2.run runs/bm25_23.run"
    )(plan)
    app.command("sensitivity", epilog="Example: hayami sensitivity sets/articles runs/*.run")(
        sensitivity
    )
    app.command("pitfalls", epilog="Example: hayami pitfalls sets/articles runs/bm25_23.run")(
        pitfalls
    )


# --- plan -----------------------------------------------------------------------------------------


def plan(
    paths: Paths,
    *,
    qrels: Qrels = None,
    measure: Annotated[
        str,
        typer.Option(
            "--measure", "-m", metavar="NAME", help="The measure, by its name in ir_measures."
        ),
    ] = "",
    subsets: Annotated[
        int, typer.Option("--subsets", min=10, help="Random subsets of each size.")
    ] = 1_000,
    dedupe: Dedupe = False,
    ids: ExportIds = None,
    clusters: Clusters = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Say how many queries are enough, from one run or two over the same set.

    For sets of growing size: the width of the interval, the spread of the measure over random
    subsets, and how often a subset would have named the wrong winner. Then the least difference
    that this set can see, and how many queries of the same kind smaller ones would take. Measure:
    RR(rel=2)@10 unless named.
    """
    inputs = read_inputs(paths, qrels, dedupe=dedupe, ids=ids, clusters=clusters, most=2)
    from hayami.evaluate.measures import parse_measure

    chosen = parse_measure(measure or "MRR@10", top_grade(inputs))
    warn(inputs, largest_cutoff([chosen]))
    found = _plan(inputs, chosen.name, subsets, seed)
    if as_json:
        say_json(asdict(found))
    else:
        _show_plan(found)


def _plan(inputs: Inputs, measure: str, subsets: int, seed: int) -> Plan:
    import numpy as np

    from hayami.evaluate.measures import parse_measure, score_run
    from hayami.evaluate.planning import plan

    scores = [score_run(inputs.judgements, run, [parse_measure(measure)])[0] for run in inputs.runs]
    qids = list(scores[0].values)
    if not qids:
        raise nothing_relevant(inputs, measure)
    runs = [
        (run.name, np.array(list(one.values.values())))
        for run, one in zip(inputs.runs, scores, strict=True)
    ]
    known = inputs.judgements.articles()
    articles = None if known is None else [known[qid] for qid in qids]
    return plan(measure, runs, articles, subsets=subsets, seed=seed)


def _show_plan(found: Plan) -> None:
    named = zip(found.runs, found.means, strict=True)
    means = ", ".join(f"{name} {mean:.4f}" for name, mean in named)
    many = count(found.queries, "query", "queries")
    if found.articles is not None:
        many += f" of {count(found.articles, 'article')}"
    first = found.runs[0]
    say(f"{found.measure}: {means}; {many}, seed {found.seed}")
    say()
    paired = len(found.runs) > 1
    header = ["queries", "interval width", "× √n", f"{first} over subsets"]
    header += ["wrong winner", "even"] * paired
    rows = [_row_of_size(found, size) for size in found.sizes]
    say_table([*header, ""], rows, left=0)
    say()
    say(
        f"interval width: 95% interval of {first}, by query; "
        "it falls as 1/√n if × √n stays the same."
    )
    wrong = "; wrong winner: the loser on the whole set wins" if paired else ""
    say(f"over subsets: 95% of {found.subsets:,} random subsets lie between{wrong}.")
    say()
    _say_least(found)


def _row_of_size(found: Plan, size: Size) -> list[str]:
    """The cells of one size of set, a remark last."""
    spread, remark = f"{size.low:.3f} to {size.high:.3f}", ""
    if size.queries == found.queries:
        spread, remark = "-", "the whole set"
    elif size.overlapping:
        remark = "subsets overlap"
    shares = [_percent(size.wrong), _percent(size.even)] if len(found.runs) > 1 else []
    rooted = f"{size.width * size.queries**0.5:.2f}"
    return [f"{size.queries:,}", f"{size.width:.4f}", rooted, spread, *shares, remark]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}%"


def _say_least(found: Plan) -> None:
    """What the set can see, in sentences."""
    for sentence in _least(found):
        say(sentence)


def _least(found: Plan) -> Iterator[str]:
    from hayami.evaluate.comparison import MIN_ARTICLES

    one, several = ("query", "queries") if found.articles is None else ("article", "articles")
    if found.detectable is None:
        yield (
            "The least difference cannot be told: the runs are equal on every query, differ in too "
            f"few, or come from fewer than {MIN_ARTICLES} {several}."
        )
    else:
        yield (
            f"Least difference of {_kind(found)} that a verdict by {one} finds in 80% of cases: "
            f"{found.detectable:.4f}"
        )
    for difference, queries in found.needed:
        enough = "this set is enough" if queries <= found.queries else f"{queries:,} queries"
        yield f"  to see {difference:.3f}: {enough}"


def _kind(found: Plan) -> str:
    if len(found.runs) > 1:
        return "two runs that differ as these do"
    return "this run and one unrelated to it (a guess: name a second run to know)"


# --- sensitivity ----------------------------------------------------------------------------------


def sensitivity(
    paths: Paths,
    *,
    qrels: Qrels = None,
    dedupe: Dedupe = False,
    ids: ExportIds = None,
    clusters: Clusters = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Measure the same runs under strict, graded and article labels, and under three gains.

    Which run wins under which?

    Also how much of the DCG comes from the siblings of the target: sections of grade 1.
    """
    inputs = read_inputs(paths, qrels, dedupe=dedupe, ids=ids, clusters=clusters)
    if inputs.judgements.levels != (2, 1):
        raise RunError(
            "sensitivity needs the grades 2 and 1, and no other above 0",
            where=inputs.judgements.name,
            hint="Compare the runs with 'hayami compare'.",
        )
    warn(inputs, 10)
    from hayami.evaluate.sensitivity import GAINS, compare_schemes, share_of_siblings

    found = compare_schemes(inputs.judgements, inputs.runs, seed=seed)
    ranked = [_rankings(run, inputs.judgements.qrels) for run in inputs.runs]
    siblings = {
        name: share_of_siblings(inputs.judgements.qrels, ranked, gain)
        for name, gain in GAINS.items()
    }
    if as_json:
        shares = [{"gain": name, **asdict(share)} for name, share in siblings.items()]
        say_json(asdict(found) | {"agree": found.agree, "siblings": shares})
    else:
        _show_sensitivity(found, siblings)


def _rankings(run: Run, qids: Iterable[str]) -> dict[str, list[str]]:
    return {qid: run.ranking(qid) for qid in qids}


def _show_sensitivity(found: Sensitivity, siblings: Mapping[str, Siblings]) -> None:
    many = f"{count(len(found.runs), 'run')}, {count(found.queries, 'query', 'queries')}"
    say(f"{many}, seed {found.seed}; * is the highest of its line")
    say()
    names = [f"{run} " for run in found.runs]
    rows = [_row_of_scheme(found.runs, column) for column in found.columns]
    say_table(["labels", "measure", "gain", *names, "lead", "p", ""], rows, left=3)
    say()
    say(
        "strict: only the section that the writer named; article: any section of its article; "
        "graded: both, by gain."
    )
    say(
        "lead, p: of the highest over the second, "
        "by a sign-flip test by article that does not count the choice among runs."
    )
    say()
    say("share of the DCG@10 that siblings of the target (grade 1) give")
    rows = [
        [name, _percent(share.ideal), *map(_percent, share.runs), ""]
        for name, share in siblings.items()
    ]
    say_table(["gain", "ideal", *found.runs, ""], rows)
    say()
    _say_winners(found)


def _row_of_scheme(runs: Sequence[str], column: Column) -> list[str]:
    """The cells of a scheme: the highest mean bears a star."""
    means = []
    for run, mean in zip(runs, column.means, strict=True):
        means.append(f"{mean:.4f}{'*' if run in column.winners else ' '}")
    scheme = column.scheme
    p = "-" if column.p is None else f"{column.p:.4f}"
    return [scheme.labels, scheme.measure, scheme.gain, *means, f"{column.lead:.4f}", p, ""]


def _say_winners(found: Sensitivity) -> None:
    if len(found.runs) == 1:
        return
    if found.agree:
        say("One run is ahead, or level, under every scheme.")
        return
    if any(one.clear for one in found.reversals):
        say(
            "The winner hangs on the labels and the gain: "
            "settle what counts as relevant before comparing."
        )
    else:
        say(
            "The highest run is not the same everywhere, "
            "but no pair changes places by more than chance explains."
        )
    for one in found.reversals:
        say(f"  {one.first} is ahead of {one.second} by {one.first_by} (p {one.first_p:.4f}),")
        say(f"    behind by {one.second_by} (p {one.second_p:.4f})")


# --- pitfalls -------------------------------------------------------------------------------------


def pitfalls(
    paths: Paths,
    *,
    qrels: Qrels = None,
    dedupe: Dedupe = False,
    ids: ExportIds = None,
    as_json: AsJson = False,
) -> None:
    """Show what common wrong implementations of the measures would have reported for a run.

    Each line is one mistake: the right figure, the wrong one, and what was done to get it.
    """
    inputs = read_inputs(paths, qrels, dedupe=dedupe, ids=ids, most=1)
    warn(inputs, 10)
    from hayami.evaluate.pitfalls import find_pitfalls

    run = inputs.runs[0]
    ranked = {qid: run.ranking(qid) for qid in run.scores}
    found = find_pitfalls(inputs.judgements.qrels, ranked, run.scores)
    if as_json:
        say_json(
            {"run": run.name, "pitfalls": [asdict(one) | {"error": one.error} for one in found]}
        )
    else:
        _show_pitfalls(run.name, found)


def _show_pitfalls(name: str, found: tuple[Finding, ...]) -> None:
    say(f"{name}: what a wrong implementation would have reported")
    say()
    rows = [
        [
            one.name,
            one.measure,
            f"{one.right:.4f}",
            f"{one.wrong:.4f}",
            f"{one.error:+.4f}",
            one.mistake,
        ]
        for one in found
    ]
    say_table(["mistake", "measure", "right", "wrong", "error", "what it does"], rows, left=2)
