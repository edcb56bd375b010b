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

from goldspan.engine.alignment.clusters import SQUARED, Floats, Ints, Weighted, by_number, place
from goldspan.engine.alignment.kernel import kernel

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
    found = _list_pairs(
        layout.start, layout.end, partition.cluster, positional, cluster, u, v, weight
    )
    cluster, u, v, weight = cluster[:found], u[:found], v[:found], weight[:found]
    one, other = layout.category[u], layout.category[v]
    # Where aligning is forbidden d_cat is infinite, but then no pair is there to weigh.
    return Pairs(cluster, one, other, weight, weight * categorial[one, other])


def tally(pairs: Pairs, categories: int) -> Tally:
    """Add the pairs up."""
    return Tally(*_add_up(pairs.one, pairs.other, pairs.weight, pairs.disagreement, categories))


@kernel
def _add_up(
    one: Ints, other: Ints, weight: Floats, disagreement: Floats, categories: int
) -> tuple[Floats, Floats, Ints]:
    weights = np.zeros(categories + 1)
    disagreements = np.zeros(categories + 1)
    pairs = np.zeros(categories + 1, np.int64)
    for p in range(len(one)):
        concerned = (one[p], other[p], categories)
        for at in range(3):
            if at == 1 and other[p] == one[p]:
                continue
            weights[concerned[at]] += weight[p]
            disagreements[concerned[at]] += disagreement[p]
            pairs[concerned[at]] += weight[p] > 0
    return weights, disagreements, pairs


@kernel
def _list_pairs(
    start: Floats,
    end: Floats,
    cluster: Ints,
    positional: Weighted,
    found: Ints,
    first: Ints,
    second: Ints,
    weight: Floats,
) -> int:
    """Write cluster, units and weight of each pair into the last four arrays; count them."""
    order = by_number(cluster, len(cluster))
    factor, code = positional
    count = 0
    low = 0
    while low < len(order):
        high = low + 1
        while high < len(order) and cluster[order[high]] == cluster[order[low]]:
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
