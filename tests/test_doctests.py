"""The examples in the docstrings are so."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import hayami

EXAMPLES = ["report.kit", "text.numbering"]
"""Modules that have some: were none found anywhere, nothing would fail."""
MODULES = [info.name for info in pkgutil.walk_packages(hayami.__path__, "hayami.")]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_in_docstrings_are_so(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    tried = [doctest.testmod(importlib.import_module(f"hayami.{name}")) for name in EXAMPLES]
    assert all(found.attempted for found in tried)
