"""Judgements: the items of tasks, and who gave each of them which labels, as arrays.

An item is a thing that several annotators labelled. Where every task has a unit that covers it from
start to end, the items are the tasks, and shorter units are not looked at; a task without positions
is written as a continuum of length 1 with a unit over it. Everywhere else an item is a place: all
units with the same start and end. On request, items are the unitary alignments of γ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import chain, combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from goldspan.engine.alignment.alignment import Alignment
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.coefficient.task import Task
    from goldspan.engine.model import Unit

Labels: TypeAlias = tuple[str, ...]
"""The labels that an annotator gave an item, sorted; several are a set."""

Item: TypeAlias = Mapping[str, Labels]
"""The labels of each annotator who judged an item."""

NONE = -1
"""Where there is no judgement."""

SEVERAL = -2
"""Where there are several labels, and only one can be looked at."""


class Source(Enum):
    """What the items of a corpus are."""

    TASKS = "tasks"
    PLACES = "places"
    ALIGNMENTS = "unitary alignments"


def source_of(tasks: Iterable[Task]) -> Source:
    """Tasks, if each in which something is marked has a unit that covers it; else places.

    Nothing covers a task without a known length.
    """
    found = Source.PLACES
    for task in tasks:
        whole = task.continuum.length
        if any(unit.end == whole and unit.start == 0 for unit in task.continuum.units):
            found = Source.TASKS
        elif not task.is_blank:
            return Source.PLACES
    return found


def items_of_task(task: Task, source: Source) -> list[Item]:
    """The items of a task, by place."""
    items: list[Item] | None = task.memo.get(source)
    if items is None:
        items = task.memo[source] = _items_of_task(task, source)
    return items


def _items_of_task(task: Task, source: Source) -> list[Item]:
    units: Sequence[Unit] = task.continuum.units
    if len(task.annotators) < len(task.continuum.presence):
        annotators = frozenset(task.annotators)
        units = [unit for unit in units if unit.annotator in annotators]
    if source is Source.TASKS:
        whole = task.continuum.length
        item: dict[str, Labels] = {}
        for unit in units:
            if unit.end == whole and unit.start == 0:
                item[unit.annotator] = (*item.get(unit.annotator, ()), unit.category)
        return [item] if item else []
    found: dict[tuple[float, float], dict[str, Labels]] = {}
    for unit in units:
        place, name = (unit.start, unit.end), unit.annotator
        known = found.get(place)
        if known is None:
            found[place] = {name: (unit.category,)}
        elif name in known:
            known[name] = (*known[name], unit.category)
        else:
            known[name] = (unit.category,)
    return list(found.values())


def items_of_alignment(alignment: Alignment) -> list[Item]:
    """Each unitary alignment as an item: the units that γ takes for the same thing."""
    return [{u.annotator: (u.category,) for u in one.units} for one in alignment.unitary]


@dataclass(frozen=True)
class Judgements:
    """A row for each item, a column for each judgement of it; NONE where an item has fewer.

    `task` is the number of each item's task, of `n_tasks`. `coder` and `value` are numbers that the
    maker chose, and `labels` counts the labels of a judgement.
    """

    task: Ints
    coder: Ints
    value: Ints
    labels: Ints
    n_tasks: int

    @classmethod
    def of(
        cls,
        items: Sequence[Sequence[Item]],
        coders: Mapping[str, int],
        value: Callable[[Labels], int],
    ) -> Judgements:
        """From the items of each task; `value` numbers the labels of a judgement."""
        every = list(chain.from_iterable(items))
        judged = list(chain.from_iterable(item.values() for item in every))
        sizes = list(map(len, every))
        coder = [coders[name] for item in every for name in item]
        given = list(map(value, judged))
        labels = list(map(len, judged))
        task = np.repeat(np.arange(len(items)), [len(own) for own in items])
        size = np.array(sizes, dtype=np.int64)
        row = np.repeat(np.arange(len(size)), size)
        column = np.arange(len(row)) - np.repeat(np.cumsum(size) - size, size)
        table = np.full((3, len(size), size.max(initial=0)), NONE)
        table[:, row, column] = coder, given, labels
        return cls(task, table[0], table[1], np.maximum(table[2], 0), len(items))

    def pick(self, kept: NDArrayBool) -> Judgements:
        """These items alone."""
        return Judgements(
            self.task[kept], self.coder[kept], self.value[kept], self.labels[kept], self.n_tasks
        )

    @cached_property
    def sizes(self) -> Ints:
        """How many judgements each item has."""
        return np.asarray((self.value != NONE).sum(axis=1), dtype=np.int64)

    @cached_property
    def several(self) -> NDArrayBool:
        """The items to which somebody gave several labels."""
        return np.asarray((self.value == SEVERAL).any(axis=1))

    @cached_property
    def pairable(self) -> Judgements:
        """The items with two judgements or more: only these can show agreement."""
        return self.pick(self.sizes >= 2)

    def disagreement(self, distance: Floats) -> Floats:
        """For each item the distances of all ordered pairs of its judgements, added up."""
        found = np.zeros(len(self.task))
        for a, b in combinations(range(self.value.shape[1]), 2):
            one, other = self.value[:, a], self.value[:, b]
            both = (one >= 0) & (other >= 0)
            found[both] += 2 * distance[one[both], other[both]]
        return found

    def coincidences(self, size: int) -> Floats:
        """Krippendorff's coincidence matrix of each task: pairs within items, by 1 / (n - 1)."""
        found = np.zeros((self.n_tasks, size, size))
        for a, b in combinations(range(self.value.shape[1]), 2):
            one, other = self.value[:, a], self.value[:, b]
            both = (one >= 0) & (other >= 0)
            weight = 1 / (self.sizes[both] - 1)
            np.add.at(found, (self.task[both], one[both], other[both]), weight)
            np.add.at(found, (self.task[both], other[both], one[both]), weight)
        return found

    def counts(self, size: int, weight: Floats) -> Floats:
        """How often each value was given in a task; a judgement counts as its item's weight."""
        item, at = np.nonzero(self.value >= 0)
        cell = self.task[item] * size + self.value[item, at]
        found = np.bincount(cell, weight[item], self.n_tasks * size)
        return np.asarray(found.reshape(self.n_tasks, size), dtype=np.float64)

    def counts_by_coder(self, coders: int, size: int) -> Floats:
        """How often each coder gave each value in a task."""
        item, at = np.nonzero(self.value >= 0)
        cell = (self.task[item] * coders + self.coder[item, at]) * size + self.value[item, at]
        found = np.bincount(cell, minlength=self.n_tasks * coders * size)
        return found.reshape(self.n_tasks, coders * size).astype(np.float64)

    def per_task(self, of_items: Floats) -> Floats:
        """What items have, added up for each task."""
        return np.asarray(np.bincount(self.task, of_items, self.n_tasks), dtype=np.float64)


NDArrayBool: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
