"""Spans: the units of a task as arrays, the gaps between them, and what two annotators share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from goldspan.engine.coefficient.continua.matching import best_matching

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task
    from goldspan.engine.model import Unit

Made = TypeVar("Made")


@dataclass(frozen=True)
class Spans:
    """Units or sections of one annotator, sorted by start; `value` numbers their labels."""

    start: Floats
    end: Floats
    value: Ints

    @classmethod
    def of(cls, units: list[Unit], index: dict[str, int]) -> Spans:
        units.sort(key=lambda unit: (unit.start, unit.end, unit.category))
        return cls(
            np.array([unit.start for unit in units], dtype=np.float64),
            np.array([unit.end for unit in units], dtype=np.float64),
            np.array([index[unit.category] for unit in units], dtype=np.int64),
        )

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def length(self) -> Floats:
        return self.end - self.start

    @cached_property
    def overlap(self) -> bool:
        """Whether two of them overlap; touching is not overlapping."""
        return bool((self.start[1:] < np.maximum.accumulate(self.end)[:-1]).any())

    def only(self, value: int) -> Spans:
        """Those with one label."""
        kept = self.value == value
        return Spans(self.start[kept], self.end[kept], self.value[kept])

    def with_gaps(self, low: float, high: float, gap: int) -> Spans:
        """Sections from end to end: the units, which must not overlap, and the gaps between."""
        starts, ends = np.append(low, self.end), np.append(self.start, high)
        kept = ends > starts
        start = np.concatenate((self.start, starts[kept]))
        end = np.concatenate((self.end, ends[kept]))
        value = np.concatenate((self.value, np.full(kept.sum(), gap)))
        order = np.argsort(start, kind="stable")
        return Spans(start[order], end[order], value[order])


def intersections(one: Spans, other: Spans) -> tuple[Ints, Ints, Floats]:
    """The pairs that share a stretch, by their numbers on both sides, and how long it is."""
    if not len(one) or not len(other):
        none = np.empty(0, np.int64)
        return none, none, np.empty(0)
    # Ends are in order once each is taken as far as any before it reaches.
    low = np.searchsorted(np.maximum.accumulate(other.end), one.start, side="right")
    high = np.searchsorted(other.start, one.end, side="left")
    first, second = ranges(low, high)
    shared = np.minimum(one.end[first], other.end[second]) - np.maximum(
        one.start[first], other.start[second]
    )
    kept = shared > 0
    return first[kept], second[kept], shared[kept]


def ranges(low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Each number with all from its `low` up to its `high`, as pairs."""
    counts = np.maximum(high - low, 0)
    first = np.repeat(np.arange(len(low)), counts)
    offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return first, np.asarray(np.repeat(low, counts) + offset, dtype=np.int64)


@dataclass(frozen=True)
class Meetings:
    """The pairs of two annotators' spans that share a stretch, by number, and how long it is."""

    one: Spans
    other: Spans
    a: Ints
    b: Ints
    shared: Floats

    @classmethod
    def of(cls, one: Spans, other: Spans) -> Meetings:
        return cls(one, other, *intersections(one, other))

    @cached_property
    def memo(self) -> dict[object, Any]:
        """What coefficients made of them, so that a pair of annotators is compared once."""
        return {}

    @property
    def turned(self) -> Meetings:
        """The same with the two annotators exchanged."""
        return Meetings(self.other, self.one, self.b, self.a, self.shared)

    def only(self, value: int) -> Meetings:
        """Of the spans with one label alone."""
        one, other = self.one.value == value, self.other.value == value
        kept = one[self.a] & other[self.b]
        return Meetings(
            self.one.only(value), self.other.only(value),
            (np.cumsum(one) - 1)[self.a[kept]], (np.cumsum(other) - 1)[self.b[kept]],
            self.shared[kept],
        )  # fmt: skip

    @cached_property
    def same_label(self) -> Floats:
        same = self.one.value[self.a] == self.other.value[self.b]
        return np.asarray(same, dtype=np.float64)

    @cached_property
    def same_place(self) -> Floats:
        starts = self.one.start[self.a] == self.other.start[self.b]
        ends = self.one.end[self.a] == self.other.end[self.b]
        return np.asarray(starts & ends, dtype=np.float64)

    @cached_property
    def iou(self) -> Floats:
        """Intersection by union."""
        lengths = self.one.length[self.a] + self.other.length[self.b]
        return np.asarray(self.shared / (lengths - self.shared))

    def best(self, weight: Floats) -> Floats:
        """The weights of the pairs that together weigh most, each span once at most."""
        kept = weight > 0
        found = weight[kept]
        if not len(found):
            return found
        return np.asarray(found[best_matching(self.a[kept], self.b[kept], found)])


@dataclass(frozen=True)
class MarkedTask:
    """A task with the spans of each annotator; `gap` numbers what is not marked.

    `whole` is the task with more annotators that these are some of: they meet there as here.
    """

    annotators: tuple[str, ...]
    spans: tuple[Spans, ...]
    low: float
    high: float
    gap: int
    whole: MarkedTask | None = None

    @classmethod
    def of(cls, task: Task, scheme: Scheme) -> MarkedTask:
        found: MarkedTask | None = task.memo.get(cls)
        if found is None:
            found = task.memo[cls] = cls._of(task, scheme)
        return found

    @classmethod
    def _of(cls, task: Task, scheme: Scheme) -> MarkedTask:
        low, high = task.continuum.bounds
        gap = len(scheme.categories)
        if task.whole is not None:
            whole = cls.of(task.whole, scheme)
            own = dict(zip(whole.annotators, whole.spans, strict=True))
            spans = tuple(own[name] for name in task.annotators)
            return cls(task.annotators, spans, float(low), float(high), gap, whole)
        units: dict[str, list[Unit]] = {name: [] for name in task.annotators}
        for unit in task.continuum.units:
            if unit.annotator in units:
                units[unit.annotator].append(unit)
        spans = tuple(Spans.of(own, scheme.index) for own in units.values())
        return cls(task.annotators, spans, float(low), float(high), gap)

    @property
    def length(self) -> float:
        return self.high - self.low

    @cached_property
    def n_units(self) -> int:
        return sum(len(own) for own in self.spans)

    @cached_property
    def used(self) -> dict[int, int]:
        """How many units have each label that somebody used."""
        value, count = np.unique(np.concatenate([s.value for s in self.spans]), return_counts=True)
        return dict(zip(value.tolist(), count.tolist(), strict=True))

    @cached_property
    def overlapping(self) -> str | None:
        """The first annotator whose units overlap."""
        for name, own in zip(self.annotators, self.spans, strict=True):
            if own.overlap:
                return name
        return None

    def kept(self, make: Callable[[MarkedTask], Made]) -> Made:
        """What `make` makes of the task, made once."""
        if make not in self._made:
            self._made[make] = make(self)
        found: Made = self._made[make]
        return found

    @cached_property
    def _made(self) -> dict[Callable[[MarkedTask], Any], Any]:
        return {}

    @cached_property
    def sections(self) -> tuple[Spans, ...]:
        """Units and gaps of each annotator, where units do not overlap."""
        return tuple(own.with_gaps(self.low, self.high, self.gap) for own in self.spans)

    @cached_property
    def meetings(self) -> dict[tuple[str, str], Meetings]:
        """Where units of each two annotators meet."""
        if self.whole is not None:
            return {pair: self.whole.meetings[pair] for pair in combinations(self.annotators, 2)}
        named = zip(self.annotators, self.spans, strict=True)
        return {
            (name, partner): Meetings.of(one, other)
            for (name, one), (partner, other) in combinations(named, 2)
        }

    @cached_property
    def section_meetings(self) -> list[Meetings]:
        """Where sections of each two annotators meet."""
        return [Meetings.of(one, other) for one, other in combinations(self.sections, 2)]

    @cached_property
    def is_whole(self) -> bool:
        """Whether all positions are whole numbers."""
        ends = [self.low, self.high]
        places = [np.array(ends), *(own.start for own in self.spans), *(s.end for s in self.spans)]
        return all(bool((place == np.floor(place)).all()) for place in places)
