"""Branching: the least reduced cost of the clusters of a first unit, for given duals.

It is found depth first. Messages give a lower bound of what any cluster costs (see messages). Where
that stays below the limit, the clusters with the unit of the highest dual are looked at first, one
level deeper, and then those without it. Units of high duals are what messages alone do not decide:
of two that cannot be together, each is taken by half.

The branches on the way down are in one array each, a row a level. Of level d, `unit` has the states
that are left, `own` and `pair` what they cost, `begin` where those of each annotator begin, and
`chosen` the units that are in all its clusters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.crowd.messages import ROUNDING, close_up, least, send, settle
from goldspan.engine.alignment.kernel import hot_kernel, kernel
from goldspan.engine.alignment.weight import weight

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, IntRows, Ints, Matrix
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.weight import Weighted

DEEPEST = 48
"""A branch is not divided further below this depth."""

ROUNDS, LOOK = 24, 3
"""Rounds of messages in a branch at most, and after how many of them the bound is looked at."""

GAIN = 0.03
"""A part of the bound: where messages gain less, the branch is divided."""

MOST_CHANGES = 30
"""Changes of one state that make a cluster better, and as many again as there are annotators."""

_EPSILON = 1e-9


@kernel
def _states(annotator: Ints, n: int, found: Ints, count: int, unit: Ints, begin: Ints) -> int:
    """The states of each annotator: its units, and to be absent (-1); how many annotators."""
    following = np.zeros(n + 1, np.int64)
    for x in range(count):
        following[annotator[found[x]] + 1] += 1
    groups = 0
    begin[0] = 0
    for a in range(n):
        many = following[a + 1]
        following[a + 1] = following[a]
        if many:
            following[a + 1] = begin[groups] + many + 1
            unit[begin[groups] + many] = -1
            following[a] = begin[groups]
            groups += 1
            begin[groups] = following[a + 1]
    for x in range(count):
        a = annotator[found[x]]
        unit[following[a]] = found[x]
        following[a] += 1
    return groups


@kernel
def _fill(
    annotator: Ints, start: Floats, end: Floats, category: Ints, positional: Weighted,
    beta_cat: Matrix, dual: Floats, u: int, unit: Ints, size: int, own: Floats, pair: Matrix,
) -> None:  # fmt: skip
    """What the states cost on their own, and in pairs."""
    for x in range(size):
        v = unit[x]
        own[x] = 0.0
        if v < 0:
            continue
        own[x] = weight(start, end, category, positional, beta_cat, u, v) - dual[v]
        for y in range(x):
            if unit[y] >= 0 and annotator[unit[y]] != annotator[v]:
                pair[y, x] = weight(start, end, category, positional, beta_cat, unit[y], v)


@kernel
def _cost(
    start: Floats, end: Floats, category: Ints, positional: Weighted, beta_cat: Matrix,
    dual: Floats, u: int, alone: float, chosen: Ints, count: int,
) -> float:  # fmt: skip
    """The reduced cost of u and the chosen units."""
    cost = alone
    for k in range(count):
        cost += weight(start, end, category, positional, beta_cat, u, chosen[k]) - dual[chosen[k]]
        for j in range(k):
            cost += weight(start, end, category, positional, beta_cat, chosen[j], chosen[k])
    return cost


@hot_kernel
def _swap(
    start: Floats, end: Floats, category: Ints, positional: Weighted, beta_cat: Matrix,
    unit: Ints, size: int, low: int, high: int, old: int, new: int, value: Floats,
) -> None:  # fmt: skip
    """What the states of other annotators add, after the one of low to high has another unit."""
    if old == new:
        return
    for x in range(size):
        if unit[x] >= 0 and not low <= x < high:
            if old >= 0:
                value[x] -= weight(start, end, category, positional, beta_cat, old, unit[x])
            if new >= 0:
                value[x] += weight(start, end, category, positional, beta_cat, new, unit[x])


@kernel
def _best_change(value: Floats, begin: Ints, groups: int, state: Ints) -> tuple[int, int]:
    """The annotator and the state whose choice saves most; -1 where none saves anything."""
    best, at, taken = -_EPSILON, -1, -1
    for g in range(groups):
        for x in range(begin[g], begin[g + 1]):
            change = value[x] - value[state[g]]
            if change < best:
                best, at, taken = change, g, x
    return at, taken


@kernel
def _improved(
    start: Floats, end: Floats, category: Ints, positional: Weighted, beta_cat: Matrix,
    dual: Floats, u: int, unit: Ints, own: Floats, begin: Ints, groups: int,
    chosen: Ints, count: int, value: Floats, state: Ints,
) -> int:  # fmt: skip
    """Add to the chosen units those of the states that cost least on their own, after the best
    changes of one state at a time; how many there are then.
    """
    size = begin[groups]
    for x in range(size):
        v = unit[x]
        value[x] = 0.0
        if v >= 0:
            value[x] = weight(start, end, category, positional, beta_cat, u, v) - dual[v]
            for k in range(count):
                value[x] += weight(start, end, category, positional, beta_cat, chosen[k], v)
    for g in range(groups):
        state[g] = begin[g] + own[begin[g] : begin[g + 1]].argmin()
        _swap(
            start, end, category, positional, beta_cat, unit, size, begin[g], begin[g + 1],
            -1, unit[state[g]], value,
        )  # fmt: skip
    for _ in range(groups + MOST_CHANGES):
        g, x = _best_change(value, begin, groups, state)
        if g < 0:
            break
        _swap(
            start, end, category, positional, beta_cat, unit, size, begin[g], begin[g + 1],
            unit[state[g]], unit[x], value,
        )  # fmt: skip
        state[g] = x
    for g in range(groups):
        if unit[state[g]] >= 0:
            chosen[count] = unit[state[g]]
            count += 1
    return count


@kernel
def _bounded(
    unit: Ints, own: Floats, pair: Matrix, begin: Ints, groups: int, base: float, limit: float,
    below: float, chosen: Ints, count: int, rest: Ints,
) -> tuple[int, float, float, int, int]:  # fmt: skip
    """Send messages in a branch, as long as they gain something: (annotators left, base, what no
    cluster is below, units chosen, steps).
    """
    steps = 0
    last = -np.inf
    for k in range(ROUNDS):
        if groups > 1:
            send(own, pair, begin, groups, k % 2 == 0)
            steps += 3 * begin[groups] * begin[groups]
            if k % LOOK < LOOK - 1:
                continue
        bound = base + least(own, begin, groups) - ROUNDING
        below = max(below, bound)
        if below >= limit:
            break
        before = begin[groups]
        groups, base, count = settle(
            unit, own, pair, begin, groups, base, limit, chosen, count, rest
        )
        if begin[groups] < before:
            close_up(pair, rest, begin[groups])
        if groups == 0 or bound - last < GAIN * abs(bound):
            break
        last = bound
    return groups, base, below, count, steps


@kernel
def _highest(unit: Ints, begin: Ints, groups: int, dual: Floats) -> tuple[int, int]:
    """The annotator and the state of the unit of the highest dual."""
    at, taken, high = 0, 0, -np.inf
    for g in range(groups):
        for x in range(begin[g], begin[g + 1]):
            if unit[x] >= 0 and dual[unit[x]] > high:
                at, taken, high = g, x, dual[unit[x]]
    return at, taken


@kernel
def _with(
    unit: IntRows, own: Matrix, begin: IntRows, depth: int, groups: int, pair: Matrix, g: int,
    x: int, deeper: Matrix,
) -> None:  # fmt: skip
    """Choose the state x of annotator g, one level deeper."""
    low, high, size = begin[depth, g], begin[depth, g + 1], begin[depth, groups]
    a = 0
    for y in range(size):
        if low <= y < high:
            continue
        own[depth + 1, a] = own[depth, y] + pair[min(x, y), max(x, y)]
        unit[depth + 1, a] = unit[depth, y]
        b = a + 1
        for z in range(y + 1, size):
            if not low <= z < high:
                deeper[a, b] = pair[y, z]
                b += 1
        a += 1
    for h in range(groups):
        begin[depth + 1, h] = begin[depth, h] if h <= g else begin[depth, h + 1] - (high - low)


@kernel
def _without(
    unit: Ints, own: Floats, pair: Matrix, begin: Ints, groups: int, g: int, x: int, rest: Ints
) -> None:
    """Leave out the state x of annotator g."""
    size = begin[groups]
    for y in range(x, size - 1):
        unit[y], own[y] = unit[y + 1], own[y + 1]
    for y in range(size - 1):
        rest[y] = y if y < x else y + 1
    close_up(pair, rest, size - 1)
    for h in range(g + 1, groups + 1):
        begin[h] -= 1


@kernel
def _add(found: Members, total: int, u: int, chosen: Ints, count: int) -> tuple[Members, int]:
    """One more cluster; none of a single unit."""
    if count == 0:
        return found, total
    if total == len(found):
        found = np.concatenate((found, np.empty_like(found)))
    found[total] = -1
    found[total, 0] = u
    found[total, 1 : count + 1] = np.sort(chosen[:count])
    return found, total + 1


@kernel
def cheapest(
    annotator: Ints, start: Floats, end: Floats, category: Ints, positional: Weighted,
    beta_cat: Matrix, n: int, dual: Floats, u: int, limit: float, around: Ints, count: int,
    nodes: int, found: Members, total: int,
) -> tuple[float, Members, int, int]:  # fmt: skip
    """The clusters of u and some units around it: (what none of them is below, clusters that cost
    less and less, how many, steps). It is the least reduced cost, or the limit, unless more than
    so many branches are to be looked at.
    """
    alone = n * (n - 1) / 2 - dual[u]
    unit, own = np.empty((DEEPEST, 2 * count), np.int64), np.empty((DEEPEST, 2 * count))
    begin, chosen = np.empty((DEEPEST, n + 1), np.int64), np.empty((DEEPEST, n), np.int64)
    groups, taken = np.zeros(DEEPEST, np.int64), np.zeros(DEEPEST, np.int64)
    base, below = np.full(DEEPEST, alone), np.full(DEEPEST, -np.inf)
    rest, value = np.empty(2 * count, np.int64), np.empty(2 * count)
    state, cluster = np.empty(n, np.int64), np.empty(n, np.int64)
    groups[0] = _states(annotator, n, around, count, unit[0], begin[0])
    width, where = np.zeros(DEEPEST, np.int64), np.zeros(DEEPEST, np.int64)
    width[0] = size = begin[0, groups[0]]
    room = np.zeros(size * size)  # the pairs of all levels, one after the other
    _fill(
        annotator, start, end, category, positional, beta_cat, dual, u, unit[0], size, own[0],
        room.reshape((size, size)),
    )  # fmt: skip
    best, open_bound = limit, np.inf
    steps = 8 * size * size
    depth = 0
    while depth >= 0:
        nodes -= 1
        past = where[depth] + width[depth] ** 2
        pair = room[where[depth] : past].reshape((width[depth], width[depth]))
        left, base[depth], below[depth], taken[depth], took = _bounded(
            unit[depth], own[depth], pair, begin[depth], groups[depth], base[depth], best,
            below[depth], chosen[depth], taken[depth], rest,
        )  # fmt: skip
        steps += took
        groups[depth] = left
        if below[depth] >= best:
            depth -= 1
            continue
        size = begin[depth, left]
        cluster[: taken[depth]] = chosen[depth, : taken[depth]]
        many = _improved(
            start, end, category, positional, beta_cat, dual, u, unit[depth], own[depth],
            begin[depth], left, cluster, taken[depth], value, state,
        )  # fmt: skip
        cost = _cost(start, end, category, positional, beta_cat, dual, u, alone, cluster, many)
        steps += 8 * size * (taken[depth] + left) + 8 * many * many
        if cost < best - _EPSILON:
            best = cost
            found, total = _add(found, total, u, cluster, many)
        if left == 0:  # that was the only cluster
            depth -= 1
            continue
        if nodes <= 0 or depth + 1 == DEEPEST:
            open_bound = min(open_bound, below[depth])
            depth -= 1
            continue
        g, x = _highest(unit[depth], begin[depth], left, dual)
        inner = size - (begin[depth, g + 1] - begin[depth, g])
        if past + inner * inner > len(room):
            room = np.concatenate((room, np.empty(past + inner * inner)))
            pair = room[where[depth] : past].reshape((width[depth], width[depth]))
        deeper = room[past : past + inner * inner].reshape((inner, inner))
        width[depth + 1], where[depth + 1] = inner, past
        _with(unit, own, begin, depth, left, pair, g, x, deeper)
        groups[depth + 1] = left - 1
        base[depth + 1], below[depth + 1] = base[depth] + own[depth, x], below[depth]
        chosen[depth + 1] = chosen[depth]
        chosen[depth + 1, taken[depth]] = unit[depth, x]
        taken[depth + 1] = taken[depth] + 1
        _without(unit[depth], own[depth], pair, begin[depth], left, g, x, rest)
        depth += 1
    return min(best, open_bound), found, total, steps
