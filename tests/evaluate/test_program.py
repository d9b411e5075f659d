from __future__ import annotations

import shlex
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from hayami.errors import RunError
from hayami.evaluate.program import run_program
from hayami.evaluate.retrieval import AskedQuery, Rankings

ASKED = [AskedQuery("q1", "ポート番号"), AskedQuery("q2", "二\u2028行")]
Search = Callable[..., Rankings]


@pytest.fixture
def search(tmp_path: Path) -> Search:
    """Runs a Python program as a retriever."""

    def run(code: str, *, top: int = 100, timeout: float = 30.0) -> Rankings:
        script = tmp_path / "検索 program.py"
        script.write_text(textwrap.dedent(code), encoding="utf-8")
        return run_program(
            shlex.join([sys.executable, str(script)]), ASKED, tmp_path, top=top, timeout=timeout
        )

    return run


def test_a_program_reads_queries_and_writes_one_line_of_json_for_each(search: Search) -> None:
    found = search("""
        import json, sys
        for line in sys.stdin:
            query = json.loads(line)
            found = ["b#1", f"a#{len(query['query'])}"]
            print(json.dumps({"qid": query["qid"], "docids": found, "took": 3}))
    """)
    assert found == {"q1": {"b#1": 1.0, "a#5": 0.5}, "q2": {"b#1": 1.0, "a#3": 0.5}}
    assert list(found["q1"]) == ["b#1", "a#5"]


def test_a_program_may_write_a_line_for_each_result(search: Search) -> None:
    found = search("""
        print('{"qid": "q2", "docid": "a#1", "score": 1}')
        print('{"qid": "q2", "docid": "b#1", "score": 1.0}\\r\\n')
        print('{"qid": "q2", "docid": "c#1", "score": -3}')
    """)
    assert list(found) == ["q1", "q2"]
    assert list(found["q2"].items()) == [("b#1", 1.0), ("a#1", 1.0), ("c#1", -3.0)]


def test_a_program_may_write_a_trec_run(search: Search) -> None:
    found = search('print("q1 Q0 a#1 2 0.5 tag\\nq1 Q0 b#1 1 7e2 tag")')
    assert list(found["q1"].items()) == [("b#1", 700.0), ("a#1", 0.5)]


def test_no_more_results_are_taken_than_asked_for(search: Search) -> None:
    found = search('print(\'{"qid": "q1", "docids": ["a", "b", "c"]}\')', top=2)
    assert list(found["q1"]) == ["a", "b"]


def test_a_program_finds_the_corpus_in_its_environment(search: Search, tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text("here", encoding="utf-8")
    found = search("""
        import os
        text = open(os.environ["HAYAMI_CORPUS"], encoding="utf-8").read()
        print("q1 Q0", text + os.environ["HAYAMI_TOP"], "1 1 tag")
    """)
    assert list(found["q1"]) == ["here100"]


def test_a_program_need_not_read_its_queries(search: Search) -> None:
    assert search('import sys; sys.stdin.close(); print("q1 Q0 a 1 1 t")')["q1"] == {"a": 1.0}


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("import sys; sys.exit('no index here')", "failed with exit code 1: no index here"),
        ("raise KeyError('index')", "failed with exit code 1: KeyError: 'index'"),
        ("import os; os._exit(4)", "failed with exit code 4, and said nothing on stderr"),
        ("pass", "found nothing for any query"),
        ('print(\'{"qid": "q1", "docids": []}\')', "found nothing for any query"),
        ("print('loading model')", "stdout:1: no result: 'loading model'"),
        ("print('q1 Q0 a 1 high tag')", "stdout:1: score 'high' is no number"),
        ("print('q1 Q0 a 1 nan tag')", "stdout:1: score nan is no number"),
        ("print('q1 Q0 a 1 inf tag')", "stdout:1: score inf is no number"),
        ("print('q9 Q0 a 1 1 tag')", "stdout:1: 'q9' is no query of the set"),
        ("print('q1 Q0 a 1 2 tag\\nq1 Q0 a 2 1 tag')", "stdout:2: a stands twice for q1"),
        ('print(\'{"qid": "q1"}\')', "stdout:1: neither docid and score nor docids"),
        ('print(\'{"qid": "q1", "docid": "a"}\')', "stdout:1: neither docid and score nor docids"),
        (
            'print(\'{"qid": "q1", "docids": ["a b"]}\')',
            "stdout:1: section id 'a b' is empty or holds white space",
        ),
        ('print(\'{"qid": 1, "docids": []}\')', "stdout:1: qid: Input should be a valid string"),
        ("print('{\"qid\": ')", "stdout:1: record: Invalid JSON"),
        ("import sys; sys.stdout.buffer.write(b'\\xff')", "not UTF-8"),
    ],
)
def test_what_a_program_does_wrong_is_said_in_one_line(
    code: str, what: str, search: Search
) -> None:
    with pytest.raises(RunError) as raised:
        search(code)
    assert what in str(raised.value)
    assert "\n" not in str(raised.value)
    assert raised.value.hint


def test_a_program_that_hangs_is_ended_with_all_that_it_started(
    search: Search, tmp_path: Path
) -> None:
    with pytest.raises(RunError, match=r"has not finished after 1 seconds"):
        search(
            f"""
            import subprocess, sys
            code = "import time; time.sleep(3); open({str(tmp_path / "late")!r}, 'w')"
            subprocess.run([sys.executable, "-c", code])
            """,
            timeout=1,
        )
    with pytest.raises(
        RunError, match="has not finished"
    ):  # its pipes stay open, though it is gone itself
        search("import os, time\nif os.fork() == 0: time.sleep(30)", timeout=0.5)
    assert not (tmp_path / "late").exists()


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("/no/such/program --x", "cannot be started: No such file or directory"),
        ("'open", "not a command: No closing quotation"),
        ("  ", "not a command: it is empty"),
    ],
)
def test_what_is_no_program_is_said_in_one_line(command: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=what):
        run_program(command, ASKED, tmp_path, top=5)
