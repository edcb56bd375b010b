"""The disorders behind γ, γcat and γk, counted on one alignment.

γcat and γk follow Mathet 2017, Algorithm 1: every pair of units in a unitary alignment of n_v ≥ 2
units weighs max(0, 1 - d_pos) / (n_v - 1); the disorder is Σ weight·d_cat / Σ weight, over all
pairs, or for γk over the pairs with a unit of category k. The authors' software weighs by
1 - α·d_pos.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.clusters import Floats, IntRows, Ints, Matrix, by_number
from goldspan.engine.alignment.native import native
from goldspan.engine.alignment.weight import SQUARED, Weighted, place

if TYPE_CHECKING:
    from goldspan.engine.alignment.batch.layouts import Layouts


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


@dataclass(frozen=True, slots=True)
class AlignedPairs:
    """The pairs of many layouts, one layout after the other, and a row of sums for each."""

    pairs: Pairs
    begin: Ints
    weights: Matrix
    disagreements: Matrix
    counts: IntRows

    def pairs_of(self, k: int) -> Pairs:
        """The pairs of layout k."""
        own, all_of = slice(self.begin[k], self.begin[k + 1]), self.pairs
        return Pairs(
            all_of.cluster[own],
            all_of.one[own],
            all_of.other[own],
            all_of.weight[own],
            all_of.disagreement[own],
        )

    @classmethod
    def sums(cls, parts: Sequence[AlignedPairs]) -> AlignedPairs:
        """The sums alone, of the layouts of one part after the other."""
        pairs = parts[0].pairs
        none = Pairs(*(getattr(pairs, name)[:0].copy() for name in Pairs.__slots__))
        weights, disagreements, counts = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("weights", "disagreements", "counts")
        )
        return cls(none, np.zeros(len(counts) + 1, np.int64), weights, disagreements, counts)

    def tally(self, k: int) -> Tally:
        """What the pairs of layout k add up to."""
        return Tally(self.weights[k], self.disagreements[k], self.counts[k])


def aligned_pairs(
    layouts: Layouts,
    cluster: Ints,
    categorial: Matrix,
    positional: Weighted = (1.0, SQUARED),
) -> AlignedPairs:
    """The pairs of aligned units, `cluster` being that of each unit; `categorial` is d_cat between
    the categories, and `positional` what d_pos is, and by what it is multiplied before it is taken
    from 1.
    """
    count, columns = len(layouts), len(categorial) + 1
    most = int((layouts.sizes * (layouts.n - 1) // 2).sum())
    longest = int(layouts.sizes.max(initial=0))
    listed = Pairs(
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most),
        np.empty(most),
    )
    found = AlignedPairs(
        listed,
        np.zeros(count + 1, np.int64),
        np.zeros((count, columns)),
        np.zeros((count, columns)),
        np.zeros((count, columns), np.int64),
    )
    _list_pairs(
        layouts.start, layouts.end, layouts.category, cluster, layouts.begin, count,
        np.ascontiguousarray(categorial), columns - 1, *positional,
        np.empty(longest + 1, np.int64), np.empty(longest, np.int64),
        listed.cluster, listed.one, listed.other, listed.weight, listed.disagreement,
        found.begin, found.weights, found.disagreements, found.counts,
    )  # fmt: skip
    return found


@native
def _list_pairs(
    start: Floats,
    end: Floats,
    category: Ints,
    cluster: Ints,
    begin: Ints,
    count: int,
    categorial: Matrix,
    categories: int,
    factor: float,
    code: float,
    following: Ints,
    order: Ints,
    clusters: Ints,
    one: Ints,
    other: Ints,
    weight: Floats,
    disagreement: Floats,
    ends: Ints,
    weights: Matrix,
    disagreements: Matrix,
    counts: IntRows,
) -> int:
    """Write the pairs of each layout into the arrays from `clusters` on, where they end into
    `ends`, and add each to its categories, and to all of them together, in the last three.
    """
    p = 0
    for k in range(count):
        size = begin[k + 1] - begin[k]
        by_number(cluster, begin[k], size, size, following, order)
        low = 0
        while low < size:
            high = low + 1
            while high < size and cluster[order[high]] == cluster[order[low]]:
                high += 1
            for a in range(low, high):
                for b in range(low, a):
                    u, v = order[b], order[a]
                    clusters[p] = cluster[u]
                    one[p] = category[u]
                    other[p] = category[v]
                    share = max(0.0, 1.0 - factor * place(start, end, code, u, v))
                    weight[p] = share / (high - low - 1)
                    # Where aligning is forbidden d_cat is infinite, but then no pair is there.
                    disagreement[p] = weight[p] * categorial[one[p]][other[p]]
                    for at in range(3):
                        if at == 1 and other[p] == one[p]:
                            continue
                        concerned = one[p] if at == 0 else other[p] if at == 1 else categories
                        weights[k][concerned] += weight[p]
                        disagreements[k][concerned] += disagreement[p]
                        if weight[p] > 0:
                            counts[k][concerned] += 1
                    p += 1
            low = high
        ends[k + 1] = p
    return p
