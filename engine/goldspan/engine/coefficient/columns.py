"""Columns: the units of many tasks in one set of arrays, from which those of some of the annotators
are taken without looking at each task.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.batch.layouts import Layouts
from goldspan.engine.alignment.batch.unitaries import Marks, borders_of
from goldspan.engine.alignment.layout import in_order
from goldspan.engine.chance.pool import Pool
from goldspan.engine.coefficient.made import Made

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.coefficient.task import Task
    from goldspan.engine.model import Unit


@dataclass(frozen=True)
class _SomeOfEach(Made["Task"]):
    """Tasks as some of their annotators would leave them."""

    tasks: Sequence[Task]
    numbers: Ints
    names: frozenset[str]

    def __len__(self) -> int:
        return len(self.numbers)

    def _make(self, at: int) -> Task:
        whole: Task = self.tasks[int(self.numbers[at])]
        return whole.only(tuple(name for name in whole.annotators if name in self.names))


@dataclass(frozen=True)
class TaskColumns:
    """Tasks in which somebody marked a unit; the units of each are in the order of its layout.

    `units` has all units, and `place` says where those of these tasks are in it. `label` and `name`
    number the `labels` and `names`, categories and annotators in the order of their names. `people`
    has the annotators of each task, so many as `n` says, in the order of their numbers in its
    layout. Where `known` is false, a continuum goes from the first unit of all who are in it to the
    last one.
    """

    tasks: Sequence[Task]
    units: Sequence[Unit]
    place: Ints
    names: tuple[str, ...]
    labels: tuple[str, ...]
    annotator: Ints
    start: Floats
    end: Floats
    category: Ints
    label: Ints
    name: Ints
    begin: Ints
    n: Ints
    people: Ints
    origin: Floats
    length: Floats
    known: NDArray[np.bool_]

    @classmethod
    def of(cls, tasks: Sequence[Task], categories: Mapping[str, int]) -> TaskColumns:
        names = tuple(sorted({name for task in tasks for name in task.annotators}))
        number = {name: at for at, name in enumerate(names)}
        labels = tuple(sorted(categories))
        rank = {label: at for at, label in enumerate(labels)}
        units: list[Unit] = []
        annotator: list[int] = []
        people: list[int] = []
        sizes = []
        for task in tasks:
            own, index = in_order(task.continuum, task.annotators, categories)
            units += own
            annotator += [index[unit.annotator] for unit in own]
            people += [number[name] for name in index]
            sizes.append(len(own))
        bounds = [task.continuum.bounds for task in tasks]
        count = len(units)
        return cls(
            tasks, units, np.arange(count), names, labels, np.array(annotator, dtype=np.int64),
            np.fromiter((unit.start for unit in units), np.float64, count),
            np.fromiter((unit.end for unit in units), np.float64, count),
            np.fromiter((categories[unit.category] for unit in units), np.int64, count),
            np.fromiter((rank[unit.category] for unit in units), np.int64, count),
            np.fromiter((number[unit.annotator] for unit in units), np.int64, count),
            borders_of(np.array(sizes, dtype=np.int64)),
            np.array([len(task.annotators) for task in tasks], dtype=np.int64),
            np.array(people, dtype=np.int64),
            np.array([first for first, _ in bounds], dtype=np.float64),
            np.array([last - first for first, last in bounds], dtype=np.float64),
            np.array([task.continuum.length is not None for task in tasks], dtype=np.bool_),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.n)

    @cached_property
    def task(self) -> Ints:
        """The task of each unit."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @cached_property
    def sizes(self) -> Ints:
        """The number of units in each task."""
        return np.diff(self.begin)

    @cached_property
    def person(self) -> Ints:
        """Where the annotator of each unit is among the people."""
        return borders_of(self.n)[self.task] + self.annotator

    @cached_property
    def layouts(self) -> Layouts:
        """The layout of each task: positions are taken from the start of its continuum."""
        start, end = self.start - self.origin[self.task], self.end - self.origin[self.task]
        return Layouts(self.annotator, start, end, self.category, self.begin, self.n)

    @property
    def marks(self) -> Marks:
        """The units as they were marked."""
        return Marks(self.start, self.end, self.label, self.name, self.begin)

    def ids(self, low: int, high: int) -> tuple[str, ...]:
        """The ids of the tasks from number `low` on, up to `high`."""
        tasks = self.tasks
        if isinstance(tasks, _SomeOfEach):
            some = [tasks.tasks[number] for number in tasks.numbers[low:high].tolist()]
        else:
            some = list(tasks[low:high])
        return tuple(task.continuum.id for task in some)

    def units_of(self, k: int) -> list[Unit]:
        """The units of a task."""
        return [self.units[at] for at in self.place[self.begin[k] : self.begin[k + 1]].tolist()]

    def only(self, names: Iterable[str]) -> tuple[TaskColumns, Sequence[Task]]:
        """The tasks as these annotators alone would leave them, where two or more took part: those
        with a unit, and the blank ones.
        """
        wanted = frozenset(names)
        kept = np.array([name in wanted for name in self.names], dtype=np.bool_)[self.people]
        owner = np.repeat(np.arange(len(self)), self.n)
        n = np.bincount(owner, kept, len(self)).astype(np.int64)
        left = kept[self.person] & (n >= 2)[self.task]
        sizes = np.bincount(self.task[left], minlength=len(self))
        chosen = np.flatnonzero((n >= 2) & (sizes > 0))
        blank = np.flatnonzero((n >= 2) & (sizes == 0))
        stay = kept & np.isin(owner, chosen)
        number = np.cumsum(kept) - borders_of(n)[owner] - 1
        begin = borders_of(sizes[chosen])
        start, end = self.start[left], self.end[left]
        # All who took part: then what others left unfinished belongs to the continuum still.
        whole = self.known[chosen] | (n == self.n)[chosen]
        first, last = (
            np.minimum.reduceat(start, begin[:-1]) if len(chosen) else start,
            np.maximum.reduceat(end, begin[:-1]) if len(chosen) else end,
        )
        found = TaskColumns(
            _SomeOfEach(self.tasks, chosen, wanted), self.units, self.place[left], self.names,
            self.labels, number[self.person[left]], start, end, self.category[left],
            self.label[left], self.name[left], begin, n[chosen], self.people[stay],
            np.where(whole, self.origin[chosen], first),
            np.where(whole, self.length[chosen], last - first),
            self.known[chosen],
        )  # fmt: skip
        return found, _SomeOfEach(self.tasks, blank, wanted)

    def pool(self) -> Pool:
        """The tasks as chance sees them, in the same order."""
        order = np.lexsort((self.label, self.end, self.start, self.person))
        laid = self.layouts
        return Pool(
            self.n, np.bincount(self.person, minlength=len(self.people)), laid.start[order],
            laid.end[order], self.category[order], self.length, self.known, self.origin,
        ).settled()  # fmt: skip

    def users(self, categories: int) -> Ints:
        """A row for each task: how many of its annotators used each category."""
        found = np.zeros((len(self), categories), np.int64)
        once = np.unique(self.person * categories + self.category)
        owner = np.repeat(np.arange(len(self)), self.n)
        np.add.at(found, (owner[once // categories], once % categories), 1)
        return found
