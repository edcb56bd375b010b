"""Dissolution: a better partition with a cluster less, window by window.

Of many annotators a cluster costs so much that good partitions have few, and units that are alone
at their place share a cluster over some distance. No move of one unit makes a cluster less. So one
cluster after the other, the smallest first, is dissolved: each of its units goes to the cluster
where it costs least, and then all units near are put back at the best places (see agglomeration).
Where that saves something, it stays. Nothing here proves anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.agglomeration import improve
from goldspan.engine.alignment.solution import in_order, members

if TYPE_CHECKING:
    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.clusters import Ints
    from goldspan.engine.alignment.space import Neighbourhood, Space

WINDOW = 12
"""Units of each annotator in a window; the next one begins half of that later."""

LARGE = 0.5
"""A cluster with more units than this part of the annotators stays."""

PAIR = 50
"""Steps for each pair of units in a window, more or less."""

_EPSILON = 1e-6


def dissolve(space: Space, cluster: Ints, budget: Budget) -> Ints:
    """The partition after dissolving clusters in each window; never a worse one."""
    size, width = space.layout.size, WINDOW * space.layout.n
    cluster = in_order(cluster)
    for low in range(0, max(1, size - width // 2), max(1, width // 2)):
        if budget.spent:
            break
        outside = np.ones(size, np.bool_)
        outside[low : low + width] = False
        units = np.flatnonzero(~np.isin(cluster, cluster[outside]))
        if len(units) < 2:
            continue
        part = space.only(units, space.layout.n)
        budget.charge(PAIR * len(units) ** 2)
        better = _dissolved(part, part.neighbourhood(), in_order(cluster[units]), budget)
        cluster[units] = size + better  # numbers that no other unit has
        cluster = in_order(cluster)
    return cluster


def _dissolved(space: Space, near: Neighbourhood, cluster: Ints, budget: Budget) -> Ints:
    """The partition of a window after dissolving one cluster after the other."""
    least = _cost(space, cluster)
    again = True
    while again and not budget.spent:
        again = False
        sizes = np.bincount(cluster)
        for one in np.argsort(sizes, kind="stable"):
            if sizes[one] > LARGE * space.layout.n or budget.spent:
                break
            spread = _spread(space, cluster, int(one))
            if spread is None:
                continue
            trial = improve(space, near, spread, budget)
            cost = _cost(space, trial)
            if cost < least - _EPSILON:
                cluster, least, again = in_order(trial), cost, True
                break
    return cluster


def _spread(space: Space, cluster: Ints, one: int) -> Ints | None:
    """The partition with each unit of a cluster where it costs least; None without a place."""
    annotator = space.layout.annotator
    cluster = cluster.copy()
    units = np.flatnonzero(cluster == one)
    others = np.flatnonzero(cluster != one)
    for unit in units:
        cost = np.bincount(
            cluster[others], space.weights(np.full(len(others), unit), others), cluster.max() + 1
        )
        taken = cluster[others[annotator[others] == annotator[unit]]]
        cost[taken] = np.inf
        cost[np.bincount(cluster[others], minlength=len(cost)) == 0] = np.inf
        best = int(cost.argmin())
        if not np.isfinite(cost[best]):
            return None
        cluster[unit] = best
        others = np.append(others, unit)
    return cluster


def _cost(space: Space, cluster: Ints) -> float:
    return float(space.costs(members(space, cluster)).sum())
