"""hayami builds retrieval evaluation sets out of the quick-reference tables of articles.

>>> import hayami
>>> built = hayami.build(["data/articles"], "out/sample")  # doctest: +SKIP
>>> evalset = hayami.load("out/sample")  # doctest: +SKIP
>>> next(evalset.queries()).query  # doctest: +SKIP
"""

from hayami.build import Built, build, read_article
from hayami.errors import AccountingError, EvalSetError, HayamiError, OutputError, SettingsError, SourceError
from hayami.evalset import EvalSet, Fault, check, load
from hayami.records import (
    Accounting,
    Article,
    Candidate,
    Counts,
    Detector,
    Flag,
    Grade,
    Manifest,
    Match,
    Origin,
    Query,
    Reason,
    Rejection,
    Section,
    Target,
)
from hayami.settings import Detect, Duplicates, Settings, read_settings

__all__ = [
    "Accounting",
    "AccountingError",
    "Article",
    "Built",
    "Candidate",
    "Counts",
    "Detect",
    "Detector",
    "Duplicates",
    "EvalSet",
    "EvalSetError",
    "Fault",
    "Flag",
    "Grade",
    "HayamiError",
    "Manifest",
    "Match",
    "Origin",
    "OutputError",
    "Query",
    "Reason",
    "Rejection",
    "Section",
    "Settings",
    "SettingsError",
    "SourceError",
    "Target",
    "build",
    "check",
    "load",
    "read_article",
    "read_settings",
]
