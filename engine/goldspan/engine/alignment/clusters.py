"""Clusters: the sets of units, one an annotator at most, that a best alignment may hold.

With N = C(n, 2) and w(u, v) = d(u, v) - Δ, a cluster costs N + Σ w over its pairs, and the cost of
a partition is N times the sum of its unitary disorders. Splitting a cluster S into A and B changes
the cost by N - Σ w over the pairs between A and B, so S is *useful* only if that sum is at most N
for every split. Nothing else can be part of a best alignment: the bound loses nothing.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.alignment.kernel import hot_kernel, kernel
from goldspan.engine.alignment.native import native
from goldspan.engine.alignment.weight import SQUARED, TOLERANCE, Weighted, place, weight

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Matrix: TypeAlias = NDArray[np.float64]
Masks: TypeAlias = NDArray[np.uint64]
IntRows: TypeAlias = NDArray[np.int64]
MaskRows: TypeAlias = NDArray[np.uint64]

LOOKS = 8
"""How many pairs may be looked at for each one that may be listed."""

WINDOW = 64
"""A mask holds the units from a cluster's first one on: bit k is the unit k places later."""


@kernel
def by_value(values: Floats, size: int, order: Ints, merged: Ints) -> Ints:
    """The places of the values, smallest first, in one of the last two arrays, which have room for
    them. Sorted runs are merged, each time twice as long.
    """
    for k in range(size):
        order[k] = k
    width = 1
    while width < size:
        low = 0
        while low < size:
            middle, high = min(low + width, size), min(low + 2 * width, size)
            a, b = low, middle
            for k in range(low, high):
                if a < middle and (b == high or values[order[a]] <= values[order[b]]):
                    merged[k] = order[a]
                    a += 1
                else:
                    merged[k] = order[b]
                    b += 1
            low = high
        order, merged = merged, order
        width *= 2
    return order


@kernel
def by_number(numbers: Ints, low: int, count: int, size: int, following: Ints, order: Ints) -> None:
    """Put the places of so many numbers below `size`, from place `low` on, into `order`, smallest
    first; equal numbers stay in their order. `following` is room for `size` + 1.
    """
    for number in range(size + 1):
        following[number] = 0
    for k in range(low, low + count):
        following[numbers[k] + 1] += 1
    for number in range(size):
        following[number + 1] += following[number]
    for k in range(low, low + count):
        order[following[numbers[k]]] = k
        following[numbers[k]] += 1


def neighbours(
    annotator: Ints,
    start: Floats,
    end: Floats,
    category: Ints,
    positional: Weighted,
    beta_cat: Matrix,
    radius: float,
    reach: float,
    most: int,
) -> tuple[bool, Ints, Ints]:
    """For each unit the later ones of other annotators with d ≤ radius; `reach` is the largest
    ratio (|Δstart| + |Δend|) / (length + length) of such units.

    As (complete, pointers, indices); not complete, with nothing listed, past `most` pairs.
    """
    size = len(start)
    room = min(4 * size, most)
    order, spare = np.empty(size, np.int64), np.empty(size, np.int64)
    while True:
        first, second = np.empty(room, np.int64), np.empty(room, np.int64)
        found = near_pairs(
            annotator, start, end, category, *positional, beta_cat, radius, reach, most, size, room,
            np.empty(size), np.empty(size), order, spare, first, second,
        )  # fmt: skip
        if found < 0:
            return False, np.zeros(size + 1, np.int64), second[:0]
        if found <= room:
            break
        room = found
    pointers, at = np.empty(size + 1, np.int64), np.empty(size + 1, np.int64)
    order, indices = np.empty(found, np.int64), np.empty(found, np.int64)
    later_units(first, second, found, size, at, order, pointers, indices)
    return True, pointers, indices


@native
def near_pairs(
    annotator: Ints,
    start: Floats,
    end: Floats,
    category: Ints,
    alpha: float,
    code: float,
    beta_cat: Matrix,
    radius: float,
    reach: float,
    most: int,
    size: int,
    room: int,
    left: Floats,
    right: Floats,
    order: Ints,
    spare: Ints,
    first: Ints,
    second: Ints,
) -> int:
    """The number of pairs of units with d ≤ radius, or -1 past `most`; those for which there is
    room go into the last two arrays.

    |Δstart| + |Δend| is 2·|Δmiddle| or the difference of lengths, whichever is larger, so units
    whose ratio is at most `reach` are just those whose intervals, stretched by it around their
    middles, overlap: a sweep over sorted left ends finds them without looking at all pairs. Where
    no distance is too far the reach is infinite, and all pairs are looked at.
    """
    positional = alpha, code
    stretch = reach / 2
    for u in range(size):
        middle = (start[u] + end[u]) / 2
        around = (end[u] - start[u]) * stretch * (1 + 1e-12)
        left[u] = middle - around
        right[u] = middle + around
    order = by_value(left, size, order, spare)
    found = 0
    looked = 0
    for a in range(size):
        u = order[a]
        for b in range(a + 1, size):
            v = order[b]
            if left[v] > right[u]:
                break
            looked += 1
            if annotator[u] == annotator[v]:
                continue
            if weight(start, end, category, positional, beta_cat, u, v) + 1.0 > radius + TOLERANCE:
                continue
            if found < room:
                first[found] = min(u, v)
                second[found] = max(u, v)
            found += 1
        if found > most or looked > LOOKS * most:
            return -1
    return found


@native
def later_units(
    first: Ints,
    second: Ints,
    count: int,
    size: int,
    at: Ints,
    order: Ints,
    pointers: Ints,
    indices: Ints,
) -> int:
    """Put the second units of each first one, in order, into the last two arrays; count them."""
    by_number(second, 0, count, size, at, order)
    for u in range(size + 1):
        at[u] = 0
    for k in range(count):
        at[first[k] + 1] += 1
    pointers[0] = 0
    for u in range(size):
        at[u + 1] += at[u]
        pointers[u + 1] = at[u + 1]
    for rank in range(count):
        k = order[rank]
        indices[at[first[k]]] = second[k]
        at[first[k]] += 1
    return count


@kernel
def window_pairs(annotator: Ints, reach: int) -> tuple[Ints, Ints]:
    """For each unit those of other annotators among the next `reach`: (pointers, indices)."""
    size = len(annotator)
    pointers = np.zeros(size + 1, np.int64)
    indices = np.empty(size * reach, np.int64)
    found = 0
    for u in range(size):
        for v in range(u + 1, min(size, u + 1 + reach)):
            if annotator[u] != annotator[v]:
                indices[found] = v
                found += 1
        pointers[u + 1] = found
    return pointers, indices[:found]


@hot_kernel
def is_useful(weights: Floats, n: int, k: int, bound: float, room: float) -> bool:
    """Whether every split of the first k members costs at most bound + room per member cut off.
    `weights` has n numbers a row.

    With room = n - k, a true answer is hereditary: it holds for all subsets of a useful cluster,
    since each unit that is still to come lowers a split by at most 1 per member.
    """
    for split in range(1, 1 << (k - 1)):
        cross = 0.0
        here = 0
        for a in range(k):
            if split >> a & 1:
                here += 1
                for b in range(k):
                    if not split >> b & 1:
                        cross += weights[n * a + b]
        if cross > bound + room * min(here, k - here) + TOLERANCE:
            return False
    return True


@kernel
def _sum_up(
    start: Floats, end: Floats, weights: Floats, n: int, member: Ints, k: int
) -> tuple[int, float, float]:
    """The mask, Σ w and Σ d_pos of the cluster member[:k], whose first unit is member[0]."""
    mask = np.uint64(0)
    cost = 0.0
    apart = 0.0
    for a in range(k):
        mask |= np.uint64(1) << np.uint64(member[a] - member[0])
        for b in range(a):
            cost += weights[n * a + b]
            apart += place(start, end, SQUARED, member[a], member[b])
    return mask, cost, apart


@native
def useful_clusters(
    annotator: Ints,
    start: Floats,
    end: Floats,
    category: Ints,
    size: int,
    alpha: float,
    code: float,
    beta_cat: Matrix,
    n: int,
    near: Ints,
    ahead: Ints,
    most: int,
    first: int,
    steps: int,
    each: int,
    weights: Floats,
    member: Ints,
    following: Ints,
    room: int,
    counts: Ints,
    masks: Masks,
    costs: Floats,
    places: Floats,
) -> tuple[int, int, int]:
    """All useful clusters whose first unit is `first` or later, until the steps are used up or the
    last three arrays are full, into which they are written; each has the given room.

    As (next unit, number of clusters, steps left); `counts` is how many begin with each unit.
    `places` is Σ d_pos of equation 3 over a cluster's pairs: between alignments of the same cost,
    the one whose units are closer together is preferred. A unit for which there was no room is to
    be taken again. The next unit is -1 when there are more than `most` clusters, one reaches over
    more units than a mask holds, or a unit takes more than `each` steps.
    """
    positional = alpha, code
    pairs = n * (n - 1) / 2
    found = 0
    u = first
    while u < size and steps > 0:
        before = found
        begun = steps
        member[0] = u
        following[1] = near[u]
        k = 1  # member[:k] is a cluster whose hereditary bound holds
        grown = True
        while k > 0:
            steps -= 8 << k
            if grown and is_useful(weights, n, k, pairs, 0.0):
                if found >= most or member[k - 1] - u >= WINDOW or begun - steps > each:
                    return -1, 0, steps
                if found == room:
                    return u, before, begun
                mask, cost, apart = _sum_up(start, end, weights, n, member, k)
                masks[found] = mask
                costs[found] = pairs + cost
                places[found] = apart
                found += 1
            grown = False
            if k == n or following[k] == near[u + 1]:
                k -= 1
                continue
            v = ahead[following[k]]
            following[k] += 1
            fits = True
            for a in range(k):
                fits = fits and annotator[member[a]] != annotator[v]
                w = weight(start, end, category, positional, beta_cat, member[a], v)
                weights[n * a + k] = w
                weights[n * k + a] = w
            if fits and is_useful(weights, n, k + 1, pairs, n - k - 1.0):
                member[k] = v
                following[k + 1] = following[k]
                k += 1
                grown = True
        counts[u] = found - before
        u += 1
    return u, found, steps
