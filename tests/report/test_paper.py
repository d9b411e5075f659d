"""Reports on paper and on a phone, as Chromium lays them out: no column lost, no word in pieces."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import hayami

REQUIRED = os.environ.get("HAYAMI_BROWSER_TESTS") == "required"
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
PDFTOTEXT = shutil.which("pdftotext")
MISSING = "needs Chromium and pdftotext: install Debian's packages chromium and poppler-utils"
pytestmark = pytest.mark.skipif(
    (CHROMIUM is None or PDFTOTEXT is None) and not REQUIRED, reason=MISSING
)
if TYPE_CHECKING or CHROMIUM is not None:
    if not REQUIRED:
        pytest.importorskip("playwright.sync_api", reason="no playwright: pip install playwright")
    from playwright import sync_api
    from playwright.sync_api import Browser
else:
    Browser = object

Ran = subprocess.CompletedProcess[str]
NARROW = """() => [...document.querySelectorAll("th, td")]
    .filter(cell => cell.offsetParent && /[a-z]{8}/i.test(cell.innerText))
    .filter(cell => cell.getBoundingClientRect().width < 3 * parseFloat(getComputedStyle(cell).fontSize))
    .map(cell => cell.innerText)"""  # noqa: E501
"""Cells that hold a word of eight letters and are narrower than three."""
WIDER = "() => document.documentElement.scrollWidth > window.innerWidth"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None or PDFTOTEXT is None:
        pytest.fail(MISSING)
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        yield launched
        launched.close()


@pytest.fixture
def reports(sample: hayami.Built, tmp_path: Path, cli: Callable[..., Ran]) -> dict[str, Path]:
    """One report of each kind, of the sample."""
    evalset, runs = str(sample.folder), tmp_path / "runs"
    made = {name: tmp_path / f"{name}.html" for name in ("measured", "compared", "writers")}
    one, other = str(runs / "bm25_2.run"), str(runs / "bm25_23.run")
    commands = [
        ["search", evalset, "-r", "bm25_2", "-r", "bm25_23", "--out", str(runs)],
        ["evaluate", evalset, one, other, "--html", str(made["measured"])],
        ["compare", evalset, one, other, "--html", str(made["compared"])],
        ["report", evalset, "--writers", "--out", str(made["writers"])],
    ]
    for command in commands:
        ran = cli(*command)
        assert ran.returncode == 0, ran.stderr
    return made


def printed(browser: Browser, page: Path, tmp_path: Path) -> str:
    """The text of a page printed on A4."""
    opened = browser.new_page()
    opened.goto(page.as_uri())
    pdf = tmp_path / "printed.pdf"
    opened.pdf(path=pdf, prefer_css_page_size=True)
    opened.close()
    told = subprocess.run(
        [str(PDFTOTEXT), "-layout", str(pdf), "-"], capture_output=True, check=True
    )
    return told.stdout.decode()


def test_no_column_is_lost_on_paper(
    browser: Browser, reports: dict[str, Path], tmp_path: Path
) -> None:
    measured = printed(browser, reports["measured"], tmp_path)
    assert "design" in measured
    assert "effect" in measured
    compared = printed(browser, reports["compared"], tmp_path)
    assert "verdict" in compared
    assert "clear" in compared
    assert "better" in compared
    writers = printed(browser, reports["writers"], tmp_path)
    assert "直すところ" in writers
    assert "To mend" in writers


@pytest.mark.parametrize("width", [390, 1200])
def test_nothing_is_cut_or_broken_letter_by_letter_on_a_phone(
    browser: Browser, reports: dict[str, Path], width: int
) -> None:
    for page in reports.values():
        opened = browser.new_page(viewport={"width": width, "height": 800})
        opened.goto(page.as_uri())
        assert opened.evaluate(NARROW) == []
        assert not opened.evaluate(WIDER), f"{page.name} is wider than the screen"
        opened.close()


def test_a_report_is_dark_where_the_reader_wants_it(
    browser: Browser, reports: dict[str, Path]
) -> None:
    ground = "() => getComputedStyle(document.body).backgroundColor"
    found = set()
    for scheme in ("light", "dark"):
        opened = browser.new_page(color_scheme=scheme)
        opened.goto(reports["compared"].as_uri())
        found.add(opened.evaluate(ground))
        opened.close()
    assert found == {"rgb(255, 255, 255)", "rgb(22, 22, 22)"}
