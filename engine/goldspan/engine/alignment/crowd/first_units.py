"""First units: what no cluster that begins with a unit has less than, in reduced cost.

With duals π a cluster S has the reduced cost N + Σ w - Σ π. Each cluster has one first unit, in the
order of the layout. For each of them the later units that can be in a cluster of small reduced cost
are gathered here, and branching does the rest.

Units far away are not looked at. A unit y with w(u, y) - π(y) ≥ n - 2 is in no best cluster of u:
its weights with the others, n - 2 at most, are -1 or more, so the cluster without it costs no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.kernel import kernel
from goldspan.engine.alignment.weight import weight

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints, Matrix
    from goldspan.engine.alignment.weight import Weighted

MOST_AROUND = 1_000
"""A unit with more units than this around it gets no bound."""

_EPSILON = 1e-6

FEWER = 0.9
"""Units around are looked at again where no more than this part of them is left."""


@kernel
def _around(
    annotator: Ints, start: Floats, end: Floats, category: Ints, positional: Weighted,
    beta_cat: Matrix, n: int, dual: Floats, u: int, far: float, found: Ints,
) -> int:  # fmt: skip
    """The later units that can be in a best cluster with u; how many. Past `far` there is none."""
    count = 0
    for v in range(u + 1, len(start)):
        if start[v] + end[v] > far or count == len(found):
            break
        if annotator[v] != annotator[u]:
            w = weight(start, end, category, positional, beta_cat, u, v)
            if w - dual[v] < n - 2.0:
                found[count] = v
                count += 1
    return count


@kernel
def _promising(
    annotator: Ints, start: Floats, end: Floats, category: Ints, positional: Weighted,
    beta_cat: Matrix, n: int, dual: Floats, u: int, limit: float, found: Ints, count: int,
) -> tuple[int, float, int]:  # fmt: skip
    """Of these units those that can be in a cluster below the limit: (how many, what no cluster of
    u is below, steps). Each pair of units is counted half from either side.
    """
    alone = n * (n - 1) / 2 - dual[u]
    best, others = np.empty(n), np.empty(n)
    value = np.empty(count)
    steps = 0
    while True:
        best[:] = 0.0
        for x in range(count):
            v = found[x]
            others[:] = 0.0
            for y in range(count):
                a = annotator[found[y]]
                if a != annotator[v]:
                    w = weight(start, end, category, positional, beta_cat, v, found[y])
                    others[a] = min(others[a], w)
            w = weight(start, end, category, positional, beta_cat, u, v)
            value[x] = w - dual[v] + others.sum() / 2
            best[annotator[v]] = min(best[annotator[v]], value[x])
        steps += 6 * count * count + n * count
        root = alone + best.sum()
        if root >= limit:
            return 0, root, steps
        kept = 0
        for x in range(count):
            if root - best[annotator[found[x]]] + value[x] < limit + _EPSILON:
                found[kept] = found[x]
                kept += 1
        if kept >= FEWER * count:
            return kept, root, steps
        count = kept


@kernel
def gather(
    annotator: Ints, start: Floats, end: Floats, category: Ints, positional: Weighted,
    beta_cat: Matrix, n: int, dual: Floats, u: int, far: float, limit: float, around: Ints,
) -> tuple[int, float, int]:  # fmt: skip
    """The units that can be in a cluster of u below the limit: (how many, or MOST_AROUND and one
    for too many; what no cluster is below; steps). Units whose ends sum up to more than `far` have
    w ≥ max π + n - 2.
    """
    count = _around(annotator, start, end, category, positional, beta_cat, n, dual, u, far, around)
    if count > MOST_AROUND:
        return count, -np.inf, count
    kept, root, steps = _promising(
        annotator, start, end, category, positional, beta_cat, n, dual, u, limit, around, count
    )
    return kept, root, steps + 5 * count + n
