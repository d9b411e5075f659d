"""The one error tree: what went wrong, where, and what to do next."""

from __future__ import annotations

from typing import Self


class HayamiError(Exception):
    """A problem in what hayami was given, in one line that a user can act on.

    Attributes:
        what: the problem, one line without a full stop.
        where: the file, folder or ``file:line`` it was found at; may be empty.
        hint: what to do next, one sentence; may be empty.
    """

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(what, where, hint)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what

    def __reduce__(self) -> tuple[object, tuple[type[Self], str, str, str]]:
        return _again, (type(self), self.what, self.where, self.hint)


def _again(kind: type[HayamiError], what: str, where: str, hint: str) -> HayamiError:
    """The error again, on the other side of a process boundary."""
    return kind(what, where=where, hint=hint)


class SourceError(HayamiError):
    """The articles cannot be read as asked: no such folder, no HTML, two files under one id."""


class SettingsError(HayamiError, ValueError):
    """A settings file or value is not what hayami knows; ``where`` names file and line."""


class WordsError(HayamiError, ValueError):
    """A file of a language's words lacks a key, has a strange one, or a value of another kind."""


class OutputError(HayamiError):
    """The eval set cannot be written; what was there before is untouched."""


class EvalSetError(HayamiError, ValueError):
    """An eval set on disk is missing, damaged or of another version.

    ``where`` names file and line.
    """


class AccountingError(HayamiError):
    """Rows read and rows written differ: a fault in hayami itself.

    It is found before anything was put in place.
    """


class VerdictError(HayamiError, ValueError):
    """A file of verdicts is missing or damaged; ``where`` names file and line."""


class SheetError(HayamiError, ValueError):
    """A sheet of rows to judge is missing, damaged or filled in with nonsense.

    ``where`` names file and line.
    """


class RunError(HayamiError, ValueError):
    """A run file is missing or not what trec_eval reads; ``where`` names file and line."""


class MeasureError(HayamiError, ValueError):
    """A measure that nobody can compute: an unknown name or parameter, a k that is no depth."""


class QrelsError(HayamiError, ValueError):
    """A file of judgements is missing or not what evaluation tools read.

    ``where`` names file and line.
    """


class ExtraError(HayamiError, ImportError):
    """A command needs a package that is not installed.

    ``hint`` is the exact command that installs it.
    """


class QuestionsError(HayamiError, ValueError):
    """A file of questions is missing, damaged or of no form that is known.

    ``where`` says at which line.
    """


class AllocationError(HayamiError, ValueError):
    """The floor of every stratum together is more than the sample; the hint has the numbers."""
