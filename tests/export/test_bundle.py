from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import hayami
from hayami.errors import EvalSetError, HayamiError, OutputError
from hayami.evalset.records import Applied
from hayami.export.bundle import Bundle, Labels, read_bundle, under
from hayami.export.ids import Ids

Grades = Callable[[Path], dict[str, dict[str, int]]]
Change = Callable[..., Path]


def read(
    folder: Path, labels: Labels = Labels.GRADED, ids: Ids = Ids.KEEP, *, plain: bool = True
) -> Bundle:
    return read_bundle(hayami.load(folder), labels, "test", ids=ids, plain=plain)


def test_graded_labels_are_the_grades_of_the_set(source: Path, graded: Grades) -> None:
    assert read(source).judged == graded(source)


def test_strict_labels_are_the_targets_alone_and_stand_beside_all_others(
    source: Path, targets: Grades
) -> None:
    assert read(source, Labels.STRICT).judged == targets(source)
    for labels in Labels:
        assert read(source, labels).strict == targets(source)


def test_article_labels_are_every_section_of_the_targets_articles_at_grade_one(
    source: Path, graded: Grades
) -> None:
    expected = {qid: dict.fromkeys(grades, 1) for qid, grades in graded(source).items()}
    assert read(source, Labels.ARTICLE).judged == expected


def test_judgements_come_by_falling_grade_then_by_section(source: Path) -> None:
    for sections in read(source).judged.values():
        assert list(sections.items()) == sorted(sections.items(), key=lambda one: (-one[1], one[0]))


def test_queries_and_judgements_come_in_the_order_of_the_set(source: Path) -> None:
    bundle = read(source)
    order = [query.qid for query in hayami.load(source).queries()]
    assert (
        list(bundle.judged)
        == list(bundle.strict)
        == [query.qid for query in bundle.queries]
        == order
    )


def test_safe_ids_reach_every_place_that_names_a_section(wild: Path) -> None:
    bundle = read(wild, ids=Ids.SAFE)
    sections = {section.id for section in bundle.sections()}
    assert all(re.fullmatch("[A-Za-z0-9_-]+", name) for name in sections)
    named = {section for query in bundle.queries for section in query.relevant}
    named |= {target.section for query in bundle.queries for target in query.targets}
    named |= {
        target.runner_up.section
        for query in bundle.queries
        for target in query.targets
        if target.runner_up is not None and target.runner_up.section is not None
    }
    named |= {section for judged in bundle.judged.values() for section in judged}
    assert named <= sections
    assert len(sections) == len(set(bundle.names))
    assert {(pair.kind, pair.in_set) for pair in bundle.renamed} == {
        ("section", old) for old in bundle.names
    } | {("query", query.qid) for query in hayami.load(wild).queries()}


def test_kept_ids_are_not_listed(wild: Path) -> None:
    assert read(wild).renamed == ()


def edit(number: int, **values: object) -> Callable[[str], str]:
    """Changes fields of one line of a JSONL file."""

    def change(text: str) -> str:
        lines = text.split("\n")
        lines[number] = json.dumps(json.loads(lines[number]) | values)
        return "\n".join(lines)

    return change


def refused(folder: Path, kind: type[HayamiError], *, plain: bool = True) -> HayamiError:
    with pytest.raises(kind) as caught:
        read(folder, plain=plain)
    assert caught.value.hint
    return caught.value


def test_a_set_without_queries_is_refused_and_says_so(without_queries: Path) -> None:
    assert (
        refused(without_queries, OutputError).what
        == "the set holds no queries: there is nothing to export"
    )


def test_half_a_character_is_refused_with_its_line(changed: Change) -> None:
    error = refused(changed("corpus.jsonl", edit(1, text="半分 \ud83e")), HayamiError)
    assert "surrogate" in error.what  # a strict reader of JSON finds it first, in its own words
    assert error.where.endswith("corpus.jsonl:2")


def test_half_a_character_in_the_evidence_of_a_query_is_refused_too(changed: Change) -> None:
    assert refused(changed("evalset.jsonl", edit(0, source="\udd8a")), HayamiError).where.endswith(
        "evalset.jsonl:1"
    )


def test_a_judgement_of_a_section_that_is_not_there_is_refused(changed: Change) -> None:
    error = refused(changed("qrels.txt", lambda text: text + "q1 0 nowhere#9 1\n"), EvalSetError)
    assert error.what == "q1 names nowhere#9, which is not in corpus.jsonl"


def test_a_judgement_of_a_query_that_is_not_there_is_refused(changed: Change) -> None:
    error = refused(changed("qrels.txt", lambda text: text + "q99 0 yeast#0 1\n"), EvalSetError)
    assert error.what == "q99 is no query of evalset.jsonl"


def test_a_query_whose_targets_are_others_than_its_judgements_is_refused(changed: Change) -> None:
    error = refused(
        changed("qrels.txt", lambda text: text.replace(" 2\n", " 1\n", 1)), EvalSetError
    )
    assert "the targets of q1 are not those in qrels.txt" in error.what


def test_a_query_id_that_stands_twice_is_refused(changed: Change) -> None:
    error = refused(
        changed("evalset.jsonl", lambda text: text + text.split("\n")[0] + "\n"), EvalSetError
    )
    assert error.what == "a query id stands twice"


def test_a_section_that_stands_twice_is_refused(changed: Change) -> None:
    error = refused(
        changed("corpus.jsonl", lambda text: text + text.split("\n")[0] + "\n"), EvalSetError
    )
    assert "stands twice" in error.what


def rename(folder: Path, old: str, new: str) -> None:
    for path in folder.iterdir():
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def test_an_id_that_a_line_cannot_hold_is_refused_and_the_hint_names_the_way_out(
    bakery_set: Path, sealed: Callable[[Path], None]
) -> None:
    rename(bakery_set, "yeast#", "#yeast#")
    sealed(bakery_set)
    error = refused(bakery_set, OutputError)
    assert error.what == "section id '#yeast#0' begins with #: the format cannot hold it"
    assert "--ids safe" in error.hint
    assert "#yeast#0" in read(bakery_set, plain=False).names
    assert read(bakery_set, ids=Ids.SAFE).names["#yeast#0"] == "_23yeast_230"


def test_a_query_that_has_the_id_of_a_section_is_refused(
    bakery_set: Path, sealed: Callable[[Path], None]
) -> None:
    rename(bakery_set, "q1", "yeast#0")
    sealed(bakery_set)
    assert "is the id of a query and of a section" in refused(bakery_set, OutputError).what


def test_safe_ids_reach_what_a_verdict_replaced(wild: Path) -> None:
    query = next(hayami.load(wild).queries())
    old = next(iter(query.relevant))
    applied = {
        "ruling": "other",
        "judges": ("花",),
        "note": "",
        "question": "",
        "found": (old, "昔/節#3"),
    }
    judged = query.model_copy(update={"verdicts": (Applied.model_validate(applied),)})
    renamed = under(
        judged,
        {query.qid: "q"},
        {old: "neu#0", **{target.section: "neu#0" for target in query.targets}},
    )
    assert renamed.verdicts[0].found == ("neu#0", "_E6_98_94_2F_E7_AF_80_233")
    assert (renamed.qid, renamed.relevant) == ("q", {"neu#0": 2})
