"""Crowd: a best alignment of many annotators, by duals and a cover.

Duals that no cluster violates give a lower bound. The cover then finds the best alignment among all
that cost up to θ more; where there is none, the bound is higher by θ, and θ grows. Where the states
are too many for the cover, its best alignment remains, and PuLP looks for a better one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.crowd.band import Band
from goldspan.engine.alignment.crowd.cover import REACH, Covered, cover
from goldspan.engine.alignment.crowd.duals import Duals, equal_shares, linear_duals, reduced
from goldspan.engine.alignment.solution import Solution, distinct

if TYPE_CHECKING:
    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.space import Neighbourhood, Space

FIRST_THETA, PART, APART = 0.3, 0.01, 0.8
"""θ begins with this, but no more than this part of the bound: where all is cheap, many clusters
are. It begins with this part of what the linear program leaves open if that is more."""

MOST_LISTED, LISTED_A_UNIT = 400_000, 12
"""The cover gets as many clusters as 400,000 or, on long continua, twelve for each unit."""

GROWTH = 1.6
"""By how much θ grows."""

AGREEING = 0.5
"""The part of an alignment's cost that the least shares of its units explain where it may be proved
without a linear program."""

ROUGH = 1_000
"""States for each unit where no proof is possible, for a good alignment."""

KEPT_BYTES = 31 << 20
"""glibc keeps freed memory for the next arrays once an array of this size was freed."""

_EPSILON = 1e-6


def align_crowd(
    space: Space, near: Neighbourhood, agglomerated: Members, budget: Budget
) -> Solution | None:
    """A best alignment, proved or not; None where units have too many neighbours."""
    _keep_freed_memory()
    band = Band.of(space, near)
    if band is None:
        return None
    found: Duals | None = None
    if near.share.sum() >= AGREEING * space.costs(agglomerated).sum():
        found = equal_shares(space, band, agglomerated, budget)
    if found is None or not found.close:
        found = linear_duals(space, band, agglomerated, budget)
    if found is None:
        return None
    return _within(space, band, found, budget) if found.close else _rough(space, found, budget)


@cache
def _keep_freed_memory() -> None:
    """Make the C library keep what an alignment frees for the next one. Until it has seen a large
    array freed, glibc returns the memory thousands of times, and the system has to clear each page
    again: a tenth of the time. Nothing is written to this array, so it takes no memory.
    """
    np.empty(KEPT_BYTES, np.uint8)


def _within(space: Space, band: Band, found: Duals, budget: Budget) -> Solution | None:
    """The best alignment, from those within θ of the bound."""
    theta = max(min(FIRST_THETA, PART * found.bound), APART * found.apart)
    most = max(MOST_LISTED, LISTED_A_UNIT * space.layout.size)
    proved = 0.0
    while not budget.spent:
        listed = band.price(found.dual, theta + 2 * _EPSILON, budget, every=True, most=most)
        if not listed.complete:
            break
        members = distinct(listed.members)
        done = _cover(space, found, members, theta, budget)
        if not done.whole:
            return _finish(space, found, members, theta, proved, done, budget)
        if not done.none:
            chosen = members[done.chosen]
            return Solution(chosen, chosen, float(space.costs(chosen).sum()), optimal=True)
        proved, theta = theta, GROWTH * theta
    rough = _rough(space, found, budget)
    return None if rough is None else replace(rough, bound=found.bound + proved)


def _cover(space: Space, found: Duals, members: Members, theta: float, budget: Budget) -> Covered:
    spends = reduced(space, found.dual, members)
    return cover(space.layout.size, members, spends, space.places(members), theta, budget)


def _finish(
    space: Space, found: Duals, members: Members, theta: float, proved: float, done: Covered,
    budget: Budget,
) -> Solution:  # fmt: skip
    """What PuLP makes of the clusters of reduced cost up to θ, or what the cover found."""
    best, optimal = _cheapest(space, members, budget)
    cost = float(space.costs(best).sum())
    if optimal and cost <= found.bound + theta:
        return Solution(best, members, cost, optimal=True)
    if not done.none and space.costs(members[done.chosen]).sum() < cost:
        best = members[done.chosen]
    return Solution(best, best, found.bound + proved, optimal=False)


def _cheapest(space: Space, members: Members, budget: Budget) -> tuple[Members, bool]:
    """The cheapest alignment into these clusters and units alone, and whether it is proved so."""
    # The solvers take a moment to load, and few crowds need them.
    if space.layout.n == 2:
        from goldspan.engine.alignment.crowd.matching import cheapest_matching  # noqa: PLC0415

        every = distinct(np.concatenate((members, space.alone())))
        return every[cheapest_matching(every, space.costs(every), space.layout.annotator)], True
    from goldspan.engine.alignment.generation import finish  # noqa: PLC0415

    return finish(space, members, budget)


def _rough(space: Space, found: Duals, budget: Budget) -> Solution | None:
    """A good alignment from the clusters of the linear program; None where they make up none."""
    members = distinct(found.members)
    members = members[members.max(axis=1) - members[:, 0] < REACH]
    spends = reduced(space, found.dual, members)
    size = space.layout.size
    done = cover(size, members, spends, space.places(members), np.inf, budget, ROUGH)
    if done.none:
        return None
    chosen = members[done.chosen]
    return Solution(chosen, chosen, found.bound, optimal=False)
