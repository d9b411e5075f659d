"""Verdicts.

Names that survive editing, files that survive a kill, and what holds when judges disagree.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hayami
from hayami.errors import VerdictError
from hayami.evalset.names import (
    Known,
    RowKey,
    SectionName,
    find_section,
    name_corpus,
    name_sections,
    row_key,
)
from hayami.evalset.records import Ruling
from hayami.verdicts.log import (
    Verdict,
    append_verdict,
    now,
    read_verdicts,
    verdict_file,
    verdict_files,
)
from hayami.verdicts.settle import settle

ROW = row_key("tea", "何分蒸らす？", "蒸らす時間")
OTHER_ROW = row_key("tea", "何度？", "湯の温度")
HEADINGS = st.lists(st.sampled_from(["湯", "時間", "ＡＢ", "ab", "茶 葉", "茶葉"]), max_size=8)


def name(number: int = 1, heading: str = "時間") -> SectionName:
    return SectionName(section=f"tea#{number}", article="tea", heading=heading)


def verdict(  # noqa: PLR0913 - as many as a verdict has parts that matter here
    ruling: Ruling | None = Ruling.RIGHT,
    judge: str = "a",
    *,
    at: str = "2026-01-01",
    rows: Sequence[RowKey] = (ROW,),
    sections: Sequence[SectionName] = (),
    pooled: SectionName | None = None,
    rewrite: str = "",
    adjudicates: bool = False,
) -> Verdict:
    return Verdict(
        rows=tuple(rows),
        question="何分蒸らす？",
        ruling=ruling,
        judged=() if pooled else (name(),),
        sections=tuple(sections),
        pooled=pooled,
        rewrite=rewrite,
        judge=judge,
        at=at,
        adjudicates=adjudicates,
    )


# --- names ----------------------------------------------------------------------------------------


def test_a_row_is_the_same_however_its_texts_are_written() -> None:
    assert row_key("tea", " ＵＤＰ の ポート", "「設定」") == row_key(
        "tea", "udpのポート", "「設定」"
    )
    assert row_key("tea", "a", "b") != row_key("coffee", "a", "b")


def test_sections_of_one_heading_are_told_apart_by_their_order() -> None:
    names = name_sections([Known("t#0", "ＦＡＱ"), Known("t#1", "湯"), Known("t#2", "faq")], "t")
    assert [(n.section, n.nth, n.of) for n in names] == [
        ("t#0", 0, 2),
        ("t#1", 0, 1),
        ("t#2", 1, 2),
    ]
    assert len({n.key for n in names}) == 3


@given(HEADINGS)
def test_every_section_is_found_by_its_own_name(headings: list[str]) -> None:
    known = [Known(f"t#{number}", heading) for number, heading in enumerate(headings)]
    assert [find_section(n, known) for n in name_sections(known, "t")] == [
        section.id for section in known
    ]


@given(HEADINGS, st.integers(0, 8))
def test_a_new_section_before_it_does_not_matter(headings: list[str], place: int) -> None:
    names = name_sections(
        [Known(f"t#{number}", heading) for number, heading in enumerate(headings)], "t"
    )
    edited = [*headings[:place], "新しい", *headings[place:]]
    known = [Known(f"t#{number}", heading) for number, heading in enumerate(edited)]
    found = [find_section(n, known) for n in names]
    assert found == [section.id for section in known if section.heading != "新しい"]


def test_a_section_is_not_guessed() -> None:
    one, two = SectionName(section="t#0", article="t", heading="湯"), Known("t#3", "湯")
    assert find_section(one, []) is None
    assert find_section(one, [two]) == "t#3"
    assert find_section(one, [two, Known("t#4", "湯")]) is None, "now there are two of the name"
    first_of_two = SectionName(section="t#0", article="t", heading="湯", nth=0, of=2)
    assert find_section(first_of_two, [two]) is None, (
        "one of the two is gone, and it may be this one"
    )


def test_a_corpus_is_named_article_by_article(bakery_set: Path) -> None:
    corpus = list(hayami.load(bakery_set).sections())
    names = name_corpus(corpus)
    assert list(names) == [section.id for section in corpus]
    assert names["yeast#1"].heading == "酵母の保存のしかた"
    assert {n.article for n in names.values()} == {"flour", "guide", "yeast"}


# --- files ----------------------------------------------------------------------------------------


def test_verdicts_come_back_as_they_were_given(tmp_path: Path) -> None:
    given_ = [
        verdict(rewrite="改行\u2028と\x85\n"),
        verdict(Ruling.ALSO, "b", at="2026-01-02", sections=[name(2, "湯")]),
        verdict(None, at="2026-01-03", pooled=name(3, "茶葉")),
        verdict(Ruling.OTHER, "c", at="2026-01-04", sections=[name(2)], adjudicates=True),
    ]
    for one in given_:
        append_verdict(tmp_path / "labels" / "verdicts.jsonl", one)
    assert read_verdicts(tmp_path / "labels") == given_
    assert read_verdicts(tmp_path / "labels" / "verdicts.jsonl") == given_


def test_the_files_of_a_folder_are_put_in_the_order_of_time(tmp_path: Path) -> None:
    for judge, at in (("b", "2026-01-01"), ("a", "2026-01-02"), ("b", "2026-01-03")):
        append_verdict(verdict_file(tmp_path, judge), verdict(judge=judge, at=at))
    (tmp_path / "gold.jsonl").write_text("something else\n", encoding="utf-8")
    assert [file.name for file in verdict_files(tmp_path)] == [
        "verdicts-a.jsonl",
        "verdicts-b.jsonl",
    ]
    assert [v.judge for v in read_verdicts(tmp_path)] == ["b", "a", "b"]


def test_times_are_in_order_as_texts() -> None:
    times = [now() for _ in range(50)]
    assert times == sorted(times)
    assert times[0].endswith("+00:00")


@pytest.mark.parametrize(
    ("judge", "file"),
    [
        ("hanako", "verdicts-hanako.jsonl"),
        ("花 子", "verdicts-花_子.jsonl"),
        ("a@example.com", "verdicts-a_example.com.jsonl"),
        ("../../etc/passwd", "verdicts-etc_passwd.jsonl"),
        ("..", "verdicts-judge.jsonl"),
        ("/", "verdicts-judge.jsonl"),
    ],
)
def test_a_judges_file_stays_in_the_folder(tmp_path: Path, judge: str, file: str) -> None:
    assert verdict_file(tmp_path, judge) == tmp_path / file


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(VerdictError, match="no such file or folder") as caught:
        read_verdicts(tmp_path / "none")
    assert caught.value.hint


@pytest.mark.parametrize("cut", range(1, 400, 7))
def test_a_line_that_a_kill_left_half_written_is_passed_over_and_cut_off(
    tmp_path: Path, cut: int
) -> None:
    path = tmp_path / "verdicts.jsonl"
    append_verdict(path, verdict())
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: min(cut, len(whole) - 2)])
    assert read_verdicts(path) == [verdict()]
    append_verdict(path, verdict(Ruling.WRONG))
    assert [v.ruling for v in read_verdicts(path)] == [Ruling.RIGHT, Ruling.WRONG]
    assert path.read_bytes().startswith(whole)


def test_a_last_line_that_only_lost_its_line_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    append_verdict(path, verdict())
    path.write_bytes(path.read_bytes().rstrip())
    append_verdict(path, verdict(Ruling.WRONG))
    assert [v.ruling for v in read_verdicts(path)] == [Ruling.RIGHT, Ruling.WRONG]


def test_a_torn_line_longer_than_a_block_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    append_verdict(path, verdict())
    with path.open("ab") as file:
        file.write(b'{"rows": "' + b"x" * 200_000)
    append_verdict(path, verdict(Ruling.WRONG))
    assert len(read_verdicts(path)) == 2
    assert path.stat().st_size < 2_000


@pytest.mark.parametrize("line", ["{}", "[]", "nonsense", '{"rows": []}', '{"colour": 1}'])
def test_a_damaged_line_in_the_middle_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "verdicts.jsonl"
    append_verdict(path, verdict())
    whole = path.read_text(encoding="utf-8")
    path.write_text(f"{whole}\n{line}\n{whole}", encoding="utf-8")
    with pytest.raises(VerdictError) as caught:
        read_verdicts(path)
    assert caught.value.where == f"{path}:3"
    assert caught.value.hint


def test_a_torn_end_hides_no_damage_before_it(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    append_verdict(path, verdict())
    whole = path.read_text(encoding="utf-8")
    path.write_text(f'{whole}{{"rows": []}}\n{whole}{{"ro', encoding="utf-8")
    with pytest.raises(VerdictError) as caught:
        read_verdicts(path)
    assert caught.value.where == f"{path}:2"


def test_windows_of_one_judge_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: append_verdict(path, verdict(judge=f"j{number}")), range(120)))
    assert {v.judge for v in read_verdicts(path)} == {f"j{number}" for number in range(120)}


def test_a_verdict_is_there_for_others_when_the_function_returns(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from hayami.verdicts.log import Verdict, append_verdict\n"  # noqa: E501
        "append_verdict(Path(sys.argv[1]), Verdict.model_validate_json(sys.argv[2])); os.kill(os.getpid(), 9)"  # noqa: E501
    )
    path = tmp_path / "verdicts.jsonl"
    subprocess.run(
        [sys.executable, "-c", code, str(path), verdict().model_dump_json()],
        check=False,
        timeout=60,
    )
    assert read_verdicts(path) == [verdict()]


def test_a_full_disk_is_told_and_the_verdicts_before_are_kept(
    tmp_path: Path, limit_file_size: Callable[[int], object]
) -> None:
    path = tmp_path / "verdicts.jsonl"
    append_verdict(path, verdict())
    with limit_file_size(path.stat().st_size + 50):  # type: ignore[attr-defined]
        with pytest.raises(VerdictError, match="cannot record the verdict"):
            append_verdict(path, verdict(Ruling.WRONG))
        assert read_verdicts(path) == [verdict()]
    append_verdict(path, verdict(Ruling.WRONG))
    assert len(read_verdicts(path)) == 2


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "labels").write_bytes(b"")
    with pytest.raises(VerdictError, match="cannot record"):
        append_verdict(tmp_path / "labels" / "verdicts.jsonl", verdict())


def test_a_line_is_plain_json_that_other_programs_read(tmp_path: Path) -> None:
    append_verdict(tmp_path / "v.jsonl", verdict(Ruling.ALSO, sections=[name(2, "湯の温度")]))
    content = json.loads((tmp_path / "v.jsonl").read_text(encoding="utf-8"))
    assert content["rows"] == [
        {"article": "tea", "question": "何分蒸らす?", "reference": "蒸らす時間"}
    ]
    assert content["ruling"] == "also"
    assert content["sections"][0]["heading"] == "湯の温度"


# --- settling -------------------------------------------------------------------------------------


def decided(*verdicts: Verdict, row: RowKey = ROW) -> Ruling | None:
    decision = settle(verdicts).decisions.get(row)
    return decision.main.ruling if decision and decision.main else None


def test_one_verdict_holds_for_all_its_rows() -> None:
    settlement = settle([verdict(rows=[ROW, OTHER_ROW])])
    assert set(settlement.decisions) == {ROW, OTHER_ROW}
    assert settlement.conflicts == ()


def test_the_last_word_of_a_judge_counts() -> None:
    assert decided(verdict(Ruling.RIGHT), verdict(Ruling.WRONG)) is Ruling.WRONG
    assert decided(verdict(Ruling.WRONG), verdict(None)) is None
    assert decided(verdict(Ruling.WRONG), verdict(None), verdict(Ruling.CONTEXT)) is Ruling.CONTEXT


def test_judges_who_agree_decide_together() -> None:
    settlement = settle([verdict(judge="b"), verdict(judge="a")])
    assert settlement.decisions[ROW].judges == ("a", "b")


@pytest.mark.parametrize(
    "other",
    [
        verdict(Ruling.WRONG, "b"),
        verdict(Ruling.ALSO, "b", sections=[name(2, "湯")]),
        verdict(Ruling.RIGHT, "b", rewrite="何分間？"),
    ],
)
def test_judges_who_say_different_things_decide_nothing(other: Verdict) -> None:
    settlement = settle([verdict(), other])
    assert ROW not in settlement.decisions
    assert [(c.row, c.verdicts) for c in settlement.conflicts] == [(ROW, (verdict(), other))]


def test_the_same_sections_under_other_numbers_are_no_disagreement() -> None:
    one, other = (
        verdict(Ruling.ALSO, judge, sections=[name(n, "湯")]) for judge, n in (("a", 2), ("b", 9))
    )
    assert decided(one, other) is Ruling.ALSO


def test_unsure_disagrees_with_nobody() -> None:
    assert decided(verdict(Ruling.UNSURE, "a"), verdict(Ruling.WRONG, "b")) is Ruling.WRONG
    assert decided(verdict(Ruling.UNSURE, "a")) is Ruling.UNSURE


def test_an_adjudication_counts_alone_until_it_is_taken_back() -> None:
    dispute = [verdict(Ruling.RIGHT, "a"), verdict(Ruling.WRONG, "b")]
    settled = verdict(Ruling.NOTHING, "c", adjudicates=True)
    assert decided(*dispute, settled) is Ruling.NOTHING
    assert decided(*dispute, settled, verdict(Ruling.WRONG, "a")) is Ruling.NOTHING
    assert decided(*dispute, settled, verdict(Ruling.RIGHT, "a", adjudicates=True)) is Ruling.RIGHT
    back = settled.model_copy(update={"ruling": None})
    assert len(settle([*dispute, settled, back]).conflicts) == 1


def test_a_judge_who_adjudicates_keeps_a_word_of_their_own() -> None:
    dispute = [verdict(Ruling.RIGHT, "a"), verdict(Ruling.WRONG, "b")]
    settlement = settle(
        [
            *dispute,
            verdict(Ruling.WRONG, "a", adjudicates=True),
            verdict(None, "a", adjudicates=True),
        ]
    )
    assert [v.ruling for v in settlement.conflicts[0].verdicts] == [Ruling.RIGHT, Ruling.WRONG]


def test_pooled_sections_are_settled_one_by_one_beside_the_label() -> None:
    accepted, refused = verdict(pooled=name(2, "湯")), verdict(Ruling.WRONG, pooled=name(3, "茶葉"))
    decision = settle([verdict(Ruling.CONTEXT), accepted, refused]).decisions[ROW]
    assert decision.main is not None
    assert decision.main.ruling is Ruling.CONTEXT
    assert decision.additions == (accepted,)
    alone = settle([accepted]).decisions[ROW]
    assert (alone.main, alone.additions) == (None, (accepted,))


def test_judges_can_disagree_on_a_pooled_section_alone() -> None:
    one, other = (
        verdict(ruling, judge, pooled=name(2))
        for ruling, judge in ((Ruling.RIGHT, "a"), (Ruling.WRONG, "b"))
    )
    settlement = settle([verdict(), one, other])
    assert settlement.decisions[ROW].additions == ()
    assert len(settlement.conflicts) == 1


@given(
    st.lists(
        st.tuples(st.sampled_from([*Ruling, None]), st.sampled_from("abc"), st.booleans()),
        max_size=12,
    )
)
def test_a_row_is_decided_or_in_conflict_but_never_both(
    said: list[tuple[Ruling | None, str, bool]],
) -> None:
    settlement = settle(
        [verdict(ruling, judge, adjudicates=settles) for ruling, judge, settles in said]
    )
    assert not ({c.row for c in settlement.conflicts} & set(settlement.decisions))
    assert len(settlement.conflicts) <= 1
