"""Distances between sets of labels, for categories or judgements that hold several labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.errors import SettingsError

SEPARATOR = "|"
SetDistance: TypeAlias = Callable[[frozenset[str], frozenset[str]], Fraction]


def passonneau(one: frozenset[str], other: frozenset[str]) -> Fraction:
    """0 for equal sets, ⅓ for a subset, ⅔ for sets that overlap, 1 for sets that do not."""
    if one == other:
        return Fraction(0)
    if one <= other or other <= one:
        return Fraction(1, 3) if one and other else Fraction(1)
    return Fraction(2, 3) if one & other else Fraction(1)


def jaccard(one: frozenset[str], other: frozenset[str]) -> Fraction:
    """1 - |A∩B| / |A∪B|."""
    if one == other:
        return Fraction(0)
    return 1 - Fraction(len(one & other), len(one | other))


def dice(one: frozenset[str], other: frozenset[str]) -> Fraction:
    """1 - 2·|A∩B| / (|A| + |B|)."""
    if one == other:
        return Fraction(0)
    return 1 - Fraction(2 * len(one & other), len(one) + len(other))


def masi(one: frozenset[str], other: frozenset[str]) -> Fraction:
    """1 - J·M, as Passonneau 2006: J is |A∩B| / |A∪B|, and M is 1 - d of `passonneau`.

    Others write d_P·d_J, which is not the same.
    """
    return 1 - (1 - jaccard(one, other)) * (1 - passonneau(one, other))


SET_DISTANCES: Mapping[str, SetDistance] = {
    "passonneau": passonneau,
    "jaccard": jaccard,
    "dice": dice,
    "masi": masi,
}


def between_sets(sets: Sequence[frozenset[str]], distance: SetDistance) -> NDArray[np.float64]:
    """The symmetric matrix of these sets."""
    rows = [[float(distance(a, b)) for b in sets] for a in sets]
    return np.array(rows, dtype=np.float64).reshape(len(sets), len(sets))


@dataclass(frozen=True, slots=True)
class Sets:
    """Categories that are sets of labels, with a separator between the labels: `PER|ORG`.

    `distance` is one of passonneau, jaccard, dice and masi, which is 1 - J·M. Blanks around a label
    and the order of labels do not matter. A category without a separator is a set of one label.
    """

    distance: str = "masi"
    separator: str = SEPARATOR

    def __post_init__(self) -> None:
        if self.distance not in SET_DISTANCES:
            known = ", ".join(SET_DISTANCES)
            raise SettingsError(
                f"there is no distance of sets '{self.distance}'; use one of {known}"
            )
        if not self.separator.strip():
            raise SettingsError("the separator of sets is blank; name one, such as '|'")

    @property
    def name(self) -> str:
        return self.distance

    def between(self, categories: Sequence[str]) -> NDArray[np.float64]:
        return between_sets([self._labels(one) for one in categories], SET_DISTANCES[self.distance])

    def _labels(self, category: str) -> frozenset[str]:
        parts = (part.strip() for part in category.split(self.separator))
        return frozenset(part for part in parts if part)
