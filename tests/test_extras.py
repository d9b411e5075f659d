from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from hayami import extras
from hayami.errors import ExtraError
from hayami.extras import Extra, load_module, need

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
SOME = Extra(
    "pip install 'x[y]'",
    {"json": "json", "no_such_module": "no-such-package", "nor_this": "nor-this"},
)


def test_what_is_installed_is_not_worth_a_word() -> None:
    need(Extra("pip install nothing", {"json": "json", "pytest": "pytest"}))


def test_what_is_missing_is_named_as_it_is_installed_with_the_command() -> None:
    with pytest.raises(ExtraError) as error:
        need(SOME)
    assert (error.value.what, error.value.hint) == (
        "not installed: no-such-package, nor-this",
        "pip install 'x[y]'",
    )


def test_some_modules_of_an_extra_can_be_asked_for_alone() -> None:
    need(SOME, "json")
    with pytest.raises(ExtraError, match=r"not installed: nor-this$"):
        need(SOME, "json", "nor_this")


@pytest.mark.parametrize(
    ("extra", "name"),
    [
        (extras.REVIEW, "review"),
        (extras.EVAL, "eval"),
        (extras.MARKDOWN, "markdown"),
        (extras.FORMATS, "formats"),
    ],
)
def test_the_packages_of_an_extra_are_those_that_the_project_declares(
    extra: Extra, name: str
) -> None:
    declared = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    wanted = {re.split("[<>=]", one)[0] for one in declared["optional-dependencies"][name]}
    assert set(extra.packages.values()) == wanted
    assert extra.command == f"pip install 'hayami[{name}]'"


def test_a_module_that_is_there_is_loaded() -> None:
    assert load_module(SOME, "json.decoder").__name__ == "json.decoder"


def test_a_missing_package_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(ExtraError, match=r"not installed: no-such-package$") as caught:
        load_module(SOME, "no_such_module.part")
    assert caught.value.hint == "pip install 'x[y]'"


def test_a_damaged_package_is_not_taken_for_a_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "damaged_package.py").write_text("import what_it_needs_is_not_there")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(ModuleNotFoundError) as caught:
        load_module(SOME, "damaged_package")
    assert not isinstance(caught.value, ExtraError)
