"""Recombination: a better alignment from the clusters of a linear program, window by window.

Clusters of small reduced cost are what good alignments are made of. The units are in the order of
the text, so an alignment can be improved in a window of them: those of its clusters that are in the
window are taken away, and an integer program covers their units by the best of all known clusters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.program import DEFAULT_SOLVER, solve_partition
from goldspan.engine.alignment.solution import members, number

if TYPE_CHECKING:
    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.space import Space

WINDOW = 16
"""Units of each annotator in a window; the next one begins half of that later."""

CANDIDATES = 4
"""Clusters for each unit in a window: those of the least reduced cost."""

NODES = 20
"""Nodes of an integer program."""

STEPS = 1_000_000
"""Steps of an integer program for each cluster, more or less."""

_EPSILON = 1e-9


def recombine(
    space: Space, cluster: Ints, candidates: Members, price: Floats, budget: Budget
) -> Ints:
    """The alignment after an integer program in each window; never a worse one.

    `price` is the reduced cost of the candidates.
    """
    size = space.layout.size
    chosen = members(space, cluster)
    order = np.argsort(price, kind="stable")
    candidates = candidates[order]
    first, last = _ends(candidates)
    width = WINDOW * space.layout.n
    for low in range(0, max(1, size - width // 2), width // 2):
        if budget.spent:
            break
        begin, end = _ends(chosen)
        open_rows = (begin >= low) & (end < low + width)
        is_free = np.zeros(size + 1, np.bool_)
        is_free[chosen[open_rows]] = True
        is_free[-1] = True  # no unit
        inside = np.flatnonzero((first >= low) & (last < low + width))
        inside = inside[is_free[candidates[inside]].all(axis=1)]
        inside = inside[: CANDIDATES * int(is_free.sum())]
        better = _cheapest(space, chosen[open_rows], candidates[inside], budget)
        if better is not None:
            chosen = np.concatenate((chosen[~open_rows], better))
    return number(chosen, size)


def _cheapest(space: Space, given: Members, candidates: Members, budget: Budget) -> Members | None:
    """The cheapest choice from the given clusters and the candidates; None for the given ones."""
    if not len(given) or not len(candidates):
        return None
    alone = np.full((int((given >= 0).sum()), given.shape[1]), -1)
    alone[:, 0] = given[given >= 0]
    every = np.concatenate((given, candidates, alone))
    costs = space.costs(every)
    budget.charge(STEPS * len(every))
    picked, _ = solve_partition(
        [row[row >= 0].tolist() for row in every], costs.tolist(), DEFAULT_SOLVER,
        budget.seconds, nodes=NODES,
    )  # fmt: skip
    if costs[picked].sum() < costs[: len(given)].sum() - _EPSILON:
        made: Members = every[picked]
        return made
    return None


def _ends(rows: Members) -> tuple[Ints, Ints]:
    """The first and the last unit of each cluster."""
    first: Ints = np.where(rows >= 0, rows, np.iinfo(np.int64).max).min(axis=1)
    return first, rows.max(axis=1)
