"""The server of the page: bound to this machine, behind a random path, closed to every other site.

What guards it, and against what:

- bound to 127.0.0.1: other machines;
- a random token in the path, 404 without it: other users of this machine, and pages that guess the
    port; it is in no command line, since the browser is given a private file that leads on;
- the Host header must name this machine: a foreign name that resolves to 127.0.0.1 (DNS rebinding);
- a POST must come from the page itself (Sec-Fetch-Site, else Origin): forms on other sites;
- a Content-Security-Policy that allows nothing but the page's own style and script: texts of
    articles that hold code.
"""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from importlib import resources
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlencode

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hayami.audit.drafts import Draft, Drafts
from hayami.audit.items import Item
from hayami.audit.session import Answer
from hayami.audit.web.rendering import Pages, Setup, ruling_name
from hayami.audit.wording import JudgeWords, preferred
from hayami.errors import HayamiError
from hayami.evalset.records import Ruling

HOST: Final = "127.0.0.1"
MAX_BODY: Final = 1 << 20
"""Bytes of a posted form: a note of a million characters is none."""
_TOKEN_BYTES: Final = 24
_TYPES: Final = {
    "review.css": "text/css",
    "review.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
_REDIRECT: Final = """<!DOCTYPE html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>hayami</title>
<p><a href="{address}">hayami</a></p>
"""
_HEADERS: Final = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # with no-referrer, browsers would send "Origin: null" with our own forms
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}


def make_token() -> str:
    """A random path segment that nobody can guess."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def listen(port: int) -> socket.socket:
    """A socket that listens on 127.0.0.1; port 0 takes any free one.

    Raises:
        HayamiError: the port is taken, or not allowed.
    """
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if hasattr(socket, "SO_REUSEADDR") and not hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((HOST, port))
        bound.listen()
    except OSError as error:
        bound.close()
        what = f"cannot listen: {error.strerror or error}"
        raise HayamiError(
            what, where=f"{HOST}:{port}", hint="Choose another --port; 0 takes any."
        ) from error
    return bound


@contextmanager
def private_page(address: str) -> Iterator[Path]:
    """A page that only its owner can read and that leads on to ``address``; gone afterwards.

    A browser is given this file and not the address: everybody on the machine can read what a
    program is started with, and the address holds the token.
    """
    with tempfile.TemporaryDirectory(prefix="hayami-") as folder:
        page = Path(folder) / "review.html"
        handle = os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="utf-8") as file:  # noqa: PTH123 - a path would be opened a second time
            file.write(_REDIRECT.format(address=escape(address, quote=True)))
        yield page


def make_server(setup: Setup, language: str | None = None) -> uvicorn.Server:
    """The server of a review; ``run(sockets=[listen(0)])`` serves it until SIGINT.

    Args:
        setup: what is judged; ``setup.base`` is ``/TOKEN/``.
        language: of the pages; None takes what the browser asks for.
    """
    drafts = Drafts(setup.session.labels, setup.session.judge)
    app = _Review(Pages(setup), language, drafts).app()
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        loop="asyncio",
        server_header=False,
    )
    return uvicorn.Server(config)


class _Guard:
    """Lets only requests through that know the token, and posts only from the page itself.

    Adds the headers.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)
        await (refusal or self.app)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        segments = str(scope["path"]).split("/")
        given = segments[1].encode("utf-8", "replace")
        if not secrets.compare_digest(given, self.token):
            return PlainTextResponse("Not Found", 404)
        if scope["method"] not in {"GET", "HEAD"} and not _is_same_origin(Headers(scope=scope)):
            return PlainTextResponse("Only the page itself may send verdicts.", 403)
        return None


def _is_same_origin(headers: Headers) -> bool:
    """Whether a request comes from a page of this server; unknown is no."""
    site = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    if origin is not None and origin != f"http://{headers.get('host', '')}":
        return False
    return site == "same-origin" if site is not None else origin is not None


Handler = Callable[[Request, JudgeWords], Awaitable[Response]]


@dataclass(frozen=True)
class _Review:
    pages: Pages
    language: str | None
    drafts: Drafts

    def app(self) -> Starlette:
        base = self.pages.setup.base
        routes = [
            Route(base, self._spoken(self.start)),
            Route(f"{base}item/{{number:int}}", self._spoken(self.show), methods=["GET"]),
            Route(f"{base}item/{{number:int}}", self._spoken(self.record), methods=["POST"]),
            Route(f"{base}item/{{number:int}}/draft", self._spoken(self.draft), methods=["POST"]),
            Route(f"{base}item/{{number:int}}/found", self._spoken(self.found)),
            Route(f"{base}item/{{number:int}}/section", self._spoken(self.section)),
            Route(f"{base}undo", self._spoken(self.undo), methods=["POST"]),
            Route(f"{base}overview", self._spoken(self.overview)),
            Route(f"{base}{{name}}", _serve_file),
        ]
        guards = [
            Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"]),
            Middleware(_Guard, token=base.strip("/")),
        ]
        return Starlette(routes=routes, middleware=guards)

    def _spoken(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """The handler with the language chosen; what fails becomes a page that says so."""

        async def handle(request: Request) -> Response:
            words = JudgeWords(
                self.language or preferred(request.headers.get("accept-language", ""))
            )
            try:
                self.pages.setup.session.refresh()
                return await handler(request, words)
            except HayamiError as error:
                return HTMLResponse(self.pages.fault(str(error), error.hint, words), 500)

        return handle

    def _item(self, request: Request) -> Item | None:
        items, number = self.pages.setup.session.items, request.path_params["number"]
        return items[number - 1] if 1 <= number <= len(items) else None

    def _leave_for(self, place: int | None, **told: str) -> Response:
        where = f"item/{place + 1}" if place is not None else "overview"
        query = f"?{urlencode(told)}" if told else ""
        return RedirectResponse(f"{self.pages.setup.base}{where}{query}", 303)

    def _not_there(self, words: JudgeWords) -> Response:
        return HTMLResponse(self.pages.fault("404", "", words), 404)

    async def start(self, _request: Request, _words: JudgeWords) -> Response:
        return self._leave_for(self.pages.setup.session.next_open())

    async def show(self, request: Request, words: JudgeWords) -> Response:
        item = self._item(request)
        if item is None:
            return self._not_there(words)
        session = self.pages.setup.session
        answer, told = session.prefilled(item), self._told(request, words)
        draft = self.drafts.of(item.item, session.stamp(item))
        if draft is not None:
            answer = Answer(draft.ruling, draft.chosen, draft.rewrite, draft.note)
            told = told or words("draft")
        return HTMLResponse(self.pages.item(item, words, answer, message=told))

    async def draft(self, request: Request, words: JudgeWords) -> Response:
        """Keeps what is typed and not recorded; nothing of it is a verdict."""
        form = await _read_form(request)
        item = self._item(request)
        if form is None or item is None or _one(form, "item") != item.item:
            return self._not_there(words)
        answer = _answer_in(form)
        draft = Draft(
            seen=_one(form, "seen"),
            ruling=answer.ruling,
            chosen=answer.chosen,
            rewrite=answer.rewrite,
            note=answer.note,
        )
        self.drafts.keep(item.item, draft)
        return Response(status_code=204)

    async def overview(self, request: Request, words: JudgeWords) -> Response:
        return HTMLResponse(self.pages.overview(words, message=self._told(request, words)))

    def _told(self, request: Request, words: JudgeWords) -> str:
        """What happened on the page before, by the address."""
        session = self.pages.setup.session
        place = session.place(request.query_params.get("said", ""))
        said = session.said(session.items[place]) if place is not None else None
        if said is not None and said.verdict is not None:
            return words("recorded", ruling=ruling_name(said.kind, said.verdict, words))
        told = request.query_params.get("told", "")
        return words(told) if told in {"undone", "not_undone"} else ""

    async def record(self, request: Request, words: JudgeWords) -> Response:
        session = self.pages.setup.session
        form = await _read_form(request)
        item = self._item(request)
        # The form carries the item's id: a form sent twice, or of another sheet, never judges what
        # stands there now.
        if form is None:
            return HTMLResponse(self.pages.fault(words("too_large"), "", words), 413)
        if item is None or _one(form, "item") != item.item:
            return self._not_there(words)
        answer = _answer_in(form)
        told, status = self._recorded(item, answer, _one(form, "seen"), words)
        if told:
            page = self.pages.item(item, words, answer, message=told, alarm=True)
            return HTMLResponse(page, status)
        self.drafts.drop(item.item)
        return self._leave_for(session.next_open(session.place(item.item) or 0), said=item.item)

    def _recorded(
        self, item: Item, answer: Answer, seen: str, words: JudgeWords
    ) -> tuple[str, int]:
        """Puts an answer on the disk; if it cannot be, what to tell the judge and the status.

        An old form in a second window does not replace a newer verdict unless it is sent again.
        """
        session = self.pages.setup.session
        slip = session.slip_of(item, answer)
        if slip:
            return words(f"slip.{slip}"), 422
        newer = session.newer(item, answer, seen)
        if newer is not None:
            return words("newer", ruling=ruling_name(item.kind, newer, words)), 409
        try:
            session.record(item, answer)
        except HayamiError as error:
            return words("not_recorded", what=f"{error}. {error.hint}"), 500
        return "", 303

    async def undo(self, request: Request, _words: JudgeWords) -> Response:
        session = self.pages.setup.session
        form = await _read_form(request)
        wanted = _one(form or [], "item")
        undone = session.undo(wanted)
        return self._leave_for(session.place(wanted), told="undone" if undone else "not_undone")

    async def found(self, request: Request, words: JudgeWords) -> Response:
        item = self._item(request)
        if item is None:
            return self._not_there(words)
        return HTMLResponse(self.pages.found(item, words, request.query_params.get("words", "")))

    async def section(self, request: Request, words: JudgeWords) -> Response:
        item = self._item(request)
        wanted = request.query_params.get("id", "")
        passages = self.pages.setup.session.texts(item).passages([wanted]) if item else []
        return (
            HTMLResponse(self.pages.passage(passages[0], words))
            if passages
            else self._not_there(words)
        )


Form = list[tuple[str, str]]


async def _read_form(request: Request) -> Form | None:
    """The fields of a posted form in their order; None if it is too large to be one.

    Read without python-multipart, which a plain form does not need.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            return None
    return parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, errors="replace")


def _one(form: Form, name: str) -> str:
    """The first value of a field, with line ends as one character: forms are sent with CR LF."""
    return next((value.replace("\r\n", "\n") for field, value in form if field == name), "")


def _answer_in(form: Form) -> Answer:
    word = _one(form, "ruling")
    ruling = Ruling(word) if word in set(Ruling) else None
    chosen = tuple(dict.fromkeys(value for name, value in form if name == "chosen"))
    return Answer(ruling, chosen, _one(form, "rewrite").strip(), _one(form, "note").strip())


async def _serve_file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _TYPES:
        return PlainTextResponse("Not Found", 404)
    content = resources.files("hayami.audit.web").joinpath("static", name).read_bytes()
    return Response(content, media_type=_TYPES[name])
