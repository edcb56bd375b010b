"""Space: a layout and a dissimilarity, in the shape in which the kernels take them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from goldspan.engine.alignment.clusters import Floats, Ints, neighbours
from goldspan.engine.alignment.layout import Layout
from goldspan.engine.alignment.pricing import (
    Members,
    cluster_costs,
    cluster_places,
    priced_clusters,
)

MOST_CLUSTERS = 2_000_000
"""More clusters than this are not listed; what would need them is not proved."""


@dataclass(frozen=True, slots=True)
class Space:
    """Where clusters live: α and the matrix β·d_cat go with the layout's categories."""

    layout: Layout
    alpha: float
    beta_cat: Floats

    @property
    def pairs(self) -> float:
        """N = C(n, 2)."""
        return self.layout.n * (self.layout.n - 1) / 2

    @property
    def arrays(self) -> tuple[Ints, Floats, Floats, Ints]:
        return self.layout.annotator, self.layout.start, self.layout.end, self.layout.category

    def neighbours(self) -> tuple[Ints, Ints]:
        """The pairs that can be together in a useful cluster, as (pointers, indices)."""
        radius = self.pairs + self.layout.n - 1
        return neighbours(*self.arrays, self.alpha, self.beta_cat, radius)

    def costs(self, members: Members) -> Floats:
        """N + Σ w of each cluster."""
        return cluster_costs(*self.arrays[1:], self.alpha, self.beta_cat, self.layout.n, members)

    def places(self, members: Members) -> Floats:
        """Σ d_pos of each cluster."""
        return cluster_places(self.layout.start, self.layout.end, members)

    def priced(
        self, near: tuple[Ints, Ints], dual: Floats, below: float, *, every: bool
    ) -> tuple[bool, Members, float]:
        """Clusters of reduced cost under `below`: (complete, members, slack of the bound)."""
        complete, members, _, slack = priced_clusters(
            *self.arrays, self.alpha, self.beta_cat, self.layout.n, *near,
            dual, below, every, MOST_CLUSTERS,
        )  # fmt: skip
        return complete, members, slack

    def alone(self) -> Members:
        """Each unit as a cluster of its own."""
        members = np.full((self.layout.size, self.layout.n), -1, dtype=np.int64)
        members[:, 0] = np.arange(self.layout.size)
        return members
