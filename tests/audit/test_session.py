"""A judge at work: what is on the disk, what comes next, one step back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hayami
from hayami.audit import session as module
from hayami.audit.conflicts import find_disputes
from hayami.audit.items import Item
from hayami.audit.material import read_texts
from hayami.audit.session import SLIPS, Answer, Session
from hayami.audit.sheets import read_sheet
from hayami.audit.wording import keys, spoken
from hayami.errors import SheetError, VerdictError
from hayami.evalset.records import Ruling, SectionId
from hayami.text.fingerprint import fingerprint
from hayami.verdicts.log import read_verdicts
from hayami.verdicts.settle import settle

RIGHT = Answer(Ruling.RIGHT)
Open = Callable[..., Session]


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return tmp_path / "labels"


@pytest.fixture
def open_session(tea_sheet: Path, labels: Path) -> Open:
    items = read_sheet(tea_sheet)
    texts = read_texts(items, tea_sheet)

    def open_again(
        judge: str = "hana", *, adjudicates: bool = False, given: Sequence[Item] = ()
    ) -> Session:
        return Session(given or items, texts, labels, judge, adjudicates=adjudicates)

    return open_again


def test_a_verdict_is_on_the_disk_when_it_is_recorded(open_session: Open, labels: Path) -> None:
    session = open_session()
    session.record(session.items[1], Answer(Ruling.OTHER, ("tea#2",), note=" 別の節 "))
    (verdict,) = read_verdicts(labels / "verdicts-hana.jsonl")
    assert (verdict.ruling, verdict.note, verdict.judge) == (Ruling.OTHER, "別の節", "hana")
    assert [name.heading for name in verdict.sections] == ["茶葉の保管"]
    assert [name.heading for name in verdict.judged] == ["玉露を蒸らす"]


def test_the_same_sheet_opens_where_it_stopped(open_session: Open) -> None:
    session = open_session()
    session.record(session.items[0], RIGHT)
    session.record(session.items[2], RIGHT)
    again = open_session()
    assert again.next_open() == 1
    assert again.next_open(after=1) == 3
    assert (again.progress.judged, again.progress.left, again.progress.total) == (2, 3, 5)
    assert open_session("jiro").next_open() == 0


def test_after_the_last_row_it_goes_on_with_those_that_were_skipped(open_session: Open) -> None:
    session = open_session()
    for item in session.items[1:]:
        session.record(item, Answer(Ruling.UNSURE))
    assert session.next_open(after=4) == 0
    session.record(session.items[0], RIGHT)
    assert session.next_open() is None


def test_the_same_verdict_twice_is_recorded_once_and_a_changed_one_is_a_new_line(
    open_session: Open, labels: Path
) -> None:
    session = open_session()
    for answer in (RIGHT, RIGHT, Answer(Ruling.WRONG), Answer(Ruling.WRONG, note="why")):
        session.record(session.items[0], answer)
    assert [verdict.ruling for verdict in read_verdicts(labels)] == [
        Ruling.RIGHT,
        Ruling.WRONG,
        Ruling.WRONG,
    ]
    assert session.prefilled(session.items[0]) == Answer(Ruling.WRONG, note="why")
    assert session.progress.judged == 1


def test_undo_takes_back_one_verdict_after_the_other_and_two_clicks_undo_one(
    open_session: Open,
) -> None:
    session = open_session()
    first, second = session.items[:2]
    session.record(first, RIGHT)
    session.record(second, RIGHT)
    assert session.last() == second.item
    assert session.undo(second.item)
    assert not session.undo(second.item)
    assert session.next_open() == 1
    assert open_session().last() == first.item
    assert session.undo(first.item)
    assert session.last() == ""
    assert not session.undo("")


def test_undo_takes_back_only_what_this_judge_said_in_this_sheet(open_session: Open) -> None:
    session = open_session()
    session.record(session.items[0], RIGHT)
    open_session("jiro").record(session.items[1], RIGHT)
    only_second = open_session(given=session.items[1:])
    assert only_second.last() == ""
    assert session.last() == session.items[0].item


def test_a_clock_that_was_set_back_does_not_change_the_order(
    open_session: Open, labels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session()
    times = iter(
        ["2026-01-02T00:00:00+00:00", "2026-01-01T00:00:00+00:00", "2025-01-01T00:00:00+00:00"]
    )
    monkeypatch.setattr(module, "now", lambda: next(times))
    session.record(session.items[0], RIGHT)
    session.record(session.items[0], Answer(Ruling.WRONG))
    session.undo(session.items[0].item)
    assert [verdict.ruling for verdict in read_verdicts(labels)] == [
        Ruling.RIGHT,
        Ruling.WRONG,
        None,
    ]
    assert {verdict.at for verdict in read_verdicts(labels)} == {"2026-01-02T00:00:00+00:00"}
    assert open_session().next_open() == 0


def test_undo_takes_back_the_row_that_was_judged_last_and_not_the_one_judged_first(
    open_session: Open,
) -> None:
    session = open_session()
    first, second = session.items[:2]
    for item, answer in ((first, RIGHT), (second, RIGHT), (first, Answer(Ruling.WRONG))):
        session.record(item, answer)
    assert session.last() == first.item


def test_two_sessions_of_one_judge_lose_nothing_and_the_later_word_counts(
    open_session: Open, labels: Path
) -> None:
    one, two = open_session(), open_session()
    one.record(one.items[0], RIGHT)
    two.record(two.items[1], RIGHT)
    two.record(two.items[0], Answer(Ruling.WRONG))
    one.refresh()
    assert one.prefilled(one.items[0]).ruling is Ruling.WRONG
    assert one.progress.judged == 2
    assert len(read_verdicts(labels)) == 3


def test_a_line_that_a_killed_program_left_half_written_is_passed_over(
    open_session: Open, labels: Path
) -> None:
    session = open_session()
    session.record(session.items[0], RIGHT)
    session.record(session.items[1], RIGHT)
    file = labels / "verdicts-hana.jsonl"
    file.write_bytes(file.read_bytes()[:-40])
    again = open_session()
    assert again.next_open() == 1
    again.record(again.items[1], RIGHT)
    assert len(read_verdicts(labels)) == 2


@pytest.mark.parametrize(
    ("place", "answer", "slip"),
    [
        (0, Answer(), "no_ruling"),
        (4, Answer(Ruling.ALSO, ("tea#0",)), "wrong_kind"),
        (0, Answer(Ruling.OTHER), "needs_sections"),
        (0, Answer(Ruling.RIGHT, ("tea#1",)), "names_sections"),
        (0, Answer(Ruling.ALSO, ("tea#0",)), "nothing_new"),
        (0, Answer(Ruling.OTHER, ("tea#0",)), "nothing_new"),
        (0, Answer(Ruling.OTHER, ("tea#77",)), "unknown_section"),
    ],
)
def test_an_answer_that_makes_no_sense_is_refused_and_leaves_no_trace(
    open_session: Open, labels: Path, place: int, answer: Answer, slip: str
) -> None:
    session = open_session()
    assert session.slip_of(session.items[place], answer) == slip
    with pytest.raises(SheetError, match=SLIPS[slip][:20]):
        session.record(session.items[place], answer)
    assert not labels.exists()


def test_every_slip_has_a_sentence_in_every_language() -> None:
    for language in spoken():
        assert {f"slip.{slip}" for slip in SLIPS} <= keys(language)


def test_what_the_sheet_has_filled_in_is_shown_but_counts_only_when_recorded(
    open_session: Open,
) -> None:
    session = open_session()
    filled = session.items[0].model_copy(update={"verdict": Ruling.WRONG, "note": "by hand"})
    again = open_session(given=[filled])
    assert again.prefilled(filled) == Answer(Ruling.WRONG, note="by hand")
    assert again.next_open() == 0


def test_of_the_lines_of_several_judges_the_own_one_is_kept(open_session: Open) -> None:
    item = open_session().items[0]
    lines = [
        item.model_copy(update={"judge": judge, "verdict": Ruling.RIGHT})
        for judge in ("jiro", "hana")
    ]
    session = open_session(given=lines)
    assert [kept.judge for kept in session.items] == ["hana"]


def test_an_item_that_is_gone_is_no_more_work_and_cannot_be_judged(
    open_session: Open, tea_sheet: Path
) -> None:
    items = read_sheet(tea_sheet)
    there = items[0].model_copy(update={"article": "burnt"})
    session = open_session(given=[there, *items[1:]])
    assert session.next_open() == 1
    assert session.progress.gone == 1
    assert session.slip_of(there, RIGHT) == "gone"


@pytest.fixture
def insert_section(tea_set: Path, tmp_path: Path) -> Callable[[], None]:
    """Builds the tea set again with a new section before the second one.

    All later ones are renumbered.
    """

    def insert() -> None:
        source = tmp_path / "again"
        source.mkdir()
        header = "<tr><th>知りたいこと</th><th>答え</th><th>詳しい節</th></tr>"
        row = "<tr><td>保管</td><td></td><td>茶葉の保管</td></tr>"
        texts = {s.heading: s.text for s in hayami.load(tea_set).sections() if s.article == "tea"}
        headings = ["湯を用意する", "新しい節", "玉露を蒸らす", "茶葉の保管"]
        body = "".join(
            f"<h2>{heading}</h2><p>{texts.get(heading, heading)}</p>" for heading in headings
        )
        page = f'<html lang="ja"><table>{header}{row}</table>{body}</html>'
        (source / "tea.html").write_text(page, encoding="utf-8")
        hayami.build([source], tea_set)

    return insert


def test_verdicts_on_a_moved_section_keep_its_name_and_are_found_again(
    tea_sheet: Path, labels: Path, insert_section: Callable[[], None]
) -> None:
    insert_section()
    items = read_sheet(tea_sheet)
    session = Session(items, read_texts(items, tea_sheet), labels, "hana")
    session.record(items[1], Answer(Ruling.ALSO, ("tea#1",)))
    (verdict,) = read_verdicts(labels)
    assert [name.heading for name in verdict.judged] == ["玉露を蒸らす"]
    assert [name.heading for name in verdict.sections] == ["新しい節"]
    again = Session(items, read_texts(items, tea_sheet), labels, "hana")
    assert again.prefilled(items[1]).chosen == ("tea#1",)


def test_sections_that_were_chosen_before_the_set_changed_are_ticked_where_they_are_now(
    open_session: Open, tea_sheet: Path, labels: Path, insert_section: Callable[[], None]
) -> None:
    session = open_session()
    session.record(session.items[0], Answer(Ruling.OTHER, ("tea#2",)))
    insert_section()
    again = Session(session.items, read_texts(session.items, tea_sheet), labels, "hana")
    assert again.prefilled(again.items[0]).chosen == ("tea#3",)


@pytest.fixture
def swap_names(tea_set: Path, tea_page: str, tmp_path: Path) -> Callable[[], None]:
    """Builds the tea set again with the headings of two sections exchanged.

    The table is as it was.
    """

    def swap() -> None:
        source = tmp_path / "swapped"
        source.mkdir()
        one, other = "<h2>玉露を蒸らす</h2>", "<h2>茶葉の保管</h2>"
        page = tea_page.replace(one, "@").replace(other, one).replace("@", other)
        (source / "tea.html").write_text(page, encoding="utf-8")
        hayami.build([source], tea_set)

    return swap


def test_a_row_whose_section_got_another_text_is_asked_again(
    open_session: Open, tea_sheet: Path, labels: Path, swap_names: Callable[[], None]
) -> None:
    session = open_session()
    session.record(session.items[1], RIGHT)
    swap_names()
    again = Session(session.items, read_texts(session.items, tea_sheet), labels, "hana")
    assert again.said(again.items[1]) is None


def test_a_verdict_keeps_the_text_that_was_shown(
    open_session: Open, tea_set: Path, labels: Path
) -> None:
    session = open_session()
    session.record(session.items[1], Answer(Ruling.ALSO, ("tea#2",)))
    texts = {section.id: section.text for section in hayami.load(tea_set).sections()}
    (verdict,) = read_verdicts(labels)
    assert [name.content for name in verdict.judged] == [fingerprint(texts[SectionId("tea#1")])]
    assert [name.content for name in verdict.sections] == [fingerprint(texts[SectionId("tea#2")])]


def test_pooled_sections_of_one_query_are_judged_apart(
    open_session: Open, tea_set: Path, tea_sheet: Path, pool_items: Callable[..., list[Item]]
) -> None:
    pooled = pool_items(tea_set, tea_sheet, [("q1", "tea#1"), ("q1", "tea#2")])
    session = open_session(given=[*read_sheet(tea_sheet)[:1], *pooled])
    session.record(pooled[0], RIGHT)
    session.record(pooled[1], Answer(Ruling.WRONG))
    again = open_session(given=session.items)
    assert [again.prefilled(item).ruling for item in session.items] == [
        None,
        Ruling.RIGHT,
        Ruling.WRONG,
    ]
    assert again.last() == pooled[1].item


def test_a_disk_that_refuses_is_an_error_and_not_a_verdict(
    open_session: Open, labels: Path
) -> None:
    session = open_session()
    (labels / "verdicts-hana.jsonl").mkdir(parents=True)
    with pytest.raises(VerdictError):
        session.record(session.items[0], RIGHT)


def test_what_judges_disagree_on_becomes_items_until_it_is_decided(
    open_session: Open, labels: Path, tea_set: Path, tea_sheet: Path
) -> None:
    hana, jiro = open_session(), open_session("jiro")
    hana.record(hana.items[0], RIGHT)
    jiro.record(jiro.items[0], Answer(Ruling.OTHER, ("tea#1",)))
    hana.record(hana.items[4], Answer(Ruling.NOTHING))
    jiro.record(jiro.items[4], Answer(Ruling.OTHER, ("tea#2",)))
    found = find_disputes(
        hayami.load(tea_set), settle(read_verdicts(labels)).conflicts, tea_sheet
    ).found
    assert [one.item.item for one in found] == [hana.items[0].item, hana.items[4].item]
    assert [verdict.judge for verdict in found[0].verdicts] == ["hana", "jiro"]
    chief = open_session("chief", adjudicates=True, given=[one.item for one in found])
    chief.record(found[0].item, RIGHT)
    settled = settle(read_verdicts(labels))
    assert [conflict.row.question for conflict in settled.conflicts] == ["急須の選び方"]
    assert open_session("chief").next_open() == 0
    chief.undo(found[0].item.item)
    assert len(settle(read_verdicts(labels)).conflicts) == 2


def test_disagreements_on_pooled_sections_and_on_rows_that_are_gone(
    open_session: Open,
    labels: Path,
    tea_set: Path,
    tea_sheet: Path,
    pool_items: Callable[..., list[Item]],
) -> None:
    pooled = pool_items(tea_set, tea_sheet, [("q1", "tea#1")])
    lost = read_sheet(tea_sheet)[1]
    rows = (lost.rows[0].model_copy(update={"question": "消えた行"}),)
    items = [*pooled, lost.model_copy(update={"rows": rows})]
    for judge, ruling in (("hana", Ruling.RIGHT), ("jiro", Ruling.WRONG)):
        session = open_session(judge, given=items)
        for item in items:
            session.record(item, Answer(ruling))
    found = find_disputes(hayami.load(tea_set), settle(read_verdicts(labels)).conflicts, tea_sheet)
    assert [one.item.item for one in found.found] == [pooled[0].item]
    assert [conflict.row.question for conflict in found.lost] == ["消えた行"]


ANSWERS = st.sampled_from([RIGHT, Answer(Ruling.WRONG), Answer(Ruling.OTHER, ("tea#2",)), None])


@settings(
    max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(said=st.lists(st.tuples(st.integers(0, 1), ANSWERS), max_size=8), data=st.data())
def test_whatever_is_said_a_session_opened_again_knows_the_same(
    open_session: Open, labels: Path, said: list[tuple[int, Answer | None]], data: st.DataObject
) -> None:
    for file in labels.glob("*"):
        file.unlink()
    session = open_session()
    expected: dict[int, Answer] = {}
    for place, answer in said:
        if answer is None:
            undone = session.place(session.last())
            session.undo(session.last())
            if undone is not None:
                del expected[undone]
        else:
            session.record(session.items[place], answer)
            expected[place] = answer
    again = open_session() if data.draw(st.booleans()) else session
    assert [again.prefilled(item) for item in again.items[:2]] == [
        expected.get(n, Answer()) for n in range(2)
    ]
