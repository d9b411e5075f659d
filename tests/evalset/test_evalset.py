from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hayami
from hayami.errors import EvalSetError, OutputError
from hayami.evalset import folder as folder_module
from hayami.evalset import lock
from hayami.evalset.disk import Staging, refuse_foreign
from hayami.evalset.folder import FILES, MANIFEST, EvalSet
from hayami.evalset.jsonl import read_records, record_line
from hayami.evalset.lock import FolderLock
from hayami.evalset.records import Query, Section

READERS = {
    "articles.jsonl": "articles",
    "corpus.jsonl": "sections",
    "evalset.jsonl": "queries",
    "qrels.txt": "qrels",
    "rejected.jsonl": "rejections",
}
NAMES = ["articles.jsonl", "corpus.jsonl", "evalset.jsonl", "qrels.txt", "rejected.jsonl"]


def edit(folder: Path, name: str, change: Callable[[str], str]) -> None:
    """Changes a file of an eval set and its hash, as someone would who edits a set by hand."""
    path = folder / name
    before = path.read_text(encoding="utf-8")
    after = change(before)
    assert after != before
    path.write_text(after, encoding="utf-8", newline="\n")
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    if name != MANIFEST:
        manifest["files"][name] = hashlib.sha256(path.read_bytes()).hexdigest()
        (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def edit_manifest(folder: Path, change: Callable[[Any], object]) -> None:
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    change(manifest)
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def faults(folder: Path) -> list[tuple[str, str]]:
    """Faults with their place relative to the set."""
    return [(os.path.relpath(fault.where, folder), fault.what) for fault in hayami.check(folder)]


# --- what is built --------------------------------------------------------------------------------


def test_an_eval_set_is_six_files(bakery_set: Path) -> None:
    assert sorted(path.name for path in bakery_set.iterdir()) == sorted([*NAMES, "manifest.json"])
    assert sorted(FILES) == NAMES


def test_a_set_that_was_just_built_is_sound(bakery_set: Path) -> None:
    assert hayami.check(bakery_set) == []


def test_a_set_reads_back_with_all_its_parts(bakery_set: Path) -> None:
    built = hayami.load(bakery_set)
    assert [article.id for article in built.articles()] == ["flour", "guide", "yeast"]
    assert [section.id for section in built.sections()] == [
        "flour#0",
        "flour#1",
        "guide#0",
        "guide#1",
        "yeast#0",
        "yeast#1",
    ]
    assert [(query.qid, query.query) for query in built.queries()] == [
        ("q1", "発酵は何度がよいか"),
        ("q2", "膨らまないとき"),
        ("q3", "生種とドライの違い"),
    ]
    assert [(rejection.question, rejection.reason) for rejection in built.rejections()] == [
        ("焼き色が薄い", "unmatched"),
        ("酵母の保存", "excluded_section"),
    ]
    assert built.manifest.counts.rows == 6


def test_qrels_hold_both_grades_of_every_query(bakery_set: Path) -> None:
    assert (bakery_set / "qrels.txt").read_bytes().decode().split("\n") == [
        "q1 0 flour#0 2",
        "q1 0 guide#0 2",
        "q1 0 flour#1 1",
        "q1 0 guide#1 1",
        "q2 0 yeast#0 2",
        "q2 0 yeast#1 1",
        "q3 0 yeast#0 2",
        "q3 0 yeast#1 1",
        "",
    ]
    assert hayami.load(bakery_set).qrels()["q2"] == {"yeast#0": 2, "yeast#1": 1}


def test_a_query_is_written_as_its_users_know_it(
    bakery_set: Path, lines: Callable[[Path], list[object]]
) -> None:
    first = (bakery_set / "evalset.jsonl").read_text(encoding="utf-8").split("\n")[1]
    assert first.startswith(
        '{"qid":"q2","query":"膨らまないとき","relevant":{"yeast#0":2},"same_article":1,'
        '"source":"早見表:こちら","match":"anchor","answer":"酵母を替える","article":"guide","topic":"食パンの焼き方",'
    )
    assert len(lines(bakery_set / "evalset.jsonl")) == 3


def test_every_text_file_is_utf8_with_line_feeds(bakery_set: Path) -> None:
    for path in bakery_set.iterdir():
        data = path.read_bytes()
        assert data.decode("utf-8").endswith("\n")
        assert b"\r" not in data
        assert b"\xef\xbb\xbf" not in data


def test_the_manifest_has_the_hash_of_every_other_file(bakery_set: Path) -> None:
    manifest = json.loads((bakery_set / MANIFEST).read_text(encoding="utf-8"))
    assert manifest["files"] == {
        name: hashlib.sha256((bakery_set / name).read_bytes()).hexdigest() for name in sorted(NAMES)
    }


def test_the_manifest_is_the_only_file_with_a_time_stamp(bakery_set: Path) -> None:
    manifest = hayami.load(bakery_set).manifest
    year = manifest.created[:4]
    assert manifest.created.endswith("+00:00")
    assert not any(f"{year}-" in (bakery_set / name).read_text(encoding="utf-8") for name in NAMES)


def test_records_are_read_one_at_a_time(bakery_set: Path) -> None:
    with (bakery_set / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write("これは JSON ではない\n")
    sections = EvalSet(bakery_set, trusting=True).sections()
    assert next(sections).id == "flour#0"
    with pytest.raises(EvalSetError):
        list(sections)


# --- what is refused on reading -------------------------------------------------------------------


def test_a_folder_without_a_manifest_is_no_eval_set(tmp_path: Path) -> None:
    with pytest.raises(EvalSetError, match=r"no manifest\.json") as caught:
        hayami.load(tmp_path)
    assert caught.value.where == str(tmp_path)
    assert "hayami build" in caught.value.hint


@pytest.mark.parametrize("read", [hayami.load, hayami.check])
def test_a_set_of_another_version_is_refused(
    bakery_set: Path, read: Callable[[Path], object]
) -> None:
    edit(bakery_set, MANIFEST, lambda text: text.replace('"format": 1', '"format": 3'))
    with pytest.raises(EvalSetError, match="format 3; this hayami reads format 1") as caught:
        read(bakery_set)
    assert caught.value.where == str(bakery_set / MANIFEST)


BROKEN_MANIFESTS = {
    "empty": b"",
    "cut": b'{"hayami": "0.1.0", "format": 1',
    "a list": b"[]",
    "a number": b"1",
    "no version": b'{"hayami": "0.1.0"}',
    "a field too many": b'{"format": 1, "author": "x"}',
    "not UTF-8": b'{"hayami": "\xff"}',
    "UTF-16": '{"format": 1}'.encode("utf-16"),
    "nested beyond reason": b"[" * 200_000,
}


@pytest.mark.parametrize("content", BROKEN_MANIFESTS.values(), ids=BROKEN_MANIFESTS)
@pytest.mark.parametrize("read", [hayami.load, hayami.check])
def test_a_broken_manifest_is_named(
    bakery_set: Path, read: Callable[[Path], object], content: bytes
) -> None:
    (bakery_set / MANIFEST).write_bytes(content)
    with pytest.raises(EvalSetError) as caught:
        read(bakery_set)
    assert caught.value.where == str(bakery_set / MANIFEST)
    assert "\n" not in str(caught.value)


def test_a_file_is_no_eval_set(bakery_set: Path) -> None:
    with pytest.raises(EvalSetError):
        hayami.check(bakery_set / MANIFEST)


GOOD = record_line(
    Section(
        id="a#0",
        article="a",
        ordinal=0,
        title="犬",
        heading="犬",
        headings=(),
        level=2,
        anchor="",
        path="a.html",
        text="",
    )
).encode()
BROKEN_LINES = {
    "no JSON": "{犬}".encode(),
    "cut": GOOD[:-5],
    "a list": b"[1]",
    "a field missing": b'{"id": "a#0"}',
    "a field too many": GOOD[:-1] + b',"author":"x"}',
    "a field of another type": GOOD.replace(b'"ordinal":0', b'"ordinal":"first"'),
    "two records": GOOD + GOOD,
    "not UTF-8": GOOD.replace("犬".encode(), b"\xff\xfe"),
    "nested beyond reason": b"[" * 200_000,
    "a number of 6000 digits": GOOD.replace(b'"ordinal":0', b'"ordinal":' + b"9" * 6000),
}


@pytest.mark.parametrize("line", BROKEN_LINES.values(), ids=BROKEN_LINES)
def test_a_line_that_is_no_record_is_named_by_file_and_line(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(GOOD + b"\n" + GOOD + b"\n" + line + b"\n" + GOOD + b"\n")
    with pytest.raises(EvalSetError) as caught:
        list(read_records(path, Section))
    assert caught.value.where == f"{path}:3"
    assert "\n" not in str(caught.value)


def test_records_before_a_broken_line_are_read(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(GOOD + b"\n" + GOOD + b"\n[]\n")
    found: list[str] = []
    with pytest.raises(EvalSetError):
        found.extend(section.id for section in read_records(path, Section))
    reading = read_records(path, Section)
    assert [next(reading).id, next(reading).id] == ["a#0", "a#0"]


def test_line_separators_inside_a_record_end_no_line(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(
        GOOD.replace(b'"text":""', '"text":"一\u2028二\u0085三\\n四"'.encode()) + b"\n"
    )
    assert [section.text for section in read_records(path, Section)] == ["一\u2028二\u0085三\n四"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvalSetError) as caught:
        list(read_records(tmp_path / "corpus.jsonl", Section))
    assert caught.value.where == str(tmp_path / "corpus.jsonl")


@pytest.mark.parametrize(
    "line", ["q1 0 a#0", "q1 0 a#0 3", "q1 0 a#0 2 x", "q1\t0\ta#0\t2", "q1 0 a#0 two", "  "]
)
def test_a_line_that_is_no_judgement_is_named_by_file_and_line(bakery_set: Path, line: str) -> None:
    path = bakery_set / "qrels.txt"
    path.write_text(f"q1 0 flour#0 2\n{line}\n", encoding="utf-8")
    with pytest.raises(EvalSetError) as caught:
        EvalSet(bakery_set, trusting=True).qrels()
    assert caught.value.where == f"{path}:2"


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_not_the_one_that_was_built_is_not_read(bakery_set: Path, name: str) -> None:
    path = bakery_set / name
    path.write_bytes(path.read_bytes() + b"\n")
    evalset = hayami.load(bakery_set)
    with pytest.raises(EvalSetError, match="is not the file that was built") as caught:
        list(getattr(evalset, READERS[name])())
    assert caught.value.where == str(path)
    for other in set(FILES) - {name}:
        list(getattr(evalset, READERS[other])())


def test_a_file_is_hashed_once_however_often_it_is_read(
    bakery_set: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[Path] = []
    real = folder_module.hash_file

    def counting(path: Path) -> str:
        hashed.append(path)
        return real(path)

    monkeypatch.setattr(folder_module, "hash_file", counting)
    evalset = hayami.load(bakery_set)
    for _ in range(3):
        list(evalset.queries())
    assert hashed == [bakery_set / "evalset.jsonl"]


# --- what a check finds ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_check_finds_a_changed_byte_in_every_file(bakery_set: Path, name: str) -> None:
    path = bakery_set / name
    data = bytearray(path.read_bytes())
    at = data.index(b"0")
    data[at] = ord("1")
    path.write_bytes(bytes(data))
    assert (
        name,
        "is not the file that was built: its sha256 differs from the manifest's",
    ) in faults(bakery_set)


@pytest.mark.parametrize("name", NAMES)
def test_check_finds_a_missing_file(bakery_set: Path, name: str) -> None:
    (bakery_set / name).unlink()
    assert (name, "missing") in faults(bakery_set)


@pytest.mark.parametrize("name", NAMES)
def test_check_finds_a_deleted_line(bakery_set: Path, name: str) -> None:
    edit(bakery_set, name, lambda text: text[: text.rindex("\n", 0, -1) + 1])
    assert faults(bakery_set)


@pytest.mark.parametrize("name", NAMES)
def test_check_finds_a_repeated_line(bakery_set: Path, name: str) -> None:
    edit(bakery_set, name, lambda text: text + text[text.rindex("\n", 0, -1) + 1 :])
    assert faults(bakery_set)


@pytest.mark.parametrize("name", NAMES)
def test_check_finds_a_file_without_a_hash(bakery_set: Path, name: str) -> None:
    edit_manifest(bakery_set, lambda manifest: manifest["files"].pop(name))
    assert faults(bakery_set) == [(MANIFEST, f"names no hash for {name}")]


def edit_record(folder: Path, name: str, number: int, **values: object) -> None:
    """Changes fields of one record of a set and the hash of its file."""

    def change(text: str) -> str:
        lines = text.splitlines(keepends=True)
        record = json.loads(lines[number]) | values
        lines[number] = json.dumps(record, ensure_ascii=False) + "\n"
        return "".join(lines)

    edit(folder, name, change)


@pytest.mark.parametrize(
    ("name", "number", "values", "says"),
    [
        ("corpus.jsonl", 1, {"ordinal": 7}, "is no id of section 7 of its article"),
        ("corpus.jsonl", 1, {"path": "x.html"}, "another path or title than its article"),
        ("corpus.jsonl", 1, {"title": "x"}, "another path or title than its article"),
        ("articles.jsonl", 0, {"path": "x.html"}, "another path or title than its article"),
        ("articles.jsonl", 0, {"sha256": "0" * 64}, "of another file than that of its article"),
        ("articles.jsonl", 0, {"sections": 9}, "has 9 sections, the corpus"),
        ("articles.jsonl", 0, {"rows": 9}, "has 9 rows, the files"),
        ("evalset.jsonl", 0, {"match": "fuzzy"}, "match is fuzzy, its targets give"),
        ("evalset.jsonl", 0, {"article": "yeast"}, "of another article than its first row"),
        ("rejected.jsonl", 0, {"article": "yeast"}, "rows, the files"),
    ],
)
def test_check_compares_the_records_with_each_other(
    bakery_set: Path, name: str, number: int, values: dict[str, object], says: str
) -> None:
    edit_record(bakery_set, name, number, **values)
    assert any(says in what for _, what in faults(bakery_set))


def test_check_finds_a_query_id_that_stands_twice(bakery_set: Path) -> None:
    edit(bakery_set, "evalset.jsonl", lambda text: text.replace('"qid":"q3"', '"qid":"q2"'))
    assert ("evalset.jsonl:3", "query id q2 stands twice") in faults(bakery_set)


def test_check_finds_a_section_id_that_stands_twice(bakery_set: Path) -> None:
    edit(bakery_set, "corpus.jsonl", lambda text: text.replace('"id":"flour#1"', '"id":"flour#0"'))
    assert ("corpus.jsonl:2", "section id flour#0 stands twice") in faults(bakery_set)


def test_check_finds_a_section_id_with_white_space(bakery_set: Path) -> None:
    edit(bakery_set, "corpus.jsonl", lambda text: text.replace('"id":"flour#1"', '"id":"flour #1"'))
    assert ("corpus.jsonl:2", "section id with white space") in faults(bakery_set)


def test_check_finds_a_section_that_is_not_in_the_corpus(bakery_set: Path) -> None:
    edit(bakery_set, "evalset.jsonl", lambda text: text.replace("yeast#0", "yeast#9"))
    assert ("evalset.jsonl:2", "q2 names sections that are not in the corpus: yeast#9") in faults(
        bakery_set
    )


def test_check_finds_targets_that_are_not_the_relevant_sections(bakery_set: Path) -> None:
    edit(
        bakery_set,
        "evalset.jsonl",
        lambda text: text.replace('"relevant":{"yeast#0":2}', '"relevant":{"yeast#1":2}'),
    )
    assert ("evalset.jsonl:2", "q2: relevant and targets differ") in faults(bakery_set)


def test_check_finds_a_wrong_number_of_other_sections(bakery_set: Path) -> None:
    edit(
        bakery_set,
        "evalset.jsonl",
        lambda text: text.replace('"same_article":1', '"same_article":7', 1),
    )
    assert ("evalset.jsonl:2", "q2: same_article is 7, the corpus has 1") in faults(bakery_set)


def test_check_finds_a_wrong_grade_in_the_judgements(bakery_set: Path) -> None:
    edit(bakery_set, "qrels.txt", lambda text: text.replace("q2 0 yeast#1 1", "q2 0 yeast#1 2"))
    assert [
        where for where, what in faults(bakery_set) if what.startswith("q2: the grades are not")
    ] == ["qrels.txt"]


def test_check_finds_a_wrong_grade_in_a_query(bakery_set: Path) -> None:
    edit(
        bakery_set,
        "evalset.jsonl",
        lambda text: text.replace('"relevant":{"yeast#0":2}', '"relevant":{"yeast#0":1}'),
    )
    assert [where for where, _ in faults(bakery_set)] == ["evalset.jsonl:2", "evalset.jsonl:3"]


def test_check_finds_a_judgement_of_a_query_that_is_not_there(bakery_set: Path) -> None:
    edit(bakery_set, "qrels.txt", lambda text: text + "q9 0 yeast#1 1\n")
    assert faults(bakery_set) == [
        ("qrels.txt", "q9: the grades are not those that evalset.jsonl and corpus.jsonl give")
    ]


def test_check_finds_a_judgement_that_stands_twice(bakery_set: Path) -> None:
    edit(bakery_set, "qrels.txt", lambda text: text + "q3 0 yeast#1 1\n")
    assert faults(bakery_set) == [("qrels.txt:9", "q3 and yeast#1 stand twice")]


@pytest.mark.parametrize("name", ["corpus.jsonl", "evalset.jsonl"])
def test_check_finds_an_article_that_nobody_read(bakery_set: Path, name: str) -> None:
    edit(bakery_set, name, lambda text: text.replace('"article":"flour"', '"article":"flower"'))
    assert faults(bakery_set)


def test_check_finds_broken_json_by_file_and_line(bakery_set: Path) -> None:
    edit(
        bakery_set,
        "rejected.jsonl",
        lambda text: text.replace('{"reason":"excluded', '"reason":"excluded'),
    )
    assert [where for where, _ in faults(bakery_set)] == ["rejected.jsonl:2"]


def test_check_finds_bytes_that_are_not_utf8_by_file_and_line(bakery_set: Path) -> None:
    path = bakery_set / "articles.jsonl"
    path.write_bytes(path.read_bytes().replace("酵母".encode(), b"\xff"))
    assert "articles.jsonl:3" in [where for where, _ in faults(bakery_set)]


def test_check_finds_json_nested_beyond_reason(bakery_set: Path) -> None:
    edit(bakery_set, "corpus.jsonl", lambda text: "[" * 200_000 + "\n" + text)
    assert [where for where, _ in faults(bakery_set)] == ["corpus.jsonl:1"]


NUMBERS = [
    *(
        ("counts", name)
        for name in ("files", "articles", "sections", "tables", "rows", "queries", "warnings")
    ),
    *(("accounting", name) for name in ("rows", "rows_in_queries", "rows_rejected")),
    *(("accounting", name) for name in ("files", "files_read", "files_rejected")),
]


@pytest.mark.parametrize(("part", "name"), NUMBERS)
def test_check_finds_every_number_of_the_manifest_that_the_files_contradict(
    bakery_set: Path, part: str, name: str
) -> None:
    edit_manifest(
        bakery_set, lambda manifest: manifest[part].update({name: manifest[part][name] + 1})
    )
    assert [where for where, _ in faults(bakery_set)][:1] == [MANIFEST]


@pytest.mark.parametrize(
    ("name", "counted"),
    [
        ("by_match", {"anchor": 1, "exact": 2}),
        ("by_reason", {"unmatched": 2}),
        ("by_detector", {"header": 5, "structure": 1}),
        ("by_language", {"ja": 2, "ko": 1}),
        ("by_flag", {}),
    ],
)
def test_check_finds_every_table_of_the_manifest_that_the_files_contradict(
    bakery_set: Path, name: str, counted: dict[str, int]
) -> None:
    edit_manifest(bakery_set, lambda manifest: manifest["counts"].update({name: counted}))
    assert [where for where, _ in faults(bakery_set)][:1] == [MANIFEST]


def test_check_finds_settings_that_are_not_those_of_their_hash(bakery_set: Path) -> None:
    edit_manifest(bakery_set, lambda manifest: manifest["settings"].update({"level": 3}))
    assert [where for where, _ in faults(bakery_set)] == [MANIFEST]


def test_check_changes_nothing(bakery_set: Path) -> None:
    before = {path.name: path.read_bytes() for path in bakery_set.iterdir()}
    hayami.check(bakery_set)
    assert {path.name: path.read_bytes() for path in bakery_set.iterdir()} == before


# --- where a set may be written -------------------------------------------------------------------


def test_a_new_place_an_empty_folder_and_an_old_set_are_free(
    bakery_set: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    for free in (tmp_path / "new", tmp_path / "empty", bakery_set):
        refuse_foreign(free)


def test_an_old_set_of_which_files_are_missing_is_free(bakery_set: Path) -> None:
    (bakery_set / "qrels.txt").unlink()
    refuse_foreign(bakery_set)


@pytest.fixture(
    params=["file", "foreign", "with_notes", "link", "dangling", "json", "broken_manifest"]
)
def taken(request: pytest.FixtureRequest, bakery_set: Path, tmp_path: Path) -> Path:
    """A place that a build must not touch."""
    place = tmp_path / "taken"
    if request.param == "file":
        place.write_text("家計簿", encoding="utf-8")
    elif request.param == "link":
        place.symlink_to(bakery_set)
    elif request.param == "dangling":
        place.symlink_to("nowhere")
    elif request.param == "with_notes":
        bakery_set.rename(place)
        (place / "notes.txt").write_text("評価の覚え書き", encoding="utf-8")
    else:
        place.mkdir()
        name = "photo.jpg" if request.param == "foreign" else MANIFEST
        content = {"json": '{"name": "My app"}', "broken_manifest": "[" * 100_000}.get(
            request.param, "写真"
        )
        (place / name).write_text(content, encoding="utf-8")
    return place


def test_anything_else_is_refused_and_left_alone(taken: Path, bakery: Path) -> None:
    before = {path.name: path.read_bytes() for path in taken.iterdir()} if taken.is_dir() else None
    with pytest.raises(OutputError) as caught:
        hayami.build([bakery], taken)
    assert caught.value.where == str(taken)
    assert caught.value.hint
    after = {path.name: path.read_bytes() for path in taken.iterdir()} if taken.is_dir() else None
    assert after == before
    assert not list(taken.parent.glob(".*"))


def test_a_file_where_a_folder_should_be_is_named(tmp_path: Path, bakery: Path) -> None:
    (tmp_path / "sets").write_text("家計簿", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot write"):
        hayami.build([bakery], tmp_path / "sets" / "a")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write anywhere"
)
def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path, bakery: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="cannot write: Permission denied"):
        hayami.build([bakery], tmp_path / "set")
    tmp_path.chmod(0o700)


# --- all or nothing -------------------------------------------------------------------------------


def test_nothing_is_seen_before_all_is_written(tmp_path: Path) -> None:
    out = tmp_path / "set"
    with Staging(out) as staging:
        staging.write("qrels.txt", b"q1 0 a#0 2\n")
        staging.hashes()
        assert not out.exists()
    assert list(tmp_path.iterdir()) == []


DIGITS = "0123456789abcdef"


def test_what_a_killed_build_left_is_cleaned_up(tmp_path: Path, bakery: Path) -> None:
    left = tmp_path / f".set.building-{DIGITS}"
    left.mkdir()
    (left / "corpus.jsonl").write_text("…", encoding="utf-8")
    (tmp_path / ".set.lock").touch()
    hayami.build([bakery], tmp_path / "set")
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


@pytest.mark.parametrize("name", ["評価[1]", "set*", "a.b", "set?", "[!x]"])
def test_what_a_killed_build_left_is_cleaned_up_whatever_the_name(
    tmp_path: Path, bakery: Path, name: str
) -> None:
    (tmp_path / f".{name}.building-{DIGITS}").mkdir()
    hayami.build([bakery], tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders have no owners here")
def test_what_another_user_left_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / f".set.building-{DIGITS}"
    left.mkdir()
    aside = tmp_path / f".set.replaced-{DIGITS}"
    aside.mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(RuntimeError, match="stop"), Staging(tmp_path / "set"):
        raise RuntimeError("stop")
    assert sorted(path.name for path in tmp_path.iterdir()) == [left.name, aside.name]


def test_an_old_set_that_was_moved_aside_is_put_back(tmp_path: Path, bakery_set: Path) -> None:
    out = tmp_path / "set"
    bakery_set.rename(tmp_path / f".set.replaced-{DIGITS}")
    with pytest.raises(RuntimeError, match="stop"), Staging(out):
        raise RuntimeError("stop")
    assert hayami.check(out) == []
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def test_folders_of_others_beside_a_set_are_left_alone(tmp_path: Path, bakery: Path) -> None:
    others = [
        ".set.building-",
        ".set.building-x1",
        f".set.building-{DIGITS}0",
        ".set.backup-123",
        f".setx.building-{DIGITS}",
        f"set.building-{DIGITS}",
        f"building-{DIGITS}",
    ]
    for name in others:
        (tmp_path / name).mkdir()
    hayami.build([bakery], tmp_path / "set")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*others, "set"])


# --- where the system cannot exchange two folders, as macOS ---------------------------------------


@pytest.fixture
def without_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")


@pytest.mark.usefixtures("without_exchange")
def test_a_set_is_replaced_in_two_steps_and_nothing_is_left(
    bakery: Path, bakery_set: Path, tmp_path: Path
) -> None:
    out = shutil.copytree(bakery_set, tmp_path / "sets" / "set")
    hayami.build([bakery / "yeast.html"], out)
    assert hayami.load(out).manifest.counts.articles == 1
    assert [path.name for path in out.parent.iterdir()] == ["set"]


@pytest.mark.usefixtures("without_exchange")
def test_a_build_that_is_killed_between_the_two_steps_has_the_old_set_put_back(
    bakery: Path, bakery_set: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = shutil.copytree(bakery_set, tmp_path / "sets" / "set")
    before = (out / "evalset.jsonl").read_bytes()
    rename = Path.rename

    def die(self: Path, target: Path) -> Path:
        if self.name.startswith(".set.building-"):
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", die)
    with pytest.raises(KeyboardInterrupt):
        hayami.build([bakery / "yeast.html"], out)
    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(RuntimeError, match="stop"), Staging(out):
        raise RuntimeError("stop")
    assert (out / "evalset.jsonl").read_bytes() == before
    assert [path.name for path in out.parent.iterdir()] == ["set"]


# --- one writer at a time -------------------------------------------------------------------------

HOLDER = """
import sys
from pathlib import Path
from hayami.evalset import folder as folder_module
from hayami.evalset import lock
from hayami.evalset.disk import Staging
with Staging(Path(sys.argv[1])) as staging:
    print(staging.folder.name, flush=True)
    input()
"""


def test_two_builds_into_one_folder_are_never_mixed(tmp_path: Path, bakery: Path) -> None:
    out = tmp_path / "set"
    command = [sys.executable, "-c", HOLDER, str(out)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8") as other:
        assert other.stdout is not None
        folder = tmp_path / other.stdout.readline().strip()
        with pytest.raises(OutputError, match="another hayami is writing it") as caught:
            hayami.build([bakery], out)
        assert caught.value.where == str(out)
        assert folder.is_dir(), "what is being built was not swept away"
        other.communicate("\n")
    hayami.build([bakery], out)
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def test_two_threads_cannot_build_into_one_folder(tmp_path: Path) -> None:
    with Staging(tmp_path / "set"):
        with pytest.raises(OutputError, match="another hayami"), Staging(tmp_path / "set"):
            pass
        with Staging(tmp_path / "other"):
            pass


def test_a_killed_build_holds_no_lock(tmp_path: Path, bakery: Path) -> None:
    out = tmp_path / "set"
    command = [sys.executable, "-c", HOLDER, str(out)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        other.kill()
    assert (tmp_path / ".set.lock").exists()
    hayami.build([bakery], out)
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forked workers")
def test_a_worker_that_outlives_its_parent_holds_no_lock(tmp_path: Path) -> None:
    read, write = os.pipe()
    with Staging(tmp_path / "set"):
        worker = os.fork()
        if not worker:
            os.read(read, 1)
            os._exit(0)
    with Staging(tmp_path / "set"):
        pass
    os.write(write, b"x")
    os.waitpid(worker, 0)
    os.close(read)
    os.close(write)


def test_a_lock_whose_file_went_before_it_was_held_is_taken_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, take = tmp_path / ".set.lock", lock._lock  # noqa: SLF001
    tries: list[int] = []

    def take_late(handle: int) -> None:
        """As if the holder before had taken its file away after this one was opened."""
        if not tries:
            path.unlink()
        tries.append(handle)
        take(handle)

    monkeypatch.setattr(lock, "_lock", take_late)
    with FolderLock(tmp_path / "set"):
        with pytest.raises(OutputError, match="another hayami"), FolderLock(tmp_path / "set"):
            pass
        assert len(tries) == 3
    assert list(tmp_path.iterdir()) == []


# --- modes ----------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="files have no modes of this kind here")
def test_a_set_keeps_the_modes_of_the_one_it_replaces(
    bakery: Path, bakery_set: Path, tmp_path: Path
) -> None:
    out = shutil.copytree(bakery_set, tmp_path / "set")
    out.chmod(0o700)
    (out / "evalset.jsonl").chmod(0o600)
    hayami.build([bakery], out)
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    assert stat.S_IMODE((out / "evalset.jsonl").stat().st_mode) == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="files have no modes of this kind here")
def test_a_set_is_closed_to_others_until_it_is_whole(bakery: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with Staging(tmp_path / "set") as staging:
        assert stat.S_IMODE(staging.folder.stat().st_mode) == 0o700
    hayami.build([bakery], tmp_path / "set")
    assert (tmp_path / "set").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_query_survives_the_way_to_the_disk_and_back(bakery_set: Path) -> None:
    for query in hayami.load(bakery_set).queries():
        assert Query.model_validate_json(record_line(query)) == query
