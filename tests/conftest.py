"""What several test modules share.

The sample built once, small articles, and the command line as a function.
"""

from __future__ import annotations

import contextlib
import hashlib
import html
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import settings

import hayami
from hayami.cli import main

settings.register_profile(
    "steady", deadline=None
)  # the first example may import, or the machine be busy
settings.load_profile("steady")

ROOT = Path(__file__).resolve().parent.parent
MAIN = "from hayami.cli import main; main()"
"""The command line as a process: what the console script does, wherever it is installed."""

Ran = subprocess.CompletedProcess[str]


def article(
    title: str,
    rows: Sequence[Sequence[str]] = (),
    sections: Sequence[str] = (),
    *,
    lang: str = "ja",
) -> str:
    """A small article.

    A row is (question, answer, reference), and a cell that begins with ``<`` is HTML.
    """
    cells = [[cell if cell.startswith("<") else html.escape(cell) for cell in row] for row in rows]
    body = "".join(
        f"<tr><td>{question}</td><td>{answer}</td><td>{where}</td></tr>\n"
        for question, answer, where in cells
    )
    table = (
        f"<table>\n<tr><th>知りたいこと</th><th>答え</th><th>詳しい節</th></tr>\n{body}</table>\n"
        if rows
        else ""
    )
    parts = "".join(
        f'<h2 id="s{number}">{html.escape(heading)}</h2>\n'
        f"<p>{html.escape(heading)}について書いた段落。</p>\n"
        for number, heading in enumerate(sections)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}">\n<head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title></head>\n"
        f"<body>\n<h1>{html.escape(title)}</h1>\n<p>はじめに読む段落。</p>\n{table}{parts}</body>\n</html>\n"
    )


def seal(folder: Path) -> None:
    """Writes the hashes of a set's files into its manifest, as one who edits a set by hand."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for name in manifest["files"]:
        manifest["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    path.write_text(json.dumps(manifest), encoding="utf-8")


@pytest.fixture(scope="session")
def sealed() -> Callable[[Path], None]:
    """Makes the hashes of a set that was edited those of its files."""
    return seal


@pytest.fixture(scope="session")
def make_article() -> Callable[..., str]:
    return article


@pytest.fixture(scope="session")
def articles() -> Path:
    """The sample articles of the project."""
    return ROOT / "data" / "articles"


@pytest.fixture(scope="session")
def sample(articles: Path, tmp_path_factory: pytest.TempPathFactory) -> hayami.Built:
    """The sample, built with the defaults. Not to be changed."""
    return hayami.build([articles], tmp_path_factory.mktemp("sample") / "set")


@pytest.fixture(scope="session")
def bakery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three small articles: 6 rows, of which 4 name a section. Not to be changed."""
    folder = tmp_path_factory.mktemp("bakery") / "パン"
    (folder / "guide").mkdir(parents=True)
    pages = {
        "guide/index.html": article(
            "食パンの焼き方｜家庭用オーブン",
            [
                ("発酵は何度がよいか", "30 度", "一次発酵の温度"),
                ("膨らまないとき", "酵母を替える", '<a href="../yeast.html#s0">こちら</a>'),
                ("焼き色が薄い", "温度を上げる", "オーブンの癖"),
            ],
            ["一次発酵の温度と時間", "焼成の温度", "まとめ"],
        ),
        "yeast.html": article(
            "酵母の種類",
            [("生種とドライの違い", "水分", "2つの酵母の違い"), ("酵母の保存", "冷凍", "まとめ")],
            ["2つの酵母の違い", "酵母の保存のしかた", "まとめ"],
        ),
        "flour.html": article(
            "小麦粉の選び方", [("発酵は何度がよいか", "粉による", "粉と温度")], ["粉と温度", "灰分"]
        ),
    }
    for path, page in pages.items():
        (folder / path).write_text(page, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def _bakery_set(bakery: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hayami.build([bakery], tmp_path_factory.mktemp("built") / "set").folder


@pytest.fixture
def bakery_set(_bakery_set: Path, tmp_path: Path) -> Path:
    """The small articles built, in a folder of the test's own."""
    return Path(shutil.copytree(_bakery_set, tmp_path / "評価"))


@pytest.fixture(scope="session")
def lines() -> Callable[[Path], list[dict[str, object]]]:
    """Reads a JSONL file without hayami's help."""
    return lambda path: [
        json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]
    ]


@pytest.fixture(scope="session")
def files_of() -> Callable[[Path], dict[str, bytes]]:
    """The files of an eval set as bytes; the one time stamp taken out."""

    def read(folder: Path) -> dict[str, bytes]:
        found = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
        manifest = json.loads(found["manifest.json"])
        del manifest["created"]
        return found | {"manifest.json": json.dumps(manifest).encode()}

    return read


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs a command line in this process.

    For what depends on streams or signals there is ``process``.
    """
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["hayami", *map(str, arguments)])
        capsys.readouterr()
        code: object = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code
        told = capsys.readouterr()
        return subprocess.CompletedProcess(sys.argv, int(str(code or 0)), told.out, told.err)

    return run


@pytest.fixture(scope="session")
def process() -> Callable[..., Ran]:
    """Runs a command line in a process of its own, with pipes.

    ``code`` runs before, ``env`` is added.
    """

    def run(
        *arguments: object,
        code: str = "",
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Ran:
        return subprocess.run(
            [sys.executable, "-c", f"{code}\n{MAIN}", *map(str, arguments)],
            capture_output=True,
            encoding="utf-8",
            env=os.environ | {"COLUMNS": "100"} | (env or {}),
            cwd=cwd,
            timeout=120,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def limit_file_size() -> Callable[[int], contextlib.AbstractContextManager[None]]:
    """A disk that is full after so many bytes a file.

    The limit is of this process and is taken back.
    """
    resource = pytest.importorskip("resource")

    @contextlib.contextmanager
    def limited(size: int) -> Iterator[None]:
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    return limited
