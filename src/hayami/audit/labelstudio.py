"""Sheets for Label Studio: tasks with the labelling page for them, and its export read back.

The labelling page shows the question, the sections and the article, never the evidence; the item
travels along in each task, so that an export is read back without the sheet. Source:
https://labelstud.io/guide/task_format.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from pydantic import BaseModel, ValidationError

from hayami.audit.items import RULINGS, Item, Kind, Located
from hayami.errors import SheetError
from hayami.evalset.jsonl import first_fault
from hayami.evalset.records import RULING_MEANINGS, Ruling
from hayami.text.fold import escape_line_separators

HINT: Final = (
    "Export the project from Label Studio as JSON (not JSON-MIN or CSV); nothing was recorded."
)
_TO_READ: Final = (
    ("topic", "Article"),
    ("question", "Question"),
    ("answer", "Short answer in the table"),
    ("sections", "Sections to judge"),
)
"""What the labelling page shows, and under which title."""
_TO_WRITE: Final = (
    ("rewrite", "The question in words that stand alone, if it does not"),
    ("note", "Note"),
)
"""What a judge can write, and what it is for."""
_NONE: Final = "—"
"""Stands for an empty text: Label Studio shows nothing at all for one."""

# --- writing --------------------------------------------------------------------------------------


def tasks(items: Iterable[Item], texts: Mapping[str, str]) -> bytes:
    """The tasks to import, as one JSON document.

    Without predictions, so that judges are blind to what was found.

    Args:
        items: the rows to judge.
        texts: the text of sections by id, as far as it is at hand.
    """
    found = [{"data": _data(item, texts)} for item in items]
    document = json.dumps(found, ensure_ascii=False, indent=1)
    return (escape_line_separators(document) + "\n").encode("utf-8", "replace")


def _data(item: Item, texts: Mapping[str, str]) -> dict[str, object]:
    headings = {name.section: name.heading for name in item.outline}
    return {
        "question": item.question,
        "answer": item.answer or _NONE,
        "topic": item.topic or _NONE,
        "sections": _shown(item.sections, headings, texts) or _NONE,
        "article": _shown(headings, headings, texts) or _NONE,
        "choices": [
            {"value": f"{section} {heading}".rstrip()} for section, heading in headings.items()
        ],
        "item": json.loads(item.model_dump_json()),
    }


def _shown(sections: Iterable[str], headings: Mapping[str, str], texts: Mapping[str, str]) -> str:
    parts = (
        f"■ {section} {headings.get(section, '')}\n{texts.get(section, '')}" for section in sections
    )
    return "\n\n".join(part.strip() for part in parts)


def labelling_page(items: Sequence[Item]) -> bytes:
    """The labelling configuration for a project of these items, as XML.

    It is pasted into the project's settings. It offers the rulings of the kinds that occur; the
    export names them by their words.
    """
    view = ET.Element("View")
    for name, title in _TO_READ:
        _text(view, name, title)
    folded = ET.SubElement(ET.SubElement(view, "Collapse"), "Panel", value="The whole article")
    ET.SubElement(folded, "Text", name="article", value="$article")
    ET.SubElement(view, "Header", value="Do these sections answer the question?")
    _verdicts(view, {item.kind for item in items})
    ET.SubElement(view, "Header", value="Which sections answer it? (with: also, other)")
    _asked(view, "Choices", "chosen", choice="multiple", value="$choices")
    for name, hint in _TO_WRITE:
        _asked(view, "TextArea", name, placeholder=hint, rows="2", maxSubmissions="1")
    ET.indent(view)
    return (ET.tostring(view, encoding="unicode") + "\n").encode()


def _asked(view: ET.Element, tag: str, name: str, **how: str) -> ET.Element:
    """A control about the question."""
    return ET.SubElement(view, tag, {"name": name, "toName": "question", **how})


def _verdicts(view: ET.Element, kinds: Collection[Kind]) -> None:
    """The rulings that go with any of the kinds, to choose one."""
    choices = _asked(view, "Choices", "verdict", choice="single-radio", required="true")
    fitting = frozenset[Ruling]().union(*(RULINGS[kind] for kind in kinds))
    for ruling in Ruling:
        if ruling in fitting:
            meaning = f"{ruling}: {RULING_MEANINGS[ruling]}"
            ET.SubElement(choices, "Choice", value=meaning, alias=str(ruling))


def _text(view: ET.Element, name: str, title: str) -> None:
    ET.SubElement(view, "Header", value=title)
    ET.SubElement(view, "Text", name=name, value=f"${name}")


# --- reading --------------------------------------------------------------------------------------


class _Value(BaseModel):
    choices: tuple[str, ...] = ()
    text: tuple[str, ...] | str = ()


class _Region(BaseModel):
    from_name: str = ""
    value: _Value = _Value()


class _Person(BaseModel):
    id: int | None = None
    email: str | None = None
    username: str | None = None

    @property
    def name(self) -> str:
        """How the person is called in verdicts."""
        return self.email or self.username or ("" if self.id is None else f"annotator-{self.id}")


class _Annotation(BaseModel):
    result: tuple[_Region, ...] = ()
    completed_by: _Person | int | str | None = None
    was_cancelled: bool = False
    updated_at: str | None = None

    @property
    def judge(self) -> str:
        """Who annotated, as it can be told."""
        who = self.completed_by
        if isinstance(who, _Person):
            return who.name
        if isinstance(who, int):
            return f"annotator-{who}"
        return who or ""

    def choices(self, control: str) -> list[str]:
        """What was ticked in one control; each choice begins with its word or id."""
        ticked: list[str] = []
        for part in self.result:
            if part.from_name == control:
                ticked += part.value.choices
        return [choice.split(maxsplit=1)[0].rstrip(":") for choice in ticked if choice.strip()]

    def written(self, control: str) -> str:
        """What was written into one control."""
        lines: list[str] = []
        for part in self.result:
            if part.from_name == control:
                text = part.value.text
                lines += [text] if isinstance(text, str) else text
        return "\n".join(lines).strip()


class _Data(BaseModel):
    item: Item


class _Task(BaseModel):
    id: int | str | None = None
    data: _Data
    annotations: tuple[_Annotation, ...] | None = None


def read_export(path: Path) -> list[Located]:
    """The items of Label Studio's JSON export, each with where it stands.

    One item for each annotator of a task. Cancelled annotations do not count, of several by one
    person the last does; a task without any gives its item as it was. Judges are called by their
    e-mail address, else ``annotator-`` and their number. Tasks that were never imported are read
    too.

    Raises:
        SheetError: no such file, not such an export, or an annotation that makes no sense;
            ``where`` names the task.
    """
    found: list[Located] = []
    for number, content in enumerate(_content(path), 1):
        where = f"{path}: task {number}"
        try:
            task = _Task.model_validate_json(json.dumps(content))
        except ValidationError as error:
            raise SheetError(
                f"not a task of hayami: {first_fault(error)}", where=where, hint=HINT
            ) from error
        where += f" (id {task.id})" if task.id is not None else ""
        found += [(where, item) for item in _items(task, where)]
    return found


def _content(path: Path) -> Sequence[object]:
    try:
        content: object = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        hint = "Draw one with 'hayami audit sample --format label-studio'."
        raise SheetError(error.strerror or str(error), where=str(path), hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise SheetError(f"not JSON: {error}", where=str(path), hint=HINT) from error
    if not isinstance(content, list):
        raise SheetError("not a list of tasks", where=str(path), hint=HINT)
    return content


def _items(task: _Task, where: str) -> Iterator[Item]:
    last: dict[str, _Annotation] = {}
    in_time = sorted(task.annotations or (), key=lambda annotation: annotation.updated_at or "")
    for annotation in in_time:
        if annotation.result and not annotation.was_cancelled:
            last[annotation.judge] = annotation
    if not last:
        yield task.data.item
    for judge, annotation in last.items():
        yield _judged(task.data.item, judge, annotation, where)


def _judged(item: Item, judge: str, annotation: _Annotation, where: str) -> Item:
    words = annotation.choices("verdict")
    if len(words) > 1 or (words and words[0] not in RULING_MEANINGS):
        what = f"verdict {' '.join(words)!r} is none of: {', '.join(RULING_MEANINGS)}"
        hint = "Mend the annotation in Label Studio and export again."
        raise SheetError(what, where=where, hint=hint)
    filled = {
        "verdict": Ruling(words[0]) if words else None,
        "chosen": tuple(dict.fromkeys(annotation.choices("chosen"))),
        "rewrite": annotation.written("rewrite"),
        "note": annotation.written("note"),
        "judge": judge,
    }
    return item.model_copy(update=filled)
