"""Markdown files are articles.

What is read in them, where their links lead, and what a site made of them gives.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.errors import ExtraError
from hayami.evalset.records import Reason
from hayami.extract.article import read_article
from hayami.extract.readers import reader_of
from hayami.extract.readers.markdown import to_html
from hayami.extract.readers.markdown.slugs import heading_ids
from hayami.making.inspect import inspect_file
from hayami.parts import Label, Reading
from hayami.settings import Settings

TABLE = "| Question | Short answer | See section |\n|---|---|---|\n"
Read = Callable[..., Reading]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads a text as a Markdown file."""

    def reading(text: str, name: str = "tea.md") -> Reading:
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        with file.open("rb") as opened:
            (leaf,) = to_html(opened)
        found = read_article(name, "tea", leaf.html, Settings(), warnings=leaf.warnings)
        assert isinstance(found, Reading)
        return found

    return reading


def texts(reading: Reading) -> str:
    return "\n".join(f"{section.heading}: {section.text}" for section in reading.sections)


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ('---\ntitle: "Tea: hot"\n---\n', "Tea: hot"),
        ("---\ntitle: >-\n  Tea\n  time\ntags: [a]\n...\n", "Tea time"),
        ("+++\ntitle = 'Tea'\n+++\n", "Tea"),
        ("Title: 抹茶: 薄茶\nSlug: matcha\nLang: ja\n\n", "抹茶: 薄茶"),
        ("---\ntitle: Tea\nbroken: [\n---\n", "Tea"),
    ],
)
def test_front_matter_is_the_title_and_no_text(read: Read, front: str, title: str) -> None:
    found = read(f"{front}## Heat\n\n80 degrees.\n")
    assert found.article.title == title
    assert texts(found) == "Heat: 80 degrees."


def test_a_first_line_with_a_colon_is_no_front_matter(read: Read) -> None:
    found = read("Note: hot\nWarning: very hot\n\n## Heat\n\n80\n")
    assert found.article.title == "tea"
    assert "Note: hot" in read("Note: hot\n\nWarm.\n").sections[0].text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("~~cold~~ hot", "hot"),
        ("> [!NOTE]\n> hot", "hot"),
        (">![info]\n>\n>hot", "hot"),
        ('> [!div class="x"]\n> hot', "hot"),
        ("[!DNL Tea] is [!UICONTROL hot]", "Tea is hot"),
        (":::note\nhot\n:::", "hot"),
        ("::: tip Careful\nhot\n:::", "Careful\nhot"),
        (":::: tabs\n::: tab One\nhot\n:::\n::::", "One\nhot"),
        ('::: zone pivot="a"\nhot\n\n::: zone-end', "hot"),
        (':::image type="content" source="a.png":::\n\nhot', "hot"),
        ('!!! note "Careful"\n    hot', "Careful\nhot"),
        ('!!! note ""\n    hot', "hot"),
        ('??? "Careful"\n    hot', "Careful\nhot"),
        ('=== "Linux"\n\n    hot\n\n=== "Windows"\n\n    cold', "Linux\nhot\nWindows\ncold"),
        ("hot [^1]\n\n[^1]: see tea", "hot\nsee tea"),
        ("Tea\n: hot", "Tea\nhot"),
        ("hot{: .big } {.red}", "hot"),
        ("{% include note.html %}\n\nhot {{ page.x }}", "hot"),
        ("{{< note >}}\nhot\n{{< /note >}}", "hot"),
        ("import A from './a'\nimport B from 'b'\n\nhot", "hot"),
        ("export const a = {\n  b: 1}\n\nhot", "hot"),
        ("<Tabs\n  value={{a: '>'}}>\n<TabItem value=\"a\">\n\nhot\n\n</TabItem>\n</Tabs>", "hot"),
        ("<Note>hot</Note>", "hot"),
        ("<div markdown>\n**hot**\n</div>", "hot"),
        ("```py\ncold\n```\nhot", "hot"),
        ('```\ncold\n```<a name="x"></a>\nhot', "hot"),
        ("`{{ x }}` hot", "{{ x }} hot"),
        ("import taxes from Japan", "import taxes from Japan"),
    ],
)
def test_what_is_text_and_what_is_not(read: Read, text: str, kept: str) -> None:
    assert texts(read(f"## Heat\n\n{text}\n")) == f"Heat: {kept}"


@pytest.mark.parametrize("fold", ["??? question", "???+", "::: details"])
def test_what_folds_is_a_summary_with_its_details(tmp_path: Path, fold: str) -> None:
    title = "How hot?" if fold.startswith(":") else '"How hot?"'
    indent, end = ("", "\n:::") if fold.startswith(":") else ("    ", "")
    file = tmp_path / "x.md"
    file.write_text(f"{fold} {title}\n{indent}80{end}\n")
    with file.open("rb") as opened:
        html = next(to_html(opened)).html.decode()
    assert html.count("</details>") == html.count("<details") == 1
    assert ">How hot?</summary>" in html


def test_mdx_has_no_indented_code_and_no_braces(read: Read) -> None:
    text = "## Heat\n\n<Note>\n\n    hot {props.x}{/* cold */}\n\n</Note>\n"
    assert texts(read(text, "tea.mdx")) == "Heat: hot"
    assert texts(read("## Heat\n\nhot {x}\n")) == "Heat: hot {x}"


def test_headings_are_found_however_they_are_written(read: Read) -> None:
    found = read("Tea\n===\n\n##Heat\n\na\n\n## Cups ##\n\nb\n\n<h2>Pots</h2>\n\nc\n")
    assert [section.heading for section in found.sections] == ["Heat", "Cups", "Pots"]
    assert found.article.title == "Tea"


@pytest.mark.parametrize(
    "include",
    [
        '--8<-- "a/b.md"',
        "{!a/b.md!}",
        "[!INCLUDE [b](a/b.md)]",
        "<!--@include: a/b.md-->",
        "{% include a/b.md %}",
        '{% include-markdown "a/b.md" %}',
        '{{< include "a/b.md" >}}',
    ],
)
def test_an_included_file_is_named_and_not_read(read: Read, include: str) -> None:
    found = read(f"## Heat\n\nhot\n\n{include}\n")
    assert texts(found) == "Heat: hot"
    assert found.article.warnings == ("includes: not read as part of the page: a/b.md",)


def test_a_heading_has_the_ids_of_all_generators_and_first_that_of_its_writer() -> None:
    ids = heading_ids(["1. Café & Bar", "Café Bar", "お茶の「温度」", "Tea", "Tea"], ["bar"])
    assert ids[0][:4] == ["1-café--bar", "_1-cafe-bar", "1-cafe-bar", "1-café-bar"]
    assert ids[1][:2] == ["café-bar", "cafe-bar"]
    assert {"お茶の温度", "お茶の「温度」"} <= set(ids[2])
    assert ids[4] == ["tea-1", "tea_1"]


@pytest.mark.parametrize(
    "heading",
    ["## Heat {#warm}", "## Heat {: #warm .x }", "## Heat {/* #warm */}", "## Heat {#warm} ##"],
)
def test_the_id_of_the_writer_is_the_anchor(read: Read, heading: str) -> None:
    found = read(f"{heading}\n\nhot\n")
    assert [(section.heading, section.anchor) for section in found.sections] == [("Heat", "warm")]
    assert {"warm", "heat"} <= set(found.outline.anchors)


def test_what_the_writer_named_is_not_given_to_another_heading(read: Read) -> None:
    found = read(
        '## Heat\n\na\n\n## Cold {#heat}\n\nb\n\n## Cups\n\n<a name="pots"></a>c\n\n## Pots\n\nd\n'
    )
    assert found.outline.anchors["heat"][0] == 1
    assert found.outline.anchors["pots"][0] == 2


def build(folder: Path, files: dict[str, str]) -> hayami.Built:
    for name, text in files.items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return hayami.build([folder / "docs"], folder / "set")


PAGES = {
    "guide/install.md": "# Install\n\n## Linux\n\nx\n\n## Mac OS\n\ny\n",
    "guide/README.md": "# Guide\n\n## First steps\n\nx\n\n## Next\n\ny\n",
    "tea/hot.md": "---\nslug: /drinks/hot\n---\n# Hot\n\n## Heat\n\nx\n\n## Cold\n\ny\n",
    "tea/mild.md": "---\npermalink: mild_tea\n---\n# Mild\n\n## Cups\n\nx\n\n## Pots\n\ny\n",
    "tea/old.md": "---\naliases: ['/older/']\nid: aged\n---\n# Old\n\n## Age\n\nx\n\n## Year\n\ny\n",  # noqa: E501
}


@pytest.mark.parametrize(
    ("host", "link", "target"),
    [
        ("guide/a.md", "install.md#linux", "guide/install#0"),
        ("guide/a.md", "install#mac-os", "guide/install#1"),
        ("guide/a.md", "./install/#mac-os", "guide/install#1"),
        ("guide/a.md", "../install/#mac-os", "guide/install#1"),
        ("guide/a.md", "/guide/install.html#linux", "guide/install#0"),
        ("a.md", "guide/README.md#next", "guide/README#1"),
        ("a.md", "guide/#next", "guide/README#1"),
        ("a.md", "guide/index.html#next", "guide/README#1"),
        ("a.md", "/drinks/hot#cold", "tea/hot#1"),
        ("tea/a.md", "hot.md#cold", "tea/hot#1"),
        ("tea/mild2.md", "/mild_tea#pots", "tea/mild#1"),
        ("tea/mild2.md", "mild_tea#pots", "tea/mild#1"),
        ("tea/a.md", "aged#year", "tea/old#1"),
        ("a.md", "/older/#year", "tea/old#1"),
        ("a.md", '{{< ref "tea/old.md" >}}#year', "tea/old#1"),
        ("guide/a.md", "{% link tea/old.md %}#year", "tea/old#1"),
        ("guide/a.md", "%69nstall.md#Mac%2Dos", None),
        ("guide/a.md", "%69nstall.md#mac%2Dos", "guide/install#1"),
    ],
)
def test_links_lead_to_the_article_by_file_by_address_and_by_what_its_writer_said(
    tmp_path: Path, host: str, link: str, target: str | None
) -> None:
    front = "---\npermalink: other\n---\n" if "mild2" in host else ""
    page = f"{front}# Q\n\n{TABLE}| How does it go here? | so | [there]({link}) |\n\n## Z\n\nz\n"
    built = build(tmp_path, {**PAGES, host: page})
    found = [set(query.relevant) for query in hayami.load(built.folder).queries()]
    assert found == ([{target}] if target else [])
    looked = inspect_file(tmp_path / "docs" / host, tmp_path / "docs", Settings())
    (outcome,) = looked.outcomes
    seen = {one.section for one in outcome.targets} if isinstance(outcome, Label) else set()
    assert seen == ({target} if target else set())


def test_a_page_and_the_file_that_it_is_made_of_are_one_article(tmp_path: Path) -> None:
    page = "<title>Tea</title><h2>Heat</h2><p>80</p>"
    built = build(
        tmp_path, {"x.md": "## Heat\n\n80\n", "x.html": page, "y.markdown": "## A\n\nb\n"}
    )
    assert [article.path for article in hayami.load(built.folder).articles()] == [
        "x.html",
        "y.markdown",
    ]
    (refused,) = built.unreadable
    assert (refused.path, refused.reason) == ("x.md", Reason.DUPLICATE_FILE)
    assert refused.detail == "x.html is the page of the same article"
    assert hayami.check(built.folder) == []


@pytest.fixture
def not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra were not installed."""
    monkeypatch.setattr("hayami.extras.importlib.util.find_spec", lambda _: None)


@pytest.mark.usefixtures("not_installed")
def test_without_the_extra_a_folder_of_markdown_is_refused_with_the_command(tmp_path: Path) -> None:
    with pytest.raises(ExtraError, match="not installed: markdown-it-py") as caught:
        build(tmp_path, {"x.md": "## Heat\n\n80\n"})
    assert caught.value.hint == "pip install 'hayami[markdown]'"


@pytest.mark.usefixtures("not_installed")
def test_without_the_extra_markdown_beside_pages_is_rejected_and_counted(tmp_path: Path) -> None:
    built = build(tmp_path, {"x.md": "## Heat\n\n80\n", "y.html": "<h2>Heat</h2><p>80</p>"})
    (refused,) = built.unreadable
    assert (refused.path, refused.reason) == ("x.md", Reason.UNREADABLE)
    assert "pip install 'hayami[markdown]'" in refused.detail
    assert built.manifest.accounting.files == 2


def test_pages_are_read_without_loading_what_reads_markdown(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_text("<h2>Heat</h2><p>80</p>")
    code = (
        f"import sys, hayami; hayami.build([{str(tmp_path / 'x.html')!r}], {str(tmp_path / 's')!r});"  # noqa: E501
        "print(sorted({'markdown_it', 'mdit_py_plugins', 'yaml'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize(("data", "reason"), [(b"", Reason.EMPTY_FILE), (b"a\0b", Reason.NOT_HTML)])
def test_what_is_no_text_is_rejected_as_ever(tmp_path: Path, data: bytes, reason: Reason) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/x.md").write_bytes(data)
    (tmp_path / "docs/y.md").write_bytes(
        "## 温度\n\n八十度で淹れると旨みが出る。\n".encode("cp932") * 9
    )
    built = hayami.build([tmp_path / "docs"], tmp_path / "set")
    assert [one.reason for one in built.unreadable] == [reason]
    sections = hayami.load(built.folder).sections()
    assert next(iter(sections)).heading == "温度"


@pytest.mark.parametrize(
    "text",
    ["`" * 200_000, "`a``b" * 40_000, "[" * 200_000, "![" * 100_000, "|" * 200_000, ">" * 200_000]  # noqa: RUF005
    + ["- " * 100_000, "*a **a " * 30_000, "<Aa {" * 40_000, "{% " * 60_000, "::: a\n" * 3_000]
    + [
        "<p" + " markdown" * 50_000,
        "# a" + " " * 90_000 + "b",
        "##a" + " " * 90_000 + "b",
        ":::a" + ":" * 90_000 + "b",
        "::: " + "a-" * 60_000,
        "# a {" + "#" * 90_000,
        "{!" + " " * 90_000,
        "---\n" + "[" * 19_000 + "\n---\n",
        "---\n" + "a: " * 6_000 + "\n---\n",
        "<a " * 60_000,
    ],
)
def test_hostile_text_is_read_in_a_few_seconds(read: Read, text: str) -> None:
    began = time.process_time()
    found = read(f"{text}\n\n## Heat\n\nhot\n")
    assert time.process_time() - began < 10
    assert found.article.path == "tea.md"


def test_what_is_too_deep_or_too_long_is_told(read: Read) -> None:
    assert "nesting" in read(">" * 150 + " a\n\n## B\n\nc\n").article.warnings[0]
    long = read("[a " * 20_000 + "\n\n## B\n\nc\n")
    assert "plain text" in long.article.warnings[0]


SITE = {
    "index.md": f"""# Tea house

{TABLE}| How hot should the water be? | 80 | [Heat](guide/brew.md#how-hot-is-hot) |
| Which cup is the best for tea? | small | [Cups](guide/cups.md#small-cups_1) |
| Where can I buy a good pot? | here | Shops & prices |

## Shops & prices

!!! note "Attention"
    Closed on *Mondays*.

Term
:   Its meaning.

## Opening hours {{#hours}}

1. first
2. second

    - inner `code`

Text with a note.[^1]

[^1]: The note.
""",
    "guide/brew.md": """# Brewing

## How hot is hot?

Some **bold** text, <kbd>raw</kbd> and a [link](cups.md).

```sh
not text
```

| a | b |
|---|---|
| 1 | 2 |

## Time

> A quotation.

<div markdown="1">
*inside*
</div>

### Deeper

x
""",
    "guide/cups.md": "# Cups\n\n## Small cups\n\nfirst\n\n## Small cups\n\nsecond\n\n## 大きな茶碗\n\n三つ\n",  # noqa: E501
}
MKDOCS = """site_name: Tea
use_directory_urls: false
theme: {name: null, custom_dir: ../theme}
markdown_extensions: [toc, tables, admonition, def_list, footnotes, attr_list, md_in_html, fenced_code]
"""  # noqa: E501
THEME = """<!doctype html><html lang="en"><head><title>{{ page.title }}</title></head>
<body><nav>{{ config.site_name }}</nav><main>{{ page.content }}</main></body></html>"""


def test_a_site_built_by_mkdocs_gives_the_same_queries_and_texts(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    from_files = build(tmp_path, SITE)
    (tmp_path / "theme").mkdir()
    (tmp_path / "theme/main.html").write_text(THEME)
    (tmp_path / "mkdocs.yml").write_text(MKDOCS.replace("../theme", "theme"))
    made = [sys.executable, "-m", "mkdocs", "build", "-q", "-d", "site"]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    for other in ("404.html", "sitemap.xml"):
        (tmp_path / "site" / other).unlink(missing_ok=True)
    from_site = hayami.build([tmp_path / "site"], tmp_path / "site-set")
    assert told(from_site) == told(from_files)
    assert len(told(from_files)[0]) == 3


def told(built: hayami.Built) -> tuple[list[object], list[object]]:
    """What a set says, without what names files and links."""
    evalset = hayami.load(built.folder)
    queries = [(q.query, q.answer, q.relevant, q.match, q.topic) for q in evalset.queries()]
    sections = []
    for one in evalset.sections():
        text = one.text.replace(" ↩", "")  # the way back from a footnote, which the generator adds
        sections.append((one.id, one.title, one.heading, one.headings, text))
    return list(queries), list(sections)


def test_the_suffixes_are_those_of_markdown() -> None:
    found = {name: reader_of(name) for name in ("a.md", "a.MDX", "a.markdown", "a.html.md")}
    assert all(one is not None and one[0].name == "markdown" for one in found.values())
