from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

import hayami
from hayami.evalset.folder import EvalSet

Build = Callable[..., EvalSet]
Page = tuple[Sequence[Sequence[str]], Sequence[str]]


@pytest.fixture
def build(tmp_path: Path, make_article: Callable[..., str]) -> Build:
    """Builds a set out of pages, given by name as (rows, sections).

    ``texts`` replaces words in all of them.
    """

    def built(
        name: str,
        pages: Mapping[str, Page],
        texts: Mapping[str, str] | None = None,
        lang: str = "ja",
    ) -> EvalSet:
        for page, (rows, sections) in pages.items():
            text = make_article(f"{page}の話", rows, sections, lang=lang)
            for old, new in (texts or {}).items():
                text = text.replace(old, new)
            path = tmp_path / name / "in" / f"{page}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        folder = tmp_path / name / "set"
        hayami.build(
            [tmp_path / name / "in"], folder, hayami.Settings(duplicates=hayami.Duplicates.KEEP)
        )
        return hayami.load(folder)

    return built
