"""Band: the weights of all pairs of near units, and the clusters that are cheap for given duals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.budget import MOST_MEMBERS, UNLIMITED
from goldspan.engine.alignment.crowd.depth_first import descend, desk
from goldspan.engine.alignment.kernel import kernel
from goldspan.engine.alignment.weight import weight

if TYPE_CHECKING:
    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.space import Neighbourhood, Space
    from goldspan.engine.alignment.weight import Weighted

MOST_WEIGHTS = 50_000_000
"""A band with more weights than this takes too much memory: 400 MB."""


@dataclass(frozen=True, slots=True)
class Priced:
    """Clusters, and for each first unit what none of its clusters has less than (0 at most).

    `exact` says that these are the least reduced costs; `complete` that no cluster is missing.
    """

    members: Members
    least: Floats
    exact: bool
    complete: bool


@dataclass(frozen=True, slots=True)
class Band:
    """`weights[u, v - u]` is w(u, v) of the units u < v, or infinite if one annotator has both."""

    annotator: Ints
    n: int
    near: Neighbourhood
    weights: Floats

    @classmethod
    def of(cls, space: Space, near: Neighbourhood) -> Band | None:
        """The weights of the neighbours, and of all between them; None past MOST_WEIGHTS."""
        size = space.layout.size
        has = np.flatnonzero(np.diff(near.pointers))
        width = int((near.indices[near.pointers[has + 1] - 1] - has).max(initial=0)) + 1
        if not near.whole or size * width > MOST_WEIGHTS:
            return None
        weights = np.empty((size, width))
        _fill(*space.arrays, space.positional, space.beta_cat, weights)
        return cls(space.layout.annotator, space.layout.n, near, weights)

    def price(
        self,
        dual: Floats,
        below: float,
        budget: Budget,
        *,
        every: bool,
        nodes: int = UNLIMITED,
        most: int = MOST_MEMBERS,
    ) -> Priced:
        """Clusters of reduced cost under `below`: every one, or some for each first unit, its least
        among them. No more than so many nodes are looked at for one first unit, and the list ends
        after so many clusters.
        """
        size, n = len(self.weights), self.n
        most = min(most, MOST_MEMBERS // n)
        least = np.empty(size)
        parts: list[Members] = [np.empty((0, n), dtype=np.int64)]
        at, total, exact = 0, 0, True
        while at < size and total <= most:
            if budget.spent:
                break
            before = budget.slice
            at, members, sure, left = _price_on(
                self.annotator, n, *self.near.later, self.near.half, self.weights,
                dual, below, every, nodes, most - total, at, before, least,
            )  # fmt: skip
            budget.charge(before - left)
            parts.append(members)
            total += len(members)
            exact = exact and sure
        least[at:] = -np.inf  # of units that were not looked at nothing is known
        complete = at == size and total <= most
        return Priced(np.concatenate(parts), least, exact and complete, complete and exact)


@kernel
def _fill(
    annotator: Ints,
    start: Floats,
    end: Floats,
    category: Ints,
    positional: Weighted,
    beta_cat: Floats,
    weights: Floats,
) -> None:
    size, width = weights.shape
    for u in range(size):
        for v in range(u, min(size, u + width)):
            if annotator[u] == annotator[v]:
                weights[u, v - u] = np.inf
            else:
                weights[u, v - u] = weight(start, end, category, positional, beta_cat, u, v)


@kernel
def _price_on(
    annotator: Ints,
    n: int,
    near: Ints,
    ahead: Ints,
    half: Floats,
    weights: Floats,
    dual: Floats,
    below: float,
    every: bool,
    nodes: int,
    most: int,
    first: int,
    steps: int,
    least: Floats,
) -> tuple[int, Members, bool, int]:
    """Take the units from `first` on, until the steps are used up: (the next one, clusters, whether
    each search came to its end, steps left).
    """
    pairs = n * (n - 1) / 2
    found: Members = np.empty((256, n), np.int64)
    widest = 0
    for u in range(first, len(near) - 1):
        widest = max(widest, near[u + 1] - near[u])
    room = desk(n, widest)
    grouped, group = np.empty(widest, np.int64), np.empty(widest, np.int64)
    marginal, own, pair = np.empty(widest), np.empty(widest), np.empty((widest, widest))
    best, begin = np.zeros(n), np.zeros(n + 1, np.int64)
    count = 0
    exact = True
    u = first
    while u < len(near) - 1 and steps > 0 and count <= most:
        around = ahead[near[u] : near[u + 1]]
        alone = pairs - dual[u]
        for x in range(len(around)):
            marginal[x] = weights[u, around[x] - u] - dual[around[x]]
        root = _root(annotator, around, marginal, half, alone, best)
        size = 0
        if root < below:
            size = _promising(
                annotator, around, marginal, half, best, root, below, begin, grouped, group
            )
        for x in range(size):
            v = grouped[x]
            own[x] = weights[u, v - u] - dual[v]
            pair[x, x] = np.inf
            for y in range(x):
                low, high = min(v, grouped[y]), max(v, grouped[y])
                pair[x, y] = pair[y, x] = weights[low, high - low]
        steps -= 5 * len(around) + 2 * size * size + n
        reached, sure, took = min(alone, below), True, 0
        if root < below:
            found, count, reached, sure, took = descend(
                u, alone, grouped, group, size, own, pair, below, every, nodes, room, found, count
            )
        least[u] = min(0.0, max(reached, root))
        exact = exact and sure
        steps -= took
        u += 1
    return u, found[:count], exact, steps


@kernel
def _root(
    annotator: Ints, around: Ints, marginal: Floats, half: Floats, alone: float, best: Floats
) -> float:
    """What no cluster of a first unit has less than; in `best` what each annotator adds."""
    best[:] = 0.0
    for x in range(len(around)):
        v = around[x]
        best[annotator[v]] = min(best[annotator[v]], marginal[x] + half[v])
    return float(alone + best.sum())


@kernel
def _promising(
    annotator: Ints, around: Ints, marginal: Floats, half: Floats, best: Floats,
    root: float, below: float, begin: Ints, grouped: Ints, group: Ints,
) -> int:  # fmt: skip
    """The units that can be in a cluster below the limit, by annotator; how many."""
    n = len(best)
    begin[:] = 0
    for x in range(len(around)):
        v = around[x]
        if root - best[annotator[v]] + marginal[x] + half[v] < below:
            begin[annotator[v] + 1] += 1
    number = 0
    for a in range(n):
        begin[a + 1] += begin[a]
        for x in range(begin[a], begin[a + 1]):
            group[x] = number
        number += begin[a + 1] > begin[a]
    size = begin[n]
    for x in range(len(around)):
        v = around[x]
        if root - best[annotator[v]] + marginal[x] + half[v] < below:
            grouped[begin[annotator[v]]] = v
            begin[annotator[v]] += 1
    return int(size)
