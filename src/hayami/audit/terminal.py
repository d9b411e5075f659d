"""The same session in plain text, line by line, for a machine without a browser.

Nothing here prints or reads.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hayami.audit.items import NAMING, RULINGS, Item, Kind
from hayami.audit.material import Material, Passage
from hayami.audit.session import Answer, Session
from hayami.audit.wording import Wording
from hayami.errors import HayamiError
from hayami.evalset.records import Ruling
from hayami.verdicts.log import Verdict

_NUMBERS: Final[dict[str, Ruling]] = {
    str(number): ruling for number, ruling in enumerate(Ruling, 1)
}
_NOTE: Final = re.compile(r"(?:^|\s)[#＃](?!\S*#)\s*")
"""What begins a note: a number sign after a blank, so that C# is none."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What to show, and whether the session is over."""

    lines: tuple[str, ...]
    over: bool = False


@dataclass(frozen=True, slots=True)
class Typed:
    """A line of the judge, taken apart."""

    word: str
    """The command or ruling, folded to small letters and half width."""
    rest: str
    note: str


def plain(text: str) -> str:
    """Text without what moves the cursor, turns the writing direction or colours a terminal."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "" for c in text)


def parse_line(line: str) -> Typed:
    """A line as a command, what follows it, and the note behind ``#``."""
    told, *notes = _NOTE.split(line.strip(), maxsplit=1)
    word, _, rest = told.strip().partition(" ")
    return Typed(
        unicodedata.normalize("NFKC", word).lower(), rest.strip(), notes[0].strip() if notes else ""
    )


def ruling_in(word: str) -> Ruling | None:
    """The ruling that a number from 1 to 7, or its English word, stands for."""
    return _NUMBERS.get(word) or (Ruling(word) if word in set(Ruling) else None)


class Dialogue:
    """A review as questions and answers.

    Args:
        session: the judge's session.
        words: the language.
        blind: leaves the evidence out.
        disagreements: by item, what judges said who disagree.
    """

    def __init__(
        self,
        session: Session,
        words: Wording,
        *,
        blind: bool = False,
        disagreements: Mapping[str, Sequence[Verdict]] | None = None,
    ) -> None:
        self.session = session
        self.words = words
        self.blind = blind
        self.disagreements = disagreements or {}
        self._place: int | None = None
        self._numbered: list[Passage] = []
        self._commands: dict[str, Callable[[Typed], Reply]] = {
            "t": self._read,
            "f": self._find,
            "s": lambda _: self._move(1),
            "b": lambda _: self._move(-1),
            "u": self._undo,
            "?": self._help,
            "q": lambda _: Reply((self.words("t.stopped"),), over=True),
        }

    def opening(self) -> Reply:
        """The first item that waits for a verdict."""
        return self._go(self.session.next_open())

    def reply(self, line: str) -> Reply:
        """What follows when the judge says a line; a verdict is on the disk when this returns.

        Raises:
            VerdictError: the verdict could not be recorded.
        """
        said = parse_line(line)
        if not said.word:
            return Reply(())
        if said.word in self._commands:
            return self._commands[said.word](said)
        ruling = ruling_in(said.word)
        if ruling is None or self._place is None:
            return Reply((self.words("t.unknown", what=plain(said.word)),))
        return self._judge(ruling, said)

    # --- what the judge can say ---

    def _judge(self, ruling: Ruling, said: Typed) -> Reply:
        item = self._item
        chosen: list[str] = []
        numbers = re.split(r"[\s,、]+", said.rest) if ruling in NAMING and said.rest else []
        for number in numbers:
            passage = self._numbered_passage(number)
            if passage is None:
                return Reply((self.words("t.no_section", what=plain(number)),))
            chosen.append(passage.id)
        if said.rest and ruling not in NAMING | {Ruling.CONTEXT}:
            return Reply((self.words("t.unknown", what=plain(said.rest)),))
        rewrite = said.rest if ruling is Ruling.CONTEXT else ""
        answer = Answer(ruling, tuple(dict.fromkeys(chosen)), rewrite, said.note)
        if slip := self.session.slip_of(item, answer):
            return Reply((self.words(f"slip.{slip}"), self.words("t.help")))
        try:
            self.session.record(item, answer)
        except HayamiError as error:
            return Reply((self.words("not_recorded", what=f"{error}. {error.hint}"),))
        recorded = self.words("recorded", ruling=self.words(f"{item.kind}.{ruling}"))
        after = self._go(self.session.next_open(self._place or 0))
        return Reply((recorded, *after.lines), after.over)

    def _numbered_passage(self, number: str) -> Passage | None:
        digits = unicodedata.normalize("NFKC", number)
        place = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 6 else 0  # noqa: PLR2004
        return self._numbered[place - 1] if 1 <= place <= len(self._numbered) else None

    def _read(self, said: Typed) -> Reply:
        passage = self._numbered_passage(said.rest)
        if passage is None:
            return Reply((self.words("t.no_section", what=plain(said.rest) or "?"),))
        return Reply(tuple(self._text(passage)))

    def _find(self, said: Typed) -> Reply:
        if self._place is None:
            return Reply(())
        listed = {passage.id for passage in self._numbered} | set(self._item.sections)
        found = [p for p in self.session.texts(self._item).find(said.rest) if p.id not in listed]
        begin = len(self._numbered)
        self._numbered += found
        lines = [
            self._line(begin + number, passage, titled=True)
            for number, passage in enumerate(found, 1)
        ]
        return Reply(tuple(lines or [self.words("found_none")]))

    def _move(self, by: int) -> Reply:
        count = len(self.session.items)
        return self._go(((self._place if self._place is not None else count) + by) % count)

    def _undo(self, _said: Typed) -> Reply:
        last = self.session.last()
        undone = self.session.undo(last)
        told = self.words("undone" if undone else "not_undone")
        return Reply((told, *(self._go(self.session.place(last)).lines if undone else ())))

    def _help(self, _said: Typed) -> Reply:
        kind = self._item.kind if self._place is not None else Kind.LABEL
        meanings = [
            f"  {self._choice(kind, ruling)}: {self.words(f'{kind}.{ruling}.means')}"
            for ruling in RULINGS[kind]
        ]
        return Reply((*meanings, self.words("t.help"), self.words("t.commands")))

    # --- what the judge reads ---

    @property
    def _item(self) -> Item:
        return self.session.items[self._place or 0]

    def _go(self, place: int | None) -> Reply:
        self._place = place
        if place is None:
            progress = self.session.progress
            gone = [self.words("progress_gone", gone=progress.gone)] if progress.gone else []
            done = self.words("progress", judged=progress.judged, total=progress.total)
            return Reply((self.words("done"), done, *gone), over=True)
        material = self.session.material(self._item, blind=self.blind)
        several = len(material.judged) > 1
        self._numbered = [*(material.judged if several else ()), *material.others]
        if self._item.kind is Kind.POOL or material.gone:
            self._numbered = []
        return Reply(tuple(self._show(material)))

    def _show(self, material: Material) -> list[str]:
        """The item: what is read first, then what is asked, so that the question stands right above the answer."""
        item, words = self._item, self.words
        progress = words(
            "progress", judged=self.session.progress.judged, total=len(self.session.items)
        )
        lines = [
            "",
            f"── {words('place', place=(self._place or 0) + 1, total=len(self.session.items))} · {progress}",
        ]
        if material.rebuilt:
            lines.append(f"! {words('rebuilt')}")
        if material.gone:
            return [
                *lines,
                f"! {words('gone', what=plain(', '.join(material.gone)))}",
                plain(item.question),
            ]
        for passage in material.judged:
            lines += self._text(passage)
        lines += self._list(material)
        lines += [] if self.blind else self._evidence()
        lines += self._said()
        lines += [
            "",
            f"{words('topic')}: {plain(item.topic)}",
            f"{words('question')}: {plain(item.question)}",
        ]
        lines += [f"{words('answer')}: {plain(item.answer)}"] if item.answer else []
        said = self.session.said(item)
        lines += (
            [f"{words('verdict')}: {words(f'{item.kind}.{said.verdict}')}"]
            if said and said.verdict
            else []
        )
        key = (
            "ask.labels"
            if item.kind is Kind.LABEL and len(material.judged) > 1
            else f"ask.{item.kind}"
        )
        lines.append(words(key, count=len(material.judged)))
        return [
            *lines,
            "  ".join(self._choice(item.kind, ruling) for ruling in RULINGS[item.kind]) + "  (?)",
        ]

    def _said(self) -> list[str]:
        """What the judges said who disagree about the item."""
        kind, words = self._item.kind, self.words
        verdicts = self.disagreements.get(self._item.item, ())
        lines = ["", words("said")] if verdicts else []
        for verdict in verdicts:
            told = [
                words(f"{kind}.{verdict.ruling}")
                if verdict.ruling in RULINGS[kind]
                else str(verdict.ruling)
            ]
            told += [
                f"→ {name.heading or words('no_heading')} ({name.section})"
                for name in verdict.sections
            ]
            told += [f"「{verdict.rewrite}」"] if verdict.rewrite else []
            told += [f"# {verdict.note}"] if verdict.note else []
            lines.append(plain(f"  {verdict.judge}: {' '.join(told)}"))
        return lines

    def _choice(self, kind: Kind, ruling: Ruling) -> str:
        number = next(number for number, named in _NUMBERS.items() if named is ruling)
        return f"{number} {self.words(f'{kind}.{ruling}')}"

    def _text(self, passage: Passage) -> list[str]:
        heading = plain(passage.heading) or self.words("no_heading")
        lines = ["", f"[{plain(passage.id)}] {heading}"]
        for block in passage.blocks:
            mark = (
                f"▶ {plain(block.text)} ◀ {self.words('meant')}"
                if block.meant
                else plain(block.text)
            )
            lines += [f"  {mark}"] if not block.heading or block.meant else [f"  ## {mark}"]
        return lines if passage.blocks else [*lines, f"  {self.words('no_text')}"]

    def _list(self, material: Material) -> list[str]:
        if not self._numbered:
            return []
        titled = len({passage.article for passage in self._numbered}) > 1
        lines = [
            self._line(number, passage, titled=titled)
            for number, passage in enumerate(self._numbered, 1)
        ]
        return ["", self.words("others" if material.judged else "sections_of"), *lines]

    def _line(self, number: int, passage: Passage, *, titled: bool) -> str:
        heading = plain(passage.heading) or self.words("no_heading")
        return f"{number:>4}  {heading}" + (f"  ({plain(passage.title)})" if titled else "")

    def _evidence(self) -> list[str]:
        item, words = self._item, self.words
        lines = ["", words("evidence")]
        facts = [(words("why_shown"), item.why), (words("reference"), item.reference)]
        if item.reason:
            facts.append((words("reason"), words.code("reason", item.reason)))
        if item.kind is Kind.POOL:
            facts.append(
                (words("label_names"), " / ".join(target.heading for target in item.targets))
            )
        for target in item.targets if item.kind is not Kind.POOL else ():
            second = target.runner_up
            facts.append(
                (
                    words("match"),
                    f"{words.code('match', target.match)} · {target.heading} · {target.score:.2f}",
                )
            )
            facts += (
                [(words("runner_up"), f"{second.heading} ({second.score:.2f})")] if second else []
            )
        facts += [
            (words("candidates"), f"{c.heading} ({c.article}, {c.score:.2f})")
            for c in item.candidates
        ]
        facts += [(words("flags"), words.code("flag", flag)) for flag in item.flags]
        return [*lines, *(f"  {name}: {plain(text)}" for name, text in facts if text)]
