"""What a command needs beyond a plain installation, asked for before anything of it is imported.

The packages of each extra stand here once, as ``pyproject.toml`` has them.

>>> need(FORMATS)  # doctest: +SKIP
Traceback (most recent call last):
hayami.errors.ExtraError: not installed: pyarrow
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Final

from hayami.errors import ExtraError


@dataclass(frozen=True, slots=True)
class Extra:
    """Packages that are installed together, for one kind of work."""

    command: str
    """What installs them."""
    packages: Mapping[str, str]
    """The name under which each is installed, by the name of its module."""


REVIEW: Final = Extra(
    "pip install 'hayami[review]'",
    {
        "jinja2": "jinja2",
        "matplotlib": "matplotlib",
        "starlette": "starlette",
        "statsmodels": "statsmodels",
        "uvicorn": "uvicorn",
    },
)
"""Judging labels, and the report on them."""
EVAL: Final = Extra(
    "pip install 'hayami[eval]'",
    {
        "ir_measures": "ir-measures",
        "jinja2": "jinja2",
        "matplotlib": "matplotlib",
        "numpy": "numpy",
        "sklearn": "scikit-learn",
        "scipy": "scipy",
    },
)
"""Measuring runs, and the reports on them."""
MARKDOWN: Final = Extra(
    "pip install 'hayami[markdown]'",
    {"markdown_it": "markdown-it-py", "mdit_py_plugins": "mdit-py-plugins", "yaml": "pyyaml"},
)
"""Articles that are Markdown."""
FORMATS: Final = Extra("pip install 'hayami[formats]'", {"pyarrow": "pyarrow"})
"""Exports that are written as Parquet."""
IR_DATASETS: Final = Extra("pip install ir-datasets", {"ir_datasets": "ir-datasets"})
"""Registering an export with ir_datasets; no extra of hayami, since only that package asks for
it."""


def need(extra: Extra, *modules: str) -> None:
    """Returns if the packages of an extra are installed: all, or those named by their ``modules``.

    Raises:
        ExtraError: something is missing; it names what, and the hint is the command that installs
            it.
    """
    missing = [
        extra.packages.get(module, module)
        for module in modules or extra.packages
        if importlib.util.find_spec(module) is None
    ]
    if missing:
        raise ExtraError(f"not installed: {', '.join(missing)}", hint=extra.command)


def load_module(extra: Extra, name: str) -> ModuleType:
    """The module ``name`` of a package that comes with an extra, imported now.

    A package that is there but damaged raises what it raises: it is not to be taken for a missing
    one.

    Raises:
        ExtraError: the package is not installed; the hint is the command that installs it.
    """
    need(extra, name.partition(".")[0])
    return importlib.import_module(name)
