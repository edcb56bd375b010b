"""Hierarchy: distances between the categories of a tree, inner nodes among them.

Two formulas (Artstein & Poesio 2008, §4.4.3 and §4.5):

melamed-resnik  d = 1 - Σ over leaves of min(P(leaf|A), P(leaf|B)): a category stands for the leaves
                below it, all equally likely. The minimum in place of the product is Melamed's own
                correction, so that a category agrees with itself.
geertzen-bunt   d = 1 - h·a^Δ·b^Γ: h is 1 where one category is the other or above it, else 0; Δ is
                the difference of their depths, Γ the smaller depth, 0 at the top. A category is at
                0 from itself, also where b is below 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.errors import InputError, SettingsError

WEIGHTED = "geertzen-bunt"
FORMULAS = ("melamed-resnik", WEIGHTED)
DEEPEST = 100
"""A tree with more levels than this is refused; none that people label by is so deep."""

Path = tuple[str, ...]
"""A category after those above it, the top first."""


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """Categories in a tree, each as a path from the top; `a` and `b` are for geertzen-bunt."""

    paths: tuple[Path, ...]
    formula: str = FORMULAS[0]
    a: float = 0.75
    b: float = 1.0

    def __post_init__(self) -> None:
        if self.formula not in FORMULAS:
            raise SettingsError(
                f"there is no formula '{self.formula}' for trees; use one of {', '.join(FORMULAS)}"
            )
        if not 0 < self.a < 1:
            raise SettingsError(f"a is {self.a}; it must be between 0 and 1")
        if not 0 < self.b <= 1:
            raise SettingsError(f"b is {self.b}; it must be above 0, and 1 at the most")
        names = [path[-1] for path in self.paths]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise InputError(f"the tree has '{twice[0]}' twice; give each category one place")
        if len(names) < 2:
            raise InputError("the tree needs two or more categories")

    @classmethod
    def of(
        cls, tree: Any, formula: str = FORMULAS[0], a: float = 0.75, b: float = 1.0
    ) -> Hierarchy:
        """From a nested value: {"A": ["A1", "A2"], "B": {"B1": ["B11"]}}."""
        return cls(tuple(_paths(tree, ())), formula, a, b)

    @property
    def name(self) -> str:
        return self.formula

    def between(self, categories: Sequence[str]) -> NDArray[np.float64]:
        known = {path[-1]: path for path in self.paths}
        missing = [category for category in categories if category not in known]
        if missing:
            raise InputError(
                f"the category '{missing[0]}' is used but is not in the tree, which has "
                f"{', '.join(sorted(known))}; add it"
            )
        chosen = [known[category] for category in categories]
        if self.formula == WEIGHTED:
            rows = [[self._by_depth(one, other) for other in chosen] for one in chosen]
        else:
            leaves = [self._leaves(path) for path in chosen]
            rows = [[_by_leaves(one, other) for other in leaves] for one in leaves]
        return np.array(rows, dtype=np.float64).reshape(len(chosen), len(chosen))

    def _leaves(self, path: Path) -> frozenset[Path]:
        below = [one for one in self.paths if one[: len(path)] == path]
        inner = {one[:-1] for one in self.paths}
        return frozenset(one for one in below if one not in inner)

    def _by_depth(self, one: Path, other: Path) -> float:
        short, long = sorted((one, other), key=len)
        if one == other:
            return 0.0
        if long[: len(short)] != short:
            return 1.0
        return float(1 - self.a ** (len(long) - len(short)) * self.b ** (len(short) - 1))


def _by_leaves(one: frozenset[Path], other: frozenset[Path]) -> float:
    """Each leaf of a category has the same probability, 1 / its number of leaves."""
    return float(1 - Fraction(len(one & other), max(len(one), len(other))))


def _paths(tree: Any, above: Path) -> Iterator[Path]:
    """The categories below a place, each after the one above it."""
    if len(above) > DEEPEST:
        raise InputError(f"the tree has more than {DEEPEST} levels")
    if tree is None:
        return
    if isinstance(tree, Mapping):
        for name, below in tree.items():
            yield (*above, str(name))
            yield from _paths(below, (*above, str(name)))
    elif isinstance(tree, Sequence) and not isinstance(tree, str):
        for one in tree:
            yield from _paths(one, above)
    else:
        yield (*above, str(tree))
