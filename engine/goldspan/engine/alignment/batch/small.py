"""Small layouts: the frontier on many of them, in one call of a kernel.

What it does for a layout is what `best_partition` does, by the same kernels and in the same order,
so the figures are the same to the last digit. It has a fixed room: a layout that it cannot finish
there is left to `best_partition`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.budget import SLICE
from goldspan.engine.alignment.clusters import later_units, near_pairs, useful_clusters
from goldspan.engine.alignment.frontier import CHAMPIONS, number_units, retrace, sweep
from goldspan.engine.alignment.kernel import kernel
from goldspan.engine.alignment.native import native

if TYPE_CHECKING:
    from goldspan.engine.alignment.batch.layouts import Layouts
    from goldspan.engine.alignment.clusters import Floats, IntRows, Ints, MaskRows, Matrix
    from goldspan.engine.positional import Positional

WIDTH = 1 << 14
"""The room of the kernel: so many numbers in each row of its work space."""

MOST_UNITS = 256
"""Larger layouts take so long that a call of their own makes no difference."""


def align_small(
    layouts: Layouts,
    alpha: float,
    beta_cat: Matrix,
    positional: Positional,
    limits: tuple[int, int, int],
    steps: int,
) -> tuple[Ints, Floats, Ints]:
    """The cluster of each unit, the cost of each cluster, and the number of clusters of each
    layout; the number is 0 for a layout that is left to others. `limits` are those of the frontier:
    on annotators, clusters, and states.
    """
    units = int(layouts.begin[-1])
    cluster, price, found = (
        np.empty(units, np.int64),
        np.empty(units),
        np.empty(len(layouts), np.int64),
    )
    _align_each(
        *layouts.columns, layouts.begin, layouts.n, _reaches(layouts.n, alpha, positional),
        len(layouts), float(alpha), float(positional.code), np.ascontiguousarray(beta_cat), *limits,
        steps, np.empty((13, WIDTH), np.int64), np.empty((7, WIDTH)),
        np.empty((2, WIDTH), np.uint64), cluster, price, found,
    )  # fmt: skip
    return cluster, price, found


def _reaches(annotators: Ints, alpha: float, positional: Positional) -> Floats:
    """For each layout the largest ratio of two units of a useful cluster (see `Space.reach`)."""
    if not alpha:
        return np.full(len(annotators), np.inf)
    radius = {n: n * (n - 1) / 2 + n - 1 for n in set(annotators.tolist())}
    reach = {n: positional.reach(one / alpha) for n, one in radius.items()}
    return np.array([reach[n] for n in annotators.tolist()])


@native
def _align_each(
    annotator: Ints,
    start: Floats,
    end: Floats,
    category: Ints,
    begin: Ints,
    annotators: Ints,
    reach: Floats,
    count: int,
    alpha: float,
    code: float,
    beta_cat: Matrix,
    most_annotators: int,
    most: int,
    most_states: int,
    steps: int,
    ints: IntRows,
    floats: Matrix,
    masks: MaskRows,
    cluster: Ints,
    price: Floats,
    found: Ints,
) -> int:
    """Write the cluster of each unit, the cost of each cluster, and the number of clusters of each
    layout into the last three arrays; the number is 0 for a layout that is left to others.
    """
    for k in range(count):
        low = begin[k]
        size = begin[k + 1] - low
        found[k] = 0
        if size == 0 or size > MOST_UNITS or annotators[k] > most_annotators:
            continue
        for u in range(size):
            ints[0][u] = annotator[low + u]
            ints[1][u] = category[low + u]
            floats[0][u] = start[low + u]
            floats[1][u] = end[low + u]
        found[k] = _align(
            size,
            annotators[k],
            alpha,
            code,
            beta_cat,
            reach[k],
            most,
            most_states,
            steps,
            ints,
            floats,
            masks,
        )
        for u in range(size):
            cluster[low + u] = ints[2][u]
        for c in range(found[k]):
            price[low + c] = floats[4][c]
    return count


@kernel
def _align(
    size: int,
    n: int,
    alpha: float,
    code: float,
    beta_cat: Matrix,
    reach: float,
    most: int,
    most_states: int,
    steps: int,
    ints: IntRows,
    floats: Matrix,
    masks: MaskRows,
) -> int:
    """Align the units in the rows 0 and 1 of `ints` and `floats`. Their clusters are in row 2 of
    `ints` then, and the costs of these in row 4 of `floats`. As the number of clusters, 0 if there
    was not enough room.
    """
    annotator, category, start, end = ints[0], ints[1], floats[0], floats[1]
    radius = n * (n - 1) / 2 + n - 1
    first, second = ints[2], ints[3]
    pairs = near_pairs(
        annotator, start, end, category, alpha, code, beta_cat, radius, reach, most,
        size, WIDTH, floats[2], floats[3], ints[4], ints[5], first, second,
    )  # fmt: skip
    if pairs < 0 or pairs > WIDTH:
        return 0
    near, ahead = ints[6], ints[7]
    later_units(first, second, pairs, size, ints[4], ints[5], near, ahead)
    counts, costs, places = ints[2], floats[2], floats[3]
    given = min(SLICE, steps)
    at, _, left = useful_clusters(
        annotator, start, end, category, size, alpha, code, beta_cat, n, near, ahead,
        most, 0, given, SLICE, floats[4], ints[3], ints[4], WIDTH, counts, masks[0],
        costs, places,
    )  # fmt: skip
    steps -= given - left
    if at < size or steps <= 0:
        return 0
    pointers = ints[3]
    pointers[0] = 0
    for u in range(size):
        pointers[u + 1] = pointers[u] + counts[u]
    before, taken = ints[8], ints[9]
    masks[1][0], floats[5][0], floats[6][0], before[0], taken[0] = np.uint64(0), 0.0, 0.0, -1, -1
    at, low, _, left = sweep(
        pointers, masks[0], costs, places, size, n, most_states, masks[1], floats[5], floats[6],
        before, taken, WIDTH // 2 - CHAMPIONS, ints[10], ints[11], 0, 1, 0, min(SLICE, steps),
    )  # fmt: skip
    if at < size:
        return 0
    chosen = ints[12]
    since = retrace(before, taken, low, size, chosen)
    for c in range(since, size):
        chosen[c - since] = chosen[c]
    number_units(pointers, masks[0], chosen, size - since, ints[2])
    for c in range(size - since):
        floats[4][c] = costs[chosen[c]]
    return size - since
