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

from goldspan.engine.alignment.budget import MOST_MEMBERS
from goldspan.engine.alignment.crowd.columns import Columns
from goldspan.engine.alignment.crowd.priced import Priced, price

if TYPE_CHECKING:
    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.alignment.crowd.band import Band
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.space import Space

FIRST_DUAL = 0.85
"""What a unit is worth to begin with, for each annotator."""

GROWTH = 1.5
"""The first duals grow by this until pricing finds twice as many clusters as there are units."""

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
"""Before this round the clusters of more than this part of N in reduced cost are dropped, most of
which were found with the first duals. Only once: what is dropped again and again makes a circle."""

CLOSE, CLOSEST = 1e-3, 3.0
"""How far the value of the linear program may be above the bound: as a part of it, and in all."""

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
    priced = price(space, band, dual, -_EPSILON, budget, every=False, nodes=FIRST_NODES)
    return Duals(dual + priced.least, float(costs.sum()), chosen)


def linear_duals(space: Space, band: Band, budget: Budget) -> Duals | None:
    """The duals of the linear program; not close where the budget ends before they are."""
    columns = Columns(space)
    dual, found = _first(space, band, budget)
    near, nodes = FIRST_NEAR, FIRST_NODES
    best: Duals | None = None
    rounds = 0
    while not budget.spent and columns.members.size < MOST_MEMBERS:
        rounds += 1
        if rounds == DROP_ROUND:
            columns.drop(dual, FAR * space.pairs)
        new = columns.add(found.members)
        if best is not None and new < LITTLE * space.layout.size:
            if near == LEAST_NEAR and found.exact:
                break
            near = max(near / FINER, LEAST_NEAR)
            nodes *= 1 if found.exact else MORE_NODES
        value = columns.relax(dual, near, budget)
        found = price(space, band, dual, -_EPSILON, budget, every=False, nodes=nodes)
        lowered = dual + found.least
        if best is None or lowered.sum() > best.bound:
            best = Duals(lowered, value, columns.members)
        best = Duals(best.dual, value, columns.members)
        if best.close:
            break
        near = min(near, max(best.apart / value / 10, LEAST_NEAR))
    return best


def _first(space: Space, band: Band, budget: Budget) -> tuple[Floats, Priced]:
    """Duals to begin with, the same for all units, and clusters that are cheap with them."""
    size = space.layout.size
    worth = min(FIRST_DUAL * space.layout.n, space.pairs)
    while True:
        dual = np.full(size, worth)
        found = price(space, band, dual, -_EPSILON, budget, every=False, nodes=FIRST_NODES)
        if len(found.members) >= 2 * size or worth >= space.pairs or budget.spent:
            return dual, found
        worth = min(GROWTH * worth, space.pairs)
