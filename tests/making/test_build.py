from __future__ import annotations

import gc
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hayami
from hayami.errors import AccountingError, OutputError, SourceError
from hayami.evalset.records import Reason
from hayami.extract.files import SourceFile
from hayami.making.reading import read_file
from hayami.making.tally import Tally
from hayami.parts import Unreadable

MakeArticle = Callable[..., str]
Files = Callable[[Path], dict[str, bytes]]


def write(folder: Path, pages: dict[str, str]) -> Path:
    for path, page in pages.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(page, encoding="utf-8")
    return folder


def means(folder: Path) -> dict[str, list[str]]:
    """The sections of each question."""
    return {query.query: list(query.relevant) for query in hayami.load(folder).queries()}


def rejected(folder: Path) -> dict[str, str]:
    """The reason of each question or file that gave no label."""
    return {
        found.question or found.path: str(found.reason)
        for found in hayami.load(folder).rejections()
    }


# --- the same bytes -------------------------------------------------------------------------------


def test_two_processes_write_the_bytes_of_one(
    sample: hayami.Built, articles: Path, tmp_path: Path, files_of: Files
) -> None:
    hayami.build([articles], tmp_path / "set", jobs=2)
    assert files_of(tmp_path / "set") == files_of(sample.folder)


def test_more_files_than_may_wait_for_a_worker_come_back_in_order(
    tmp_path: Path, make_article: MakeArticle, files_of: Files
) -> None:
    pages = {
        f"{n:03}.html": make_article(f"題{n}", [(f"質問{n}", "答え", "節A")], ["節A", "節B"])
        for n in range(150)
    }
    write(tmp_path / "pages", pages)
    hayami.build([tmp_path / "pages"], tmp_path / "one")
    hayami.build([tmp_path / "pages"], tmp_path / "other", jobs=2)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")
    assert [query.query for query in hayami.load(tmp_path / "other").queries()] == [
        f"質問{n}" for n in range(150)
    ]


def test_the_order_of_the_sources_does_not_matter(
    bakery: Path, articles: Path, tmp_path: Path, files_of: Files
) -> None:
    sources = [articles / "ko", bakery, articles / "zh"]
    hayami.build(sources, tmp_path / "one")
    hayami.build([sources[2], sources[0], sources[1], sources[0]], tmp_path / "other")
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


def test_the_order_of_single_files_does_not_matter(
    bakery: Path, tmp_path: Path, files_of: Files
) -> None:
    sources = [bakery / "yeast.html", bakery / "flour.html", bakery / "guide" / "index.html"]
    hayami.build(sources, tmp_path / "one")
    hayami.build(reversed(sources), tmp_path / "other")  # type: ignore[arg-type]
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


def test_the_place_of_the_articles_does_not_matter(
    bakery: Path, tmp_path: Path, files_of: Files
) -> None:
    moved = shutil.copytree(bakery, tmp_path / "elsewhere" / "deep" / bakery.name)
    hayami.build([bakery], tmp_path / "one")
    hayami.build([moved], tmp_path / "other")
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


def test_sources_may_be_named_from_the_current_folder(
    bakery: Path, tmp_path: Path, files_of: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    hayami.build([bakery], tmp_path / "one")
    monkeypatch.chdir(bakery)
    hayami.build(["."], str(tmp_path / "other"))
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


def test_a_second_build_replaces_the_first(
    bakery: Path, bakery_set: Path, tmp_path: Path, files_of: Files
) -> None:
    hayami.build([bakery / "flour.html"], tmp_path / "new")
    hayami.build([bakery / "flour.html"], bakery_set)
    assert files_of(bakery_set) == files_of(tmp_path / "new")


# --- what is built --------------------------------------------------------------------------------


def test_a_build_tells_what_it_did(bakery: Path, tmp_path: Path) -> None:
    built = hayami.build([bakery], tmp_path / "set")
    assert built.folder == tmp_path / "set"
    assert built.manifest == hayami.load(tmp_path / "set").manifest
    assert (built.warnings, built.unreadable, built.by_structure) == ((), (), 0)


def test_the_manifest_counts_everything(bakery: Path, tmp_path: Path) -> None:
    counts = hayami.build([bakery], tmp_path / "set").manifest.counts
    assert (counts.files, counts.articles, counts.sections, counts.tables, counts.rows) == (
        3,
        3,
        6,
        3,
        6,
    )
    assert (counts.queries, counts.warnings) == (3, 0)
    assert counts.by_match == {"anchor": 1, "contains": 1, "exact": 1}
    assert counts.by_reason == {"excluded_section": 1, "unmatched": 1}
    assert counts.by_detector == {"header": 6}
    assert counts.by_language == {"ja": 3}


def test_the_manifest_names_the_settings_and_what_made_the_set(
    bakery: Path, tmp_path: Path
) -> None:
    chosen = hayami.Settings(level=3, placeholders=("保留",))
    manifest = hayami.build([bakery], tmp_path / "set", chosen).manifest
    assert hayami.Settings.model_validate(manifest.settings) == chosen
    assert manifest.settings_sha256 == chosen.digest()
    assert manifest.sources == ("パン",)
    assert sorted(manifest.packages) == [
        "beautifulsoup4",
        "charset-normalizer",
        "pydantic",
        "rapidfuzz",
        "selectolax",
    ]
    assert manifest.hayami == "0.1.0"


def test_progress_is_told_after_every_file(bakery: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    hayami.build(
        [bakery], tmp_path / "set", progress=lambda done, total: told.append((done, total))
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_an_origin_leads_back_to_the_row(bakery: Path, bakery_set: Path) -> None:
    query = next(query for query in hayami.load(bakery_set).queries() if query.qid == "q1")
    assert [(o.article, o.path, o.table, o.row) for o in query.origins] == [
        ("flour", "flour.html", 0, 1),
        ("guide", "guide/index.html", 0, 1),
    ]
    article = next(hayami.load(bakery_set).articles())
    assert query.origins[0].sha256 == article.sha256
    assert article.sha256 == hashlib.sha256((bakery / "flour.html").read_bytes()).hexdigest()


def test_a_mined_table_is_in_no_text_of_the_corpus(bakery_set: Path) -> None:
    texts = "\n".join(section.text for section in hayami.load(bakery_set).sections())
    assert "発酵は何度がよいか" not in texts
    assert "一次発酵の温度と時間について書いた段落。" in texts


# --- questions asked twice ------------------------------------------------------------------------


@pytest.fixture
def asked_twice(tmp_path: Path, make_article: MakeArticle) -> Path:
    """Three articles of which two ask the same, one of them with other letters.

    And one asks it twice.
    """
    return write(
        tmp_path / "pages",
        {
            "a.html": make_article(
                "犬の散歩", [("リードの長さは？", "1.5 m", "長さの目安")], ["長さの目安", "時間帯"]
            ),
            "b.html": make_article(
                "犬の道具",
                [("リードの長さは?", "2 m", "リードの選び方"), ("首輪の太さ", "1 cm", "首輪")],
                ["首輪", "リードの選び方"],
            ),
            "c.html": make_article(
                "犬のしつけ",
                [("首輪の太さ", "2 cm", "道具"), ("首輪の太さ", "2 cm", "声")],
                ["道具", "声"],
            ),
        },
    )


def test_merge_makes_one_query_of_equal_questions(asked_twice: Path, tmp_path: Path) -> None:
    built = hayami.build([asked_twice], tmp_path / "set")
    first, second = hayami.load(built.folder).queries()
    assert (first.query, first.answer, first.article) == ("リードの長さは？", "1.5 m", "a")
    assert first.relevant == {"a#0": 2, "b#1": 2}
    assert [(o.article, o.row) for o in first.origins] == [("a", 1), ("b", 1)]
    assert first.same_article == 2
    assert second.relevant == {"b#0": 2, "c#0": 2, "c#1": 2}
    assert [(o.article, o.row) for o in second.origins] == [("b", 2), ("c", 1), ("c", 2)]
    assert "duplicate" in first.flags
    assert "duplicate" in second.flags
    assert built.manifest.accounting.rows_in_queries == 5
    assert hayami.check(built.folder) == []


def test_keep_makes_a_query_of_every_row(asked_twice: Path, tmp_path: Path) -> None:
    built = hayami.build(
        [asked_twice], tmp_path / "set", hayami.Settings(duplicates=hayami.Duplicates.KEEP)
    )
    queries = list(hayami.load(built.folder).queries())
    assert [(q.qid, q.article, list(q.relevant)) for q in queries] == [
        ("q1", "a", ["a#0"]),
        ("q2", "b", ["b#1"]),
        ("q3", "b", ["b#0"]),
        ("q4", "c", ["c#0"]),
        ("q5", "c", ["c#1"]),
    ]
    assert all("duplicate" in query.flags for query in queries)
    assert hayami.check(built.folder) == []


def test_drop_keeps_the_first_row_and_rejects_the_others(asked_twice: Path, tmp_path: Path) -> None:
    built = hayami.build(
        [asked_twice], tmp_path / "set", hayami.Settings(duplicates=hayami.Duplicates.DROP)
    )
    assert means(built.folder) == {"リードの長さは？": ["a#0"], "首輪の太さ": ["b#0"]}
    assert [(r.article, r.row, r.reason) for r in hayami.load(built.folder).rejections()] == [
        ("b", 1, "duplicate_question"),
        ("c", 1, "duplicate_question"),
        ("c", 2, "duplicate_question"),
    ]
    assert hayami.check(built.folder) == []


@pytest.mark.parametrize("duplicates", hayami.Duplicates)
def test_a_row_without_a_label_is_no_duplicate(
    tmp_path: Path, make_article: MakeArticle, duplicates: hayami.Duplicates
) -> None:
    rows = [("首輪の太さ", "1 cm", "なし"), ("首輪の太さ", "1 cm", "道具")]
    write(tmp_path / "pages", {"a.html": make_article("犬", rows, ["道具", "声"])})
    built = hayami.build(
        [tmp_path / "pages"], tmp_path / "set", hayami.Settings(duplicates=duplicates)
    )
    (query,) = hayami.load(built.folder).queries()
    assert (list(query.relevant), "duplicate" in query.flags) == (["a#0"], False)


# --- other articles -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory, make_article: MakeArticle) -> Path:
    """A book of chapters that refer to each other."""
    rows = [
        ("猫の食事の量", "体重による", '<a href="cat.html#s1">食事</a>'),
        ("猫という動物", "肉食", '<a href="cat.html">猫の章</a>'),
        ("金魚の水温", "20 度", '<a href="fish.html">金魚</a>'),
        ("鳥のかご", "広く", '<a href="bird.html#s0">鳥の道具</a>'),
        ("猫の爪", "切る", '<a href="cat.html#claws">爪</a>'),
        ("2 章の内容", "猫", "2章"),
        ("3 章の内容", "金魚", "第3章"),
        ("9 章の内容", "ない", "9章"),
        ("犬の走り", "広場", '<a href="https://example.org/dog.html#s0">広場</a>'),
        ("猫のまとめ", "肉", '<a href="cat.html#s2">まとめ</a>'),
        ("下の階の水槽", "重い", '<a href="annex/#s1">水槽</a>'),
    ]
    pages = {
        "dog.html": make_article("第1章 犬", rows, ["散歩の時間", "食べ物"]),
        "cat.html": make_article("第2章 猫", [], ["住まい", "食事", "まとめ"]),
        "fish.html": make_article("第3章 金魚", [], ["水温"]),
        "annex/index.html": make_article(
            "付録",
            [("犬の食べ物", "肉", '<a href="../dog.html#s1">ここ</a>')],
            ["棚", "水槽の重さ"],
        ),
    }
    folder = write(
        tmp_path_factory.mktemp("book"), {f"pages/{path}": page for path, page in pages.items()}
    )
    return hayami.build([folder / "pages"], folder / "set").folder


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("猫の食事の量", "cat#1"),
        ("金魚の水温", "fish#0"),
        ("3 章の内容", "fish#0"),
        ("下の階の水槽", "annex#1"),
        ("犬の食べ物", "dog#1"),
    ],
)
def test_a_row_finds_its_section_in_another_article(
    book: Path, question: str, section: str
) -> None:
    assert means(book)[question] == [section]


def test_the_judgements_of_another_article_are_complete(book: Path) -> None:
    query = next(query for query in hayami.load(book).queries() if query.query == "猫の食事の量")
    assert hayami.load(book).qrels()[query.qid] == {"cat#1": 2, "cat#0": 1}
    assert (query.article, query.targets[0].runner_up) == ("dog", None)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("猫という動物", "whole_article"),
        ("2 章の内容", "whole_article"),
        ("鳥のかご", "broken_link"),
        ("猫の爪", "broken_link"),
        ("9 章の内容", "unmatched"),
        ("犬の走り", "external_link"),
        ("猫のまとめ", "excluded_section"),
    ],
)
def test_a_row_that_finds_no_section_elsewhere_says_why(
    book: Path, question: str, reason: str
) -> None:
    assert rejected(book)[question] == reason


@pytest.mark.parametrize("question", ["猫という動物", "2 章の内容"])
def test_a_whole_article_is_named_as_the_candidate(book: Path, question: str) -> None:
    found = next(found for found in hayami.load(book).rejections() if found.question == question)
    assert [(c.article, c.section, c.heading) for c in found.candidates] == [
        ("cat", None, "第2章 猫")
    ]


def test_a_broken_link_says_what_is_not_there(book: Path) -> None:
    details = {found.question: found.detail for found in hayami.load(book).rejections()}
    assert details["鳥のかご"] == "no file bird.html in the build"
    assert details["猫の爪"] == "no id claws in cat.html"


# --- files ----------------------------------------------------------------------------------------


def test_every_file_that_is_given_is_read_or_rejected(
    tmp_path: Path, make_article: MakeArticle
) -> None:
    names = ["a/page.html", "b/page.html", "c/page.html", "d/page.html"]
    write(
        tmp_path,
        {name: make_article(name, [(f"{name}は", "x", "節A")], ["節A", "節B"]) for name in names},
    )
    built = hayami.build([tmp_path / name for name in names], tmp_path / "set")
    assert built.manifest.counts.files == 4
    found = list(hayami.load(built.folder).articles())
    assert len({article.id for article in found}) == len(found)
    assert sorted(article.title for article in found) == names


def test_every_file_of_one_id_is_read(tmp_path: Path, make_article: MakeArticle) -> None:
    names = ["dog.html", "dog.htm", "dog.xhtml", "dog/index.html", "dog/index.htm", "dog.html.html"]
    write(tmp_path / "pages", {name: make_article(name, [], ["節A", "節B"]) for name in names})
    built = hayami.build([tmp_path / "pages"], tmp_path / "set")
    found = list(hayami.load(built.folder).articles())
    assert len({article.id for article in found}) == 6
    assert sorted(article.title for article in found) == sorted(names)
    assert hayami.check(built.folder) == []


def test_only_html_files_of_a_folder_are_read(tmp_path: Path, make_article: MakeArticle) -> None:
    names = ["a.html", "b.HTM", "c.xhtml", "d.txt", "e.html.bak", "f.rst", ".html", "g"]
    write(tmp_path / "pages", {name: make_article(name, [], ["節A"]) for name in names})
    built = hayami.build([tmp_path / "pages"], tmp_path / "set")
    assert [article.path for article in hayami.load(built.folder).articles()] == [
        "a.html",
        "b.HTM",
        "c.xhtml",
    ]


def test_no_id_holds_white_space_or_what_tools_trip_over(
    tmp_path: Path, make_article: MakeArticle
) -> None:
    names = [
        "犬 の 散歩.html",
        "a#b.html",
        "50%.html",
        "改\u3000行\n.html",
        "t\tb.html",
        "\u200bzero.html",
    ]
    write(
        tmp_path / "pages",
        {name: make_article("犬", [("何時に", "朝", "時間帯")], ["時間帯"]) for name in names},
    )
    built = hayami.build([tmp_path / "pages"], tmp_path / "set")
    ids = [section.id for section in hayami.load(built.folder).sections()]
    assert sorted(ids) == sorted(
        [
            "%E2%80%8Bzero#0",
            "50%25#0",
            "a%23b#0",
            "t%09b#0",
            "犬%20の%20散歩#0",
            "改%E3%80%80行%0A#0",
        ]
    )
    assert all(
        len(line.split(" ")) == 4
        for line in (built.folder / "qrels.txt").read_text("utf-8").splitlines()
    )


def test_a_file_name_that_is_no_text_can_be_written(
    tmp_path: Path, make_article: MakeArticle
) -> None:
    (tmp_path / "pages").mkdir()
    try:
        (tmp_path / "pages" / os.fsdecode(b"\xff\xfe.html")).write_text(
            make_article("犬", [], ["節A"]), encoding="utf-8"
        )
    except OSError:
        pytest.skip("the file system takes only text")
    built = hayami.build([tmp_path / "pages"], tmp_path / "set")
    (article,) = hayami.load(built.folder).articles()
    assert article.title == "犬"
    assert article.id.isascii()
    assert hayami.check(built.folder) == []


@pytest.mark.parametrize("name", ["nothing", "pages/nothing.html"])
def test_a_source_that_is_not_there_is_named(bakery: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError, match="no such file or folder") as caught:
        hayami.build([bakery, tmp_path / name], tmp_path / "set")
    assert caught.value.where == str(tmp_path / name)
    assert not (tmp_path / "set").exists()


def test_a_folder_without_html_is_named(tmp_path: Path) -> None:
    write(tmp_path / "pages", {"a.txt": "犬"})
    with pytest.raises(SourceError, match="no HTML file in it") as caught:
        hayami.build([tmp_path / "pages"], tmp_path / "set")
    assert caught.value.where == str(tmp_path / "pages")


def test_two_source_folders_of_one_name_are_refused(
    tmp_path: Path, make_article: MakeArticle
) -> None:
    write(
        tmp_path,
        {f"{name}/pages/a.html": make_article("犬", [], ["節"]) for name in ("one", "other")},
    )
    with pytest.raises(SourceError, match="two source folders are called pages"):
        hayami.build([tmp_path / "one/pages", tmp_path / "other/pages"], tmp_path / "set")


@pytest.fixture
def strange(tmp_path: Path, make_article: MakeArticle) -> Path:
    """A folder with one article and files that cannot be read."""
    folder = write(
        tmp_path / "pages",
        {
            "good.html": make_article(
                "犬の散歩", [("何時に", "朝", "時間帯")], ["時間帯", "持ち物"]
            ),
            "empty.html": " \n",
        },
    )
    (folder / "folder.html").mkdir()
    (folder / "dangling.html").symlink_to("nowhere.html")
    (folder / "twin.html").symlink_to("good.html")
    (folder / "up").symlink_to("..")
    (folder / "nul.html").write_bytes(b"<p>\0\0\0</p>")
    (folder / "photo.html").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8)
    (folder / "text.html").write_text("タグのない文", encoding="utf-8")
    return folder


def test_a_file_that_gives_no_article_is_rejected_with_a_reason(
    strange: Path, tmp_path: Path
) -> None:
    built = hayami.build([strange], tmp_path / "set")
    assert rejected(built.folder) == {
        "dangling.html": "unreadable",
        "empty.html": "empty_file",
        "nul.html": "not_html",
        "photo.html": "not_html",
        "text.html": "not_html",
        "twin.html": "duplicate_file",
    }
    assert means(built.folder) == {"何時に": ["good#0"]}
    assert sorted(one.path for one in built.unreadable) == sorted(rejected(built.folder))
    accounting = built.manifest.accounting
    assert (accounting.files, accounting.files_read, accounting.files_rejected) == (7, 1, 6)
    assert hayami.check(built.folder) == []


def test_rejected_files_and_rows_stand_in_the_order_of_articles(
    strange: Path, tmp_path: Path, make_article: MakeArticle
) -> None:
    rows = [("水", "要る", "ない節"), ("餌", "要る", "なし")]
    write(strange, {"good.html": make_article("犬の散歩", rows, ["時間帯", "持ち物"])})
    built = hayami.build([strange], tmp_path / "set")
    assert [found.article for found in hayami.load(built.folder).rejections()] == [
        "dangling",
        "empty",
        "good",
        "good",
        "nul",
        "photo",
        "text",
        "twin",
    ]


def test_links_that_lead_in_a_circle_are_rejected(strange: Path, tmp_path: Path) -> None:
    (strange / "loop.html").symlink_to("loop.html")
    (strange / "there.html").symlink_to("back.html")
    (strange / "back.html").symlink_to("there.html")
    built = hayami.build([strange], tmp_path / "set")
    found = rejected(built.folder)
    assert [found[name] for name in ("loop.html", "there.html", "back.html")] == ["unreadable"] * 3


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read anything"
)
def test_a_file_that_may_not_be_read_is_rejected(strange: Path, tmp_path: Path) -> None:
    (strange / "secret.html").write_text("<p>犬", encoding="utf-8")
    (strange / "secret.html").chmod(0)
    built = hayami.build([strange], tmp_path / "set")
    assert rejected(built.folder)["secret.html"] == "unreadable"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_does_not_stop_a_build(strange: Path, tmp_path: Path) -> None:
    os.mkfifo(strange / "pipe.html")
    code = f"import hayami; hayami.build([{str(strange)!r}], {str(tmp_path / 'set')!r})"
    subprocess.run([sys.executable, "-c", code], timeout=30, check=True)
    assert rejected(tmp_path / "set")["pipe.html"] == "unreadable"


def test_a_file_that_is_gone_when_its_turn_comes_is_rejected(strange: Path, tmp_path: Path) -> None:
    (strange / "zebra.html").write_text("<h2>しま", encoding="utf-8")

    def remove(_done: int, _total: int) -> None:
        (strange / "zebra.html").unlink(missing_ok=True)

    built = hayami.build([strange], tmp_path / "set", progress=remove)
    assert rejected(built.folder)["zebra.html"] == "unreadable"
    assert hayami.check(built.folder) == []


def test_a_file_over_the_limit_is_rejected_without_being_read(
    strange: Path, tmp_path: Path
) -> None:
    resource = pytest.importorskip("resource")
    try:
        with (strange / "huge.html").open("wb") as file:
            file.truncate(1 << 40)
    except OSError:
        pytest.skip("the file system knows no holes")
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30, before[1]))
    try:
        built = hayami.build([strange], tmp_path / "set")
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
        (strange / "huge.html").unlink()  # no backup should meet it
    assert rejected(built.folder)["huge.html"] == "too_large"


@pytest.mark.parametrize(("size", "reason"), [(1_000, None), (1_001, Reason.TOO_LARGE)])
def test_the_limit_on_the_size_of_a_page_is_the_largest_that_is_read(
    tmp_path: Path, size: int, reason: Reason | None
) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"<h2>a</h2>".ljust(size))
    (found,) = read_file(
        SourceFile(str(path), "a.html", "a"), hayami.Settings(max_page_bytes=1_000)
    )
    assert (found.reason if isinstance(found, Unreadable) else None) == reason


@pytest.mark.parametrize(
    ("base", "href"),
    [
        ("http://[", "#s0"),
        ("http://[", "b.html"),
        ("https://example.org/", "http://["),
        ("//[::", "b.html#s0"),
    ],
)
def test_an_address_that_is_none_does_not_stop_a_build(
    tmp_path: Path, make_article: MakeArticle, base: str, href: str
) -> None:
    page = make_article(
        "犬", [("何時に", "朝", f'<a href="{href}">時間帯</a>')], ["時間帯", "道具"]
    )
    write(tmp_path / "pages", {"a.html": page.replace("<title>", f'<base href="{base}"><title>')})
    built = hayami.build([tmp_path / "pages"], tmp_path / "set")
    assert built.manifest.counts.rows == 1


@pytest.mark.parametrize(
    "charset",
    [
        "hex",
        "base64",
        "idna",
        "undefined",
        "rot13",
        "zip",
        "uu",
        "punycode",
        "unicode_escape",
        "なし",
        "utf-7",
    ],
)
def test_an_encoding_that_the_web_does_not_know_is_as_none_declared(
    tmp_path: Path, make_article: MakeArticle, charset: str
) -> None:
    page = make_article(
        "犬の散歩の話",
        [("何時に歩くのか", "朝", "時間帯の選び方")],
        ["時間帯の選び方", "散歩の道具"],
    )
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_bytes(page.replace("utf-8", charset).encode("euc_jp"))
    built = hayami.build([tmp_path / "pages"], tmp_path / "set")
    (article,) = hayami.load(built.folder).articles()
    assert (article.title, article.encoding) == ("犬の散歩の話", "euc-jp")


def test_a_build_without_any_table_counts_those_that_look_like_one(tmp_path: Path) -> None:
    page = (
        "<title>道具</title><h1>道具</h1><table><tr><th>語<th>場所"
        + "".join(
            f'<tr><td>{word}のこと<td><a href="#{n}">{word}</a>'
            for n, word in enumerate(["首輪", "鈴", "皿"])
        )
        + "</table>"
        + "".join(f'<h2 id="{n}">{word}</h2><p>説明' for n, word in enumerate(["首輪", "鈴", "皿"]))
    )
    write(tmp_path / "pages", {"a.html": page})
    built = hayami.build([tmp_path / "pages"], tmp_path / "set")
    assert (built.manifest.counts.tables, built.by_structure) == (0, 1)
    both = hayami.build(
        [tmp_path / "pages"], tmp_path / "set", hayami.Settings(detect=hayami.Detect.BOTH)
    )
    assert (both.manifest.counts.tables, both.by_structure) == (1, 0)
    assert both.manifest.counts.by_detector == {"structure": 3}
    assert means(both.folder)["鈴のこと"] == ["a#1"]


# --- all or nothing -------------------------------------------------------------------------------


class Stop(Exception):  # noqa: N818 - it is no error
    pass


@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("kind", [Stop, KeyboardInterrupt, OSError])
def test_a_build_that_fails_leaves_the_old_set(
    bakery: Path, bakery_set: Path, files_of: Files, at: int, kind: type[BaseException]
) -> None:
    before = files_of(bakery_set)

    def stop(done: int, _total: int) -> None:
        if done == at:
            raise kind

    with pytest.raises((kind, OutputError)):
        hayami.build([bakery], bakery_set, hayami.Settings(level=3), progress=stop)
    assert files_of(bakery_set) == before
    assert [path.name for path in bakery_set.parent.iterdir()] == [bakery_set.name]


def test_a_build_that_fails_leaves_no_new_set(bakery: Path, tmp_path: Path) -> None:
    def stop(_done: int, _total: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        hayami.build([bakery], tmp_path / "set", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_a_row_that_got_lost_is_found_before_anything_is_put_in_place(
    bakery: Path, bakery_set: Path, files_of: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_of(bakery_set)
    monkeypatch.setattr(Tally, "note_query", lambda *_: None)  # as if no query had been written
    with pytest.raises(AccountingError, match=r"6 rows and 3 files.* 0 \+ 2 rows and 3 \+ 0 files"):
        hayami.build([bakery], bakery_set)
    assert files_of(bakery_set) == before
    assert [path.name for path in bakery_set.parent.iterdir()] == [bakery_set.name]


def test_a_file_put_into_the_set_while_it_is_built_is_not_lost(
    bakery: Path, bakery_set: Path
) -> None:
    def note(_done: int, _total: int) -> None:
        (bakery_set / "notes.txt").write_text("覚え書き", encoding="utf-8")

    with pytest.raises(OutputError, match=r"notes\.txt"):
        hayami.build([bakery], bakery_set, progress=note)
    assert (bakery_set / "notes.txt").read_text(encoding="utf-8") == "覚え書き"
    assert hayami.check(bakery_set) == []


def test_the_articles_themselves_are_no_place_for_the_set(bakery: Path) -> None:
    before = sorted(bakery.glob("**/*"))
    with pytest.raises(OutputError, match="holds something other than an eval set"):
        hayami.build([bakery], bakery)
    assert sorted(bakery.glob("**/*")) == before


@pytest.mark.parametrize("size", [0, 100, 4_096, 8_192, 20_000, 60_000, 150_000])
def test_a_full_disk_leaves_the_old_set(
    articles: Path,
    bakery_set: Path,
    files_of: Files,
    limit_file_size: Callable[[int], AbstractContextManager[None]],
    size: int,
) -> None:
    before = files_of(bakery_set)
    with (
        limit_file_size(size),
        pytest.raises(OutputError, match="cannot write: File too large") as caught,
    ):
        hayami.build([articles], bakery_set)
    assert caught.value.where == str(bakery_set)
    assert "Free some space." in caught.value.hint
    del caught
    gc.collect()  # a file that is still open would be warned of here
    assert files_of(bakery_set) == before
    assert [path.name for path in bakery_set.parent.iterdir()] == [bakery_set.name]


KILLER = """
import json, os, shutil, signal, sys
from pathlib import Path
import hayami

old, new, out = map(Path, sys.argv[1:])
WATCHED = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "shutil.rmtree"}

def build(moment):
    "Builds in a process that kills itself at its file operation number `moment`; gives how many it did."
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    seen = 0
    def hook(event, arguments):
        nonlocal seen
        if event in WATCHED:
            seen += 1
            if seen == moment:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    hayami.build([new], out)
    os._exit(seen)

def titles():
    return [article.title for article in hayami.load(out).articles()]

hayami.build([old], out)
before = titles()
total = build(0)
after = titles()
told = []
hayami.build([old], out)
for moment in sorted({*range(1, total + 1, max(1, total // 12)), total}):
    code = build(moment)
    one = {"code": code, "faults": len(hayami.check(out)), "old": titles() == before, "new": titles() == after}
    hayami.build([old], out)
    told.append(one | {"left": sorted(path.name for path in out.parent.iterdir())})
print(json.dumps(told))
"""  # noqa: E501


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked processes")
def test_a_build_that_is_killed_leaves_the_old_set_or_the_new_one(
    bakery: Path, tmp_path: Path
) -> None:
    command = [
        sys.executable,
        "-c",
        KILLER,
        str(bakery),
        str(bakery / "yeast.html"),
        str(tmp_path / "sets" / "評価"),
    ]
    told = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)
    assert len(told) >= 6
    assert {one["code"] for one in told} == {-9}
    assert [one for one in told if one["faults"]] == []
    assert {(one["old"], one["new"]) for one in told} == {(True, False), (False, True)}
    assert [one["left"] for one in told if one["left"] != ["評価"]] == []


WORKER_KILLER = """
import os, signal, sys
from pathlib import Path
import hayami

parent, (source, out) = os.getpid(), map(Path, sys.argv[1:])
def hook(event, arguments):
    if event == "open" and os.getpid() != parent and str(arguments[0]).endswith("tls-cert.html"):
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
try:
    hayami.build([source], out, jobs=2)
except hayami.HayamiError as error:
    print(f"{type(error).__name__}: {error.what} {error.hint}")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="workers are forked only on Linux")
def test_a_worker_that_is_killed_ends_the_build_with_a_hint(
    articles: Path, bakery_set: Path, files_of: Files
) -> None:
    before = files_of(bakery_set)
    command = [sys.executable, "-c", WORKER_KILLER, str(articles), str(bakery_set)]
    told = subprocess.run(command, capture_output=True, check=True, timeout=60, encoding="utf-8")
    assert (
        told.stdout
        == "HayamiError: a worker process was killed Perhaps memory ran out: try --jobs 1.\n"
    )
    assert files_of(bakery_set) == before
    assert [path.name for path in bakery_set.parent.iterdir()] == [bakery_set.name]


# --- any small folder -----------------------------------------------------------------------------

WORDS = [
    "散歩",
    "時間帯",
    "水の量",
    "리드",
    "목줄",
    "路线",
    "鈴",
    "3章",
    "Fix 2",
    "まとめ",
    "port 3389",
    "ＡＢＣ",
    "  ",
    "①",
]
word = st.sampled_from(WORDS)
text = st.lists(word, min_size=1, max_size=3).map("の".join)
link = st.sampled_from(
    [
        "#s0",
        "#s1",
        "#no",
        "a.html",
        "b.html#s0",
        "./",
        "../x.html",
        "https://example.com/",
        "%zz",
        "",
    ]
)
reference = (
    text
    | st.sampled_from(["", "—", "なし", "こちら"])
    | st.tuples(link, word).map(lambda pair: f'<a href="{pair[0]}">{pair[1]}</a>')
    | st.lists(text, min_size=2, max_size=2).map(" / ".join)
)
rows = st.lists(st.tuples(text | st.just(""), st.just("答え"), reference), max_size=4)
page = st.tuples(text, rows, st.lists(text, max_size=4))


@settings(deadline=None, max_examples=70, derandomize=True)
@given(
    pages=st.lists(page, min_size=1, max_size=3),
    duplicates=st.sampled_from(hayami.Duplicates),
    lead=st.booleans(),
    level=st.sampled_from([1, 2, 3]),
)
def test_no_row_and_no_file_is_lost_whatever_stands_in_them(
    make_article: MakeArticle,
    pages: Sequence[tuple[str, list[tuple[str, str, str]], list[str]]],
    duplicates: hayami.Duplicates,
    level: int,
    *,
    lead: bool,
) -> None:
    with tempfile.TemporaryDirectory() as place:
        written = {
            f"{name}.html": make_article(*page) for name, page in zip("abc", pages, strict=False)
        }
        write(Path(place, "pages"), written)
        chosen = hayami.Settings(duplicates=duplicates, lead=lead, level=level)
        built = hayami.build([Path(place, "pages")], Path(place, "set"), chosen)
        loaded = hayami.load(built.folder)
        expected = {
            (f"{name}.html", 0, number)
            for name, (_, given_rows, _) in zip("abc", pages, strict=False)
            for number in range(1, len(given_rows) + 1)
        }
        places = [(o.path, o.table, o.row) for query in loaded.queries() for o in query.origins]
        places += [(found.path, found.table, found.row) for found in loaded.rejections()]  # type: ignore[misc]
        assert len(places) == len(set(places))
        assert set(places) == expected
        assert built.manifest.counts.rows == len(expected)
        assert [article.path for article in loaded.articles()] == list(written)
        assert all(len(section.id.split()) == 1 for section in loaded.sections())
        assert hayami.check(built.folder) == []
