"""Measures of speed and memory, each against something in the same run. Not collected by pytest.

python tests/benchmark.py speed FOLDER      one process against Beautiful Soup over lxml, and two
against one
                                            (beside it what the machine gives: two builds at once
                                            that share nothing)
python tests/benchmark.py scale             250 to 25,000 generated articles: time for each and peak
memory
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOUP = """
import sys, warnings
from pathlib import Path
from bs4 import BeautifulSoup
warnings.simplefilter("ignore")
for path in sorted(Path(sys.argv[1]).rglob("*")):
    if path.suffix.lower() in {".html", ".htm", ".xhtml"} and path.is_file():
        BeautifulSoup(path.read_bytes(), "lxml").get_text()
"""
BUILD = "import sys, hayami; hayami.build([sys.argv[1]], sys.argv[2], jobs=int(sys.argv[3]))"


def seconds(code: str, *runs: tuple[str, ...]) -> float:
    """Wall seconds of a Python program, its start included.

    Of several at once if there are several arguments.
    """
    start = time.perf_counter()
    programs = [subprocess.Popen([sys.executable, "-c", code, *args]) for args in runs]
    for program in programs:
        if program.wait():
            raise SystemExit("a measured program failed")
    return time.perf_counter() - start


def speed(folder: str, runs: int) -> None:
    """Pairs of runs, one after the other, so that a slow machine slows both.

    Medians of the ratios.
    """
    soup, one, two, twice = [], [], [], []
    with tempfile.TemporaryDirectory() as out:
        for _ in range(runs):
            soup.append(seconds(SOUP, (folder,)))
            one.append(seconds(BUILD, (folder, f"{out}/one", "1")))
            two.append(seconds(BUILD, (folder, f"{out}/two", "2")))
            twice.append(seconds(BUILD, (folder, f"{out}/a", "1"), (folder, f"{out}/b", "1")) / 2)
    rows = (
        ("Beautiful Soup over lxml, parse and get_text", soup),
        ("hayami build, --jobs 1", one),
        ("hayami build, --jobs 2", two),
    )
    print("| what | seconds, median of the runs | least | most |")
    print("|---|---|---|---|")
    for name, times in rows:
        print(f"| {name} | {statistics.median(times):.2f} | {min(times):.2f} | {max(times):.2f} |")
    print(
        f"\nhayami with one process is {ratio(soup, one)} times as fast as Beautiful Soup alone (pairs of runs);"  # noqa: E501
    )
    print(f"two processes are {ratio(one, two)} times as fast as one;")
    print(
        f"this machine does two builds at once {ratio(one, twice)} times as fast as one after the other."  # noqa: E501
    )


def ratio(slow: list[float], fast: list[float]) -> str:
    """The median of the ratios of paired runs, with the least and the most."""
    ratios = [a / b for a, b in zip(slow, fast, strict=True)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


# fmt: off
WORDS = (
    "設定", "変更", "手順", "確認", "方法", "エラー", "原因", "対処", "ログ",
    "接続", "証明書", "更新", "権限", "ユーザー", "ファイル", "サーバー",
    "ポート", "通信", "起動", "停止", "自動", "監視", "バックアップ", "復元",
    "圧縮", "検索", "索引", "問い合わせ", "容量", "性能", "遅延", "再試行",
    "期限", "鍵", "署名", "経路", "名前解決", "文字コード", "改行", "正規表現",
    "変数", "関数",
)
# fmt: on


def article(number: int, rng: random.Random) -> str:
    """One generated article of 13 sections, a quick-reference table of 8 rows.

    Two plain tables stand beside it.
    """
    headings = [
        f"{rng.choice(WORDS)}の{rng.choice(WORDS)}と{rng.choice(WORDS)}（{number}-{n}）"
        for n in range(13)
    ]
    rows = "".join(
        f"<tr><td>{rng.choice(WORDS)}を{rng.choice(WORDS)}するには {number} {n}</td><td>{rng.choice(WORDS)}</td>"  # noqa: E501
        f"<td>{headings[n] if n % 2 else headings[n].split('（')[0]}</td></tr>"
        for n in range(8)
    )
    plain = (
        "<table><tr><th>名前</th><th>値</th></tr>"
        + "<tr><td>a</td><td>1</td></tr>" * 8
        + "</table>"
    )
    body = "".join(
        f"<h2 id='s{n}'>{heading}</h2>"
        + "".join(
            f"<p>{'、'.join(rng.choices(WORDS, k=40))}。<b>{rng.choice(WORDS)}</b></p>"
            for _ in range(5)
        )
        + (plain if n in {3, 7} else "")
        for n, heading in enumerate(headings)
    )
    return (
        f"<!DOCTYPE html><html lang=ja><meta charset=utf-8><title>記事{number}｜{rng.choice(WORDS)}</title><body>"  # noqa: E501
        f"<h1>記事{number}</h1><table><tr><th>知りたいこと</th><th>答え</th><th>詳しい節</th></tr>{rows}</table>{body}"
    )


def scale(sizes: list[int]) -> None:
    """Time for each article and peak memory of one process, over growing folders."""
    print("| articles | rows | seconds | ms for each article | peak memory, MB |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        rng = random.Random(0)  # noqa: S311 - not for secrets
        made = 0
        for size in sizes:
            for number in range(made, size):
                path = Path(folder, "in", f"{number // 1000:03}", f"a{number:05}.html")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(article(number, rng), encoding="utf-8")
            made = size
            start = time.perf_counter()
            code = (
                BUILD
                + "\nimport resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
            )
            command = [sys.executable, "-c", code, f"{folder}/in", f"{folder}/out", "1"]
            peak = (
                int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                / 1024
            )
            took = time.perf_counter() - start
            print(
                f"| {size:,} | {size * 8:,} | {took:.1f} | {1000 * took / size:.2f} | {peak:.0f} |",
                flush=True,
            )


def main() -> None:
    """Runs one of the measures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    timed = commands.add_parser("speed")
    timed.add_argument("folder")
    timed.add_argument("--runs", type=int, default=3)
    sizes = commands.add_parser("scale")
    sizes.add_argument("--sizes", type=int, nargs="+", default=[250, 2500, 25000])
    given = parser.parse_args()
    if given.command == "speed":
        speed(given.folder, given.runs)
    else:
        scale(given.sizes)


if __name__ == "__main__":
    main()
