"""What a judge gets to read about an item, also after the set was built again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hayami
from hayami.audit.items import Item
from hayami.audit.material import Paragraph, SetTexts, articles_of, read_texts, split_blocks
from hayami.audit.sheets import read_sheet
from hayami.errors import EvalSetError
from hayami.evalset.records import Section, SectionId

Rebuild = Callable[[str], SetTexts]


def section(text: str, *headings: str) -> Section:
    return Section(
        id=SectionId("a#0"),
        article="a",
        ordinal=0,
        title="",
        heading="H",
        headings=headings,
        level=2,
        anchor="",
        path="a.html",
        text=text,
    )


@pytest.fixture
def items(tea_sheet: Path) -> list[Item]:
    return read_sheet(tea_sheet)


@pytest.fixture
def rebuild(tea_set: Path, tmp_path: Path) -> Rebuild:
    """Builds the tea article again as it is given, and opens the set for a judge."""

    def build(page: str) -> SetTexts:
        source = tmp_path / "again"
        source.mkdir(exist_ok=True)
        (source / "tea.html").write_text(page, encoding="utf-8")
        return SetTexts(hayami.load(hayami.build([source], tea_set).folder), ["tea"])

    return build


@pytest.fixture
def page() -> str:
    """The tea article, from which tests make another edition."""
    header = "<tr><th>知りたいこと</th><th>答え</th><th>詳しい節</th></tr>"
    rows = f"{header}<tr><td>煎茶は？</td><td></td><td>茶葉の保管</td></tr>"
    headings = ["湯を用意する", "玉露を蒸らす", "茶葉の保管"]
    body = "".join(f"<h2>{heading}</h2><p>{heading}。</p>" for heading in headings)
    return f'<html lang="ja"><title>お茶</title><table>{rows}</table>{body}</html>'


def test_a_deeper_heading_that_was_meant_is_marked_and_others_are_headings() -> None:
    blocks = split_blocks(
        section("one\nInner\ntwo\nＩｎｎｅｒ 2\nthree", "Inner", "Ｉｎｎｅｒ 2"), ["inner 2"]
    )
    assert blocks == (
        Paragraph("one"),
        Paragraph("Inner", heading=True),
        Paragraph("two"),
        Paragraph("Ｉｎｎｅｒ 2", heading=True, meant=True),
        Paragraph("three"),
    )


def test_a_paragraph_that_repeats_a_heading_after_it_is_no_heading() -> None:
    assert split_blocks(section("Inner\nInner", "Inner"))[1] == Paragraph("Inner")


@given(
    st.lists(st.text(alphabet="ab \n", max_size=8)),
    st.lists(st.text(alphabet="ab", min_size=1, max_size=2)),
)
def test_no_line_of_a_section_is_lost(lines: list[str], headings: list[str]) -> None:
    text = "\n".join(lines)
    blocks = split_blocks(section(text, *headings), headings)
    assert [block.text for block in blocks] == [line for line in text.split("\n") if line.strip()]


def test_an_item_comes_with_its_section_and_the_others_of_its_article(
    tea_sheet: Path, items: list[Item]
) -> None:
    texts = read_texts(items, tea_sheet)["set"]
    material = texts.material(items[0])
    assert [passage.id for passage in material.judged] == ["tea#0"]
    assert [block.text for block in material.judged[0].blocks if block.meant] == ["煎茶の湯の温度"]
    assert [passage.id for passage in material.others] == ["tea#1", "tea#2"]
    assert (material.judged[0].language, material.gone, material.rebuilt) == ("ja", (), False)


def test_a_rejected_row_comes_with_all_sections_of_its_article(
    tea_sheet: Path, items: list[Item]
) -> None:
    material = read_texts(items, tea_sheet)["set"].material(items[-1])
    assert material.judged == ()
    assert [passage.id for passage in material.others] == ["tea#0", "tea#1", "tea#2"]


def test_articles_that_only_the_evidence_names_stay_away_from_a_blind_judge(
    items: list[Item],
) -> None:
    candidate = hayami.Candidate(article="trouble", section=None, heading="x", score=1)
    item = items[-1].model_copy(update={"candidates": (candidate,)})
    assert articles_of(item) == ["tea", "trouble"]
    assert articles_of(item, blind=True) == ["tea"]


def test_a_search_finds_headings_before_titles_whatever_the_width(
    tea_sheet: Path, items: list[Item]
) -> None:
    texts = read_texts(items, tea_sheet)["set"]
    assert [passage.id for passage in texts.find("ＣＬＯＳＩＮＧ")] == ["trouble#0"]
    assert [passage.id for passage in texts.find("お茶 蒸らす")] == ["tea#1"]
    assert len(texts.find("お茶", limit=2)) == 2
    assert texts.find("  ") == []


def test_texts_of_articles_that_no_item_names_are_found_too(tea_set: Path) -> None:
    texts = SetTexts(hayami.load(tea_set), [])
    assert [block.text for block in texts.passages(["tea#1", "nowhere#9"])[0].blocks] == [
        "50度で2分待つ。"
    ]


def test_a_section_that_moved_is_found_by_its_name(
    rebuild: Rebuild, items: list[Item], page: str
) -> None:
    texts = rebuild(page.replace("<h2>玉露", "<h2>新しい節</h2><p>はさまった。</p><h2>玉露"))
    material = texts.material(items[1])
    assert items[1].sections == ("tea#1",)
    assert [(passage.id, passage.heading) for passage in material.judged] == [
        ("tea#2", "玉露を蒸らす")
    ]
    assert (material.rebuilt, material.gone) == (True, ())


def test_a_section_that_is_no_longer_there_is_gone_even_if_another_has_its_id(
    rebuild: Rebuild, items: list[Item], page: str
) -> None:
    material = rebuild(page.replace("玉露を蒸らす", "番茶を煮出す")).material(items[1])
    assert (material.judged, material.gone) == ((), ("tea#1",))


def test_an_article_that_is_no_longer_there_is_gone(
    rebuild: Rebuild, items: list[Item], page: str
) -> None:
    texts = rebuild(page)
    assert texts.material(items[3]).gone == ("trouble",)


def test_a_set_that_was_moved_is_asked_for(
    tea_sheet: Path, items: list[Item], tea_set: Path, tmp_path: Path
) -> None:
    moved = tea_set.rename(tmp_path / "elsewhere")
    with pytest.raises(EvalSetError) as error:
        read_texts(items, tea_sheet)
    assert "--set" in error.value.hint
    assert read_texts(items, tea_sheet, moved)["set"].gone(items[0]) == ()
