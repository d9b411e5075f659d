"""Records in files of JSON lines: no reader trips over them, and errors name file and line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import jsonlines
from pydantic import ValidationError

from hayami.errors import EvalSetError, HayamiError
from hayami.evalset.records import Record
from hayami.text.fold import escape_line_separators

R = TypeVar("R", bound=Record)


def record_line(record: Record) -> str:
    """A record as one line of JSON without its line end; U+2028, U+2029 and U+0085 are escaped."""
    return escape_line_separators(record.model_dump_json())


def write_lines(records: Iterable[Record]) -> bytes:
    """Records as the bytes of a JSONL file."""
    return "".join(record_line(record) + "\n" for record in records).encode()


def first_fault(error: ValidationError) -> str:
    """The first thing that pydantic found wrong, with the field it is about."""
    fault = error.errors()[0]
    return f"{'.'.join(map(str, fault['loc'])) or 'record'}: {fault['msg']}"


def read_records(
    path: Path,
    kind: type[R],
    *,
    error: type[HayamiError] = EvalSetError,
    hint: str = "Build the set again.",
) -> Iterator[R]:
    """The records of a JSONL file, one at a time.

    Args:
        path: the file; ``kind`` is what each of its lines is.
        kind: the record.
        error: what to raise, with ``hint``, for a line that is no such record.
        hint: what the user can do about a faulty line.

    Raises:
        HayamiError: of the kind ``error``: a line is no such record; ``where`` names file and line.
    """
    lines = _CountedLines()
    try:
        with path.open("rb") as file, jsonlines.Reader(lines.of(file)) as reader:
            while True:
                try:
                    yield kind.model_validate(reader.read(type=dict, skip_empty=True))
                except EOFError:
                    return
    except ValidationError as fault:
        raise error(first_fault(fault), where=f"{path}:{lines.number}", hint=hint) from fault
    except jsonlines.InvalidLineError as fault:
        what = str(fault).split(" (line")[0]
        raise error(what, where=f"{path}:{fault.lineno}", hint=hint) from fault
    except RecursionError as fault:
        raise error("nested beyond reason", where=f"{path}:{lines.number}", hint=hint) from fault
    except OSError as fault:
        raise error(fault.strerror or str(fault), where=str(path), hint=hint) from fault


class _CountedLines:
    """The number of the line that is being read."""

    number = 0

    def of(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines, counted as they are read."""
        for self.number, line in enumerate(lines, 1):
            yield line
