"""Search: a best alignment where the frontier does not reach, or the best one in the budget.

First a good alignment is made, without a proof (agglomeration). Where annotators agree, the shares
of the units prove it. Else column generation looks for the optimum. When the budget ends before,
the best alignment found is improved and annealed, and comes with the best lower bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from goldspan.engine.alignment.agglomeration import agglomerate, improve
from goldspan.engine.alignment.crowd.annealing import anneal
from goldspan.engine.alignment.pair_bound import pair_bound
from goldspan.engine.alignment.solution import Solution, distinct, members, number

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.clusters import Ints
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.space import Neighbourhood, Space

Way: TypeAlias = "Callable[[Space, Neighbourhood, Members, Budget], Solution | None]"
"""An exact way to align; it is given a good alignment too. None where the problem is too large."""

PROOF = 1e-6
"""A cost no further than this from its lower bound is the least."""

EXACT = 0.8
"""The part of the budget that is for the exact search."""

ANNEALED = 0.9
"""The part of what is left then that is for annealing."""


def search(space: Space, exact: Way, budget: Budget, *, shares: bool) -> Solution:
    """A best alignment of the space; not proved where the budget ends before it is.

    With `shares`, what each unit costs at the least may prove it before the exact way is tried.
    """
    near = space.neighbourhood()
    cluster = agglomerate(space, near, budget)
    first = members(space, cluster)
    if shares and space.costs(first).sum() <= near.share.sum() + PROOF:
        return _proved(space, near, first, budget)
    part = budget.part(EXACT)
    given = part.steps
    solution = exact(space, near, first, part)
    if solution is not None and solution.optimal:
        return solution
    budget.charge(given - part.steps)
    return _best_known(space, near, cluster, solution, budget)


def _best_known(
    space: Space, near: Neighbourhood, cluster: Ints, solution: Solution | None, budget: Budget
) -> Solution:
    """The cheapest alignment found, improved within the budget, and the best lower bound."""
    bound = max(float(near.share.sum()), pair_bound(space, budget))
    known = [cluster]
    if solution is not None:
        bound = max(bound, solution.bound)
        known.append(number(solution.chosen, space.layout.size))
    made = [improve(space, near, one, budget) for one in known]
    best = min(made, key=lambda one: _cost(space, one))
    if _cost(space, best) > bound + PROOF and not budget.spent:
        part = budget.part(ANNEALED)
        given = part.steps
        annealed = anneal(space, near, best, part)
        budget.charge(given - part.steps)
        annealed = improve(space, near, annealed, budget)
        best = min(best, annealed, key=lambda one: _cost(space, one))
    chosen = members(space, best)
    return Solution(
        chosen, chosen, bound, optimal=float(space.costs(chosen).sum()) <= bound + PROOF
    )


def _cost(space: Space, cluster: Ints) -> float:
    return float(space.costs(members(space, cluster)).sum())


def _proved(space: Space, near: Neighbourhood, chosen: Members, budget: Budget) -> Solution:
    """An alignment that costs no more than the sum of the shares, with all that cost the same.

    The shares are duals then, and a cluster of another best alignment has the reduced cost 0.
    """
    listed, equal, _ = space.priced(near, near.share, PROOF, budget, every=True)
    candidates = distinct(np.concatenate((equal, chosen))) if listed else chosen
    return Solution(chosen, candidates, float(near.share.sum()), optimal=True)
