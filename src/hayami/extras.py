"""What a command needs beyond a plain installation, asked for before anything of it is imported."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping

from hayami.errors import ExtraError


def need(packages: Mapping[str, str], command: str) -> None:
    """Returns if all ``packages`` are installed.

    Args:
        packages: the name under which each is installed by the name of its module.
        command: what installs them.

    Raises:
        ExtraError: something is missing; it names what, and the hint is ``command``.
    """
    missing = [
        name for module, name in packages.items() if importlib.util.find_spec(module) is None
    ]
    if missing:
        raise ExtraError(f"not installed: {', '.join(missing)}", hint=command)
