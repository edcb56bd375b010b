"""Dissimilarities between two units (Mathet et al. 2015, §4.4).

`d = α·d_pos + β·d_cat`, in multiples of Δ, the cost of a unit that nobody else marked. Δ is 1
everywhere and cannot be set: the paper calls it a constant, and only α and β are weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.positional import RATIO, Positional

if TYPE_CHECKING:
    from goldspan.engine.model import Unit

Matrix: TypeAlias = NDArray[np.float64]


class Distances(Protocol):
    """Categorial distances: 0 for the same category, up to 1 for wholly different ones."""

    @property
    def name(self) -> str:
        """How results call it."""
        ...

    def between(self, categories: Sequence[str]) -> Matrix:
        """The symmetric matrix of these categories; an unknown category is an InputError."""
        ...


@dataclass(frozen=True, slots=True)
class Nominal:
    """Any two different categories are at distance 1."""

    @property
    def name(self) -> str:
        return "nominal"

    def between(self, categories: Sequence[str]) -> Matrix:
        return 1.0 - np.eye(len(categories))


@dataclass(frozen=True, slots=True)
class Ordinal:
    """Categories on a scale, in the order given: |rank - rank| / (ranks - 1)."""

    scale: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.scale) < 2 or len(set(self.scale)) < len(self.scale):
            raise SettingsError(
                "an ordinal scale needs two or more different categories, in order; "
                f"got {', '.join(self.scale) or 'none'}"
            )

    @property
    def name(self) -> str:
        return "ordinal"

    def between(self, categories: Sequence[str]) -> Matrix:
        rank = {category: float(at) for at, category in enumerate(self.scale)}
        return _spread(_look_up(rank, categories, "the ordinal scale"), len(self.scale) - 1)


@dataclass(frozen=True, slots=True)
class Interval:
    """Categories with a number each: |difference| / the largest difference."""

    values: tuple[tuple[str, float], ...]

    def __post_init__(self) -> None:
        numbers = [number for _, number in self.values]
        if not all(math.isfinite(number) for number in numbers):
            raise SettingsError("an interval scale needs a finite number for each category")
        if len(set(numbers)) < 2:
            raise SettingsError("an interval scale needs two or more different numbers")

    @property
    def name(self) -> str:
        return "interval"

    def between(self, categories: Sequence[str]) -> Matrix:
        numbers = dict(self.values)
        widest = max(numbers.values()) - min(numbers.values())
        return _spread(_look_up(numbers, categories, "the interval scale"), widest)


@dataclass(frozen=True, slots=True)
class Table:
    """A distance for each pair of categories, as a symmetric matrix with a zero diagonal."""

    categories: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        size = len(self.categories)
        if len(set(self.categories)) < size:
            raise InputError("the distance matrix names a category twice; keep one")
        if len(self.rows) != size or any(len(row) != size for row in self.rows):
            raise InputError(
                f"the distance matrix has {size} categories, so it needs {size} rows "
                f"of {size} numbers"
            )
        for a, one in enumerate(self.categories):
            for b, other in enumerate(self.categories):
                self._check(one, other, self.rows[a][b], self.rows[b][a])

    @staticmethod
    def _check(one: str, other: str, there: float, back: float) -> None:
        if not 0 <= there <= 1:
            raise InputError(
                f"the distance from '{one}' to '{other}' is {there}; it must be between 0 and 1"
            )
        if one == other and there != 0:
            raise InputError(f"the distance from '{one}' to itself is {there}; it must be 0")
        if there != back:
            raise InputError(
                f"the distance matrix is not symmetric: '{one}' to '{other}' is {there}, "
                f"but back it is {back}; make them equal"
            )

    @property
    def name(self) -> str:
        return "matrix"

    def between(self, categories: Sequence[str]) -> Matrix:
        at = {category: float(i) for i, category in enumerate(self.categories)}
        chosen = _look_up(at, categories, "the distance matrix").astype(np.intp)
        return np.array(self.rows, dtype=np.float64).reshape(len(at), len(at))[
            np.ix_(chosen, chosen)
        ]


@dataclass(frozen=True, slots=True)
class Dissimilarity:
    """The combined dissimilarity α·d_pos + β·d_cat; with α = 0, labels alone decide.

    `forbid` sends categorial distances through f_cat(x) = x - x³⁰·ln(1-x), which keeps units of
    wholly different categories from ever being aligned (2015, footnote 2).
    """

    alpha: float = 1.0
    beta: float = 1.0
    distances: Distances = field(default_factory=Nominal)
    forbid: bool = False
    positional: Positional = RATIO

    def __post_init__(self) -> None:
        for name, weight in (("alpha", self.alpha), ("beta", self.beta)):
            if not (math.isfinite(weight) and weight >= 0):
                raise SettingsError(f"{name} is {weight}; it must be a finite number from 0 up")
        if self.alpha == self.beta == 0:
            raise SettingsError("alpha and beta are both 0; positions or categories must count")
        if self.forbid and self.beta == 0:
            raise SettingsError("forbid separates categories, and with beta 0 they do not count")

    def categorial(self, categories: Sequence[str]) -> Matrix:
        """d_cat between these categories, without β; infinite where aligning is forbidden."""
        matrix = self.distances.between(categories)
        if not self.forbid:
            return matrix
        with np.errstate(divide="ignore"):
            walled: Matrix = matrix - np.where(matrix > 0, matrix**30 * np.log1p(-matrix), 0.0)
        return walled

    def between(self, one: Unit, other: Unit) -> float:
        """The dissimilarity d of two units."""
        pair = tuple(dict.fromkeys((one.category, other.category)))
        categorial = float(self.categorial(pair)[0, -1])
        return self.alpha * self.positional.between(one, other) + (
            self.beta * categorial if categorial else 0
        )


def _look_up(known: dict[str, float], categories: Iterable[str], what: str) -> Matrix:
    missing = [category for category in categories if category not in known]
    if missing:
        raise InputError(
            f"the category '{missing[0]}' is used but is not in {what}, "
            f"which has {', '.join(sorted(known))}; add it"
        )
    return np.array([known[category] for category in categories], dtype=np.float64)


def _spread(numbers: Matrix, widest: float) -> Matrix:
    return np.abs(numbers[:, None] - numbers[None, :]) / widest
