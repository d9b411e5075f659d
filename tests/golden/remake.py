"""What three articles of the sample yield, in words.

``python tests/golden/remake.py`` writes it anew.

Read the difference before you keep it: each changed line is a section or an answer that users get
otherwise.
"""

from __future__ import annotations

import json
from pathlib import Path

import hayami
from hayami.making.inspect import inspect_file
from hayami.parts import Label, NoLabel, text_of

FOLDER = Path(__file__).resolve().parent / "sample"
ARTICLES = Path(__file__).resolve().parents[2] / "data" / "articles"
CHOSEN = ("en/docker-compose-faq.html", "ja/regex.html", "ko/nginx-log.html")
"""Links, also to another article; misspelt, ambiguous and empty references; chapter numbers in an
EUC-KR page."""


def golden_file(path: str) -> Path:
    """Where the expectation for an article lies."""
    return FOLDER / f"{path.removesuffix('.html').replace('/', '-')}.json"


def describe(path: str) -> dict[str, object]:
    """An article as its reader would put it.

    Its sections, and what each row of its tables means or why not.
    """
    seen = inspect_file(ARTICLES / path, ARTICLES, hayami.Settings())
    reading = seen.reading
    if reading is None:
        raise ValueError(path)
    kept = {section.ordinal for section in reading.sections}
    return {
        "title": reading.article.title,
        "topic": reading.article.topic,
        "language": reading.article.language,
        "encoding": reading.article.encoding,
        "sections": {
            f"#{heading.section}": heading.text
            if heading.section in kept
            else f"{heading.text} (not in the corpus)"
            for heading in reading.outline.headings
            if heading.unit
        },
        "deeper": {
            section.heading: list(section.headings)
            for section in reading.sections
            if section.headings
        },
        "rows": [row(found) for found in seen.outcomes],
    }


def row(found: Label | NoLabel) -> dict[str, object]:
    """One row: where it stands, what it asks and says, and what was made of it."""
    told: dict[str, object] = {
        "at": f"table {found.row.place.table}, row {found.row.place.row}",
        "asks": found.row.question,
        "answer": found.row.answer,
        "says": text_of(found.row.reference),
    }
    if isinstance(found, NoLabel):
        near = sorted({c.heading for c in found.candidates}) if found.reason == "ambiguous" else []
        return told | {"no label": str(found.reason)} | ({"between": near} if near else {})
    means = [f"{target.section} {target.heading} ({target.match})" for target in found.targets]
    return told | {"means": means} | ({"incomplete": True} if found.incomplete else {})


def written(path: str) -> str:
    """The text of the golden file of an article."""
    return json.dumps(describe(path), ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    for chosen in CHOSEN:
        golden_file(chosen).write_text(written(chosen), encoding="utf-8", newline="\n")
        print(golden_file(chosen))
