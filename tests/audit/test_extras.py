from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hayami.audit.extras import load
from hayami.errors import ExtraError


def test_a_module_that_is_there_is_loaded() -> None:
    assert load("json.decoder").__name__ == "json.decoder"


def test_a_missing_package_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(ExtraError) as caught:
        load("no_such_package.part")
    assert "no_such_package" in str(caught.value)
    assert caught.value.hint == "pip install 'hayami[review]'"


def test_a_damaged_package_is_not_taken_for_a_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "damaged_package.py").write_text("import what_it_needs_is_not_there")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(ModuleNotFoundError) as caught:
        load("damaged_package")
    assert not isinstance(caught.value, ExtraError)
