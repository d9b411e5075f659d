from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hayami
from hayami.errors import EvalSetError, RunError
from hayami.evalset.folder import EvalSet
from hayami.evalset.runs import read_run, write_run
from hayami.evaluate.baselines import SET_UPS
from hayami.evaluate.card import mismatch, read_card, write_card
from hayami.evaluate.produce import Program, find_set_up, produce
from hayami.evaluate.retrieval import Terms, search


def test_a_run_reads_back_in_the_order_of_the_search(bakery_set: Path, tmp_path: Path) -> None:
    evalset = hayami.load(bakery_set)
    card = produce(evalset, SET_UPS[1], tmp_path, Terms(top=2))
    run = read_run(tmp_path / card.run)
    found = search(evalset, SET_UPS[1], Terms(top=2)).rankings
    assert run.name == "bm25_23"
    assert {qid: run.ranking(qid) for qid in found} == {
        qid: list(ranked) for qid, ranked in found.items()
    }


def test_the_card_beside_a_run_reads_back(bakery_set: Path, tmp_path: Path) -> None:
    card = produce(hayami.load(bakery_set), SET_UPS[0], tmp_path, Terms())
    assert read_card(tmp_path / "bm25_2.run") == card
    assert read_card(tmp_path / "other.run") is None


def test_a_damaged_card_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.run.json").write_text("{}", encoding="utf-8")
    with pytest.raises(RunError, match="run: Field required"):
        read_card(tmp_path / "x.run")


Edit = Callable[[str, str, str], EvalSet]


@pytest.fixture
def copy(bakery_set: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bakery_set, tmp_path / "copy"))


@pytest.fixture
def edit(copy: Path, sealed: Callable[[Path], None]) -> Edit:
    """Replaces a text in a file of the copied set."""

    def replace(name: str, old: str, new: str) -> EvalSet:
        text = (copy / name).read_text(encoding="utf-8")
        assert old in text
        (copy / name).write_text(text.replace(old, new), encoding="utf-8")
        sealed(copy)
        return hayami.load(copy)

    return replace


def test_a_run_fits_the_set_that_it_was_made_for(copy: Path, tmp_path: Path) -> None:
    produce(hayami.load(copy), SET_UPS[0], tmp_path, Terms())
    run = tmp_path / "bm25_2.run"
    assert mismatch(run, hayami.load(copy)) is None
    assert mismatch(tmp_path / "other.run", hayami.load(copy)) is None


def test_what_people_said_of_labels_makes_no_run_stale(
    copy: Path, tmp_path: Path, edit: Edit
) -> None:
    produce(hayami.load(copy), SET_UPS[0], tmp_path, Terms())
    edit("evalset.jsonl", '"match":"exact"', '"match":"manual"')
    changed = edit("qrels.txt", " 1\n", " 2\n")
    assert mismatch(tmp_path / "bm25_2.run", changed) is None


@pytest.mark.parametrize(
    "case",
    [("corpus.jsonl", "発酵", "醗酵"), ("evalset.jsonl", "膨らまないとき", "膨らまない時")],
)
def test_another_corpus_or_question_does_and_says_how_to_make_it_anew(
    case: tuple[str, str, str], copy: Path, tmp_path: Path, edit: Edit
) -> None:
    produce(hayami.load(copy), SET_UPS[1], tmp_path / "my runs", Terms(5, prefix_topic=True))
    found = mismatch(tmp_path / "my runs" / "bm25_23_topic.run", edit(*case))
    assert found is not None
    assert found.made_for != found.at_hand
    assert found.again == (
        f"hayami search {copy} --out '{tmp_path}/my runs' --retriever bm25_23 "
        "--fields heading,text --seed 0 --prefix-topic --top 5"
    )
    assert found.made_for[:12] in found.sentence
    assert found.at_hand[:12] in found.sentence


def test_the_command_of_a_program_is_made_again_with_its_name(copy: Path, tmp_path: Path) -> None:
    code = "import sys, json\nfor l in sys.stdin: print(json.loads(l)['qid'], 0, 'x', 1, 1, 't')"
    program = Program("mine", f'{sys.executable} -c "{code}"', 60)
    card = produce(hayami.load(copy), program, tmp_path, Terms(top=3))
    assert card.options.startswith("--command ")
    assert card.options.endswith(" --name mine --top 3")


def test_an_older_card_goes_by_the_hash_of_the_set(copy: Path, tmp_path: Path, edit: Edit) -> None:
    card = produce(hayami.load(copy), SET_UPS[0], tmp_path, Terms())
    older = card.model_copy(update={"searched_sha256": ""})
    write_card(tmp_path / "bm25_2.run", older)
    assert mismatch(tmp_path / "bm25_2.run", hayami.load(copy)) is None
    changed = edit("qrels.txt", " 1\n", " 2\n")
    assert mismatch(tmp_path / "bm25_2.run", changed) is not None


@pytest.mark.parametrize("name", ["corpus.jsonl", "evalset.jsonl", "qrels.txt"])
def test_the_hash_of_a_set_is_that_of_what_is_measured_with(
    name: str, bakery_set: Path, tmp_path: Path
) -> None:
    before = hayami.load(bakery_set).sha256
    copy = Path(shutil.copytree(bakery_set, tmp_path / "copy"))
    (copy / "rejected.jsonl").write_bytes(b"")
    assert hayami.load(copy).sha256 == before
    with (copy / name).open("ab") as file:
        file.write(b"\n")
    assert hayami.load(copy).sha256 != before
    (copy / name).unlink()
    with pytest.raises(EvalSetError, match="No such file"):
        _ = hayami.load(copy).sha256


def test_a_program_makes_a_run_of_its_name(bakery_set: Path, tmp_path: Path) -> None:
    program = Program("mine", f"{sys.executable} -c \"print('q1 Q0 a 1 1 x')\"")
    card = produce(hayami.load(bakery_set), program, tmp_path, Terms())
    assert (card.run, card.answered, card.unknown, card.packages) == ("mine.run", 1, 1, {})
    assert (tmp_path / "mine.run").read_text(encoding="utf-8") == "q1 Q0 a 1 1 mine\n"
    assert (
        json.loads((tmp_path / "mine.run.json").read_text(encoding="utf-8"))["meaning"]
        == program.command
    )


def test_a_name_finds_its_baseline() -> None:
    assert [find_set_up(one.name) for one in SET_UPS] == list(SET_UPS)
    assert find_set_up("command") is None


scores = st.floats(-1e6, 1e6, allow_nan=False) | st.sampled_from(
    [0.0, 1.0, 1.0 + 2**-24, -0.0, 1e-40, 1e39, -1e39]
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from([f"d#{n}" for n in range(30)]), scores, min_size=1))
def test_what_is_written_falls_strictly_also_in_32_bits(
    tmp_path_factory: pytest.TempPathFactory, ranked: dict[str, float]
) -> None:
    path = tmp_path_factory.mktemp("runs") / "x.run"
    write_run(path, "a b", {"q1": ranked, "q2": {}})
    lines = [line.split(" ") for line in path.read_text(encoding="utf-8").splitlines()]
    order = sorted(ranked, key=lambda section: (ranked[section], section), reverse=True)
    assert [line[2] for line in lines] == order
    assert [line[3] for line in lines] == [str(rank) for rank in range(1, len(ranked) + 1)]
    assert {line[5] for line in lines} == {"a_b"}
    written = np.array([float(line[4]) for line in lines]).astype(np.float32)
    assert (written[1:] < written[:-1]).all()
