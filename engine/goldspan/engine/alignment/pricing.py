"""Pricing: the clusters whose cost, less the duals of their units, is small.

With duals π, a cluster S has the reduced cost N + Σ w - Σ π. For each first unit the clusters are
searched depth first, one annotator after the other. What the annotators still to come can add is
bounded by the best marginal of each, plus half of the best pair weight that it can have with each
of the others (each pair is counted half from either side).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.alignment.kernel import kernel
from goldspan.engine.alignment.weight import SQUARED, place, weight

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.weight import Weighted

Members: TypeAlias = NDArray[np.int64]
"""A row a cluster: its units in any order, then -1."""


@kernel
def _group(annotator: Ints, around: Ints, n: int) -> tuple[Ints, Ints]:
    """The units of `around` by annotator, and where each annotator's begin; empty ones left out."""
    counts = np.zeros(n, np.int64)
    for v in around:
        counts[annotator[v]] += 1
    begin = np.zeros(n + 1, np.int64)
    where = np.full(n, -1, np.int64)
    groups = 0
    for a in range(n):
        if counts[a]:
            where[a] = begin[groups]
            begin[groups + 1] = begin[groups] + counts[a]
            groups += 1
    grouped = np.empty(len(around), np.int64)
    for v in around:
        grouped[where[annotator[v]]] = v
        where[annotator[v]] += 1
    return grouped, begin[: groups + 1]


@kernel
def _half_bounds(pair: Floats, begin: Ints) -> Floats:
    """For each unit and group g: half of what it can gain at most with the groups from g on."""
    groups = len(begin) - 1
    bounds = np.zeros((len(pair), groups + 1))
    for x in range(len(pair)):
        for g in range(groups - 1, -1, -1):
            best = 0.0
            if not begin[g] <= x < begin[g + 1]:
                for y in range(begin[g], begin[g + 1]):
                    best = min(best, pair[x, y])
            bounds[x, g] = bounds[x, g + 1] + best / 2
    return bounds


@kernel
def _bound(marginal: Floats, halves: Floats, begin: Ints, g: int) -> float:
    """What the groups from g on can add to a cluster's reduced cost, at the least."""
    total = 0.0
    for h in range(g, len(begin) - 1):
        best = 0.0
        for x in range(begin[h], begin[h + 1]):
            best = min(best, marginal[x] + halves[x, g])
        total += best
    return total


@kernel
def _write(row: Ints, unit: int, grouped: Ints, choice: Ints) -> None:
    """Put a cluster into a row: its first unit, then the chosen ones."""
    row[:] = -1
    row[0] = unit
    k = 1
    for x in choice:
        if x >= 0:
            row[k] = grouped[x]
            k += 1


@kernel
def _search(
    unit: int,
    alone: float,
    marginals: Floats,
    pair: Floats,
    grouped: Ints,
    begin: Ints,
    below: float,
    every: bool,
    found: Members,
    reduced: Floats,
    count: int,
    steps: int,
) -> tuple[Members, Floats, int, int]:
    """Add the clusters of one first unit: `every` one below the limit, or only the best.

    Stops when the steps are used up; those left are the last of what comes back.
    """
    groups = len(begin) - 1
    halves = _half_bounds(pair, begin)
    marginal = np.empty((groups + 1, len(grouped)))
    for x in range(len(grouped)):
        marginal[0, x] = marginals[x]
    so_far = np.empty(groups + 1)
    so_far[0] = alone
    choice = np.full(groups + 1, -1, np.int64)
    turn = np.full(groups + 1, -1, np.int64)  # -1: to be bounded; else the next unit to try
    limit = below
    mine = -1
    g = 0
    while g >= 0 and steps > 0:
        steps -= 4
        if g == groups:
            if so_far[g] < limit and (every or choice[:groups].max() >= 0):
                if every or mine < 0:
                    if count == len(reduced):
                        found = np.concatenate((found, np.empty_like(found)))
                        reduced = np.concatenate((reduced, np.empty_like(reduced)))
                    mine, count = count, count + 1
                _write(found[mine], unit, grouped, choice[:groups])
                reduced[mine] = so_far[g]
                if not every:
                    limit = so_far[g]
            g -= 1
            continue
        if turn[g] < 0:
            steps -= len(grouped) - begin[g]
            if so_far[g] + _bound(marginal[g], halves, begin, g) >= limit - 1e-12:
                g -= 1
                continue
            turn[g] = begin[g]
        x = turn[g]
        if x > begin[g + 1]:
            g -= 1
            continue
        turn[g] += 1
        taken = x < begin[g + 1]  # the last turn leaves this annotator out
        choice[g] = x if taken else -1
        so_far[g + 1] = so_far[g] + (marginal[g, x] if taken else 0.0)
        for y in range(begin[g + 1], len(grouped)):
            marginal[g + 1, y] = marginal[g, y] + (pair[x, y] if taken else 0.0)
        steps -= len(grouped) - begin[g + 1]
        g += 1
        turn[g] = -1
    return found, reduced, count, steps


@kernel
def _promising(
    annotator: Ints,
    marginal: Floats,
    half: Floats,
    around: Ints,
    alone: float,
    below: float,
    n: int,
) -> tuple[float, Ints]:
    """The units that can be in a cluster below the limit, and what no cluster is below.

    `marginal` is what each unit around adds with the first one alone; `half` bounds the rest.
    """
    best = np.zeros(n)
    for x in range(len(around)):
        a = annotator[around[x]]
        best[a] = min(best[a], marginal[x] + half[around[x]])
    least = alone + best.sum()
    kept = np.empty(len(around), np.int64)
    count = 0
    if least < below:
        for x in range(len(around)):
            v = around[x]
            if least - best[annotator[v]] + marginal[x] + half[v] < below:
                kept[count] = v
                count += 1
    return least, kept[:count]


@kernel
def priced_clusters(
    annotator: Ints,
    start: Floats,
    end: Floats,
    category: Ints,
    positional: Weighted,
    beta_cat: Floats,
    n: int,
    near: Ints,
    ahead: Ints,
    half: Floats,
    dual: Floats,
    below: float,
    every: bool,
    most: int,
    first: int,
    steps: int,
    each: int,
) -> tuple[int, bool, Members, Floats, float, int]:
    """Clusters of reduced cost under `below` from the unit `first` on.

    As (next unit, complete, members, reduced costs, slack, steps left): `every` one of them, or
    for each first unit the single best (of two units or more). `slack` is how far the sum of the
    duals may exceed the cost of the best partition: since each unit is first in one cluster at
    most, Σ π + slack over all units is a lower bound. It comes back when the steps are used up. A
    unit that takes more than `each` steps is left, with a bound instead of its best cluster, and
    the list is then not complete; nor is it past `most` clusters.
    """
    pairs = n * (n - 1) / 2
    found = np.empty((256, n), np.int64)
    reduced = np.empty(256)
    count = 0
    slack = 0.0
    complete = True
    u = first
    while u < len(start) and steps > 0 and count <= most:
        around = ahead[near[u] : near[u + 1]]
        weights = np.empty(len(around))
        for x in range(len(around)):
            v = around[x]
            weights[x] = weight(start, end, category, positional, beta_cat, u, v) - dual[v]
        root, kept = _promising(annotator, weights, half, around, pairs - dual[u], below, n)
        grouped, begin = _group(annotator, kept, n)
        size = len(grouped)
        steps -= 10 * len(around) + 5 * size * size + n
        pair = np.full((size, size), np.inf)
        marginal = np.empty(size)
        for x in range(size):
            v = grouped[x]
            marginal[x] = weight(start, end, category, positional, beta_cat, u, v) - dual[v]
            for y in range(x):
                if annotator[v] != annotator[grouped[y]]:
                    w = weight(start, end, category, positional, beta_cat, v, grouped[y])
                    pair[x, y] = w
                    pair[y, x] = w
        before = count
        found, reduced, count, left = _search(
            u, pairs - dual[u], marginal, pair, grouped, begin,
            below, every, found, reduced, count, each,
        )  # fmt: skip
        steps -= each - left
        least = min(pairs - dual[u], below)
        for k in range(before, count):
            least = min(least, reduced[k])
        if left <= 0:
            complete = False
            least = min(least, root)
        slack += min(0.0, least)
        u += 1
    return u, complete, found[:count], reduced[:count], slack, steps


@kernel
def pair_weights(
    start: Floats,
    end: Floats,
    category: Ints,
    positional: Weighted,
    beta_cat: Floats,
    one: Ints,
    other: Ints,
) -> Floats:
    """The weights w of the pairs one[k], other[k]."""
    weights = np.empty(len(one))
    for k in range(len(one)):
        weights[k] = weight(start, end, category, positional, beta_cat, one[k], other[k])
    return weights


@kernel
def cluster_costs(
    start: Floats,
    end: Floats,
    category: Ints,
    positional: Weighted,
    beta_cat: Floats,
    n: int,
    members: Members,
) -> Floats:
    """N + Σ w of each cluster."""
    costs = np.full(len(members), n * (n - 1) / 2)
    for k in range(len(members)):
        for a in range(members.shape[1]):
            for b in range(a):
                u, v = members[k, a], members[k, b]
                if u >= 0 and v >= 0:
                    costs[k] += weight(start, end, category, positional, beta_cat, u, v)
    return costs


@kernel
def cluster_places(start: Floats, end: Floats, members: Members) -> Floats:
    """Σ d_pos of equation 3 in each cluster."""
    places = np.zeros(len(members))
    for k in range(len(members)):
        for a in range(members.shape[1]):
            for b in range(a):
                u, v = members[k, a], members[k, b]
                if u >= 0 and v >= 0:
                    places[k] += place(start, end, SQUARED, u, v)
    return places
