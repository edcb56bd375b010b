"""Partition: the units of a layout, grouped at the least cost."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.budget import Budget
from goldspan.engine.clusters import WINDOW, Floats, useful_clusters
from goldspan.engine.frontier import cheapest_cover, numbered
from goldspan.engine.layout import Layout
from goldspan.engine.pricing import Members
from goldspan.engine.space import Space

if TYPE_CHECKING:
    from goldspan.engine.generation import Solution

FRONTIER_ANNOTATORS = 5
"""With more annotators there are too many useful clusters to list them."""

FRONTIER_CLUSTERS = 400_000
FRONTIER_STATES = 20_000


@dataclass(frozen=True, slots=True)
class Partition:
    """Which units belong together: `cluster[u]` numbers the cluster of unit u, from 0 on.

    `cost` is N times the sum of the unitary disorders, N = C(n, 2). No partition costs less than
    `lower_bound`; `optimal` says that none costs less than this one.
    """

    cluster: NDArray[np.int64]
    cost: float
    lower_bound: float
    optimal: bool


def best_partition(
    layout: Layout,
    alpha: float,
    beta_cat: Floats,
    *,
    solver: str | None = None,
    seconds: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Partition:
    """The cheapest partition of a layout's units into clusters, one unit an annotator at most.

    Without a `solver`, the frontier is tried first and column generation takes what is too wide
    for it; naming a PuLP solver goes the second way at once. Either way is exact. After `seconds`
    the best partition known is returned, and says that it is not proved.
    """
    budget = Budget.of(seconds, clock)
    space = Space(layout, alpha, beta_cat)
    if layout.size == 0:
        return Partition(np.empty(0, dtype=np.int64), 0.0, 0.0, optimal=True)
    if solver is None and layout.n <= FRONTIER_ANNOTATORS:
        solved = _by_frontier(space)
        if solved is not None:
            return solved
    # The solvers take a moment to load, and few continua need them.
    from goldspan.engine.search import number, search  # noqa: PLC0415

    solution = search(space, solver, budget)
    chosen = _canonical(space, solution) if solution.optimal else None
    if chosen is None:
        chosen = solution.chosen
    cost = float(space.costs(chosen).sum())
    bound = max(0.0, min(solution.bound, cost))
    return Partition(number(chosen, layout.size), cost, bound, solution.optimal)


def _by_frontier(space: Space) -> Partition | None:
    n = space.layout.n
    complete, pointers, masks, costs, places = useful_clusters(
        *space.arrays, space.alpha, space.beta_cat, n, FRONTIER_CLUSTERS
    )
    if not complete:
        return None
    solved, chosen = cheapest_cover(pointers, masks, costs, places, n, FRONTIER_STATES)
    if not solved:
        return None
    cost = float(costs[chosen].sum())
    return Partition(numbered(pointers, masks, chosen), cost, cost, optimal=True)


def _canonical(space: Space, solution: Solution) -> Members | None:
    """Of all best alignments the one the frontier takes, so that no solver decides between them.

    None where the frontier does not reach.
    """
    members = solution.candidates  # sorted: by first unit, each cluster's units in order
    offset = np.where(members >= 0, members - members[:, :1], 0)
    if offset.max() >= WINDOW:
        return None
    bit = np.where(members >= 0, np.uint64(1) << offset.astype(np.uint64), np.uint64(0))
    pointers = np.searchsorted(members[:, 0], np.arange(space.layout.size + 1))
    solved, chosen = cheapest_cover(
        pointers, bit.sum(axis=1), space.costs(members), space.places(members),
        space.layout.n, FRONTIER_STATES,
    )  # fmt: skip
    return members[chosen] if solved else None
