"""Duals: what each unit is worth, so that no cluster costs less than its units.

The sum of such duals is a lower bound of every alignment's cost. They come from an alignment whose
clusters share their cost equally among their units, which is enough where annotators agree; else
from the linear program, by column generation. Either way the least reduced cost v(u) of the
clusters that begin with a unit u is added to its dual wherever it is negative: each cluster has one
first unit, so π + v is violated by none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.alignment.budget import MOST_MEMBERS, UNLIMITED
from goldspan.engine.alignment.crowd.interior import interior
from goldspan.engine.alignment.crowd.variants import variants

if TYPE_CHECKING:
    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.alignment.crowd.band import Band
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.space import Space

FIRST_DUAL = 0.85
"""What a unit is worth to begin with, for each annotator."""

FIRST_NODES = 300
MORE_NODES = 8
"""Nodes of the search for one first unit, and how many times as many when little is found."""

LITTLE = 0.125
"""New clusters for each unit: with fewer, the next round is more precise."""

FINER = 5
"""How much more precise it is."""

FIRST_NEAR, LEAST_NEAR = 0.1, 1e-9
"""How precisely the linear program is solved at first, as a part of its value, and at last."""

DROP_ROUND, FAR = 3, 0.5
"""After this round the clusters of more than this part of N in reduced cost are dropped, most of
which were there from the beginning. Only once: what is dropped again and again makes a circle."""

CLOSE, CLOSEST = 1e-3, 3.0
"""How far the value of the linear program may be above the bound: as a part of it, and in all."""

MOST_ITERATIONS = 60

FIRST_X, FIRST_Z = 0.2, 0.25
"""What the shares of the clusters begin with, and their reduced costs as parts of N."""

_EPSILON = 1e-7


@dataclass(frozen=True, slots=True)
class Duals:
    """`dual` is violated by no cluster, and its sum is the `bound`; `value` is about what the best
    shares of clusters cost. `members` are clusters of small reduced cost, `close` says that the
    bound is near the value.
    """

    dual: Floats
    value: float
    members: Members

    @property
    def bound(self) -> float:
        return float(self.dual.sum())

    @property
    def apart(self) -> float:
        return self.value - self.bound

    @property
    def close(self) -> bool:
        return self.apart <= min(CLOSE * self.value, CLOSEST)


def equal_shares(space: Space, band: Band, chosen: Members, budget: Budget) -> Duals:
    """Each cluster of an alignment shares its cost equally among its units."""
    costs = space.costs(chosen)
    row, column = np.nonzero(chosen >= 0)
    dual = np.empty(space.layout.size)
    dual[chosen[row, column]] = (costs / (chosen >= 0).sum(axis=1))[row]
    priced = band.price(dual, -_EPSILON, budget, every=False, nodes=FIRST_NODES)
    return Duals(dual + priced.least, float(costs.sum()), chosen)


def linear_duals(space: Space, band: Band, chosen: Members, budget: Budget) -> Duals | None:
    """The duals of the linear program, which begins with the variants of a good alignment; not
    close where the budget ends before they are.
    """
    columns = Columns(space)
    columns.add(variants(band, chosen))
    dual = np.full(space.layout.size, min(FIRST_DUAL * space.layout.n, space.pairs))
    near, nodes = FIRST_NEAR, FIRST_NODES
    best: Duals | None = None
    rounds = 0
    while not budget.spent and columns.members.size < MOST_MEMBERS:
        value = columns.relax(dual, near, budget)
        found = band.price(dual, -_EPSILON, budget, every=False, nodes=nodes)
        lowered = dual + found.least
        if best is None or lowered.sum() > best.bound:
            best = Duals(lowered, value, columns.members)
        best = Duals(best.dual, value, columns.members)
        if best.close:
            break
        near = min(near, max(best.apart / value / 10, LEAST_NEAR))
        rounds += 1
        if rounds == DROP_ROUND:
            columns.drop(dual, FAR * space.pairs)
        new = columns.add(found.members)
        if new < LITTLE * space.layout.size:
            if near == LEAST_NEAR and (found.exact or nodes == UNLIMITED):
                break
            near = max(near / FINER, LEAST_NEAR)
            nodes = nodes if found.exact else min(MORE_NODES * nodes, UNLIMITED)
    return best


class Columns:
    """The clusters of a linear program, each once: first each unit alone, then others."""

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

    def keep(self, dual: Floats, most: int) -> None:
        """Keep so many clusters, those of the least reduced cost, and each unit alone."""
        if len(self.costs) > most:
            price = reduced(self._space, dual, self.members)
            self.drop(dual, float(np.partition(price, most)[most]))

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
