"""What some formats need beyond a plain installation, asked for before anything is imported."""

from __future__ import annotations

from hayami.extras import need


def need_pyarrow() -> None:
    """Returns if Parquet can be written.

    Raises:
        ExtraError: pyarrow is not installed.
    """
    need({"pyarrow": "pyarrow"}, "pip install 'hayami[formats]'")


def need_ir_datasets() -> None:
    """Returns if a set can be registered with ir_datasets.

    Raises:
        ExtraError: ir_datasets is not installed.
    """
    need({"ir_datasets": "ir_datasets"}, "pip install ir-datasets")
