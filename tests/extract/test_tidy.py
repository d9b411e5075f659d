"""What of a page is not for reading, and pages that nest without end."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.extract.article import read_article
from hayami.extract.page import Page, read_page
from hayami.parts import Reading, text_of
from hayami.settings import Settings

TABLE = (
    "<table><tr><th>知りたいこと<th>答え<th>節<tr><td>電池の替え方<td>裏蓋を開ける<td>電池</table>"
)


def page_of(html: str) -> Page:
    page = read_page(html.encode(), code=False, name="頁")
    assert isinstance(page, Page)
    return page


def text_in(html: str) -> str:
    return "\n".join(filter(None, page_of(html).segments))


def headings_in(html: str) -> list[str]:
    return [heading.text for heading in page_of(html).headings]


# --- what no reader sees --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "element",
    [
        "<script>var 隠 = 1</script>",
        "<style>.隠 { color: red }</style>",
        "<template><p>隠</p></template>",
        "<noscript>隠</noscript>",
        "<iframe>隠</iframe>",
        "<svg><title>隠</title><text>隠</text></svg>",
        "<canvas>隠</canvas>",
        "<audio>隠</audio>",
        "<video>隠</video>",
        "<object>隠</object>",
        "<textarea>隠</textarea>",
        "<select><option>隠</option></select>",
        "<!-- 隠 -->",
    ],
)
def test_what_is_no_text_of_the_page_is_passed_over(element: str) -> None:
    assert text_in(f"<p>前{element}後</p>") == "前後"


@pytest.mark.parametrize(
    "attribute",
    [
        "hidden",
        'hidden=""',
        'style="display:none"',
        'style="color: red; display : none ;"',
        'style="visibility: hidden"',
        'style="DISPLAY: NONE"',
        'class="sr-only"',
        'class="note visually-hidden"',
        'class="screen-reader-text"',
    ],
)
@pytest.mark.parametrize("tag", ["p", "span", "div", "ul"])
def test_hidden_elements_are_passed_over_with_all_they_hold(tag: str, attribute: str) -> None:
    assert (
        text_in(f"<div>前<{tag} {attribute}>隠<b>す</b></{tag}>後</div>").replace("\n", "")
        == "前後"
    )


@pytest.mark.parametrize(
    "attribute",
    [
        'style="display:block"',
        'style="color: none"',
        'class="sr-only-not"',
        'data-hidden="x"',
        'aria-hidden="true"',
    ],
)
def test_what_only_looks_like_hiding_is_read(attribute: str) -> None:
    assert text_in(f"<p {attribute}>見える</p>") == "見える"


def test_a_hidden_heading_is_no_heading() -> None:
    html = '<h2 hidden>隠</h2><h2 style="display:none">隠</h2><div hidden><h2>隠</h2></div><h2>見える</h2>'  # noqa: E501
    assert headings_in(html) == ["見える"]


def test_ruby_leaves_the_words_and_drops_their_reading() -> None:
    html = "<p><ruby>早見<rp>（</rp><rt>はやみ</rt><rp>）</rp></ruby>表の<ruby><rb>節<rt>せつ</ruby>を見る"  # noqa: E501
    assert text_in(html) == "早見表の節を見る"


def test_ruby_in_a_heading_is_dropped_too() -> None:
    assert headings_in("<h2><ruby>初期<rt>しょき</rt></ruby>化の手順</h2>") == ["初期化の手順"]


# --- chrome ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", ["nav", "aside", "footer"])
@pytest.mark.parametrize(
    "where", ["{}", "<main>{}</main>", "<article>{}</article>", "<div><section>{}</section></div>"]
)
def test_navigation_asides_and_footers_are_not_the_article_wherever_they_stand(
    where: str, tag: str
) -> None:
    html = where.format(f"<p>本文<{tag}><h2>案内</h2><p>目次</p></{tag}><p>続き")
    assert text_in(html) == "本文\n続き"
    assert headings_in(html) == []


@pytest.mark.parametrize("tag", ["nav", "footer"])
def test_words_on_both_sides_of_chrome_are_not_joined(tag: str) -> None:
    assert text_in(f"<div>前<{tag}>案内</{tag}>後</div>") == "前\n後"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<header>看板</header><p>本文", "本文"),
        ("<div><header>看板</header></div><p>本文", "本文"),
        ("<article><header>導入</header><p>本文</article>", "導入\n本文"),
        ("<main><header>導入</header><p>本文</main>", "導入\n本文"),
        ("<section><div><header>導入</header></div><p>本文</section>", "導入\n本文"),
        ('<article><header role="banner">看板</header><p>本文</article>', "本文"),
    ],
)
def test_the_header_of_the_page_is_chrome_and_that_of_the_article_is_not(
    html: str, text: str
) -> None:
    assert text_in(html) == text


@pytest.mark.parametrize("role", ["navigation", "complementary", "contentinfo", "banner", "search"])
def test_chrome_by_its_role_is_passed_over(role: str) -> None:
    assert text_in(f'<p>本文</p><div role="{role}"><p>案内</p></div><p>続き') == "本文\n続き"


@pytest.mark.parametrize("role", ["main", "article", "region", "note", "presentation"])
def test_other_roles_are_the_article(role: str) -> None:
    assert text_in(f'<div role="{role}">本文</div>') == "本文"


@pytest.mark.parametrize("tag", ["body", "main", "article"])
def test_a_page_is_never_chrome_as_a_whole(tag: str) -> None:
    assert text_in(f'<{tag} role="navigation"><p>本文</p></{tag}>') == "本文"


# --- marks in the text ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mark",
    [
        '<sup><a href="#fn1">1</a></sup>',
        '<sup id="r1"><a href="#fn1">[1]</a></sup>',
        '<a href="#fn1"><sup>1</sup></a>',
        '<sup><a href="#n">※2</a></sup>',
        '<sup><a href="#n">注3</a></sup>',
        '<sup><a href="#n">*</a></sup>',
        '<sup><a href="#n">（注1）</a></sup>',
        '<sup><a href="#n">[a]</a></sup>',
    ],
)
def test_footnote_marks_leave_the_text(mark: str) -> None:
    assert text_in(f"<p>保証は二年です{mark}。</p>") == "保証は二年です。"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("10<sup>2</sup>", "102"),
        ("x<sup>n</sup>+1", "xn+1"),
        ("商標<sup>TM</sup>", "商標TM"),
        ('本体<sup><a href="/spec">仕様の詳細</a></sup>', "本体仕様の詳細"),
    ],
)
def test_raised_text_that_is_no_mark_stays(html: str, text: str) -> None:
    assert text_in(f"<p>{html}</p>") == text


# --- links in headings ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "link",
    [
        '<a class="headerlink" href="#x" title="Permalink">¶</a>',
        '<a href="#x">#</a>',
        '<a href="#x">🔗</a>',
        ' <a class="header-anchor" href="#x">§</a>',
        '<a class="anchor" href="#x"><svg><path/></svg></a>',
        '<a class="permalink" href="#x">この見出しへのリンク</a>',
        '<a class="headerlink" href="#x">Permalink to this heading</a>',
        ' <a href="/edit">[編集]</a>',
        '<a href="/edit">［編集］</a>',
        ' <a class="edit-link" href="/edit">edit</a>',
        '<span aria-hidden="true">★</span>',
        '<a href="#x" aria-hidden="true">link</a>',
        '<span class="mw-editsection"><span>[</span><a href="/edit">編集</a><span>]</span></span>',
    ],
)
@pytest.mark.parametrize("form", ["<h2>C#{}</h2>", "<h2>{}C#</h2>"], ids=["behind", "before"])
def test_permalinks_and_edit_links_are_not_in_the_heading(form: str, link: str) -> None:
    assert headings_in(form.format(link)) == ["C#"]


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ('<a href="#x">初期化</a>', "初期化"),
        ('<a class="headerlink" href="#x">初期化</a>', "初期化"),
        ('<a href="https://a.example/">部品</a>の一覧', "部品の一覧"),
        ("配列[0] の意味", "配列[0] の意味"),
        ("C# の構文", "C# の構文"),
        ("★", "★"),
    ],
)
def test_links_and_symbols_that_are_the_heading_stay(heading: str, text: str) -> None:
    assert headings_in(f"<h2>{heading}</h2>") == [text]


def test_links_outside_of_headings_are_text() -> None:
    assert text_in(
        '<p>詳しくは<a class="headerlink" href="#x">#3</a> と <a href="/edit">[編集]</a>へ'
    ) == ("詳しくは#3 と [編集]へ")


# --- the same in tables ---------------------------------------------------------------------------


def test_cells_are_tidied_as_the_page_is() -> None:
    html = (
        '<table><tr><th>知りたいこと<sup><a href="#f">*1</a></sup><th>答え<th>節</tr>'
        "<tr><td><ruby>電池<rt>でんち</rt></ruby>の替え方<script>x()</script><td>裏蓋<span hidden>（秘）</span>を開ける"  # noqa: E501
        '<td>電池<sup><a href="#f">[2]</a></sup></table><h2>電池</h2>'
    )
    reading = read_article("a.html", "a", html.encode(), Settings())
    assert isinstance(reading, Reading)
    (row,) = reading.rows
    assert (row.question, row.answer, text_of(row.reference)) == (
        "電池の替え方",
        "裏蓋を開ける",
        "電池",
    )


# --- depth ----------------------------------------------------------------------------------------


DEEP = [
    "div",
    "span",
    "b",
    "section",
    "ul><li",
    "dl><dd",
    "blockquote",
    "table><tr><td",
    "p",
    "a",
    "font",
    "x-y",
]


@pytest.mark.parametrize(
    ("tag", "depth"),
    [*((tag, 10_000) for tag in DEEP), ("div", 100_000), ("ul><li", 40_000), ("p", 100_000)],
)
def test_a_page_that_nests_without_end_is_read_in_a_moment_and_whole(tag: str, depth: int) -> None:
    html = (
        "".join(f"<{tag}>{'' if n % (depth // 100) else f'語{n} '}" for n in range(depth))
        + "<h2>見出し</h2>最後"
    )
    began = time.perf_counter()
    page = page_of(html)
    assert time.perf_counter() - began < 8
    words = " ".join(page.segments).split()
    assert words == [f"語{n}" for n in range(0, depth, depth // 100)] + ["最後"]
    assert [heading.text for heading in page.headings] == ["見出し"]


def test_flattened_pages_say_so_and_others_do_not() -> None:
    assert any("nesting" in warning for warning in page_of("<div>" * 10_000 + "深").warnings)
    assert page_of("<div>" * 300 + "深" + "</div>" * 300).warnings == ()
    assert page_of("<div><p>浅</p></div>" * 10_000).warnings == ()


def test_what_follows_a_deep_place_keeps_its_structure() -> None:
    html = (
        "<div>" * 9_000
        + "<p>深"
        + "</div>" * 9_000
        + f"<h2 id=a>電池</h2><p id=b>本文</p>{TABLE}<h2>次</h2>"
    )
    page = page_of(html)
    assert [heading.text for heading in page.headings] == ["電池", "次"]
    assert [table.index for table in page.tables] == [0]
    assert page.anchors == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    "html",
    [
        '<script>var html = "' + "<div>" * 3_000 + '";</script>',
        "<style>/* " + "<div>" * 3_000 + " */</style>",
        "<!-- " + "<div>" * 3_000 + " -->",
        "<textarea>" + "<div>" * 3_000 + "</textarea>",
        '<p title="' + "<div>" * 3_000 + '">p</p>',
        "<br>" * 3_000,
        '<img alt="">' * 3_000,
        '<svg><path d="M0 0"/></svg>' * 3_000,
        "<p>p" * 3_000,
        "<ul>" + "<li>i" * 3_000 + "</ul>",
        "<table>" + "<tr><td>c" * 3_000 + "</table>",
        "<select>" + "<option>o" * 3_000 + "</select>",
        "</div>" * 3_000,
        "a < b " * 3_000,
    ],
    ids=[
        "script",
        "style",
        "comment",
        "textarea",
        "attribute",
        "br",
        "img",
        "svg",
        "p",
        "li",
        "td",
        "option",
        "end",
        "lt",
    ],
)
def test_tags_that_do_not_nest_do_not_count_as_depth(html: str) -> None:
    page = page_of(f"{html}<h2>電池</h2><p>本文</p>{TABLE}")
    assert [heading.text for heading in page.headings] == ["電池"]
    assert page.tables[-1].first == page.headings[0].segment + 1
    assert page.warnings == ()


def test_old_anchors_that_are_never_closed_do_not_hide_the_rest_of_a_glossary() -> None:
    words = "".join(f'<h2><a name="t{n}">用語{n}</h2><p>説明{n}' for n in range(3_000))
    page = page_of(f"{words}<h2>表</h2>{TABLE}")
    assert len(page.headings) == 3_001
    assert page.anchors["t2999"] == page.headings[2999].segment
    assert len(page.tables) == 1


def test_formatting_that_is_never_closed_is_read_in_a_moment() -> None:
    html = "".join(f'<p><font color="#{n:06x}">語{n} ' for n in range(1_500))
    began = time.perf_counter()
    page = page_of(html)
    assert time.perf_counter() - began < 1.5
    assert " ".join(page.segments).split() == [f"語{n}" for n in range(1_500)]


@pytest.mark.parametrize("end", [">文", " title='>'>文", ""], ids=["closed", "quoted", "open"])
def test_a_tag_of_countless_attributes_is_read_in_a_moment(end: str) -> None:
    html = '<h2 id="x">節</h2><p ' + " ".join(f"a{n}='1'" for n in range(40_000)) + end
    began = time.perf_counter()
    page = page_of(html)
    assert time.perf_counter() - began < 2
    assert [heading.text for heading in page.headings] == ["節"]
    assert page.anchors == {"x": 1}
    assert page.segments[-1] == ("文" if end else "")


@pytest.mark.parametrize(
    "long",
    [
        "文" * 40_000,
        f'<img src="data:image/png;base64,{"A" * 90_000}" alt="">',
        f'<p id="z" data-page="{"a = 1; " * 20_000}">文',
    ],
    ids=["text", "picture", "data"],
)
def test_long_texts_and_long_attributes_cost_no_tag_its_attributes(long: str) -> None:
    page = page_of(f'<h2 id="x">節</h2>{long}<p id="y">前<b hidden>隠</b>後')
    assert page.anchors == {"x": 1, "y": 1} | ({"z": 1} if 'id="z"' in long else {})
    assert page.segments[-1].endswith("前後")


TAGS = st.sampled_from(
    ["div", "span", "b", "ul", "li", "table", "tr", "td", "p", "h2", "a", "svg", "br", "x-y"]
)


@settings(deadline=None, max_examples=20, derandomize=True)
@given(
    head=st.lists(TAGS, min_size=1, max_size=4),
    tail=st.lists(TAGS, max_size=4),
    times=st.integers(600, 1_200),
)
def test_no_repetition_of_tags_raises(head: list[str], tail: list[str], times: int) -> None:
    opening = "".join(f"<{tag}>" for tag in head)
    closing = "".join(f"</{tag}>" for tag in tail)
    assert isinstance(
        read_page(f"{opening * times}語{closing * times}".encode(), code=False, name="頁"), Page
    )
