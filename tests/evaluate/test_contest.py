from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from hayami.evaluate.comparison import Resampling, Side, biggest_changes, compare, describe_changes
from hayami.evaluate.contest import COLUMNS, NOTES, Contest, as_json, remarks
from hayami.evaluate.contest_report import as_html, as_markdown
from hayami.evaluate.gate import Gate, GateRule, pass_gates
from hayami.evaluate.judgements import Judgements, Topic
from hayami.evaluate.policies import POLICIES

HOSTILE = "<script>alert(1)</script> a|b $x^2$ 焼き方"


def contest(
    name: str = "新しい",
    query: str = "発酵は何度？",
    after: tuple[float, ...] = (1.0, 0.0, 0.5, 0.5),
) -> Contest:
    qids = ["q1", "q2", "q3", "q4"]
    base = Side(
        "old",
        {"RR(rel=2)@10": dict(zip(qids, (0.5, 0.5, 0.5, 0.5), strict=True))},
        {"q1": ("a#1",)},
    )
    other = Side(
        name, {"RR(rel=2)@10": dict(zip(qids, after, strict=True))}, {"q1": ("a#0", "z#0")}
    )
    judgements = Judgements("set", {"q1": {"a#0": 2, "a#1": 1}}, {"q1": Topic(text=query)})
    drawing = Resampling(200)
    differences = compare(base, [other], {qid: qid for qid in qids}, drawing)
    changes = biggest_changes(base, other, "RR(rel=2)@10", 2)
    return Contest(
        judgements="set",
        set_sha256="abc",
        queries=4,
        excluded=1,
        articles=4,
        base="old",
        others=(name,),
        differences=differences,
        changes=describe_changes(changes, judgements, {"a#0": "温度", "a#1": "時間 | 長さ"}),
        passages=pass_gates(
            [Gate("RR(rel=2)@10", -0.02, GateRule.POINT)], base, [other], dict.fromkeys(qids, "a")
        ),
        drawing=drawing,
    )


class Reader(HTMLParser):
    """Notes elements and attributes, and whether every element is closed in its place."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [
            value or "" for name, value in attrs if name in {"src", "href", "xlink:href"}
        ]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag != "meta":
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_is_whole_and_loads_nothing() -> None:
    page = read(as_html(contest()))
    assert [link for link in page.links if not link.startswith("#")] == []
    assert {"script", "link", "img", "iframe"} & set(page.tags) == set()
    assert page.tags.count("svg") == 2


def test_the_page_says_what_was_found_in_words() -> None:
    text = read(as_html(contest())).text
    for word in (
        "新しい against old",
        "+0.0000",
        "1/2/1",
        "passed",
        "発酵は何度？",
        "2 a#0 温度",
        "· z#0",
        *NOTES,
        *POLICIES,
    ):
        assert word in text
    assert "1 losses (hatched), 1 wins (plain); 2 ties are not drawn" in text


def test_names_cannot_break_the_page_or_the_table() -> None:
    hostile = contest(HOSTILE, HOSTILE)
    page = read(as_html(hostile))
    assert "script" not in page.tags
    assert HOSTILE in page.text
    rows = [line for line in as_markdown(hostile).split("\n") if line.startswith("|")]
    table = rows[: 2 + len(hostile.differences)]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in table} == {len(COLUMNS) + 1}
    assert "<script>" not in as_markdown(hostile)


def test_the_markdown_has_the_table_the_gate_and_the_changed_queries() -> None:
    text = as_markdown(contest())
    assert "- **passed**: 新しい: RR(rel=2)@10 +0.0000" in text
    assert "| RR(rel=2)@10 | 0.5000 | 0.5000 | +0.0000 |" in text
    assert "<summary>q2 0.5000 → 0.0000</summary>" in text
    assert r"| 1 | 1 a\#1 時間 \| 長さ | 2 a\#0 温度 |" in text
    assert "4 queries (1 without a relevant document left out) of 4 articles" in text


def test_a_failed_gate_is_said_in_capitals_in_all_forms() -> None:
    failed = contest(after=(0.0, 0.0, 0.5, 0.5))
    assert not failed.passed
    assert "**FAILED**" in as_markdown(failed)
    assert "FAILED" in read(as_html(failed)).text


def test_the_json_is_strict_and_has_no_value_of_single_queries() -> None:
    plain = as_json(contest())
    text = json.dumps(plain, allow_nan=False)
    found = json.loads(text)
    assert found["passed"] is True
    assert found["differences"][0]["difference"] == 0.0
    assert found["differences"][0]["verdict"] == "too few articles"
    assert "values" not in found["differences"][0]
    assert found["passages"][0]["sentence"]
    assert found["policies"] == list(POLICIES)


@pytest.mark.parametrize("render", [as_html, as_markdown])
def test_the_same_comparison_gives_the_same_bytes(render: object) -> None:
    assert callable(render)
    assert render(contest()) == render(contest())


def test_runs_that_are_equal_or_differ_once_are_drawn_too() -> None:
    equal = read(as_html(contest(after=(0.5, 0.5, 0.5, 0.5))))
    assert "0 losses (hatched), 0 wins (plain); 4 ties are not drawn" in equal.text
    once = as_html(contest(after=(0.5, 0.0, 0.5, 0.5)))
    assert once.count("<pattern") == 1


def test_a_page_can_be_written_for_several_runs() -> None:
    one, two = contest("one"), contest("two")
    both = Contest(
        **{
            **{name: getattr(one, name) for name in Contest.__dataclass_fields__},
            "others": ("one", "two"),
            "differences": (*one.differences, *two.differences),
        }
    )
    text = read(as_html(both)).text
    assert "one: RR(rel=2)@10" in text
    assert "two: RR(rel=2)@10" in text


def line(gaps: list[float], size: int | None) -> list[str]:
    """What is said beside a single line, with articles of a size or with clusters unknown."""
    qids = [f"q{n}" for n in range(len(gaps))]
    base = Side("old", {"RR@10": dict.fromkeys(qids, 0.5)}, {})
    after = [0.5 + gap for gap in gaps]
    other = Side("new", {"RR@10": dict(zip(qids, after, strict=True))}, {})
    articles = None if size is None else {qid: f"a{n // size}" for n, qid in enumerate(qids)}
    return remarks(compare(base, [other], articles, Resampling(200)))


@pytest.mark.parametrize(
    ("many", "size", "told"),
    [
        (9, None, "9 queries are too few for a verdict: it takes 10 at least"),
        (10, None, "10 queries are few: a verdict over fewer than 20 rests on little"),
        (38, 2, "19 articles are few: a verdict over fewer than 20 rests on little"),
        (18, 2, "9 articles are too few for a verdict: it takes 10 at least"),
    ],
)
def test_few_articles_are_told_by_their_number(many: int, size: int | None, told: str) -> None:
    assert told in line([0.1, -0.1, 0.3] * (many // 3) + [0.2] * (many % 3), size)


def test_enough_articles_need_no_word() -> None:
    assert line([0.1, -0.05] * 20, 2) == []


def test_a_design_effect_is_told_from_one_and_a_half_on() -> None:
    together = [0.3] * 4 + [-0.1] * 4
    assert "by article the variance is 4.0 times that by query" in line(together * 20, 4)[0]
    assert line([0.3, -0.1] * 40, 4) == []
