from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hayami.extract.files import SourceFile
from hayami.making.catalogue import Catalogue, Portion, Spool
from hayami.making.reading import read_file
from hayami.parts import Label, Row
from hayami.settings import Settings
from hayami.text.numbering import Number

CHAPTER_2 = Number("chapter", (2,))


@pytest.fixture
def spool(tmp_path: Path) -> Iterator[Spool]:
    opened = Spool(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def portion(tmp_path: Path, make_article: Callable[..., str]) -> Callable[..., Portion]:
    """Reads one small article as a worker does."""

    def read(
        path: str, title: str = "題", *args: object, settings: Settings | None = None
    ) -> Portion:
        file = tmp_path / "page.html"
        file.write_text(make_article(title, *args), encoding="utf-8")
        (found,) = read_file(
            SourceFile(str(file), path, path.removesuffix(".html")), settings or Settings()
        )
        assert isinstance(found, Portion)
        return found

    return read


@pytest.fixture
def catalogue(spool: Spool) -> Catalogue:
    return Catalogue(spool)


def test_a_spool_gives_back_what_was_put_in_by_its_place(spool: Spool) -> None:
    values = [b"first", b"", b"\0\1\2" * 10_000, "早見".encode()]
    places = [spool.append(value) for value in values]
    assert [spool.read(place) for place in reversed(places)] == values[::-1]


def test_a_spool_can_be_read_between_two_writes(spool: Spool) -> None:
    first, second = spool.append(b"first"), spool.append(b"second")
    assert spool.read(first) == b"first"
    third = spool.append(b"third")
    assert [spool.read(place) for place in (first, second, third)] == [
        b"first",
        b"second",
        b"third",
    ]


def test_a_spool_leaves_no_file_that_others_could_see(spool: Spool, tmp_path: Path) -> None:
    spool.append(b"x" * 100_000)
    assert list(tmp_path.glob("**/*")) == []


def test_an_article_comes_back_as_it_was_read(
    catalogue: Catalogue, portion: Callable[..., Portion]
) -> None:
    catalogue.add(
        portion("guide/a.html", "犬の散歩", [("何時に", "朝", "時間帯")], ["時間帯", "持ち物"])
    )
    entry = catalogue.entry("guide/a")
    assert (entry.article.id, entry.article.title, entry.article.rows) == ("guide/a", "犬の散歩", 1)
    assert [heading.text for heading in entry.outline.headings] == ["犬の散歩", "時間帯", "持ち物"]
    assert entry.ordinals == (0, 1)
    assert [type(outcome) for outcome in entry.outcomes] == [Label]


def test_a_row_that_leads_elsewhere_waits_for_the_other_articles(
    catalogue: Catalogue, portion: Callable[..., Portion]
) -> None:
    rows = [("猫は", "別の記事", '<a href="b.html#s0">猫</a>'), ("何時に", "朝", "時間帯")]
    catalogue.add(portion("a.html", "犬の散歩", rows, ["時間帯"]))
    assert [type(outcome) for outcome in catalogue.entry("a").outcomes] == [Row, Label]


@pytest.mark.parametrize(
    ("link", "article"),
    [
        ("guide/a.html", "guide/a"),
        ("guide/a", "guide/a"),
        ("guide/b/index.html", "guide/b/index"),
        ("guide/b/", "guide/b/index"),
        ("guide/b", "guide/b/index"),
        ("old/", "old/index"),
        ("guide/c.html", None),
        ("a.html", None),
        ("guide", None),
        ("guide/a.html/x", None),
    ],
)
def test_an_article_is_found_as_a_server_would_find_it(
    catalogue: Catalogue, portion: Callable[..., Portion], link: str, article: str | None
) -> None:
    catalogue.add(portion("guide/a.html"))
    catalogue.add(portion("guide/b/index.html"))
    old = portion("old/index.html")
    catalogue.add(
        Portion(
            **{name: getattr(old, name) for name in Portion.__slots__} | {"path": "old/index.htm"}
        )
    )
    found = catalogue.outline(link)
    assert (found.id if found is not None else None) == article


def test_chapters_are_found_by_number_in_their_own_folder_only(
    catalogue: Catalogue, portion: Callable[..., Portion]
) -> None:
    for path, title in (
        ("book/one.html", "第1章 犬"),
        ("book/two.html", "第2章 猫"),
        ("book/deep/two.html", "第2章 魚"),
        ("other/two.html", "2章 鳥"),
    ):
        catalogue.add(portion(path, title))
    assert [outline.id for outline in catalogue.titled("book/one.html", CHAPTER_2)] == ["book/two"]
    assert [outline.id for outline in catalogue.titled("other/x.html", CHAPTER_2)] == ["other/two"]
    assert list(catalogue.titled("two.html", CHAPTER_2)) == []


def test_all_articles_of_one_chapter_number_are_found(
    catalogue: Catalogue, portion: Callable[..., Portion]
) -> None:
    catalogue.add(portion("a.html", "第2章 犬"))
    catalogue.add(portion("b.html", "第2章 猫"))
    assert [outline.id for outline in catalogue.titled("c.html", CHAPTER_2)] == ["a", "b"]


def test_sections_are_those_of_the_corpus(
    catalogue: Catalogue, portion: Callable[..., Portion]
) -> None:
    catalogue.add(portion("a.html", "犬", [], ["時間帯", "よくある質問", "持ち物"]))
    catalogue.add(portion("b.html", "猫", [], ["食べ物"]))
    assert catalogue.sections({"a"}) == {"a": ["a#0", "a#2"]}
    assert catalogue.sections({"a", "b"}) == {"a": ["a#0", "a#2"], "b": ["b#0"]}


def test_a_lead_in_the_corpus_is_a_section_by_its_name(
    catalogue: Catalogue, portion: Callable[..., Portion]
) -> None:
    catalogue.add(portion("a.html", "犬", [], ["時間帯"], settings=Settings(lead=True)))
    assert sorted(catalogue.sections({"a"})["a"]) == ["a#0", "a#lead"]


def test_more_articles_than_are_kept_in_memory_are_still_found(
    catalogue: Catalogue, portion: Callable[..., Portion]
) -> None:
    for number in range(150):
        catalogue.add(portion(f"a{number}.html", f"題{number}"))
    titles = []
    for number in (*range(150), 0, 149, 3):
        outline = catalogue.outline(f"a{number}.html")
        assert outline is not None
        titles.append(outline.title)
    assert titles == [f"題{number}" for number in (*range(150), 0, 149, 3)]
