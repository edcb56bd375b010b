"""Pool: the tasks that chance draws from, in one set of columns; a task is made when drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, overload

import numpy as np

from goldspan.engine.alignment.batch.unitaries import borders_of, ranges
from goldspan.engine.chance.sampler import Annotation, ObservedTask

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.clusters import Floats, Ints

FINENESS = 2**20
"""Positions are compared in this many parts of their task: no rounding error reaches them."""

TASKS_AT_ONCE = 1000
"""Annotations are compared for so many tasks at a time, to bound the memory."""


@dataclass(frozen=True, eq=False)
class Pool(Sequence[ObservedTask]):
    """Task k has counts[k] annotations, one after the other, annotation a has sizes[a] units, and
    the columns `start`, `end` and `category` have the units.

    `known` says whether a task's length is known. The annotations of a task are in the order of
    their content.
    """

    counts: Ints
    sizes: Ints
    start: Floats
    end: Floats
    category: Ints
    length: Floats
    known: NDArray[np.bool_]
    origin: Floats
    _made: dict[int, ObservedTask] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, tasks: Iterable[ObservedTask]) -> Pool:
        """The same tasks as columns."""
        given = list(tasks)
        annotations = [one for task in given for one in task.annotations]
        empty = Annotation(np.empty(0), np.empty(0), np.empty(0, np.int64))
        return cls(
            np.array([len(task.annotations) for task in given], dtype=np.int64),
            np.array([one.size for one in annotations], dtype=np.int64),
            np.concatenate([one.start for one in (empty, *annotations)]),
            np.concatenate([one.end for one in (empty, *annotations)]),
            np.concatenate([one.category for one in (empty, *annotations)]),
            np.array([task.length for task in given], dtype=np.float64),
            np.array([task.length_known for task in given], dtype=np.bool_),
            np.array([task.origin for task in given], dtype=np.float64),
        )

    def __reduce__(self) -> tuple[object, ...]:
        return Pool, (self.counts, self.sizes, self.start, self.end, self.category, self.length,
                      self.known, self.origin)  # fmt: skip

    def __len__(self) -> int:
        return len(self.counts)

    @overload
    def __getitem__(self, at: int) -> ObservedTask: ...
    @overload
    def __getitem__(self, at: slice) -> list[ObservedTask]: ...
    def __getitem__(self, at: int | slice) -> ObservedTask | list[ObservedTask]:
        if isinstance(at, slice):
            return [self[k] for k in range(len(self))[at]]
        k = range(len(self))[at]
        if k not in self._made:
            self._made[k] = self._task(k)
        return self._made[k]

    def _task(self, k: int) -> ObservedTask:
        edges = self.borders[self.firsts[k] : self.firsts[k + 1] + 1].tolist()
        annotations = tuple(
            Annotation(self.start[low:high], self.end[low:high], self.category[low:high])
            for low, high in pairwise(edges)
        )
        length, origin = float(self.length[k]), float(self.origin[k])
        return ObservedTask(annotations, length, bool(self.known[k]), origin)

    @cached_property
    def firsts(self) -> Ints:
        """Where the annotations of each task begin, and where the last ones end."""
        return borders_of(self.counts)

    @cached_property
    def borders(self) -> Ints:
        """The same of the units of each annotation."""
        return borders_of(self.sizes)

    def joined(self, other: Pool) -> Pool:
        """These tasks, and the others."""
        if not len(other):
            return self
        return Pool(
            *(
                np.concatenate((getattr(self, name), getattr(other, name)))
                for name in ("counts", "sizes", "start", "end", "category", "length", "known",
                             "origin")
            )
        )  # fmt: skip

    def sorted(self) -> Pool:
        """The tasks in an order that only depends on what is in them: by their lengths, and those
        of one length by their annotations.
        """
        by_length = self._taken(np.argsort(self.length, kind="stable"))
        firsts, length = by_length.firsts.tolist(), by_length.length
        edges = np.flatnonzero(np.diff(length, prepend=np.nan, append=np.nan) != 0).tolist()
        order: list[int] = []
        for low, high in pairwise(edges):
            begin = firsts[low]
            contents = by_length._contents(begin, firsts[high])
            own = [first - begin for first in firsts[low : high + 1]]
            keys = [contents[one:other] for one, other in pairwise(own)]
            order += [low + at for at in sorted(range(high - low), key=keys.__getitem__)]
        return by_length._taken(np.array(order, np.int64))

    def settled(self) -> Pool:
        """The same tasks, with the annotations of each in the order of their content."""
        order: list[int] = []
        firsts = self.firsts[[*range(0, len(self), TASKS_AT_ONCE), len(self)]].tolist()
        for begin, end in pairwise(firsts):
            contents = self._contents(begin, end)
            edges = self.firsts[(self.firsts >= begin) & (self.firsts <= end)] - begin
            order += [
                begin + at
                for low, high in pairwise(edges.tolist())
                for at in sorted(range(low, high), key=contents.__getitem__)
            ]
        return self._arranged(np.array(order, np.int64))

    def _contents(self, first: int, last: int) -> list[tuple[bytes, bytes, bytes]]:
        """What the annotations from number `first` on, up to `last`, are compared by: starts, then
        ends, then categories. No position is negative, so their bytes are in the order of the
        numbers.
        """
        edges = self.borders[first : last + 1]
        own = slice(edges[0], edges[-1])
        # Added to 0, there is no negative zero.
        starts, ends = (
            (0.0 + some).astype(">f8").tobytes() for some in (self.start[own], self.end[own])
        )
        labels = self.category[own].astype(">i8").tobytes()
        return [
            (starts[low:high], ends[low:high], labels[low:high])
            for low, high in pairwise(((edges - edges[0]) * 8).tolist())
        ]

    def _taken(self, order: Ints) -> Pool:
        """The tasks with these numbers, in this order."""
        moved = self._arranged(ranges(self.firsts[:-1][order], self.counts[order]))
        return Pool(
            self.counts[order], moved.sizes, moved.start, moved.end, moved.category,
            self.length[order], self.known[order], self.origin[order],
        )  # fmt: skip

    def _arranged(self, order: Ints) -> Pool:
        """The same with the annotations in this order."""
        units = ranges(self.borders[:-1][order], self.sizes[order])
        return Pool(
            self.counts, self.sizes[order], self.start[units], self.end[units],
            self.category[units], self.length, self.known, self.origin,
        )  # fmt: skip

    def fingerprint(self) -> tuple[int, ...]:
        """Four numbers that stand for the data of these tasks, and number a random stream.

        They are the same for the same data at another scale or place, whatever its names are.
        """
        total = math.fsum(self.length.tolist()) or 1.0
        units = np.repeat(np.repeat(np.arange(len(self)), self.counts), self.sizes)
        scale = (FINENESS / np.where(self.length == 0, 1.0, self.length))[units]
        # Of each task its length and how many annotations; of each of these all starts, all ends,
        # all categories and how many units.
        owner = np.repeat(np.arange(len(self)), self.counts)
        before = borders_of(3 * self.sizes + 1)
        head = 2 * np.arange(len(self)) + before[self.firsts[:-1]]
        first = before[:-1] + 2 * (owner + 1)
        numbers = np.empty(2 * len(self) + int(before[-1]), dtype="<i8")
        numbers[head] = np.rint(self.length / total * FINENESS)
        numbers[head + 1] = self.counts
        numbers[first + 3 * self.sizes] = self.sizes
        sizes, place = np.repeat(self.sizes, self.sizes), ranges(first, self.sizes)
        for k, column in enumerate((self.start * scale, self.end * scale, self.category)):
            numbers[place + k * sizes] = np.rint(column)
        digest = blake2b(numbers.tobytes(), digest_size=16).digest()
        return tuple(np.frombuffer(digest, "<u4").tolist())

    @property
    def has_unit(self) -> bool:
        return len(self.start) > 0

    @property
    def most_units(self) -> int:
        """The number of units in the largest annotation."""
        return int(self.sizes.max())
