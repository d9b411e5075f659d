"""Titles that are needs: off unless asked for."""

from __future__ import annotations

import pytest

from extract.mining import corpus, mined
from hayami.extract.miners import miners

TEXT = "<p>" + "It is done in the menu of the settings. " * 4 + "</p>"


@pytest.mark.parametrize(
    "title",
    [
        "Changing the language of the menu",
        "Why does the screen go dark?",
        "The printer does not print photos",
        "ファイルを別のフォルダーへ移動する",
        "시간대 바꾸기",
        "如何设置默认打印机",
    ],
)
def test_a_title_is_answered_by_its_page_and_masked(title: str) -> None:
    found = mined(f"<title>{title} | Help</title><h1>{title}</h1>{TEXT}", "title")
    assert [(row.question, row.whole) for row in found.rows] == [(title, True)]
    assert title not in corpus(found)


@pytest.mark.parametrize(
    "title", ["Overview", "Release notes: changing the menu", "設定", "Networking"]
)
def test_other_titles_are_none(title: str) -> None:
    assert not mined(f"<title>{title}</title><h1>{title}</h1>{TEXT}", "title").rows


def test_titles_are_off_unless_asked_for() -> None:
    assert not next(miner for miner in miners() if miner.name == "title").default
