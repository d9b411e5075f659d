from __future__ import annotations

from pathlib import Path

import pytest

from hayami.errors import OutputError, RunError, SheetError
from hayami.evalset.jsonl import read_records, write_lines
from hayami.evalset.outputs import replace_file
from hayami.evalset.records import Candidate

ONE = Candidate(article="tea", section=None, heading="茶\u2028葉", score=0.5)


def test_records_come_back_as_they_were_written(tmp_path: Path) -> None:
    replace_file(tmp_path / "a.jsonl", write_lines([ONE, ONE]))
    assert list(read_records(tmp_path / "a.jsonl", Candidate)) == [ONE, ONE]
    assert (tmp_path / "a.jsonl").read_text(encoding="utf-8").count("\n") == 2


def test_a_faulty_line_is_an_error_of_the_kind_that_the_reader_wants(tmp_path: Path) -> None:
    replace_file(tmp_path / "a.jsonl", write_lines([ONE]) + b'\n{"article": 1}\n')
    with pytest.raises(SheetError) as error:
        list(read_records(tmp_path / "a.jsonl", Candidate, error=SheetError, hint="Mend it."))
    assert (error.value.where, error.value.hint) == (f"{tmp_path / 'a.jsonl'}:3", "Mend it.")


def test_a_file_is_replaced_with_the_folders_that_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "a.txt"
    replace_file(path, b"one,a\n")
    replace_file(path, b"one,a\n1,2\n")
    assert [p.read_bytes() for p in path.parent.iterdir()] == [b"one,a\n1,2\n"]


def test_what_the_system_refuses_is_one_line_of_the_kind_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"kept")
    for kind in (OutputError, RunError):
        with pytest.raises(kind) as error:
            replace_file(tmp_path / "file" / "a.txt", b"x", error=kind, hint="Elsewhere.")
        assert (error.value.where, error.value.hint) == (
            str(tmp_path / "file" / "a.txt"),
            "Elsewhere.",
        )
        assert error.value.what.startswith("cannot write: ")
    assert (tmp_path / "file").read_bytes() == b"kept"


def test_a_folder_in_the_place_of_the_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.txt" / "inner").mkdir(parents=True)
    with pytest.raises(OutputError):
        replace_file(tmp_path / "a.txt", b"x")
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
