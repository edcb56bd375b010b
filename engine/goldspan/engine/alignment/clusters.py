"""Clusters: the sets of units, one an annotator at most, that a best alignment may hold.

With N = C(n, 2) and w(u, v) = d(u, v) - Δ, a cluster costs N + Σ w over its pairs, and the cost of
a partition is N times the sum of its unitary disorders. Splitting a cluster S into A and B changes
the cost by N - Σ w over the pairs between A and B, so S is *useful* only if that sum is at most N
for every split. Nothing else can be part of a best alignment: the bound loses nothing.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.alignment.kernel import kernel

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Masks: TypeAlias = NDArray[np.uint64]

TOLERANCE = 1e-9
"""Costs closer than this are the same cost."""

WINDOW = 64
"""A mask holds the units from a cluster's first one on: bit k is the unit k places later."""


@kernel
def place(start: Floats, end: Floats, u: int, v: int) -> float:
    """d_pos of the units u and v."""
    apart = (abs(start[u] - start[v]) + abs(end[u] - end[v])) / (
        end[u] - start[u] + end[v] - start[v]
    )
    return apart * apart


@kernel
def weight(
    start: Floats, end: Floats, category: Ints, alpha: float, beta_cat: Floats, u: int, v: int
) -> float:
    """w(u, v) = α·d_pos + β·d_cat - Δ."""
    return alpha * place(start, end, u, v) + beta_cat[category[u], category[v]] - 1.0


@kernel
def neighbours(
    annotator: Ints,
    start: Floats,
    end: Floats,
    category: Ints,
    alpha: float,
    beta_cat: Floats,
    radius: float,
) -> tuple[Ints, Ints]:
    """For each unit the later ones of other annotators with d ≤ radius, as (pointers, indices).

    |Δstart| + |Δend| is 2·|Δmiddle| or the difference of lengths, whichever is larger, so units
    within α·d_pos ≤ radius are just those whose intervals, stretched by √(radius/α) around their
    middles, overlap: a sweep over sorted left ends finds them without looking at all pairs.
    """
    size = len(start)
    stretch = math.sqrt(radius / alpha) / 2
    left = np.empty(size)
    right = np.empty(size)
    for u in range(size):
        middle = (start[u] + end[u]) / 2
        reach = (end[u] - start[u]) * stretch * (1 + 1e-12)
        left[u] = middle - reach
        right[u] = middle + reach
    order = np.argsort(left)
    first = np.empty(0, np.int64)
    second = np.empty(0, np.int64)
    pointers = np.zeros(size + 1, np.int64)
    for fill in range(2):  # count, then fill
        found = 0
        for a in range(size):
            u = order[a]
            for b in range(a + 1, size):
                v = order[b]
                if left[v] > right[u]:
                    break
                if annotator[u] == annotator[v]:
                    continue
                if weight(start, end, category, alpha, beta_cat, u, v) + 1.0 > radius + TOLERANCE:
                    continue
                if fill:
                    first[found] = min(u, v)
                    second[found] = max(u, v)
                found += 1
        if not fill:
            first = np.empty(found, np.int64)
            second = np.empty(found, np.int64)
    for u in first:
        pointers[u + 1] += 1
    for u in range(size):
        pointers[u + 1] += pointers[u]
    indices = np.empty(len(first), np.int64)
    at = pointers[:-1].copy()
    for k in range(len(first)):
        indices[at[first[k]]] = second[k]
        at[first[k]] += 1
    for u in range(size):
        indices[pointers[u] : pointers[u + 1]].sort()
    return pointers, indices


@kernel
def is_useful(weights: Floats, k: int, bound: float, room: float) -> bool:
    """Whether every split of the first k members costs at most bound + room per member cut off.

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
                        cross += weights[a, b]
        if cross > bound + room * min(here, k - here) + TOLERANCE:
            return False
    return True


@kernel
def _sum_up(
    start: Floats, end: Floats, weights: Floats, member: Ints, k: int
) -> tuple[int, float, float]:
    """The mask, Σ w and Σ d_pos of the cluster member[:k], whose first unit is member[0]."""
    mask = np.uint64(0)
    cost = 0.0
    apart = 0.0
    for a in range(k):
        mask |= np.uint64(1) << np.uint64(member[a] - member[0])
        for b in range(a):
            cost += weights[a, b]
            apart += place(start, end, member[a], member[b])
    return mask, cost, apart


@kernel
def useful_clusters(
    annotator: Ints,
    start: Floats,
    end: Floats,
    category: Ints,
    alpha: float,
    beta_cat: Floats,
    n: int,
    most: int,
) -> tuple[bool, Ints, Masks, Floats, Floats]:
    """All useful clusters by their first unit: (complete, pointers, masks, costs, places).

    `places` is Σ d_pos over a cluster's pairs: between alignments of the same cost, the one whose
    units are closer together is preferred. Not complete when there are more than `most` clusters,
    or one reaches over more units than a mask holds.
    """
    size = len(start)
    pairs = n * (n - 1) / 2
    near, ahead = neighbours(annotator, start, end, category, alpha, beta_cat, pairs + n - 1)
    pointers = np.zeros(size + 1, np.int64)
    masks = np.empty(8 * size + 64, np.uint64)
    costs = np.empty(len(masks))
    places = np.empty(len(masks))
    weights = np.zeros((n, n))
    member = np.empty(n, np.int64)
    following = np.empty(n + 1, np.int64)
    found = 0
    for u in range(size):
        pointers[u] = found
        member[0] = u
        following[1] = near[u]
        k = 1  # member[:k] is a cluster whose hereditary bound holds
        grown = True
        while k > 0:
            if grown and is_useful(weights, k, pairs, 0.0):
                if found >= most or member[k - 1] - u >= WINDOW:
                    return False, pointers, masks[:0], costs[:0], places[:0]
                if found == len(masks):
                    masks = np.concatenate((masks, np.empty_like(masks)))
                    costs = np.concatenate((costs, np.empty_like(costs)))
                    places = np.concatenate((places, np.empty_like(places)))
                mask, cost, apart = _sum_up(start, end, weights, member, k)
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
                w = weight(start, end, category, alpha, beta_cat, member[a], v)
                weights[a, k] = w
                weights[k, a] = w
            if fits and is_useful(weights, k + 1, pairs, n - k - 1.0):
                member[k] = v
                following[k + 1] = following[k]
                k += 1
                grown = True
    pointers[size] = found
    return True, pointers, masks[:found], costs[:found], places[:found]
