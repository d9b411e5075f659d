from __future__ import annotations

import difflib
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hayami.label.similarity import MARGIN, Similarity, conflict
from hayami.text.fold import fold

FUZZY = Path(__file__).parent.parent / "fuzzy"
THRESHOLD = 0.5


@dataclass(frozen=True)
class Problem:
    id: str
    language: str
    page: str
    headings: tuple[str, ...]
    reference: str
    target: int | None
    edit: str
    split: str


@dataclass(frozen=True)
class Quality:
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / (self.precision + self.recall)


@cache
def problems() -> tuple[Problem, ...]:
    lines = (FUZZY / "problems.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(
        Problem(**{**record, "headings": tuple(record["headings"])})
        for record in map(json.loads, lines)
    )


@cache
def answer(problem: Problem) -> int | None:
    """What the rule `fuzzy` says to a page whose headings are all sections of their own."""
    scores = Similarity(problem.headings).scores(problem.reference)
    first, *others = sorted(range(len(scores)), key=lambda n: -scores[n])
    near = bool(others) and scores[first] - scores[others[0]] < MARGIN
    refused = near or bool(conflict(problem.reference, problem.headings[first]))
    return first if scores[first] >= THRESHOLD and not refused else None


def plain_answer(problem: Problem) -> int | None:
    """What the best ratio of the standard library says."""
    ratios = [
        difflib.SequenceMatcher(None, fold(problem.reference), fold(h)).ratio()
        for h in problem.headings
    ]
    best = max(range(len(ratios)), key=lambda n: ratios[n])
    return best if ratios[best] >= THRESHOLD else None


def quality(answers: Sequence[int | None]) -> Quality:
    given = sum(answer is not None for answer in answers)
    right = sum(
        found is not None and found == problem.target
        for found, problem in zip(answers, problems(), strict=True)
    )
    return Quality(right / given, right / sum(problem.target is not None for problem in problems()))


def test_the_problems_are_well_formed() -> None:
    assert len({problem.id for problem in problems()}) == len(problems()) >= 700
    for problem in problems():
        assert problem.target is None or 0 <= problem.target < len(problem.headings), problem.id
        assert (problem.target is None) == (problem.edit == "none"), problem.id
    assert {problem.language for problem in problems()} == {"ja", "ko", "zh", "en"}
    assert {problem.edit for problem in problems()} == {
        "shortened",
        "reworded",
        "reordered",
        "misspelt",
        "none",
    }


def test_no_page_stands_in_both_splits() -> None:
    dev, test = (
        {problem.page for problem in problems() if problem.split == split}
        for split in ("dev", "test")
    )
    assert dev
    assert test
    assert not dev & test


def test_no_problem_can_be_solved_by_a_more_trusted_rule() -> None:
    for problem in problems():
        if problem.target is not None:
            reference, heading = (
                fold(text).replace(" ", "")
                for text in (problem.reference, problem.headings[problem.target])
            )
            assert reference not in heading, problem.id
            assert heading not in reference, problem.id


def test_the_fuzzy_rule_is_right_97_times_in_100_and_finds_more_than_four_in_five() -> None:
    found = quality([answer(problem) for problem in problems()])
    assert found.precision >= 0.97
    assert found.recall >= 0.84


def test_the_fuzzy_rule_beats_the_best_difflib_ratio() -> None:
    hayami, plain = (
        quality([answer(p) for p in problems()]),
        quality([plain_answer(p) for p in problems()]),
    )
    assert plain.precision < hayami.precision - 0.15
    assert plain.f1 < hayami.f1 - 0.05


def kinds() -> tuple[Problem, ...]:
    lines = (FUZZY / "kinds.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(
        Problem(**{**record, "headings": tuple(record["headings"])})
        for record in map(json.loads, lines)
    )


def test_the_third_split_is_well_formed_and_half_of_it_means_nothing() -> None:
    assert len({problem.id for problem in kinds()}) == len(kinds()) >= 120
    for language in ("ja", "ko", "zh", "en"):
        own = [problem for problem in kinds() if problem.language == language]
        assert len(own) >= 30
        assert sum(problem.target is None for problem in own) * 2 == len(own)


def test_opposites_of_any_word_are_told_apart_and_equals_are_not() -> None:
    answers = [(answer(problem), problem.target) for problem in kinds()]
    given = [(found, target) for found, target in answers if found is not None]
    right = sum(found == target for found, target in given)
    assert right / len(given) >= 0.96
    assert right / sum(target is not None for _, target in answers) >= 0.82


def test_the_published_curve_is_what_its_command_prints() -> None:
    command = [sys.executable, "-X", "utf8", str(FUZZY / "curve.py")]
    printed = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    assert printed == (FUZZY / "curve.md").read_text(encoding="utf-8")


def test_the_figures_of_the_readme_are_those_of_the_curve() -> None:
    curve = (FUZZY / "curve.md").read_text(encoding="utf-8")
    quoted = re.findall(r"\d\.\d{3} / \d\.\d{3}", (FUZZY / "README.md").read_text(encoding="utf-8"))
    assert quoted
    assert [figures for figures in quoted if figures not in curve] == []
