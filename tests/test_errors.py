from __future__ import annotations

import copy
import pickle

import pytest

import hayami
from hayami.errors import HayamiError


def tree(kind: type[HayamiError]) -> list[type[HayamiError]]:
    return [kind, *(deeper for child in kind.__subclasses__() for deeper in tree(child))]


KINDS = tree(HayamiError)


def through_a_pipe(error: HayamiError) -> object:
    """The error as a worker process sends it."""
    return pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes


every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def test_the_tree_has_an_error_for_each_thing_that_hayami_is_given() -> None:
    assert {kind.__name__ for kind in KINDS} == {
        "HayamiError",
        "SourceError",
        "SettingsError",
        "OutputError",
        "EvalSetError",
        "AccountingError",
        "VerdictError",
        "SheetError",
        "RunError",
        "MeasureError",
        "QrelsError",
        "ExtraError",
        "QuestionsError",
        "AllocationError",
        "WordsError",
    }


@every_kind
def test_an_error_is_part_of_the_public_interface(kind: type[HayamiError]) -> None:
    assert getattr(hayami, kind.__name__) is kind


@every_kind
def test_an_error_says_where_and_what_on_one_line(kind: type[HayamiError]) -> None:
    assert (
        str(kind("見出しがない", where="記事/a.html:3", hint="見出しを書く。"))
        == "記事/a.html:3: 見出しがない"
    )


@every_kind
def test_an_error_without_a_place_says_only_what(kind: type[HayamiError]) -> None:
    assert str(kind("no heading")) == "no heading"


@every_kind
def test_an_error_keeps_its_three_parts(kind: type[HayamiError]) -> None:
    error = kind("no heading", where="a.html", hint="Write one.")
    assert (error.what, error.where, error.hint) == ("no heading", "a.html", "Write one.")


@every_kind
def test_place_and_hint_are_empty_unless_given(kind: type[HayamiError]) -> None:
    error = kind("no heading")
    assert (error.where, error.hint) == ("", "")


@every_kind
def test_place_and_hint_are_given_by_name(kind: type[HayamiError]) -> None:
    with pytest.raises(TypeError):
        kind("no heading", "a.html", "Write one.")  # type: ignore[call-arg]


@every_kind
@pytest.mark.parametrize(
    "carry", [copy.copy, copy.deepcopy, through_a_pipe], ids=["copy", "deepcopy", "pickle"]
)
def test_an_error_survives_the_way_out_of_a_worker_process(
    kind: type[HayamiError], carry: object
) -> None:
    assert callable(carry)
    carried = carry(kind("no heading", where="a.html", hint="Write one."))
    assert type(carried) is kind
    assert (carried.what, carried.where, carried.hint) == ("no heading", "a.html", "Write one.")
    assert str(carried) == "a.html: no heading"


@every_kind
def test_one_except_clause_catches_every_error(kind: type[HayamiError]) -> None:
    with pytest.raises(HayamiError):
        raise kind("no heading")


@pytest.mark.parametrize(
    ("kind", "builtin"),
    [(hayami.SettingsError, ValueError), (hayami.EvalSetError, ValueError)],
)
def test_an_error_is_also_the_builtin_one_that_callers_expect(
    kind: type[HayamiError], builtin: type
) -> None:
    assert issubclass(kind, builtin)


@every_kind
def test_no_part_of_an_error_stands_where_an_os_error_has_its_number_or_file(
    kind: type[HayamiError],
) -> None:
    error = kind("cannot write", where="sets/a", hint="Free some space.")
    assert getattr(error, "errno", None) is None
    assert getattr(error, "filename", None) is None
