from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from hayami.evalset.records import TABLE, Detector, Match, Place, Reason
from hayami.label.headings import HeadingIndex
from hayami.label.library import Register, article_numbers
from hayami.label.match import match_row
from hayami.label.rules.contains import holds
from hayami.label.scope import ElsewhereError
from hayami.parts import Heading, Label, NoLabel, Outline, Piece, Row
from hayami.settings import Settings
from hayami.text.fold import compact

PLACE = Place(kind=TABLE, ordinal=0, row=1)

EXAMPLES = Path(__file__).parent.parent / "examples" / "matching.txt"
MARKED = re.compile(r"\{([^}]*)\}")


# --- a build in memory ----------------------------------------------------------------------------


@dataclass
class Page:
    """One article of an example, as it is read line by line."""

    path: str = "guide.html"
    title: str = "見本"
    headings: list[Heading] = field(default_factory=list)
    anchors: dict[str, tuple[int | None, int | None]] = field(default_factory=dict)
    excluded: set[int] = field(default_factory=set)
    sections: int = 0
    host: int | None = None

    def add(self, line: str) -> None:
        """Takes a line such as ``H2 設定 {#set}`` or ``text {#note}``."""
        kind, _, text = MARKED.sub("", line).strip().partition(" ")
        self.sections += kind == "H2"
        section = self.sections - 1 if self.sections and kind != "H1" else None
        if kind != "text":
            self.headings.append(Heading(text.strip(), int(kind[1]), section, unit=kind == "H2"))
        for mark in MARKED.findall(line):
            if mark == "left out":
                self.excluded.add(self.sections - 1)
            elif mark == "table here":
                self.host = section
            else:
                self.anchors[mark.removeprefix("#")] = (
                    section,
                    len(self.headings) - 1 if self.headings else None,
                )

    def outline(self) -> Outline:
        """The article; one without H2 is a single section."""
        headings = (
            self.headings
            if self.sections
            else [Heading(h.text, h.level, 0, unit=False) for h in self.headings]
        )
        sections = max(1, self.sections)
        article = self.path.removesuffix(".html")
        anchors, excluded = self.anchors, frozenset(self.excluded)
        return Outline(
            article, self.path, self.title, "", tuple(headings), anchors, sections, excluded
        )


class Shelf(Register):
    """The articles of an example."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        super().__init__()
        self.outlines = {outline.id: outline for outline in outlines}
        for outline in outlines:
            self.enter(outline.id, outline.path, article_numbers(outline))

    def outline_of(self, article: str) -> Outline:
        return self.outlines[article]


def cell(written: str) -> tuple[Piece, ...]:
    """A cell written in Markdown: ``⏎`` is a line break, ``[text](href)`` a link."""
    pieces: list[Piece] = []
    for text, label, href, _ in re.findall(r"([^\[⏎]+)|\[([^\]]*)\]\(([^)]*)\)|(⏎)", written):
        pieces.append(
            Piece(text) if text else Piece(label, href) if label or href else Piece("", breaks=True)
        )
    return tuple(pieces)


def row(reference: str, question: str = "質問", host: int | None = None) -> Row:
    return Row(question, "答え", cell(reference), PLACE, Detector.HEADER, host)


Anchors = dict[str, tuple[int | None, int | None]]


def article(*headings: str, anchors: Anchors | None = None) -> Outline:
    """An article whose headings are all H2."""
    page = Page(anchors=anchors or {})
    for heading in headings:
        page.add(f"H2 {heading}")
    return page.outline()


DEFAULTS = Settings()


def match(reference: str, *headings: str, chosen: Settings = DEFAULTS) -> Label | NoLabel:
    outline = article(*headings)
    return match_row(row(reference), HeadingIndex(outline, chosen), Shelf([outline]))


# --- the examples ---------------------------------------------------------------------------------


def entries() -> dict[str, list[str]]:
    """The lines of each entry by its title."""
    text = EXAMPLES.read_text(encoding="utf-8")
    found = re.findall(r"^## (.+)\n((?:.+\n)+?)\.$", text, re.MULTILINE)
    assert len(dict(found)) == text.count("\n## ") > 0, (
        "an entry is not in the form that the file's head describes"
    )
    return {title: lines.splitlines() for title, lines in found}


@dataclass
class Example:
    """One entry of the file."""

    pages: list[Page]
    question: str = "質問"
    cell: str = ""
    expected: str = ""

    @classmethod
    def read(cls, lines: list[str]) -> Example:
        found = cls([Page()])
        for line in lines:
            if line.startswith("page "):
                path, _, title = line.removeprefix("page ").partition(": ")
                if found.pages[-1].headings or found.pages[-1].anchors:
                    found.pages.append(Page())
                found.pages[-1].path, found.pages[-1].title = path, title
            elif line.startswith(("H", "text ")):
                found.pages[-1].add(line)
            elif line.startswith("=> "):
                found.expected = line.removeprefix("=> ")
            else:
                key, _, value = line.partition(":")
                setattr(found, key, value.strip())
        return found

    def outcome(self) -> str:
        """What the rules say, written as in the file."""
        outlines = [page.outline() for page in self.pages]
        names = HeadingIndex(outlines[0], Settings())
        found = match_row(row(self.cell, self.question, self.pages[0].host), names, Shelf(outlines))
        where = Places(outlines)
        if isinstance(found, Label):
            targets = sorted(
                (where.order(t.section), f"{t.match}: {where.name(t.section, t.heading)}")
                for t in found.targets
            )
            return " | ".join([text for _, text in targets] + ["…"] * found.incomplete)
        candidates = sorted(
            (where.order(c.section or c.article), where.name(c.section or c.article, c.heading))
            for c in found.candidates
        )
        named = found.reason in {
            Reason.AMBIGUOUS,
            Reason.CONTRADICTION,
            Reason.WHOLE_ARTICLE,
            Reason.EXCLUDED_SECTION,
        }
        return (
            f"{found.reason}: {' | '.join(name for _, name in candidates)}"
            if named
            else str(found.reason)
        )


class Places:
    """Section and article ids as a reader sees them."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        self.first = outlines[0]
        self.articles = {outline.id: outline for outline in outlines}

    def order(self, place: str) -> tuple[int, int]:
        name, _, ordinal = place.partition("#")
        return list(self.articles).index(name), int(ordinal or -1)

    def name(self, place: str, heading: str) -> str:
        outline = self.articles[place.partition("#")[0]]
        if "#" not in place:
            return outline.path
        ordinal = int(place.partition("#")[2])
        section = next(
            (h.text for h in outline.headings if h.unit and h.section == ordinal), outline.title
        )
        file = [outline.path] if outline is not self.first else []
        return " > ".join([*file, section] + [heading] * (heading != section))


@pytest.mark.parametrize("lines", entries().values(), ids=entries())
def test_an_example_has_the_outcome_that_its_file_says(lines: list[str]) -> None:
    found = Example.read(lines)
    assert found.outcome() == found.expected


def test_the_examples_show_every_rule_and_every_reason_that_a_row_can_have_here() -> None:
    shown = {
        name for lines in entries().values() for name in re.findall(r"(?:^=> |\| )(\w+)", lines[-1])
    }
    # A need that is none is known before a row is matched.
    later = {Reason.NO_NEED, Reason.DROPPED_BY_VERDICT}
    later |= {Reason.DUPLICATE_QUESTION, Reason.UNKNOWN_ID}
    assert shown >= set(Match) - {Match.MANUAL, Match.PLACE}
    assert shown >= set(list(Reason)[: list(Reason).index(Reason.EMPTY_FILE)]) - later


# --- the evidence ---------------------------------------------------------------------------------


def test_a_target_keeps_its_evidence() -> None:
    found = match("→ 設定の変更を参照", "設定の変更", "設定の変更点")
    assert isinstance(found, Label)
    (target,) = found.targets
    assert (target.section, target.heading, target.match, target.score) == (
        "guide#0",
        "設定の変更",
        Match.EXACT,
        1.0,
    )
    assert (target.reference, target.href) == ("設定の変更", None)
    assert target.runner_up is not None
    assert (target.runner_up.section, target.runner_up.heading) == ("guide#1", "設定の変更点")
    assert target.runner_up.score == 0.9091


def test_an_article_of_one_section_has_no_runner_up() -> None:
    found = match("設定の変更", "設定の変更")
    assert isinstance(found, Label)
    assert found.targets[0].runner_up is None


def test_a_link_is_kept_as_written() -> None:
    outline = article("設定の変更", "証明書の更新", anchors={"renew": (1, 1)})
    found = match_row(row("[こちら](#renew)"), HeadingIndex(outline, Settings()), None)
    assert isinstance(found, Label)
    (target,) = found.targets
    assert (target.section, target.reference, target.href, target.score) == (
        "guide#1",
        "こちら",
        "#renew",
        1.0,
    )


def test_an_unmatched_row_lists_the_nearest_headings_best_first() -> None:
    found = match(
        "索引の消去", "ログの監視", "索引を作る", "暗号", "鍵の消し方", "通信", "復旧", "保守"
    )
    assert isinstance(found, NoLabel)
    assert found.reason is Reason.UNMATCHED
    assert found.candidates[0].heading == "索引を作る"
    assert len(found.candidates) == 5
    assert [c.score for c in found.candidates] == sorted(
        (c.score for c in found.candidates), reverse=True
    )


def test_an_ambiguous_row_lists_all_that_tie_best_first() -> None:
    headings = [
        "ログの置き場所と消し方",
        "ログの場所",
        "ログの見方と消し方",
        "鍵",
        "ログの形",
        "ログの量",
        "ログの鍵",
    ]
    found = match("ログ", *headings)
    assert isinstance(found, NoLabel)
    assert found.reason is Reason.AMBIGUOUS
    assert {c.heading for c in found.candidates} == set(headings) - {"鍵"}
    assert [c.score for c in found.candidates] == sorted(
        (c.score for c in found.candidates), reverse=True
    )


def test_a_broken_link_says_what_is_missing() -> None:
    outline = article("設定の変更", "証明書の更新")
    gone = match_row(row("[こちら](#gone)"), HeadingIndex(outline, Settings()), None)
    away = match_row(
        row("[こちら](away.html)"), HeadingIndex(outline, Settings()), Shelf([outline])
    )
    assert isinstance(gone, NoLabel)
    assert isinstance(away, NoLabel)
    assert "gone" in gone.detail
    assert "away.html" in away.detail


@pytest.mark.parametrize("reference", ["[鍵](ssh.html#make)", "[鍵](ssh.html)", "第3章", "付録A"])
def test_a_row_that_needs_other_articles_waits_for_them(reference: str) -> None:
    with pytest.raises(ElsewhereError):
        match_row(
            row(reference), HeadingIndex(article("設定の変更", "証明書の更新"), Settings()), None
        )


@pytest.mark.parametrize(
    "reference",
    ["[設定](#a)", "設定の変更", "知らない節", "[外](https://example.com/)", "対処9", "―"],
)
def test_a_row_that_does_not_need_them_does_not_wait(reference: str) -> None:
    outline = article("設定の変更", "証明書の更新", anchors={"a": (0, 0)})
    found = match_row(row(reference), HeadingIndex(outline, Settings()), None)
    assert found.row.place.table == 0


# --- the settings ---------------------------------------------------------------------------------

WORDED = ("証明書を更新する手順", "メディアタイプとワイルドカード", "転送の暗号化")


def test_the_threshold_decides_what_is_similar_enough() -> None:
    found = match("証明書の更新手順", *WORDED)
    assert isinstance(found, Label)
    score = found.targets[0].score
    assert 0.5 <= score < 1
    assert isinstance(
        match("証明書の更新手順", *WORDED, chosen=Settings(threshold=score - 0.01)), Label
    )
    assert isinstance(
        match("証明書の更新手順", *WORDED, chosen=Settings(threshold=score + 0.01)), NoLabel
    )


def test_a_fuzzy_target_names_the_second_best_section_with_its_score() -> None:
    found = match("証明書の更新手順", *WORDED)
    assert isinstance(found, Label)
    (target,) = found.targets
    assert target.match is Match.FUZZY
    assert target.runner_up is not None
    assert target.runner_up.heading in WORDED[1:]
    assert target.score - target.runner_up.score >= 0.1


def test_placeholders_and_generic_texts_are_settable() -> None:
    assert isinstance(match("なし", "なし"), NoLabel)
    assert isinstance(match("なし", "なし", chosen=Settings(placeholders=("後日",))), Label)
    assert isinstance(match("詳細", "詳細設定の手順"), NoLabel)
    assert isinstance(
        match("詳細", "詳細設定の手順", chosen=Settings(generic_texts=("こちら",))), Label
    )


# --- the whole words of a text --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("ポートの確認", "ポート"),
        ("待ち受けポート", "ポート"),
        ("use get here", "get"),
        ("sectionとget", "get"),
        ("get", "get"),
        ("section 12 and 1", "1"),
        ("サポートとポート", "ポート"),
        ("ipv6の設定", "設定"),
    ],
)
def test_a_text_holds_a_part_that_is_whole_words_of_it(text: str, part: str) -> None:
    assert holds(text, part)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("サポート", "ポート"),
        ("ポートフォリオ", "ポート"),
        ("ポートー", "ポート"),
        ("widget", "get"),
        ("getter", "get"),
        ("get_all", "get"),
        ("section 12", "section 1"),
        ("3389番", "389"),
        ("ポート", ""),
        ("", "ポート"),
    ],
)
def test_a_text_does_not_hold_a_part_that_is_inside_a_word(text: str, part: str) -> None:
    assert not holds(text, part)


# --- properties -----------------------------------------------------------------------------------

WORDS = [
    "設定",
    "変更",
    "サーバー",
    "ポート",
    "の確認",
    "索引",
    "TLS",
    "nginx",
    "키",
    "인증서",
    "密钥",
    "更新",
    "2章",
    "get",
    "（新）",
]
HEADINGS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), min_size=1, max_size=6
)
WIDE = {
    ord(c): ord(c) + 0xFEE0
    for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
}
SPELLINGS: dict[str, Callable[[str], str]] = {
    "as written": str,
    "in capitals": str.upper,
    "full width": lambda text: text.translate(WIDE),
    "wide blanks": lambda text: text.replace(" ", "\u3000"),
    "no blanks": lambda text: text.replace(" ", ""),
    "with a zero width space": lambda text: text + "\u200b",
    "in quotes with an arrow": lambda text: f"→「{text}」を参照",
}


def outcome(found: Label | NoLabel) -> tuple[str, object, bool]:
    """What a person would be told, whatever the order of the sections."""
    if isinstance(found, Label):
        return (
            "label",
            sorted((t.match, t.heading, t.score) for t in found.targets),
            found.incomplete,
        )
    return (
        found.reason,
        sorted(c.heading for c in found.candidates if found.reason is Reason.AMBIGUOUS),
        False,
    )


@pytest.mark.parametrize("spelling", SPELLINGS)
@given(headings=HEADINGS, number=st.integers(0, 5))
@settings(deadline=None, max_examples=30, derandomize=True)
def test_any_heading_is_found_whatever_its_width_case_and_spacing(
    spelling: str, headings: list[str], number: int
) -> None:
    heading = headings[number % len(headings)]
    assume([compact(other) for other in headings].count(compact(heading)) == 1)
    found = match(SPELLINGS[spelling](heading), *headings)
    assert isinstance(found, Label)
    assert [(t.heading, t.match) for t in found.targets] == [(heading, Match.EXACT)]


REFERENCES = st.lists(
    st.sampled_from([*WORDS, "、", "を参照", "有効", "無効", "3章"]), min_size=1, max_size=4
).map("".join)


@given(headings=HEADINGS, reference=REFERENCES, turn=st.integers(0, 5))
@example(headings=["確認の鍵", "方法の削除", "出力の作成"], reference="出力の削除", turn=1)
@example(headings=["出力の伸長", "入力の伸張", "鍵"], reference="出力の伸張", turn=1)
@settings(deadline=None, max_examples=150, derandomize=True)
def test_the_order_of_the_sections_decides_nothing(
    headings: list[str], reference: str, turn: int
) -> None:
    turned = headings[turn:] + headings[:turn]
    assert outcome(match(reference, *headings)) == outcome(match(reference, *turned))
    assert outcome(match(reference, *headings)) == outcome(match(reference, *headings[::-1]))


ANY_CELL = st.lists(
    st.builds(Piece, st.text(alphabet="設定変更、/・→「」を参照ABc1 章3.〜-", max_size=8))
    | st.builds(
        Piece,
        st.sampled_from(["こちら", "設定", ""]),
        st.sampled_from(["#a", "#gone", "x.html", "//x.example/", "#", ""]),
    )
    | st.just(Piece("", breaks=True)),
    max_size=5,
)


@given(
    pieces=ANY_CELL,
    question=st.sampled_from(["質問", "", "？"]),
    headings=HEADINGS,
    host=st.none() | st.integers(0, 1),
)
@settings(deadline=None, max_examples=250, derandomize=True)
def test_every_row_gives_targets_or_one_reason(
    pieces: list[Piece], question: str, headings: list[str], host: int | None
) -> None:
    outline = article(*headings, anchors={"a": (0, 0)})
    asked = Row(question, "", tuple(pieces), PLACE, Detector.HEADER, host)
    found = match_row(asked, HeadingIndex(outline, Settings()), Shelf([outline]))
    assert found.row is asked
    if isinstance(found, Label):
        sections = [target.section for target in found.targets]
        assert sections
        assert len(set(sections)) == len(sections)
        assert all(0 <= target.score <= 1 for target in found.targets)
    else:
        assert isinstance(found.reason, Reason)


def test_a_reference_that_names_two_headings_is_never_a_whole_label_of_one() -> None:
    for reference in ("設定の変更と証明書の更新", "証明書の更新と設定の変更"):
        found = match(reference, "設定の変更", "証明書の更新", "ログの消し方")
        assert isinstance(found, NoLabel) or found.incomplete or len(found.targets) == 2


def test_a_cell_of_hundreds_of_parts_or_numbers_is_no_list_and_is_done_with_at_once() -> None:
    assert isinstance(
        match("、".join(["設定の変更", "証明書の更新"] * 100), "設定の変更", "証明書の更新"), Label
    )
    assert isinstance(
        match("、".join(["設定の変更", "証明書の更新"] * 10_000), "設定の変更", "証明書の更新"),
        NoLabel,
    )
    assert isinstance(match("Section 2: " * 10_000, "1. 設定の変更", "2. 証明書の更新"), NoLabel)


# --- where a page is published --------------------------------------------------------------------


def published(path: str, *sites: str) -> Outline:
    """A page of one section with the id ``fee`` that says where it is published."""
    page = Page(path=path, title=path)
    page.add("H2 返送にかかるお金 {#fee}")
    page.add("H2 日数")
    return replace(page.outline(), sites=sites)


@pytest.mark.parametrize(
    ("href", "found"),
    [
        ("https://blog.example.jp/return/#fee", "return/index#0"),
        ("https://blog.example.jp/member/#fee", "member/index#0"),
        ("https://blog.example.jp/return/#gone", Reason.BROKEN_LINK),
        ("https://blog.example.jp/contact/#fee", Reason.EXTERNAL_LINK),
        ("https://shop.example.jp/return/#fee", Reason.EXTERNAL_LINK),
    ],
)
def test_a_link_to_where_the_pages_are_published_leads_to_them(href: str, found: str) -> None:
    here = published("member/index.html", "https://blog.example.jp/member/")
    there = published("return/index.html")
    outcome = match_row(
        row(f"[お金のこと]({href})"), HeadingIndex(here, DEFAULTS), Shelf([here, there])
    )
    if isinstance(outcome, Label):
        assert [target.section for target in outcome.targets] == [found]
        assert outcome.targets[0].match is Match.ANCHOR
    else:
        assert outcome.reason == found


def test_the_settings_can_say_where_the_folder_is_published() -> None:
    here, there = published("a.html"), published("b/c.html")
    chosen = Settings(site=("https://docs.example.org/",))
    outcomes = [
        match_row(row(f"[お金のこと]({href})"), HeadingIndex(here, chosen), Shelf([here, there]))
        for href in ("https://docs.example.org/b/c.html#fee", "https://docs.example.org/d.html")
    ]
    assert isinstance(outcomes[0], Label)
    assert outcomes[0].targets[0].section == "b/c#0"
    assert isinstance(outcomes[1], NoLabel)
    assert (outcomes[1].reason, outcomes[1].detail) == (
        Reason.BROKEN_LINK,
        "no file d.html in the build",
    )
