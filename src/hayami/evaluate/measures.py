"""Measures by the names of ir_measures, and what they say of a run, query by query."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import ir_measures

from hayami.errors import MeasureError
from hayami.evalset.gains import exponential_gain, linear_gain
from hayami.evalset.records import Grade
from hayami.evalset.runs import Run
from hayami.evaluate.judgements import Judgements


class Family(StrEnum):
    """What is measured, by the name that ir_measures gives it."""

    SUCCESS = "Success"
    RECALL = "R"
    PRECISION = "P"
    RR = "RR"
    AP = "AP"
    NDCG = "nDCG"
    CONTEXT_PRECISION = "ContextPrecision"
    BPREF = "Bpref"


FAMILY_MEANINGS: Final[dict[Family, str]] = {
    Family.SUCCESS: "1 if a relevant section is among the first k, else 0 (hit rate)",
    Family.RECALL: "share of the relevant sections that are among the first k",
    Family.PRECISION: (
        "share of the first k that is relevant; a place that the run leaves empty counts as "
        "not relevant"
    ),
    Family.RR: "1 / rank of the first relevant section, 0 if there is none among the first k",
    Family.AP: (
        "mean over all relevant sections of the precision at their rank, 0 for those that are "
        "not found"
    ),
    Family.NDCG: (
        "gain of the first k, discounted by log2(rank + 1), over that of the best possible order"
    ),
    Family.CONTEXT_PRECISION: (
        "mean of the precision at the rank of each relevant section found, as Ragas defines it: "
        "what is not found costs nothing"
    ),
    Family.BPREF: (
        "how often relevant sections stand above judged ones that are not: what nobody judged does "
        "not count"
    ),
}
"""Sources: Voorhees and Harman (eds.), TREC, 2005 (all but those that follow); Järvelin and
Kekäläinen, ACM TOIS 20(4), 2002 (nDCG); Ragas documentation (Context Precision); Buckley and
Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004 (bpref)."""

ALIASES: Final[dict[str, Family]] = {
    **{str(family).lower(): family for family in Family},
    "hit": Family.SUCCESS,
    "hits": Family.SUCCESS,
    "hitrate": Family.SUCCESS,
    "recall": Family.RECALL,
    "precision": Family.PRECISION,
    "mrr": Family.RR,
    "map": Family.AP,
}
"""Other names in use, in lower case.

Unlike ir_measures' own, those of OTHER_NAMES mean the highest grade unless they say ``rel=``: where
they come from there is but one kind of relevant document.
"""
OTHER_NAMES: Final = ALIASES.keys() - {str(family).lower() for family in Family}


CUT: Final = frozenset({Family.SUCCESS, Family.RECALL, Family.PRECISION, Family.CONTEXT_PRECISION})
"""Measures that mean nothing without a k."""
MAX_GAIN: Final = 1023
"""The largest gain that pytrec_eval takes in reasonable time: nDCG without a cutoff is quadratic in
it."""
MAX_CUTOFF: Final = 1_000_000
HINT: Final = (
    "Known: Success@k (or Hit@k), R@k, P@k, RR@k, AP@k, nDCG@k, ContextPrecision@k, Bpref. "
    "(rel=2) counts the target "
    "only, (rel=1) its article "
    "too; for nDCG (dcg='exp-log2') or (gains={1:1,2:7}). RR, AP and nDCG also work without @k."
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure with its parameters."""

    family: Family
    cutoff: int | None = None
    """How many results are looked at; None for all."""
    level: int = 1
    """The least grade that counts as relevant; without meaning for nDCG, which takes every grade by
    its gain."""
    exponential: bool = False
    """nDCG only: the gain of a grade is 2^grade - 1 instead of the grade itself (Burges and others,
    ICML 2005)."""
    judged_only: bool = False
    """Whether documents that nobody judged are left out of the run first (condensed lists)."""
    gains: tuple[tuple[int, int], ...] = ()
    """nDCG only: pairs (grade, gain), sorted; a grade that is not named is its own gain."""

    @property
    def name(self) -> str:
        """The name as ir_measures writes it."""
        given = [f"rel={self.level}"] if self.level != 1 else []
        given += ["dcg='exp-log2'"] if self.exponential else []
        given += (
            [f"gains={{{','.join(f'{grade}:{gain}' for grade, gain in self.gains)}}}"]
            if self.gains
            else []
        )
        given += ["judged_only=True"] if self.judged_only else []
        cut = f"@{self.cutoff}" if self.cutoff is not None else ""
        return f"{self.family}({','.join(given)}){cut}" if given else f"{self.family}{cut}"

    @property
    def gain_words(self) -> str:
        """How grades become gains: ``linear``, ``exponential`` or grade → gain.

        Empty for all measures but nDCG.
        """
        if self.family is not Family.NDCG:
            return ""
        if self.gains:
            return ", ".join(f"{grade} → {gain}" for grade, gain in self.gains)
        return "exponential" if self.exponential else "linear"

    def gain(self, grade: int) -> int:
        """The gain of a grade: for nDCG by its formula, never below 0.

        For the others 1 from ``level`` on, else 0.
        """
        if self.family is not Family.NDCG:
            return int(grade >= self.level)
        if self.gains:
            return max(0, dict(self.gains).get(grade, grade))
        return exponential_gain(grade) if self.exponential else linear_gain(grade)


@dataclass(frozen=True, slots=True)
class Scores:
    """What a measure says of a run, query by query."""

    measure: str
    """Name of the measure."""
    values: dict[str, float]
    """By query id, in the order of the judgements; 0 for queries that the run lacks, none for those
    in ``excluded``."""
    excluded: tuple[str, ...] = ()
    """Queries without a relevant document for this measure: it is not defined for them."""


DEFAULT_CUTOFF: Final = 10
DEFAULT_MEASURES: Final = (
    "Success(rel=2)@1",
    "Success(rel=2)@5",
    "R(rel=2)@10",
    "P(rel=2)@10",
    "RR(rel=2)@10",
    "AP(rel=2)@10",
    "nDCG(gains={1:0,2:1})@10",
    "nDCG(gains={1:1,2:7})@10",
    "nDCG(dcg='exp-log2')@10",
    "nDCG@10",
    "Success@5",
    "R@10",
    "P@10",
    "RR@10",
    "AP@10",
)
"""What is measured unless asked otherwise, for grades 2 and 1: first the target, then graded, then
its article."""


# --- names ----------------------------------------------------------------------------------------


def parse_measure(name: str, top: int = Grade.TARGET) -> Measure:
    """The measure of that name, as ir_measures writes it.

    ``Hit``, ``Recall``, ``MRR``, ``MAP`` are read too, and case does not matter. A name that is not
    ir_measures' own counts documents of grade ``top`` only, unless it says ``rel=``.

    Raises:
        MeasureError: no such measure or parameter, a k that is no positive integer, or a k missing
            where it is needed.
    """
    measure = parse_uncut(name, top)
    if measure.cutoff is None and measure.family in CUT:
        raise _fault(name, f"needs a k: {replace(measure, cutoff=DEFAULT_CUTOFF).name}")
    return measure


def parse_uncut(name: str, top: int = Grade.TARGET) -> Measure:
    """As :func:`parse_measure`, but a k that is missing where one is needed is no error."""
    found = re.fullmatch(r"\s*([^\W\d_]+)\s*(?:\((.*)\))?\s*(?:@(.*))?", name, re.DOTALL)
    family = ALIASES.get(found[1].lower()) if found else None
    if found is None or family is None:
        raise _fault(name, "no such measure")
    cutoff = None if found[3] is None else _positive(name, found[3], "k")
    if cutoff is not None and family is Family.BPREF:
        raise _fault(name, "Bpref has no k: it looks at all judged results")
    level = top if found[1].lower() in OTHER_NAMES else 1
    measure = Measure(family, cutoff, level)
    for key, value in _parameters(name, found[2] or ""):
        measure = _with(name, measure, key, value)
    if measure.exponential and measure.gains:
        raise _fault(name, "dcg and gains cannot both be given")
    return measure


def parse_measures(
    names: Iterable[str], cutoffs: Sequence[int] = (), top: int = Grade.TARGET
) -> tuple[Measure, ...]:
    """The measures named in texts that hold one or more names, parted by commas or blanks.

    Each once, in their order.

    Args:
        names: the texts.
        cutoffs: the k of every measure that is named without one; of each there is then one for
            every k.
        top: the grade that names of other tools mean.

    Raises:
        MeasureError: as :func:`parse_measure`.
    """
    found: dict[Measure, None] = {}
    for name in (name for text in names for name in _split(text)):
        measure = parse_uncut(name, top) if cutoffs else parse_measure(name, top)
        if measure.cutoff is None and cutoffs and measure.family is not Family.BPREF:
            found |= dict.fromkeys(replace(measure, cutoff=cutoff) for cutoff in cutoffs)
        else:
            found[measure] = None
    if not found:
        raise MeasureError("no measure named", hint=HINT)
    return tuple(found)


def default_measures(levels: Sequence[int], cutoff: int = DEFAULT_CUTOFF) -> tuple[Measure, ...]:
    """The measures to show for these grades.

    Those of DEFAULT_MEASURES at k = ``cutoff``, as far as the grades allow.

    Args:
        levels: the grades above 0 that the judgements have, highest first: (2, 1) for an eval set.
            With other grades the highest stands for 2 and the lowest for 1; with a single one there
            is nothing to grade.
        cutoff: the k in the place of 10.
    """
    top = levels[0] if levels else 1
    found: dict[Measure, None] = {}
    for measure in parse_measures(DEFAULT_MEASURES):
        fitted = _fitted(measure, tuple(levels), top)
        if fitted is not None:
            k = cutoff if fitted.cutoff == DEFAULT_CUTOFF else fitted.cutoff
            found[replace(fitted, cutoff=k)] = None
    return tuple(found)


def _fitted(measure: Measure, levels: tuple[int, ...], top: int) -> Measure | None:
    """A measure for grades 2 and 1 as it is for other grades; None if it makes no sense there."""
    if measure.exponential and (top == 1 or _too_large(2**top - 1)):
        return None
    if measure.gains and levels != (2, 1):
        return None
    return replace(measure, level=top) if measure.level > 1 else measure


def _too_large(gain: int) -> bool:
    return gain > MAX_GAIN


def _split(text: str) -> Iterator[str]:
    """The names in a text; commas and blanks within brackets part nothing."""
    depth, name = 0, ""
    for letter in text:
        depth += (letter in "({") - (letter in ")}")
        if depth == 0 and (letter == "," or letter.isspace()):
            yield from [name] if name else []
            name = ""
        else:
            name += letter
    yield from [name] if name else []


def _parameters(name: str, text: str) -> list[tuple[str, object]]:
    """The pairs (key, value) in the brackets of a name."""
    try:
        call = ast.parse(f"f({text})", mode="eval").body
        words = call.keywords if isinstance(call, ast.Call) and not call.args else []
        found = [
            (str(word.arg), ast.literal_eval(word.value)) for word in words if word.arg is not None
        ]
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise _fault(name, "the parameters in brackets cannot be read") from error
    if text.strip() and (not found or len(found) < len(words)):
        raise _fault(name, "parameters are written key=value")
    return found


def _with(name: str, measure: Measure, key: str, value: object) -> Measure:
    """The measure with one more parameter."""
    graded = measure.family is Family.NDCG
    if key == "cutoff" and measure.cutoff is None:
        return replace(measure, cutoff=_positive(name, str(value), "k"))
    if key == "rel" and not graded:
        return replace(measure, level=_positive(name, str(value), "rel"))
    if key == "rel":
        raise _fault(
            name,
            (
                "nDCG has no rel, it takes every grade by its gain; leave grades out with "
                "gains={1:0,2:1}"
            ),
        )
    if key == "judged_only" and isinstance(value, bool) and measure.family is not Family.BPREF:
        return replace(measure, judged_only=value)
    if key == "dcg" and graded and value in {"log2", "exp-log2"}:
        return replace(measure, exponential=value == "exp-log2")
    if key == "gains" and graded:
        return replace(measure, gains=_gains(name, value))
    raise _fault(name, f"unknown parameter {key}={value!r}")


def _gains(name: str, value: object) -> tuple[tuple[int, int], ...]:
    pairs = sorted(value.items()) if isinstance(value, dict) else []
    whole = all(type(grade) is int and type(gain) is int for grade, gain in pairs)
    if not pairs or not whole or any(not 0 <= gain <= MAX_GAIN for _, gain in pairs):
        raise _fault(name, f"gains are {{grade:gain}}, whole numbers, a gain from 0 to {MAX_GAIN}")
    return tuple(pairs)


def _positive(name: str, text: str, what: str) -> int:
    plain = text.strip()
    if not re.fullmatch(r"0*[1-9][0-9]{0,6}", plain) or int(plain) > MAX_CUTOFF:
        raise _fault(name, f"{what} must be a positive integer, not {plain!r}")
    return int(plain)


def _fault(name: str, what: str) -> MeasureError:
    return MeasureError(f"{what}", where=f"measure {name!r}", hint=HINT)


# --- values ---------------------------------------------------------------------------------------


def score_run(judgements: Judgements, run: Run, measures: Sequence[Measure]) -> tuple[Scores, ...]:
    """What each measure says of a run, in the order of ``measures``.

    ir_measures with pytrec_eval counts.

    Ties are broken by document id, descending, as trec_eval breaks them. A query that the run lacks
    counts 0; one that has no relevant document for a measure is left out of its values.

    Raises:
        MeasureError: a gain is too large to be counted with.
    """
    counted = list(dict.fromkeys(part for measure in measures for part in _parts(measure)))
    values: dict[Measure, dict[str, float]] = {}
    condensed = _condensed(judgements, run) if any(m.judged_only for m in measures) else {}
    for group in _groups(counted):
        scores = condensed if group[0].judged_only else run.scores
        values |= _score_group(judgements.qrels, scores, group)
    return tuple(_scores(measure, values, judgements) for measure in measures)


def _parts(measure: Measure) -> tuple[Measure, ...]:
    """What is counted for a measure: itself, but AP and R for Context Precision."""
    if measure.family is not Family.CONTEXT_PRECISION:
        return (measure,)
    return replace(measure, family=Family.AP), replace(measure, family=Family.RECALL)


def _scores(
    measure: Measure, counted: Mapping[Measure, dict[str, float]], judgements: Judgements
) -> Scores:
    parts = _parts(measure)
    values = counted[parts[0]]
    if measure.family is Family.CONTEXT_PRECISION:
        # AP divides by all relevant documents, Context Precision by those found.
        recall = counted[parts[1]]
        values = {qid: ap / recall[qid] if recall[qid] else 0.0 for qid, ap in values.items()}
    excluded = tuple(qid for qid in judgements.qrels if qid not in values)
    return Scores(measure.name, values, excluded)


def _condensed(judgements: Judgements, run: Run) -> dict[str, dict[str, float]]:
    """The run without documents that nobody judged."""
    found = {}
    for qid, scores in run.scores.items():
        judged = judgements.qrels.get(qid, {})
        found[qid] = {doc: score for doc, score in scores.items() if doc in judged}
    return found


def _groups(measures: Iterable[Measure]) -> Iterator[list[Measure]]:
    """Measures that share the grades that count, and so the queries that have a relevant document.

    Each gain map needs a call of its own anyway: ir_measures 0.4.3 counts a plain nDCG by the map
    of another nDCG that stands before it.
    """
    groups: dict[tuple[object, ...], list[Measure]] = {}
    for measure in measures:
        graded = measure.family is Family.NDCG
        level = 0 if graded else measure.level
        key = (graded, level, measure.exponential, measure.gains, measure.judged_only)
        groups.setdefault(key, []).append(measure)
    yield from groups.values()


def _score_group(
    qrels: Mapping[str, Mapping[str, int]],
    scores: dict[str, dict[str, float]],
    group: Sequence[Measure],
) -> dict[Measure, dict[str, float]]:
    """The values of measures that share the grades that count."""
    counted = _counted(qrels, group[0])
    asked = {_ask(measure): None for measure in group}
    found: dict[ir_measures.Measure, dict[str, float]] = {
        one: dict.fromkeys(counted, 0.0) for one in asked
    }
    provider = ir_measures.providers.registry["pytrec_eval"]
    for metric in provider.evaluator(list(asked), counted).iter_calc(scores):
        found[metric.measure][metric.query_id] = float(metric.value)
    return {measure: _cut(measure, found[_ask(measure)]) for measure in group}


def _counted(qrels: Mapping[str, Mapping[str, int]], measure: Measure) -> dict[str, dict[str, int]]:
    """Gains by query and document, of the queries that have any.

    Raises:
        MeasureError: a gain of nDCG is too large to be counted with.
    """
    found: dict[str, dict[str, int]] = {}
    for qid, grades in qrels.items():
        gains = {doc: measure.gain(grade) for doc, grade in grades.items()}
        largest = max(gains.values(), default=0)
        if largest and measure.family is Family.NDCG and _too_large(largest):
            what = f"the gain {largest} is beyond {MAX_GAIN}"
            where = f"{measure.name} of {qid}"
            raise MeasureError(what, where=where, hint="Say gains={grade:gain,…}.")
        if largest:
            found[qid] = gains
    return found


def _ask(measure: Measure) -> ir_measures.Measure:
    """The measure of ir_measures that is counted; levels and gains are in the judgements by then.

    RR is counted without its k: with one, ir_measures turns to a provider that breaks ties by the
    order of the file.
    """
    asked: ir_measures.Measure = getattr(ir_measures, str(measure.family))
    cutoff = None if measure.family is Family.RR else measure.cutoff
    return asked if cutoff is None else asked @ cutoff


def _cut(measure: Measure, values: dict[str, float]) -> dict[str, float]:
    """RR at k out of RR: 1/rank is 0 beyond rank k."""
    if measure.family is not Family.RR or measure.cutoff is None:
        return dict(values)
    least = 1 / measure.cutoff
    return {qid: value if value >= least else 0.0 for qid, value in values.items()}


def mean(scores: Scores) -> float | None:
    """The mean over the queries of ``scores``, each of the same weight.

    None if there is no query.
    """
    return sum(scores.values.values()) / len(scores.values) if scores.values else None
