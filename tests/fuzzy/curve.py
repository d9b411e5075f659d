"""Precision and recall of ways to compare a reference with headings, as Markdown tables.

    python tests/fuzzy/curve.py [--plot FILE]

A scorer answers with its best heading if that reaches the threshold. An answer that is not the
target costs precision, and a target that was not answered costs recall; a wrong answer to a problem
that has a target costs both.
"""

from __future__ import annotations

import argparse
import difflib
import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from rapidfuzz import fuzz

from hayami.label.similarity import MARGIN, Similarity, conflict, core

PROBLEMS: Final = Path(__file__).with_name("problems.jsonl")
KINDS: Final = Path(__file__).with_name("kinds.jsonl")
"""The third split, kept apart."""
THRESHOLDS: Final = tuple(n / 100 for n in range(30, 91, 5))
"""What the tables show."""
FINE: Final = tuple(n / 100 for n in range(20, 101))
"""What the plot draws."""
SPLITS: Final = ("dev", "test")
LANGUAGES: Final = ("ja", "ko", "zh", "en")
DEFAULT_THRESHOLD: Final = 0.5

Scorer = Callable[[str, Sequence[str]], list[float]]
"""The likeness, 0 to 1, of a reference to each of the headings of a page."""


@dataclass(frozen=True)
class Problem:
    """A reference, the headings of its page, and the heading it means (None if none of them)."""

    id: str
    language: str
    page: str
    headings: tuple[str, ...]
    reference: str
    target: int | None
    edit: str
    split: str


@dataclass(frozen=True)
class Likeness:
    """What one way to compare makes of a problem: its best heading, and if guards refuse it."""

    problem: Problem
    best: int
    score: float
    refused: bool


@dataclass(frozen=True)
class Quality:
    """How good the answers at one threshold are."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return 2 * self.precision * self.recall / max(self.precision + self.recall, 1e-9)


def read_problems(file: Path = PROBLEMS) -> tuple[Problem, ...]:
    """The set, in the order of its file."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(
        Problem(**{**record, "headings": tuple(record["headings"])})
        for record in map(json.loads, lines)
    )


_core = cache(core)


# --- the scorers ----------------------------------------------------------------------------------


def difflib_ratio(reference: str, headings: Sequence[str]) -> list[float]:
    """The ratio that the standard library offers."""
    return [
        difflib.SequenceMatcher(None, _core(reference), _core(heading)).ratio()
        for heading in headings
    ]


def indel_ratio(reference: str, headings: Sequence[str]) -> list[float]:
    """1 - insertions and deletions / length of both."""
    return [fuzz.ratio(_core(reference), _core(heading)) / 100 for heading in headings]


def bigram_dice(reference: str, headings: Sequence[str]) -> list[float]:
    """The share of the character pairs of both that they have in common."""
    return [_dice(_grams(reference, (2,)), _grams(heading, (2,))) for heading in headings]


def cosine(reference: str, headings: Sequence[str]) -> list[float]:
    """The cosine of character 1-3-grams, weighted by how few of the page's headings have them."""
    counts = [_grams(heading, (1, 2, 3)) for heading in headings]
    frequency = Counter(gram for count in counts for gram in count)
    weights = {gram: math.log((len(counts) + 1) / (n + 1)) + 1 for gram, n in frequency.items()}
    unseen = math.log(len(counts) + 1) + 1

    def weigh(count: Counter[str]) -> dict[str, float]:
        vector = {gram: n * weights.get(gram, unseen) for gram, n in count.items()}
        length = math.hypot(*vector.values()) or 1.0
        return {gram: value / length for gram, value in vector.items()}

    query = weigh(_grams(reference, (1, 2, 3)))
    return [
        math.fsum(query.get(gram, 0.0) * value for gram, value in weigh(count).items())
        for count in counts
    ]


def hayami_scores(reference: str, headings: Sequence[str]) -> list[float]:
    """The scorer of the rule `fuzzy`."""
    return Similarity(headings).scores(reference)


@cache
def _grams(text: str, sizes: tuple[int, ...]) -> Counter[str]:
    joined = _core(text).replace(" ", "")
    return Counter(joined[i : i + n] for n in sizes for i in range(len(joined) - n + 1))


def _dice(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())


# --- the measures ---------------------------------------------------------------------------------


def compare(problems: Sequence[Problem], scorer: Scorer, *, guarded: bool) -> tuple[Likeness, ...]:
    """The best heading of each problem; guards refuse it if they object or another is near."""
    return tuple(_compare(problem, scorer, guarded=guarded) for problem in problems)


@cache
def _scores(problem: Problem, scorer: Scorer) -> list[float]:
    return [
        round(score, 9) for score in scorer(problem.reference, problem.headings)
    ]  # so that ties are ties


def _compare(problem: Problem, scorer: Scorer, *, guarded: bool) -> Likeness:
    scores = _scores(problem, scorer)
    first, second, *_ = [*sorted(range(len(scores)), key=lambda n: (-scores[n], n)), None]
    assert first is not None
    refused = guarded and (
        bool(conflict(problem.reference, problem.headings[first]))
        or (second is not None and scores[first] - scores[second] < MARGIN)
    )
    return Likeness(problem, first, scores[first], refused)


def quality(found: Sequence[Likeness], threshold: float) -> Quality:
    """Precision and recall of the answers that reach a threshold."""
    answers = [one for one in found if one.score >= threshold and not one.refused]
    right = sum(one.best == one.problem.target for one in answers)
    wanted = sum(one.problem.target is not None for one in found)
    return Quality(right / len(answers) if answers else 1.0, right / wanted if wanted else 1.0)


@dataclass(frozen=True)
class Way:
    """One way to compare, as a column of the tables and a line of the plot."""

    name: str
    scorer: Scorer
    guarded: bool
    style: str | tuple[int, tuple[int, ...]]
    """Differs from line to line, as the marker does, so that the plot reads without colour."""
    marker: str


WAYS: Final = (
    Way("difflib", difflib_ratio, guarded=False, style=":", marker="x"),
    Way("Indel", indel_ratio, guarded=False, style="--", marker="s"),
    Way("Dice of bigrams", bigram_dice, guarded=False, style="-.", marker="^"),
    Way("cosine of 1-3-grams", cosine, guarded=False, style=(0, (5, 1, 1, 1, 1, 1)), marker="D"),
    Way("hayami, scorer alone", hayami_scores, guarded=False, style=(0, (6, 2)), marker="v"),
    Way("hayami", hayami_scores, guarded=True, style="-", marker="o"),
)


def _of_split(found: Sequence[Likeness], split: str) -> list[Likeness]:
    return [one for one in found if one.problem.split == split]


def threshold_table(found: dict[str, tuple[Likeness, ...]], split: str) -> list[str]:
    """Precision / recall by threshold, a column for each way."""
    lines = [f"| threshold | {' | '.join(found)} |", "|---:|" + "---:|" * len(found)]
    for threshold in THRESHOLDS:
        cells = [quality(_of_split(one, split), threshold) for one in found.values()]
        lines.append(
            " | ".join(
                [f"| {threshold:.2f}", *[f"{q.precision:.3f} / {q.recall:.3f}" for q in cells]]
            )
            + " |"
        )
    return lines


def language_table(found: Sequence[Likeness]) -> list[str]:
    """hayami at its default threshold, by language and split."""
    lines = [
        "| language | split | problems | with a target | precision | recall | F1 |",
        "|---|---|" + "---:|" * 5,
    ]
    for language in (*LANGUAGES, "all"):
        for split in SPLITS:
            some = [
                one for one in _of_split(found, split) if language in {one.problem.language, "all"}
            ]
            wanted = sum(one.problem.target is not None for one in some)
            q = quality(some, DEFAULT_THRESHOLD)
            figures = f"{q.precision:.3f} | {q.recall:.3f} | {q.f1:.3f}"
            lines.append(f"| {language} | {split} | {len(some)} | {wanted} | {figures} |")
    return lines


def kinds_table() -> list[str]:
    """hayami at its default threshold on the third split, by language and by kind."""
    found = compare(read_problems(KINDS), hayami_scores, guarded=True)
    kinds = dict.fromkeys(one.problem.edit for one in found)
    lines = ["| kinds | problems | with a target | precision / recall |", "|---|---:|---:|---:|"]
    for name in (*LANGUAGES, *kinds, "all"):
        some = [one for one in found if name in {one.problem.language, one.problem.edit, "all"}]
        wanted = sum(one.problem.target is not None for one in some)
        q = quality(some, DEFAULT_THRESHOLD)
        lines.append(f"| {name} | {len(some)} | {wanted} | {q.precision:.3f} / {q.recall:.3f} |")
    return lines


def report(found: dict[str, tuple[Likeness, ...]]) -> str:
    """All tables as Markdown."""
    lines = [
        "# How well the rule `fuzzy` does",
        "",
        "    python tests/fuzzy/curve.py --plot tests/fuzzy/curve.png",
        "",
    ]
    lines += ["Each cell is precision / recall. README.md says what the problems are.", ""]
    for split in SPLITS:
        lines += [f"## {split}", "", *threshold_table(found, split), ""]
    lines += [
        f"## hayami at {DEFAULT_THRESHOLD}, by language",
        "",
        *language_table(found["hayami"]),
        "",
        f"## hayami at {DEFAULT_THRESHOLD} on the third split",
        "",
        *kinds_table(),
    ]
    return "\n".join(lines)


def plot(found: dict[str, tuple[Likeness, ...]], file: Path) -> None:
    """Draws the curves of both splits."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 5.2), layout="constrained")
    marked = [n for n, threshold in enumerate(FINE) if threshold in THRESHOLDS]
    for split, axes in zip(SPLITS, figure.subplots(1, 2, sharey=True), strict=True):
        for way in WAYS:
            some = _of_split(found[way.name], split)
            points = [quality(some, threshold) for threshold in FINE]
            recall, precision = [q.recall for q in points], [q.precision for q in points]
            look = {
                "linestyle": way.style,
                "marker": way.marker,
                "markevery": marked,
                "markersize": 4,
            }
            (line,) = axes.plot(recall, precision, label=way.name, **look)
            chosen = quality(some, DEFAULT_THRESHOLD)
            large = {
                "marker": way.marker,
                "markersize": 11,
                "fillstyle": "none",
                "color": line.get_color(),
            }
            axes.plot(chosen.recall, chosen.precision, **large)
        axes.set(xlabel="recall", xlim=(0, 1), ylim=(0.6, 1.01), title=split)
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel("precision")
    figure.axes[0].legend(loc="lower left")
    figure.suptitle("Marks every 0.05 of the threshold, the large one at 0.5", fontsize="medium")
    figure.savefig(file, dpi=150, metadata={"Software": None})


def main() -> None:
    """Prints the tables; draws the plot if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the curves into this PNG (needs matplotlib)"
    )
    file: Path | None = parser.parse_args().plot
    problems = read_problems()
    found = {way.name: compare(problems, way.scorer, guarded=way.guarded) for way in WAYS}
    print(report(found))
    if file is not None:
        plot(found, file)


if __name__ == "__main__":
    main()
