"""How fast and how large measuring and searching are, each against another library.

Not collected by pytest.

python tests/benchmark_evaluate.py measures   1,856 queries x 100 documents: five measures,
    intervals, sign-flip test
python tests/benchmark_evaluate.py verdicts   false verdicts, power, coverage of intervals and what
    gates let pass, simulated: 2 minutes (--times 2000 for more digits)
python tests/benchmark_evaluate.py large      100,000 queries x 100 documents through
    `hayami evaluate`: peak memory
python tests/benchmark_evaluate.py bm25       100,000 sections of 400 letters: index against
    CountVectorizer
python tests/benchmark_evaluate.py rank-bm25  a query against rank-bm25 (pip install rank-bm25), on
    as many; takes 7 GB
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import ir_measures
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

import verdicts
from hayami.evalset.runs import Run
from hayami.evaluate.bm25 import Bm25
from hayami.evaluate.comparison import compare, side_of
from hayami.evaluate.confidence import mean_interval
from hayami.evaluate.judgements import Judgements
from hayami.evaluate.measures import parse_measures
from hayami.evaluate.retrieval import best

MEASURES = "RR(rel=2)@10 Success(rel=2)@5 R(rel=2)@10 nDCG@10 AP(rel=2)"
GRAMS = (2, 3)
LETTERS = (
    "".join(map(chr, (*range(0x3042, 0x3094), *range(0x4E00, 0x5120))))
    + "abcdefghijklmnopqrstuvwxyz0123456789 、。"
)
SECTION = 130
"""Words of a section: about 400 letters."""


def cpu(work: Callable[[], object], times: int = 3) -> float:
    """Processor seconds, the least of several runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def child_memory(*arguments: str) -> tuple[float, float, str]:
    """Peak memory in MiB, seconds and stdout of this program run again with other arguments."""
    start = time.perf_counter()
    ran = subprocess.run(
        [sys.executable, *arguments], check=True, capture_output=True, encoding="utf-8"
    )
    return (
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
        time.perf_counter() - start,
        ran.stdout,
    )


# --- measures -------------------------------------------------------------------------------------


def judged(queries: int) -> Judgements:
    """Queries with one target and eleven siblings each, eight queries an article."""
    qrels = {
        f"q{n}": {f"a{n // 8}#{s}": 2 if s == n % 8 else 1 for s in range(12)}
        for n in range(queries)
    }
    return Judgements("generated", qrels)


def ran(judgements: Judgements, name: str, depth: int, rng: random.Random) -> Run:
    """A run of ``depth`` documents a query that finds the target at a random rank."""
    scores = {}
    for qid, grades in judgements.qrels.items():
        documents = [*grades, *(f"x{rng.randrange(10**6)}#{n}" for n in range(depth - len(grades)))]
        rng.shuffle(documents)
        scores[qid] = {document: 1 / (rank + 1) for rank, document in enumerate(documents)}
    return Run(name, Path(name), scores)


def measures(queries: int) -> None:
    rng = random.Random(0)  # noqa: S311 - not for secrets
    judgements = judged(queries)
    one, other = (ran(judgements, name, 100, rng) for name in ("one", "other"))
    chosen = parse_measures([MEASURES])
    articles = {qid: next(iter(grades)).split("#")[0] for qid, grades in judgements.qrels.items()}
    plain = [ir_measures.parse_measure(name) for name in MEASURES.split()]
    alone = cpu(lambda: list(ir_measures.iter_calc(plain, judgements.qrels, one.scores)))

    def evaluated() -> None:
        side = side_of(judgements, one, chosen)
        clusters = [articles[qid] for qid in next(iter(side.values.values()))]
        for values in side.values.values():
            row = np.array(list(values.values()))
            mean_interval(row)
            mean_interval(row, clusters)

    def compared() -> None:
        compare(side_of(judgements, one, chosen), [side_of(judgements, other, chosen)], articles)

    print(
        f"{queries:,} queries x 100 documents, five measures; processor seconds, least of three\n"
    )
    print("| what | seconds | times ir_measures alone |\n|---|---:|---:|")
    for what, seconds in (
        ("ir_measures alone, one run", alone),
        ("hayami, one run: measures, intervals by query and by article", cpu(evaluated)),
        ("hayami, two runs: the same on differences, 10,000 sign patterns", cpu(compared)),
    ):
        print(f"| {what} | {seconds:.2f} | {seconds / alone:.2f} |")


def large(queries: int) -> None:
    rng = random.Random(0)  # noqa: S311 - not for secrets
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = Path(folder, "qrels.txt"), Path(folder, "run.txt")
        with qrels.open("w", encoding="utf-8") as q, run.open("w", encoding="utf-8") as r:
            for n in range(queries):
                own = [f"a{n // 8}#{s}" for s in range(12)]
                q.writelines(
                    f"q{n} 0 {section} {2 if s == n % 8 else 1}\n" for s, section in enumerate(own)
                )
                documents = own + [f"x{rng.randrange(10**6)}#{i}" for i in range(88)]
                rng.shuffle(documents)
                r.writelines(
                    f"q{n} Q0 {document} {i} {100 - i} t\n"
                    for i, document in enumerate(documents, 1)
                )
        code = "from hayami.cli import main; main()"
        memory, seconds, _ = child_memory(
            "-c", code, "evaluate", "--qrels", str(qrels), str(run), "--json"
        )
    print(
        f"{queries:,} queries x 100 documents, all measures: "
        f"{memory:,.0f} MiB at most, {seconds:.0f} s"
    )


# --- BM25 -----------------------------------------------------------------------------------------


def texts(number: int) -> Iterator[str]:
    """Sections of words that are as unevenly common as those of a language."""
    rng = random.Random(0)  # noqa: S311 - not for secrets
    words = ["".join(rng.choices(LETTERS, k=rng.randint(1, 5))) for _ in range(30_000)]
    shares = list(accumulate(1 / n for n in range(1, len(words) + 1)))
    for _ in range(number):
        yield "".join(rng.choices(words, cum_weights=shares, k=SECTION))


def index(number: int, how: str) -> None:
    """Builds one index and prints its seconds, and those of a query.

    Run in a process of its own.
    """
    corpus = list(texts(number))
    start = time.process_time()
    if how == "count":
        CountVectorizer(analyzer="char", ngram_range=GRAMS).fit_transform(corpus)
        print(time.process_time() - start, 0)
        return
    built = Bm25(corpus, grams=GRAMS, k1=1.2, b=0.75)
    indexed = time.process_time() - start
    print(indexed, seconds_of_query(built, corpus))


def seconds_of_query(built: Bm25, corpus: list[str], number: int = 100) -> float:
    ties = np.arange(len(corpus))
    queries = [text[10:25] for text in corpus[:number]]
    start = time.process_time()
    for scores in built.scores(queries):
        best(scores, ties, 100, 0.0)
    return (time.process_time() - start) / number


def bm25(number: int) -> None:
    print(f"{number:,} sections, character {GRAMS[0]}- to {GRAMS[1]}-grams\n")
    print(
        "| what | index, processor seconds | peak memory, MiB | a query, ms |\n|---|---:|---:|---:|"
    )
    for what, how in (("hayami's BM25", "bm25"), ("CountVectorizer, counts alone", "count")):
        # each is the only child of a process of its own, so that the peak is its own
        own = f"import sys; sys.argv = ['b', 'index', '--sections', '{number}', '--how', '{how}']\n"
        own += f"import runpy; runpy.run_path({__file__!r}, run_name='__main__')"
        watch = "import resource, subprocess, sys\n"
        watch += f"r = subprocess.run([sys.executable, '-c', {own!r}], "
        watch += "check=True, capture_output=True, text=True)\n"
        watch += "print(r.stdout, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
        said = subprocess.run(
            [sys.executable, "-c", watch], check=True, capture_output=True, text=True
        ).stdout
        seconds, query, memory = map(float, said.split())
        milliseconds = f"{query * 1000:.1f}" if query else "-"
        print(f"| {what} | {seconds:.0f} | {memory:,.0f} | {milliseconds} |")


def rank_bm25(number: int) -> None:
    try:
        from rank_bm25 import BM25Okapi
    except ImportError:
        print("rank-bm25 is not installed: pip install rank-bm25")
        return
    corpus = list(texts(number))
    cut = CountVectorizer(analyzer="char", ngram_range=GRAMS).build_analyzer()
    ours = seconds_of_query(Bm25(corpus, grams=GRAMS, k1=1.2, b=0.75), corpus)
    theirs = BM25Okapi([cut(text) for text in corpus])
    queries = [cut(text[10:25]) for text in corpus[:5]]
    seconds = cpu(
        lambda: [np.argsort(theirs.get_scores(query))[-100:] for query in queries], 1
    ) / len(queries)
    print(
        f"{number:,} sections: "
        f"rank-bm25 {seconds * 1000:,.0f} ms a query, hayami {ours * 1000:.2f} ms:"
    )
    print(f"{seconds / ours:,.0f} times as fast")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = ["measures", "verdicts", "large", "bm25", "rank-bm25", "index"]
    parser.add_argument("what", choices=what)
    parser.add_argument("--queries", type=int)
    parser.add_argument("--sections", type=int)
    parser.add_argument("--times", type=int, default=500)
    parser.add_argument("--how", default="bm25")
    given = parser.parse_args()
    if given.what == "measures":
        measures(given.queries or 1_856)
    elif given.what == "verdicts":
        verdicts.say_verdicts(given.times)
        verdicts.say_coverage(given.times)
        verdicts.say_gates(given.times)
    elif given.what == "large":
        large(given.queries or 100_000)
    elif given.what == "bm25":
        bm25(given.sections or 100_000)
    elif given.what == "rank-bm25":
        rank_bm25(given.sections or 100_000)
    else:
        index(given.sections or 100_000, given.how)


if __name__ == "__main__":
    main()
