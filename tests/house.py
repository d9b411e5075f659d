"""The structure of the source in figures.

Rooms, arrows, names that stand twice, how folded the lines are.

`python tests/measure.py house` prints them beside those of code bases that are good models;
`tests/test_architecture.py` holds some of them.
"""

from __future__ import annotations

import ast
import statistics
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

WIDTH: Final = 100
"""Characters of a line, as ruff is told."""
LOOPS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)

Modules = dict[str, ast.Module]
"""Trees by the path of their file below the package, without suffix, with slashes."""


def read_modules(package: Path) -> Modules:
    """Every module of a package, in the order of paths."""
    return {
        path.relative_to(package).with_suffix("").as_posix(): ast.parse(
            path.read_text(encoding="utf-8")
        )
        for path in sorted(package.rglob("*.py"))
    }


def room(module: str) -> str:
    """The room that a module is in: its package at the root, or itself."""
    return module.split("/", maxsplit=1)[0]


def imported(tree: ast.Module) -> Iterator[str]:
    """The dotted names that a module imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if module == "hayami":
                yield from (f"hayami.{alias.name}" for alias in node.names)
            else:
                yield module


def rooms_of_hayami(tree: ast.Module, rooms: set[str]) -> set[str]:
    """The rooms that a module imports from; a name of ``hayami`` itself counts as the front."""
    found = set()
    for name in imported(tree):
        if name == "hayami" or name.startswith("hayami."):
            part = name.removeprefix("hayami").removeprefix(".").split(".")[0]
            found.add(part if part in rooms else "__init__")
    return found


def arrows(modules: Modules) -> dict[str, set[str]]:
    """For each room the other rooms that it imports from."""
    rooms = {room(name) for name in modules}
    found: dict[str, set[str]] = {name: set() for name in rooms}
    for name, tree in modules.items():
        found[room(name)] |= rooms_of_hayami(tree, rooms) - {room(name)}
    return found


def circle(graph: dict[str, set[str]]) -> set[str]:
    """Rooms that lie on a circle of arrows or lead to one; empty if there is none."""
    left = dict(graph)
    while free := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in free:
            del left[name]
    return set(left)


def names_twice(modules: Modules) -> dict[str, list[str]]:
    """Names of classes and of modules that stand for two things or more.

    Beside each the modules that it stands in.
    """
    places: dict[str, list[str]] = defaultdict(list)
    for name, tree in modules.items():
        file = name.rpartition("/")[2]
        if not file.startswith("__"):
            places[f"module {file}"].append(name)
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                places[f"class {node.name.lstrip('_')}"].append(name)
    return {name: where for name, where in sorted(places.items()) if len(where) > 1}


def nodes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """AST nodes of a function's body: how much there is to read, however it is laid out."""
    return sum(1 for statement in function.body for _ in ast.walk(statement))


def lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function from ``def`` to its end."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method."""
    yield from (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))


@dataclass(frozen=True, slots=True)
class House:
    """How a package is written, in the figures of the models (below)."""

    source_lines: int
    """Lines that are neither blank nor comment."""
    function_lines: tuple[int, int, int]
    """Median, ninetieth percentile, most."""
    function_nodes: tuple[int, int, int]
    """The same in AST nodes."""
    nodes: float
    """AST nodes per 100 source lines: how folded the lines are."""
    loops: float
    """Comprehensions per 100 source lines."""
    nested: float
    """Comprehensions in comprehensions, or of two loops, per 100 source lines."""
    ternaries: float
    """Per 100 source lines."""
    long: float
    """Share of lines that are not blank and longer than WIDTH, in percent."""


def _percentile(values: list[int], share: float) -> int:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def _spread(values: list[int]) -> tuple[int, int, int]:
    return round(statistics.median(values)), _percentile(values, 0.9), max(values)


def _is_nested(node: ast.AST) -> bool:
    inner = (child for child in ast.walk(node) if child is not node)
    return len(getattr(node, "generators", ())) > 1 or any(isinstance(n, LOOPS) for n in inner)


def measure_house(package: Path) -> House:
    """The figures of the package in a folder."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(package.rglob("*.py"))]
    written = [line for text in texts for line in text.splitlines() if line.strip()]
    source = sum(not line.strip().startswith("#") for line in written)
    trees = [ast.parse(text) for text in texts]
    every = [node for tree in trees for node in ast.walk(tree)]
    defined = [node for node in every if isinstance(node, FUNCTIONS)]
    loops = [node for node in every if isinstance(node, LOOPS)]
    per_100 = 100 / source
    return House(
        source_lines=source,
        function_lines=_spread([lines(function) for function in defined]),
        function_nodes=_spread([nodes(function) for function in defined]),
        nodes=len(every) * per_100,
        loops=len(loops) * per_100,
        nested=sum(map(_is_nested, loops)) * per_100,
        ternaries=sum(isinstance(node, ast.IfExp) for node in every) * per_100,
        long=100 * sum(len(line) > WIDTH for line in written) / len(written),
    )


MODELS: Final = {
    "parsel": House(1248, (4, 22, 60), (21, 120, 0), 488, 1.4, 0, 0.3, 0.3),
    "markdown-it-py": House(7589, (7, 51, 329), (39, 266, 0), 635, 0.3, 0, 0.9, 0),
    "structlog": House(7274, (4, 20, 134), (19, 82, 0), 371, 0.3, 0, 0.3, 0.1),
    "ir_measures": House(3576, (5, 19, 116), (36, 171, 0), 697, 1.4, 0.07, 0.3, 6.4),
    "doc2dash": House(1147, (10, 27, 96), (56, 130, 0), 450, 0, 0, 0.3, 0.1),
    "htmldate": House(2169, (10, 40, 116), (48, 223, 0), 555, 0.7, 0.18, 0.7, 0.2),
    "sqlite-utils": House(11248, (10, 64, 460), (59, 307, 0), 509, 2.7, 0.06, 0.9, 0.8),
    "datatrove": House(23579, (8, 35, 124), (49, 224, 0), 545, 1.2, 0.09, 1.1, 4.0),
}
"""Code bases to learn from, measured once in the same way (the most nodes of a function were not
counted)."""


def house_table(package: Path) -> list[str]:
    """The figures of the package and of the models, one line each, the package first."""
    head = f"{'':16}{'lines':>7}{'function lines':>16}{'nodes':>13}"
    head += f"{'per 100: nodes':>16}{'loops':>7}{'nested':>8}{'ternaries':>11}{'long %':>8}"
    rows = [head]
    for name, house in {"hayami": measure_house(package), **MODELS}.items():
        spans = "/".join(map(str, house.function_lines))
        sizes = "/".join(str(size) if size else "–" for size in house.function_nodes)
        row = f"{name:16}{house.source_lines:>7,}{spans:>16}{sizes:>13}{house.nodes:>16.0f}"
        row += f"{house.loops:>7.1f}{house.nested:>8.2f}{house.ternaries:>11.1f}{house.long:>8.1f}"
        rows.append(row)
    modules = read_modules(package)
    graph = arrows(modules)
    counted = f"{len(graph)} rooms, {sum(map(len, graph.values()))} arrows between them"
    rows += ["", f"{counted}, {len(circle(graph))} on a circle"]
    twice = names_twice(modules)
    rows.append(f"{len(twice)} names that stand for two things or more")
    rows += [f"    {name}: {', '.join(where)}" for name, where in twice.items()]
    return rows
