"""Columns: the units of many tasks in one set of arrays, from which those of some of the annotators
are taken without looking at each task.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.batch.layouts import Layouts
from goldspan.engine.alignment.batch.unitaries import Marks, borders_of
from goldspan.engine.chance.pool import Pool
from goldspan.engine.coefficient.made import Made
from goldspan.engine.coefficient.seats import Seats
from goldspan.engine.coefficient.task import Task
from goldspan.engine.model import Continuum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.model import Measure, Position, Presence, Unit

    Numbers = NDArray[np.int32]


@dataclass(frozen=True)
class _SomeOfEach(Made[Task]):
    """Tasks as some of their annotators would leave them."""

    tasks: Sequence[Task]
    numbers: Ints
    names: frozenset[str]

    def __len__(self) -> int:
        return len(self.numbers)

    def between(self, low: int, high: int) -> _SomeOfEach:
        return _SomeOfEach(self.tasks, self.numbers[low:high], self.names)

    def _make(self, at: int) -> Task:
        whole: Task = self.tasks[int(self.numbers[at])]
        return whole.only(tuple(name for name in whole.annotators if name in self.names))


@dataclass(frozen=True)
class _Outlines(Made[Task]):
    """Tasks without their units and texts: small enough to travel, and all that is looked at beside
    the columns.
    """

    ids: tuple[str, ...]
    annotators: tuple[tuple[str, ...], ...]
    presence: tuple[dict[str, Presence], ...]
    extent: tuple[tuple[Position | None, Measure], ...]

    @classmethod
    def of(cls, tasks: Sequence[Task]) -> _Outlines:
        continua = [task.continuum for task in tasks]
        return cls(
            tuple(one.id for one in continua),
            tuple(task.annotators for task in tasks),
            tuple(dict(one.presence) for one in continua),
            tuple((one.length, one.measure) for one in continua),
        )

    def __len__(self) -> int:
        return len(self.ids)

    def _make(self, at: int) -> Task:
        whole = Continuum(self.ids[at], (), self.presence[at], *self.extent[at])
        return Task(whole, self.annotators[at])


@dataclass(frozen=True)
class TaskColumns:
    """Tasks in which somebody marked a unit; the units of each are in the order of its layout.

    `units` has all units, and `place` says where those of these tasks are in it. `rank` is the
    number of each category among the `labels`, in the order of their names; `people` has the
    numbers among the `names` of the annotators of each task, so many as `n` says, in the order of
    their numbers in its layout. What follows from these columns is not kept: a large corpus has
    millions of units. Where `known` is false, a continuum goes from the first unit of all who are
    in it to the last one.
    """

    tasks: Sequence[Task]
    units: Sequence[Unit]
    place: Numbers
    names: tuple[str, ...]
    labels: tuple[str, ...]
    annotator: Numbers
    start: Floats
    end: Floats
    category: Numbers
    rank: Ints
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
        by_number = sorted(categories, key=categories.__getitem__)
        rank = np.array([labels.index(label) for label in by_number], dtype=np.int64)
        own = [_units_of(task) for task in tasks]
        units = [unit for some in own for unit in some]
        count = len(units)
        start = np.fromiter(map(attrgetter("start"), units), np.float64, count)
        end = np.fromiter(map(attrgetter("end"), units), np.float64, count)
        used = map(attrgetter("category"), units)
        category = np.fromiter(map(categories.__getitem__, used), np.int64, count)
        authors = map(attrgetter("annotator"), units)
        name = np.fromiter(map(number.__getitem__, authors), np.int64, count)
        n = np.array([len(task.annotators) for task in tasks], dtype=np.int64)
        everybody = (number[one] for task in tasks for one in task.annotators)
        people = np.fromiter(everybody, np.int64, int(n.sum()))
        sizes = np.array([len(some) for some in own], dtype=np.int64)
        task = np.repeat(np.arange(len(n)), sizes)
        seats = Seats(people, n)
        person = seats.person(name, task)
        seat = seats.numbered(borders_of(sizes), person, start, end, category)
        order = np.lexsort((seat[person], category, start, start + end, task))
        bounds = [task.continuum.bounds for task in tasks]
        begun = np.empty_like(people)
        begun[borders_of(n)[:-1].repeat(n) + seat] = people
        return cls(
            tasks, units, order.astype(np.int32), names, labels,
            seat[person][order].astype(np.int32), start[order], end[order],
            category[order].astype(np.int32), rank, borders_of(sizes), n, begun,
            np.array([first for first, _ in bounds], dtype=np.float64),
            np.array([last - first for first, last in bounds], dtype=np.float64),
            np.array([task.continuum.length is not None for task in tasks], dtype=np.bool_),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.n)

    @property
    def task(self) -> Ints:
        """The task of each unit."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @cached_property
    def sizes(self) -> Ints:
        """The number of units in each task."""
        return np.diff(self.begin)

    @property
    def person(self) -> Ints:
        """Where the annotator of each unit is among the people."""
        return np.repeat(borders_of(self.n)[:-1], self.sizes) + self.annotator

    @property
    def label(self) -> Ints:
        """The category of each unit, as the number of its name."""
        return self.rank[self.category]

    @property
    def name(self) -> Ints:
        """The annotator of each unit, as the number of the name."""
        return self.people[self.person]

    def layouts(self, low: int = 0, high: int | None = None) -> Layouts:
        """The layouts of the tasks from number `low` on, up to `high`: positions are taken from the
        start of the continuum.
        """
        some = slice(low, len(self) if high is None else high)
        begin = self.begin[some.start : some.stop + 1]
        own = slice(begin[0], begin[-1])
        origin = np.repeat(self.origin[some], np.diff(begin))
        return Layouts(
            self.annotator[own].astype(np.int64), self.start[own] - origin,
            self.end[own] - origin, self.category[own].astype(np.int64), begin - begin[0],
            self.n[some],
        )  # fmt: skip

    def between(self, low: int, high: int) -> TaskColumns:
        """The tasks from number `low` on, up to `high`."""
        own = slice(self.begin[low], self.begin[high])
        at = borders_of(self.n)[[low, high]]
        tasks = self.tasks
        some = tasks.between(low, high) if isinstance(tasks, _SomeOfEach) else tasks[low:high]
        return TaskColumns(
            some, self.units, self.place[own], self.names, self.labels, self.annotator[own],
            self.start[own], self.end[own], self.category[own], self.rank,
            self.begin[low : high + 1] - own.start, self.n[low:high], self.people[slice(*at)],
            self.origin[low:high], self.length[low:high], self.known[low:high],
        )  # fmt: skip

    @property
    def marks(self) -> Marks:
        """The units as they were marked."""
        return Marks(self.start, self.end, self.label, self.name, self.begin)

    def ids(self, low: int, high: int) -> tuple[str, ...]:
        """The ids of the tasks from number `low` on, up to `high`."""
        tasks, numbers = self.tasks, list(range(low, high))
        if isinstance(tasks, _SomeOfEach):
            numbers, tasks = tasks.numbers[low:high].tolist(), tasks.tasks
        if isinstance(tasks, _Outlines):
            return tuple([tasks.ids[number] for number in numbers])
        return tuple([tasks[number].continuum.id for number in numbers])

    def units_of(self, k: int) -> list[Unit]:
        """The units of a task."""
        return [self.units[at] for at in self.place[self.begin[k] : self.begin[k + 1]].tolist()]

    def shared(self, names: Iterable[str]) -> tuple[int, int]:
        """How many tasks `only` these annotators leave with a unit, and how many units."""
        wanted = frozenset(names)
        kept = np.array([name in wanted for name in self.names], dtype=np.bool_)[self.people]
        n = np.bincount(np.repeat(np.arange(len(self)), self.n), kept, len(self))
        task = self.task[kept[self.person]]
        units = np.bincount(task, minlength=len(self))[n >= 2]
        return int((units > 0).sum()), int(units.sum())

    def only(self, names: Iterable[str]) -> tuple[TaskColumns, Sequence[Task]]:
        """The tasks as these annotators alone would leave them, where two or more took part: those
        with a unit, and the blank ones.
        """
        wanted = frozenset(names)
        task, person = self.task, self.person
        kept = np.array([name in wanted for name in self.names], dtype=np.bool_)[self.people]
        owner = np.repeat(np.arange(len(self)), self.n)
        n = np.bincount(owner, kept, len(self)).astype(np.int64)
        left = kept[person] & (n >= 2)[task]
        sizes = np.bincount(task[left], minlength=len(self))
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
            self.labels, number[person[left]].astype(np.int32), start, end, self.category[left],
            self.rank, begin, n[chosen], self.people[stay],
            np.where(whole, self.origin[chosen], first),
            np.where(whole, self.length[chosen], last - first),
            self.known[chosen],
        )  # fmt: skip
        return found, _SomeOfEach(self.tasks, blank, wanted)

    def outlined(self) -> TaskColumns:
        """The same without the units themselves, for another process: all that `only` and what is
        measured in columns look at. Nobody can ask it for `units_of` a task.
        """
        return replace(self, tasks=_Outlines.of(self.tasks), units=())

    def pool(self) -> Pool:
        """The tasks as chance sees them, in the same order."""
        person = self.person
        order = np.lexsort((self.label, self.end, self.start, person))
        laid = self.layouts()
        return Pool(
            self.n, np.bincount(person, minlength=len(self.people)), laid.start[order],
            laid.end[order], laid.category[order], self.length, self.known, self.origin,
        ).settled()  # fmt: skip

    def users_of(self, category: str) -> set[str]:
        """The annotators who used a category in any of these tasks."""
        marked = self.label == self.labels.index(category)
        return {self.names[at] for at in np.unique(self.name[marked]).tolist()}

    def users(self, categories: int) -> Ints:
        """A row for each task: how many of its annotators used each category."""
        found = np.zeros((len(self), categories), np.int64)
        once = np.unique(self.person * categories + self.category)
        owner = np.repeat(np.arange(len(self)), self.n)
        np.add.at(found, (owner[once // categories], once % categories), 1)
        return found


def _units_of(task: Task) -> tuple[Unit, ...]:
    """The units of those who count."""
    continuum = task.continuum
    if len(task.annotators) == len(continuum.presence):
        return continuum.units  # of everybody: no need to look at each
    kept = frozenset(task.annotators)
    return tuple(unit for unit in continuum.units if unit.annotator in kept)
