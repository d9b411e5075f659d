"""hayami builds retrieval evaluation sets out of the quick-reference tables of articles.

>>> import hayami
>>> built = hayami.build(["data/articles"], "out/sample")  # doctest: +SKIP
>>> evalset = hayami.load("out/sample")  # doctest: +SKIP
>>> next(evalset.queries()).query  # doctest: +SKIP

Names are loaded when they are first asked for: what only reads a set never loads what builds one.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hayami.errors import (
        AccountingError,
        AllocationError,
        EvalSetError,
        ExtraError,
        HayamiError,
        MeasureError,
        OutputError,
        QrelsError,
        QuestionsError,
        RunError,
        SettingsError,
        SheetError,
        SourceError,
        VerdictError,
        WordsError,
    )
    from hayami.evalset.check import Fault, check
    from hayami.evalset.folder import EvalSet, load
    from hayami.evalset.records import (
        Accounting,
        Applied,
        Article,
        Candidate,
        Counts,
        Detector,
        Flag,
        Grade,
        ImportedFile,
        Manifest,
        Match,
        Origin,
        Query,
        Reason,
        Rejection,
        Ruling,
        Section,
        Target,
        VerdictCounts,
    )
    from hayami.making.build import Built, build, read_article
    from hayami.settings import Detect, Duplicates, Settings, read_settings
    from hayami.verdicts.effect import Stale
    from hayami.verdicts.log import Verdict, read_verdicts
    from hayami.verdicts.settle import Conflict, settle

__all__ = [
    "Accounting",
    "AccountingError",
    "AllocationError",
    "Applied",
    "Article",
    "Built",
    "Candidate",
    "Conflict",
    "Counts",
    "Detect",
    "Detector",
    "Duplicates",
    "EvalSet",
    "EvalSetError",
    "ExtraError",
    "Fault",
    "Flag",
    "Grade",
    "HayamiError",
    "ImportedFile",
    "Manifest",
    "Match",
    "MeasureError",
    "Origin",
    "OutputError",
    "QrelsError",
    "Query",
    "QuestionsError",
    "Reason",
    "Rejection",
    "Ruling",
    "RunError",
    "Section",
    "Settings",
    "SettingsError",
    "SheetError",
    "SourceError",
    "Stale",
    "Target",
    "Verdict",
    "VerdictCounts",
    "VerdictError",
    "WordsError",
    "build",
    "check",
    "load",
    "read_article",
    "read_settings",
    "read_verdicts",
    "settle",
]

_MODULES: Final = (
    "hayami.errors",
    "hayami.evalset.records",
    "hayami.evalset.folder",
    "hayami.settings",
    "hayami.evalset.check",
    "hayami.verdicts.log",
    "hayami.verdicts.settle",
    "hayami.verdicts.effect",
    "hayami.making.build",
)
"""Where the public names are defined; from light to heavy, as they are searched."""

if not TYPE_CHECKING:  # a type checker that saw it would take every name for a public one

    def __getattr__(name: str) -> object:
        """A public name, from the module that defines it (PEP 562); from then on it is here."""
        if name in __all__:
            for module in map(importlib.import_module, _MODULES):
                if hasattr(module, name):
                    return globals().setdefault(name, getattr(module, name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
