"""The package's front.

Every public name is there when it is asked for, and nothing is loaded before.
"""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

import hayami

READING_OR_MATCHING = (
    "selectolax",
    "bs4",
    "rapidfuzz",
    "charset_normalizer",
    "hayami.extract",
    "hayami.label",
    "hayami.making",
)


def loaded_by(code: str) -> list[str]:
    """The packages of READING_OR_MATCHING that are loaded after some lines of Python."""
    told = f"print(*[name for name in {READING_OR_MATCHING!r} if name in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\n{told}"],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return ran.stdout.split()


@pytest.mark.parametrize(
    "code",
    [
        "import hayami",
        "import hayami.evalset.folder",
        "import hayami.evalset.disk, hayami.evalset.qids, hayami.evalset.runs",
        "import hayami; hayami.load, hayami.EvalSet, hayami.Query, hayami.check, hayami.Settings",
        "import hayami; hayami.read_verdicts, hayami.settle",
        "import hayami.cli",
        "import hayami.export",
    ],
)
def test_what_reads_a_set_does_not_load_what_builds_one(code: str) -> None:
    assert loaded_by(code) == []


def test_building_loads_what_it_needs() -> None:
    code = "import hayami; hayami.build; from hayami.extract.miners import miners; miners()"
    assert loaded_by(code) == list(READING_OR_MATCHING)


def test_a_public_name_is_the_thing_that_its_module_defines() -> None:
    from hayami.evalset.folder import load
    from hayami.making.build import build

    assert hayami.load is load
    assert hayami.build is build
    assert "build" in vars(hayami), "asked for once, it is there"


def test_every_public_name_is_listed_and_no_other_is_made_up() -> None:
    assert set(hayami.__all__) <= set(dir(hayami))
    with pytest.raises(AttributeError, match="has no attribute 'rapidfuzz'"):
        _ = getattr(hayami, "rapidfuzz")  # noqa: B009


def test_no_module_is_hidden_by_a_function_of_the_same_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(hayami.__path__)}
    assert modules & set(hayami.__all__) == set()


def test_python_runs_the_package() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "hayami", "--version"],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert ran.stdout.startswith("hayami ")
