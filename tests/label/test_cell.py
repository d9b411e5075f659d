from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hayami.label.cell import Cited, Reference, cell_links, read_cell
from hayami.parts import Piece
from hayami.settings import Settings
from hayami.text.fold import compact
from hayami.words.languages import every

GENERIC = frozenset(map(compact, every(lambda language: language.cells.generic)))
DEFAULTS = Settings()


def cell(written: str) -> list[Piece]:
    """A cell written in Markdown: ``⏎`` is a line break, ``[text](href)`` a link."""
    pieces: list[Piece] = []
    for text, label, href, _ in re.findall(r"([^\[⏎]+)|\[([^\]]*)\]\(([^)]*)\)|(⏎)", written):
        pieces.append(
            Piece(text) if text else Piece(label, href) if label or href else Piece("", breaks=True)
        )
    return pieces


def test_a_cell_without_links_is_one_reference() -> None:
    cited = read_cell(cell("設定の変更⏎（応用）"), DEFAULTS)
    assert (cited.whole, cited.links) == (Reference("設定の変更 （応用）"), ())


def test_an_empty_cell_has_no_reference() -> None:
    for pieces in ([], cell(" ⏎ ")):
        cited = read_cell(pieces, DEFAULTS)
        assert cited.placeholder
        assert (cited.links, cited.parts, cited.quoted, cited.joined) == ((), (), (), ())


def test_each_link_is_a_reference_of_its_own() -> None:
    assert cell_links(cell("[設定の変更](#a)、[証明書](b.html#c)")) == (
        Reference("設定の変更", "#a"),
        Reference("証明書", "b.html#c"),
    )


def test_a_link_cut_by_markup_is_one_reference() -> None:
    assert cell_links(cell("[設定の](#a)[変更](#a)")) == (Reference("設定の変更", "#a"),)


@pytest.mark.parametrize(
    "href",
    ["javascript:void(0)", "mailto:a@example.com", "tel:0312345678", "#", "", "JavaScript:x"],
)
def test_links_that_lead_nowhere_are_text(href: str) -> None:
    cited = read_cell([Piece("設定の変更", href)], DEFAULTS)
    assert (cited.whole, cited.links) == (Reference("設定の変更"), ())


def test_in_a_short_cell_words_beside_the_link_do_not_count() -> None:
    assert cell_links(cell("詳しくは [こちら](#a) を参照"), GENERIC) == (Reference("こちら", "#a"),)


PROSE = (
    "まず [ファイアウォール](#fw) の規則を一覧で見てから、[待ち受けポート](#port) を確かめ、"
    "それでもつながらないときはログを読む。"
)


def test_in_prose_the_links_of_the_last_sentence_are_meant() -> None:
    assert cell_links(cell(PROSE + "手順は [ログの読み方](#log) か [再起動](#boot)。")) == (
        Reference("ログの読み方", "#log"),
        Reference("再起動", "#boot"),
    )


def test_in_prose_a_link_that_only_says_details_is_meant() -> None:
    assert cell_links(
        cell(PROSE + "[詳細](#detail) の前に [ログ](#log) も読むこと。"), GENERIC
    ) == (Reference("詳細", "#detail"),)


def test_in_prose_a_sentence_may_end_in_any_language() -> None:
    english = (
        "Check the [firewall](#fw) and the list of ports that are open before anything else. "
        "See [Logs](#log)."
    )
    assert cell_links(cell(english)) == (Reference("Logs", "#log"),)


def test_prose_of_one_sentence_keeps_all_its_links() -> None:
    assert [reference.href for reference in cell_links(cell(PROSE))] == ["#fw", "#port"]


# --- all that a cell cites ------------------------------------------------------------------------


def written(references: tuple[Reference, ...]) -> list[str]:
    return [reference.written for reference in references]


def test_a_cell_is_read_as_a_whole_and_in_each_way_of_cutting_it() -> None:
    cited = read_cell(cell("「設定の変更」および「証明書の更新」、ログ"), DEFAULTS)
    assert cited.whole.written == "「設定の変更」および「証明書の更新」、ログ"
    assert written(cited.parts) == ["「設定の変更」および「証明書の更新」", "ログ"]
    assert written(cited.quoted) == ["設定の変更", "証明書の更新"]
    assert written(cited.joined) == ["「設定の変更」", "「証明書の更新」、ログ"]
    assert not cited.placeholder


def test_names_beside_links_are_cited_and_talk_is_not() -> None:
    assert written(read_cell(cell("[設定](#a)、証明書の更新 / ログ"), DEFAULTS).beside) == [
        "証明書の更新",
        "ログ",
    ]
    assert read_cell(cell("[設定](#a)" + "とても長い話。" * 40), DEFAULTS).beside == ()
    assert read_cell(cell("[設定](#a)、"), DEFAULTS).beside == ()


def test_a_reference_has_its_text_with_and_without_decorations() -> None:
    reference = Reference("→「第3章」を参照")
    assert reference.wordings == ("→「第3章」を参照", "第3章")
    assert [number.parts for number in reference.numbers.items] == [(3,)]
    assert Reference("設定").wordings == ("設定",)


def test_generic_texts_and_placeholders_are_those_of_the_settings() -> None:
    chosen = Settings(placeholders=("後日",), generic_texts=("手順書",))
    assert read_cell(cell("後日"), chosen).placeholder
    assert not read_cell(cell("なし"), chosen).placeholder
    links = read_cell(cell(PROSE + "[手順書](#all) も、[ログ](#log) も読む。"), chosen).links
    assert [link.href for link in links] == ["#all"]


PIECES = st.lists(
    st.builds(Piece, st.text(max_size=12))
    | st.builds(Piece, st.text(alphabet="設定、と/「」を参照ABc1 章3.and", max_size=16))
    | st.builds(Piece, st.text(max_size=6), st.text(max_size=8))
    | st.just(Piece("", breaks=True)),
    max_size=8,
)


@given(pieces=PIECES)
@settings(deadline=None, max_examples=300, derandomize=True)
def test_reading_a_cell_is_pure_and_total(pieces: list[Piece]) -> None:
    before = list(pieces)
    cited = read_cell(pieces, DEFAULTS)
    assert isinstance(cited, Cited)
    assert pieces == before
    assert read_cell(tuple(pieces), DEFAULTS) == cited
    assert all(link.href for link in cited.links)
    assert not (cited.links and (cited.parts or cited.placeholder))
    for reference in (cited.whole, *cited.links, *cited.parts, *cited.quoted, *cited.joined):
        assert reference.text or not reference.written.strip()
        assert isinstance(reference.numbers.items, tuple)


def test_a_cell_of_one_place_in_thousands_of_links_is_read_in_a_moment() -> None:
    started = time.process_time()
    cited = read_cell([Piece(f"節{number} ", "#a") for number in range(20_000)], DEFAULTS)
    assert time.process_time() - started < 2
    assert len(cited.links) == 1
