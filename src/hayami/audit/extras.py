"""The packages of the extra ``review``: loaded where they are needed, and named where they are missing."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Final

from hayami.errors import ExtraError

HINT: Final = "pip install 'hayami[review]'"


def load(name: str) -> ModuleType:
    """The module ``name`` of a package that only the extra ``review`` installs.

    Raises:
        ExtraError: it is not installed; the hint is the command that installs it.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != package:
            raise  # the package is there but damaged: not to be taken for a missing one
        raise ExtraError(
            f"needs {package}, which is not installed", where="hayami audit", hint=HINT
        ) from error
