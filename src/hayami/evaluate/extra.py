"""What evaluating needs beyond a plain installation, asked for before anything is imported."""

from __future__ import annotations

import importlib.util
from typing import Final

from hayami.errors import ExtraError

_PACKAGES: Final = {
    "numpy": "numpy",
    "scipy": "scipy",
    "sklearn": "scikit-learn",
    "ir_measures": "ir-measures",
    "matplotlib": "matplotlib",
    "jinja2": "jinja2",
}


def need_packages() -> None:
    """Returns if everything that evaluating needs is installed.

    Raises:
        ExtraError: something is missing; it names what, and the command that installs it.
    """
    missing = [name for module, name in _PACKAGES.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise ExtraError(f"not installed: {', '.join(missing)}", hint="pip install 'hayami[eval]'")
