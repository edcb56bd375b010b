"""The disorders behind γ, γcat and γk, counted on one alignment.

γcat and γk follow Mathet 2017, Algorithm 1: every pair of units in a unitary alignment of n_v ≥ 2
units weighs max(0, 1 - d_pos) / (n_v - 1); the disorder is Σ weight·d_cat / Σ weight, over all
pairs, or for γk over the pairs with a unit of category k. The authors' software weighs by
1 - α·d_pos.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.clusters import Floats, Ints, by_number
from goldspan.engine.alignment.native import native
from goldspan.engine.alignment.weight import SQUARED, Weighted, place

if TYPE_CHECKING:
    from goldspan.engine.alignment.layout import Layout
    from goldspan.engine.alignment.partition import Partition


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs of aligned units: their cluster, their categories, weight, and weight·d_cat."""

    cluster: Ints
    one: Ints
    other: Ints
    weight: Floats
    disagreement: Floats

    def touching(self, category: int) -> Pairs:
        """Those with a unit of this category, on either side."""
        kept = (self.one == category) | (self.other == category)
        return Pairs(
            self.cluster[kept],
            self.one[kept],
            self.other[kept],
            self.weight[kept],
            self.disagreement[kept],
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """What one alignment adds up to.

    `weights`, `disagreements` and `pairs` hold an entry for each category, and a last one for
    all of them together. A pair that is too far apart to weigh anything is not counted.
    """

    weights: Floats
    disagreements: Floats
    pairs: Ints


def aligned_pairs(
    layout: Layout,
    partition: Partition,
    categorial: Floats,
    positional: Weighted = (1.0, SQUARED),
) -> Pairs:
    """The pairs of aligned units; `categorial` is d_cat between the categories, and `positional`
    what d_pos is, and by what it is multiplied before it is taken from 1.
    """
    most = layout.size * (layout.n - 1) // 2
    cluster, u, v = (np.empty(most, dtype=np.int64) for _ in range(3))
    weight = np.empty(most)
    following, order = np.empty(layout.size + 1, np.int64), np.empty(layout.size, np.int64)
    found = _list_pairs(
        layout.start, layout.end, partition.cluster, layout.size, *positional, following, order,
        cluster, u, v, weight,
    )  # fmt: skip
    cluster, u, v, weight = cluster[:found], u[:found], v[:found], weight[:found]
    one, other = layout.category[u], layout.category[v]
    # Where aligning is forbidden d_cat is infinite, but then no pair is there to weigh.
    return Pairs(cluster, one, other, weight, weight * categorial[one, other])


def tally(pairs: Pairs, categories: int) -> Tally:
    """Add the pairs up."""
    weights, disagreements = np.zeros(categories + 1), np.zeros(categories + 1)
    counted = np.zeros(categories + 1, np.int64)
    _add_up(
        pairs.one, pairs.other, pairs.weight, pairs.disagreement, len(pairs.one), categories,
        weights, disagreements, counted,
    )  # fmt: skip
    return Tally(weights, disagreements, counted)


@native
def _add_up(
    one: Ints,
    other: Ints,
    weight: Floats,
    disagreement: Floats,
    count: int,
    categories: int,
    weights: Floats,
    disagreements: Floats,
    pairs: Ints,
) -> int:
    """Add each pair to its categories, and to all of them together, in the last three arrays."""
    for p in range(count):
        for at in range(3):
            if at == 1 and other[p] == one[p]:
                continue
            concerned = one[p] if at == 0 else other[p] if at == 1 else categories
            weights[concerned] += weight[p]
            disagreements[concerned] += disagreement[p]
            if weight[p] > 0:
                pairs[concerned] += 1
    return count


@native
def _list_pairs(
    start: Floats,
    end: Floats,
    cluster: Ints,
    size: int,
    factor: float,
    code: float,
    following: Ints,
    order: Ints,
    found: Ints,
    first: Ints,
    second: Ints,
    weight: Floats,
) -> int:
    """Write cluster, units and weight of each pair into the last four arrays; count them."""
    by_number(cluster, size, size, following, order)
    count = 0
    low = 0
    while low < size:
        high = low + 1
        while high < size and cluster[order[high]] == cluster[order[low]]:
            high += 1
        for a in range(low, high):
            for b in range(low, a):
                u, v = order[b], order[a]
                found[count] = cluster[u]
                first[count] = u
                second[count] = v
                share = max(0.0, 1.0 - factor * place(start, end, code, u, v))
                weight[count] = share / (high - low - 1)
                count += 1
        low = high
    return count
