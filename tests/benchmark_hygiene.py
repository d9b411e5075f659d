"""How long `hayami hygiene` takes on a large set, and what it finds nearly the same.

Not collected by pytest.

python tests/benchmark_hygiene.py               100,000 generated questions on 65,000 sections
python tests/benchmark_hygiene.py --few-words   the same out of 40 words: nearly everything is like
something else
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from hayami.curate.examining import examine
from hayami.evalset.folder import CORPUS, QUERIES, EvalSet
from hayami.evalset.jsonl import record_line
from hayami.evalset.records import Match, Query, Section
from hayami.text.repeats import near_duplicates

FORMS = (
    "{}を{}する{}は？",
    "{}と{}の{}の違い",
    "{}の{}が{}のとき",
    "{}で{}を{}したい",
    "{} {} {} エラー",
    "how do I {} the {} of {}?",
)
KANJI = "設定変更手順確認方法原因対処接続証明更新権限通信起動停止自動監視復元圧縮検索索引容量"
KATAKANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモラリルレロン"


def vocabulary(rng: random.Random, size: int) -> list[str]:
    """Made-up words: half of kanji, the others of katakana or Latin letters."""
    kinds = ((KANJI, 2, 4), (KANJI, 2, 3), (KATAKANA, 3, 6), ("abcdefghilmnoprstuvz", 4, 9))
    return [
        "".join(rng.choices(letters, k=rng.randint(least, most)))
        for letters, least, most in kinds * (size // 4)
    ]


def questions(rng: random.Random, count: int, words: list[str]) -> Iterator[str]:
    """Questions, of which one in ten is an earlier one with a letter put in."""
    made: list[str] = []
    for _ in range(count):
        if made and rng.random() < 0.1:
            letters = list(rng.choice(made))
            letters.insert(rng.randrange(len(letters)), rng.choice("のをはがよもte"))
            made.append("".join(letters))
        else:
            made.append(rng.choice(FORMS).format(*rng.choices(words, k=3)))
    yield from made


def section(article: str, ordinal: int, words: list[str], rng: random.Random) -> Section:
    """A section of some hundred words."""
    return Section(
        id=f"{article}#{ordinal}",
        article=article,
        ordinal=ordinal,
        title=article,
        heading="の".join(rng.choices(words, k=3)),
        headings=(),
        level=2,
        anchor="",
        path=f"{article}.html",
        text="、".join(rng.choices(words, k=120)),
    )


def query(number: int, text: str, article: str) -> Query:
    """A query with one target."""
    return Query(
        qid=f"q{number}",
        query=text,
        relevant={f"{article}#{number % 13}": 2},
        same_article=12,
        source="早見表:",
        match=Match.EXACT,
        answer="",
        article=article,
        topic=article,
        targets=(),
        origins=(),
        flags=(),
    )


def main() -> None:
    """Writes the files that hygiene reads, and times it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=100_000)
    parser.add_argument("--few-words", action="store_true")
    given = parser.parse_args()
    rng = random.Random(0)  # noqa: S311 - not for secrets
    words = vocabulary(rng, 40 if given.few_words else 8_000)
    texts = list(questions(rng, given.questions, words))
    articles = [f"a{number:05}" for number in range(max(1, given.questions // 20))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / CORPUS).open("w", encoding="utf-8") as corpus:
            for article in articles:
                corpus.writelines(
                    record_line(section(article, n, words, rng)) + "\n" for n in range(13)
                )
        with (folder / QUERIES).open("w", encoding="utf-8") as queries:
            asked = enumerate(texts)
            queries.writelines(
                record_line(query(n, text, articles[n // 20])) + "\n" for n, text in asked
            )
        start = time.process_time()
        pairs = sum(1 for _ in near_duplicates(texts))
        near = time.process_time() - start
        start = time.process_time()
        found = examine(EvalSet(folder))
        took = time.process_time() - start
    print(f"{len(texts):,} questions, {found.sections:,} sections: {took:.1f} s of one processor")
    print(f"{near:.1f} s of it for near duplicates")
    print(f"{pairs:,} pairs of near duplicates, {len(found.duplicates):,} repeated questions")


if __name__ == "__main__":
    main()
