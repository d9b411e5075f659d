"""How often the rules that decide are wrong, and how often they find what is there.

By simulation, on sets whose truth is known; `python tests/benchmark_evaluate.py verdicts` prints
the tables, `tests/evaluate/test_verdicts.py` holds a small part of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hayami.evaluate.comparison import MIN_ARTICLES
from hayami.evaluate.confidence import Interval, gap_interval, lower_bound, mean_interval, spread
from hayami.evaluate.significance import ALPHA, flip_test, least_seen
from simulating import (
    MEASURES,
    Design,
    Floats,
    article_sums,
    hanging,
    simulate,
    true_gap,
    truth,
)

PATTERNS = 999
"""Sign patterns of a simulated test: enough for a rate, too few for a report."""
SHIFT = 0.35
"""How much better the run is whose finding counts as power: RR 0.08 higher."""


def even(articles: int, size: int, effect: float) -> Design:
    """Articles of one size, with a design effect of the difference of two runs."""
    name = f"{articles} × {size}, design effect {effect:g}"
    return Design(name, (size,) * articles, hanging(effect, size))


def verdict_designs() -> list[Design]:
    return [
        even(24, 8, 1),
        even(24, 8, 2),
        even(24, 8, 4),
        even(5, 10, 2),
        even(1, 40, 4),
        even(10, 5, 2),
        even(12, 4, 1.5),
        even(15, 3, 1.5),
        even(20, 10, 2),
        even(50, 4, 2),
        even(100, 4, 2),
        Design("24 uneven (40, 20, 20, 10, … 3)", UNEVEN, 0.4),
    ]


UNEVEN = (40, 20, 20, 10, 10, *[5] * 9, *[3] * 10)
SMALL_UNEVEN = (20, 8, 5, *[2] * 8, *[1] * 4)


# --- verdicts -------------------------------------------------------------------------------------


def holm(ps: Floats) -> Floats:
    """P-values adjusted by Holm's method: what compare did before."""
    order = np.argsort(ps)
    steps = (len(ps) - np.arange(len(ps))) * ps[order]
    adjusted = np.empty(len(ps))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return adjusted


@dataclass(frozen=True)
class Rates:
    """Shares of simulated comparisons; of five measures and two runs."""

    by_query: float
    """Holm's adjustment of p by query."""
    larger: float
    """Holm's adjustment of the larger p of by query and by article."""
    rule: float
    """What compare does: max-T by article, none with fewer than ten."""


def rates(design: Design, times: int, shift: float, *, seed: int, lines: Sequence[int]) -> Rates:
    """How often any of these lines is called different."""
    rng = np.random.default_rng(seed)
    one, other = simulate(design, times, [0.0, shift], rng)
    gaps = other - one
    sums = article_sums(gaps, design)
    found = np.zeros(3)
    for place in range(times):
        queries = np.array(flip_test(gaps[:, place], draws=PATTERNS, seed=place).p)
        test = flip_test(sums[:, place], draws=PATTERNS, seed=place)
        enough = len(design.sizes) >= MIN_ARTICLES
        rules = (holm(queries), holm(np.maximum(queries, test.p)), np.array(test.adjusted))
        said = [bool((adjusted[lines] < ALPHA).any()) for adjusted in rules]
        found += [*said[:2], said[2] and enough]
    return Rates(*(found / times).tolist())


def seen(design: Design, times: int, *, seed: int) -> tuple[float, float]:
    """What the rule says that it sees of RR (the median), and how often it finds just that."""
    rng = np.random.default_rng(seed)
    one, other = simulate(design, times, [0.0, 0.0], rng)
    least = [
        found
        for place in range(times)
        if (found := _least((other - one)[:, place], design, place)) is not None
    ]
    if not least or len(design.sizes) < MIN_ARTICLES:
        return float("nan"), float("nan")
    size = float(np.median(least))
    shift = _shift_of(design, size)
    lines = [MEASURES.index("RR@10")]
    return size, rates(design, times, shift, seed=seed + 1, lines=lines).rule


def _least(gaps: Floats, design: Design, seed: int) -> float | None:
    test = flip_test(article_sums(gaps, design), draws=PATTERNS, seed=seed)
    return least_seen(spread(gaps[0], design.articles), test)


def _shift_of(design: Design, gap: float) -> float:
    """How much a run must be shifted to be better by so much RR."""
    low, high = 0.0, 3.0
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if true_gap(design, middle)[0] < gap else (low, middle)
    return low


def skewed_rate(articles: int, size: int, times: int, *, seed: int) -> float:
    """How often equal runs are called different where one wins rarely but much.

    It loses often and little. No test by signs is exact there: this is what its assumption costs.
    """
    rng = np.random.default_rng(seed)
    found = 0
    for place in range(times):
        gaps = np.where(rng.random(articles * size) < 0.1, 0.9, -0.1)
        sums = gaps.reshape(articles, size).sum(axis=1)
        found += flip_test(sums.reshape(1, -1), draws=PATTERNS, seed=place).adjusted[0] < ALPHA
    return found / times


def say_verdicts(times: int) -> None:
    every = list(range(len(MEASURES)))
    print(
        f"Two runs, five measures, {times:,} sets a line: how often equal runs are called "
        "different "
        f"on any measure (5% is promised),\nand how often RR is called better where it is "
        f"{true_gap(even(24, 8, 1), SHIFT)[0]:.2f} higher. Last: what the rule sees of RR, and how "
        "often it finds that.\n"
    )
    print(
        "| articles × questions | false: Holm by query | Holm, larger p | **max-T by article** "
        "| found: Holm by query | Holm, larger p | **max-T by article** | sees | found |"
    )
    print("|---|" + "---:|" * 8)
    for design in verdict_designs():
        null = rates(design, times, 0.0, seed=1, lines=every)
        power = rates(design, times, SHIFT, seed=2, lines=[0])
        size, share = seen(design, times, seed=3)
        cells = [null.by_query, null.larger, null.rule, power.by_query, power.larger, power.rule]
        shown = " | ".join(f"{cell:.3f}" for cell in cells)
        last = "- | -" if np.isnan(size) else f"{size:.3f} | {share:.2f}"
        print(f"| {design.name} | {shown} | {last} |", flush=True)
    skew = [f"{skewed_rate(m, 5, times, seed=4):.3f} ({m} × 5)" for m in (10, 24, 100)]
    print(
        "\nEqual means, but one run wins 0.9 on one query in ten and loses 0.1 on the others: "
        f"called different in {', '.join(skew)}.\n"
    )


# --- intervals ------------------------------------------------------------------------------------


def bootstrap(values: Floats, clusters: Sequence[str] | None, rng: np.random.Generator) -> Interval:
    """The percentile bootstrap that hayami used before, to be compared with."""
    numbers = np.arange(len(values))
    if clusters is not None:
        numbers = np.unique(np.array(clusters), return_inverse=True)[1]
    units = int(numbers.max()) + 1
    sizes = np.bincount(numbers).astype(np.float64)
    sums = np.bincount(numbers, weights=values)
    drawn = rng.multinomial(units, np.full(units, 1 / units), size=300)
    low, high = np.percentile((drawn @ sums) / (drawn @ sizes), [2.5, 97.5])
    return Interval(float(low), float(high), units, None)


def coverage(
    values: Floats,
    true: Floats,
    clusters: Sequence[str] | None,
    make: Callable[[Floats, Sequence[str] | None], Interval],
) -> tuple[Floats, float]:
    """How often the interval of each measure holds the truth, and the mean width of RR's."""
    measures, times, _ = values.shape
    held = np.zeros(measures)
    width = 0.0
    for place in range(times):
        for row in range(measures):
            found = make(values[row, place], clusters)
            held[row] += found.low - 1e-9 <= true[row] <= found.high + 1e-9
            width += (found.high - found.low) * (row == 0)
    return held / times, width / times


def interval_designs() -> list[Design]:
    found = []
    for name, ease in (("", 0.2), (", easy", 1.2)):
        found += [
            Design(f"{many} queries alone{name}", (1,) * many, 0.0, ease) for many in (20, 50)
        ]
        for articles, size in ((5, 4), (5, 10), (10, 5), (15, 3)):
            label = f"{articles} × {size}{name}"
            found.append(Design(label, (size,) * articles, 0.3, ease, 0.6))
        found.append(Design(f"15 uneven (20, 8, 5, … 1){name}", SMALL_UNEVEN, 0.3, ease, 0.6))
    return found


def covers(design: Design, times: int, *, seed: int) -> tuple[Floats, Floats]:
    """Coverage of the intervals of a run's means and of differences, for each measure."""
    rng = np.random.default_rng(seed)
    one, other = simulate(design, times, [0.0, SHIFT], rng)
    clusters = design.articles if max(design.sizes) > 1 else None
    means, _ = coverage(one, np.array(truth(design)), clusters, mean_interval)
    gaps, _ = coverage(other - one, true_gap(design, SHIFT), clusters, gap_interval)
    return means, gaps


def say_coverage(times: int) -> None:
    rng = np.random.default_rng(0)
    print(
        f"How often a 95% interval holds the truth, {times:,} sets a line; Success@1 is 0 or 1.\n"
    )
    print(
        "| questions | bootstrap: RR | Success@1 | least of 5 measures | width RR | **ours**: RR "
        "| Success@1 | least of 5 | width RR | differences: RR | least of 5 |"
    )
    print("|---|" + "---:|" * 10)
    for design in interval_designs():
        one, other = simulate(design, times, [0.0, SHIFT], np.random.default_rng(5))
        clusters = design.articles if max(design.sizes) > 1 else None
        true = np.array(truth(design))
        old, old_width = coverage(one, true, clusters, lambda v, c: bootstrap(v, c, rng))
        new, width = coverage(one, true, clusters, mean_interval)
        gaps, _ = coverage(other - one, true_gap(design, SHIFT), clusters, gap_interval)
        print(
            f"| {design.name} | {old[0]:.3f} | {old[1]:.3f} | {old.min():.3f} | {old_width:.3f} "
            f"| {new[0]:.3f} | {new[1]:.3f} | {new.min():.3f} | {width:.3f} "
            f"| {gaps[0]:.3f} | {gaps.min():.3f} |",
            flush=True,
        )
    print()


# --- gates ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Passes:
    """Shares of simulated runs that pass a gate of RR whose limit is their true drop."""

    point: float
    lower: float
    family: float
    """Runs that pass five gates by the lower rule, one at its true drop, the others 0.1 off."""
    equal: float
    """Runs without a drop that pass by the lower rule."""


def passes(design: Design, times: int, shift: float, *, seed: int) -> Passes:
    rng = np.random.default_rng(seed)
    one, worse, same = simulate(design, times, [0.0, -shift, 0.0], rng)
    true = true_gap(design, -shift)
    limits = true - np.array([0.0, 0.1, 0.1, 0.1, 0.1])
    clusters = design.articles
    point = lower = family = equal = 0
    for place in range(times):
        gaps = (worse - one)[:, place]
        bounds = np.array([lower_bound(row, clusters) for row in gaps])
        point += bool(gaps[0].mean() >= true[0])
        lower += bool(bounds[0] >= true[0])
        family += bool((bounds >= limits).all())
        equal += lower_bound((same - one)[0, place], clusters) >= true[0]
    return Passes(point / times, lower / times, family / times, equal / times)


def gate_designs() -> list[Design]:
    return [
        even(50, 1, 1),
        even(5, 10, 2),
        even(15, 3, 1.5),
        even(24, 8, 2),
        even(50, 4, 2),
        Design("15 uneven (20, 8, 5, … 1)", SMALL_UNEVEN, 0.3),
    ]


def say_gates(times: int) -> None:
    shift = SHIFT / 2
    print(
        f"How often a run passes a gate of RR whose limit is its true drop "
        f"({-true_gap(even(24, 8, 2), -shift)[0]:.2f}), {times:,} sets a line; a family of five "
        "gates, "
        "one of them at the limit;\nand a run without a drop.\n"
    )
    print(
        "| articles × questions | point rule | **lower rule** | family of five | without a drop |"
    )
    print("|---|" + "---:|" * 4)
    for design in gate_designs():
        found = passes(design, times, shift, seed=6)
        cells = (found.point, found.lower, found.family, found.equal)
        print(f"| {design.name} | {' | '.join(f'{cell:.3f}' for cell in cells)} |", flush=True)
