"""Unitaries: the unitary alignments of many layouts as columns, and what each of them costs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.dissimilarity import Dissimilarity

UNITS_AT_ONCE = 50_000
"""About so many units are looked at together, so that what is needed on the way stays small."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The units of many layouts, as they were marked: positions that no origin was taken from, and
    numbers for categories and annotators in the order of their names.

    Those of layout k are from begin[k] on, up to begin[k + 1], and none of the layouts is empty.
    """

    start: Floats
    end: Floats
    label: Ints
    name: Ints
    begin: Ints

    def between(self, first: int, last: int) -> Marks:
        """Those of the layouts from number `first` on, up to `last`."""
        own = slice(self.begin[first], self.begin[last])
        return Marks(
            self.start[own], self.end[own], self.label[own], self.name[own],
            self.begin[first : last + 1] - own.start,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unitaries:
    """Those of layout k are from begin[k] on, up to begin[k + 1], in the order of the continuum.
    The units of number c are `member` from border[c] on, in the order of annotators' names.

    `positional`, `categorial` and `missing` are the three parts of the disorder (2015, equation 6).
    """

    begin: Ints
    border: Ints
    member: Ints
    positional: Floats
    categorial: Floats
    missing: Floats

    @classmethod
    def of(
        cls,
        marks: Marks,
        cluster: Ints,
        annotators: Ints,
        dissimilarity: Dissimilarity,
        apart: Floats,
    ) -> Unitaries:
        """`cluster` numbers the cluster of each unit in its layout, from 0 on, and `annotators`
        are so many for each layout. `apart` is d_cat between the labels.
        """
        parts = [
            cls._of(
                marks.between(low, high), cluster[marks.begin[low] : marks.begin[high]],
                annotators[low:high], dissimilarity, apart,
            )
            for low, high in stretches(marks.begin)
        ]  # fmt: skip
        return parts[0] if len(parts) == 1 else cls._joined(parts)

    @classmethod
    def _of(
        cls,
        marks: Marks,
        cluster: Ints,
        annotators: Ints,
        dissimilarity: Dissimilarity,
        apart: Floats,
    ) -> Unitaries:
        begin, place = _in_order(marks, cluster)
        member = np.lexsort((marks.name, place))
        sizes = np.bincount(place, minlength=int(begin[-1]))
        border = borders_of(sizes)
        pairs = np.repeat(annotators * (annotators - 1) / 2, np.diff(begin))
        together = sizes * (sizes - 1) // 2
        places, labels = _sums(marks, member, place[member], together, dissimilarity, apart)
        return cls(
            begin,
            border,
            member,
            dissimilarity.alpha * places / pairs,
            dissimilarity.beta * labels / pairs,
            (pairs - together) / pairs,
        )

    @classmethod
    def _joined(cls, parts: Sequence[Unitaries]) -> Unitaries:
        """Those of one part after the other; each has the layouts that follow."""
        before = borders_of(np.array([len(part.member) for part in parts])).tolist()
        return cls(
            borders_of(np.concatenate([np.diff(part.begin) for part in parts])),
            borders_of(np.concatenate([np.diff(part.border) for part in parts])),
            np.concatenate([part.member + at for part, at in zip(parts, before, strict=False)]),
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("positional", "categorial", "missing")
            ),
        )

    def between(self, first: int, last: int, before: int = 0) -> Unitaries:
        """Those of the layouts from number `first` on, up to `last`; without so many units that
        are `before` them.
        """
        low, high = self.begin[first], self.begin[last]
        own = slice(self.border[low], self.border[high])
        return Unitaries(
            self.begin[first : last + 1] - low, self.border[low : high + 1] - own.start,
            self.member[own] - before, self.positional[low:high], self.categorial[low:high],
            self.missing[low:high],
        )  # fmt: skip

    @property
    def disorder(self) -> Floats:
        """That of each."""
        return self.positional + self.categorial + self.missing


def _in_order(marks: Marks, cluster: Ints) -> tuple[Ints, Ints]:
    """Where the unitary alignments of each layout begin, and that of each unit: they are in the
    order of their first units, and equal ones in that of their clusters.
    """
    count = np.maximum.reduceat(cluster, marks.begin[:-1]) + 1
    begin = borders_of(count)
    layout = np.repeat(np.arange(len(count)), np.diff(marks.begin))
    number = begin[layout] + cluster
    by_unit = np.lexsort((marks.label, marks.end, marks.start, number))
    first = by_unit[np.flatnonzero(np.diff(number[by_unit], prepend=-1))]
    order = np.lexsort((marks.label[first], marks.end[first], marks.start[first], layout[first]))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return begin, place[number]


@dataclass(frozen=True, slots=True)
class AlignedUnits:
    """Pairs of members of the same unitary alignment, d_pos and d_cat between them."""

    one: Ints
    other: Ints
    positional: Floats
    categorial: Floats


def aligned_units(
    marks: Marks, member: Ints, place: Ints, dissimilarity: Dissimilarity, apart: Floats
) -> AlignedUnits:
    """Those of all members, in the order of their unitary alignments; `place` is the alignment of
    each member.
    """
    one, other = pairs_within(place)
    order = np.argsort(place[one], kind="stable")
    one, other = one[order], other[order]
    u, v = member[one], member[other]
    start, end = marks.start, marks.end
    ratio = (abs(start[u] - start[v]) + abs(end[u] - end[v])) / (
        (end[u] - start[u]) + (end[v] - start[v])
    )
    distances = np.fromiter(map(dissimilarity.positional.of, ratio.tolist()), np.float64, len(u))
    return AlignedUnits(one, other, distances, apart[marks.label[u], marks.label[v]])


def _sums(
    marks: Marks,
    member: Ints,
    place: Ints,
    together: Ints,
    dissimilarity: Dissimilarity,
    apart: Floats,
) -> tuple[Floats, Floats]:
    """Σ d_pos and Σ d_cat over the pairs of units of each unitary alignment."""
    found = aligned_units(marks, member, place, dissimilarity, apart)
    borders = borders_of(together)
    return _exact(found.positional, borders), _exact(found.categorial, borders)


def pairs_within(place: Ints) -> tuple[Ints, Ints]:
    """All pairs of items with the same place, of items in the order of their places."""
    none: Ints = np.empty(0, np.int64)
    ones, others = [none], [none]
    for step in range(1, len(place)):
        same: Ints = np.flatnonzero(place[:-step] == place[step:]).astype(np.int64)
        if not len(same):
            break
        ones.append(same)
        others.append(same + step)
    return np.concatenate(ones), np.concatenate(others)


def _exact(values: Floats, borders: Ints) -> Floats:
    """The sums between borders, exact: the order in which names put units does not change the last
    digit.
    """
    found = np.zeros(len(borders) - 1)
    counts = np.diff(borders)
    single = counts == 1
    found[single] = values[borders[:-1][single]]
    listed: Sequence[float] = values.tolist()
    edges = borders.tolist()
    for at in np.flatnonzero(counts > 1).tolist():
        found[at] = math.fsum(listed[edges[at] : edges[at + 1]])
    return found


def sums_between(values: Floats, borders: Ints) -> Floats:
    """The sum of the values between borders, each to the same digit as of these values alone."""
    found = np.zeros(len(borders) - 1)
    counts = np.diff(borders)
    for count in np.unique(counts[counts > 0]).tolist():
        those = np.flatnonzero(counts == count)
        found[those] = values[borders[those][:, None] + np.arange(count)].sum(axis=1)
    return found


def borders_of(sizes: Ints) -> Ints:
    """Where parts of these sizes begin, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(sizes)))


def stretches(begin: Ints) -> Iterator[tuple[int, int]]:
    """From which number on, up to which, layouts have UNITS_AT_ONCE together at most; one that has
    more is alone. There is one stretch at least.
    """
    low, last = 0, len(begin) - 1
    while True:
        high = int(np.searchsorted(begin, begin[low] + UNITS_AT_ONCE, "right")) - 1
        high = min(max(high, low + 1), last)
        yield low, high
        if high == last:
            return
        low = high


def ranges(low: Ints, sizes: Ints) -> Ints:
    """low[0], low[0] + 1, … so many as sizes[0] says, and so on."""
    before = borders_of(sizes)
    return np.repeat(low - before[:-1], sizes) + np.arange(before[-1])


def slices(borders: Ints) -> list[slice]:
    """What is between borders."""
    return [slice(low, high) for low, high in pairwise(borders.tolist())]
