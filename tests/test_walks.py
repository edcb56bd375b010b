"""The walks in CONTRIBUTING.md: which modules a command and an event go through."""

from __future__ import annotations

import re

import pytest

from test_layering import ROOT, import_graph

STEP = re.compile(r"    ( *)((?:engine|adapters|plugin)/[\w/]+)( \*)?(?:  +.*)?")


def walks() -> dict[str, list[tuple[int, str, bool]]]:
    """By title: how far each module is indented, its name, and whether it is found by its name."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## How a command runs, how an event runs")[1].split("\n## ")[0]
    found = {}
    for part in section.split("### ")[1:]:
        title, _, lines = part.partition("\n")
        steps = [STEP.fullmatch(line) for line in lines.splitlines() if line.strip()]
        found[title] = [
            (len(step[1]) // 2, "goldspan." + step[2].replace("/", "."), bool(step[3]))
            if step
            else (-1, "", False)
            for step in steps
        ]
    return found


def missing_imports(
    steps: list[tuple[int, str, bool]], graph: dict[str, set[str]]
) -> list[tuple[str, str]]:
    """Steps that the module above them does not import, and modules that are not there."""
    above: list[str] = []
    missing = []
    for depth, name, by_name in steps:
        del above[depth:]
        parent = above[-1] if above else ""
        if name not in graph or (parent and not by_name and name not in graph[parent]):
            missing.append((parent, name))
        above.append(name)
    return missing


@pytest.mark.parametrize("title", walks())
def test_every_module_of_a_walk_imports_the_next(title: str) -> None:
    steps = walks()[title]

    assert len(steps) > 15
    assert all(depth >= 0 for depth, _, _ in steps), "every line is a step"
    assert missing_imports(steps, import_graph(ROOT)) == []


def test_a_step_back_would_be_seen() -> None:
    graph = {"above": {"below"}, "below": set[str](), "other": set[str]()}

    assert missing_imports([(0, "above", False), (1, "below", False)], graph) == []
    assert missing_imports([(0, "below", False), (1, "above", False)], graph) == [
        ("below", "above")
    ]
    assert missing_imports([(0, "above", False), (1, "other", False)], graph) == [
        ("above", "other")
    ]
    assert missing_imports([(0, "above", False), (1, "gone", True)], graph) == [("above", "gone")]


def test_there_are_two_walks() -> None:
    assert list(walks()) == [
        "`goldspan score export.json --html report.html`",
        "A webhook of Label Studio",
    ]
