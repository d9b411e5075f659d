"""The loaders of other tools, from their own packages and without what they need for other things.

Run ``pytest tests/interop -rs``. Before that, in an environment of its own::

    pip install --no-deps beir mteb autorag ragas llama-index-finetuning
    pip install --editable '.[dev]' llama-index-core polars ranx trectools

A loader that is not there is skipped, and says so. What a package needs only for other things is
stood in for.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from pydantic_core import core_schema

FAMILIES = {"autorag", "beir", "llama_index", "mteb", "ragas"}
"""The packages that are loaded with stand-ins, and go again after each test."""
MOST = 200
"""Packages that a loader may miss before the test gives up."""


class Anything:
    """Stands for a class, a function, a decorator or a value of a package that is not there."""

    def __init__(self, *_: object, **__: object) -> None:
        """Takes anything."""

    def __call__(self, *values: object, **_: object) -> object:
        return values[0] if len(values) == 1 and callable(values[0]) else Anything()

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __class_getitem__(cls, _: object) -> object:
        return cls

    @classmethod
    def __get_pydantic_core_schema__(
        cls, _source: object, _handler: object
    ) -> core_schema.CoreSchema:
        return core_schema.any_schema()


class StandIn(types.ModuleType):
    """A package that is not installed and is not needed to load a file: every name is in it."""

    __path__: list[str] = []  # noqa: RUF012 - what makes a module a package

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (Anything,), {"__module__": self.__name__})
        setattr(self, name, made)
        return made


class StandInFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds stand-ins for packages that are not installed, and for what is in them."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if any(fullname == name or fullname.startswith(f"{name}.") for name in self.names):
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return StandIn(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing: a stand-in is empty."""


def _is_there(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:  # what it is a part of is not there either
        return False


@pytest.fixture
def load() -> Iterator[Callable[[str, str], types.ModuleType]]:
    """Imports a module of a package.

    What that package misses is stood in for, and goes again afterwards.
    """
    finder = StandInFinder()
    with contextlib.suppress(ImportError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        importlib.import_module(
            "llama_index.core"
        )  # it asks for packages that it can do without: no stand-ins here
    before = set(sys.modules)
    sys.meta_path.append(finder)

    def import_module(package: str, module: str) -> types.ModuleType:
        if not _is_there(package):
            pytest.skip(f"{package} is not installed: its loader was NOT tried")
        for _ in range(MOST):
            for name in [
                n
                for n in sys.modules
                if n not in before and n.split(".")[0] in FAMILIES | finder.names
            ]:
                del sys.modules[name]  # what was loaded half is loaded again from its beginning
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    return importlib.import_module(module)
            except ModuleNotFoundError as error:
                if (
                    error.name is None
                    or error.name in finder.names
                    or module.startswith(error.name)
                ):
                    raise
                finder.names.add(error.name)
        pytest.fail(f"{module} misses more than {MOST} packages")

    yield import_module
    sys.meta_path.remove(finder)
    for name in set(sys.modules) - before:
        if isinstance(sys.modules[name], StandIn) or name.split(".")[0] in FAMILIES:
            del sys.modules[name]


def _shared() -> types.ModuleType:
    """The sets of the export tests."""
    path = Path(__file__).parent.parent / "export" / "conftest.py"
    spec = importlib.util.spec_from_file_location("hayami_export_conftest", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where a dataclass looks itself up
    spec.loader.exec_module(module)
    return module


_EXPORTS = _shared()
graded = _EXPORTS.graded
targets = _EXPORTS.targets
records = _EXPORTS.records
export = _EXPORTS.export
wild = _EXPORTS.wild
small = _EXPORTS.small
source = _EXPORTS.source
truth = _EXPORTS.truth
