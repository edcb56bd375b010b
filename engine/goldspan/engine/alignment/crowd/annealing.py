"""Annealing: a better partition than the one at hand, by many small moves, some of which cost more.

A move takes a unit to the cluster of one of its neighbours: it changes places with the unit of the
same annotator there, or joins. Or it leaves its cluster. A move that costs δ more is made with the
probability exp(-δ/T), where T falls from sweep to sweep; so what a good partition needs several
moves for is found too. The random numbers are the same each time. Nothing here proves anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.kernel import hot_kernel, kernel
from goldspan.engine.alignment.weight import weight

if TYPE_CHECKING:
    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.clusters import Floats, Ints, Masks
    from goldspan.engine.alignment.space import Neighbourhood, Space
    from goldspan.engine.alignment.weight import Weighted

HOT, WARM, COLD = 1.0, 0.05, 0.02
MANY = 1_000_000
"""With so many steps for each unit the temperature is N at first, and little is left of the given
partition; with fewer it is a part of N, and most of it stays. At last it is cold.
"""

MOST_PLACES = 30_000_000
"""Units times annotators, at most: there is a place for each in a table."""

MOVE, STEP = 40, 6
"""Steps for each move, and for each weight, more or less."""

SEED = 0x9E3779B97F4A7C15

_EPSILON = 1e-6


@hot_kernel
def _cross(
    start: Floats, end: Floats, category: Ints, positional: Weighted, beta_cat: Floats,
    member: Ints, count: int, unit: int, without: int,
) -> float:  # fmt: skip
    """Σ w between a unit and the others of a cluster, one of them left out."""
    total = 0.0
    for k in range(count):
        v = member[k]
        if v not in (unit, without):
            total += weight(start, end, category, positional, beta_cat, unit, v)
    return total


@kernel
def _of_annotator(annotator: Ints, member: Ints, count: int, wanted: int) -> int:
    """The unit of an annotator in a cluster, or -1."""
    for k in range(count):
        if annotator[member[k]] == wanted:
            return int(member[k])
    return -1


@kernel
def _random(state: Masks) -> int:
    """The next random number of 32 bits (xorshift64*)."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return int((x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32))


@kernel
def _take_out(unit: int, cluster: Ints, at: Ints, count: Ints, member: Ints) -> None:
    c = cluster[unit]
    count[c] -= 1
    last = member[c, count[c]]
    member[c, at[unit]] = last
    at[last] = at[unit]


@kernel
def _put_in(unit: int, c: int, cluster: Ints, at: Ints, count: Ints, member: Ints) -> None:
    cluster[unit] = c
    at[unit] = count[c]
    member[c, count[c]] = unit
    count[c] += 1


@kernel
def _anneal(
    annotator: Ints, start: Floats, end: Floats, category: Ints,
    positional: Weighted, beta_cat: Floats, n: int, pointers: Ints, around: Ints,
    cluster: Ints, best: Ints, state: Masks, warm: float, cold: float,
    saved: float, most: float, steps: int,
) -> tuple[float, float]:  # fmt: skip
    """Anneal `cluster` from one temperature to another, until the steps are used up: (what that
    saves in all, what the partition in `best` saves).
    """
    size, given, pairs = len(cluster), steps, n * (n - 1) / 2
    member = np.empty((size, n), np.int64)
    count, at = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for u in range(size):
        _put_in(u, cluster[u], cluster, at, count, member)
    free, spare = np.empty(size, np.int64), 0
    for c in range(size):
        if count[c] == 0:
            free[spare] = c
            spare += 1
    heat, move = warm, 0
    while steps > 0:
        if move % size == 0:
            heat = warm * (cold / warm) ** (1.0 - steps / given)
            if saved > most + _EPSILON:
                most = saved
                best[:] = cluster
        move += 1
        steps -= MOVE
        u = _random(state) % size
        pick = pointers[u] + _random(state) % (pointers[u + 1] - pointers[u] + 1)
        own, other, there = cluster[u], -1, -1
        if pick < pointers[u + 1]:
            other = cluster[around[pick]]
            there = _of_annotator(annotator, member[other], count[other], annotator[u])
        if other == own or (other < 0 and count[own] == 1):
            continue
        change = pairs if other < 0 else 0.0
        if other >= 0 and there < 0 and count[own] == 1:
            change = -pairs
        for c, unit, without, sign in (
            (own, u, there, -1.0), (other, u, there, 1.0),
            (own, there, u, 1.0), (other, there, u, -1.0),
        ):  # fmt: skip
            if c >= 0 and unit >= 0:
                steps -= STEP * count[c]
                change += sign * _cross(
                    start, end, category, positional, beta_cat, member[c], count[c], unit, without
                )
        if change > 0.0 and _random(state) >= np.exp(-change / heat) * 4294967296.0:
            continue
        saved -= change
        _take_out(u, cluster, at, count, member)
        if other < 0:
            spare -= 1
            other = free[spare]
        elif there >= 0:
            _take_out(there, cluster, at, count, member)
            _put_in(there, own, cluster, at, count, member)
        elif count[own] == 0:
            free[spare] = own
            spare += 1
        _put_in(u, other, cluster, at, count, member)
    if saved > most + _EPSILON:
        most = saved
        best[:] = cluster
    return saved, most


def anneal(space: Space, near: Neighbourhood, cluster: Ints, budget: Budget) -> Ints:
    """The best partition found from this one on, with the steps and in the time that are left."""
    size, n = space.layout.size, space.layout.n
    if size * n > MOST_PLACES:
        return cluster
    moved, best = cluster.copy(), cluster.copy()
    state = np.array([SEED], np.uint64)
    given, seconds = budget.steps, budget.seconds
    hot, cold = _warm(given / size) * space.pairs, COLD
    saved = most = gone = 0.0
    while not budget.spent:
        steps = budget.slice
        left = budget.seconds
        after = 1.0 - (budget.steps - steps) / given
        if seconds is not None and left is not None:
            after = max(after, 1.0 - left / seconds)
        saved, most = _anneal(
            *space.arrays, space.positional, space.beta_cat, n, near.every, near.around,
            moved, best, state, hot * (cold / hot) ** gone, hot * (cold / hot) ** after,
            saved, most, steps,
        )  # fmt: skip
        gone = after
        budget.charge(steps)
    return best


def _warm(steps: float) -> float:
    """The temperature at first, as a part of N, with so many steps for each unit."""
    return HOT if steps >= MANY else WARM
