"""Layout: the units of one continuum as arrays, in the order the kernels work in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum, Position, Unit


@dataclass(frozen=True, slots=True)
class Layout:
    """Units sorted by middle, start, category, and last by annotator.

    The order depends on the units alone, never on the order in which they came, so that ties
    between alignments are broken the same way each time. `n` counts the annotators, also those
    without a unit.
    """

    annotator: NDArray[np.int64]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    category: NDArray[np.int64]
    n: int

    @classmethod
    def sorted(
        cls,
        annotator: NDArray[np.int64],
        start: NDArray[np.float64],
        end: NDArray[np.float64],
        category: NDArray[np.int64],
        n: int,
    ) -> Layout:
        """A layout of units that come in any order."""
        order = np.lexsort((annotator, category, start, start + end))
        return cls(annotator[order], start[order], end[order], category[order], n)

    @property
    def size(self) -> int:
        return len(self.start)

    @property
    def mean_units(self) -> float:
        """x̄: the mean number of units per annotator (not floored)."""
        return self.size / self.n


def lay_out(
    continuum: Continuum, annotators: Sequence[str], categories: Mapping[str, int]
) -> tuple[Layout, tuple[Unit, ...]]:
    """The layout of these annotators' units, and the units themselves in the same order.

    Positions are taken from the continuum's start, so that far away from zero no digit is lost.
    """
    units, index = in_order(continuum, annotators, categories)
    origin = continuum.bounds[0]
    layout = Layout(
        annotator=np.array([index[u.annotator] for u in units], dtype=np.int64),
        start=np.array([u.start - origin for u in units], dtype=np.float64),
        end=np.array([u.end - origin for u in units], dtype=np.float64),
        category=np.array([categories[u.category] for u in units], dtype=np.int64),
        n=len(annotators),
    )
    return layout, tuple(units)


def in_order(
    continuum: Continuum, annotators: Sequence[str], categories: Mapping[str, int]
) -> tuple[list[Unit], dict[str, int]]:
    """The units of these annotators in the order of a layout, and the number of each annotator.

    Annotators are numbered by their units, so that no name decides between equal alignments.
    """
    marked: dict[str, list[tuple[Position, Position, int]]] = {name: [] for name in annotators}
    for unit in continuum.units:
        if unit.annotator in marked:
            marked[unit.annotator].append((unit.start, unit.end, categories[unit.category]))
    index = {
        name: at for at, name in enumerate(sorted(annotators, key=lambda a: sorted(marked[a])))
    }
    units = [unit for unit in continuum.units if unit.annotator in index]
    # The same keys as Layout.sorted, on exact numbers.
    units.sort(key=lambda u: (u.start + u.end, u.start, categories[u.category], index[u.annotator]))
    return units, index
