from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.errors import SourceError
from hayami.making.inspect import Inspection, inspect_file
from hayami.parts import Label, NoLabel

MakeArticle = Callable[..., str]


def look(file: Path, source: Path | None = None, **settings: object) -> Inspection:
    return inspect_file(file, source, hayami.Settings.model_validate(settings))


def outcome(found: Label | NoLabel) -> list[str] | str:
    """The sections that a row means, or why it means none."""
    return (
        sorted(target.section for target in found.targets)
        if isinstance(found, Label)
        else str(found.reason)
    )


def built_rows(folder: Path) -> dict[tuple[str, int | None, int], list[str] | str]:
    """What a build made of each row."""
    loaded = hayami.load(folder)
    rows: dict[tuple[str, int | None, int], list[str] | str] = {
        (origin.path, origin.table, origin.row): sorted(query.relevant)
        for query in loaded.queries()
        for origin in query.origins
    }
    for found in loaded.rejections():
        if found.table is not None and found.row is not None:
            rows[found.path, found.table, found.row] = str(found.reason)
    return rows


def test_every_article_of_the_sample_is_seen_as_a_build_reads_it(
    articles: Path, tmp_path: Path
) -> None:
    keep = hayami.Settings(duplicates=hayami.Duplicates.KEEP)
    folder = hayami.build([articles], tmp_path / "set", keep).folder
    seen: dict[tuple[str, int | None, int], list[str] | str] = {}
    for article in hayami.load(folder).articles():
        inspected = look(articles / article.path, articles)
        assert inspected.reading is not None
        assert inspected.reading.article == article
        seen |= {
            (article.path, found.row.place.table, found.row.place.row): outcome(found)
            for found in inspected.outcomes
        }
    assert seen == built_rows(folder)


def test_the_source_is_the_folder_of_the_file_unless_given(bakery: Path) -> None:
    seen = look(bakery / "guide" / "index.html")
    assert seen.reading is not None
    assert seen.reading.article.id == "index"
    assert [outcome(found) for found in seen.outcomes] == [["index#0"], "broken_link", "unmatched"]


def test_links_to_other_articles_are_followed_in_the_source(bakery: Path) -> None:
    seen = look(bakery / "guide" / "index.html", bakery)
    assert [outcome(found) for found in seen.outcomes] == [["guide#0"], ["yeast#0"], "unmatched"]


def test_only_the_articles_that_rows_lead_to_are_read(
    bakery: Path, tmp_path: Path, make_article: MakeArticle
) -> None:
    rows = [("酵母", "生", '<a href="yeast.html#s0">酵母</a>')]
    (tmp_path / "a.html").write_text(make_article("パン", rows, ["粉"]), encoding="utf-8")
    (tmp_path / "yeast.html").write_bytes((bakery / "yeast.html").read_bytes())
    (tmp_path / "broken.html").symlink_to("broken.html")
    assert [outcome(found) for found in look(tmp_path / "a.html").outcomes] == [["yeast#0"]]


def test_chapters_are_looked_for_in_the_folder(tmp_path: Path, make_article: MakeArticle) -> None:
    rows = [("猫", "2 章", "2章"), ("鳥", "9 章", "9章"), ("魚", "3 章", "第3章")]
    (tmp_path / "dog.html").write_text(
        make_article("第1章 犬", rows, ["散歩", "食べ物"]), encoding="utf-8"
    )
    (tmp_path / "cat.html").write_text(
        make_article("第2章 猫", [], ["住まい", "食事"]), encoding="utf-8"
    )
    (tmp_path / "fish.html").write_text(make_article("第3章 金魚", [], ["水温"]), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("第9章", encoding="utf-8")
    (tmp_path / "folder.html").mkdir()
    seen = look(tmp_path / "dog.html")
    assert [outcome(found) for found in seen.outcomes] == ["whole_article", "unmatched", ["fish#0"]]


def test_all_tables_are_described(articles: Path) -> None:
    seen = look(articles / "ja" / "dns.html")
    assert seen.reading is not None
    views = seen.reading.tables
    assert [view.index for view in views] == [0, 1, 2, 3]
    assert [view.detector for view in views] == ["header", None, "header", None]
    assert views[0].columns == ("question", "answer", "reference")
    assert views[0].header == ("質問", "回答", "該当する見出し")
    assert (views[0].rows, views[0].why) == (9, "")
    assert views[1].why


def test_a_table_that_is_none_says_which_header_is_missing(tmp_path: Path) -> None:
    tables = "".join(
        f"<table><tr><th>{one}<th>{other}<tr><td>a<td>b</table>"
        for one, other in (("知りたいこと", "値段"), ("値段", "詳しい節"), ("値段", "色"))
    )
    (tmp_path / "a.html").write_text(f"<title>犬</title>{tables}<h2>節</h2>", encoding="utf-8")
    seen = look(tmp_path / "a.html")
    assert seen.reading is not None
    assert [view.why for view in seen.reading.tables] == [
        "no header word for the column of the reference",
        "no header word for the column of the question",
        "no header word for the column of the question and the reference",
    ]


def test_settings_count(articles: Path) -> None:
    seen = look(articles / "ja" / "dns.html", None, level=3)
    assert seen.reading is not None
    assert seen.reading.article.unit_level == 3


def test_everything_is_told_as_plain_json(bakery: Path) -> None:
    told = look(bakery / "guide" / "index.html", bakery).as_json()
    assert list(told) == ["article", "headings", "sections", "tables", "rows"]
    rows = json.loads(json.dumps(told, allow_nan=False))["rows"]
    assert [(row["question"], row["reference"], row["links"]) for row in rows] == [
        ("発酵は何度がよいか", "一次発酵の温度", []),
        ("膨らまないとき", "こちら", ["../yeast.html#s0"]),
        ("焼き色が薄い", "オーブンの癖", []),
    ]
    assert [target["section"] for target in rows[1]["targets"]] == ["yeast#0"]
    assert rows[0]["targets"][0]["runner_up"]["section"] == "guide#1"
    assert (rows[2]["reason"], "targets" in rows[2]) == ("unmatched", False)


def test_a_file_that_is_no_article_says_why(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"")
    seen = look(tmp_path / "a.html")
    assert seen.reading is None
    assert seen.unreadable is not None
    assert seen.unreadable.reason == "empty_file"
    assert (seen.outcomes, seen.as_json()) == ((), {})


@pytest.mark.parametrize("name", ["nothing.html", "."])
def test_a_file_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError) as caught:
        look(tmp_path / name, tmp_path)
    assert caught.value.where == str(tmp_path / name)


def test_a_file_outside_of_the_source_is_refused(bakery: Path, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not in the source folder") as caught:
        look(bakery / "flour.html", tmp_path)
    assert str(tmp_path) in caught.value.hint


NAMES = [
    "犬 の 散歩.html",
    "a#b.html",
    "50%.html",
    "改\u3000行.html",
    "index.html",
    "deep/index.html",
    "a.b.htm",
]


@pytest.mark.parametrize("name", NAMES)
def test_ids_are_those_of_a_build(tmp_path: Path, make_article: MakeArticle, name: str) -> None:
    file = tmp_path / "pages" / name
    file.parent.mkdir(parents=True)
    file.write_text(make_article("犬", [("何時に", "朝", "時間帯")], ["時間帯"]), encoding="utf-8")
    (article,) = hayami.load(hayami.build([tmp_path / "pages"], tmp_path / "set").folder).articles()
    seen = look(file, tmp_path / "pages")
    assert seen.reading is not None
    assert seen.reading.article.id == article.id


LINKS = {
    "a name that is too long": f"{'長' * 200}.html#s0",
    "a path with a NUL": "a%00b.html#s0",
    "a folder above the source": "%2e%2e/secret.html#s0",
    "the source folder": "../pages/#s0",
    "an address that is none": "http://[#s0",
    "bytes that are no text": "%ff%fe.html#s0",
    "a folder that is called like a page": "folder.html#s0",
}


@pytest.mark.parametrize("href", LINKS.values(), ids=LINKS)
def test_a_link_that_leads_nowhere_is_judged_as_a_build_judges_it(
    tmp_path: Path, make_article: MakeArticle, href: str
) -> None:
    folder = tmp_path / "pages"
    (folder / "folder.html").mkdir(parents=True)
    (tmp_path / "secret.html").write_text(make_article("秘密", [], ["節", "節2"]), encoding="utf-8")
    rows = [("何か", "ない", f'<a href="{href}">あれ</a>')]
    (folder / "a.html").write_text(make_article("犬", rows, ["時間帯", "道具"]), encoding="utf-8")
    (built,) = built_rows(hayami.build([folder], tmp_path / "set").folder).values()
    assert [outcome(found) for found in look(folder / "a.html").outcomes] == [built]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("kind", ["pipe", "loop", "dangling", "empty"])
def test_a_link_to_a_file_that_cannot_be_read_is_broken(
    tmp_path: Path, make_article: MakeArticle, kind: str
) -> None:
    other = tmp_path / "other.html"
    if kind == "pipe":
        os.mkfifo(other)
    elif kind == "empty":
        other.write_bytes(b"")
    else:
        other.symlink_to("other.html" if kind == "loop" else "nowhere.html")
    rows = [("何か", "ない", '<a href="other.html#s0">あれ</a>')]
    (tmp_path / "a.html").write_text(make_article("犬", rows, ["時間帯", "道具"]), encoding="utf-8")
    assert [outcome(found) for found in look(tmp_path / "a.html").outcomes] == ["broken_link"]


def test_a_link_to_the_folder_of_everything_leads_to_its_index_as_in_a_build(
    tmp_path: Path,
) -> None:
    header = "<tr><th>質問<th>答え<th>詳しい節"
    (tmp_path / "pages/guide").mkdir(parents=True)
    (tmp_path / "pages/index.html").write_text(
        '<h2 id="a">犬</h2><p>一<h2 id="b">猫</h2><p>二', encoding="utf-8"
    )
    page = tmp_path / "pages/guide/page.html"
    page.write_text(
        f'<table>{header}<tr><td>何<td>猫<td><a href="../#b">猫</a></table><h2>鳥</h2><p>三',
        encoding="utf-8",
    )
    seen = look(page, tmp_path / "pages")
    assert [outcome(found) for found in seen.outcomes] == [["index#1"]]
    hayami.build([tmp_path / "pages"], tmp_path / "set")
    assert list(built_rows(tmp_path / "set").values()) == [["index#1"]]
