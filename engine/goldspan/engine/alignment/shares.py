"""Shares: what each unit costs at the least, whatever cluster it is in.

The cost of a cluster of k units is the sum over its units of N/k + ½ Σ w with the others. A unit's
share is the least value this can take: over k, with the best unit of each of k - 1 other
annotators. No partition costs less than the sum of the shares, and none of them is negative. Where
annotators agree, so that everybody's best partners are the same, the sum is the least cost itself,
and an alignment that costs no more is proved without a search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.kernel import kernel
from goldspan.engine.alignment.weight import weight

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.weight import Weighted


@kernel
def both_ways(pointers: Ints, indices: Ints) -> tuple[Ints, Ints]:
    """The neighbours of each unit, earlier and later ones, from lists of the later ones."""
    size = len(pointers) - 1
    every = np.zeros(size + 1, np.int64)
    for u in range(size):
        every[u + 1] += pointers[u + 1] - pointers[u]
        for k in range(pointers[u], pointers[u + 1]):
            every[indices[k] + 1] += 1
    for u in range(size):
        every[u + 1] += every[u]
    around = np.empty(2 * len(indices), np.int64)
    at = every[:-1].copy()
    for u in range(size):
        for k in range(pointers[u], pointers[u + 1]):
            v = indices[k]
            around[at[u]] = v
            around[at[v]] = u
            at[u] += 1
            at[v] += 1
    return every, around


@kernel
def unit_shares(
    annotator: Ints,
    start: Floats,
    end: Floats,
    category: Ints,
    positional: Weighted,
    beta_cat: Floats,
    n: int,
    pointers: Ints,
    around: Ints,
    beyond: float,
) -> tuple[Floats, Floats]:
    """For each unit its share, and half of what it can gain at most from the other annotators.

    `beyond` is a lower bound of w for the pairs that are not listed.
    """
    size = len(start)
    pairs = n * (n - 1) / 2
    shares = np.empty(size)
    halves = np.empty(size)
    best = np.empty(n)
    for u in range(size):
        best[:] = beyond
        for k in range(pointers[u], pointers[u + 1]):
            v = around[k]
            w = weight(start, end, category, positional, beta_cat, u, v)
            best[annotator[v]] = min(best[annotator[v]], w)
        best[annotator[u]] = np.inf
        best.sort()
        share = pairs
        gain = 0.0
        others = 0.0
        for k in range(2, n + 1):
            others += best[k - 2] / 2
            share = min(share, pairs / k + others)
            gain += min(0.0, best[k - 2]) / 2
        shares[u] = max(0.0, share)
        halves[u] = gain
    return shares, halves
