"""What a run has that bears on its figures."""

from __future__ import annotations

from pathlib import Path

from hayami.evalset.runs import Run
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.policies import RunFacts, study_run, warnings_of

JUDGED = Judgements(
    "x", {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}, "q3": {"d": 0}}, sections=frozenset("abcd")
)


def study(
    scores: dict[str, dict[str, float]], k: int = 2, judged: Judgements = JUDGED, **more: int
) -> RunFacts:
    return study_run(judged, Run("r", Path("r"), scores, **more), k)


def test_a_sound_run_is_not_complained_about() -> None:
    judged = Judgements("x", {"q1": {"a": 2, "b": 1}})
    assert list(warnings_of(study({"q1": {"a": 2.0, "b": 1.0}}, judged=judged))) == []


def test_everything_odd_is_named_once() -> None:
    facts = study(
        {"q1": {"a": 1.0, "x": 1.0, "y": 0.5}, "q9": {"a": 1.0}, "q3": {"d": 1.0}},
        repeated=3,
        misranked=1,
    )
    told = " / ".join(warnings_of(facts))
    for part in (
        "1 query is missing and count 0: q2",
        "2 results are not in the corpus, such as x",
        "in 1 query the ranks contradict",
        "1 query has no relevant document, left out of all measures: q3",
        "1 query of the run without judgements, ignored: q9",
        "3 results left out",
        "ties in 1 query",
        "1 query has fewer than 2 results",
    ):
        assert part in told


def test_ties_below_the_cutoff_decide_nothing() -> None:
    low = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0, "d": 1.0}}
    assert study(low).tied == 0
    assert study(low, k=3).tied == 1
    assert study({"q1": {"a": 1.000000001, "b": 1.0}}).tied == 1


def test_the_share_that_is_judged_looks_at_the_first_k_only() -> None:
    assert study({"q1": {"a": 3.0, "c": 2.0, "d": 1.0}}).judged == 0.5
    assert study({"q9": {"a": 1.0}}).judged is None


def test_without_a_corpus_no_document_is_unknown() -> None:
    assert study({"q1": {"zz": 1.0}}, judged=Judgements("x", JUDGED.qrels)).unknown == 0
