"""Agglomeration: a good partition in little time, for a start and where no search reaches.

Two clusters become one wherever that lowers the cost, the closest ones first. Then the units of
one annotator after the other are taken out and put back in the best way: with all other units in
place that is an assignment of units to clusters, solved exactly. Nothing here proves anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from goldspan.engine.alignment.budget import SLICE, Budget
from goldspan.engine.alignment.kernel import kernel
from goldspan.engine.alignment.weight import weight

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.space import Neighbourhood, Space
    from goldspan.engine.alignment.weight import Weighted

ROUNDS = 20
"""Rounds of merging and of putting back, at most."""

MOST_UNITS = 5_000
"""An annotator with more units than this is left as is: assignments take too long."""

ASSIGNMENT = 50_000
"""Steps of an assignment for each unit, more or less."""

PAIR = 100
"""Steps of a round of merging for each pair of neighbours, more or less."""

_EPSILON = 1e-9


@kernel
def _cross(
    start: Floats, end: Floats, category: Ints, positional: Weighted, beta_cat: Floats,
    head: Ints, following: Ints, one: int, other: int,
) -> float:  # fmt: skip
    """Σ w between two clusters, each given as a linked list of its units."""
    total = 0.0
    u = head[one]
    while u >= 0:
        v = head[other]
        while v >= 0:
            total += weight(start, end, category, positional, beta_cat, u, v)
            v = following[v]
        u = following[u]
    return total


@kernel
def _share_annotator(
    annotator: Ints, head: Ints, following: Ints, seen: Ints, one: int, other: int, stamp: int
) -> bool:
    """Whether some annotator has a unit in either cluster."""
    u = head[one]
    while u >= 0:
        seen[annotator[u]] = stamp
        u = following[u]
    u = head[other]
    while u >= 0:
        if seen[annotator[u]] == stamp:
            return True
        u = following[u]
    return False


@kernel
def _merge(
    annotator: Ints, start: Floats, end: Floats, category: Ints,
    positional: Weighted, beta_cat: Floats,
    n: int, cluster: Ints, first: Ints, second: Ints, limit: float, begin: int, steps: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Merge the clusters of first[k] and second[k], k from `begin` on, where Σ w < limit.

    `cluster` numbers them by one of their units. Comes back with the next k, how many were merged
    and the steps left.
    """
    size = len(cluster)
    head = np.full(size, -1, np.int64)
    count = np.zeros(size, np.int64)
    mask = np.zeros(size, np.uint64)
    following = np.full(size, -1, np.int64)
    for u in range(size):
        c = cluster[u]
        following[u] = head[c]
        head[c] = u
        count[c] += 1
        mask[c] |= np.uint64(1) << np.uint64(annotator[u] % 64)
    seen = np.full(n, -1, np.int64)
    merged = 0
    k = begin
    while k < len(first) and steps > 0:
        one, other = cluster[first[k]], cluster[second[k]]
        k += 1
        steps -= 4
        if one == other or (n <= 64 and mask[one] & mask[other]):
            continue
        if n > 64 and mask[one] & mask[other]:
            steps -= count[one] + count[other]
            if _share_annotator(annotator, head, following, seen, one, other, k):
                continue
        steps -= 6 * count[one] * count[other]
        if (
            not _cross(start, end, category, positional, beta_cat, head, following, one, other)
            < limit
        ):
            continue
        if count[one] < count[other]:
            one, other = other, one
        u = head[other]
        while u >= 0:
            after = following[u]
            cluster[u] = one
            following[u] = head[one]
            head[one] = u
            u = after
        head[other] = -1
        count[one] += count[other]
        mask[one] |= mask[other]
        merged += 1
    return k, merged, steps


@kernel
def _crosses(
    start: Floats, end: Floats, category: Ints, positional: Weighted, beta_cat: Floats,
    cluster: Ints, first: Ints, second: Ints, begin: int, steps: int, crosses: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Fill in Σ w between the clusters first[k] and second[k], k from `begin` on."""
    size = len(cluster)
    head = np.full(size, -1, np.int64)
    following = np.full(size, -1, np.int64)
    count = np.zeros(size, np.int64)
    for u in range(size):
        c = cluster[u]
        following[u] = head[c]
        head[c] = u
        count[c] += 1
    k = begin
    while k < len(first) and steps > 0:
        one, other = first[k], second[k]
        crosses[k] = _cross(start, end, category, positional, beta_cat, head, following, one, other)
        steps -= 4 + 6 * count[one] * count[other]
        k += 1
    return k, steps


@kernel
def _offers(
    start: Floats, end: Floats, category: Ints, positional: Weighted, beta_cat: Floats,
    cluster: Ints, units: Ints, before: Ints, pointers: Ints, around: Ints, limit: float,
) -> tuple[Ints, Ints, Floats, int]:  # fmt: skip
    """What each of the units, which are in no cluster, would cost in the clusters around it.

    As (row, cluster, Σ w, steps), where Σ w < limit or the unit was there `before`.
    """
    size = len(cluster)
    head = np.full(size, -1, np.int64)
    following = np.full(size, -1, np.int64)
    for u in range(size):
        if cluster[u] >= 0:
            following[u] = head[cluster[u]]
            head[cluster[u]] = u
    seen = np.full(size, -1, np.int64)
    rows: Ints = np.empty(64, np.int64)
    clusters: Ints = np.empty(64, np.int64)
    costs: Floats = np.empty(64)
    found = 0
    steps = 0
    for row in range(len(units)):
        u = units[row]
        for k in range(pointers[u] - 1, pointers[u + 1]):
            c = before[row] if k < pointers[u] else cluster[around[k]]
            if c < 0 or head[c] < 0 or seen[c] == row:
                continue
            seen[c] = row
            cost = 0.0
            v = head[c]
            while v >= 0:
                cost += weight(start, end, category, positional, beta_cat, u, v)
                steps += 6
                v = following[v]
            if c != before[row] and not cost < limit:
                continue
            if found == len(rows):
                rows = np.concatenate((rows, np.empty_like(rows)))
                clusters = np.concatenate((clusters, np.empty_like(clusters)))
                costs = np.concatenate((costs, np.empty_like(costs)))
            rows[found], clusters[found], costs[found] = row, c, cost
            found += 1
    return rows[:found], clusters[:found], costs[:found], steps


def agglomerate(space: Space, near: Neighbourhood, budget: Budget) -> Ints:
    """For each unit the number of its cluster: however small the budget, some are merged."""
    first = np.repeat(np.arange(space.layout.size), np.diff(near.pointers))
    second = near.indices
    cluster = np.arange(space.layout.size)
    weights = space.weights(first, second)
    closest = np.argsort(weights, kind="stable")
    closest = closest[weights[closest] < 0.0]
    _merge_in_order(space, cluster, first[closest], second[closest], _EPSILON, budget)
    for _ in range(ROUNDS):
        if not _merge_round(space, cluster, first, second, budget):
            break
    return cluster


def improve(space: Space, near: Neighbourhood, cluster: Ints, budget: Budget) -> Ints:
    """The partition after putting back each annotator's units until that lowers no cost."""
    first = np.repeat(np.arange(space.layout.size), np.diff(near.pointers))
    cluster = cluster.copy()
    for _ in range(ROUNDS):
        gained = [
            _put_back(space, near, cluster, annotator, budget)
            for annotator in range(space.layout.n)
        ]
        merged = _merge_round(space, cluster, first, near.indices, budget)
        if budget.spent or not (merged or max(gained) > _EPSILON):
            break
    return cluster


def _merge_in_order(
    space: Space, cluster: Ints, first: Ints, second: Ints, limit: float, budget: Budget
) -> int:
    total = at = 0
    while at < len(first) and not (at and budget.spent):
        before = max(budget.slice, SLICE // 10)
        at, merged, left = _merge(
            *space.arrays, space.positional, space.beta_cat, space.layout.n,
            cluster, first, second, limit, at, before,
        )  # fmt: skip
        budget.charge(before - left)
        total += merged
    return total


def _merge_round(space: Space, cluster: Ints, first: Ints, second: Ints, budget: Budget) -> int:
    """Merge neighbouring clusters where that saves more than nothing, the best ones first."""
    if budget.spent:
        return 0
    budget.charge(PAIR * len(first))
    one, other = cluster[first], cluster[second]
    low, high = np.minimum(one, other), np.maximum(one, other)
    keys = np.unique((low * space.layout.size + high)[low != high])
    low, high = np.divmod(keys, space.layout.size)
    crosses = np.full(len(keys), np.inf)
    at = 0
    while at < len(keys) and not budget.spent:
        before = budget.slice
        at, left = _crosses(
            *space.arrays[1:],
            space.positional,
            space.beta_cat,
            cluster,
            low,
            high,
            at,
            before,
            crosses,
        )
        budget.charge(before - left)
    order = np.argsort(crosses, kind="stable")
    order = order[crosses[order] < space.pairs - _EPSILON]
    limit = space.pairs - _EPSILON
    return _merge_in_order(space, cluster, low[order], high[order], limit, budget)


def _put_back(
    space: Space, near: Neighbourhood, cluster: Ints, annotator: int, budget: Budget
) -> float:
    """Take an annotator's units out and put them back at the least cost; what that saves."""
    if budget.spent:
        return 0.0
    units = np.flatnonzero(space.layout.annotator == annotator)
    if not 0 < len(units) <= MOST_UNITS:
        return 0.0
    before = cluster[units]
    others = cluster.copy()
    others[units] = -1
    rows, targets, costs, steps = _offers(
        *space.arrays[1:], space.positional, space.beta_cat, others, units, before,
        near.every, near.around, space.pairs,
    )  # fmt: skip
    budget.charge(steps + ASSIGNMENT * len(units))
    used, columns = np.unique(targets, return_inverse=True)
    count = len(units)
    numbers = np.arange(count)
    # One more than any cost in each: every unit is matched, so that changes no choice.
    lift = 1.0 + space.layout.n
    matrix = coo_array(
        (
            np.concatenate((costs + lift, np.full(count, space.pairs + lift))),
            (np.concatenate((rows, numbers)), np.concatenate((columns, len(used) + numbers))),
        ),
        shape=(count, len(used) + count),
    ).tocsr()
    row, column = min_weight_full_bipartite_matching(matrix)
    joined = column < len(used)
    after = np.empty(count, dtype=np.int64)
    after[row[joined]] = used[column[joined]]
    free = np.setdiff1d(np.arange(len(cluster)), np.unique(others))
    after[row[~joined]] = free[: int((~joined).sum())]
    trial = others.copy()
    trial[units] = after
    saved = _placed(space, rows, targets, costs, before) - float(
        matrix[row, column].sum() - lift * count
    )
    if saved > _EPSILON:
        cluster[:] = trial
        return saved
    return 0.0


def _placed(space: Space, rows: Ints, targets: Ints, costs: Floats, before: Ints) -> float:
    """What the units cost where they were: Σ w in a cluster with others, N alone."""
    there = targets == before[rows]
    known = np.full(len(before), space.pairs)
    known[rows[there]] = costs[there]
    return float(known.sum())
