"""What some formats need beyond a plain installation, asked for before anything is imported."""

from __future__ import annotations

import importlib.util

from hayami.errors import ExtraError


def need_pyarrow() -> None:
    """Returns if Parquet can be written.

    Raises:
        ExtraError: pyarrow is not installed.
    """
    _need("pyarrow", "pip install 'hayami[formats]'")


def need_ir_datasets() -> None:
    """Returns if a set can be registered with ir_datasets.

    Raises:
        ExtraError: ir_datasets is not installed.
    """
    _need("ir_datasets", "pip install ir-datasets")


def _need(module: str, command: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise ExtraError(f"not installed: {module}", hint=command)
