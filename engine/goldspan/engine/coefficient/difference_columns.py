"""Difference columns: what the disorder of many tasks consists of, in one set of arrays.

They say the same as `differences` says of each alignment, and in the same order. The values of a
task are made when somebody looks at them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.batch.unitaries import (
    UNITS_AT_ONCE,
    aligned_units,
    borders_of,
    ranges,
    stretches,
)
from goldspan.engine.coefficient.left_over import Grid, left_over
from goldspan.engine.disagreement import DISAGREEMENT_KINDS, Difference, Part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.coefficient.columns import TaskColumns
    from goldspan.engine.coefficient.observation import Observations
    from goldspan.engine.disagreement import Disagreements
    from goldspan.engine.model import Unit

    Small = NDArray[np.int8]
    Places = NDArray[np.int32]

MISSED, BOUNDARY, LABEL, SPLIT = (
    DISAGREEMENT_KINDS.index(kind) for kind in ("missed", "boundary", "label", "split")
)
KINDS = len(DISAGREEMENT_KINDS)


@dataclass(frozen=True)
class DifferenceColumns:
    """Those of task k are from begin[k] on, up to begin[k + 1].

    `kind` numbers the kinds of disagreement, `unit` and `other` are places among the units of the
    columns, and `absent` numbers the annotators by name; -1 where there is no other unit, or nobody
    is absent.
    """

    columns: TaskColumns
    begin: Ints
    kind: Small
    unit: Places
    other: Places
    absent: Places
    disorder: Floats

    @classmethod
    def of(cls, observations: Observations) -> DifferenceColumns:
        """Some tasks after the other: what is needed on the way is ten times as much."""
        columns = observations.columns
        parts = [
            cls._of(observations.between(low, high), int(columns.begin[low]))
            for low, high in stretches(columns.begin)
        ]
        sizes = [np.diff(part.begin) for part in parts]
        joined = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("kind", "unit", "other", "absent", "disorder")
        )
        return cls(columns, borders_of(np.concatenate(sizes)), *joined)

    @classmethod
    def _of(cls, observations: Observations, before: int) -> DifferenceColumns:
        """Those of some tasks, when so many units are in the tasks before."""
        columns, unitaries = observations.columns, observations.unitaries
        grid = Grid.of(columns, unitaries)
        parts = _Parts.join([*_pairs(observations, grid), _absences(observations, grid)])
        width = int(columns.n.max()) + 1
        rank = 2 * parts.unitary + parts.is_absence
        for more, size in ((parts.first, width), (parts.second, width), (parts.kind, KINDS)):
            rank = rank * size + more
        order = np.argsort(rank, kind="stable")
        counts = np.bincount(grid.task[parts.unitary], minlength=len(columns))
        unit, other = parts.unit[order], parts.other[order]
        other[other >= 0] += before
        return cls(
            columns, borders_of(counts), parts.kind[order], unit + np.int32(before), other,
            parts.absent[order], parts.disorder[order],
        )  # fmt: skip

    def of_task(self, k: int) -> tuple[Difference, ...]:
        """Those of a task."""
        own, columns = slice(self.begin[k], self.begin[k + 1]), self.columns
        return tuple(
            Difference(
                DISAGREEMENT_KINDS[kind], self._unit(unit),
                None if other < 0 else self._unit(other),
                None if absent < 0 else columns.names[absent], disorder,
            )
            for kind, unit, other, absent, disorder in zip(
                *(
                    column[own].tolist()
                    for column in (self.kind, self.unit, self.other, self.absent, self.disorder)
                ),
                strict=True,
            )
        )  # fmt: skip

    def _unit(self, at: int) -> Unit:
        return self.columns.units[self.columns.place.item(at)]

    @cached_property
    def _by_task(self) -> tuple[Ints, Floats, Floats]:
        """How often each kind occurs in each task, what it costs, and what all of them cost."""
        tasks = len(self.begin) - 1
        task = np.repeat(np.arange(tasks), np.diff(self.begin))
        return _added(task, self.kind, self.disorder, tasks)

    def parts_of_task(self, k: int) -> Disagreements:
        """What the differences of a task add up to."""
        return self.parts_of_tasks(k, k + 1)[0]

    def parts_of_tasks(self, first: int, last: int) -> list[Disagreements]:
        """The same of each task from number `first` on, up to `last`."""
        own, (counts, sums, whole) = slice(first, last), self._by_task
        return _parts_of_each(counts[own], sums[own], whole[own])

    def costs_of_pairs(self, k: int) -> dict[tuple[str, str], float]:
        """What those of a task cost between each two annotators, in their order."""
        own, names = slice(self.begin[k], self.begin[k + 1]), self.columns.names
        unit, other = self.unit[own], self.other[own]
        low = int(self.columns.begin[k])
        name = self.columns.between(k, k + 1).name
        mine = name[unit - low]
        theirs = np.where(other < 0, self.absent[own], name[np.maximum(other - low, 0)])
        first, last = np.minimum(mine, theirs), np.maximum(mine, theirs)
        pairs, at, which = np.unique(
            first * len(names) + last, return_index=True, return_inverse=True
        )
        # Added one after the other, as they are without columns.
        costs = np.bincount(which, self.disorder[own], len(pairs))
        return {
            (names[pairs.item(p) // len(names)], names[pairs.item(p) % len(names)]): costs.item(p)
            for p in np.argsort(at).tolist()
        }

    def parts(self) -> Disagreements:
        """What all differences add up to."""
        none = np.zeros(len(self.kind), np.int64)
        return _parts_of_each(*_added(none, self.kind, self.disorder, 1))[0]

    def parts_by_label(self) -> dict[str, Disagreements]:
        """The same for each category; two different ones share a difference equally."""
        label = self.columns.label
        one, other = label[self.unit], label[np.where(self.other < 0, self.unit, self.other)]
        two = one != other
        kind = np.concatenate((self.kind, self.kind[two]))
        cost = np.concatenate((np.where(two, self.disorder / 2, self.disorder),
                               self.disorder[two] / 2))  # fmt: skip
        labels = self.columns.labels
        added = _added(np.concatenate((one, other[two])), kind, cost, len(labels))
        found = dict(zip(labels, _parts_of_each(*added), strict=True))
        return {labels[k]: found[labels[k]] for k in np.flatnonzero(added[0].any(axis=1)).tolist()}

    def parts_by_pair(self) -> dict[tuple[str, str], Disagreements]:
        """The same for each two annotators who differ somewhere."""
        low, high = self.sides
        names = self.columns.names
        pairs, pair = np.unique(low * len(names) + high, return_inverse=True)
        added = _added(pair, self.kind, self.disorder, len(pairs))
        return {
            (names[both // len(names)], names[both % len(names)]): parts
            for both, parts in zip(pairs.tolist(), _parts_of_each(*added), strict=True)
        }

    @property
    def sides(self) -> tuple[Ints, Ints]:
        """The two annotators of each difference, in the order of their names."""
        mine, theirs = self.people
        return np.minimum(mine, theirs), np.maximum(mine, theirs)

    @property
    def people(self) -> tuple[Ints, Ints]:
        """The annotator of each unit, and the one on the other side."""
        name = self.columns.name
        other = np.where(self.other < 0, self.absent, name[self.other])
        return name[self.unit], other.astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Parts:
    """Differences in any order; `first` and `second` order those of a unitary alignment."""

    unitary: Ints
    is_absence: Small
    first: Places
    second: Places
    kind: Small
    unit: Places
    other: Places
    absent: Places
    disorder: Floats

    @classmethod
    def join(cls, parts: list[_Parts]) -> _Parts:
        return cls(*(np.concatenate([getattr(p, name) for p in parts]) for name in cls.__slots__))

    @classmethod
    def packed(
        cls, unitary: Ints, first: Ints, second: Ints, kind: Ints, unit: Ints, other: Ints,
        absent: Ints, disorder: Floats, *, is_absence: bool,
    ) -> _Parts:  # fmt: skip
        """In half the memory: a large corpus has millions of differences."""
        return cls(
            unitary, np.full(len(unit), is_absence, np.int8), first.astype(np.int32),
            second.astype(np.int32), kind.astype(np.int8), unit.astype(np.int32),
            other.astype(np.int32), absent.astype(np.int32), disorder,
        )  # fmt: skip


def _pairs(observations: Observations, grid: Grid) -> list[_Parts]:
    """What units that are aligned differ in: first places, then labels."""
    columns, member = observations.columns, observations.unitaries.member
    dissimilarity = observations.scheme.settings.dissimilarity
    found = aligned_units(columns.marks, member, grid.owner, dissimilarity, observations.categorial)
    of = grid.owner[found.one]
    n = columns.n[grid.task[of]]
    parts = []
    for kind, cost in (
        (BOUNDARY, dissimilarity.alpha * found.positional),
        (LABEL, dissimilarity.beta * found.categorial),
    ):
        some = np.flatnonzero(cost > 0)
        one, other = found.one[some], found.other[some]
        none = np.full(len(some), -1)
        pair = _Parts.packed(
            of[some], grid.rank[one], grid.rank[other], np.full(len(some), kind), member[one],
            member[other], none, cost[some] / (n * (n - 1) / 2)[some], is_absence=False,
        )  # fmt: skip
        parts.append(pair)
    return parts


def _absences(observations: Observations, grid: Grid) -> _Parts:
    """Annotators without a unit where others have one: the cost is shared by those who are absent,
    and by the units that are there.
    """
    columns, unitaries = observations.columns, observations.unitaries
    empty = np.flatnonzero(grid.unit < 0)
    of = grid.unitary[empty]
    sizes = np.diff(unitaries.border)
    at = ranges(unitaries.border[of], sizes[of])
    absence = np.repeat(empty, sizes[of])
    unitary, person = grid.unitary[absence], grid.person[absence]
    unit = unitaries.member[at]
    missing = unitaries.missing / np.maximum(columns.n[grid.task] - sizes, 1) / sizes
    name = columns.people[person]
    split = left_over(columns, grid, unit, person)
    return _Parts.packed(
        unitary, _seats(columns)[person], grid.rank[at], np.where(split, SPLIT, MISSED), unit,
        np.full(len(unit), -1), name, missing[unitary], is_absence=True,
    )  # fmt: skip


def _seats(columns: TaskColumns) -> Ints:
    """The place of each of the people among the annotators of the task, in the order of names."""
    owner = np.repeat(np.arange(len(columns)), columns.n)
    order = np.lexsort((columns.people, owner))
    seats = np.empty(len(order), np.int64)
    seats[order] = np.arange(len(order)) - borders_of(columns.n)[owner]
    return seats


def _added(group: Ints, kind: Small, cost: Floats, groups: int) -> tuple[Ints, Floats, Floats]:
    """For each group, how often each kind occurs and what it costs, and what all of them cost.

    Exact sums: they do not depend on the order of tasks and names.
    """
    parts = [slice(at, at + UNITS_AT_ONCE) for at in range(0, len(kind), UNITS_AT_ONCE)]
    counts = np.zeros(groups * KINDS, np.int64)
    for part in parts:
        used, often = np.unique(group[part] * KINDS + kind[part], return_counts=True)
        counts[used] += often
    edges = borders_of(counts)
    ordered, free = np.empty(len(cost)), edges[:-1].copy()
    for part in parts:
        cell = group[part] * KINDS + kind[part]
        used, often = np.unique(cell, return_counts=True)
        ordered[ranges(free[used], often)] = cost[part][np.argsort(cell, kind="stable")]
        free[used] += often
    sums, whole = _exact(ordered, edges), _exact(ordered, edges[::KINDS])
    shape = groups, KINDS
    return counts.reshape(shape), np.reshape(sums, shape), np.array(whole)


def _exact(values: Floats, edges: Ints) -> list[float]:
    """The exact sums between edges. Numbers of Python take four times the memory of the array, so
    some are made at a time.
    """
    found = []
    for low, high in stretches(edges):
        some = values[edges[low] : edges[high]]
        if high - low == 1:  # perhaps very many
            parts = (some[at : at + UNITS_AT_ONCE] for at in range(0, len(some), UNITS_AT_ONCE))
            found.append(math.fsum(chain.from_iterable(part.tolist() for part in parts)))
            continue
        listed = some.tolist()
        own = (edges[low : high + 1] - edges[low]).tolist()
        found += [math.fsum(listed[begin:end]) for begin, end in pairwise(own)]
    return found


def _parts_of_each(counts: Ints, sums: Floats, whole: Floats) -> list[Disagreements]:
    """The parts of each group."""
    shares = np.divide(sums, whole[:, None], out=np.zeros_like(sums), where=whole[:, None] > 0)
    return [
        dict(zip(DISAGREEMENT_KINDS, map(Part, *columns), strict=True))
        for columns in zip(counts.tolist(), sums.tolist(), shares.tolist(), strict=True)
    ]
