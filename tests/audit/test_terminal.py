"""The terminal: the same session line by line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hayami.audit.items import RULINGS, Item, Kind
from hayami.audit.material import read_texts
from hayami.audit.session import Answer, Session
from hayami.audit.sheets import read_sheet
from hayami.audit.terminal import Dialogue, Typed, parse_line, plain, ruling_in
from hayami.audit.wording import JudgeWords, keys, preferred, spoken
from hayami.evalset.records import ARTICLE_REASONS, Flag, Match, Reason, Ruling
from hayami.verdicts.log import Verdict, read_verdicts

Talk = Callable[..., Dialogue]


@pytest.fixture
def session(tea_sheet: Path, tmp_path: Path) -> Session:
    items = read_sheet(tea_sheet)
    return Session(items, read_texts(items, tea_sheet), tmp_path / "labels", "hana")


@pytest.fixture
def dialogue(session: Session) -> Dialogue:
    return Dialogue(session, JudgeWords("en"))


def shown(dialogue: Dialogue, *lines: str) -> str:
    """What stands in the terminal after the last of some lines."""
    text = "\n".join(dialogue.opening().lines)
    for line in lines:
        text = "\n".join(dialogue.reply(line).lines)
    return text


def test_a_line_is_a_word_what_follows_and_a_note() -> None:
    assert parse_line("  ４ 2,5  # 別の節のほう ") == Typed("4", "2,5", "別の節のほう")
    assert parse_line("6 C# の正規表現") == Typed("6", "C# の正規表現", "")
    assert parse_line("right ＃メモ") == Typed("right", "", "メモ")
    assert parse_line("") == Typed("", "", "")


def test_rulings_are_said_by_number_or_word() -> None:
    assert [ruling_in(str(number)) for number in range(1, 8)] == list(Ruling)
    assert ruling_in("nothing") is Ruling.NOTHING
    assert ruling_in("8") is None


def test_the_question_stands_below_the_text_and_the_meant_heading_is_marked(
    dialogue: Dialogue,
) -> None:
    text = shown(dialogue)
    assert (
        text.index("▶ 煎茶の湯の温度 ◀")
        < text.index("Question: 煎茶は何度がよい？")
        < text.index("1 Right")
    )
    assert "   1  玉露を蒸らす" in text
    assert "Rule: exact" in text


def test_a_blind_judge_sees_no_evidence(session: Session) -> None:
    text = shown(Dialogue(session, JudgeWords("en"), blind=True))
    assert "Question: 煎茶は何度がよい？" in text
    for evidence in ("Rule", "exact", "Runner-up", "The table says"):
        assert evidence not in text


def test_a_whole_sheet_is_judged(dialogue: Dialogue, session: Session) -> None:
    dialogue.opening()
    replies = [
        dialogue.reply(line)
        for line in ("1", "3 2 # also this", "6 緑茶の葉はどこに置く？", "7", "5")
    ]
    assert [reply.over for reply in replies] == [False, False, False, False, True]
    verdicts = read_verdicts(session.labels)
    assert [v.ruling for v in verdicts] == [
        Ruling.RIGHT,
        Ruling.ALSO,
        Ruling.CONTEXT,
        Ruling.UNSURE,
        Ruling.NOTHING,
    ]
    assert (verdicts[1].sections[0].heading, verdicts[1].note) == ("茶葉の保管", "also this")
    assert verdicts[2].rewrite == "緑茶の葉はどこに置く？"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("4", "tick the section"),
        ("4 9", "there is no section number 9"),
        ("4 -1", "there is no section number -1"),
        ("4 x\x07", "there is no section number x"),
        ("1 2", "not understood: 2"),
        ("banana\x1b[31m", "not understood: banana[31m"),
        ("t 77", "there is no section number 77"),
        ("u", "Nothing was taken back"),
    ],
)
def test_what_makes_no_sense_is_said_and_records_nothing(
    dialogue: Dialogue, session: Session, line: str, told: str
) -> None:
    assert told in shown(dialogue, line)
    assert not session.labels.exists()


def test_undo_goes_back_to_the_row(dialogue: Dialogue, session: Session) -> None:
    assert "Question: 煎茶は何度がよい？" in shown(dialogue, "1", "u")
    assert session.progress.judged == 0


def test_rows_are_skipped_and_gone_back_to(dialogue: Dialogue) -> None:
    assert "Row 2 of 5" in shown(dialogue, "s")
    assert "Row 1 of 5" in "\n".join(dialogue.reply("b").lines)


def test_sections_are_read_and_those_of_other_articles_found_and_named(
    dialogue: Dialogue, session: Session
) -> None:
    assert "50度で2分待つ。" in shown(dialogue, "t 1")
    assert "3  Closing" in "\n".join(dialogue.reply("f closing").lines)
    dialogue.reply("4 3")
    assert read_verdicts(session.labels)[0].sections[0].section == "trouble#0"
    assert "No heading" in "\n".join(dialogue.reply("f 鉄瓶").lines)


def test_help_explains_the_verdicts_of_this_kind_of_row(dialogue: Dialogue) -> None:
    assert "Rightly left out" in shown(dialogue, "b", "b", "?") or "What is shown answers" in shown(
        dialogue, "?"
    )
    for _ in range(4):
        dialogue.reply("s")
    assert "Rightly left out" in "\n".join(dialogue.reply("?").lines)


def test_a_row_that_is_gone_says_so_and_can_be_skipped(tea_sheet: Path, tmp_path: Path) -> None:
    items = read_sheet(tea_sheet)
    items[0] = items[0].model_copy(update={"article": "burnt"})
    session = Session(items, read_texts(items, tea_sheet), tmp_path / "labels", "hana")
    dialogue = Dialogue(session, JudgeWords("en"))
    assert "Row 2 of 5" in shown(dialogue)
    assert "no longer there: burnt" in "\n".join(dialogue.reply("b").lines)
    assert "Nothing recorded" in "\n".join(dialogue.reply("1").lines)


def test_a_pooled_section_is_judged_alone(
    tea_set: Path, tea_sheet: Path, tmp_path: Path, pool_items: Callable[..., list[Item]]
) -> None:
    items = pool_items(tea_set, tea_sheet, [("q1", "tea#1")])
    session = Session(items, read_texts(items, tea_sheet), tmp_path / "labels", "hana")
    text = shown(Dialogue(session, JudgeWords("ja")))
    assert "[tea#1] 玉露を蒸らす" in text
    assert "この記事のほかの節" not in text
    assert "1 答えである" in text


def test_what_other_judges_said_is_shown_to_the_one_who_decides(session: Session) -> None:
    item = session.items[0]
    said = Verdict(
        rows=item.rows, question="q", ruling=Ruling.WRONG, note="weil", judge="jiro", at="2026"
    )
    text = shown(Dialogue(session, JudgeWords("en"), disagreements={item.item: [said]}))
    assert "jiro: Wrong # weil" in text
    assert "weil" in text


def test_a_disk_that_refuses_is_said_and_the_row_stays(
    dialogue: Dialogue, session: Session
) -> None:
    dialogue.opening()
    session.labels.write_text("a file where the folder should be")
    assert "Not recorded" in "\n".join(dialogue.reply("1").lines)
    assert session.said(session.items[0]) is None


def test_texts_of_articles_cannot_steer_the_terminal(session: Session) -> None:
    dialogue = Dialogue(session, JudgeWords("en"))
    text = shown(dialogue, "b", "b")
    assert "trouble#0" in text
    assert not [c for c in text if not c.isprintable() and c != "\n"]


@given(st.text())
def test_plain_text_is_printable_and_keeps_what_is(text: str) -> None:
    assert plain(text).isprintable()
    assert [c for c in plain(text) if c != " "] == [c for c in text if c.isprintable() and c != " "]


@given(st.text(max_size=30))
def test_any_line_can_be_said(line: str) -> None:
    said = parse_line(line)
    assert said.word == said.word.lower()


def test_all_languages_have_every_sentence() -> None:
    assert spoken()[:2] == ("en", "ja")
    assert {keys(code) for code in spoken()} == {keys("en")}
    wanted = {f"match.{match}" for match in Match} | {f"flag.{flag}" for flag in Flag}
    wanted |= {
        f"{kind}.{ruling}{end}"
        for kind in Kind
        for ruling in RULINGS[kind]
        for end in ("", ".means")
    }
    wanted |= {f"reason.{reason}" for reason in Reason if reason not in ARTICLE_REASONS}
    assert wanted <= keys("en")


def test_a_code_without_a_sentence_stands_for_itself() -> None:
    assert JudgeWords("ja").code("flag", "unheard_of") == "unheard_of"


def test_the_language_is_what_is_asked_for_most() -> None:
    assert preferred("ja,en-US;q=0.7,en;q=0.3") == "ja"
    assert preferred("fr, en;q=0.2, ja;q=0.1") == "en"
    assert preferred("ja;q=0, en;q=0.1") == "en"
    assert preferred("de") == "en"
    assert preferred("") == "en"
    assert preferred("ja-JP") == "ja"


def test_an_answer_of_before_is_shown(session: Session) -> None:
    session.record(session.items[0], Answer(Ruling.RIGHT))
    assert "Verdict: Right" in shown(Dialogue(session, JudgeWords("en")), "b")
