"""The writers' report as Markdown, HTML or JSON.

Each article is spoken of in its own language, as far as hayami speaks it.
"""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

from hayami.curate.writers import (
    ArticleRemarks,
    ReferenceFault,
    Remark,
    Suggestion,
    WritersReport,
    count_faults,
)
from hayami.report.kit import escape_markdown, html_page
from hayami.text.fold import escape_line_separators
from hayami.words.languages import Sentences, languages

FORMATS: Final[dict[str, str]] = {".md": "md", ".html": "html", ".htm": "html", ".json": "json"}
"""The formats of a report by the suffix of its file."""

_DEFAULT: Final = "en"


def language_of_report(report: WritersReport) -> str:
    """The language of most articles of a report that hayami speaks; English without any."""
    codes = (one.language for one in report.articles)
    spoken = Counter(code for code in codes if _spoken(code) is not None)
    return max(spoken, key=lambda code: (spoken[code], code == _DEFAULT), default=_DEFAULT)


def words_for(language: str) -> Sentences:
    """The words for articles of a language: its own, or English."""
    return _spoken(language) or _spoken(_DEFAULT) or {}


def _spoken(code: str) -> Sentences | None:
    language = languages().get(code)
    return language.writers if language is not None else None


def _summary(report: WritersReport, words: Sentences) -> str:
    remarks = sum(len(one.remarks) for one in report.articles)
    return words["summary"].format(
        remarks=remarks, rows=report.rows, articles=len(report.articles), sound=report.sound
    )


def _counts(report: WritersReport, words: Sentences) -> list[str]:
    return [f"{many} {words[f'n_{fault}']}" for fault, many in count_faults(report).items()]


def as_json(report: WritersReport) -> str:
    """The report as one JSON document."""
    counts = {str(fault): many for fault, many in count_faults(report).items()}
    told = {"rows": report.rows, "sound_articles": report.sound, "faults": counts}
    articles = [_article_json(article) for article in report.articles]
    text = json.dumps(told | {"articles": articles}, ensure_ascii=False, indent=2)
    return escape_line_separators(text) + "\n"


def _article_json(article: ArticleRemarks) -> dict[str, object]:
    return asdict(article) | {"remarks": [_remark_json(remark) for remark in article.remarks]}


def _remark_json(remark: Remark) -> dict[str, object]:
    """A remark with its place as records have it: ``table`` and ``row``, or another place."""
    place = remark.place
    stood: dict[str, object] = {"table": place.table, "row": place.row}
    if place.recorded is not None:
        stood["place"] = place.model_dump(mode="json")
    told = asdict(remark)
    return {"fault": told.pop("fault")} | stood | {k: v for k, v in told.items() if k != "place"}


# --- Markdown -------------------------------------------------------------------------------------


def as_markdown(report: WritersReport) -> str:
    """The report as Markdown: a table of remarks for each article."""
    words = words_for(language_of_report(report))
    lines = [f"# {words['title']}", "", _summary(report, words), ""]
    lines += [f"- {one}" for one in _counts(report, words)] or [words["no_remarks"]]
    for article in report.articles:
        lines += ["", *_markdown_article(article)]
    return "\n".join(lines) + "\n"


def _markdown_article(article: ArticleRemarks) -> Iterator[str]:
    words = words_for(article.language)
    yield f"## {escape_markdown(article.title)}"
    yield ""
    yield f"`{article.path.replace('`', '')}`: " + words["article"].format(
        remarks=len(article.remarks), rows=article.rows
    )
    yield ""
    yield f"| | {words['question']} | {words['says']} | {words['what']} |"
    yield "|---|---|---|---|"
    for remark in article.remarks:
        headings = [escape_markdown(one) for one in _headings(remark, words)]
        what = "<br>".join(
            [escape_markdown(_sentence(remark, words)), *(f"- {one}" for one in headings)]
        )
        cells = map(escape_markdown, (remark.question, _says(remark, words)))
        yield f"| {_place(remark, words)} | {' | '.join(cells)} | {what} |"


def _place(remark: Remark, words: Sentences) -> str:
    """Where a remark's row stands, counted from 1 as people do."""
    place = remark.place
    if place.table is not None:
        return words["row"].format(table=place.table + 1, row=place.row + 1)
    named = words["place"].format(kind=place.kind, ordinal=place.ordinal + 1)
    return f"{named} ({place.under})" if place.under else named


def _says(remark: Remark, words: Sentences) -> str:
    said = remark.reference or words["nothing"]
    return f"{said} ({words['link'].format(href=remark.href)})" if remark.href else said


def _sentence(remark: Remark, words: Sentences) -> str:
    """What is wrong with a row, and the words before the headings that are nearest."""
    said = words[remark.fault] + (
        f" ({remark.detail})" if remark.fault is ReferenceFault.DEAD_LINK and remark.detail else ""
    )
    guess = remark.fault in {ReferenceFault.DEAD, ReferenceFault.DEAD_LINK} and remark.headings
    return f"{said} {words['nearest']}" if guess else said


def _headings(remark: Remark, words: Sentences) -> list[str]:
    return [_named(one, words) for one in remark.headings]


def _named(one: Suggestion, words: Sentences) -> str:
    if one.section is None:
        return f"{one.heading} {words['whole']}"
    return f"{one.heading} (#{one.anchor})" if one.anchor else one.heading


# --- HTML -----------------------------------------------------------------------------------------


def as_html(report: WritersReport) -> str:
    """The report as one HTML file that loads nothing; what articles say is escaped."""
    language = language_of_report(report)
    words = words_for(language)
    counts = "".join(f"<li>{html.escape(one)}</li>" for one in _counts(report, words))
    found = f"<ul>{counts}</ul>" if counts else f"<p>{words['no_remarks']}</p>"
    head = f"<h1>{words['title']}</h1>\n<p>{html.escape(_summary(report, words))}</p>\n{found}\n"
    parts = "".join(map(_html_article, report.articles))
    return html_page(words["title"], head + parts, language=language)


def _html_article(article: ArticleRemarks) -> str:
    words = words_for(article.language)
    size = words["article"].format(remarks=len(article.remarks), rows=article.rows)
    names = ("", words["question"], words["says"], words["what"])
    heads = "".join(f'<th scope="col">{name}</th>' for name in names)
    rows = "".join(_html_row(remark, words) for remark in article.remarks)
    path = f"<small><code>{html.escape(article.path)}</code> {size}</small>"
    return (
        f'<section lang="{html.escape(article.language)}">\n'
        f"<h2>{html.escape(article.title)} {path}</h2>\n"
        f'<div class="wide"><table class="stacked">\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table></div>\n</section>\n"
    )


def _html_row(remark: Remark, words: Sentences) -> str:
    headings = "".join(f"<li>{html.escape(one)}</li>" for one in _headings(remark, words))
    what = html.escape(_sentence(remark, words)) + (f"<ul>{headings}</ul>" if headings else "")
    cells = {
        words["question"]: html.escape(remark.question),
        words["says"]: html.escape(_says(remark, words)),
        words["what"]: what,
    }
    told = ""
    for head, cell in cells.items():
        told += f'<td class="text" data-head="{html.escape(head)}">{cell}</td>'
    place = html.escape(_place(remark, words))
    return f'<tr class="{remark.fault}"><th scope="row" class="whole">{place}</th>{told}</tr>\n'


WRITERS: Final = {"md": as_markdown, "html": as_html, "json": as_json}
"""How a report is written, by format."""
