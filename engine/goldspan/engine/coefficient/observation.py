"""Observation: the best alignments of tasks, and what they add up to.

All tasks are in one set of columns. The values of a task are made when somebody looks at them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.alignment import Alignment, unitary_alignments
from goldspan.engine.alignment.batch.unitaries import Unitaries, slices, stretches, sums_between
from goldspan.engine.alignment.pairs import AlignedPairs, Pairs, Tally, aligned_pairs
from goldspan.engine.coefficient.made import Made

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.partition import Partitions
    from goldspan.engine.coefficient.columns import TaskColumns
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task


@dataclass(frozen=True, slots=True)
class Observation:
    """A task's best alignment, and what it adds up to."""

    among: Observations
    number: int

    @property
    def task(self) -> Task:
        return self.among.columns.tasks[self.number]

    @property
    def alignment(self) -> Alignment:
        return self.among.alignment(self.number)

    @property
    def pairs(self) -> Pairs:
        """The pairs of aligned units."""
        return self.among.pairs_of(self.number)

    @property
    def tally(self) -> Tally:
        """What they add up to."""
        return self.among.tallies.tally(self.number)

    @property
    def n_units(self) -> int:
        return int(self.among.columns.sizes[self.number])

    @property
    def n_unitary(self) -> int:
        """The number of unitary alignments."""
        return int(self.among.n_unitary[self.number])

    @property
    def mean_units(self) -> float:
        """x̄, as the settings take it."""
        return float(self.among.mean_units[self.number])

    @property
    def units_share(self) -> float:
        """The part of the mean number of units that counts: all of it, unless it is floored."""
        return self.mean_units / (self.n_units / int(self.among.columns.n[self.number]))

    def users_of(self, category: str) -> set[str]:
        """The annotators who used a category."""
        return self.among.columns.between(self.number, self.number + 1).users_of(category)

    @property
    def unitaries(self) -> Unitaries:
        """The unitary alignments, as columns."""
        return self.among.unitaries.between(self.number, self.number + 1)


@dataclass(frozen=True)
class Observations(Made[Observation]):
    """Those of many tasks."""

    columns: TaskColumns
    scheme: Scheme
    best: Partitions

    def __len__(self) -> int:
        return len(self.columns)

    def _make(self, at: int) -> Observation:
        return Observation(self, at)

    def between(self, low: int, high: int) -> Observations:
        """Those of the tasks from number `low` on, up to `high`, as columns of their own."""
        columns = self.columns
        first, last = columns.begin[[low, high]].tolist()
        best = self.best.between(low, high, slice(first, last))
        found = Observations(columns.between(low, high), self.scheme, best)
        # Known already, if the units are counted from the first one of these tasks on.
        vars(found)["unitaries"] = self.unitaries.between(low, high, first)
        return found

    @cached_property
    def tallies(self) -> AlignedPairs:
        """The sums over pairs of aligned units, a row each; the pairs themselves are left out."""
        some = stretches(self.columns.begin)
        return AlignedPairs.sums([self._aligned(low, high) for low, high in some])

    def pairs_of(self, k: int) -> Pairs:
        """The pairs of aligned units of a task."""
        return self._aligned(k, k + 1).pairs_of(0)

    def _aligned(self, low: int, high: int) -> AlignedPairs:
        """The pairs of the tasks from number `low` on, up to `high`."""
        settings, own = self.scheme.settings, slice(*self.columns.begin[[low, high]])
        return aligned_pairs(
            self.columns.layouts(low, high), self.best.cluster[own], self.scheme.categorial,
            settings.label_weight,
        )  # fmt: skip

    @cached_property
    def unitaries(self) -> Unitaries:
        dissimilarity, columns = self.scheme.settings.dissimilarity, self.columns
        return Unitaries.of(
            columns.marks, self.best.cluster, columns.n, dissimilarity, self.categorial
        )

    @cached_property
    def n_unitary(self) -> Ints:
        """The number of unitary alignments of each task."""
        return np.diff(self.unitaries.begin)

    @cached_property
    def categorial(self) -> Floats:
        """d_cat between the labels of the columns."""
        return self.scheme.settings.dissimilarity.categorial(sorted(self.scheme.index))

    @cached_property
    def costs(self) -> Floats:
        """The sum of the disorders of each task's unitary alignments."""
        return sums_between(self.unitaries.disorder, self.unitaries.begin)

    @cached_property
    def mean_units(self) -> Floats:
        """x̄ of each task, as the settings take it."""
        settings, columns = self.scheme.settings, self.columns
        numbers = zip(columns.sizes.tolist(), columns.n.tolist(), strict=True)
        return np.array([settings.mean_units(*both) for both in numbers], dtype=np.float64)

    @cached_property
    def _scale(self) -> Floats:
        """What the cost of a partition is divided by to make a disorder."""
        sizes, n = self.columns.sizes, self.columns.n
        return n * (n - 1) / 2 * sizes / n * (self.mean_units / (sizes / n))

    @cached_property
    def disorder(self) -> Floats:
        """That of each task's alignment."""
        return self.best.cost / self._scale

    @property
    def are_settled(self) -> bool:
        """Whether nobody disagrees, on places or on labels."""
        return not (self.disorder.any() or self.tallies.disagreements.any())

    @cached_property
    def users(self) -> Ints:
        """A row for each task: how many annotators used each category of the scheme."""
        return self.columns.users(len(self.scheme.categories))

    @cached_property
    def lower_bound(self) -> Floats:
        """No alignment of a task has less disorder than this, for each task."""
        return self.best.lower_bound / self._scale

    def alignment(self, k: int) -> Alignment:
        """The alignment of a task, as a value."""
        return self.alignments(k, k + 1)[0]

    def alignments(self, first: int, last: int) -> list[Alignment]:
        """Those of the tasks from number `first` on, up to `last`."""
        columns, found = self.columns, self.unitaries.between(first, last)
        members = [columns.units[u] for u in columns.place[found.member].tolist()]
        unitary = unitary_alignments(found, members)
        own = slice(first, last)
        return [
            Alignment(task.annotators, unitary[part], disorder, bound, optimal)
            for task, part, disorder, bound, optimal in zip(
                columns.tasks[own], slices(found.begin), self.disorder[own].tolist(),
                self.lower_bound[own].tolist(), self.best.optimal[own].tolist(), strict=True,
            )
        ]  # fmt: skip
