"""Space: a layout and a dissimilarity, in the shape in which the kernels take them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.budget import MOST_MEMBERS, SLICE, Budget
from goldspan.engine.alignment.clusters import Floats, Ints, neighbours, window_pairs
from goldspan.engine.alignment.pricing import (
    Members,
    cluster_costs,
    cluster_places,
    pair_weights,
    priced_clusters,
)
from goldspan.engine.alignment.shares import both_ways, unit_shares
from goldspan.engine.positional import RATIO, Positional

if TYPE_CHECKING:
    from goldspan.engine.alignment.layout import Layout
    from goldspan.engine.alignment.weight import Weighted

MOST_PAIRS = 2_000_000
"""More neighbours than this are not listed; the search then looks at the nearer ones only."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Which units may be together: for each unit the later ones, and in `around` all of them.

    It is `whole` when no other pair can be in a useful cluster. `share` is what a unit costs at
    the least, `half` half of what it can gain at most (see shares).
    """

    pointers: Ints
    indices: Ints
    every: Ints
    around: Ints
    share: Floats
    half: Floats
    whole: bool

    @property
    def later(self) -> tuple[Ints, Ints]:
        return self.pointers, self.indices


@dataclass(frozen=True, slots=True)
class Space:
    """Where clusters live: the matrix β·d_cat goes with the layout's categories."""

    layout: Layout
    alpha: float
    beta_cat: Floats
    dissimilarity: Positional = RATIO

    @property
    def positional(self) -> Weighted:
        """α and d_pos, as the kernels take them."""
        return float(self.alpha), float(self.dissimilarity.code)

    def reach(self, radius: float) -> float:
        """The largest ratio of units with α·d_pos ≤ radius."""
        return self.dissimilarity.reach(radius / self.alpha) if self.alpha else math.inf

    @property
    def pairs(self) -> float:
        """N = C(n, 2)."""
        return self.layout.n * (self.layout.n - 1) / 2

    @property
    def arrays(self) -> tuple[Ints, Floats, Floats, Ints]:
        return self.layout.annotator, self.layout.start, self.layout.end, self.layout.category

    def only(self, units: Ints, n: int) -> Space:
        """The space of some of the units, in their order, as those of n annotators."""
        some = replace(
            self.layout,
            annotator=self.layout.annotator[units],
            start=self.layout.start[units],
            end=self.layout.end[units],
            category=self.layout.category[units],
            n=n,
        )
        return replace(self, layout=some)

    def later(self, most: int) -> tuple[Ints, Ints] | None:
        """The later neighbours of each unit, as (pointers, indices); None past `most` pairs."""
        radius = self.pairs + self.layout.n - 1
        fits, *listed = neighbours(
            *self.arrays, self.positional, self.beta_cat, radius, self.reach(radius), most
        )
        return (listed[0], listed[1]) if fits else None

    def neighbourhood(self) -> Neighbourhood:
        """The pairs that can be together in a useful cluster, or as many as there is room for."""
        widest = self.pairs + self.layout.n - 1
        radius = widest
        while True:
            whole, pointers, indices = neighbours(
                *self.arrays,
                self.positional,
                self.beta_cat,
                radius,
                self.reach(radius),
                MOST_PAIRS,
            )
            if whole:
                break
            if radius < 1.0:
                reach = max(1, MOST_PAIRS // self.layout.size)
                pointers, indices = window_pairs(self.layout.annotator, reach)
                radius = 0.0
                break
            radius /= 4
        every, around = both_ways(pointers, indices)
        share, half = unit_shares(
            *self.arrays, self.positional, self.beta_cat, self.layout.n, every, around, radius - 1.0
        )
        complete = whole and radius == widest
        return Neighbourhood(pointers, indices, every, around, share, half, complete)

    def weights(self, one: Ints, other: Ints) -> Floats:
        """The weights w of pairs of units."""
        return pair_weights(*self.arrays[1:], self.positional, self.beta_cat, one, other)

    def costs(self, members: Members) -> Floats:
        """N + Σ w of each cluster."""
        return cluster_costs(
            *self.arrays[1:], self.positional, self.beta_cat, self.layout.n, members
        )

    def places(self, members: Members) -> Floats:
        """Σ d_pos of equation 3 in each cluster."""
        return cluster_places(self.layout.start, self.layout.end, members)

    def priced(
        self,
        near: Neighbourhood,
        dual: Floats,
        below: float,
        budget: Budget,
        *,
        every: bool,
        each: int = SLICE,
    ) -> tuple[bool, Members, float]:
        """Clusters of reduced cost under `below`: (complete, members, slack of the bound).

        No more than `each` steps are taken for the clusters of one first unit.
        """
        most = MOST_MEMBERS // self.layout.n
        parts: list[Members] = [np.empty((0, self.layout.n), dtype=np.int64)]
        whole, total, slack, at = True, 0, 0.0, 0
        while at < self.layout.size:
            if budget.spent or total > most:
                return False, np.concatenate(parts), -np.inf
            before = budget.slice
            at, complete, members, _, part, left = priced_clusters(
                *self.arrays, self.positional, self.beta_cat, self.layout.n, *near.later, near.half,
                dual, below, every, most - total, at, before, each,
            )  # fmt: skip
            budget.charge(before - left)
            parts.append(members)
            whole, total, slack = whole and complete, total + len(members), slack + part
        return whole and total <= most, np.concatenate(parts), slack

    def alone(self) -> Members:
        """Each unit as a cluster of its own."""
        members = np.full((self.layout.size, self.layout.n), -1, dtype=np.int64)
        members[:, 0] = np.arange(self.layout.size)
        return members
