"""What the seed of this project found about its own set, looked for again on others.

Not collected by pytest.

python tests/findings.py SET...     on eval sets, such as out/sample python tests/findings.py
generated  on a generated set of the seed's size: 247 articles, 8 questions each
"""

from __future__ import annotations

import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import numpy as np

import hayami
from benchmark import article
from hayami.evalset.folder import EvalSet
from hayami.evalset.runs import Run, read_run
from hayami.evaluate.comparison import RunDifference, compare, side_of
from hayami.evaluate.judgements import Judgements, judgements_of
from hayami.evaluate.measures import parse_measures, score_run
from hayami.evaluate.planning import plan
from hayami.evaluate.produce import find_set_up, produce
from hayami.evaluate.retrieval import Terms
from hayami.evaluate.sensitivity import compare_schemes

RECALL, RANK = "R(rel=2)@10", "RR(rel=2)@10"


@dataclass(frozen=True)
class Looked:
    """A set, searched three ways."""

    judgements: Judgements
    plain: Run
    grams: Run
    topics: Run

    @classmethod
    def at(cls, evalset: EvalSet, folder: Path) -> Looked:
        runs: list[Run] = []
        for name, terms in (
            ("bm25_2", Terms()),
            ("bm25_23", Terms()),
            ("bm25_23", Terms(prefix_topic=True)),
        ):
            out = folder / f"run{len(runs)}"
            set_up = find_set_up(name)
            assert set_up is not None
            produce(evalset, set_up, out, terms)
            runs.append(read_run(next(out.glob("*.run"))))
        return cls(judgements_of(evalset), *runs)

    def differences(self, base: Run, other: Run, *measures: str) -> tuple[RunDifference, ...]:
        chosen = parse_measures([" ".join(measures)])
        sides = [side_of(self.judgements, run, chosen) for run in (base, other)]
        return compare(sides[0], sides[1:], self.judgements.articles())


def findings(looked: Looked) -> list[tuple[str, str]]:
    """Each finding and what became of it here."""
    articles = [looked.judgements.article_of(qid) for qid in looked.judgements.qrels]
    (scores,) = score_run(looked.judgements, looked.plain, parse_measures([RANK]))
    sizes = plan(RANK, [("bm25_2", np.array(list(scores.values.values())))], articles).sizes
    widths = [size.width * size.queries**0.5 for size in sizes]
    (grams,) = looked.differences(looked.plain, looked.grams, RANK)
    recall, rank = looked.differences(looked.grams, looked.topics, RECALL, RANK)
    effect = grams.by_article.design_effect if grams.by_article is not None else None
    reversals = compare_schemes(looked.judgements, [looked.grams, looked.topics]).reversals
    return [
        (f"interval width of {RANK} times √n", f"{min(widths):.2f} to {max(widths):.2f}"),
        (
            "variance of the difference by article over by query",
            f"{effect:.1f}" if effect is not None else "-",
        ),
        (f"3-grams added to 2-grams: {RANK}", said(grams)),
        (f"topic before the query: {RECALL}", said(recall)),
        (f"topic before the query: {RANK}", said(rank)),
        (
            "the labels change the winner, beyond chance",
            "yes" if any(one.clear for one in reversals) else "no",
        ),
    ]


def said(one: RunDifference) -> str:
    return f"{one.base_mean:.4f} → {one.other_mean:.4f}, {one.verdict}"


def generated(folder: Path) -> Path:
    """A built set of the seed's size."""
    rng = random.Random(0)  # noqa: S311 - not for secrets
    (folder / "in").mkdir()
    for number in range(247):
        (folder / "in" / f"a{number:03}.html").write_text(article(number, rng), encoding="utf-8")
    return hayami.build([folder / "in"], folder / "set").folder


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        columns = []
        for number, name in enumerate(sys.argv[1:]):
            folder = Path(scratch, str(number))
            folder.mkdir()
            evalset = hayami.load(generated(folder) if name == "generated" else Path(name))
            counts = evalset.manifest.counts
            size = (
                f"{counts.queries:,} queries, {counts.articles:,} articles, "
                f"{counts.sections:,} sections"
            )
            columns.append(
                [("set", f"{Path(name).name}: {size}"), *findings(Looked.at(evalset, folder))]
            )
        for row in zip(*columns, strict=True):
            print(f"| {row[0][0]} | {' | '.join(value for _, value in row)} |")


if __name__ == "__main__":
    main()
