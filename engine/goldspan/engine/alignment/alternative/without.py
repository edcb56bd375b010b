"""Alternative: the best alignment that does without one of the unitary alignments.

Some unit u of the forbidden cluster is in another cluster D instead, so the least cost is the
minimum over all D of cost(D) and of what the other units cost at the least. With π, duals of the
linear program, no alignment with D costs less than Σ π and the reduced cost of D. So clusters are
tried in the order of their reduced costs, until no further one can be better: this is exact, and
with duals as tight as these a few tries are enough.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.budget import Budget
from goldspan.engine.alignment.layout import lay_out
from goldspan.engine.alignment.partition import Partition, best_partition, describe
from goldspan.engine.alignment.solution import in_order
from goldspan.engine.alignment.space import Space
from goldspan.engine.dissimilarity import Dissimilarity
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.engine.alignment.alignment import Alignment, UnitaryAlignment
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.model import Continuum

MOST_NODES = 200_000
"""Clusters that are looked at; beyond, the answer is not proved."""

MOST_TRIES = 400
"""Clusters that are tried, each with a best alignment of the other units."""

EPSILON = 1e-7


def best_alignment_without(
    continuum: Continuum,
    unitary: UnitaryAlignment,
    dissimilarity: Dissimilarity | None = None,
    *,
    solver: str | None = None,
) -> Alignment | None:
    """The alignment of least disorder among those that do not contain this unitary alignment.

    None if every alignment contains it, as for a unit that can be aligned with no other. It is
    exact unless it says that it is not optimal. `solver` as for `best_alignment`.
    """
    dissimilarity = dissimilarity or Dissimilarity()
    annotators = continuum.annotators
    categories = continuum.categories
    layout, units = lay_out(continuum, annotators, {c: i for i, c in enumerate(categories)})
    at = {unit: number for number, unit in enumerate(units)}
    unknown = [unit for unit in unitary.units if unit not in at]
    if unknown or not unitary.units:
        raise InputError(
            "the unitary alignment has units that nobody who takes part marked; take it from an "
            "alignment of this continuum",
            where=f"task '{continuum.id}'",
        )
    beta_cat = dissimilarity.beta * dissimilarity.categorial(categories)
    space = Space(layout, dissimilarity.alpha, beta_cat, dissimilarity.positional)
    forbidden = frozenset(at[unit] for unit in unitary.units)
    found = _Search(space, forbidden, solver).best()
    return None if found is None else describe(found, units, annotators, dissimilarity)


@dataclass(frozen=True, slots=True)
class _Tried:
    """A cluster, and the best alignment of the others."""

    cluster: tuple[int, ...]
    others: Partition
    cost: float


class _Search:
    """The search for the cluster that the first unit of the forbidden one is in."""

    def __init__(self, space: Space, forbidden: frozenset[int], solver: str | None) -> None:
        self.space = space
        self.forbidden = forbidden
        self.solver = solver
        self.unit = min(forbidden)
        self.dual, self.bound = _duals(space)
        self.nodes = 0
        layout = space.layout
        units = np.arange(layout.size)
        weights = space.weights(np.full(layout.size, self.unit), units)
        gains = weights - self.dual
        own = layout.annotator[self.unit]
        lists = []
        for annotator in range(layout.n):
            theirs = units[(layout.annotator == annotator) & np.isfinite(weights)]
            if annotator != own and len(theirs):
                order = theirs[np.argsort(gains[theirs], kind="stable")]
                lists.append([(float(gains[u]), int(u)) for u in order])
        # Those with the best partners come first: that bounds the rest.
        self.lists = sorted(lists)

    def best(self) -> Partition | None:
        """The best partition without the forbidden cluster."""
        nearest = min(self._clusters(math.inf, shrinking=True), default=None)
        if nearest is None:
            return None
        tried = self._try(nearest[1])
        left = sorted(self._clusters(tried.cost - self.bound, shrinking=False))
        proved, tries = self.nodes < MOST_NODES and tried.others.optimal, 1
        for reduced, cluster in left:
            if self.bound + reduced >= tried.cost - EPSILON:
                break
            if tries == MOST_TRIES:
                proved = False
                break
            if cluster == nearest[1]:
                continue
            other = self._try(cluster)
            tries += 1
            proved = proved and other.others.optimal
            if other.cost < tried.cost - EPSILON:
                tried = other
        return self._partition(tried, proved=proved)

    def _clusters(
        self, below: float, *, shrinking: bool
    ) -> Iterator[tuple[float, tuple[int, ...]]]:
        """Clusters with the unit, other than the forbidden one, whose reduced cost is `below`;
        with `shrinking`, also below that of all before.
        """
        self.nodes = 0
        limit = [below]
        alone = self.space.pairs - float(self.dual[self.unit])

        def walk(depth: int, reduced: float, chosen: tuple[int, ...]) -> Iterator[
            tuple[float, tuple[int, ...]]
        ]:  # fmt: skip
            self.nodes += 1
            if self.nodes >= MOST_NODES or reduced + self._least(depth, len(chosen)) >= limit[0]:
                return
            if depth == len(self.lists):
                if set(chosen) != self.forbidden:
                    if shrinking:
                        limit[0] = reduced
                    yield reduced, tuple(sorted(chosen))
                return
            partners = len(chosen) - 1
            after = self._least(depth + 1, len(chosen) + 1)
            for gain, unit in self.lists[depth]:
                if reduced + gain - partners + after >= limit[0]:
                    break
                more = self._weight(unit, chosen[1:])
                if math.isfinite(more):
                    yield from walk(depth + 1, reduced + gain + more, (*chosen, unit))
            yield from walk(depth + 1, reduced, chosen)

        yield from walk(0, alone, (self.unit,))

    def _least(self, depth: int, size: int) -> float:
        """What the lists from `depth` on add at the least to a cluster of so many units: the
        weight of a pair is -1 or more.
        """
        left = self.lists[depth:]
        among = (len(left) - 1) / 2
        return math.fsum(min(0.0, one[0][0] - (size - 1) - among) for one in left)

    def _weight(self, unit: int, others: tuple[int, ...]) -> float:
        if not others:
            return 0.0
        return float(self.space.weights(np.full(len(others), unit), np.array(others)).sum())

    def _try(self, cluster: tuple[int, ...]) -> _Tried:
        space = self.space
        rest = np.setdiff1d(np.arange(space.layout.size), cluster)
        others = best_partition(
            space.only(rest, space.layout.n).layout, space.alpha, space.beta_cat,
            positional=space.dissimilarity, solver=self.solver,
        )  # fmt: skip
        row = np.full((1, space.layout.n), -1, dtype=np.int64)
        row[0, : len(cluster)] = cluster
        return _Tried(cluster, others, float(space.costs(row)[0]) + others.cost)

    def _partition(self, tried: _Tried, *, proved: bool) -> Partition:
        size = self.space.layout.size
        cluster = np.full(size, size, dtype=np.int64)
        rest = np.setdiff1d(np.arange(size), tried.cluster)
        cluster[rest] = tried.others.cluster
        least = tried.cost if proved else max(0.0, min(self.bound, tried.cost))
        return Partition(in_order(cluster), tried.cost, least, proved)


def _duals(space: Space) -> tuple[Floats, float]:
    """A price for each unit so that no cluster costs less than its units, and their sum."""
    # A linear program loads a solver.
    from goldspan.engine.alignment.relaxation import relax  # noqa: PLC0415

    near = space.neighbourhood()
    relaxed = relax(space, near, Budget.of(None, time.monotonic))
    dual = near.share
    if relaxed is not None and relaxed.converged:
        dual = relaxed.dual
    return dual, float(dual.sum()) - EPSILON
