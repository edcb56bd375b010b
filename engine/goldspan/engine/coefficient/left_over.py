"""Left over: units that are not aligned because another annotator has one unit for several; found
for all tasks at once, as `disagreement` finds them in one alignment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.batch.unitaries import borders_of, ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.batch.unitaries import Unitaries
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.coefficient.columns import TaskColumns

MOST_ROWS = 1_000_000
"""So many pairs of a unit and one that may cover it are looked at together."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A cell for each unitary alignment and each annotator of its task; those of alignment c are
    from begin[c] on, in the order of `people`.

    `unit` is the unit in a cell, -1 if there is none, `unitary` the alignment and `person` the
    place among the people. `task` is that of each alignment; `owner` is the alignment of each
    member, and `rank` the member's place in it. `cell` is that of each unit.
    """

    task: Ints
    owner: Ints
    rank: Ints
    unitary: Ints
    person: Ints
    unit: Ints
    cell: Ints

    @classmethod
    def of(cls, columns: TaskColumns, found: Unitaries) -> Grid:
        task = np.repeat(np.arange(len(columns)), np.diff(found.begin))
        sizes = np.diff(found.border)
        owner = np.repeat(np.arange(len(sizes)), sizes)
        n = columns.n[task]
        begin = borders_of(n)
        unitary = np.repeat(np.arange(len(n)), n)
        cell = np.empty(len(owner), np.int64)
        cell[found.member] = begin[owner] + columns.annotator[found.member]
        unit = np.full(int(begin[-1]), -1)
        unit[cell] = np.arange(len(cell))
        return cls(
            task, owner, np.arange(len(owner)) - found.border[owner], unitary,
            ranges(borders_of(columns.n)[task], n), unit, cell,
        )  # fmt: skip


def left_over(columns: TaskColumns, grid: Grid, unit: Ints, person: Ints) -> NDArray[np.bool_]:
    """For each unit and a person who has none beside it: whether a unit of that person covers this
    one and is aligned with a piece beside it.
    """
    persons = columns.person
    order = np.lexsort((columns.start, persons))
    owner, start = persons[order], columns.start[order]
    longest = np.zeros(len(columns.people))
    np.maximum.at(longest, persons, columns.end - columns.start)
    low = _places(owner, start, person, columns.start[unit] - longest[person])
    high = _places(owner, start, person, columns.end[unit])
    found = np.zeros(len(unit), np.bool_)
    for part in _portions(high - low):
        query = np.repeat(part, (high - low)[part])
        cover = order[ranges(low[part], (high - low)[part])]
        near = _within(columns, unit[query], cover) & (
            columns.end[cover] > columns.start[unit[query]]
        )
        query, cover = query[near], cover[near]
        # What the same annotator has beside the unit that covers.
        step = columns.annotator[unit[query]] - columns.annotator[cover]
        sibling = grid.unit[grid.cell[cover] + step]
        known = sibling >= 0
        query, cover, sibling = query[known], cover[known], sibling[known]
        mine = unit[query]
        beside = (
            _within(columns, sibling, cover)
            & ~_within(columns, mine, sibling)  # else it is nested, not a piece beside it
            & ~_within(columns, sibling, mine)
        )
        found[query[beside]] = True
    return found


def _places(owner: Ints, start: Floats, owners: Ints, starts: Floats) -> Ints:
    """Where units would begin that start there, among those of the same owner; units are in the
    order of owners and starts.
    """
    count = len(owner)
    order = np.lexsort(
        (
            np.concatenate((np.ones(count, np.int8), np.zeros(len(owners), np.int8))),
            np.concatenate((start, starts)),
            np.concatenate((owner, owners)),
        )
    )
    asked = order >= count
    before = np.cumsum(~asked)
    found = np.empty(len(owners), np.int64)
    found[order[asked] - count] = before[asked]
    return found


def _portions(counts: Ints) -> Iterator[Ints]:
    """The numbers of what has a count, some at a time."""
    some = np.flatnonzero(counts > 0)
    edges = np.cumsum(counts[some])
    low = 0
    while low < len(some):
        before = edges[low - 1] if low else 0
        high = max(low + 1, int(np.searchsorted(edges, before + MOST_ROWS, "right")))
        yield some[low:high]
        low = high


def _within(columns: TaskColumns, unit: Ints, cover: Ints) -> NDArray[np.bool_]:
    """Whether at least half of the unit is in the other."""
    start, end = columns.start, columns.end
    shared = np.minimum(end[unit], end[cover]) - np.maximum(start[unit], start[cover])
    inside: NDArray[np.bool_] = 2 * shared >= end[unit] - start[unit]
    return inside
