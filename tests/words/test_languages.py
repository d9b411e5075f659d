from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from hayami.errors import WordsError
from hayami.settings import Settings
from hayami.text.fold import compact, fold, has_word, normalise
from hayami.words.languages import FOLDER, Language, every, languages, read_language, read_languages

BY_LANGUAGE = {
    "question": {code: one.headers.question for code, one in languages().items()},
    "answer": {code: one.headers.answer for code, one in languages().items()},
    "reference": {code: one.headers.reference for code, one in languages().items()},
    "excluded": {code: one.headings.excluded for code, one in languages().items()},
}
ALL = {
    "question": every(lambda language: language.headers.question),
    "answer": every(lambda language: language.headers.answer),
    "reference": every(lambda language: language.headers.reference),
    "excluded": every(lambda language: language.headings.excluded),
    "placeholders": every(lambda language: language.cells.placeholders),
    "generic": every(lambda language: language.cells.generic),
}


@pytest.mark.parametrize("lists", BY_LANGUAGE.values(), ids=BY_LANGUAGE)
def test_each_list_has_words_in_all_languages(lists: dict[str, tuple[str, ...]]) -> None:
    assert list(lists)[:4] == ["ja", "en", "ko", "zh"]
    assert all(lists.values())


@pytest.mark.parametrize("words", ALL.values(), ids=ALL)
def test_words_are_written_in_their_normal_form(words: tuple[str, ...]) -> None:
    assert [word for word in words if not has_word(word) or word != normalise(word)] == []


@pytest.mark.parametrize("lists", BY_LANGUAGE.values(), ids=BY_LANGUAGE)
def test_no_word_stands_twice_in_a_language(lists: dict[str, tuple[str, ...]]) -> None:
    for words in lists.values():
        assert len(set(words)) == len(words)


def test_a_star_is_only_used_where_patterns_are_allowed() -> None:
    for name in ("excluded", "placeholders", "generic"):
        assert [word for word in ALL[name] if "*" in word] == []


def test_the_words_of_all_languages_come_in_order_and_once() -> None:
    assert every(lambda one: one.numbers.opening) == ("第", "제")
    assert every(lambda one: [one.name])[:4] == ("日本語", "English", "한국어", "中文")


def test_the_settings_begin_with_these_words() -> None:
    defaults = Settings()
    assert defaults.question_headers == ALL["question"]
    assert defaults.answer_headers == ALL["answer"]
    assert defaults.reference_headers == ALL["reference"]
    assert defaults.excluded_headings == ALL["excluded"]
    assert defaults.placeholders == ALL["placeholders"]
    assert defaults.generic_texts == ALL["generic"]


def is_named(kind: str, text: str) -> bool:
    return any(fnmatchcase(fold(text), fold(word)) for word in ALL[kind])


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (
            "question",
            [
                "知りたいこと",
                "やりたいこと",
                "質問",
                "困っていること",
                "Question",
                "I want to",
                "질문",
                "想知道的事",
            ],
        ),
        ("answer", ["答え", "対処", "結論", "Short answer", "답", "짧은 답변", "答案"]),
        (
            "reference",
            [
                "節",
                "詳しい節",
                "参照",
                "詳細",
                "Section",
                "See",
                "자세한 절",
                "절",
                "详见章节",
                "章节",
            ],
        ),
        (
            "excluded",
            [
                "よくある質問",
                "FAQ",
                "まとめ",
                "参考文献",
                "Summary",
                "자주 묻는 질문",
                "요약",
                "常见问题",
                "总结",
            ],
        ),
        ("placeholders", ["なし", "N/A", "없음", "无"]),
        ("generic", ["こちら", "here", "여기", "这里"]),
    ],
)
def test_the_words_that_writers_use_most_are_known(kind: str, texts: list[str]) -> None:
    assert [text for text in texts if not is_named(kind, text)] == []


@pytest.mark.parametrize(
    "text", ["小節", "季節", "調節", "文章", "勲章", "Intersection", "절차", "장점"]
)
def test_a_word_that_only_ends_or_begins_like_section_heads_no_references(text: str) -> None:
    assert not is_named("reference", text)


@pytest.mark.parametrize(
    "text", ["まとめ方", "よくある質問の探し方", "Summary statistics", "요약 통계", "总结报告"]
)
def test_a_heading_that_only_begins_like_one_left_out_stays(text: str) -> None:
    assert not is_named("excluded", text)


def test_no_word_means_both_that_there_is_no_reference_and_follow_the_link() -> None:
    assert not set(map(compact, ALL["placeholders"])) & set(map(compact, ALL["generic"]))


def patterns(language: Language) -> list[str]:
    """Every regular expression of a language."""
    phrases = language.phrases.model_dump().values()
    lists = [*phrases, language.joints.either, language.opposites.denials]
    lists += [language.numbers.cardinals, language.numbers.ordinals]
    return [pattern for patterns in lists for pattern in patterns]


@pytest.mark.parametrize("code", languages())
def test_every_regular_expression_is_one_and_eats_no_empty_text_twice(code: str) -> None:
    for pattern in patterns(languages()[code]):
        assert re.compile(pattern)
        assert "\n" not in pattern


@pytest.mark.parametrize("code", languages())
def test_a_unit_has_the_same_name_in_every_language(code: str) -> None:
    numbers = languages()[code].numbers
    english = set(languages()["en"].numbers.before)
    assert set(numbers.before) | set(numbers.after) <= english | {"item", "round"}


def changed(tmp_path: Path, old: str, new: str) -> Path:
    """A copy of English with one thing changed."""
    text = (FOLDER / "en.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "xx.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[headers]", "[heders]", "headers: Field required"),
        ("\nsituation = [", "\nsituations = [", "headers.situation: Field required"),
        ("\nsituation = [", '\nextra = "x"\nsituation = [', "headers.extra: Extra inputs"),
        ("order = 2", 'order = "2"', "order: Input should be a valid integer"),
        ("order = 2", "order = 0", "order: Input should be greater"),
        (
            'excluded_if_flat = ["reference"]',
            'excluded_if_flat = "reference"',
            "headings.ex",
        ),
        (
            'roman = ["part"',
            'roman = [1, "part"',
            "numbers.roman.0: Input should be a valid string",
        ),
        (
            'roman = ["part"',
            'roman = ["", "part"',
            "numbers.roman.0: String should",
        ),
        ("[headers]", "[headers", "no language file"),
    ],
)
def test_a_fault_in_a_language_is_named_with_file_and_key(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    path = changed(tmp_path, old, new)
    with pytest.raises(WordsError) as caught:
        read_language(path)
    assert caught.value.where == str(path)
    assert caught.value.what.startswith(said)


def test_a_language_without_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(WordsError, match=r"xx\.toml: no language file"):
        read_language(tmp_path / "xx.toml")


def test_languages_stand_in_their_order_and_no_two_in_one_place(tmp_path: Path) -> None:
    changed(tmp_path, "order = 2", "order = 9")
    for code in languages():
        (tmp_path / f"{code}.toml").write_bytes((FOLDER / f"{code}.toml").read_bytes())
    assert list(read_languages(tmp_path))[-1] == "xx"
    changed(tmp_path, "order = 2", "order = 1")
    with pytest.raises(WordsError, match=r"xx.toml: order: 1 is that of ja too"):
        read_languages(tmp_path)


def test_a_file_has_the_sections_that_the_record_describes() -> None:
    for code, language in languages().items():
        raw = tomllib.loads((FOLDER / f"{code}.toml").read_text(encoding="utf-8"))
        unspoken = {name for name in ("review", "writers") if getattr(language, name) is None}
        assert set(raw) | unspoken == set(type(language).model_fields)


PLACES = re.compile(r"\{\w+\}")


@pytest.mark.parametrize("section", ["review", "writers"])
def test_a_sentence_has_the_same_blanks_to_fill_in_every_language(section: str) -> None:
    english = getattr(languages()["en"], section)
    for language in languages().values():
        for key, sentence in (getattr(language, section) or {}).items():
            assert sorted(PLACES.findall(sentence)) == sorted(PLACES.findall(english[key])), key


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"t.stopped" = ', '"t.halted" = ', "review.t.halted: not in en.toml"),
        ('"t.stopped" = "stopped"\n', "", "review.t.stopped: missing, but in en.toml"),
        ('\nno_remarks = "Nothing to mend."', "", "writers.no_remarks: missing, but in en.toml"),
    ],
)
def test_a_language_that_is_spoken_says_all_that_the_others_say(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    path = changed(tmp_path, old, new)
    path.write_text(path.read_text(encoding="utf-8").replace("order = 2", "order = 9"), "utf-8")
    (tmp_path / "en.toml").write_bytes((FOLDER / "en.toml").read_bytes())
    with pytest.raises(WordsError) as caught:
        read_languages(tmp_path)
    assert (caught.value.where, caught.value.what) == (str(path), said)


CJK = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3々]")
SCRIPTS = re.compile(r"\[(?:\\.|[^\]\\])*\]|.-.")
"""A class of characters in a regular expression, or the range of a script."""
OUTSIDE_THE_FILES = {
    "cli/__init__": {"早見表"},  # what the program is about, in its help
    "label/grades": {"早見表"},  # what the source of a row's question is called in the records
    "label/opposites": {"以外"},  # "except" takes a prefix's sense back
}


def words_in_code(path: Path) -> set[str]:
    """The CJK words in the strings of a module, docstrings and ranges of scripts aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    statements = (node for node in ast.walk(tree) if isinstance(node, ast.Expr))
    documented = {id(statement.value) for statement in statements}
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documented:
            text = SCRIPTS.sub("", node.value) if isinstance(node.value, str) else ""
            found.update(re.findall(rf"{CJK.pattern}{{2,}}", text))
    return found


def test_words_of_a_language_stand_in_its_file_alone() -> None:
    source = FOLDER.parent
    held = {
        path.relative_to(source).with_suffix("").as_posix(): words_in_code(path)
        for path in sorted(source.rglob("*.py"))
    }
    assert {name: words for name, words in held.items() if words} == OUTSIDE_THE_FILES


def test_the_wheel_holds_the_files() -> None:
    packaged = tomllib.loads((FOLDER.parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = packaged["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["src/hayami"]
    assert "exclude" not in wheel
    assert all((FOLDER / f"{code}.toml").is_file() for code in languages())


BUILD = "import sys, hayami; hayami.build([sys.argv[1]], sys.argv[2])"
FIFTH = {
    'name = "English"': 'name = "Volapük"',
    "order = 2": "order = 9",
    '"question", "questions"': '"säk", "säk", "säks"',
    '"section", "sections", "* section"': '"dilädil"',
    '"chapter", "chapters", "chap"': '"kapit", "kapit.", "chap"',
    "'see(?: also)?": "'logolsöd(?: also)?",
}


def test_a_fifth_language_is_one_file(tmp_path: Path) -> None:
    """A table is read whose headers, number and phrase only a new file knows."""
    source = tmp_path / "src"
    shutil.copytree(FOLDER.parent, source / "hayami", ignore=shutil.ignore_patterns("__pycache__"))
    text = (FOLDER / "en.toml").read_text(encoding="utf-8")
    for old, new in FIFTH.items():
        assert old in text
        text = text.replace(old, new)
    (source / "hayami/words/vo.toml").write_text(text, encoding="utf-8")
    page = (
        "<table><tr><th>Säk<th>Dilädil<tr><td>Kiöp?<td>logolsöd Löpik"
        "<tr><td>Kiüp?<td>Kapit 2</table>"
        "<h2>Kapit 1: Löpik</h2><p>Us.<h2>Kapit 2: Donik</h2><p>Is."
    )
    (tmp_path / "vo.html").write_text(page, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", BUILD, str(tmp_path / "vo.html"), str(tmp_path / "set")],
        env=environment,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stderr
    lines = (tmp_path / "set/evalset.jsonl").read_text(encoding="utf-8").splitlines()
    labels = [json.loads(line) for line in lines]
    assert [list(label["relevant"].items()) for label in labels] == [[("vo#0", 2)], [("vo#1", 2)]]
