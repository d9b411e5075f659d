from __future__ import annotations

from rich.cells import cell_len

from hayami.report.columns import aligned


def test_the_table_stands_in_columns_also_with_wide_characters() -> None:
    told = aligned([("日本語", "1"), ("abc", "20"), ("한국어어", "300")], right={1})
    assert told == ["日本語      1", "abc        20", "한국어어  300"]
    assert len({cell_len(line) for line in told}) == 1


def test_no_line_ends_in_blanks() -> None:
    assert aligned([("a", ""), ("bb", "c")]) == ["a", "bb  c"]
