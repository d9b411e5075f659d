"""Text that a reader sees or can bring up is in the corpus, and text that nobody does is not."""

from __future__ import annotations

import pytest

from hayami.extract.article import read_article
from hayami.parts import Reading, text_of
from hayami.settings import Settings


def read(html: str) -> Reading:
    reading = read_article("a.html", "a", html.encode(), Settings())
    assert isinstance(reading, Reading)
    return reading


def texts(html: str) -> str:
    return "\n".join(section.text for section in read(html).sections)


def headings(html: str) -> list[str]:
    return [heading.text for heading in read(html).outline.headings]


@pytest.mark.parametrize(
    "html",
    [
        "<div role=tabpanel hidden><h2>閉</h2><p>中</div>",
        '<div hidden="until-found"><h2>閉</h2><p>中</div>',
        '<div role=tabpanel style="display:none"><h2>閉</h2><p>中</div>',
        "<button aria-expanded=false aria-controls=p>開く</button><div id=p hidden><h2>閉</h2><p>中</div>",  # noqa: E501
        '<a role=tab aria-controls="o p">開く</a><div id=p style="display: none"><h2>閉</h2><p>中</div>',  # noqa: E501
        "<details><summary>開く</summary><h2>閉</h2><p>中</details>",
        "<x-a><template shadowrootmode=open><h2>閉</h2><p>中</template></x-a>",
        '<x-a><template shadowrootmode="closed"><h2>閉</h2><p>中</template></x-a>',
        "<x-a><TEMPLATE shadowroot='open'><h2>閉</h2><p>中</TEMPLATE></x-a>",
        "<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open>"  # noqa: ISC004
        "<h2>閉</h2><p>中</template></x-b></template></x-a>",
        "<dialog open><h2>閉</h2><p>中</dialog>",
    ],
)
def test_what_a_reader_can_open_is_read(html: str) -> None:
    page = f"<h1>題</h1><h2>前</h2><p>一</p>{html}<h2>後</h2><p>二"
    assert headings(page) == ["題", "前", "閉", "後"]
    assert "中" in texts(page)


@pytest.mark.parametrize(
    "html",
    [
        "<dialog><h2>閉</h2><p>中</dialog>",
        "<div hidden><h2>閉</h2><p>中</div>",
        "<div hidden id=p><h2>閉</h2><p>中</div>",
        "<button aria-controls=p>開く</button><div hidden id=p><h2>閉</h2><p>中</div>",
        "<button aria-expanded=false aria-controls=p>x</button><div id=p role=menu hidden>中</div>",
        "<input list=p><datalist id=p><option>中</datalist>",
        "<template><h2>閉</h2><p>中</template>",
        "<template><x-a><template shadowrootmode=open>中</template></x-a></template>",
        "<del><p>中</p></del>",
        "<p><s>中</s></p>",
        "<p><strike>中</strike></p>",
        '<p style="text-decoration: line-through">中</p>',
        '<p><span style="text-decoration-line:line-through red">中</span></p>',
        "<math><semantics><mi>x</mi><annotation>中</annotation></semantics></math>",
        "<math><semantics><mi>x</mi><annotation-xml>中</annotation-xml></semantics></math>",
        '<math><mi>x</mi></math><span class=katex-html aria-hidden="true">中</span>',
        "<!-- <template shadowrootmode=open>中</template> -->",
    ],
)
def test_what_nobody_sees_is_not_read(html: str) -> None:
    page = f"<h1>題</h1><h2>前</h2><p>一</p>{html}<h2>後</h2><p>二"
    assert headings(page) == ["題", "前", "後"]
    assert "中" not in texts(page)


def test_struck_out_text_is_in_no_cell_and_no_heading() -> None:
    table = (
        "<table><tr><th><del>旧</del>質問<th>答え<th>参照"
        "<tr><td><del>五日</del>何日まで<td><s>客</s>店<td><strike>期限</strike>日数</table>"
    )
    reading = read(f"{table}<h2><del>お金</del>日数</h2><p>八日")
    (row,) = reading.rows
    assert (row.question, row.answer, text_of(row.reference)) == ("何日まで", "店", "日数")
    assert reading.sections[0].heading == "日数"


def test_a_formula_is_read_once() -> None:
    formula = (
        "<span class=katex><span class=katex-mathml><math><semantics><msup><mi>x</mi><mn>2</mn></msup>"  # noqa: E501
        "<annotation>x^2</annotation></semantics></math></span>"
        '<span class=katex-html aria-hidden="true">x2</span></span>'
    )
    page = f"<h2>{formula}の和</h2><p>これは {formula} です。"
    assert headings(page) == ["x2の和"]
    assert texts(page) == "これは x2 です。"


def test_what_is_hidden_from_screen_readers_alone_is_read_where_there_is_no_formula() -> None:
    assert "中" in texts('<h2>前</h2><p><span aria-hidden="true">中</span></p>')


# --- asides ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "aside",
    [
        '<aside class="starlight-aside starlight-aside--caution" aria-label=注意><p>中</p></aside>',
        '<aside class="admonition warning"><p>中</p></aside>',
        "<aside role=note><p>中</p></aside>",
        "<aside><p>中</p></aside>",
        "<aside><h4>注意</h4><p>中、詳しくは<a href=#x>後</a>を見ます。</p></aside>",
        '<aside class="footnote-list"><p>中</p></aside>',
    ],
)
@pytest.mark.parametrize(
    "place", ["{}", "<section><p>一</p>{}</section>", "<main><p>一</p>{}</main>"]
)
def test_an_aside_in_the_text_is_part_of_it(aside: str, place: str) -> None:
    page = f"<h2>前</h2><p>一</p>{place.format(aside)}<p>二</p><h2>後</h2><p>三"
    assert "中" in read(page).sections[0].text


@pytest.mark.parametrize(
    "aside",
    [
        '<aside class="sidebar"><h2>関連記事</h2><ul><li>中</ul></aside>',
        "<aside><h2>人気</h2><p>中</p></aside>",
        "<aside><ul><li><a href=x>中</a><li><a href=y>中の次</a></ul></aside>",
        "<aside><nav>中</nav></aside>",
        "<aside class=newsletter><p>中</p></aside>",
    ],
)
@pytest.mark.parametrize("place", ["<h2>前</h2><p>一</p>{}", "{}<h2>前</h2><p>一</p>"])
def test_an_aside_beside_the_article_is_not(aside: str, place: str) -> None:
    assert "中" not in texts(place.format(aside) + "<h2>後</h2><p>二")


def test_an_aside_beside_the_main_part_is_none_of_it() -> None:
    assert "中" not in texts("<main><h2>前</h2><p>一</main><aside><p>中</p></aside>")
    assert "中" not in texts("<div><aside><p>中</p></aside><div><h2>前</h2><p>一</div></div>")


# --- headings by role, addresses, stray bytes -----------------------------------------------------


@pytest.mark.parametrize(("level", "expected"), [("2", 2), ("3", 3), ("9", 6), ("", 2), ("x", 2)])
def test_a_heading_by_its_role_is_one(level: str, expected: int) -> None:
    reading = read(f'<div role=heading aria-level="{level}" id=a>前</div><p>一')
    (heading,) = reading.outline.headings
    assert (heading.text, heading.level) == ("前", expected)
    assert reading.outline.anchors["a"] == (0, 0)
    assert reading.sections[0].text == "一"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('<link rel=canonical href="https://e.jp/a/">', ("https://e.jp/a/",)),
        ('<link href="https://e.jp/a/" rel="alternate Canonical">', ("https://e.jp/a/",)),
        ('<meta property="og:url" content="https://e.jp/a/">', ("https://e.jp/a/",)),
        ('<meta property="OG:URL" content=" https://e.jp/a/ ">', ("https://e.jp/a/",)),
        ("<!-- saved from url=(0015)https://e.jp/a/ -->", ("https://e.jp/a/",)),
        (
            '<!-- saved from url=(0015)https://e.jp/b/ --><link rel=canonical href="https://e.jp/a/">',
            ("https://e.jp/b/", "https://e.jp/a/"),
        ),
        ('<link rel=canonical href="/a/">', ()),
        ('<link rel=stylesheet href="https://e.jp/a.css">', ()),
    ],
)
def test_the_addresses_that_a_page_gives_as_its_own(head: str, expected: tuple[str, ...]) -> None:
    assert read(f"<html><head>{head}</head><body><h2>前</h2><p>一").outline.sites == expected


@pytest.mark.parametrize("place", ["<p>一\0二", "<h2>前\0</h2>", "\0<p>一", "<p cla\0ss=x>一"])
def test_a_stray_nul_is_skipped(place: str) -> None:
    reading = read(f"<h2>節</h2>{place}<p>三")
    assert "\0" not in texts(f"<h2>節</h2>{place}<p>三")
    assert "\ufffd" not in reading.sections[-1].text


def test_a_file_of_many_nuls_is_no_page() -> None:
    found = read_article("a.html", "a", "<p>一</p>".encode("utf-16-le"), Settings())
    assert not isinstance(found, Reading)
