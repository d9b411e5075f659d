"""Edits to articles that were judged: does every verdict find what was judged? No test of pytest.

python tests/verdict_edits.py                      100 rounds, with fingerprints and without
python tests/verdict_edits.py --rounds 20 --seed 7

Each round builds a set of made-up articles, judges every label and names a section more, edits the
articles (sections change names, get other names, are rewritten, moved, doubled, split, taken out or
come new; some are alike but for a word) and builds again with the verdicts. As every section was
written here, it is known which section holds what was judged. Printed are verdicts applied to what
was judged, applied to something else, and stale.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import hayami
from hayami.evalset.folder import EvalSet
from hayami.evalset.names import SectionName, name_corpus, row_key
from hayami.evalset.records import Query, Ruling
from hayami.verdicts.follow import with_rival
from hayami.verdicts.log import Verdict, append_verdict, read_verdicts, verdict_file

JAPANESE = """
設定 変更 手順 確認 方法 原因 対処 接続 証明 更新 権限 通信 起動 停止 監視 復元 検索 容量
鍵 網 箱 表 窓 線 値 型 列 行
"""
ENGLISH = """
open close start stop press choose wait until after before window server file cable setting
password account report folder network printer update backup restore
"""
WORDS = {"ja": JAPANESE.split(), "en": ENGLISH.split()}
ARTICLES = 4
SECTIONS = 6


@dataclass(frozen=True)
class Part:
    """A section as it is written: who it is, what it is called, what it says."""

    identity: int
    heading: str
    sentences: tuple[str, ...]


@dataclass
class Writer:
    """Writes sections, each with an identity of its own."""

    rng: random.Random
    language: str
    written: int = 0

    def sentence(self) -> str:
        words = self.rng.choices(WORDS[self.language], k=self.rng.randint(5, 12))
        return (
            "".join(words) + "。" if self.language == "ja" else " ".join(words).capitalize() + "."
        )

    def heading(self) -> str:
        self.written += 1
        words = self.rng.sample(WORDS[self.language], 2)
        return (
            f"{''.join(words)}の{self.written}"
            if self.language == "ja"
            else (f"{words[0]} the {words[1]} no {self.written}")
        )

    def part(self) -> Part:
        sentences = tuple(self.sentence() for _ in range(self.rng.randint(1, 8)))
        return Part(self.written, self.heading(), sentences)

    def twin(self, part: Part) -> Part:
        """A section that says the same but for a word in each sentence or so."""
        word = self.rng.choice(WORDS[self.language])
        other = [
            s.replace(word, "別物" if self.language == "ja" else "thing") for s in part.sentences
        ]
        other[-1] = self.sentence()
        return Part(self.written, self.heading(), tuple(other))


Edit = Callable[[list[Part], Writer], None]


def swap_names(parts: list[Part], writer: Writer) -> None:
    one, other = writer.rng.sample(range(len(parts)), 2)
    first, second = parts[one], parts[other]
    parts[one] = replace(first, heading=second.heading)
    parts[other] = replace(second, heading=first.heading)


def swap_texts_and_edit(parts: list[Part], writer: Writer) -> None:
    swap_names(parts, writer)
    edit_text(parts, writer)
    edit_text(parts, writer)


def rename(parts: list[Part], writer: Writer) -> None:
    place = writer.rng.randrange(len(parts))
    parts[place] = replace(parts[place], heading=writer.heading())


def take_name(parts: list[Part], writer: Writer) -> None:
    """A section is taken out, and a new one gets its name."""
    place = writer.rng.randrange(len(parts))
    parts[place] = replace(writer.part(), heading=parts[place].heading)


def edit_text(parts: list[Part], writer: Writer) -> None:
    place = writer.rng.randrange(len(parts))
    sentences = list(parts[place].sentences)
    sentences[writer.rng.randrange(len(sentences))] = writer.sentence()
    sentences.insert(writer.rng.randrange(len(sentences) + 1), writer.sentence())
    parts[place] = replace(parts[place], sentences=tuple(sentences))


def take_out(parts: list[Part], writer: Writer) -> None:
    if len(parts) > 3:
        del parts[writer.rng.randrange(len(parts))]


def insert(parts: list[Part], writer: Writer) -> None:
    parts.insert(writer.rng.randrange(len(parts) + 1), writer.part())


def insert_of_the_same_name(parts: list[Part], writer: Writer) -> None:
    name = writer.rng.choice(parts).heading
    parts.insert(writer.rng.randrange(len(parts) + 1), replace(writer.part(), heading=name))


def insert_twin(parts: list[Part], writer: Writer) -> None:
    parts.append(writer.twin(writer.rng.choice(parts)))


def split(parts: list[Part], writer: Writer) -> None:
    """The end of a section becomes a section of its own; who has more of it is who was judged."""
    place = writer.rng.randrange(len(parts))
    whole = parts[place]
    half = (len(whole.sentences) + 1) // 2
    if half < len(whole.sentences):
        parts[place] = replace(whole, sentences=whole.sentences[:half])
        parts.insert(place + 1, replace(writer.part(), sentences=whole.sentences[half:]))


def double(parts: list[Part], writer: Writer) -> None:
    parts.append(replace(writer.rng.choice(parts), heading=writer.heading()))


def shuffle(parts: list[Part], writer: Writer) -> None:
    writer.rng.shuffle(parts)


EDITS: tuple[Edit, ...] = (
    swap_names,
    swap_names,
    swap_texts_and_edit,
    rename,
    take_name,
    edit_text,
    edit_text,
    take_out,
    insert,
    insert_of_the_same_name,
    insert_twin,
    split,
    double,
    shuffle,
)


def page(title: str, rows: list[tuple[str, str]], parts: list[Part], language: str) -> str:
    head = (
        ("知りたいこと", "答え", "詳しい節")
        if language == "ja"
        else ("Question", "Answer", "Section")
    )
    lines = ["<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"]
    for question, reference in rows:
        lines.append(f"<tr><td>{escape(question)}</td><td>-</td><td>{escape(reference)}</td></tr>")
    body = []
    for part in parts:
        body.append(f"<h2>{escape(part.heading)}</h2>")
        body += [f"<p>{escape(sentence)}</p>" for sentence in part.sentences]
    table = f"<table>{''.join(lines)}</table>"
    return f'<html lang="{language}"><h1>{title}</h1>{table}{"".join(body)}</html>'


@dataclass
class Article:
    """An article, and who stands in each of its sections."""

    name: str
    rows: list[tuple[str, str]]
    parts: list[Part]
    writer: Writer

    def write(self, folder: Path) -> None:
        text = page(self.name, self.rows, self.parts, self.writer.language)
        (folder / f"{self.name}.html").write_text(text, encoding="utf-8")

    def identity(self, section: str) -> int:
        return self.parts[int(section.rpartition("#")[2])].identity


def make_article(number: int, rng: random.Random) -> Article:
    writer = Writer(rng, rng.choice(sorted(WORDS)), written=number * 1000)
    parts = [writer.part() for _ in range(SECTIONS)]
    parts.append(writer.twin(rng.choice(parts)))
    rows = [(f"{part.heading}?! {number}", part.heading) for part in parts]
    return Article(f"a{number}", rows, parts, writer)


def judge(evalset: EvalSet, labels: Path, rng: random.Random, *, printed: bool) -> None:
    """A verdict on every query: right, or another section; older files have no fingerprints."""
    articles = {article.id for article in evalset.articles()} if printed else set()
    names = name_corpus(evalset.sections(), articles)
    for query in evalset.queries():
        append_verdict(verdict_file(labels, "judge"), _verdict(query, names, rng))


def _verdict(query: Query, names: dict[str, SectionName], rng: random.Random) -> Verdict:
    own = [with_rival(names[section], names.values()) for section in query.relevant]
    others = sorted(name for name, one in names.items() if one.article == query.article)
    other = with_rival(names[rng.choice(others)], names.values())
    ruling = rng.choice((Ruling.RIGHT, Ruling.OTHER))
    origin = query.origins[0]
    return Verdict(
        rows=(row_key(query.article, origin.question, origin.reference),),
        question=query.query,
        ruling=ruling,
        judged=tuple(own),
        sections=(other,) if ruling is Ruling.OTHER else (),
        judge="judge",
        at=f"2026-01-01T00:00:00.{rng.randrange(10**6):06}",
    )


def meant(labels: Path, articles: dict[str, Article]) -> dict[str, set[int]]:
    """By question, who the judge meant, as the articles stood then."""
    found = {}
    for verdict in read_verdicts(labels):
        names = verdict.sections or verdict.judged
        found[verdict.question] = {articles[n.article].identity(n.section) for n in names}
    return found


def play(seed: int, *, printed: bool) -> Counter[str]:
    """One round: how many verdicts went where."""
    rng = random.Random(seed)  # noqa: S311 - repeatable on purpose
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        articles = {f"a{n}": make_article(n, rng) for n in range(ARTICLES)}
        for article in articles.values():
            article.write(folder / "in")
        built = hayami.build([folder / "in"], folder / "set")
        evalset = hayami.load(built.folder)
        judge(evalset, folder / "labels", rng, printed=printed)
        wanted = meant(folder / "labels", articles)
        for article in articles.values():
            for edit in rng.choices(EDITS, k=rng.randint(1, 4)):
                edit(article.parts, article.writer)
            article.write(folder / "in")
        again = hayami.build([folder / "in"], folder / "set", labels=folder / "labels")
        return _count(again, hayami.load(again.folder), wanted, articles)


def _count(
    again: hayami.Built, evalset: EvalSet, wanted: dict[str, set[int]], articles: dict[str, Article]
) -> Counter[str]:
    counts: Counter[str] = Counter(stale=len(again.stale))
    for query in evalset.queries():
        if query.verdicts:
            there = {
                articles[section.rpartition("#")[0]].identity(section) for section in query.relevant
            }
            counts["right" if there == wanted[query.query] else "wrong"] += 1
    for one in again.stale:
        counts[f"stale: {one.why}"] += 1
    return counts


def rounds(number: int, seed: int) -> Iterator[tuple[bool, Counter[str], int]]:
    for printed in (False, True):
        total: Counter[str] = Counter()
        touched = 0
        for one in range(number):
            counts = play(seed + one, printed=printed)
            touched += counts["wrong"] > 0
            total += counts
        yield printed, total, touched


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for printed, total, touched in rounds(asked.rounds, asked.seed):
        print(f"{'with' if printed else 'without'} fingerprints, {asked.rounds} rounds:")
        print(f"  {total['right']:6,} applied to what was judged")
        print(f"  {total['wrong']:6,} applied to something else, in {touched} rounds")
        print(f"  {total['stale']:6,} stale")
        for why, count in sorted(total.items()):
            if why.startswith("stale: "):
                print(f"    {count:6,} {why.removeprefix('stale: ')}")


if __name__ == "__main__":
    main()
