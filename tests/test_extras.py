from __future__ import annotations

import pytest

from hayami.errors import ExtraError
from hayami.extras import need


def test_what_is_installed_is_not_worth_a_word() -> None:
    need({"json": "json", "pytest": "pytest"}, "pip install nothing")


def test_what_is_missing_is_named_as_it_is_installed_with_the_command() -> None:
    with pytest.raises(ExtraError) as error:
        need(
            {"json": "json", "no_such_module": "no-such-package", "nor_this": "nor-this"},
            "pip install 'x[y]'",
        )
    assert (error.value.what, error.value.hint) == (
        "not installed: no-such-package, nor-this",
        "pip install 'x[y]'",
    )
