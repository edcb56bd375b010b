"""Confusion: by which category a wrong one is replaced (the matrices of the shuffling tool)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.errors import SettingsError

_ROUNDING = 1e-6
"""By how much the sum of a row may miss 1."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """What each category turns into: a row for each, with a probability for each.

    Categories that it does not name stay what they are.
    """

    categories: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        size = len(self.categories)
        twice = [name for name in self.categories if self.categories.count(name) > 1]
        if twice:
            raise SettingsError(f"a confusion matrix names '{twice[0]}' twice; name it once")
        if len(self.rows) != size or any(len(row) != size for row in self.rows):
            raise SettingsError(
                f"a confusion matrix of {size} categories needs {size} rows of {size} numbers"
            )
        for name, row in zip(self.categories, self.rows, strict=True):
            if not (min(row) >= 0 and abs(sum(row) - 1) <= _ROUNDING):
                raise SettingsError(
                    f"the row of '{name}' in a confusion matrix is {', '.join(map(str, row))}; "
                    "it must have no negative number, and add up to 1"
                )

    @classmethod
    def among(cls, *categories: str) -> Confusion:
        """Each of these turns into any of them, itself included, with the same probability."""
        if len(categories) < 2:
            raise SettingsError("confusion needs two categories or more")
        row = (1 / len(categories),) * len(categories)
        return cls(tuple(categories), (row,) * len(categories))

    def check(self, known: Sequence[str]) -> None:
        """Refuse categories that the reference does not have."""
        unknown = [name for name in self.categories if name not in known]
        if unknown:
            raise SettingsError(
                f"the confusion matrix names '{unknown[0]}', which the reference does not have; "
                f"its categories are {', '.join(known)}"
            )

    def cumulated(self, known: Sequence[str]) -> NDArray[np.float64]:
        """For each of these categories the probabilities of all, added up from the first."""
        matrix = np.eye(len(known))
        at = [known.index(name) for name in self.categories]
        matrix[np.ix_(at, at)] = np.array(self.rows, dtype=np.float64)
        return cumulated(matrix)


def cumulated(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rows added up; they end at 1, whatever rounding left of them."""
    sums = np.cumsum(matrix, axis=1)
    return np.asarray(sums / sums[:, -1:])
