"""Exchanges: the clusters of small reduced cost that differ from given ones by one unit.

A cluster that duals violate is seldom the only one: those with a unit less, with one more, or with
another one of the same annotator are violated too. A linear program that knows them all at once
does not meet them one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.kernel import kernel
from goldspan.engine.alignment.weight import weight

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints, Matrix
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.space import Neighbourhood, Space
    from goldspan.engine.alignment.weight import Weighted


def exchanges(
    space: Space, near: Neighbourhood, given: Members, dual: Floats, below: float, most: int
) -> Members:
    """The clusters of reduced cost under `below` that differ by a unit from the given ones, the
    `most` cheapest of them if there are more.
    """
    made, price = _exchanges(
        *space.arrays, space.positional, space.beta_cat, space.layout.n, near.every, near.around,
        given, dual, below,
    )  # fmt: skip
    return made[np.sort(np.argsort(price, kind="stable")[:most])]


@kernel
def _exchanges(
    annotator: Ints, start: Floats, end: Floats, category: Ints, positional: Weighted,
    beta_cat: Matrix, n: int, pointers: Ints, around: Ints, given: Members, dual: Floats,
    below: float,
) -> tuple[Members, Floats]:  # fmt: skip
    """The clusters and their reduced costs."""
    found: Members = np.empty((256, n), np.int64)
    price: Floats = np.empty(256)
    count = 0
    seen = np.full(len(start), -1, np.int64)
    place, cross = np.empty(n, np.int64), np.empty(n)
    for c in range(len(given)):
        size, cost = 0, n * (n - 1) / 2
        place[:] = -1
        while size < n and given[c, size] >= 0:
            u = given[c, size]
            place[annotator[u]] = size
            seen[u] = c
            cost -= dual[u]
            cross[size] = -dual[u]  # what the unit adds
            for k in range(size):
                w = weight(start, end, category, positional, beta_cat, given[c, k], u)
                cross[size] += w
                cross[k] += w
                cost += w
            size += 1
        for k in range(size if size > 1 else 0):
            if cost - cross[k] < below:
                found, price, count = _room(found, price, count)
                _write(found[count - 1], given[c], size, k, -1)
                price[count - 1] = cost - cross[k]
        for k in range(size):
            for x in range(pointers[given[c, k]], pointers[given[c, k] + 1]):
                u = around[x]
                if seen[u] == c:
                    continue
                seen[u] = c
                at = place[annotator[u]]
                after = cost - dual[u] - (cross[at] if at >= 0 else 0.0)
                for j in range(size):
                    if j != at:
                        after += weight(start, end, category, positional, beta_cat, given[c, j], u)
                if after < below:
                    found, price, count = _room(found, price, count)
                    _write(found[count - 1], given[c], size, at, u)
                    price[count - 1] = after
    return found[:count], price[:count]


@kernel
def _room(found: Members, price: Floats, count: int) -> tuple[Members, Floats, int]:
    """Room for one more."""
    if count == len(found):
        found = np.concatenate((found, np.empty_like(found)))
        price = np.concatenate((price, np.empty_like(price)))
    return found, price, count + 1


@kernel
def _write(row: Ints, cluster: Ints, size: int, without: int, unit: int) -> None:
    """The units of a cluster without one of them, and with another, in order."""
    row[:] = -1
    at = 0
    waiting = unit >= 0
    for k in range(size):
        if waiting and cluster[k] > unit:
            row[at] = unit
            at += 1
            waiting = False
        if k != without:
            row[at] = cluster[k]
            at += 1
    if waiting:
        row[at] = unit
