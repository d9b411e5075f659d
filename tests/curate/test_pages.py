from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest

from hayami.curate.pages import as_html, as_json, as_markdown, language_of_report
from hayami.curate.writers import ArticleRemarks, ReferenceFault, Remark, Suggestion, WritersReport
from hayami.evalset.records import TABLE, Place
from hayami.words.languages import languages

WORDS = {code: one.writers for code, one in languages().items() if one.writers is not None}
WILD = '<script>alert("x")</script> | `*_' + "\u2028"


def remark(fault: ReferenceFault = ReferenceFault.DEAD, text: str = "参照") -> Remark:
    return Remark(
        fault,
        Place(kind=TABLE, ordinal=0, row=3),
        text,
        text,
        "#x",
        "",
        (Suggestion("a#0", text, "top"), Suggestion(None, text, "")),
    )


def report(*languages: str, text: str = "参照") -> WritersReport:
    articles = tuple(
        ArticleRemarks(f"a{n}", f"a{n}.html", f"{text} {n}", language, 9, (remark(text=text),))
        for n, language in enumerate(languages)
    )
    return WritersReport(articles, 20, 3)


class Reader(HTMLParser):
    """The elements of a page and what it would load."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [name for name, _ in attrs if name in {"src", "href"}]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("fault", ReferenceFault)
@pytest.mark.parametrize("language", WORDS)
def test_every_fault_has_words_in_every_language(language: str, fault: ReferenceFault) -> None:
    assert WORDS[language][fault]
    assert WORDS[language][f"n_{fault}"]


def test_all_languages_have_the_same_words() -> None:
    assert len({frozenset(words) for words in WORDS.values()}) == 1


@pytest.mark.parametrize(
    ("languages", "language"),
    [(("ja", "ja", "en"), "ja"), (("ko", "zh"), "en"), ((), "en"), (("ja", "en"), "en")],
)
def test_a_report_is_in_the_language_of_most_articles(
    languages: tuple[str, ...], language: str
) -> None:
    assert language_of_report(report(*languages)) == language


def test_each_article_is_told_of_in_its_own_language() -> None:
    text = as_markdown(report("ja", "en"))
    assert "表 1・4 行目" in text
    assert "Table 1, row 4" in text


def test_markdown_keeps_what_articles_say_in_its_cell() -> None:
    lines = as_markdown(report("en", text=WILD)).split("\n")
    row = next(line for line in lines if line.startswith("| Table"))
    assert row.replace("\\|", "").count("|") == 5
    assert "\\<script\\>" in row
    assert "\u2028" not in row


def test_html_escapes_what_articles_say_and_loads_nothing() -> None:
    page = as_html(report("ja", "en", text=WILD))
    read = Reader(page)
    assert "script" not in read.tags
    assert 'alert("x")' in read.text
    assert read.loads == []


def test_html_says_the_language_of_the_page_and_of_each_article() -> None:
    page = as_html(report("ja", "ja", "ko"))
    assert '<html lang="ja">' in page
    assert '<section lang="ko">' in page


def test_json_is_strict_and_escapes_line_separators() -> None:
    text = as_json(report("en", text=WILD))
    told = json.loads(text)
    assert told["faults"] == {"dead": 1}
    assert told["articles"][0]["remarks"][0]["headings"][0]["anchor"] == "top"
    assert "\u2028" not in text


@pytest.mark.parametrize("write", [as_markdown, as_html])
def test_a_report_of_nothing_says_so(write: object) -> None:
    assert callable(write)
    assert WORDS["en"]["no_remarks"] in write(WritersReport((), 5, 2))
