"""What evaluating needs beyond a plain installation, asked for before anything is imported."""

from __future__ import annotations

from typing import Final

from hayami.extras import need

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
    need(_PACKAGES, "pip install 'hayami[eval]'")
