from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from hayami.errors import OutputError, RunError
from hayami.evalset.outputs import GENERATOR, SIGNATURE, kind_of, replace_file

PAGE = f"<!DOCTYPE html>\n<head>{GENERATOR}</head>".encode()
RUN = b"q1 Q0 a#0 1 0.5 bm25\n"
KINDS = {
    "page": PAGE,
    "text": b"# Search measured\n\nwith hayami\n" + SIGNATURE,
    "run": RUN,
    "table": b"run,qid,query,RR\nbm25,q1,x,1\n",
    "baseline": b'{\n  "format": 1,\n  "hayami": "0.1.0",\n  "run": "bm25"\n}\n',
    "manifest": b'{\n  "hayami": "0.1.0",\n  "format": 1,\n  "created": "x"\n}\n',
    "verdicts": b'{"row":{"article":"a","question":"x"},"judge":"b"}\n',
    "page of another tool": b"<!DOCTYPE html>\n<p>mine</p>\n",
    "notes": b"# Notes\n\nby hand\n",
    "mail": b"Dear all\n",
}
OWN = ("page", "text", "run", "table", "baseline")


@pytest.mark.parametrize("there", KINDS)
@pytest.mark.parametrize("new", OWN)
def test_a_file_is_written_over_its_own_kind_alone(tmp_path: Path, there: str, new: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(KINDS[there])
    data = KINDS[new].removesuffix(SIGNATURE)
    if there == new:
        replace_file(path, data)
        assert path.read_bytes() == KINDS[new]
        return
    with pytest.raises(RunError, match="holds something else") as caught:
        replace_file(path, data, error=RunError)
    assert path.read_bytes() == KINDS[there]
    assert "--force" in caught.value.hint
    replace_file(path, data, force=True)
    assert path.read_bytes() == KINDS[new]


def test_markdown_is_written_over_whatever_its_title_is(tmp_path: Path) -> None:
    for title in ("# a against b\n", "## c against d\n"):
        replace_file(tmp_path / "r.md", title.encode())
        assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith(title)


def test_an_empty_file_is_no_loss(tmp_path: Path) -> None:
    (tmp_path / "r.html").touch()
    replace_file(tmp_path / "r.html", PAGE)
    assert (tmp_path / "r.html").read_bytes() == PAGE


def test_a_run_whose_query_is_a_number_sign_is_no_markdown(tmp_path: Path) -> None:
    line = b"# Q0 a#0 1 0.5 bm25\n"
    replace_file(tmp_path / "a.run", line)
    assert (tmp_path / "a.run").read_bytes() == line
    assert kind_of(line) == "run"


@pytest.mark.skipif(sys.platform == "win32", reason="files have no modes of this kind here")
def test_a_file_keeps_the_mode_of_the_one_it_replaces(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    replace_file(path, RUN)
    (tmp_path / "plain").touch()
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode
    path.chmod(0o600)
    replace_file(path, RUN)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_lies_where_a_file_is_made_aside_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"kept")
    monkeypatch.setattr("hayami.evalset.outputs.token_hex", lambda _: "0")
    (tmp_path / ".a.run.0").symlink_to(victim)
    with pytest.raises(OutputError, match="cannot write"):
        replace_file(tmp_path / "a.run", RUN)
    assert victim.read_bytes() == b"kept"
    assert not (tmp_path / "a.run").exists()
