"""The page in a real Chromium, served by the real command.

Keys, kills, phones and hostile texts.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import hayami
from hayami.audit.items import Item
from hayami.audit.sheets import read_sheet, write_sheet
from hayami.evalset.records import Match, Ruling
from hayami.verdicts.log import Verdict, read_verdicts

REQUIRED = os.environ.get("HAYAMI_BROWSER_TESTS") == "required"
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
MISSING = "no Chromium found: install Debian's package chromium (or Google Chrome) to run the browser tests"  # noqa: E501
pytestmark = pytest.mark.skipif(CHROMIUM is None and not REQUIRED, reason=MISSING)
if CHROMIUM is not None:
    if not REQUIRED:
        pytest.importorskip("playwright.sync_api", reason="no playwright: pip install playwright")
    from playwright import sync_api
    from playwright.sync_api import expect
if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

Ran = subprocess.CompletedProcess[str]
MAIN = "from hayami.cli import main; main()"
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass
class Review:
    """A running ``hayami audit review``."""

    process: subprocess.Popen[str]
    address: str
    labels: Path

    @property
    def verdicts(self) -> list[Verdict]:
        return read_verdicts(self.labels) if self.labels.exists() else []

    def stop(self, by: signal.Signals) -> tuple[int, str]:
        """Its exit code and what it said after a signal."""
        self.process.send_signal(by)
        _, told = self.process.communicate(timeout=10)
        return self.process.returncode, told


Start = Callable[..., Review]
OpenPage = Callable[..., "Page"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.fail(MISSING)
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


def run_review(sheet: Path, labels: Path, *options: str) -> Review:
    """The command, started; it serves when this returns."""
    told = [str(sheet), "--labels", str(labels), "--judge", "hana", "--no-open", *options]
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, "audit", "review", *told],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    said = ""
    for line in process.stderr or ():
        said += line
        if address := re.search(r"http://\S+", line):
            return Review(process, address[0], labels)
    process.communicate(timeout=10)
    pytest.fail(f"the server did not start: {said}")


@pytest.fixture
def start(tea_sheet: Path, tmp_path: Path) -> Iterator[Start]:
    """Starts the command on the tea sheet; what still runs after the test is killed."""
    running: list[Review] = []

    def run(*options: str) -> Review:
        running.append(run_review(tea_sheet, tmp_path / "labels", *options))
        return running[-1]

    yield run
    for review in running:
        review.process.kill()
        review.process.communicate(timeout=10)


@pytest.fixture(scope="module")
def _shared(
    _tea_set: Path,
    draw_items: Callable[[Path, Path], list[Item]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Review]:
    folder = tmp_path_factory.mktemp("shared")
    sheet = folder / "sheet.jsonl"
    write_sheet(sheet, draw_items(_tea_set, sheet))
    review = run_review(sheet, folder / "labels")
    yield review
    review.process.kill()
    review.process.communicate(timeout=10)


@pytest.fixture
def review(_shared: Review) -> Review:
    """A running server of all tests that do not stop it, with nothing judged.

    It reads the labels when they change.
    """
    shutil.rmtree(_shared.labels, ignore_errors=True)
    return _shared


@pytest.fixture
def address(review: Review) -> str:
    return review.address


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens a page in a context of its own.

    No request may leave this machine, no script may fail.
    """
    asked: list[str] = []
    faults: list[str] = []
    contexts: list[BrowserContext] = []

    def open_new(address: str, **options: Any) -> Page:
        given: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB"}
        context = browser.new_context(**given | options)
        context.on("request", lambda request: asked.append(request.url))
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        page.goto(address)
        return page  # goto waits for the load event, and so for the script

    yield open_new
    for context in contexts:
        context.close()
    assert faults == []
    assert [url for url in asked if not url.startswith("http://127.0.0.1:")] == []


def at_row(page: Page, number: int) -> None:
    expect(page.locator("html.js .place")).to_have_text(
        f"{number} / 5"
    )  # the keys are there with the class


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_a_whole_sheet_is_judged_with_the_keyboard_alone(
    review: Review, open_page: OpenPage
) -> None:
    page = open_page(review.address)
    at_row(page, 1)
    press(page, "1", "Enter")
    at_row(page, 2)
    press(page, "4", "j", "j", " ", "n")
    page.keyboard.type("j1?u 別の節")
    press(page, "Escape", "Enter")
    at_row(page, 3)
    press(page, "6", "r")
    page.keyboard.type("緑茶の葉の保管場所は？")
    press(page, "Enter")
    at_row(page, 4)
    press(page, "ArrowRight")
    at_row(page, 5)
    press(page, "5", "Enter")
    at_row(page, 4)
    press(page, "7", "Enter")
    expect(page.locator("h1")).to_have_text("All judged")
    assert [
        (v.ruling, v.note, v.rewrite, [s.section for s in v.sections]) for v in review.verdicts
    ] == [
        (Ruling.RIGHT, "", "", []),
        (Ruling.OTHER, "j1?u 別の節", "", ["tea#2"]),
        (Ruling.CONTEXT, "", "緑茶の葉の保管場所は？", []),
        (Ruling.NOTHING, "", "", []),
        (Ruling.UNSURE, "", "", []),
    ]


def test_a_killed_server_loses_nothing_and_opens_where_it_stopped(
    start: Start, open_page: OpenPage
) -> None:
    review = start()
    page = open_page(review.address)
    press(page, "1", "Enter")
    at_row(page, 2)
    press(page, "2", "Enter")
    at_row(page, 3)
    before = review.verdicts
    code, _ = review.stop(signal.SIGKILL)
    assert code == -signal.SIGKILL
    again = start()
    assert again.address != review.address
    page = open_page(again.address)
    at_row(page, 3)
    press(page, "1", "Enter")
    at_row(page, 4)
    assert again.verdicts[:2] == before
    assert [verdict.ruling for verdict in again.verdicts] == [
        Ruling.RIGHT,
        Ruling.WRONG,
        Ruling.RIGHT,
    ]


def test_a_closed_tab_loses_nothing_and_an_old_one_asks_before_it_replaces_a_verdict(
    review: Review, open_page: OpenPage
) -> None:
    first, second = open_page(review.address), open_page(review.address)
    press(first, "1", "Enter")
    at_row(first, 2)
    first.close()
    at_row(second, 1)
    press(second, "2", "Enter")
    expect(second.get_by_role("alert")).to_contain_text("another verdict in the meantime (Right)")
    at_row(second, 1)  # the new page has its keys
    assert [verdict.ruling for verdict in review.verdicts] == [Ruling.RIGHT]
    press(second, "Enter")
    at_row(second, 2)
    assert [verdict.ruling for verdict in review.verdicts] == [Ruling.RIGHT, Ruling.WRONG]
    at_row(open_page(review.address), 2)


def test_undo_opens_the_row_again(review: Review, open_page: OpenPage) -> None:
    page = open_page(review.address)
    press(page, "1", "Enter")
    at_row(page, 2)
    expect(page.get_by_role("status").first).to_have_text("Recorded: Right.")
    press(page, "u")
    at_row(page, 1)
    expect(page.locator("#message")).to_contain_text("Taken back")
    expect(page.locator("input[name=ruling]:checked")).to_have_count(0)
    assert [verdict.ruling for verdict in review.verdicts] == [Ruling.RIGHT, None]


def test_enter_pressed_twice_judges_one_row(review: Review, open_page: OpenPage) -> None:
    page = open_page(review.address)
    page.evaluate(
        """() => {
            document.querySelector("input[value=right]").checked = true;
            const enter = () => new KeyboardEvent("keydown", {key: "Enter", bubbles: true});
            for (const _ of [1, 2]) document.body.dispatchEvent(enter());
        }"""
    )
    at_row(page, 2)
    assert len(review.verdicts) == 1


def test_what_is_missing_is_said_where_the_judge_is(review: Review, open_page: OpenPage) -> None:
    page = open_page(review.address)
    press(page, "4", "Enter")
    expect(page.get_by_role("alert")).to_contain_text("tick the section")
    expect(page.locator("input[value=other]")).to_be_checked()
    press(page, "j", " ", "Enter")
    at_row(page, 2)


def test_keys_do_nothing_while_a_word_is_composed_or_a_modifier_is_held(
    review: Review, open_page: OpenPage
) -> None:
    page = open_page(review.address)
    press(page, "1")
    page.evaluate(
        """() => {
            const send = (more) => document.body.dispatchEvent(
                new KeyboardEvent("keydown", {key: "Enter", bubbles: true, cancelable: true, ...more}));
            send({isComposing: true}); send({keyCode: 229}); send({ctrlKey: true}); send({altKey: true});
        }"""  # noqa: E501
    )
    page.locator("h1").click()
    at_row(page, 1)
    assert review.verdicts == []


def test_the_keys_are_explained_and_the_explanation_closes(
    address: str, open_page: OpenPage
) -> None:
    page = open_page(address)
    press(page, "?")
    expect(page.get_by_role("dialog")).to_contain_text("Record the verdict")
    press(page, "1", "Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("input[name=ruling]:checked")).to_have_count(0)


def test_headings_are_filtered_and_found_in_all_articles(
    review: Review, open_page: OpenPage
) -> None:
    page = open_page(review.address)
    press(page, "4", "/")
    page.keyboard.type("玉露")
    expect(page.locator("#list li:visible")).to_have_count(1)
    page.locator("#filter").fill("closing")
    press(page, "Enter")
    expect(page.locator("#found input")).to_be_focused()
    press(page, " ", "Enter")
    at_row(page, 2)
    assert [name.section for name in review.verdicts[0].sections] == ["trouble#0"]


def test_a_section_is_read_in_its_place(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    expect(page.get_by_text("50度で2分待つ。")).to_be_hidden()
    press(page, "j", "o")
    expect(page.get_by_text("50度で2分待つ。")).to_be_visible()


def test_the_heading_that_was_meant_is_in_view(address: str, open_page: OpenPage) -> None:
    page = open_page(address, viewport={"width": 360, "height": 500})
    expect(page.locator(".meant")).to_be_in_viewport(ratio=1)
    expect(page.locator("h1")).to_be_in_viewport()
    box, asked, bar = (page.locator(at).bounding_box() for at in (".meant", ".ask", ".verdict"))
    assert box is not None
    assert asked is not None
    assert bar is not None
    assert asked["y"] + asked["height"] <= box["y"]
    assert box["y"] + box["height"] <= bar["y"]


def test_a_blind_page_holds_no_evidence(start: Start, open_page: OpenPage) -> None:
    page = open_page(start("--blind").address)
    shown = page.content()
    assert "煎茶は何度がよい？" in shown
    assert [
        word for word in ("exact", "Runner-up", "Similarity", "header words") if word in shown
    ] == []


@pytest.mark.parametrize("width", [360, 1280])
def test_no_page_scrolls_sideways(address: str, open_page: OpenPage, width: int) -> None:
    page = open_page(address, viewport={"width": width, "height": 740})
    for path in (
        *(f"item/{number}" for number in range(1, 6)),
        "overview",
        "item/1/section?id=trouble%230",
    ):
        page.goto(address + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page.goto(address + "item/1")
    for ruling in page.locator("label.ruling").all():
        box = ruling.bounding_box()
        assert box is not None
        assert box["height"] >= 40
        assert box["x"] + box["width"] <= width


def test_hostile_texts_stay_texts(review: Review, open_page: OpenPage) -> None:
    page = open_page(review.address + "item/4")
    press(page, "1", "n")
    page.keyboard.insert_text("</textarea><script>window.broken=1</script>\u2028\u202e")
    press(page, "Escape", "Enter")
    at_row(page, 5)
    page.goto(review.address + "item/4")
    assert page.evaluate("window.broken") is None
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1
    expect(page.locator("#note")).to_have_value(
        "</textarea><script>window.broken=1</script>\u2028\u202e"
    )
    page.goto(review.address + "overview")
    assert page.evaluate("window.broken") is None


def test_the_page_works_without_script(review: Review, open_page: OpenPage) -> None:
    page = open_page(
        review.address, java_script_enabled=False, viewport={"width": 360, "height": 740}
    )
    page.locator("label.ruling", has_text="Other").click()
    page.locator(".shelf label", has_text="玉露を蒸らす").click()
    page.get_by_role("button", name="Record").click()
    expect(page.locator(".place")).to_have_text("2 / 5")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".place")).to_have_text("1 / 5")
    assert [verdict.ruling for verdict in review.verdicts] == [Ruling.OTHER, None]


def test_the_focus_goes_in_reading_order_and_can_be_seen(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    order: list[str] = []
    for _ in range(14):
        press(page, "Tab")
        order.append(
            page.evaluate("document.activeElement.name || document.activeElement.id || 'other'")
        )
        assert page.evaluate(
            """() => { const e = document.activeElement, outer = e.closest("label.ruling") ?? e;
                       return getComputedStyle(outer).outlineStyle !== "none"; }"""
        ), order
    named = [name for name in order if name in {"ruling", "record", "words", "chosen"}]
    assert named[:4] == ["ruling", "record", "words", "chosen"]


CONTRAST = """(selectors) => {
    const channels = (color) => color.match(/[\\d.]+/g).map(Number);
    const light = (color) => channels(color).slice(0, 3).map((c) => c / 255)
        .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, n) => sum + c * [0.2126, 0.7152, 0.0722][n], 0);
    const behind = (element) => {
        for (let e = element; e; e = e.parentElement) {
            const color = getComputedStyle(e).backgroundColor;
            if ((channels(color)[3] ?? 1) > 0) return color;
        }
        return "rgb(255,255,255)";
    };
    return selectors.map((selector) => {
        const element = document.querySelector(selector);
        const [a, b] = [light(getComputedStyle(element).color), light(behind(element))].sort((x, y) => y - x);
        return [selector, (a + 0.05) / (b + 0.05)];
    });
}"""  # noqa: E501


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_what_is_behind_them(
    address: str, open_page: OpenPage, scheme: str
) -> None:
    # WCAG 2.2, criterion 1.4.3 (AA): 4.5:1 for text.
    page = open_page(address, color_scheme=scheme)
    press(page, "1")
    texts = [
        "h1",
        ".answer span",
        ".means",
        ".ruling kbd",
        ".ruling b",
        "#record",
        "#record kbd",
        ".evidence dt",
    ]
    texts += [
        ".meant mark",
        ".meant small",
        ".text p",
        ".where",
        ".shelf label span",
        ".shelf .id",
        "summary",
        ".hint",
    ]
    ratios = page.evaluate(CONTRAST, texts)
    assert [(text, ratio) for text, ratio in ratios if ratio < 4.5] == []


def test_ctrl_c_ends_it_and_says_what_is_left(start: Start, open_page: OpenPage) -> None:
    review = start()
    page = open_page(review.address)
    press(page, "1", "Enter")
    at_row(page, 2)
    code, told = review.stop(signal.SIGINT)
    assert code == 0
    assert "1 of 5 judged, 4 left" in told
    assert "Traceback" not in told


def test_typed_words_are_there_after_a_restart_of_the_program(
    start: Start, open_page: OpenPage
) -> None:
    review = start()
    page = open_page(review.address)
    press(page, "3", "n")
    with page.expect_response(lambda response: response.url.endswith("/draft")):
        page.keyboard.type("大事なメモ")
    review.stop(signal.SIGKILL)
    again = open_page(start().address)
    expect(again.locator("#note")).to_have_value("大事なメモ")
    expect(again.locator("input[value=also]")).to_be_checked()
    expect(again.locator("#message")).to_contain_text("Not recorded yet")
    assert review.verdicts == []


def test_words_typed_just_before_the_page_is_left_are_kept(
    review: Review, open_page: OpenPage
) -> None:
    page = open_page(review.address)
    press(page, "n")
    page.keyboard.type("メモ")
    page.locator("#next").click()
    at_row(page, 2)
    page.locator("#previous").click()
    at_row(page, 1)
    expect(page.locator("#note")).to_have_value("メモ")


def test_a_page_without_its_program_says_so_and_keeps_the_words(
    start: Start, open_page: OpenPage
) -> None:
    review = start()
    page = open_page(review.address)
    press(page, "1", "n")
    page.keyboard.type("大事なメモ")
    review.stop(signal.SIGKILL)
    press(page, "Escape", "Enter")
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    expect(page.locator("#note")).to_have_value("大事なメモ")
    press(page, "/")
    page.keyboard.type("closing")
    press(page, "Enter")
    expect(page.get_by_role("alert")).to_contain_text("does not answer")


def test_the_whole_path_from_a_draw_to_the_corrected_label_in_the_qrels(
    sample: hayami.Built,
    articles: Path,
    tmp_path: Path,
    process: Callable[..., Ran],
    open_page: OpenPage,
) -> None:
    sheet, labels, rebuilt = tmp_path / "sheet.jsonl", tmp_path / "labels", tmp_path / "set"
    assert (
        process(
            "audit", "sample", sample.folder, "-n", "20", "--seed", "0", "--out", sheet
        ).returncode
        == 0
    )
    items = read_sheet(sheet)

    review = run_review(sheet, labels)
    try:
        page = open_page(review.address)
        for number in range(1, len(items) + 1):
            expect(page.locator("html.js .place")).to_have_text(f"{number} / {len(items)}")
            press(page, *(["4", "j", " "] if number == 1 else ["1"]), "Enter")
        expect(page.locator("h1")).to_have_text("All judged")
    finally:
        review.process.kill()
        review.process.communicate(timeout=10)

    scored = process("audit", "score", sheet, "--labels", labels, "--json")
    assert json.loads(scored.stdout)["labels"]["tally"] == {
        "rows": 20,
        "right": 19,
        "wrong": 1,
        "unsure": 0,
        "disputed": 0,
        "unjudged": 0,
    }
    assert process("build", articles, "--out", rebuilt, "--labels", labels).returncode == 0
    assert process("check", rebuilt).returncode == 0

    (other,) = [verdict for verdict in review.verdicts if verdict.ruling is Ruling.OTHER]
    (chosen,) = [name.section for name in other.sections]
    first = items[0]
    before, after = hayami.load(sample.folder), hayami.load(rebuilt)
    assert before.qrels()[first.qid][chosen] == 1
    assert f"{first.qid} 0 {chosen} 2\n" in (rebuilt / "qrels.txt").read_text(encoding="utf-8")
    assert after.qrels()[first.qid][first.sections[0]] == 1
    (query,) = [query for query in after.queries() if query.qid == first.qid]
    assert (query.match, [applied.ruling for applied in query.verdicts]) == (
        Match.MANUAL,
        [Ruling.OTHER],
    )
    untouched = {item.qid for item in items[1:]}
    assert {q: before.qrels()[q] for q in untouched} == {q: after.qrels()[q] for q in untouched}
