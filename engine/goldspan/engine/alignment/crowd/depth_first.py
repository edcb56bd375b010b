"""Depth first: the clusters of small reduced cost that begin with one unit.

With duals π a cluster S has the reduced cost N + Σ w - Σ π. Of a node, C is chosen, v its reduced
cost and R the annotators who are still open. What a unit y of an open annotator h brings along is

    M(y) = Σ w(c, y) over C  - π(y)
    L(y) = M(y) + ½ Σ over h' in R without h of  min(0, w(y, y') over the open y' of h')

and no cluster below the node has less than T = v + Σ B(h), B(h) = min(0, L(y) over h): each pair
of open units is counted half from either side, each half at its least. A unit with
T - B(h) + L(y) ≥ limit is dropped, which raises the L of the others. The next annotator is the one
of the smallest L: each of the units is taken in turn, then none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from goldspan.engine.alignment.budget import SLICE
from goldspan.engine.alignment.kernel import kernel

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.pricing import Members

Desk: TypeAlias = "tuple[Ints, Ints, Floats, Floats, Floats, Ints, Floats]"
"""Open units, those that take turns, M, half gains, half gains without them; numbers by level."""

RECORD = 100
"""Steps of writing down a cluster, for each unit, more or less."""

_EPSILON = 1e-12


@kernel
def _half_gains(pair: Floats, group: Ints, open_units: Ints, count: int, half: Floats) -> None:
    """For each open unit half of what it can gain from the other annotators at most."""
    for a in range(count):
        y = open_units[a]
        total, best, last = 0.0, 0.0, -1
        for b in range(count):
            other = open_units[b]
            if group[other] != last:
                total += best
                best, last = 0.0, group[other]
            best = min(best, pair[y, other])
        half[y] = (total + best) / 2


@kernel
def _bound(
    group: Ints, open_units: Ints, count: int, marginal: Floats, half: Floats, best: Floats,
    value: float,
) -> float:  # fmt: skip
    """T, with each B in `best`."""
    for a in range(count):
        best[group[open_units[a]]] = 0.0
    for a in range(count):
        y = open_units[a]
        best[group[y]] = min(best[group[y]], marginal[y] + half[y])
    last = -1
    for a in range(count):
        h = group[open_units[a]]
        if h != last:
            value += best[h]
            last = h
    return value


@kernel
def _filter(
    group: Ints, open_units: Ints, count: int, marginal: Floats, half: Floats, best: Floats,
    bound: float, limit: float,
) -> int:  # fmt: skip
    """Drop the units that are in no cluster below the limit; how many are left."""
    kept = 0
    for a in range(count):
        y = open_units[a]
        if bound - best[group[y]] + marginal[y] + half[y] < limit - _EPSILON:
            open_units[kept] = y
            kept += 1
    return kept


@kernel
def _tighten(
    pair: Floats, group: Ints, open_units: Ints, count: int, marginal: Floats, half: Floats,
    best: Floats, value: float, limit: float, until_stable: bool,
) -> tuple[int, float, int]:  # fmt: skip
    """Bound and filter, and again while units are dropped: (units left, T, steps)."""
    steps = 4 * count
    bound = _bound(group, open_units, count, marginal, half, best, value)
    again = True
    while bound < limit - _EPSILON and again:
        kept = _filter(group, open_units, count, marginal, half, best, bound, limit)
        if kept == count:
            break
        count = kept
        _half_gains(pair, group, open_units, count, half)
        bound = _bound(group, open_units, count, marginal, half, best, value)
        steps += count * (count + 8)
        again = until_stable
    return count, bound, steps


@kernel
def _branch(
    pair: Floats, group: Ints, open_units: Ints, count: int, marginal: Floats, half: Floats,
    turn: Ints, rest: Floats,
) -> int:  # fmt: skip
    """Put the units of the next annotator into `turn`, the most promising first, and what the
    others can gain without them into `rest`; how many take turns.
    """
    if count == 0:
        return 0
    least, branch = np.inf, -1
    for a in range(count):
        y = open_units[a]
        if marginal[y] + half[y] < least:
            least, branch = marginal[y] + half[y], group[y]
    turns = 0
    for a in range(count):
        y = open_units[a]
        if group[y] != branch:
            continue
        at = turns
        while at > 0 and marginal[turn[at - 1]] + half[turn[at - 1]] > marginal[y] + half[y]:
            turn[at] = turn[at - 1]
            at -= 1
        turn[at] = y
        turns += 1
    for a in range(count):
        y = open_units[a]
        best = 0.0
        for t in range(turns):
            best = min(best, pair[y, turn[t]])
        rest[y] = half[y] - best / 2
    return turns


@kernel
def desk(annotators: int, units: int) -> Desk:
    """Room for the search among so many units of so many annotators, a row for each level."""
    levels = annotators + 1
    return (
        np.empty((levels, units), np.int64), np.empty((levels, units), np.int64),
        np.empty((levels, units)), np.empty((levels, units)), np.empty((levels, units)),
        np.empty((4, levels), np.int64), np.empty((4, levels)),
    )  # fmt: skip


@kernel
def descend(
    unit: int,
    alone: float,
    grouped: Ints,
    group: Ints,
    size: int,
    own: Floats,
    pair: Floats,
    limit: float,
    every: bool,
    nodes: int,
    room: Desk,
    found: Members,
    count: int,
) -> tuple[Members, int, float, bool, int]:
    """The clusters of one first unit below a limit: `every` one, or each that beats all before.

    `own` is w - π of the `size` units that may join it, `group` numbers their annotators, `pair`
    has their weights. As (clusters, how many, the least reduced cost, whether it is exact, steps).
    After so many nodes, or SLICE steps, the search ends, and the least is a lower bound.
    """
    open_units, turn, marginal, half, _, whole_numbers, numbers = room
    counts, _, _, path = whole_numbers
    value = numbers[0]
    for y in range(size):
        open_units[0, y] = y
        marginal[0, y] = own[y]
    counts[0], value[0] = size, alone
    least = min(limit, alone)
    if every and alone < limit:
        found, count = _record(found, count, unit, grouped, path, 0)
    if not every:
        limit = least
    _half_gains(pair, group, open_units[0], size, half[0])
    steps = size * size + 20
    level, arrived = 0, True
    while level >= 0:
        if arrived:
            arrived = False
            nodes -= 1
            is_open, took = _arrive(level, pair, group, limit, room)
            steps += took
            if not is_open:
                level -= 1
                continue
        if nodes <= 0 or steps > SLICE:
            break
        there, y = _next_turn(level, limit, room)
        if not there:
            level -= 1
            continue
        path[level] = y
        _step_down(level, y, group[turn[level, 0]], pair, group, room)
        steps += 3 * counts[level + 1]
        level += 1
        if y >= 0 and value[level] < limit - _EPSILON:
            found, count = _record(found, count, unit, grouped, path, level)
            steps += RECORD * (level + 1)
            least = min(least, value[level])
            if not every:
                limit = least
        arrived = True
    return found, count, min(least, _least_open(level, room)), level < 0, steps


@kernel
def _arrive(level: int, pair: Floats, group: Ints, limit: float, room: Desk) -> tuple[bool, int]:
    """Bound and filter a node, and choose who takes turns: (whether anything is open, steps)."""
    open_units, turn, marginal, half, rest, whole_numbers, numbers = room
    counts, turns, at, _ = whole_numbers
    value, bound, without, best = numbers
    counts[level], bound[level], steps = _tighten(
        pair, group, open_units[level], counts[level], marginal[level], half[level],
        best, value[level], limit, level == 0,
    )  # fmt: skip
    if bound[level] >= limit - _EPSILON:
        return False, steps + 10
    turns[level] = _branch(
        pair, group, open_units[level], counts[level], marginal[level], half[level],
        turn[level], rest[level],
    )  # fmt: skip
    if turns[level] == 0:
        return False, steps + 10
    without[level] = bound[level] - best[group[turn[level, 0]]]
    at[level] = 0
    return True, steps + 10 + counts[level] * (turns[level] + 2)


@kernel
def _next_turn(level: int, limit: float, room: Desk) -> tuple[bool, int]:
    """Whose turn it is at a node: (whether there is anyone, the unit or -1 for none of them)."""
    _, turn, marginal, half, _, whole_numbers, numbers = room
    _, turns, at, _ = whole_numbers
    without = numbers[2, level]
    if at[level] < turns[level]:
        y = turn[level, at[level]]
        if without + marginal[level, y] + half[level, y] < limit - _EPSILON:
            at[level] += 1
            return True, y
        at[level] = turns[level]  # those that follow promise less
    last = at[level] == turns[level]
    at[level] = turns[level] + 1
    return last and without < limit - _EPSILON, -1


@kernel
def _least_open(level: int, room: Desk) -> float:
    """What no cluster has less than on the way that the search did not go any more."""
    _, turn, marginal, half, _, whole_numbers, numbers = room
    _, turns, at, _ = whole_numbers
    without, least = numbers[2], np.inf
    while level >= 0:
        if at[level] <= turns[level]:
            promise = 0.0
            if at[level] < turns[level]:
                y = turn[level, at[level]]
                promise = min(0.0, marginal[level, y] + half[level, y])
            least = min(least, without[level] + promise)
        level -= 1
    return least


@kernel
def _step_down(level: int, taken: int, branch: int, pair: Floats, group: Ints, room: Desk) -> None:
    """Put the units that stay open into the next level, without those of the annotator `branch`,
    of whom one was taken, or none (-1).
    """
    open_units, _, marginal, half, rest, whole_numbers, numbers = room
    counts, value = whole_numbers[0], numbers[0]
    kept = 0
    for a in range(counts[level]):
        y = open_units[level, a]
        if group[y] != branch:
            open_units[level + 1, kept] = y
            marginal[level + 1, y] = marginal[level, y]
            if taken >= 0:
                marginal[level + 1, y] += pair[taken, y]
            half[level + 1, y] = rest[level, y]
            kept += 1
    counts[level + 1] = kept
    value[level + 1] = value[level] + (marginal[level, taken] if taken >= 0 else 0.0)


@kernel
def _record(
    found: Members, count: int, unit: int, grouped: Ints, path: Ints, level: int
) -> tuple[Members, int]:
    """Add a cluster: its first unit and those on the path."""
    if count == len(found):
        found = np.concatenate((found, np.empty_like(found)))
    found[count, :] = -1
    found[count, 0] = unit
    k = 1
    for step in range(level):
        if path[step] >= 0:
            v = grouped[path[step]]
            at = k
            while at > 0 and found[count, at - 1] > v:
                found[count, at] = found[count, at - 1]
                at -= 1
            found[count, at] = v
            k += 1
    return found, count + 1
