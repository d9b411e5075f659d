"""The arrows and habits of the source.

Who may import whom, who may print, how long a function may be.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import hayami
from house import (
    arrows,
    circle,
    functions,
    names_twice,
    nodes,
    read_modules,
    room,
    rooms_of_hayami,
)

SOURCE = Path(hayami.__file__).parent
MODULES = read_modules(SOURCE)
ROOMS = {room(name) for name in MODULES}
MOST_ROOMS, MOST_ARROWS = 23, 85
"""What a reader can hold in mind; one more room or a few arrows more are a decision to be made
here."""
LARGE = {"extract/walk": {"run"}}
"""Functions over 300 nodes: the one loop over all nodes of a page, where each call is felt."""
every_module = pytest.mark.parametrize("name", MODULES)

GROUND = frozenset({"errors", "extras", "settings", "text", "words"})
"""Imports nothing else of hayami."""
KEPT = GROUND | {"evalset", "parts", "verdicts"}
READERS = KEPT | {"report"}
"""What works on a finished eval set imports these, and never how it was made."""
ALLOWED: dict[str, frozenset[str]] = {
    **dict.fromkeys(GROUND, GROUND),
    "evalset": GROUND | {"evalset"},
    "parts": GROUND | {"evalset"},
    "verdicts": KEPT,
    "extract": GROUND | {"evalset", "parts", "extract"},
    "label": KEPT | {"label"},
    "making": KEPT | {"extract", "label", "making"},
    "__init__": KEPT | {"making"},
    "__main__": frozenset({"cli"}),
    "importing": KEPT | {"making", "importing", "label"},
    "report": GROUND | {"report"},
    "curate": READERS | {"curate"},
    "audit": READERS | {"audit"},
    "export": READERS | {"export"},
    "ir_datasets": frozenset({"export"}),
    "evaluate": READERS | {"evaluate"},
}
"""What each module, or all modules of a package, may import of hayami.

cli may import everything.
"""


def where(name: str, node: ast.AST) -> str:
    return f"{name}.py:{getattr(node, 'lineno', 0)}"


def called(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """The calls of a module with the dotted name of what is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


@every_module
def test_imports_follow_the_arrows(name: str) -> None:
    if room(name) == "cli":
        return
    assert room(name) in ALLOWED, f"{name} has no place in the design yet"
    assert rooms_of_hayami(MODULES[name], ROOMS) - ALLOWED[room(name)] == set()


@every_module
def test_nothing_imports_the_command_line(name: str) -> None:
    if room(name) not in {"cli", "__main__"}:
        assert "cli" not in rooms_of_hayami(MODULES[name], ROOMS)


def test_reading_and_labelling_meet_only_in_the_build() -> None:
    composers = [
        name
        for name, tree in MODULES.items()
        if rooms_of_hayami(tree, ROOMS) >= {"extract", "label"}
    ]
    assert {room(name) for name in composers} == {"making"}


def test_the_house_has_few_rooms_and_few_arrows_and_no_circle() -> None:
    graph = arrows(MODULES)
    assert circle(graph) == set()
    assert len(graph) <= MOST_ROOMS, sorted(graph)
    assert sum(map(len, graph.values())) <= MOST_ARROWS


def test_a_circle_is_seen() -> None:
    assert circle({"a": {"b"}, "b": {"a"}, "c": set()}) == {"a", "b"}


def test_no_name_stands_for_two_things() -> None:
    assert names_twice(MODULES) == {}


@every_module
def test_no_function_holds_more_than_three_hundred_nodes(name: str) -> None:
    large = {node.name for node in functions(MODULES[name]) if nodes(node) > 300}
    assert large - LARGE.get(name, set()) == set()


@every_module
def test_only_the_console_prints(name: str) -> None:
    if name == "cli/console":
        return
    prints = [
        where(name, call)
        for function, call in called(MODULES[name])
        if function in {"print", "typer.echo"}
    ]
    writes = [
        where(name, c)
        for f, c in called(MODULES[name])
        if f.startswith(("sys.stdout.", "sys.stderr."))
    ]
    assert prints + writes == []


@every_module
def test_only_the_command_line_exits_or_reads_arguments(name: str) -> None:
    if room(name) == "cli":
        return
    exits = {"sys.exit", "exit", "quit", "os._exit", "SystemExit"}
    found = [where(name, call) for function, call in called(MODULES[name]) if function in exits]
    found += [
        where(name, node)
        for node in ast.walk(MODULES[name])
        if isinstance(node, (ast.Attribute, ast.Name))
        and ast.unparse(node) in {"sys.argv", "SystemExit"}
    ]
    assert found == []


@every_module
def test_no_assert_guards_anything(name: str) -> None:
    assert [
        where(name, node) for node in ast.walk(MODULES[name]) if isinstance(node, ast.Assert)
    ] == []


def test_no_module_is_called_after_nothing() -> None:
    vague = {
        "utils",
        "util",
        "helpers",
        "helper",
        "common",
        "misc",
        "tools",
        "base",
        "core",
        "main",
    }
    assert [name for name in MODULES if name.rsplit("/", maxsplit=1)[-1] in vague] == []


@every_module
def test_no_dictionary_of_anything_crosses_a_border(name: str) -> None:
    loose = {"dict[str, Any]", "Dict[str, Any]", "Mapping[str, Any]", "list[Any]"}
    subscripts = [node for node in ast.walk(MODULES[name]) if isinstance(node, ast.Subscript)]
    assert [
        where(name, node)
        for node in subscripts
        if ast.unparse(node).replace("typing.", "") in loose
    ] == []


@every_module
def test_no_function_is_longer_than_fifty_lines(name: str) -> None:
    long = [
        f"{where(name, node)} {node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(MODULES[name])
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= 50
    ]
    assert long == []


def undocumented(body: list[ast.stmt], prefix: str) -> Iterator[str]:
    """Public functions, classes and methods without a docstring."""
    for node in body:
        if isinstance(
            node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        ) and not node.name.startswith("_"):
            if ast.get_docstring(node) is None:
                yield f"{prefix}{node.name}"
            if isinstance(node, ast.ClassDef):
                yield from undocumented(node.body, f"{prefix}{node.name}.")


@every_module
def test_every_module_and_every_public_name_has_a_docstring(name: str) -> None:
    tree = MODULES[name]
    assert ast.get_docstring(tree)
    assert list(undocumented(tree.body, f"{name}.")) == []


@every_module
def test_a_docstring_opens_with_one_sentence_on_one_line(name: str) -> None:
    documented = [
        node
        for node in ast.walk(MODULES[name])
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef))
    ]
    opened = [(where(name, node), ast.get_docstring(node) or ".") for node in documented]
    assert [
        (at, text)
        for at, text in opened
        if not text.split("\n")[0].rstrip().endswith((".", "?", ";", ":"))
    ] == []


def test_every_name_of_the_public_interface_is_there_and_documented() -> None:
    assert hayami.__all__ == sorted(hayami.__all__)
    assert [name for name in hayami.__all__ if not getattr(hayami, name).__doc__] == []


HEAVY = ["rich", "typer", "click", "matplotlib", "scipy", "numpy", "pandas", "hayami.cli"]


def test_the_library_loads_nothing_that_only_the_command_line_or_a_report_needs() -> None:
    code = f"import sys, hayami; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8"
    )
    assert ran.stdout.split() == []


def test_types_are_promised_to_users() -> None:
    assert (SOURCE / "py.typed").is_file()
