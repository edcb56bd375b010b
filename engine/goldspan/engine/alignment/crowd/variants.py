"""Variants: the clusters that differ by one unit from those of a good alignment.

With them a linear program knows from the beginning what a unit is worth where it is, and where it
could be instead: its first duals are near the last ones, and few clusters have to be priced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.kernel import kernel

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.crowd.band import Band
    from goldspan.engine.alignment.pricing import Members


def variants(band: Band, chosen: Members) -> Members:
    """The chosen clusters, each without one of its units, and each with one unit more, which takes
    the place of the same annotator's; no unit that would rather be alone.
    """
    near = band.near
    return _variants(band.annotator, band.n, near.every, near.around, band.weights, chosen)


@kernel
def _variants(
    annotator: Ints, n: int, pointers: Ints, around: Ints, weights: Floats, chosen: Members
) -> Members:
    pairs = n * (n - 1) / 2
    found: Members = np.empty((4 * len(annotator), n), np.int64)
    count = 0
    seen = np.full(len(annotator), -1, np.int64)
    place = np.empty(n, np.int64)
    for c in range(len(chosen)):
        size = 0
        place[:] = -1
        while size < n and chosen[c, size] >= 0:
            place[annotator[chosen[c, size]]] = size
            seen[chosen[c, size]] = c
            size += 1
        found, count = _add(found, count, chosen[c])
        for k in range(size if size > 1 else 0):
            found, count = _add(found, count, chosen[c])
            found[count - 1, k:-1] = chosen[c, k + 1 :]
            found[count - 1, -1] = -1
        for k in range(size):
            for x in range(pointers[chosen[c, k]], pointers[chosen[c, k] + 1]):
                u = around[x]
                if seen[u] == c:
                    continue
                seen[u] = c
                at = place[annotator[u]]
                if _cross(weights, chosen[c], size, at, u) < pairs:
                    found, count = _add(found, count, chosen[c])
                    _put(found[count - 1], size if at < 0 else at, u)
    return found[:count]


@kernel
def _cross(weights: Floats, cluster: Ints, size: int, without: int, unit: int) -> float:
    """Σ w between a unit and a cluster, which lacks the unit at the place `without`."""
    total = 0.0
    for k in range(size):
        if k == without:
            continue
        low, high = min(unit, cluster[k]), max(unit, cluster[k])
        if high - low >= weights.shape[1]:
            return np.inf
        total += weights[low, high - low]
    return total


@kernel
def _put(cluster: Ints, at: int, unit: int) -> None:
    """Put a unit at a place, and then all units in order."""
    cluster[at] = unit
    while at > 0 and cluster[at - 1] > unit:
        cluster[at], cluster[at - 1] = cluster[at - 1], unit
        at -= 1
    while at + 1 < len(cluster) and 0 <= cluster[at + 1] < unit:
        cluster[at], cluster[at + 1] = cluster[at + 1], unit
        at += 1


@kernel
def _add(found: Members, count: int, cluster: Ints) -> tuple[Members, int]:
    if count == len(found):
        found = np.concatenate((found, np.empty_like(found)))
    found[count] = cluster
    return found, count + 1
