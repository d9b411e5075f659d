from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

HIDE = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {{{names!r}}}:
            raise ModuleNotFoundError(name)
        return None
sys.meta_path.insert(0, Hidden())
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in {{{names!r}}} else found(name, package)
"""  # noqa: E501


@pytest.mark.parametrize("name", ["hf", "autorag"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    process: Callable[..., CompletedProcess[str]], bakery_set: Path, tmp_path: Path, name: str
) -> None:
    ran = process(
        "export", name, bakery_set, "--out", tmp_path / "out", code=HIDE.format(names="pyarrow")
    )
    assert ran.returncode == 1
    assert ran.stderr == "hayami: not installed: pyarrow\n  hint: pip install 'hayami[formats]'\n"
    assert not (tmp_path / "out").exists()


def test_formats_of_text_need_nothing_more(
    process: Callable[..., CompletedProcess[str]], bakery_set: Path, tmp_path: Path
) -> None:
    ran = process(
        "export", "beir", bakery_set, "--out", tmp_path / "out", code=HIDE.format(names="pyarrow")
    )
    assert ran.returncode == 0, ran.stderr
