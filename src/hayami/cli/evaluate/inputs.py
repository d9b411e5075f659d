"""What compare, plan, sensitivity and pitfalls read: judgements, runs, measures, and the options that say which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

import hayami
from hayami.cli.console import note
from hayami.errors import RunError
from hayami.extras import EVAL, need

if TYPE_CHECKING:
    from hayami.evalset.runs import Run
    from hayami.evaluate.judgements import Judgements
    from hayami.evaluate.measures import Measure

Paths = Annotated[
    list[Path],
    typer.Argument(
        metavar="SET RUN...",
        help="An eval set and TREC run files; with --qrels the set may be left out.",
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
Dedupe = Annotated[
    bool,
    typer.Option("--dedupe", help="Keep the first of a document that stands twice for a query."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of all drawing.")]

FIVE: Final = ("RR(rel=2)@10", "Success(rel=2)@1", "Success(rel=2)@5", "R(rel=2)@10", "nDCG@10")
"""Measured unless named: few, since every further one costs the adjusted p-values."""
MeasureNames = Annotated[
    list[str] | None,
    typer.Option(
        "--measures",
        "-m",
        metavar="NAMES",
        help=f"Measures by the names of ir_measures [default: {', '.join(FIVE)}].",
    ),
]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What was read."""

    judgements: Judgements
    runs: tuple[Run, ...]
    """With different names."""
    sha256: str
    """Hash of the eval set, or of the foreign qrels."""
    headings: dict[str, str]
    """Heading by section id; empty without a set."""

    def articles(self) -> dict[str, str]:
        """The article of every query."""
        return {qid: self.judgements.article_of(qid) for qid in self.judgements.qrels}


def read_inputs(
    paths: Sequence[Path], qrels: Path | None, *, dedupe: bool, most: int | None = None
) -> Inputs:
    """The judgements and the runs that a command line names.

    Args:
        paths: the set, unless ``qrels`` stands for it, and the runs.
        qrels: foreign judgements.
        dedupe: whether repeated documents are left out.
        most: runs that the command takes.

    Raises:
        typer.BadParameter: no set, no run, or too many.
        HayamiError: a file is missing or damaged.
    """
    folder = None if qrels is not None and not paths[0].is_dir() else paths[0]
    files = list(paths if folder is None else paths[1:])
    if not files:
        raise typer.BadParameter("names no run file", param_hint="SET RUN...")
    if most is not None and len(files) > most:
        raise typer.BadParameter(
            f"names {len(files)} runs, at most {most} are compared", param_hint="SET RUN..."
        )
    need(EVAL)
    from hayami.evalset.runs import read_run
    from hayami.evaluate.card import set_sha256
    from hayami.evaluate.judgements import judgements_of
    from hayami.evaluate.qrels import read_qrels

    evalset = None if folder is None else hayami.load(folder)
    own = None if evalset is None else judgements_of(evalset)
    judgements = own if qrels is None else read_qrels(qrels)
    if judgements is None:
        raise typer.BadParameter("names no eval set", param_hint="SET RUN...")
    if own is not None and judgements is not own:
        judgements = replace(
            judgements, topics={**own.topics, **judgements.topics}, sections=own.sections
        )
    runs = tuple(read_run(path, dedupe=dedupe) for path in files)
    return Inputs(
        judgements=judgements,
        runs=_with_different_names(runs),
        sha256=set_sha256(evalset) if evalset is not None and qrels is None else judgements.sha256,
        headings={}
        if evalset is None
        else {section.id: section.heading for section in evalset.sections()},
    )


def _with_different_names(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs by their tags, or by their file names or paths where several have one tag."""
    for names in (
        [run.name for run in runs],
        [run.path.name for run in runs],
        [str(run.path) for run in runs],
    ):
        if len(set(names)) == len(names):
            return tuple(replace(run, name=name) for run, name in zip(runs, names, strict=True))
    raise typer.BadParameter("names one run twice", param_hint="SET RUN...")


def warn(inputs: Inputs, cutoff: int) -> None:
    """Says on stderr what a person should know about the runs before reading their figures."""
    from hayami.evaluate.card import read_card
    from hayami.evaluate.policies import study_run, warnings_of

    for run in inputs.runs:
        for sentence in warnings_of(study_run(inputs.judgements, run, cutoff)):
            note(f"warning: {run.name}: {sentence}")
        card = read_card(run.path)
        if card is not None and inputs.headings and card.set_sha256 != inputs.sha256:
            note(
                f"warning: {run.name}: was made for another set, or for this one before it changed"
            )


def choose_measures(
    inputs: Inputs, names: Sequence[str] | None, extra: Sequence[str] = ()
) -> list[Measure]:
    """The measures named, or FIVE as far as the grades allow, and ``extra`` ones after them, each once.

    Raises:
        MeasureError: a name is none.
    """
    from hayami.evaluate.measures import default_measures, parse_measures

    if names:
        chosen = parse_measures(names)
    elif 2 in inputs.judgements.levels:  # noqa: PLR2004 - the grade of a target
        chosen = parse_measures(FIVE)
    else:
        chosen = default_measures(inputs.judgements.levels)[: len(FIVE)]
    return list(dict.fromkeys([*chosen, *(parse_measures(extra) if extra else ())]))


def nothing_relevant(inputs: Inputs, measure: str) -> RunError:
    """What to say of a measure that is defined for no query."""
    what = f"no query has a relevant document for {measure}"
    levels = ", ".join(map(str, inputs.judgements.levels)) or "none"
    return RunError(
        what,
        where=inputs.judgements.name,
        hint=f"Grades above 0 there: {levels}. Name another measure.",
    )


def largest_cutoff(measures: Sequence[Measure]) -> int:
    """The largest k of the measures; 10 where none has one."""
    return max((measure.cutoff for measure in measures if measure.cutoff), default=10)
