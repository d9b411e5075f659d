from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from hayami.errors import SettingsError
from hayami.settings import Detect, Duplicates, Settings, read_settings


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    return tmp_path / "hayami.toml"


def test_the_defaults_are_those_of_the_documentation() -> None:
    chosen = Settings()
    assert (chosen.level, chosen.threshold, chosen.detect, chosen.duplicates) == (
        2,
        0.5,
        "header",
        "merge",
    )
    assert (chosen.code, chosen.lead, chosen.short_question) == (False, False, 4)
    assert "知りたい*" in chosen.question_headers
    assert "よくある質問" in chosen.excluded_headings


def test_every_setting_is_described() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_the_written_defaults_read_back_as_the_defaults(toml: Path) -> None:
    toml.write_text(Settings().as_toml(), encoding="utf-8")
    assert read_settings(toml) == Settings()


def test_the_written_defaults_name_and_explain_every_setting() -> None:
    text = Settings().as_toml()
    assert list(tomllib.loads(text)) == list(Settings.model_fields)
    assert text.count("\n# ") == len(Settings.model_fields)


@settings(deadline=None, max_examples=80, derandomize=True)
@given(
    words=st.lists(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=6), min_size=1, max_size=15
    ),
    threshold=st.floats(0, 1),
    code=st.booleans(),
    duplicates=st.sampled_from(Duplicates),
)
def test_any_settings_read_back_as_written(
    words: list[str], threshold: float, duplicates: Duplicates, *, code: bool
) -> None:
    chosen = Settings(
        threshold=threshold,
        code=code,
        duplicates=duplicates,
        placeholders=tuple(words),
        generic_texts=tuple(words),
    )
    assert Settings.model_validate(tomllib.loads(chosen.as_toml())) == chosen


def test_what_a_file_does_not_name_has_its_default(toml: Path) -> None:
    toml.write_text('level = 3\ndetect = "both"\n', encoding="utf-8")
    assert read_settings(toml) == Settings(level=3, detect=Detect.BOTH)


def test_an_empty_file_means_the_defaults(toml: Path) -> None:
    toml.write_bytes(b"")
    assert read_settings(toml) == Settings()


@pytest.mark.parametrize(
    "written",
    [b"\xef\xbb\xbflevel = 3\n", b"level = 3\r\n", b"# \xe8\xa8\xad\xe5\xae\x9a\nlevel = 3"],
)
def test_a_file_may_be_written_by_any_editor(toml: Path, written: bytes) -> None:
    toml.write_bytes(written)
    assert read_settings(toml).level == 3


def test_a_list_replaces_the_default_list(toml: Path) -> None:
    toml.write_text('placeholders = ["保留", "—"]\n', encoding="utf-8")
    assert read_settings(toml).placeholders == ("保留", "—")


WRONG = {
    "an unknown name": ("level = 3\nlevell = 2\n", 2, "unknown setting 'levell'"),
    "an unknown name in quotes": ('# \n\n"見出し" = 2\n', 3, "unknown setting '見出し'"),
    "an unknown table": (
        'code = true\n[matching]\nthreshold = "x"\n',
        2,
        "unknown setting 'matching'",
    ),
    "an unknown dotted name": (
        "code = true\nmatching.threshold = 1\n",
        2,
        "unknown setting 'matching'",
    ),
    "a text for a number": ('lead = true\nlevel = "深い"\n', 2, "level: "),
    "a number for a list": ("\n\nplaceholders = 5\n", 3, "placeholders: "),
    "a text for a list": ('placeholders = "なし"\n', 1, "placeholders: "),
    "a number in a list": ('generic_texts = ["here",\n 7]\n', 1, "generic_texts"),
    "an empty list": ("code = true\nquestion_headers = []\n", 2, "question_headers: "),
    "a level that is no heading": ("level = 7\n", 1, "level: "),
    "a level of zero": ("level = 0\n", 1, "level: "),
    "a threshold over one": ("# 類似度\nthreshold = 1.01\n", 2, "threshold: "),
    "a threshold below zero": ("threshold = -0.5\n", 1, "threshold: "),
    "a threshold that is no number": ("threshold = nan\n", 1, "threshold: "),
    "a word that is no choice": ('level = 2\nduplicates = "first"\n', 2, "duplicates: "),
    "a negative length": ("short_question = -1\n", 1, "short_question: "),
    "a truth value for a number": ("code = true\nthreshold = true\n", 2, "threshold: "),
    "no TOML": ("level = 2\nthreshold 0.5\n", 2, "not TOML: "),
    "a name twice": ("level = 2\nlevel = 2\n", 2, "not TOML: "),
    "a text that does not end": ('level = 2\n\ndetect = "both\n', 3, "not TOML: "),
}


@pytest.mark.parametrize(("text", "line", "what"), WRONG.values(), ids=WRONG)
def test_a_wrong_setting_names_file_and_line_and_what_to_do(
    toml: Path, text: str, line: int, what: str
) -> None:
    toml.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        read_settings(toml)
    assert caught.value.where == f"{toml}:{line}"
    assert caught.value.what.startswith(what)
    assert "\n" not in str(caught.value)
    assert caught.value.hint


def test_an_unknown_setting_is_answered_with_the_known_ones(toml: Path) -> None:
    toml.write_text("treshold = 1\n", encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        read_settings(toml)
    assert "threshold" in caught.value.hint


def test_a_missing_file_is_named(toml: Path) -> None:
    with pytest.raises(SettingsError, match="No such file") as caught:
        read_settings(toml)
    assert caught.value.where == str(toml)
    assert "hayami init" in caught.value.hint


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings(tmp_path)
    assert caught.value.where == str(tmp_path)


def test_a_file_in_another_encoding_is_named(toml: Path) -> None:
    toml.write_bytes('placeholders = ["なし"]\n'.encode("cp932"))
    with pytest.raises(SettingsError, match="not TOML") as caught:
        read_settings(toml)
    assert caught.value.where.startswith(str(toml))


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().level = 3  # type: ignore[misc]


def test_the_digest_is_the_same_for_the_same_settings() -> None:
    assert Settings().digest() == Settings(level=2, detect=Detect.HEADER).digest()
    assert len(bytes.fromhex(Settings().digest())) == 32


@pytest.mark.parametrize("name", Settings.model_fields)
def test_the_digest_changes_with_every_setting(name: str) -> None:
    other: dict[str, object] = {
        "level": 3,
        "threshold": 0.51,
        "detect": "both",
        "duplicates": "keep",
        "code": True,
        "lead": True,
        "short_question": 5,
        "max_page_bytes": 20_000_001,
    }
    value = other.get(name, (*getattr(Settings(), name), "別の語") if name not in other else None)
    assert Settings.model_validate({name: value}).digest() != Settings().digest()


def test_the_order_of_header_words_counts() -> None:
    one, other = Settings(placeholders=("a", "b")), Settings(placeholders=("b", "a"))
    assert one.digest() != other.digest()


def test_a_list_can_be_extended_instead_of_replaced(tmp_path: Path) -> None:
    path = tmp_path / "hayami.toml"
    path.write_text('extend_question_headers = ["お悩み", "Q"]\nplaceholders = ["なし"]\n', "utf-8")
    defaults, read = Settings(), read_settings(path)
    assert read.question_headers[: len(defaults.question_headers)] == defaults.question_headers
    assert read.question_headers.count("お悩み") == 1
    assert read.placeholders == ("なし",)


def test_a_list_that_the_file_replaces_is_what_it_extends(tmp_path: Path) -> None:
    path = tmp_path / "hayami.toml"
    path.write_text('extend_placeholders = ["—"]\nplaceholders = ["なし"]\n', "utf-8")
    assert read_settings(path).placeholders == ("なし", "—")


@pytest.mark.parametrize("line", ['extend_words = ["a"]', "extend_level = 2", "extend_ = []"])
def test_what_is_no_list_cannot_be_extended(tmp_path: Path, line: str) -> None:
    path = tmp_path / "hayami.toml"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="unknown setting 'extend_"):
        read_settings(path)
