"""Sections that were judged are found by heading and text, or said to be lost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hayami.evalset.names import Known, SectionName, name_sections
from hayami.text.fingerprint import fingerprint
from hayami.verdicts.follow import ELSEWHERE, GONE, REWRITTEN, UNTOLD, Lost, follow, with_rival

STEEP = "急須に湯を注いでから二分待ちます。ふたは取らないでください。最後の一滴まで注ぎ切ります。"
WATER = "やかんで沸かした湯を湯冷ましに移すと十度ほど下がります。温度計があれば測ってください。"
LEAVES = "茶葉は缶に入れて涼しい所に置きます。開けたら一月で飲み切るのがよいでしょう。"
WINDOWS = "Open the settings, choose Network, press Add and type the name of the server on Windows."
MACOS = "Open the settings, choose Network, press Add and type the name of the server on macOS."


def known(*sections: tuple[str, str]) -> list[Known]:
    return [
        Known(f"a#{place}", heading, fingerprint(text))
        for place, (heading, text) in enumerate(sections)
    ]


def judged(heading: str, sections: Sequence[Known]) -> SectionName:
    names = name_sections(sections, "a")
    return with_rival(next(name for name in names if name.heading == heading), names)


THEN = known(("湯", WATER), ("蒸らす", STEEP), ("茶葉", LEAVES))
NAME = judged("蒸らす", THEN)


def test_a_section_that_stayed_is_found_by_its_name() -> None:
    assert follow(NAME, THEN) == "a#1"


def test_sections_in_another_order_are_found() -> None:
    assert follow(NAME, known(("蒸らす", STEEP), ("茶葉", LEAVES), ("湯", WATER))) == "a#0"


def test_a_text_that_was_edited_is_the_same_section() -> None:
    edited = STEEP.replace("二分", "三分") + "濃さはお好みで。"
    assert follow(NAME, known(("湯", WATER), ("蒸らす", edited), ("茶葉", LEAVES))) == "a#1"


def test_another_text_under_the_same_name_is_lost_and_the_judged_one_suggested() -> None:
    swapped = known(("蒸らす", WATER), ("湯", STEEP), ("茶葉", LEAVES))
    assert follow(NAME, swapped) == Lost(NAME, ELSEWHERE, swapped[1])


def test_a_text_that_was_written_anew_is_lost_without_a_suggestion() -> None:
    anew = known(
        ("湯", WATER), ("蒸らす", "まったく新しく書いた、短い説明です。"), ("茶葉", LEAVES)
    )
    assert follow(NAME, anew) == Lost(NAME, REWRITTEN)


def test_a_renamed_heading_over_the_same_text_is_followed() -> None:
    assert follow(NAME, known(("湯", WATER), ("待ち時間", STEEP), ("茶葉", LEAVES))) == "a#1"


def test_a_second_section_of_the_same_name_does_not_hide_the_judged_one() -> None:
    assert follow(NAME, known(("蒸らす", LEAVES), ("蒸らす", STEEP))) == "a#1"


def test_a_section_that_was_taken_out_is_gone() -> None:
    assert follow(NAME, known(("湯", WATER), ("茶葉", LEAVES))) == Lost(NAME, GONE)
    assert follow(NAME, []) == Lost(NAME, GONE)


def test_a_neighbour_that_reads_alike_is_not_taken_for_a_section_that_was_taken_out() -> None:
    then = known(("Windows", WINDOWS), ("macOS", MACOS))
    name = judged("Windows", then)
    assert name.rival > 0.5
    now = known(("macOS", MACOS))
    assert follow(name, now) == Lost(name, GONE, now[0])


def test_neighbours_that_read_alike_and_change_names_are_told_apart() -> None:
    then = known(("Windows", WINDOWS), ("macOS", MACOS))
    swapped = known(("Windows", MACOS), ("macOS", WINDOWS))
    name = judged("Windows", then)
    assert follow(name, swapped) == Lost(name, ELSEWHERE, swapped[1])


def test_an_edit_that_makes_a_section_no_likelier_than_its_neighbour_is_not_guessed() -> None:
    then = known(("Windows", WINDOWS), ("macOS", MACOS))
    name = judged("Windows", then)
    now = known(
        ("Windows", WINDOWS.replace("choose Network, press Add", "go on")), ("macOS", MACOS)
    )
    assert follow(name, now) in (Lost(name, UNTOLD), Lost(name, UNTOLD, now[1]))


def test_half_of_a_text_that_moved_to_a_new_section_leaves_a_doubt() -> None:
    half = len(STEEP) // 2
    now = known(("湯", WATER), ("蒸らす", STEEP[:half]), ("注ぐ", STEEP[half:]), ("茶葉", LEAVES))
    found = follow(NAME, now)
    assert isinstance(found, Lost)
    assert found.instead in (now[1], now[2])


def test_a_verdict_of_an_older_file_goes_by_the_name_alone() -> None:
    older = NAME.model_copy(update={"content": "", "rival": 0.0})
    assert follow(older, known(("蒸らす", WATER), ("湯", STEEP))) == "a#0"
    assert follow(older, known(("湯", STEEP))) == Lost(older, GONE)


def test_without_texts_of_today_the_name_alone_decides() -> None:
    assert follow(NAME, [Known("a#0", "蒸らす")]) == "a#0"


def test_what_is_no_fingerprint_is_refused_in_a_file() -> None:
    with pytest.raises(ValueError, match="is no fingerprint of a text"):
        SectionName(section="a#0", article="a", heading="h", content="abc")
