"""A page as one flat reading.

What separates words, where headings and ids lead, what a page says of itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.evalset.records import Reason
from hayami.extract.page import NoPage, Page, read_page


def page_of(html: str, *, code: bool = False, name: str = "頁") -> Page:
    page = read_page(html.encode(), code=code, name=name)
    assert isinstance(page, Page)
    return page


def text_in(html: str, *, code: bool = False) -> str:
    return "\n".join(filter(None, page_of(html, code=code).segments))


def reading(html: str) -> list[str]:
    """Headings as ``H2 text``, and the text after each, in reading order."""
    page = page_of(html)
    told = []
    for number, segment in enumerate(page.segments):
        told += [f"H{h.level} {h.text}" for h in page.headings if h.segment == number]
        told += [segment] if segment else []
    return told


def leads_to(html: str, name: str) -> str | None:
    """The heading under which an id stands; None before the first one."""
    page = page_of(html)
    segment = page.anchors[name]
    return next(
        (heading.text for heading in reversed(page.headings) if heading.segment <= segment), None
    )


# --- what separates words -------------------------------------------------------------------------

BLOCKS = (
    *(
        "address",
        "article",
        "blockquote",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
    ),
    *(
        "figcaption",
        "figure",
        "form",
        "legend",
        "li",
        "main",
        "menu",
        "ol",
        "p",
        "section",
        "summary",
        "ul",
    ),
)
INLINES = (
    *(
        "a",
        "abbr",
        "b",
        "bdi",
        "cite",
        "code",
        "data",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "mark",
        "q",
    ),
    *("samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "x-own"),
)


@pytest.mark.parametrize("tag", [*BLOCKS, "dialog open"])
def test_a_block_separates_words(tag: str) -> None:
    assert text_in(f"<div>前<{tag}>中</{tag}>後</div>") == "前\n中\n後"


@pytest.mark.parametrize("tag", INLINES)
def test_an_inline_element_does_not_separate_words(tag: str) -> None:
    assert text_in(f"<p>前<{tag}>中</{tag}>後</p>") == "前中後"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>上<br>下</p>", "上\n下"),
        ("<p>上<br/>下<br>\n</p>", "上\n下"),
        ("<p>上<hr>下</p>", "上\n下"),
        ('<p>上<br id="x">下</p>', "上\n下"),
        ('<div>上<p id="x">中</p>下</div>', "上\n中\n下"),
        ('<table><tr id="x"><td id="y">一<td id="z">二</table>', "一 二"),
        ("<p>分けても<wbr>一語</p>", "分けても一語"),
        ("<p>一</p><p>二</p>", "一\n二"),
        ("<ul><li>一<li>二<ul><li>三</ul><li>四</ul>", "一\n二\n三\n四"),
        ("<dl><dt>語<dd>説明<dt>次</dl>", "語\n説明\n次"),
        ("<table><caption>題<tr><th>列<th>値<tr><td>一<td>二</table>", "題\n列 値\n一 二"),
        ("<p>前<img alt='絵'>後</p>", "前後"),
        ("<p>一　二&nbsp;三\n\t四</p>", "一 二 三 四"),
        ("<p>ソフト&shy;ハイフンと&#8203;幅のない&#xFEFF;空白</p>", "ソフトハイフンと幅のない空白"),
        ("<p>&lt;b&gt; &amp; &#x3042;</p>", "<b> & あ"),
        ("<p>CR\r\nLF\u2028LS\x85NEL</p>", "CR LF LS NEL"),
        ("裸の文字<p>段落</p>末尾", "裸の文字\n段落\n末尾"),
    ],
)
def test_text_is_one_block_a_line_with_single_blanks(html: str, text: str) -> None:
    assert text_in(html) == text


@pytest.mark.parametrize("line_end", ["<br>", "<br/>", '<br id="x">'])
def test_a_break_inside_a_heading_is_a_blank(line_end: str) -> None:
    assert reading(f"<h2>上{line_end}下</h2>") == ["H2 上 下"]


# --- code -----------------------------------------------------------------------------------------


def test_code_blocks_leave_the_text_unless_asked_for_and_inline_code_stays() -> None:
    html = "<p>前<pre><code>x = 1\ny = 2</code></pre><p>後の <code>z</code>"
    assert text_in(html) == "前\n後の z"
    assert text_in(html, code=True) == "前\nx = 1 y = 2\n後の z"


# --- headings -------------------------------------------------------------------------------------


def test_headings_of_all_levels_cut_the_text_where_they_stand() -> None:
    html = "序<h1>一</h1>あ<h2>二</h2>い<h3>三</h3><h4>四</h4>う<h5>五</h5><h6>六</h6>え"
    assert reading(html) == [
        "序",
        "H1 一",
        "あ",
        "H2 二",
        "い",
        "H3 三",
        "H4 四",
        "う",
        "H5 五",
        "H6 六",
        "え",
    ]


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("  設定の\n 手順  ", "設定の 手順"),
        ("設定<b>の</b><i>手順</i>", "設定の手順"),
        ("<span>設定</span><code>x</code>", "設定x"),
        ("　設定&nbsp;の手順", "設定 の手順"),
        ("設&#8203;定", "設定"),
        ('<img alt="設定の手順" src="x.png">', "設定の手順"),
        ('<img alt="設定の" src="1.png"><img alt="手順" src="2.png">', "設定の 手順"),
        ('<a href="/x"><img alt="設定の手順" src="x.png"></a>', "設定の手順"),
        ('<img alt="歯車" src="x.png">設定', "設定"),
        ("<div>設定</div>", "設定"),
        ("<svg><title>歯車</title></svg>設定", "設定"),
    ],
)
def test_a_heading_is_one_line_and_its_pictures_speak_only_where_it_has_no_words(
    heading: str, text: str
) -> None:
    assert reading(f"<h2>{heading}</h2><p>本文") == [f"H2 {text}", "本文"]


@pytest.mark.parametrize(
    "heading", ["", " ", "<br>", "&nbsp;", "<b></b>", "<img>", '<img alt="">', "&#8203;"]
)
def test_an_empty_heading_ends_nothing(heading: str) -> None:
    html = f"<h2>設定</h2><p>一<h2>{heading}</h2><p>二<h2>次</h2>"
    assert [h.text for h in page_of(html).headings] == ["設定", "次"]
    assert reading(html) == ["H2 設定", "一", "二", "H2 次"]


def test_a_heading_in_a_cell_is_a_heading_and_its_table_keeps_its_segments() -> None:
    page = page_of("<h2>外</h2><table><tr><td><h3>内</h3>一<td>二</table><p>後")
    assert [(h.text, h.level) for h in page.headings] == [("外", 2), ("内", 3)]
    (table,) = page.tables
    assert " ".join(filter(None, page.segments[table.first : table.last])) == "一 二"
    assert page.segments[table.last :] == ("後",)


def test_unclosed_headings_end_at_the_next_one() -> None:
    assert reading("<h2>一<h2>二<h3>三</h3>本文") == ["H2 一", "H2 二", "H3 三", "本文"]


def test_a_heading_that_is_never_closed_takes_the_rest_as_browsers_do_and_loses_nothing() -> None:
    page = page_of("<h2>一</h2>本文<h2>二<p>三")
    assert " ".join([*page.segments, *(h.text for h in page.headings)]).split() == [
        "本文",
        "一",
        "二",
        "三",
    ]


def test_wrong_end_tags_lose_no_text() -> None:
    assert text_in("<p><b>一<i>二</b>三</i>四</div></span>五</p></td>六").split() == [
        "一二三四五",
        "六",
    ]


# --- ids ------------------------------------------------------------------------------------------

BEFORE = "<h2>前</h2><p>前の文</p>"
AFTER = "<p>後の文</p><h2>末</h2>"


@pytest.mark.parametrize(
    "heading",
    [
        '<h2 id="x">節</h2>',
        '<h2 name="x">節</h2>',
        '<h2 id="z" name="x">節</h2>',
        '<h2><a id="x"></a>節</h2>',
        '<h2><a name="x">節</a></h2>',
        '<h2><span id="x">節</span></h2>',
        '<h2>節<a class="anchor" id="x" href="#x">#</a></h2>',
        '<h2>節<a href="#x"><span id="x">¶</span></a></h2>',
        '<a id="x"></a><h2>節</h2>',
        '<a name="x"></a>\n<h2>節</h2>',
        '<p><a name="x"></a></p><h2>節</h2>',
        '<div id="x"></div><hr><h2>節</h2>',
        '<a id="y"></a><a id="x"></a><h2>節</h2>',
        '<div id="x"><h2>節</h2><p>本文</p></div>',
        '<section id="x"><h2>節</h2><h3>小</h3><h3>小</h3></section>',
        '<section id="x"><div><h2>節</h2></div></section>',
        '<section id="x"><p>前置き</p><h2>節</h2></section>',
        '<header id="x"><h2>節</h2></header>',
        '<details id="x"><summary><h2>節</h2></summary>本文</details>',
        '<li id="x"><h2>節</h2></li>',
        '<h2></h2><a id="x"></a><h2>節</h2>',
        '<h2 id="x"></h2><h2>節</h2>',
    ],
)
def test_an_id_on_in_around_or_just_before_a_heading_leads_to_it(heading: str) -> None:
    assert leads_to(f"<article>{BEFORE}{heading}{AFTER}</article>", "x") == "節"


@pytest.mark.parametrize(
    "content",
    [
        '<p id="x">本文</p>',
        '<p>本文<a id="x"></a>の続き</p>',
        '<a id="x"></a><p>本文</p>',
        '<ul><li>一<li id="x">二</ul>',
        '<table id="x"><tr><td>一</table>',
        '<table><tr id="x"><td>一</table>',
        '<figure id="x"><img src="a.png"><figcaption>図</figcaption></figure>',
        '<figure id="x"><img src="a.png"></figure>',
        '<pre id="x">code</pre>',
        '<pre><span id="x">code</span></pre>',
        '<aside id="x">補足</aside><p>本文</p>',
        '<aside><p id="x">補足</p></aside><p>本文</p>',
    ],
)
def test_an_id_in_a_section_leads_to_its_heading(content: str) -> None:
    assert leads_to(f"<h2>前</h2><p>文<h2>節</h2><p>文</p>{content}<h2>末</h2>", "x") == "節"


def test_an_id_around_several_deeper_sections_leads_to_the_first() -> None:
    assert leads_to('<h2>節</h2><div id="x"><h3>一</h3>文<h3>二</h3>文</div>', "x") == "一"


def test_a_wrapper_of_several_sections_leads_to_where_it_begins() -> None:
    html = '<main id="m"><p>序</p><h2>一</h2><h2>二</h2></main>'
    assert leads_to(html, "m") is None
    assert leads_to(f"<h2>零</h2>{html}", "m") == "零"


def test_each_of_two_wrappers_leads_to_its_own_section() -> None:
    html = '<div id="a"><h2>一</h2>文</div><div id="b"><h2>二</h2>文</div>'
    assert (leads_to(html, "a"), leads_to(html, "b")) == ("一", "二")


def test_an_id_between_text_and_the_next_heading_leads_to_the_heading() -> None:
    assert leads_to('<h2>前</h2><p>文</p><a id="x"></a> <h2>節</h2>', "x") == "節"


def test_the_first_of_two_equal_ids_counts() -> None:
    assert leads_to('<h2 id="x">一</h2>文<h2 id="x">二</h2>文', "x") == "一"
    assert leads_to('<h2>零</h2><p id="x">文</p><h2 id="x">二</h2>文', "x") == "零"


def test_ids_are_kept_as_they_are_written() -> None:
    page = page_of(
        '<h2 id="設定-1">一</h2><h2 id="%E8%A8%AD">二</h2><h2 id="A b">三</h2><h2 id="a b">四</h2>'
    )
    assert page.anchors == {"設定-1": 1, "%E8%A8%AD": 2, "A b": 3, "a b": 4}


@pytest.mark.parametrize(
    ("html", "anchor"),
    [
        ('<h2 id="x">節</h2>', "x"),
        ('<h2 id="x"><a id="y"></a>節</h2>', "x"),
        ('<h2 name="x">節</h2>', "x"),
        ('<h2><span id="x">節</span></h2>', "x"),
        ('<a name="x"></a><h2>節</h2>', "x"),
        ('<section id="x"><h2>節</h2></section>', "x"),
        ("<h2>節</h2>", ""),
        ('<h2>前</h2><p id="x">文</p><h2>節</h2>', ""),
        ('<h2>前</h2><a id="x"></a><p>文</p><h2>節</h2>', ""),
        ('<p id="x">文</p><h2>節</h2>', ""),
        ('<h2>前</h2><ul><li id="x">文</ul><h2>節</h2>', ""),
        ('<h2 id="x">前</h2><h2>節</h2>', ""),
    ],
)
def test_the_anchor_of_a_heading_is_an_id_that_leads_to_it(html: str, anchor: str) -> None:
    assert page_of(html).headings[-1].anchor == anchor


def test_self_closed_anchors_of_xhtml_are_empty() -> None:
    html = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><body>'
        '<h2><a id="x"/>一</h2><p>文</p><div id="y"/><h2>二</h2><p class="z"/><p>文</p></body></html>'  # noqa: E501
    )
    assert reading(html) == ["H2 一", "文", "H2 二", "文"]
    assert (leads_to(html, "x"), leads_to(html, "y")) == ("一", "二")


@pytest.mark.parametrize(
    "tag", ["script", "title", "textarea", "iframe", "style", "video", "canvas", "h3", "ul", "sup"]
)
def test_no_self_closed_element_of_xhtml_swallows_the_page(tag: str) -> None:
    html = f'<?xml version="1.0"?><html><body><p>一</p><{tag} class="x"/><h2>節</h2><p>二</p></body></html>'  # noqa: E501
    assert reading(html) == ["一", "H2 節", "二"]


def test_in_html_a_self_closing_mark_means_nothing() -> None:
    assert leads_to('<h2><a id="x"/>一</h2><p>文<h2>二</h2>', "x") == "一"
    assert text_in("<p>前<span/>中</p>後") == "前中\n後"


# --- tables ---------------------------------------------------------------------------------------


def test_tables_are_counted_in_document_order_nested_hidden_and_skipped_ones_too() -> None:
    html = (
        "<nav><table><tr><td>零</table></nav><table><tr><td>一<table><tr><td>二</table></table><table hidden><tr><td>三"  # noqa: E501
        '</table><div role="table"><div role="row"><span role="cell">四</span></div></div><table><tr><td>五</table>'  # noqa: E501
    )
    page = page_of(html)
    texts = {
        table.index: " ".join(filter(None, page.segments[table.first : table.last]))
        for table in page.tables
    }
    assert texts == {1: "一 二", 2: "二", 4: "四", 5: "五"}


# --- what a page says of itself -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>題</title><h1>見出し</h1>", "題"),
        ("<title>  二行の\n 題 </title>", "二行の 題"),
        ("<title>題 &amp; 名</title>", "題 & 名"),
        ("<title> </title><h2>節</h2><h1>見出し</h1>", "見出し"),
        ("<h1>見出し</h1><h1>次</h1>", "見出し"),
        ("<h2>節</h2>", "頁"),
        ("<svg><title>歯車</title></svg><h1>見出し</h1>", "見出し"),
        ('---\ntitle: "前書きの題"\nlang: ja\n---\n<h1>見出し</h1>', "前書きの題"),
        ("---\r\ntitle: 前書きの題\r\n---\r\n<p>文", "前書きの題"),
        ("---\ntitle: 前書きの題\n---\n<title>題</title>", "題"),
    ],
)
def test_the_title_is_the_title_element_else_the_first_h1_else_the_files_name(
    html: str, title: str
) -> None:
    assert page_of(html).title == title


def test_front_matter_is_not_text_and_a_rule_further_down_is_no_front_matter() -> None:
    assert text_in("---\ntitle: 題\ntags: [a]\n---\n<p>本文") == "本文"
    assert text_in("<p>一</p>\n---\ntitle: 題\n---\n<p>二") == "一\n--- title: 題 ---\n二"


@pytest.mark.parametrize(
    ("html", "language", "warnings"),
    [
        ('<html lang="ja"><p>設定', "ja", 0),
        ('<html lang="ja-JP"><p>設定', "ja", 0),
        ('<html xml:lang="ko"><p>설정', "ko", 0),
        ('<html><body lang="fr"><p>Réglages', "fr", 0),
        ("<p>設定を開きます", "ja", 0),
        ("<p>설정을 엽니다", "ko", 0),
        ("<p>打开设置页面", "zh", 0),
        ("<p>Open the settings", "en", 0),
        ('<html lang="en"><p>設定を開きます', "ja", 1),
        ('<html lang="en"><p>설정을 엽니다', "ko", 1),
    ],
)
def test_the_language_is_declared_or_seen_and_a_wrong_declaration_is_warned_of(
    html: str, language: str, warnings: int
) -> None:
    page = page_of(html, name="page")
    assert (page.language, len(page.warnings)) == (language, warnings)


@pytest.mark.parametrize(
    ("html", "base"),
    [
        ('<head><base href=" ../x/ "></head><p>文', "../x/"),
        ('<head><base target="_top"><base href="a/"></head><p>文', "a/"),
        ("<head><base href></head><p>文", ""),
        ("<p>文", ""),
    ],
)
def test_the_base_of_links_is_the_first_base_with_an_address(html: str, base: str) -> None:
    assert page_of(html).base == base


# --- what is no page ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", Reason.EMPTY_FILE),
        (b" \n\t ", Reason.EMPTY_FILE),
        (b"\xef\xbb\xbf", Reason.EMPTY_FILE),
        (b"\xff\xfe \x00", Reason.EMPTY_FILE),
        ("　\n".encode(), Reason.EMPTY_FILE),
        ("タグのない文章。a < b > c".encode(), Reason.NOT_HTML),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR<p>", Reason.NOT_HTML),
        (b'<meta charset="utf-8"><p>' + bytes(range(128, 256)) * 10, Reason.UNDECODABLE),
    ],
)
def test_what_is_no_page_is_told_with_its_reason(data: bytes, reason: Reason) -> None:
    page = read_page(data, code=False, name="頁")
    assert isinstance(page, NoPage)
    assert page.reason == reason
    assert page.detail


@pytest.mark.parametrize(
    "html", ["<p></p>", "<!DOCTYPE html>", "<html></html>", "</p>", "<!-- x -->", "<?php ?>"]
)
def test_a_page_without_text_is_a_page(html: str) -> None:
    assert page_of(html).segments == ("",)


def test_a_page_in_utf_16_with_its_mark_is_a_page() -> None:
    page = read_page("\ufeff<h2>設定</h2><p>文".encode("utf-16-le"), code=False, name="頁")
    assert isinstance(page, Page)
    assert [h.text for h in page.headings] == ["設定"]


# --- any page -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    words: int


@dataclass(frozen=True, slots=True)
class Element:
    tag: str
    children: tuple[Text | Element, ...]


SPACED = st.builds(Text, st.integers(0, 2))
INLINE = st.recursive(
    SPACED | st.just(Element("br", ())),
    lambda inner: st.builds(
        Element,
        st.sampled_from(["b", "span", "em", "code", "sub"]),
        st.lists(inner, max_size=3).map(tuple),
    ),
    max_leaves=6,
)
PHRASES = st.lists(INLINE, max_size=4).map(tuple)
FLOW = st.recursive(
    INLINE
    | st.builds(Element, st.sampled_from(["p", "h1", "h2", "h3"]), PHRASES)
    | st.builds(Element, st.sampled_from(["nav", "script", "pre"]), st.just((Text(1),))),
    lambda inner: st.builds(
        Element,
        st.sampled_from(
            ["div", "section", "ul><li", "blockquote", "table><tr><td", "article", "dl><dd"]
        ),
        st.lists(inner, max_size=4).map(tuple),
    ),
    max_leaves=25,
)


class Written:
    """A tree written as HTML, and, by a model of its own, the lines that a reader sees."""

    def __init__(self, nodes: tuple[Text | Element, ...]) -> None:
        self.html = ""
        self.seen = ""
        self._words = 0
        for node in nodes:
            self._write(node, visible=True)

    def lines(self) -> list[str]:
        return [" ".join(line.split()) for line in self.seen.split("\n") if line.split()]

    def _write(self, node: Text | Element, *, visible: bool, broken: str = "\n") -> None:
        if isinstance(node, Text):
            for _ in range(node.words):
                self._words += 1
                self.html += f"語{self._words}。"
                self.seen += f"語{self._words}。" if visible else ""
            return
        if node.tag == "br":
            self.html += "<br>"
            self.seen += broken
            return
        opened = node.tag.split("><")
        block = node.tag not in {"b", "span", "em", "code", "sub", "script"}
        self.html += "".join(f"<{tag}>" for tag in opened)
        self.seen += "\n" if block else ""
        for child in node.children:
            self._write(
                child,
                visible=visible and node.tag not in {"nav", "script", "pre"},
                broken=" " if node.tag in {"h1", "h2", "h3"} else broken,
            )
        self.html += "".join(f"</{tag}>" for tag in reversed(opened))
        self.seen += "\n" if block else ""


def told(page: Page) -> Iterator[str]:
    """The lines of a page, headings among them, in reading order."""
    for number, segment in enumerate(page.segments):
        yield from (heading.text for heading in page.headings if heading.segment == number)
        yield from segment.split("\n") if segment else ()


@settings(deadline=None, max_examples=100, derandomize=True)
@given(st.lists(FLOW, max_size=6).map(tuple))
def test_every_visible_word_is_read_once_in_order_and_joined_as_a_reader_sees_it(
    nodes: tuple[Text | Element, ...],
) -> None:
    written = Written(nodes)
    page = page_of(f"<!DOCTYPE html><body>{written.html}")
    assert list(told(page)) == written.lines()
    starts = [heading.segment for heading in page.headings]
    assert starts == sorted(set(starts))
    assert all(0 <= table.first < table.last < len(page.segments) for table in page.tables)
    assert sorted(table.index for table in page.tables) == list(range(len(page.tables)))


@settings(deadline=None, max_examples=100, derandomize=True)
@given(st.text(st.sampled_from('<>/!"=- &;h2p語tdabl\0\r\n'), max_size=60))
def test_no_text_whatever_raises(text: str) -> None:
    read_page(f"<p>{text}".encode(), code=False, name="頁")
