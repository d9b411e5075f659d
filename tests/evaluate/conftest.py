"""What tests of evaluation share: the sample's judgements, and runs whose figures are known."""

from __future__ import annotations

from pathlib import Path

import pytest

import hayami
from hayami.evalset.runs import Run
from hayami.evaluate.breakdown import overlaps_of
from hayami.evaluate.evaluation import Evaluation, evaluate_runs
from hayami.evaluate.judgements import Judgements, judgements_of
from hayami.evaluate.measures import default_measures

CASES = Path(__file__).parent / "cases"


@pytest.fixture(scope="session")
def cases() -> Path:
    """Small qrels and runs, each for a fault that evaluation tools have had."""
    return CASES


@pytest.fixture(scope="session")
def judged(sample: hayami.Built) -> Judgements:
    """The judgements of the sample."""
    return judgements_of(hayami.load(sample.folder))


def place_targets(judged: Judgements, name: str, step: int) -> Run:
    """A run with the target of every ``step``-th query first, that of the others third."""
    scores: dict[str, dict[str, float]] = {}
    for number, (qid, grades) in enumerate(judged.qrels.items()):
        targets = [doc for doc, grade in grades.items() if grade == 2]
        others = [doc for doc, grade in grades.items() if grade == 1]
        order = targets + others if number % step == 0 else others[:2] + targets + others[2:]
        scores[qid] = {doc: -float(place) for place, doc in enumerate(order)}
    return Run(name, Path(f"{name}.run"), scores)


@pytest.fixture(scope="session")
def first_or_third(judged: Judgements) -> Run:
    """Half of the queries have their target first, the others third."""
    return place_targets(judged, "half", 2)


@pytest.fixture(scope="session")
def evaluation(judged: Judgements, first_or_third: Run, sample: hayami.Built) -> Evaluation:
    """Two runs measured by the sample."""
    overlaps = overlaps_of(hayami.load(sample.folder))
    runs = [first_or_third, place_targets(judged, "三分の一_$x$ <b>|", 3)]
    return evaluate_runs(judged, runs, default_measures((2, 1)), overlaps=overlaps)
