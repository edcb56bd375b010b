"""Band: the weights of all pairs of units that are near each other in the order of a layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.kernel import kernel
from goldspan.engine.alignment.weight import weight

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.space import Neighbourhood, Space
    from goldspan.engine.alignment.weight import Weighted

MOST_WEIGHTS = 50_000_000
"""A band with more weights than this takes too much memory: 400 MB."""


@dataclass(frozen=True, slots=True)
class Band:
    """`weights[u, v - u]` is w(u, v) of the units u < v, or infinite if one annotator has both."""

    near: Neighbourhood
    weights: Floats

    @classmethod
    def of(cls, space: Space, near: Neighbourhood) -> Band | None:
        """The weights of the neighbours, and of all between them; None past MOST_WEIGHTS."""
        size = space.layout.size
        has = np.flatnonzero(np.diff(near.pointers))
        width = int((near.indices[near.pointers[has + 1] - 1] - has).max(initial=0)) + 1
        if not near.whole or size * width > MOST_WEIGHTS:
            return None
        weights = np.empty((size, width))
        _fill(*space.arrays, space.positional, space.beta_cat, weights)
        return cls(near, weights)


@kernel
def _fill(
    annotator: Ints,
    start: Floats,
    end: Floats,
    category: Ints,
    positional: Weighted,
    beta_cat: Floats,
    weights: Floats,
) -> None:
    size, width = weights.shape
    for u in range(size):
        for v in range(u, min(size, u + width)):
            if annotator[u] == annotator[v]:
                weights[u, v - u] = np.inf
            else:
                weights[u, v - u] = weight(start, end, category, positional, beta_cat, u, v)
