"""Search: a best alignment where the frontier does not reach, or the best one in the budget.

First a good alignment is made, without a proof (agglomeration). Where annotators agree, the shares
of the units prove it. Else column generation looks for the optimum. When the budget ends before,
the best alignment found is improved and annealed, and comes with the best lower bound. Of many
annotators both are poor by then; an ascent with a budget of its own makes them better.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from goldspan.engine.alignment.agglomeration import agglomerate, improve
from goldspan.engine.alignment.budget import Budget
from goldspan.engine.alignment.crowd.annealing import anneal
from goldspan.engine.alignment.crowd.dissolution import dissolve
from goldspan.engine.alignment.crowd.duals import reduced
from goldspan.engine.alignment.pair_bound import pair_bound
from goldspan.engine.alignment.solution import Solution, distinct, members, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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

DISSOLVED, RAISED, RECOMBINED = 0.6, 0.8, 0.9
"""Of an ascent's budget, the part that dissolving clusters may take; of the rest, the part that is
for the bound; and of the rest then, the part that is for integer programs.
"""

MANY = 11
"""Of fewer annotators no ascent is made."""

LEAST = 1_000_000_000
"""With a budget of fewer steps no ascent is made."""


def search(space: Space, exact: Way, budget: Budget, *, shares: bool, ascent: int) -> Solution:
    """A best alignment of the space; not proved where the budget ends before it is.

    With `shares`, what each unit costs at the least may prove it before the exact way is tried.
    An `ascent` may take so many steps for each unit.
    """
    near = space.neighbourhood()
    ascends = space.layout.n >= MANY and budget.steps >= LEAST
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
    known = _best_known(space, near, cluster, solution, budget)
    if known.optimal or not ascends:
        return known
    further = Budget(ascent * space.layout.size, budget.end, budget.clock)
    return _ascended(space, near, known, further)


def _ascended(space: Space, near: Neighbourhood, known: Solution, budget: Budget) -> Solution:
    """The alignment and its bound after an ascent, and of the clusters found on the way."""
    # What follows takes a moment to load, and few crowds need it.
    from goldspan.engine.alignment.crowd.ascent import ascend  # noqa: PLC0415
    from goldspan.engine.alignment.crowd.recombination import recombine  # noqa: PLC0415

    cluster = number(known.chosen, space.layout.size)
    with _part(budget, DISSOLVED) as part:
        cluster = dissolve(space, cluster, part)
    with _part(budget, RAISED) as part:
        found = ascend(space, near, members(space, cluster), part)
    with _part(budget, RECOMBINED) as part:
        price = reduced(space, found.towards, found.members)
        cluster = recombine(space, cluster, found.members, price, part)
    chosen = members(space, improve(space, near, cluster, budget))
    chosen = min(known.chosen, chosen, key=lambda one: float(space.costs(one).sum()))
    bound = max(known.bound, found.bound)
    cost = float(space.costs(chosen).sum())
    return Solution(chosen, chosen, bound, optimal=cost <= bound + PROOF)


@contextmanager
def _part(budget: Budget, share: float) -> Iterator[Budget]:
    """A part of what is left; what is used of it is charged."""
    part = budget.part(share)
    given = part.steps
    yield part
    budget.charge(given - part.steps)


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
