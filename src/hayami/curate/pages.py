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

FORMATS: Final[dict[str, str]] = {".md": "md", ".html": "html", ".htm": "html", ".json": "json"}
"""The formats of a report by the suffix of its file."""

# fmt: off
WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "title": "Quick-reference tables: references to mend",
        "summary": "{remarks} of {rows} rows to look at, in {articles} articles; {sound} articles are in order.",
        "article": "{remarks} of {rows} rows",
        "row": "Table {table}, row {row}", "place": "{kind} {ordinal}", "question": "Question", "says": "The cell says", "means": "Headings",
        "what": "To mend", "link": "link {href}", "nothing": "(nothing)", "whole": "(the whole article)",
        "dead": "No heading is worded like the reference.",
        "dead_link": "The link leads nowhere.",
        "outside": "The link leads to a page that is not among the articles.",
        "nearest": "Nearest headings:",
        "ambiguous": "Several headings fit equally well: name the one that is meant.",
        "not_a_section": "The reference means no section of its own (a whole article, a summary, an FAQ).",
        "missing": "The question or the reference is missing.",
        "incomplete": "A part of the reference names nothing.",
        "differs": "The reference is worded otherwise than the heading.",
        "shortened": "The reference gives the heading in part.",
        "n_dead": "name no heading", "n_dead_link": "have a dead link",
        "n_outside": "link to a page not among the articles",
        "n_ambiguous": "are ambiguous", "n_not_a_section": "mean no section",
        "n_missing": "lack a question or a reference", "n_incomplete": "name something that is not there",
        "n_differs": "are worded otherwise than the heading", "n_shortened": "give the heading in part",
        "no_remarks": "Nothing to mend.",
    },
    "ja": {
        "title": "早見表の参照：直すところ",
        "summary": "{rows} 行のうち {remarks} 行（{articles} 記事）に確認が必要です。{sound} 記事は問題ありません。",
        "article": "{rows} 行のうち {remarks} 行",
        "row": "表 {table}・{row} 行目", "place": "{kind} {ordinal}", "question": "質問", "says": "参照欄の文字", "means": "見出し",
        "what": "直すところ", "link": "リンク {href}", "nothing": "（空）", "whole": "（記事全体）",
        "dead": "この名前の見出しがありません。",
        "dead_link": "リンク先がありません。",
        "outside": "リンク先のページは、対象の記事の中にありません。",
        "nearest": "近い見出し：",
        "ambiguous": "当てはまる見出しが複数あります。どれを指すのか書いてください。",
        "not_a_section": "独立した節を指していません（記事全体・まとめ・FAQ など）。",
        "missing": "質問または参照が空です。",
        "incomplete": "参照の一部は見出しにありません。",
        "differs": "参照の文字が見出しと違います。",
        "shortened": "見出しの一部だけが書かれています。",
        "n_dead": "見出しなし", "n_dead_link": "リンク切れ", "n_outside": "対象外のページへのリンク",
        "n_ambiguous": "参照先が複数", "n_not_a_section": "節を指していない",
        "n_missing": "質問か参照が空", "n_incomplete": "一部が見つからない", "n_differs": "見出しと文字が違う",
        "n_shortened": "見出しの一部だけ",
        "no_remarks": "直すところはありません。",
    },
}
"""The words of a report by language."""
# fmt: on


def language_of_report(report: WritersReport) -> str:
    """The language in which most articles of a report are, of those that hayami speaks.

    English without any.
    """
    spoken = Counter(one.language for one in report.articles if one.language in WORDS)
    return max(spoken, key=lambda language: (spoken[language], language == "en"), default="en")


def words_for(language: str) -> dict[str, str]:
    """The words for articles of a language: its own, or English."""
    return WORDS.get(language, WORDS["en"])


def _summary(report: WritersReport, words: dict[str, str]) -> str:
    remarks = sum(len(one.remarks) for one in report.articles)
    return words["summary"].format(
        remarks=remarks, rows=report.rows, articles=len(report.articles), sound=report.sound
    )


def _counts(report: WritersReport, words: dict[str, str]) -> list[str]:
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
    """A remark with its place as the records have it: ``table`` and ``row``, or a place of another kind."""
    place = remark.place
    stood: dict[str, object] = {"table": place.table, "row": place.row}
    if place.recorded is not None:
        stood["place"] = place.model_dump(mode="json")
    told = asdict(remark)
    return {"fault": told.pop("fault")} | stood | {k: v for k, v in told.items() if k != "place"}


# --- Markdown ---------------------------------------------------------------------------------------------------------


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


def _place(remark: Remark, words: dict[str, str]) -> str:
    """Where a remark's row stands, counted from 1 as people do."""
    place = remark.place
    if place.table is not None:
        return words["row"].format(table=place.table + 1, row=place.row + 1)
    named = words["place"].format(kind=place.kind, ordinal=place.ordinal + 1)
    return f"{named} ({place.under})" if place.under else named


def _says(remark: Remark, words: dict[str, str]) -> str:
    said = remark.reference or words["nothing"]
    return f"{said} ({words['link'].format(href=remark.href)})" if remark.href else said


def _sentence(remark: Remark, words: dict[str, str]) -> str:
    """What is wrong with a row, and the words before the headings that are nearest."""
    said = words[remark.fault] + (
        f" ({remark.detail})" if remark.fault is ReferenceFault.DEAD_LINK and remark.detail else ""
    )
    guess = remark.fault in {ReferenceFault.DEAD, ReferenceFault.DEAD_LINK} and remark.headings
    return f"{said} {words['nearest']}" if guess else said


def _headings(remark: Remark, words: dict[str, str]) -> list[str]:
    return [_named(one, words) for one in remark.headings]


def _named(one: Suggestion, words: dict[str, str]) -> str:
    if one.section is None:
        return f"{one.heading} {words['whole']}"
    return f"{one.heading} (#{one.anchor})" if one.anchor else one.heading


# --- HTML -------------------------------------------------------------------------------------------------------------


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


def _html_row(remark: Remark, words: dict[str, str]) -> str:
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
