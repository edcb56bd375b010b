"""Generation: an exact best alignment for any number of annotators.

The linear program gives a lower bound and, nearly always, most of the alignment. What it leaves
fractional goes to PuLP, with the clusters of reduced cost up to θ, one connected component after
the other. If the alignment so found costs g more than the bound, every better one would consist
of clusters of reduced cost below g: for g ≤ θ it is proved. Else θ rises, towards g, and PuLP gets
the clusters that can still matter (see `_localise`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from goldspan.engine.alignment.program import DEFAULT_SOLVER, greedy, solve_partition
from goldspan.engine.alignment.relaxation import Relaxation, relax
from goldspan.engine.alignment.solution import Solution, distinct

if TYPE_CHECKING:
    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.space import Neighbourhood, Space

THETA = 0.15
_EPSILON = 1e-6

MOST_CANDIDATES = 20_000
"""A component with more clusters than this is too large for an integer program."""


PROGRAM = 20_000
"""Steps of an integer program for each cluster, more or less."""


def generate(
    space: Space, near: Neighbourhood, solver: str | None, budget: Budget
) -> Solution | None:
    """A best alignment of the space; None where the budget has no room for a linear program."""
    solver = solver or DEFAULT_SOLVER
    relaxed = relax(space, near, budget)
    if relaxed is None:
        return None
    open_units = relaxed.shared_units
    if relaxed.converged and len(open_units) == 0:
        _, candidates = _cheap(space, near, relaxed, _EPSILON, budget)
        return Solution(relaxed.whole, candidates, relaxed.bound, optimal=True)
    theta = THETA
    listed, candidates = _cheap(space, near, relaxed, theta, budget)
    chosen, proved = _choose(space, candidates, open_units, relaxed.whole, solver, budget)
    proved = proved and listed
    gap = _reduced(space, relaxed.dual, chosen).sum()
    while relaxed.converged and proved and gap > theta:
        theta = min(gap, 4 * theta)
        listed, wider, _ = space.priced(near, relaxed.dual, theta + _EPSILON, budget, every=True)
        if not listed:
            proved = False
            break
        candidates, open_units = _localise(space, relaxed.dual, wider, chosen)
        chosen, proved = _choose(space, candidates, open_units, chosen, solver, budget)
        gap = _reduced(space, relaxed.dual, chosen).sum()
    if not (relaxed.converged and proved):
        return Solution(chosen, chosen, relaxed.bound, optimal=False)
    return Solution(chosen, candidates, float(space.costs(chosen).sum()), optimal=True)


def finish(space: Space, members: Members, budget: Budget) -> tuple[Members, bool]:
    """The cheapest alignment into these clusters and units alone, and whether it is proved so."""
    units = np.arange(space.layout.size)
    every = distinct(np.concatenate((members, space.alone())))
    return _choose(space, every, units, space.alone(), DEFAULT_SOLVER, budget)


def _cheap(
    space: Space, near: Neighbourhood, relaxed: Relaxation, theta: float, budget: Budget
) -> tuple[bool, Members]:
    """The clusters of reduced cost up to theta, those in use, and the units alone.

    They are not all there when the budget ends before.
    """
    listed, found, _ = space.priced(near, relaxed.dual, theta + _EPSILON, budget, every=True)
    used = relaxed.members[relaxed.share > 1e-9]
    if not listed:
        found = found[:0]
    return listed, distinct(np.concatenate((found, used, space.alone())))


def _localise(
    space: Space, dual: Floats, members: Members, chosen: Members
) -> tuple[Members, Ints]:
    """The clusters that a better alignment could use, and the units where one is possible.

    A better alignment differs from the chosen one in connected pieces, and in at least one of
    them its clusters have the smaller reduced cost. So a cluster that costs more than all chosen
    in its own connected component is of no use; without those, the components fall apart further.
    """
    size = space.layout.size
    spent = _reduced(space, dual, chosen)
    price = _reduced(space, dual, members)
    while True:
        label = _components(np.concatenate((members, chosen)), size)
        budget = np.bincount(label[chosen[:, 0]], weights=spent, minlength=label.max() + 1)
        useful = price <= budget[label[members[:, 0]]] + _EPSILON
        if useful.all():
            return distinct(np.concatenate((members, chosen))), np.flatnonzero(
                budget[label] > _EPSILON
            )
        members, price = members[useful], price[useful]


def _reduced(space: Space, dual: Floats, members: Members) -> Floats:
    paid: Floats = np.where(members >= 0, dual[members], 0.0).sum(axis=1)
    return space.costs(members) - paid


def _choose(
    space: Space,
    members: Members,
    open_units: Ints,
    settled: Members,
    solver: str,
    budget: Budget,
) -> tuple[Members, bool]:
    """The cheapest choice where a component holds an open unit, the settled clusters elsewhere."""
    label = _components(np.concatenate((members, settled)), space.layout.size)
    is_open = np.zeros(label.max() + 1, dtype=bool)
    is_open[label[open_units]] = True
    parts = [settled[~is_open[label[settled[:, 0]]]]]
    members = members[is_open[label[members[:, 0]]]]
    costs = space.costs(members)
    proved = True
    for component in np.flatnonzero(is_open):
        inside = np.flatnonzero(label[members[:, 0]] == component)
        clusters = [row[row >= 0].tolist() for row in members[inside]]
        picked, optimal = _solve(clusters, costs[inside].tolist(), solver, budget)
        parts.append(members[inside[picked]])
        proved = proved and optimal
    return np.concatenate(parts), proved


def _solve(
    clusters: list[list[int]], costs: list[float], solver: str, budget: Budget
) -> tuple[list[int], bool]:
    """The cheapest choice, from PuLP as long as the budget lasts."""
    if budget.spent or len(clusters) > MOST_CANDIDATES:
        return greedy(clusters, costs), False
    budget.charge(PROGRAM * len(clusters))
    return solve_partition(clusters, costs, solver, budget.seconds)


def _components(members: Members, size: int) -> Ints:
    """For each unit the number of its connected component."""
    row, column = np.nonzero(members >= 0)
    ends = (members[row, 0], members[row, column])
    links = coo_array((np.ones(len(row)), ends), shape=(size, size))
    return np.asarray(connected_components(links, directed=False)[1], dtype=np.int64)
