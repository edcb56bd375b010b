"""The public names: all there, all described, and complete."""

from __future__ import annotations

import inspect
import pkgutil
import re
import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import goldspan.adapters
import goldspan.engine

ROOT = Path(__file__).parents[1]
API = runpy.run_path(str(ROOT / "docs" / "make_api.py"))
PUBLIC: list[tuple[str, str, Any]] = list(API["public"]())
PARTS = [goldspan.engine, goldspan.adapters]


@pytest.mark.parametrize(("module", "name"), [(m, n) for m, n, _ in PUBLIC])
def test_every_public_name_is_described(module: str, name: str) -> None:
    assert API["description"](module, name)


@pytest.mark.parametrize("part", PARTS)
def test_names_are_listed_and_unknown_ones_refused(part: Any) -> None:
    assert dir(part) == sorted(part.__all__)
    assert len(set(part.__all__)) == len(part.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        part.nothing  # noqa: B018 - the look-up is the test


def classes_of(package: Any) -> set[str]:
    """The names of all classes of a package that do not begin with an underscore."""
    found = set()
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = import_module(info.name)
        found |= {
            name
            for name, value in vars(module).items()
            if inspect.isclass(value) and value.__module__ == info.name and name[0] != "_"
        }
    return found


def annotations(value: Any) -> str:
    """The annotations of a call and of what it gives back, and of properties."""
    words = [str(getattr(value, "__annotations__", ""))]
    if inspect.isclass(value):
        members = (m for name, m in vars(value).items() if not name.startswith("_"))
        for member in members:
            function = getattr(member, "fget", None) or getattr(member, "__func__", member)
            words.append(str(getattr(function, "__annotations__", "")))
    return " ".join(words)


def test_what_public_values_are_made_of_is_public() -> None:
    known = {name for _, name, _ in PUBLIC}
    internal = classes_of(goldspan.engine) - known
    named = {
        (name, word)
        for module, name, value in PUBLIC
        if module == "goldspan.engine"
        for word in re.findall(r"\w+", annotations(value))
        if word in internal
    }
    assert named == set()


@pytest.mark.parametrize("name", ["Corpus", "Gold", "InputError"])
def test_values_load_without_numpy(name: str) -> None:
    script = f"import sys, goldspan.engine as e; e.{name}; print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )  # fmt: skip
    assert done.stdout == "False\n"
