"""What every command that measures reads: judgements and runs, with the options that name them.

evaluate, compare, plan, sensitivity and pitfalls read through here, so that each says the same of
the same files; search asks here for its set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

import hayami
from hayami.cli.console import note
from hayami.errors import EvalSetError, RunError
from hayami.extras import EVAL, need

if TYPE_CHECKING:
    from hayami.evalset.folder import EvalSet
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
ExportIds = Annotated[
    Path | None,
    typer.Option(
        "--ids",
        metavar="MAP",
        help="The ids.jsonl of an export with --ids safe, if the runs name sections by its ids.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of all drawing.")]

FIVE: Final = ("RR(rel=2)@10", "Success(rel=2)@1", "Success(rel=2)@5", "R(rel=2)@10", "nDCG@10")
"""Compared unless named: few, since every further one costs the adjusted p-values."""
MeasureNames = Annotated[
    list[str] | None,
    typer.Option(
        "--measures",
        "-m",
        metavar="NAMES",
        help=f"Measures by the names of ir_measures [default: {', '.join(FIVE)}].",
    ),
]
Clusters = Annotated[
    Path | None,
    typer.Option(
        "--clusters",
        metavar="FILE",
        help="CSV of qid,cluster: which queries hang together; the set's articles unless given.",
    ),
]
Categories = Annotated[
    Path | None,
    typer.Option("--categories", metavar="FILE", help="CSV of qid,category: groups of your own."),
]
_SHOWN: Final = 3
"""Ids that a warning names."""
_PATHS: Final = "SET RUN..."


@dataclass(frozen=True, slots=True)
class Inputs:
    """What was read."""

    judgements: Judgements
    runs: tuple[Run, ...]
    """With different names."""
    evalset: EvalSet | None
    """The set that was named; None if only foreign judgements were."""

    @property
    def sha256(self) -> str:
        """Hash of the eval set, or of the foreign qrels."""
        return self.judgements.sha256

    def headings(self) -> dict[str, str]:
        """The heading of every section, by its id; empty without a set."""
        sections = () if self.evalset is None else self.evalset.sections()
        return {section.id: section.heading for section in sections}


def read_set(folder: Path) -> EvalSet:
    """The eval set that a command line names, once what measuring needs is found to be installed.

    Raises:
        EvalSetError: it is a file, or no eval set.
        ExtraError: a package is missing.
    """
    need(EVAL)
    if folder.is_file():
        hint = "Name the set first, then the runs; judgements in a file of their own go to --qrels."
        raise EvalSetError("a file, not an eval set", where=str(folder), hint=hint)
    return hayami.load(folder)


def read_inputs(
    paths: Sequence[Path],
    qrels: Path | None,
    *,
    dedupe: bool,
    ids: Path | None = None,
    clusters: Path | None = None,
    most: int | None = None,
) -> Inputs:
    """The judgements and the runs that a command line names.

    Args:
        paths: the set, unless ``qrels`` stands for it, and the runs.
        qrels: foreign judgements.
        dedupe: whether repeated documents are left out.
        ids: what the ids of the runs are in the set.
        clusters: a file that says which queries hang together.
        most: runs that the command takes.

    Raises:
        typer.BadParameter: no run, one twice, or too many.
        HayamiError: a file is missing or damaged.
    """
    folder = None if qrels is not None and not paths[0].is_dir() else paths[0]
    files = list(paths if folder is None else paths[1:])
    _check_number(files, most)
    need(EVAL)
    from hayami.evalset.idmap import read_id_map
    from hayami.evalset.runs import distinct_names, read_run

    evalset = None if folder is None else read_set(folder)
    judgements = _with_clusters(_judge(evalset, qrels), clusters)
    runs = [read_run(path, dedupe=dedupe) for path in files]
    if ids is not None:
        known = read_id_map(ids)
        runs = [replace(run, scores=known.translated(run.scores)) for run in runs]
    return Inputs(judgements, distinct_names(runs), evalset)


def _check_number(files: Sequence[Path], most: int | None) -> None:
    if not files:
        raise typer.BadParameter("names no run file", param_hint=_PATHS)
    if len(set(files)) < len(files):
        raise typer.BadParameter("names one run twice", param_hint=_PATHS)
    if most is not None and len(files) > most:
        what = f"names {len(files)} runs, at most {most} are compared"
        raise typer.BadParameter(what, param_hint=_PATHS)


def _judge(evalset: EvalSet | None, qrels: Path | None) -> Judgements:
    """The judgements of the set; or foreign ones, with what the set knows of their queries."""
    from hayami.evaluate.judgements import judgements_of
    from hayami.evaluate.qrels import read_qrels

    own = None if evalset is None else judgements_of(evalset)
    if qrels is not None:
        foreign = read_qrels(qrels)
        return foreign if own is None else foreign.beside(own)
    if own is None:
        raise typer.BadParameter("names no eval set", param_hint=_PATHS)
    return own


def warn(inputs: Inputs, cutoff: int) -> None:
    """Says on stderr what a person should know about the runs before reading their figures."""
    from hayami.evaluate.policies import study_run, warnings_of

    for name, sentence in stale_runs(inputs).items():
        note(f"warning: {name}: {sentence}")
    for run in inputs.runs:
        for sentence in warnings_of(study_run(inputs.judgements, run, cutoff)):
            note(f"warning: {run.name}: {sentence}")


def say_named(file: Path, named: Iterable[str], judgements: Judgements) -> None:
    """Says on stderr which queries that a file names are not among the judgements."""
    if strange := [qid for qid in named if qid not in judgements.qrels]:
        many = "1 query is" if len(strange) == 1 else f"{len(strange)} queries are"
        shown = ", ".join([*strange[:_SHOWN], *["…"] * (len(strange) > _SHOWN)])
        note(f"warning: {file}: {many} not among the judgements: {shown}")


def _with_clusters(judgements: Judgements, file: Path | None) -> Judgements:
    """The judgements with the clusters of a file, if one is named; else a word on unknown ones."""
    if file is None:
        if not judgements.has_articles:
            note(
                "warning: clusters unknown: each query stands for itself; "
                "if some hang together, say so with --clusters FILE"
            )
        return judgements
    from hayami.evaluate.categories import read_pairs, with_clusters

    named = read_pairs(file, "cluster")
    say_named(file, named, judgements)
    return with_clusters(judgements, named)


def with_categories_of(inputs: Inputs, file: Path | None) -> Inputs:
    """The inputs with the categories of a file, if one is named."""
    if file is None:
        return inputs
    from hayami.evaluate.categories import read_pairs, with_categories

    named = read_pairs(file)
    say_named(file, named, inputs.judgements)
    return replace(inputs, judgements=with_categories(inputs.judgements, named))


def stale_runs(inputs: Inputs) -> dict[str, str]:
    """What to say of each run whose card bears the hash of another set, by its name."""
    from hayami.evaluate.card import mismatch

    found: dict[str, str] = {}
    if inputs.evalset is not None:
        for run in inputs.runs:
            stale = mismatch(run.path, inputs.evalset)
            if stale is not None:
                found[run.name] = stale.sentence
    return found


def top_grade(inputs: Inputs) -> int:
    """The grade that names of measures from other tools mean: the highest there is."""
    return max(inputs.judgements.levels, default=1)


def choose_measures(
    inputs: Inputs, names: Sequence[str] | None, extra: Sequence[str] = ()
) -> list[Measure]:
    """The measures named, or FIVE as far as the grades allow, then ``extra`` ones; each once.

    Raises:
        MeasureError: a name is none.
    """
    from hayami.evaluate.measures import default_measures, parse_measures

    if names:
        chosen = parse_measures(names, top=top_grade(inputs))
    elif 2 in inputs.judgements.levels:  # noqa: PLR2004 - the grade of a target
        chosen = parse_measures(FIVE)
    else:
        chosen = default_measures(inputs.judgements.levels)[: len(FIVE)]
    return list(
        dict.fromkeys([*chosen, *(parse_measures(extra, top=top_grade(inputs)) if extra else ())])
    )


def nothing_relevant(inputs: Inputs, measure: str) -> RunError:
    """What to say of a measure that is defined for no query."""
    what = f"no query has a relevant document for {measure}"
    levels = ", ".join(map(str, inputs.judgements.levels)) or "none"
    hint = f"Grades above 0 there: {levels}. Name another measure."
    return RunError(what, where=inputs.judgements.name, hint=hint)


def largest_cutoff(measures: Sequence[Measure]) -> int:
    """The largest k of the measures; 10 where none has one."""
    return max((measure.cutoff for measure in measures if measure.cutoff), default=10)
