"""Ascent: a better lower bound for many annotators, and clusters that good alignments are made of.

Duals π that no cluster violates give the bound Σ π. The linear program over the clusters known so
far has duals π' of a larger sum. Most of them violate many clusters, far from those that are known,
and they change from one solution to the next. So the next duals to be looked at are between the
best valid ones and those:

    π + λ·(π' - π),  0 < λ < 1

For each first unit u branching gives the least reduced cost v(u) of its clusters, or a lower bound
of it. With v(u) ≤ 0 added to the dual of u, none is violated: each cluster has one first unit.
Where nothing is violated, the bound rises by the part λ of all that it could. Where clusters are,
they are deep cuts: the linear program learns them, and those that differ from them by a unit.

A bound rests on one set of duals, not on how they were found, so it holds wherever the ascent ends.
It is lowered by what rounding may have added to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.budget import MOST_MEMBERS
from goldspan.engine.alignment.crowd.branching import cheapest
from goldspan.engine.alignment.crowd.duals import Columns
from goldspan.engine.alignment.crowd.exchanges import exchanges
from goldspan.engine.alignment.crowd.first_units import MOST_AROUND, gather
from goldspan.engine.alignment.crowd.messages import ROUNDING
from goldspan.engine.alignment.solution import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.space import Neighbourhood, Space

INWARDS = 0.95
"""The part of the units' least shares with which the duals begin: inside, not at the border."""

FIRST_PART, MOST_PART, LEAST_PART = 0.5, 0.7, 0.1
FASTER, SLOWER = 1.2, 0.6
"""λ at first, at most and at the least; how it grows when the bound does, and how it shrinks at the
places where clusters are violated.
"""

NODES = 400
"""Branches for each first unit."""

BELOW = 1e-5
"""A cluster is violated that costs less than its units are worth by this part of N."""

NEAR = 0.02
"""How precisely the linear program is solved."""

START = 0.5
"""The program begins with exchanges that cost up to this part of N more than shared out."""

SPARE = 3.0
"""Pricing ends when the duals would have to be lowered by so many times what was to be gained."""

STRIDES = (7919, 7907)
"""Prime numbers: the units of all places have their turn before pricing ends."""

FEW = 24
"""New clusters in a round, at most, that differ from those found by a unit: so many for each of
those, or for a quarter of the units if that is more."""

MOST_COLUMNS = 60
"""The program keeps so many clusters for each unit, those of the least reduced cost."""

CLOSE = 2e-3
"""The ascent ends where the bound is so near the value of the linear program."""


@dataclass(frozen=True, slots=True)
class Ascended:
    """Valid duals, the value of the linear program in the end, its clusters, and its duals."""

    dual: Floats
    value: float
    members: Members
    towards: Floats

    @property
    def bound(self) -> float:
        return float(self.dual.sum())


def ascend(space: Space, near: Neighbourhood, chosen: Members, budget: Budget) -> Ascended:
    """Better and better duals, from the units' least shares on, until the budget ends."""
    size, pairs = space.layout.size, space.pairs
    columns = Columns(space)
    columns.add(chosen)
    towards = _shared_out(space, chosen)
    columns.add(exchanges(space, near, chosen, towards, START * pairs, MOST_COLUMNS * size))
    best = INWARDS * near.share
    value, part = np.inf, np.full(size, FIRST_PART)
    while not budget.spent and columns.members.size < MOST_MEMBERS:
        moved = towards.copy()
        solved = columns.relax(moved, NEAR, budget)
        if budget.spent:
            break  # the program was left half solved
        towards, value = moved, solved
        if best.sum() > (1 - CLOSE) * value:
            break
        dual = best + part * (towards - best)
        spare = SPARE * float(dual.sum() - best.sum())
        bounds, found = price(space, dual, spare, budget)
        if bounds is not None and (dual + bounds).sum() > best.sum():
            best = dual + bounds
            part *= FASTER
        elif len(found) == 0:
            break
        part[_within(found, size)] *= SLOWER
        part.clip(LEAST_PART, MOST_PART, out=part)
        columns.keep(towards, MOST_COLUMNS * size)
        columns.add(found)
        columns.add(exchanges(space, near, found, towards, 0.0, FEW * max(len(found), size // 4)))
    return Ascended(best, value, columns.members, towards)


def price(
    space: Space, dual: Floats, spare: float, budget: Budget
) -> tuple[Floats | None, Members]:
    """For each first unit a lower bound of its reduced costs, 0 at most, and violated clusters.

    There are no bounds where the budget ends, a unit has too many around it, or the bounds would be
    lower than 0 by more than is to spare, in all.
    """
    layout = space.layout
    reach = space.reach(max(0.0, float(dual.max()) + layout.n - 1))
    longest = float((layout.end - layout.start).max())
    stride = next(p for p in STRIDES if layout.size % p)
    limit = -BELOW * space.pairs
    given = (*space.arrays, space.positional, space.beta_cat, layout.n, dual)
    around = np.empty(MOST_AROUND + 1, np.int64)
    bounds = np.zeros(layout.size)
    found: Members = np.empty((64, layout.n), np.int64)
    total = 0
    for turn in range(layout.size):
        u = turn * stride % layout.size
        length = float(layout.end[u] - layout.start[u])
        far = float(layout.start[u] + layout.end[u]) + reach * (length + longest)
        count, root, steps = gather(*given, u, far, limit, around)
        budget.charge(steps)
        bound = root if root >= limit else min(limit, space.pairs - float(dual[u]))
        if 0 < count <= MOST_AROUND:
            bound, found, total, steps = cheapest(
                *given, u, limit, around, count, NODES, found, total
            )
            budget.charge(steps)
        bounds[u] = -np.inf if count > MOST_AROUND else min(0.0, max(root, bound))
        spare += bounds[u]
        if spare < 0 or budget.spent:
            return None, distinct(found[:total])
    return bounds - ROUNDING, distinct(found[:total])


def _within(found: Members, size: int) -> NDArray[np.bool_]:
    """Whether a unit is between the first and the last unit of a cluster."""
    change = np.zeros(size + 1, np.int64)
    np.add.at(change, found[:, 0], 1)
    np.add.at(change, found.max(axis=1) + 1, -1)
    return change.cumsum()[:size] > 0


def _shared_out(space: Space, chosen: Members) -> Floats:
    """Each cluster shares its cost equally among its units."""
    row, column = np.nonzero(chosen >= 0)
    dual = np.empty(space.layout.size)
    dual[chosen[row, column]] = (space.costs(chosen) / (chosen >= 0).sum(axis=1))[row]
    return dual
