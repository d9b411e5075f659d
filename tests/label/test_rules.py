"""The rules as records: their order, what each is asked about, and what is lost without it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

import hayami.label.rules
from hayami.evalset.records import Match, Reason
from hayami.label.cell import Reference
from hayami.label.headings import HeadingIndex
from hayami.label.match import ask
from hayami.label.meaning import Meaning, Missing, combine, worst
from hayami.label.rules import RULES, Role, Rule
from hayami.label.scope import Scope
from hayami.parts import Heading, Outline
from hayami.settings import Settings

ROOM = Path(hayami.label.rules.__file__).parent


def scope(*headings: str, host: int | None = None) -> Scope:
    names = tuple(Heading(text, 2, n, unit=True) for n, text in enumerate(headings))
    anchors: dict[str, tuple[int | None, int | None]] = {"last": (len(names) - 1, len(names) - 1)}
    outline = Outline("a", "a.html", "題", "", names, anchors, len(names), excluded=frozenset())
    return Scope(HeadingIndex(outline, Settings()), None, host, declared=True)


def without(name: str) -> list[Rule]:
    return [rule for rule in RULES if rule.name != name]


def test_the_rules_stand_in_the_order_of_trust() -> None:
    assert [rule.name for rule in RULES] == [
        "anchor",
        "exact",
        "contains",
        "undecorated",
        "numbers_alone",
        "contained",
        "number",
        "fuzzy",
    ]


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_every_rule_is_asked_about_something(rule: Rule) -> None:
    assert rule.applies_to
    assert rule.asks.__doc__


def test_a_link_is_only_followed_and_a_weak_text_only_taken_as_a_whole_name() -> None:
    assert [rule.name for rule in RULES if Role.LINK in rule.applies_to] == ["anchor"]
    assert [rule.name for rule in RULES if Role.WEAK in rule.applies_to] == ["exact"]


CASES: dict[str, tuple[Reference, Role, Sequence[str]]] = {
    "anchor": (Reference("こちら", "#last"), Role.LINK, ["鍵", "索引"]),
    "exact": (Reference("こちら"), Role.PART, ["鍵", "こちら"]),
    "contains": (Reference("索引の見直し"), Role.WHOLE, ["鍵", "夜に行う索引の見直しと記録"]),
    "undecorated": (Reference("Jump to the index"), Role.WHOLE, ["Keys", "Index"]),
    "numbers_alone": (Reference("第2章"), Role.WHOLE, ["第1章 鍵", "第2章 索引"]),
    "contained": (Reference("索引の見直しなど"), Role.REST, ["鍵", "索引の見直し"]),
    "number": (Reference("詳しい話は第2章"), Role.PART, ["第1章 鍵", "第2章 索引"]),
    "fuzzy": (
        Reference("証明書の更新手順"),
        Role.REST,
        ["転送の暗号化", "証明書を更新する手順"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_without_a_rule_what_it_finds_is_not_found(name: str) -> None:
    reference, role, headings = CASES[name]
    found = ask(reference, role, scope(*headings))
    assert [target.section for target in found.targets] == ["a#1"]
    assert ask(reference, role, scope(*headings), without(name)) != found


def test_every_rule_has_a_case() -> None:
    assert list(CASES) == [rule.name for rule in RULES]


def test_a_more_trusted_rule_is_heard_first() -> None:
    among = scope("索引", "索引の見直し")
    (target,) = ask(Reference("索引"), Role.WHOLE, among).targets
    assert (target.section, target.match) == ("a#0", Match.EXACT)
    assert ask(Reference("索引"), Role.WHOLE, among, list(reversed(RULES))).targets != (target,)


def test_a_rule_that_does_not_apply_is_not_asked() -> None:
    def never(_scope: Scope, _reference: Reference) -> Meaning:
        raise AssertionError

    one = Rule("never", never, frozenset({Role.REST}))
    assert ask(Reference("索引"), Role.WHOLE, scope("索引"), [one]) == Meaning()


def test_a_rule_is_added_by_its_own_file_and_a_line_in_the_tuple() -> None:
    """Followed for real: a rule for a reference written backwards, found by nothing else."""

    def backwards(within: Scope, reference: Reference) -> Meaning:
        return ask(Reference(reference.text[::-1]), Role.WEAK, within)

    rule = Rule("backwards", backwards, frozenset({Role.WHOLE}))
    reference = Reference("引索いし新")
    assert not ask(reference, Role.WHOLE, scope("鍵", "新しい索引")).decided
    (target,) = ask(reference, Role.WHOLE, scope("鍵", "新しい索引"), [*RULES, rule]).targets
    assert target.section == "a#1"


@pytest.mark.parametrize("path", sorted(ROOM.glob("*.py")), ids=lambda path: path.stem)
def test_only_the_tuple_names_the_rules(path: Path) -> None:
    """Rules do not know of each other: only the list asks for them by their records."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "hayami.label.rules."
        ):
            names += [alias.name for alias in node.names]
    records = [name for name in names if name.isupper()]
    assert bool(records) == (path.stem == "__init__")


# --- one answer out of several --------------------------------------------------------------------


def test_the_reason_that_a_person_can_best_act_on_is_given() -> None:
    assert worst([None, Reason.UNMATCHED, Reason.AMBIGUOUS]) is Reason.AMBIGUOUS
    assert worst([Reason.NO_REFERENCE, None]) is Reason.NO_REFERENCE
    assert worst([]) is Reason.UNMATCHED


def test_what_failed_beside_a_target_leaves_it_partial() -> None:
    found = ask(Reference("索引"), Role.WHOLE, scope("索引", "鍵"))
    assert not combine([found]).partial
    assert combine([found, Meaning(reason=Reason.UNMATCHED)]).partial
    assert combine([found], [Meaning()]) == combine([found])


def test_a_broken_link_says_what_is_missing_and_not_in_prose() -> None:
    found = ask(Reference("索引", "#gone"), Role.LINK, scope("索引", "鍵"))
    assert (found.reason, found.missing) == (Reason.BROKEN_LINK, Missing.PLACE)
