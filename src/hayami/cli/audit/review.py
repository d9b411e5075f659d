"""``hayami audit review``: judge the rows of a sheet, on a page or in the terminal."""

from __future__ import annotations

import os
import re
import shlex
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hayami.audit.wording import JudgeWords, preferred, spoken
from hayami.cli.audit.sources import LABELS, AnotherSet, JudgeName, judge_name, labels_folder
from hayami.cli.console import note, say
from hayami.evalset.folder import load
from hayami.extras import REVIEW, need

if TYPE_CHECKING:
    from hayami.audit.conflicts import Disputed
    from hayami.audit.session import Session
    from hayami.verdicts.log import Verdict


_NO_SHEET: Final = Path("sheet")
"""Stands for the sheet of items that were not drawn: their set is named relative to it."""
SheetToJudge = Annotated[
    Path,
    typer.Argument(
        metavar="SHEET", help="The sheet to judge; with --conflicts also the folder of a set."
    ),
]
Labels = Annotated[
    Path,
    typer.Option("--labels", metavar="DIR", help="Folder to which the verdicts are appended."),
]
Blind = Annotated[
    bool,
    typer.Option("--blind", help="Hide the evidence: match, score, runner-up, reference, reason."),
]
Port = Annotated[
    int,
    typer.Option("--port", min=0, max=65535, help="Port on this machine; 0 takes a free one."),
]
Opens = Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")]
Terminal = Annotated[
    bool, typer.Option("--terminal", help="Judge in plain text, without a browser.")
]
Conflicts = Annotated[
    bool,
    typer.Option(
        "--conflicts", help="Decide where judges disagree; such a verdict then counts alone."
    ),
]


def _spoken_language(code: str) -> str:
    if code not in spoken():
        raise typer.BadParameter(f"'{code}' is none of {', '.join(spoken())}.")
    return code


PageLanguage = Annotated[
    str | None,
    typer.Option(
        "--lang",
        help="Language of the page [default: the browser's].",
        metavar=f"<{'|'.join(spoken())}>",
        parser=_spoken_language,
    ),
]


def register(group: typer.Typer) -> None:
    """Adds the command."""
    group.command("review", epilog="Example: hayami audit review sheet.jsonl --judge hanako")(
        review
    )


def review(
    sheet: SheetToJudge,
    *,
    labels: Labels = LABELS,
    judge: JudgeName = None,
    folder: AnotherSet = None,
    blind: Blind = False,
    port: Port = 0,
    opens: Opens = True,
    terminal: Terminal = False,
    conflicts: Conflicts = False,
    language: PageLanguage = None,
) -> None:
    """Judge the rows of a sheet on a local page, with the keyboard or on a phone's width.

    Every verdict is on the disk before the page moves on, in DIR/verdicts-NAME.jsonl; the same
    command goes on where it stopped. Ctrl-C ends it. 'hayami build --labels DIR' applies the
    verdicts.
    """
    name = judge_name(judge)
    work = _Work(sheet, labels_folder(labels), name, folder, conflicts=conflicts)
    opened = work.open()
    if opened is None:
        return
    session, said = opened
    try:
        if terminal:
            _talk(session, said, language, blind=blind)
        else:
            _serve(work, session, said, language, port=port, opens=opens, blind=blind)
    except KeyboardInterrupt:  # how a judge stops: nothing is lost
        note("")
    _farewell(work, session)


@dataclass(frozen=True, slots=True)
class _Work:
    """What the command line asks for."""

    sheet: Path
    labels: Path
    judge: str
    folder: Path | None
    conflicts: bool

    def open(self) -> tuple[Session, Mapping[str, Sequence[Verdict]]] | None:
        """The session, and what judges said who disagree; None if there is nothing to decide."""
        from hayami.audit.material import read_texts
        from hayami.audit.session import Session
        from hayami.audit.sheets import read_sheet

        if not self.conflicts:
            items = read_sheet(self.sheet)
            texts = read_texts(items, self.sheet, self.folder)
            return Session(items, texts, self.labels, self.judge), {}
        disputed = self.disputed()
        if not disputed:
            return None
        items = [one.item for one in disputed]
        said = {one.item.item: one.verdicts for one in disputed}
        texts = read_texts(items, _NO_SHEET)
        return Session(items, texts, self.labels, self.judge, adjudicates=True), said

    def disputed(self) -> Sequence[Disputed]:
        """The items that judges disagree on; says what cannot be decided."""
        from hayami.audit.conflicts import find_disputes
        from hayami.verdicts.log import read_verdicts
        from hayami.verdicts.settle import settle

        folder = self.set_in_question()
        conflicts = settle(read_verdicts(self.labels)).conflicts
        disputes = find_disputes(load(folder), conflicts, _NO_SHEET)
        if disputes.lost:
            many = len(disputes.lost)
            note(f"{many} more cannot be decided here: {folder} does not have the row any more")
        if not disputes.found:
            say(f"{self.labels}: no row of {folder} on which judges disagree")
        return disputes.found

    def set_in_question(self) -> Path:
        """The set on which judges disagree: as given, or the one that the sheet was drawn from."""
        from hayami.audit.sheets import read_sheet, set_folder

        if self.folder is not None:
            return self.folder
        if self.sheet.is_dir():
            return self.sheet
        return set_folder(read_sheet(self.sheet)[0], self.sheet)

    def commands(self, session: Session) -> tuple[tuple[str, str], ...]:
        """What to run after judging, and the key of the sentence that says what for."""
        labels = _typed(self.labels)
        folder = _typed(session.texts(session.items[0]).evalset.folder)
        build = (f"hayami build ARTICLES --out {folder} --labels {labels}", "run_build")
        if self.conflicts:
            return (build,)
        score = (f"hayami audit score {_typed(self.sheet)} --labels {labels}", "run_score")
        return score, build


def _typed(path: Path) -> str:
    """A path as one types it in a shell: quoted only if it has to be."""
    text = str(path)
    return text if re.fullmatch(r"[\w./\\:+@%=-]+", text) else shlex.quote(text)


def _serve(
    work: _Work,
    session: Session,
    said: Mapping[str, Sequence[Verdict]],
    language: str | None,
    *,
    port: int,
    opens: bool,
    blind: bool,
) -> None:
    """Serves the page until Ctrl-C."""
    need(REVIEW, "jinja2", "starlette", "uvicorn")
    from hayami.audit.web import server
    from hayami.audit.web.rendering import Command, Setup

    bound = server.listen(port)
    base = f"/{server.make_token()}/"
    setup = Setup(
        session,
        work.sheet.name,
        base,
        blind=blind,
        commands=tuple(Command(line, purpose) for line, purpose in work.commands(session)),
        disagreements={item: tuple(verdicts) for item, verdicts in said.items()},
    )
    address = f"http://{server.HOST}:{bound.getsockname()[1]}{base}"
    progress = session.progress
    note(f"{progress.left} of {progress.total} rows to judge as {session.judge} → {session.file}")
    note(f"open {address}")
    note("stop with Ctrl-C")
    with server.private_page(address) as page:
        if opens and _has_screen():
            webbrowser.open(page.as_uri())
        server.make_server(setup, language).run(sockets=[bound])


def _has_screen() -> bool:
    """Whether a browser would have a window: a text browser would take this terminal."""
    return sys.platform in {"win32", "darwin"} or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def _talk(
    session: Session,
    said: Mapping[str, Sequence[Verdict]],
    language: str | None,
    *,
    blind: bool,
) -> None:
    """Asks in the terminal until all is judged, the judge stops, or the input ends."""
    from hayami.audit.terminal import Dialogue

    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:  # a byte that is no UTF-8 must not end the session
        reconfigure(encoding="utf-8", errors="replace")
    words = JudgeWords(language or preferred(_locale()))
    dialogue = Dialogue(session, words, blind=blind, disagreements=said)
    reply = dialogue.opening()
    while True:
        for line in reply.lines:
            say(line)
        if reply.over:
            return
        try:
            line = input("> ")
        except EOFError:
            say()
            return
        reply = dialogue.reply(line)


def _locale() -> str:
    """The language of the terminal, as the environment gives it: ``ja_JP.UTF-8`` is ``ja-JP``."""
    given = (
        os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    )
    return given.split(".")[0].replace("_", "-")


def _farewell(work: _Work, session: Session) -> None:
    """How far the judge has come, and what to run next."""
    progress = session.progress
    left = f"{progress.left} left" if progress.left else "all done"
    gone = f", {progress.gone} no longer in the set" if progress.gone else ""
    note(f"{progress.judged} of {progress.total} judged, {left}{gone}; verdicts in {session.file}")
    if progress.left:
        note("the same command goes on there")
    for line, _ in work.commands(session) if not progress.left else ():
        note(f"next: {line}")
