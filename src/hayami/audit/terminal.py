"""The same session in plain text, line by line, for a machine without a browser.

Nothing here prints or reads.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hayami.audit.items import NAMING, RULINGS, Item, Kind
from hayami.audit.material import Material, Passage
from hayami.audit.session import Answer, Session
from hayami.audit.wording import JudgeWords
from hayami.errors import HayamiError
from hayami.evalset.records import Ruling, Target
from hayami.verdicts.log import Verdict

_NUMBERS: Final[dict[str, Ruling]] = {
    str(number): ruling for number, ruling in enumerate(Ruling, 1)
}
_NUMBER: Final = re.compile(r"[0-9]{1,5}")
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
    kept = (
        " " if char.isspace() else char for char in text if char.isprintable() or char.isspace()
    )
    return "".join(kept)


def parse_line(line: str) -> Typed:
    """A line as a command, what follows it, and the note behind ``#``."""
    told, *notes = _NOTE.split(line.strip(), maxsplit=1)
    word, _, rest = told.strip().partition(" ")
    folded = unicodedata.normalize("NFKC", word).lower()
    return Typed(folded, rest.strip(), "".join(notes).strip())


def ruling_in(word: str) -> Ruling | None:
    """The ruling that a number from 1 to 7, or its English word, stands for."""
    if word in set(Ruling):
        return Ruling(word)
    return _NUMBERS.get(word)


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
        words: JudgeWords,
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
        answer = Answer(ruling, note=said.note)
        if said.rest and ruling in NAMING:
            numbers = re.split(r"[\s,、]+", said.rest)
            passages = {number: self._numbered_passage(number) for number in numbers}
            unknown = [number for number, passage in passages.items() if passage is None]
            if unknown:
                return Reply((self.words("t.no_section", what=plain(unknown[0])),))
            chosen = dict.fromkeys(passage.id for passage in passages.values() if passage)
            answer = replace(answer, chosen=tuple(chosen))
        elif said.rest and ruling is Ruling.CONTEXT:
            answer = replace(answer, rewrite=said.rest)
        elif said.rest:
            return Reply((self.words("t.unknown", what=plain(said.rest)),))
        return self._record(ruling, answer)

    def _record(self, ruling: Ruling, answer: Answer) -> Reply:
        """What follows when a verdict is to be recorded."""
        item = self._item
        slip = self.session.slip_of(item, answer)
        if slip:
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
        if not _NUMBER.fullmatch(digits) or not 1 <= int(digits) <= len(self._numbered):
            return None
        return self._numbered[int(digits) - 1]

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
        numbered = enumerate(found, begin + 1)
        lines = [self._line(number, passage, titled=True) for number, passage in numbered]
        return Reply(tuple(lines or [self.words("found_none")]))

    def _move(self, by: int) -> Reply:
        count = len(self.session.items)
        here = count if self._place is None else self._place
        return self._go((here + by) % count)

    def _undo(self, _said: Typed) -> Reply:
        last = self.session.last()
        if not self.session.undo(last):
            return Reply((self.words("not_undone"),))
        again = self._go(self.session.place(last))
        return Reply((self.words("undone"), *again.lines))

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
            return self._done()
        material = self.session.material(self._item, blind=self.blind)
        several = len(material.judged) > 1
        self._numbered = [*(material.judged if several else ()), *material.others]
        if self._item.kind is Kind.POOL or material.gone:
            self._numbered = []
        return Reply(tuple(self._show(material)))

    def _done(self) -> Reply:
        progress = self.session.progress
        lines = [
            self.words("done"),
            self.words("progress", judged=progress.judged, total=progress.total),
        ]
        if progress.gone:
            lines.append(self.words("progress_gone", gone=progress.gone))
        return Reply(tuple(lines), over=True)

    def _show(self, material: Material) -> list[str]:
        """The item: what is read first, then what is asked, right above the answer."""
        lines = self._head(material)
        if material.gone:
            return lines
        for passage in material.judged:
            lines += self._text(passage)
        lines += self._list(material)
        if not self.blind:
            lines += self._evidence()
        lines += self._said()
        return lines + self._asked(material)

    def _head(self, material: Material) -> list[str]:
        """Where the judge stands, and what became of the item since the sheet was drawn."""
        words, total = self.words, len(self.session.items)
        here = words("place", place=(self._place or 0) + 1, total=total)
        progress = words("progress", judged=self.session.progress.judged, total=total)
        lines = ["", f"── {here} · {progress}"]
        if material.rebuilt:
            lines.append(f"! {words('rebuilt')}")
        if material.gone:
            gone = words("gone", what=plain(", ".join(material.gone)))
            lines += [f"! {gone}", plain(self._item.question)]
        return lines

    def _asked(self, material: Material) -> list[str]:
        """The question, what was said about it, and what can be said."""
        item, words = self._item, self.words
        lines = [
            "",
            f"{words('topic')}: {plain(item.topic)}",
            f"{words('question')}: {plain(item.question)}",
        ]
        if item.answer:
            lines.append(f"{words('answer')}: {plain(item.answer)}")
        said = self.session.said(item)
        if said is not None and said.verdict is not None:
            lines.append(f"{words('verdict')}: {words(f'{item.kind}.{said.verdict}')}")
        several = item.kind is Kind.LABEL and len(material.judged) > 1
        key = "ask.labels" if several else f"ask.{item.kind}"
        choices = [self._choice(item.kind, ruling) for ruling in RULINGS[item.kind]]
        return [*lines, words(key, count=len(material.judged)), "  ".join(choices) + "  (?)"]

    def _said(self) -> list[str]:
        """What the judges said who disagree about the item."""
        verdicts = self.disagreements.get(self._item.item, ())
        if not verdicts:
            return []
        said = [plain(f"  {one.judge}: {self._in_words(one)}") for one in verdicts]
        return ["", self.words("said"), *said]

    def _in_words(self, verdict: Verdict) -> str:
        kind, words = self._item.kind, self.words
        told = [str(verdict.ruling)]
        if verdict.ruling in RULINGS[kind]:
            told = [words(f"{kind}.{verdict.ruling}")]
        for name in verdict.sections:
            told.append(f"→ {name.heading or words('no_heading')} ({name.section})")
        if verdict.rewrite:
            told.append(f"「{verdict.rewrite}」")
        if verdict.note:
            told.append(f"# {verdict.note}")
        return " ".join(told)

    def _choice(self, kind: Kind, ruling: Ruling) -> str:
        number = next(number for number, named in _NUMBERS.items() if named is ruling)
        return f"{number} {self.words(f'{kind}.{ruling}')}"

    def _text(self, passage: Passage) -> list[str]:
        heading = plain(passage.heading) or self.words("no_heading")
        lines = ["", f"[{plain(passage.id)}] {heading}"]
        for block in passage.blocks:
            text = plain(block.text)
            if block.meant:
                text = f"▶ {text} ◀ {self.words('meant')}"
            elif block.heading:
                text = f"## {text}"
            lines.append(f"  {text}")
        return lines if passage.blocks else [*lines, f"  {self.words('no_text')}"]

    def _list(self, material: Material) -> list[str]:
        if not self._numbered:
            return []
        articles = {passage.article for passage in self._numbered}
        title = self.words("others" if material.judged else "sections_of")
        lines = ["", title]
        for number, passage in enumerate(self._numbered, 1):
            lines.append(self._line(number, passage, titled=len(articles) > 1))
        return lines

    def _line(self, number: int, passage: Passage, *, titled: bool) -> str:
        heading = plain(passage.heading) or self.words("no_heading")
        title = f"  ({plain(passage.title)})" if titled else ""
        return f"{number:>4}  {heading}{title}"

    def _evidence(self) -> list[str]:
        item, words = self._item, self.words
        facts = [(words("why_shown"), item.why), (words("reference"), item.reference)]
        if item.reason:
            facts.append((words("reason"), words.code("reason", item.reason)))
        if item.kind is Kind.POOL:
            named = " / ".join(target.heading for target in item.targets)
            facts.append((words("label_names"), named))
        else:
            for target in item.targets:
                facts += self._of_target(target)
        for one in item.candidates:
            could = f"{one.heading} ({one.article}, {one.score:.2f})"
            facts.append((words("candidates"), could))
        for flag in item.flags:
            facts.append((words("flags"), words.code("flag", flag)))
        told = [f"  {name}: {plain(text)}" for name, text in facts if text]
        return ["", words("evidence"), *told]

    def _of_target(self, target: Target) -> list[tuple[str, str]]:
        """How a section of the label was found, and which heading came second."""
        words, second = self.words, target.runner_up
        rule = words.code("match", target.match)
        facts = [(words("match"), f"{rule} · {target.heading} · {target.score:.2f}")]
        if second is not None:
            facts.append((words("runner_up"), f"{second.heading} ({second.score:.2f})"))
        return facts
