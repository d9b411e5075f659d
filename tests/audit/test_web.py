"""The server of the page, asked by plain HTTP: what it shows, records, and refuses."""

from __future__ import annotations

import http.client
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest

from hayami.audit.drafts import Drafts
from hayami.audit.items import Item
from hayami.audit.material import read_texts
from hayami.audit.session import Session
from hayami.audit.sheets import read_sheet
from hayami.audit.web import rendering
from hayami.audit.web.rendering import Command, Setup
from hayami.audit.web.server import MAX_BODY, listen, make_server, make_token, private_page
from hayami.errors import HayamiError
from hayami.evalset.records import Candidate, Ruling
from hayami.verdicts.log import Verdict, read_verdicts

Fields = list[tuple[str, str]]


@dataclass(frozen=True)
class Answer:
    """What the server answered."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass(frozen=True)
class Client:
    """A browser without script: sends what it is told to."""

    port: int
    base: str
    session: Session

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body, headers or {})
            got = connection.getresponse()
            return Answer(
                got.status, {k.lower(): v for k, v in got.getheaders()}, got.read().decode()
            )
        finally:
            connection.close()

    def get(self, path: str = "", **headers: str) -> Answer:
        return self.ask(
            "GET", self.base + path, headers={k.replace("_", "-"): v for k, v in headers.items()}
        )

    def post(self, path: str, fields: Fields, **headers: str) -> Answer:
        own = {
            "Origin": f"http://127.0.0.1:{self.port}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.ask("POST", self.base + path, urlencode(fields).encode(), own | given)

    def open(self, number: int) -> Fields:
        """The hidden fields of an item's form."""
        page = self.get(f"item/{number}").text
        form = page[page.index('<form id="judgement"') :]
        return re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form)

    def judge(self, number: int, *fields: tuple[str, str]) -> Answer:
        return self.post(f"item/{number}", [*self.open(number), *fields])


Serve = Callable[..., Client]


@contextmanager
def served(setup: Setup, language: str | None = None) -> Iterator[int]:
    """A server in a thread of this process; its port."""
    bound = listen(0)
    server = make_server(setup, language)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        yield bound.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)
        bound.close()


@pytest.fixture
def serve(tea_sheet: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Serve:
    """Serves the tea sheet, or other items of its set."""

    def start(
        items: list[Item] | None = None, *, language: str | None = None, **options: object
    ) -> Client:
        rows = items or read_sheet(tea_sheet)
        session = Session(rows, read_texts(rows, tea_sheet), tmp_path / "labels", "hana")
        base = f"/{make_token()}/"
        setup = Setup(session, "sheet.jsonl", base, **options)  # type: ignore[arg-type]
        running = served(setup, language)
        port = running.__enter__()
        request.addfinalizer(lambda: running.__exit__(None, None, None))
        return Client(port, base, session)

    return start


@pytest.fixture
def client(serve: Serve) -> Client:
    return serve()


def test_it_opens_at_the_first_row_that_waits(client: Client) -> None:
    assert client.get().headers["location"] == f"{client.base}item/1"
    client.judge(1, ("ruling", "right"))
    assert client.get().headers["location"] == f"{client.base}item/2"


def test_a_page_shows_question_answer_text_and_what_was_meant(client: Client) -> None:
    page = client.get("item/1").text
    for text in (
        "煎茶は何度がよい？",
        "70度から80度",
        "やかんで沸かす。",
        "玉露を蒸らす",
        "0 of 5 judged",
    ):
        assert text in page
    assert "<mark>煎茶の湯の温度</mark>" in page
    assert "番茶の湯の温度</h4>" in page
    assert 'lang="ja"' in page


def test_a_verdict_is_recorded_before_the_answer_and_leads_on(client: Client) -> None:
    answer = client.judge(
        2, ("ruling", "other"), ("chosen", "tea#2"), ("note", "行1\r\n行2"), ("rewrite", " 新 ")
    )
    assert answer.status == 303
    assert answer.headers["location"].startswith(f"{client.base}item/3?said=")
    (verdict,) = read_verdicts(client.session.labels)
    assert (verdict.ruling, verdict.note, verdict.rewrite) == (Ruling.OTHER, "行1\n行2", "新")
    assert (
        "Recorded: Other." in client.get(answer.headers["location"].removeprefix(client.base)).text
    )


def test_a_form_sent_twice_judges_one_row_once(client: Client) -> None:
    client.judge(1, ("ruling", "right"))
    client.judge(1, ("ruling", "right"))
    assert len(read_verdicts(client.session.labels)) == 1


def test_a_form_of_another_row_judges_nothing(client: Client) -> None:
    answer = client.post("item/2", [("item", client.session.items[0].item), ("ruling", "wrong")])
    assert answer.status == 404
    assert not client.session.labels.exists()


def test_what_was_said_is_shown_again_and_can_be_changed(client: Client) -> None:
    client.judge(1, ("ruling", "also"), ("chosen", "tea#1"), ("note", "見た"))
    page = client.get("item/1").text
    assert re.search(r'value="also"[^>]* checked', page)
    assert 'value="tea#1" checked' in page
    assert "見た</textarea>" in page
    client.judge(1, ("ruling", "right"))
    assert client.session.prefilled(client.session.items[0]).ruling is Ruling.RIGHT


def test_an_old_form_does_not_replace_a_newer_verdict_unless_it_is_sent_again(
    client: Client,
) -> None:
    old = client.open(1)
    client.judge(1, ("ruling", "also"), ("chosen", "tea#1"))
    answer = client.post("item/1", [*old, ("ruling", "wrong"), ("note", "古い画面")])
    assert answer.status == 409
    assert "another verdict in the meantime (Also)" in answer.text
    assert "古い画面</textarea>" in answer.text, "no typed word is lost"
    assert re.search(r'value="wrong"[^>]* checked', answer.text)
    assert len(read_verdicts(client.session.labels)) == 1
    assert client.judge(1, ("ruling", "wrong"), ("note", "古い画面")).status == 303
    assert [v.ruling for v in read_verdicts(client.session.labels)] == [Ruling.ALSO, Ruling.WRONG]


def test_an_old_form_that_says_the_same_or_follows_a_verdict_taken_back_is_taken(
    client: Client,
) -> None:
    old = client.open(1)
    client.judge(1, ("ruling", "right"))
    assert client.post("item/1", [*old, ("ruling", "right")]).status == 303
    client.post("undo", [("item", client.session.items[0].item)])
    assert client.post("item/1", [*old, ("ruling", "wrong")]).status == 303


def test_what_was_typed_is_there_after_a_restart_and_gone_once_it_is_recorded(
    serve: Serve,
) -> None:
    first = serve()
    typed = [
        ("ruling", "also"),
        ("chosen", "tea#1"),
        ("note", "まだ考え中"),
        ("rewrite", "煎茶の湯"),
    ]
    assert first.post("item/1/draft", [*first.open(1), *typed]).status == 204
    assert not first.session.labels.joinpath("verdicts-hana.jsonl").exists(), "it is no verdict"
    again = serve()
    page = again.get("item/1").text
    assert "まだ考え中</textarea>" in page
    assert 'value="煎茶の湯"' in page
    assert "Not recorded yet" in page
    assert "Not recorded yet" not in again.get("item/2").text
    again.judge(1, *typed)
    assert "Not recorded yet" not in again.get("item/1").text
    assert not list(again.session.labels.glob(".drafts*"))


def test_what_was_typed_before_a_newer_verdict_is_not_shown_over_it(client: Client) -> None:
    old = client.open(1)
    client.judge(1, ("ruling", "right"))
    client.post("item/1/draft", [*old, ("ruling", "wrong"), ("note", "前のメモ")])
    assert "前のメモ" not in client.get("item/1").text


def test_drafts_are_for_their_owner_alone(client: Client) -> None:
    client.post("item/1/draft", [*client.open(1), ("note", "私的なメモ")])
    (file,) = client.session.labels.glob(".drafts*")
    assert file.stat().st_mode & 0o777 == 0o600


def test_drafts_that_are_damaged_are_none(client: Client) -> None:
    client.session.labels.mkdir()
    (client.session.labels / ".drafts-hana.json").write_bytes(b"{\xff")
    assert Drafts(client.session.labels, "hana").of(client.session.items[0].item, "") is None


@pytest.mark.parametrize("site", ["same-origin", "none", "same-site"])
def test_a_forged_fetch_site_without_the_token_gets_nothing(client: Client, site: str) -> None:
    headers = {"Sec-Fetch-Site": site, "Origin": f"http://127.0.0.1:{client.port}"}
    body = urlencode([("item", client.session.items[0].item), ("ruling", "wrong")]).encode()
    for token in ("", "x" * 32, client.base.strip("/")[:-1], client.base.strip("/") + "x"):
        for method, path in (("POST", "item/1"), ("POST", "undo"), ("GET", "item/1"), ("GET", "")):
            answer = client.ask(method, f"/{token}/{path}", body, headers)
            assert (answer.status, answer.text) == (404, "Not Found"), (method, token, path)
    assert not client.session.labels.exists()


def test_the_browser_is_led_on_by_a_file_for_its_owner_alone() -> None:
    address = "http://127.0.0.1:1/a-token&b/"
    with private_page(address) as page:
        assert page.stat().st_mode & 0o777 == 0o600
        assert page.parent.stat().st_mode & 0o777 == 0o700
        assert 'content="0; url=http://127.0.0.1:1/a-token&amp;b/"' in page.read_text()
    assert not page.exists()


def test_an_answer_that_makes_no_sense_keeps_the_form_and_says_what_is_missing(
    client: Client,
) -> None:
    answer = client.judge(1, ("ruling", "other"), ("note", "keep me"))
    assert answer.status == 422
    assert "tick the section" in answer.text
    assert 'role="alert"' in answer.text
    assert "keep me</textarea>" in answer.text
    assert re.search(r'value="other"[^>]* checked', answer.text)
    assert not client.session.labels.exists()


def test_undo_takes_one_verdict_back_and_opens_its_row(client: Client) -> None:
    client.judge(1, ("ruling", "right"))
    form = [("item", client.session.items[0].item)]
    assert 'id="undo"' in client.get("item/2").text
    answer = client.post("undo", form)
    assert answer.headers["location"] == f"{client.base}item/1?told=undone"
    assert client.post("undo", form).headers["location"].endswith("told=not_undone")
    assert 'id="undo"' not in client.get("item/2").text


def test_after_the_last_row_the_overview_says_what_to_run(serve: Serve) -> None:
    client = serve(commands=(Command("hayami audit score 'a <sheet>.jsonl'", "run_score"),))
    for number in range(1, 5):
        client.judge(number, ("ruling", "right"))
    last = client.judge(5, ("ruling", "nothing"))
    assert last.headers["location"].startswith(f"{client.base}overview")
    page = client.get("overview").text
    assert "All judged" in page
    assert "hayami audit score &#39;a &lt;sheet&gt;.jsonl&#39;" in page
    assert "<b>4</b> Right" in page


def test_a_blind_page_holds_no_evidence(serve: Serve, tea_sheet: Path) -> None:
    items = read_sheet(tea_sheet)
    secret = Candidate(article="trouble", section=None, heading="SECRET-CANDIDATE", score=0.123)
    items[4] = items[4].model_copy(
        update={"candidates": (secret,), "why": "SECRET-WHY", "reference": "SECRET-CELL"}
    )
    items[0] = items[0].model_copy(
        update={"why": "SECRET-WHY", "reference": "SECRET-CELL", "qid": "SECRET-QID"}
    )
    told = ("SECRET", "exact", "unmatched", "Similarity", "0.12", "Runner-up", "header", "trouble")
    seen = serve(items)
    blind = serve(items, blind=True)
    for number in (1, 5):
        assert "SECRET-CELL" in seen.get(f"item/{number}").text
        page = blind.get(f"item/{number}").text.replace(blind.base, "/")
        page = re.sub(r"<header>.*?</header>", "", page, flags=re.DOTALL)
        assert [word for word in told if word in page] == []


def test_every_text_is_escaped(client: Client) -> None:
    client.judge(
        4, ("ruling", "right"), ("note", "</textarea><script>window.broken=1</script>\u2028")
    )
    for page in (
        client.get("item/4").text,
        client.get("overview").text,
        client.get("item/1/found?words=closing").text,
    ):
        assert "window.broken" in page
        assert "<script>window" not in page
        assert "<img" not in page
    assert "{{ 7 * 7 }}" in client.get("item/4").text


def test_a_search_finds_sections_of_other_articles_and_they_can_be_chosen(client: Client) -> None:
    found = client.get("item/1/found?words=CLOSING").text
    assert 'value="trouble#0"' in found
    assert 'value="tea#' not in client.get(f"item/1/found?{urlencode({'words': '玉露'})}").text
    client.judge(1, ("ruling", "other"), ("chosen", "trouble#0"))
    assert 'value="trouble#0" checked' in client.get("item/1").text


def test_long_texts_are_read_on_a_page_of_their_own(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "INLINE", 5)
    page = client.get("item/1").text
    assert "50度で2分待つ。" not in page
    link = re.search(r'href="/[^"]*?/(item/1/section\?id=[^"]+)"', page)
    assert link is not None
    assert "50度で2分待つ。" in client.get(link[1]).text
    assert client.get("item/1/section?id=no").status == 404


def test_a_row_that_is_gone_says_so_and_cannot_be_judged(serve: Serve, tea_sheet: Path) -> None:
    items = read_sheet(tea_sheet)
    items[0] = items[0].model_copy(update={"article": "burnt", "set_sha256": "0" * 64})
    client = serve(items)
    page = client.get("item/1").text
    assert "no longer there: burnt" in page
    assert "built again" in page
    assert client.judge(1, ("ruling", "right")).status == 422
    assert client.get().headers["location"].endswith("item/2")


def test_what_judges_said_is_shown_to_the_one_who_decides(serve: Serve, tea_sheet: Path) -> None:
    item = read_sheet(tea_sheet)[0]
    said = Verdict(
        rows=item.rows, question="q", ruling=Ruling.WRONG, note="weil <b>", judge="jiro", at="2026"
    )
    page = serve(disagreements={item.item: (said,)}).get("item/1").text
    assert "jiro" in page
    assert "weil &lt;b&gt;" in page


def test_the_page_speaks_the_language_of_the_browser_or_the_one_asked_for(
    serve: Serve, client: Client
) -> None:
    assert '<html lang="ja">' in client.get("item/1", Accept_Language="ja,en;q=0.8").text
    assert '<html lang="en">' in client.get("item/1", Accept_Language="ko,en;q=0.8").text
    assert "記録する" in serve(language="ja").get("item/1", Accept_Language="en").text


def test_without_the_token_nothing_is_there(client: Client) -> None:
    for path in (
        "/",
        "/item/1",
        "/review.css",
        "/x/item/1",
        client.base[:-2] + "/item/1",
        "//item/1",
    ):
        assert client.ask("GET", path).status == 404
    assert client.ask("POST", "/x/undo", b"").status == 404
    assert make_token() != make_token()


def test_a_foreign_host_name_is_refused(client: Client) -> None:
    assert client.get("item/1", Host=f"evil.example:{client.port}").status == 400
    assert client.get("item/1", Host=f"localhost:{client.port}").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_a_form_on_another_site_records_nothing(client: Client, headers: dict[str, str]) -> None:
    fields = [("item", client.session.items[0].item), ("ruling", "right")]
    assert client.post("item/1", fields, **headers).status == 403
    assert not client.session.labels.exists()


def test_a_post_of_unknown_origin_is_refused(client: Client) -> None:
    assert client.ask("POST", f"{client.base}item/1", b"item=x").status == 403


def test_every_answer_forbids_foreign_content_and_keeping(client: Client) -> None:
    for path in ("", "item/1", "review.js", "review.css", "icon.svg", "nothing"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"


def test_pages_name_nothing_outside_and_hold_no_inline_script_or_style(client: Client) -> None:
    for path in ("item/1", "overview"):
        page = client.get(path).text
        assert not re.search(r'(?:src|href|action)="(?!/|#)', page)
        assert not re.search(r"<script(?! src=)|<style|<[^>]*\s(style|on\w+)=", page)
    for path in ("review.css", "review.js"):
        assert not re.search(r"https?://|url\(|@import", client.get(path).text)


def test_what_is_no_form_is_refused(client: Client) -> None:
    assert client.judge(1, ("ruling", "right"), ("note", "x" * MAX_BODY)).status == 413
    assert client.post("item/1", []).status == 404
    assert client.judge(1, ("ruling", "banana")).status == 422
    for number in (0, 6, 10**30):
        assert client.get(f"item/{number}").status == 404
    assert client.get("item/x").status == 404
    assert not client.session.labels.exists()


def test_bytes_that_are_no_text_do_no_harm(client: Client) -> None:
    body = (
        f"item={client.session.items[0].item}&ruling=right&note=%ff%00%ed%a0%80&chosen=%".encode()
    )
    own = {"Origin": f"http://127.0.0.1:{client.port}"}
    assert client.ask("POST", f"{client.base}item/1", body, own).status == 422
    assert (
        client.ask("POST", f"{client.base}item/1", body.replace(b"&chosen=%", b""), own).status
        == 303
    )
    assert read_verdicts(client.session.labels)[0].note.startswith("\ufffd")


def test_a_disk_that_refuses_is_said_and_the_form_stays(client: Client) -> None:
    client.session.labels.write_text("a file where the folder should be")
    answer = client.judge(1, ("ruling", "right"), ("note", "keep me"))
    assert answer.status == 500
    assert "Not recorded" in answer.text
    assert "keep me</textarea>" in answer.text


def test_a_damaged_verdict_file_becomes_a_page_that_names_it(client: Client) -> None:
    client.session.labels.mkdir()
    (client.session.labels / "verdicts-x.jsonl").write_text("{}\n{}\n")
    answer = client.get("item/1")
    assert answer.status == 500
    assert "verdicts-x.jsonl:1" in answer.text


def test_a_port_that_is_taken_is_an_error_that_names_it() -> None:
    with listen(0) as bound, pytest.raises(HayamiError) as error:
        listen(bound.getsockname()[1])
    assert "--port" in error.value.hint
