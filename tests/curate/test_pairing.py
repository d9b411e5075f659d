from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from hayami.curate.pairing import Change, SectionChange, pair_sections
from hayami.evalset.folder import EvalSet

Build = Callable[..., EvalSet]
SECTIONS = ["湯の温度を測る", "蒸らす時間を計る", "茶葉の量を量る"]


def pair(
    build: Build, old: dict[str, Sequence[str]], new: dict[str, Sequence[str]], **edit: str
) -> list[SectionChange]:
    """The sections of two builds; ``edit`` replaces text in the new one."""
    one = build("old", {name: ((), sections) for name, sections in old.items()})
    other = build("new", {name: ((), sections) for name, sections in new.items()}, edit)
    return pair_sections(one, other)


def changed(found: list[SectionChange]) -> list[tuple[str | None, str | None, tuple[Change, ...]]]:
    return [(one.old, one.new, one.changes) for one in found if one.changes]


def test_sections_of_equal_sets_are_unchanged(build: Build) -> None:
    assert changed(pair(build, {"a": SECTIONS}, {"a": SECTIONS})) == []


def test_a_new_section_renumbers_those_behind_it(build: Build) -> None:
    assert changed(
        pair(build, {"a": SECTIONS}, {"a": ["急須の手入れについて", *SECTIONS[:2], SECTIONS[2]]})
    ) == [
        (None, "a#0", (Change.CAME,)),
        ("a#0", "a#1", (Change.RENUMBERED,)),
        ("a#1", "a#2", (Change.RENUMBERED,)),
        ("a#2", "a#3", (Change.RENUMBERED,)),
    ]


def test_a_section_that_is_gone_stands_at_the_end(build: Build) -> None:
    assert changed(pair(build, {"a": SECTIONS}, {"a": SECTIONS[:2]})) == [
        ("a#2", None, (Change.WENT,))
    ]


LONG = "この節には、ほかのどこにもない、十分に長い段落が書いてあるので、見分けがつく。"


def test_a_section_is_known_by_its_text_when_its_heading_changes(build: Build) -> None:
    old = build("old", {"a": ((), SECTIONS)}, {"湯の温度を測るについて書いた段落。": LONG})
    new = build(
        "new",
        {"a": ((), ["温度計の使い方", *SECTIONS[1:]])},
        {"温度計の使い方について書いた段落。": LONG},
    )
    found = pair_sections(old, new)
    assert changed(found) == [("a#0", "a#0", (Change.RENAMED,))]
    assert (found[0].was, found[0].heading, found[0].likeness) == (
        "湯の温度を測る",
        "温度計の使い方",
        1.0,
    )


def test_a_section_that_was_renamed_and_edited_a_little_is_known_too(build: Build) -> None:
    old = build("old", {"a": ((), SECTIONS)}, {"湯の温度を測るについて書いた段落。": LONG})
    edited = LONG.replace("段落", "文章")
    new = build(
        "new",
        {"a": ((), ["温度計の使い方", *SECTIONS[1:]])},
        {"温度計の使い方について書いた段落。": edited},
    )
    found = pair_sections(old, new)
    assert changed(found) == [("a#0", "a#0", (Change.RENAMED, Change.REWRITTEN))]
    assert found[0].likeness == pytest.approx(0.9487, abs=0.03)


def test_a_section_with_another_text_under_its_heading_was_rewritten(build: Build) -> None:
    found = pair(
        build, {"a": SECTIONS}, {"a": SECTIONS}, **{"茶葉の量を量るについて書いた段落。": LONG}
    )
    assert changed(found) == [("a#2", "a#2", (Change.REWRITTEN,))]


def test_sections_of_a_renamed_file_have_moved(build: Build) -> None:
    edit = {f"{heading}について書いた段落。": f"{heading}：{LONG}" for heading in SECTIONS}
    old = build("old", {"a": ((), SECTIONS)}, edit)
    new = build("new", {"b": ((), SECTIONS)}, edit)
    assert changed(pair_sections(old, new)) == [
        (f"a#{n}", f"b#{n}", (Change.MOVED,)) for n in range(3)
    ]


def test_what_is_the_same_twice_is_not_guessed(build: Build) -> None:
    edit = {
        "一つ目について書いた段落。": LONG,
        "二つ目について書いた段落。": LONG,
        "三つ目について書いた段落。": LONG,
    }
    old = build("old", {"a": ((), ["一つ目", "二つ目"])}, edit)
    new = build("new", {"b": ((), ["三つ目"])}, edit)
    assert changed(pair_sections(old, new)) == [
        (None, "b#0", (Change.CAME,)),
        ("a#0", None, (Change.WENT,)),
        ("a#1", None, (Change.WENT,)),
    ]


def test_two_sections_of_one_heading_stay_apart(build: Build) -> None:
    twice = ["手順", "手順"]
    assert changed(pair(build, {"a": twice}, {"a": [*twice, "別の節のこと"]})) == [
        (None, "a#2", (Change.CAME,))
    ]
