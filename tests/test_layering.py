"""The shape of the house: imports point one way, parts stay parts, modules stay small."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "engine": {"engine"},
    "adapters": {"adapters", "engine"},
    "plugin": {"plugin", "adapters", "engine"},
}
ROOMS = {
    "engine": [
        ["errors", "quantile", "notebook", "schema", "wording"],
        ["facts"],
        ["model", "parallel"],
        ["hierarchy", "positional", "set_distances"],
        ["dissimilarity"],
        ["alignment", "settings"],
        ["chance", "disagreement"],
        ["coefficient"],
        ["rows"],
        ["result"],
        ["change", "task_results"],
        ["comparison", "gold", "literature", "planning", "reference", "scoring", "simulation"],
        ["adjudication", "annotators"],
        ["__init__"],
    ],
    "adapters": [
        ["extras", "wording"],
        ["facts"],
        ["files"],
        ["options"],
        ["adapter"],
        ["kit"],
        ["brat", "catma", "conll", "csv", "doccano", "elan", "glozz", "huggingface", "inception",
         "label_studio", "potato", "prodigy", "rttm", "spacy", "textgrid"],
        ["unrecognised"],
        ["registry"],
        ["__init__"],
    ],
    "plugin": [
        ["wording"],
        ["facts"],
        ["adjudications", "checkpoint", "cluster", "conformance", "document", "journal", "planning",
         "platform", "rounds", "terminal"],
        ["measurement"],
        ["report"],
        ["service"],
        ["local"],
        ["adjudicate", "open"],
        ["label_studio"],
        ["cli"],
        ["spacy", "__main__"],
        ["__init__"],
    ],
}  # fmt: skip
"""The rooms of a part, the lowest row first: a folder or module directly inside it. A room imports
itself and rows below its own, never a neighbour of the same row. Imports for types alone do not
count: they run nowhere.
"""
NAMED = rf"goldspan\.({'|'.join(MAY_IMPORT)})\b"
MOST_LINES = 400
LONGEST_CHAIN = 12
"""So many modules import each other in a row at most, over the three parts, imports inside of
functions included. A new colleague who follows one import after the other soon arrives.
"""
MOST_MODULES = 20
"""In one folder, without its `__init__.py`."""
NO_NOUNS = {"utils", "util", "helpers", "helper", "manager", "common", "misc"}


def modules(part: str) -> list[Path]:
    return sorted((ROOT / part / "goldspan" / part).rglob("*.py"))


ALL = [(part, path) for part in MAY_IMPORT for path in modules(part)]
EACH = pytest.mark.parametrize(
    ("part", "path"), ALL, ids=[str(path.relative_to(ROOT)) for _, path in ALL]
)
ROOMED = [(part, path) for part, path in ALL if part in ROOMS]
EACH_WITH_ROOMS = pytest.mark.parametrize(
    ("part", "path"), ROOMED, ids=[str(path.relative_to(ROOT)) for _, path in ROOMED]
)


def modules_named(path: Path, root: Path, *, types: bool = True) -> Iterator[tuple[int, list[str]]]:
    """Line and dotted name, in pieces, of every import, wherever in the module it stands; without
    `types`, not of those that only type checkers see.
    """
    package = path.relative_to(root).with_suffix("").parts[:-1]
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    unseen = set() if types else {id(node) for block in type_checking(tree) for node in block}
    for node in ast.walk(tree):
        names: list[str] = []
        if id(node) in unseen:
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            base += [node.module] if node.module else []
            names = [".".join([*base, alias.name]) for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # importlib.import_module("goldspan.plugin") is an import as well
            names = [node.value] if re.match(NAMED, node.value) else []
        for name in names:
            yield node.lineno, name.split(".")


def type_checking(tree: ast.Module) -> Iterator[Iterator[ast.AST]]:
    """What is inside of `if TYPE_CHECKING:`."""
    for node in ast.walk(tree):
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield ast.walk(node)


def parts_named(path: Path, root: Path) -> Iterator[tuple[int, str]]:
    """Line and part of goldspan for every import of it."""
    for line, name in modules_named(path, root):
        match name:
            case ["goldspan", part, *_] if part:
                yield line, part


def rooms(part: str, root: Path) -> set[str]:
    """The folders and modules directly inside a part."""
    found = (root / "goldspan" / part).iterdir()
    return {path.stem for path in found if path.suffix == ".py" or (path / "__init__.py").is_file()}


def wrong_rooms(part: str, path: Path, root: Path) -> list[str]:
    """Imports of a room that is not below the module's own."""
    rows = {room: row for row, names in enumerate(ROOMS[part]) for room in names}
    own = path.relative_to(root / "goldspan" / part).with_suffix("").parts[0]
    wrong = []
    for line, name in modules_named(path, root, types=False):
        match name:
            # The part's name alone is also that of its entry points.
            case ["goldspan", named, first, *_] if named == part:
                # A name that is not a room is exported by the part itself.
                room = first if first in rows else "__init__"
                if room != own and rows[room] >= rows[own]:
                    wrong.append(f"{path.relative_to(root)}:{line} imports {'.'.join(name)}")
    return wrong


def wrong_imports(part: str, path: Path, root: Path) -> list[str]:
    return [
        f"{path.relative_to(root)}:{line} imports goldspan.{named}"
        for line, named in parts_named(path, root)
        if named not in MAY_IMPORT[part]
    ]


@EACH
def test_imports_point_one_way(part: str, path: Path) -> None:
    assert wrong_imports(part, path, ROOT / part) == []


@pytest.mark.parametrize(
    "line",
    [
        "import goldspan.plugin.cli",
        "from goldspan import plugin",
        "from goldspan.plugin import cli",
        "from ..plugin import cli",
        "def late():\n    from goldspan.plugin import cli",
        "importlib.import_module('goldspan.plugin.cli')",
    ],
)
def test_a_wrong_import_would_be_seen(line: str, tmp_path: Path) -> None:
    path = tmp_path / "goldspan" / "engine" / "stray.py"
    path.parent.mkdir(parents=True)
    path.write_text(line, encoding="utf-8")

    assert len(wrong_imports("engine", path, tmp_path)) == 1


SERVICE = sorted((ROOT / "plugin/goldspan/plugin/service").rglob("*.py"))


def platforms_named(path: Path, root: Path) -> list[str]:
    """Imports of a package that belongs to one platform, by a module that must know none."""
    return [
        f"{path.relative_to(root)}:{line} imports {'.'.join(name)}"
        for line, name in modules_named(path, root)
        if name[:1] == ["goldspan"] and "label_studio" in name
    ]


@pytest.mark.parametrize(
    "path",
    [*SERVICE, ROOT / "plugin/goldspan/plugin/platform.py"],
    ids=lambda path: path.name,
)
def test_the_service_imports_no_platform(path: Path) -> None:
    assert platforms_named(path, ROOT / "plugin") == []


@pytest.mark.parametrize(
    "line",
    [
        "from goldspan.plugin.label_studio.server import Server",
        "from goldspan.adapters.label_studio import LabelStudioAdapter",
        "from ..label_studio import server",
        "def late():\n    import goldspan.plugin.label_studio.sync",
    ],
)
def test_a_platform_in_the_service_would_be_seen(line: str, tmp_path: Path) -> None:
    path = tmp_path / "goldspan" / "plugin" / "service" / "stray.py"
    path.parent.mkdir(parents=True)
    path.write_text(line, encoding="utf-8")

    assert len(platforms_named(path, tmp_path)) == 1


def test_imports_between_the_service_and_the_platforms_go_in_no_circle() -> None:
    """A platform may import the service; nothing that the service imports may import a platform."""
    root, seen = ROOT / "plugin", set[str]()
    waiting = list(SERVICE)
    while waiting:
        path = waiting.pop()
        for _, name in modules_named(path, root):
            for length in range(len(name), 2, -1):
                found = root.joinpath(*name[:length]).with_suffix(".py")
                if found.is_file() and str(found) not in seen:
                    seen.add(str(found))
                    waiting.append(found)
    assert str(root / "goldspan/plugin/platform.py") in seen, "it looks where it should"
    assert [path for path in sorted(seen) if "label_studio" in path] == []


def untyped_arguments(path: Path) -> list[str]:
    """Lines that name argparse, whose values have no types."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        f"{path.name}:{number}"
        for number, line in enumerate(lines, start=1)
        if re.search(r"\bargparse\b|\bNamespace\b", line)
    ]


OUTSIDE_CLI = [path for _, path in ALL if "cli" not in path.relative_to(ROOT).parts]


@pytest.mark.parametrize("path", OUTSIDE_CLI, ids=[str(p.relative_to(ROOT)) for p in OUTSIDE_CLI])
def test_parsed_arguments_stay_inside_of_the_command_line(path: Path) -> None:
    """All others get typed requests."""
    assert untyped_arguments(path) == []


@pytest.mark.parametrize(
    "line", ["import argparse", "from argparse import Namespace", "def run(args: Namespace): ..."]
)
def test_parsed_arguments_elsewhere_would_be_seen(line: str, tmp_path: Path) -> None:
    path = tmp_path / "stray.py"
    path.write_text(f"import os\n{line}\n", encoding="utf-8")

    assert untyped_arguments(path) == ["stray.py:2"]


def test_a_function_that_takes_parsed_arguments_returns_a_value_made_of_them() -> None:
    """Work is done by functions that take a request; the three others pass arguments on, or refuse
    them.
    """
    functions = [
        node
        for path in (ROOT / "plugin/goldspan/plugin/cli").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        if any(ast.unparse(a.annotation or a) == "argparse.Namespace" for a in node.args.args)
    ]
    others = {one.name for one in functions if ast.unparse(one.returns or one) in ("int", "None")}

    assert len(functions) > 20
    assert others == {"_run", "__call__", "_refuse_without_url"}


@EACH_WITH_ROOMS
def test_imports_between_rooms_point_one_way(part: str, path: Path) -> None:
    assert wrong_rooms(part, path, ROOT / part) == []


@pytest.mark.parametrize("part", ROOMS)
def test_every_room_has_its_row(part: str) -> None:
    assert sorted(room for row in ROOMS[part] for room in row) == sorted(rooms(part, ROOT / part))


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("files/stray.py", "from goldspan.adapters.kit.naming import spelled"),
        ("kit/stray.py", "from goldspan.adapters import csv"),
        ("kit/stray.py", "from goldspan.adapters import read"),
        ("brat/stray.py", "from ..elan import reader"),
        ("brat/stray.py", "def late():\n    import goldspan.adapters.registry"),
    ],
)
def test_an_import_of_a_wrong_room_would_be_seen(module: str, line: str, tmp_path: Path) -> None:
    path = tmp_path / "goldspan" / "adapters" / module
    path.parent.mkdir(parents=True)
    path.write_text(line, encoding="utf-8")

    assert len(wrong_rooms("adapters", path, tmp_path)) == 1


def module_name(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


@cache
def import_graph(root: Path) -> dict[str, set[str]]:
    """The modules that each module imports, by name; imports for types alone do not count."""
    roots = [root / part for part in MAY_IMPORT]
    paths = {
        module_name(path, one): (path, one)
        for one in roots
        for path in one.rglob("goldspan/**/*.py")
    }
    graph: dict[str, set[str]] = {name: set() for name in paths}
    for name, (path, home) in paths.items():
        for _, named in modules_named(path, home, types=False):
            # The part's name alone is also that of its entry points.
            prefixes = (".".join(named[:n]) for n in range(len(named), 1, -1) if len(named) > 2)
            graph[name].add(next((one for one in prefixes if one in paths), name))
        graph[name].discard(name)
    return graph


def longest_chain(graph: Mapping[str, set[str]]) -> list[str]:
    """The longest row of modules of which each imports the next; CycleError for a circle."""
    chains: dict[str, list[str]] = {}
    for name in TopologicalSorter(graph).static_order():
        below = (chains[other] for other in graph.get(name, ()))
        chains[name] = [name, *max(below, key=len, default=[])]
    return max(chains.values(), key=len)


def test_no_chain_of_imports_is_long_and_none_is_a_circle() -> None:
    graph = import_graph(ROOT)
    chain = longest_chain(graph)

    assert len(graph) == len(ALL)
    assert len(chain) <= LONGEST_CHAIN, " > ".join(chain)


def written_modules(root: Path, lines: list[str]) -> Path:
    """A part of modules m0, m1, …, each with one of these lines."""
    folder = root / "engine" / "goldspan" / "engine"
    folder.mkdir(parents=True)
    for number, line in enumerate(lines):
        (folder / f"m{number}.py").write_text(line, encoding="utf-8")
    return root


def test_a_longer_chain_would_be_seen(tmp_path: Path) -> None:
    lines = [f"from goldspan.engine.m{n} import something" for n in range(1, LONGEST_CHAIN + 1)]
    lines[3] = f"def late():\n    {lines[3]}"
    root = written_modules(tmp_path, [*lines, "something = 1"])

    chain = longest_chain(import_graph(root))
    assert chain == [f"goldspan.engine.m{n}" for n in range(LONGEST_CHAIN + 1)]


def test_an_import_for_types_makes_no_chain_longer(tmp_path: Path) -> None:
    line = "if TYPE_CHECKING:\n    from goldspan.engine.m1 import Something"
    root = written_modules(tmp_path, [line, "class Something: ..."])

    assert len(longest_chain(import_graph(root))) == 1


def test_a_circle_would_be_seen(tmp_path: Path) -> None:
    lines = ["from goldspan.engine import m1", "def late():\n    import goldspan.engine.m0"]
    root = written_modules(tmp_path, lines)

    with pytest.raises(CycleError):
        longest_chain(import_graph(root))


FOLDERS = sorted({path.parent for _, path in ALL})


def modules_in(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("folder", FOLDERS, ids=[str(one.relative_to(ROOT)) for one in FOLDERS])
def test_a_folder_has_few_modules(folder: Path) -> None:
    assert len(modules_in(folder)) <= MOST_MODULES


def test_a_crowded_folder_would_be_seen(tmp_path: Path) -> None:
    root = written_modules(tmp_path, ["" for _ in range(MOST_MODULES + 1)])

    assert len(modules_in(root / "engine/goldspan/engine")) > MOST_MODULES


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_each_root_holds_one_typed_part_of_the_namespace(part: str) -> None:
    root = ROOT / part / "goldspan"

    assert [path.name for path in root.iterdir() if path.name != "__pycache__"] == [part]
    assert (root / part / "py.typed").is_file()
    assert (root / part / "__init__.py").is_file()


@EACH
def test_a_module_is_one_noun_of_modest_size(part: str, path: Path) -> None:
    source = path.read_text(encoding="utf-8")

    assert path.stem not in NO_NOUNS
    assert len(source.splitlines()) <= MOST_LINES
