"""Site columns: the sites of many tasks in one set of arrays; a site is made when it is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.batch.unitaries import borders_of, stretches
from goldspan.engine.coefficient.made import Made
from goldspan.engine.gold.cuts import GAP
from goldspan.engine.gold.sites import Site

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.coefficient.columns import TaskColumns
    from goldspan.engine.coefficient.observation import Observations
    from goldspan.engine.model import Unit

    Small = NDArray[np.int32]

MEMBERS = ("unit", "start", "end", "label", "name")


@dataclass(frozen=True)
class SiteColumns(Made[Site]):
    """`task` numbers the task of each site among those of the columns. The units of site s are
    from border[s] on, up to border[s + 1], in the order of annotators' names.

    `unit` is the place of each among the units of the columns, or -1 for a unit that is not there:
    then the site is one of `others`, by number.
    """

    columns: TaskColumns
    task: Small
    border: Ints
    unit: Small
    start: Floats
    end: Floats
    label: Small
    name: Small
    others: Mapping[int, Site]

    @classmethod
    def of(cls, observations: Observations) -> SiteColumns:
        """Those of the best alignments; some tasks after the other, to bound the memory."""
        columns = observations.columns
        parts = []
        for low, high in stretches(columns.begin):
            unit, task, sizes = _connected(observations.between(low, high))
            parts.append((unit + columns.begin[low], task + low, sizes))
        unit, task, sizes = map(np.concatenate, zip(*parts, strict=True))
        return cls(
            columns, task.astype(np.int32), borders_of(sizes), unit.astype(np.int32),
            columns.start[unit], columns.end[unit], columns.label[unit].astype(np.int32),
            columns.name[unit].astype(np.int32), {},
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.task)

    def _make(self, at: int) -> Site:
        if at in self.others:
            return self.others[at]
        columns, task = self.columns, self.columns.tasks[self.task.item(at)]
        own = columns.place[self.unit[self.border[at] : self.border[at + 1]]].tolist()
        units = tuple([columns.units[unit] for unit in own])
        return Site(task.continuum.id, units, task.annotators)

    @property
    def k(self) -> Ints:
        """How many annotators marked each site."""
        return np.diff(self.border)

    @property
    def n(self) -> Ints:
        """How many annotators saw it."""
        return self.columns.n[self.task]

    @property
    def categories(self) -> set[str]:
        """Those that annotators used."""
        return {self.columns.labels[at] for at in np.unique(self.label).tolist()}

    def of_task(self, task: int) -> range:
        """The numbers of the sites of a task."""
        return range(self._begin.item(task), self._begin.item(task + 1))

    @cached_property
    def _begin(self) -> Ints:
        """Where the sites of each task begin, and where the last ones end."""
        return borders_of(np.bincount(self.task, minlength=len(self.columns)))

    def units_of(self, task: int) -> list[Unit]:
        """The units of a task, in the order of its sites."""
        own = self.of_task(task)
        members = slice(self.border[own.start], self.border[own.stop])
        units = self.columns.units
        return [units[at] for at in self.columns.place[self.unit[members]].tolist()]

    def members(self, sites: Ints, k: int) -> Ints:
        """Where the units of these sites are, a row for each; all of them have k units."""
        found: Ints = self.border[sites][:, None] + np.arange(k)
        return found

    def some(self) -> Iterator[tuple[int, int]]:
        """The numbers of all sites, some at a time."""
        return stretches(self.border)

    def with_others(self, changed: Mapping[int, Sequence[Site]]) -> SiteColumns:
        """The same with other sites in these tasks."""
        if not changed:
            return self
        others: dict[int, Site] = {}
        sites, members, at = [], [], 0
        number = 0
        for task, own in sorted(changed.items()):
            before = self.of_task(task)
            sites += [self._sites(at, before.start), (np.full(len(own), task), _sizes(own))]
            members += [self._members(at, before.start), self._members_of(own)]
            number += before.start - at
            others |= {number + place: site for place, site in enumerate(own)}
            number, at = number + len(own), before.stop
        sites.append(self._sites(at, len(self)))
        members.append(self._members(at, len(self)))
        task_of, sizes = map(np.concatenate, zip(*sites, strict=True))
        columns = dict(zip(MEMBERS, map(np.concatenate, zip(*members, strict=True)), strict=True))
        return SiteColumns(
            self.columns, task_of.astype(np.int32), borders_of(sizes), others=others, **columns
        )

    def _sites(self, low: int, high: int) -> tuple[Small, Ints]:
        return self.task[low:high], np.diff(self.border[low : high + 1])

    def _members(self, low: int, high: int) -> tuple[NDArray[np.generic], ...]:
        own = slice(self.border[low], self.border[high])
        return tuple(getattr(self, name)[own] for name in MEMBERS)

    def _members_of(self, sites: Sequence[Site]) -> tuple[NDArray[np.generic], ...]:
        units = [unit for site in sites for unit in site.units]
        labels, names = self.columns.labels, self.columns.names
        return (
            np.full(len(units), -1, np.int32),
            np.array([unit.start for unit in units], dtype=np.float64),
            np.array([unit.end for unit in units], dtype=np.float64),
            np.array([labels.index(unit.category) for unit in units], dtype=np.int32),
            np.array([names.index(unit.annotator) for unit in units], dtype=np.int32),
        )


def _sizes(sites: Sequence[Site]) -> Ints:
    return np.array([len(site.units) for site in sites], dtype=np.int64)


def _connected(some: Observations) -> tuple[Ints, Ints, Ints]:
    """The units of each site, the task of each site, and its size: the parts of the unitary
    alignments that hang together by overlap, as in `connected`.
    """
    columns, unitaries = some.columns, some.unitaries
    member, border = unitaries.member, unitaries.border
    sizes = np.diff(border)
    start, end = columns.start[member], columns.end[member]
    last_start, first_end = (
        np.maximum.reduceat(start, border[:-1]), np.minimum.reduceat(end, border[:-1]),
    )  # fmt: skip
    unitary = np.repeat(np.arange(len(sizes)), sizes)
    cut = np.flatnonzero(np.repeat(last_start >= first_end, sizes))
    label, name = columns.label[member[cut]], columns.name[member[cut]]
    order = cut[np.lexsort((name, label, end[cut], start[cut], unitary[cut]))]
    part = np.zeros(len(member), np.int64)
    part[order] = np.cumsum(_begins(unitary[order], start[order], end[order]))
    by_part = np.lexsort((part, unitary))  # stable: names stay in order
    edge = np.diff(unitary[by_part], prepend=-1) | np.diff(part[by_part], prepend=-1)
    first = np.flatnonzero(edge)
    task = np.repeat(np.arange(len(columns)), np.diff(unitaries.begin))
    found = np.diff(np.append(first, len(member)))
    return member[by_part], task[unitary[by_part][first]], found


def _begins(unitary: Ints, start: Floats, end: Floats) -> NDArray[np.bool_]:
    """Whether each unit is behind all that come before it in its unitary alignment."""
    places, rank = np.unique(end, return_inverse=True)
    base = unitary * len(places)
    reach = np.maximum.accumulate(base + rank)[:-1] - base[1:]
    behind = np.ones(len(unitary), np.bool_)
    if len(unitary) > 1:
        same = unitary[1:] == unitary[:-1]
        behind[1:] = ~same | (start[1:] >= places[np.maximum(reach, 0)])
    return behind


def tasks_with_neighbours(columns: TaskColumns) -> list[int]:
    """The tasks in which two units could be one that was cut in two, as in `neighbourhood`."""
    found = []
    for low, high in stretches(columns.begin):
        some = columns.between(low, high)
        start, end, label, name, task = some.start, some.end, some.label, some.name, some.task
        order = np.lexsort((end, start, name, label, task))
        start, end, label, name, task = (
            column[order] for column in (start, end, label, name, task)
        )
        same = (label[1:] == label[:-1]) & (name[1:] == name[:-1]) & (task[1:] == task[:-1])
        gap = start[1:] - end[:-1]
        near = same & (gap >= 0) & (gap <= GAP * (end[1:] - start[:-1]))
        found += (np.unique(task[1:][near]) + low).tolist()
    return found
