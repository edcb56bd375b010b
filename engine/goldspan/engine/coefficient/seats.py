"""Seats: the annotators of many tasks, and the number that each has in the layout of a task."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.batch.unitaries import borders_of

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints

TASKS_AT_ONCE = 1000
"""What people marked is compared for so many tasks at a time, to bound the memory."""

_SIGN = np.int64(-(2**63))


@dataclass(frozen=True, slots=True)
class Seats:
    """`people` has the numbers of the annotators of each task, so many as `n` says."""

    people: Ints
    n: Ints

    @property
    def owner(self) -> Ints:
        """The task of each of the people."""
        return np.repeat(np.arange(len(self.n)), self.n)

    def person(self, name: Ints, task: Ints) -> Ints:
        """Where these annotators of these tasks are among the people."""
        width = int(self.people.max(initial=0)) + 1
        keys = self.owner * width + self.people
        order = np.argsort(keys, kind="stable")
        return np.asarray(order[np.searchsorted(keys, task * width + name, sorter=order)])

    def numbered(
        self, begin: Ints, person: Ints, start: Floats, end: Floats, category: Ints
    ) -> Ints:
        """The number of each of the people in the layout of the task, by what they marked, so that
        no name decides between equal alignments (see `layout.in_order`). The units of task k are
        those from begin[k] on, up to begin[k + 1].
        """
        borders = borders_of(self.n)
        seats: list[int] = []
        for first in range(0, len(self.n), TASKS_AT_ONCE):
            people = borders[first : first + TASKS_AT_ONCE + 1] - borders[first]
            own = slice(begin[first], begin[first + len(people) - 1])
            marked = _marked(
                person[own] - borders[first], start[own], end[own], category[own], int(people[-1])
            )
            seats += _seats(marked, people.tolist())
        return np.array(seats, dtype=np.int64)


def _marked(person: Ints, start: Floats, end: Floats, category: Ints, people: int) -> list[bytes]:
    """What each of the people marked, in order, as bytes that compare like the numbers."""
    order = np.lexsort((category, end, start, person))
    columns = (_in_bytes(start[order]), _in_bytes(end[order]), category[order])
    content = np.column_stack(columns).astype(">i8").tobytes()
    edges = (borders_of(np.bincount(person, minlength=people)) * 24).tolist()
    return [content[low:high] for low, high in pairwise(edges)]


def _seats(marked: list[bytes], borders: list[int]) -> list[int]:
    """Where each of the people comes in the task, by what they marked."""
    seats = [0] * len(marked)
    for low, high in pairwise(borders):
        for seat, at in enumerate(sorted(range(low, high), key=marked.__getitem__)):
            seats[at] = seat
    return seats


def _in_bytes(positions: Floats) -> Ints:
    """Numbers whose big-endian bytes are in the order of the positions."""
    bits = (positions + 0.0).view(np.int64)  # added to 0, there is no negative zero
    return np.asarray(np.where(bits < 0, ~bits, bits | _SIGN))
