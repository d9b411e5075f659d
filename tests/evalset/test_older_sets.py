"""Sets that an earlier version built are read and checked as they were."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from pydantic import Field

import hayami
from hayami import settings as settings_module
from hayami.evalset import check as checking
from hayami.settings import Settings

OLDER = Path(__file__).parents[1] / "data" / "set_0.1.0"
"""Built from ``data/articles/ko`` by the state before hashes were of changed settings only, with
``short_question = 6`` and ``detect = "both"``."""


class LaterSettings(Settings):
    """The settings of a version to come: one more, and another default."""

    level: int = 3
    more: bool = Field(default=False, description="A setting of a later version.")


def test_a_set_of_an_earlier_version_is_sound() -> None:
    assert hayami.check(OLDER) == []
    assert hayami.load(OLDER).manifest.changed_settings is None


def test_a_set_of_an_earlier_version_with_other_settings_is_not(tmp_path: Path) -> None:
    folder = shutil.copytree(OLDER, tmp_path / "set")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["settings"]["short_question"] = 5
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert [fault.what for fault in hayami.check(folder)] == [
        "settings_sha256 is not the hash of the settings"
    ]


@pytest.mark.parametrize("chosen", [Settings(), Settings(level=3, placeholders=("なし", "—"))])
def test_a_set_of_this_version_is_sound_for_a_version_with_more_settings_and_other_defaults(
    bakery: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: Settings
) -> None:
    built = hayami.build([bakery], tmp_path / "set", chosen)
    monkeypatch.setattr(settings_module, "Settings", LaterSettings)
    monkeypatch.setattr(checking, "Settings", LaterSettings, raising=False)
    assert hayami.check(built.folder) == []


def test_a_setting_that_a_later_version_adds_leaves_the_hash_of_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = Settings(threshold=0.7).digest()
    monkeypatch.setattr(settings_module, "Settings", LaterSettings)
    assert LaterSettings(threshold=0.7).digest() == before


def test_the_settings_that_are_listed_as_changed_are_those_of_the_hash(
    bakery: Path, tmp_path: Path
) -> None:
    built = hayami.build([bakery], tmp_path / "set", Settings(threshold=0.7, lead=True))
    assert built.manifest.changed_settings == ("threshold", "lead")
    path = built.folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["changed_settings"] = ["threshold"]
    path.write_text(json.dumps(manifest), encoding="utf-8")
    assert [fault.what for fault in hayami.check(built.folder)] == [
        "settings_sha256 is not the hash of the changed settings"
    ]
