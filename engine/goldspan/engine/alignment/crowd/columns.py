"""Columns: the clusters that a linear program is about, each of them once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.alignment.crowd.interior import interior

if TYPE_CHECKING:
    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.space import Space

MOST_ITERATIONS = 60

FIRST_X, FIRST_Z = 0.2, 0.25
"""What the shares of the clusters begin with, and their reduced costs as parts of N."""


class Columns:
    """It begins with each unit alone, and grows."""

    def __init__(self, space: Space) -> None:
        self._space = space
        # A cluster's key is the sum of its units' random numbers; that of no unit (-1) is 0.
        size = space.layout.size
        self._key = np.random.default_rng(0).integers(0, 2**63, size + 1, dtype=np.uint64)
        self._key[-1] = 0
        self._known: NDArray[np.uint64] = np.empty(0, np.uint64)
        self.members: Members = space.alone()[:0]
        self.costs: Floats = np.empty(0)
        self.add(space.alone())

    def add(self, members: Members) -> int:
        """Add the clusters that are not there yet; how many."""
        keys = self._key[members].sum(axis=1)
        _, once = np.unique(keys, return_index=True)
        new = once[~np.isin(keys[once], self._known)]
        self._known = np.concatenate((self._known, keys[new]))
        self.members = np.concatenate((self.members, members[new]))
        self.costs = np.concatenate((self.costs, self._space.costs(members[new])))
        return len(new)

    def drop(self, dual: Floats, most: float) -> None:
        """Take away the clusters of more than so much reduced cost, but no unit alone."""
        kept = reduced(self._space, dual, self.members) <= most
        kept[: self._space.layout.size] = True
        self.members, self.costs = self.members[kept], self.costs[kept]
        self._known = self._known[kept]

    def relax(self, dual: Floats, near: float, budget: Budget) -> float:
        """Solve the linear program as far as the part `near` of its value, and within the budget;
        the value. The duals are moved to those of the solution.
        """
        real = self.members >= 0
        pointers = np.concatenate(([0], np.cumsum(real.sum(axis=1))))
        units, pairs = self.members[real], self._space.pairs
        x, z = np.full(len(self.costs), FIRST_X), np.full(len(self.costs), FIRST_Z * pairs)
        left, value, done = MOST_ITERATIONS, np.inf, False
        while not done and not budget.spent:
            steps = budget.slice
            done, value, left, unused = interior(
                pointers, units, self.costs, pairs, dual, x, z, near, left, steps
            )
            budget.charge(steps - unused)
        return float(value)


def reduced(space: Space, dual: Floats, members: Members) -> Floats:
    """The reduced cost N + Σ w - Σ π of each cluster."""
    worth: Floats = np.where(members >= 0, dual[members], 0.0).sum(axis=1)
    return space.costs(members) - worth
