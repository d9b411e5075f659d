"""hayami builds retrieval evaluation sets out of the quick-reference tables of articles.

>>> import hayami
>>> built = hayami.build(["data/articles"], "out/sample")  # doctest: +SKIP
>>> evalset = hayami.load("out/sample")  # doctest: +SKIP
>>> next(evalset.queries()).query  # doctest: +SKIP
"""

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
    "build",
    "check",
    "load",
    "read_article",
    "read_settings",
    "read_verdicts",
    "settle",
]
