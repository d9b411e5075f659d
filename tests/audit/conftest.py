"""A small set to judge, and sheets of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import hayami
from hayami.audit.draft import read_drafter
from hayami.audit.items import Item, Kind, item_id
from hayami.audit.sheets import write_sheet
from hayami.evalset.names import row_key
from hayami.evalset.records import Detector, Match, Reason, Ruling

TEA = """<!DOCTYPE html>
<html lang="ja"><head><meta charset="utf-8"><title>お茶の淹れ方｜基本</title></head><body>
<h1>お茶の淹れ方</h1>
<table><tr><th>知りたいこと</th><th>答え</th><th>詳しい節</th></tr>
<tr><td>煎茶は何度がよい？</td><td>70度から80度</td><td>煎茶の湯の温度</td></tr>
<tr><td>玉露の蒸らし時間</td><td>2分ほど</td><td>玉露を蒸らす</td></tr>
<tr><td>茶葉はどこに置く？</td><td>暗くて涼しい所</td><td>茶葉の保管</td></tr>
<tr><td>急須の選び方</td><td>深蒸しなら網の広いもの</td><td>道具の話</td></tr>
</table>
<h2>湯を用意する</h2><p>やかんで沸かす。</p>
<p>水は汲みたてがよい。</p><p>軟水を使う。</p><p>カルキの臭いは沸かして飛ばす。</p><p>ふたを取って三分待つ。</p>
<p>湯冷ましに移すと十度下がる。</p><p>急須に移すとまた下がる。</p><p>温度計があれば測る。</p><p>湯気の立ち方でも分かる。</p>
<h3>煎茶の湯の温度</h3><p>湯冷ましで70度にする。</p><h3>番茶の湯の温度</h3><p>沸き立つ湯でよい。</p>
<h2>玉露を蒸らす</h2><p>50度で2分待つ。</p>
<h2>茶葉の保管</h2><p>缶に入れて涼しい所に置く。</p>
</body></html>
"""
HOSTILE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>&lt;script&gt;window.broken=1&lt;/script&gt;</title></head><body>
<h1>Trouble</h1>
<table><tr><th>Question</th><th>Answer</th><th>Section</th></tr>
<tr><td>&lt;img src=x onerror="window.broken=1"&gt; "quotes' \u2028 \u202eright to left\u202c</td>
<td>{{ 7 * 7 }} {% raw %}</td>
<td>Closing &lt;/textarea&gt;&lt;script&gt;window.broken=1&lt;/script&gt;</td></tr></table>
<h2>Closing &lt;/textarea&gt;&lt;script&gt;window.broken=1&lt;/script&gt;</h2>
<p>&lt;/div&gt;&lt;script&gt;window.broken=1&lt;/script&gt; \u05d0\u05d1\u05d2 \x1b[31m red</p>
<p>WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW</p>
</body></html>
"""  # noqa: E501


@pytest.fixture(scope="session")
def _tea_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tea")
    (folder / "tea.html").write_text(TEA, encoding="utf-8")
    (folder / "trouble.html").write_text(HOSTILE, encoding="utf-8")
    return hayami.build([folder], tmp_path_factory.mktemp("tea-built") / "set").folder


@pytest.fixture
def tea_page() -> str:
    """The article about tea, as it was built."""
    return TEA


@pytest.fixture
def tea_set(_tea_set: Path, tmp_path: Path) -> Path:
    """Two articles built, in a folder of the test's own.

    Three labels and a rejected row about tea, a hostile label.
    """
    return Path(shutil.copytree(_tea_set, tmp_path / "set"))


@pytest.fixture(scope="session")
def draw_items() -> Callable[[Path, Path], list[Item]]:
    """Every row of a set as an item of a sheet.

    Labels in the order of the set, then rejected rows.
    """

    def draw(folder: Path, sheet: Path) -> list[Item]:
        evalset = hayami.load(folder)
        drafter = read_drafter(evalset, sheet)
        rejections = [
            rejection for rejection in evalset.rejections() if rejection.table is not None
        ]
        return [drafter.label(query) for query in evalset.queries()] + [
            drafter.rejected(one) for one in rejections
        ]

    return draw


@pytest.fixture(scope="session")
def pool_items() -> Callable[[Path, Path, Sequence[tuple[str, str]]], list[Item]]:
    """Items about pooled sections, from (query id, section id)."""

    def pool(folder: Path, sheet: Path, pairs: Sequence[tuple[str, str]]) -> list[Item]:
        evalset = hayami.load(folder)
        drafter = read_drafter(evalset, sheet)
        queries = {query.qid: query for query in evalset.queries()}
        return [drafter.pooled(queries[qid], section) for qid, section in pairs]

    return pool


@pytest.fixture
def tea_sheet(tea_set: Path, draw_items: Callable[[Path, Path], list[Item]]) -> Path:
    """A sheet of all rows of the tea set."""
    sheet = tea_set.parent / "sheet.jsonl"
    write_sheet(sheet, draw_items(tea_set, sheet))
    return sheet


@pytest.fixture
def draw() -> Callable[..., list[Item]]:
    """Rows of no real set for the tests of scoring.

    One for each ruling, of one stratum, filled in.
    """

    def rows(  # noqa: PLR0913 - as many as a row has properties that matter to a score
        rulings: Sequence[str | None],
        stratum: str = "all",
        population: int | None = None,
        *,
        kind: Kind = Kind.LABEL,
        seed: int | None = 0,
        first: int = 0,
        **more: object,
    ) -> list[Item]:
        return [
            _row(ruling, f"{stratum} {number} 番の質問", kind, f"q{number}").model_copy(
                update={
                    "stratum": stratum,
                    "population": len(rulings) if population is None else population,
                    "drawn": len(rulings),
                    "seed": seed,
                    **more,
                }
            )
            for number, ruling in enumerate(rulings, first)
        ]

    return rows


def _row(ruling: str | None, question: str, kind: Kind, qid: str) -> Item:
    rows = (row_key("ja/パン", question, "詳しい節"),)
    rejected = kind is Kind.REJECTION
    sections: tuple[str, ...] = () if rejected else (f"ja/パン#{qid[1:]}",)
    return Item(
        item=item_id(kind, rows, sections[0] if kind is Kind.POOL else ""),
        kind=kind,
        question=question,
        answer="",
        reference="詳しい節",
        sections=sections,
        verdict=Ruling(ruling) if ruling else None,
        chosen=("ja/パン#99",) if ruling in {"also", "other"} else (),
        stratum="all",
        population=1,
        drawn=1,
        qid="" if rejected else qid,
        article="ja/パン",
        topic="パン",
        language="ja",
        match=None if rejected else Match.EXACT,
        reason=Reason.UNMATCHED if rejected else None,
        detector=Detector.HEADER,
        rows=rows,
        set="set",
        set_sha256="5e7",
    )
